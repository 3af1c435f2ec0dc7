//! Reads bytes from files, always with a limit.
//!
//! A file may have no end (`/dev/zero`) or be larger than the disk (sparse
//! files), and a pipe may never end. Every read therefore has a limit;
//! exceeding it is an error that names the limit.

use super::files::{dangling, neighbour, reason};
use std::fs::{self, File};
use std::io::{self, BufRead, ErrorKind, Read};
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;
use trapline::base::cancel::{checkpoint, stop_reason};
use trapline::diag::Diagnostic;
use trapline::report::text::measure::bytes as shown_bytes;

/// Maximum size of a model, a property file or another text written by people.
pub(super) const TEXT_BYTES: u64 = 16 << 20;

/// Maximum size of all texts of a run; included files are counted each time.
pub(super) const ALL_TEXT_BYTES: u64 = 128 << 20;

/// Maximum size of files written by programs: trails, records of studies.
pub(super) const RECORD_BYTES: u64 = 256 << 20;

/// Interval at which a thread that waits for a pipe polls for cancellation.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Maximum size of a typed line.
const LINE_BYTES: u64 = 4096;

/// Reads a file of at most `limit` bytes. `what` is the expected kind, for
/// messages: "property file".
pub(super) fn read_bytes(path: &Path, what: &str, limit: u64) -> Result<Vec<u8>, Diagnostic> {
    let fails = |error: io::Error| unreadable(path, what, &error);
    let known = fs::metadata(path).map_err(fails)?;
    if let Some(kind) = unsuitable_kind(path, &known) {
        let message = format!("`{}` is {kind}, not a {what}", path.display());
        let fault = Diagnostic::error_without_place(code_of(&known), message);
        return Err(match known.is_dir() {
            true => fault,
            false => fault.with_help("use a regular file, or a pipe as `/dev/stdin`"),
        });
    }
    if known.len() > limit {
        return Err(too_long(path, what, limit));
    }
    let bytes = match known.is_file() {
        true => first_bytes(path, limit + 1),
        false => awaited(path, limit + 1),
    };
    let bytes = bytes.map_err(fails)?;
    if bytes.len() as u64 > limit {
        return Err(too_long(path, what, limit));
    }
    Ok(bytes)
}

fn first_bytes(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads the first bytes of a pipe. Another thread waits for them, so that this
/// one can be cancelled.
fn awaited(path: &Path, limit: u64) -> io::Result<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    let path = path.to_path_buf();
    // If there is no receiver any more, the bytes are not wanted.
    thread::spawn(move || drop(sender.send(first_bytes(&path, limit))));
    loop {
        match receiver.recv_timeout(POLL_INTERVAL) {
            Ok(bytes) => return bytes,
            Err(RecvTimeoutError::Timeout) => checkpoint(),
            Err(RecvTimeoutError::Disconnected) => return Err(ErrorKind::Other.into()),
        }
    }
}

/// Reads the first bytes of a file, to recognise its language; empty if it
/// cannot be read or is not a regular file.
pub(super) fn beginning(path: &Path, limit: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    let is_file = fs::metadata(path).is_ok_and(|known| known.is_file());
    match is_file.then(|| File::open(path)) {
        // The bytes read before an error are a beginning, too.
        Some(Ok(file)) => drop(file.take(limit).read_to_end(&mut bytes)),
        _ => return Vec::new(),
    }
    bytes
}

/// Reads a line of standard input; returns `None` at its end or if the line is
/// too long.
pub(super) fn typed_line() -> Option<String> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(LINE_BYTES).read_until(b'\n', &mut bytes).ok()?;
    let is_whole = bytes.ends_with(b"\n") || (bytes.len() as u64) < LINE_BYTES;
    (is_whole && !bytes.is_empty()).then(|| String::from_utf8_lossy(&bytes).into_owned())
}

/// Reads a line of standard input like [`typed_line`]. Another thread waits for
/// it, so that the work can be stopped; then there is no line.
pub(super) fn awaited_line() -> Option<String> {
    let (sender, receiver) = mpsc::channel();
    // If there is no receiver any more, the line is not wanted.
    thread::spawn(move || drop(sender.send(typed_line())));
    loop {
        match receiver.recv_timeout(POLL_INTERVAL) {
            Ok(line) => return line,
            Err(RecvTimeoutError::Timeout) if stop_reason().is_none() => (),
            Err(_) => return None,
        }
    }
}

/// Returns the kind of something that cannot be read like a file.
fn unsuitable_kind(path: &Path, known: &fs::Metadata) -> Option<&'static str> {
    if known.is_dir() {
        return Some("a directory");
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        let kind = known.file_type();
        if kind.is_char_device() || kind.is_block_device() {
            return Some("a device");
        }
        if kind.is_socket() {
            return Some("a socket");
        }
        // Opening a named pipe waits for a writer. Standard input and the
        // pipes of a shell have no name that leads anywhere.
        if kind.is_fifo() && fs::canonicalize(path).is_ok() {
            return Some("a named pipe");
        }
    }
    None
}

fn code_of(known: &fs::Metadata) -> &'static str {
    if known.is_dir() { "file-directory" } else { "file-kind" }
}

/// Returns the error of a file that is larger than the limit.
fn too_long(path: &Path, what: &str, limit: u64) -> Diagnostic {
    let message =
        format!("the {what} `{}` is larger than the limit of {}", path.display(), shown_bytes(limit));
    Diagnostic::error_without_place("file-size", message)
}

fn unreadable(path: &Path, what: &str, error: &io::Error) -> Diagnostic {
    let shown = path.display();
    if let Some(target) = dangling(path) {
        let message =
            format!("the {what} `{shown}` is a link to `{}`, which does not exist", target.display());
        let help = "restore the target of the link, or remove the link";
        return Diagnostic::error_without_place("file-missing", message).with_help(help);
    }
    if error.kind() == ErrorKind::NotFound {
        let message = format!("the {what} `{shown}` does not exist");
        return Diagnostic::error_without_place("file-missing", message).with_optional_help(neighbour(path));
    }
    let message = format!("cannot read the {what} `{shown}`: {}", reason(error));
    Diagnostic::error_without_place("file-unreadable", message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::folder::Folder;

    fn code(path: &Path, limit: u64) -> &'static str {
        read_bytes(path, "model", limit).map_or_else(|fault| fault.code, |_| "read")
    }

    #[test]
    fn a_file_is_read_up_to_its_limit() {
        let folder = Folder::new("read-limit");
        let path = folder.join("a");
        fs::write(&path, "12345").expect("the folder is writable");
        assert_eq!(code(&path, 5), "read");
        assert_eq!(code(&path, 4), "file-size");
        assert_eq!(code(&folder, 4), "file-directory");
        let sparse = folder.join("sparse");
        File::create(&sparse).and_then(|it| it.set_len(1 << 40)).expect("the folder is writable");
        let fault = read_bytes(&sparse, "model", TEXT_BYTES).expect_err("it is too long");
        assert!(fault.message.contains("sparse` is larger than the limit of 16.0 MiB"), "{}", fault.message);
        assert_eq!(beginning(&sparse, 100).len(), 100);
    }

    #[test]
    #[cfg(unix)]
    fn devices_and_named_pipes_are_not_waited_for() {
        assert_eq!(code(Path::new("/dev/zero"), TEXT_BYTES), "file-kind");
        assert!(beginning(Path::new("/dev/zero"), 100).is_empty());
        let folder = Folder::new("read-pipe");
        let pipe = folder.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.is_ok_and(|it| it.success()), "mkfifo works");
        assert_eq!(code(&pipe, TEXT_BYTES), "file-kind");
    }
}
