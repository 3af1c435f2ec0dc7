//! A Promela model as a network, with what only SPIN asks of it.

use super::Escapes;
use crate::lang::promela::tree::Model;
use crate::net::{Network, TemplateId, TransitionId};

/// A model that can be run.
#[derive(Clone, Debug)]
pub struct Program {
    /// The checked text, in whose scope formulas are read.
    pub model: Model,
    /// What is run.
    pub network: Network,
    /// What SPIN's trails say of the statements.
    pub statements: SpinStatements,
    /// Which escapes of nested `unless` go first.
    pub(super) escapes: Escapes,
}

/// Per transition of a network what SPIN knows of its statement. Templates
/// that SPIN has not made, such as those of formulas, have no entries.
#[derive(Clone, Debug, Default)]
pub struct SpinStatements {
    pub(super) templates: Vec<SpinTemplate>,
}

/// What SPIN knows of a proctype, claim or trace.
#[derive(Clone, Debug, Default)]
pub(super) struct SpinTemplate {
    /// Per transition.
    pub statements: Vec<SpinStatement>,
    /// The number of the end.
    pub end: u32,
}

/// What SPIN knows of a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpinStatement {
    /// SPIN's number of the statement, see
    /// [`Numbers`](crate::lang::promela::tree::Numbers); `None` if SPIN has
    /// no such statement.
    pub number: Option<u32>,
    /// A `goto` or `break`, or the end of a selection: no statement that a
    /// process could block at.
    pub is_jump: bool,
    /// Has the statement a label, or is it where `break` leads?
    pub is_labelled: bool,
    /// Does an expression ask for a label of the statement?
    pub has_used_label: bool,
    /// Can it be left by the escape of an `unless`?
    pub has_escape: bool,
    /// The number of what a jump out of the middle of an atomic sequence leads
    /// to, if that is no step for others: where `break` leads, or a further
    /// jump.
    pub lands_on: Option<u32>,
}

impl SpinStatements {
    /// What is known of a transition.
    pub fn of(&self, template: TemplateId, transition: TransitionId) -> SpinStatement {
        let known = self.templates.get(template.index());
        known.and_then(|it| it.statements.get(transition.index())).copied().unwrap_or_default()
    }

    /// SPIN's number of a statement, if it has one.
    pub fn number(&self, template: TemplateId, transition: TransitionId) -> Option<u32> {
        self.of(template, transition).number
    }

    /// Does a jump out of an atomic sequence of a template lead to what has this
    /// number?
    pub fn is_landing(&self, template: TemplateId, number: u32) -> bool {
        let known = self.templates.get(template.index());
        known.is_some_and(|it| it.statements.iter().any(|it| it.lands_on == Some(number)))
    }

    /// SPIN's number of the end of a proctype, claim or trace.
    pub fn end(&self, template: TemplateId) -> u32 {
        self.templates.get(template.index()).map_or(0, |it| it.end)
    }
}
