//! Observers of a system: `never` claims, the trace, and formulas.

use super::program::SpinTemplate;
use super::{Program, lowered, refuse};
use crate::automata::buchi::NoAutomaton;
use crate::diag::{Diagnostic, Span};
use crate::lang::promela::tree::Body;
use crate::net::{Expr, ExprKind, Formula, Observer, ObserverKind, Template, TemplateId, TraceAutomaton};

impl Program {
    /// Adds the `never` claims as observers.
    pub(super) fn add_claims(&mut self) {
        for claim in self.model.claims.clone() {
            let (code, statements) = self.code(claim.name, claim.span, &claim.body);
            self.network.add_observer(code, ObserverKind::Claim);
            self.statements.templates.push(statements);
        }
    }

    /// Adds the `trace` or `notrace` as an automaton.
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

    /// Returns a template without processes.
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
        formula.atoms().into_iter().for_each(|it| self.use_labels(it));
        let all = &mut self.network.uses;
        all.last |= uses.last;
        all.progress |= uses.progress;
        all.priorities |= uses.priorities;
        all.remote_variables |= uses.remote_variables;
        Ok(observer)
    }

    /// Makes jumps steps if the expression uses their labels.
    fn use_labels(&mut self, expr: &Expr) {
        expr.each(&mut |it| {
            if let ExprKind::RemoteLabel { template: proctype, label, .. } = it.kind {
                let proctype = proctype.index();
                let code = &mut self.model.proctypes[proctype];
                code.body.use_label(label);
                (self.network.templates[proctype].graph, self.statements.templates[proctype]) =
                    lowered(&code.body, code.span, self.escapes);
            }
        });
    }
}

/// Why a formula has no observer.
#[derive(Clone, Debug)]
pub enum NoFormula {
    /// It uses unsupported features.
    Refused(Vec<Diagnostic>),
    /// Its automaton would be too large.
    NoAutomaton(NoAutomaton),
}
