//! Orders of the steps of a run in which the process changes seldom.
//!
//! Two steps are dependent if they have a process in common, or if one changes
//! what the other looks at or changes. Any order that keeps the order of
//! dependent steps is likely to be a run to the same end, which a replay
//! decides. Few steps are ordered optimally, others greedily: the process stays
//! as long as it can, then the one with the longest sequence of steps is next.

use super::passages::Passages;
use crate::base::cancel::stop_reason;
use crate::search::Cut;
use crate::search::improve::{Improver, Mode, Run};
use crate::system::{StepId, TransitionSystem, Word};
use std::collections::{HashMap, VecDeque};

/// Maximum number of steps that are ordered optimally.
pub(super) const MAX_EXACT: usize = 14;

/// Maximum number of steps that are ordered at all.
pub(super) const MAX_STEPS: usize = 5_000;

/// Steps with the steps before each on which it depends.
pub(super) struct Order {
    /// The process of each step.
    pub processes: Vec<usize>,
    /// Per step, the earlier steps on which it depends.
    pub before: Vec<Vec<usize>>,
}

/// Returns the run with its steps in another order, if that has fewer switches
/// and replays. The order of the steps of a cycle is kept.
pub(super) fn with_few_switches<S: TransitionSystem>(
    improver: &mut Improver<S>,
    passages: &Passages,
    run: &Run,
) -> Result<Option<Run>, Cut> {
    let end = run.cycle.unwrap_or(run.steps.len());
    if end > MAX_STEPS {
        return Ok(None);
    }
    let Some(order) = order_of(passages, run, end) else { return Ok(None) };
    let mut candidates = vec![order.greedy()];
    if end <= MAX_EXACT {
        candidates.push(order.optimal());
    }
    candidates.sort_by_key(|it| order.n_switches(it));
    let mut best = None;
    let n_before = passages.length(run).switches;
    for candidate in candidates.into_iter().rev() {
        let prefix: Vec<StepId> = candidate.iter().map(|it| run.steps[*it].id).collect();
        let found = match run.cycle {
            None => improver.replay(run, 0, prefix.into_iter(), Mode::Strict)?,
            Some(cycle) => {
                let around: Vec<StepId> = run.steps[cycle..].iter().map(|it| it.id).collect();
                improver.lasso_along(run, 0, prefix.into_iter(), &around)?
            }
        };
        let is_better = |it: &Run| it.cost() <= run.cost() && passages.length(it).switches < n_before;
        best = found.filter(is_better).or(best);
    }
    Ok(best)
}

/// Determines the dependences between the first steps of a run.
fn order_of(passages: &Passages, run: &Run, end: usize) -> Option<Order> {
    let (mut looks, property) = passages.looks();
    let mut order = Order { processes: Vec::new(), before: Vec::new() };
    // Per step: its processes, the bits that it looks at, and those it changes.
    let mut known: Vec<(Vec<usize>, Vec<Word>, Vec<Word>)> = Vec::new();
    for index in 0..end {
        if index % 64 == 0 && stop_reason().is_some() {
            return None;
        }
        let (from, to) = (passages.widened(run, index), passages.widened(run, index + 1));
        let passage = passages.passage(run, index)?;
        let mut movers: Vec<usize> = passage.steps.iter().map(|it| it.process).collect();
        movers.extend(passage.steps.iter().filter_map(|it| it.partner.map(|(receiver, _)| receiver)));
        let mut seen = vec![0; from.len()];
        passage.steps.iter().for_each(|it| looks.add(it, &from, &mut seen));
        let changed: Vec<Word> = from.iter().zip(&to).map(|(one, other)| one ^ other).collect();
        let meets = |one: &[Word], other: &[Word]| one.iter().zip(other).any(|(one, other)| one & other != 0);
        let is_visible = meets(&changed, &property);
        if is_visible {
            // Steps that the property sees keep their order.
            seen.iter_mut().zip(&property).for_each(|(word, bits)| *word |= bits);
        }
        let is_last = index + 1 == run.steps.len() || passage.steps.is_empty();
        let depends = |(others, other_seen, other_changed): &(Vec<usize>, Vec<Word>, Vec<Word>)| {
            is_last
                || movers.iter().any(|it| others.contains(it))
                || meets(&changed, other_seen)
                || meets(&seen, other_changed)
                || meets(&changed, other_changed)
        };
        order.before.push((0..index).filter(|it| depends(&known[*it])).collect());
        order.processes.push(movers.first().copied().unwrap_or(usize::MAX));
        known.push((movers, seen, changed));
    }
    Some(order)
}

impl Order {
    /// Returns the number of times that the process changes.
    pub fn n_switches(&self, order: &[usize]) -> usize {
        order.windows(2).filter(|it| self.processes[it[0]] != self.processes[it[1]]).count()
    }

    /// Returns an order in which the process stays as long as it can.
    pub fn greedy(&self) -> Vec<usize> {
        let n_steps = self.processes.len();
        let mut is_done = vec![false; n_steps];
        let mut order = Vec::with_capacity(n_steps);
        // Steps of each process that are left, in order.
        let mut left: HashMap<usize, VecDeque<usize>> = HashMap::new();
        for (index, process) in self.processes.iter().enumerate() {
            left.entry(*process).or_default().push_back(index);
        }
        let mut names: Vec<usize> = left.keys().copied().collect();
        names.sort_unstable();
        while order.len() < n_steps {
            // The longest sequence of steps that a process can take alone.
            let ready = |process: &usize| {
                let own = &left[process];
                let is_ready = |index: &&usize| {
                    self.before[**index].iter().all(|it| is_done[*it] || self.processes[*it] == *process)
                };
                own.iter().take_while(is_ready).count()
            };
            let next = names.iter().copied().max_by_key(|it| (ready(it), std::cmp::Reverse(*it)));
            let Some((process, n_ready)) = next.map(|it| (it, ready(&it))).filter(|it| it.1 > 0) else {
                return (0..n_steps).collect();
            };
            for index in left.entry(process).or_default().drain(..n_ready) {
                is_done[index] = true;
                order.push(index);
            }
        }
        order
    }

    /// Returns an order with the fewest changes of the process; there are at
    /// most [`MAX_EXACT`] steps.
    pub fn optimal(&self) -> Vec<usize> {
        let n_steps = self.processes.len();
        let needs: Vec<u32> =
            self.before.iter().map(|it| it.iter().fold(0, |all, step| all | 1 << step)).collect();
        // Sets of steps that are done, with the last one; and how each was
        // reached with the fewest switches.
        let mut reached: HashMap<(u32, usize), (usize, Option<usize>)> = HashMap::new();
        let mut open: VecDeque<(u32, usize, usize)> = VecDeque::new();
        for first in (0..n_steps).filter(|it| needs[*it] == 0) {
            reached.insert((1 << first, first), (0, None));
            open.push_back((1 << first, first, 0));
        }
        let all = (1_u32 << n_steps) - 1;
        while let Some((done, last, n_switches)) = open.pop_front() {
            if reached.get(&(done, last)).is_none_or(|it| it.0 != n_switches) {
                continue;
            }
            if done == all {
                let mut order = Vec::new();
                let mut at = Some((done, last));
                while let Some((done, last)) = at {
                    order.push(last);
                    at = reached[&(done, last)].1.map(|it| (done & !(1 << last), it));
                }
                order.reverse();
                return order;
            }
            for next in (0..n_steps).filter(|it| done & 1 << it == 0 && needs[*it] & !done == 0) {
                let is_switch = self.processes[next] != self.processes[last];
                let cost = n_switches + usize::from(is_switch);
                let key = (done | 1 << next, next);
                if reached.get(&key).is_some_and(|it| it.0 <= cost) {
                    continue;
                }
                reached.insert(key, (cost, Some(last)));
                // As in a shortest path with costs 0 and 1.
                match is_switch {
                    true => open.push_back((key.0, next, cost)),
                    false => open.push_front((key.0, next, cost)),
                }
            }
        }
        (0..n_steps).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::random::Random;

    /// Returns the fewest switches of any order, by trying all.
    fn fewest(order: &Order, done: &mut Vec<usize>) -> usize {
        let n_steps = order.processes.len();
        if done.len() == n_steps {
            return order.n_switches(done);
        }
        let mut best = usize::MAX;
        for next in 0..n_steps {
            if !done.contains(&next) && order.before[next].iter().all(|it| done.contains(it)) {
                done.push(next);
                best = best.min(fewest(order, done));
                done.pop();
            }
        }
        best
    }

    #[test]
    fn orders_keep_dependences_and_few_steps_are_ordered_optimally() {
        let mut random = Random::new(3);
        let mut n_better = 0;
        for _ in 0..500 {
            let n_steps = 1 + random.below(8) as usize;
            let processes: Vec<usize> = (0..n_steps).map(|_| random.below(3) as usize).collect();
            let before = (0..n_steps)
                .map(|index| {
                    (0..index)
                        .filter(|it| processes[*it] == processes[index] || random.below(4) == 0)
                        .collect()
                })
                .collect();
            let order = Order { processes, before };
            let (greedy, optimal) = (order.greedy(), order.optimal());
            for found in [&greedy, &optimal] {
                let at = |step: usize| found.iter().position(|it| *it == step).expect("every step is there");
                assert_eq!(found.len(), n_steps);
                let keeps = |step: usize| order.before[step].iter().all(|it| at(*it) < at(step));
                assert!((0..n_steps).all(keeps));
            }
            assert_eq!(order.n_switches(&optimal), fewest(&order, &mut Vec::new()));
            n_better += u32::from(order.n_switches(&optimal) < order.n_switches(&greedy));
        }
        assert!(n_better < 100, "{n_better}");
    }
}
