//! The channels that a network can have.

use super::data::{ChannelType, Initial, Type, Variable};
use super::network::Network;

/// A kind of channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelKind {
    /// Maximum number of messages; 0 for a rendezvous channel.
    pub capacity: u32,
    /// Types of the fields of a message.
    pub fields: Vec<Type>,
}

impl From<&ChannelType> for ChannelKind {
    fn from(channel: &ChannelType) -> Self {
        Self { capacity: channel.capacity, fields: channel.fields.clone() }
    }
}

impl Network {
    /// Returns the kinds of channels that the network can create.
    pub fn channel_kinds(&self) -> Vec<ChannelKind> {
        let mut kinds = Vec::new();
        for (_, channel) in self.channel_variables() {
            let kind = ChannelKind::from(channel);
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
        kinds
    }

    /// Returns whether any channel has no buffer.
    pub fn has_rendezvous(&self) -> bool {
        self.channel_variables().any(|(_, channel)| channel.capacity == 0)
    }

    /// Iterates over the variables and record fields that are initialised with a
    /// channel.
    pub fn channel_variables(&self) -> impl Iterator<Item = (&Variable, &ChannelType)> {
        let locals = self.templates.iter().flat_map(|it| &it.locals);
        let fields = self.records.iter().flat_map(|it| &it.fields);
        self.globals.iter().chain(locals).chain(fields).filter_map(|it| match &it.initial {
            Initial::Channel(channel) => Some((it, channel)),
            _ => None,
        })
    }

    /// Returns the number of channels in the initial state.
    pub fn n_channels_at_start(&self) -> usize {
        // A record contains only records before it.
        let mut of_records: Vec<usize> = Vec::new();
        for record in &self.records {
            let n_channels = sum(record.fields.iter().map(|it| n_channels(it, &of_records)));
            of_records.push(n_channels);
        }
        let of = |variables: &[Variable]| sum(variables.iter().map(|it| n_channels(it, &of_records)));
        let locals = self.templates.iter().map(|it| of(&it.locals).saturating_mul(it.active as usize));
        sum(locals.chain([of(&self.globals)]))
    }
}

fn n_channels(variable: &Variable, of_records: &[usize]) -> usize {
    let each = match (&variable.initial, variable.ty) {
        (Initial::Channel(_), _) => 1,
        (_, Type::Record(record)) => of_records.get(record.index()).copied().unwrap_or(0),
        _ => 0,
    };
    each.saturating_mul(variable.length.unwrap_or(1) as usize)
}

fn sum(counts: impl Iterator<Item = usize>) -> usize {
    counts.fold(0, usize::saturating_add)
}
