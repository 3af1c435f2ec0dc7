//! What is asked of a program, and what is told of it.

use super::{
    BlockedProcess, Content, Fault, Observer, ObserverKind, Omissions, Program, SearchResources, Semantics,
    Sequence, Spent, Trail,
};
use crate::diag::Span;
use crate::explicit::layout::{Shape, Widths};
use crate::explicit::overflow::Apart;
use crate::net::Network;
use crate::search::strategy::Claims;
use crate::search::{Limits, Strategy};
use crate::verify::report::{SearchCost, Verdict};
use crate::verify::unreached::Unreached;
use std::time::Duration;

/// What is asked.
#[derive(Clone, Debug)]
pub struct ModelQuestion<'a> {
    /// The processes.
    pub network: &'a Network,
    /// The Promela model they are from, if they are: SPIN can follow its trails.
    pub promela: Option<&'a Program>,
    /// What is to be found out about them.
    pub aim: Aim,
    /// Do only runs count on which every process that can always move does?
    pub is_fair: bool,
    /// How their states are searched.
    pub strategy: Strategy,
    /// When to give up.
    pub limits: Limits,
    /// How they are run.
    pub semantics: Semantics,
    /// How states are remembered, and by how many threads.
    pub means: SearchResources,
}

impl<'a> ModelQuestion<'a> {
    /// A question about a Promela model: breadth first, to the end, as SPIN runs
    /// it.
    pub fn new(program: &'a Program, aim: Aim) -> Self {
        Self { promela: Some(program), ..Self::of(&program.network, aim) }
    }

    /// A question about a network: breadth first, to the end.
    pub fn of(network: &'a Network, aim: Aim) -> Self {
        Self {
            network,
            promela: None,
            aim,
            is_fair: false,
            strategy: Strategy::bfs(),
            limits: Limits::default(),
            semantics: Semantics::default(),
            means: SearchResources::default(),
        }
    }
}

/// What can be found out.
#[derive(Clone, Debug)]
pub enum Aim {
    /// No assertion fails, nothing ends where it must not, nothing goes wrong.
    Safety,
    /// No run passes an accept label again and again or stops at one.
    Acceptance,
    /// An observer never sees what it is looking for.
    Observer(Observer),
    /// Events come in the order that a property of this name wants.
    Sequence(String, Box<Sequence>),
}

impl Aim {
    /// What a user calls it.
    pub fn name(&self) -> &str {
        match self {
            Self::Safety => "safety",
            Self::Acceptance => "acceptance",
            Self::Observer(observer) => &observer.name,
            Self::Sequence(name, _) => name,
        }
    }

    /// Is it a formula?
    pub fn is_formula(&self) -> bool {
        matches!(self, Self::Observer(Observer { kind: ObserverKind::Formula(_), .. }))
    }
}

/// The answer for one property of a model.
#[derive(Clone, Debug)]
pub struct ModelReport {
    /// The file of the model as the user knows it.
    pub model: String,
    /// The file that asks for it: a property file, or that of the model.
    pub file: String,
    /// What was checked: `safety`, `acceptance`, or the name of a claim or
    /// formula.
    pub property: String,
    /// What kind of thing that is.
    pub aim: Aim,
    /// Definitions from the command line.
    pub definitions: Vec<(String, String)>,
    /// The answer.
    pub verdict: Verdict,
    /// What a store that is not exact may have missed.
    pub omissions: Option<Omissions>,
    /// How the model was run.
    pub semantics: Semantics,
    /// Do only fair runs count?
    pub is_fair: bool,
    /// Did runs end in an error that is none of this property?
    pub has_met_fault: bool,
    /// What is wrong, with [`Verdict::Violated`]; not with a cycle.
    pub fault: Option<Fault>,
    /// What each process waits for, if no process can move at the end of the
    /// trail.
    pub blocked: Vec<BlockedProcess>,
    /// The strategy; fed back it repeats the run.
    pub strategy: String,
    /// What the strategy promises.
    pub claims: Claims,
    /// What the search did.
    pub search: SearchCost,
    /// Bytes of one state before it is stored.
    pub state_bytes: usize,
    /// What was spent before the last start of the search.
    pub spent: Spent,
    /// From the start to the error, or once round the cycle.
    pub trail: Trail,
    /// What is never executed, if all states were seen.
    pub unreached: Option<Vec<Unreached>>,
    /// What the variables hold at the end of the trail.
    pub last: Vec<Content>,
    /// From the first byte read to the verdict.
    pub elapsed: Duration,
}

/// A statement that is executed on the way.
#[derive(Clone, Debug)]
pub struct TrailStep {
    /// `P[1]`
    pub process: String,
    /// The statement.
    pub span: Span,
    /// Who receives in a rendezvous, and where.
    pub partner: Option<(String, Span)>,
    /// What changed with it.
    pub changes: Vec<Content>,
    /// What `printf` wrote.
    pub printed: String,
    /// The statements of a `d_step`.
    pub inside: InnerSteps,
    /// All variables after it, if they were asked for.
    pub state: Vec<Content>,
}

/// The statements of a `d_step`.
#[derive(Clone, Debug, Default)]
pub struct InnerSteps {
    /// Those that are described, each with its place from 0 and what changed
    /// with it: all, or the first and the last of them.
    pub steps: Vec<(usize, Span, Vec<Content>)>,
    /// How many there are; those that are repeated for ever are counted once.
    pub n_steps: usize,
    /// Where the statements begin that are repeated for ever.
    pub cycle: Option<usize>,
}

impl ModelQuestion<'_> {
    pub(super) fn observer(&self) -> Option<&Observer> {
        match &self.aim {
            Aim::Observer(observer) => Some(observer),
            Aim::Safety | Aim::Acceptance | Aim::Sequence(..) => None,
        }
    }

    /// Which states may be kept apart from those of the search?
    pub(super) fn apart(&self) -> Apart {
        match self.means {
            SearchResources { store, .. } if store.is_lossy() => Apart::Never,
            _ if self.is_fair => Apart::SameProcesses,
            _ => Apart::Always,
        }
    }

    /// The shape that the search begins with. A store that is not exact keeps
    /// no words of states: wide ones cost it no memory, and beginning again late
    /// would cost it more.
    pub(super) fn first_shape(&self) -> Shape {
        let shape = Shape::of(self.network);
        match self.means.store.is_lossy() {
            true => Shape { widths: Widths::whole(), ..shape },
            false => shape,
        }
    }

    /// Can an infinite run be a counterexample?
    pub(super) fn asks_for_cycles(&self) -> bool {
        let accepts =
            |index: usize| self.network.templates[index].graph.locations.iter().any(|it| it.is_accept);
        match &self.aim {
            Aim::Safety | Aim::Sequence(..) => false,
            Aim::Acceptance => true,
            Aim::Observer(observer) => match observer.kind {
                ObserverKind::Formula(_) => accepts(observer.template.index()),
                ObserverKind::Claim => {
                    let is_other = |index: usize| {
                        self.network.observers.iter().any(|it| it.template.index() == index && it != observer)
                    };
                    (0..self.network.templates.len()).any(|index| !is_other(index) && accepts(index))
                }
            },
        }
    }
}
