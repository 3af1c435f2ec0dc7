//! Trails that were given: read, replayed in single steps, and turned into the
//! steps of a search.

use super::super::ExplicitProblem;
use crate::base::cancel::checkpoint;
use crate::diag::{Diagnostic, SourceId, Sources, Span};
use crate::explicit::layout::{Field, MissingRoom};
use crate::explicit::view::{Fault, Semantics, Taken};
use crate::explicit::{Engine, View};
use crate::lang::promela::trail::TrailFile;
use crate::search::Cut;
use crate::search::improve::{Improver, Run};
use crate::system::{StepId, TransitionSystem, Word};
use crate::verify::follow::follow;
use crate::verify::recorded::RecordedTrail;

/// A trail to be improved.
#[derive(Clone, Debug)]
pub enum GivenTrail {
    /// A report of `check` or a document of `simulate`, and its file.
    Record(RecordedTrail, SourceId),
    /// A trail of SPIN, and its file.
    Spin(TrailFile, SourceId),
}

/// Maximum number of runs that look like a recorded one and are tried.
const MAX_TRIED: usize = 64;

/// The steps of a search that a trail consists of. An atomic sequence is one
/// step.
pub(super) struct Letters {
    /// Identities of the steps.
    pub ids: Vec<StepId>,
    /// Position of the cycle.
    pub cycle: Option<usize>,
    /// The state after each step.
    states: Vec<Vec<Word>>,
    /// Fields of a state that a replay without the observer does not know.
    ignored: [Field; 2],
    /// Per step, the position of its first statement in the trail.
    positions: Vec<usize>,
}

impl Letters {
    /// Combines the statements of atomic sequences to steps.
    fn new(engine: &Engine, view: &mut View, taken: &[Taken], cycle: Option<usize>) -> Self {
        let ignored = [engine.layout.observer, engine.layout.is_over];
        let (ids, states, positions) = (Vec::new(), Vec::new(), Vec::new());
        let mut letters = Self { ids, cycle: None, states, ignored, positions };
        let mut now = view.beginning();
        for (index, taken) in taken.iter().enumerate() {
            if cycle == Some(index) {
                letters.cycle = Some(letters.ids.len());
            }
            if view.continues_sequence(&now) {
                letters.states.pop();
            } else {
                letters.ids.push(taken.step.id);
                letters.positions.push(index);
            }
            letters.states.push(taken.next.state.clone());
            now = taken.next.clone();
        }
        letters.cycle = letters.cycle.or(cycle.map(|_| letters.ids.len()));
        letters
    }

    /// Returns the run of the steps to a wanted goal, or the number of steps that
    /// are possible.
    pub fn follow<S: TransitionSystem>(&self, improver: &mut Improver<S>) -> Result<Result<Run, usize>, Cut> {
        let exactly = |index: usize, state: &[Word]| self.is_similar(index, state);
        match improver.follow_given(&self.ids, &exactly)? {
            Ok(run) => Ok(Ok(run)),
            Err(_) => {
                // A trail can end within an atomic sequence.
                let n_steps = self.ids.len();
                let nearly = |index: usize, state: &[Word]| index + 1 == n_steps || exactly(index, state);
                improver.follow_given(&self.ids, &nearly)
            }
        }
    }

    /// Returns whether a state can be the one after a step.
    fn is_similar(&self, index: usize, state: &[Word]) -> bool {
        let mut expected = self.states[index].clone();
        for field in &self.ignored {
            field.set(&mut expected, field.get(state));
        }
        expected == state
    }

    /// Returns the position in the trail of a step; `None` behind the last one.
    pub fn given_step(&self, index: usize) -> Option<usize> {
        self.positions.get(index).copied()
    }
}

impl GivenTrail {
    /// Returns the property that the trail names, if it does.
    pub fn property(&self) -> Option<&str> {
        match self {
            Self::Record(record, _) => record.property(),
            Self::Spin(..) => None,
        }
    }

    /// Returns the number of the claim whose steps the trail contains.
    pub(in crate::verify) fn claim(&self) -> Option<u32> {
        match self {
            Self::Record(..) => None,
            Self::Spin(file, _) => file.claim,
        }
    }

    /// Returns whether the trail can end in this fault.
    pub(super) fn can_end_in(&self, fault: Option<Fault>) -> bool {
        match self {
            Self::Record(record, _) => fault.is_none_or(|it| record.can_end_in(it)),
            Self::Spin(..) => true,
        }
    }

    /// Returns whether the trail ends in a cycle.
    pub(in crate::verify) fn has_cycle(&self) -> bool {
        match self {
            Self::Record(record, _) => record.has_cycle(),
            Self::Spin(file, _) => file.cycle.is_some(),
        }
    }

    /// Returns the steps of the trail; `Ok(Err)` if the engine has too little
    /// room for them. If several runs look like the trail, takes the first one
    /// that is accepted.
    pub(super) fn letters(
        &self,
        problem: &ExplicitProblem,
        engine: &Engine,
        sources: &Sources,
        accepts: &mut dyn FnMut(&Letters) -> bool,
    ) -> Result<Result<Letters, MissingRoom>, Diagnostic> {
        let semantics = problem.semantics_alone();
        let mut reader = View::new(engine).with_semantics(semantics).cancellable();
        let mut n_tried = 0;
        let mut is_accepted = |taken: &[Taken], cycle: Option<usize>| {
            n_tried += 1;
            n_tried >= MAX_TRIED || accepts(&Letters::new(engine, &mut reader, taken, cycle))
        };
        let first = self.taken(problem, engine, semantics, sources, &mut is_accepted);
        let taken = match (first, self) {
            // SPIN can continue after a violated assertion.
            (Err(_), Self::Spin(..)) if !semantics.allows_failed_assertions => {
                let tolerant = Semantics { allows_failed_assertions: true, ..semantics };
                self.taken(problem, engine, tolerant, sources, &mut |_, _| true)
            }
            (first, _) => first,
        };
        let (taken, cycle, mut view) = match taken? {
            Ok(taken) => taken,
            Err(missing_room) => return Ok(Err(missing_room)),
        };
        Ok(Ok(Letters::new(engine, &mut view, &taken, cycle)))
    }

    /// Replays the trail in single steps. Returns them with the number of steps
    /// before the cycle, and the view.
    #[expect(clippy::type_complexity, reason = "only used above")]
    fn taken<'e>(
        &self,
        problem: &ExplicitProblem,
        engine: &'e Engine<'e>,
        semantics: Semantics,
        sources: &Sources,
        accepts: &mut dyn FnMut(&[Taken], Option<usize>) -> bool,
    ) -> Result<Result<(Vec<Taken>, Option<usize>, View<'e>), MissingRoom>, Diagnostic> {
        let mut view = View::new(engine).with_semantics(semantics).cancellable();
        let followed = match self {
            Self::Record(record, source) => {
                record.follow(engine, &mut view, sources, accepts).map_err(|unmatched| {
                    let fault = Diagnostic::error("trail", Span::new(*source, 0..0), unmatched.message);
                    fault.with_optional_help(unmatched.help)
                })
            }
            Self::Spin(file, _) => {
                let Some(program) = problem.promela else {
                    let message = "trail files of SPIN are only for Promela models";
                    let help = "use a report as the trail: `check MODEL.rs --format json -o report.json`";
                    return Err(Diagnostic::error_without_place("usage", message).with_help(help));
                };
                let followed = follow(program, engine, &mut view, file).map_err(|mismatch| {
                    let span = file.lines[mismatch.line].span;
                    Diagnostic::error("trail", span, mismatch.message).with_optional_help(mismatch.help)
                });
                followed.map(|followed| {
                    let mut taken: Vec<Taken> = Vec::new();
                    let mut now = view.beginning();
                    for step in followed.steps {
                        checkpoint();
                        let possible = view.steps(&now);
                        let Some(next) = possible.into_iter().find(|it| it.step == step) else { break };
                        now = next.next.clone();
                        taken.push(next);
                    }
                    (taken, followed.cycle)
                })
            }
        };
        if let Some(missing_room) = view.missing_room() {
            return Ok(Err(missing_room));
        }
        followed.map(|(taken, cycle)| Ok((taken, cycle, view)))
    }

    /// Returns the error of a trail that does not violate the property; `step`
    /// is the first one that a counterexample to it cannot contain.
    pub(super) fn not_a_violation(&self, problem: &ExplicitProblem, step: Option<usize>) -> Diagnostic {
        let name = problem.aim.name();
        let (Self::Record(_, source) | Self::Spin(_, source)) = self;
        let span = match (self, step) {
            (Self::Spin(file, _), Some(step)) => file.lines.get(step).map(|it| it.span),
            _ => None,
        };
        let message = match step {
            Some(step) => {
                format!("step {} of this trail is not possible in a run that violates `{name}`", step + 1)
            }
            None => format!("this trail does not violate `{name}`"),
        };
        let help = "choose the violated property by `--property`, and use the options of the run that wrote the trail";
        Diagnostic::error("trail", span.unwrap_or(Span::new(*source, 0..0)), message).with_help(help)
    }
}
