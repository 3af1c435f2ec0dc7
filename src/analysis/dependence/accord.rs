//! Commutation of effects.

use super::effect::{BufferUse, Effect, Written};

/// Returns whether both orders of two effects lead to the same state, if neither
/// disables the other.
pub(super) fn commute(one: &Effect, other: &Effect, loses_messages: bool) -> bool {
    let is_undisturbed = |one: &Effect, other: &Effect| !one.reads.iter().any(|it| other.writes_to(it));
    let change_processes = |it: &Effect| !it.starts.is_empty() || !it.ends.is_empty();
    is_undisturbed(one, other)
        && is_undisturbed(other, one)
        && writes_commute(one, other)
        && buffers_commute(one, other, loses_messages)
        && !one.movements.keys().any(|it| other.movements.contains_key(it))
        && !(change_processes(one) && change_processes(other))
}

/// Returns whether the writes commute: both may write the same constant, and
/// both may add constants.
fn writes_commute(one: &Effect, other: &Effect) -> bool {
    one.writes.iter().all(|(part, written)| {
        other.writes.iter().filter(|(it, _)| it.overlaps(part)).all(|(other_part, other_written)| {
            part == other_part
                && part.is_certain()
                && written == other_written
                && *written != Written::Unknown
        })
    })
}

fn buffers_commute(one: &Effect, other: &Effect, loses_messages: bool) -> bool {
    one.buffers.iter().all(|(channel, how)| {
        other.uses_of(channel).all(|other| match (*how, other) {
            // Whether a message is lost depends on the order.
            (BufferUse::Append(_), BufferUse::TakeFirst) | (BufferUse::TakeFirst, BufferUse::Append(_)) => {
                !loses_messages
            }
            // The first message stays the first one.
            (BufferUse::Append(_), BufferUse::ReadFirst) | (BufferUse::ReadFirst, BufferUse::Append(_)) => {
                true
            }
            (one, other) => !one.writes() && !other.writes(),
        })
    })
}
