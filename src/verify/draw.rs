//! Control flow graphs, trace flow graphs and automata as drawings.

mod program;

use super::drawing::{Drawing, Edge, Node, Shape, Tint};
use super::flow::Assembly;
use crate::base::cancel::checkpoint;
use crate::flow::component::{Component, VIOLATION};
use crate::flow::graph::InUse;
use crate::flow::{Form, NodeId, NodeKey, Relevance, TraceFlowGraph};
use crate::lang::spec::property::{EventAutomaton, Executions};
use crate::lang::task::program::{Action, Program, TaskId};
use indexmap::IndexMap;

pub use program::processes;

/// Draws the control graphs of tasks: points, and actions on the edges. If
/// there are several tasks, each is a group.
pub fn control_flow(program: &Program, tasks: &[TaskId]) -> Drawing {
    let names: Vec<&str> = tasks.iter().map(|task| program.tasks[task.index()].name.as_str()).collect();
    let mut drawing =
        Drawing { title: format!("control flow of {}", names.join(", ")), ..Drawing::default() };
    for &task in tasks {
        checkpoint();
        let mut one = one_control_flow(program, task);
        let group = (tasks.len() > 1).then(|| program.tasks[task.index()].name.clone());
        for node in &mut one.nodes {
            node.group.clone_from(&group);
        }
        append(&mut drawing, one);
    }
    drawing
}

fn one_control_flow(program: &Program, task: TaskId) -> Drawing {
    let graph = &program.tasks[task.index()];
    let node = |point: u32| Node {
        label: point.to_string(),
        shape: if point == graph.end.0 { Shape::DoubleCircle } else { Shape::Circle },
        group: None,
        tooltip: None,
        tint: Tint::Plain,
    };
    let nodes = (0..graph.n_points as u32).map(node).collect();
    let mut drawing = Drawing { title: String::new(), nodes, edges: Vec::new() };
    arrow_to(&mut drawing, graph.start.index());
    for edge in &graph.edges {
        checkpoint();
        let label = program.label(&edge.action).unwrap_or_default();
        let (from, to) = (edge.from.index(), edge.to.index());
        match edge.action {
            Action::Accept { body: Some((start, end)), .. } => {
                drawing.edges.push(solid(from, start.index(), format!("accept {label}")));
                drawing.edges.push(solid(end.index(), to, format!("end {label}")));
            }
            Action::Accept { .. } => drawing.edges.push(solid(from, to, format!("accept {label}"))),
            Action::Call { .. } => drawing.edges.push(solid(from, to, format!("call {label}"))),
            _ => drawing.edges.push(solid(from, to, label)),
        }
    }
    drop_unreachable(&mut drawing);
    drawing
}

/// Adds one drawing beside the others.
fn append(drawing: &mut Drawing, other: Drawing) {
    let offset = drawing.nodes.len();
    drawing.nodes.extend(other.nodes);
    let moved = |edge: Edge| Edge { from: edge.from + offset, to: edge.to + offset, ..edge };
    drawing.edges.extend(other.edges.into_iter().map(moved));
}

/// Maximum number of edges between tasks in a drawing; each takes some fifty
/// bytes.
const MAX_PARALLEL: usize = 2_000_000;

/// More edges between tasks than can be drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyEdges(pub usize);

/// Draws the trace flow graph with all actions.
pub fn whole_trace_flow(
    program: &Program,
    labels: &[String],
    form: Form,
    with_parallel: bool,
) -> Result<Drawing, TooManyEdges> {
    let relevance = Relevance { labels: labels.iter().cloned().collect(), variables: Default::default() };
    let in_use = InUse { relevance, tasks: (0..program.tasks.len()).map(TaskId::new).collect() };
    let graph = TraceFlowGraph::new(program, &in_use, form, Executions::Complete);
    trace_flow(program, &graph, with_parallel)
}

/// Draws the trace flow graph: rendezvous as diamonds, interleaving dashed if
/// it is drawn at all.
pub fn trace_flow(
    program: &Program,
    graph: &TraceFlowGraph,
    with_parallel: bool,
) -> Result<Drawing, TooManyEdges> {
    let n_parallel = graph.mip.count();
    if with_parallel && n_parallel > MAX_PARALLEL {
        return Err(TooManyEdges(n_parallel));
    }
    let task_name = |task: TaskId| program.tasks[task.index()].name.clone();
    let node = |node: &crate::flow::Node| {
        let tasks: Vec<String> = node.sides.iter().map(|side| task_name(side.task)).collect();
        let is_rendezvous = matches!(node.key, NodeKey::Rendezvous { .. });
        Node {
            label: node.label.clone().unwrap_or_else(|| format!("end {}", tasks[0])),
            shape: if is_rendezvous { Shape::Diamond } else { Shape::Box },
            group: (!is_rendezvous).then(|| tasks[0].clone()),
            tooltip: Some(tasks.join(" and ")),
            tint: Tint::Plain,
        }
    };
    let terminal = |label: &str| Node {
        label: label.to_owned(),
        shape: Shape::Triangle,
        group: None,
        tooltip: None,
        tint: Tint::Plain,
    };
    let mut drawing = Drawing {
        title: "trace flow graph".to_owned(),
        nodes: graph.nodes.iter().map(node).chain([terminal("initial"), terminal("final")]).collect(),
        edges: Vec::new(),
    };
    let (initial, last) = (graph.nodes.len(), graph.nodes.len() + 1);
    drawing.edges.extend(graph.initial.ones(0).map(|node| solid(initial, node, String::new())));
    for from in 0..graph.nodes.len() {
        checkpoint();
        drawing.edges.extend(graph.control.ones(from).map(|to| solid(from, to, String::new())));
        let beside = graph.mip.ones(from).filter(|&to| with_parallel && !graph.control.contains(from, to));
        for to in beside {
            let both_ways = graph.mip.contains(to, from);
            if !both_ways || from < to {
                drawing.edges.push(Edge { from, to, label: String::new(), dashed: true, both_ways });
            }
        }
    }
    drawing.edges.extend(graph.last.ones(0).map(|node| solid(node, last, String::new())));
    if graph.empty_execution {
        drawing.edges.push(solid(initial, last, String::new()));
    }
    Ok(drawing)
}

/// Draws a property or context automaton over its events.
pub fn event_automaton(name: &str, automaton: &EventAutomaton) -> Drawing {
    let dfa = &automaton.dfa;
    let mut drawing = states(name, &automaton.state_names, |state| dfa.is_accepting(state));
    arrow_to(&mut drawing, dfa.start() as usize);
    for state in 0..dfa.n_states() as u32 {
        checkpoint();
        let edges = automaton.events.iter().enumerate();
        add_edges(
            &mut drawing,
            state,
            edges.map(|(symbol, event)| (event.name.clone(), dfa.next(state, symbol as u32))),
        );
    }
    drawing
}

/// Draws the constraints of an assembly side by side.
pub fn components(assembly: &Assembly) -> Drawing {
    let constraints = &assembly.components[1..];
    let names: Vec<&str> = constraints.iter().map(|constraint| constraint.name.as_str()).collect();
    let mut drawing = Drawing { title: names.join(", "), ..Drawing::default() };
    for constraint in constraints {
        let mut one = component(assembly, constraint);
        let group = (constraints.len() > 1).then(|| constraint.name.clone());
        for node in &mut one.nodes {
            node.group.clone_from(&group);
        }
        append(&mut drawing, one);
    }
    drawing
}

/// Draws a constraint as it runs with a trace flow graph: nodes on the edges,
/// without the violation.
fn component(assembly: &Assembly, component: &Component) -> Drawing {
    let accepting = |state: u32| component.accepting[state as usize];
    let mut drawing = states(&component.name, &component.state_names, accepting);
    arrow_to(&mut drawing, component.start as usize);
    let label = |node: usize| {
        let node = &assembly.graph.nodes[NodeId::new(node).index()];
        node.label.clone().unwrap_or_else(|| "end".to_owned())
    };
    for state in 0..component.n_states() as u32 {
        checkpoint();
        let reacting = (0..assembly.graph.nodes.len()).filter(|&node| component.column[node].is_some());
        let edges = reacting.map(|node| (label(node), component.next(state, node)));
        add_edges(&mut drawing, state, edges.filter(|(_, next)| *next != VIOLATION));
    }
    drop_unreachable(&mut drawing);
    drawing
}

fn states(name: &str, names: &[String], accepting: impl Fn(u32) -> bool) -> Drawing {
    let node = |(state, name): (usize, &String)| Node {
        label: name.clone(),
        shape: if accepting(state as u32) { Shape::DoubleCircle } else { Shape::Circle },
        group: None,
        tooltip: None,
        tint: Tint::Plain,
    };
    let nodes = names.iter().enumerate().map(node).collect();
    Drawing { title: name.to_owned(), nodes, edges: Vec::new() }
}

/// Adds one edge per target, with its labels side by side.
fn add_edges(drawing: &mut Drawing, from: u32, edges: impl Iterator<Item = (String, u32)>) {
    let mut by_target: IndexMap<u32, Vec<String>> = IndexMap::new();
    for (label, to) in edges {
        let labels = by_target.entry(to).or_default();
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    for (to, labels) in by_target {
        drawing.edges.push(solid(from as usize, to as usize, labels.join("\n")));
    }
}

fn arrow_to(drawing: &mut Drawing, start: usize) {
    let source = drawing.nodes.len();
    drawing.nodes.push(Node {
        label: String::new(),
        shape: Shape::Plain,
        group: None,
        tooltip: None,
        tint: Tint::Plain,
    });
    drawing.edges.insert(0, solid(source, start, String::new()));
}

fn solid(from: usize, to: usize, label: String) -> Edge {
    Edge { from, to, label, dashed: false, both_ways: false }
}

/// Removes nodes that no edge touches.
fn drop_unreachable(drawing: &mut Drawing) {
    let mut kept = vec![false; drawing.nodes.len()];
    for edge in &drawing.edges {
        (kept[edge.from], kept[edge.to]) = (true, true);
    }
    let mut position = Vec::new();
    let mut n_kept = 0;
    for &kept in &kept {
        position.push(n_kept);
        n_kept += usize::from(kept);
    }
    for edge in &mut drawing.edges {
        (edge.from, edge.to) = (position[edge.from], position[edge.to]);
    }
    let mut keep = kept.iter();
    drawing.nodes.retain(|_| *keep.next().unwrap_or(&true));
}
