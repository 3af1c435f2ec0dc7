//! Runs: steps and the states between them.

use crate::system::{StepId, Word};
use std::collections::HashMap;

/// A run from the initial state to a goal, or into a cycle and once around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    width: usize,
    words: Vec<Word>,
    /// The steps; each leads from the state with its index to the next one.
    pub steps: Vec<RunStep>,
    /// Index of the state at which the cycle begins; the last state is the
    /// same.
    pub cycle: Option<usize>,
}

/// A step of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunStep {
    /// Identity of the step.
    pub id: StepId,
    /// Length in statements.
    pub cost: u32,
    /// The process that moves.
    pub process: u32,
    /// Index of the next state among the successors.
    pub choice: usize,
    /// Marks of the step.
    pub marks: u64,
}

impl Run {
    /// Creates a run without steps.
    pub fn at(state: &[Word]) -> Self {
        Self { width: state.len(), words: state.to_vec(), steps: Vec::new(), cycle: None }
    }

    /// Returns the identities of the steps.
    pub fn ids(&self) -> Vec<StepId> {
        self.steps.iter().map(|it| it.id).collect()
    }

    /// Appends a step.
    pub fn push(&mut self, step: RunStep, next: &[Word]) {
        self.steps.push(step);
        self.words.extend_from_slice(next);
    }

    /// Returns the state before the step with this index, or the last state.
    pub fn state(&self, index: usize) -> &[Word] {
        &self.words[index * self.width..][..self.width]
    }

    /// Returns the last state.
    pub fn last(&self) -> &[Word] {
        self.state(self.steps.len())
    }

    /// Iterates over the states.
    pub fn states(&self) -> impl ExactSizeIterator<Item = &[Word]> {
        self.words.chunks_exact(self.width)
    }

    /// Returns the length in statements.
    pub fn cost(&self) -> u64 {
        self.steps.iter().map(|it| u64::from(it.cost)).sum()
    }

    /// Returns the first steps, without a cycle.
    pub(super) fn beginning(&self, n_steps: usize) -> Self {
        Self {
            width: self.width,
            words: self.words[..(n_steps + 1) * self.width].to_vec(),
            steps: self.steps[..n_steps].to_vec(),
            cycle: None,
        }
    }

    /// Returns the run without the steps between two visits of a state. A cycle
    /// is kept, but it begins where the run first meets it.
    pub fn without_loops(&self) -> Self {
        let end = self.cycle.unwrap_or(self.steps.len());
        let mut last_visits: HashMap<&[Word], usize> = HashMap::with_capacity(end + 1);
        for index in 0..=end {
            last_visits.insert(self.state(index), index);
        }
        let n_cycle = self.steps.len() - end;
        let on_cycle: HashMap<&[Word], usize> =
            (0..n_cycle).rev().map(|index| (self.state(end + index), index)).collect();
        let mut short = Self::at(self.state(0));
        let mut at = 0;
        loop {
            at = last_visits[self.state(at)];
            let entry = on_cycle.get(self.state(at)).filter(|_| self.cycle.is_some());
            if let Some(&offset) = entry {
                short.cycle = Some(short.steps.len());
                for number in 0..n_cycle {
                    let index = end + (offset + number) % n_cycle;
                    short.push(self.steps[index], self.state(index + 1));
                }
                return short;
            }
            if at >= end {
                return short;
            }
            short.push(self.steps[at], self.state(at + 1));
            at += 1;
        }
    }
}
