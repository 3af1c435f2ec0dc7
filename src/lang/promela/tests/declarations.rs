//! Types, variables, records, symbolic names, proctypes.

use super::{check, check_tree};
use expect_test::expect;

#[test]
fn values_at_the_start() {
    check_tree(
        r#"mtype = {a, b}
mtype = {c}
mtype:colour = {red, green}
mtype:colour m = red;
byte n = 2;
int l[4] = {1, 2};
int f[3] = n + 1;
unsigned u : 5 = 3;
hidden bit h;
local byte lo;
show pid p;
chan q[2] = [n] of {mtype, chan};
init { skip }"#,
        expect![[r#"
    mtype b < a < c
    mtype:colour green < red
    mtype:colour m = 2
    byte n = 2
    int l[4] = {1, 2}
    int f[3] = (n + 1)
    unsigned:5 u = 3
    hidden bit h
    local byte lo
    show pid p
    chan q[2] = [2] of {mtype, chan}
    init active 1 parameters 0
      skip
    warning[promela-constant]: the capacity of a channel must be constant: the initial value of variable `n` is used
      --> model.pml:12:14
       |
    12 | chan q[2] = [n] of {mtype, chan};
       |              ^ treated as 2"#]],
    );
    check_tree(
        r#"typedef In { byte x; int y[2] = 7 }
typedef Out { In i[2]; chan c = [1] of {In} }
Out o;
chan q = [1] of {In, bool};
init { o.i[1].y[0] = 3; q!o.i[0],true; q?o.i[1],_; run P(o.i[0]) }
proctype P(In i) { skip }"#,
        expect![[r#"
    typedef In
      byte x
      int y[2] = 7
    typedef Out
      In i[2]
      chan c = [1] of {byte, int, int}
    Out o
    chan q = [1] of {byte, int, int, bool}
    init active 1 parameters 0
      o.i[1].y[0] = 3
      q!o.i[0].x,o.i[0].y[0],o.i[0].y[1],1
      q?o.i[1].x,o.i[1].y[0],o.i[1].y[1],_
      run P(o.i[0].x, o.i[0].y[0], o.i[0].y[1])
    P active 0 parameters 1
      In i
      skip
"#]],
    );
}

#[test]
fn late_declarations_are_steps() {
    check_tree(
        r#"chan q = [1] of {byte};
typedef R { byte x }
proctype P(byte n) {
  byte early = n + 1;
  xr q;
  n++;
  byte late = 5, zero;
  int list[3] = 9;
  R r;
  { byte inner = late; inner++ };
  { byte inner; inner-- }
}
init { run P(1) }"#,
        expect![[r#"
    typedef R
      byte x
    chan q = [1] of {byte}
    P active 0 parameters 1
      xr q
      byte n
      byte early = (n#0 + 1)
      byte late
      byte zero
      int list[3]
      R r
      byte inner
      byte inner
      n#0 = (n#0 + 1)
      (declared) late#2 = 5
      (declared) zero#3 = 0
      (declared) list#4[0] = 9
      (declared) skip
      block
        (declared) inner#6 = late#2
        inner#6 = (inner#6 + 1)
      block
        (declared) inner#7 = 0
        inner#7 = (inner#7 - 1)
    init active 1 parameters 0
      run P(1)
"#]],
    );
}

#[test]
fn names_are_declared_once() {
    check(
        r#"byte x; int x;
init { skip }"#,
        expect![[r#"
    error[promela-redeclared]: variable `x` is already declared
     --> model.pml:1:13
      |
    1 | byte x; int x;
      |      -      ^
      |      |
      |      first declared here"#]],
    );
    check(
        r#"byte x;
init { byte x; skip }"#,
        expect![[r#"
    error[promela-redeclared]: variable `x` is already declared
     --> model.pml:2:13
      |
    1 | byte x;
      |      - first declared here
    2 | init { byte x; skip }
      |             ^"#]],
    );
    check(
        "init { byte x; { byte x; skip } }",
        expect![[r#"
        error[promela-redeclared]: variable `x` is already declared
         --> model.pml:1:23
          |
        1 | init { byte x; { byte x; skip } }
          |             -         ^
          |             |
          |             first declared here"#]],
    );
    check(
        r#"proctype P(byte x) { byte x; skip }
init { skip }"#,
        expect![[r#"
    error[promela-redeclared]: variable `x` is already declared
     --> model.pml:1:27
      |
    1 | proctype P(byte x) { byte x; skip }
      |                 -         ^
      |                 |
      |                 first declared here"#]],
    );
    check(
        r#"mtype = {a};
byte a;
init { skip }"#,
        expect![[r#"
    error[promela-redeclared]: variable `a` is already declared
     --> model.pml:2:6
      |
    1 | mtype = {a};
      |          - first declared here
    2 | byte a;
      |      ^"#]],
    );
    check(
        r#"mtype = {a, a};
init { skip }"#,
        expect![[r#"
    error[promela-redeclared]: name `a` is declared twice
     --> model.pml:1:10
      |
    1 | mtype = {a, a};
      |          ^  - first declared here"#]],
    );
    check(
        r#"proctype P() { skip }
proctype P() { skip }
init { byte P; skip }"#,
        expect![[r#"
    error[promela-redeclared]: proctype `P` is declared twice
     --> model.pml:2:10
      |
    1 | proctype P() { skip }
      |          - first declared here
    2 | proctype P() { skip }
      |          ^
    error[promela-redeclared]: variable `P` is already declared
     --> model.pml:3:13
      |
    1 | proctype P() { skip }
      |          - first declared here
    2 | proctype P() { skip }
    3 | init { byte P; skip }
      |             ^"#]],
    );
    check(
        r#"typedef R { byte x; byte x }
typedef R { byte y }
init { skip }"#,
        expect![[r#"
    error[promela-redeclared]: field `x` is declared twice
     --> model.pml:1:26
      |
    1 | typedef R { byte x; byte x }
      |                  -       ^
      |                  |
      |                  first declared here
    error[promela-redeclared]: type `R` is declared twice
     --> model.pml:2:9
      |
    1 | typedef R { byte x; byte x }
      |         - first declared here
    2 | typedef R { byte y }
      |         ^"#]],
    );
    check(
        r#"init { skip }
init { skip }"#,
        expect![[r#"
    warning[promela-redeclared]: there is more than one `init`
     --> model.pml:2:1
      |
    1 | init { skip }
      | ---- the first `init`
    2 | init { skip }
      | ^^^^"#]],
    );
    check(
        r#"byte _pid;
init { skip }"#,
        expect![[r#"
            error[promela-redeclared]: `_pid` is predefined
             --> model.pml:1:6
              |
            1 | byte _pid;
              |      ^^^^
              |
              = help: choose another name"#]],
    );
    check(
        r#"proctype _pid() { skip }
init { run _pid() }"#,
        expect![[r#"
            error[promela-redeclared]: `_pid` is predefined
             --> model.pml:1:10
              |
            1 | proctype _pid() { skip }
              |          ^^^^
              |
              = help: choose another name"#]],
    );
    check(
        r#"inline f() { skip }
inline f() { skip }
init { f() }"#,
        expect![[r#"
    error[promela-redeclared]: inline `f` is defined twice
     --> model.pml:2:8
      |
    1 | inline f() { skip }
      |        - first defined here
    2 | inline f() { skip }
      |        ^"#]],
    );
}

#[test]
fn names_of_a_body_are_free_behind_it() {
    check("proctype P(byte n) { byte x; L: skip }\nbyte n, x;\ninit { x = n }", expect!["accepted"]);
}

#[test]
fn names_must_exist() {
    check(
        r#"byte counter;
init { conter = 1 }"#,
        expect![[r#"
    error[promela-unknown]: `conter` is not declared
     --> model.pml:2:8
      |
    2 | init { conter = 1 }
      |        ^^^^^^
      |
      = help: did you mean `counter`?"#]],
    );
    check(
        r#"init { x = 1 }
byte x;"#,
        expect![[r#"
    error[promela-unknown]: `x` is not declared
     --> model.pml:1:8
      |
    1 | init { x = 1 }
      |        ^"#]],
    );
    check(
        r#"byt x;
init { skip }"#,
        expect![[r#"
    error[promela-unknown]: no type is named `byt`
     --> model.pml:1:1
      |
    1 | byt x;
      | ^^^
      |
      = help: did you mean `byte`?"#]],
    );
    check(
        r#"typedef Point { byte x }
Piont p;
init { skip }"#,
        expect![[r#"
    error[promela-unknown]: no type is named `Piont`
     --> model.pml:2:1
      |
    2 | Piont p;
      | ^^^^^
      |
      = help: did you mean `Point`?"#]],
    );
    check(
        r#"typedef R { R x }
init { skip }"#,
        expect![[r#"
    error[promela-unknown]: no type is named `R`
     --> model.pml:1:13
      |
    1 | typedef R { R x }
      |             ^"#]],
    );
    check(
        r#"chan q = [1] of {byte, foo};
init { skip }"#,
        expect![[r#"
    error[promela-unknown]: no type is named `foo`
     --> model.pml:1:24
      |
    1 | chan q = [1] of {byte, foo};
      |                        ^^^"#]],
    );
    check(
        r#"init { run Q() }
proctype P() { skip }"#,
        expect![[r#"
    error[promela-unknown]: no proctype is named `Q`
     --> model.pml:1:12
      |
    1 | init { run Q() }
      |            ^"#]],
    );
    check(
        r#"proctype P() { skip }
init { P = 1 }"#,
        expect![[r#"
    error[promela-unknown]: `P` is a proctype, not a value
     --> model.pml:2:8
      |
    2 | init { P = 1 }
      |        ^
      |
      = help: start a process with `run P(…)`"#]],
    );
}

#[test]
fn constants_are_wanted() {
    check(
        r#"byte n = 2; byte a[n]; byte b[n + 1];
init { skip }"#,
        expect![[r#"
    warning[promela-constant]: the length of `a` must be constant: the initial value of variable `n` is used
     --> model.pml:1:20
      |
    1 | byte n = 2; byte a[n]; byte b[n + 1];
      |                    ^ treated as 2
    warning[promela-constant]: the length of `b` must be constant: the initial value of variable `n` is used
     --> model.pml:1:31
      |
    1 | byte n = 2; byte a[n]; byte b[n + 1];
      |                               ^ treated as 2"#]],
    );
    check(
        r#"byte a[0]; byte b[-1];
init { skip }"#,
        expect![[r#"
    error[promela-range]: the length of `a` must be from 1 to 16777216, but is 0
     --> model.pml:1:8
      |
    1 | byte a[0]; byte b[-1];
      |        ^
    error[promela-range]: the length of `b` must be from 1 to 16777216, but is -1
     --> model.pml:1:19
      |
    1 | byte a[0]; byte b[-1];
      |                   ^^"#]],
    );
    check(
        r#"byte a[1 / 0];
init { skip }"#,
        expect![[r#"
    error[promela-constant]: division by zero
     --> model.pml:1:8
      |
    1 | byte a[1 / 0];
      |        ^^^^^"#]],
    );
    check(
        r#"byte a[_pid];
init { skip }"#,
        expect![[r#"
    error[promela-constant]: the length of `a` must be constant
     --> model.pml:1:8
      |
    1 | byte a[_pid];
      |        ^^^^"#]],
    );
    check(
        r#"chan q = [-1] of {byte};
init { skip }"#,
        expect![[r#"
    error[promela-range]: the capacity of a channel must be from 0 to 65535, but is -1
     --> model.pml:1:11
      |
    1 | chan q = [-1] of {byte};
      |           ^^"#]],
    );
    check(
        "active [300] proctype P() { skip }",
        expect![[r#"
        error[promela-range]: the number of processes must be from 0 to 255, but is 300
         --> model.pml:1:9
          |
        1 | active [300] proctype P() { skip }
          |         ^^^"#]],
    );
    check(
        "init priority 0 { skip }",
        expect![[r#"
        error[promela-range]: a priority must be from 1 to 255, but is 0
         --> model.pml:1:15
          |
        1 | init priority 0 { skip }
          |               ^"#]],
    );
    check(
        r#"unsigned x : 40; byte y : 3; unsigned z;
init { skip }"#,
        expect![[r#"
            error[promela-range]: the width of `x` must be from 1 to 32, but is 40
             --> model.pml:1:14
              |
            1 | unsigned x : 40; byte y : 3; unsigned z;
              |              ^^
            error[promela-width]: `y` cannot have a width: only `unsigned` variables have one
             --> model.pml:1:23
              |
            1 | unsigned x : 40; byte y : 3; unsigned z;
              |                       ^
            error[promela-width]: the `unsigned` variable `z` needs a width
             --> model.pml:1:39
              |
            1 | unsigned x : 40; byte y : 3; unsigned z;
              |                                       ^
              |
              = help: write `unsigned z : 8` for 8 bits"#]],
    );
    check(
        r#"int n; int l[2] = {1, n + timeout};
init { skip }"#,
        expect![[r#"
    warning[promela-constant]: a value in the list must be constant: the initial value of variable `n` is used
     --> model.pml:1:23
      |
    1 | int n; int l[2] = {1, n + timeout};
      |                       ^ treated as 0
    error[promela-constant]: a value in the list must be constant
     --> model.pml:1:27
      |
    1 | int n; int l[2] = {1, n + timeout};
      |                           ^^^^^^^"#]],
    );
}

#[test]
fn initial_values_can_be_wrong() {
    check(
        r#"int a = {1, 2};
init { skip }"#,
        expect![[r#"
    error[promela-initial]: `a` is not an array and cannot be initialised with a list of values
     --> model.pml:1:5
      |
    1 | int a = {1, 2};
      |     ^"#]],
    );
    check(
        r#"byte a = [1] of {byte};
init { skip }"#,
        expect![[r#"
    error[promela-initial]: `a` is not a channel
     --> model.pml:1:6
      |
    1 | byte a = [1] of {byte};
      |      ^"#]],
    );
    check(
        r#"typedef R { byte x }
R r = 3;
init { skip }"#,
        expect![[r#"
            warning[promela-initial]: the initial value of the record `r` is ignored
             --> model.pml:2:3
              |
            2 | R r = 3;
              |   ^
              |
              = help: initialise its fields in the `typedef`"#]],
    );
    check(
        "init { skip; chan c = [1] of {byte}; int l[2] = {1, 2}; skip }",
        expect![[r#"
            error[promela-initial]: `c` cannot be initialised with a new channel after the first statement
             --> model.pml:1:19
              |
            1 | init { skip; chan c = [1] of {byte}; int l[2] = {1, 2}; skip }
              |                   ^
              |
              = help: put the declaration before the first statement
            error[promela-initial]: `l` cannot be initialised with a list of several values after the first statement
             --> model.pml:1:42
              |
            1 | init { skip; chan c = [1] of {byte}; int l[2] = {1, 2}; skip }
              |                                          ^
              |
              = help: put the declaration before the first statement"#]],
    );
    check(
        r#"proctype P() { skip }
init { byte x = run P(); skip }"#,
        expect![[r#"
    error[promela-run]: `run` is not allowed in an initial value
     --> model.pml:2:17
      |
    2 | init { byte x = run P(); skip }
      |                 ^^^^^^^"#]],
    );
    check(
        r#"mtype:a = {x}; mtype:b = {y};
mtype:a v = y;
init { skip }"#,
        expect![[r#"
    error[promela-mtype]: `v` has type `mtype:a`, but the value has type `mtype:b`
     --> model.pml:2:13
      |
    2 | mtype:a v = y;
      |             ^"#]],
    );
    check(
        r#"proctype P(byte a[2]; byte b = 1) { skip }
init { skip }"#,
        expect![[r#"
    error[promela-parameter]: parameter `a` cannot be an array
     --> model.pml:1:17
      |
    1 | proctype P(byte a[2]; byte b = 1) { skip }
      |                 ^
    error[promela-parameter]: parameter `b` cannot have an initial value: `run` passes its value
     --> model.pml:1:28
      |
    1 | proctype P(byte a[2]; byte b = 1) { skip }
      |                            ^"#]],
    );
    check(
        "init { hidden byte x; skip }",
        expect![[r#"
        error[promela-hidden]: only global variables can be `hidden`, not `x`
         --> model.pml:1:20
          |
        1 | init { hidden byte x; skip }
          |                    ^"#]],
    );
    check(
        r#"typedef R { }
init { skip }"#,
        expect![[r#"
    error[promela-empty]: type `R` has no fields
     --> model.pml:1:9
      |
    1 | typedef R { }
      |         ^"#]],
    );
    check(
        r#"mtype = { };
init { skip }"#,
        expect![[r#"
    error[promela-empty]: an `mtype` declaration needs at least one name
     --> model.pml:1:1
      |
    1 | mtype = { };
      | ^^^^^"#]],
    );
    check(
        "init { mtype = {a}; skip }",
        expect![[r#"
        error[promela-mtype]: `mtype` names can only be declared globally
         --> model.pml:1:8
          |
        1 | init { mtype = {a}; skip }
          |        ^^^^^^^^^^^
          |
          = help: move the declaration out of the proctype"#]],
    );
}

#[test]
fn something_must_run() {
    check(
        "byte x;",
        expect![[r#"
        error[promela-nothing]: the model starts no process
         --> model.pml:1:8
          |
        1 | byte x;
          |        ^
          |
          = help: write `init { … }` or `active proctype …`"#]],
    );
    check(
        "proctype P() { skip }",
        expect![[r#"
        error[promela-nothing]: the model starts no process
         --> model.pml:1:22
          |
        1 | proctype P() { skip }
          |                      ^
          |
          = help: write `init { … }` or `active proctype …`"#]],
    );
    check(
        "",
        expect![[r#"
        error[promela-nothing]: the model starts no process
         --> model.pml:1:1
          |
        1 |
          | ^
          |
          = help: write `init { … }` or `active proctype …`"#]],
    );
}

#[test]
fn top_of_the_text() {
    check(
        r#"proctipe P() { skip }
init { skip }"#,
        expect![[r#"
    error[promela-syntax]: expected a declaration, a proctype or `init`, found `proctipe`
     --> model.pml:1:1
      |
    1 | proctipe P() { skip }
      | ^^^^^^^^
      |
      = help: did you mean `proctype`?"#]],
    );
    check(
        r#"3
init { skip }"#,
        expect![[r#"
    error[promela-syntax]: expected a declaration, a proctype or `init`, found `3`
     --> model.pml:1:1
      |
    1 | 3
      | ^"#]],
    );
    check(
        r#"proctype P(byte a, byte b) { skip }
init { run P(1, 2) }"#,
        expect![[r#"
    error[promela-syntax]: parameters with separate types must be separated by `;`
     --> model.pml:1:18
      |
    1 | proctype P(byte a, byte b) { skip }
      |                  ^
      |
      = help: write `proctype P(byte a; byte b)` or `proctype P(byte a, b)`"#]],
    );
    check(
        r#"proctype P(byte a b) { skip }
init { skip }"#,
        expect![[r#"
    error[promela-syntax]: expected `;` or `)`, found `b`
     --> model.pml:1:19
      |
    1 | proctype P(byte a b) { skip }
      |                   ^"#]],
    );
    check(
        r#"proctype { skip }
init { skip }"#,
        expect![[r#"
    error[promela-syntax]: expected the name of a proctype, found `{`
     --> model.pml:1:10
      |
    1 | proctype { skip }
      |          ^"#]],
    );
    check(
        r#"proctype if() { skip }
init { skip }"#,
        expect![[r#"
    error[promela-syntax]: `if` is a keyword
     --> model.pml:1:10
      |
    1 | proctype if() { skip }
      |          ^^ expected the name of a proctype"#]],
    );
    check(
        r#"active P() { skip }
init { skip }"#,
        expect![[r#"
    error[promela-syntax]: expected `proctype`, found `P`
     --> model.pml:1:8
      |
    1 | active P() { skip }
      |        ^"#]],
    );
    check(
        "init { }",
        expect![[r#"
        error[promela-empty]: the body is empty
         --> model.pml:1:6
          |
        1 | init { }
          |      ^
          |
          = help: write `skip`"#]],
    );
    check(
        "init { skip",
        expect![[r#"
        error[promela-syntax]: expected `}` to end the body, found the end of the text
         --> model.pml:1:12
          |
        1 | init { skip
          |      -     ^
          |      |
          |      the body begins here"#]],
    );
    check(
        r#"byte x = ;
byte y = 1 +;
init { skip }"#,
        expect![[r#"
    error[promela-syntax]: expected an expression, found `;`
     --> model.pml:1:10
      |
    1 | byte x = ;
      |          ^
    error[promela-syntax]: expected an expression, found `;`
     --> model.pml:2:13
      |
    2 | byte y = 1 +;
      |             ^"#]],
    );
}

#[test]
fn proctypes() {
    check_tree(
        r#"byte x;
D_proctype D() { skip }
active [2] proctype P() priority 3 provided (x == 0) { printf("%d\n", _pid) }
init priority 2 { run D() priority 4; _priority = 3; set_priority(_pid, 2); assert(get_priority(_pid) == 2) }"#,
        expect![[r#"
    byte x
    D active 0 parameters 0 deterministic
      skip
    P active 2 parameters 0 priority 3 provided (x == 0)
      print %d(_pid) "\n"
    init active 1 parameters 0 priority 2
      run D() priority 4
      set_priority(_pid, 3)
      set_priority(_pid, 2)
      assert (get_priority(_pid) == 2)
"#]],
    );
}
