//! Networks in which no process is started or ends.

use super::accesses::{AccessKind, Scope};
use crate::net::{Action, Network, TemplateId, Variable};

/// Returns whether the initial processes and their channels exist for ever, and
/// no others are created. False if their initial values could depend on the
/// order in which they are created.
pub fn is_steady(network: &Network) -> bool {
    let scope = |index: usize| Scope::any(network, TemplateId::new(index));
    let there = || network.templates.iter().enumerate().filter(|(_, it)| it.active > 0);
    let ends = || {
        there().any(|(_, template)| {
            let mut out = template.graph.locations.iter().flat_map(|it| &it.out);
            out.any(|id| template.graph.transition(*id).action == Action::End)
        })
    };
    let starts = || {
        let mut found = false;
        for (index, graph) in network.graphs().enumerate() {
            for transition in &graph.transitions {
                scope(index).action(&transition.action, &mut |access| {
                    found |= matches!(access.kind, AccessKind::Start(_));
                });
            }
        }
        found
    };
    // The fields of a record belong to variables of any template.
    let fields = network.records.iter().flat_map(|it| &it.fields);
    let any = Scope::any(network, TemplateId::new(0));
    network.globals.iter().chain(fields).all(|it| is_plain(it, any))
        && there().all(|(index, it)| it.locals.iter().all(|it| is_plain(it, scope(index))))
        && !starts()
        && !ends()
}

/// Returns whether its initial value depends on nothing but variables.
fn is_plain(variable: &Variable, scope: Scope) -> bool {
    let mut is_plain = true;
    scope.initial(variable, &mut |access| {
        is_plain &= matches!(access.kind, AccessKind::Read(_) | AccessKind::Failure);
    });
    is_plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::samples::program;

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
            assert_eq!(is_steady(&program(text).expect("the model is valid")), expected, "{text}");
        }
    }
}
