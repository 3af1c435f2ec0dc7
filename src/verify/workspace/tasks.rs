//! Questions for the explicit engine about task models.

use super::constraints::ConstraintRequest;
use super::flow::{contexts, executions};
use super::promela::too_large;
use crate::diag::{Diagnostic, Sources};
use crate::lang::spec::property::{EventAutomaton, Executions};
use crate::lang::spec::{self, PropertySpec};
use crate::lang::task::lower::lower;
use crate::lang::task::program::Program;
use crate::net::Network;
use crate::verify::explicit::{Aim, Sequence};
use crate::verify::report::{Constraint, Kind};

/// A task model that can be run state by state, and what is asked of it.
#[derive(Debug)]
pub struct LoadedTasks {
    /// Process `n` is task `n`.
    pub network: Network,
    /// What is asked.
    pub aim: Aim,
    /// What is assumed about the environment.
    pub assumptions: Vec<Constraint>,
    /// What is probably not meant.
    pub warnings: Vec<Diagnostic>,
}

/// Asks whether tasks can be stuck, or a value can leave its range.
pub fn tasks(program: &Program) -> Result<LoadedTasks, Vec<Diagnostic>> {
    Ok(LoadedTasks {
        network: lower(program)?.network,
        aim: Aim::Safety,
        assumptions: Vec::new(),
        warnings: Vec::new(),
    })
}

/// Asks for the order of events that a property file wants. Control flow and
/// values are exact, so constraints made from them say nothing new.
pub fn tasks_for(
    program: &Program,
    spec: &PropertySpec,
    constraints: &[ConstraintRequest],
    asked: Option<Executions>,
    sources: &Sources,
) -> Result<LoadedTasks, Vec<Diagnostic>> {
    let labels = program.labels();
    let property = spec.resolve(&labels)?;
    let executions = executions(&property, asked)?;
    let contexts = contexts(constraints, &labels, sources)?;
    let lowered = lower(program)?;
    let assumptions: Vec<&EventAutomaton> = contexts.iter().map(|it| &it.automaton).collect();
    let sequence = Sequence::over(&lowered.steps, &property.automaton, &assumptions, executions)
        .map_err(|why| vec![too_large(why, spec)])?;
    let aim = Aim::Sequence(property.name, Box::new(sequence));
    let of_contexts = contexts.iter().flat_map(|it| it.warnings.clone());
    let warnings = of_contexts.chain(property.warnings).collect();
    let assumptions = contexts.iter().map(assumption).collect();
    Ok(LoadedTasks { network: lowered.network, aim, assumptions, warnings })
}

/// An assumption, as reports show it.
fn assumption(context: &spec::Constraint) -> Constraint {
    let n_states = context.automaton.dfa.n_states() - context.automaton.dfa.dead_states().count_ones(..);
    Constraint { name: context.name.clone(), kind: Kind::Context, n_states }
}
