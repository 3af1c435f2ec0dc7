//! Reads and writes of a step beyond its statement.

use super::own::{Reader, seen_from_outside};
use super::{Footprint, Partner, Resource, Resources};
use crate::analysis::accesses::Scope;
use crate::analysis::channels::{Channel, Channels};
use crate::analysis::part::Owner;
use crate::net::{Action, Graph, Location, Network, TemplateId, TransitionId};

pub(super) fn footprints(network: &Network) -> Vec<Vec<Footprint>> {
    let channels = Channels::new(network);
    let reader = |index: usize| {
        let scope = Scope::any(network, TemplateId::new(index));
        Reader { scope, channels: &channels }
    };
    let mut all: Vec<Vec<Footprint>> = Vec::new();
    for (index, graph) in network.graphs().enumerate() {
        let reader = reader(index);
        all.push(graph.transitions.iter().map(|it| reader.action(&it.action)).collect());
    }
    for (process, of) in network.graphs().zip(&mut all) {
        whole_steps(process, of);
    }
    let of_provided = |index: usize| {
        let expr = network.templates[index].provided.as_ref();
        expr.map(|it| reader(index).guard(it)).unwrap_or_default()
    };
    let provided: Vec<Resources> = (0..all.len()).map(of_provided).collect();
    partners(network, &channels, &provided, &mut all);
    for (index, process) in network.graphs().enumerate() {
        for footprint in &mut all[index] {
            require(footprint, provided[index].iter().cloned());
        }
        process.locations.iter().for_each(|it| precedence(process, it, &mut all[index]));
    }
    if network.uses.priorities {
        all.iter_mut().flatten().for_each(|it| require(it, [Resource::Everything]));
    }
    if all.iter().flatten().any(|it| it.reads.contains(&Resource::Last)) {
        for footprint in all.iter_mut().flatten() {
            footprint.writes.insert(Resource::Last);
        }
    }
    all
}

/// Adds parts on which executability, and so the effect, depends.
fn require(footprint: &mut Footprint, more: impl IntoIterator<Item = Resource>) {
    for resource in more {
        footprint.reads.insert(resource.clone());
        footprint.guard.insert(resource);
    }
}

/// Returns the parts that determine whether a transition is executable,
/// including a partner.
fn condition(footprint: &Footprint) -> impl Iterator<Item = Resource> {
    footprint.guard.iter().chain(&footprint.partner.guard).cloned()
}

/// Gives a `d_step` the footprints of its statements.
fn whole_steps(process: &Graph, of: &mut [Footprint]) {
    // The first executable one is executed.
    for location in process.locations.iter().filter(|it| it.deterministic.is_some()) {
        let mut before = Resources::new();
        for &id in &location.out {
            require(&mut of[id.index()], before.clone());
            before.extend(condition(&of[id.index()]));
        }
    }
    for index in 0..process.transitions.len() {
        let Action::Deterministic(first) = process.transitions[index].action else { continue };
        let mut whole = Footprint::default();
        for id in &process.location(first).out {
            whole.guard.extend(of[id.index()].guard.iter().cloned());
        }
        let number = process.location(first).deterministic;
        for location in process.locations.iter().filter(|it| it.deterministic == number) {
            for id in &location.out {
                let inner = &of[id.index()];
                whole.reads.extend(inner.guard.iter().chain(&inner.reads).cloned());
                whole.writes.extend(inner.writes.iter().cloned());
                whole.operations.extend(inner.operations.iter().cloned());
            }
        }
        // It may block after its first statement.
        whole.may_fail = true;
        of[index] = whole;
    }
}

/// One side of a rendezvous: its statement and channel.
struct Side {
    template: TemplateId,
    transition: usize,
    channel: Channel,
    is_send: bool,
}

fn partners(network: &Network, channels: &Channels, provided: &[Resources], all: &mut [Vec<Footprint>]) {
    let mut sides: Vec<Side> = Vec::new();
    for (index, process) in network.graphs().enumerate() {
        let template = TemplateId::new(index);
        let inside = |it: &Location| it.deterministic.is_some();
        let within: Vec<TransitionId> =
            process.locations.iter().filter(|it| inside(it)).flat_map(|it| it.out.clone()).collect();
        for transition in 0..process.transitions.len() {
            if within.contains(&TransitionId::new(transition)) {
                continue;
            }
            for (channel, is_send) in meetings(process, transition, &all[index]) {
                if channels.may_be_rendezvous(&channel, template) {
                    sides.push(Side { template, transition, channel, is_send });
                }
            }
        }
    }
    let mut found: Vec<Partner> = Vec::new();
    for side in &sides {
        let mut partner = Partner::default();
        let others = sides.iter().filter(|it| it.is_send != side.is_send);
        for other in others.filter(|it| may_be_same(&side.channel, &it.channel)) {
            let footprint = &all[other.template.index()][other.transition];
            let outside = |it: &Resource| seen_from_outside(it, other.template);
            let held = &provided[other.template.index()];
            partner.guard.extend(footprint.guard.iter().chain(held).map(outside));
            partner.guard.extend([Resource::Control(other.template), Resource::Processes]);
            // The sent values determine whether the message is received.
            partner.guard.extend(footprint.reads.iter().map(outside));
            partner.writes.extend(footprint.writes.iter().map(outside));
            partner.writes.insert(Resource::Control(other.template));
        }
        partner.reads = partner.guard.clone();
        found.push(partner);
    }
    for (side, partner) in sides.iter().zip(found) {
        let footprint = &mut all[side.template.index()][side.transition];
        footprint.partner.guard.extend(partner.guard);
        footprint.partner.reads.extend(partner.reads);
        footprint.partner.writes.extend(partner.writes);
        let reads = footprint.reads.clone();
        footprint.guard.extend(reads);
    }
}

/// Returns the sends and receives with which a transition can begin.
fn meetings(process: &Graph, transition: usize, of: &[Footprint]) -> Vec<(Channel, bool)> {
    let begins = match process.transitions[transition].action {
        Action::Send(_) | Action::Receive(_) => vec![TransitionId::new(transition)],
        Action::Deterministic(first) => process.location(first).out.clone(),
        _ => return Vec::new(),
    };
    let mut found = Vec::new();
    for id in begins {
        for (channel, operation) in &of[id.index()].operations {
            if operation.sends() || operation.receives() {
                found.push((channel.clone(), operation.sends()));
            }
        }
    }
    found
}

/// Returns whether channels of different processes can be the same.
fn may_be_same(one: &Channel, other: &Channel) -> bool {
    match (one, other) {
        (Channel::Of(one), Channel::Of(other)) => one.owner == Owner::Global && one.overlaps(other),
        _ => true,
    }
}

/// Adds the transitions that have precedence: those listed before an `else`, and
/// the escapes of any transition.
fn precedence(process: &Graph, location: &Location, of: &mut [Footprint]) {
    let mut before = Resources::new();
    let places = location.escapes.iter().map(|&it| process.location(it));
    for place in places.chain([location]) {
        let mut earlier = before.clone();
        for &id in &place.out {
            let footprint = &mut of[id.index()];
            match process.is_else(process.transition(id)) {
                true => require(footprint, earlier.iter().cloned()),
                false => require(footprint, before.iter().cloned()),
            }
            earlier.extend(condition(footprint));
        }
        before = earlier;
    }
}
