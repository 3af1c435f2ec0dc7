//! Small texts that SPIN rejects or warns about, and similar ones that it
//! accepts; all were tried with `spin -a`.

use super::{Diagnostic, read};
use expect_test::{Expect, expect};

/// Lists the diagnostics of each statement in a proctype, in short form.
#[track_caller]
fn check_each(before: &str, after: &str, texts: &[&str], expected: Expect) {
    let mut said = String::new();
    for text in texts {
        let (parsed, sources) = read(&format!("{before}{text}{after}"), &[]);
        let brief = |it: &Diagnostic| {
            let word = if it.is_error() { "error" } else { "warning" };
            let column = it.span.map_or(0, |span| sources.position(span).column);
            let column = column.saturating_sub(before.len());
            format!("\n  {word} at {column}: {}", it.message)
        };
        let found: String = parsed.diagnostics.iter().map(brief).collect();
        let found = if found.is_empty() { "\n  accepted".to_string() } else { found };
        said.push_str(&format!("{text}{found}\n"));
    }
    expected.assert_eq(&said);
}

const IN_PROCTYPE: &str = "byte x, y; mtype = {ma}; chan c = [2] of {byte}; chan d = [1] of {chan}; \
                           chan ca[2] = [1] of {byte}; typedef R { byte f; chan h }; R r; inline f() { x == 1 } init { ";

#[test]
fn channels_are_not_numbers() {
    check_each(
        IN_PROCTYPE,
        " }",
        &[
            "x = c + 1",
            "c = c + 1",
            "x = -c",
            "x = (c == d)",
            "x = ca[0] + 1",
            "c = (x -> c : d)",
            "x = len(c) + c",
            "c++",
            "ca[0]--",
            // SPIN accepts these.
            "x = c",
            "c == d",
            "c + 1 == 2",
            "d!c",
            "x = r.h + 1",
            "x = len(c) + 1",
        ],
        expect![[r#"
            x = c + 1
              error at 5: a channel cannot be used in arithmetic
            c = c + 1
              error at 5: a channel cannot be used in arithmetic
            x = -c
              error at 6: a channel cannot be used in arithmetic
            x = (c == d)
              error at 6: a channel cannot be used in arithmetic
              error at 11: a channel cannot be used in arithmetic
            x = ca[0] + 1
              error at 5: a channel cannot be used in arithmetic
            c = (x -> c : d)
              error at 11: a channel cannot be used in arithmetic
              error at 15: a channel cannot be used in arithmetic
            x = len(c) + c
              error at 14: a channel cannot be used in arithmetic
            c++
              error at 1: a channel cannot be used in arithmetic
            ca[0]--
              error at 1: a channel cannot be used in arithmetic
            x = c
              accepted
            c == d
              accepted
            c + 1 == 2
              accepted
            d!c
              accepted
            x = r.h + 1
              accepted
            x = len(c) + 1
              accepted
        "#]],
    );
}

#[test]
fn predefined_names_of_proctypes() {
    check_each(
        "active proctype ",
        "() { skip }",
        &["_pid", "_nr_pr", "_last", "_priority", "_", "np_", "len", "timeout", "P", "_ltl", "STDIN"],
        expect![[r#"
            _pid
              error at 1: `_pid` is predefined
            _nr_pr
              error at 1: `_nr_pr` is predefined
            _last
              error at 1: `_last` is predefined
            _priority
              error at 1: `_priority` is predefined
            _
              error at 1: `_` is predefined
            np_
              error at 1: `np_` is a keyword
            len
              error at 1: `len` is a keyword
            timeout
              error at 1: `timeout` is a keyword
            P
              accepted
            _ltl
              accepted
            STDIN
              accepted
        "#]],
    );
}

#[test]
fn labels_beside_unless() {
    check_each(
        IN_PROCTYPE,
        " }",
        &[
            "L: x = 1 unless x == 2",
            "L: if :: x = 1 fi unless { x == 2 }",
            "L: d_step { x = 1 } unless { x == 2 }",
            "L: M: { x = 1 } unless { x == 2 }",
            "L: select (x : 1 .. 2) unless { x == 2 }",
            "{ x = 1 } unless L: x == 2",
            "{ x = 1 } unless L: { x == 2 }",
            // SPIN accepts these.
            "L: { x = 1 } unless { x == 2 }",
            "L: atomic { x = 1 } unless { x == 2 }",
            "L: do :: x = 1 od unless { x == 2 }",
            "L: for (x : 1 .. 2) { skip } unless { x == 2 }",
            "L: f() unless { x == 2 }",
            "{ x = 1 } unless { x == 2; L: x = 3 }",
            "d_step { x = 1; { x = 2 } unless { y == 1 } }",
        ],
        expect![[r#"
            L: x = 1 unless x == 2
              error at 1: label `L` is not allowed directly before a statement with `unless`
            L: if :: x = 1 fi unless { x == 2 }
              error at 1: label `L` is not allowed directly before a statement with `unless`
            L: d_step { x = 1 } unless { x == 2 }
              error at 1: label `L` is not allowed directly before a statement with `unless`
            L: M: { x = 1 } unless { x == 2 }
              error at 1: label `L` is not allowed directly before a statement with `unless`
            L: select (x : 1 .. 2) unless { x == 2 }
              error at 1: label `L` is not allowed directly before a statement with `unless`
            { x = 1 } unless L: x == 2
              error at 18: label `L` is at the start of an escape, which cannot be a jump target
            { x = 1 } unless L: { x == 2 }
              error at 18: label `L` is at the start of an escape, which cannot be a jump target
            L: { x = 1 } unless { x == 2 }
              accepted
            L: atomic { x = 1 } unless { x == 2 }
              accepted
            L: do :: x = 1 od unless { x == 2 }
              accepted
            L: for (x : 1 .. 2) { skip } unless { x == 2 }
              accepted
            L: f() unless { x == 2 }
              accepted
            { x = 1 } unless { x == 2; L: x = 3 }
              accepted
            d_step { x = 1; { x = 2 } unless { y == 1 } }
              warning at 17: `unless` inside a `d_step` is ignored, as in SPIN
        "#]],
    );
}

#[test]
fn labels_in_options_and_blocks() {
    check_each(
        IN_PROCTYPE,
        " }",
        &[
            "do :: accept: x = 1 od",
            "if :: x == 1 :: L: { x = 2 } unless { y == 1 } fi",
            "do :: L: x == 3 -> goto L od",
            "if :: { L: x = 1 } fi",
            // SPIN accepts these.
            "do :: x == 1; accept: x = 2 od",
            "if :: byte i; L: x = 1 fi",
            "{ byte i = 3; L: x = i }",
            "atomic { byte i; L: x = i }",
        ],
        expect![[r#"
            do :: accept: x = 1 od
              warning at 7: label `accept` is at the first statement of an option, which has no separate control state
            if :: x == 1 :: L: { x = 2 } unless { y == 1 } fi
              warning at 17: label `L` is at the first statement of an option, which has no separate control state
            do :: L: x == 3 -> goto L od
              warning at 7: label `L` is at the first statement of an option, which has no separate control state
            if :: { L: x = 1 } fi
              error at 9: label `L` is at the first statement of a block
            do :: x == 1; accept: x = 2 od
              accepted
            if :: byte i; L: x = 1 fi
              accepted
            { byte i = 3; L: x = i }
              accepted
            atomic { byte i; L: x = i }
              accepted
        "#]],
    );
}

#[test]
fn else_in_blocks() {
    check_each(
        IN_PROCTYPE,
        " }",
        &[
            "if :: { else -> x = 2 } :: x == 1 fi",
            "if :: d_step { else -> x = 2 } :: x == 1 fi",
            "if :: x == 1 :: { else -> x = 2 } :: else fi",
            "if :: x == 1 :: { byte i; else } fi",
            "x = 1; else",
            // SPIN accepts these.
            "if :: x == 1 :: atomic { { else -> x = 2 } } fi",
            "if :: x == 1 :: d_step { else -> x = 2 } :: d_step { else } fi",
            "if :: x == 1 :: { else } unless { y == 1 } fi",
        ],
        expect![[r#"
            if :: { else -> x = 2 } :: x == 1 fi
              warning at 9: `else` inside a block ignores the options that follow it
            if :: d_step { else -> x = 2 } :: x == 1 fi
              warning at 16: `else` inside a block ignores the options that follow it
            if :: x == 1 :: { else -> x = 2 } :: else fi
              error at 38: there is more than one `else`
              warning at 19: `else` inside a block ignores the options that follow it
            if :: x == 1 :: { byte i; else } fi
              warning at 27: `else` is always executable here: it is not the guard of an option
            x = 1; else
              warning at 8: `else` is always executable here: it is not the guard of an option
            if :: x == 1 :: atomic { { else -> x = 2 } } fi
              accepted
            if :: x == 1 :: d_step { else -> x = 2 } :: d_step { else } fi
              warning at 26: `else` inside a block ignores the options that follow it
            if :: x == 1 :: { else } unless { y == 1 } fi
              accepted
        "#]],
    );
}

#[test]
fn small_things() {
    check_each(
        IN_PROCTYPE,
        " }",
        &[
            "x = (y ; 1 : 2)",
            "unsigned u; u = 1",
            "printm(1)",
            "printm(x + 1)",
            "xr ca[0]; skip",
            "skip; R q = 3",
            "skip; byte n[2] = {1, 2}",
            // SPIN accepts these, or ignores their errors.
            "R q = 3; R t[2] = {1, 2}; skip",
            "skip; byte n[2] = {1}",
            "unsigned u : 3; printm(x); printm(ma)",
            "c?_pid",
            "c?[_pid]",
            "len(x) == 0",
        ],
        expect![[r#"
            x = (y ; 1 : 2)
              error at 8: expected `)`, found `;`
              error at 12: expected `;` between statements, found `:`
            unsigned u; u = 1
              error at 10: the `unsigned` variable `u` needs a width
            printm(1)
              error at 8: `printm` takes a name or a variable
            printm(x + 1)
              error at 8: `printm` takes a name or a variable
            xr ca[0]; skip
              warning at 7: `xr` and `xs` take channel variables, not array elements
            skip; R q = 3
              error at 9: `q` is a record and cannot be initialised with a value
            skip; byte n[2] = {1, 2}
              error at 12: `n` cannot be initialised with a list of several values after the first statement
            R q = 3; R t[2] = {1, 2}; skip
              warning at 3: the initial value of the record `q` is ignored
              warning at 12: the initial value of the record `t` is ignored
            skip; byte n[2] = {1}
              accepted
            unsigned u : 3; printm(x); printm(ma)
              accepted
            c?_pid
              warning at 3: this receive assigns to `_pid` instead of comparing with it
            c?[_pid]
              warning at 4: this receive assigns to `_pid` instead of comparing with it
            len(x) == 0
              warning at 5: `x` is not a channel
        "#]],
    );
    check_each(
        "byte x; chan c = [1] of {byte}; ",
        " init { c!1 }",
        &["typedef T { hidden byte z }", "hidden chan z = [1] of {byte};", "hidden byte z;"],
        expect![[r#"
            typedef T { hidden byte z }
              error at 25: only global variables can be `hidden`, not the field `z`
            hidden chan z = [1] of {byte};
              error at 13: `z` is a channel and cannot be `hidden`
            hidden byte z;
              accepted
        "#]],
    );
    check_each(
        "byte x; chan c = [1] of {byte}; trace { ",
        " } init { c!1 }",
        &["skip", "c!1; skip", "{ c!1 }", "c??1", "c!!1", "c?<1>", "do :: c!1 :: c?1 od"],
        expect![[r#"
            skip
              error at 1: a trace can only contain sends and receives
            c!1; skip
              error at 6: a trace can only contain sends and receives
            { c!1 }
              error at 1: a trace can only contain sends and receives
            c??1
              error at 1: a trace can only use `!` and `?`
            c!!1
              error at 1: a trace can only use `!` and `?`
            c?<1>
              error at 1: a trace can only use `!` and `?`
            do :: c!1 :: c?1 od
              accepted
        "#]],
    );
}
