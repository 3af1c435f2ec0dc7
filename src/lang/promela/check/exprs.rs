//! Expressions.

use super::super::ast::{self, ExprKind as Syntax, Name, Reference};
use super::super::token::{Mark, count};
use super::super::tree::{Expr, ExprKind, LabelId, LocalId, Place, Root, TemplateId, Type};
use super::outline::OutlineType;
use super::{Checker, Context, Meaning, constant, wrong};
use crate::diag::{Diagnostic, did_you_mean};

/// Returns whether it is the name of a predefined variable.
pub fn is_predefined(name: &str) -> bool {
    ["_pid", "_nr_pr", "_last", "_priority", "_"].contains(&name)
}

impl Checker<'_> {
    /// Checks an expression that can be a `run` as a whole.
    pub(super) fn expr(&mut self, expr: &ast::Expr) -> Expr {
        self.check_run(expr);
        self.value(expr)
    }

    /// Checks an expression without `run`.
    pub(super) fn plain_expr(&mut self, expr: &ast::Expr) -> Expr {
        if let Some(mark) = find_run(expr) {
            self.error("promela-run", mark, "`run` is only allowed as a statement or on the right of `=`");
        }
        self.value(expr)
    }

    fn check_run(&mut self, expr: &ast::Expr) {
        match &expr.kind {
            // Its arguments are checked one by one.
            Syntax::Run { .. } => {}
            Syntax::Conditional(parts) => {
                for part in parts.iter() {
                    self.check_run(part);
                }
            }
            _ => {
                if let Some(mark) = find_run(expr) {
                    let help = "store its result first: `x = run P(…)`";
                    let message = "`run` cannot be an operand, since it changes the state";
                    self.error_with_help("promela-run", mark, message, help);
                }
            }
        }
    }

    fn value(&mut self, expr: &ast::Expr) -> Expr {
        let span = expr.mark.span;
        let kind = match &expr.kind {
            Syntax::Bad => return wrong(expr.mark),
            Syntax::Constant(value) => ExprKind::Constant(*value),
            Syntax::Reference(reference) => return self.read(reference),
            Syntax::Unary(op, operand) => ExprKind::Unary(*op, Box::new(self.value(operand))),
            Syntax::Binary(op, left, right) => {
                ExprKind::Binary(*op, Box::new(self.value(left)), Box::new(self.value(right)))
            }
            Syntax::Conditional(parts) => ExprKind::Conditional {
                condition: Box::new(self.value(&parts[0])),
                then: Box::new(self.value(&parts[1])),
                otherwise: Box::new(self.value(&parts[2])),
            },
            Syntax::Channel(query, channel) => match self.queried_channel(*query, channel) {
                Some(place) => ExprKind::Channel(*query, place),
                None => return wrong(expr.mark),
            },
            Syntax::Poll { channel, any, arguments } => match self.message_patterns(channel, arguments) {
                Some((channel, patterns)) => ExprKind::Poll { channel, any: *any, patterns },
                None => return wrong(expr.mark),
            },
            Syntax::Run { name, arguments, priority } => {
                return self.run(expr.mark, name, arguments, priority.as_deref());
            }
            Syntax::Timeout => ExprKind::Timeout,
            Syntax::NonProgress => {
                self.claims_only("np_", expr.mark);
                ExprKind::NonProgress
            }
            Syntax::Enabled(pid) => {
                self.claims_mostly("enabled", expr.mark);
                ExprKind::Enabled(Box::new(self.value(pid)))
            }
            Syntax::PcValue(pid) => {
                self.claims_mostly("pc_value", expr.mark);
                ExprKind::PcValue(Box::new(self.value(pid)))
            }
            Syntax::GetPriority(pid) => ExprKind::GetPriority(Box::new(self.value(pid))),
            Syntax::RemoteLabel { proctype, pid, label } => {
                return self.remote_label(expr.mark, proctype, pid.as_deref(), label);
            }
            Syntax::RemoteVariable { proctype, pid, variable } => {
                return self.remote_variable(expr.mark, proctype, pid.as_deref(), variable);
            }
            Syntax::Temporal(..) | Syntax::Temporal2(..) => {
                let help = "temporal operators bind most tightly: put parentheses around their operand";
                let message = "a temporal formula cannot be used as a value";
                self.error_with_help("promela-formula", expr.mark, message, help);
                return wrong(expr.mark);
            }
        };
        Expr { kind, span }
    }

    fn claims_only(&mut self, word: &str, mark: Mark) {
        if self.context == Context::Proctype || self.context == Context::Global {
            self.error("promela-claim", mark, format!("`{word}` is only allowed in claims and formulas"));
        }
    }

    fn claims_mostly(&mut self, word: &str, mark: Mark) {
        if self.context == Context::Proctype || self.context == Context::Global {
            self.warning(
                "promela-claim",
                mark,
                format!("`{word}` should only be used in claims and formulas"),
            );
        }
    }

    fn read(&mut self, reference: &Reference) -> Expr {
        let mark = reference.mark;
        let is_simple = reference.index.is_none() && reference.field.is_none();
        let predefined = match &*reference.name.text {
            "_pid" => Some(self.own_pid(mark).map_or(ExprKind::Pid, ExprKind::Read)),
            "_nr_pr" => Some(ExprKind::NumberOfProcesses),
            "_last" => Some(ExprKind::Last),
            "_priority" => Some(ExprKind::Priority),
            "_" => return self.read_scratch(mark),
            _ => None,
        };
        if let Some(kind) = predefined {
            if !is_simple {
                let message = format!("`{}` has no elements and no fields", reference.name.text);
                self.error("promela-index", mark, message);
            }
            if kind == ExprKind::Pid && matches!(self.context, Context::Global | Context::Formula) {
                self.warning("promela-claim", mark, "`_pid` has no meaning outside a process");
            }
            return Expr { kind, span: mark.span };
        }
        if is_simple && let Some((_, value, _)) = self.visible_mtype(&reference.name) {
            return constant(value, mark.span);
        }
        match self.place(reference) {
            Some(place) => Expr { kind: ExprKind::Read(place), span: mark.span },
            None => wrong(mark),
        }
    }

    /// Returns the variable for `_pid` in this body, if a receive can change
    /// it, as in SPIN.
    pub(super) fn own_pid(&self, mark: Mark) -> Option<Place> {
        let root = Root::Local(self.body.own_pid?);
        Some(Place { root, index: None, fields: Vec::new(), ty: Type::Pid, span: mark.span })
    }

    /// Rejects arithmetic on channels in an assigned value, as SPIN does.
    pub(super) fn check_computes_without_channels(&mut self, value: &ast::Expr) {
        match &value.kind {
            Syntax::Unary(_, operand) => self.check_no_channel(operand),
            Syntax::Binary(_, left, right) => {
                self.check_no_channel(left);
                self.check_no_channel(right);
            }
            Syntax::Conditional(parts) => parts.iter().for_each(|it| self.check_no_channel(it)),
            _ => {}
        }
    }

    fn check_no_channel(&mut self, value: &ast::Expr) {
        let Syntax::Reference(reference) = &value.kind else {
            return self.check_computes_without_channels(value);
        };
        let ty = match self.known_meaning(&reference.name) {
            Some(Meaning::Global(id)) => self.globals[id.index()].ty,
            Some(Meaning::Local(id)) => self.body.local(id).ty,
            _ => return,
        };
        if ty == Type::Chan {
            self.no_arithmetic(value.mark);
        }
    }

    pub(super) fn no_arithmetic(&mut self, mark: Mark) {
        let help = "a channel can only be assigned, sent, or compared in a condition";
        self.error_with_help("promela-channel", mark, "a channel cannot be used in arithmetic", help);
    }

    fn read_scratch(&mut self, mark: Mark) -> Expr {
        if self.context != Context::Trace {
            self.error("promela-read-only", mark, "`_` is write-only and cannot be read");
            return wrong(mark);
        }
        let place =
            Place { root: Root::Scratch, index: None, fields: Vec::new(), ty: Type::Int, span: mark.span };
        Expr { kind: ExprKind::Read(place), span: mark.span }
    }

    /// Returns the symbolic name, unless a variable hides it.
    pub(super) fn visible_mtype(
        &self,
        name: &Name,
    ) -> Option<(super::super::tree::MtypeId, i32, crate::diag::Span)> {
        let hidden = self.body.visible(&name.text).is_some() || self.global_names.contains_key(&name.text);
        self.mtype_names.get(&name.text).copied().filter(|_| !hidden)
    }

    /// Returns the set of symbolic names of an expression, if it is a plain
    /// name.
    fn set_of(&mut self, expr: &ast::Expr) -> Option<super::super::tree::MtypeId> {
        let Syntax::Reference(reference) = &expr.kind else { return None };
        if is_predefined(&reference.name.text) || reference.index.is_some() || reference.field.is_some() {
            return None;
        }
        let ty = match self.known_meaning(&reference.name)? {
            Meaning::Mtype(set, _) => Type::Mtype(set),
            Meaning::Global(id) => self.globals[id.index()].ty,
            Meaning::Local(id) => self.body.local(id).ty,
        };
        if let Type::Mtype(set) = ty { Some(set) } else { None }
    }

    fn known_meaning(&self, name: &Name) -> Option<Meaning> {
        if let Some(id) = self.body.visible(&name.text) {
            return Some(Meaning::Local(id));
        }
        if let Some(id) = self.global_names.get(&name.text) {
            return Some(Meaning::Global(*id));
        }
        self.mtype_names.get(&name.text).map(|(set, value, _)| Meaning::Mtype(*set, *value))
    }

    /// Checks that a variable of a named set is only assigned names of that
    /// set.
    pub(super) fn check_set(&mut self, ty: Type, target: &str, value: &ast::Expr) {
        let Type::Mtype(wanted) = ty else { return };
        let Some(found) = self.set_of(value) else { return };
        if wanted.index() == 0 || wanted == found {
            return;
        }
        let name = |checker: &Self, set: super::super::tree::MtypeId| match &checker.mtypes[set.index()].name
        {
            Some(name) => format!("mtype:{name}"),
            None => "mtype".to_string(),
        };
        let (wanted, found) = (name(self, wanted), name(self, found));
        let message = format!("`{target}` has type `{wanted}`, but the value has type `{found}`");
        self.error("promela-mtype", value.mark, message);
    }

    fn find_proctype(&mut self, name: &Name) -> Option<TemplateId> {
        if let Some(id) = self.proctype_names.get(&name.text) {
            return Some(*id);
        }
        let mut names: Vec<&str> = self.proctype_names.keys().map(|known| &**known).collect();
        names.sort_unstable();
        let help = did_you_mean(&name.text, names);
        let message = format!("no proctype is named `{}`", name.text);
        let diagnostic =
            Diagnostic::error("promela-unknown", name.mark.span, message).with_optional_help(help);
        self.report.push(name.mark, diagnostic);
        None
    }

    fn run(
        &mut self,
        mark: Mark,
        name: &Name,
        arguments: &[ast::Expr],
        priority: Option<&ast::Expr>,
    ) -> Expr {
        if matches!(self.context, Context::Claim | Context::Formula) {
            self.warning("promela-claim", mark, "a claim should not start a process");
        }
        let priority = priority.map(|priority| self.priority(priority));
        let Some(proctype) = self.find_proctype(name) else {
            for argument in arguments {
                self.value(argument);
            }
            return wrong(mark);
        };
        let outline = &self.outlines[proctype.index()];
        let (wanted, span) = (outline.parameters, outline.span);
        if arguments.len() != wanted {
            let found = arguments.len();
            let message =
                format!("proctype `{}` takes {}, not {found}", name.text, count(wanted, "argument"));
            let diagnostic = Diagnostic::error("promela-arguments", mark.span, message)
                .with_related(span, "declared here");
            self.report.push(mark, diagnostic);
        }
        let arguments = self.values(arguments);
        Expr { kind: ExprKind::Run { template: proctype, arguments, priority }, span: mark.span }
    }

    fn remote_label(&mut self, mark: Mark, proctype: &Name, pid: Option<&ast::Expr>, label: &Name) -> Expr {
        let pid = pid.map(|pid| Box::new(self.value(pid)));
        let Some(id) = self.find_proctype(proctype) else { return wrong(mark) };
        let labels = &self.outlines[id.index()].labels;
        let Some(position) = labels.iter().position(|known| known.name == label.text) else {
            let help = did_you_mean(&label.text, labels.iter().map(|known| &*known.name));
            let message = format!("proctype `{}` has no label `{}`", proctype.text, label.text);
            let diagnostic =
                Diagnostic::error("promela-label", label.mark.span, message).with_optional_help(help);
            self.report.push(label.mark, diagnostic);
            return wrong(mark);
        };
        let kind = ExprKind::RemoteLabel { template: id, pid, label: LabelId::new(position) };
        Expr { kind, span: mark.span }
    }

    fn remote_variable(
        &mut self,
        mark: Mark,
        proctype: &Name,
        pid: Option<&ast::Expr>,
        variable: &Reference,
    ) -> Expr {
        let pid = pid.map(|pid| Box::new(self.value(pid)));
        let Some(id) = self.find_proctype(proctype) else { return wrong(mark) };
        let variables = &self.outlines[id.index()].variables;
        let Some(position) = variables.iter().position(|known| known.name == variable.name.text) else {
            let help = did_you_mean(&variable.name.text, variables.iter().map(|known| &*known.name));
            let message = format!("proctype `{}` has no variable `{}`", proctype.text, variable.name.text);
            let diagnostic =
                Diagnostic::error("promela-unknown", variable.mark.span, message).with_optional_help(help);
            self.report.push(variable.mark, diagnostic);
            return wrong(mark);
        };
        let found = &variables[position];
        // Lengths of arrays of other processes are checked by the engine.
        let length = found.is_array.then_some(u32::MAX);
        let ty = match &found.ty {
            OutlineType::Known(ty) => *ty,
            OutlineType::Written(name) => {
                let name = name.clone();
                self.type_of(&name)
            }
        };
        let root = Root::Local(LocalId::new(position));
        match self.place_from(root, ty, length, variable) {
            Some(place) if self.no_record(&place, variable) => {
                let kind = ExprKind::RemoteVariable { template: id, pid, place };
                Expr { kind, span: mark.span }
            }
            _ => wrong(mark),
        }
    }
}

/// Returns the position of a `run` in an expression.
pub fn find_run(expr: &ast::Expr) -> Option<Mark> {
    match &expr.kind {
        Syntax::Run { .. } => Some(expr.mark),
        Syntax::Unary(_, operand) | Syntax::Temporal(_, operand) => find_run(operand),
        Syntax::Binary(_, left, right) | Syntax::Temporal2(_, left, right) => {
            find_run(left).or_else(|| find_run(right))
        }
        Syntax::Conditional(parts) => parts.iter().find_map(find_run),
        Syntax::Enabled(pid) | Syntax::PcValue(pid) | Syntax::GetPriority(pid) => find_run(pid),
        _ => None,
    }
}
