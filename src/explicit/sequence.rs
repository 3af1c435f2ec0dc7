//! Properties of the order of events, over the steps of a network.
//!
//! A step has names: the text of a send, receive or assignment without blanks,
//! and the labels of the location that it leaves. The name of the process is the
//! prefix: `P.q!m`. If a template has several processes from the start and none
//! is ever run, each process has its number: `P[1].q!m`.

use super::monitor::{Alphabet, Monitor};
use crate::analysis::dependence::Edge;
use crate::automata::{State, Symbol, TooLarge};
use crate::diag::Sources;
use crate::lang::spec::property::{EventAutomaton, Executions};
use crate::net::{Action, Graph, Network, StepLabels, TransitionId};
use crate::net::{Expr, ExprKind, TemplateId};
use std::collections::BTreeSet;

/// A step and one of its names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// Name, such as `P.q!m`.
    pub label: String,
    /// Template of the process.
    pub template: TemplateId,
    /// Process number, if the template has several processes with separate
    /// names.
    pub process: Option<usize>,
    /// The transition.
    pub transition: TransitionId,
}

/// A property of the order of events, under assumptions.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// Which executions must satisfy it.
    pub executions: Executions,
    /// Product of property and assumptions.
    monitor: Monitor,
    /// Number of assumptions.
    n_assumptions: usize,
    /// Events by step.
    events: Vec<StepEvents>,
    /// Labels that property and assumptions name, if steps have labels.
    labels: BTreeSet<String>,
}

/// Why a sequence cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoSequence {
    /// A step would be two events at once.
    Clash(Clash),
    /// The product of property and assumptions is too large.
    TooLarge(TooLarge),
}

/// The events of a step.
#[derive(Clone, Debug)]
struct StepEvents {
    template: TemplateId,
    /// Process number, if the template has several processes with separate
    /// names.
    process: Option<usize>,
    transition: TransitionId,
    /// Events in the order in which they happen.
    symbols: Vec<Symbol>,
}

/// A step that would be two events at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// One name of the step.
    pub label: String,
    /// Another name of the step.
    pub other: String,
}

/// Returns every name of every step.
pub fn occurrences(network: &Network, sources: &Sources) -> Vec<Occurrence> {
    let mut all = Vec::new();
    let mut next = 0;
    for (index, graph) in network.graphs().enumerate() {
        let template = TemplateId::new(index);
        if network.observers.iter().any(|it| it.template == template) {
            continue;
        }
        let it = &network.templates[index];
        let numbers = next..next + it.active as usize;
        next = numbers.end;
        let is_apart = it.active > 1 && !is_run(network, template);
        let processes: Vec<Option<usize>> = if is_apart { numbers.map(Some).collect() } else { vec![None] };
        for process in processes {
            let who = match process {
                Some(number) => format!("{}[{number}]", it.name),
                None => it.name.clone(),
            };
            for (name, transition) in names(network, index, graph, sources) {
                all.push(Occurrence { label: format!("{who}.{name}"), template, process, transition });
            }
        }
    }
    all
}

/// Returns whether any process starts a process of this template.
fn is_run(network: &Network, template: TemplateId) -> bool {
    let starts = |expr: &Expr| matches!(expr.kind, ExprKind::Run { template: it, .. } if it == template);
    let actions = network.graphs().flat_map(|it| &it.transitions).map(|it| &it.action);
    actions.into_iter().any(|action| match action {
        Action::Guard(expr) | Action::Assign(_, expr) => starts(expr),
        _ => false,
    })
}

fn names(network: &Network, index: usize, graph: &Graph, sources: &Sources) -> Vec<(String, TransitionId)> {
    let mut all: Vec<(String, TransitionId)> = Vec::new();
    let labels = &network.templates[index].labels;
    for location in &graph.locations {
        for &id in &location.out {
            let transition = graph.transition(id);
            if matches!(transition.action, Action::End) {
                continue;
            }
            let mut add = |name: String| {
                if !all.contains(&(name.clone(), id)) {
                    all.push((name, id));
                }
            };
            if matches!(transition.action, Action::Send(_) | Action::Receive(_) | Action::Assign(..)) {
                add(sources.slice(transition.span).split_whitespace().collect());
            }
            for label in &location.labels {
                add(labels[label.index()].name.clone());
            }
        }
    }
    all
}

impl Sequence {
    /// Creates the property over the steps that its events name.
    pub fn new(
        occurrences: &[Occurrence],
        automaton: &EventAutomaton,
        executions: Executions,
    ) -> Result<Self, NoSequence> {
        let mut alphabet = Alphabet::new(vec![automaton]);
        let mut events: Vec<(&Occurrence, Symbol)> = Vec::new();
        for it in occurrences {
            let Some(symbol) = alphabet.symbol(&it.label) else { continue };
            let same = |(other, _): &&(&Occurrence, Symbol)| {
                (other.template, other.process, other.transition) == (it.template, it.process, it.transition)
            };
            match events.iter().find(same) {
                Some((_, known)) if *known == symbol => {}
                Some((other, _)) => {
                    let clash = Clash { label: it.label.clone(), other: other.label.clone() };
                    return Err(NoSequence::Clash(clash));
                }
                None => events.push((it, symbol)),
            }
        }
        let event = |(it, symbol): (&Occurrence, Symbol)| StepEvents {
            template: it.template,
            process: it.process,
            transition: it.transition,
            symbols: vec![symbol],
        };
        let events = events.into_iter().map(event).collect();
        let monitor = alphabet.monitor(executions).map_err(NoSequence::TooLarge)?;
        Ok(Self { executions, monitor, n_assumptions: 0, events, labels: BTreeSet::new() })
    }

    /// Creates the property over steps with given labels, for the runs that
    /// satisfy the assumptions.
    pub fn over(
        steps: &[StepLabels],
        automaton: &EventAutomaton,
        assumptions: &[&EventAutomaton],
        executions: Executions,
    ) -> Result<Self, TooLarge> {
        let mut alphabet = Alphabet::new([&[automaton], assumptions].concat());
        let mut event = |it: &StepLabels| StepEvents {
            template: it.template,
            process: None,
            transition: it.transition,
            symbols: it.labels.iter().filter_map(|label| alphabet.symbol(label)).collect(),
        };
        let events: Vec<StepEvents> = steps.iter().map(&mut event).collect();
        let events = events.into_iter().filter(|it| !it.symbols.is_empty()).collect();
        let monitor = alphabet.monitor(executions)?;
        let named = [automaton].into_iter().chain(assumptions.iter().copied()).flat_map(|it| &it.events);
        let labels = named.flat_map(|it| it.labels.iter().cloned()).collect();
        Ok(Self { executions, monitor, n_assumptions: assumptions.len(), events, labels })
    }

    /// Returns the labels of steps that the property and its assumptions name.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.labels.iter().map(String::as_str)
    }

    /// Returns the product of property and assumptions.
    pub(super) fn monitor(&self) -> &Monitor {
        &self.monitor
    }

    /// Returns whether the property can hold vacuously: if no run ends, or none
    /// satisfies the assumptions.
    pub fn needs_witness(&self) -> bool {
        self.executions == Executions::Complete || self.has_assumptions()
    }

    /// Returns whether there are assumptions about the environment.
    pub(super) fn has_assumptions(&self) -> bool {
        self.n_assumptions > 0
    }

    /// Returns whether a run that has reached this state of the monitor is one
    /// that the property is about.
    pub(super) fn is_witness(&self, state: State, has_ended: bool) -> bool {
        self.monitor.judge(state).is_assumed && (has_ended || self.executions == Executions::Prefixes)
    }

    /// Returns whether a state can be reached from which every continuation
    /// violates the property, but only at its end.
    pub fn has_trap(&self) -> bool {
        (0..self.monitor.n_states()).any(|it| self.monitor.judge(it as State).is_trapped)
    }

    /// Returns whether every continuation of a run that has reached this state
    /// of the monitor violates the property.
    pub(super) fn is_trapped(&self, state: i32) -> bool {
        self.monitor.judge(state as State).is_trapped
    }

    /// Returns the events of each transition of a template: of every process, or
    /// of processes that have separate names.
    pub(super) fn words(
        &self,
        template: TemplateId,
        n_transitions: usize,
    ) -> Vec<(Option<usize>, Vec<Vec<Symbol>>)> {
        let of_template = self.events.iter().filter(|it| it.template == template);
        let processes: BTreeSet<Option<usize>> = of_template.clone().map(|it| it.process).collect();
        let of_process = |process: Option<usize>| {
            let mut words = vec![Vec::new(); n_transitions];
            for it in of_template.clone().filter(|it| it.process == process) {
                words[it.transition.index()].clone_from(&it.symbols);
            }
            (process, words)
        };
        processes.into_iter().map(of_process).collect()
    }

    /// Returns the events that a step with some of these transitions can have,
    /// sorted.
    pub(super) fn events_of(&self, edges: impl Iterator<Item = Edge>) -> Vec<Symbol> {
        let mut symbols = BTreeSet::new();
        for edge in edges {
            let is_edge = |it: &&StepEvents| {
                (it.template, it.transition) == (edge.template, edge.transition)
                    && it.process.is_none_or(|number| number == edge.process)
            };
            symbols.extend(self.events.iter().filter(is_edge).flat_map(|it| it.symbols.iter().copied()));
        }
        symbols.into_iter().collect()
    }

    /// Returns the events of each transition of a template for a process.
    pub(super) fn symbols(
        &self,
        process: usize,
        template: TemplateId,
        n_transitions: usize,
    ) -> Vec<Vec<Symbol>> {
        let mut symbols = vec![Vec::new(); n_transitions];
        for it in &self.events {
            if it.template == template && it.process.is_none_or(|number| number == process) {
                symbols[it.transition.index()].clone_from(&it.symbols);
            }
        }
        symbols
    }
}
