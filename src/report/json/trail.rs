//! The steps of a trail.
//!
//! A trail may have a million steps: each is described while it is written,
//! and what is known of a statement is looked up once.

use super::format::{InnerEntry, Location, TrailEntry};
use super::held;
use crate::base::cancel::checkpoint;
use crate::diag::{Sources, Span};
use crate::verify::explicit::{Content, TrailStep};
use serde::ser::{Serialize, SerializeSeq, Serializer};
use std::collections::HashMap;

/// Steps that are written as a list of [`TrailEntry`].
pub struct TrailEntries<'a> {
    pub steps: &'a [(usize, TrailStep)],
    pub sources: &'a Sources,
}

impl Serialize for TrailEntries<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut statements = Statements { sources: self.sources, known: HashMap::new() };
        let mut list = serializer.serialize_seq(Some(self.steps.len()))?;
        for (_, step) in self.steps {
            checkpoint();
            list.serialize_element(&statements.entry(step))?;
        }
        list.end()
    }
}

/// Texts and locations of statements.
struct Statements<'a> {
    sources: &'a Sources,
    known: HashMap<Span, (String, Location)>,
}

impl Statements<'_> {
    fn entry(&mut self, step: &TrailStep) -> TrailEntry {
        let (statement, location) = self.at(step.span);
        TrailEntry {
            process: step.process.clone(),
            statement,
            location,
            partner: step.partner.as_ref().map(|(name, _)| name.clone()),
            changes: held(&step.changes),
            printed: step.printed.clone(),
            n_inside: step.inside.n_steps,
            inside_cycle: step.inside.cycle.map(|index| index + 1),
            inside: step.inside.steps.iter().map(|it| self.inner_entry(it)).collect(),
            state: held(&step.state),
        }
    }

    fn inner_entry(&mut self, (index, span, changes): &(usize, Span, Vec<Content>)) -> InnerEntry {
        let (statement, location) = self.at(*span);
        InnerEntry { number: index + 1, statement, location, changes: held(changes) }
    }

    fn at(&mut self, span: Span) -> (String, Location) {
        let sources = self.sources;
        let look_up = || {
            let statement = sources.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
            (statement, Location::new(span, sources))
        };
        self.known.entry(span).or_insert_with(look_up).clone()
    }
}
