//! Directives, macros, includes, characters.

use super::{check, check_tree, check_tree_with};
use expect_test::expect;

#[test]
fn macros_are_replaced() {
    check_tree(
        r#"#define N 3
#define SUM(a, b) ((a) + (b))
#define LATER N
byte x = SUM(N, SUM(1, LATER));
init { skip }"#,
        expect![[r#"
    byte x = (3 + (1 + 3))
    init active 1 parameters 0
      skip
"#]],
    );
    check_tree(
        r#"#define LONG(x) x = \
  x + 1; \
  x = x * 2
byte a;
init { LONG(a) }"#,
        expect![[r#"
    byte a
    init active 1 parameters 0
      a = (a + 1)
      a = (a * 2)
"#]],
    );
    check_tree(
        r#"#define NAME(n) var_ ## n
#define SHOW(n) printf(#n)
byte var_1;
init { NAME(1) = 2; SHOW(a + b) }"#,
        expect![[r#"
    byte var_1
    init active 1 parameters 0
      var_1 = 2
      print "a + b"
"#]],
    );
    check_tree(
        r#"#define A B
#define B A
byte A = 1;
init { B = A }"#,
        expect![[r#"
    error[promela-unknown]: `B` is not declared
     --> model.pml:1:11
      |
    1 | #define A B
      |           ^
    2 | #define B A
      |           - in the expansion of `A`
    3 | byte A = 1;
    4 | init { B = A }
      |        - in the expansion of `B`"#]],
    );
    check_tree(
        r#"#define f(x) x
byte f = 1, g;
init { g = f; g = f (2) }"#,
        expect![[r#"
    byte f = 1
    byte g
    init active 1 parameters 0
      g = f
      g = 2
"#]],
    );
}

#[test]
fn conditions_choose() {
    check_tree(
        r#"#if defined(N) && N > 2
byte a;
#elif 1 + 1 == 2
byte b;
#else
byte c;
#endif
#ifndef N
byte d;
#endif
#ifdef N
' no token
#include "missing"
#endif
init { skip }"#,
        expect![[r#"
    byte b
    byte d
    init active 1 parameters 0
      skip
"#]],
    );
    check_tree_with(
        r#"#if N > 2
byte a[N];
#else
byte b;
#endif
init { skip }"#,
        &[("N", "4")],
        expect![[r#"
    byte a[4]
    init active 1 parameters 0
      skip
"#]],
    );
}

#[test]
fn files_are_included() {
    check_tree(
        r#"#include "lib.pml"
init { shared = TWICE(2) }"#,
        expect![[r#"
    byte shared
    init active 1 parameters 0
      shared = (2 + 2)
"#]],
    );
    check_tree(
        r#"#include "deep/one.pml"
#include "lib.pml"
init { two = three; shared = two }"#,
        expect![[r#"
    byte two
    byte three
    byte shared
    init active 1 parameters 0
      two = three
      shared = two
"#]],
    );
    check(
        r#"#include "missing.pml"
init { skip }"#,
        expect![[r#"
    error[promela-include]: cannot include `missing.pml`: no such file
     --> model.pml:1:10
      |
    1 | #include "missing.pml"
      |          ^^^^^^^^^^^^^"#]],
    );
    check(
        r#"#include "self.pml"
init { skip }"#,
        expect![[r#"
    error[promela-limit]: includes are nested more than 40 levels deep
     --> self.pml:1:10
      |
    1 | #include "self.pml"
      |          ^^^^^^^^^^"#]],
    );
    check(
        r#"#include "wrong.pml"
init { skip }"#,
        expect![[r#"
    error[promela-unknown]: `nothing` is not declared
     --> wrong.pml:1:10
      |
    1 | byte b = nothing;
      |          ^^^^^^^"#]],
    );
    check(
        r#"#include missing
init { skip }"#,
        expect![[r#"
    error[promela-directive]: `#include` needs a file name in quotes
     --> model.pml:1:2
      |
    1 | #include missing
      |  ^^^^^^^"#]],
    );
}

#[test]
fn line_marks_are_ignored() {
    check(
        r#"#line 3 "other.pml"
# 7 "other.pml"
#pragma once
init { skip }"#,
        expect!["accepted"],
    );
}

#[test]
fn directives_can_be_wrong() {
    check(
        r#"#defin N 3
init { skip }"#,
        expect![[r#"
    error[promela-directive]: unknown directive `#defin`
     --> model.pml:1:2
      |
    1 | #defin N 3
      |  ^^^^^
      |
      = help: did you mean `define`?"#]],
    );
    check(
        r#"#define
init { skip }"#,
        expect![[r#"
    error[promela-directive]: `#define` needs a name
     --> model.pml:1:2
      |
    1 | #define
      |  ^^^^^^"#]],
    );
    check(
        r#"#define 3 4
init { skip }"#,
        expect![[r#"
    error[promela-directive]: `#define` needs a name
     --> model.pml:1:2
      |
    1 | #define 3 4
      |  ^^^^^^"#]],
    );
    check(
        r#"#define F(1) 2
init { skip }"#,
        expect![[r#"
    error[promela-directive]: the parameters of `F` must be names in parentheses
     --> model.pml:1:9
      |
    1 | #define F(1) 2
      |         ^"#]],
    );
    check(
        r#"#undef
init { skip }"#,
        expect![[r#"
    error[promela-directive]: `#undef` needs the name of a macro
     --> model.pml:1:2
      |
    1 | #undef
      |  ^^^^^"#]],
    );
    check(
        r#"#ifdef
#endif
init { skip }"#,
        expect![[r#"
    error[promela-directive]: `#ifdef` needs the name of a macro
     --> model.pml:1:2
      |
    1 | #ifdef
      |  ^^^^^"#]],
    );
    check(
        r#"#ifdef X
init { skip }"#,
        expect![[r#"
    error[promela-directive]: this condition has no `#endif`
     --> model.pml:1:2
      |
    1 | #ifdef X
      |  ^^^^^"#]],
    );
    check(
        r#"#endif
init { skip }"#,
        expect![[r#"
    error[promela-directive]: `#endif` without `#if`
     --> model.pml:1:2
      |
    1 | #endif
      |  ^^^^^"#]],
    );
    check(
        r#"#if 1
#else
#else
#endif
init { skip }"#,
        expect![[r#"
    error[promela-directive]: `#else` after `#else`
     --> model.pml:3:2
      |
    3 | #else
      |  ^^^^"#]],
    );
    check(
        r#"#if (1
#endif
init { skip }"#,
        expect![[r#"
    error[promela-condition]: expected `)` in the condition, found the end of the line
     --> model.pml:1:2
      |
    1 | #if (1
      |  ^^"#]],
    );
    check(
        r#"#if 1 2
#endif
init { skip }"#,
        expect![[r#"
    error[promela-condition]: unexpected `2` after the condition
     --> model.pml:1:7
      |
    1 | #if 1 2
      |       ^"#]],
    );
    check(
        r#"#if
#endif
init { skip }"#,
        expect![[r#"
    error[promela-condition]: expected a number or a name in the condition, found the end of the line
     --> model.pml:1:2
      |
    1 | #if
      |  ^^"#]],
    );
    check(
        r#"#error not today
#warning take care
init { skip }"#,
        expect![[r#"
    error[promela-directive]: `#error`: not today
     --> model.pml:1:2
      |
    1 | #error not today
      |  ^^^^^
    warning[promela-directive]: `#warning`: take care
     --> model.pml:2:2
      |
    2 | #warning take care
      |  ^^^^^^^"#]],
    );
}

#[test]
fn macros_can_be_wrong() {
    check(
        r#"#define ADD(a, b) a + b
byte x = ADD(1);
init { skip }"#,
        expect![[r#"
    error[promela-macro]: macro `ADD` takes 2 arguments, not 1
     --> model.pml:2:10
      |
    1 | #define ADD(a, b) a + b
      |         --- defined here
    2 | byte x = ADD(1);
      |          ^^^
    error[promela-syntax]: expected an expression, found `;`
     --> model.pml:2:16
      |
    2 | byte x = ADD(1);
      |                ^"#]],
    );
    check(
        r#"#define ADD(a, b) a + b
byte x = ADD(1, 2;
init { skip }"#,
        expect![[r#"
    error[promela-macro]: the arguments of `ADD` have no closing parenthesis
     --> model.pml:2:10
      |
    2 | byte x = ADD(1, 2;
      |          ^^^
    error[promela-syntax]: expected a declaration, a proctype or `init`, found `(`
     --> model.pml:2:13
      |
    2 | byte x = ADD(1, 2;
      |             ^
    error[promela-unknown]: `ADD` is not declared
     --> model.pml:2:10
      |
    2 | byte x = ADD(1, 2;
      |          ^^^"#]],
    );
    check(
        r#"#define N 1
#define N 2
init { skip }"#,
        expect![[r#"
    warning[promela-macro]: macro `N` is redefined
     --> model.pml:2:9
      |
    1 | #define N 1
      |         - the first definition
    2 | #define N 2
      |         ^"#]],
    );
    check(
        r#"#define GLUE(a, b) a ## b
byte x = GLUE(+, 1);
init { skip }"#,
        expect![[r#"
    error[promela-macro]: `##` produces `+1`, which is not a valid token
     --> model.pml:2:15
      |
    2 | byte x = GLUE(+, 1);
      |               ^
    error[promela-syntax]: expected an expression, found `+`
     --> model.pml:2:15
      |
    2 | byte x = GLUE(+, 1);
      |               ^"#]],
    );
    check(
        r#"#define BODY y = 1
byte x;
init { BODY }"#,
        expect![[r#"
    error[promela-unknown]: `y` is not declared
     --> model.pml:1:14
      |
    1 | #define BODY y = 1
      |              ^
    2 | byte x;
    3 | init { BODY }
      |        ---- in the expansion of `BODY`"#]],
    );
    check(
        r#"#define INNER y
#define OUTER INNER + 1
byte x;
init { x = OUTER }"#,
        expect![[r#"
    error[promela-unknown]: `y` is not declared
     --> model.pml:1:15
      |
    1 | #define INNER y
      |               ^
    2 | #define OUTER INNER + 1
      |               ----- in the expansion of `INNER`
    3 | byte x;
    4 | init { x = OUTER }
      |            ----- in the expansion of `OUTER`"#]],
    );
}

#[test]
fn characters_can_be_wrong() {
    check(
        "init { skip } $",
        expect![[r#"
        error[promela-character]: this character is not part of Promela
         --> model.pml:1:15
          |
        1 | init { skip } $
          |               ^"#]],
    );
    check(
        r#"init { printf("open) }"#,
        expect![[r#"
        error[promela-character]: this string has no closing quote
         --> model.pml:1:15
          |
        1 | init { printf("open) }
          |               ^^^^^^^^
        error[promela-syntax]: expected `}` to end the body, found the end of the text
         --> model.pml:1:23
          |
        1 | init { printf("open) }
          |      -                ^
          |      |
          |      the body begins here"#]],
    );
    check(
        r#"byte x = 'ab;
init { skip }"#,
        expect![[r#"
    error[promela-character]: this character has no closing quote
     --> model.pml:1:10
      |
    1 | byte x = 'ab;
      |          ^^^^"#]],
    );
    check(
        r#"byte x = 'ab';
init { skip }"#,
        expect![[r#"
    error[promela-character]: expected exactly one character between single quotes
     --> model.pml:1:10
      |
    1 | byte x = 'ab';
      |          ^^^^"#]],
    );
    check(
        r#"byte x = 0x1F;
init { skip }"#,
        expect![[r#"
    error[promela-character]: Promela has only decimal numbers
     --> model.pml:1:10
      |
    1 | byte x = 0x1F;
      |          ^^^^"#]],
    );
    check(
        r#"byte x = 12ab;
init { skip }"#,
        expect![[r#"
    error[promela-character]: this is neither a number nor a name: a name begins with a letter
     --> model.pml:1:10
      |
    1 | byte x = 12ab;
      |          ^^^^"#]],
    );
    check(
        "init { skip /* no end",
        expect![[r#"
        error[promela-character]: this comment is never closed
         --> model.pml:1:13
          |
        1 | init { skip /* no end
          |             ^^
        error[promela-syntax]: expected `}` to end the body, found the end of the text
         --> model.pml:1:22
          |
        1 | init { skip /* no end
          |      -               ^
          |      |
          |      the body begins here"#]],
    );
}

#[test]
fn a_condition_must_not_divide_by_zero() {
    check(
        "#define N 0\n#if 4 / N > 1\n#endif\ninit { skip }",
        expect![[r#"
        error[promela-condition]: division by zero in the condition
         --> model.pml:2:7
          |
        2 | #if 4 / N > 1
          |       ^"#]],
    );
    let decided = ["N && 4 / N", "!N || 4 % N", "N ? 4 / N : 1", "!N ? 1 : 4 / N"];
    for condition in decided {
        check(&format!("#define N 0\n#if {condition}\n#endif\ninit {{ skip }}"), expect!["accepted"]);
    }
}
