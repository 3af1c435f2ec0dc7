//! Dependences between statements of small models. The test program `library`
//! compares dependences with the steps of the engine.

use super::*;
use crate::analysis::samples::program;
use expect_test::{Expect, expect};

/// Returns the initial processes and, with the next numbers, one process of
/// every other template.
fn processes(network: &Network) -> Vec<Vec<TemplateId>> {
    let template =
        |(index, it): (usize, &crate::net::Template)| vec![TemplateId::new(index); it.active as usize];
    let active = network.templates.iter().enumerate().flat_map(template);
    let passive = (0..).zip(&network.templates).filter(|(_, it)| it.active == 0);
    active.chain(passive.map(|(index, _)| TemplateId(index))).map(|it| vec![it]).collect()
}

fn name(text: &str, network: &Network, transition: SystemTransition) -> String {
    let of = |edge: Edge| {
        let span = network.template(edge.template).graph.transition(edge.transition).span;
        let statement = text[span.start as usize..span.end as usize].split_whitespace();
        format!("{} {}", edge.process, statement.collect::<Vec<_>>().join(" "))
    };
    transition.edges().map(of).collect::<Vec<_>>().join(" + ")
}

fn ids(dependence: &Dependence) -> impl Iterator<Item = SystemTransitionId> + use<> {
    (0..dependence.n_transitions()).map(SystemTransitionId::new)
}

/// Prints the pairs of transitions of different processes that do not accord,
/// without ends of processes.
#[track_caller]
fn check_conflicts(text: &str, expected: Expect) {
    let network = program(text).expect("the model is valid");
    let dependence = Dependence::new(&network, &processes(&network), false);
    let mut shown = String::new();
    for one in ids(&dependence) {
        for other in ids(&dependence).filter(|it| *it > one) {
            let (a, b) = (dependence.transition(one), dependence.transition(other));
            let shares = a.edges().any(|a| b.edges().any(|b| a.process == b.process));
            let names = [a, b].map(|it| name(text, &network, it));
            let has_end = names.iter().any(|it| it.split(' ').nth(1) == Some("}"));
            if !shares && !has_end && !dependence.accords(one, other) {
                assert!(!dependence.accords(other, one), "{names:?} in both orders");
                shown.push_str(&format!("{} / {}\n", names[0], names[1]));
            }
        }
    }
    expected.assert_eq(&shown);
}

/// Prints the enablers of the conjuncts of the transitions of process 0.
#[track_caller]
fn check_enablers(text: &str, expected: Expect) {
    let network = program(text).expect("the model is valid");
    let dependence = Dependence::new(&network, &processes(&network), false);
    let mut shown = String::new();
    for id in ids(&dependence) {
        let transition = dependence.transition(id);
        if transition.edges().all(|it| it.process != 0) {
            continue;
        }
        shown.push_str(&format!("{}\n", name(text, &network, transition)));
        for conjunct in dependence.conjuncts(id) {
            let kind = match conjunct {
                Conjunct::At { process, .. } => format!("at {process}"),
                Conjunct::Test(side) => {
                    format!("({})", &text[side.expr.span.start as usize..side.expr.span.end as usize])
                }
                Conjunct::Equal { .. } => "equal".to_string(),
                Conjunct::Buffer(_, test) => {
                    format!("{test:?}").split('(').next().unwrap_or_default().to_lowercase()
                }
                Conjunct::Youngest(_) => "youngest".to_string(),
                Conjunct::Timeout => "timeout".to_string(),
                Conjunct::AnyOf(all) => format!("any of {}", all.len()),
                Conjunct::NoneOf(all) => format!("none of {}", all.len()),
                Conjunct::DependsOn(_) => "depends".to_string(),
            };
            let names =
                dependence.enablers(conjunct).map(|it| name(text, &network, dependence.transition(it)));
            shown.push_str(&format!("    {kind}: {}\n", names.collect::<Vec<_>>().join("; ")));
        }
    }
    expected.assert_eq(&shown);
}

#[test]
fn assignments() {
    check_conflicts(
        "byte x, y, a[2]; bit i;
         active proctype P() { x = 1; a[_pid] = 2; y++ }
         active proctype Q() { x = 1; x = 2; a[1 - _pid] = 3; a[_pid] = x; y = y - 2; a[i] = 1 }",
        expect![[r#"
            0 a[_pid] = 2 / 1 a[i] = 1
            0 a[_pid] = 2 / 1 a[1 - _pid] = 3
            0 x = 1 / 1 a[_pid] = x
            0 x = 1 / 1 x = 2
        "#]],
    );
}

#[test]
fn guards() {
    check_conflicts(
        "byte x, y; active proctype P() { x == 1 && y < 2; x > 5; x == 1 || y }
         active proctype Q() { x = 1; x = 2; y = 1; x == 2 -> y = 0; y++ }",
        expect![[r#"
            0 x == 1 || y / 1 y++
            0 x == 1 || y / 1 y = 0
            0 x == 1 || y / 1 y = 1
            0 x == 1 || y / 1 x = 2
            0 x > 5 / 1 x = 2
            0 x > 5 / 1 x = 1
            0 x == 1 && y < 2 / 1 y++
            0 x == 1 && y < 2 / 1 x = 2
        "#]],
    );
}

#[test]
fn channels() {
    check_conflicts(
        "chan q = [2] of { byte }; byte k, x; active proctype P() { q!1; q?x; q?<x>; q!!2; q??2; len(q) == 1 }
         active proctype Q() { byte v; q!2; q?v; q?eval(k); empty(q); full(q); nempty(q); nfull(q); k = 1 }",
        expect![[r#"
            0 len(q) == 1 / 1 q?eval(k)
            0 len(q) == 1 / 1 q?v
            0 len(q) == 1 / 1 q!2
            0 q??2 / 1 nfull(q)
            0 q??2 / 1 nempty(q)
            0 q??2 / 1 full(q)
            0 q??2 / 1 q?eval(k)
            0 q??2 / 1 q?v
            0 q??2 / 1 q!2
            0 q!!2 / 1 nfull(q)
            0 q!!2 / 1 nempty(q)
            0 q!!2 / 1 empty(q)
            0 q!!2 / 1 q?eval(k)
            0 q!!2 / 1 q?v
            0 q!!2 / 1 q!2
            0 q?<x> / 1 q?eval(k)
            0 q?<x> / 1 q?v
            0 q?x / 1 nempty(q)
            0 q?x / 1 full(q)
            0 q?x / 1 q?eval(k)
            0 q?x / 1 q?v
            0 q!1 / 1 nfull(q)
            0 q!1 / 1 empty(q)
            0 q!1 / 1 q!2
        "#]],
    );
}

#[test]
fn a_rendezvous_is_a_step_of_both() {
    check_conflicts(
        "chan c = [0] of { byte, byte }; byte g;
         active proctype S() { c!1,g; c!2,0 }
         active proctype R() { byte v; c?1,v; c?v,3; if :: c?2,v :: else fi }
         active proctype T() { g = 1 }",
        expect![[r#"
            2 g = 1 / 0 c!1,g + 1 c?v,3
            2 g = 1 / 0 c!1,g + 1 c?1,v
        "#]],
    );
}

#[test]
fn what_waits_for_others() {
    check_conflicts(
        "byte x, y; chan q = [1] of { byte }; active proctype P() { if :: x == 1 :: q?_ :: else fi; timeout; x > 0 }
         active proctype Q() provided (y == 0) { x = 1; x = 2; q!1; timeout }
         active proctype R() { { x = 3 } unless { y == 1 }; y = 0; y = 2 }",
        expect![[r#"
            0 timeout / 1 timeout
            0 x == 1 / 1 x = 2
            0 x == 1 / 2 x = 3
            0 else / 1 q!1
            0 else / 1 x = 1
            1 q!1 / 2 y = 2
            1 x = 2 / 2 y = 2
            1 x = 2 / 2 x = 3
            1 x = 1 / 2 y = 2
            1 x = 1 / 2 x = 3
        "#]],
    );
}

#[test]
fn sequences() {
    check_conflicts(
        "byte x, y, z; chan q = [2] of { byte };
         active proctype P() { atomic { x = 1; y == 2; q!1 }; d_step { x == 0; x = y }; x = 3 }
         active proctype Q() { y = 2; z = 1; q?_; x == 1 }",
        expect![[r#"
            0 x = 3 / 1 x == 1
            0 d_step { x == 0; x = y } / 1 y = 2
            0 y == 2 / 1 q?_
            0 x = 1 / 1 q?_
            0 x = 1 / 1 y = 2
        "#]],
    );
}

#[test]
fn processes_come_and_go() {
    check_conflicts(
        "byte g, h, r; proctype C(byte p) { byte l = g; m: l++; l = 2 }
         active proctype P() { run C(h); C[2]@m; C[2]:l == 1; _nr_pr == 2 }
         active proctype Q() { g = 1; h = 1; r = run C(1) }",
        expect![[r#"
            0 _nr_pr == 2 / 1 r = run C(1)
            0 C[2]:l == 1 / 1 r = run C(1)
            0 C[2]:l == 1 / 2 l = 2
            0 C[2]:l == 1 / 2 l++
            0 C[2]@m / 2 l++
            0 run C(h) / 1 r = run C(1)
            0 run C(h) / 1 h = 1
            0 run C(h) / 1 g = 1
        "#]],
    );
}

#[test]
fn enablers() {
    check_enablers(
        "byte x, y; chan q = [2] of { byte }; chan c = [0] of { byte };
         active proctype P() { byte v; x == 1 && y > 0; q?2; q!1; c?eval(x); do :: y == 2 -> break :: else od }
         active proctype Q() { x = 1; x = 2; y = 0; q!2; q!3; q?_; c!5; y++ }",
        expect![[r#"
            0 }
                at 0: 0 y == 2
                youngest: 1 }
            0 y == 2
                at 0: 0 else; 0 c?eval(x); 1 c!5 + 0 c?eval(x)
                (y == 2): 1 y++
            0 else
                at 0: 0 else; 0 c?eval(x); 1 c!5 + 0 c?eval(x)
                none of 1: 1 y++; 1 y = 0
            0 c?eval(x)
                at 0: 0 q!1
                any of 0: 
            0 q!1
                at 0: 0 q?2
                notfull: 0 q?2; 1 q?_
            0 q?2
                at 0: 0 x == 1 && y > 0
                contains: 1 q!2
                firstmatches: 0 q?2; 1 q?_
            0 x == 1 && y > 0
                at 0: 
                (x == 1): 1 x = 1
                (y > 0): 1 y++
            1 c!5 + 0 c?eval(x)
                at 1: 1 q?_
                at 0: 0 q!1
                equal: 
        "#]],
    );
}

#[test]
fn messages_that_may_be_lost_depend_on_the_room() {
    let network =
        program("chan q = [1] of { byte }; active proctype P() { q!1 } active proctype Q() { q?_ }");
    let network = network.expect("the model is valid");
    for loses_messages in [false, true] {
        let dependence = Dependence::new(&network, &processes(&network), loses_messages);
        let find = |process: usize| {
            let is_message = |id: &SystemTransitionId| {
                let edge = dependence.transition(*id).first;
                let action = &network.template(edge.template).graph.transition(edge.transition).action;
                edge.process == process
                    && matches!(action, crate::net::Action::Send(_) | crate::net::Action::Receive(_))
            };
            ids(&dependence).find(is_message).expect("there is a message")
        };
        assert_eq!(dependence.accords(find(0), find(1)), !loses_messages);
        assert_eq!(dependence.conjuncts(find(0)).len(), if loses_messages { 1 } else { 2 });
    }
}
