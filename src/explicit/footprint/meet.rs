//! What a step reads and writes besides its statement.

use super::made::{Assigned, channel_type};
use super::own::{Reader, Seen, seen_from_outside};
use super::{Channel, Footprint, Operation, Owner, Partner, Resource, Resources};
use crate::net::{Action, Graph, Location, Network, TransitionId};
use crate::net::{ExprKind, TemplateId};

pub(super) fn footprints(network: &Network) -> Vec<Vec<Footprint>> {
    let assigned = Assigned::new(network);
    let reader = |index: usize| Reader { network, assigned: &assigned, template: TemplateId::new(index) };
    let processes = network.graphs().enumerate();
    let own = |(index, process): (usize, &Graph)| -> Vec<Footprint> {
        process.transitions.iter().map(|it| reader(index).action(&it.action)).collect()
    };
    let mut all: Vec<Vec<Footprint>> = processes.map(own).collect();
    for (process, of) in network.graphs().zip(&mut all) {
        whole_steps(process, of);
    }
    let provided: Vec<Resources> = (0..all.len()).map(|index| provided(network, &reader(index))).collect();
    partners(network, &provided, &mut all);
    for (index, process) in network.graphs().enumerate() {
        for footprint in &mut all[index] {
            require(footprint, provided[index].iter().cloned());
        }
        process.locations.iter().for_each(|it| precedence(process, it, &mut all[index]));
    }
    if uses_priorities(network) {
        all.iter_mut().flatten().for_each(|it| require(it, [Resource::Everything]));
    }
    if all.iter().flatten().any(|it| it.reads.contains(&Resource::Last)) {
        for footprint in all.iter_mut().flatten() {
            footprint.writes.insert(Resource::Last);
        }
    }
    all
}

/// Possibility, and with it what is done, depends on more.
fn require(footprint: &mut Footprint, more: impl IntoIterator<Item = Resource>) {
    for resource in more {
        footprint.reads.insert(resource.clone());
        footprint.guard.insert(resource);
    }
}

/// What decides whether a transition is possible, a partner included.
fn condition(footprint: &Footprint) -> impl Iterator<Item = Resource> {
    footprint.guard.iter().chain(&footprint.partner.guard).cloned()
}

fn provided(network: &Network, reader: &Reader) -> Resources {
    let mut seen = Seen::default();
    let template = &network.templates[reader.template.index()];
    template.provided.iter().for_each(|it| reader.expr(it, &mut seen));
    seen.reads
}

/// A `d_step` does what its statements do.
fn whole_steps(process: &Graph, of: &mut [Footprint]) {
    // The first one that is possible is done.
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
        // It may be blocked behind its first statement.
        whole.may_fail = true;
        of[index] = whole;
    }
}

/// One side of a rendezvous: where the statement is and what channel it is for.
struct Side {
    template: TemplateId,
    transition: usize,
    channel: Channel,
    is_send: bool,
}

fn partners(network: &Network, provided: &[Resources], all: &mut [Vec<Footprint>]) {
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
                if may_be_rendezvous(network, &channel, template) {
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
            // What is sent decides whether it is taken.
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

/// The sends and receives that a transition may begin with.
fn meetings(process: &Graph, transition: usize, of: &[Footprint]) -> Vec<(Channel, bool)> {
    let begins = match process.transitions[transition].action {
        Action::Send(_) | Action::Receive(_) => vec![TransitionId::new(transition)],
        Action::Deterministic(first) => process.location(first).out.clone(),
        _ => return Vec::new(),
    };
    let mut found = Vec::new();
    for id in begins {
        for (channel, operation) in &of[id.index()].operations {
            match operation {
                Operation::Send | Operation::SortedSend => found.push((channel.clone(), true)),
                Operation::Receive | Operation::RandomReceive | Operation::Copy | Operation::RandomCopy => {
                    found.push((channel.clone(), false))
                }
                _ => {}
            }
        }
    }
    found
}

fn may_be_rendezvous(network: &Network, channel: &Channel, own: TemplateId) -> bool {
    match channel {
        Channel::Of(part) => channel_type(network, part, own).is_none_or(|(capacity, _)| capacity == 0),
        Channel::Any => network.has_rendezvous(),
    }
}

/// Channels of different processes.
fn may_be_same(one: &Channel, other: &Channel) -> bool {
    match (one, other) {
        (Channel::Of(one), Channel::Of(other)) => one.owner == Owner::Global && one.overlaps(other),
        _ => true,
    }
}

/// What is tried first decides what is possible afterwards: before `else` the
/// transitions listed before it, before everything the escapes.
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

fn uses_priorities(network: &Network) -> bool {
    let is_run_with = |action: &Action| match action {
        Action::Guard(expr) | Action::Assign(_, expr) => {
            matches!(expr.kind, ExprKind::Run { priority: Some(priority), .. } if priority != 1)
        }
        Action::SetPriority(..) => true,
        _ => false,
    };
    network.templates.iter().any(|it| it.priority != 1)
        || network.graphs().flat_map(|it| &it.transitions).any(|it| is_run_with(&it.action))
}
