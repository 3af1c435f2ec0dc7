//! Distance to the nearest location that the user has marked as dangerous.

use super::control::{Control, NEVER, Paths, transitions};
use super::{Estimator, Goal, HeuristicEntry, Refusal, bounded};
use crate::explicit::engine::Engine;
use crate::net::{LocationId, Network, TemplateId};
use crate::system::{Guide, Word};

/// Entry of the table of heuristics.
pub(super) const DANGEROUS: HeuristicEntry = HeuristicEntry {
    guide: Guide {
        name: "dangerous",
        brief: "statements until a process is at a label that --dangerous names",
        admissible: false,
        monotone: true,
    },
    refuse,
    build: |engine, goal| Box::new(Dangerous::new(engine, goal)),
};

fn refuse(network: &Network, goal: &Goal) -> Option<Refusal> {
    if !marked(network, goal).is_empty() {
        return None;
    }
    let names = goal.dangerous.iter().map(|it| format!("`{it}`")).collect::<Vec<_>>().join(", ");
    Some(match goal.dangerous {
        [] => Refusal {
            why: "needs marked locations".to_string(),
            help: "name labels of the model by `--dangerous LABEL`; `*` at the end matches any text".to_string(),
        },
        _ => Refusal {
            why: format!("finds no label or event {names} in the model"),
            help: "write labels as in the model, or `Process.label`; `*` at the end matches any text".to_string(),
        },
    })
}

/// Returns whether a name is meant by a pattern: the name itself or, with `*`
/// at the end, its beginning.
fn is_meant(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(beginning) => name.starts_with(beginning),
        None => name == pattern,
    }
}

/// Returns the marked locations: those of labels, and those before an event of
/// a task.
fn marked(network: &Network, goal: &Goal) -> Vec<(TemplateId, usize)> {
    let mut all = Vec::new();
    let is_marked = |name: &str| goal.dangerous.iter().any(|it| is_meant(it, name));
    for (index, template) in network.templates.iter().enumerate() {
        for (label, location) in template.labels.iter().zip(&template.graph.labels) {
            if is_marked(&label.name) || is_marked(&format!("{}.{}", template.name, label.name)) {
                all.push((TemplateId::new(index), location.index()));
            }
        }
    }
    for step in goal.steps.iter().filter(|it| it.labels.iter().any(|label| is_marked(label))) {
        let graph = &network.template(step.template).graph;
        for location in 0..graph.locations.len() {
            if transitions(graph, LocationId::new(location)).any(|it| it == step.transition) {
                all.push((step.template, location));
            }
        }
    }
    all
}

struct Dangerous<'e> {
    engine: &'e Engine<'e>,
    control: Control,
    distances: Vec<u32>,
}

impl<'e> Dangerous<'e> {
    fn new(engine: &'e Engine<'e>, goal: &Goal) -> Self {
        let control = Control::new(engine.network, Paths::Descendants);
        let marked = marked(engine.network, goal);
        let seeds = marked.into_iter().map(|(template, location)| (control.node(template, location), 0));
        let distances = control.distances(seeds);
        Self { engine, control, distances }
    }
}

impl Estimator for Dangerous<'_> {
    fn estimate(&mut self, state: &[Word]) -> u32 {
        let distance = self.control.nearest(&self.distances, self.engine, state);
        if distance == NEVER { bounded(NEVER) } else { distance }
    }
}
