//! What the system says about this process.

use std::fs;

/// Peak resident memory in bytes; `None` where the system does not report it.
pub fn peak_memory() -> Option<u64> {
    status("VmHWM:")
}

/// Resident memory in bytes; `None` where the system does not report it.
pub fn resident_memory() -> Option<u64> {
    status("VmRSS:")
}

fn status(field: &str) -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with(field))?;
    line.split_whitespace().nth(1)?.parse::<u64>().ok().map(|kib| kib * 1024)
}
