//! Observers of a system: claims of the text and automata of formulas.
//!
//! Each is kept as one more proctype that no process ever has, so that its
//! code is made, drawn and numbered like any other.

use super::{process, refuse};
use crate::automata::buchi::{Buchi, Guard, NoAutomaton};
use crate::automata::ltl::{AtomId, Formula as Abstract};
use crate::diag::{Diagnostic, Span};
use crate::explicit::program::{
    Action, Form, Location, LocationId, Observer, ObserverKind, Process, Program, TraceAutomaton, Transition,
    TransitionId,
};
use crate::lang::promela::tree::{
    BinaryOp, BlockKind, Body, Expr, ExprKind, Formula, FormulaKind, Proctype, ProctypeId, Sequence,
    Statement, StatementKind, UnaryOp,
};

impl Program {
    /// Makes the `never` claims observers.
    pub(super) fn add_claims(&mut self) {
        for mut claim in self.model.claims.clone() {
            make_atomic(&mut claim.body.sequence.statements);
            let graph = process(&claim.body, claim.span, self.escapes);
            self.add_observer(claim.name, claim.span, claim.body, graph, ObserverKind::Claim);
        }
    }

    /// Adds an observer that looks for a run on which the formula does not
    /// hold.
    pub fn add_formula(&mut self, name: &str, formula: &Formula) -> Result<Observer, NoFormula> {
        let uses = refuse::refuse_formula(&self.model, formula).map_err(NoFormula::Refused)?;
        let mut atoms = Vec::new();
        let broken = abstracted(formula, &mut atoms).negated();
        let buchi = Buchi::of(&broken).map_err(NoFormula::NoAutomaton)?;
        let graph = graph_of(&buchi, &atoms, formula.span);
        atoms.iter().for_each(|it| self.ask_for_labels(it));
        self.uses.last |= uses.last;
        self.uses.progress |= uses.progress;
        self.uses.priorities |= uses.priorities;
        self.uses.remote_variables |= uses.remote_variables;
        let body = Body {
            locals: Vec::new(),
            labels: Vec::new(),
            sequence: Sequence { statements: Vec::new(), span: formula.span },
            end: 0,
        };
        Ok(self.add_observer(
            name.to_string(),
            formula.span,
            body,
            graph,
            ObserverKind::Formula(form(formula)),
        ))
    }

    /// Jumps become steps where their labels are asked for.
    fn ask_for_labels(&mut self, expr: &Expr) {
        expr.each(&mut |it| {
            if let ExprKind::RemoteLabel { proctype, label, .. } = it.kind {
                let Proctype { body, span, .. } = &mut self.model.proctypes[proctype.index()];
                body.ask(label);
                self.processes[proctype.index()] = process(body, *span, self.escapes);
            }
        });
    }

    fn add_observer(
        &mut self,
        name: String,
        span: Span,
        body: Body,
        graph: Process,
        kind: ObserverKind,
    ) -> Observer {
        let proctype = self.add_proctype(name.clone(), span, body, graph);
        let observer = Observer { name, proctype, kind };
        self.observers.push(observer.clone());
        observer
    }

    /// Makes the `trace` or `notrace` an automaton.
    pub(super) fn add_trace(&mut self) {
        if let Some(trace) = self.model.traces.first().cloned() {
            let graph = process(&trace.body, trace.span, self.escapes);
            let name = if trace.is_negated { "notrace" } else { "trace" };
            let proctype = self.add_proctype(name.to_string(), trace.span, trace.body, graph);
            self.trace = Some(TraceAutomaton { proctype, is_negated: trace.is_negated });
        }
    }

    /// A proctype that no process ever has.
    fn add_proctype(&mut self, name: String, span: Span, body: Body, graph: Process) -> ProctypeId {
        let proctype = ProctypeId::new(self.model.proctypes.len());
        self.model.proctypes.push(Proctype {
            name,
            span,
            is_init: false,
            is_deterministic: false,
            active: 0,
            priority: 1,
            provided: None,
            parameters: 0,
            exclusive: Vec::new(),
            body,
        });
        self.processes.push(graph);
        proctype
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

/// The formula over numbered atoms; equal expressions are one atom.
fn abstracted(formula: &Formula, atoms: &mut Vec<Expr>) -> Abstract {
    let mut boxed = |it: &Formula| Box::new(abstracted(it, atoms));
    match &formula.kind {
        FormulaKind::Atom(expr) => atom(expr, atoms),
        FormulaKind::Not(f) => Abstract::Not(boxed(f)),
        FormulaKind::And(f, g) => Abstract::And(vec![*boxed(f), *boxed(g)]),
        FormulaKind::Or(f, g) => Abstract::Or(vec![*boxed(f), *boxed(g)]),
        FormulaKind::Implies(f, g) => Abstract::Implies(boxed(f), boxed(g)),
        FormulaKind::Equivalent(f, g) => Abstract::Equivalent(boxed(f), boxed(g)),
        FormulaKind::Always(f) => Abstract::Always(boxed(f)),
        FormulaKind::Eventually(f) => Abstract::Eventually(boxed(f)),
        FormulaKind::Next(f) => Abstract::Next(boxed(f)),
        FormulaKind::Until(f, g) => Abstract::Until(boxed(f), boxed(g)),
        FormulaKind::WeakUntil(f, g) => Abstract::WeakUntil(boxed(f), boxed(g)),
        FormulaKind::Release(f, g) => Abstract::Release(boxed(f), boxed(g)),
    }
}

fn atom(expr: &Expr, atoms: &mut Vec<Expr>) -> Abstract {
    match &expr.kind {
        ExprKind::Constant(0) => Abstract::False,
        ExprKind::Constant(_) => Abstract::True,
        ExprKind::Unary(UnaryOp::Not, inner) => atom(inner, atoms).negated(),
        _ => {
            let known = atoms.iter().position(|it| it == expr);
            let index = known.unwrap_or_else(|| {
                atoms.push(expr.clone());
                atoms.len() - 1
            });
            Abstract::Atom(AtomId::new(index))
        }
    }
}

/// An automaton as a control graph. A state that accepts whatever comes is an
/// end of the claim: there the formula is broken for good.
fn graph_of(buchi: &Buchi, atoms: &[Expr], span: Span) -> Process {
    let accepts_all = |state| {
        buchi.is_accepting(state)
            && buchi.edges(state).iter().any(|it| it.target == state && it.guard == Guard::TRUE)
    };
    let n_states = buchi.n_states() as u32;
    let end = LocationId(n_states);
    let nowhere = LocationId(n_states + 1);
    let mut graph = Process::default();
    graph.locations.resize(n_states as usize + 2, Location { span, ..Location::default() });
    let mut add = |from: LocationId, action: Action, to: LocationId| {
        let id = TransitionId::new(graph.transitions.len());
        graph.transitions.push(Transition {
            action,
            to,
            atomic: None,
            keeps_control: false,
            span,
            number: None,
            is_jump: false,
            is_labelled: false,
            is_asked: false,
            has_escape: false,
            lands_on: None,
        });
        graph.locations[from.index()].out.push(id);
    };
    for state in 0..n_states {
        for edge in buchi.edges(state) {
            let to = if accepts_all(edge.target) { end } else { LocationId(edge.target) };
            add(LocationId(state), guard(edge.guard, atoms, span), to);
        }
    }
    add(end, Action::End, nowhere);
    graph.locations[end.index()].is_end = true;
    for state in 0..n_states {
        graph.locations[state as usize].is_accept = buchi.is_accepting(state) && !accepts_all(state);
    }
    graph
}

fn guard(guard: Guard, atoms: &[Expr], span: Span) -> Action {
    let literal = |(atom, positive): (AtomId, bool)| {
        let expr = atoms[atom.index()].clone();
        match positive {
            true => expr,
            false => Expr { kind: ExprKind::Unary(UnaryOp::Not, Box::new(expr)), span },
        }
    };
    let both = |left: Expr, right: Expr| Expr {
        kind: ExprKind::Binary(BinaryOp::And, Box::new(left), Box::new(right)),
        span,
    };
    match guard.literals().map(literal).reduce(both) {
        Some(expr) => Action::Guard(expr),
        None => Action::Skip,
    }
}

fn form(formula: &Formula) -> Form {
    let FormulaKind::Always(inner) = &formula.kind else { return Form::Other };
    match &inner.kind {
        FormulaKind::Atom(_) => Form::Invariant,
        _ if *formula == progress(formula.span) => Form::Progress,
        _ => Form::Other,
    }
}

/// `[] expr`: what an invariant says.
pub fn invariant(expr: Expr) -> Formula {
    let span = expr.span;
    let atom = Box::new(Formula { kind: FormulaKind::Atom(expr), span });
    Formula { kind: FormulaKind::Always(atom), span }
}

/// `[]<> !np_`: progress is made again and again.
pub fn progress(span: Span) -> Formula {
    let formula = |kind| Formula { kind, span };
    let idle = Expr { kind: ExprKind::NonProgress, span };
    let atom = formula(FormulaKind::Atom(idle));
    let busy = formula(FormulaKind::Not(Box::new(atom)));
    let again = formula(FormulaKind::Eventually(Box::new(busy)));
    formula(FormulaKind::Always(Box::new(again)))
}
