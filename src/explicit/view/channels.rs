//! Messages.

use super::moves::Ready;
use super::step::step_id;
use super::{Fault, Step, View};
use crate::explicit::code::{Cause, Piece};
use crate::explicit::engine::{Act, Match, Move, Place};
use crate::explicit::layout::{ChannelOption, stored};
use crate::system::{Successors, Word};
use std::cmp::Ordering;

impl<'e> View<'e> {
    /// A channel that stands in a variable, by number, and its room.
    fn channel(&mut self, channel: &Piece, state: &[Word]) -> Option<(usize, &'e ChannelOption)> {
        let engine = self.engine;
        let value = self.machine.value(engine, channel, state);
        match engine.channel(value, state) {
            Some(option) => Some((value as usize - 1, option)),
            None => {
                // A channel that died with its process is like one that is always empty.
                if value == 0 {
                    self.machine.cause.get_or_insert(Cause::NoChannel);
                }
                None
            }
        }
    }

    /// Does no message wait anywhere?
    pub(super) fn has_no_message(&self, state: &[Word]) -> bool {
        let n_channels = self.engine.layout.n_channels.get(state);
        let mut options = (1..=n_channels).filter_map(|number| self.engine.channel(number, state));
        options.all(|option| option.length.get(state) == 0)
    }

    pub(super) fn prepare_send(
        &mut self,
        channel: &Piece,
        values: &[Piece],
        sorted: bool,
        state: &[Word],
    ) -> Ready {
        let engine = self.engine;
        let Some((number, option)) = self.channel(channel, state) else { return Ready::Blocked };
        let length = option.length.get(state) as usize;
        if option.capacity > 0 && length == option.capacity {
            return if self.semantics.loses_messages { Ready::Nothing } else { Ready::Blocked };
        }
        self.expect_all(values.len(), option.n_fields);
        self.values.clear();
        for (field, ty) in engine.message_types(option).iter().enumerate() {
            let value = values.get(field).map_or(0, |piece| self.machine.value(engine, piece, state));
            self.values.push(stored(*ty, value));
        }
        if option.capacity == 0 {
            return Ready::Offer { channel: number };
        }
        let is_larger = |&message: &usize| self.order(option, message, state) == Ordering::Greater;
        let at = if sorted { (0..length).find(is_larger).unwrap_or(length) } else { length };
        Ready::Send { channel: number, at }
    }

    /// A message that waits against the one at hand.
    fn order(&self, option: &ChannelOption, message: usize, state: &[Word]) -> Ordering {
        let fields = &option.messages[message * option.n_fields..][..option.n_fields];
        fields.iter().map(|field| field.get(state)).cmp(self.values.iter().copied())
    }

    /// Puts the message at hand before message `at`.
    pub(super) fn put(&mut self, channel: usize, at: usize, next: &mut [Word]) {
        let room = &self.engine.layout.channels[channel];
        let option = &room.options[room.tag.get(next) as usize];
        let length = option.length.get(next) as usize;
        for message in (at..length).rev() {
            copy_message(option, message, message + 1, next);
        }
        for (index, field) in option.messages[at * option.n_fields..].iter().take(option.n_fields).enumerate()
        {
            self.assign(*field, self.values[index], next);
        }
        option.length.set(next, length as i32 + 1);
    }

    pub(super) fn prepare_receive(
        &mut self,
        channel: &Piece,
        patterns: &[Match],
        any: bool,
        state: &[Word],
    ) -> Ready {
        let Some((number, option)) = self.channel(channel, state) else { return Ready::Blocked };
        let length = option.length.get(state) as usize;
        let n_looked_at = if any { length } else { length.min(1) };
        for message in 0..n_looked_at {
            let wanted = |field: usize| match patterns.get(field) {
                Some(Match::Equal(piece)) => Some(self.machine.value(self.engine, piece, state)),
                _ => None,
            };
            if option.has(message, wanted, state) {
                let fields = &option.messages[message * option.n_fields..][..option.n_fields];
                self.expect_all(patterns.len(), option.n_fields);
                self.received.clear();
                self.received.extend(fields.iter().map(|field| field.get(state)));
                return Ready::Receive { channel: number, message };
            }
        }
        Ready::Blocked
    }

    /// Who sends or takes a message names all fields of it, and no more.
    fn expect_all(&mut self, n_named: usize, n_fields: usize) {
        if n_named != n_fields {
            self.machine.cause.get_or_insert(Cause::WrongFields);
        }
    }

    /// Stores a message, one field after the other: an index may be what was
    /// stored before.
    fn store(&mut self, patterns: &[Match], message: &[i32], next: &mut [Word]) {
        for (pattern, &value) in patterns.iter().zip(message) {
            if let Match::Store(target) = pattern
                && let Some(field) = self.field(target, next)
            {
                self.assign(field, value, next);
            }
        }
    }

    /// Stores a message and takes it from its channel.
    pub(super) fn take(&mut self, a_move: &Move, channel: usize, message: usize, next: &mut [Word]) {
        let room = &self.engine.layout.channels[channel];
        let option = &room.options[room.tag.get(next) as usize];
        let Act::Receive { patterns, copy, .. } = &a_move.act else { return };
        let received = std::mem::take(&mut self.received);
        self.store(patterns, &received, next);
        self.received = received;
        if !copy {
            remove(option, message, next);
        }
    }

    /// Lets every process that can take the message at hand do so, as one
    /// step with the process that sends it.
    pub(super) fn offer(
        &mut self,
        sender: usize,
        send: &Move,
        channel: usize,
        state: &[Word],
        out: &mut Successors,
    ) {
        let engine = self.engine;
        let message = std::mem::take(&mut self.values);
        let n_processes = engine.layout.n_processes.get(state) as usize;
        for receiver in (0..n_processes).rev().filter(|&it| it != sender) {
            let table = engine.table(receiver, state);
            let location = engine.layout.processes[receiver].location.get(state) as usize;
            let place = &table.places[location];
            if !place.receives || self.is_held(table, state) {
                continue;
            }
            for at in place.escapes.iter().copied().chain([location]) {
                let mut is_taken = false;
                for outer in &table.places[at].moves {
                    // A `d_step` may begin with a receive.
                    let inner = match outer.act {
                        Act::Deterministic(first) => &table.places[first].moves[..],
                        _ => std::slice::from_ref(outer),
                    };
                    for receive in inner {
                        if self.accepts(receive, channel, &message, state) {
                            is_taken = true;
                            let receiving = Receiving { process: receiver, outer, receive };
                            self.meet((sender, send), receiving, (channel, &message), state, out);
                        }
                    }
                }
                if is_taken {
                    break;
                }
            }
        }
        self.values = message;
    }

    /// Does another process offer a rendezvous that would be taken at a place?
    /// Only one move asks for it.
    #[inline]
    pub(super) fn is_offered(
        &mut self,
        process: usize,
        a_move: &Move,
        place: &Place,
        state: &[Word],
    ) -> bool {
        matches!(a_move.act, Act::Otherwise) && place.receives && self.has_offer(process, place, state)
    }

    #[cold]
    fn has_offer(&mut self, process: usize, place: &Place, state: &[Word]) -> bool {
        let engine = self.engine;
        let n_processes = engine.layout.n_processes.get(state) as usize;
        for sender in (0..n_processes).filter(|&it| it != process) {
            let table = engine.table(sender, state);
            let location = engine.layout.processes[sender].location.get(state) as usize;
            for send in &table.places[location].moves {
                if !matches!(send.act, Act::Send { .. }) {
                    continue;
                }
                let Ready::Offer { channel } = self.prepare(sender, send, state) else { continue };
                let message = std::mem::take(&mut self.values);
                let is_taken = place.moves.iter().any(|it| self.accepts(it, channel, &message, state));
                self.values = message;
                if is_taken {
                    return true;
                }
            }
        }
        false
    }

    fn accepts(&mut self, receive: &Move, channel: usize, message: &[i32], state: &[Word]) -> bool {
        let Act::Receive { channel: wanted, patterns, .. } = &receive.act else { return false };
        let engine = self.engine;
        let wanted = self.machine.value(engine, wanted, state);
        let accepts = wanted as usize == channel + 1
            && patterns.iter().zip(message).all(|(pattern, &value)| match pattern {
                Match::Equal(piece) => self.machine.value(engine, piece, state) == value,
                Match::Any | Match::Store(_) => true,
            });
        accepts && self.machine.cause.take().is_none()
    }

    fn meet(
        &mut self,
        (sender, send): (usize, &Move),
        Receiving { process: receiver, outer, receive }: Receiving,
        (channel, message): (usize, &[i32]),
        state: &[Word],
        out: &mut Successors,
    ) {
        let Act::Receive { patterns, .. } = &receive.act else { return };
        for a_move in [send, outer, receive] {
            self.executed[a_move.mark] = true;
        }
        let id = step_id((sender, send.mark), Some((receiver, outer.mark)));
        let step = Step { process: sender, transition: send.id, partner: Some((receiver, outer.id)), id };
        let sender_keeps = self.engine.network.sender_keeps_control && send.keeps_control;
        let holder = match outer.keeps_control {
            true => Some(receiver),
            false => sender_keeps.then_some(sender),
        };
        self.emit(state, step, holder, out, |view, next| {
            let processes = &view.engine.layout.processes;
            processes[sender].location.set(next, send.to);
            processes[receiver].location.set(next, receive.to);
            view.expect_all(patterns.len(), message.len());
            view.store(patterns, message, next);
            if let Some(cause) = view.machine.cause.take() {
                view.engine.layout.fault.set(next, Fault::from(cause).number());
            }
            view.note_meeting(channel, message, next);
            if let Act::Deterministic(first) = outer.act {
                view.note_inside(receive.id, next);
                view.run_through(receiver, first, next);
            }
        });
    }
}

/// Who takes a message of a rendezvous: by the move itself, or by the first
/// one inside of it.
struct Receiving<'m> {
    process: usize,
    outer: &'m Move,
    receive: &'m Move,
}

fn copy_message(option: &ChannelOption, from: usize, to: usize, next: &mut [Word]) {
    for field in 0..option.n_fields {
        let value = option.messages[from * option.n_fields + field].get(next);
        option.messages[to * option.n_fields + field].set(next, value);
    }
}

/// Takes a message out; those behind it move up.
fn remove(option: &ChannelOption, message: usize, next: &mut [Word]) {
    let length = option.length.get(next) as usize;
    for later in message + 1..length {
        copy_message(option, later, later - 1, next);
    }
    let last = (length - 1) * option.n_fields;
    option.messages[last..last + option.n_fields].iter().for_each(|field| field.set(next, 0));
    option.length.set(next, length as i32 - 1);
}
