//! Number of processes that can move: 0 in a deadlock.

use super::{Aim, Estimator, Goal, HeuristicEntry, Refusal};
use crate::explicit::view::View;
use crate::net::Network;
use crate::system::{Guide, Word};

/// Entry of the table of heuristics.
pub(super) const ACTIVE: HeuristicEntry = HeuristicEntry {
    guide: Guide {
        name: "active",
        brief: "processes that can move; for deadlocks",
        admissible: false,
        monotone: false,
    },
    refuse,
    build: |engine, goal| Box::new(Active(View::new(engine).with_semantics(goal.semantics))),
};

fn refuse(_: &Network, goal: &Goal) -> Option<Refusal> {
    let is_asked = goal.aim == Aim::Errors && !goal.semantics.allows_blocked_end;
    (!is_asked).then(|| Refusal {
        why: "counts the processes that can move, but a deadlock does not violate this property".to_string(),
        help: "use another heuristic, or check `--property safety`".to_string(),
    })
}

struct Active<'e>(View<'e>);

impl Estimator for Active<'_> {
    fn estimate(&mut self, state: &[Word]) -> u32 {
        match self.0.fault(state) {
            None => self.0.n_active(state),
            Some(_) => 0,
        }
    }
}
