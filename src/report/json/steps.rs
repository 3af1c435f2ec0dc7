//! The steps of a run.
//!
//! A trail may have a million steps: each is described when it is written, and
//! each statement is looked up once.

use super::format::{Change, EdgeKind, InnerEntry, Location, Place, Step};
use super::held;
use crate::base::cancel::checkpoint;
use crate::diag::{Sources, Span};
use crate::verify::trail;
use serde::ser::{Serialize, SerializeSeq, Serializer};
use std::collections::HashMap;

/// Steps that are written as a list of [`Step`].
pub struct Steps<'a> {
    pub steps: &'a [(usize, trail::Step)],
    pub sources: &'a Sources,
}

impl Serialize for Steps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut statements = Statements { sources: self.sources, known: HashMap::new() };
        let mut list = serializer.serialize_seq(Some(self.steps.len()))?;
        for (_, step) in self.steps {
            checkpoint();
            list.serialize_element(&statements.step(step))?;
        }
        list.end()
    }
}

/// Texts and locations of statements.
struct Statements<'a> {
    sources: &'a Sources,
    known: HashMap<Span, (String, Place)>,
}

impl Statements<'_> {
    fn step(&mut self, step: &trail::Step) -> Step {
        let mut places = step.places();
        let (action, first) = match &step.action {
            trail::Action::Label(label) => (Some(label.clone()), None),
            trail::Action::Statement => places.next().map(|it| self.statement(it)).unzip(),
            trail::Action::End => (None, None),
        };
        Step {
            processes: step.actors.iter().map(|it| it.name.clone()).collect(),
            action,
            alternative: step.alternative.clone(),
            event: step.event.clone(),
            edge: step.edge.map(EdgeKind::from),
            places: first.into_iter().chain(places.map(|it| Place::new(it, self.sources))).collect(),
            changes: step.changes.iter().map(Change::new).collect(),
            printed: step.printed.clone(),
            n_inside: step.inside.n_steps,
            inside_cycle: step.inside.cycle.map(|index| index + 1),
            inside: step.inside.steps.iter().map(|it| self.inner_entry(it)).collect(),
            state: held(&step.state),
        }
    }

    fn inner_entry(&mut self, inner: &trail::InnerStep) -> InnerEntry {
        let (action, place) = self.at(inner.span);
        let changes = inner.changes.iter().map(Change::new).collect();
        InnerEntry { number: inner.index + 1, action, place, changes }
    }

    /// Returns a statement and its location with the calls that lead to it.
    fn statement(&mut self, at: &trail::Place) -> (String, Place) {
        let (text, place) = self.at(at.span);
        match at.stack.is_empty() {
            true => (text, place),
            false => (text, Place { source: None, ..Place::new(at, self.sources) }),
        }
    }

    /// Returns a statement and its location.
    fn at(&mut self, span: Span) -> (String, Place) {
        let sources = self.sources;
        let look_up = || {
            let statement = sources.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
            (statement, Place { location: Location::new(span, sources), source: None, stack: Vec::new() })
        };
        self.known.entry(span).or_insert_with(look_up).clone()
    }
}

impl Change {
    fn new(change: &trail::Change) -> Self {
        Self { name: change.name.clone(), from: change.from.clone(), to: change.to.clone() }
    }
}

impl From<trail::EdgeKind> for EdgeKind {
    fn from(edge: trail::EdgeKind) -> Self {
        match edge {
            trail::EdgeKind::Start => Self::Start,
            trail::EdgeKind::Control => Self::Control,
            trail::EdgeKind::Parallel => Self::Parallel,
        }
    }
}
