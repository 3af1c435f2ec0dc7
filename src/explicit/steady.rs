//! Systems in which no process begins or ends.

use crate::net::{Action, Network};
use crate::net::{Expr, ExprKind, Initial, Template, Variable};

/// Are the processes of the start, and their channels, there for ever, and no
/// others? No if something could notice that they come one after the other.
pub fn is_steady(network: &Network) -> bool {
    let there = || network.templates.iter().filter(|it| it.active > 0);
    let ends = || {
        there().any(|template| {
            let mut out = template.graph.locations.iter().flat_map(|it| &it.out);
            out.any(|id| template.graph.transition(*id).action == Action::End)
        })
    };
    let starts = || {
        let actions = network.graphs().flat_map(|it| &it.transitions).map(|it| &it.action);
        actions.into_iter().any(|action| match action {
            Action::Guard(expr) | Action::Assign(_, expr) => {
                any(expr, |it| matches!(it, ExprKind::Run { .. }))
            }
            _ => false,
        })
    };
    let begins_plainly = |it: &Template| it.locals.iter().all(is_plain);
    let fields = network.records.iter().flat_map(|it| &it.fields);
    network.globals.iter().chain(fields).all(is_plain) && there().all(begins_plainly) && !starts() && !ends()
}

/// Does it begin with a value that depends on nothing but variables?
fn is_plain(variable: &Variable) -> bool {
    let Initial::Value(expr) = &variable.initial else { return true };
    !any(expr, |it| {
        !matches!(
            it,
            ExprKind::Constant(_)
                | ExprKind::Read(_)
                | ExprKind::Pid
                | ExprKind::Unary(..)
                | ExprKind::Binary(..)
                | ExprKind::Conditional { .. }
        )
    })
}

fn any(expr: &Expr, mut is: impl FnMut(&ExprKind) -> bool) -> bool {
    let mut found = false;
    expr.each(&mut |it| found |= is(&it.kind));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explicit::samples::program;

    #[test]
    fn what_begins_or_ends_is_not_steady() {
        let cases = [
            ("byte x = 2; active [2] proctype A() { byte i = _pid + x; do :: i++ od }", true),
            (
                "chan c = [1] of { byte }; active proctype A() { chan d = [1] of { byte }; do :: c!1 od }",
                true,
            ),
            ("proctype B() { skip } active proctype A() { end: goto end }", true),
            ("byte x; active proctype A() { do :: x++ :: x > 3 -> break od }", false),
            ("byte x; proctype B() { do :: x++ od } active proctype A() { do :: run B() od }", false),
            ("byte x = _nr_pr; active proctype A() { do :: x++ od }", false),
            ("typedef T { byte n = _nr_pr }; T t; active proctype A() { do :: t.n++ od }", false),
            ("chan c = [1] of { byte }; active proctype A() { byte n = len(c); do :: n++ od }", false),
        ];
        for (text, expected) in cases {
            assert_eq!(is_steady(&program(text).expect("the model is right")), expected, "{text}");
        }
    }
}
