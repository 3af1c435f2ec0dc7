//! Promela models from files.

use super::arguments::{IgnoredKind, MannerArguments, PromelaArguments, StoreName};
use super::files::{Texts, beside};
use super::language::{Language, LanguageName, expect_language};
use super::read::read_bytes;
use super::values::Setting;
use crate::diag::{Diagnostic, SourceId, Sources};
use crate::lang::spec::PropertySpec;
use crate::lang::spec::property::Executions;
use crate::verify::assemble::{self, LoadedModel, ModelText, ModelWishes};
use crate::verify::explicit::{Escapes, Program, SearchResources, Semantics, Store};
use std::path::{Path, PathBuf};

/// Refuses a file that is not a Promela model. A missing file is reported when
/// it is read.
pub(super) fn expect_model(path: &Path, forced: Option<LanguageName>) -> Result<(), Diagnostic> {
    if Language::of(path, forced).is_none() && path.is_file() {
        let message = format!("`{}` does not look like a Promela model", path.display());
        let help = "the name of a model ends in .pml; `--language promela` reads any file as one";
        return Err(Diagnostic::error_without_place("file-kind", message).with_help(help));
    }
    expect_language(path, forced, &[Language::Promela], "a Promela model")
}

/// Reads a model and what it includes, with everything that is asked of it.
pub(super) fn load(
    path: &Path,
    typed: &PromelaArguments,
    texts: &mut Texts,
) -> Result<LoadedModel, Vec<Diagnostic>> {
    let wishes = ModelWishes {
        ltl: typed.ltl.clone(),
        invariants: typed.invariant.clone(),
        acceptance: typed.acceptance,
        progress: typed.progress,
    };
    with_text(path, (&typed.define, typed.semantics.escapes()), texts, |text, sources| {
        assemble::model(text, &wishes, sources)
    })
}

/// Reads a model of which a property file says something.
pub(super) fn load_for(
    path: &Path,
    spec: &PropertySpec,
    (definitions, escapes): (&[(String, String)], Escapes),
    executions: Option<Executions>,
    texts: &mut Texts,
) -> Result<LoadedModel, Vec<Diagnostic>> {
    with_text(path, (definitions, escapes), texts, |text, sources| {
        assemble::model_for(text, spec, executions, sources)
    })
}

/// Reads a model and what it includes.
pub(super) fn read(
    path: &Path,
    definitions: &[(String, String)],
    escapes: Escapes,
    texts: &mut Texts,
) -> Result<(Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    with_text(path, (definitions, escapes), texts, assemble::read)
}

/// Makes something of the text of a model; included files are read on demand.
fn with_text<T>(
    path: &Path,
    (definitions, escapes): (&[(String, String)], Escapes),
    texts: &mut Texts,
    make: impl FnOnce(ModelText, &mut Sources) -> Result<T, Vec<Diagnostic>>,
) -> Result<T, Vec<Diagnostic>> {
    let source = texts.read_leniently(path, "model").map_err(|fault| vec![fault])?;
    let (sources, mut include) = texts.with_includes();
    let mut load = |named: &str, _: SourceId| {
        let path = beside(path, named);
        let text = include(&path).map_err(|fault| fault.message)?;
        Ok((path.display().to_string(), text))
    };
    make(ModelText { source, load: &mut load, definitions, escapes }, sources)
}

/// Macros for a model: what the property file sets, what was typed.
pub(super) fn definitions(
    spec: &PropertySpec,
    set: &[Setting],
    typed: &[(String, String)],
) -> Vec<(String, String)> {
    let own = spec.set.iter().map(|(name, value)| (name.value.clone(), value.value.to_string()));
    let set = set.iter().map(|it| (it.name.clone(), it.value.to_string()));
    let mut all: Vec<(String, String)> = Vec::new();
    for (name, value) in own.chain(set).chain(typed.iter().cloned()) {
        all.retain(|(known, _)| *known != name);
        all.push((name, value));
    }
    all
}

/// Larger files are not searched for includes before they are used.
const MOST_SEARCHED: u64 = 16 << 20;

/// Notes a model and what it may include as inputs: directives that a
/// condition leaves out count, too. A pipe is not read, since reading
/// consumes it.
pub(super) fn find_inputs(path: &Path, texts: &mut Texts) {
    let mut found: Vec<PathBuf> = Vec::new();
    let mut left = vec![path.to_path_buf()];
    while let Some(file) = left.pop() {
        if found.contains(&file) {
            continue;
        }
        texts.inputs.note(&file);
        if let Ok(bytes) = read_bytes(&file, "model", MOST_SEARCHED) {
            left.extend(includes(path, &String::from_utf8_lossy(&bytes)));
        }
        found.push(file);
    }
}

/// The files that a text of a model includes.
fn includes(path: &Path, text: &str) -> Vec<PathBuf> {
    let named = |line: &str| {
        let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
        let rest = rest.trim_start().strip_prefix(['"', '<'])?;
        Some(beside(path, &rest[..rest.find(['"', '>'])?]))
    };
    text.lines().filter_map(named).collect()
}

/// Endings that a trail file must not have.
const OTHER_ENDINGS: &[&str] =
    &["pml", "prom", "promela", "spin", "rs", "yaml", "yml", "json", "dot", "gv", "svg", "png", "pdf", "txt"];

/// Refuses to write a trail to a file whose name says that it is something
/// else.
pub(super) fn expect_name_of_trail(path: &Path) -> Result<(), Diagnostic> {
    let ending = path.extension().map(|it| it.to_string_lossy().to_lowercase());
    let Some(ending) = ending.filter(|it| OTHER_ENDINGS.contains(&it.as_str())) else { return Ok(()) };
    let message = format!("cannot write `{}`: `.{ending}` is not the ending of a trail", path.display());
    let fault = Diagnostic::error_without_place("output-format", message);
    Err(fault.with_help("use a name that ends in .trail, such as `model.pml.trail`"))
}

impl MannerArguments {
    /// Which escapes go first.
    pub fn escapes(&self) -> Escapes {
        if self.inner_unless_first { Escapes::InnerFirst } else { Escapes::OuterFirst }
    }

    /// How a model is run.
    pub fn semantics(&self) -> Semantics {
        Semantics {
            allows_blocked_end: self.ignore.contains(&IgnoredKind::EndStates),
            allows_failed_assertions: self.ignore.contains(&IgnoredKind::Assertions),
            allows_broken_promises: self.ignore.contains(&IgnoredKind::Promises),
            loses_messages: self.lose_messages,
            wants_empty_channels: self.empty_channels,
        }
    }
}

/// Memory for the bits of a bitstate search where no limit says otherwise.
const BITSTATE_BYTES: u64 = 128 << 20;

/// How states are remembered. Where memory is limited, half is left for
/// the way to the state that is being looked at.
pub(super) fn means(typed: &PromelaArguments, max_memory: Option<u64>) -> SearchResources {
    let store = match typed.store {
        None | Some(StoreName::Exact) => Store::Exact,
        Some(StoreName::Compressed) => Store::Compressed,
        Some(StoreName::Compact) => Store::Compact,
        Some(StoreName::Bitstate) => {
            Store::Bitstate { bytes: max_memory.map_or(BITSTATE_BYTES, |bytes| bytes / 2) }
        }
    };
    SearchResources { store, n_threads: usize::from(typed.threads.unwrap_or(1)) }
}

/// What is asked of models as a whole must not look as if it had been asked.
pub(super) fn expect_unasked(typed: &PromelaArguments) -> Result<(), Diagnostic> {
    let flags = [
        ("--ltl", !typed.ltl.is_empty()),
        ("--invariant", !typed.invariant.is_empty()),
        ("--acceptance", typed.acceptance),
        ("--progress", typed.progress),
    ];
    let Some((flag, _)) = flags.into_iter().find(|(_, is)| *is) else { return Ok(()) };
    let fault = Diagnostic::error_without_place("usage", format!("`{flag}` is for Promela models"));
    Err(fault.with_help("name a model such as `model.pml`"))
}

/// What task models lack must not look as if it had been used.
pub(super) fn expect_no_promela(typed: &PromelaArguments) -> Result<(), Diagnostic> {
    let flags = [
        ("--define", !typed.define.is_empty()),
        ("--fair", typed.fair),
        ("--spin-trail", typed.spin_trail.is_some()),
        ("--empty-channels", typed.semantics.empty_channels),
        ("--lose-messages", typed.semantics.lose_messages),
        ("--inner-unless-first", typed.semantics.inner_unless_first),
    ];
    match flags.into_iter().find(|(_, is)| *is) {
        Some((flag, _)) => {
            Err(Diagnostic::error_without_place("usage", format!("`{flag}` is for Promela models")))
        }
        None => Ok(()),
    }
}

/// What only models can use must not look as if it had been used.
pub(super) fn expect_unused(typed: &PromelaArguments) -> Result<(), Diagnostic> {
    let message = |flag| format!("`{flag}` is for Promela models");
    if !typed.define.is_empty() {
        let fault = Diagnostic::error_without_place("usage", message("--define"));
        return Err(fault.with_help("constants of task models are set by `--set N=4`"));
    }
    let others = [
        ("--fair", typed.fair),
        ("--spin-trail", typed.spin_trail.is_some()),
        ("--states", typed.states),
        ("--ignore", !typed.semantics.ignore.is_empty()),
        ("--empty-channels", typed.semantics.empty_channels),
        ("--lose-messages", typed.semantics.lose_messages),
        ("--inner-unless-first", typed.semantics.inner_unless_first),
        ("--store", typed.store.is_some()),
        ("--threads", typed.threads.is_some()),
    ];
    match others.into_iter().find(|(_, is)| *is) {
        Some((flag, _)) => Err(Diagnostic::error_without_place("usage", message(flag))),
        None => Ok(()),
    }
}
