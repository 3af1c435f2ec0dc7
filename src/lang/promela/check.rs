//! Checks a syntax tree: resolves names, rejects what SPIN rejects, and warns
//! where SPIN warns.
//!
//! Everything must be declared before it is used, as in SPIN, except parts of
//! other processes: proctypes, their labels and their variables.

mod body;
mod choices;
mod constants;
mod declare;
mod exprs;
mod formulas;
mod labels;
mod loops;
mod messages;
mod outline;
mod places;
mod print;
mod statements;

use super::ast;
use super::preprocess::Macros;
use super::token::{Mark, Report};
use super::tree::{
    Claim, Expr, ExprKind, Formula, GlobalId, LocalId, LtlBlock, Model, MtypeId, MtypeSet, Numbers, Proctype,
    Record, RecordId, TemplateId, Trace, Variable,
};
use crate::diag::{Diagnostic, Span};
use body::BodyState;
use messages::LongSend;
use outline::Outline;
use std::collections::HashMap;
use std::sync::Arc;

/// Checks a whole model.
pub fn check(units: &[ast::Unit], macros: Macros, report: &mut Report, end: Mark) -> Model {
    let mut checker = Checker::new(report);
    checker.outline_all(units);
    let mut model = Model {
        records: Vec::new(),
        mtypes: Vec::new(),
        globals: Vec::new(),
        proctypes: Vec::new(),
        claims: Vec::new(),
        ltl: Vec::new(),
        traces: Vec::new(),
        macros,
    };
    for unit in units {
        checker.unit(unit, &mut model);
    }
    // Formulas can refer to later declarations.
    for unit in units {
        if let ast::Unit::Ltl { name, mark, formula } = unit {
            checker.ltl(name.as_ref(), *mark, formula, &mut model.ltl);
        }
    }
    checker.report_long_sends(&model);
    checker.anything_runs(&model, end);
    checker.numbers.finish(&mut model);
    model.records = checker.records;
    model.mtypes = checker.mtypes;
    model.globals = checker.globals;
    model
}

/// Checks an expression in the global scope of a model.
pub fn check_expression(expr: &ast::Expr, model: &Model, report: &mut Report) -> Expr {
    let mut checker = Checker::of_model(model, report);
    checker.context = Context::Formula;
    checker.expr(expr)
}

/// Checks a formula in the global scope of a model.
pub fn check_formula(formula: &ast::Expr, model: &Model, report: &mut Report) -> Formula {
    let mut checker = Checker::of_model(model, report);
    checker.context = Context::Formula;
    checker.formula(formula)
}

/// The context of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Context {
    Global,
    Proctype,
    Claim,
    Trace,
    Formula,
}

struct Checker<'a> {
    report: &'a mut Report,
    records: Vec<Record>,
    record_names: HashMap<Arc<str>, RecordId>,
    mtypes: Vec<MtypeSet>,
    mtype_sets: HashMap<Arc<str>, MtypeId>,
    mtype_names: HashMap<Arc<str>, (MtypeId, i32, Span)>,
    globals: Vec<Variable>,
    global_names: HashMap<Arc<str>, GlobalId>,
    /// Proctypes as other processes see them.
    outlines: Vec<Outline>,
    proctype_names: HashMap<Arc<str>, TemplateId>,
    context: Context,
    body: BodyState,
    numbers: Numbers,
    long_sends: Vec<LongSend>,
}

/// The declaration to which a name refers.
enum Meaning {
    Global(GlobalId),
    Local(LocalId),
    Mtype(MtypeId, i32),
}

impl<'a> Checker<'a> {
    fn new(report: &'a mut Report) -> Self {
        Self {
            report,
            records: Vec::new(),
            record_names: HashMap::new(),
            mtypes: vec![MtypeSet { name: None, names: Vec::new() }],
            mtype_sets: HashMap::new(),
            mtype_names: HashMap::new(),
            globals: Vec::new(),
            global_names: HashMap::new(),
            outlines: Vec::new(),
            proctype_names: HashMap::new(),
            context: Context::Global,
            body: BodyState::default(),
            numbers: Numbers::default(),
            long_sends: Vec::new(),
        }
    }

    fn of_model(model: &Model, report: &'a mut Report) -> Self {
        let mut checker = Self::new(report);
        checker.records = model.records.clone();
        checker.mtypes = model.mtypes.clone();
        checker.globals = model.globals.clone();
        for (index, variable) in model.globals.iter().enumerate() {
            checker.global_names.insert(Arc::from(variable.name.as_str()), GlobalId::new(index));
        }
        for (index, set) in model.mtypes.iter().enumerate() {
            for (value, name) in set.names.iter().enumerate() {
                let meaning = (MtypeId::new(index), value as i32 + 1, Span::default());
                checker.mtype_names.insert(Arc::from(name.as_str()), meaning);
            }
        }
        for (index, proctype) in model.proctypes.iter().enumerate() {
            checker.proctype_names.insert(Arc::from(proctype.name.as_str()), TemplateId::new(index));
            checker.outlines.push(Outline::of_proctype(proctype));
        }
        checker
    }

    fn unit(&mut self, unit: &ast::Unit, model: &mut Model) {
        self.context = Context::Global;
        match unit {
            ast::Unit::Typedef { name, fields } => self.typedef(name, fields),
            ast::Unit::Declaration(declaration) => self.global_declaration(declaration),
            ast::Unit::Mtype(mtype) => self.mtype(mtype),
            ast::Unit::Proctype(proctype) => {
                let mut proctype = self.proctype(proctype, model.proctypes.len());
                self.numbers.body(&mut proctype.body, &mut model.proctypes);
                model.proctypes.push(proctype);
            }
            ast::Unit::Claim { name, mark, body } => {
                self.context = Context::Claim;
                let span = name.as_ref().map_or(mark.span, |name| name.mark.span);
                let given = name.as_ref().map(|name| name.text.to_string());
                let name = given.unwrap_or_else(|| format!("never_{}", model.claims.len()));
                if let Some(known) = model.claims.iter().find(|claim| claim.name == name) {
                    self.redeclared(Mark { span, from: mark.from }, &format!("claim `{name}`"), known.span);
                }
                let mut body = self.body(&[], body);
                self.numbers.body(&mut body, &mut model.proctypes);
                model.claims.push(Claim { name, span, body });
            }
            ast::Unit::Trace { is_negated, mark, body } => {
                self.context = Context::Trace;
                if let Some(first) = model.traces.first() {
                    let first = first.span;
                    self.redeclared(*mark, "the trace", first);
                }
                let mut body = self.body(&[], body);
                self.numbers.body(&mut body, &mut model.proctypes);
                model.traces.push(Trace { is_negated: *is_negated, span: mark.span, body });
            }
            ast::Unit::Ltl { .. } => {}
        }
    }

    fn proctype(&mut self, proctype: &ast::Proctype, index: usize) -> Proctype {
        let active = match &proctype.active {
            None => u32::from(proctype.is_init),
            Some(None) => 1,
            Some(Some(count)) => self.process_count(count),
        };
        let priority = proctype.priority.as_ref().map_or(1, |priority| self.priority(priority));
        self.context = Context::Proctype;
        self.body = BodyState::default();
        let provided = proctype.provided.as_ref().map(|condition| self.expr(condition));
        let body = self.body(&proctype.parameters, &proctype.body);
        self.check_predefined(&proctype.name);
        let is_second = self.proctype_names.get(&proctype.name.text) != Some(&TemplateId::new(index));
        if is_second {
            self.second_proctype(proctype);
        }
        Proctype {
            name: proctype.name.text.to_string(),
            span: proctype.name.mark.span,
            is_init: proctype.is_init,
            is_deterministic: proctype.is_deterministic,
            active,
            priority,
            provided,
            parameters: parameter_count(proctype),
            exclusive: std::mem::take(&mut self.body.exclusive),
            body,
        }
    }

    fn second_proctype(&mut self, proctype: &ast::Proctype) {
        let first = self.proctype_names[&proctype.name.text];
        let span = self.outlines[first.index()].span;
        let mark = proctype.name.mark;
        if proctype.is_init {
            let diagnostic =
                Diagnostic::warning("promela-redeclared", mark.span, "there is more than one `init`")
                    .with_related(span, "the first `init`");
            return self.report.push(mark, diagnostic);
        }
        self.redeclared(mark, &format!("proctype `{}`", proctype.name.text), span);
    }

    fn anything_runs(&mut self, model: &Model, end: Mark) {
        let runs = model.proctypes.iter().any(|proctype| 0 < proctype.active);
        if !runs && !self.report.has_errors() {
            let diagnostic = Diagnostic::error("promela-nothing", end.span, "the model starts no process")
                .with_help("write `init { … }` or `active proctype …`");
            self.report.push(end, diagnostic);
        }
    }

    fn ltl(&mut self, name: Option<&ast::Name>, mark: Mark, formula: &ast::Expr, blocks: &mut Vec<LtlBlock>) {
        self.context = Context::Formula;
        self.body = BodyState::default();
        let span = name.map_or(mark.span, |name| name.mark.span);
        let name = name.map_or_else(|| format!("ltl_{}", blocks.len()), |name| name.text.to_string());
        if let Some(known) = blocks.iter().find(|block| block.name == name) {
            let known = known.span;
            self.redeclared(Mark { span, from: mark.from }, &format!("formula `{name}`"), known);
        }
        let formula = self.formula(formula);
        blocks.push(LtlBlock { name, span, formula });
    }

    fn redeclared(&mut self, mark: Mark, what: &str, first: Span) {
        let message = format!("{what} is declared twice");
        let diagnostic = Diagnostic::error("promela-redeclared", mark.span, message);
        self.report.push(mark, diagnostic.with_related(first, "first declared here"));
    }

    fn error(&mut self, code: &'static str, mark: Mark, message: impl Into<String>) {
        self.report.error(code, mark, message);
    }

    fn warning(&mut self, code: &'static str, mark: Mark, message: impl Into<String>) {
        self.report.warning(code, mark, message);
    }

    fn error_with_help(&mut self, code: &'static str, mark: Mark, message: impl Into<String>, help: &str) {
        self.report.push(mark, Diagnostic::error(code, mark.span, message).with_help(help));
    }
}

/// Returns a substitute for an invalid expression that has been reported.
fn wrong(mark: Mark) -> Expr {
    constant(0, mark.span)
}

fn constant(value: i32, span: Span) -> Expr {
    Expr { kind: ExprKind::Constant(value), span }
}

fn parameter_count(proctype: &ast::Proctype) -> u32 {
    proctype.parameters.iter().map(|declaration| declaration.variables.len() as u32).sum()
}
