//! Every strategy on one node-tuple graph, and what must be true of each run.
//!
//! A run is judged by questions to the graph alone: the states on a path are
//! looked up among the successors of the ones before, and lengths are compared
//! with distances that are found here by plain breadth-first search.

#![allow(dead_code, missing_docs)]

pub mod exact;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use trapline::flow::heuristics::{self, guides};
use trapline::flow::{Component, Product};
use trapline::search::strategy::{Claims, Rule};
use trapline::search::{
    Counters, End, Limits, SearchRun, StageCost, StateId, Stop, Strategy, StrategyChoice, explore,
};
use trapline::system::{Arrived, Heuristic, Successors, TransitionSystem, Word};
use trapline::verify::engine::strategy_of;
use trapline::verify::flow::Assembly;

/// The weights of the published study.
pub const WEIGHTS: [u32; 5] = [1, 2, 3, 5, 9];

/// A depth that no path of a small model exceeds without a cycle.
pub const DEEP: u32 = 1_000_000;

/// The algorithms of the published study: four in one stage, eight in two,
/// those with a weight once for each.
pub fn published() -> Vec<String> {
    let mut all: Vec<String> = ["bfs", "dfs", "bf(ta)"].map(String::from).into();
    let mut first_stages: Vec<String> = ["bfs", "bf(trap)"].map(String::from).into();
    for weight in WEIGHTS {
        all.push(format!("wa(ta, w={weight})"));
        first_stages.push(format!("wa(ta, w={weight})"));
        first_stages.push(format!("bf(trap) + wa(ta, w={weight})"));
    }
    for first in first_stages {
        all.extend(["dfs", "bf(ta)"].map(|second| format!("{first} / {second}")));
    }
    all
}

/// Everything else: our own rules, every heuristic in every place, chains,
/// queues that take turns, and the presets.
pub fn additional() -> Vec<String> {
    let mut all: Vec<String> = [
        "propagate",
        "bf(reach) | bf(trap, turns=3) / bf(ta)",
        "bfs | bf(ta, turns=5) + dfs",
        "bf(reach) + wa(ta, w=1) | bfs(after=20) / bf(ta) | bfs(after=5)",
        "bf(ta) | bf(trap, turns=3) | bfs(after=7)",
        "wa(ta, w=0)",
        "wa(ta, w=0.5)",
        "wa(ta, w=1000)",
        "bf(ta) + dfs",
        "bf(trap) + bf(ta) + bfs",
        "bf(trap-fine) + wa(ta, w=2, g=best)",
        "bfs + bf(ta)",
        "astar(ta) + dfs",
        "astar(ta) + bf(trap)",
        "astar(ta) + bfs",
        "bfs | bf(ta)",
        "dfs | bfs",
        "bf(trap) + wa(ta, w=1) | bf(ta) | dfs",
        "wa(ta, w=1, g=best) | dfs",
        "bf(trap) + wa(ta, w=1, g=best) / bf(ta)",
        "bfs + bf(trap) / bf(ta) + dfs",
        "bfs | bf(trap) / bf(ta) | dfs",
        "dfs / bfs",
        "bf(trap) / wa(ta, w=1, g=best)",
        "auto",
        "quick",
        "short",
        "two-stage",
    ]
    .map(String::from)
    .into();
    all.push(format!("dfs(depth={DEEP})"));
    all.extend(WEIGHTS.map(|weight| format!("wa(ta, w={weight}, g=best)")));
    for guide in guides() {
        let name = guide.name;
        all.extend(["astar", "bf", "wa"].map(|rule| format!("{rule}({name})")));
        all.push(format!("bfs / bf({name})"));
        all.push(format!("bf({name}) + wa(ta) / dfs"));
    }
    all
}

/// Both, each once.
pub fn all_strategies() -> Vec<String> {
    let mut all = published();
    all.extend(additional());
    let mut seen = std::collections::HashSet::new();
    all.retain(|text| seen.insert(text.clone()));
    all
}

pub fn choice(text: &str) -> StrategyChoice {
    strategy_of(text).unwrap_or_else(|fault| panic!("{fault}"))
}

/// A node-tuple graph with its heuristics, each built once and when it is
/// first asked for.
pub struct Arena<'a> {
    pub product: Product,
    pub has_trap: bool,
    components: &'a [Component],
    heuristics: RefCell<HashMap<String, Shared>>,
}

/// One heuristic for many searches.
#[derive(Clone)]
struct Shared(Rc<RefCell<Box<dyn Heuristic>>>);

impl Heuristic for Shared {
    fn per_step(&self) -> u32 {
        self.0.borrow().per_step()
    }

    fn estimate(&mut self, arrived: &Arrived) -> Option<u32> {
        self.0.borrow_mut().estimate(arrived)
    }
}

impl<'a> Arena<'a> {
    pub fn new(assembly: &'a Assembly) -> Self {
        let product = Product::new(&assembly.graph, &assembly.components);
        let has_trap = product.can_be_trapped(&assembly.components[0]);
        Self { product, has_trap, components: &assembly.components, heuristics: RefCell::default() }
    }

    pub fn heuristic(&self, name: &str) -> Box<dyn Heuristic> {
        let build = || heuristics::build(name, &self.product, self.components);
        let mut built = self.heuristics.borrow_mut();
        let shared = built.entry(name.to_owned()).or_insert_with(|| Shared(Rc::new(RefCell::new(build()))));
        Box::new(shared.clone())
    }

    pub fn run(&self, strategy: &Strategy) -> SearchRun {
        self.run_within(strategy, Limits::default())
    }

    pub fn run_within(&self, strategy: &Strategy, limits: Limits) -> SearchRun {
        let mut product = self.product.clone();
        explore(&mut product, strategy, |name| self.heuristic(name), limits, &mut |_| None)
    }

    /// The states from the initial one to a goal, after it was made sure that
    /// each is a successor of the one before.
    pub fn real_path(&self, run: &SearchRun, goal: StateId) -> Vec<Vec<Word>> {
        let path: Vec<Vec<Word>> =
            run.space.path(goal).iter().map(|&id| run.space.state(id).to_vec()).collect();
        let mut product = self.product.clone();
        let mut initial = vec![0; product.width()];
        product.initial(&mut initial);
        assert_eq!(path[0], initial, "a path starts elsewhere");
        let mut successors = Successors::new(product.width());
        for pair in path.windows(2) {
            successors.clear();
            product.successors(&pair[0], &mut successors).expect("this system never aborts");
            assert!(successors.iter().any(|next| next == pair[1]), "a path jumps");
        }
        assert!(product.is_goal(&path[path.len() - 1]), "a path ends before a goal");
        path
    }

    /// When a path is trapped: its length if it never is.
    pub fn prefix(&self, path: &[Vec<Word>]) -> u32 {
        let trapped = path.iter().position(|state| self.product.is_trapped(state));
        trapped.unwrap_or(path.len() - 1) as u32
    }
}

/// What is known of a node-tuple graph before a strategy is judged.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Steps to the nearest goal.
    pub shortest: Option<u32>,
    /// Steps of the counterexample that is trapped soonest to its trap, where
    /// one that is never trapped counts whole.
    pub shortest_prefix: Option<u32>,
    /// Reachable states and edges, if they were all counted.
    pub size: Option<(u64, u64)>,
}

/// Checks all that must be true of a run and gives the length of its path.
pub fn judge(arena: &Arena, known: &Known, strategy: &Strategy, run: &SearchRun) -> Option<u32> {
    let claims: Claims = strategy.claims(&guides());
    let found = match run.end {
        End::Found(goal) => {
            let path = arena.real_path(run, goal);
            let length = path.len() as u32 - 1;
            let shortest = known.shortest.expect("a goal is found where there is one");
            assert!(length >= shortest, "{length} is shorter than the shortest, {shortest}");
            assert!(!claims.shortest || length == shortest, "{length} is claimed to be shortest: {shortest}");
            let prefix = arena.prefix(&path);
            if let Some(shortest_prefix) = known.shortest_prefix {
                assert!(prefix >= shortest_prefix, "a prefix of {prefix} is too short");
                assert!(
                    !claims.shortest_prefix || prefix == shortest_prefix,
                    "a prefix of {prefix} is claimed to be shortest: {shortest_prefix}"
                );
            }
            Some(length)
        }
        End::Exhausted => {
            assert_eq!(known.shortest, None, "a violation is missed");
            None
        }
        End::Stopped(_) | End::Aborted(_) => panic!("{:?}", run.end),
    };
    check_counters(known, strategy, run);
    found
}

fn check_counters(known: &Known, strategy: &Strategy, run: &SearchRun) {
    let counters = run.counters;
    assert_eq!(run.stages.len(), strategy.stages.len());
    let sum = |part: fn(&Counters) -> u64| run.stages.iter().map(|stage| part(&stage.counters)).sum::<u64>();
    assert_eq!(counters.generated, sum(|stage| stage.generated), "generated");
    assert_eq!(counters.stored, sum(|stage| stage.stored), "stored");
    assert_eq!(counters.expanded, sum(|stage| stage.expanded), "expanded");
    assert_eq!(counters.reopened, sum(|stage| stage.reopened), "reopened");
    assert_eq!(counters.dropped, sum(|stage| stage.dropped), "dropped");
    let most = |part: fn(&Counters) -> u64| run.stages.iter().map(|stage| part(&stage.counters)).max();
    assert_eq!(Some(counters.depth), most(|stage| stage.depth), "depth");
    assert_eq!(Some(counters.bytes), most(|stage| stage.bytes), "bytes");
    assert!(
        run.stages.iter().map(|stage: &StageCost| stage.elapsed).sum::<std::time::Duration>() <= run.elapsed
    );

    // Of a depth-first search only the way to the goal is left.
    let keeps_space = !matches!(strategy.only_rule(), Some(Rule::Dfs { depth: None } | Rule::Shorten(_)));
    if keeps_space {
        assert_eq!(counters.stored, run.space.n_states() as u64, "every stored state is counted");
    }
    assert!(counters.expanded <= counters.stored + counters.reopened, "{counters:?}");
    assert!(counters.expanded + counters.dropped <= counters.stored + counters.reopened, "{counters:?}");
    assert!(strategy.reopens() || counters.reopened == 0, "{counters:?}");
    assert!(strategy.rules().any(|rule| rule.heuristic().is_some()) || counters.dropped == 0, "{counters:?}");
    if run.end == End::Exhausted {
        assert_eq!(counters.frontier, 0, "nothing waits in the end");
        if counters.dropped == 0 {
            assert_eq!(counters.expanded, counters.stored + counters.reopened, "{counters:?}");
        }
    }
    let Some((n_states, n_edges)) = known.size else { return };
    assert!(counters.stored <= n_states, "{counters:?}");
    let saw_all = run.end == End::Exhausted || strategy.only_rule() == Some(&Rule::Propagate);
    if saw_all && counters.dropped == 0 {
        assert_eq!(counters.stored, n_states, "everything is seen");
        assert!(counters.reopened > 0 || counters.generated == n_edges, "{counters:?} {n_edges}");
    }
}

/// The strategy as it shows itself, read again and run again, does the same.
pub fn expect_repeatable(arena: &Arena, strategy: &Strategy, run: &SearchRun) {
    let again = choice(&strategy.to_string());
    assert_eq!(again.resolve(true), strategy);
    let again = arena.run(again.resolve(true));
    assert_eq!((again.end, again.counters), (run.end, run.counters));
    let counters = |run: &SearchRun| run.stages.iter().map(|stage| stage.counters).collect::<Vec<_>>();
    assert_eq!(counters(&again), counters(run));
}

/// Depth first with a bound: what lies within is found, and what lies beyond
/// is never said to be absent.
pub fn judge_bounded(arena: &Arena, known: &Known, bound: u32) {
    let strategy = Strategy::of(Rule::Dfs { depth: Some(bound) });
    let run = arena.run(&strategy);
    let within = known.shortest.is_some_and(|shortest| shortest <= bound);
    match run.end {
        End::Found(goal) => {
            let length = arena.real_path(&run, goal).len() as u32 - 1;
            assert!(length <= bound, "a path of {length} steps in spite of the bound {bound}");
            assert!(within, "a path of {length} steps that nobody knew");
        }
        End::Exhausted => {
            assert_eq!(known.shortest, None, "dfs(depth={bound}) claims to have seen all");
            let stored = run.counters.stored;
            assert!(known.size.is_none_or(|(n_states, _)| stored == n_states), "{stored} of {known:?}");
        }
        End::Stopped(Stop::Depth) => assert!(!within, "dfs(depth={bound}) misses {known:?}"),
        End::Stopped(_) | End::Aborted(_) => panic!("{:?}", run.end),
    }
}
