//! Sends, receives and rendezvous.

use super::moves::Ready;
use super::step::step_id;
use super::{Fault, Step, View};
use crate::explicit::code::{Cause, Piece};
use crate::explicit::engine::{Act, LocationMoves, Match, Move};
use crate::explicit::layout::ChannelOption;
use crate::system::{Successors, Word};
use std::cmp::Ordering;

impl<'e> View<'e> {
    /// Returns the channel that an expression refers to, by number, and its
    /// room.
    fn channel(&mut self, channel: &Piece, state: &[Word]) -> Option<(usize, &'e ChannelOption)> {
        let engine = self.engine;
        let value = self.machine.value(engine, channel, state);
        match engine.channel(value, state) {
            Some(option) => Some((value as usize - 1, option)),
            None => {
                // A channel whose process has ended is like an empty channel.
                if value == 0 {
                    self.machine.cause.get_or_insert(Cause::NoChannel);
                }
                None
            }
        }
    }

    /// Returns whether all channels are empty.
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
            self.values.push(ty.stored(value));
        }
        if option.capacity == 0 {
            return Ready::Offer { channel: number };
        }
        let is_larger = |&message: &usize| self.order(option, message, state) == Ordering::Greater;
        let at = if sorted { (0..length).find(is_larger).unwrap_or(length) } else { length };
        Ready::Send { channel: number, at }
    }

    /// Compares a message in the channel with the current message.
    fn order(&self, option: &ChannelOption, message: usize, state: &[Word]) -> Ordering {
        let fields = &option.messages[message * option.n_fields..][..option.n_fields];
        fields.iter().map(|field| field.get(state)).cmp(self.values.iter().copied())
    }

    /// Inserts the current message before the message `at`.
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

    /// Checks that a send or receive has as many fields as the message.
    fn expect_all(&mut self, n_named: usize, n_fields: usize) {
        if n_named != n_fields {
            self.machine.cause.get_or_insert(Cause::WrongFields);
        }
    }

    /// Stores the fields of a message one after the other: an index may depend
    /// on a field that was stored before.
    fn store(&mut self, patterns: &[Match], message: &[i32], next: &mut [Word]) {
        for (pattern, &value) in patterns.iter().zip(message) {
            if let Match::Store(target) = pattern
                && let Some(field) = self.field(target, next)
            {
                self.assign(field, value, next);
            }
        }
    }

    /// Stores the fields of a message and removes it from its channel.
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

    /// Appends a rendezvous with every process that can receive the current
    /// message, as one step with the sender.
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
                    // A `d_step` can begin with a receive.
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

    /// Returns whether another process offers a rendezvous that a move of this
    /// location accepts. Only `Otherwise` depends on it.
    #[inline]
    pub(super) fn is_offered(
        &mut self,
        process: usize,
        a_move: &Move,
        place: &LocationMoves,
        state: &[Word],
    ) -> bool {
        matches!(a_move.act, Act::Otherwise) && place.receives && self.has_offer(process, place, state)
    }

    #[cold]
    fn has_offer(&mut self, process: usize, place: &LocationMoves, state: &[Word]) -> bool {
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

    pub(super) fn accepts(
        &mut self,
        receive: &Move,
        channel: usize,
        message: &[i32],
        state: &[Word],
    ) -> bool {
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
        let n_statements = if self.engine.network.counts_rendezvous_once { 1 } else { 2 };
        let partner = Some((receiver, outer.id));
        let step = Step { process: sender, transition: send.id, partner, id, n_statements };
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
                view.execute_d_step(receiver, first, next);
            }
        });
    }
}

/// Receiver of a rendezvous: the move itself, or the first one inside its
/// `d_step`.
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

/// Removes a message; later messages move up.
fn remove(option: &ChannelOption, message: usize, next: &mut [Word]) {
    let length = option.length.get(next) as usize;
    for later in message + 1..length {
        copy_message(option, later, later - 1, next);
    }
    let last = (length - 1) * option.n_fields;
    option.messages[last..last + option.n_fields].iter().for_each(|field| field.set(next, 0));
    option.length.set(next, length as i32 - 1);
}
