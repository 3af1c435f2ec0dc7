//! Searches of very small graphs.

use super::strategy::parse;
mod costs;

use super::*;
use crate::diag::Sources;
use crate::system::{Abort, Arrived, Guide, Heuristic, Step, Successors, TransitionSystem, Word};

/// A graph that starts at 0 and records which states were expanded.
#[derive(Clone, Default)]
struct Graph {
    edges: Vec<(Word, Word)>,
    goals: Vec<Word>,
    trapped: Vec<Word>,
    n_regions: usize,
    expanded: Vec<Word>,
}

impl TransitionSystem for Graph {
    fn width(&self) -> usize {
        1
    }

    fn initial(&self, state: &mut [Word]) {
        state[0] = 0;
    }

    fn successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
        self.expanded.push(state[0]);
        for &(_, to) in self.edges.iter().filter(|&&(from, _)| from == state[0]) {
            out.branch(Step::PLAIN, state)[0] = to;
        }
        Ok(())
    }

    fn is_goal(&self, state: &[Word]) -> bool {
        self.goals.contains(&state[0])
    }

    fn is_trapped(&self, state: &[Word]) -> bool {
        self.trapped.contains(&state[0])
    }

    fn n_regions(&self) -> usize {
        self.n_regions.max(1)
    }

    fn region(&self, state: &[Word]) -> usize {
        state[0] as usize % TransitionSystem::n_regions(self)
    }
}

/// Estimates by state, zero for states beyond the end.
#[derive(Clone)]
struct Table {
    per_step: u32,
    estimates: Vec<Option<u32>>,
}

impl Heuristic for Table {
    fn per_step(&self) -> u32 {
        self.per_step
    }

    fn estimate(&mut self, arrived: &Arrived) -> Option<u32> {
        self.estimates.get(arrived.state[0] as usize).copied().unwrap_or(Some(0))
    }
}

/// A search with the heuristics `h` and `k`.
struct Try {
    graph: Graph,
    h: Table,
    k: Table,
    limits: Limits,
}

impl Try {
    fn new(edges: &[(Word, Word)], goals: &[Word]) -> Self {
        let nothing = Table { per_step: 1, estimates: Vec::new() };
        let graph = Graph { edges: edges.to_vec(), goals: goals.to_vec(), ..Graph::default() };
        Self { graph, h: nothing.clone(), k: nothing, limits: Limits::default() }
    }

    /// Seven states: 0 leads to 1 and 2, 1 to 3 and 4, 2 to 5 and 6.
    fn tree(goals: &[Word]) -> Self {
        Self::new(&[(0, 1), (0, 2), (1, 3), (1, 4), (2, 5), (2, 6)], goals)
    }

    /// 0 to `last`, one after the other.
    fn line(last: Word, goals: &[Word]) -> Self {
        Self::new(&(0..last).map(|from| (from, from + 1)).collect::<Vec<_>>(), goals)
    }

    fn h(mut self, estimates: &[u32]) -> Self {
        self.h.estimates = estimates.iter().copied().map(Some).collect();
        self
    }

    fn run(&self, text: &str) -> Outcome {
        let mut graph = self.graph.clone();
        let strategy = strategy(text);
        let build = |name: &str| -> Box<dyn Heuristic> {
            Box::new(if name == "h" { self.h.clone() } else { self.k.clone() })
        };
        let run = explore(&mut graph, &strategy, build, self.limits, &mut |_| None);
        let path = match run.end {
            End::Found(goal) => run.space.path(goal).iter().map(|&id| run.space.state(id)[0]).collect(),
            _ => Vec::new(),
        };
        Outcome { path, order: graph.expanded, run }
    }
}

struct Outcome {
    run: SearchRun,
    /// From the initial state to the goal.
    path: Vec<Word>,
    /// States in the order of expansion.
    order: Vec<Word>,
}

fn strategy(text: &str) -> Strategy {
    let guide = |name| Guide { name, brief: "", admissible: true, monotone: false };
    let mut sources = Sources::default();
    let source = sources.add("strategy", text);
    let choice = parse(source, &sources, &[guide("h"), guide("k")]);
    choice.unwrap_or_else(|fault| panic!("{}", fault.message)).resolve(true).clone()
}

#[test]
fn breadth_first_takes_the_oldest_and_depth_first_the_newest() {
    let tree = Try::tree(&[]);
    assert_eq!(tree.run("bfs").order, [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(tree.run("dfs").order, [0, 2, 6, 5, 1, 4, 3]);
}

#[test]
fn equal_ranks_are_taken_oldest_first_unless_depth_first_breaks_the_tie() {
    let tree = Try::tree(&[]).h(&[]);
    assert_eq!(tree.run("bf(h)").order, [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(tree.run("bf(h) + dfs").order, [0, 2, 6, 5, 1, 4, 3]);
    assert_eq!(tree.run("bfs + dfs").order, [0, 2, 1, 4, 3, 6, 5]);
    let mut uneven = tree.h(&[0, 1, 1, 0, 0, 0, 0]);
    assert_eq!(uneven.run("bf(h)").order, [0, 1, 3, 4, 2, 5, 6]);
    uneven.k.estimates = [0, 2, 1, 2, 1, 2, 1].map(Some).into();
    assert_eq!(uneven.run("bf(h) + bf(k)").order, [0, 2, 6, 5, 1, 4, 3]);
    assert_eq!(uneven.run("bf(k) + bf(h)").order, [0, 2, 6, 5, 1, 4, 3]);
}

#[test]
fn a_goal_is_reported_when_it_is_generated_and_by_astar_at_its_turn() {
    let tree = Try::tree(&[4]);
    let bfs = tree.run("bfs");
    assert_eq!((&bfs.order[..], &bfs.path[..]), (&[0, 1][..], &[0, 1, 4][..]));
    let astar = tree.run("astar(h)");
    assert_eq!((&astar.order[..], &astar.path[..]), (&[0, 1, 2, 3][..], &[0, 1, 4][..]));
}

#[test]
fn the_initial_state_may_be_a_goal() {
    let tree = Try::tree(&[0]);
    for text in ["bfs", "dfs", "dfs(depth=1)", "propagate", "bf(h)", "astar(h)", "bfs | dfs", "bfs / dfs"] {
        assert_eq!(tree.run(text).path, [0], "{text}");
    }
}

/// The estimates lead along 0, 1, 2 to 4; the path through 3 is shorter.
fn detour() -> Try {
    Try::new(&[(0, 1), (0, 3), (1, 2), (2, 4), (3, 4), (4, 5)], &[5]).h(&[0, 0, 0, 2, 3, 0])
}

#[test]
fn the_first_path_gives_a_longer_counterexample_than_the_best_one() {
    let detour = detour();
    assert_eq!(detour.run("wa(h, w=1)").path, [0, 1, 2, 4, 5]);
    assert_eq!(detour.run("wa(h, w=1, g=best)").path, [0, 3, 4, 5]);
    // The state was still waiting when the shorter path was found.
    assert_eq!(detour.run("wa(h, w=1, g=best)").run.counters.reopened, 0);
}

/// The estimate of 4 is high enough that 3 is expanded on the long path, and
/// low enough to be admissible.
fn inconsistent() -> Try {
    let edges = [(0, 1), (0, 4), (1, 2), (2, 3), (4, 3), (3, 5), (5, 6), (6, 7), (7, 8), (8, 9)];
    Try::new(&edges, &[9]).h(&[0, 0, 0, 0, 5])
}

#[test]
fn astar_opens_states_again_for_an_inconsistent_estimate() {
    let inconsistent = inconsistent();
    let astar = inconsistent.run("astar(h)");
    assert_eq!(astar.path, [0, 4, 3, 5, 6, 7, 8, 9]);
    assert_eq!(astar.run.counters.reopened, 3);
    assert_eq!(astar.order, [0, 1, 2, 3, 5, 6, 4, 3, 5, 6, 7, 8]);
    assert_eq!(inconsistent.run("bfs").path.len(), astar.path.len());
    assert_eq!(inconsistent.run("wa(h, w=1)").path.len(), astar.path.len() + 1);
}

#[test]
fn astar_is_right_however_fine_the_units_are() {
    // The newest state is on the long path.
    let mut fork = Try::new(&[(0, 4), (0, 1), (1, 2), (2, 3)], &[3, 4]);
    for per_step in [1, 840, 1 << 20, u32::MAX] {
        fork.h.per_step = per_step;
        assert_eq!(fork.run("astar(h) + dfs").path, [0, 4], "{per_step} units");
    }
}

#[test]
fn the_units_of_an_estimate_and_the_weight_are_counted() {
    // State 4 is one step further from the start than 1 and one unit nearer to
    // the goal.
    let mut fork = Try::new(&[(0, 1), (0, 2), (1, 3), (2, 4)], &[]).h(&[0, 8, 0, 0, 7]);
    let position = |outcome: Outcome, state: Word| outcome.order.iter().position(|&it| it == state);
    let cases = [(1, "1", 1), (1, "1.01", 4), (8, "7.99", 1), (8, "8.01", 4), (4, "0.5", 1), (4, "1000", 4)];
    for (per_step, weight, first) in cases {
        fork.h.per_step = per_step;
        let one = position(fork.run(&format!("wa(h, w={weight})")), 1);
        let other = position(fork.run(&format!("wa(h, w={weight})")), 4);
        assert_eq!(if one < other { 1 } else { 4 }, first, "{per_step} units, w={weight}");
    }
}

#[test]
fn queues_take_turns_over_one_visited_set() {
    // A state that the other queue has already taken does not use up a turn:
    // after 4 the first queue is next, which skips 2 and returns 5.
    let turns = Try::tree(&[]).run("bfs | dfs");
    assert_eq!(turns.order, [0, 2, 1, 4, 5, 3, 6]);
    assert_eq!((turns.run.counters.stored, turns.run.counters.expanded), (7, 7));
    // Each queue makes progress in spite of the other, which alone would go in
    // the wrong direction.
    let mut edges: Vec<(Word, Word)> = (0..100).map(|from| (from, from + 1)).collect();
    edges.extend([(0, 200), (200, 201), (201, 202)]);
    let mut astray = Try::new(&edges, &[202]);
    astray.h.estimates = (0..=202).map(|state| Some(if state < 200 { 0 } else { 1 })).collect();
    astray.k.estimates = (0..=202).map(|state| Some(if state < 200 { 1 } else { 0 })).collect();
    assert!(astray.run("bf(h)").run.counters.expanded > 100);
    assert!(astray.run("bf(h) | bf(k)").run.counters.expanded < 10);
    assert!(astray.run("bf(k) | bf(h)").run.counters.expanded < 10);
    assert!(astray.run("bf(h) | bf(k, turns=9)").run.counters.expanded < 10);
    assert!(astray.run("bf(h) | bf(k, turns=1)").run.counters.expanded > 10, "it was given up");
}

#[test]
fn a_queue_may_take_over_and_goes_breadth_first_then() {
    // The estimates lead down the right side first.
    let tree = Try::tree(&[]).h(&[0, 2, 1, 0, 0, 1, 0]);
    assert_eq!(tree.run("bf(h)").order, [0, 2, 6, 5, 1, 3, 4]);
    assert_eq!(tree.run("bf(h) | bfs(after=1)").order, [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(tree.run("bf(h) | bfs(after=2)").order, [0, 2, 1, 5, 6, 3, 4]);
    assert_eq!(tree.run("bf(h) | bfs(after=3)").order, [0, 2, 6, 1, 5, 3, 4]);
    assert_eq!(tree.run("bf(h) | bfs(after=100)").order, tree.run("bf(h)").order);
    // Each stage counts its own turns.
    let two_stages = two_traps().run("bf(h) | bfs(after=1) / bf(h) | bfs(after=2)");
    assert_eq!((&two_stages.path[..], &two_stages.order[..]), (&[0, 2, 4, 5][..], &[0, 1, 3, 2, 4][..]));
}

#[test]
fn who_took_over_asks_no_heuristic() {
    // No state is dropped any more once no heuristic is evaluated.
    let mut tree = Try::tree(&[]);
    tree.h.estimates = vec![Some(0), Some(0), Some(0), None, None, None, None];
    assert_eq!(tree.run("bf(h)").order, [0, 1, 2]);
    assert_eq!(tree.run("bf(h) | bfs(after=2)").order, [0, 1, 2, 5, 6]);
}

#[test]
fn nothing_is_lost_when_a_queue_takes_over() {
    let mut random = 5_u64;
    let mut next = move |below: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) % below
    };
    for round in 0..300 {
        let n_states = 2 + next(40);
        let edges: Vec<(Word, Word)> = (0..n_states * 2).map(|_| (next(n_states), next(n_states))).collect();
        let goals: Vec<Word> = (0..n_states).filter(|_| round % 2 == 0 && next(20) == 0).collect();
        let mut graph = Try::new(&edges, &goals);
        graph.graph.trapped = (0..n_states).filter(|_| next(3) == 0).collect();
        graph.h.estimates = (0..n_states).map(|_| Some(next(6) as u32)).collect();
        graph.k.estimates = (0..n_states).map(|_| Some(next(6) as u32)).collect();
        let bfs = graph.run("bfs");
        for after in [1, 2, 3, 5, 8, 13, 1_000] {
            for text in [
                format!("bf(h) | bfs(after={after})"),
                format!("bf(h) + wa(k, w=1) | bf(k, turns=3) | bfs(after={after})"),
                format!("bf(k, turns=2) | bfs(after={after}) | dfs / wa(h, w=2) | bfs(after=4)"),
                format!("wa(h, w=3, g=best) | bfs(after={after})"),
                format!("bfs / bf(h) | bfs(after={after})"),
            ] {
                let run = graph.run(&text).run;
                let found = |end: End| matches!(end, End::Found(_));
                assert_eq!(found(run.end), found(bfs.run.end), "round {round}: {text}");
                if !found(run.end) {
                    let (ours, all) = (run.counters, bfs.run.counters);
                    assert_eq!((ours.stored, ours.frontier), (all.stored, 0), "round {round}: {text}");
                    assert_eq!(ours.expanded - ours.reopened, all.expanded, "round {round}: {text}");
                }
            }
        }
    }
}

/// States 1 and 3 are trapped dead ends; 4 is trapped and leads to the goal.
fn two_traps() -> Try {
    let mut traps = Try::new(&[(0, 1), (0, 2), (1, 3), (2, 4), (4, 5)], &[5]);
    traps.graph.trapped = vec![1, 3, 4, 5];
    traps
}

#[test]
fn the_first_stage_goes_on_when_the_second_is_exhausted() {
    let outcome = two_traps().run("bfs / dfs");
    assert_eq!(outcome.path, [0, 2, 4, 5]);
    assert_eq!(outcome.order, [0, 1, 3, 2, 4]);
    let [first, second] = &outcome.run.stages[..] else { panic!("there are two stages") };
    assert_eq!((first.counters.expanded, second.counters.expanded), (2, 3));
    assert_eq!((first.counters.stored, second.counters.stored), (4, 2));
    assert_eq!((first.counters.generated, second.counters.generated), (3, 2));
}

#[test]
fn two_stages_see_everything_when_there_is_nothing_to_find() {
    let mut traps = two_traps();
    traps.graph.goals.clear();
    for text in ["bfs / dfs", "bf(h) / bf(k)", "bfs | dfs / bf(h) | dfs", "dfs / bfs"] {
        let run = traps.run(text).run;
        assert_eq!((run.end, run.counters.stored, run.counters.expanded), (End::Exhausted, 6, 6), "{text}");
    }
}

#[test]
fn the_first_stage_may_meet_a_goal_that_is_not_trapped() {
    let mut traps = two_traps();
    traps.graph.goals = vec![2];
    assert_eq!(traps.run("bfs / dfs").path, [0, 2]);
}

#[test]
fn a_depth_bound_leaves_out_longer_paths() {
    let line = Try::line(6, &[4]);
    assert_eq!(line.run("dfs(depth=4)").path.len(), 5);
    assert_eq!(line.run("dfs(depth=3)").run.end, End::Stopped(Stop::Depth));
    assert_eq!(line.run("dfs(depth=3)").run.counters.depth, 2);
    assert_eq!(Try::line(6, &[]).run("dfs(depth=7)").run.end, End::Exhausted);
    assert_eq!(Try::line(6, &[]).run("dfs(depth=5)").run.end, End::Stopped(Stop::Depth));
}

#[test]
fn a_depth_bound_that_leaves_out_no_state_is_a_proof() {
    // The last state has no successor, or only known ones.
    assert_eq!(Try::line(6, &[]).run("dfs(depth=6)").run.end, End::Exhausted);
    let ring = Try::new(&[(0, 1), (1, 2), (2, 0), (2, 2)], &[]);
    assert_eq!(ring.run("dfs(depth=2)").run.end, End::Exhausted);
    assert_eq!(ring.run("dfs(depth=1)").run.end, End::Stopped(Stop::Depth));
    // Cut on the long path through 2 and 3, expanded on the short one.
    let late = Try::new(&[(0, 1), (0, 2), (2, 3), (3, 4), (1, 4), (4, 5)], &[]);
    assert_eq!(late.run("dfs(depth=3)").run.end, End::Exhausted);
    assert_eq!(late.run("dfs(depth=2)").run.end, End::Stopped(Stop::Depth));
}

#[test]
fn a_depth_bound_follows_a_shorter_path_to_a_known_state() {
    // Newest first, 4 is reached through 2 and 3, too late for the goal.
    let late = Try::new(&[(0, 1), (0, 2), (2, 3), (3, 4), (1, 4), (4, 5), (5, 6)], &[6]);
    assert_eq!(late.run("dfs").path, [0, 2, 3, 4, 5, 6]);
    let bounded = late.run("dfs(depth=4)");
    assert_eq!(bounded.path, [0, 1, 4, 5, 6]);
    assert_eq!(bounded.run.counters.reopened, 2);
}

#[test]
fn state_propagation_goes_region_by_region_to_the_end() {
    let mut tree = Try::tree(&[3, 6]);
    tree.graph.n_regions = 2;
    let outcome = tree.run("propagate");
    assert_eq!(outcome.order, [0, 1, 4, 2, 5, 3, 6]);
    assert_eq!(outcome.path, [0, 1, 3]);
}

#[test]
fn a_search_ends_at_its_limits() {
    let mut line = Try::line(5_000, &[]);
    for text in ["bfs", "dfs", "propagate", "bf(h)", "astar(h)", "bfs / dfs"] {
        line.limits = Limits { max_states: Some(10), max_bytes: None };
        let run = line.run(text).run;
        assert_eq!((run.end, run.counters.stored), (End::Stopped(Stop::States), 11), "{text}");
        line.limits = Limits { max_states: Some(5_001), max_bytes: None };
        assert_eq!(line.run(text).run.end, End::Exhausted, "{text}");
        line.limits = Limits { max_states: None, max_bytes: Some(1) };
        assert_eq!(line.run(text).run.end, End::Stopped(Stop::Memory), "{text}");
        line.limits = Limits { max_states: None, max_bytes: Some(1 << 30) };
        assert_eq!(line.run(text).run.end, End::Exhausted, "{text}");
    }
    // A goal found before the limit is reported.
    let mut near = Try::line(100, &[3]);
    near.limits = Limits { max_states: Some(10), max_bytes: None };
    assert_eq!(near.run("propagate").path, [0, 1, 2, 3]);
    assert_eq!(near.run("bfs").path, [0, 1, 2, 3]);
}

#[test]
fn a_limit_does_not_make_astar_forget_what_it_has_found() {
    // The goal 1 is known at once; the estimates lead the search elsewhere.
    let mut edges: Vec<(Word, Word)> = (2..1_000).map(|from| (from, from + 1)).collect();
    edges.extend([(0, 1), (0, 2)]);
    let mut far = Try::new(&edges, &[1]).h(&[0, 500]);
    let whole = far.run("astar(h)");
    assert_eq!((&whole.path[..], whole.run.cut_short), (&[0, 1][..], None));
    assert!(whole.run.counters.stored > 100);
    far.limits = Limits { max_states: Some(100), max_bytes: None };
    let cut = far.run("astar(h)");
    assert_eq!((&cut.path[..], cut.run.cut_short), (&[0, 1][..], Some(Cut::Stopped(Stop::States))));
    far.graph.goals.clear();
    let nothing = far.run("astar(h)").run;
    assert_eq!((nothing.end, nothing.cut_short), (End::Stopped(Stop::States), None));
}

#[test]
fn whoever_watches_may_end_the_search() {
    let mut graph = Try::line(5_000, &[]).graph;
    let mut looks = 0;
    let mut watch = |counters: &Counters| {
        looks += 1;
        (counters.expanded >= 2_000).then_some(Stop::Time)
    };
    let build = |_: &str| -> Box<dyn Heuristic> { panic!("no heuristic is asked") };
    let run = explore(&mut graph, &Strategy::bfs(), build, Limits::default(), &mut watch);
    assert_eq!((run.end, looks), (End::Stopped(Stop::Time), 3));
}

#[test]
fn a_state_without_hope_is_stored_but_not_expanded() {
    let mut tree = Try::tree(&[]);
    tree.h.estimates = vec![Some(0), None, Some(0), Some(0), Some(0), None, Some(0)];
    for text in ["bf(h)", "wa(h)", "astar(h)", "bf(k) + bf(h)", "bf(h) / bf(k)", "bf(k) | bf(h)"] {
        let outcome = tree.run(text);
        let counters = outcome.run.counters;
        assert_eq!(outcome.run.end, End::Exhausted, "{text}");
        assert_eq!(outcome.order, [0, 2, 6], "{text}");
        assert_eq!((counters.stored, counters.dropped), (5, 2), "{text}");
    }
    // The heuristic of a dropped queue is not evaluated any more.
    assert_eq!(tree.run("bf(k) | bf(h, turns=1)").order, [0, 2, 5, 6]);
}

#[test]
fn claims_follow_from_the_parts() {
    let guide = |name, admissible| Guide { name, brief: "", admissible, monotone: false };
    let guides = [guide("h", true), guide("k", false)];
    let claims = |text: &str| {
        let claims = strategy(text).claims(&guides);
        (claims.complete, claims.shortest, claims.shortest_prefix)
    };
    for text in ["bfs", "astar(h)", "astar(h) + bf(k)", "astar(h) + dfs"] {
        assert_eq!(claims(text), (true, true, false), "{text}");
    }
    for text in ["bfs / dfs", "bfs / bf(k)"] {
        assert_eq!(claims(text), (true, false, true), "{text}");
    }
    for text in [
        "dfs",
        "propagate",
        "bf(h)",
        "wa(h)",
        "wa(h, g=best)",
        "astar(k)",
        "bfs | bfs",
        "bfs | bfs(after=9)",
        "bf(h) / bfs",
    ] {
        assert_eq!(claims(text), (true, false, false), "{text}");
    }
    assert_eq!(claims("dfs(depth=9)"), (false, false, false));
}
