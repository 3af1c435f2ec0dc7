//! Search for a shorter run among the states near a known one.
//!
//! Half of the work is a breadth-first search from the initial state, which
//! stays below the length of the run: if it ends, no shorter run exists. The
//! other half explores the states around the run, in the order of their
//! distance from it; a path through them may use parts of the run. Both add to
//! one graph, and a shorter run in it becomes the next one to explore around.
//! Rounds double, so most of the work is done around the best run.
//!
//! A strategy that is guided to the last state of the run would be a third part
//! of a round, in [`Improver::search`].

use super::graph::{Distances, Edge, Graph};
use super::run::Run;
use super::{Cut, Improver};
use crate::system::{TransitionSystem, Word};

/// Minimum number of expansions of the first round.
const FIRST_ROUND: u64 = 1024;

/// Maximum number of steps around cycles per expanded state, when the shortest
/// cycle is determined.
const EFFORT_PER_STATE: u64 = 64;

/// Minimum of the maximum number of steps around cycles.
const MIN_EFFORT: u64 = 1 << 22;

/// What a search for a shorter run has found out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Explored {
    /// Number of expanded states.
    pub n_expanded: u64,
    /// Whether no shorter run exists.
    pub is_shortest: bool,
}

impl<S: TransitionSystem> Improver<'_, S> {
    /// Replaces the run by a shorter one, as long as one is found by expanding
    /// at most `max_states` states.
    pub fn search(&mut self, run: &mut Run, max_states: u64) -> Result<Explored, Cut> {
        let mut graph = Graph::new(self.system.width());
        let root = self.add(&mut graph, &self.initial());
        let mut round = FIRST_ROUND.max(2 * run.steps.len() as u64);
        loop {
            let n_at_first = graph.n_expanded;
            let n_left = max_states.saturating_sub(n_at_first);
            round = round.min(n_left.div_ceil(2));
            let is_complete = self.search_below(run, &mut graph, root, round)?;
            if is_complete && !self.is_partial {
                return Ok(Explored { n_expanded: graph.n_expanded, is_shortest: true });
            }
            let n_before = graph.n_expanded;
            self.around(run, &mut graph, round.min(max_states.saturating_sub(n_before)))?;
            self.search_below(run, &mut graph, root, 0)?;
            if graph.n_expanded >= max_states || graph.n_expanded == n_at_first {
                return Ok(Explored { n_expanded: graph.n_expanded, is_shortest: false });
            }
            round *= 2;
        }
    }

    /// Looks for a shorter run from the initial state, with at most `budget`
    /// expansions. Returns whether there is no shorter one.
    fn search_below(
        &mut self,
        run: &mut Run,
        graph: &mut Graph,
        root: u32,
        budget: u64,
    ) -> Result<bool, Cut> {
        let distances = self.sweep(graph, &[root], (run.cost(), true), budget)?;
        let begin = Run::at(graph.state(root));
        if self.all_marks == 0 {
            if let Some(goal) = distances.goal {
                let mut found = begin;
                self.append_path(&mut found, graph, &graph.path(&distances, goal))?;
                *run = found;
            }
            return Ok(distances.is_complete);
        }
        let mut effort = graph.n_expanded.saturating_mul(EFFORT_PER_STATE).max(MIN_EFFORT);
        let lasso = graph.shortest_lasso(&distances, self.all_marks, run.cost(), &mut effort);
        if let Some(lasso) = lasso {
            let mut found = begin;
            let mut path = graph.path(&distances, lasso.seed);
            let cycle = path.len();
            path.extend(lasso.cycle);
            self.append_path(&mut found, graph, &path)?;
            found.cycle = Some(cycle);
            *run = found;
        }
        Ok(distances.is_complete && effort > 0)
    }

    /// Expands up to `budget` states around a run.
    fn around(&mut self, run: &Run, graph: &mut Graph, budget: u64) -> Result<(), Cut> {
        let sources: Vec<u32> = run.states().map(|state| self.add(graph, state)).collect();
        self.sweep(graph, &sources, (run.cost(), false), budget).map(drop)
    }

    fn sweep(
        &mut self,
        graph: &mut Graph,
        sources: &[u32],
        bound: (u64, bool),
        mut budget: u64,
    ) -> Result<Distances, Cut> {
        graph.distances(sources, bound, |graph, node| {
            if budget == 0 {
                return Ok(false);
            }
            budget -= 1;
            self.expand_node(graph, node)?;
            Ok(true)
        })
    }

    fn expand_node(&mut self, graph: &mut Graph, node: u32) -> Result<(), Cut> {
        self.expand_from(graph.state(node))?;
        let mut edges = Vec::with_capacity(self.out.len());
        for (choice, next) in self.out.iter().enumerate() {
            let to = self.add(graph, next);
            let step = self.step_to(choice);
            edges.push(Edge { to, choice: choice as u32, cost: step.cost, marks: step.marks });
        }
        graph.expand(node, edges);
        self.counters.stored = graph.n_nodes() as u64;
        self.counters.bytes = self.counters.bytes.max(graph.bytes());
        Ok(())
    }

    fn add(&self, graph: &mut Graph, state: &[Word]) -> u32 {
        graph.add(state, || self.all_marks == 0 && (self.accepts)(state))
    }
}
