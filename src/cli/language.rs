//! What language a file is written in: as the user says, else as its name
//! ends, else as its text looks.

mod text;

use super::read::beginning;
use crate::diag::Diagnostic;
use clap::ValueEnum;
use std::path::Path;

/// What `--language` can say.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum LanguageName {
    /// Promela models
    Promela,
    /// Task models, which are written in Rust
    Task,
    /// Property files, which are written in YAML
    Property,
}

/// What a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Language {
    Promela,
    Task,
    Property,
    Constraint,
    Study,
}

/// Bytes of a text that are inspected to recognise its language.
const INSPECTED: u64 = 1 << 16;

impl Language {
    /// The language of a file, if it is forced or can be recognised.
    pub fn of(path: &Path, forced: Option<LanguageName>) -> Option<Self> {
        match forced {
            Some(LanguageName::Promela) => Some(Self::Promela),
            Some(LanguageName::Task) => Some(Self::Task),
            Some(LanguageName::Property) => Some(Self::Property),
            None => Self::by_ending(path).or_else(|| Self::by_text(path)),
        }
    }

    fn by_ending(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "pml" | "prom" | "promela" | "spin" => Some(Self::Promela),
            "rs" => Some(Self::Task),
            "yaml" | "yml" | "json" => Some(Self::Property),
            _ => None,
        }
    }

    /// The language that the text suggests, whatever the name says. A pipe is
    /// not inspected, since reading consumes it.
    pub fn by_text(path: &Path) -> Option<Self> {
        text::language(&String::from_utf8_lossy(&beginning(path, INSPECTED)))
    }

    fn name(self) -> &'static str {
        match self {
            Self::Promela => "a Promela model",
            Self::Task => "a task model",
            Self::Property => "a property file",
            Self::Constraint => "a constraint file",
            Self::Study => "a study",
        }
    }

    /// The commands for a file of this language.
    fn command(self, path: &Path) -> String {
        let path = path.display();
        match self {
            Self::Promela => {
                format!("`trapline check {path}` checks it, `trapline graph program {path}` draws it")
            }
            Self::Task => format!(
                "`trapline check PROPERTY.yaml --model {path}` checks it, `trapline graph cfg {path}` draws it"
            ),
            Self::Property => format!("`trapline check {path}` checks it"),
            Self::Constraint => format!("`trapline check PROPERTY.yaml -c {path}` uses it"),
            Self::Study => format!("`trapline experiment {path}` runs it"),
        }
    }

    /// The error of a file that is not `expected`, such as "a study".
    pub fn unexpected(self, path: &Path, expected: &str) -> Diagnostic {
        let message = format!("`{}` is {}, not {expected}", path.display(), self.name());
        Diagnostic::error_without_place("file-kind", message).with_help(self.command(path))
    }
}

/// Refuses a file that is recognised as another language than those `wanted`.
pub(super) fn expect_language(
    path: &Path,
    forced: Option<LanguageName>,
    wanted: &[Language],
    expected: &str,
) -> Result<(), Diagnostic> {
    match Language::of(path, forced) {
        Some(found) if !wanted.contains(&found) => Err(found.unexpected(path, expected)),
        _ => Ok(()),
    }
}

/// Replaces the errors of a file that could not be read as `wanted` if its
/// text suggests another language.
pub(super) fn or_other_language(
    path: &Path,
    wanted: Language,
    expected: &str,
    faults: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    match Language::by_text(path) {
        Some(Language::Promela)
            if wanted == Language::Property && Language::by_ending(path) == Some(wanted) =>
        {
            let fault = Language::Promela.unexpected(path, expected);
            vec![fault.with_help(format!("`trapline check --language promela {}` checks it", path.display()))]
        }
        Some(found) if found != wanted => vec![found.unexpected(path, expected)],
        _ => faults,
    }
}
