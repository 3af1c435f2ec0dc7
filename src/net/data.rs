//! Types, variables, records and channels of a network.

use super::expr::{Expr, ExprKind, Place};
use crate::define_id;
use crate::diag::Span;

define_id!(
    /// A `typedef` in [`Network::records`](super::Network::records).
    RecordId
);
define_id!(
    /// A set of `mtype` names in [`Network::mtypes`](super::Network::mtypes).
    MtypeId
);
define_id!(
    /// A variable in [`Network::globals`](super::Network::globals).
    GlobalId
);
define_id!(
    /// A variable in [`Template::locals`](super::Template::locals).
    LocalId
);
define_id!(
    /// A label in [`Template::labels`](super::Template::labels).
    LabelId
);
define_id!(
    /// A template in [`Network::templates`](super::Network::templates).
    TemplateId
);
define_id!(
    /// A field in [`Record::fields`].
    FieldId
);

/// A `typedef`.
#[derive(Clone, Debug)]
pub struct Record {
    /// The name.
    pub name: String,
    /// Where the name stands in its declaration.
    pub span: Span,
    /// Its fields; initial values belong to every variable of the type.
    pub fields: Vec<Variable>,
}

/// A set of symbolic names: `mtype = {a, b}` or `mtype:colour = {red}`.
#[derive(Clone, Debug)]
pub struct MtypeSet {
    /// `None` for plain `mtype`.
    pub name: Option<String>,
    /// The names by value: `names[0]` is worth 1. SPIN numbers each
    /// declaration from its last name to its first and goes on from there
    /// with the next declaration of the same set.
    pub names: Vec<String>,
}

/// A type of a variable, field, parameter or message field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// One bit.
    Bit,
    /// One bit.
    Bool,
    /// 0..255.
    Byte,
    /// 16 bits with sign.
    Short,
    /// 32 bits with sign.
    Int,
    /// The given number of bits without sign, 1..=32.
    Unsigned(u8),
    /// A process number, stored as a byte.
    Pid,
    /// A symbolic name of a set, stored as a byte; 0 is no name.
    Mtype(MtypeId),
    /// A channel, stored as a byte; 0 is no channel.
    Chan,
    /// A record.
    Record(RecordId),
}

/// Prefix of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Visibility {
    /// None.
    #[default]
    Plain,
    /// `hidden`: not part of the state.
    Hidden,
    /// `show`: of interest in message charts.
    Show,
    /// `local`: used by one process only, a promise of the user.
    Local,
    /// Made by a front end: part of the state, but never shown.
    Internal,
}

/// A global, a local, a parameter or a field.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name as written. Locals of different blocks may share one.
    pub name: String,
    /// Where the name stands in its declaration.
    pub span: Span,
    /// The type, of an element if it is an array.
    pub ty: Type,
    /// Number of elements; `None` for a scalar. An array of one element is
    /// still an array.
    pub length: Option<u32>,
    /// Value at the start: of the run for globals, of the process for locals.
    /// A local declared after the first statement or in an inner block has
    /// [`Initial::Zero`] here and an assignment where the declaration stands.
    pub initial: Initial,
    /// The least and the greatest value it may hold; assigning another one is an
    /// error of the run. `None`: a store truncates to the type.
    pub range: Option<(i32, i32)>,
    /// Who sees it.
    pub visibility: Visibility,
}

/// What a variable holds before anything is assigned to it.
#[derive(Clone, Debug)]
pub enum Initial {
    /// Zero everywhere; records look at their fields.
    Zero,
    /// The value, of every element of an array. May name variables declared
    /// earlier, parameters among them; contains no `run`.
    Value(Expr),
    /// Elements of an array, constants, at most as many as it has; those that
    /// are missing repeat the last one given.
    List(Vec<Expr>),
    /// A new channel, one per element of an array.
    Channel(ChannelType),
}

impl Initial {
    /// The value, if it is written as a number.
    pub fn number(&self) -> Option<i32> {
        match self {
            Self::Value(Expr { kind: ExprKind::Constant(value), .. }) => Some(*value),
            _ => None,
        }
    }
}

/// `[capacity] of { fields }`.
#[derive(Clone, Debug)]
pub struct ChannelType {
    /// 0 for a rendezvous.
    pub capacity: u32,
    /// Types of a message. Records are written out as their fields, arrays
    /// in records as their elements: no [`Type::Record`] is left.
    pub fields: Vec<Type>,
    /// The declaration.
    pub span: Span,
}

/// A label of a statement.
#[derive(Clone, Debug)]
pub struct Label {
    /// The name; its beginning says what it means (`end`, `progress`,
    /// `accept`).
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// `xr q` or `xs q`.
#[derive(Clone, Debug)]
pub struct Exclusive {
    /// The channel variable.
    pub channel: Place,
    /// `xs`: the process is the only sender; otherwise the only receiver.
    pub is_send: bool,
    /// The place of the promise.
    pub span: Span,
}

impl Label {
    /// Marks a state in which a process may rest for ever.
    pub fn is_end(&self) -> bool {
        self.name.starts_with("end")
    }

    /// Marks progress.
    pub fn is_progress(&self) -> bool {
        self.name.starts_with("progress")
    }

    /// Marks acceptance.
    pub fn is_accept(&self) -> bool {
        self.name.starts_with("accept")
    }
}
