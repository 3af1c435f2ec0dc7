//! Claims, traces and their rules.

use super::{check, check_tree};
use expect_test::expect;

#[test]
fn claims() {
    check_tree(
        r#"byte x;
never { T0: do :: x > 1 -> break :: else od; accept: skip }
never second { np_ }
init { skip }"#,
        expect![[r#"
    byte x
    init active 1 parameters 0
      skip
    never never_0
      T0: do
      ::
        (x > 1)
        break
      :: else
      accept: skip
    never second
      np_
"#]],
    );
}

#[test]
fn claims_only_observe() {
    check(
        r#"byte x; chan q = [1] of {byte};
proctype P() { skip }
never { byte y; x = 1; q!1; q?x; run P() }
init { skip }"#,
        expect![[r#"
    error[promela-claim]: a claim cannot declare variables such as `y`
     --> model.pml:3:14
      |
    3 | never { byte y; x = 1; q!1; q?x; run P() }
      |              ^
    warning[promela-claim]: a claim should not change the state
     --> model.pml:3:17
      |
    3 | never { byte y; x = 1; q!1; q?x; run P() }
      |                 ^^^^^
    error[promela-claim]: a claim cannot send or receive
     --> model.pml:3:24
      |
    3 | never { byte y; x = 1; q!1; q?x; run P() }
      |                        ^^^
    error[promela-claim]: a claim cannot send or receive
     --> model.pml:3:29
      |
    3 | never { byte y; x = 1; q!1; q?x; run P() }
      |                             ^^^
    warning[promela-claim]: a claim should not start a process
     --> model.pml:3:34
      |
    3 | never { byte y; x = 1; q!1; q?x; run P() }
      |                                  ^^^^^^^"#]],
    );
    check(
        r#"never a { skip }
never a { skip }
init { skip }"#,
        expect![[r#"
    error[promela-redeclared]: claim `a` is declared twice
     --> model.pml:2:7
      |
    1 | never a { skip }
      |       - first declared here
    2 | never a { skip }
      |       ^"#]],
    );
}

#[test]
fn traces() {
    check_tree(
        r#"mtype = {m}
chan q = [1] of {mtype, byte};
trace { do :: q!m,_; q?m,_ od }
init { skip }"#,
        expect![[r#"
    mtype m
    chan q = [1] of {mtype, byte}
    init active 1 parameters 0
      skip
    trace
      do
      ::
        q!1,_
        q?=1,_
"#]],
    );
    check_tree(
        r#"chan q = [1] of {byte};
notrace { if :: q!1 :: q?2 -> goto L fi; L: q!3 }
init { skip }"#,
        expect![[r#"
    chan q = [1] of {byte}
    init active 1 parameters 0
      skip
    notrace
      if
      ::
        q!1
      ::
        q?=2
        goto L
      L: q!3
"#]],
    );
}

#[test]
fn traces_list_events() {
    check(
        r#"byte x; chan q = [1] of {byte};
trace { x = 1; q!1; x > 1 }
notrace { q?1 }
init { skip }"#,
        expect![[r#"
    error[promela-trace]: a trace can only contain sends and receives
     --> model.pml:2:9
      |
    2 | trace { x = 1; q!1; x > 1 }
      |         ^^^^^
    error[promela-trace]: a trace can only contain sends and receives
     --> model.pml:2:21
      |
    2 | trace { x = 1; q!1; x > 1 }
      |                     ^^^^^
    error[promela-redeclared]: the trace is declared twice
     --> model.pml:3:1
      |
    2 | trace { x = 1; q!1; x > 1 }
      | ----- first declared here
    3 | notrace { q?1 }
      | ^^^^^^^"#]],
    );
}
