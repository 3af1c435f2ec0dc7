//! Cycles of random graphs, compared with components found by another
//! algorithm.

use super::*;
use crate::search::explore::Limits;
use crate::system::{Step, TransitionSystem};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// A graph whose states are numbers; per state, its steps with their marks.
struct Graph {
    steps: Vec<Vec<(u64, u64)>>,
    all_marks: u64,
    goal: Option<u64>,
}

impl TransitionSystem for Graph {
    fn width(&self) -> usize {
        1
    }

    fn initial(&self, state: &mut [Word]) {
        state[0] = 0;
    }

    fn successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
        self.marked_successors(state, out, &mut Vec::new())
    }

    fn is_goal(&self, state: &[Word]) -> bool {
        self.goal == Some(state[0])
    }
}

impl Marked for Graph {
    fn all_marks(&self) -> u64 {
        self.all_marks
    }

    fn marked_successors(
        &mut self,
        state: &[Word],
        out: &mut Successors,
        marks: &mut Vec<u64>,
    ) -> Result<(), Abort> {
        for &(to, mark) in &self.steps[state[0] as usize] {
            out.branch(Step::PLAIN, &[to]);
            marks.push(mark);
        }
        Ok(())
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn graph(&mut self) -> Graph {
        let n_states = 1 + self.below(12);
        let n_marks = 1 + self.below(3);
        let mut steps = vec![Vec::new(); n_states as usize];
        for _ in 0..self.below(3 * n_states) {
            let mark = (1 << self.below(n_marks)) * self.below(2);
            steps[self.below(n_states) as usize].push((self.below(n_states), mark));
        }
        Graph { steps, all_marks: (1 << n_marks) - 1, goal: None }
    }
}

/// Returns whether a component with all marks is reachable.
fn has_cycle(graph: &Graph) -> bool {
    let mut reached = vec![false; graph.steps.len()];
    let mut pending = vec![0];
    while let Some(at) = pending.pop() {
        if !std::mem::replace(&mut reached[at], true) {
            pending.extend(graph.steps[at].iter().map(|&(to, _)| to as usize));
        }
    }
    let mut copy: DiGraph<(), u64> = DiGraph::new();
    for _ in &graph.steps {
        copy.add_node(());
    }
    for (from, steps) in graph.steps.iter().enumerate() {
        for &(to, mark) in steps {
            copy.add_edge(NodeIndex::new(from), NodeIndex::new(to as usize), mark);
        }
    }
    tarjan_scc(&copy).iter().any(|nodes| {
        let inside = |node: usize| nodes.iter().any(|it| it.index() == node);
        let steps = nodes.iter().flat_map(|node| &graph.steps[node.index()]);
        let within = steps.filter(|(to, _)| inside(*to as usize));
        let marks = within.map(|&(_, mark)| mark).fold(0, |all, mark| all | mark);
        reached[nodes[0].index()] && marks == graph.all_marks
    })
}

fn run(graph: &mut Graph) -> CycleRun {
    find_cycle(graph, Limits::default(), &mut |_| None)
}

/// Returns the marks of the steps of a path; any step where several are
/// possible.
fn marks_of(graph: &Graph, run: &CycleRun) -> Vec<u64> {
    let number = |at: &Waypoint| run.space.state(at.state)[0];
    let mut marks = Vec::new();
    for pair in run.path.windows(2) {
        let steps = &graph.steps[number(&pair[0]) as usize];
        let step = match pair[1].step {
            Some(index) => steps[index],
            None => *steps.iter().find(|(to, _)| *to == number(&pair[1])).expect("a step"),
        };
        assert_eq!(step.0, number(&pair[1]), "the step leads there");
        marks.push(step.1);
    }
    marks
}

#[test]
fn cycles_are_found_exactly_where_there_are_any() {
    let mut random = Random(11);
    let (mut n_found, mut n_none) = (0, 0);
    for _ in 0..4000 {
        let mut graph = random.graph();
        let run = run(&mut graph);
        assert_eq!(matches!(run.end, End::Found(_)), has_cycle(&graph), "{:?}", graph.steps);
        let Some(start) = run.cycle else {
            n_none += 1;
            continue;
        };
        n_found += 1;
        assert_eq!(run.path[0].state, StateId::new(0));
        assert_eq!(run.path[start].state, run.path.last().expect("it has states").state);
        let marks = marks_of(&graph, &run)[start..].iter().fold(0, |all, mark| all | mark);
        assert_eq!(marks, graph.all_marks, "{:?}: {:?}", graph.steps, run.path);
    }
    assert!(n_found > 500 && n_none > 500, "{n_found} and {n_none}");
}

#[test]
fn a_goal_ends_the_search_by_a_shortest_way_among_known_states() {
    let steps = vec![vec![(1, 0)], vec![(2, 0), (3, 0)], vec![(3, 0)], vec![]];
    let mut graph = Graph { steps, all_marks: 1, goal: Some(3) };
    let run = run(&mut graph);
    assert!(matches!(run.end, End::Found(_)));
    assert_eq!((run.path.len(), run.cycle), (3, None));
}

#[test]
fn limits_are_kept() {
    let steps = (0..5000).map(|at| vec![(at + 1, 0)]).chain([vec![]]).collect();
    let mut graph = Graph { steps, all_marks: 1, goal: None };
    let limits = Limits { max_states: Some(100), max_bytes: None };
    assert_eq!(find_cycle(&mut graph, limits, &mut |_| None).end, End::Stopped(Stop::States));
    let mut n_asked = 0;
    let end = find_cycle(&mut graph, Limits::default(), &mut |_| {
        n_asked += 1;
        (n_asked == 3).then_some(Stop::Time)
    });
    assert_eq!(end.end, End::Stopped(Stop::Time));
}

/// A line of states, with a step back from the last one to the first.
fn ring(n_states: u64, goal: Option<u64>) -> Graph {
    let step = |at| vec![((at + 1) % n_states, u64::from(at + 1 == n_states))];
    Graph { steps: (0..n_states).map(step).collect(), all_marks: 1, goal }
}

/// Stops the search once the last state has been expanded.
fn stopped_after(n_states: u64, graph: &mut Graph) -> CycleRun {
    find_cycle(graph, Limits::default(), &mut |counters| {
        (counters.expanded >= n_states - 1).then_some(Stop::Time)
    })
}

#[test]
fn a_cycle_is_found_even_if_the_path_to_it_is_not() {
    let run = stopped_after(5000, &mut ring(5000, None));
    assert!(matches!(run.end, End::Found(_)));
    assert_eq!((run.path.len(), run.cycle, run.cut_short), (0, None, Some(Stop::Time)));
    let run = stopped_after(5000, &mut ring(5000, Some(4999)));
    assert!(matches!(run.end, End::Found(_)));
    assert_eq!((run.path.len(), run.cycle, run.cut_short), (5000, None, None));
    let last = run.path.last().expect("it has states").state;
    assert_eq!(run.space.state(last), [4999]);
}

/// Depth-first search finds the long cycle first.
#[test]
fn a_cycle_near_the_first_state_is_preferred() {
    let mut steps: Vec<Vec<(u64, u64)>> = (1..=30).map(|next| vec![(next, 0)]).collect();
    steps.push(vec![(20, 1)]);
    steps[0].push((31, 0));
    steps.push(vec![(32, 0)]);
    steps.push(vec![(31, 1)]);
    let mut graph = Graph { steps, all_marks: 1, goal: None };
    let found = run(&mut graph);
    assert_eq!((found.path.len(), found.cycle), (5, Some(2)));
    let limits = Limits { max_states: Some(1), max_bytes: None };
    assert!(near::shorter(&mut graph, 40, &Counters::default(), limits, &mut |_| None).is_none());
}
