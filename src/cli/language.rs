//! The language of a file: that of the option, else that of its ending, else
//! that of its text.

use super::read::beginning;
use clap::ValueEnum;
use std::path::Path;
use trapline::diag::Diagnostic;
use trapline::lang::language::Language;

/// The values of `--language`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum LanguageName {
    /// Promela models
    Promela,
    /// Task models, which are written in Rust
    Task,
    /// Property files, which are written in YAML
    Property,
}

impl From<LanguageName> for Language {
    fn from(typed: LanguageName) -> Self {
        match typed {
            LanguageName::Promela => Self::Promela,
            LanguageName::Task => Self::Task,
            LanguageName::Property => Self::Property,
        }
    }
}

/// Bytes of a text that are inspected to recognise its language.
const INSPECTED: u64 = 1 << 16;

/// Returns the language of a file, if it is forced or can be recognised.
pub(super) fn language_of(path: &Path, forced: Option<LanguageName>) -> Option<Language> {
    let forced = forced.map(Language::from);
    forced.or_else(|| Language::by_ending(path)).or_else(|| Language::by_text(&text_to_inspect(path)))
}

/// Returns the beginning of a text. A pipe is not inspected, since reading
/// consumes it.
pub(super) fn text_to_inspect(path: &Path) -> String {
    String::from_utf8_lossy(&beginning(path, INSPECTED)).into_owned()
}

/// Rejects a file that is recognised as another language than those `wanted`.
pub(super) fn expect_language(
    path: &Path,
    forced: Option<LanguageName>,
    wanted: &[Language],
    expected: &str,
) -> Result<(), Diagnostic> {
    match language_of(path, forced) {
        Some(found) if !wanted.contains(&found) => Err(found.unexpected(path, expected)),
        _ => Ok(()),
    }
}
