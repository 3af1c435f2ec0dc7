//! Variables with finite domains as variables with a range.

use super::message::constant;
use super::{BinaryOp, GlobalId, Network, Place, Type, place};
use crate::diag::{Diagnostic, Span};
use crate::lang::task::program::{self, Domain, Program, Value, VariableId};
use crate::net::{
    Action, Expr, ExprKind, Graph, Initial, Label, LabelId, Location, LocationId, MtypeId, MtypeSet,
    Template, TemplateId, Transition, TransitionId, Variable, Visibility,
};

/// The representation of the variables of a program.
#[derive(Clone, Debug)]
pub(super) struct Values {
    variables: Vec<Stored>,
}

/// One variable.
#[derive(Clone, Debug)]
struct Stored {
    id: GlobalId,
    ty: Type,
    /// Stored value of the first value of the domain.
    first: i32,
    n_values: u32,
}

impl Values {
    /// Adds the variables of a program to a network.
    pub fn new(program: &Program, network: &mut Network) -> Result<Self, Diagnostic> {
        let mut enums: Vec<(&str, MtypeId)> = Vec::new();
        let mut variables = Vec::new();
        for variable in &program.variables {
            let (ty, first) = match &variable.domain {
                Domain::Bool => (Type::Bool, 0),
                Domain::Enum { name, variants } if first_of_enum(variants.len()) == 1 => {
                    let known = enums.iter().find(|(it, _)| it == name).map(|it| it.1);
                    let id = known.unwrap_or_else(|| {
                        network.mtypes.push(MtypeSet { name: Some(name.clone()), names: variants.clone() });
                        MtypeId::new(network.mtypes.len() - 1)
                    });
                    enums.push((name, id));
                    (Type::Mtype(id), 1)
                }
                Domain::Enum { variants, .. } => (unsigned(variants.len() as i64 - 1), 0),
                Domain::Int { lo, hi } => {
                    let (Ok(first), Ok(_)) = (i32::try_from(*lo), i32::try_from(*hi)) else {
                        return Err(too_large(&variable.name, variable.span));
                    };
                    (if first < 0 { Type::Int } else { unsigned(*hi) }, first)
                }
            };
            let n_values = variable.domain.size() as u32;
            let last = first + n_values as i32 - 1;
            let initial = first + variable.initial.unwrap_or(0) as i32;
            let id = GlobalId::new(network.globals.len());
            network.globals.push(Variable {
                name: variable.name.clone(),
                span: variable.span,
                ty,
                length: None,
                initial: match initial {
                    0 => Initial::Zero,
                    _ => Initial::Value(constant(initial, variable.span)),
                },
                range: Some((first, last)),
                visibility: Visibility::Plain,
            });
            variables.push(Stored { id, ty, first, n_values });
        }
        Ok(Self { variables })
    }

    fn of(&self, variable: VariableId) -> &Stored {
        &self.variables[variable.index()]
    }

    pub fn place(&self, variable: VariableId, span: Span) -> Place {
        let Stored { id, ty, .. } = *self.of(variable);
        place(id, ty, span)
    }

    /// Returns the condition that a variable has one of these sorted values.
    pub fn test(&self, variable: VariableId, values: &[Value], span: Span) -> Expr {
        let first = self.of(variable).first;
        let read = || Expr { kind: ExprKind::Read(self.place(variable, span)), span };
        let compare = |op, value: Value| binary(op, read(), constant(first + value as i32, span), span);
        let n_values = self.of(variable).n_values;
        let range = |run: &[Value]| {
            let (low, high) = (run[0], run[run.len() - 1]);
            match (low == 0, high + 1 == n_values) {
                _ if low == high => compare(BinaryOp::Equal, low),
                (true, _) => compare(BinaryOp::LessEqual, high),
                (_, true) => compare(BinaryOp::GreaterEqual, low),
                _ => both(compare(BinaryOp::GreaterEqual, low), compare(BinaryOp::LessEqual, high), span),
            }
        };
        let runs = values.chunk_by(|one, next| one + 1 == *next).map(range);
        runs.reduce(|left, right| binary(BinaryOp::Or, left, right, span))
            .unwrap_or_else(|| constant(0, span))
    }

    /// Returns the assignment of a value to a variable.
    pub fn assign(&self, variable: VariableId, value: Value, span: Span) -> Action {
        let value = self.of(variable).first + value as i32;
        Action::Assign(self.place(variable, span), constant(value, span))
    }

    /// Returns the assignments of all values to a variable.
    pub fn assign_any(&self, variable: VariableId, span: Span) -> Vec<Action> {
        (0..self.of(variable).n_values).map(|value| self.assign(variable, value, span)).collect()
    }

    /// Returns the assignment of a value outside the domain of a variable.
    pub fn assign_outside(&self, variable: VariableId, span: Span) -> Action {
        let Stored { first, n_values, .. } = *self.of(variable);
        let above = first.checked_add(n_values as i32);
        let outside = above.unwrap_or_else(|| first.saturating_sub(1));
        Action::Assign(self.place(variable, span), constant(outside, span))
    }

    /// Returns the action that shifts the value of a variable.
    pub fn shift(&self, variable: VariableId, by: i64, span: Span) -> Action {
        let n_values = i64::from(self.of(variable).n_values);
        if by.abs() >= n_values {
            return self.assign_outside(variable, span);
        }
        let place = self.place(variable, span);
        let read = Expr { kind: ExprKind::Read(place.clone()), span };
        Action::Assign(place, binary(BinaryOp::Add, read, constant(by as i32, span), span))
    }

    /// Adds a process that assigns the variables that are unknown at the start,
    /// in a first step before which no other process moves. Returns whether
    /// there are any.
    pub fn add_start(&self, program: &Program, network: &mut Network) -> bool {
        // The declaration of a local variable assigns to it before anything reads it.
        let is_unknown = |it: &program::Variable| it.initial.is_none() && it.owner.is_none();
        let unknown = || program.variables.iter().enumerate().filter(|(_, it)| is_unknown(it));
        let Some((_, first)) = unknown().next() else { return false };
        let span = first.span;
        let template = TemplateId::new(network.templates.len());
        let kind = ExprKind::RemoteLabel { template, pid: None, label: LabelId::new(0) };
        let is_started = Expr { kind, span };
        for provided in network.templates.iter_mut().map(|it| &mut it.provided) {
            *provided = Some(match provided.take() {
                Some(other) => Expr { span: other.span, ..both(is_started.clone(), other, span) },
                None => is_started.clone(),
            });
        }
        let mut graph = Graph::default();
        let mut at = add_location(&mut graph, span);
        let n_unknown = unknown().count();
        for (number, (index, variable)) in unknown().enumerate() {
            graph.locations[at.index()].span = variable.span;
            let to = add_location(&mut graph, span);
            let id = VariableId::new(index);
            for (value, action) in self.assign_any(id, variable.span).into_iter().enumerate() {
                let chosen = program::Action::Assign { variable: id, value: Some(value as Value) };
                let transition = add(&mut graph, at, action, to, number + 1 < n_unknown);
                graph.alternatives.extend(program.label(&chosen).map(|label| (transition, label)));
            }
            at = to;
        }
        graph.locations[at.index()].is_end = true;
        graph.locations[at.index()].atomic = None;
        graph.labels.push(at);
        network.templates.push(Template {
            is_single: true,
            active: 1,
            labels: vec![Label { name: "started".to_string(), span }],
            ..Template::passive("start".to_string(), span, graph)
        });
        true
    }
}

/// Returns the stored value of the first variant of an enum. Names of a set
/// begin with 1, and its values are bytes.
pub(super) fn first_of_enum(n_variants: usize) -> i32 {
    i32::from(n_variants < 256)
}

fn add_location(graph: &mut Graph, span: Span) -> LocationId {
    graph.locations.push(Location { span, atomic: Some(0), is_statement: true, ..Location::default() });
    LocationId::new(graph.locations.len() - 1)
}

fn add(
    graph: &mut Graph,
    from: LocationId,
    action: Action,
    to: LocationId,
    keeps_control: bool,
) -> TransitionId {
    let span = graph.location(from).span;
    let id = TransitionId::new(graph.transitions.len());
    graph.transitions.push(Transition { action, to, atomic: Some(0), keeps_control, span });
    graph.locations[from.index()].out.push(id);
    id
}

/// Returns a type for the values from 0 to `last`.
fn unsigned(last: i64) -> Type {
    let bits = 64 - (last.max(1) as u64).leading_zeros();
    Type::Unsigned(bits as u8)
}

fn too_large(name: &str, span: Span) -> Diagnostic {
    let message = format!("`{name}` needs more than the 32 bits that values have in the explicit engine");
    Diagnostic::error("task-limit", span, message).with_help(
        "use smaller bounds; orders of events can be checked by the flow engine, which has no such limit",
    )
}

pub(super) fn both(left: Expr, right: Expr, span: Span) -> Expr {
    binary(BinaryOp::And, left, right, span)
}

pub(super) fn binary(op: BinaryOp, left: Expr, right: Expr, span: Span) -> Expr {
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
}
