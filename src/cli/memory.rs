//! The default memory limit of a search.
//!
//! A search that runs out of memory is killed by the system without a result;
//! one that stops in time reports what it has found.

use std::fs;
use std::path::Path;

/// Address space that the other threads reserve for their own allocations.
const THREAD_ADDRESSES: u64 = 128 << 20;

/// Returns three quarters of the free memory, if the system reports it. The
/// part of a limited address space is smaller, since tables reserve space to
/// grow.
pub(super) fn default_limit() -> Option<u64> {
    let free = free_in_machine().into_iter().chain(free_in_group()).map(|bytes| bytes / 4 * 3);
    let addresses = address_space().map(|bytes| bytes.saturating_sub(THREAD_ADDRESSES).max(bytes / 4));
    free.chain(addresses.map(|bytes| bytes / 2)).min()
}

/// Returns the memory that this process uses, if the system reports it.
pub(super) fn resident() -> Option<u64> {
    Some(number_behind(&read("/proc/self/status")?, "VmRSS:")? << 10)
}

fn free_in_machine() -> Option<u64> {
    let kibibytes = number_behind(&read("/proc/meminfo")?, "MemAvailable:")?;
    Some(kibibytes << 10)
}

/// Returns the free memory of the control group of this process, such as a
/// container.
fn free_in_group() -> Option<u64> {
    let groups = read("/proc/self/cgroup")?;
    let own = groups.lines().find_map(|it| it.strip_prefix("0::/")).unwrap_or("");
    let folder = Path::new("/sys/fs/cgroup").join(own);
    let number = |file: &str| read(folder.join(file))?.trim().parse::<u64>().ok();
    Some(number("memory.max")?.saturating_sub(number("memory.current")?))
}

/// Returns the limit of `ulimit -v`.
fn address_space() -> Option<u64> {
    number_behind(&read("/proc/self/limits")?, "Max address space")
}

fn read(path: impl AsRef<Path>) -> Option<String> {
    fs::read_to_string(path).ok()
}

fn number_behind(text: &str, key: &str) -> Option<u64> {
    let line = text.lines().find_map(|it| it.strip_prefix(key))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_stand_behind_their_keys() {
        let text =
            "MemFree:  5 kB\nMemAvailable:   12345 kB\nMax address space   unlimited  unlimited bytes\n";
        assert_eq!(number_behind(text, "MemAvailable:"), Some(12_345));
        assert_eq!(number_behind(text, "Max address space"), None);
        assert_eq!(number_behind(text, "SwapFree:"), None);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn linux_tells_what_is_free() {
        assert!(default_limit().is_some_and(|bytes| bytes > 1 << 20));
    }
}
