//! Statements that SPIN merges into the step before them.
//!
//! Unless `-o3` is given, SPIN executes consecutive statements as one step if
//! they cannot block and are either invisible to other processes or in one
//! atomic sequence. A trail that `pan` can follow has a line only for the first
//! of them.
//!
//! Known difference: SPIN merges `_priority = n`, but not `set_priority(_pid,
//! n)`; here both are the same action, treated as the latter.

use super::lower::{Program, SpinStatement, SpinStatements};
use crate::analysis::accesses::{AccessKind, ChannelUse, Operation, Role, Scope};
use crate::net::{
    Action, Exclusive, Expr, ExprKind, Graph, LocationId, Network, Root, Template, TemplateId, TransitionId,
    Visibility,
};

/// The merged transitions, per proctype and transition.
#[derive(Clone, Debug)]
pub struct Merges {
    chains: Vec<Vec<Chain>>,
}

/// The transitions that are merged into a transition.
#[derive(Clone, Debug, Default)]
pub struct Chain {
    /// The merged transitions, in order.
    pub then: Vec<TransitionId>,
    /// Number of a separate step after them: after a jump out of the middle of
    /// an atomic sequence, SPIN stops at its target.
    pub lands_on: Option<u32>,
}

impl Merges {
    /// Computes the merged transitions of a program.
    pub fn of(program: &Program) -> Self {
        let Program { network, statements, .. } = program;
        let has_rendezvous = network.has_rendezvous();
        let is_off =
            network.uses.remote_variables || network.templates.iter().any(|it| it.provided.is_some());
        let of_template = |(index, template): (usize, &Template)| {
            let id = TemplateId::new(index);
            let merger = Merger { network, template, id, statements, has_rendezvous, is_off };
            (0..template.graph.transitions.len())
                .map(|index| merger.chain(TransitionId::new(index)))
                .collect()
        };
        Self { chains: network.templates.iter().enumerate().map(of_template).collect() }
    }

    /// Creates the table of a program without merging (`-o3`).
    pub fn none(program: &Program) -> Self {
        let of_graph = |graph: &Graph| vec![Chain::default(); graph.transitions.len()];
        Self { chains: program.network.graphs().map(of_graph).collect() }
    }

    /// Returns the transitions that are merged into a transition of a proctype.
    pub fn chain(&self, proctype: usize, transition: TransitionId) -> &Chain {
        &self.chains[proctype][transition.index()]
    }
}

struct Merger<'p> {
    network: &'p Network,
    template: &'p Template,
    id: TemplateId,
    statements: &'p SpinStatements,
    has_rendezvous: bool,
    /// Whether SPIN merges nothing, because a process has a `provided` clause
    /// or locals that other processes read.
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

    /// Returns whether it is a jump that SPIN executes alone. SPIN does not
    /// treat a `d_step` as a predecessor of the jump after it. If the jump has
    /// no other predecessor, or only one that it is merged into and that is
    /// before the `d_step` in the text, SPIN does not merge statements into the
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

    /// Returns the transition of a location that belongs to one statement.
    fn only_one_at(&self, at: LocationId) -> Option<TransitionId> {
        let location = self.graph().location(at);
        match location.out[..] {
            [only] if location.is_statement => Some(only),
            _ => None,
        }
    }

    /// Returns whether it can be merged into its predecessor.
    fn can_follow(&self, id: TransitionId) -> bool {
        let transition = self.graph().transition(id);
        let never_blocks = match &transition.action {
            Action::Assign(..) | Action::Assert(_) | Action::Print(_) => true,
            Action::Skip => self.statement(id).is_jump,
            _ => false,
        };
        never_blocks && !self.statement(id).is_labelled && self.is_unseen(id)
    }

    /// Returns whether others can be merged into it, although it can block.
    /// They cannot if an expression tests whether the process is there.
    fn can_begin(&self, id: TransitionId) -> bool {
        let transition = self.graph().transition(id);
        let begins = match &transition.action {
            Action::Guard(Expr { kind: ExprKind::Run { .. }, .. }) => false,
            Action::Guard(_) | Action::Receive(_) => true,
            Action::Skip => !self.statement(id).is_jump,
            Action::Send(_) => !self.has_rendezvous,
            _ => false,
        };
        begins && !self.statement(id).has_used_label && self.is_unseen(id)
    }

    /// Returns whether it is in an atomic sequence or local to its process.
    fn is_unseen(&self, id: TransitionId) -> bool {
        let transition = self.graph().transition(id);
        !self.statement(id).has_escape && (transition.atomic.is_some() || !self.is_global(&transition.action))
    }

    /// Returns whether it reads or writes data that other processes see. As in
    /// SPIN, a send or receive depends only on the promises about its channel,
    /// and indices and arguments of a new process are ignored.
    fn is_global(&self, action: &Action) -> bool {
        let (mut is_global, mut message) = (false, None);
        Scope::any(self.network, self.id).action(action, &mut |access| match access.kind {
            AccessKind::Channel(used) if used.operation.sends() || used.operation.receives() => {
                message = Some(used);
            }
            _ if access.in_index || access.role == Role::Argument => {}
            kind => is_global |= self.is_seen_by_others(kind),
        });
        message.map_or(is_global, |used| self.is_shared(used))
    }

    fn is_seen_by_others(&self, access: AccessKind) -> bool {
        match access {
            AccessKind::Read(place) | AccessKind::Write(place, _) => match place.root {
                Root::Global(id) => self.network.globals[id.index()].visibility != Visibility::Local,
                Root::Local(_) | Root::Scratch => false,
            },
            AccessKind::Channel(used) => self.is_shared(used),
            AccessKind::OwnPriority | AccessKind::Start(_) | AccessKind::Failure => false,
            _ => true,
        }
    }

    /// Returns whether another process may use the channel in a way that
    /// affects this use.
    fn is_shared(&self, used: ChannelUse) -> bool {
        let (sends, receives) = match used.operation {
            Operation::Send | Operation::SortedSend | Operation::Full | Operation::NotFull => (true, false),
            Operation::Receive | Operation::RandomReceive | Operation::Copy | Operation::RandomCopy => {
                (false, true)
            }
            Operation::Empty | Operation::NotEmpty => (false, true),
            Operation::Length => (true, true),
            Operation::Poll | Operation::RandomPoll => return true,
        };
        let is_promised = |is_send: bool| {
            let same = |it: &&Exclusive| it.channel.root == used.place.root;
            self.template.exclusive.iter().filter(same).any(|it| it.is_send == is_send)
        };
        sends && !is_promised(true) || receives && !is_promised(false)
    }
}
