//! Distance to a state that the user gives, such as the end of a trail.

use super::control::{Control, NEVER, Node, Paths};
use super::{Estimator, Goal, HeuristicEntry, Refusal, bounded};
use crate::explicit::engine::Engine;
use crate::explicit::layout::{Layout, Shape};
use crate::net::Network;
use crate::system::{Guide, Word};

/// Entry of the table of heuristics.
pub(super) const HAMMING: HeuristicEntry = HeuristicEntry {
    guide: Guide {
        name: "hamming",
        brief: "bits that differ from the state that --target gives",
        admissible: false,
        monotone: false,
    },
    refuse,
    build: |engine, goal| Box::new(Hamming::new(engine, goal)),
};

/// Entry of the table of heuristics.
pub(super) const MACHINES: HeuristicEntry = HeuristicEntry {
    guide: Guide {
        name: "fsm",
        brief: "statements that each process needs to its location in the state that --target gives, added up",
        admissible: false,
        monotone: true,
    },
    refuse,
    build: |engine, goal| Box::new(Machines::new(engine, goal)),
};

fn refuse(_: &Network, goal: &Goal) -> Option<Refusal> {
    goal.target.is_none().then(|| Refusal {
        why: "estimates the distance to a given state".to_string(),
        help: "give a trail whose last state it is by `--target FILE`".to_string(),
    })
}

/// A state to which a distance is estimated.
#[derive(Clone, Debug)]
pub struct TargetState {
    /// Shape with room for the state.
    pub shape: Shape,
    layout: Layout,
    words: Vec<Word>,
}

impl TargetState {
    /// Creates a target from a state of an engine of this shape.
    pub fn new(engine: &Engine, shape: &Shape, state: &[Word]) -> Self {
        let mut words = state.to_vec();
        let layout = engine.layout.clone();
        layout.fault.set(&mut words, 0);
        Self { shape: shape.clone(), layout, words }
    }

    /// Returns the state in the layout of an engine, if it has room for it.
    fn in_layout(&self, engine: &Engine) -> Option<Vec<Word>> {
        let mut words = vec![0; engine.layout.width];
        engine.layout.convert(&self.layout, &self.words, &mut words).then_some(words)
    }
}

struct Hamming {
    words: Vec<Word>,
    /// Bits that are compared.
    mask: Vec<Word>,
}

impl Hamming {
    fn new(engine: &Engine, goal: &Goal) -> Self {
        let layout = &engine.layout;
        let words = goal.target.and_then(|it| it.in_layout(engine));
        let mut ignored = vec![0; layout.width];
        for field in [layout.fault, layout.observer, layout.is_over, layout.sequence, layout.trace, layout.last] {
            field.mark(&mut ignored);
        }
        // A state for which there is no room is equally far from all.
        let mask = match &words {
            Some(_) => ignored.into_iter().map(|it| !it).collect(),
            None => vec![0; layout.width],
        };
        Self { words: words.unwrap_or_else(|| vec![0; layout.width]), mask }
    }
}

impl Estimator for Hamming {
    fn estimate(&mut self, state: &[Word]) -> u32 {
        let differs = |((a, b), mask): ((&Word, &Word), &Word)| ((a ^ b) & mask).count_ones();
        state.iter().zip(&self.words).zip(&self.mask).map(differs).sum()
    }
}

struct Machines<'e> {
    engine: &'e Engine<'e>,
    control: Control,
    /// Distances to the wanted location, by process number.
    distances: Vec<std::rc::Rc<Vec<u32>>>,
    /// Distances to the end of a process, for higher numbers.
    to_nowhere: Vec<u32>,
}

impl<'e> Machines<'e> {
    fn new(engine: &'e Engine<'e>, goal: &Goal) -> Self {
        let control = Control::new(engine.network, Paths::Numbers);
        let mut wanted: Vec<Node> = Vec::new();
        if let Some(target) = goal.target {
            let layout = &target.layout;
            let n_processes = layout.n_processes.get(&target.words) as usize;
            for room in &layout.processes[..n_processes] {
                let template = room.options[room.tag.get(&target.words) as usize].template;
                wanted.push(control.node(template, room.location.get(&target.words) as usize));
            }
        }
        // Many processes want the same location.
        let mut known: Vec<(Node, std::rc::Rc<Vec<u32>>)> = Vec::new();
        let mut distances = Vec::new();
        for node in wanted {
            let table = match known.iter().find(|it| it.0 == node) {
                Some((_, table)) => std::rc::Rc::clone(table),
                None => {
                    let table = std::rc::Rc::new(control.distances([(node, 0)]));
                    known.push((node, std::rc::Rc::clone(&table)));
                    table
                }
            };
            distances.push(table);
        }
        let to_nowhere = control.distances([(control.nowhere(), 0)]);
        Self { engine, control, distances, to_nowhere }
    }
}

impl Estimator for Machines<'_> {
    fn per_step(&self) -> u32 {
        self.control.unit
    }

    fn estimate(&mut self, state: &[Word]) -> u32 {
        let n_processes = self.engine.layout.n_processes.get(state) as usize;
        let mut sum = 0_u32;
        for process in 0..n_processes.max(self.distances.len()) {
            let node = match process < n_processes {
                true => self.control.node_of(self.engine, process, state),
                false => self.control.nowhere(),
            };
            let table = self.distances.get(process).map_or(&self.to_nowhere, |it| it);
            let distance = table[node];
            sum = if distance == NEVER { NEVER } else { sum.saturating_add(distance) };
            if sum == NEVER {
                break;
            }
        }
        bounded(sum)
    }
}
