//! Writes a file completely or not at all: a reader never sees part of a
//! report, and a failed write keeps the old file.

use super::reason;
use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use trapline::diag::Diagnostic;

/// Maximum length of a chain of links.
const MAX_LINKS: usize = 40;

/// Writes the text to a file, a device or a pipe.
pub(in crate::cli) fn write_whole(path: &Path, text: &str) -> Result<(), Diagnostic> {
    let written = match Destination::of(path) {
        Ok(Destination::Output) => whole(io::stdout().lock(), text),
        Ok(Destination::Error) => whole(io::stderr().lock(), text),
        Ok(Destination::Open) => OpenOptions::new().append(true).open(path).and_then(|it| whole(it, text)),
        Ok(Destination::Device) => OpenOptions::new().write(true).open(path).and_then(|it| whole(it, text)),
        Ok(Destination::File(path)) => replace(&path, text),
        Err(error) => Err(error),
    };
    written.map_err(|error| unwritable(path, &error))
}

fn whole(mut stream: impl Write, text: &str) -> io::Result<()> {
    stream.write_all(text.as_bytes())?;
    stream.flush()
}

/// Checks whether a file can be written, without changing it.
pub(super) fn expect_writable(path: &Path) -> Result<(), Diagnostic> {
    let tried = match Destination::of(path) {
        Ok(Destination::File(path)) => expect_unprotected(&path).and_then(|_| {
            let (temporary, _) = temporary(&path)?;
            fs::remove_file(temporary)
        }),
        Ok(_) => Ok(()),
        Err(error) => Err(error),
    };
    tried.map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &io::Error) -> Diagnostic {
    let message = format!("cannot write `{}`: {}", path.display(), reason(error));
    Diagnostic::error_without_place("file-unwritable", message)
}

/// The kind of file that a path leads to.
enum Destination {
    /// Standard output of this process.
    Output,
    /// Standard error of this process.
    Error,
    /// A file that is open under a number, such as `/dev/fd/3`; its content is
    /// kept.
    Open,
    /// A device or a pipe, which must not be replaced by a file.
    Device,
    /// A file, which may be missing; the path does not end in a link.
    File(PathBuf),
}

impl Destination {
    fn of(path: &Path) -> io::Result<Self> {
        let target = target(path);
        match target.to_str() {
            Some("/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1") => return Ok(Self::Output),
            Some("/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2") => return Ok(Self::Error),
            _ if is_open(&target) => return Ok(Self::Open),
            _ => (),
        }
        match fs::metadata(&target) {
            Ok(known) if known.is_dir() => Err(ErrorKind::IsADirectory.into()),
            Ok(known) if !known.is_file() => Ok(Self::Device),
            Ok(_) => Ok(Self::File(target)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self::File(target)),
            Err(error) => Err(error),
        }
    }
}

/// Returns whether the path is the name of an open file.
fn is_open(path: &Path) -> bool {
    let is_number_in = |start: &str| {
        path.to_str().and_then(|it| it.strip_prefix(start)).is_some_and(|it| it.parse::<u32>().is_ok())
    };
    is_number_in("/dev/fd/") || is_number_in("/proc/self/fd/")
}

/// Follows the links of a path, so that the file is written and the link is
/// kept. The file may be missing.
pub(super) fn target(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..MAX_LINKS {
        let is_standard = matches!(path.to_str(), Some("/dev/stdout" | "/dev/stderr"));
        if is_standard || is_open(&path) {
            break;
        }
        let Ok(next) = fs::read_link(&path) else { break };
        path = folder(&path).join(next);
    }
    path
}

/// Returns the folder of a file.
pub(super) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Checks that a file is not write-protected, since a rename would replace it.
fn expect_unprotected(path: &Path) -> io::Result<Option<fs::Metadata>> {
    match OpenOptions::new().write(true).open(path) {
        Ok(file) => file.metadata().map(Some),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Creates a file in the same folder, since a rename must not cross file
/// systems.
fn temporary(path: &Path) -> io::Result<(PathBuf, File)> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    path.file_name().ok_or(ErrorKind::InvalidInput)?;
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!(".trapline-{}-{number}.tmp", std::process::id());
        let temporary = path.with_file_name(name);
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => (),
            opened => return opened.map(|file| (temporary, file)),
        }
    }
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    let known = expect_unprotected(path)?;
    let (temporary, mut file) = temporary(path)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| {
        if let Some(known) = known {
            keep_owner(&file, &known);
            file.set_permissions(known.permissions())?;
        }
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&temporary, path)).inspect_err(|_| {
        // A temporary file that cannot be removed is left.
        let _ = fs::remove_file(&temporary);
    })
}

/// Restores the owner; only the superuser can do so or needs to.
#[cfg(unix)]
fn keep_owner(file: &File, known: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let _ = fchown(file, Some(known.uid()), Some(known.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &fs::Metadata) {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::folder::Folder;

    fn read(path: &Path) -> String {
        fs::read_to_string(path).expect("it was written")
    }

    #[test]
    fn files_are_written_whole_and_leave_nothing_behind() {
        let folder = Folder::new("write-whole");
        let path = folder.join("report.json");
        write_whole(&path, "one").expect("the folder is writable");
        write_whole(&path, "two").expect("the file is replaceable");
        assert_eq!(read(&path), "two");
        assert!(expect_writable(&path).is_ok() && expect_writable(&folder.join("new")).is_ok());
        assert!(expect_writable(&folder).is_err() && expect_writable(&folder.join("no/file")).is_err());
        assert_eq!(fs::read_dir(&folder).expect("it exists").count(), 1);
        assert!(write_whole(&folder, "x").is_err());
        assert!(write_whole(&folder.join("no/such/file"), "x").is_err());
        let long = folder.join("x".repeat(250));
        write_whole(&long, "long").expect("the name is not too long");
        assert_eq!(read(&long), "long");
    }

    #[cfg(unix)]
    #[test]
    fn links_and_permissions_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = Folder::new("write-links");
        let (file, link, dangling) = (folder.join("file"), folder.join("link"), folder.join("dangling"));
        fs::write(&file, "old").expect("the folder is writable");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("it is ours");
        symlink("file", &link).expect("the folder is writable");
        symlink("made", &dangling).expect("the folder is writable");
        write_whole(&link, "new").expect("it is writable");
        write_whole(&dangling, "made").expect("it is writable");
        assert!(link.is_symlink() && dangling.is_symlink());
        assert_eq!((read(&file), read(&folder.join("made"))), ("new".to_string(), "made".to_string()));
        assert_eq!(fs::metadata(&file).expect("it exists").permissions().mode() & 0o777, 0o640);
        symlink("loop", folder.join("loop")).expect("the folder is writable");
        assert!(write_whole(&folder.join("loop"), "x").is_err());
        assert!(folder.join("loop").is_symlink());
    }
}
