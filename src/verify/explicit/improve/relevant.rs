//! Which steps of a run matter for its end.
//!
//! From the end backwards, a step is kept if a later step that is kept belongs
//! to one of its processes or looks at what it changes, or if the property
//! looks at it. What a step changes is known from the states around it. The
//! result is a guess, which must be replayed.

use super::passages::Passages;
use crate::base::cancel::stop_reason;
use crate::search::improve::Run;
use crate::system::Word;
use std::collections::HashSet;

/// Returns for each step of a run whether it matters; `None` if a limit of the
/// run was reached. All steps of a cycle do.
pub(super) fn relevant(passages: &Passages, run: &Run) -> Option<Vec<bool>> {
    let (mut looks, mut needed) = passages.looks();
    let mut processes: HashSet<usize> = HashSet::new();
    let mut keeps = vec![true; run.steps.len()];
    let mut after = passages.widened(run, run.steps.len());
    for index in (0..run.steps.len()).rev() {
        if index % 256 == 0 && stop_reason().is_some() {
            return None;
        }
        let before = passages.widened(run, index);
        let passage = passages.passage(run, index)?;
        let movers = || {
            let partners = passage.steps.iter().filter_map(|it| it.partner.map(|(receiver, _)| receiver));
            passage.steps.iter().map(|it| it.process).chain(partners)
        };
        let is_always_kept = index + 1 == run.steps.len() || run.cycle.is_some_and(|it| index >= it);
        let is_seen =
            before.iter().zip(&after).zip(&needed).any(|((one, other), bits)| (one ^ other) & bits != 0);
        keeps[index] = is_always_kept || is_seen || movers().any(|it| processes.contains(&it));
        if keeps[index] {
            processes.extend(movers());
            passage.steps.iter().for_each(|it| looks.add(it, &before, &mut needed));
            if passage.steps.is_empty() {
                // The system ends or rests here, which depends on all of it.
                needed.fill(Word::MAX);
            }
        }
        after = before;
    }
    Some(keeps)
}
