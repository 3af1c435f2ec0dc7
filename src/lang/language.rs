//! The language of a file, recognised by its ending or its text.

mod text;

use crate::diag::Diagnostic;
use std::path::Path;

/// The language of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A Promela model.
    Promela,
    /// A task model, in the syntax of Rust.
    Task,
    /// A property file, in YAML.
    Property,
    /// A constraint file, in YAML.
    Constraint,
    /// A study, in YAML.
    Study,
}

impl Language {
    /// Returns the language that the name of a file suggests.
    pub fn by_ending(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "pml" | "prom" | "promela" | "spin" => Some(Self::Promela),
            "rs" => Some(Self::Task),
            "yaml" | "yml" | "json" => Some(Self::Property),
            _ => None,
        }
    }

    /// Returns the language that the beginning of a text suggests.
    pub fn by_text(text: &str) -> Option<Self> {
        text::language(text)
    }

    /// Returns the name with its article, for messages.
    pub fn name(self) -> &'static str {
        match self {
            Self::Promela => "a Promela model",
            Self::Task => "a task model",
            Self::Property => "a property file",
            Self::Constraint => "a constraint file",
            Self::Study => "a study",
        }
    }

    /// Returns the commands for a file of this language.
    fn command(self, path: &Path) -> String {
        let path = path.display();
        match self {
            Self::Promela | Self::Task => {
                format!("`trapline check {path}` checks it, `trapline graph {path}` draws it")
            }
            Self::Property => format!("`trapline check {path}` checks it"),
            Self::Constraint => format!("`trapline check PROPERTY.yaml -c {path}` uses it"),
            Self::Study => format!("`trapline experiment {path}` runs it"),
        }
    }

    /// Returns the error of a file that is not `expected`, such as "a study".
    pub fn unexpected(self, path: &Path, expected: &str) -> Diagnostic {
        let message = format!("`{}` is {}, not {expected}", path.display(), self.name());
        Diagnostic::error_without_place("file-kind", message).with_help(self.command(path))
    }
}
