//! Steps of several statements, and systems that cannot continue: on random
//! graphs, all searches agree on lengths, and no aborted search ends as
//! exhausted.

use crate::base::random::Random;
use crate::search::strategy::{Rule, Shorten, parse};
use crate::search::*;
use crate::system::{
    Abort, Arrived, Guide, Heuristic, Marked, Step, StepId, Successors, TransitionSystem, Word,
};
use std::collections::BTreeMap;

/// A graph whose edges have costs.
#[derive(Clone, Debug)]
struct Graph {
    /// Per state, its successors and their costs.
    edges: Vec<Vec<(Word, u32)>>,
    goals: Vec<Word>,
    /// State whose successors are missing, and why.
    abort: Option<(Word, Abort)>,
}

impl TransitionSystem for Graph {
    fn width(&self) -> usize {
        1
    }

    fn initial(&self, state: &mut [Word]) {
        state[0] = 0;
    }

    fn successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
        for (index, &(to, cost)) in self.edges[state[0] as usize].iter().enumerate() {
            let id = StepId(state[0] << 8 | index as Word);
            out.branch(Step { id, cost, process: 7 }, state)[0] = to;
        }
        match self.abort {
            Some((at, abort)) if at == state[0] => Err(abort),
            _ => Ok(()),
        }
    }

    fn is_goal(&self, state: &[Word]) -> bool {
        self.goals.contains(&state[0])
    }
}

impl Marked for Graph {
    fn all_marks(&self) -> u64 {
        1
    }

    fn marked_successors(
        &mut self,
        state: &[Word],
        out: &mut Successors,
        marks: &mut Vec<u64>,
    ) -> Result<(), Abort> {
        let before = out.len();
        let made = self.successors(state, out);
        marks.extend(vec![0; out.len() - before]);
        made
    }
}

/// A graph of 2 to 31 states.
fn graph(random: &mut Random) -> Graph {
    let mut below = |n: u64| u64::from(random.below(n as u32));
    let n_states = 2 + below(30);
    let mut edges = vec![Vec::new(); n_states as usize];
    for _ in 0..below(4 * n_states) {
        let (from, to) = (below(n_states), below(n_states));
        // Most steps are short; a few reach beyond all near layers.
        let cost = match below(10) {
            0 => 200 + below(200),
            1..4 => 2 + below(9),
            _ => 1,
        };
        edges[from as usize].push((to, cost as u32));
    }
    let goals = (0..below(3)).map(|_| 1 + below(n_states - 1)).collect();
    Graph { edges, goals, abort: None }
}

impl Graph {
    /// Distances from a state, by relaxation until nothing changes.
    fn distances(&self, from: Word) -> BTreeMap<Word, u32> {
        let mut distances = BTreeMap::from([(from, 0)]);
        loop {
            let before = distances.clone();
            for (&state, &distance) in &before {
                for &(to, cost) in &self.edges[state as usize] {
                    let known = distances.entry(to).or_insert(u32::MAX);
                    *known = (*known).min(distance + cost);
                }
            }
            if before == distances {
                return distances;
            }
        }
    }

    fn shortest(&self) -> Option<u32> {
        let distances = self.distances(0);
        self.goals.iter().filter_map(|goal| distances.get(goal).copied()).min()
    }

    /// Returns the length of a path from the initial state to a goal.
    fn length(&self, path: &[Vec<Word>]) -> u32 {
        assert_eq!(path[0], [0]);
        assert!(self.goals.contains(&path[path.len() - 1][0]));
        let cost = |pair: &[Vec<Word>]| {
            let edges = self.edges[pair[0][0] as usize].iter().filter(|it| it.0 == pair[1][0]);
            edges.map(|it| it.1).min().expect("a path follows edges")
        };
        path.windows(2).map(cost).sum()
    }
}

/// Half of the distance to a goal. It also checks how states were reached.
struct Half {
    graph: Graph,
    distances: Vec<Option<u32>>,
    /// Numbers of the states that were seen.
    states: BTreeMap<StateId, (Word, u32)>,
}

impl Half {
    fn new(graph: &Graph) -> Self {
        let to_goal = |state: usize| {
            let distances = graph.distances(state as Word);
            graph.goals.iter().filter_map(|goal| distances.get(goal).copied()).min()
        };
        let distances = (0..graph.edges.len()).map(to_goal).collect();
        Self { graph: graph.clone(), distances, states: BTreeMap::new() }
    }
}

impl Heuristic for Half {
    fn per_step(&self) -> u32 {
        2
    }

    fn estimate(&mut self, arrived: &Arrived) -> Option<u32> {
        let state = arrived.state[0];
        match arrived.from {
            None => assert_eq!((arrived.id.index(), state, arrived.g), (0, 0, 0)),
            Some((parent, step)) => {
                let (from, g) = self.states[&parent];
                let (to, cost) = self.graph.edges[from as usize][(step.id.0 & 255) as usize];
                assert_eq!((step.id.0 >> 8, step.cost, step.process), (from, cost, 7));
                // The parent may have been reached by a shorter path since.
                assert!(to == state && arrived.g >= g + cost || arrived.g == g + cost);
            }
        }
        let known = self.states.entry(arrived.id).or_insert((state, arrived.g));
        known.1 = known.1.min(arrived.g);
        self.distances[state as usize]
    }
}

const GUIDES: [Guide; 1] = [Guide { name: "half", brief: "", admissible: true, monotone: true }];

fn strategy(text: &str) -> Strategy {
    let mut sources = crate::diag::Sources::default();
    let source = sources.add("strategy", text);
    parse(source, &sources, &GUIDES).expect("the strategy is right").resolve(false).clone()
}

fn run(graph: &Graph, strategy: &Strategy) -> SearchRun {
    let mut half = Half::new(graph);
    if graph.abort.is_some() {
        // No state is dropped.
        half.distances.iter_mut().for_each(|it| *it = it.or(Some(0)));
    }
    let mut half = Some(half);
    let build = |_: &str| Box::new(half.take().expect("it is built once")) as Box<dyn Heuristic>;
    explore(&mut graph.clone(), strategy, build, Limits::default(), &mut |_| None)
}

fn path(run: &SearchRun) -> Option<Vec<Vec<Word>>> {
    let End::Found(goal) = run.end else { return None };
    Some(run.space.path(goal).iter().map(|&id| run.space.state(id).to_vec()).collect())
}

const STRATEGIES: [&str; 12] = [
    "bfs",
    "dfs",
    "mixed",
    "astar(half)",
    "wa(half, w=1)",
    "wa(half, w=3)",
    "bf(half)",
    "bfs + bf(half)",
    "dfs(shorten=exact)",
    "dfs(shorten=quick)",
    "propagate",
    "bf(half) | bfs",
];

#[test]
fn who_claims_a_shortest_path_has_one() {
    let mut random = Random::new(17);
    let mut n_found = 0;
    for round in 0..600 {
        let graph = graph(&mut random);
        let shortest = graph.shortest();
        n_found += usize::from(shortest.is_some());
        for text in STRATEGIES {
            let strategy = strategy(text);
            let run = run(&graph, &strategy);
            let length = path(&run).map(|path| graph.length(&path));
            assert_eq!(length.is_some(), shortest.is_some(), "{text} in round {round}: {graph:?}");
            assert!(length.is_some() || run.end == End::Exhausted, "{text} in round {round}");
            if run.shortest || strategy.claims(&GUIDES).shortest {
                assert_eq!(length, shortest, "{text} in round {round}: {graph:?}");
            }
        }
        for n_threads in 1..4 {
            let layered = breadth_first(vec![graph.clone(); n_threads], Limits::default(), &mut |_| None);
            let length = layered.path.map(|path| graph.length(&path));
            assert_eq!(length, shortest, "{n_threads} threads in round {round}");
        }
    }
    assert!((200..500).contains(&n_found), "{n_found}");
}

#[test]
fn a_bound_counts_statements() {
    let mut random = Random::new(5);
    for round in 0..400 {
        let graph = graph(&mut random);
        let shortest = graph.shortest();
        let farthest = graph.distances(0).into_values().max().unwrap_or_default();
        for bound in [1, 3, 9, 200, farthest, farthest + 1] {
            let run = run(&graph, &strategy(&format!("dfs(depth={})", bound.max(1))));
            let bound = bound.max(1);
            let length = path(&run).map(|path| graph.length(&path));
            match run.end {
                End::Found(_) => assert!(length <= Some(bound), "{length:?} with {bound} in round {round}"),
                End::Exhausted => {
                    assert!(shortest.is_none() && farthest <= bound, "with {bound} in round {round}");
                }
                _ => {
                    assert_eq!(run.end, End::Stopped(Stop::Depth));
                    assert!(shortest.is_none_or(|it| it > bound), "with {bound} in round {round}: {graph:?}");
                    assert!(farthest > bound, "with {bound} in round {round}: {graph:?}");
                }
            }
        }
    }
}

/// Returns the end of every search of a graph in which some state aborts it.
fn ends(graph: &Graph) -> Vec<(String, End)> {
    let mut ends: Vec<(String, End)> =
        STRATEGIES.iter().map(|text| (text.to_string(), run(graph, &strategy(text)).end)).collect();
    for depth in [1, 8] {
        let strategy = Strategy::of(Rule::Dfs { depth: Some(depth) });
        ends.push((strategy.to_string(), run(graph, &strategy).end));
    }
    for n_threads in 1..4 {
        let layered = breadth_first(vec![graph.clone(); n_threads], Limits::default(), &mut |_| None);
        ends.push((format!("{n_threads} threads"), SearchRun::from(layered).end));
        let systems = vec![graph.clone(); n_threads];
        let (run, _) = mixed_by_threads(systems, &mut graph.clone(), Limits::default(), &mut |_| None);
        ends.push((format!("mixed by {n_threads} threads"), run.end));
    }
    for store in [Store::Exact, Store::Compressed, Store::Compact] {
        for shorten in [None, Some(Shorten::Quick)] {
            let descent = depth_first(&mut graph.clone(), store, shorten, Limits::default(), &mut |_| None);
            ends.push((format!("{store:?} {shorten:?}"), SearchRun::from(descent).end));
        }
    }
    let mut system = graph.clone();
    let run = mixed(&mut system, Some(&mut graph.clone()), Limits::default(), &mut |_| None);
    ends.push(("mixed with a scout".to_string(), run.end));
    ends.push(("cycles".to_string(), find_cycle(&mut graph.clone(), Limits::default(), &mut |_| None).end));
    ends
}

#[test]
fn an_aborted_search_is_never_exhausted() {
    let mut random = Random::new(23);
    let (mut n_found, mut n_aborted) = (0, 0);
    for round in 0..300 {
        let mut graph = graph(&mut random);
        let reachable: Vec<Word> = graph.distances(0).into_keys().collect();
        let at = reachable[random.below(reachable.len() as u32) as usize];
        for abort in [Abort::Restart, Abort::TooLong, Abort::Stopped(Stop::Time)] {
            graph.abort = Some((at, abort));
            for (name, end) in ends(&graph) {
                match end {
                    End::Found(_) => n_found += 1,
                    End::Aborted(it) => {
                        assert_eq!(it, abort, "{name} in round {round}");
                        n_aborted += 1;
                    }
                    End::Stopped(stop) => {
                        let is_bound = stop == Stop::Depth && name.contains("depth");
                        assert!(is_bound || abort == Abort::Stopped(stop), "{name} in round {round}");
                    }
                    End::Exhausted => panic!("{name} in round {round} with {abort:?}: {graph:?}"),
                }
            }
        }
        // Successors of an overlong step are real: a goal among them is found.
        let successors = &graph.edges[0];
        if let Some(&(goal, _)) = successors.iter().find(|it| it.0 != 0) {
            graph.abort = Some((0, Abort::TooLong));
            graph.goals = vec![goal];
            for (name, end) in ends(&graph) {
                assert!(
                    matches!(end, End::Found(_)) || name.contains("depth"),
                    "{name} in round {round}: {end:?}"
                );
            }
        }
    }
    assert!(n_found > 1000 && n_aborted > 1000, "{n_found} found, {n_aborted} aborted");
}
