//! The binary: arguments in, exit code out.

use std::process::ExitCode;

/// Takes 4 % less time than glibc's allocator. musl's has one lock for all threads.
#[cfg(target_os = "linux")]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    warcorpus::main()
}
