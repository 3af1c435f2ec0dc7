//! Bits that SPIN keeps in a byte: the elements of arrays, and messages of
//! one field. What is stored there keeps all eight bits.
//!
//! Few models store anything but 0 and 1, so such a place becomes a byte only
//! where some statement might store more. Where it does, the type of the
//! variable or message is changed, and nothing behind needs to know.

use crate::explicit::program::{Action, Process};
use crate::lang::promela::tree::{
    BinaryOp, ChannelQuery, ChannelType, Expr, ExprKind, Initial, Model, Pattern, Place, ProctypeId,
    RecordId, Root, Type, UnaryOp, Variable,
};

/// Makes bytes of the bits that may hold more than a bit.
pub(super) fn widen(model: &mut Model, processes: &[Process]) {
    let is_concerned =
        |it: &Variable| is_bits(it) || matches!(&it.initial, Initial::Channel(it) if is_bit(it));
    if !variables(model).any(is_concerned) {
        return;
    }
    let mut wide = Wide::default();
    loop {
        let n_before = wide.arrays.len() + usize::from(wide.messages);
        Search { model, wide: &mut wide, proctype: ProctypeId(0) }.everything(processes);
        if n_before == wide.arrays.len() + usize::from(wide.messages) {
            break;
        }
    }
    for slot in &wide.arrays {
        slot.of_mut(model).ty = Type::Byte;
    }
    if wide.messages {
        let locals = model.proctypes.iter_mut().flat_map(|it| &mut it.body.locals);
        let fields = model.records.iter_mut().flat_map(|it| &mut it.fields);
        for variable in model.globals.iter_mut().chain(locals).chain(fields) {
            if let Initial::Channel(channel) = &mut variable.initial
                && is_bit(channel)
            {
                channel.fields = vec![Type::Byte];
            }
        }
    }
}

/// What holds more than bits.
#[derive(Default)]
struct Wide {
    arrays: Vec<Slot>,
    /// Messages of one field.
    messages: bool,
}

/// A declaration.
#[derive(Clone, Copy, PartialEq)]
enum Slot {
    Global(usize),
    Local(ProctypeId, usize),
    Field(RecordId, usize),
}

impl Slot {
    fn of(self, model: &Model) -> &Variable {
        match self {
            Self::Global(index) => &model.globals[index],
            Self::Local(proctype, index) => &model.proctypes[proctype.index()].body.locals[index],
            Self::Field(record, index) => &model.records[record.index()].fields[index],
        }
    }

    fn of_mut(self, model: &mut Model) -> &mut Variable {
        match self {
            Self::Global(index) => &mut model.globals[index],
            Self::Local(proctype, index) => &mut model.proctypes[proctype.index()].body.locals[index],
            Self::Field(record, index) => &mut model.records[record.index()].fields[index],
        }
    }
}

fn variables(model: &Model) -> impl Iterator<Item = &Variable> {
    let locals = model.proctypes.iter().flat_map(|it| &it.body.locals);
    let fields = model.records.iter().flat_map(|it| &it.fields);
    model.globals.iter().chain(locals).chain(fields)
}

fn is_bits(variable: &Variable) -> bool {
    variable.length.is_some() && matches!(variable.ty, Type::Bit | Type::Bool)
}

fn is_bit(channel: &ChannelType) -> bool {
    matches!(channel.fields[..], [Type::Bit | Type::Bool])
}

struct Search<'a> {
    model: &'a Model,
    wide: &'a mut Wide,
    proctype: ProctypeId,
}

impl Search<'_> {
    fn everything(&mut self, processes: &[Process]) {
        let model = self.model;
        let globals = (0..model.globals.len()).map(Slot::Global);
        let records = model.records.iter().enumerate();
        let fields = records.flat_map(|(record, it)| {
            (0..it.fields.len()).map(move |at| Slot::Field(RecordId::new(record), at))
        });
        let slots: Vec<Slot> = globals.chain(fields).collect();
        slots.into_iter().for_each(|slot| self.initial(slot));
        for (index, process) in processes.iter().enumerate() {
            self.proctype = ProctypeId::new(index);
            let n_locals = model.proctypes[index].body.locals.len();
            (0..n_locals).for_each(|at| self.initial(Slot::Local(self.proctype, at)));
            process.transitions.iter().for_each(|it| self.action(&it.action));
        }
    }

    fn initial(&mut self, slot: Slot) {
        let is_stored = match &slot.of(self.model).initial {
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
        if is_bits(slot.of(self.model)) && !self.wide.arrays.contains(&slot) {
            self.wide.arrays.push(slot);
        }
    }

    /// The declaration of what stands at a place.
    fn slot(&self, place: &Place) -> Option<Slot> {
        let mut slot = match place.root {
            Root::Scratch => return None,
            Root::Global(global) => Slot::Global(global.index()),
            Root::Local(local) => Slot::Local(self.proctype, local.index()),
        };
        for step in &place.fields {
            let Type::Record(record) = slot.of(self.model).ty else { return None };
            slot = Slot::Field(record, step.field.index());
        }
        Some(slot)
    }

    /// The type of a channel, if it is that of its declaration for sure.
    fn channel(&self, place: &Place) -> Option<&ChannelType> {
        match &self.slot(place)?.of(self.model).initial {
            Initial::Channel(channel) => Some(channel),
            _ => None,
        }
    }

    /// Does this field of the messages hold bits, whichever channel it is?
    fn is_bit_field(&self, channel: &Place, field: usize) -> bool {
        let holds_bits = |channel: &ChannelType| match channel.fields.get(field) {
            Some(Type::Bit | Type::Bool) => channel.fields.len() > 1 || !self.wide.messages,
            Some(_) => false,
            None => true,
        };
        match self.channel(channel) {
            Some(channel) => holds_bits(channel),
            None => variables(self.model).all(|it| match &it.initial {
                Initial::Channel(channel) => holds_bits(channel),
                _ => true,
            }),
        }
    }

    /// Is the value 0 or 1 for sure?
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
                // As in `1 - b`.
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
