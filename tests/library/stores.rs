//! Stores, threads and shortening against plain breadth-first search: on the
//! shipped models and on graphs drawn at random.

use crate::read;
use std::path::Path;
use trapline::lang::promela::Program;
use trapline::search::strategy::{Rule, Shorten};
use trapline::search::{End, Limits, Stop, Store, Strategy, breadth_first, depth_first, explore};
use trapline::system::{Abort, Step, Successors, TransitionSystem, Word};
use trapline::verify::explicit::{Aim, SearchResources};
use trapline::verify::{ExplicitProblem, Question, Report, Verdict};

const STORES: [Store; 4] =
    [Store::Exact, Store::Compressed, Store::Compact, Store::Bitstate { bytes: 8 << 20 }];

fn program(name: &str, definitions: &[(&str, &str)]) -> Program {
    let path = format!("examples/promela/{name}.pml");
    read::program(Path::new(&path), definitions).unwrap_or_else(|fault| panic!("{fault}")).0
}

fn check(program: &Program, rule: Rule, resources: SearchResources, limits: Limits) -> Report {
    let strategy = Strategy::of(rule);
    let problem = ExplicitProblem::of_promela(program, Aim::Safety).without_reduction();
    let problem = ExplicitProblem { resources, ..problem };
    let question = Question::from(problem).with_strategy(strategy).with_limits(limits);
    question.check(&mut |_| None).expect("the question makes sense")
}

const MODELS: &[(&str, &[(&str, &str)])] = &[
    ("philosophers", &[("N", "4")]),
    ("leader", &[("N", "4"), ("STRIDE", "3")]),
    ("peterson", &[("N", "3")]),
    ("szymanski", &[("N", "2")]),
    ("bakery", &[("N", "2")]),
    ("fischer", &[("N", "3")]),
    ("gobackn", &[("W", "1"), ("Q", "1")]),
    ("iprotocol", &[("W", "1"), ("Q", "2")]),
    ("mesi", &[("N", "2")]),
    ("brp", &[]),
    ("elevator", &[("N", "3"), ("P", "1")]),
    ("readers_writers", &[("R", "2"), ("K", "1")]),
    ("buffer", &[("P", "1"), ("C", "1")]),
];

#[test]
fn every_store_and_every_number_of_threads_sees_the_same_states() {
    for (name, definitions) in MODELS {
        let program = program(name, definitions);
        let limits = Limits::default();
        let reference = check(&program, Rule::Bfs, SearchResources::default(), limits);
        assert_eq!(reference.verdict, Verdict::Holds, "{name}");
        let counts = |report: &Report| (report.search.counters.stored, report.search.counters.generated);
        for store in STORES {
            let means = SearchResources { store, n_threads: 1 };
            let report = check(&program, Rule::Dfs { depth: None }, means, limits);
            let expected = match store.is_lossy() {
                true => Verdict::Undecided(Stop::Omissions),
                false => Verdict::Holds,
            };
            assert_eq!(report.verdict, expected, "{name} with {store:?}");
            assert_eq!(
                report.explicit().is_some_and(|it| it.omissions.is_some()),
                store.is_lossy(),
                "{name} with {store:?}"
            );
            // The field of bits is so large that nothing is missed here.
            assert_eq!(counts(&report), counts(&reference), "{name} with {store:?}");
        }
        for n_threads in [2, 3] {
            let report = check(
                &program,
                Rule::Bfs,
                SearchResources { n_threads, ..SearchResources::default() },
                limits,
            );
            assert_eq!(report.verdict, Verdict::Holds, "{name} with {n_threads} threads");
            assert_eq!(counts(&report), counts(&reference), "{name} with {n_threads} threads");
            let depth = |report: &Report| report.search.counters.depth;
            assert_eq!(depth(&report), depth(&reference), "{name} with {n_threads} threads");
        }
    }
}

#[test]
fn every_store_finds_the_errors_and_its_trails_are_real() {
    for (name, definitions) in MODELS {
        let mut definitions = definitions.to_vec();
        definitions.push(("BUG", "1"));
        if *name == "leader" {
            definitions[0] = ("N", "5");
            definitions[1] = ("STRIDE", "2");
        }
        let program = program(name, &definitions);
        let limits = Limits::default();
        let reference = check(&program, Rule::Bfs, SearchResources::default(), limits);
        assert_eq!(reference.verdict, Verdict::Violated, "{name}");
        let told = |report: &Report, what: &str| {
            assert_eq!(report.verdict, Verdict::Violated, "{name} {what}");
            assert_eq!(report.fault(), reference.fault(), "{name} {what}");
            assert!(!report.steps().is_empty(), "{name} {what}");
            report.steps().len()
        };
        for store in STORES {
            let report =
                check(&program, Rule::Dfs { depth: None }, SearchResources { store, n_threads: 1 }, limits);
            told(&report, &format!("{store:?}"));
        }
        for n_threads in [2, 3] {
            let means = SearchResources { n_threads, ..SearchResources::default() };
            let report = check(&program, Rule::Bfs, means, limits);
            let again = check(&program, Rule::Bfs, means, limits);
            told(&report, "threads");
            let steps = |report: &Report| format!("{:?}", report.steps());
            assert_eq!(steps(&report), steps(&again), "{name}: the same trail every time");
        }
    }
}

/// A graph of states of several words, drawn from a seed.
#[derive(Clone)]
struct Drawn {
    seed: Word,
    width: usize,
    n_states: Word,
    /// From this number on they are goals.
    first_goal: Word,
}

fn mix(word: Word) -> Word {
    let word = (word ^ (word >> 31)).wrapping_mul(0x7fb5_d329_728e_a185);
    (word ^ (word >> 27)).wrapping_mul(0x81da_def4_bc2d_d44d) ^ (word >> 33)
}

impl Drawn {
    /// All words tell the number of the state, so that they are different
    /// together and each alone is not.
    fn write(&self, number: Word, state: &mut [Word]) {
        for (index, word) in state.iter_mut().enumerate() {
            *word = if index == 0 { number } else { mix(number) >> (64 - 3 * index) };
        }
    }
}

impl TransitionSystem for Drawn {
    fn width(&self) -> usize {
        self.width
    }

    fn initial(&self, state: &mut [Word]) {
        self.write(0, state);
    }

    fn successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
        for index in 0..mix(self.seed ^ state[0]) % 4 {
            let to = mix(self.seed.wrapping_add(state[0] * 5 + index)) % self.n_states;
            let own = self.clone();
            own.write(to, out.branch(Step::PLAIN, state));
        }
        Ok(())
    }

    fn is_goal(&self, state: &[Word]) -> bool {
        state[0] >= self.first_goal
    }
}

#[test]
fn loops_agree_on_graphs_drawn_at_random() {
    let mut n_found = 0;
    for seed in 0..300 {
        let width = 1 + seed as usize % 6;
        let n_states = 10 + mix(seed) % 500;
        let n_goals = if seed % 3 == 0 { 0 } else { 1 + mix(seed + 1) % 10 };
        let graph = Drawn { seed, width, n_states, first_goal: n_states - n_goals };
        let none =
            |_: &str| -> Box<dyn trapline::system::Heuristic> { unreachable!("no heuristic is named") };
        let limits = Limits::default();
        let reference = explore(&mut graph.clone(), &Strategy::bfs(), none, limits, &mut |_| None);
        let shortest = match reference.end {
            End::Found(goal) => Some(reference.space.path(goal).len()),
            _ => None,
        };
        n_found += usize::from(shortest.is_some());
        let is_path = |path: &[Vec<Word>]| {
            let mut first = vec![0; width];
            graph.initial(&mut first);
            let follows = |pair: &[Vec<Word>]| {
                let mut out = Successors::new(width);
                graph.clone().successors(&pair[0], &mut out).expect("nothing aborts it");
                out.iter().any(|next| next == pair[1])
            };
            path[0] == first && path.windows(2).all(follows) && graph.is_goal(&path[path.len() - 1])
        };
        for store in STORES {
            let descent = depth_first(&mut graph.clone(), store, None, limits, &mut |_| None);
            assert_eq!(descent.path.is_some(), shortest.is_some(), "seed {seed} with {store:?}");
            assert!(descent.path.is_none_or(|path| is_path(&path)), "seed {seed} with {store:?}");
            if shortest.is_none() {
                assert_eq!(descent.counters.stored, reference.counters.stored, "seed {seed} with {store:?}");
            }
        }
        for shorten in [Shorten::Exact, Shorten::Quick] {
            let descent = depth_first(&mut graph.clone(), Store::Exact, Some(shorten), limits, &mut |_| None);
            assert!(descent.path.as_ref().is_none_or(|path| is_path(path)), "seed {seed} with {shorten:?}");
            let length = descent.path.map(|path| path.len());
            match shorten {
                Shorten::Exact => assert_eq!(length, shortest, "seed {seed}"),
                Shorten::Quick => assert_eq!(length.is_some(), shortest.is_some(), "seed {seed}"),
            }
        }
        for n_threads in 1..=3 {
            let layered = breadth_first(vec![graph.clone(); n_threads], limits, &mut |_| None);
            assert!(layered.path.as_ref().is_none_or(|path| is_path(path)), "seed {seed}");
            assert_eq!(layered.path.map(|path| path.len()), shortest, "seed {seed} with {n_threads} threads");
            if shortest.is_none() {
                assert_eq!(layered.counters.stored, reference.counters.stored, "seed {seed}");
                assert_eq!(layered.counters.generated, reference.counters.generated, "seed {seed}");
            }
        }
    }
    assert!((50..250).contains(&n_found), "{n_found} of the graphs have a goal that can be reached");
}

/// Counts to the end; nothing is wrong there.
struct Counter {
    last: Word,
}

impl TransitionSystem for Counter {
    fn width(&self) -> usize {
        1
    }

    fn initial(&self, state: &mut [Word]) {
        state[0] = 0;
    }

    fn successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
        if state[0] < self.last {
            out.branch(Step::PLAIN, state)[0] += 1;
        }
        Ok(())
    }

    fn is_goal(&self, _state: &[Word]) -> bool {
        false
    }
}

#[test]
fn a_path_may_be_ten_million_states_long() {
    let last = 10_000_000;
    let descent = depth_first(&mut Counter { last }, Store::Exact, None, Limits::default(), &mut |_| None);
    assert_eq!((descent.path, descent.cut), (None, None));
    assert_eq!((descent.counters.stored, descent.counters.depth), (last + 1, last));
}

#[test]
fn limits_are_obeyed_by_every_store_and_by_threads() {
    let program = program("leader", &[("N", "5")]);
    let few = Limits { max_states: Some(2_000), max_bytes: None };
    let little = Limits { max_states: None, max_bytes: Some(40_000) };
    for store in [Store::Exact, Store::Compressed, Store::Compact, Store::Bitstate { bytes: 35_000 }] {
        let means = SearchResources { store, n_threads: 1 };
        let rule = || Rule::Dfs { depth: None };
        let report = check(&program, rule(), means, few);
        assert_eq!(report.verdict, Verdict::Undecided(Stop::States), "{store:?}");
        let report = check(&program, rule(), means, little);
        assert_eq!(report.verdict, Verdict::Undecided(Stop::Memory), "{store:?}");
    }
    let means = SearchResources { n_threads: 2, ..SearchResources::default() };
    assert_eq!(check(&program, Rule::Bfs, means, few).verdict, Verdict::Undecided(Stop::States));
    assert_eq!(check(&program, Rule::Bfs, means, little).verdict, Verdict::Undecided(Stop::Memory));
}

#[test]
fn a_field_of_bits_that_is_too_small_says_how_much_was_missed() {
    let program = program("leader", &[("N", "5")]);
    let means = SearchResources { store: Store::Bitstate { bytes: 3_000 }, n_threads: 1 };
    let report = check(&program, Rule::Dfs { depth: None }, means, Limits::default());
    assert_eq!(report.verdict, Verdict::Undecided(Stop::Omissions));
    let omissions = report.explicit().and_then(|it| it.omissions).expect("bits may be missed");
    let stored = report.search.counters.stored;
    assert!(stored < 6_954, "{stored}");
    assert!(omissions.coverage(stored) < 0.99, "{omissions:?}");
    assert!(omissions.hash_factor.is_some_and(|factor| factor < 24_000.0 / 1_000.0), "{omissions:?}");
}

#[test]
fn what_does_not_go_together_is_refused() {
    let program = program("peterson", &[("N", "2")]);
    let refused = |rule: Rule, resources: SearchResources, aim: Aim| {
        let strategy = Strategy::of(rule);
        let problem = ExplicitProblem { resources, ..ExplicitProblem::of_promela(&program, aim) };
        Question::from(problem).with_strategy(strategy).check(&mut |_| None).is_err()
    };
    let store = |store| SearchResources { store, n_threads: 1 };
    let dfs = || Rule::Dfs { depth: None };
    for lossy in [Store::Compressed, Store::Compact] {
        assert!(refused(Rule::Bfs, store(lossy), Aim::Safety));
        assert!(refused(Rule::Dfs { depth: Some(9) }, store(lossy), Aim::Safety));
        assert!(refused(Rule::Shorten(Shorten::Exact), store(lossy), Aim::Safety));
        assert!(!refused(Rule::Shorten(Shorten::Quick), store(lossy), Aim::Safety));
        assert!(refused(dfs(), store(lossy), Aim::Acceptance));
        assert!(refused(Rule::Bfs, SearchResources { store: lossy, n_threads: 2 }, Aim::Safety));
    }
    assert!(refused(dfs(), SearchResources { n_threads: 2, ..SearchResources::default() }, Aim::Safety));
    assert!(!refused(Rule::Bfs, SearchResources { n_threads: 2, ..SearchResources::default() }, Aim::Safety));
}
