//! Questions for the explicit engine about task models.

use super::flow::{ConstraintRequest, executions};
use crate::diag::{Diagnostic, Span};
use crate::lang::spec::PropertySpec;
use crate::lang::spec::property::Executions;
use crate::lang::task::lower::{Steps, lower};
use crate::lang::task::program::Program;
use crate::net::Network;
use crate::verify::explicit::{Aim, Sequence};

/// A task model that can be run state by state, and what is asked of it.
#[derive(Debug)]
pub struct LoadedTasks {
    /// Process `n` is task `n`.
    pub network: Network,
    /// What is asked.
    pub aim: Aim,
    /// What is probably not meant.
    pub warnings: Vec<Diagnostic>,
}

/// Asks whether tasks can be stuck, or a value can leave its range.
pub fn tasks(program: &Program) -> Result<LoadedTasks, Vec<Diagnostic>> {
    Ok(LoadedTasks {
        network: lower(program, &Steps::Actions)?.network,
        aim: Aim::Safety,
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
) -> Result<LoadedTasks, Vec<Diagnostic>> {
    let assumption = constraints.iter().find_map(|it| match it {
        ConstraintRequest::Context(source) => Some(Span::new(*source, 0..0)),
        ConstraintRequest::Generated(..) => None,
    });
    if let Some(span) = assumption {
        let message = "the explicit engine cannot make an assumption about the environment yet";
        let help = "leave the constraint out (`--no-default-constraints`), or use `--engine flow`";
        return Err(vec![Diagnostic::error("engine-constraint", span, message).with_help(help)]);
    }
    let property = spec.resolve(&program.labels())?;
    let executions = executions(&property, asked)?;
    let labels = property.automaton.events.iter().flat_map(|it| it.labels.iter().cloned()).collect();
    let with_ends = executions == Executions::Complete;
    let lowered = lower(program, &Steps::Events { labels, with_ends })?;
    let sequence = Sequence::over(&lowered.steps, property.automaton, executions);
    let aim = Aim::Sequence(property.name, Box::new(sequence));
    Ok(LoadedTasks { network: lowered.network, aim, warnings: property.warnings })
}
