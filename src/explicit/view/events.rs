//! Trace assertions, which follow the sends and receives on channels.
//!
//! A send is matched by the last message in the channel and a receive by the
//! first one: SPIN does so even if a sorted send inserts, or `??` receives,
//! another one. A rendezvous is a send and a receive of one message; both are
//! matched when it happens.

use super::{Fault, View};
use crate::explicit::engine::{Act, Match, Move, TraceTable};
use crate::system::Word;

/// A send or receive on a channel, by number.
struct Event<'m> {
    channel: usize,
    is_send: bool,
    message: &'m [i32],
}

impl View<'_> {
    /// Returns whether the trace is at an end state.
    pub(super) fn is_end_of_trace(&self, state: &[Word]) -> bool {
        let at = self.engine.layout.trace.get(state) as usize;
        let trace = self.engine.trace.as_ref();
        trace.is_none_or(|trace| trace.table.places.get(at).is_none_or(|place| place.is_end))
    }

    /// Records a message that was added to a channel.
    pub(super) fn note_send(&mut self, channel: usize, next: &mut [Word]) {
        if self.engine.trace.is_some() {
            let message = self.waiting(channel, false, next);
            self.note(&Event { channel, is_send: true, message: &message }, next);
        }
    }

    /// Records a message that is about to be removed from a channel.
    pub(super) fn note_receive(&mut self, receive: &Move, channel: usize, next: &mut [Word]) {
        let is_copy = matches!(receive.act, Act::Receive { copy: true, .. });
        if self.engine.trace.is_some() && !is_copy {
            let message = self.waiting(channel, true, next);
            self.note(&Event { channel, is_send: false, message: &message }, next);
        }
    }

    /// Records a rendezvous.
    pub(super) fn note_meeting(&mut self, channel: usize, message: &[i32], next: &mut [Word]) {
        for is_send in [true, false] {
            self.note(&Event { channel, is_send, message }, next);
        }
    }

    /// Returns the first or last message of a channel.
    fn waiting(&self, channel: usize, is_first: bool, state: &[Word]) -> Vec<i32> {
        let room = &self.engine.layout.channels[channel];
        let option = &room.options[room.tag.get(state) as usize];
        let length = option.length.get(state) as usize;
        let message = if is_first { 0 } else { length.saturating_sub(1) };
        let fields = option.messages.iter().skip(message * option.n_fields).take(option.n_fields);
        fields.map(|field| field.get(state)).collect()
    }

    fn note(&mut self, event: &Event, next: &mut [Word]) {
        let engine = self.engine;
        let Some(trace) = &engine.trace else { return };
        if engine.layout.fault.get(next) != 0 || !self.is_watched(trace, event, next) {
            return;
        }
        let at = engine.layout.trace.get(next) as usize;
        let mut ways = Vec::new();
        if at != trace.end {
            let moves = &trace.table.places[at].moves;
            ways.extend(moves.iter().filter(|it| self.follows(it, event, next)).map(|it| it.to));
        }
        let fault = match (&ways[..], trace.is_negated) {
            ([to], false) => return engine.layout.trace.set(next, *to),
            ([to], true) => {
                engine.layout.trace.set(next, *to);
                if *to as usize != trace.end {
                    return;
                }
                Fault::MatchedTrace
            }
            // After an event that does not match, a `notrace` is not tried again.
            ([], true) => return engine.layout.trace.set(next, trace.end as i32),
            ([], false) => Fault::UnexpectedEvent,
            _ => Fault::AmbiguousTrace,
        };
        engine.layout.fault.set(next, fault.number());
    }

    /// Returns whether the trace contains such an event of the channel.
    fn is_watched(&mut self, trace: &TraceTable, event: &Event, state: &[Word]) -> bool {
        let mut moves = trace.table.places.iter().flat_map(|place| &place.moves);
        moves.any(|it| self.is_of_channel(it, event, state))
    }

    fn is_of_channel(&mut self, a_move: &Move, event: &Event, state: &[Word]) -> bool {
        let channel = match &a_move.act {
            Act::Send { channel, .. } if event.is_send => channel,
            Act::Receive { channel, .. } if !event.is_send => channel,
            _ => return false,
        };
        self.machine.value(self.engine, channel, state) == event.channel as i32 + 1
    }

    fn follows(&mut self, a_move: &Move, event: &Event, state: &[Word]) -> bool {
        let engine = self.engine;
        match &a_move.act {
            // A jump that is a separate alternative matches any event.
            Act::Skip => true,
            Act::Send { values, .. } => {
                self.is_of_channel(a_move, event, state)
                    && values.iter().zip(event.message).all(|(value, &found)| {
                        value.is_empty() || self.machine.value(engine, value, state) == found
                    })
            }
            Act::Receive { patterns, .. } => {
                self.is_of_channel(a_move, event, state)
                    && patterns.iter().zip(event.message).all(|(pattern, &found)| match pattern {
                        Match::Equal(piece) => self.machine.value(engine, piece, state) == found,
                        Match::Any | Match::Store(_) => true,
                    })
            }
            _ => false,
        }
    }
}
