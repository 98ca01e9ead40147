//! The inputs of `fuzz/corpus/`, each read as its fuzz target reads it: what fuzzing found once stays found. Then inputs
//! made of them by chance: a few, or for `WARCORPUS_FUZZ_SECONDS` seconds each; another `WARCORPUS_FUZZ_SEED` (a number)
//! makes others. A panic fails the test and leaves the input in the temporary folder. `fuzz/run` does the same guided by
//! coverage, and takes longer to build.

use std::fs;
use std::panic::catch_unwind;
use std::time::{Duration, Instant};

#[path = "../fuzz/bodies.rs"]
mod bodies;

use crate::common::root;
use crate::crawl::Random;

/// Inputs made by chance in an ordinary run.
const ROUNDS: u64 = 200;
const LONGEST: usize = 64 << 10;

fn replay(target: &str, body: fn(&[u8])) {
    let files = fs::read_dir(root().join("fuzz/corpus").join(target)).unwrap();
    let mut inputs: Vec<_> = files.map(|file| file.unwrap().path()).collect();
    inputs.sort();
    let inputs: Vec<Vec<u8>> = inputs.iter().map(|path| fs::read(path).unwrap()).collect();
    assert!(!inputs.is_empty());
    inputs.iter().for_each(|input| body(input));

    let setting = |name: &str| std::env::var(name).map_or(0, |value| value.parse().unwrap());
    let (begun, time) = (Instant::now(), Duration::from_secs(setting("WARCORPUS_FUZZ_SECONDS")));
    let seed = setting("WARCORPUS_FUZZ_SEED");
    let mut random = Random(seed);
    let mut rounds = 0;
    while rounds < ROUNDS || begun.elapsed() < time {
        let input = changed(&inputs, &mut random);
        if catch_unwind(|| body(&input)).is_err() {
            let path = std::env::temp_dir().join(format!("warcorpus-{target}-{seed}-{rounds}"));
            fs::write(&path, &input).unwrap();
            panic!("{} made the target `{target}` panic", path.display());
        }
        rounds += 1;
    }
    println!("{target}: {rounds} inputs by chance");
}

/// One of the inputs with some bytes changed, left out, doubled, or taken from another one.
fn changed(inputs: &[Vec<u8>], random: &mut Random) -> Vec<u8> {
    let pick = |random: &mut Random| inputs[random.below(inputs.len() as u64) as usize].clone();
    let mut input = pick(random);
    for _ in 0..1 << random.below(5) {
        let place = |random: &mut Random, length: usize| {
            let from = random.below(length as u64 + 1) as usize;
            let most = [1, 4, 64, 4096][random.below(4) as usize];
            from..length.min(from + 1 + random.below(most) as usize)
        };
        let at = place(random, input.len());
        match random.below(5) {
            0 => input[at].iter_mut().for_each(|byte| *byte = random.next() as u8),
            1 => input[at].iter_mut().take(1).for_each(|byte| *byte ^= 1 << random.below(8)),
            2 => drop(input.drain(at)),
            3 => {
                let twice = input[at.clone()].to_vec();
                drop(input.splice(at.start..at.start, twice));
            }
            _ => {
                let other = pick(random);
                let from = place(random, other.len());
                drop(input.splice(at, other[from].iter().copied()));
            }
        }
    }
    input.truncate(LONGEST);
    input
}

#[test]
fn archives_are_read() {
    replay("records", bodies::archive);
    replay("http", bodies::http);
}

#[test]
fn pages_are_read() {
    replay("page", bodies::page);
    replay("pipeline", bodies::pipeline);
    replay("rules", bodies::rules);
    replay("charset", bodies::charset);
    replay("text", bodies::text);
}

#[test]
fn indexes_and_files_of_a_job_are_read_or_refused() {
    replay("select", bodies::select);
    replay("files", bodies::files);
}

#[test]
fn personal_data_is_found_in_any_text() {
    replay("personal", bodies::personal);
}

#[test]
fn what_users_name_and_programs_print_is_read_or_refused() {
    replay("named", bodies::named);
    replay("programs", bodies::programs);
}

#[test]
fn models_of_others_are_read_or_refused() {
    replay("models", bodies::models);
}
