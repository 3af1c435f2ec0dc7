//! Channels.

use super::{check, check_tree};
use expect_test::expect;

#[test]
fn sends_and_receives() {
    check_tree(
        r#"mtype = {msg, ack}
chan q = [2] of {mtype, byte, byte};
init { byte x; q!msg(1, x + 1); q!!ack,2,3; q?msg(x, _); q??ack,eval(x + 1),-1; q?<msg,x,x>; q??<ack(x,x)>; q?[msg,x,1] && q??[ack(_, _)]; q?(x,x,x) }"#,
        expect![[r#"
    mtype ack < msg
    chan q = [2] of {mtype, byte, byte}
    init active 1 parameters 0
      byte x
      q!2,1,(x#0 + 1)
      q!!1,2,3
      q?=2,x#0,_
      q??=1,=(x#0 + 1),=-1
      q?<=2,x#0,x#0>
      q??<=1,x#0,x#0>
      (q?[=2,x#0,=1] && q??[=1,_,_])
      q?x#0,x#0,x#0
"#]],
    );
}

#[test]
fn message_fields_are_counted() {
    check(
        r#"chan q = [1] of {byte, byte};
init { byte x; q!1; q?x; q?[x] }"#,
        expect![[r#"
    warning[promela-message]: messages of this channel have 2 fields, but 1 is sent
     --> model.pml:2:16
      |
    1 | chan q = [1] of {byte, byte};
      |          ------------------- the channel
    2 | init { byte x; q!1; q?x; q?[x] }
      |                ^
    warning[promela-message]: messages of this channel have 2 fields, but 1 is received
     --> model.pml:2:21
      |
    1 | chan q = [1] of {byte, byte};
      |          ------------------- the channel
    2 | init { byte x; q!1; q?x; q?[x] }
      |                     ^
    warning[promela-message]: messages of this channel have 2 fields, but 1 is received
     --> model.pml:2:26
      |
    1 | chan q = [1] of {byte, byte};
      |          ------------------- the channel
    2 | init { byte x; q!1; q?x; q?[x] }
      |                          ^"#]],
    );
    check(
        r#"chan q = [1] of {byte, byte};
init { byte x; q!1,2,3; q?x,x,x; q?[x,x,x] }"#,
        expect![[r#"
            warning[promela-message]: messages of this channel have 2 fields, but 3 are received
             --> model.pml:2:25
              |
            1 | chan q = [1] of {byte, byte};
              |          ------------------- the channel
            2 | init { byte x; q!1,2,3; q?x,x,x; q?[x,x,x] }
              |                         ^
            warning[promela-message]: messages of this channel have 2 fields, but 3 are received
             --> model.pml:2:34
              |
            1 | chan q = [1] of {byte, byte};
              |          ------------------- the channel
            2 | init { byte x; q!1,2,3; q?x,x,x; q?[x,x,x] }
              |                                  ^
            error[promela-message]: messages of this channel have 2 fields, but 3 are sent
             --> model.pml:2:16
              |
            1 | chan q = [1] of {byte, byte};
              |          ------------------- the channel
            2 | init { byte x; q!1,2,3; q?x,x,x; q?[x,x,x] }
              |                ^"#]],
    );
}

#[test]
fn channels_can_be_wrong() {
    check(
        r#"byte q;
init { q!1; q?1; q?[1] }"#,
        expect![[r#"
    error[promela-channel]: `q` is not a channel
     --> model.pml:2:8
      |
    2 | init { q!1; q?1; q?[1] }
      |        ^
    error[promela-channel]: `q` is not a channel
     --> model.pml:2:13
      |
    2 | init { q!1; q?1; q?[1] }
      |             ^
    error[promela-channel]: `q` is not a channel
     --> model.pml:2:18
      |
    2 | init { q!1; q?1; q?[1] }
      |                  ^"#]],
    );
    check(
        r#"chan q = [1] of {byte}; byte x;
init { q?x + 1; q?(x; q? }"#,
        expect![[r#"
    error[promela-syntax]: expected `;` between statements, found `+`
     --> model.pml:2:12
      |
    2 | init { q?x + 1; q?(x; q? }
      |            ^
    error[promela-syntax]: expected `)`, found `;`
     --> model.pml:2:21
      |
    2 | init { q?x + 1; q?(x; q? }
      |                     ^
    error[promela-syntax]: expected a variable, a constant or `eval(…)`, found `}`
     --> model.pml:2:26
      |
    2 | init { q?x + 1; q?(x; q? }
      |                          ^"#]],
    );
    check(
        r#"chan q = [1] of {byte};
init { q?_pid; q?y; q!z; q?[w] }"#,
        expect![[r#"
            warning[promela-read-only]: this receive assigns to `_pid` instead of comparing with it
             --> model.pml:2:10
              |
            2 | init { q?_pid; q?y; q!z; q?[w] }
              |          ^^^^
              |
              = help: to compare with it, write `eval(_pid)`
            error[promela-unknown]: `y` is not declared
             --> model.pml:2:18
              |
            2 | init { q?_pid; q?y; q!z; q?[w] }
              |                  ^
            error[promela-unknown]: `z` is not declared
             --> model.pml:2:23
              |
            2 | init { q?_pid; q?y; q!z; q?[w] }
              |                       ^
            error[promela-unknown]: `w` is not declared
             --> model.pml:2:29
              |
            2 | init { q?_pid; q?y; q!z; q?[w] }
              |                             ^"#]],
    );
    check(
        r#"chan q = [1] of {byte}; byte x;
init { q?eval x; q!; q?<x }"#,
        expect![[r#"
    error[promela-syntax]: expected `(`, found `x`
     --> model.pml:2:15
      |
    2 | init { q?eval x; q!; q?<x }
      |               ^
    error[promela-syntax]: expected an expression, found `;`
     --> model.pml:2:20
      |
    2 | init { q?eval x; q!; q?<x }
      |                    ^
    error[promela-syntax]: expected `>`, found `}`
     --> model.pml:2:27
      |
    2 | init { q?eval x; q!; q?<x }
      |                           ^"#]],
    );
    check(
        "init { xr q; xs _pid; skip }",
        expect![[r#"
        error[promela-unknown]: `q` is not declared
         --> model.pml:1:11
          |
        1 | init { xr q; xs _pid; skip }
          |           ^
        error[promela-channel]: `_pid` is not a channel
         --> model.pml:1:17
          |
        1 | init { xr q; xs _pid; skip }
          |                 ^^^^"#]],
    );
}
