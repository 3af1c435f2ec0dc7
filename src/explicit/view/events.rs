//! The trace of a model follows the sends and receives on its channels.
//!
//! A send is compared by the message that waits last, a receive by the one
//! that waits first: SPIN does so even where a sorted send puts, or `??`
//! takes, another one. A rendezvous is a send and a receive of one message,
//! and they count when both happen.

use super::{Fault, View};
use crate::explicit::engine::{Act, Match, Move, Tracing};
use crate::system::Word;

/// What happened on a channel, by number.
struct Event<'m> {
    channel: usize,
    is_send: bool,
    message: &'m [i32],
}

impl View<'_> {
    /// May the trace end where it is?
    pub(super) fn is_end_of_trace(&self, state: &[Word]) -> bool {
        let at = self.engine.layout.trace.get(state) as usize;
        let trace = self.engine.trace.as_ref();
        trace.is_none_or(|trace| trace.table.places.get(at).is_none_or(|place| place.is_end))
    }

    /// A message was put into a channel.
    pub(super) fn note_send(&mut self, channel: usize, next: &mut [Word]) {
        if self.engine.trace.is_some() {
            let message = self.waiting(channel, false, next);
            self.note(&Event { channel, is_send: true, message: &message }, next);
        }
    }

    /// A message is about to be taken from a channel.
    pub(super) fn note_receive(&mut self, receive: &Move, channel: usize, next: &mut [Word]) {
        let is_copy = matches!(receive.act, Act::Receive { copy: true, .. });
        if self.engine.trace.is_some() && !is_copy {
            let message = self.waiting(channel, true, next);
            self.note(&Event { channel, is_send: false, message: &message }, next);
        }
    }

    /// A message is handed over.
    pub(super) fn note_meeting(&mut self, channel: usize, message: &[i32], next: &mut [Word]) {
        for is_send in [true, false] {
            self.note(&Event { channel, is_send, message }, next);
        }
    }

    /// The first or the last message that waits.
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
            // Only the first try counts.
            ([], true) => return engine.layout.trace.set(next, trace.end as i32),
            ([], false) => Fault::UnexpectedEvent,
            _ => Fault::AmbiguousTrace,
        };
        engine.layout.fault.set(next, fault.number());
    }

    /// Does the trace name such an event of the channel anywhere?
    fn is_watched(&mut self, trace: &Tracing, event: &Event, state: &[Word]) -> bool {
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
            // A jump that is an option by itself goes with any event.
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
