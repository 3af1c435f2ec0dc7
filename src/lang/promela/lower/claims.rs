//! Observers of a system: claims of the text, its trace, and formulas.

use super::program::SpinTemplate;
use super::{Program, lowered, refuse};
use crate::automata::buchi::NoAutomaton;
use crate::diag::{Diagnostic, Span};
use crate::lang::promela::tree::{BlockKind, Body, Statement, StatementKind};
use crate::net::{Expr, ExprKind, Formula, Observer, ObserverKind, Template, TemplateId, TraceAutomaton};

impl Program {
    /// Makes the `never` claims observers.
    pub(super) fn add_claims(&mut self) {
        for mut claim in self.model.claims.clone() {
            make_atomic(&mut claim.body.sequence.statements);
            let (code, statements) = self.code(claim.name, claim.span, &claim.body);
            self.network.add_observer(code, ObserverKind::Claim);
            self.statements.templates.push(statements);
        }
    }

    /// Makes the `trace` or `notrace` an automaton.
    pub(super) fn add_trace(&mut self) {
        if let Some(trace) = self.model.traces.first().cloned() {
            let name = if trace.is_negated { "notrace" } else { "trace" };
            let (code, statements) = self.code(name.to_string(), trace.span, &trace.body);
            let template = TemplateId::new(self.network.templates.len());
            self.network.templates.push(code);
            self.statements.templates.push(statements);
            self.network.trace = Some(TraceAutomaton { template, is_negated: trace.is_negated });
        }
    }

    /// Code that no process has.
    fn code(&self, name: String, span: Span, body: &Body) -> (Template, SpinTemplate) {
        let (graph, statements) = lowered(body, span, self.escapes);
        let template = Template {
            locals: body.locals.clone(),
            labels: body.labels.clone(),
            ..Template::passive(name, span, graph)
        };
        (template, statements)
    }

    /// Adds an observer that searches for a run on which the formula does not
    /// hold.
    pub fn add_formula(&mut self, name: &str, formula: &Formula) -> Result<Observer, NoFormula> {
        let uses = refuse::refuse_formula(&self.network, formula).map_err(NoFormula::Refused)?;
        let observer = self.network.add_formula(name, formula).map_err(NoFormula::NoAutomaton)?;
        formula.atoms().into_iter().for_each(|it| self.ask_for_labels(it));
        let all = &mut self.network.uses;
        all.last |= uses.last;
        all.progress |= uses.progress;
        all.priorities |= uses.priorities;
        all.remote_variables |= uses.remote_variables;
        Ok(observer)
    }

    /// Jumps become steps where their labels are asked for.
    fn ask_for_labels(&mut self, expr: &Expr) {
        expr.each(&mut |it| {
            if let ExprKind::RemoteLabel { template: proctype, label, .. } = it.kind {
                let proctype = proctype.index();
                let code = &mut self.model.proctypes[proctype];
                code.body.ask(label);
                (self.network.templates[proctype].graph, self.statements.templates[proctype]) =
                    lowered(&code.body, code.span, self.escapes);
            }
        });
    }
}

/// A `d_step` of a claim is an atomic sequence: it has no choice that would
/// have to be cut.
fn make_atomic(statements: &mut [Statement]) {
    for statement in statements {
        match &mut statement.kind {
            StatementKind::Block(kind, sequence) => {
                if *kind == BlockKind::Deterministic {
                    *kind = BlockKind::Atomic;
                }
                make_atomic(&mut sequence.statements);
            }
            StatementKind::Unless { main, escape } => {
                make_atomic(std::slice::from_mut(main));
                make_atomic(std::slice::from_mut(escape));
            }
            StatementKind::If(choices) | StatementKind::Do(choices) => {
                choices.iter_mut().for_each(|it| make_atomic(&mut it.statements));
            }
            _ => {}
        }
    }
}

/// Why a formula cannot be watched.
#[derive(Clone, Debug)]
pub enum NoFormula {
    /// Parts of it cannot be run.
    Refused(Vec<Diagnostic>),
    /// It has no automaton of reasonable size.
    NoAutomaton(NoAutomaton),
}
