//! Networks of processes: what stands between input languages and the explicit
//! engine.
//!
//! A front end of [`lang`](crate::lang) makes a [`Network`]; nothing here knows
//! which one did. A network has variables with types ([`data`]), channels,
//! expressions over them ([`expr`]), and per kind of process a control graph
//! ([`network`]) whose transitions are guards, assignments, sends and receives
//! ([`message`]). Evaluation is that of C on 32-bit integers; a store truncates
//! to the type of the variable.

pub mod channels;
pub mod data;
pub mod expr;
pub mod formula;
pub mod message;
pub mod network;
pub mod observer;

pub use channels::ChannelKind;
pub use data::{
    ChannelType, Exclusive, FieldId, GlobalId, Initial, Label, LabelId, LocalId, MtypeId, MtypeSet, Record,
    RecordId, TemplateId, Type, Variable, Visibility,
};
pub use expr::{BinaryOp, ChannelQuery, Expr, ExprKind, FieldStep, Pattern, Place, Root, UnaryOp};
pub use formula::{Formula, FormulaKind};
pub use message::{Format, Receive, Send};
pub use network::{
    Action, Form, Graph, Location, LocationId, MOST, Network, Observer, ObserverKind, StepLabels, Template,
    TraceAutomaton, Transition, TransitionId, Uses,
};
