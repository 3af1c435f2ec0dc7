//! Random graphs: an improved run is a run, never longer, and the shortest one
//! if the search says so.

use super::*;
use crate::base::random::Random;
use crate::system::{Step, StepId};

/// A random graph. A state is the number of a node.
struct Graph {
    /// Per node, the successors with id, cost and marks.
    edges: Vec<Vec<(u64, u64, u32, u64)>>,
    goals: Vec<bool>,
}

impl Graph {
    fn random(random: &mut Random, n_nodes: u64) -> Self {
        let mut below = |n: u64| u64::from(random.below(n as u32));
        let mut edges: Vec<Vec<(u64, u64, u32, u64)>> = vec![Vec::new(); n_nodes as usize];
        for node in 0..n_nodes {
            for _ in 0..1 + below(3) {
                // Most edges lead to the next nodes, so that paths are long.
                let to = if below(4) > 0 { (node + 1 + below(2)) % n_nodes } else { below(n_nodes) };
                let marks = u64::from(below(6) == 0) | u64::from(below(6) == 0) << 1;
                edges[node as usize].push((to, below(6), 1 + below(2) as u32, marks));
            }
        }
        let goals = (0..n_nodes).map(|node| node > n_nodes / 2 && below(8) == 0).collect();
        Self { edges, goals }
    }

    /// Returns a random run that a predicate accepts.
    fn run(&mut self, random: &mut Random, is_end: impl Fn(&Self, &Run) -> bool) -> Option<Run> {
        let mut run = Run::at(&[0]);
        while !is_end(self, &run) {
            if run.steps.len() > 400 {
                return None;
            }
            let node = run.last()[0] as usize;
            let choice = random.below(self.edges[node].len() as u32) as usize;
            let (to, id, cost, marks) = self.edges[node][choice];
            run.push(RunStep { id: StepId(id), cost, process: (id % 3) as u32, choice, marks }, &[to]);
        }
        Some(run)
    }

    /// Checks that a run is one of this graph.
    fn expect_run(&self, run: &Run) {
        assert_eq!(run.state(0), [0]);
        for (index, step) in run.steps.iter().enumerate() {
            let node = run.state(index)[0] as usize;
            let (to, id, cost, marks) = self.edges[node][step.choice];
            assert_eq!(run.state(index + 1), [to]);
            assert_eq!((step.id, step.cost), (StepId(id), cost));
            assert!(run.cycle.is_none() || step.marks == marks);
        }
        match run.cycle {
            Some(cycle) => {
                assert_eq!(run.state(cycle), run.last());
                let marks = run.steps[cycle..].iter().fold(0, |all, it| all | it.marks);
                assert!(cycle < run.steps.len() && marks == 3);
            }
            None => assert!(self.goals[run.last()[0] as usize]),
        }
    }

    /// Returns the cost of the shortest run to a goal, by relaxation.
    fn shortest(&self, from: usize) -> Vec<u64> {
        let mut costs = vec![u64::MAX; self.edges.len()];
        costs[from] = 0;
        for _ in 0..self.edges.len() {
            for node in 0..self.edges.len() {
                for &(to, _, cost, _) in &self.edges[node] {
                    let through = costs[node].saturating_add(u64::from(cost));
                    costs[to as usize] = costs[to as usize].min(through);
                }
            }
        }
        costs
    }

    /// Returns the cost of the shortest run with both marks on its cycle.
    fn shortest_lasso(&self) -> Option<u64> {
        let n_nodes = self.edges.len();
        let prefix = self.shortest(0);
        let cycle = |seed: usize| {
            // Nodes with the marks seen so far.
            let mut costs = vec![u64::MAX; n_nodes * 4];
            costs[seed * 4] = 0;
            for _ in 0..4 * n_nodes {
                for at in (0..4 * n_nodes).filter(|it| costs[*it] < u64::MAX).collect::<Vec<_>>() {
                    for &(to, _, cost, marks) in &self.edges[at / 4] {
                        let next = to as usize * 4 + ((at % 4) | marks as usize);
                        costs[next] = costs[next].min(costs[at] + u64::from(cost));
                    }
                }
            }
            costs[seed * 4 + 3]
        };
        let all = (0..n_nodes).filter(|it| prefix[*it] < u64::MAX);
        all.filter_map(|it| prefix[it].checked_add(cycle(it))).min()
    }
}

impl TransitionSystem for Graph {
    fn width(&self) -> usize {
        1
    }

    fn initial(&self, state: &mut [Word]) {
        state[0] = 0;
    }

    fn successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
        for &(to, id, cost, _) in &self.edges[state[0] as usize] {
            out.branch(Step { id: StepId(id), cost, process: (id % 3) as u32 }, &[to]);
        }
        Ok(())
    }

    fn is_goal(&self, state: &[Word]) -> bool {
        self.goals[state[0] as usize]
    }
}

impl Marked for Graph {
    fn all_marks(&self) -> u64 {
        3
    }

    fn marked_successors(
        &mut self,
        state: &[Word],
        out: &mut Successors,
        marks: &mut Vec<u64>,
    ) -> Result<(), Abort> {
        marks.extend(self.edges[state[0] as usize].iter().map(|it| it.3));
        self.successors(state, out)
    }
}

#[test]
fn runs_to_goals_become_shorter_and_the_search_finds_the_shortest() {
    let mut random = Random::new(7);
    let (mut n_runs, mut n_minimised) = (0, 0);
    for _ in 0..600 {
        let mut graph = Graph::random(&mut random, 40);
        let goals = graph.goals.clone();
        let Some(run) = graph.run(&mut random, |it, run| it.goals[run.last()[0] as usize]) else { continue };
        let shortest = (0..40).filter(|it| goals[*it]).map(|it| graph.shortest(0)[it]).min();
        let accepts = |state: &[Word]| goals[state[0] as usize];
        let watch: Watcher = &mut |_| None;
        let mut improver = Improver::to_goals(&mut graph, &accepts, Limits::default(), watch);
        let ids: Vec<StepId> = run.steps.iter().map(|it| it.id).collect();
        let followed = improver.follow_given(&ids, &|_, _| true).expect("there are no limits");
        let followed = followed.expect("the steps lead to a goal");
        let mut minimised = run.without_loops();
        assert!(improver.minimise(&mut minimised, u64::MAX).expect("there are no limits"));
        let mut found = minimised.clone();
        let explored = improver.search(&mut found, u64::MAX).expect("there are no limits");
        for it in [&followed, &minimised, &found] {
            graph.expect_run(it);
        }
        assert!(minimised.cost() <= run.cost() && found.cost() <= minimised.cost());
        assert!(explored.is_shortest && Some(found.cost()) == shortest);
        n_runs += 1;
        n_minimised += u32::from(minimised.cost() < run.without_loops().cost());
    }
    assert!(n_runs > 300 && n_minimised > 30, "{n_runs}, {n_minimised}");
}

#[test]
fn runs_into_cycles_become_shorter_and_stay_closed() {
    let mut random = Random::new(8);
    let (mut n_runs, mut n_minimised) = (0, 0);
    for _ in 0..200 {
        let mut graph = Graph::random(&mut random, 24);
        let shortest = graph.shortest_lasso();
        let cycle_of = |run: &Run| {
            (0..run.steps.len()).rev().find(|it| {
                let marks = run.steps[*it..].iter().fold(0, |all, step| all | step.marks);
                run.state(*it) == run.last() && marks == 3
            })
        };
        let Some(mut run) = graph.run(&mut random, |_, run| cycle_of(run).is_some()) else { continue };
        run.cycle = cycle_of(&run);
        graph.expect_run(&run);
        let accepts = |_: &[Word]| false;
        let watch: Watcher = &mut |_| None;
        let mut improver = Improver::to_cycles(&mut graph, &accepts, Limits::default(), watch);
        let ids: Vec<StepId> = run.steps.iter().map(|it| it.id).collect();
        let (prefix, around) = ids.split_at(run.cycle.expect("it has a cycle"));
        let followed = improver.follow_lasso(prefix, around).expect("there are no limits");
        let followed = followed.expect("the steps lead into a cycle");
        let mut minimised = run.without_loops();
        assert!(improver.minimise(&mut minimised, u64::MAX).expect("there are no limits"));
        let mut found = minimised.clone();
        let explored = improver.search(&mut found, u64::MAX).expect("there are no limits");
        for it in [&followed, &minimised, &found] {
            graph.expect_run(it);
        }
        assert!(minimised.cost() <= run.cost() && found.cost() <= minimised.cost());
        assert!(explored.is_shortest);
        assert_eq!(Some(found.cost()), shortest);
        n_runs += 1;
        n_minimised += u32::from(minimised.cost() < run.without_loops().cost());
    }
    assert!(n_runs > 100 && n_minimised > 10, "{n_runs}, {n_minimised}");
}

/// The search has less room than there are states.
#[test]
fn a_search_with_a_budget_claims_nothing_that_it_does_not_know() {
    let mut random = Random::new(9);
    let (mut n_claims, mut n_open) = (0, 0);
    for _ in 0..400 {
        let mut graph = Graph::random(&mut random, 60);
        let goals = graph.goals.clone();
        let Some(run) = graph.run(&mut random, |it, run| it.goals[run.last()[0] as usize]) else { continue };
        let shortest = (0..60).filter(|it| goals[*it]).map(|it| graph.shortest(0)[it]).min();
        let accepts = |state: &[Word]| goals[state[0] as usize];
        let watch: Watcher = &mut |_| None;
        let mut improver = Improver::to_goals(&mut graph, &accepts, Limits::default(), watch);
        let mut found = run.clone();
        let budget = u64::from(random.below(60));
        let explored = improver.search(&mut found, budget).expect("there are no limits");
        graph.expect_run(&found);
        assert!(found.cost() <= run.cost() && explored.n_expanded <= budget);
        assert!(!explored.is_shortest || Some(found.cost()) == shortest);
        n_claims += u32::from(explored.is_shortest);
        n_open += u32::from(!explored.is_shortest);
    }
    assert!(n_claims > 20 && n_open > 20, "{n_claims}, {n_open}");
}
