//! Bits that SPIN stores in a byte: elements of arrays, and messages of one
//! field. They keep all eight bits of a stored value.
//!
//! Few models store values other than 0 and 1 there, so a variable or message
//! only becomes a byte if a statement may store another value. Its type is
//! changed, and later phases need no special case.

use crate::analysis::accesses::Scope;
use crate::analysis::channels::Channels;
use crate::net::{
    Action, BinaryOp, ChannelQuery, ChannelType, Expr, ExprKind, Initial, Network, Pattern, Place, RecordId,
    Root, TemplateId, Type, UnaryOp, Variable,
};

/// Changes bits that may have other values than 0 and 1 to bytes. The network
/// must contain the claims, because they can assign variables too.
pub(super) fn widen(network: &mut Network) {
    let is_concerned =
        |it: &Variable| is_bits(it) || matches!(&it.initial, Initial::Channel(it) if is_bit(it));
    if !variables(network).any(is_concerned) {
        return;
    }
    let wide = find_wide(network);
    for slot in &wide.arrays {
        slot.of_mut(network).ty = Type::Byte;
    }
    if wide.messages {
        let locals = network.templates.iter_mut().flat_map(|it| &mut it.locals);
        let fields = network.records.iter_mut().flat_map(|it| &mut it.fields);
        for variable in network.globals.iter_mut().chain(locals).chain(fields) {
            if let Initial::Channel(channel) = &mut variable.initial
                && is_bit(channel)
            {
                channel.fields = vec![Type::Byte];
            }
        }
    }
}

/// Finds the arrays and messages that may have other values than 0 and 1.
fn find_wide(network: &Network) -> Wide {
    let channels = Channels::new(network);
    let mut wide = Wide::default();
    loop {
        let n_before = wide.arrays.len() + usize::from(wide.messages);
        WideSearch { network, channels: &channels, wide: &mut wide, proctype: TemplateId(0) }.everything();
        if n_before == wide.arrays.len() + usize::from(wide.messages) {
            return wide;
        }
    }
}

/// Arrays and messages with other values than 0 and 1.
#[derive(Default)]
struct Wide {
    arrays: Vec<Slot>,
    /// Whether messages of one field are wide.
    messages: bool,
}

/// A declared variable or field.
#[derive(Clone, Copy, PartialEq)]
enum Slot {
    Global(usize),
    Local(TemplateId, usize),
    Field(RecordId, usize),
}

impl Slot {
    fn of(self, network: &Network) -> &Variable {
        match self {
            Self::Global(index) => &network.globals[index],
            Self::Local(proctype, index) => &network.templates[proctype.index()].locals[index],
            Self::Field(record, index) => &network.records[record.index()].fields[index],
        }
    }

    fn of_mut(self, network: &mut Network) -> &mut Variable {
        match self {
            Self::Global(index) => &mut network.globals[index],
            Self::Local(proctype, index) => &mut network.templates[proctype.index()].locals[index],
            Self::Field(record, index) => &mut network.records[record.index()].fields[index],
        }
    }
}

fn variables(network: &Network) -> impl Iterator<Item = &Variable> {
    let locals = network.templates.iter().flat_map(|it| &it.locals);
    let fields = network.records.iter().flat_map(|it| &it.fields);
    network.globals.iter().chain(locals).chain(fields)
}

fn is_bits(variable: &Variable) -> bool {
    variable.length.is_some() && matches!(variable.ty, Type::Bit | Type::Bool)
}

fn is_bit(channel: &ChannelType) -> bool {
    matches!(channel.fields[..], [Type::Bit | Type::Bool])
}

struct WideSearch<'a> {
    network: &'a Network,
    channels: &'a Channels<'a>,
    wide: &'a mut Wide,
    proctype: TemplateId,
}

impl WideSearch<'_> {
    fn everything(&mut self) {
        let network = self.network;
        let globals = (0..network.globals.len()).map(Slot::Global);
        let records = network.records.iter().enumerate();
        let fields = records.flat_map(|(record, it)| {
            (0..it.fields.len()).map(move |at| Slot::Field(RecordId::new(record), at))
        });
        let slots: Vec<Slot> = globals.chain(fields).collect();
        slots.into_iter().for_each(|slot| self.initial(slot));
        for (index, template) in network.templates.iter().enumerate() {
            self.proctype = TemplateId::new(index);
            let n_locals = template.locals.len();
            (0..n_locals).for_each(|at| self.initial(Slot::Local(self.proctype, at)));
            template.graph.transitions.iter().for_each(|it| self.action(&it.action));
        }
    }

    fn initial(&mut self, slot: Slot) {
        let is_stored = match &slot.of(self.network).initial {
            Initial::Zero | Initial::Channel(_) => true,
            Initial::Value(value) => self.is_bit(value),
            Initial::List(values) => values.iter().all(|value| self.is_bit(value)),
        };
        if !is_stored {
            self.mark(slot);
        }
    }

    fn action(&mut self, action: &Action) {
        match action {
            Action::Assign(place, value) if !self.is_bit(value) => self.mark_place(place),
            Action::Send(send) => {
                let may_be_bit = self.channel(&send.channel).is_none_or(is_bit);
                if let [value] = &send.values[..]
                    && may_be_bit
                    && !self.is_bit(value)
                {
                    self.wide.messages = true;
                }
            }
            Action::Receive(receive) => {
                for (field, pattern) in receive.patterns.iter().enumerate() {
                    if let Pattern::Store(place) = pattern
                        && !self.is_bit_field(&receive.channel, field)
                    {
                        self.mark_place(place);
                    }
                }
            }
            _ => {}
        }
    }

    fn mark_place(&mut self, place: &Place) {
        if let Some(slot) = self.slot(place) {
            self.mark(slot);
        }
    }

    fn mark(&mut self, slot: Slot) {
        if is_bits(slot.of(self.network)) && !self.wide.arrays.contains(&slot) {
            self.wide.arrays.push(slot);
        }
    }

    /// Returns the declaration of a place.
    fn slot(&self, place: &Place) -> Option<Slot> {
        let mut slot = match place.root {
            Root::Scratch => return None,
            Root::Global(global) => Slot::Global(global.index()),
            Root::Local(local) => Slot::Local(self.proctype, local.index()),
        };
        for step in &place.fields {
            let Type::Record(record) = slot.of(self.network).ty else { return None };
            slot = Slot::Field(record, step.field.index());
        }
        Some(slot)
    }

    /// Returns the type of a channel; `None` if it can be any channel.
    fn channel(&self, place: &Place) -> Option<&ChannelType> {
        let scope = Scope::any(self.network, self.proctype);
        self.channels.type_of(&self.channels.held_by(place, scope), self.proctype)
    }

    /// Returns whether a message field is a bit in every channel that it can
    /// be.
    fn is_bit_field(&self, channel: &Place, field: usize) -> bool {
        let holds_bits = |channel: &ChannelType| match channel.fields.get(field) {
            Some(Type::Bit | Type::Bool) => channel.fields.len() > 1 || !self.wide.messages,
            Some(_) => false,
            None => true,
        };
        match self.channel(channel) {
            Some(channel) => holds_bits(channel),
            None => self.network.channel_variables().all(|(_, channel)| holds_bits(channel)),
        }
    }

    /// Returns whether the value is always 0 or 1.
    fn is_bit(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Constant(value) => matches!(value, 0 | 1),
            ExprKind::Read(place) => {
                let is_wide = self.slot(place).is_some_and(|slot| self.wide.arrays.contains(&slot));
                matches!(place.ty, Type::Bit | Type::Bool) && !is_wide
            }
            ExprKind::Unary(op, _) => *op == UnaryOp::Not,
            ExprKind::Binary(op, left, right) => match op {
                BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::Less
                | BinaryOp::LessEqual
                | BinaryOp::Greater
                | BinaryOp::GreaterEqual
                | BinaryOp::And
                | BinaryOp::Or => true,
                BinaryOp::BitAnd => self.is_bit(left) || self.is_bit(right),
                BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::Multiply => {
                    self.is_bit(left) && self.is_bit(right)
                }
                // For example `1 - b`.
                BinaryOp::Subtract => left.kind == ExprKind::Constant(1) && self.is_bit(right),
                _ => false,
            },
            ExprKind::Conditional { then, otherwise, .. } => self.is_bit(then) && self.is_bit(otherwise),
            ExprKind::Channel(query, _) => *query != ChannelQuery::Length,
            ExprKind::Poll { .. }
            | ExprKind::Timeout
            | ExprKind::NonProgress
            | ExprKind::RemoteLabel { .. }
            | ExprKind::Enabled(_) => true,
            _ => false,
        }
    }
}
