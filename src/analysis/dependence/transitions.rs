//! The numbered transitions of a system.

use super::system::{Instance, System};
use crate::base::cancel::checkpoint;
use crate::define_id;
use crate::net::{Action, Expr, Graph, Pattern, Receive, Send, TemplateId, TransitionId};
use std::collections::HashMap;

define_id!(
    /// A transition of a system.
    SystemTransitionId
);

/// A transition of a template, taken by one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edge {
    /// Number of the process.
    pub process: usize,
    /// Its template.
    pub template: TemplateId,
    /// Its transition.
    pub transition: TransitionId,
}

/// A transition of a system: the first step of one process, or a rendezvous of
/// two, with everything that follows before another process can move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SystemTransition {
    /// The process that moves, or sends.
    pub first: Edge,
    /// The process that receives in a rendezvous.
    pub partner: Option<Edge>,
}

impl Edge {
    pub(super) fn new(instance: Instance, transition: TransitionId) -> Self {
        Self { process: instance.process, template: instance.template, transition }
    }

    pub(super) fn instance(self) -> Instance {
        Instance { process: self.process, template: self.template }
    }
}

impl SystemTransition {
    /// Iterates over its edges.
    pub fn edges(&self) -> impl Iterator<Item = Edge> {
        [self.first].into_iter().chain(self.partner)
    }
}

/// All transitions of a system.
#[derive(Debug, Default)]
pub(super) struct Transitions {
    all: Vec<SystemTransition>,
    numbers: HashMap<SystemTransition, SystemTransitionId>,
    /// Edges that may receive what an edge sends in a rendezvous.
    receivers: HashMap<Edge, Vec<Edge>>,
    /// Edges that may send what an edge receives in a rendezvous.
    senders: HashMap<Edge, Vec<Edge>>,
}

/// A rendezvous receive: by the edge itself, or by the first one inside its
/// `d_step`.
struct Reception<'n> {
    edge: Edge,
    receive: &'n Receive,
}

impl Transitions {
    /// Numbers the transitions of a system; `None` if there are more than `most`.
    pub fn within(system: &System, most: usize) -> Option<Self> {
        let mut transitions = Self::default();
        let (mut sends, mut receptions) = (Vec::new(), Vec::new());
        for &instance in &system.instances {
            let graph = system.graph(instance);
            for id in (0..graph.transitions.len()).map(TransitionId::new) {
                // No process is inside a `d_step` between two steps.
                if system.sources(instance, id).is_empty() {
                    continue;
                }
                let edge = Edge::new(instance, id);
                transitions.add(SystemTransition { first: edge, partner: None });
                if transitions.all.len() > most {
                    return None;
                }
                match &graph.transition(id).action {
                    Action::Send(send) if system.may_be_rendezvous(instance, &send.channel) => {
                        sends.push((edge, send));
                    }
                    action => receptions.extend(receives(graph, action).filter_map(|receive| {
                        let is_one = system.may_be_rendezvous(instance, &receive.channel);
                        is_one.then_some(Reception { edge, receive })
                    })),
                }
            }
        }
        for (edge, send) in sends {
            checkpoint();
            for reception in &receptions {
                if may_meet(system, (edge, send), reception) {
                    transitions.add_meeting(edge, reception.edge);
                }
            }
            if transitions.all.len() > most {
                return None;
            }
        }
        Some(transitions)
    }

    fn add(&mut self, transition: SystemTransition) -> bool {
        let id = SystemTransitionId::new(self.all.len());
        let is_new = !self.numbers.contains_key(&transition);
        if is_new {
            self.numbers.insert(transition, id);
            self.all.push(transition);
        }
        is_new
    }

    fn add_meeting(&mut self, sender: Edge, receiver: Edge) {
        if self.add(SystemTransition { first: sender, partner: Some(receiver) }) {
            self.receivers.entry(sender).or_default().push(receiver);
            self.senders.entry(receiver).or_default().push(sender);
        }
    }

    pub fn all(&self) -> &[SystemTransition] {
        &self.all
    }

    pub fn find(&self, transition: &SystemTransition) -> Option<SystemTransitionId> {
        self.numbers.get(transition).copied()
    }

    /// Returns the edges that may receive what an edge sends in a rendezvous.
    pub fn receivers_of(&self, edge: Edge) -> &[Edge] {
        self.receivers.get(&edge).map_or(&[], Vec::as_slice)
    }

    /// Returns the edges that may send what an edge receives in a rendezvous.
    pub fn senders_to(&self, edge: Edge) -> &[Edge] {
        self.senders.get(&edge).map_or(&[], Vec::as_slice)
    }
}

/// Iterates over the receives with which an action can begin.
pub(super) fn receives<'n>(graph: &'n Graph, action: &'n Action) -> impl Iterator<Item = &'n Receive> {
    let inside = match action {
        Action::Deterministic(first) => &graph.location(*first).out[..],
        _ => &[],
    };
    let inside = inside.iter().map(|it| &graph.transition(*it).action);
    [action].into_iter().chain(inside).filter_map(|it| match it {
        Action::Receive(receive) => Some(receive),
        _ => None,
    })
}

fn may_meet(system: &System, (edge, send): (Edge, &Send), reception: &Reception) -> bool {
    let (sender, receiver) = (edge.instance(), reception.edge.instance());
    let Reception { receive, .. } = reception;
    sender.process != receiver.process
        && system.channel(sender, &send.channel).may_be(&system.channel(receiver, &receive.channel))
        && fields(system, (sender, send), (receiver, receive)).all(|(_, it)| it.is_equal != Some(false))
}

/// A field of a message as sent and as required.
pub(super) struct SentField<'n> {
    pub sent: &'n Expr,
    pub wanted: &'n Expr,
    /// Whether both are equal, if that is known.
    pub is_equal: Option<bool>,
}

/// Iterates over the fields of a message that a receive requires to have a
/// value, with their positions.
pub(super) fn fields<'a, 'n>(
    system: &'a System<'n>,
    (sender, send): (Instance, &'n Send),
    (receiver, receive): (Instance, &'n Receive),
) -> impl Iterator<Item = (usize, SentField<'n>)> + use<'a, 'n> {
    let types = system.channel_type(sender, &send.channel).map_or(&[][..], |it| &it.fields);
    let fields = receive.patterns.iter().zip(&send.values).enumerate();
    fields.filter_map(move |(index, (pattern, sent))| {
        let Pattern::Match(wanted) = pattern else { return None };
        let value = sent.constant(Some(sender.process)).zip(wanted.constant(Some(receiver.process)));
        let is_equal = value.zip(types.get(index)).map(|((sent, wanted), ty)| ty.stored(sent) == wanted);
        Some((index, SentField { sent, wanted, is_equal }))
    })
}
