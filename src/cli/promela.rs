//! Files and arguments of Promela models.

use super::arguments::{IgnoredKind, PromelaArguments, ReductionName, SemanticsArguments, StoreName};
use super::files::{Texts, beside};
use super::language::{LanguageName, expect_language, language_of};
use super::read::read_bytes;
use std::path::{Path, PathBuf};
use trapline::diag::Diagnostic;
use trapline::lang::language::Language;
use trapline::verify::explicit::{Escapes, ReductionChoice, SearchResources, Semantics, Store};

/// Rejects a file that is not a model. A missing file is reported when it is
/// read.
pub(super) fn expect_model(path: &Path, forced: Option<LanguageName>) -> Result<(), Diagnostic> {
    if language_of(path, forced).is_none() && path.is_file() {
        let message = format!("`{}` does not look like a model", path.display());
        let help = "the name of a model ends in .pml or .rs; `--language` reads any file as one";
        return Err(Diagnostic::error_without_place("file-kind", message).with_help(help));
    }
    expect_language(path, forced, &[Language::Promela, Language::Task], "a Promela model or a task model")
}

/// Maximum size of files that are searched for includes in advance.
const MAX_SEARCHED: u64 = 16 << 20;

/// Records a model and the files it may include as inputs, also those of
/// inactive directives. A pipe is not read, since reading consumes it.
pub(super) fn find_inputs(path: &Path, texts: &mut Texts) {
    let mut found: Vec<PathBuf> = Vec::new();
    let mut left = vec![path.to_path_buf()];
    while let Some(file) = left.pop() {
        if found.contains(&file) {
            continue;
        }
        texts.inputs.note(&file);
        if let Ok(bytes) = read_bytes(&file, "model", MAX_SEARCHED) {
            left.extend(includes(path, &String::from_utf8_lossy(&bytes)));
        }
        found.push(file);
    }
}

/// Returns the files that a text of a model includes.
fn includes(path: &Path, text: &str) -> Vec<PathBuf> {
    let named = |line: &str| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
        let rest = rest.trim_start().strip_prefix(['"', '<'])?;
        Some(beside(path, &rest[..rest.find(['"', '>'])?]))
    };
    text.lines().filter_map(named).collect()
}

impl SemanticsArguments {
    /// Returns the order of the escapes of nested `unless`.
    pub fn escapes(&self) -> Escapes {
        if self.inner_unless_first { Escapes::InnerFirst } else { Escapes::OuterFirst }
    }

    /// Returns the semantics of the model.
    pub fn semantics(&self) -> Semantics {
        Semantics {
            allows_blocked_end: self.ignore.contains(&IgnoredKind::EndStates),
            allows_failed_assertions: self.ignore.contains(&IgnoredKind::Assertions),
            allows_broken_promises: self.ignore.contains(&IgnoredKind::Promises),
            loses_messages: self.lose_messages,
            requires_empty_channels: self.empty_channels,
        }
    }
}

impl From<ReductionName> for ReductionChoice {
    fn from(name: ReductionName) -> Self {
        match name {
            ReductionName::Auto => Self::Auto,
            ReductionName::Stubborn => Self::Stubborn,
            ReductionName::None => Self::None,
        }
    }
}

/// Default memory for the bit field of a bitstate search.
const BITSTATE_BYTES: u64 = 128 << 20;

impl PromelaArguments {
    /// Returns store and threads. With a memory limit, a bitstate store leaves
    /// half of it for the path to the current state.
    pub fn resources(&self, max_memory: Option<u64>) -> SearchResources {
        let store = match self.store {
            None | Some(StoreName::Exact) => Store::Exact,
            Some(StoreName::Compressed) => Store::Compressed,
            Some(StoreName::Compact) => Store::Compact,
            Some(StoreName::Bitstate) => {
                Store::Bitstate { bytes: max_memory.map_or(BITSTATE_BYTES, |bytes| bytes / 2) }
            }
        };
        SearchResources { store, n_threads: usize::from(self.threads.unwrap_or(1)) }
    }
}
