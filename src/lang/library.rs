//! Access to texts.
//!
//! The modules below `cli` read no files: they request the text of a path from
//! a [`Library`]. The command line has one that reads files; [`Texts`] has
//! texts in memory, for programs that use this crate and for tests.

use super::language::Language;
use crate::diag::{Diagnostic, SourceId, Sources, did_you_mean};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// Reads a file that another file includes by name; returns its path and text.
pub type Include<'a> = Box<dyn FnMut(&Path, &str) -> Result<(PathBuf, String), Diagnostic> + 'a>;

/// The source of the texts of models, properties and constraints.
pub trait Library {
    /// Reads the text of a file, once. `what` is the expected kind, for
    /// messages: "property file".
    fn read(&mut self, path: &Path, what: &str) -> Result<SourceId, Diagnostic>;

    /// Reads a text that need not be UTF-8; invalid bytes are replaced.
    fn read_leniently(&mut self, path: &Path, what: &str) -> Result<SourceId, Diagnostic> {
        self.read(path, what)
    }

    /// Reads a file that a program has written, which may be larger than other
    /// texts.
    fn read_record(&mut self, path: &Path, what: &str) -> Result<SourceId, Diagnostic> {
        self.read(path, what)
    }

    /// Returns the beginning of a text, to recognise its language; empty if it
    /// cannot be read without consuming it.
    fn beginning(&self, path: &Path) -> String;

    /// Returns all texts read so far.
    fn sources(&self) -> &Sources;

    /// Returns all texts, and a function that reads included files, again each
    /// time.
    fn with_includes(&mut self) -> (&mut Sources, Include<'_>);

    /// Adds a text that is not a file, such as an argument of the command line.
    fn add(&mut self, name: &str, text: &str) -> SourceId {
        self.with_includes().0.add(name, text)
    }

    /// Resolves a path relative to the file that names it.
    fn beside(&self, file: &Path, named: &str) -> PathBuf {
        beside(file, named)
    }

    /// Returns the YAML files of a folder in the order of their names, at most
    /// `max`; none if it cannot be read.
    fn list(&self, folder: &Path, max: usize) -> Vec<PathBuf> {
        let _ = (folder, max);
        Vec::new()
    }

    /// Returns the language of a file, if it is forced or can be recognised.
    fn language(&self, path: &Path, forced: Option<Language>) -> Option<Language> {
        forced.or_else(|| Language::by_ending(path)).or_else(|| Language::by_text(&self.beginning(path)))
    }
}

/// Resolves a path relative to the file that names it.
fn beside(file: &Path, named: &str) -> PathBuf {
    let mut path = PathBuf::new();
    for part in file.parent().unwrap_or(Path::new("")).join(named).components() {
        let can_go_back = matches!(path.components().next_back(), Some(Component::Normal(_)));
        match part {
            Component::CurDir => (),
            Component::ParentDir if can_go_back => drop(path.pop()),
            other => path.push(other),
        }
    }
    path
}

/// Returns whether a file is YAML by its ending.
pub fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "yaml" || it == "yml")
}

/// Texts in memory, each with its path.
///
/// ```
/// use trapline::Texts;
///
/// let texts = Texts::new().with("lock.yaml", "name: a").with("models/lock.rs", "");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Texts {
    sources: Sources,
    texts: BTreeMap<PathBuf, String>,
    known: BTreeMap<PathBuf, SourceId>,
}

impl Texts {
    /// Creates a library without texts.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text under a path.
    pub fn with(mut self, path: impl Into<PathBuf>, text: impl Into<String>) -> Self {
        self.texts.insert(path.into(), text.into());
        self
    }

    fn text(&self, path: &Path, what: &str) -> Result<String, Diagnostic> {
        self.texts.get(path).cloned().ok_or_else(|| {
            let message = format!("the {what} `{}` does not exist", path.display());
            let name = path.to_string_lossy();
            let names: Vec<_> = self.texts.keys().map(|it| it.to_string_lossy()).collect();
            let help = did_you_mean(&name, names.iter().map(|it| it.as_ref()));
            Diagnostic::error_without_place("file-missing", message).with_optional_help(help)
        })
    }
}

impl Library for Texts {
    fn read(&mut self, path: &Path, what: &str) -> Result<SourceId, Diagnostic> {
        if let Some(known) = self.known.get(path) {
            return Ok(*known);
        }
        let text = self.text(path, what)?;
        let id = self.sources.add(path.display().to_string(), text);
        self.known.insert(path.to_path_buf(), id);
        Ok(id)
    }

    fn beginning(&self, path: &Path) -> String {
        self.texts.get(path).cloned().unwrap_or_default()
    }

    fn list(&self, folder: &Path, max: usize) -> Vec<PathBuf> {
        let is_in = |it: &&PathBuf| it.parent() == Some(folder) && is_yaml(it);
        self.texts.keys().filter(is_in).take(max).cloned().collect()
    }

    fn sources(&self) -> &Sources {
        &self.sources
    }

    fn with_includes(&mut self) -> (&mut Sources, Include<'_>) {
        let texts = &self.texts;
        let include = |file: &Path, named: &str| {
            let path = beside(file, named);
            match texts.get(&path) {
                Some(text) => Ok((path, text.clone())),
                None => {
                    let message = format!("the included file `{}` does not exist", path.display());
                    Err(Diagnostic::error_without_place("file-missing", message))
                }
            }
        };
        (&mut self.sources, Box::new(include))
    }
}
