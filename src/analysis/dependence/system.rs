//! A network with the processes that it can have, by number.

use super::conjunct::Conjunct;
use super::state_part::{ChannelPart, StatePart, VariableOwner, VariablePart};
use crate::analysis::accesses::{AccessKind, ChannelUse, Scope};
use crate::analysis::channels::{Channel, Channels};
use crate::analysis::part::Owner;
use crate::net::{Action, ChannelType, Expr, Graph, LocationId, Network, Place, TemplateId, TransitionId};
use std::collections::BTreeSet;

/// A process number with a template.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Instance {
    pub process: usize,
    pub template: TemplateId,
}

impl Instance {
    /// Returns the condition that the process is at one of these locations.
    pub fn at<'n>(self, locations: Vec<LocationId>) -> Conjunct<'n> {
        Conjunct::At { process: self.process, template: self.template, locations }
    }
}

/// A network with its instances.
pub(super) struct System<'n> {
    pub network: &'n Network,
    pub channels: Channels<'n>,
    pub instances: Vec<Instance>,
    pub loses_messages: bool,
    /// Per template and transition, the locations at which it can be taken.
    sources: Vec<Vec<Vec<LocationId>>>,
    /// Parts that every use of a channel reads, because processes promise to be
    /// the only senders or receivers.
    pub promises: Vec<StatePart>,
}

impl<'n> System<'n> {
    pub fn new(network: &'n Network, processes: &[Vec<TemplateId>], loses_messages: bool) -> Self {
        let numbered = processes.iter().enumerate();
        let instances = numbered
            .flat_map(|(process, all)| all.iter().map(move |&template| Instance { process, template }))
            .collect();
        let channels = Channels::new(network);
        let sources = network.graphs().map(sources).collect();
        let mut system = Self { network, channels, instances, loses_messages, sources, promises: Vec::new() };
        system.promises = system.promises_of_all();
        system
    }

    fn promises_of_all(&self) -> Vec<StatePart> {
        let mut read = BTreeSet::new();
        for &instance in &self.instances {
            for promise in &self.network.template(instance.template).exclusive {
                read.insert(StatePart::Processes);
                self.scope(instance)
                    .read(&promise.channel, &mut |access| read.extend(self.reads(instance, access.kind)));
            }
        }
        read.into_iter().collect()
    }

    pub fn scope(&self, instance: Instance) -> Scope<'n> {
        Scope { network: self.network, template: instance.template, process: Some(instance.process) }
    }

    pub fn graph(&self, instance: Instance) -> &'n Graph {
        &self.network.template(instance.template).graph
    }

    /// Returns the locations at which a transition can be taken; empty inside a
    /// `d_step`.
    pub fn sources(&self, instance: Instance, transition: TransitionId) -> &[LocationId] {
        &self.sources[instance.template.index()][transition.index()]
    }

    /// Returns the variable to which a place of a process refers; `None` for
    /// `_`.
    pub fn variable(&self, instance: Instance, place: &Place) -> Option<VariablePart> {
        VariablePart::of(self.scope(instance), place)
    }

    /// Returns the channel of a place of a process.
    pub fn channel(&self, instance: Instance, place: &Place) -> ChannelPart {
        match self.channels.held_by(place, self.scope(instance)) {
            Channel::Any => ChannelPart::Any,
            Channel::Of(part) => {
                let own = VariableOwner::Process(instance.process, instance.template);
                ChannelPart::Of(VariablePart::held_by(own, part))
            }
        }
    }

    /// Returns the type of the channel of a place, if it never contains another
    /// one.
    pub fn channel_type(&self, instance: Instance, place: &Place) -> Option<&'n ChannelType> {
        let scope = self.scope(instance);
        self.channels.type_of(&self.channels.held_by(place, scope), scope.template)
    }

    /// Returns whether a place can contain a rendezvous channel.
    pub fn may_be_rendezvous(&self, instance: Instance, place: &Place) -> bool {
        let scope = self.scope(instance);
        self.channels.may_be_rendezvous(&self.channels.held_by(place, scope), scope.template)
    }

    /// Returns the parts that an access reads.
    pub fn reads(&self, instance: Instance, access: AccessKind<'n>) -> Vec<StatePart> {
        match access {
            AccessKind::Read(place) => {
                self.variable(instance, place).map(StatePart::Variable).into_iter().collect()
            }
            AccessKind::ReadRemote { template, pid, place } => {
                let mut parts = vec![StatePart::Processes];
                for other in self.possible_processes(instance, template, pid) {
                    // Indices of the place are evaluated by the reading process.
                    let scope = Scope { process: Some(instance.process), ..self.scope(other) };
                    let holder = VariableOwner::Process(other.process, other.template);
                    let part = scope.part(place, Owner::Own);
                    let part = part.map(|it| VariablePart::held_by(holder, it));
                    parts.extend(part.map(StatePart::Variable));
                }
                parts
            }
            AccessKind::Channel(used) => {
                let mut parts = self.reads_besides_buffer(instance, used);
                parts.push(StatePart::Channel(self.channel(instance, used.place)));
                parts
            }
            AccessKind::Location { template, pid } => {
                let possible_processes = self.possible_processes(instance, template, pid);
                let locations = possible_processes.into_iter().map(|it| StatePart::Location(it.process));
                locations.chain([StatePart::Processes]).collect()
            }
            AccessKind::Locations => {
                let locations = self.instances.iter().map(|it| StatePart::Location(it.process));
                locations.chain([StatePart::Processes]).collect()
            }
            AccessKind::NumberOfProcesses | AccessKind::End => vec![StatePart::Processes],
            AccessKind::Start(template) => self.reads_of_start(template),
            AccessKind::Last | AccessKind::OwnPriority | AccessKind::OtherPriority => {
                vec![StatePart::Everything]
            }
            AccessKind::SetPriority | AccessKind::Enabled | AccessKind::Timeout | AccessKind::Otherwise => {
                vec![StatePart::Everything]
            }
            AccessKind::Write(..) | AccessKind::Else | AccessKind::Deterministic(_) => Vec::new(),
            AccessKind::Failure => Vec::new(),
        }
    }

    /// Returns the parts that determine which channel is used and whether it
    /// exists.
    pub fn reads_besides_buffer(&self, instance: Instance, used: ChannelUse) -> Vec<StatePart> {
        let mut parts = self.promises.clone();
        match self.channel(instance, used.place) {
            // The channel exists as long as the process that uses it.
            ChannelPart::Of(_) => {}
            ChannelPart::Any => {
                parts.extend(self.variable(instance, used.place).map(StatePart::Variable));
                parts.push(StatePart::Processes);
            }
        }
        parts
    }

    /// Returns the parts that the initial values of a new process read, without
    /// its own variables.
    fn reads_of_start(&self, template: TemplateId) -> Vec<StatePart> {
        let mut parts = vec![StatePart::Processes];
        Scope::any(self.network, template).initials(&mut |access| match access.kind {
            AccessKind::Read(place) => {
                let part = Scope::any(self.network, template).part(place, Owner::Own);
                let global = part.filter(|it| it.owner == Owner::Global);
                let global = global.map(|it| VariablePart::held_by(VariableOwner::Global, it));
                parts.extend(global.map(StatePart::Variable));
            }
            AccessKind::Failure => {}
            _ => parts.push(StatePart::Everything),
        });
        parts
    }

    /// Returns the processes to which `P[pid]` can refer.
    fn possible_processes(
        &self,
        instance: Instance,
        template: TemplateId,
        pid: Option<&Expr>,
    ) -> Vec<Instance> {
        let number = pid.and_then(|it| it.constant(Some(instance.process)));
        let is_meant = |it: &&Instance| {
            it.template == template && number.is_none_or(|number| number == it.process as i32)
        };
        self.instances.iter().filter(is_meant).copied().collect()
    }

    /// Returns all parts that an expression reads.
    pub fn reads_of(&self, instance: Instance, expr: &'n Expr) -> BTreeSet<StatePart> {
        let mut parts = BTreeSet::new();
        self.scope(instance).guard(expr, &mut |access| parts.extend(self.reads(instance, access.kind)));
        parts
    }

    /// Returns all parts that an action reads.
    pub fn reads_of_action(&self, instance: Instance, action: &'n Action) -> BTreeSet<StatePart> {
        let mut parts = BTreeSet::new();
        self.scope(instance).action(action, &mut |access| parts.extend(self.reads(instance, access.kind)));
        parts
    }

    /// Returns whether the evaluation of an expression can fail.
    pub fn may_fail(&self, instance: Instance, expr: &'n Expr) -> bool {
        let mut may_fail = false;
        self.scope(instance).guard(expr, &mut |access| may_fail |= access.is_failure());
        may_fail
    }
}

/// Returns, for each transition, the locations at which it can be taken,
/// including those that it escapes from.
fn sources(graph: &Graph) -> Vec<Vec<LocationId>> {
    let mut sources = vec![Vec::new(); graph.transitions.len()];
    for (at, location) in graph.locations.iter().enumerate() {
        if location.deterministic.is_some() {
            continue;
        }
        let escapes = location.escapes.iter().map(|it| graph.location(*it));
        for &id in escapes.chain([location]).flat_map(|it| &it.out) {
            let found: &mut Vec<LocationId> = &mut sources[id.index()];
            if found.last() != Some(&LocationId::new(at)) {
                found.push(LocationId::new(at));
            }
        }
    }
    sources
}
