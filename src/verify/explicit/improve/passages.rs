//! The statements of the steps of a run.

use crate::base::cancel::stop_reason;
use crate::explicit::growing::{ProductViews, SystemViews, Views};
use crate::explicit::overflow::SearchStart;
use crate::explicit::view::{Fault, Looks, Passage, SuccessorChoice};
use crate::net::{TemplateId, TransitionId};
use crate::search::improve::Run;
use crate::system::Word;
use crate::verify::explicit::ExplicitProblem;
use crate::verify::report::TrailLength;
use std::time::{Duration, Instant};

/// Time for the length of a run after a limit was reached.
const EXTRA_TIME: Duration = Duration::from_secs(1);

/// Finds the statements between the states of a run.
pub(super) struct Passages<'s, 'a> {
    start: &'s SearchStart<'a>,
    /// Whether there is no observer.
    is_alone: bool,
    system: SystemViews,
    product: ProductViews,
    observer: Option<TemplateId>,
}

impl<'s, 'a> Passages<'s, 'a> {
    pub fn new(problem: &ExplicitProblem, start: &'s SearchStart<'a>) -> Self {
        Self {
            start,
            is_alone: problem.is_alone(),
            system: problem.system_views(),
            product: problem.product_views(),
            observer: problem.observer().map(|it| it.template),
        }
    }

    /// Returns the number of the fault of a state of the search; 0 if it has
    /// none.
    pub fn fault(&self, state: &[Word]) -> i32 {
        let number = self.start.engine().layout.fault.get(state);
        match number as usize <= Fault::ALL.len() {
            true => number,
            false => self.start.widest().layout.fault.get(&self.start.widened(state)),
        }
    }

    /// Returns the fault of a state of the search.
    pub fn fault_kind(&self, state: &[Word]) -> Option<Fault> {
        let number = self.fault(state) as usize;
        number.checked_sub(1).and_then(|index| Fault::ALL.get(index)).copied()
    }

    /// Returns the statements of a step of a run.
    pub fn passage(&self, run: &Run, index: usize) -> Option<Passage> {
        let (from, to) = (self.widened(run, index), self.widened(run, index + 1));
        let choice = run.cycle.map(|_| run.steps[index].choice);
        self.between(&from, SuccessorChoice { state: &to, choice })
    }

    /// Returns the statements between two states in the widest layout.
    pub fn between(&self, from: &[Word], requested: SuccessorChoice) -> Option<Passage> {
        match self.is_alone {
            true => self.system.view(self.start.widest()).passage(from, requested),
            false => self.product.view(self.start.widest()).passage(from, requested),
        }
    }

    /// Returns a state of a run in the widest layout.
    pub fn widened(&self, run: &Run, index: usize) -> Vec<Word> {
        self.start.widened(run.state(index))
    }

    /// Creates a finder of the bits at which steps look, and returns those at
    /// which the property looks.
    pub fn looks(&self) -> (Looks<'s>, Vec<Word>) {
        let looks = Looks::new(self.start.widest());
        let property = looks.of_property(self.observer);
        (looks, property)
    }

    /// Returns the length of a run. If a limit of the run was reached and this
    /// takes long, an atomic sequence is one step of it.
    pub fn length(&self, run: &Run) -> TrailLength {
        let mut length = TrailLength::default();
        let mut last = None;
        let began = Instant::now();
        for index in 0..run.steps.len() {
            if index % 256 == 0 && stop_reason().is_some() && began.elapsed() > EXTRA_TIME {
                let statements = run.cost() as usize;
                return TrailLength { steps: run.steps.len(), statements, prefix: run.cycle, switches: 0 };
            }
            if run.cycle == Some(index) {
                length.prefix = Some(length.steps);
            }
            let Some(passage) = self.passage(run, index) else { continue };
            length.steps += passage.steps.len();
            length.statements += passage.n_statements();
            for step in &passage.steps {
                length.switches += usize::from(last.is_some_and(|it| it != step.process));
                last = Some(step.process);
            }
        }
        length
    }

    /// Returns the statement at which the error of a run is; `None` if the run
    /// ends in a cycle or because no process can move.
    pub fn last_statement(&self, run: &Run) -> Option<(TemplateId, TransitionId)> {
        let index = run.steps.len().checked_sub(1).filter(|_| run.cycle.is_none() && self.is_alone)?;
        let step = *self.passage(run, index)?.steps.last()?;
        let engine = self.start.widest();
        let state = self.widened(run, index);
        let is_there = step.process < engine.layout.n_processes.get(&state) as usize;
        is_there.then(|| (engine.template(step.process, &state), step.transition))
    }
}
