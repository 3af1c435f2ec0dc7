//! Output of `printf`.

use super::code::{Machine, Piece};
use super::engine::Engine;
use crate::net::MtypeId;
use crate::net::TransitionId;
use crate::system::Word;

/// A piece of a text.
#[derive(Clone, Debug)]
pub(super) enum Text {
    Plain(String),
    Value(Form, Piece),
}

/// Format of a value.
#[derive(Clone, Copy, Debug)]
pub(super) enum Form {
    Decimal,
    Unsigned,
    Hexadecimal,
    Octal,
    Character,
    Name(MtypeId),
}

impl Engine<'_> {
    /// Returns the output of a transition of a process; `state` is the state
    /// before it. `None` if the transition does not print.
    pub fn printed(&self, process: usize, transition: TransitionId, state: &[Word]) -> Option<String> {
        let prints = &self.table(process, state).prints;
        let (_, texts) = prints.iter().find(|(id, _)| *id == transition)?;
        let mut machine = Machine::default();
        let mut written = String::new();
        for text in texts {
            match text {
                Text::Plain(text) => written.push_str(text),
                Text::Value(form, piece) => {
                    let value = machine.value(self, piece, state);
                    written.push_str(&self.shown(*form, value));
                }
            }
        }
        Some(written)
    }

    fn shown(&self, form: Form, value: i32) -> String {
        match form {
            Form::Decimal => value.to_string(),
            Form::Unsigned => (value as u32).to_string(),
            Form::Hexadecimal => format!("{value:x}"),
            Form::Octal => format!("{value:o}"),
            Form::Character => char::from(value as u8).to_string(),
            Form::Name(set) => self.mtype_name(set, value),
        }
    }
}
