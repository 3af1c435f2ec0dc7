//! Reads and writes of a statement alone.

use super::{Footprint, Resource, Resources};
use crate::analysis::accesses::{Access, AccessKind, ChannelUse, Role, Scope};
use crate::analysis::channels::{Channel, Channels};
use crate::analysis::part::{Owner, Part};
use crate::net::{Action, Expr, Place, TemplateId};

/// Computes the footprints of the actions of one template.
pub(super) struct Reader<'a> {
    pub scope: Scope<'a>,
    pub channels: &'a Channels<'a>,
}

impl<'a> Reader<'a> {
    /// Returns the footprint of one action; empty for a `d_step`.
    pub fn action(&self, action: &'a Action) -> Footprint {
        let mut footprint = Footprint::default();
        self.scope.action(action, &mut |access| self.add(access, &mut footprint));
        // A trace assertion can compare messages with any part of the state.
        let uses_message = |(_, operation): &(_, super::Operation)| operation.sends() || operation.receives();
        if self.scope.network.trace.is_some() && footprint.operations.iter().any(uses_message) {
            footprint.reads.insert(Resource::Everything);
            footprint.may_fail = true;
        }
        footprint
    }

    /// Returns the parts that an expression of a guard reads.
    pub fn guard(&self, expr: &'a Expr) -> Resources {
        let mut footprint = Footprint::default();
        self.scope.guard(expr, &mut |access| self.add(access, &mut footprint));
        footprint.guard
    }

    fn add(&self, access: Access<'a>, footprint: &mut Footprint) {
        let mut read = |resources: &[Resource]| {
            // The effect of a statement can depend on its guard.
            footprint.reads.extend(resources.iter().cloned());
            if access.role == Role::Guard {
                footprint.guard.extend(resources.iter().cloned());
            }
        };
        match access.kind {
            AccessKind::Read(place) => read(&self.variable(place, Owner::Own)),
            AccessKind::ReadRemote { template, place, .. } => {
                read(&[Resource::Processes]);
                read(&self.variable(place, Owner::Process(template)));
            }
            AccessKind::Write(place, _) => footprint.writes.extend(self.variable(place, Owner::Own)),
            AccessKind::Channel(used) => self.channel(used, access.role, footprint),
            AccessKind::Location { template, .. } => {
                read(&[Resource::Processes, Resource::Control(template)]);
            }
            AccessKind::Locations => {
                read(&[Resource::Processes]);
                let n_templates = self.scope.network.templates.len();
                (0..n_templates).for_each(|it| read(&[Resource::Control(TemplateId::new(it))]));
            }
            AccessKind::NumberOfProcesses => read(&[Resource::Processes]),
            AccessKind::Last => read(&[Resource::Last]),
            AccessKind::OwnPriority => read(&[Resource::Priorities]),
            AccessKind::OtherPriority => read(&[Resource::Processes, Resource::Priorities]),
            AccessKind::SetPriority => drop(footprint.writes.insert(Resource::Priorities)),
            // Offers of a rendezvous depend on the locations of all other
            // processes.
            AccessKind::Enabled | AccessKind::Timeout | AccessKind::Otherwise => {
                read(&[Resource::Everything])
            }
            // Added when the footprints of other transitions are known.
            AccessKind::Else | AccessKind::Deterministic(_) => {}
            AccessKind::Start(template) => self.start(template, footprint),
            AccessKind::End => {
                read(&[Resource::Processes]);
                footprint.writes.extend([Resource::Processes, Resource::Channels]);
            }
            AccessKind::Failure => footprint.may_fail = true,
        }
    }

    fn variable(&self, place: &Place, owner: Owner) -> Vec<Resource> {
        self.scope.part(place, owner).map(Resource::Variable).into_iter().collect()
    }

    fn channel(&self, used: ChannelUse, role: Role, footprint: &mut Footprint) {
        let own = self.scope.template;
        let channel = self.channels.held_by(used.place, self.scope);
        let mut resources = self.variable(used.place, Owner::Own);
        resources.push(Resource::Channel(channel.clone()));
        if !matches!(channel, Channel::Of(Part { owner: Owner::Global, .. })) {
            resources.push(Resource::Channels);
        }
        if used.operation.writes() {
            footprint.writes.insert(Resource::Channel(channel.clone()));
        }
        let n_fields = self.channels.type_of(&channel, own).map(|it| it.fields.len());
        footprint.may_fail |= n_fields.is_none() || used.n_fields.is_some_and(|it| Some(it) != n_fields);
        footprint.operations.insert((channel, used.operation));
        footprint.reads.extend(resources.iter().cloned());
        if role == Role::Guard {
            footprint.guard.extend(resources);
        }
    }

    /// Adds a new process; its variables belong to [`Resource::Processes`].
    fn start(&self, template: TemplateId, footprint: &mut Footprint) {
        let comes_and_goes = [Resource::Processes, Resource::Channels];
        footprint.reads.extend(comes_and_goes.iter().cloned());
        footprint.writes.extend(comes_and_goes);
        let scope = Scope::any(self.scope.network, template);
        let new = Reader { scope, channels: self.channels };
        let mut initials = Footprint::default();
        scope.initials(&mut |access| new.add(access, &mut initials));
        footprint.reads.extend(initials.reads.iter().map(|it| seen_from_outside(it, template)));
    }
}

/// Returns a resource of a process of the template as another process sees it.
pub(super) fn seen_from_outside(resource: &Resource, template: TemplateId) -> Resource {
    let moved = |part: &Part| match part.owner {
        Owner::Own => Part { owner: Owner::Process(template), ..part.clone() },
        _ => part.clone(),
    };
    match resource {
        Resource::Variable(part) => Resource::Variable(moved(part)),
        Resource::Channel(Channel::Of(part)) => Resource::Channel(Channel::Of(moved(part))),
        other => other.clone(),
    }
}
