//! Questions for the explicit engine about Promela models: their own claims and
//! formulas, or properties of property files.

use super::flow::executions;
use super::states;
use crate::automata::TooLarge;
use crate::diag::{Diagnostic, Severity, SourceId, Sources, Span, did_you_mean};
use crate::lang::promela::{Load, Reading, parse, parse_expression, parse_formula};
use crate::lang::spec::PropertySpec;
use crate::lang::spec::property::Executions;
use crate::net::Formula;
use crate::verify::explicit::{
    Aim, Clash, Escapes, NoFormula, NoSequence, Program, Sequence, invariant, lower_with, occurrences,
    progress,
};
use std::collections::HashSet;

/// The text of a model and the options for reading it.
pub struct ModelText<'a> {
    /// The file of the model.
    pub source: SourceId,
    /// Loads an included file.
    pub load: &'a mut Load<'a>,
    /// Macros that are defined before the first line.
    pub definitions: &'a [(String, String)],
    /// Order of the escapes of nested `unless`.
    pub escapes: Escapes,
}

impl std::fmt::Debug for ModelText<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.debug_struct("ModelText").field("source", &self.source).finish_non_exhaustive()
    }
}

/// Properties to check of a model in addition to its own.
#[derive(Clone, Debug, Default)]
pub struct ModelGoals {
    /// Formulas of temporal logic.
    pub ltl: Vec<String>,
    /// Expressions that hold in every state.
    pub invariants: Vec<String>,
    /// Whether acceptance cycles are errors.
    pub acceptance: bool,
    /// Whether non-progress cycles are errors.
    pub progress: bool,
}

/// A model and the properties to check.
#[derive(Debug)]
pub struct LoadedModel {
    /// The processes, and an observer for each formula.
    pub program: Program,
    /// The properties to check, in order.
    pub aims: Vec<Aim>,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// Reads a model and what it includes.
pub fn read(text: ModelText, sources: &mut Sources) -> Result<(Program, Vec<Diagnostic>), Vec<Diagnostic>> {
    let mut reading = Reading { definitions: text.definitions.to_vec(), load: text.load };
    let parsed = parse(text.source, sources, &mut reading);
    let Some(model) = parsed.model else { return Err(parsed.diagnostics) };
    Ok((lower_with(model, text.escapes)?, parsed.diagnostics))
}

/// Reads a model with the properties to check.
pub fn model(
    text: ModelText,
    goals: &ModelGoals,
    sources: &mut Sources,
) -> Result<LoadedModel, Vec<Diagnostic>> {
    let definitions = text.definitions.to_vec();
    let (mut program, mut warnings) = read(text, sources)?;
    let aims = aims(&mut program, goals, sources)?;
    warnings.extend(unused_definitions(&definitions, sources));
    Ok(LoadedModel { program, aims, warnings })
}

/// Reads a model for a property of a property file. `asked` are the executions
/// that the user chose, if any.
pub fn model_for(
    text: ModelText,
    spec: &PropertySpec,
    asked: Option<Executions>,
    sources: &mut Sources,
) -> Result<LoadedModel, Vec<Diagnostic>> {
    let (mut program, mut warnings) = read(text, sources)?;
    let name = &spec.name.value;
    let aim = match spec.state_formula() {
        Some(formula) => {
            let formula_span = formula.span();
            let formula = states::read(formula, sources, |source, sources| match formula.is_invariant {
                true => parse_expression(source, sources, &program.model).map(invariant),
                false => parse_formula(source, sources, &program.model),
            })?;
            let observer =
                program.add_formula(name, &formula).map_err(|why| no_formula(why, formula_span))?;
            Aim::Observer(observer)
        }
        None => {
            let occurrences = occurrences(&program.network, sources);
            let mut labels: Vec<String> = occurrences.iter().map(|it| it.label.clone()).collect();
            labels.dedup();
            let property = spec.resolve(&labels)?;
            warnings.extend(property.warnings.iter().cloned());
            let executions = executions(&property, asked)?;
            let sequence = Sequence::new(&occurrences, &property.automaton, executions)
                .map_err(|why| vec![no_sequence(why, spec)])?;
            Aim::Sequence(name.clone(), Box::new(sequence))
        }
    };
    Ok(LoadedModel { program, aims: vec![aim], warnings })
}

/// Returns warnings about defined macros that the model does not use.
pub fn unused_definitions(definitions: &[(String, String)], sources: &Sources) -> Vec<Diagnostic> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let words: HashSet<&str> = sources
        .iter()
        .flat_map(|it| it.text.split(move |c| !is_word(c)))
        .filter(|it| !it.is_empty())
        .collect();
    let unused = definitions.iter().map(|(name, _)| name).filter(|name| !words.contains(name.as_str()));
    let warning = |name: &String| {
        let message = format!("the macro `{name}` is defined, but the model does not use it");
        let capitals = |it: &&str| it.chars().all(|c| c.is_uppercase() || c.is_numeric() || c == '_');
        let help = did_you_mean(name, words.iter().copied().filter(capitals));
        Diagnostic::new(Severity::Warning, "promela-macro", None, message).with_optional_help(help)
    };
    unused.map(warning).collect()
}

fn no_sequence(why: NoSequence, spec: &PropertySpec) -> Diagnostic {
    let Clash { label, other } = match why {
        NoSequence::Clash(clash) => clash,
        NoSequence::TooLarge(why) => return too_large(why, spec),
    };
    let message = format!("`{other}` and `{label}` are the same step, which can be only one event");
    let mut fault = Diagnostic::error("spec-event", spec.place_of(&label), message);
    fault.related = vec![(spec.place_of(&other), "the other label".to_string())];
    fault.with_help("assign both labels to the same event")
}

/// The error of a property that is too large together with its assumptions.
pub(super) fn too_large(why: TooLarge, spec: &PropertySpec) -> Diagnostic {
    Diagnostic::error("spec-limit", spec.name.span, format!("{why}, including the assumptions"))
}

/// Collects the properties to check: safety, the claims and formulas of the
/// model, those of the command line.
fn aims(
    program: &mut Program,
    typed: &ModelGoals,
    sources: &mut Sources,
) -> Result<Vec<Aim>, Vec<Diagnostic>> {
    let mut formulas: Vec<(String, Formula)> =
        program.model.ltl.iter().map(|it| (it.name.clone(), it.formula.clone())).collect();
    for text in &typed.ltl {
        let source = sources.add("--ltl", text.clone());
        formulas.push((text.clone(), parse_formula(source, sources, &program.model)?));
    }
    for text in &typed.invariants {
        let source = sources.add("--invariant", text.clone());
        let expr = parse_expression(source, sources, &program.model)?;
        formulas.push((text.clone(), invariant(expr)));
    }
    if typed.progress {
        let source = sources.add("--progress", "");
        formulas.push(("progress".to_string(), progress(Span::new(source, 0..0))));
    }
    let mut aims = vec![Aim::Safety];
    aims.extend(program.network.observers.iter().cloned().map(Aim::Observer));
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
