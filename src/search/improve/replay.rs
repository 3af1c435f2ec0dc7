//! Replay of a sequence of steps to a goal.

use super::run::{Run, RunStep};
use super::{Cut, Improver};
use crate::system::{Step, StepId, TransitionSystem, Word};

/// Maximum number of states that one sequence of steps is followed to.
const MAX_FRONTIER: usize = 64;

/// Maximum number of steps without a process after the last step of a sequence:
/// the system has ended, and only the observer moves.
const MAX_RESTING: usize = 64;

/// How a sequence of steps is replayed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Every step must be enabled. Goals on the way are ignored.
    Given,
    /// After the last step: only steps without a process lead to a goal.
    Resting,
    /// Every step must be enabled; the run is cut at the first goal beside it.
    Strict,
    /// As strict, but steps that are not enabled are left out.
    Skipping,
}

/// All states that a sequence of steps can reach, with the paths to them.
pub(super) struct Frontier {
    width: usize,
    /// Per node, the node before it and the step from there.
    nodes: Vec<Option<(usize, RunStep)>>,
    words: Vec<Word>,
    /// Nodes after the last step.
    pub current: Vec<usize>,
}

impl Frontier {
    pub fn at(state: &[Word]) -> Self {
        Self { width: state.len(), nodes: vec![None], words: state.to_vec(), current: vec![0] }
    }

    pub fn state(&self, node: usize) -> &[Word] {
        &self.words[node * self.width..][..self.width]
    }

    fn push(&mut self, from: usize, step: RunStep, state: &[Word]) -> usize {
        self.nodes.push(Some((from, step)));
        self.words.extend_from_slice(state);
        self.nodes.len() - 1
    }

    /// Returns the first steps of a run, continued by the path to a node.
    fn continued(&self, (run, n_kept): (&Run, usize), node: usize) -> Run {
        let mut continued = run.beginning(n_kept);
        self.append_to(&mut continued, node);
        continued
    }

    /// Appends the path to a node to a run that ends in the first one.
    pub fn append_to(&self, run: &mut Run, node: usize) {
        let mut path = Vec::new();
        let mut at = node;
        while let Some((before, step)) = self.nodes[at] {
            path.push((step, at));
            at = before;
        }
        path.into_iter().rev().for_each(|(step, node)| run.push(step, self.state(node)));
    }
}

/// What following one step has found.
enum Followed {
    /// A wanted goal: the node.
    Goal(usize),
    /// The nodes after the step; none if it is not enabled.
    Nodes(Vec<usize>),
}

impl<S: TransitionSystem> Improver<'_, S> {
    /// Follows a step from all current nodes to the states that `fits`.
    fn follow(
        &mut self,
        frontier: &mut Frontier,
        id: StepId,
        mode: Mode,
        fits: &dyn Fn(&[Word]) -> bool,
    ) -> Result<Followed, Cut> {
        let mut next: Vec<usize> = Vec::new();
        for at in 0..frontier.current.len() {
            let node = frontier.current[at];
            self.expand_from(frontier.state(node))?;
            for choice in 0..self.out.len() {
                let Some(state) = self.out.iter().nth(choice) else { break };
                let step = self.step_to(choice);
                let can_end = match mode {
                    Mode::Given => false,
                    Mode::Resting => self.out.steps()[choice] == Step::PLAIN,
                    Mode::Strict | Mode::Skipping => true,
                };
                if can_end && (self.accepts)(state) {
                    return Ok(Followed::Goal(frontier.push(node, step, state)));
                }
                let is_new = || !next.iter().any(|it| frontier.state(*it) == state);
                if step.id == id && next.len() < MAX_FRONTIER && fits(state) && is_new() {
                    next.push(frontier.push(node, step, state));
                }
            }
        }
        Ok(Followed::Nodes(next))
    }

    /// Follows steps from a state of a run without looking for a goal; `None` if
    /// they are not enabled.
    pub(super) fn follow_all(
        &mut self,
        from: &[Word],
        steps: impl Iterator<Item = StepId>,
    ) -> Result<Option<Frontier>, Cut> {
        let mut frontier = Frontier::at(from);
        for id in steps {
            match self.follow(&mut frontier, id, Mode::Given, &|_| true)? {
                Followed::Nodes(next) if !next.is_empty() => frontier.current = next,
                _ => return Ok(None),
            }
        }
        Ok(Some(frontier))
    }

    /// Follows the steps of a run from the initial state; the state after each
    /// step must be similar to that of the run. Returns it with the goal at its
    /// end, or the number of steps if no goal is there.
    pub fn follow_given(
        &mut self,
        steps: &[StepId],
        similar: &dyn Fn(usize, &[Word]) -> bool,
    ) -> Result<Result<Run, usize>, Cut> {
        let begin = Run::at(&self.initial());
        let mut frontier = Frontier::at(begin.last());
        for (index, id) in steps.iter().enumerate() {
            let fits = |state: &[Word]| similar(index, state);
            let Followed::Nodes(next) = self.follow(&mut frontier, *id, Mode::Given, &fits)? else { break };
            if !next.is_empty() {
                frontier.current = next;
                continue;
            }
            return Ok(self.goal_at(&frontier, (&begin, 0)).ok_or(index));
        }
        Ok(self.rest(frontier, (&begin, 0), Mode::Resting)?.ok_or(steps.len()))
    }

    /// Returns the run through these states, each with its index among the
    /// successors of the state before if it is known; `None` if they are not
    /// successors of each other.
    pub fn run_through<'s>(
        &mut self,
        states: impl IntoIterator<Item = (&'s [Word], Option<usize>)>,
    ) -> Result<Option<Run>, Cut> {
        let mut states = states.into_iter();
        let Some((first, _)) = states.next() else { return Ok(None) };
        let mut run = Run::at(first);
        for (next, choice) in states {
            self.expand_from(run.last())?;
            let found = self.out.iter().position(|it| it == next);
            let is_next = |choice: usize| self.out.iter().nth(choice).is_some_and(|it| it == next);
            let Some(choice) = choice.filter(|it| is_next(*it)).or(found) else { return Ok(None) };
            run.push(self.step_to(choice), next);
        }
        Ok(Some(run))
    }

    /// Returns the beginning of `run` with `n_kept` steps, continued by `steps`
    /// to a wanted goal, if they lead there.
    pub fn replay(
        &mut self,
        run: &Run,
        n_kept: usize,
        steps: impl Iterator<Item = StepId>,
        mode: Mode,
    ) -> Result<Option<Run>, Cut> {
        let mut frontier = Frontier::at(run.state(n_kept));
        for id in steps {
            match self.follow(&mut frontier, id, mode, &|_| true)? {
                Followed::Goal(node) => return Ok(Some(frontier.continued((run, n_kept), node))),
                Followed::Nodes(next) if !next.is_empty() => frontier.current = next,
                Followed::Nodes(_) if mode == Mode::Skipping => {}
                Followed::Nodes(_) => return Ok(None),
            }
        }
        self.rest(frontier, (run, n_kept), Mode::Strict)
    }

    /// Returns the first steps of `run`, continued to a goal among the current
    /// nodes.
    fn goal_at(&self, frontier: &Frontier, (run, n_kept): (&Run, usize)) -> Option<Run> {
        let goal = frontier.current.iter().find(|it| (self.accepts)(frontier.state(**it)))?;
        Some(frontier.continued((run, n_kept), *goal))
    }

    /// Looks for a goal at the end of a sequence: there, in the state of a
    /// blocked system, or where only the observer moves.
    fn rest(&mut self, mut frontier: Frontier, begin: (&Run, usize), mode: Mode) -> Result<Option<Run>, Cut> {
        for _ in 0..MAX_RESTING {
            if let Some(found) = self.goal_at(&frontier, begin) {
                return Ok(Some(found));
            }
            let next = match self.follow(&mut frontier, Step::PLAIN.id, mode, &|_| true)? {
                Followed::Goal(node) => return Ok(Some(frontier.continued(begin, node))),
                Followed::Nodes(next) => next,
            };
            let states = |nodes: &[usize]| -> Vec<Vec<Word>> {
                nodes.iter().map(|it| frontier.state(*it).to_vec()).collect()
            };
            if states(&next) == states(&frontier.current) {
                break;
            }
            frontier.current = next;
        }
        Ok(None)
    }
}
