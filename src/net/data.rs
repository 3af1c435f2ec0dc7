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
    /// Name of the type.
    pub name: String,
    /// Span of the name in its declaration.
    pub span: Span,
    /// Fields; their initial values apply to every variable of the type.
    pub fields: Vec<Variable>,
}

/// A set of symbolic names: `mtype = {a, b}` or `mtype:colour = {red}`.
#[derive(Clone, Debug)]
pub struct MtypeSet {
    /// Name of the set; `None` for plain `mtype`.
    pub name: Option<String>,
    /// Names by value: `names[0]` has the value 1. SPIN numbers each declaration
    /// from its last name to its first and continues with the next declaration
    /// of the same set.
    pub names: Vec<String>,
}

/// A type of a variable, field, parameter or message field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// One bit.
    Bit,
    /// One bit.
    Bool,
    /// 0 to 255.
    Byte,
    /// 16 bits, signed.
    Short,
    /// 32 bits, signed.
    Int,
    /// This number of bits, 1 to 32, unsigned.
    Unsigned(u8),
    /// A process number, stored as a byte.
    Pid,
    /// A symbolic name of a set, stored as a byte; 0 means no name.
    Mtype(MtypeId),
    /// A channel, stored as a byte; 0 means no channel.
    Chan,
    /// A record.
    Record(RecordId),
}

/// Prefix of a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Visibility {
    /// No prefix.
    #[default]
    Plain,
    /// `hidden`: not part of the state.
    Hidden,
    /// `show`: displayed in message charts.
    Show,
    /// `local`: used by one process only, according to the user.
    Local,
    /// Created by a front end: part of the state, but never shown.
    Internal,
}

/// A global, a local, a parameter or a field.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Name as written. Locals of different blocks can have the same name.
    pub name: String,
    /// Span of the name in its declaration.
    pub span: Span,
    /// Type; of an element if it is an array.
    pub ty: Type,
    /// Number of elements; `None` for a scalar. An array of one element is
    /// still an array.
    pub length: Option<u32>,
    /// Initial value: at the start of the run for globals, at the start of the
    /// process for locals. A local declared after the first statement or in an
    /// inner block has [`Initial::Zero`] here and an assignment at its
    /// declaration.
    pub initial: Initial,
    /// Minimum and maximum value; assigning another one is an error of the run.
    /// `None`: a store truncates to the type.
    pub range: Option<(i32, i32)>,
    /// Prefix of the declaration.
    pub visibility: Visibility,
}

/// Initial value of a variable.
#[derive(Clone, Debug)]
pub enum Initial {
    /// Zero; fields of records have their own initial values.
    Zero,
    /// A value, of every element of an array. It can refer to variables declared
    /// earlier, including parameters; it contains no `run`.
    Value(Expr),
    /// Constant elements of an array; missing elements repeat the last one
    /// given.
    List(Vec<Expr>),
    /// A new channel, one per element of an array.
    Channel(ChannelType),
}

impl Initial {
    /// Returns the value, if it is a number.
    pub fn number(&self) -> Option<i32> {
        match self {
            Self::Value(Expr { kind: ExprKind::Constant(value), .. }) => Some(*value),
            _ => None,
        }
    }
}

/// Type of a channel, `[capacity] of { fields }`.
#[derive(Clone, Debug)]
pub struct ChannelType {
    /// Maximum number of messages; 0 for a rendezvous channel.
    pub capacity: u32,
    /// Types of the fields of a message. Records are replaced by their fields
    /// and arrays in records by their elements, so [`Type::Record`] does not
    /// occur.
    pub fields: Vec<Type>,
    /// The declaration.
    pub span: Span,
}

/// A label of a statement.
#[derive(Clone, Debug)]
pub struct Label {
    /// Name; its prefix determines the meaning (`end`, `progress`, `accept`).
    pub name: String,
    /// Span of the label.
    pub span: Span,
}

/// A promise about a channel, `xr q` or `xs q`.
#[derive(Clone, Debug)]
pub struct Exclusive {
    /// The channel variable.
    pub channel: Place,
    /// Whether the process is the only sender (`xs`); otherwise it is the only
    /// receiver.
    pub is_send: bool,
    /// Span of the promise.
    pub span: Span,
}

impl Label {
    /// Returns whether it marks a valid end state.
    pub fn is_end(&self) -> bool {
        self.name.starts_with("end")
    }

    /// Returns whether it marks progress.
    pub fn is_progress(&self) -> bool {
        self.name.starts_with("progress")
    }

    /// Returns whether it marks acceptance.
    pub fn is_accept(&self) -> bool {
        self.name.starts_with("accept")
    }
}
