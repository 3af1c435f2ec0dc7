//! Invalid statements, labels and jumps.

use super::check;
use expect_test::expect;

#[test]
fn labels_can_be_wrong() {
    check(
        "init { goto Lop; Loop: skip }",
        expect![[r#"
        error[promela-label]: no label is named `Lop` in this body
         --> model.pml:1:13
          |
        1 | init { goto Lop; Loop: skip }
          |             ^^^
          |
          = help: did you mean `Loop`?"#]],
    );
    check(
        "init { L: skip; L: skip; goto L }",
        expect![[r#"
        error[promela-redeclared]: label `L` is declared twice
         --> model.pml:1:17
          |
        1 | init { L: skip; L: skip; goto L }
          |        -        ^
          |        |
          |        first declared here"#]],
    );
    check(
        "init { L: byte x; skip }",
        expect![[r#"
        error[promela-label]: label `L` is at a declaration
         --> model.pml:1:8
          |
        1 | init { L: byte x; skip }
          |        ^
          |
          = help: move the label to the statement after the declaration"#]],
    );
    check(
        "init { byte a; a: skip }",
        expect![[r#"
        error[promela-label]: label `a` has the same name as a variable
         --> model.pml:1:16
          |
        1 | init { byte a; a: skip }
          |                ^"#]],
    );
    check(
        r#"byte x;
init { atomic { L: x++ }; { M: x++ }; d_step { N: x++ } }"#,
        expect![[r#"
    error[promela-label]: label `L` is at the first statement of a block
     --> model.pml:2:17
      |
    2 | init { atomic { L: x++ }; { M: x++ }; d_step { N: x++ } }
      |                 ^
      |
      = help: write `L: atomic { …`
    error[promela-label]: label `M` is at the first statement of a block
     --> model.pml:2:29
      |
    2 | init { atomic { L: x++ }; { M: x++ }; d_step { N: x++ } }
      |                             ^
      |
      = help: write `M: { …`
    error[promela-label]: label `N` is at the first statement of a block
     --> model.pml:2:48
      |
    2 | init { atomic { L: x++ }; { M: x++ }; d_step { N: x++ } }
      |                                                ^
      |
      = help: write `N: d_step { …`"#]],
    );
    check(
        "init { goto if }",
        expect![[r#"
        error[promela-syntax]: `if` is a keyword
         --> model.pml:1:13
          |
        1 | init { goto if }
          |             ^^ expected a label"#]],
    );
}

#[test]
fn jumps_can_be_wrong() {
    check(
        "init { break }",
        expect![[r#"
        error[promela-break]: `break` outside a `do` or `for` loop
         --> model.pml:1:8
          |
        1 | init { break }
          |        ^^^^^"#]],
    );
    check(
        "init { if :: skip -> break fi }",
        expect![[r#"
        error[promela-break]: `break` outside a `do` or `for` loop
         --> model.pml:1:22
          |
        1 | init { if :: skip -> break fi }
          |                      ^^^^^"#]],
    );
    check(
        r#"byte x;
init { do :: d_step { x++; break } od }"#,
        expect![[r#"
    error[promela-d-step]: `break` jumps out of a `d_step`
     --> model.pml:2:28
      |
    2 | init { do :: d_step { x++; break } od }
      |                            ^^^^^"#]],
    );
    check(
        "init { d_step { skip; goto L }; L: skip }",
        expect![[r#"
        error[promela-d-step]: `goto L` jumps out of a `d_step`
         --> model.pml:1:28
          |
        1 | init { d_step { skip; goto L }; L: skip }
          |                            ^    - the label
          |
          = help: a `d_step` is executed as one step: use `atomic`, or keep the `goto` and its label on the same side"#]],
    );
    check(
        "init { goto L; d_step { skip; L: skip } }",
        expect![[r#"
        error[promela-d-step]: `goto L` jumps into a `d_step`
         --> model.pml:1:13
          |
        1 | init { goto L; d_step { skip; L: skip } }
          |             ^                 - the label
          |
          = help: a `d_step` is executed as one step: use `atomic`, or keep the `goto` and its label on the same side"#]],
    );
}

#[test]
fn else_can_be_wrong() {
    check(
        "init { if :: else -> skip :: else -> skip fi }",
        expect![[r#"
        error[promela-else]: there is more than one `else`
         --> model.pml:1:30
          |
        1 | init { if :: else -> skip :: else -> skip fi }
          |              ----            ^^^^
          |              |
          |              the first `else`"#]],
    );
    check(
        r#"byte x;
init { else; if :: x == 1; else -> skip fi }"#,
        expect![[r#"
    warning[promela-else]: `else` is always executable here: it is not the guard of an option
     --> model.pml:2:8
      |
    2 | init { else; if :: x == 1; else -> skip fi }
      |        ^^^^
    warning[promela-else]: `else` is always executable here: it is not the guard of an option
     --> model.pml:2:28
      |
    2 | init { else; if :: x == 1; else -> skip fi }
      |                            ^^^^"#]],
    );
    check(
        r#"chan q = [1] of {byte};
init { if :: q!1 :: else fi }"#,
        expect![[r#"
    warning[promela-else]: `else` next to a send or receive: whether `else` is executable depends on other processes
     --> model.pml:2:21
      |
    2 | init { if :: q!1 :: else fi }
      |                     ^^^^"#]],
    );
    check(
        r#"byte x;
init { if :: x && else -> skip fi }"#,
        expect![[r#"
    error[promela-else]: `else` is only allowed as the first statement of an option
     --> model.pml:2:19
      |
    2 | init { if :: x && else -> skip fi }
      |                   ^^^^"#]],
    );
}

#[test]
fn loops_can_be_wrong() {
    check(
        r#"byte x;
init { for (x : 3 .. 2) { skip } }"#,
        expect![[r#"
    error[promela-range]: the range from 3 to 2 is empty
     --> model.pml:2:17
      |
    2 | init { for (x : 3 .. 2) { skip } }
      |                 ^"#]],
    );
    check(
        r#"byte x;
init { for (byte i : 1 .. 2) { skip } }"#,
        expect![[r#"
    error[promela-syntax]: a `for` loop cannot declare its variable
     --> model.pml:2:13
      |
    2 | init { for (byte i : 1 .. 2) { skip } }
      |             ^^^^
      |
      = help: declare the variable before the loop"#]],
    );
    check(
        r#"typedef R { byte i }
R r; byte a[3];
init { for (r.i : 1 .. 2) { skip }; for (a[1] : 1 .. 2) { skip } }"#,
        expect![[r#"
    error[promela-loop]: a loop variable cannot be an array element or a field
     --> model.pml:3:13
      |
    3 | init { for (r.i : 1 .. 2) { skip }; for (a[1] : 1 .. 2) { skip } }
      |             ^^^
    error[promela-loop]: a loop variable cannot be an array element or a field
     --> model.pml:3:42
      |
    3 | init { for (r.i : 1 .. 2) { skip }; for (a[1] : 1 .. 2) { skip } }
      |                                          ^^^^"#]],
    );
    check(
        r#"byte x, y;
init { for (x in y) { skip }; for (x in z) { skip } }"#,
        expect![[r#"
    error[promela-loop]: `y` is neither an array nor a channel
     --> model.pml:2:18
      |
    2 | init { for (x in y) { skip }; for (x in z) { skip } }
      |                  ^
    error[promela-unknown]: `z` is not declared
     --> model.pml:2:41
      |
    2 | init { for (x in y) { skip }; for (x in z) { skip } }
      |                                         ^"#]],
    );
    check(
        r#"byte x; chan q = [1] of {byte};
init { for (x in q) { skip } }"#,
        expect![[r#"
    error[promela-loop]: `x` cannot hold a message of `q`
     --> model.pml:2:13
      |
    2 | init { for (x in q) { skip } }
      |             ^
      |
      = help: the variable must be a record, and the messages of the channel must have its type"#]],
    );
    check(
        r#"byte x;
init { select (x : 5 .. 1); select (x 1 .. 2) }"#,
        expect![[r#"
    error[promela-syntax]: expected `:`, found `1`
     --> model.pml:2:39
      |
    2 | init { select (x : 5 .. 1); select (x 1 .. 2) }
      |                                       ^
    error[promela-range]: the range from 5 to 1 is empty
     --> model.pml:2:20
      |
    2 | init { select (x : 5 .. 1); select (x 1 .. 2) }
      |                    ^"#]],
    );
    check(
        r#"byte x;
init { for (x : 1, 2) { skip } }"#,
        expect![[r#"
    error[promela-syntax]: expected `..`, found `,`
     --> model.pml:2:18
      |
    2 | init { for (x : 1, 2) { skip } }
      |                  ^"#]],
    );
}

#[test]
fn statements_can_be_wrong() {
    check(
        r#"byte x;
init { x = = 1 }"#,
        expect![[r#"
    error[promela-syntax]: expected an expression, found `=`
     --> model.pml:2:12
      |
    2 | init { x = = 1 }
      |            ^
      |
      = help: `==` compares, `=` assigns"#]],
    );
    check(
        r#"byte x;
init { (x) = 1; 3 = x }"#,
        expect![[r#"
    error[promela-syntax]: expected a variable before `=`
     --> model.pml:2:8
      |
    2 | init { (x) = 1; 3 = x }
      |        ^^^
    error[promela-syntax]: expected a variable before `=`
     --> model.pml:2:17
      |
    2 | init { (x) = 1; 3 = x }
      |                 ^"#]],
    );
    check(
        r#"byte x;
init { x + ; x = 1 }"#,
        expect![[r#"
    error[promela-syntax]: expected an expression, found `;`
     --> model.pml:2:12
      |
    2 | init { x + ; x = 1 }
      |            ^"#]],
    );
    check(
        r#"byte x;
init { x = (1 + 2; x = 3 }"#,
        expect![[r#"
            error[promela-syntax]: expected `)`, found `;`
             --> model.pml:2:18
              |
            2 | init { x = (1 + 2; x = 3 }
              |                  ^"#]],
    );
    check(
        r#"byte x;
init { x++ unless x > 2 unless x > 3 }"#,
        expect![[r#"
    error[promela-syntax]: a statement can have only one `unless`
     --> model.pml:2:25
      |
    2 | init { x++ unless x > 2 unless x > 3 }
      |                         ^^^^^^
      |
      = help: put braces around the statement with the first `unless`"#]],
    );
    check(
        "init { if fi }",
        expect![[r#"
        error[promela-syntax]: expected `::` and an option of `if`, found `fi`
         --> model.pml:1:11
          |
        1 | init { if fi }
          |           ^^"#]],
    );
    check(
        "init { if :: fi }",
        expect![[r#"
        error[promela-empty]: this option is empty
         --> model.pml:1:11
          |
        1 | init { if :: fi }
          |           ^^
          |
          = help: write `skip`"#]],
    );
    check(
        "init { do :: skip fi }",
        expect![[r#"
        error[promela-syntax]: expected `od` to end `do`, found `fi`
         --> model.pml:1:19
          |
        1 | init { do :: skip fi }
          |        --         ^^
          |        |
          |        `do` begins here"#]],
    );
    check(
        "init { atomic { } }",
        expect![[r#"
        error[promela-empty]: `atomic` is empty
         --> model.pml:1:15
          |
        1 | init { atomic { } }
          |               ^
          |
          = help: write `skip`"#]],
    );
    check(
        "init { if :: skip }",
        expect![[r#"
        error[promela-syntax]: expected `fi` to end `if`, found `}`
         --> model.pml:1:19
          |
        1 | init { if :: skip }
          |        --         ^
          |        |
          |        `if` begins here"#]],
    );
    check(
        r#"init { skip } }
byte x;"#,
        expect![[r#"
    error[promela-syntax]: expected a declaration, a proctype or `init`, found `}`
     --> model.pml:1:15
      |
    1 | init { skip } }
      |               ^"#]],
    );
    check(
        "init { goto 3; skip }",
        expect![[r#"
        error[promela-syntax]: expected a label, found `3`
         --> model.pml:1:13
          |
        1 | init { goto 3; skip }
          |             ^"#]],
    );
    check(
        r#"byte x, y;
init { x = ; y = ; x = 1; z = 2 }"#,
        expect![[r#"
    error[promela-syntax]: expected an expression, found `;`
     --> model.pml:2:12
      |
    2 | init { x = ; y = ; x = 1; z = 2 }
      |            ^
    error[promela-syntax]: expected an expression, found `;`
     --> model.pml:2:18
      |
    2 | init { x = ; y = ; x = 1; z = 2 }
      |                  ^
    error[promela-unknown]: `z` is not declared
     --> model.pml:2:27
      |
    2 | init { x = ; y = ; x = 1; z = 2 }
      |                           ^"#]],
    );
}

#[test]
fn assignments_can_be_wrong() {
    check(
        "init { _pid = 1; _nr_pr = 2; _last = 1; _ = 3 }",
        expect![[r#"
        error[promela-read-only]: `_pid` is read-only
         --> model.pml:1:8
          |
        1 | init { _pid = 1; _nr_pr = 2; _last = 1; _ = 3 }
          |        ^^^^
        error[promela-read-only]: `_nr_pr` is read-only
         --> model.pml:1:18
          |
        1 | init { _pid = 1; _nr_pr = 2; _last = 1; _ = 3 }
          |                  ^^^^^^
        error[promela-read-only]: `_last` is read-only
         --> model.pml:1:30
          |
        1 | init { _pid = 1; _nr_pr = 2; _last = 1; _ = 3 }
          |                              ^^^^^"#]],
    );
    check(
        "init { byte x; x = _; _++ }",
        expect![[r#"
        error[promela-read-only]: `_` is write-only and cannot be read
         --> model.pml:1:20
          |
        1 | init { byte x; x = _; _++ }
          |                    ^
        error[promela-read-only]: `_` is write-only and cannot be read
         --> model.pml:1:23
          |
        1 | init { byte x; x = _; _++ }
          |                       ^"#]],
    );
    check(
        r#"mtype = {a};
init { a = 1; a++ }"#,
        expect![[r#"
    error[promela-constant]: `a` is a constant, not a variable
     --> model.pml:2:8
      |
    2 | init { a = 1; a++ }
      |        ^
    error[promela-constant]: `a` is a constant, not a variable
     --> model.pml:2:15
      |
    2 | init { a = 1; a++ }
      |               ^"#]],
    );
    check(
        r#"chan q;
init { q = 3 }"#,
        expect![[r#"
    error[promela-channel]: cannot assign a constant to the channel `q`
     --> model.pml:2:12
      |
    2 | init { q = 3 }
      |            ^"#]],
    );
    check(
        r#"typedef R { byte x }
R a, b;
init { a = b; b.x = a }"#,
        expect![[r#"
    error[promela-record]: expected a field, found a whole record of type `R`
     --> model.pml:3:8
      |
    3 | init { a = b; b.x = a }
      |        ^
    error[promela-record]: expected a field, found a whole record of type `R`
     --> model.pml:3:12
      |
    3 | init { a = b; b.x = a }
      |            ^
    error[promela-record]: expected a field, found a whole record of type `R`
     --> model.pml:3:21
      |
    3 | init { a = b; b.x = a }
      |                     ^"#]],
    );
    check(
        r#"mtype:c = {a}; mtype:d = {e}; mtype:c m; mtype n;
init { m = e; n = a; m = a; m = n }"#,
        expect![[r#"
    error[promela-mtype]: `m` has type `mtype:c`, but the value has type `mtype:d`
     --> model.pml:2:12
      |
    2 | init { m = e; n = a; m = a; m = n }
      |            ^
    error[promela-mtype]: `m` has type `mtype:c`, but the value has type `mtype`
     --> model.pml:2:33
      |
    2 | init { m = e; n = a; m = a; m = n }
      |                                 ^"#]],
    );
}

#[test]
fn embedded_c() {
    check(
        r#"c_decl { typedef int T; }
c_state "T x" "Global"
byte x;
init { c_code { x++; }; c_code [x > 0] { y }; c_expr { x } ; x = 1 }"#,
        expect![[r#"
    error[promela-embedded-c]: embedded C (`c_decl`) is not supported
     --> model.pml:1:1
      |
    1 | c_decl { typedef int T; }
      | ^^^^^^
      |
      = help: model the effect in Promela, or check the model with SPIN and a C compiler
    error[promela-embedded-c]: embedded C (`c_state`) is not supported
     --> model.pml:2:1
      |
    2 | c_state "T x" "Global"
      | ^^^^^^^
      |
      = help: model the effect in Promela, or check the model with SPIN and a C compiler
    error[promela-embedded-c]: embedded C (`c_code`) is not supported
     --> model.pml:4:8
      |
    4 | init { c_code { x++; }; c_code [x > 0] { y }; c_expr { x } ; x = 1 }
      |        ^^^^^^
      |
      = help: model the effect in Promela, or check the model with SPIN and a C compiler
    error[promela-embedded-c]: embedded C (`c_code`) is not supported
     --> model.pml:4:25
      |
    4 | init { c_code { x++; }; c_code [x > 0] { y }; c_expr { x } ; x = 1 }
      |                         ^^^^^^
      |
      = help: model the effect in Promela, or check the model with SPIN and a C compiler
    error[promela-embedded-c]: embedded C (`c_expr`) is not supported
     --> model.pml:4:47
      |
    4 | init { c_code { x++; }; c_code [x > 0] { y }; c_expr { x } ; x = 1 }
      |                                               ^^^^^^
      |
      = help: model the effect in Promela, or check the model with SPIN and a C compiler"#]],
    );
}

#[test]
fn habits_of_other_languages_get_a_hint() {
    check(
        "active proctype A() {\n  int i;\n  for (i = 0; i < 3; i++) { skip }\n}",
        expect![[r#"
            error[promela-syntax]: expected `:` and a range, found `=`
             --> model.pml:3:10
              |
            3 |   for (i = 0; i < 3; i++) { skip }
              |          ^
              |
              = help: write `for (i : 0 .. 9) { … }`
            error[promela-syntax]: expected `;` between statements, found `)`
             --> model.pml:3:25
              |
            3 |   for (i = 0; i < 3; i++) { skip }
              |                         ^"#]],
    );
    check(
        "byte x;\nactive proctype A() { while (x < 3) { x++ } }",
        expect![[r#"
        error[promela-syntax]: expected `;` between statements, found `(`
         --> model.pml:2:29
          |
        2 | active proctype A() { while (x < 3) { x++ } }
          |                             ^
          |
          = help: write a loop as `do :: condition -> … :: else -> break od`
        error[promela-unknown]: `while` is not declared
         --> model.pml:2:23
          |
        2 | active proctype A() { while (x < 3) { x++ } }
          |                       ^^^^^"#]],
    );
    check(
        "byte x;\nactive proctype A() { if (x == 1) { x = 2 } }",
        expect![[r#"
        error[promela-syntax]: expected `::` and an option of `if`, found `(`
         --> model.pml:2:26
          |
        2 | active proctype A() { if (x == 1) { x = 2 } }
          |                          ^
          |
          = help: write a selection as `if :: x == 1 -> … :: else -> … fi`"#]],
    );
    check(
        "byte x;\nactive proctype A() { x += 1; x = x ? 1 : 2 }",
        expect![[r#"
        error[promela-syntax]: expected an expression, found `=`
         --> model.pml:2:26
          |
        2 | active proctype A() { x += 1; x = x ? 1 : 2 }
          |                          ^
          |
          = help: write `x = x + 1` instead of `x += 1`
        error[promela-syntax]: expected `;` between statements, found `?`
         --> model.pml:2:37
          |
        2 | active proctype A() { x += 1; x = x ? 1 : 2 }
          |                                     ^
          |
          = help: write a conditional value as `(condition -> 1 : 2)`"#]],
    );
    check(
        "byte x;\nactive proctype A() { if :: (x = 1) -> skip :: else fi }",
        expect![[r#"
        error[promela-syntax]: expected `)`, found `=`
         --> model.pml:2:32
          |
        2 | active proctype A() { if :: (x = 1) -> skip :: else fi }
          |                                ^
          |
          = help: `==` compares, `=` assigns"#]],
    );
    check(
        "int main(void) { return 0; }",
        expect![[r#"
        error[promela-syntax]: `main` looks like a function, which Promela does not have
         --> model.pml:1:5
          |
        1 | int main(void) { return 0; }
          |     ^^^^
          |
          = help: use an `inline`, which is expanded where it is called, or a `proctype`"#]],
    );
}
