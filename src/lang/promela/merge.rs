//! Statements that SPIN merges into the step before them.
//!
//! Unless told not to (`-o3`), SPIN makes one step of statements that follow
//! each other, cannot block and are seen by nobody else, or stand in one
//! atomic sequence. A trail that `pan` is to follow has a line for the first
//! of them only.
//!
//! Not met: SPIN merges `_priority = n`, but not `set_priority(_pid, n)`; both
//! are the same action here and are taken for the latter.

use super::lower::{Program, SpinStatement, SpinStatements};
use crate::net::{
    Action, ChannelQuery, Exclusive, Expr, ExprKind, Format, Graph, LocationId, Place, Root, Template,
    TemplateId, TransitionId, Visibility,
};

/// Per proctype and transition those that are merged into it, in order.
#[derive(Clone, Debug)]
pub struct Merges {
    chains: Vec<Vec<Chain>>,
}

/// What is merged into a transition.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    /// In order.
    pub then: Vec<TransitionId>,
    /// The number of a step of its own that stands behind them: behind a jump
    /// out of the midst of an atomic sequence SPIN stops where it lands.
    pub lands_on: Option<u32>,
}

impl Merges {
    /// Of a whole program.
    pub fn of(program: &Program) -> Self {
        let Program { network, statements, .. } = program;
        let has_rendezvous = network.has_rendezvous();
        let is_off =
            network.uses.remote_variables || network.templates.iter().any(|it| it.provided.is_some());
        let of_template = |(index, template): (usize, &Template)| {
            let globals = network.globals.iter().map(|it| it.visibility != Visibility::Local).collect();
            let id = TemplateId::new(index);
            let merger = Merger { template, id, statements, globals, has_rendezvous, is_off };
            (0..template.graph.transitions.len())
                .map(|index| merger.chain(TransitionId::new(index)))
                .collect()
        };
        Self { chains: network.templates.iter().enumerate().map(of_template).collect() }
    }

    /// Of a program of which SPIN is told to merge nothing.
    pub fn none(program: &Program) -> Self {
        let of_graph = |graph: &Graph| vec![Chain::default(); graph.transitions.len()];
        Self { chains: program.network.graphs().map(of_graph).collect() }
    }

    /// What is merged into a transition of a proctype.
    pub fn chain(&self, proctype: usize, transition: TransitionId) -> &Chain {
        &self.chains[proctype][transition.index()]
    }
}

struct Merger<'p> {
    template: &'p Template,
    id: TemplateId,
    statements: &'p SpinStatements,
    /// Per global variable, can others see it?
    globals: Vec<bool>,
    has_rendezvous: bool,
    /// SPIN merges nothing where a process can be held or its locals are read
    /// by others.
    is_off: bool,
}

impl Merger<'_> {
    fn graph(&self) -> &Graph {
        &self.template.graph
    }

    fn statement(&self, id: TransitionId) -> SpinStatement {
        self.statements.of(self.id, id)
    }

    fn chain(&self, id: TransitionId) -> Chain {
        let mut chain = Chain::default();
        if self.is_off || !self.can_follow(id) && !self.can_begin(id) {
            return chain;
        }
        let mut last = id;
        if self.statement(id).is_jump && self.is_alone_after_d_step(id) {
            return chain;
        }
        while self.statement(last).lands_on.is_none()
            && let Some(next) = self.only_one_at(self.graph().transition(last).to)
            && self.can_follow(next)
            && next != id
            && !chain.then.contains(&next)
        {
            chain.then.push(next);
            last = next;
        }
        chain.lands_on = self.statement(last).lands_on.filter(|_| !chain.then.is_empty());
        chain
    }

    /// Is it a jump that SPIN executes alone? SPIN does not count a d_step as a
    /// predecessor of the jump after it. Where the jump has no other one, or
    /// only one that it is merged into and that is before the d_step in the
    /// text, SPIN makes no step with merged statements that begins with the
    /// jump.
    fn is_alone_after_d_step(&self, id: TransitionId) -> bool {
        let is_from = |at: LocationId| self.graph().location(at).out.contains(&id);
        let places = self.graph().locations.iter().filter(|it| it.deterministic.is_none());
        let all = places.flat_map(|it| it.out.iter().copied());
        let before = all.filter(|it| is_from(self.graph().transition(*it).to));
        let is_d_step =
            |it: &TransitionId| matches!(self.graph().transition(*it).action, Action::Deterministic(_));
        let (d_steps, others): (Vec<TransitionId>, Vec<TransitionId>) = before.partition(is_d_step);
        match others[..] {
            _ if d_steps.is_empty() => false,
            [] => true,
            [other] => {
                let number = |it: &TransitionId| self.statement(*it).number;
                let is_first = d_steps.iter().all(|it| number(&other) < number(it));
                is_first && (self.can_follow(other) || self.can_begin(other))
            }
            _ => false,
        }
    }

    /// What happens at a place that belongs to one statement.
    fn only_one_at(&self, at: LocationId) -> Option<TransitionId> {
        let location = self.graph().location(at);
        match location.out[..] {
            [only] if location.is_statement => Some(only),
            _ => None,
        }
    }

    /// Can it be merged into what is before it?
    fn can_follow(&self, id: TransitionId) -> bool {
        let transition = self.graph().transition(id);
        let never_blocks = match &transition.action {
            Action::Assign(..) | Action::Assert(_) | Action::Print(_) => true,
            Action::Skip => self.statement(id).is_jump,
            _ => false,
        };
        never_blocks && !self.statement(id).is_labelled && self.is_unseen(id)
    }

    /// May others be merged into it, though it can block? Not where somebody
    /// asks whether the process is there.
    fn can_begin(&self, id: TransitionId) -> bool {
        let transition = self.graph().transition(id);
        let begins = match &transition.action {
            Action::Guard(Expr { kind: ExprKind::Run { .. }, .. }) => false,
            Action::Guard(_) | Action::Receive(_) => true,
            Action::Skip => !self.statement(id).is_jump,
            Action::Send(_) => !self.has_rendezvous,
            _ => false,
        };
        begins && !self.statement(id).is_asked && self.is_unseen(id)
    }

    /// Is it within an atomic sequence, or nobody's business?
    fn is_unseen(&self, id: TransitionId) -> bool {
        let transition = self.graph().transition(id);
        !self.statement(id).has_escape && (transition.atomic.is_some() || !self.is_global(&transition.action))
    }

    fn is_global(&self, action: &Action) -> bool {
        match action {
            Action::Skip => false,
            Action::Guard(expr) | Action::Assert(expr) => self.reads_global(expr),
            Action::Assign(place, value) => self.is_seen(place) || self.reads_global(value),
            Action::Print(pieces) => pieces.iter().filter_map(Format::expr).any(|it| self.reads_global(it)),
            Action::Send(send) => !self.is_exclusive(&send.channel, true),
            Action::Receive(receive) => !self.is_exclusive(&receive.channel, false),
            Action::Else
            | Action::Otherwise
            | Action::SetPriority(..)
            | Action::Deterministic(_)
            | Action::End => true,
        }
    }

    fn is_seen(&self, place: &Place) -> bool {
        match place.root {
            Root::Global(id) => self.globals[id.index()],
            Root::Local(_) | Root::Scratch => false,
        }
    }

    /// Was it promised that only this process sends, or receives?
    fn is_exclusive(&self, channel: &Place, is_send: bool) -> bool {
        let same = |it: &&Exclusive| it.channel.root == channel.root;
        self.template.exclusive.iter().filter(same).any(|it| it.is_send == is_send)
    }

    fn reads_global(&self, expr: &Expr) -> bool {
        match &expr.kind {
            // What a new process is given does not count.
            ExprKind::Constant(_) | ExprKind::Pid | ExprKind::Priority | ExprKind::Run { .. } => false,
            ExprKind::Read(place) => self.is_seen(place),
            ExprKind::Unary(_, operand) => self.reads_global(operand),
            ExprKind::Binary(_, left, right) => self.reads_global(left) || self.reads_global(right),
            ExprKind::Conditional { condition, then, otherwise } => {
                [condition, then, otherwise].into_iter().any(|it| self.reads_global(it))
            }
            ExprKind::Channel(query, place) => match query {
                ChannelQuery::Full | ChannelQuery::NotFull => !self.is_exclusive(place, true),
                ChannelQuery::Empty | ChannelQuery::NotEmpty => !self.is_exclusive(place, false),
                ChannelQuery::Length => !(self.is_exclusive(place, true) && self.is_exclusive(place, false)),
            },
            _ => true,
        }
    }
}
