//! Distance to the violation of an order of events.
//!
//! The automaton of property and assumptions says which events lead to a
//! violation, the control graphs how far the processes are from the statements
//! that are these events.

use super::control::{Control, NEVER, Node, Paths, executed, transitions};
use super::{Aim, Estimator, Goal, HeuristicEntry, Refusal, bounded};
use crate::automata::{State, Symbol};
use crate::base::cancel::checkpoint;
use crate::explicit::engine::{Engine, SequenceTable};
use crate::lang::spec::property::Executions;
use crate::net::{Action, LocationId, Network, TemplateId, TransitionId};
use crate::system::{Guide, Word};
use std::collections::{BTreeMap, BTreeSet};

/// Entry of the table of heuristics.
pub(super) const REACH: HeuristicEntry = HeuristicEntry {
    guide: Guide {
        name: "reach",
        brief: "statements until the next event that leads to a violation, and one for each later event",
        admissible: true,
        monotone: true,
    },
    refuse,
    build: |engine, goal| match &engine.following {
        Some(following) => Box::new(Reach::new(engine, following, goal)),
        None => unreachable!("the heuristic was refused"),
    },
};

/// Entry of the table of heuristics.
pub(super) const TRAP: HeuristicEntry = HeuristicEntry {
    guide: Guide {
        name: "trap",
        brief: "events until every continuation violates the property",
        admissible: false,
        monotone: false,
    },
    refuse,
    build: |engine, _| match &engine.following {
        Some(following) => Box::new(Trap::new(engine, following)),
        None => unreachable!("the heuristic was refused"),
    },
};

/// Entry of the table of heuristics.
pub(super) const ENDS: HeuristicEntry = HeuristicEntry {
    guide: Guide {
        name: "end",
        brief: "statements that each process needs to a valid end, added up; for complete executions",
        admissible: true,
        monotone: true,
    },
    refuse: |network, goal| {
        refuse(network, goal).or_else(|| {
            (goal.executions != Some(Executions::Complete)).then(|| Refusal {
                why: "estimates the distance to the end of an execution, but this property can be violated \
                      anywhere"
                    .to_string(),
                help: "use `reach` or `trap`, or check `--executions complete`".to_string(),
            })
        })
    },
    build: |engine, _| Box::new(Ends::new(engine)),
};

fn refuse(_: &Network, goal: &Goal) -> Option<Refusal> {
    (goal.aim != Aim::Sequence).then(|| Refusal {
        why: "is for orders of events, but this property is about states".to_string(),
        help: "use `formula`".to_string(),
    })
}

/// Estimates the distance to the end of every process.
struct Ends<'e> {
    engine: &'e Engine<'e>,
    numbers: Control,
    distances: Vec<u32>,
}

impl<'e> Ends<'e> {
    fn new(engine: &'e Engine<'e>) -> Self {
        let numbers = Control::new(engine.network, Paths::Numbers);
        let mut seeds = vec![(numbers.nowhere(), 0)];
        for (index, graph) in engine.network.graphs().enumerate() {
            let is_end = |location: &usize| graph.locations[*location].is_end;
            let ends = (0..graph.locations.len()).filter(is_end);
            seeds.extend(ends.map(|it| (numbers.node(TemplateId::new(index), it), 0)));
        }
        let distances = numbers.distances(seeds);
        Self { engine, numbers, distances }
    }

    fn distance(&self, state: &[Word]) -> u32 {
        let n_processes = self.engine.layout.n_processes.get(state) as usize;
        let of_process = |process| self.distances[self.numbers.node_of(self.engine, process, state)];
        (0..n_processes).map(of_process).fold(0, u32::saturating_add)
    }
}

impl Estimator for Ends<'_> {
    fn per_step(&self) -> u32 {
        self.numbers.unit
    }

    fn estimate(&mut self, state: &[Word]) -> u32 {
        match self.engine.layout.fault.get(state) {
            0 => bounded(self.distance(state)),
            _ => of_fault(self.engine, state),
        }
    }
}

/// Returns the estimate for a state with a fault: no other fault than a
/// violation is followed by one.
fn of_fault(engine: &Engine, state: &[Word]) -> u32 {
    let number = engine.layout.fault.get(state);
    if number == crate::explicit::view::Fault::Sequence.number() { 0 } else { bounded(NEVER) }
}

/// Estimates the number of events.
struct Trap<'e> {
    engine: &'e Engine<'e>,
    /// Per state of the monitor.
    distances: Vec<u32>,
}

impl<'e> Trap<'e> {
    fn new(engine: &'e Engine<'e>, following: &SequenceTable) -> Self {
        let monitor = following.sequence.monitor();
        let symbols: Vec<Vec<Symbol>> = (0..monitor.n_symbols() as Symbol).map(|it| vec![it]).collect();
        let has_trap = following.sequence.has_trap();
        let is_target = |state: State| {
            let judgement = monitor.judge(state);
            judgement.is_broken || judgement.is_trapped || !has_trap && judgement.is_wrong_at_end
        };
        let distances = steps(following, &symbols, false, |state| is_target(state).then_some(0));
        Self { engine, distances }
    }
}

impl Estimator for Trap<'_> {
    fn estimate(&mut self, state: &[Word]) -> u32 {
        match self.engine.layout.fault.get(state) {
            0 => bounded(self.distances[self.engine.layout.sequence.get(state) as usize]),
            _ => of_fault(self.engine, state),
        }
    }
}

/// Returns for each state of the monitor the minimum number of steps to a
/// target, where a step is one of `words`; with `is_wild`, also any other word.
fn steps(
    following: &SequenceTable,
    words: &[Vec<Symbol>],
    is_wild: bool,
    target: impl Fn(State) -> Option<u32>,
) -> Vec<u32> {
    let monitor = following.sequence.monitor();
    let n_states = monitor.n_states();
    let mut distances: Vec<u32> = (0..n_states as State).map(|it| target(it).unwrap_or(NEVER)).collect();
    if is_wild {
        let wild = distances.iter().filter(|it| **it != NEVER).min().map_or(NEVER, |it| it + 1);
        distances.iter_mut().for_each(|it| *it = (*it).min(wild));
    }
    // Words are few, and distances short.
    let mut has_changed = true;
    while std::mem::take(&mut has_changed) {
        for state in 0..n_states as State {
            checkpoint();
            for word in words {
                let through = distances[after(following, state, word) as usize].saturating_add(1);
                if through < distances[state as usize] {
                    distances[state as usize] = through;
                    has_changed = true;
                }
            }
        }
    }
    distances
}

/// Returns the state of the monitor after a word; the first one that violates
/// the property is final.
fn after(following: &SequenceTable, state: State, word: &[Symbol]) -> State {
    let monitor = following.sequence.monitor();
    let mut state = state;
    for &symbol in word {
        if monitor.judge(state).is_broken {
            break;
        }
        state = monitor.next(state, symbol);
    }
    state
}

/// Where a word is emitted: by which process, if others cannot, and at which
/// distance.
struct Source {
    process: Option<usize>,
    /// Per node.
    distances: Vec<u32>,
}

/// A step that changes the state of the monitor: its sources, all of which must
/// be reached, and the number of steps including this one to a violation.
type Alternative = (Vec<usize>, u32);

/// Estimates the distance of the processes to the events.
struct Reach<'e> {
    engine: &'e Engine<'e>,
    control: Control,
    sources: Vec<Source>,
    /// Per state of the monitor; those with the fewest steps first.
    alternatives: Vec<Vec<Alternative>>,
    /// Number of steps at the end of an execution, per state of the monitor.
    at_end: Vec<u32>,
    /// Distance to the end of an execution, if only there the property is
    /// violated.
    ends: Option<Ends<'e>>,
    /// Distance of each source in the current state.
    found: Vec<u32>,
}

/// Maximum number of pairs of words of a rendezvous.
const MAX_PAIRS: usize = 1 << 12;

/// Words that transitions emit, each with the process, if others do not, and the
/// locations before them.
type Emissions = BTreeMap<(Vec<Symbol>, Option<usize>), BTreeSet<Node>>;

impl<'e> Reach<'e> {
    fn new(engine: &'e Engine<'e>, following: &SequenceTable, goal: &Goal) -> Self {
        let control = Control::new(engine.network, Paths::Descendants);
        let (mut alone, mut sent, mut received) = (Emissions::new(), Emissions::new(), Emissions::new());
        let mut wild = BTreeSet::new();
        emissions(engine, following, &control, |emitted| match emitted {
            Emitted::Alone(key, node) => drop(alone.entry(key).or_default().insert(node)),
            Emitted::Sent(key, node) => drop(sent.entry(key).or_default().insert(node)),
            Emitted::Received(key, node) => drop(received.entry(key).or_default().insert(node)),
            Emitted::Wild(node) => drop(wild.insert(node)),
        });
        let mut sources = Vec::new();
        let mut add = |(key, nodes): (&(Vec<Symbol>, Option<usize>), &BTreeSet<Node>)| {
            let distances = control.distances(nodes.iter().map(|&node| (node, 0)));
            sources.push(Source { process: key.1, distances });
            (key.0.clone(), sources.len() - 1)
        };
        let alone: Vec<_> = alone.iter().map(&mut add).collect();
        let sent: Vec<_> = sent.iter().map(&mut add).collect();
        let received: Vec<_> = received.iter().map(&mut add).collect();
        let mut words: Vec<(Vec<Symbol>, Vec<usize>)> = Vec::new();
        let single = |(word, source): &(Vec<Symbol>, usize)| (word.clone(), vec![*source]);
        words.extend(alone.iter().chain(&sent).chain(&received).map(single));
        // Where a rendezvous is one statement, it can be events of both sides.
        if engine.network.counts_rendezvous_once {
            if sent.len().saturating_mul(received.len()) > MAX_PAIRS {
                wild.extend((0..control.nowhere()).collect::<Vec<_>>());
            } else {
                for (first, sender) in &sent {
                    for (second, receiver) in &received {
                        words.push(([&first[..], second].concat(), vec![*sender, *receiver]));
                    }
                }
            }
        }
        let is_wild = !wild.is_empty();
        let wild = add((&(Vec::new(), None), &wild)).1;
        let monitor = following.sequence.monitor();
        let target = |state: State| match monitor.judge(state) {
            judgement if judgement.is_broken => Some(0),
            judgement => (goal.executions == Some(Executions::Complete) && judgement.is_wrong_at_end).then_some(1),
        };
        let only_words: Vec<Vec<Symbol>> = words.iter().map(|it| it.0.clone()).collect();
        let rest = steps(following, &only_words, is_wild, target);
        let lowest = rest.iter().copied().min().unwrap_or(NEVER);
        let mut alternatives = Vec::new();
        let mut at_end = Vec::new();
        for state in 0..monitor.n_states() as State {
            checkpoint();
            let mut here: Vec<Alternative> = Vec::new();
            for (word, from) in &words {
                let next = after(following, state, word);
                if next != state && rest[next as usize] != NEVER {
                    here.push((from.clone(), rest[next as usize] + 1));
                }
            }
            if is_wild && lowest != NEVER {
                here.push((vec![wild], lowest + 1));
            }
            here.sort_by_key(|it| it.1);
            alternatives.push(here);
            at_end.push(target(state).unwrap_or(NEVER));
        }
        let ends = (goal.executions == Some(Executions::Complete)).then(|| Ends::new(engine));
        Self { engine, found: Vec::new(), control, sources, alternatives, at_end, ends }
    }

    /// Returns the distance of the nearest process that is a source.
    fn of_source(&self, source: usize, state: &[Word]) -> u32 {
        let Source { process, distances } = &self.sources[source];
        match *process {
            None => self.control.nearest(distances, self.engine, state),
            Some(process) if (process as i32) < self.engine.layout.n_processes.get(state) => {
                distances[self.control.node_of(self.engine, process, state)]
            }
            Some(_) => NEVER,
        }
    }
}

/// Not computed yet.
const UNKNOWN: u32 = NEVER - 1;

impl Estimator for Reach<'_> {
    fn estimate(&mut self, state: &[Word]) -> u32 {
        let layout = &self.engine.layout;
        if layout.fault.get(state) != 0 {
            return of_fault(self.engine, state);
        }
        let monitored = layout.sequence.get(state) as usize;
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        found.resize(self.sources.len(), UNKNOWN);
        let mut best = self.at_end[monitored];
        for (sources, steps) in &self.alternatives[monitored] {
            if *steps >= best {
                break;
            }
            let mut furthest = 0;
            for &source in sources {
                if found[source] == UNKNOWN {
                    found[source] = self.of_source(source, state);
                }
                furthest = furthest.max(found[source]);
            }
            best = best.min(furthest.saturating_add(*steps));
        }
        self.found = found;
        let to_end = self.ends.as_ref().map_or(0, |it| it.distance(state).div_ceil(it.numbers.unit));
        bounded(best.max(to_end))
    }
}

/// Something that a statement emits.
enum Emitted {
    /// A word of a statement of one process.
    Alone((Vec<Symbol>, Option<usize>), Node),
    /// A word of the sender of a rendezvous.
    Sent((Vec<Symbol>, Option<usize>), Node),
    /// A word of the receiver of a rendezvous.
    Received((Vec<Symbol>, Option<usize>), Node),
    /// Words of a `d_step`.
    Wild(Node),
}

/// Finds what statements emit.
fn emissions(engine: &Engine, following: &SequenceTable, control: &Control, mut note: impl FnMut(Emitted)) {
    let network = engine.network;
    for (index, graph) in network.graphs().enumerate() {
        let template = TemplateId::new(index);
        if network.is_observer(template) {
            continue;
        }
        let by_process = following.sequence.words(template, graph.transitions.len());
        for location in 0..graph.locations.len() {
            checkpoint();
            let node = control.node(template, location);
            for id in transitions(graph, LocationId::new(location)) {
                let transition = graph.transition(id);
                if let Action::Deterministic(_) = transition.action {
                    let inside = executed(graph, transition);
                    let emits = |(number, it): (usize, &crate::net::Transition)| {
                        inside.iter().any(|action| std::ptr::eq(*action, &it.action))
                            && by_process.iter().any(|(_, words)| !words[number].is_empty())
                    };
                    if graph.transitions.iter().enumerate().any(emits) {
                        note(Emitted::Wild(node));
                    }
                    continue;
                }
                for (process, words) in &by_process {
                    let word = &words[TransitionId::index(id)];
                    if word.is_empty() {
                        continue;
                    }
                    let key = (word.clone(), *process);
                    note(match transition.action {
                        Action::Send(_) => Emitted::Sent(key, node),
                        Action::Receive(_) => Emitted::Received(key, node),
                        _ => Emitted::Alone(key, node),
                    });
                }
            }
        }
    }
}
