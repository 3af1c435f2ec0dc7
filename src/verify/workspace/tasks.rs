//! Questions for the explicit engine about task models.
//!
//! Each question has a network with as few steps as its answer needs: for the
//! order of events and for invariants neither silent choices nor other events
//! are steps, for deadlocks and other formulas silent choices are not.

use super::constraints::ConstraintRequest;
use super::flow::{contexts, executions};
use super::promela::{ModelGoals, too_large};
use super::states;
use crate::automata::TooLarge;
use crate::diag::{Diagnostic, SourceId, Sources, Span};
use crate::lang::spec::PropertySpec;
use crate::lang::spec::property::{EventAutomaton, Executions};
use crate::lang::task::formula::{parse_formula, parse_invariant};
use crate::lang::task::lower::{Lowered, Steps, lower};
use crate::lang::task::program::Program;
use crate::net::{Expr, ExprKind, Formula, Network, StepLabels};
use crate::verify::explicit::{Aim, Sequence, invariant};
use crate::verify::report::{Constraint, Kind};
use std::collections::HashSet;

/// The properties to check of a task model.
#[derive(Debug)]
pub struct LoadedTasks {
    /// The questions, in order.
    pub questions: Vec<TaskQuestion>,
    /// Warnings.
    pub warnings: Vec<Diagnostic>,
}

/// The network of a task model and a property to check.
#[derive(Debug)]
pub struct TaskQuestion {
    /// Process `n` is task `n`.
    pub network: Network,
    /// The property to check.
    pub aim: Aim,
    /// Assumptions about the environment.
    pub assumptions: Vec<Constraint>,
    /// The event labels of its transitions.
    pub steps: Vec<StepLabels>,
}

/// Creates the questions about deadlocks, values out of range, and the formulas
/// and invariants of the user.
pub fn task_questions(
    program: &Program,
    goals: &ModelGoals,
    sources: &mut Sources,
) -> Result<LoadedTasks, Vec<Diagnostic>> {
    expect_no_cycles(goals)?;
    let lowered = lower(program, &Steps::Actions)?;
    let safety = TaskQuestion::new(lowered.network.clone(), Aim::Safety);
    let mut questions = vec![TaskQuestion { steps: lowered.steps.clone(), ..safety }];
    for text in &goals.ltl {
        let source = sources.add("--ltl", text.clone());
        questions.push(asked(text, false, source, sources, program, &lowered)?);
    }
    for text in &goals.invariants {
        let source = sources.add("--invariant", text.clone());
        questions.push(asked(text, true, source, sources, program, &lowered)?);
    }
    Ok(LoadedTasks { questions, warnings: Vec::new() })
}

/// Creates the question of a property file. Control flow and values are exact,
/// so generated constraints are not needed.
pub fn task_questions_for(
    program: &Program,
    spec: &PropertySpec,
    constraints: &[ConstraintRequest],
    asked_for: Option<Executions>,
    sources: &mut Sources,
) -> Result<LoadedTasks, Vec<Diagnostic>> {
    if let Some(formula) = spec.state_formula() {
        expect_no_assumption(constraints)?;
        let lowered = lower(program, &Steps::Actions)?;
        let name = &spec.name.value;
        let question = states::read(formula, sources, |source, sources| {
            asked(name, formula.is_invariant, source, sources, program, &lowered)
        })?;
        return Ok(LoadedTasks { questions: vec![question], warnings: Vec::new() });
    }
    let labels = program.labels();
    let property = spec.resolve(&labels)?;
    let executions = executions(&property, asked_for)?;
    let contexts = contexts(constraints, &labels, sources)?;
    let assumed: Vec<&EventAutomaton> = contexts.iter().map(|it| &it.automaton).collect();
    let mut question = order(program, (&property.name, &property.automaton), &assumed, executions)?
        .map_err(|why| vec![too_large(why, spec)])?;
    question.assumptions = contexts.iter().map(|it| assumption(&it.name, &it.automaton)).collect();
    let of_contexts = contexts.iter().flat_map(|it| it.warnings.clone());
    let warnings = of_contexts.chain(property.warnings).collect();
    Ok(LoadedTasks { questions: vec![question], warnings })
}

/// Returns an assumption as a constraint of a report.
pub fn assumption(name: &str, automaton: &EventAutomaton) -> Constraint {
    let n_states = automaton.dfa.n_states() - automaton.dfa.dead_states().count_ones(..);
    Constraint { name: name.to_string(), kind: Kind::Context, n_states }
}

/// Creates the question about the sequences of events of the runs that satisfy
/// the assumptions.
pub fn order(
    program: &Program,
    (name, automaton): (&str, &EventAutomaton),
    assumptions: &[&EventAutomaton],
    executions: Executions,
) -> Result<Result<TaskQuestion, TooLarge>, Vec<Diagnostic>> {
    let lowered = lowered_for(program, observed(automaton, assumptions), executions)?;
    let sequence = Sequence::over(&lowered.steps, automaton, assumptions, executions);
    let question = |sequence| {
        let aim = Aim::Sequence(name.to_string(), Box::new(sequence));
        TaskQuestion { steps: lowered.steps, ..TaskQuestion::new(lowered.network, aim) }
    };
    Ok(sequence.map(question))
}

/// Returns the labels that a property and its assumptions observe.
pub fn observed(automaton: &EventAutomaton, assumptions: &[&EventAutomaton]) -> HashSet<String> {
    let events = [automaton].into_iter().chain(assumptions.iter().copied()).flat_map(|it| &it.events);
    events.flat_map(|it| it.labels.iter().cloned()).collect()
}

/// Lowers a program with as few steps as the sequences of these labels need.
pub fn lowered_for(
    program: &Program,
    labels: HashSet<String>,
    executions: Executions,
) -> Result<Lowered, Vec<Diagnostic>> {
    lower(program, &Steps::Events { labels, with_ends: executions == Executions::Complete })
}

impl TaskQuestion {
    fn new(network: Network, aim: Aim) -> Self {
        Self { network, aim, assumptions: Vec::new(), steps: Vec::new() }
    }
}

/// Creates the question about a formula or an invariant.
fn asked(
    name: &str,
    is_invariant: bool,
    source: SourceId,
    sources: &Sources,
    program: &Program,
    lowered: &Lowered,
) -> Result<TaskQuestion, Vec<Diagnostic>> {
    if !is_invariant {
        let formula = parse_formula(source, sources, program, lowered)?;
        return watched((lowered.network.clone(), lowered.steps.clone()), name, &formula);
    }
    let expr = parse_invariant(source, sources, program, lowered)?;
    // The values of variables do not depend on silent choices, the end of a task does.
    let lowered = match asks_for_end(&expr) {
        true => (lowered.network.clone(), lowered.steps.clone()),
        false => {
            let other = lower(program, &Steps::Events { labels: HashSet::new(), with_ends: false })?;
            (other.network, other.steps)
        }
    };
    watched(lowered, name, &invariant(expr))
}

fn asks_for_end(expr: &Expr) -> bool {
    let mut asks = false;
    expr.each(&mut |it| asks |= matches!(it.kind, ExprKind::RemoteLabel { .. }));
    asks
}

fn watched(
    (mut network, steps): (Network, Vec<StepLabels>),
    name: &str,
    formula: &Formula,
) -> Result<TaskQuestion, Vec<Diagnostic>> {
    let observer = network.add_formula(name, formula).map_err(|why| {
        let help = "split it into several formulas";
        vec![Diagnostic::error("formula-limit", formula.span, why.to_string()).with_help(help)]
    })?;
    Ok(TaskQuestion { steps, ..TaskQuestion::new(network, Aim::Observer(observer)) })
}

/// Rejects `--acceptance` and `--progress`, which refer to labels of Promela.
fn expect_no_cycles(goals: &ModelGoals) -> Result<(), Vec<Diagnostic>> {
    let flags = [("--acceptance", goals.acceptance), ("--progress", goals.progress)];
    match flags.into_iter().find(|(_, is)| *is) {
        Some((flag, _)) => {
            let message = format!("`{flag}` is only for Promela models");
            Err(vec![Diagnostic::error_without_place("usage", message)])
        }
        None => Ok(()),
    }
}

/// Rejects assumptions, which are about sequences of events and do not apply to
/// a formula.
fn expect_no_assumption(constraints: &[ConstraintRequest]) -> Result<(), Vec<Diagnostic>> {
    let assumption = constraints.iter().find_map(|it| match it {
        ConstraintRequest::Context(source) => Some(Span::new(*source, 0..0)),
        ConstraintRequest::Generated(..) => None,
    });
    let Some(span) = assumption else { return Ok(()) };
    let message = "a formula or an invariant cannot be checked under an assumption about events";
    let help = "remove the constraint file, or describe the property as a sequence of events";
    Err(vec![Diagnostic::error("engine-constraint", span, message).with_help(help)])
}
