//! Minimisation of a run by removing steps.
//!
//! As in delta debugging, large groups of steps are removed first, then smaller
//! ones, down to single steps. A group is a part of the run, or a part of the
//! steps of each process, since the steps of a loop are often far apart.

use super::replay::Mode;
use super::run::Run;
use super::{Cut, Improver};
use crate::system::{StepId, TransitionSystem};
use std::ops::Range;

impl<S: TransitionSystem> Improver<'_, S> {
    /// Removes steps while the rest replays, with at most `max_expanded`
    /// expansions. Returns whether no single step can be removed any more.
    pub fn minimise(&mut self, run: &mut Run, max_expanded: u64) -> Result<bool, Cut> {
        let end = self.counters.expanded.saturating_add(max_expanded);
        let half = self.counters.expanded.saturating_add(max_expanded / 2);
        // Leaving out disabled steps removes more at once, but every attempt
        // takes as long as the whole run.
        if run.cycle.is_none() {
            for by_process in [false, true] {
                self.remove(run, by_process, Mode::Skipping, half)?;
            }
        }
        let mut is_minimal = false;
        while !is_minimal && self.counters.expanded < end {
            let n_before = run.steps.len();
            for by_process in [false, true] {
                is_minimal = self.remove(run, by_process, Mode::Strict, end)?;
            }
            is_minimal &= run.steps.len() == n_before;
        }
        Ok(is_minimal)
    }

    /// Removes groups of steps; returns whether all were tried.
    fn remove(&mut self, run: &mut Run, by_process: bool, mode: Mode, end: u64) -> Result<bool, Cut> {
        let mut order = order(run, by_process);
        let mut is_removed = vec![false; order.len()];
        let mut size = order.len().div_ceil(2);
        while size > 0 {
            let mut at = 0;
            while at < order.len() {
                if self.counters.expanded >= end {
                    return Ok(false);
                }
                let group = &order[at..(at + size).min(order.len())];
                group.iter().for_each(|it| is_removed[*it] = true);
                let shorter = self.without(run, group, &is_removed, mode)?;
                group.iter().for_each(|it| is_removed[*it] = false);
                match shorter {
                    Some(shorter) => {
                        *run = shorter;
                        order = self::order(run, by_process);
                        // Fewer statements can be more steps.
                        is_removed.resize(order.len(), false);
                    }
                    None => at += size,
                }
            }
            size /= 2;
        }
        Ok(true)
    }

    /// Returns the run without some steps, if the rest replays and is shorter.
    fn without(
        &mut self,
        run: &Run,
        group: &[usize],
        is_removed: &[bool],
        mode: Mode,
    ) -> Result<Option<Run>, Cut> {
        let first = group.iter().copied().min().unwrap_or_default();
        let kept = |range: Range<usize>| range.filter(|it| !is_removed[*it]).map(|it| run.steps[it].id);
        let n_steps = run.steps.len();
        let found = match run.cycle {
            None => self.replay(run, first, kept(first..n_steps), mode)?,
            Some(cycle) => {
                let around: Vec<StepId> = kept(cycle..n_steps).collect();
                let start = first.min(cycle);
                match around.is_empty() {
                    true => None,
                    false => self.lasso_along(run, start, kept(start..cycle), &around)?,
                }
            }
        };
        Ok(found.map(|it| it.without_loops()).filter(|it| it.cost() < run.cost()))
    }
}

/// Returns the order in which steps are grouped.
fn order(run: &Run, by_process: bool) -> Vec<usize> {
    let mut order: Vec<usize> = (0..run.steps.len()).collect();
    if by_process {
        order.sort_by_key(|it| run.steps[*it].process);
    }
    order
}
