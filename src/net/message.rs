//! What is sent, received and printed.

use super::data::MtypeId;
use super::expr::{Expr, Pattern, Place};

/// A send.
#[derive(Clone, Debug, PartialEq)]
pub struct Send {
    /// The channel.
    pub channel: Place,
    /// `!!`: the message goes before the first larger one.
    pub sorted: bool,
    /// The fields; records are written out as in
    /// [`ChannelType::fields`](super::data::ChannelType::fields). There may be fewer
    /// than the channel has: the others are 0.
    pub values: Vec<Expr>,
}

/// A receive.
#[derive(Clone, Debug, PartialEq)]
pub struct Receive {
    /// The channel.
    pub channel: Place,
    /// `??`: the first message that matches, not the first message.
    pub any: bool,
    /// `?<…>`: the message stays.
    pub copy: bool,
    /// The fields; records are written out. There may be fewer than the
    /// channel has: the others are not looked at.
    pub patterns: Vec<Pattern>,
}

/// A piece of what `printf` writes.
#[derive(Clone, Debug, PartialEq)]
pub enum Format {
    /// Text as it is, escapes resolved.
    Text(String),
    /// `%d`
    Decimal(Expr),
    /// `%u`
    Unsigned(Expr),
    /// `%x`
    Hexadecimal(Expr),
    /// `%o`
    Octal(Expr),
    /// `%c`
    Character(Expr),
    /// `%e`: an mtype name of the set; a number if the set has none for it.
    Mtype(Expr, MtypeId),
}

impl Format {
    /// The value that is printed; text has none.
    pub fn expr(&self) -> Option<&Expr> {
        match self {
            Self::Text(_) => None,
            Self::Decimal(expr)
            | Self::Unsigned(expr)
            | Self::Hexadecimal(expr)
            | Self::Octal(expr)
            | Self::Character(expr)
            | Self::Mtype(expr, _) => Some(expr),
        }
    }
}
