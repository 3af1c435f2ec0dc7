//! Reads texts and writes results.
//!
//! [`Texts`] reads files and records which were read; `write` writes a file
//! completely or not at all; `outputs` checks that no output is also an input.

mod outputs;
mod write;

use super::language::text_to_inspect;
use super::read::{ALL_TEXT_BYTES, RECORD_BYTES, TEXT_BYTES, read_bytes};
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use std::{fs, io};
use trapline::diag::{Diagnostic, SourceId, Sources, did_you_mean};
use trapline::lang::library::{Include, Library, is_yaml};
use trapline::report::text::measure::bytes as shown_bytes;

use outputs::Identity;
pub(super) use outputs::{Outputs, Served, format_by_ending};
pub(super) use write::write_whole;

/// Maximum number of entries of a folder that are looked at.
const MAX_LISTED: usize = 10_000;

/// Maximum size of a file that is found in a folder and not named by the user.
const LISTED_BYTES: u64 = 1 << 20;

/// The texts of a run; each file is read once.
#[derive(Debug, Default)]
pub(super) struct Texts {
    pub sources: Sources,
    known: HashMap<PathBuf, SourceId>,
    pub inputs: Inputs,
    /// Total size of all files that were read.
    n_bytes: u64,
}

/// The files that a run has read, independent of their paths.
#[derive(Debug, Default)]
pub(super) struct Inputs(Vec<(PathBuf, Identity)>);

impl Inputs {
    /// Records that a file is read.
    pub fn note(&mut self, path: &Path) {
        if let Some(identity) = Identity::of(path) {
            self.0.push((path.to_path_buf(), identity));
        }
    }
}

impl Texts {
    /// Reads the text of a file. `what` is the expected kind, for messages:
    /// "property file".
    pub fn read(&mut self, path: &Path, what: &str) -> Result<SourceId, Diagnostic> {
        self.decoded(path, what, |bytes| {
            String::from_utf8(bytes).map_err(|error| {
                let good = &error.as_bytes()[..error.utf8_error().valid_up_to()];
                let line = 1 + good.iter().filter(|it| **it == b'\n').count();
                let message = format!("the {what} `{}` is not UTF-8 text", path.display());
                let help = format!("the first invalid byte is in line {line}");
                Diagnostic::error_without_place("file-encoding", message).with_help(help)
            })
        })
    }

    /// Reads a text that need not be UTF-8. In languages older than UTF-8 other
    /// bytes occur in comments; elsewhere they are not tokens.
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
        self.inputs.note(path);
        let text = decode(limited(&mut self.n_bytes, path, what)?)?;
        // A byte order mark is invisible to the user and not a token of any
        // language.
        let text = match text.strip_prefix('\u{feff}') {
            Some(rest) => rest.to_string(),
            None => text,
        };
        let id = self.sources.add(path.display().to_string(), text);
        self.known.insert(path.to_path_buf(), id);
        Ok(id)
    }

    /// Reads a file that a program has written, which may be larger.
    pub fn read_record(&mut self, path: &Path, what: &str) -> Result<SourceId, Diagnostic> {
        self.inputs.note(path);
        let text = String::from_utf8_lossy(&read_bytes(path, what, RECORD_BYTES)?).into_owned();
        Ok(self.sources.add(path.display().to_string(), text))
    }
}

/// Reads a file within the limit for all texts of the run.
fn limited(n_bytes: &mut u64, path: &Path, what: &str) -> Result<Vec<u8>, Diagnostic> {
    let bytes = read_bytes(path, what, TEXT_BYTES)?;
    *n_bytes += bytes.len() as u64;
    if *n_bytes > ALL_TEXT_BYTES {
        let limit = shown_bytes(ALL_TEXT_BYTES);
        let message = format!(
            "the {what} `{}` exceeds the limit of {limit} for all input files together",
            path.display()
        );
        return Err(Diagnostic::error_without_place("file-size", message));
    }
    Ok(bytes)
}

impl Library for Texts {
    fn read(&mut self, path: &Path, what: &str) -> Result<SourceId, Diagnostic> {
        self.read(path, what)
    }

    fn read_record(&mut self, path: &Path, what: &str) -> Result<SourceId, Diagnostic> {
        self.read_record(path, what)
    }

    fn read_leniently(&mut self, path: &Path, what: &str) -> Result<SourceId, Diagnostic> {
        self.read_leniently(path, what)
    }

    fn beginning(&self, path: &Path) -> String {
        text_to_inspect(path)
    }

    fn sources(&self) -> &Sources {
        &self.sources
    }

    fn list(&self, folder: &Path, max: usize) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
        let entries = entries.take(MAX_LISTED).flatten();
        let fits = |path: &PathBuf| {
            is_yaml(path) && fs::metadata(path).is_ok_and(|it| it.is_file() && it.len() <= LISTED_BYTES)
        };
        let mut files: Vec<PathBuf> = entries.map(|it| it.path()).filter(fits).collect();
        files.sort();
        files.truncate(max);
        files
    }

    fn with_includes(&mut self) -> (&mut Sources, Include<'_>) {
        let (n_bytes, inputs) = (&mut self.n_bytes, &mut self.inputs);
        let include = |file: &Path, named: &str| {
            let path = beside(file, named);
            inputs.note(&path);
            let bytes = limited(n_bytes, &path, "included file")?;
            Ok((path, String::from_utf8_lossy(&bytes).into_owned()))
        };
        (&mut self.sources, Box::new(include))
    }

    fn beside(&self, file: &Path, named: &str) -> PathBuf {
        beside(file, named)
    }
}

/// Returns the target of a symbolic link, if the target does not exist.
pub(super) fn dangling(path: &Path) -> Option<PathBuf> {
    fs::read_link(path).ok().filter(|_| !path.exists())
}

/// Suggests a file of the same folder with a similar name.
pub(super) fn neighbour(path: &Path) -> Option<String> {
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

/// Returns the message of an error without Rust's `(os error 2)`.
pub(super) fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or("unknown error");
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_lowercase().chain(chars).collect())
}

/// Resolves a path relative to the file that names it.
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

    /// Creates a separate folder for each test.
    fn folder() -> Folder {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Folder::new(&format!("files-{number}"))
    }

    fn code(result: Result<SourceId, Diagnostic>) -> &'static str {
        result.map_or_else(|diagnostic| diagnostic.code, |_| "read")
    }

    #[test]
    fn unreadable_files_are_distinguished() {
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

    #[cfg(unix)]
    #[test]
    fn a_dangling_link_is_not_a_missing_file() {
        let folder = folder();
        std::os::unix::fs::symlink("gone.yaml", folder.join("lock.yaml")).expect("links can be made");
        let missing =
            Texts::default().read(&folder.join("lock.yaml"), "property file").expect_err("it is gone");
        assert_eq!(missing.code, "file-missing");
        assert!(missing.message.ends_with("is a link to `gone.yaml`, which does not exist"), "{missing:?}");
        assert!(!missing.help.is_some_and(|help| help.contains("did you mean")));
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
