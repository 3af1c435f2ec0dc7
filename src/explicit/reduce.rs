//! Partial-order reduction by stubborn sets.
//!
//! In each state only the transitions of a *stubborn set* are executed. A set is
//! stubborn if, with an enabled transition, it contains every transition that
//! does not accord with it, and with a disabled one, everything that can make
//! one of its false conjuncts true (a *necessary enabling set*). A transition
//! outside of the set then neither enables nor disables nor disturbs a member.
//!
//! The sets are seeded with the *goals* of the question: the transitions that
//! can end in an error. Every path to an error executes a member of the set, and
//! the first member on the path can be moved to its front. So the path stays as
//! long and one of its steps is made: no error and no shortest length is lost,
//! whatever the order of the search, and no condition on cycles is needed. A
//! state from which no goal can be reached has an empty set. If deadlocks are
//! errors, a set has an enabled member, which preserves all deadlocks.
//!
//! The relations are valid for the processes of one shape. A path that starts a
//! process outside of it leaves them, so every start of a process is a goal too.
//!
//! `relations` has what depends on the network alone, `condition` evaluates
//! conjuncts in a state, and `stubborn` computes the sets.

mod condition;
mod events;
mod relations;
mod stubborn;
mod target;
mod trial;

use super::engine::Engine;
use super::layout::Shape;
use super::view::{Semantics, process_and_mark};
use crate::net::{Network, TemplateId};
use crate::system::StepId;
use condition::Test;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

pub use relations::Relations;
pub(super) use stubborn::Stubborn;
pub use target::{Irreducible, Target, irreducible};

/// Number of a step that is not a transition of the relations.
const UNKNOWN: u32 = u32::MAX;

/// Maximum number of transitions whose relations are computed.
const MAX_TRANSITIONS: usize = 1 << 10;

/// The relations of the shapes of one search.
#[derive(Debug)]
pub struct Reductions<'n> {
    network: &'n Network,
    semantics: Semantics,
    target: Target<'n>,
    known: Mutex<Vec<KnownRelations<'n>>>,
    /// Whether steps are left out.
    is_on: Arc<AtomicBool>,
}

/// The processes of a shape, and their relations; none if there are too many
/// transitions.
type KnownRelations<'n> = (Vec<Vec<TemplateId>>, Option<Arc<Relations<'n>>>);

impl<'n> Reductions<'n> {
    /// Creates the reductions of searches for a target.
    pub fn new(network: &'n Network, semantics: Semantics, target: Target<'n>) -> Self {
        Self { network, semantics, target, known: Mutex::default(), is_on: Arc::new(AtomicBool::new(true)) }
    }

    /// Adds the reduction to an engine of this shape, if there are not too many
    /// transitions.
    pub fn reduced(&self, engine: Engine<'n>, shape: &Shape) -> Engine<'n> {
        if !self.is_on.load(Relaxed) {
            return engine;
        }
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known.iter().find(|it| it.0 == shape.processes).map(|it| it.1.clone());
        let relations = found.unwrap_or_else(|| {
            let relations = Relations::new(self.network, &shape.processes, self.semantics, &self.target);
            let relations = relations.map(Arc::new);
            known.push((shape.processes.clone(), relations.clone()));
            relations
        });
        match relations {
            Some(relations) => engine.with_reduction(relations, Arc::clone(&self.is_on)),
            None => engine,
        }
    }

    /// Decides by random walks whether the reduction leaves out enough steps to
    /// be worth its cost. Returns the reason if it is not used.
    pub fn try_out(&self, engine: &Engine) -> Option<Irreducible> {
        let useless = match engine.reduction.is_some() {
            false => Some(Irreducible::Size),
            true => (!trial::is_useful(engine, self.semantics)).then_some(Irreducible::Useless),
        };
        self.is_on.store(useless.is_none(), Relaxed);
        useless
    }
}

/// The reduction of an engine.
#[derive(Clone, Debug)]
pub(super) struct Reduction<'n> {
    pub relations: Arc<Relations<'n>>,
    /// Per conjunct, how it is evaluated.
    tests: Vec<Test>,
    /// Number of the transition of each step of one process, by process and mark.
    alone: Vec<u32>,
    /// Number of marks per process.
    n_marks: usize,
    /// Numbers of the transitions of rendezvous.
    meetings: HashMap<StepId, u32>,
    is_on: Arc<AtomicBool>,
}

impl Reduction<'_> {
    /// Returns whether steps are left out.
    pub fn is_on(&self) -> bool {
        self.is_on.load(Relaxed)
    }

    /// Returns the number of the transition that a step begins with.
    fn number(&self, step: StepId) -> u32 {
        match process_and_mark(step) {
            Some((process, mark)) => {
                self.alone.get(process * self.n_marks + mark).copied().unwrap_or(UNKNOWN)
            }
            None => self.meetings.get(&step).copied().unwrap_or(UNKNOWN),
        }
    }
}

impl<'n> Engine<'n> {
    /// Returns whether a reduction leaves out steps.
    pub fn has_reduction(&self) -> bool {
        self.reduction.as_ref().is_some_and(|it| it.is_on())
    }

    /// Compiles the conjuncts of the relations.
    fn with_reduction(mut self, relations: Arc<Relations<'n>>, is_on: Arc<AtomicBool>) -> Self {
        let tests = condition::compile(&mut self, &relations);
        let n_marks = self.n_transitions;
        let mut alone = vec![UNKNOWN; self.tables.len() * n_marks];
        let mut meetings = HashMap::new();
        for (number, transition) in relations.transitions().enumerate() {
            let half = |it: crate::analysis::dependence::Edge| {
                (it.process, self.first_transitions[it.template.index()] + it.transition.index())
            };
            let (process, mark) = half(transition.first);
            match transition.partner {
                None => alone[process * n_marks + mark] = number as u32,
                Some(partner) => {
                    let step = super::view::step_id((process, mark), Some(half(partner)));
                    meetings.insert(step, number as u32);
                }
            }
        }
        self.reduction = Some(Box::new(Reduction { relations, tests, alone, n_marks, meetings, is_on }));
        self
    }
}
