//! Observers of formulas: the Büchi automaton of the negation, as a control
//! graph that moves before every step of the system.

use super::data::TemplateId;
use super::expr::{BinaryOp, Expr, ExprKind, UnaryOp};
use super::formula::{Formula, FormulaKind};
use super::network::{
    Action, Form, Graph, Location, LocationId, Network, Observer, ObserverKind, Template, Transition,
    TransitionId,
};
use crate::automata::buchi::{Buchi, Guard, NoAutomaton};
use crate::automata::ltl::{AtomId, Formula as Abstract};
use crate::diag::Span;

impl Network {
    /// Adds an observer that accepts the runs on which the formula does not
    /// hold.
    pub fn add_formula(&mut self, name: &str, formula: &Formula) -> Result<Observer, NoAutomaton> {
        let mut atoms = Vec::new();
        let broken = abstracted(formula, &mut atoms).negated();
        let graph = graph_of(&Buchi::of(&broken)?, &atoms, formula.span);
        let template = Template::passive(name.to_string(), formula.span, graph);
        Ok(self.add_observer(template, ObserverKind::Formula(form(formula))))
    }

    /// Adds an observer with the given code.
    pub fn add_observer(&mut self, code: Template, kind: ObserverKind) -> Observer {
        let name = code.name.clone();
        let template = TemplateId::new(self.templates.len());
        self.templates.push(code);
        let observer = Observer { name, template, kind };
        self.observers.push(observer.clone());
        observer
    }

    /// Returns whether a template is the code of an observer.
    pub fn is_observer(&self, template: TemplateId) -> bool {
        self.observers.iter().any(|it| it.template == template)
    }
}

/// Returns the formula over numbered atoms; equal expressions are one atom.
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

/// Returns an automaton as a control graph. A state that accepts every
/// continuation is an end of the claim: there the formula is violated for every
/// continuation.
fn graph_of(buchi: &Buchi, atoms: &[Expr], span: Span) -> Graph {
    let accepts_all = |state| {
        buchi.is_accepting(state)
            && buchi.edges(state).iter().any(|it| it.target == state && it.guard == Guard::TRUE)
    };
    let n_states = buchi.n_states() as u32;
    let end = LocationId(n_states);
    let nowhere = LocationId(n_states + 1);
    let mut graph = Graph::default();
    graph.locations.resize(n_states as usize + 2, Location { span, ..Location::default() });
    let mut add = |from: LocationId, action: Action, to: LocationId| {
        let id = TransitionId::new(graph.transitions.len());
        graph.transitions.push(Transition { action, to, atomic: None, keeps_control: false, span });
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

/// Returns the formula of an invariant, `[] expr`.
pub fn invariant(expr: Expr) -> Formula {
    let span = expr.span;
    let atom = Box::new(Formula { kind: FormulaKind::Atom(expr), span });
    Formula { kind: FormulaKind::Always(atom), span }
}

/// Returns the formula for progress, `[]<> !np_`.
pub fn progress(span: Span) -> Formula {
    let formula = |kind| Formula { kind, span };
    let idle = Expr { kind: ExprKind::NonProgress, span };
    let atom = formula(FormulaKind::Atom(idle));
    let busy = formula(FormulaKind::Not(Box::new(atom)));
    let again = formula(FormulaKind::Eventually(Box::new(busy)));
    formula(FormulaKind::Always(Box::new(again)))
}
