//! Creates the [`Report`] of an answer.

use super::problem::{self, FlowProblem};
use super::solve::{Answer, kind_of};
use crate::diag::{Diagnostic, Severity};
use crate::flow::{Component, Node, NodeKey};
use crate::lang::task::program::{Action, Program, Role, SiteId, TaskId};
use crate::verify::engine::FLOW;
use crate::verify::question::Question;
use crate::verify::report::{Basis, Claims, Constraint, FlowBasis, Report, Stop, Verdict};
use crate::verify::trail::Change;
use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

/// Creates the report of an answer. The caller fills in files, settings and
/// times.
pub(in crate::verify) fn report(question: &Question, problem: &FlowProblem, answer: Answer) -> Report {
    let graph = &answer.assembly.graph;
    let mut notes = dead_rendezvous(problem.program, &graph.dead, &graph.nodes);
    notes.extend(proof_with_fewer(problem, &answer));
    notes.extend(fallback(question, &answer));
    notes.extend(cut_short(&answer));
    notes.extend(scouted(&answer));
    notes.extend(given_up(&answer));
    notes.extend(left_ranges(problem.program, &answer));
    Report {
        property: question.property.clone(),
        file: String::new(),
        description: question.description.clone(),
        model: String::new(),
        settings: Vec::new(),
        verdict: answer.verdict,
        strategy: answer.strategy.to_string(),
        claims: claims(&answer),
        basis: Basis::Flow(Box::new(FlowBasis {
            executions: problem.executions,
            constraints: constraints(problem, &answer),
            graph_form: problem.form.to_string(),
            graph: answer.assembly.graph_size(),
        })),
        search: answer.cost,
        elapsed: Duration::ZERO,
        counterexample: answer.counterexample,
        notes,
        confirmation: None,
    }
}

/// Reports where the counterexample assigns a value outside the range of a
/// variable that is a constraint; its value is unknown after that.
fn left_ranges(program: &Program, answer: &Answer) -> Vec<Diagnostic> {
    let (Some(path), Some(found)) = (&answer.path, &answer.counterexample) else { return Vec::new() };
    let mut sites = BTreeMap::new();
    for ((_, step), key) in found.trail.steps.iter().zip(&path.keys) {
        let NodeKey::Local { task, edge } = *key else { continue };
        let edge = &program.tasks[task.index()].edges[edge as usize];
        let is_shift = matches!(edge.action, Action::Shift { .. });
        let becomes_unknown = |it: &&Change| it.to == "?" && it.from.as_deref() != Some("?");
        let mut changes = step.changes.iter().filter(becomes_unknown);
        let name = changes.find_map(|it| it.name.strip_prefix("variable:"));
        if let Some(name) = name.filter(|_| is_shift || edge.role == Role::OutOfRange) {
            sites.entry(edge.site).or_insert(name);
        }
    }
    let note = |(site, name): (SiteId, &str)| {
        let message =
            format!("the counterexample takes `{name}` out of its range; then its value is unknown");
        Diagnostic::note("flow-range", program.sites[site.index()].span, message)
            .with_help("`--engine explicit` reports this as an error of the run")
    };
    sites.into_iter().map(note).collect()
}

/// Returns the claims of the strategy that the search fulfilled.
fn claims(answer: &Answer) -> Claims {
    let claims = answer.strategy.claims(&FLOW.guides());
    match answer.is_scouted || answer.is_spurious || answer.cut_short.is_some() {
        true => Claims { shortest: false, shortest_prefix: false, ..claims },
        false => claims,
    }
}

/// Reports that a limit ended a search for the shortest counterexample.
fn cut_short(answer: &Answer) -> Option<Diagnostic> {
    let stop = answer.cut_short.filter(|_| answer.strategy.claims(&FLOW.guides()).shortest)?;
    let limit = match stop {
        Stop::States => "the state limit",
        Stop::Memory => "the memory limit",
        Stop::Depth => "the depth limit",
        Stop::Time => "the time limit",
        Stop::Interrupt => "an interrupt",
        Stop::Omissions => "an inexact store",
    };
    let message = format!("{limit} ended the search early: a shorter counterexample may exist");
    Some(Diagnostic::new(Severity::Note, "cut-short", None, message))
}

/// Reports that a shortest counterexample would have been too expensive.
fn scouted(answer: &Answer) -> Option<Diagnostic> {
    if !answer.is_scouted || !answer.strategy.claims(&FLOW.guides()).shortest {
        return None;
    }
    let message =
        "a shorter counterexample may exist: to exclude it, all graphs of fewer constraints are needed";
    let note = Diagnostic::new(Severity::Note, "cut-short", None, message.to_owned());
    Some(note.with_help("`--adjacency always` searches for a shortest one"))
}

/// Reports that the search ended with a counterexample that is known to be
/// spurious.
fn given_up(answer: &Answer) -> Option<Diagnostic> {
    if !answer.is_spurious {
        return None;
    }
    let message = "the counterexample of the flow engine is not a path of a graph of fewer constraints; the \
                   search for another one ended, since the explicit engine can decide";
    let note = Diagnostic::new(Severity::Note, "given-up", None, message.to_owned());
    Some(note.with_help("`--confirm never` searches to the end"))
}

/// Returns the constraints in use. If their automata were not built, only the
/// names are known.
fn constraints(problem: &FlowProblem, answer: &Answer) -> Vec<Constraint> {
    let components = &answer.assembly.components;
    if components.is_empty() {
        let unbuilt = |it: &problem::Constraint| Constraint {
            name: it.name(problem.program),
            kind: kind_of(it),
            n_states: 0,
        };
        return problem.constraints.iter().map(unbuilt).collect();
    }
    let constraint = |component: &Component| {
        let name = component.name.clone();
        Some(Constraint { name, kind: component.kind?, n_states: component.n_states() })
    };
    components.iter().filter_map(constraint).collect()
}

/// Reports that a proof was found with some of the constraints only.
fn proof_with_fewer(problem: &FlowProblem, answer: &Answer) -> Option<Diagnostic> {
    let is_used = |name: &String| answer.assembly.components.iter().any(|used| used.name == *name);
    let names = problem.constraints.iter().map(|constraint| constraint.name(problem.program));
    let left_out: Vec<String> = names.filter(|name| !is_used(name)).collect();
    if left_out.is_empty() || answer.verdict != Verdict::Holds {
        return None;
    }
    let message = format!("the proof did not use {}, which would make the graph larger", left_out.join(", "));
    Some(Diagnostic::new(Severity::Note, "proof-with-fewer", None, message))
}

/// Reports that a search in two stages had only one because the property has no
/// reachable trap.
fn fallback(question: &Question, answer: &Answer) -> Option<Diagnostic> {
    if !question.search.strategy.falls_back(answer.has_trap) {
        return None;
    }
    let message =
        format!("no trap of the property is reachable, so the search had one stage: `{}`", answer.strategy);
    Some(Diagnostic::new(Severity::Note, "no-trap", None, message))
}

/// Reports calls that can never be accepted and accepts that can never be
/// called: all their rendezvous are dead.
fn dead_rendezvous(program: &Program, dead: &[Node], alive: &[Node]) -> Vec<Diagnostic> {
    let sides = |node: &Node| match node.key {
        NodeKey::Rendezvous { caller, acceptor, .. } => vec![(caller, 0), (acceptor, 1)],
        _ => Vec::new(),
    };
    let living: HashSet<_> = alive.iter().flat_map(sides).collect();
    let mut sites: BTreeMap<(SiteId, usize), (TaskId, &str)> = BTreeMap::new();
    for node in dead {
        for ((task, edge), side) in sides(node) {
            let lives = living.contains(&((task, edge), side));
            let site = program.tasks[task.index()].edges[edge as usize].site;
            if let Some(label) = node.label.as_deref().filter(|label| !lives && !label.ends_with(".end")) {
                sites.entry((site, side)).or_insert((task, label));
            }
        }
    }
    let note = |((site, side), (task, label)): ((SiteId, usize), (TaskId, &str))| {
        let task = &program.tasks[task.index()].name;
        let what = match side {
            0 => format!("`{task}` can never complete this call of `{label}`"),
            _ => format!("`{task}` can never accept `{label}` here"),
        };
        Diagnostic::note("flow-dead-rendezvous", program.sites[site.index()].span, what)
            .with_label("caller and acceptor are never ready at the same time")
    };
    sites.into_iter().map(note).collect()
}
