//! A Promela model as a network, with data that only SPIN's trails need.

use super::Escapes;
use crate::lang::promela::tree::Model;
use crate::net::{Network, TemplateId, TransitionId};

/// An executable model.
#[derive(Clone, Debug)]
pub struct Program {
    /// The checked model, in whose scope formulas are read.
    pub model: Model,
    /// The network of the model.
    pub network: Network,
    /// SPIN's data about the statements, for trails.
    pub statements: SpinStatements,
    /// Order of the escapes of nested `unless`.
    pub(super) escapes: Escapes,
}

/// SPIN's data about the statement of each transition. Templates that do not
/// exist in SPIN, such as those of formulas, have no entries.
#[derive(Clone, Debug, Default)]
pub struct SpinStatements {
    pub(super) templates: Vec<SpinTemplate>,
}

/// SPIN's data about a proctype, claim or trace.
#[derive(Clone, Debug, Default)]
pub(super) struct SpinTemplate {
    /// Statements, by transition.
    pub statements: Vec<SpinStatement>,
    /// Number of its end.
    pub end: u32,
}

/// SPIN's data about a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpinStatement {
    /// SPIN's number of the statement, see
    /// [`Numbers`](crate::lang::promela::tree::Numbers); `None` if SPIN has
    /// no such statement.
    pub number: Option<u32>,
    /// Whether it is a `goto` or `break`, or the end of a selection: a process
    /// cannot block at it.
    pub is_jump: bool,
    /// Whether it has a label or is the target of a `break`.
    pub is_labelled: bool,
    /// Whether an expression uses one of its labels.
    pub has_used_label: bool,
    /// Whether an escape of an `unless` can leave it.
    pub has_escape: bool,
    /// For a jump out of the middle of an atomic sequence, the number of its
    /// target, if that is not a step for other processes: the target of a
    /// `break`, or another jump.
    pub lands_on: Option<u32>,
}

impl SpinStatements {
    /// Returns SPIN's data about a transition.
    pub fn of(&self, template: TemplateId, transition: TransitionId) -> SpinStatement {
        let known = self.templates.get(template.index());
        known.and_then(|it| it.statements.get(transition.index())).copied().unwrap_or_default()
    }

    /// Returns SPIN's number of a statement, if it has one.
    pub fn number(&self, template: TemplateId, transition: TransitionId) -> Option<u32> {
        self.of(template, transition).number
    }

    /// Returns whether a jump out of an atomic sequence of a template leads to
    /// this number.
    pub fn is_landing(&self, template: TemplateId, number: u32) -> bool {
        let known = self.templates.get(template.index());
        known.is_some_and(|it| it.statements.iter().any(|it| it.lands_on == Some(number)))
    }

    /// Returns SPIN's number of the end of a proctype, claim or trace.
    pub fn end(&self, template: TemplateId) -> u32 {
        self.templates.get(template.index()).map_or(0, |it| it.end)
    }
}
