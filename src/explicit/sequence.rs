//! Properties of the order of events, over the steps of a program.
//!
//! What a process does has names: the text of a send, a receive or an
//! assignment without its blanks, and the labels of the place it leaves.
//! Before it stands who does it: `P.q!m`. Where a template has several
//! processes from the start and none is ever run, each has its own number:
//! `P[1].q!m`.

use super::monitor::{Alphabet, Monitor};
use crate::automata::{State, Symbol, TooLarge};
use crate::diag::Sources;
use crate::lang::spec::property::{EventAutomaton, Executions};
use crate::net::{Action, Graph, Network, StepLabels, TransitionId};
use crate::net::{Expr, ExprKind, TemplateId};

/// A step that has a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// `P.q!m`
    pub label: String,
    /// Who takes it.
    pub template: TemplateId,
    /// By number, where processes of the template are told apart.
    pub process: Option<usize>,
    /// What it is.
    pub transition: TransitionId,
}

/// A property of the order of events, under assumptions.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// Which executions count.
    pub executions: Executions,
    /// Property and assumptions.
    monitor: Monitor,
    /// Number of assumptions.
    n_assumptions: usize,
    /// The steps that are events.
    events: Vec<StepEvents>,
}

/// Why there is no sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoSequence {
    /// A step would be two events at once.
    Clash(Clash),
    /// Property and assumptions together are too large.
    TooLarge(TooLarge),
}

/// The events of a step.
#[derive(Clone, Debug)]
struct StepEvents {
    template: TemplateId,
    /// By number, where processes of the template are told apart.
    process: Option<usize>,
    transition: TransitionId,
    /// In the order in which they happen.
    symbols: Vec<Symbol>,
}

/// A step that would be two events at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// By one name.
    pub label: String,
    /// By another.
    pub other: String,
}

/// Every name of every step.
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

/// Does any process start one of this template?
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
    /// The property over the steps that its events name.
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
        Ok(Self { executions, monitor, n_assumptions: 0, events })
    }

    /// The property over steps whose labels are given, of the runs that meet
    /// the assumptions.
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
        Ok(Self { executions, monitor, n_assumptions: assumptions.len(), events })
    }

    /// Property and assumptions.
    pub(super) fn monitor(&self) -> &Monitor {
        &self.monitor
    }

    /// Can it happen that no run counts: no run ends, or none meets the
    /// assumptions?
    pub fn needs_witness(&self) -> bool {
        self.executions == Executions::Complete || self.has_assumptions()
    }

    /// Is anything assumed about the environment?
    pub(super) fn has_assumptions(&self) -> bool {
        self.n_assumptions > 0
    }

    /// Is a run that has reached this state of the monitor one that counts?
    pub(super) fn is_witness(&self, state: State, has_ended: bool) -> bool {
        self.monitor.judge(state).is_assumed && (has_ended || self.executions == Executions::Prefixes)
    }

    /// Per transition of a template the events that it is for a process.
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
