//! A violating path as steps for people: tasks, places, events, what changed.

use super::check::Assembly;
use super::question::Question;
use super::replay::Path;
use super::report::{Change, Counterexample, EdgeKind, Place, Step};
use crate::flow::{Node, NodeId};
use crate::lang::task::program::{Program, SiteId};

/// More steps than these nobody reads, and depth-first search finds millions.
const MOST_STEPS: usize = 10_000;

/// Describes a path; `tuples` are the states of the automata along it.
pub fn describe(
    question: &Question,
    assembly: &Assembly,
    path: &Path,
    tuples: &[Vec<u32>],
) -> Counterexample {
    let dead = question.property.dfa.dead_states();
    let is_trap = |tuple: &Vec<u32>| dead.contains(tuple[0] as usize);
    let prefix = tuples.iter().position(is_trap);
    let step = |index: usize| {
        let node = &assembly.graph.nodes[path.nodes[index].index()];
        let before = index.checked_sub(1).map(|before| path.nodes[before]);
        Step {
            tasks: task_names(question.program, node),
            label: node.label.clone(),
            event: event_name(question, node),
            places: places(question.program, node),
            edge: edge_kind(assembly, before, path.nodes[index]),
            changes: changes(assembly, &tuples[index], &tuples[index + 1]),
        }
    };
    let n_described = path.nodes.len().min(MOST_STEPS);
    let undescribed = path.nodes.len() - n_described;
    Counterexample { steps: (0..n_described).map(step).collect(), undescribed, prefix }
}

fn task_names(program: &Program, node: &Node) -> Vec<String> {
    node.sides.iter().map(|side| program.tasks[side.task.index()].name.clone()).collect()
}

fn event_name(question: &Question, node: &Node) -> Option<String> {
    let label = node.label.as_ref()?;
    let event = question.property.events.iter().find(|event| event.labels.contains(label))?;
    Some(event.name.clone())
}

fn places(program: &Program, node: &Node) -> Vec<Place> {
    let place = |site: SiteId| {
        let site = &program.sites[site.index()];
        let stack = site.stack.iter().map(|frame| (frame.function.clone(), frame.span)).collect();
        Place { span: site.span, stack }
    };
    node.sides.iter().filter_map(|side| side.site).map(place).collect()
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
            automaton: component.name.clone(),
            from: component.state_names[before as usize].clone(),
            to: component.state_names[after as usize].clone(),
        })
        .collect()
}
