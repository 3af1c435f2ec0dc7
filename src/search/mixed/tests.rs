//! Depth-first search beside breadth-first search, on random graphs.

use super::*;
use crate::system::Step;

/// Numbers below `n_states`; steps lead a little forward or anywhere back and
/// have lengths from 1 to 3.
#[derive(Clone)]
struct Maze {
    n_states: u64,
    seed: u64,
    /// The smallest goal.
    goal: u64,
    /// A state without successors, and the reason.
    aborts_at: Option<(u64, Abort)>,
}

impl Maze {
    fn new(n_states: u64, seed: u64, goal: u64) -> Self {
        Self { n_states, seed, goal, aborts_at: None }
    }

    fn noise(&self, state: u64) -> u64 {
        let mixed =
            (state ^ self.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        mixed ^ mixed >> 32
    }
}

impl TransitionSystem for Maze {
    fn width(&self) -> usize {
        1
    }

    fn initial(&self, state: &mut [Word]) {
        state[0] = 0;
    }

    fn successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
        if let Some((_, abort)) = self.aborts_at.filter(|it| it.0 == state[0]) {
            return Err(abort);
        }
        let noise = self.noise(state[0]);
        let ahead = [(1, 1), (2 + noise % 5, 1 + noise / 8 % 3), (3 + noise / 32 % 9, 1 + noise / 512 % 3)];
        for (by, length) in ahead {
            if state[0] + by < self.n_states {
                out.branch(Step::of_cost(length as u32), state)[0] = state[0] + by;
            }
        }
        out.branch(Step::PLAIN, state)[0] = noise / 4096 % (state[0] + 1);
        Ok(())
    }

    fn is_goal(&self, state: &[Word]) -> bool {
        state[0] >= self.goal
    }
}

fn breadth_first_run(maze: &Maze) -> SearchRun {
    let none = |name: &str| unreachable!("no heuristic {name}");
    explore(&mut maze.clone(), &Strategy::bfs(), none, Limits::default(), &mut |_| None)
}

fn run(maze: &Maze, schedule: Schedule) -> SearchRun {
    let (mut system, mut scout) = (maze.clone(), maze.clone());
    scheduled(&mut system, Some(&mut scout), schedule, Limits::default(), &mut |_| None)
}

/// Returns the number of statements to the goal, along a path of the maze.
fn length_of(run: &SearchRun, maze: &Maze) -> u64 {
    let End::Found(goal) = run.end else { panic!("{:?}", run.end) };
    let path: Vec<Vec<Word>> = run.space.path(goal).iter().map(|&id| run.space.state(id).to_vec()).collect();
    assert_eq!(path[0], [0]);
    assert!(path.last().is_some_and(|it| maze.is_goal(it)));
    for pair in path.windows(2) {
        let mut successors = Successors::new(1);
        maze.clone().successors(&pair[0], &mut successors).expect("they were made before");
        assert!(successors.iter().any(|it| it == &pair[1][..]), "{pair:?}");
    }
    length(&mut maze.clone(), &path)
}

/// Returns schedules that exercise every part.
fn schedules() -> Vec<Schedule> {
    let mut all = Vec::new();
    for after in [1, 3000, u64::MAX] {
        for (head_start, share) in [(1, 3), (1000, 1), (2000, 3), (u64::MAX, 1)] {
            for shortening in [1, 4000, u64::MAX] {
                all.push(Schedule { after, head_start, share, shortening, batch: 1 });
            }
        }
    }
    all
}

#[test]
fn proofs_store_and_expand_what_breadth_first_search_does() {
    for seed in 0..6 {
        let maze = Maze::new(9000, seed, u64::MAX);
        let expected = breadth_first_run(&maze);
        assert_eq!(expected.end, End::Exhausted);
        for schedule in schedules() {
            let run = run(&maze, schedule);
            assert_eq!(run.end, End::Exhausted, "{schedule:?}");
            let counts = |it: &SearchRun| (it.counters.stored, it.counters.expanded, it.counters.generated);
            assert_eq!(counts(&run), counts(&expected), "{schedule:?}");
        }
    }
}

#[test]
fn trails_called_shortest_are() {
    let (mut n_shortest, mut n_others) = (0, 0);
    for seed in 0..6 {
        // In the large maze the search for a shorter trail exhausts its budget
        // long before it ends.
        for (n_states, goal) in [(9000, 40), (9000, 3000), (9000, 8900), (60_000, 59_900)] {
            let maze = Maze::new(n_states, seed, goal);
            let expected = length_of(&breadth_first_run(&maze), &maze);
            for schedule in schedules() {
                let run = run(&maze, schedule);
                let length = length_of(&run, &maze);
                assert!(length >= expected, "{schedule:?}: {length} < {expected}");
                if run.shortest {
                    assert_eq!(length, expected, "{schedule:?}");
                    n_shortest += 1;
                } else {
                    n_others += 1;
                }
                if schedule.shortening == u64::MAX {
                    assert!(run.shortest, "{schedule:?}: the budget is enough");
                }
            }
        }
    }
    assert!(n_shortest > 100 && n_others > 20, "{n_shortest} and {n_others}");
}

#[test]
fn threads_have_a_scout_too() {
    let maze = Maze::new(200_000, 1, 199_990);
    let expected = length_of(&breadth_first_run(&maze), &maze);
    let mut scout = maze.clone();
    let systems = vec![maze.clone(); 2];
    let (run, systems) = mixed_by_threads(systems, &mut scout, Limits::default(), &mut |_| None);
    assert_eq!(systems.len(), 2);
    assert!(!run.shortest || length_of(&run, &maze) == expected);
}

/// The scout shares its layout with the main search.
#[test]
fn a_scout_that_must_restart_aborts_the_search() {
    let maze = Maze::new(9000, 1, u64::MAX);
    let mut scout = Maze { aborts_at: Some((5, Abort::Restart)), ..maze.clone() };
    let schedule = Schedule { after: u64::MAX, head_start: 1, share: 3, shortening: 1, batch: 1 };
    let run = scheduled(&mut maze.clone(), Some(&mut scout), schedule, Limits::default(), &mut |_| None);
    assert_eq!(run.end, End::Aborted(Abort::Restart));
    assert!(run.counters.expanded < 3000);
}

#[test]
fn a_limit_keeps_what_was_found() {
    let maze = Maze::new(9000, 1, 8900);
    let schedule = Schedule { after: u64::MAX, head_start: 5000, share: 1, shortening: u64::MAX, batch: 1 };
    let mut watch = |counters: &Counters| (counters.expanded > 7000).then_some(Stop::Time);
    let (mut system, mut scout) = (maze.clone(), maze.clone());
    let run = scheduled(&mut system, Some(&mut scout), schedule, Limits::default(), &mut watch);
    length_of(&run, &maze);
    assert_eq!((run.shortest, run.cut_short), (false, Some(Cut::Stopped(Stop::Time))));
}

/// A line to a goal after 40 steps, a binary tree with a goal after 15, and
/// long dead ends that begin in the tree.
#[derive(Clone)]
struct Bush;

const LINE: Word = 0;
const TREE: Word = 1 << 32;
const TAIL: Word = 2 << 32;

impl TransitionSystem for Bush {
    fn width(&self) -> usize {
        1
    }

    fn initial(&self, state: &mut [Word]) {
        state[0] = LINE;
    }

    fn successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
        let node = state[0] & (TREE - 1);
        let next: Vec<Word> = match state[0] & !(TREE - 1) {
            LINE if node == 0 => vec![LINE + 1, TREE + 1],
            LINE => vec![LINE + node + 1],
            TREE if node >= 1 << 14 => Vec::new(),
            TREE if node >= 1 << 10 => vec![TREE + 2 * node, TREE + 2 * node + 1, TAIL + (node << 8)],
            TREE => vec![TREE + 2 * node, TREE + 2 * node + 1],
            _ if node & 255 == 100 => Vec::new(),
            _ => vec![TAIL + node + 1],
        };
        next.into_iter().for_each(|it| out.branch(Step::PLAIN, state)[0] = it);
        Ok(())
    }

    fn is_goal(&self, state: &[Word]) -> bool {
        state[0] == LINE + 40 || state[0] == TREE + (1 << 14)
    }
}

/// Once the search goes deep, its depth does not bound the lengths of trails.
#[test]
fn depth_beyond_the_layers_does_not_make_a_trail_shortest() {
    let schedule = Schedule { after: 3000, head_start: 1000, share: 1, shortening: u64::MAX, batch: 1 };
    let run = scheduled(&mut Bush, Some(&mut Bush), schedule, Limits::default(), &mut |_| None);
    let End::Found(goal) = run.end else { panic!("{:?}", run.end) };
    assert_eq!((run.space.path(goal).len() - 1, run.shortest), (15, true));
}
