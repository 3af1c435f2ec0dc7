//! Promela models from files.

use super::arguments::{PromelaArguments, StoreName};
use super::files::{Texts, beside};
use crate::diag::{Diagnostic, SourceId, Sources, Span};
use crate::lang::promela::tree::Formula;
use crate::lang::promela::{Reading, parse, parse_expression, parse_formula};
use crate::verify::explicit::{Aim, Means, NoFormula, Program, Store, invariant, lower, progress};
use std::fs;
use std::path::Path;

/// A model that can be run, and what is asked of it.
pub(super) struct Loaded {
    pub program: Program,
    pub aims: Vec<Aim>,
    pub warnings: Vec<Diagnostic>,
}

/// Is it the file of a Promela model?
pub(super) fn is_model(path: &Path) -> bool {
    let endings = ["pml", "prom", "promela", "spin"];
    path.extension().is_some_and(|it| endings.iter().any(|ending| it == *ending))
}

/// Reads a model and what it includes; names of included files are seen from
/// the folder of the model.
pub(super) fn load(
    path: &Path,
    typed: &PromelaArguments,
    texts: &mut Texts,
) -> Result<Loaded, Vec<Diagnostic>> {
    let source = texts.read(path, "model").map_err(|fault| vec![fault])?;
    let mut load = |named: &str, _: SourceId| {
        let path = beside(path, named);
        let shown = path.display().to_string();
        let text = fs::read_to_string(&path).map_err(|error| format!("cannot read `{shown}`: {error}"))?;
        Ok((shown, text))
    };
    let mut reading = Reading { definitions: typed.define.clone(), load: &mut load };
    let sources: &mut Sources = &mut texts.sources;
    let parsed = parse(source, sources, &mut reading);
    let Some(model) = parsed.model else { return Err(parsed.diagnostics) };
    let mut program = lower(model)?;
    let aims = aims(&mut program, typed, source, sources)?;
    Ok(Loaded { program, aims, warnings: parsed.diagnostics })
}

/// What is to be found out: safety, what the model says of itself, what was
/// typed.
fn aims(
    program: &mut Program,
    typed: &PromelaArguments,
    source: SourceId,
    sources: &mut Sources,
) -> Result<Vec<Aim>, Vec<Diagnostic>> {
    let mut formulas: Vec<(String, Formula)> =
        program.model.ltl.iter().map(|it| (it.name.clone(), it.formula.clone())).collect();
    for text in &typed.ltl {
        let source = sources.add("--ltl", text.clone());
        formulas.push((text.clone(), parse_formula(source, sources, &program.model)?));
    }
    for text in &typed.invariant {
        let source = sources.add("--invariant", text.clone());
        let expr = parse_expression(source, sources, &program.model)?;
        formulas.push((text.clone(), invariant(expr)));
    }
    if typed.progress {
        formulas.push(("progress".to_string(), progress(Span::new(source, 0..0))));
    }
    let mut aims = vec![Aim::Safety];
    aims.extend(program.observers.iter().cloned().map(Aim::Observer));
    if typed.acceptance {
        aims.push(Aim::Acceptance);
    }
    for (name, formula) in formulas {
        let observer = program.add_formula(&name, &formula).map_err(|why| no_formula(why, formula.span))?;
        aims.push(Aim::Observer(observer));
    }
    Ok(aims)
}

fn no_formula(why: NoFormula, span: Span) -> Vec<Diagnostic> {
    match why {
        NoFormula::Refused(faults) => faults,
        NoFormula::NoAutomaton(why) => vec![Diagnostic::error("promela-formula", span, why.to_string())],
    }
}

/// Memory for the bits of a bitstate search where no limit says otherwise.
const BITSTATE_BYTES: u64 = 128 << 20;

/// How states are remembered. Where memory is limited, an eighth is left for
/// the way to the state that is being looked at.
pub(super) fn means(typed: &PromelaArguments, max_memory: Option<u64>) -> Means {
    let store = match typed.store {
        None | Some(StoreName::Exact) => Store::Exact,
        Some(StoreName::Compressed) => Store::Compressed,
        Some(StoreName::Compact) => Store::Compact,
        Some(StoreName::Bitstate) => {
            Store::Bitstate { bytes: max_memory.map_or(BITSTATE_BYTES, |bytes| bytes - bytes / 8) }
        }
    };
    Means { store, n_threads: usize::from(typed.threads.unwrap_or(1)) }
}

/// The strategy as typed; what is best depends on what is remembered.
pub(super) fn strategy_text(typed: &str, means: Means) -> String {
    match typed.trim() == "auto" && means.store != Store::Exact {
        true => "dfs".to_string(),
        false => typed.to_string(),
    }
}

/// What only models can use must not look as if it had been used.
pub(super) fn expect_unused(typed: &PromelaArguments) -> Result<(), Diagnostic> {
    let flags = [
        ("--define", !typed.define.is_empty()),
        ("--ltl", !typed.ltl.is_empty()),
        ("--invariant", !typed.invariant.is_empty()),
        ("--acceptance", typed.acceptance),
        ("--progress", typed.progress),
        ("--fair", typed.fair),
        ("--spin-trail", typed.spin_trail.is_some()),
        ("--store", typed.store.is_some()),
        ("--threads", typed.threads.is_some()),
    ];
    let Some((flag, _)) = flags.into_iter().find(|(_, is)| *is) else { return Ok(()) };
    let fault = Diagnostic::error_without_place("usage", format!("`{flag}` is for Promela models"));
    Err(match flag {
        "--define" => fault.with_help("constants of task models are set by `--set N=4`"),
        _ => fault.with_help("name a model such as `model.pml`"),
    })
}
