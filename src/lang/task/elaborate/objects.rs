//! Locks, semaphores and bounded channels.
//!
//! Each is a separate task, which is created when all its uses are known: an
//! operation is a rendezvous of one step with it, and its control points are
//! its states. A task that serves others ends when they do, so it may end
//! anywhere.

mod declare;
mod serve;

use super::Elaborator;
use super::control::Leaves;
use super::entries::PendingCall;
use super::values::{Binding, Known, Need, PANIC_HELP, Ty, Val};
use crate::diag::{Diagnostic, Span, did_you_mean};
use crate::lang::task::ast::{Expr, ExprKind, Name, Type, TypeKind};
use crate::lang::task::program::{Action, PointId, TaskId};
use crate::net::{Failure, Operation};

/// A lock, semaphore or channel.
pub struct Object {
    pub name: String,
    pub kind: ObjectKind,
    /// The task that it becomes.
    pub task: TaskId,
    /// Its declaration.
    pub span: Span,
}

/// Kinds of objects.
#[derive(Clone, Debug)]
pub enum ObjectKind {
    Lock,
    Semaphore {
        /// Permits at the start.
        initial: usize,
        /// Maximum number of permits.
        max: usize,
    },
    Channel {
        /// The type of a message.
        ty: Ty,
        /// Maximum number of messages.
        capacity: usize,
    },
}

/// An object, or an array of objects with consecutive numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objects {
    pub first: usize,
    /// The lengths of the arrays around it, outermost first.
    pub lengths: Vec<usize>,
}

impl ObjectKind {
    /// Returns the noun for messages.
    fn noun(&self) -> &'static str {
        match self {
            Self::Lock => "lock",
            Self::Semaphore { .. } => "semaphore",
            Self::Channel { .. } => "channel",
        }
    }

    /// Returns the name of the type.
    fn type_name(&self) -> &'static str {
        match self {
            Self::Lock => "Lock",
            Self::Semaphore { .. } => "Semaphore",
            Self::Channel { .. } => "Channel",
        }
    }

    /// Returns its operations, each with the number of arguments.
    fn operations(&self) -> [(&'static str, usize); 2] {
        match self {
            Self::Lock => [("lock", 0), ("unlock", 0)],
            Self::Semaphore { .. } => [("acquire", 0), ("release", 0)],
            Self::Channel { .. } => [("send", 1), ("recv", 0)],
        }
    }

    fn usage(&self) -> &'static str {
        match self {
            Self::Lock => "write `M.lock();` and `M.unlock();`",
            Self::Semaphore { .. } => "write `S.acquire();` and `S.release();`",
            Self::Channel { .. } => "write `Q.send(e);` and `let x = Q.recv();`",
        }
    }
}

/// Returns the operation of this name.
pub fn operation(name: &str) -> Option<Operation> {
    match name {
        "lock" => Some(Operation::Lock),
        "unlock" => Some(Operation::Unlock),
        "acquire" => Some(Operation::Acquire),
        "release" => Some(Operation::Release),
        "send" => Some(Operation::Send),
        "recv" => Some(Operation::Receive),
        _ => None,
    }
}

impl<'a> Elaborator<'a> {
    /// Returns whether the expression names an object or an array of objects.
    pub(super) fn names_object(&self, expr: &Expr) -> bool {
        self.object_kind_of(expr).is_some()
    }

    fn object_kind_of(&self, expr: &Expr) -> Option<&ObjectKind> {
        match &expr.kind {
            ExprKind::Name(name) => match self.lookup(name)? {
                Binding::Objects(objects) => self.objects.get(objects.first).map(|object| &object.kind),
                _ => None,
            },
            ExprKind::Index(base, _) => self.object_kind_of(base),
            ExprKind::Reference { place, .. } => self.object_kind_of(place),
            _ => None,
        }
    }

    /// Returns the type of the messages of `Q.recv()`.
    pub(super) fn received_type(&self, expr: &Expr) -> Option<Ty> {
        let ExprKind::Method { args, name } = &expr.kind else { return None };
        match self.object_kind_of(args.first()?)? {
            ObjectKind::Channel { ty, .. } if name.text == "recv" => Some(ty.clone()),
            _ => None,
        }
    }

    /// Reports an object where a value is needed.
    pub(super) fn not_a_value<T>(&mut self, name: &str, span: Span) -> Result<T, Need<'a>> {
        let Some(Binding::Objects(objects)) = self.lookup(name) else { return Err(Need::Fault) };
        let Some(object) = self.objects.get(objects.first) else { return Err(Need::Fault) };
        let message = format!("`{name}` is a {}, not a value", object.kind.noun());
        let diagnostic = Diagnostic::error("task-type", span, message).with_help(object.kind.usage());
        self.report(diagnostic);
        Err(Need::Fault)
    }

    /// Returns the objects that an expression can refer to, after all its
    /// indices have a value; several if one is unknown.
    pub(super) fn objects_at(&mut self, expr: &'a Expr, known: &Known<'a>) -> Result<Vec<Objects>, Need<'a>> {
        match &expr.kind {
            ExprKind::Name(name) => match self.lookup(name) {
                Some(Binding::Objects(objects)) => Ok(vec![objects]),
                _ => Err(Need::Fault),
            },
            ExprKind::Reference { place, .. } => self.objects_at(place, known),
            ExprKind::Index(base, index) => {
                let arrays = self.objects_at(base, known)?;
                let position = self.eval(index, known)?;
                let mut found = Vec::new();
                for array in arrays {
                    let Some((len, rest)) = array.lengths.split_first() else {
                        self.error("task-type", base.span, "this cannot be indexed: it is not an array");
                        return Err(Need::Fault);
                    };
                    let positions = match position {
                        Val::Int(number) => {
                            let position = self.in_range(*len, number, (index.span, expr.span), known)?;
                            position..position + 1
                        }
                        Val::Unknown => 0..*len,
                        other => return self.wrong_type(index.span, "an integer", other),
                    };
                    let stride: usize = rest.iter().product();
                    found.extend(positions.map(|position| Objects {
                        first: array.first + position * stride,
                        lengths: rest.to_vec(),
                    }));
                }
                Ok(found)
            }
            _ => Err(Need::Fault),
        }
    }

    /// Elaborates `M.lock()`, `Q.send(e)` or `Q.recv()`.
    pub(super) fn operate(&mut self, args: &'a [Expr], name: &'a Name, from: PointId, span: Span) -> Leaves {
        let Some((receiver, values)) = args.split_first() else { return Vec::new() };
        if !self.has_operation(receiver, name, values.len()) {
            return vec![(from, Val::Unknown)];
        }
        let cases = self.cases(from, span, |this, known| {
            let found = this.objects_at(receiver, known)?;
            if found.iter().any(|objects| !objects.lengths.is_empty()) {
                let noun = this.object_kind_of(receiver).map_or("", ObjectKind::noun);
                let message = format!("expected a {noun}, found an array of {noun}s");
                let help = "select an element: `[i]`";
                this.report(Diagnostic::error("task-type", receiver.span, message).with_help(help));
                return Err(Need::Fault);
            }
            let message = values.first().map(|value| this.eval(value, known)).transpose()?;
            Ok((found, message))
        });
        let mut leaves = Vec::new();
        for case in cases {
            let (found, message) = case.result;
            for objects in found {
                if !self.step(span) {
                    return leaves;
                }
                let sent = message.zip(values.first()).map(|(val, value)| (val, case.split, value.span));
                self.one_operation(objects.first, name, sent, case.point, span, &mut leaves);
            }
        }
        self.merge(leaves, span)
    }

    fn one_operation(
        &mut self,
        object: usize,
        name: &'a Name,
        sent: Option<(Val, bool, Span)>,
        from: PointId,
        span: Span,
        leaves: &mut Leaves,
    ) {
        let kind = self.objects[object].kind.clone();
        let args = match (&kind, sent) {
            // The states of a lock differ in the task that holds it.
            (ObjectKind::Lock, _) => vec![Val::Int(self.task.id.index() as i64)],
            (ObjectKind::Semaphore { .. }, _) => Vec::new(),
            (ObjectKind::Channel { ty, .. }, Some((val, split, place))) => {
                if !self.can_send(ty, val, split, place) {
                    self.panic(from, None, Failure::MessageOutOfRange, place);
                    return;
                }
                vec![val]
            }
            (ObjectKind::Channel { ty, .. }, None) => {
                for val in self.all_values(ty) {
                    if !self.step(span) {
                        return;
                    }
                    let to = self.point(span);
                    self.use_object(object, name, vec![val], (from, to), span);
                    leaves.push((to, val));
                }
                return;
            }
        };
        let to = self.point(span);
        self.use_object(object, name, args, (from, to), span);
        leaves.push((to, Val::Unit));
    }

    fn use_object(
        &mut self,
        object: usize,
        name: &Name,
        args: Vec<Val>,
        (from, to): (PointId, PointId),
        span: Span,
    ) {
        let tasks = vec![self.objects[object].task];
        let call =
            PendingCall { tasks, name: name.clone(), indices: Vec::new(), args, constant: false, span };
        let entry = self.entries.pend(call);
        self.edge(from, to, Action::Call { entry }, span);
    }

    fn can_send(&mut self, ty: &Ty, val: Val, split: bool, span: Span) -> bool {
        if !Self::same_kind(ty, val) {
            let (wanted, found) = (self.type_name(ty), self.describe(val));
            self.error("task-type", span, format!("expected `{wanted}`, found {found}"));
            return false;
        }
        if val == Val::Unknown || self.encode(ty, val).is_some() {
            return true;
        }
        let wanted = self.type_name(ty);
        let diagnostic = match split {
            true => Diagnostic::note(
                "task-value",
                span,
                format!("this value can be outside `{wanted}`, the message type of the channel"),
            )
            .with_help(PANIC_HELP),
            false => {
                let message =
                    format!("{} is outside `{wanted}`, the message type of the channel", self.show(val));
                Diagnostic::error("task-value", span, message)
            }
        };
        self.report(diagnostic);
        false
    }

    fn has_operation(&mut self, receiver: &Expr, name: &Name, n_args: usize) -> bool {
        let Some(kind) = self.object_kind_of(receiver).cloned() else { return false };
        let known = kind.operations();
        let Some((_, wanted)) = known.iter().find(|(operation, _)| *operation == name.text) else {
            let message = format!("a {} has no operation `{}`", kind.noun(), name.text);
            let help = did_you_mean(&name.text, known.map(|(operation, _)| operation))
                .unwrap_or_else(|| kind.usage().to_string());
            self.report(Diagnostic::error("task-unknown", name.span, message).with_help(help));
            return false;
        };
        if *wanted != n_args {
            let message = format!("`{}` takes {wanted} argument(s), not {n_args}", name.text);
            let diagnostic = Diagnostic::error("task-arguments", name.span, message);
            self.report(diagnostic.with_help(kind.usage()));
        }
        *wanted == n_args
    }

    /// Binds an object as the argument of a function.
    pub(super) fn bind_object(
        &mut self,
        ty: &'a Type,
        arg: &'a Expr,
        known: &Known<'a>,
    ) -> Result<Binding, Need<'a>> {
        let mut found = self.objects_at(arg, known)?;
        if found.len() > 1 {
            let message = "the index must have a known value";
            let help = "choose a value: `choose! { i in 0..N => { … } }`";
            self.report(Diagnostic::error("task-value", arg.span, message).with_help(help));
            return Err(Need::Fault);
        }
        let mut inner = ty;
        while let TypeKind::Reference(of) | TypeKind::Array(of, _) = &inner.kind {
            inner = of;
        }
        let written = match &inner.kind {
            TypeKind::Named(name) => name.as_str(),
            TypeKind::Channel(_) => "Channel",
            _ => "",
        };
        let kind = self.object_kind_of(arg).map_or("", ObjectKind::type_name);
        if written != kind {
            let message = format!("the parameter does not accept a `{kind}`");
            let diagnostic = Diagnostic::error("task-type", arg.span, message);
            self.report(diagnostic.with_related(ty.span, "declared here"));
            return Err(Need::Fault);
        }
        found.pop().map(Binding::Objects).ok_or(Need::Fault)
    }
}
