//! The alternatives of a rendezvous.

use super::{Alternatives, Conditions, any_of};
use crate::analysis::dependence::conjunct::Conjunct;
use crate::analysis::dependence::state_part::{ChannelPart, StatePart};
use crate::analysis::dependence::system::Instance;
use crate::analysis::dependence::transitions::{Edge, fields, receives};
use crate::net::{Action, LocationId, Place, Receive, Send};
use std::collections::BTreeSet;

impl<'n> Conditions<'_, 'n> {
    /// Returns the alternatives by which a receiver can receive from an edge
    /// that sends, with all conditions on the receiver.
    pub(super) fn meeting(&self, sender: Edge, receiver: Edge) -> Alternatives<'n> {
        let Some(send) = self.sent_by(sender) else { return Vec::new() };
        let mut ready = self.context(receiver, |before, _| self.taken_before(sender, receiver, before));
        let instance = receiver.instance();
        match &self.system.network.template(receiver.template).provided {
            // A process whose `provided` clause fails does not receive.
            Some(provided) if self.system.may_fail(instance, provided) => {
                ready.push(Conjunct::DependsOn(self.system.reads_of(instance, provided)));
            }
            Some(provided) => self.split(instance, provided, &mut ready),
            None => {}
        }
        let graph = self.system.graph(instance);
        let action = &graph.transition(receiver.transition).action;
        let matches: Alternatives =
            receives(graph, action).filter_map(|it| self.fits((sender, send), (instance, it))).collect();
        if matches.is_empty() {
            return Vec::new();
        }
        ready.extend(any_of(matches));
        vec![ready]
    }

    fn sent_by(&self, edge: Edge) -> Option<&'n Send> {
        match &self.system.graph(edge.instance()).transition(edge.transition).action {
            Action::Send(send) => Some(send),
            _ => None,
        }
    }

    /// Returns the alternatives of the escapes that are tried before: a receiver
    /// uses the first of its escapes that can receive.
    fn taken_before(&self, sender: Edge, receiver: Edge, before: &[LocationId]) -> Alternatives<'n> {
        let Some(send) = self.sent_by(sender) else { return Vec::new() };
        let graph = self.system.graph(receiver.instance());
        let actions =
            before.iter().flat_map(|it| &graph.location(*it).out).map(|it| &graph.transition(*it).action);
        actions
            .flat_map(|action| receives(graph, action))
            .filter_map(|it| self.fits((sender, send), (receiver.instance(), it)))
            .collect()
    }

    /// Returns the alternatives in which other processes offer a rendezvous to
    /// an edge that receives.
    pub(super) fn offers(&self, receiver: Edge) -> Alternatives<'n> {
        let graph = self.system.graph(receiver.instance());
        let Action::Receive(receive) = &graph.transition(receiver.transition).action else {
            return Vec::new();
        };
        let mut offers = Vec::new();
        for &sender in self.transitions.senders_to(receiver) {
            let Some(send) = self.sent_by(sender) else { continue };
            let locations = self.system.sources(sender.instance(), sender.transition).to_vec();
            let mut offer = vec![sender.instance().at(locations)];
            if let Some(fits) = self.fits((sender, send), (receiver.instance(), receive)) {
                offer.extend(fits);
                offers.push(offer);
            }
        }
        offers
    }

    /// Returns the conditions under which a message matches a receive; `None` if
    /// it never does.
    fn fits(
        &self,
        (sender, send): (Edge, &'n Send),
        (receiver, receive): (Instance, &'n Receive),
    ) -> Option<Vec<Conjunct<'n>>> {
        let system = self.system;
        let sender = sender.instance();
        let mut conjuncts = Vec::new();
        let channels = [system.channel(sender, &send.channel), system.channel(receiver, &receive.channel)];
        if !channels[0].may_be(&channels[1]) {
            return None;
        }
        let is_known = channels[0] == channels[1] && channels[0].is_certain();
        let mut unknown: BTreeSet<StatePart> = system.promises.iter().cloned().collect();
        if !is_known {
            unknown.extend(self.reads_of_place(sender, &send.channel));
            unknown.extend(self.reads_of_place(receiver, &receive.channel));
        }
        if channels.contains(&ChannelPart::Any) {
            unknown.insert(StatePart::Processes);
        }
        let types = system.channel_type(sender, &send.channel).map(|it| &it.fields);
        // A value that cannot be computed is an error of the sender.
        for value in send.values.iter().filter(|it| system.may_fail(sender, it)) {
            unknown.extend(system.reads_of(sender, value));
        }
        for (index, field) in fields(system, (sender, send), (receiver, receive)) {
            match field.is_equal {
                Some(false) => return None,
                Some(true) => {}
                None if system.may_fail(receiver, field.wanted) || system.may_fail(sender, field.sent) => {
                    unknown.extend(system.reads_of(sender, field.sent));
                    unknown.extend(system.reads_of(receiver, field.wanted));
                }
                None => conjuncts.push(Conjunct::Equal {
                    sent: self.side(sender, field.sent),
                    wanted: self.side(receiver, field.wanted),
                    ty: types.and_then(|it| it.get(index)).copied(),
                }),
            }
        }
        if !unknown.is_empty() {
            conjuncts.push(Conjunct::DependsOn(unknown));
        }
        Some(conjuncts)
    }

    fn reads_of_place(&self, instance: Instance, place: &'n Place) -> BTreeSet<StatePart> {
        let mut parts = BTreeSet::new();
        let scope = self.system.scope(instance);
        scope.read(place, &mut |access| parts.extend(self.system.reads(instance, access.kind)));
        parts
    }
}
