//! Replay of a sequence of steps that ends in a cycle.
//!
//! The steps of the cycle are repeated until a state recurs at the same
//! position and all marks have occurred. An observer with several alternatives
//! may need several rounds for that, so the pairs of a state and a position on
//! the cycle form a graph, in which the shortest cycle is taken.

use super::graph::{Edge, Graph};
use super::replay::Frontier;
use super::run::Run;
use super::{Cut, Improver};
use crate::system::{Step, StepId, TransitionSystem, Word};

/// Maximum number of rounds of a cycle until it is closed.
const MAX_ROUNDS: usize = 16;

/// Maximum number of steps around cycles while the shortest one is determined.
const MAX_EFFORT: u64 = 1 << 20;

impl<S: TransitionSystem> Improver<'_, S> {
    /// Returns the beginning of `run` with `n_kept` steps, continued by `prefix`
    /// and by steps of `cycle` around a cycle with all marks.
    pub fn lasso_along(
        &mut self,
        run: &Run,
        n_kept: usize,
        prefix: impl Iterator<Item = StepId>,
        cycle: &[StepId],
    ) -> Result<Option<Run>, Cut> {
        let Some(frontier) = self.follow_all(run.state(n_kept), prefix)? else { return Ok(None) };
        self.close(&frontier, (run, n_kept), cycle)
    }

    /// Returns the run of these steps from the initial state; those of `cycle`
    /// are repeated, or the last state if there are none.
    pub fn follow_lasso(&mut self, prefix: &[StepId], cycle: &[StepId]) -> Result<Option<Run>, Cut> {
        let begin = Run::at(&self.initial());
        let cycle = if cycle.is_empty() { &[Step::PLAIN.id] } else { cycle };
        self.lasso_along(&begin, 0, prefix.iter().copied(), cycle)
    }

    fn close(
        &mut self,
        frontier: &Frontier,
        (run, n_kept): (&Run, usize),
        cycle: &[StepId],
    ) -> Result<Option<Run>, Cut> {
        let width = self.system.width();
        let mut graph = Graph::new(width + 1);
        let key = |state: &[Word], at: usize| -> Vec<Word> { [state, &[at as Word]].concat() };
        let roots: Vec<u32> =
            frontier.current.iter().map(|it| graph.add(&key(frontier.state(*it), 0), || false)).collect();
        let max_nodes = (cycle.len() * frontier.current.len().max(1)).saturating_mul(MAX_ROUNDS) + 1;
        let mut node = 0;
        while (node as usize) < graph.n_nodes() && graph.n_nodes() <= max_nodes {
            let at = graph.state(node)[width] as usize;
            let state = graph.state(node)[..width].to_vec();
            self.expand_from(&state)?;
            let mut edges = Vec::new();
            for (choice, next) in self.out.iter().enumerate() {
                let step = self.step_to(choice);
                if step.id == cycle[at] {
                    let to = graph.add(&key(next, (at + 1) % cycle.len()), || false);
                    edges.push(Edge { to, choice: choice as u32, cost: step.cost, marks: step.marks });
                }
            }
            graph.expand(node, edges);
            node += 1;
        }
        let distances = graph.distances(&roots, (u64::MAX, false), |_, _| Ok(false))?;
        let mut effort = MAX_EFFORT;
        let lasso = graph.shortest_lasso(&distances, self.all_marks, u64::MAX, &mut effort);
        let Some(lasso) = lasso else { return Ok(None) };
        let mut path = graph.path(&distances, lasso.seed);
        let root = path.first().map_or(lasso.seed, |it| it.0);
        let Some(start) = roots.iter().position(|it| *it == root) else { return Ok(None) };
        let mut found = run.beginning(n_kept);
        frontier.append_to(&mut found, frontier.current[start]);
        let cycle_at = found.steps.len() + path.len();
        path.extend(lasso.cycle);
        self.append_path(&mut found, &graph, &path)?;
        found.cycle = Some(cycle_at);
        Ok(Some(found))
    }

    /// Appends the steps of a path of a graph to a run that ends where it
    /// begins.
    pub(super) fn append_path(
        &mut self,
        run: &mut Run,
        graph: &Graph,
        path: &[(u32, Edge)],
    ) -> Result<(), Cut> {
        let width = self.system.width();
        for (node, edge) in path {
            self.expand_from(&graph.state(*node)[..width])?;
            run.push(self.step_to(edge.choice as usize), &graph.state(edge.to)[..width]);
        }
        Ok(())
    }
}
