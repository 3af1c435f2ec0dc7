//! Describes the steps of a violating path: tasks, source locations, events,
//! changes.

use super::problem::FlowProblem;
use super::replay::Path;
use super::solve::Assembly;
use crate::flow::{Node, NodeId};
use crate::lang::task::program::{Program, SiteId, TaskId};
use crate::verify::report::Counterexample;
use crate::verify::trail::{Action, Actor, Change, EdgeKind, InnerSteps, Place, Step, Trail};

/// Maximum number of described steps; depth-first search finds millions.
const MAX_STEPS: usize = 10_000;

/// Describes a path; `tuples` are the states of the automata along it.
pub fn describe(
    problem: &FlowProblem,
    assembly: &Assembly,
    path: &Path,
    tuples: &[Vec<u32>],
) -> Counterexample {
    let dead = problem.property.dfa.dead_states();
    let is_trap = |tuple: &Vec<u32>| dead.contains(tuple[0] as usize);
    let prefix = tuples.iter().position(is_trap);
    let step = |index: usize| {
        let node = &assembly.graph.nodes[path.nodes[index].index()];
        let before = index.checked_sub(1).map(|before| path.nodes[before]);
        Step {
            actors: actors(problem.program, node),
            action: node.label.clone().map_or(Action::End, Action::Label),
            alternative: None,
            event: event_name(problem, node),
            edge: Some(edge_kind(assembly, before, path.nodes[index])),
            changes: changes(assembly, &tuples[index], &tuples[index + 1]),
            printed: String::new(),
            inside: InnerSteps::default(),
            state: Vec::new(),
        }
    };
    let n_steps = path.nodes.len();
    let steps = (0..n_steps.min(MAX_STEPS)).map(|index| (index, step(index))).collect();
    let trail = Trail { n_steps, steps, ..Trail::default() };
    Counterexample { trail, prefix, ..Counterexample::default() }
}

fn event_name(problem: &FlowProblem, node: &Node) -> Option<String> {
    let label = node.label.as_ref()?;
    let event = problem.property.events.iter().find(|event| event.labels.contains(label))?;
    Some(event.name.clone())
}

fn actors(program: &Program, node: &Node) -> Vec<Actor> {
    let place = |site: SiteId| {
        let site = &program.sites[site.index()];
        let stack = site.stack.iter().map(|frame| (frame.function.clone(), frame.span)).collect();
        Place { span: site.span, stack }
    };
    let sides = node.sides.iter();
    let name = |task: TaskId| program.tasks[task.index()].name.clone();
    sides.map(|side| Actor { name: name(side.task), place: side.site.map(place) }).collect()
}

fn edge_kind(assembly: &Assembly, before: Option<NodeId>, node: NodeId) -> EdgeKind {
    match before {
        None => EdgeKind::Start,
        Some(before) if assembly.graph.control.contains(before.index(), node.index()) => EdgeKind::Control,
        Some(_) => EdgeKind::Parallel,
    }
}

fn changes(assembly: &Assembly, before: &[u32], after: &[u32]) -> Vec<Change> {
    let pairs = before.iter().zip(after).zip(&assembly.components);
    pairs
        .filter(|((before, after), _)| before != after)
        .map(|((&before, &after), component)| Change {
            name: component.name.clone(),
            from: Some(component.state_names[before as usize].clone()),
            to: component.state_names[after as usize].clone(),
        })
        .collect()
}
