//! Networks of processes: the representation between input languages and the
//! explicit engine.
//!
//! The front ends of [`lang`](crate::lang) create a [`Network`], which does not
//! depend on the input language. A network has variables with types ([`data`]),
//! channels, expressions over them ([`expr`]), and for each kind of process a
//! control graph ([`network`]) whose transitions are guards, assignments, sends
//! and receives ([`message`]). Expressions are evaluated as in C on 32-bit
//! integers; a store truncates to the type of the variable ([`value`]). The
//! scalars of a variable are its [`cells`].

pub mod cells;
pub mod channels;
pub mod data;
pub mod expr;
pub mod formula;
pub mod message;
pub mod network;
pub mod observer;
pub mod value;

pub use cells::Path;
pub use channels::ChannelKind;
pub use data::{
    ChannelType, Exclusive, FieldId, GlobalId, Initial, Label, LabelId, LocalId, MtypeId, MtypeSet, Record,
    RecordId, TemplateId, Type, Variable, Visibility,
};
pub use expr::{BinaryOp, ChannelQuery, Expr, ExprKind, FieldStep, Pattern, Place, Root, UnaryOp};
pub use formula::{Formula, FormulaKind};
pub use message::{Format, Meeting, Operation, Purpose, Receive, Send};
pub use network::{
    Action, Failure, Form, Graph, Location, LocationId, MAX_INSTANCES, Network, Observer, ObserverKind,
    StepLabels, Template, TraceAutomaton, Transition, TransitionId, Uses,
};
