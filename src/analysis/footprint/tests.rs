//! Reads and writes of statements of each kind. `explicit::tests::disturb`
//! compares footprints with the steps of the engine.

use super::{Footprints, Resources};
use crate::analysis::samples::program;
use crate::net::TemplateId;
use crate::net::TransitionId;
use expect_test::{Expect, expect};

#[track_caller]
fn check(text: &str, expected: Expect) {
    let network = program(text).expect("the model is valid");
    let footprints = Footprints::new(&network);
    let mut shown = String::new();
    for (index, process) in network.graphs().enumerate() {
        let template = TemplateId::new(index);
        for (id, transition) in process.transitions.iter().enumerate() {
            let span = transition.span;
            let statement = text[span.start as usize..span.end as usize].split_whitespace();
            let statement: Vec<&str> = statement.collect();
            let it = footprints.of(template, TransitionId::new(id));
            let names = |all: &Resources| {
                all.iter().map(|it| it.name(&network, template)).collect::<Vec<_>>().join(", ")
            };
            let lists = [
                ("if", &it.guard),
                ("reads", &it.reads),
                ("writes", &it.writes),
                ("partner if", &it.partner.guard),
                ("partner writes", &it.partner.writes),
            ];
            shown.push_str(&statement.join(" "));
            if it.may_fail {
                shown.push_str(" (may fail)");
            }
            shown.push('\n');
            for (what, all) in lists.into_iter().filter(|(_, all)| !all.is_empty()) {
                shown.push_str(&format!("    {what} {}\n", names(all)));
            }
            for (channel, operation) in &it.operations {
                let channel = channel.name(&network, template);
                shown.push_str(&format!("    {} on {channel}\n", operation.name()));
            }
        }
    }
    expected.assert_eq(&shown);
}

#[test]
fn elements_and_fields_are_told_apart_where_the_index_is_constant() {
    check(
        "typedef R { byte x; byte y[3] }
         R r[2]; byte a[4]; byte i;
         active proctype P() { byte k; a[2] = a[i]; r[1].y[k] = r[0].x + k / 2 }",
        expect![[r#"
            }
                if processes
                reads processes
                writes processes, channels
            r[1].y[k] = r[0].x + k / 2 (may fail)
                reads r[0].x, k
                writes r[1].y[*]
            a[2] = a[i] (may fail)
                reads a[*], i
                writes a[2]
        "#]],
    );
}

#[test]
fn channels_are_known_by_variables_that_are_never_assigned() {
    check(
        "chan c = [2] of {byte}; chan d[2] = [1] of {byte}; chan e = [1] of {byte};
         active proctype P() { byte x; chan f = [1] of {byte};
           c!x; d[1]??eval(x); d[x]?<x>; e!!1; e = c; f?_; len(c) < 2; nfull(f) && d[0]?[1] }",
        expect![[r#"
            }
                if processes
                reads processes
                writes processes, channels
            nfull(f) && d[0]?[1] (may fail)
                if d[0], f, channel d[0], channel f, channels
                reads d[0], f, channel d[0], channel f, channels
                poll on channel d[0]
                nfull on channel f
            len(c) < 2
                if c, channel c
                reads c, channel c
                len on channel c
            f?_
                if f, channel f, channels
                reads f, channel f, channels
                writes channel f
                receive on channel f
            e = c
                reads c
                writes e
            e!!1 (may fail)
                if e, any channel, channels
                reads e, any channel, channels
                writes any channel
                sorted-send on any channel
            d[x]?<x> (may fail)
                if d[*], x, channel d[*]
                reads d[*], x, channel d[*]
                writes x
                copy on channel d[*]
            d[1]??eval(x)
                if d[1], x, channel d[1]
                reads d[1], x, channel d[1]
                writes channel d[1]
                random-receive on channel d[1]
            c!x
                if c, channel c
                reads c, x, channel c
                writes channel c
                send on channel c
        "#]],
    );
}

#[test]
fn a_rendezvous_is_a_step_of_two() {
    check(
        "chan c = [0] of {byte}; byte g;
         active proctype S() { c!g }
         active proctype R() provided (g < 2) { byte y; if :: c?y :: else fi }",
        expect![[r#"
            }
                if processes
                reads processes
                writes processes, channels
            c!g
                if c, g, channel c
                reads c, g, channel c
                writes channel c
                partner if c, g, channel c, R@, processes
                partner writes R:y, channel c, R@
                send on channel c
            }
                if g, processes
                reads g, processes
                writes processes, channels
            c?y
                if c, g, channel c
                reads c, g, channel c
                writes y, channel c
                partner if c, g, channel c, S@, processes
                partner writes channel c, S@
                receive on channel c
            else
                if c, g, channel c, S@, processes
                reads c, g, channel c, S@, processes
        "#]],
    );
}

#[test]
fn processes_and_their_places() {
    check(
        "byte g, r;
         proctype P(byte n) { byte k = g; l: k++ }
         init { r = run P(1); P[1]@l; P[1]:k == 2; _nr_pr == 1; timeout }",
        expect![[r#"
            }
                if processes
                reads processes
                writes processes, channels
            k++
                reads k
                writes k
            }
                if processes
                reads processes
                writes processes, channels
            timeout
                if everything
                reads everything
            _nr_pr == 1
                if processes
                reads processes
            P[1]:k == 2
                if P:k, processes
                reads P:k, processes
            P[1]@l
                if P@, processes
                reads P@, processes
            r = run P(1) (may fail)
                reads g, processes, channels
                writes r, processes, channels
        "#]],
    );
}

#[test]
fn what_is_tried_first_decides() {
    check(
        "byte a, b, e, f;
         active proctype P() {
           { if :: a > 0 -> skip :: else fi; b = 1 } unless { e > 0; f = 1 };
           d_step { b == 1; a = f; assert(a) }
         }",
        expect![[r#"
            }
                if processes
                reads processes
                writes processes, channels
            assert(a) (may fail)
                reads a
            a = f
                reads f
                writes a
            b == 1
                if b
                reads b
            d_step { b == 1; a = f; assert(a) } (may fail)
                if b
                reads a, b, f
                writes a
            f = 1
                writes f
            e > 0
                if e
                reads e
            b = 1
                if e
                reads e
                writes b
            skip
                if e
                reads e
            a > 0
                if a, e
                reads a, e
            else
                if a, e
                reads a, e
        "#]],
    );
}
