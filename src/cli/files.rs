//! Reads texts and writes results.

use crate::diag::{Diagnostic, SourceId, Sources, did_you_mean};
use crate::lang::spec::Library;
use std::collections::HashMap;
use std::io::{ErrorKind, Write};
use std::path::{Component, Path, PathBuf};
use std::{fs, io};

/// The texts of a run; each file is read once.
#[derive(Debug, Default)]
pub(super) struct Texts {
    pub sources: Sources,
    known: HashMap<PathBuf, SourceId>,
}

impl Texts {
    /// The text of a file. `what` says what it was meant to be: "property
    /// file".
    pub fn read(&mut self, path: &Path, what: &str) -> Result<SourceId, Diagnostic> {
        self.decoded(path, what, |bytes| {
            String::from_utf8(bytes).map_err(|error| {
                let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                let line = 1 + good.iter().filter(|it| **it == b'\n').count();
                let message = format!("the {what} `{}` is not UTF-8 text", path.display());
                let help = format!("the first wrong byte is in line {line}");
                Diagnostic::error_without_place("file-encoding", message).with_help(help)
            })
        })
    }

    /// The same for languages that are older than UTF-8: what is none stands
    /// in comments mostly, and is no token anywhere else.
    pub fn read_leniently(&mut self, path: &Path, what: &str) -> Result<SourceId, Diagnostic> {
        self.decoded(path, what, |bytes| Ok(String::from_utf8_lossy(&bytes).into_owned()))
    }

    fn decoded(
        &mut self,
        path: &Path,
        what: &str,
        decode: impl Fn(Vec<u8>) -> Result<String, Diagnostic>,
    ) -> Result<SourceId, Diagnostic> {
        if let Some(known) = self.known.get(path) {
            return Ok(*known);
        }
        let text = decode(fs::read(path).map_err(|error| unreadable(path, what, &error))?)?;
        // A byte order mark is invisible to the user and no token of any language.
        let text = text.strip_prefix('\u{feff}').map_or(text.clone(), str::to_string);
        let id = self.sources.add(path.display().to_string(), text);
        self.known.insert(path.to_path_buf(), id);
        Ok(id)
    }
}

impl Library for Texts {
    fn read(&mut self, path: &Path, what: &str) -> Result<SourceId, Diagnostic> {
        self.read(path, what)
    }

    fn sources(&self) -> &Sources {
        &self.sources
    }

    fn beside(&self, file: &Path, named: &str) -> PathBuf {
        beside(file, named)
    }
}

fn unreadable(path: &Path, what: &str, error: &io::Error) -> Diagnostic {
    let shown = path.display();
    if path.is_dir() {
        let message = format!("`{shown}` is a directory, not a {what}");
        return Diagnostic::error_without_place("file-directory", message);
    }
    if error.kind() == ErrorKind::NotFound {
        let message = format!("the {what} `{shown}` does not exist");
        return Diagnostic::error_without_place("file-missing", message).with_optional_help(neighbour(path));
    }
    let message = format!("cannot read the {what} `{shown}`: {}", reason(error));
    Diagnostic::error_without_place("file-unreadable", message)
}

/// A file of the same folder that was probably meant.
fn neighbour(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str()?;
    let folder = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let entries = fs::read_dir(folder).ok()?;
    let mut names: Vec<String> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.sort();
    did_you_mean(name, names.iter().map(String::as_str))
}

/// The message of an error without Rust's `(os error 2)`.
pub(super) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or("unknown error");
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_lowercase().chain(chars).collect())
}

/// Writes a file whole or not at all: a reader never sees half a report.
pub(super) fn write_whole(path: &Path, text: &str) -> Result<(), Diagnostic> {
    let written = match fs::metadata(path) {
        // A device or a pipe must not be replaced by a file.
        Ok(known) if !known.is_file() => fs::write(path, text),
        // A link goes on pointing where it pointed.
        Ok(_) => fs::canonicalize(path).and_then(|path| replace(&path, text)),
        Err(_) => replace(path, text),
    };
    written.map_err(|error| unwritable(path, &error))
}

/// Finds out before a long run whether its result can be written.
pub(super) fn expect_writable(path: &Path) -> Result<(), Diagnostic> {
    let tried = match fs::metadata(path) {
        Ok(known) if known.is_dir() => Err(io::Error::from(ErrorKind::IsADirectory)),
        Ok(known) if !known.is_file() => Ok(()),
        _ => temporary(path).and_then(|path| fs::File::create(&path).and_then(|_| fs::remove_file(&path))),
    };
    tried.map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &io::Error) -> Diagnostic {
    let message = format!("cannot write `{}`: {}", path.display(), reason(error));
    Diagnostic::error_without_place("file-unwritable", message)
}

/// A file beside the one to write: a rename never crosses file systems.
fn temporary(path: &Path) -> io::Result<PathBuf> {
    let mut name = path.file_name().ok_or(ErrorKind::InvalidInput)?.to_os_string();
    name.push(format!(".{}.tmp", std::process::id()));
    Ok(path.with_file_name(name))
}

fn replace(path: &Path, text: &str) -> io::Result<()> {
    let temporary = temporary(path)?;
    let written = fs::File::create(&temporary).and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        if let Ok(known) = fs::metadata(path) {
            file.set_permissions(known.permissions())?;
        }
        file.sync_all()
    });
    written.and_then(|()| fs::rename(&temporary, path)).inspect_err(|_| {
        // Nothing more can be done about a temporary file that stays.
        let _ = fs::remove_file(&temporary);
    })
}

/// A path named in a file, seen from where the user is.
pub(super) fn beside(file: &Path, named: &str) -> PathBuf {
    let joined = file.parent().unwrap_or(Path::new("")).join(named);
    let tidy = without_detours(&joined);
    // `a/../b` is not `b` if `a` is a link.
    match (fs::canonicalize(&joined), fs::canonicalize(&tidy)) {
        (Ok(one), Ok(other)) if one != other => joined,
        _ => tidy,
    }
}

fn without_detours(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for part in path.components() {
        let can_go_back = matches!(tidy.components().next_back(), Some(Component::Normal(_)));
        match part {
            Component::CurDir => (),
            Component::ParentDir if can_go_back => {
                tidy.pop();
            }
            other => tidy.push(other),
        }
    }
    tidy
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::folder::Folder;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// A folder of its own for each test.
    fn folder() -> Folder {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Folder::new(&format!("files-{number}"))
    }

    fn code(result: Result<SourceId, Diagnostic>) -> &'static str {
        result.map_or_else(|diagnostic| diagnostic.code, |_| "read")
    }

    #[test]
    fn what_cannot_be_read_is_told_apart() {
        let folder = folder();
        fs::write(folder.join("bytes"), [b'a', 0xff]).expect("the folder is writable");
        fs::write(folder.join("lock.yaml"), "\u{feff}name: a").expect("the folder is writable");
        let mut texts = Texts::default();
        assert_eq!(code(texts.read(&folder, "model")), "file-directory");
        assert_eq!(code(texts.read(&folder.join("bytes"), "model")), "file-encoding");
        let missing = texts.read(&folder.join("lokc.yaml"), "model").expect_err("it is missing");
        assert_eq!(missing.code, "file-missing");
        assert_eq!(missing.help.as_deref(), Some("did you mean `lock.yaml`?"));
        let id = texts.read(&folder.join("lock.yaml"), "model").expect("it is there");
        assert_eq!(texts.sources.get(id).text, "name: a");
        assert_eq!(texts.read(&folder.join("lock.yaml"), "model"), Ok(id));
    }

    #[test]
    fn files_are_written_whole_and_leave_nothing_behind() {
        let folder = folder();
        let path = folder.join("report.json");
        write_whole(&path, "one").expect("the folder is writable");
        write_whole(&path, "two").expect("the file is replaceable");
        assert_eq!(fs::read_to_string(&path).expect("it was written"), "two");
        assert_eq!(fs::read_dir(&folder).expect("it exists").count(), 1);
        assert!(expect_writable(&path).is_ok() && expect_writable(&folder.join("new")).is_ok());
        assert!(expect_writable(&folder).is_err() && expect_writable(&folder.join("no/file")).is_err());
        assert_eq!(fs::read_dir(&folder).expect("it exists").count(), 1);
        assert!(write_whole(&folder, "x").is_err());
        assert!(write_whole(&folder.join("no/such/file"), "x").is_err());
    }

    #[test]
    fn paths_are_seen_from_the_user() {
        let show = |file: &str, named: &str| beside(Path::new(file), named).display().to_string();
        assert_eq!(show("specs/a.yaml", "../examples/lock.rs"), "examples/lock.rs");
        assert_eq!(show("a.yaml", "./lock.rs"), "lock.rs");
        assert_eq!(show("a.yaml", "../lock.rs"), "../lock.rs");
        assert_eq!(show("specs/a.yaml", "/abs/lock.rs"), "/abs/lock.rs");
    }
}
