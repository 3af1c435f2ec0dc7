//! Checks a body: scopes, and declarations among statements.

use super::super::ast::{self, Declaration, Name};
use super::super::token::Mark;
use super::super::tree::{
    Body, Exclusive, Expr, ExprKind, Initial, Label, LabelId, LabelUse, LocalId, Origin, Place, Root,
    Sequence, Statement, StatementKind, Type, Variable, Visibility,
};
use super::outline::{Contents, OutlineLabel};
use super::{Checker, Context, constant};
use crate::diag::Span;
use std::collections::HashMap;
use std::sync::Arc;

/// The state of the checker within a body.
#[derive(Default)]
pub struct BodyState {
    /// Variables declared so far.
    pub locals: Vec<Variable>,
    /// Number of variables of the whole body, without counters.
    declared: usize,
    /// Counters of loops over channels and other undeclared variables; their
    /// ids follow those of `locals`.
    counters: Vec<Variable>,
    scopes: Vec<Scope>,
    /// Labels in the order of the text.
    pub labels: Vec<OutlineLabel>,
    next_label: usize,
    pub exclusive: Vec<Exclusive>,
    /// Initial values of variables that are declared among statements.
    late_numbers: HashMap<LocalId, i32>,
    /// Whether a statement has been read; declarations after it are steps.
    pub has_started: bool,
    /// The blocks that a `break` would leave, innermost last.
    pub break_blocks: Vec<BreakBlock>,
    /// The variable for `_pid`, if a receive stores to it.
    pub own_pid: Option<LocalId>,
    /// The `else` with which the current option begins.
    pub leading_else: Option<Mark>,
}

#[derive(Default)]
struct Scope {
    names: HashMap<Arc<str>, LocalId>,
    /// Counter of the loops over channels in the scope; they share one, as in
    /// SPIN.
    counter: Option<LocalId>,
}

/// A block that a `break` would leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BreakBlock {
    Loop,
    DStep,
}

impl BodyState {
    /// Returns the visible local variable of this name.
    pub fn visible(&self, name: &str) -> Option<LocalId> {
        self.scopes.iter().rev().find_map(|scope| scope.names.get(name)).copied()
    }

    pub fn local(&self, id: LocalId) -> &Variable {
        match id.index().checked_sub(self.declared) {
            Some(counter) => &self.counters[counter],
            None => &self.locals[id.index()],
        }
    }

    /// Returns the initial value of a variable, if it is a number.
    pub fn declared_number(&self, id: LocalId) -> Option<i32> {
        self.late_numbers.get(&id).copied().or_else(|| self.local(id).initial.number())
    }

    /// Iterates over all names that can be used here.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.scopes.iter().flat_map(|scope| scope.names.keys().map(|name| &**name))
    }

    /// Makes `_pid` a variable of the body.
    fn add_own_pid(&mut self, span: Span) {
        self.own_pid = Some(LocalId::new(self.declared + self.counters.len()));
        self.counters.push(Variable {
            name: "_pid".to_string(),
            span,
            ty: Type::Pid,
            length: None,
            initial: Initial::Value(Expr { kind: ExprKind::Pid, span }),
            range: None,
            visibility: Visibility::Plain,
        });
    }

    /// Returns the counter of loops over channels in the current scope.
    pub fn counter(&mut self, span: Span) -> LocalId {
        let next = LocalId::new(self.declared + self.counters.len());
        let number = self.counters.len();
        let Some(scope) = self.scopes.last_mut() else { return next };
        if let Some(known) = scope.counter {
            return known;
        }
        scope.counter = Some(next);
        self.counters.push(Variable {
            name: format!("_loop_{number}"),
            span,
            ty: Type::Byte,
            length: None,
            initial: Initial::Zero,
            range: None,
            visibility: Visibility::Plain,
        });
        next
    }
}

impl Checker<'_> {
    pub(super) fn body(&mut self, parameters: &[Declaration], body: &ast::Body) -> Body {
        let contents = Contents::of(parameters, &body.statements, self.report);
        let (jumps, declared) = (contents.jumps, contents.variables.len());
        self.body = BodyState { declared, labels: contents.labels, ..BodyState::default() };
        self.body.scopes.push(Scope::default());
        for declaration in parameters {
            self.parameters(declaration);
        }
        if contents.receives_pid {
            self.body.add_own_pid(body.mark.span);
        }
        self.check_labels();
        self.check_jumps(&jumps);
        let mut statements = Vec::new();
        for statement in &body.statements {
            self.statement(statement, &mut statements);
        }
        let mut locals = std::mem::take(&mut self.body.locals);
        locals.append(&mut self.body.counters);
        let labels = self.body.labels.iter();
        let labels =
            labels.map(|label| Label { name: label.name.to_string(), span: label.mark.span }).collect();
        // Names of this body are unknown after it.
        let exclusive = std::mem::take(&mut self.body.exclusive);
        self.body = BodyState { exclusive, ..BodyState::default() };
        let sequence = Sequence { statements, span: body.mark.span };
        Body { locals, labels, sequence, end: 0 }
    }

    fn parameters(&mut self, declaration: &Declaration) {
        for declarator in &declaration.variables {
            self.check_free(&declarator.name, "parameter");
            let mut variable = self.variable(declaration, declarator);
            if variable.length.is_some() {
                let message = format!("parameter `{}` cannot be an array", variable.name);
                self.error("promela-parameter", declarator.name.mark, message);
                variable.length = None;
            }
            if declarator.initial.is_some() {
                let message = format!(
                    "parameter `{}` cannot have an initial value: `run` passes its value",
                    variable.name
                );
                self.error("promela-parameter", declarator.name.mark, message);
                variable.initial = Initial::Zero;
            }
            self.enter(&declarator.name, variable);
        }
    }

    fn enter(&mut self, name: &Name, variable: Variable) -> LocalId {
        let id = LocalId::new(self.body.locals.len());
        self.body.locals.push(variable);
        if let Some(scope) = self.body.scopes.last_mut() {
            scope.names.insert(name.text.clone(), id);
        }
        id
    }

    /// Checks statements in a separate scope.
    pub(super) fn scoped(&mut self, statements: &[ast::Statement]) -> Vec<Statement> {
        self.body.scopes.push(Scope::default());
        self.body.has_started = true;
        let mut out = Vec::new();
        for statement in statements {
            self.statement(statement, &mut out);
        }
        self.body.scopes.pop();
        out
    }

    /// Returns ids for the labels of the current statement.
    pub(super) fn next_labels(&mut self, labels: &[Name]) -> Vec<LabelId> {
        let first = self.body.next_label;
        self.body.next_label += labels.len();
        (first..self.body.next_label).map(LabelId::new).collect()
    }

    /// Checks a declaration in a body. At the beginning it determines initial
    /// values; after the first statement it is a step for each variable.
    pub(super) fn local_declaration(
        &mut self,
        declaration: &Declaration,
        mark: Mark,
        out: &mut Vec<Statement>,
    ) {
        for declarator in &declaration.variables {
            let name = &declarator.name;
            self.check_free(name, "variable");
            if self.context == Context::Claim || self.context == Context::Trace {
                let message = format!("a claim cannot declare variables such as `{}`", name.text);
                self.error("promela-claim", name.mark, message);
            }
            let mut variable = self.variable(declaration, declarator);
            if !self.body.has_started {
                self.enter(name, variable);
                continue;
            }
            let initial = std::mem::replace(&mut variable.initial, Initial::Zero);
            // SPIN initialises the array when the process starts, and its first
            // element again when the declaration is executed.
            if matches!(&initial, Initial::List(values) if values.len() == 1) {
                variable.initial = initial.clone();
            }
            let is_array = variable.length.is_some();
            let ty = variable.ty;
            let id = self.enter(name, variable);
            self.body.late_numbers.extend(initial.number().map(|number| (id, number)));
            let value = self.late_value(initial, name);
            let kind = match ty {
                Type::Record(_) => StatementKind::Skip,
                _ => {
                    let index = is_array.then(|| Box::new(constant(0, name.mark.span)));
                    let span = name.mark.span;
                    let place = Place { root: Root::Local(id), index, fields: Vec::new(), ty, span };
                    StatementKind::Assign { place, value }
                }
            };
            out.push(self.generated(
                kind,
                Mark { span: name.mark.span, from: mark.from },
                Origin::Declaration,
            ));
        }
    }

    fn late_value(&mut self, initial: Initial, name: &Name) -> Expr {
        let what = match initial {
            Initial::Value(value) => return value,
            Initial::Zero => return constant(0, name.mark.span),
            Initial::List(mut values) => match (values.pop(), values.is_empty()) {
                (Some(only), true) => return only,
                _ => "a list of several values",
            },
            Initial::Channel(_) => "a new channel",
        };
        let message = format!("`{}` cannot be initialised with {what} after the first statement", name.text);
        let help = "put the declaration before the first statement";
        self.error_with_help("promela-initial", name.mark, message, help);
        constant(0, name.mark.span)
    }

    /// Creates a generated statement with its text.
    pub(super) fn generated_with_text(
        &mut self,
        kind: StatementKind,
        text: impl Into<String>,
        mark: Mark,
    ) -> Statement {
        let span = self.report.generated_text(text, mark.span);
        Statement { span, ..self.generated(kind, mark, Origin::Loop) }
    }

    /// Creates a generated statement.
    pub(super) fn generated(&self, kind: StatementKind, mark: Mark, origin: Origin) -> Statement {
        let used_at = self.report.outermost_use(mark);
        Statement {
            labels: Vec::new(),
            kind,
            span: mark.span,
            used_at,
            origin,
            number: 0,
            label_use: LabelUse::None,
        }
    }
}
