//! Intervals at which a search polls its watcher.

use crate::system::Successors;

/// Maximum number of states taken between two polls.
const STATES_PER_POLL: u64 = 1024;

/// Maximum number of words of successors between two polls: one expansion can
/// create thousands of large states, which cost time and memory too.
const WORDS_PER_POLL: usize = 1 << 21;

/// Counts the work of a search since it last polled its watcher.
///
/// A search calls [`is_due`](Self::is_due) once for each state that it takes,
/// and reports the successors of each state that it expands. The first poll is
/// due immediately.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PollInterval {
    /// States until the next poll.
    n_states_left: u64,
    /// Words of successors since the last poll.
    n_words: usize,
}

impl PollInterval {
    /// Counts a state that is taken. Returns whether to poll the watcher now.
    #[inline(always)]
    pub fn is_due(&mut self) -> bool {
        match self.n_states_left.checked_sub(1) {
            Some(n_left) => {
                self.n_states_left = n_left;
                false
            }
            None => {
                *self = Self { n_states_left: STATES_PER_POLL - 1, n_words: 0 };
                true
            }
        }
    }

    /// Counts the successors of a state.
    #[inline(always)]
    pub fn count(&mut self, successors: &Successors) {
        self.n_words += successors.n_words();
        if self.n_words > WORDS_PER_POLL {
            self.n_states_left = 0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::strategy::{Shorten, Strategy};
    use crate::search::{Counters, Limits, Store, breadth_first, depth_first, explore, find_cycle};
    use crate::system::{Abort, Marked, Step, TransitionSystem, Word};

    const WIDTH: usize = 1 << 13;
    const N_SUCCESSORS: u64 = 64;

    /// A tree of wide states with many branches.
    struct Tree {
        /// Whether each path ends in a cycle.
        has_cycles: bool,
    }

    impl TransitionSystem for Tree {
        fn width(&self) -> usize {
            WIDTH
        }

        fn initial(&self, state: &mut [Word]) {
            state.fill(0);
        }

        fn successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
            self.marked_successors(state, out, &mut Vec::new())
        }

        fn is_goal(&self, _: &[Word]) -> bool {
            false
        }
    }

    impl Marked for Tree {
        fn all_marks(&self) -> u64 {
            1
        }

        fn marked_successors(
            &mut self,
            state: &[Word],
            out: &mut Successors,
            marks: &mut Vec<u64>,
        ) -> Result<(), Abort> {
            if state[0] == 2 {
                if self.has_cycles {
                    out.branch(Step::PLAIN, state);
                    marks.push(1);
                }
                return Ok(());
            }
            for number in 0..N_SUCCESSORS {
                let next = out.branch(Step::PLAIN, state);
                next[0] += 1;
                next[next[0] as usize] = number;
                marks.push(0);
            }
            Ok(())
        }
    }

    /// Runs a search until it has made many words, and checks that it polled
    /// in between.
    #[track_caller]
    fn check(name: &str, search: impl FnOnce(&mut dyn FnMut(&Counters) -> Option<crate::search::Stop>)) {
        let (mut n_polls, mut last, mut most) = (0, 0, 0);
        search(&mut |counters| {
            n_polls += 1;
            most = most.max(counters.generated.saturating_sub(last));
            last = counters.generated;
            None
        });
        let words = most as usize * WIDTH;
        assert!(words <= WORDS_PER_POLL + 2 * N_SUCCESSORS as usize * WIDTH, "{name}: {words}");
        assert!(n_polls > 5, "{name}: {n_polls}");
    }

    #[test]
    fn wide_successors_are_polled_often() {
        let tree = || Tree { has_cycles: false };
        let limits = Limits { max_states: Some(2000), max_bytes: None };
        check("depth first", |watch| {
            depth_first(&mut tree(), Store::Compact, None, limits, watch);
        });
        check("shortening", |watch| {
            depth_first(&mut tree(), Store::Compact, Some(Shorten::Quick), limits, watch);
        });
        check("layers", |watch| {
            breadth_first(vec![tree()], limits, watch);
        });
        check("cycle", |watch| {
            find_cycle(&mut tree(), limits, watch);
        });
        check("cycles near the first state", |watch| {
            find_cycle(&mut Tree { has_cycles: true }, limits, watch);
        });
        check("explore", |watch| {
            explore(&mut tree(), &Strategy::bfs(), |_| unreachable!("no heuristic"), limits, watch);
        });
    }

    #[test]
    fn narrow_successors_are_polled_seldom() {
        let mut interval = PollInterval::default();
        let mut successors = Successors::new(1);
        successors.branch(Step::PLAIN, &[0]);
        let polls = (0..5000).filter(|_| {
            interval.count(&successors);
            interval.is_due()
        });
        assert_eq!(polls.collect::<Vec<_>>(), [0, 1024, 2048, 3072, 4096]);
    }
}
