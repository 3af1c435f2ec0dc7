//! A* and breadth-first search agree on the lengths of shortest paths to
//! locations of random models with atomic sequences, `d_step`s and rendezvous.
//! The estimate is the distance in the control graph of one process.

use crate::common::share::Share;
use crate::generate;
use std::collections::{BTreeSet, VecDeque};
use trapline::diag::Sources;
use trapline::explicit::layout::Shape;
use trapline::explicit::view::Semantics;
use trapline::explicit::{Engine, View};
use trapline::lang::promela::lower;
use trapline::lang::promela::{Reading, parse};
use trapline::net::{Action, Graph, LocationId, Network};
use trapline::search::strategy::parse as parse_strategy;
use trapline::search::{End, Limits, SearchRun, Strategy, explore};
use trapline::system::{Abort, Arrived, Guide, Heuristic, Successors, TransitionSystem, Word};

/// Models with more states are left out.
const MOST_STATES: u64 = 20_000;

/// Locations per model that are searched for.
const TARGETS: usize = 5;

fn program(text: &str) -> Option<Network> {
    let mut sources = Sources::default();
    let source = sources.add("model.pml", text);
    let mut load = |_: &str, _| Err("nothing is included".to_string());
    let parsed = parse(source, &mut sources, &mut Reading { definitions: Vec::new(), load: &mut load });
    Some(lower(parsed.model?).ok()?.network)
}

/// A model in which a process at a location is a goal.
struct Reach<'e> {
    view: View<'e>,
    engine: &'e Engine<'e>,
    process: usize,
    location: usize,
}

impl<'e> Reach<'e> {
    fn new(engine: &'e Engine<'e>, process: usize, location: usize) -> Self {
        let semantics = Semantics { allows_blocked_end: true, ..Semantics::default() };
        Self { view: View::new(engine).with_semantics(semantics), engine, process, location }
    }
}

/// The location of a process that is alive.
fn location(engine: &Engine, process: usize, state: &[Word]) -> Option<usize> {
    let layout = &engine.layout;
    let is_alive = layout.fault.get(state) == 0 && (process as i32) < layout.n_processes.get(state);
    is_alive.then(|| layout.processes[process].location.get(state) as usize)
}

impl TransitionSystem for Reach<'_> {
    fn width(&self) -> usize {
        self.view.width()
    }

    fn initial(&self, state: &mut [Word]) {
        self.view.initial(state);
    }

    fn successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
        self.view.successors(state, out)
    }

    fn is_goal(&self, state: &[Word]) -> bool {
        location(self.engine, self.process, state) == Some(self.location)
    }
}

/// Statements that a process must execute to reach a location.
struct LocationDistance<'e> {
    engine: &'e Engine<'e>,
    process: usize,
    /// Per location.
    distances: Vec<Option<u32>>,
}

impl Heuristic for LocationDistance<'_> {
    fn estimate(&mut self, arrived: &Arrived) -> Option<u32> {
        match location(self.engine, self.process, arrived.state) {
            Some(location) => Some(self.distances[location].unwrap_or(0)),
            // It may begin later.
            None => Some(0),
        }
    }
}

/// Where one statement of a process may lead from a location.
fn next_locations(process: &Graph, location: LocationId) -> BTreeSet<LocationId> {
    let mut next = BTreeSet::new();
    let here = process.location(location);
    let transitions =
        [location].iter().chain(&here.escapes).flat_map(|it| &process.location(*it).out).collect::<Vec<_>>();
    for id in transitions {
        let transition = process.transition(*id);
        match transition.action {
            // The number of the process may be given to another one.
            Action::End => drop(next.insert(Graph::ENTRY)),
            Action::Deterministic(first) => {
                next.insert(transition.to);
                let (mut seen, mut pending) = (BTreeSet::from([first]), vec![first]);
                while let Some(at) = pending.pop() {
                    for inner in &process.location(at).out {
                        let to = process.transition(*inner).to;
                        match process.location(to).deterministic == process.location(first).deterministic {
                            true if seen.insert(to) => pending.push(to),
                            true => {}
                            false => drop(next.insert(to)),
                        }
                    }
                }
            }
            _ => drop(next.insert(transition.to)),
        }
    }
    next
}

fn distances(process: &Graph, target: usize) -> Vec<Option<u32>> {
    let mut distances = vec![None; process.locations.len()];
    distances[target] = Some(0);
    let mut pending = VecDeque::from([target]);
    while let Some(at) = pending.pop_front() {
        for from in 0..process.locations.len() {
            if distances[from].is_none()
                && next_locations(process, LocationId::new(from)).contains(&LocationId::new(at))
            {
                distances[from] = distances[at].map(|it: u32| it + 1);
                pending.push_back(from);
            }
        }
    }
    distances
}

const GUIDES: [Guide; 1] =
    [Guide { name: "location", brief: "statements to a location", admissible: true, monotone: true }];

fn strategy(text: &str) -> Strategy {
    let mut sources = Sources::default();
    let source = sources.add("strategy", text);
    parse_strategy(source, &sources, &GUIDES).expect("the strategy is right").resolve(false).clone()
}

/// The statements of the path that a search has found, each of which is one of
/// the system.
fn length(system: &mut Reach, run: &SearchRun) -> Option<u32> {
    let End::Found(goal) = run.end else { return None };
    let path: Vec<&[Word]> = run.space.path(goal).iter().map(|&id| run.space.state(id)).collect();
    assert!(system.is_goal(path[path.len() - 1]));
    let mut total = 0;
    for pair in path.windows(2) {
        let mut out = Successors::new(system.width());
        system.successors(pair[0], &mut out).expect("it was made before");
        let costs =
            out.iter().zip(out.steps()).filter(|(next, _)| *next == pair[1]).map(|(_, step)| step.cost);
        total += costs.min().expect("a path follows steps");
    }
    Some(total)
}

/// What was looked at.
#[derive(Debug, Default)]
struct Tally {
    models: usize,
    targets: usize,
    /// Shortest paths on which some step has several statements.
    long_steps: usize,
    /// States that A* did not expand, of those that breadth-first search did.
    saved: u64,
}

/// Compares searches on one model. Returns whether the layout has room.
fn compare(seed: u64, program: &Network, shape: &mut Shape, tally: &mut Tally) -> bool {
    let engine = Engine::new(program, shape);
    let n_processes = engine.layout.processes.len();
    let limits = Limits { max_states: Some(MOST_STATES), max_bytes: None };
    let search = |process: usize, location: usize, text: &str| {
        let options = &engine.layout.processes[process].options;
        let distances = distances(&program.templates[options[0].template.index()].graph, location);
        let mut system = Reach::new(&engine, process, location);
        let build = |_: &str| -> Box<dyn Heuristic> {
            Box::new(LocationDistance { engine: &engine, process, distances: distances.clone() })
        };
        let run = explore(&mut system, &strategy(text), build, limits, &mut |_| None);
        let length = length(&mut Reach::new(&engine, process, location), &run);
        (system.view.missing_room(), run, length)
    };
    let mut n_targets = 0;
    for number in 0..TARGETS {
        let process = (seed as usize + number) % n_processes;
        let [option] = &engine.layout.processes[process].options[..] else { continue };
        let n_locations = program.templates[option.template.index()].graph.locations.len();
        let location = (seed as usize / 7 + 3 * number + 1) % n_locations;
        let (missing_room, bfs, shortest) = search(process, location, "bfs");
        if let Some(missing_room) = missing_room {
            shape.grow(missing_room);
            return false;
        }
        let Some(shortest) = shortest else { continue };
        n_targets += 1;
        for text in
            ["astar(location)", "wa(location, w=1)", "wa(location, w=4)", "bf(location)", "dfs", "mixed"]
        {
            let (missing_room, run, length) = search(process, location, text);
            if let Some(missing_room) = missing_room {
                shape.grow(missing_room);
                return false;
            }
            let Some(length) = length else {
                assert!(
                    matches!(run.end, End::Stopped(_)),
                    "{text} misses a goal, seed {seed}: {:?}",
                    run.end
                );
                continue;
            };
            assert!(length >= shortest, "{text} is shorter than breadth-first search, seed {seed}");
            if run.shortest || strategy(text).claims(&GUIDES).shortest {
                assert_eq!(length, shortest, "{text}, seed {seed}, process {process} at {location}");
            }
            if text.starts_with("astar") {
                tally.saved += bfs.counters.expanded.saturating_sub(run.counters.expanded);
            }
        }
        let End::Found(goal) = bfs.end else { continue };
        tally.long_steps += usize::from(bfs.space.path(goal).len() - 1 < shortest as usize);
    }
    tally.models += usize::from(n_targets > 0);
    tally.targets += n_targets;
    true
}

#[test]
fn a_star_finds_paths_of_the_length_of_breadth_first_search() {
    let mut tally = Tally::default();
    let share = Share::of(300);
    for seed in share.seeds {
        let Some(program) = program(&generate::model(seed)) else { continue };
        let mut shape = Shape::of(&program);
        while !compare(seed, &program, &mut shape, &mut tally) {}
    }
    if share.is_whole {
        assert!(tally.models > 150 && tally.long_steps > 50 && tally.saved > 1000, "{tally:?}");
    }
}
