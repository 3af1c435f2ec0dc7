//! Inlines.

use super::{check, check_tree};
use expect_test::expect;

#[test]
fn inlines_are_blocks() {
    check_tree(
        r#"byte x;
inline inc(v, by) { v = v + by }
inline twice(v) { inc(v, 1); inc(v, x + 2) }
init { byte y; L: twice(y); inc(x, (x -> 3 : 4)) unless x }"#,
        expect![[r#"
    byte x
    init active 1 parameters 0
      byte y
      L: block
        block
          y#0 = (y#0 + 1)
        block
          y#0 = ((y#0 + x) + 2)
      unless
        block
          x = (x + (x -> 3 : 4))
        x
"#]],
    );
    check_tree(
        r#"inline wait(n) { byte i = n; skip; again: skip; do :: i > 0 -> i-- :: else -> break od; goto again }
init { wait(2); wait(3) }"#,
        expect![[r#"
    init active 1 parameters 0
      byte i
      byte i
      block
        (declared) i#0 = 2
        skip
        again: skip
        do
        ::
          (i#0 > 0)
          i#0 = (i#0 - 1)
        :: else
          break
        goto again
      block
        (declared) i#1 = 3
        skip
        again: skip
        do
        ::
          (i#1 > 0)
          i#1 = (i#1 - 1)
        :: else
          break
        goto again
"#]],
    );
    check_tree(
        r#"inline add(a, b) { byte t = a; return t + b }
init { byte x; x = add(1, 2); skip }"#,
        expect![[r#"
    init active 1 parameters 0
      byte x
      byte t
      block
        (declared) t#1 = 1
        x#0 = (t#1 + 2)
      skip
"#]],
    );
}

#[test]
fn inlines_can_be_wrong() {
    check(
        r#"inline f(a) { f(a) }
init { f(1) }"#,
        expect![[r#"
    error[promela-inline]: inline `f` calls itself
     --> model.pml:1:15
      |
    1 | inline f(a) { f(a) }
      |        -      ^
      |        |
      |        defined here
    2 | init { f(1) }
      |        - in the expansion of `f`"#]],
    );
    check(
        r#"inline f(a) { g(a) }
inline g(b) { f(b) }
init { f(1) }"#,
        expect![[r#"
    error[promela-inline]: inline `f` calls itself
     --> model.pml:2:15
      |
    1 | inline f(a) { g(a) }
      |        -      - in the expansion of `g`
      |        |
      |        defined here
    2 | inline g(b) { f(b) }
      |               ^
    3 | init { f(1) }
      |        - in the expansion of `f`"#]],
    );
    check(
        r#"inline f(a) { skip }
init { f(); f(1, 2) }"#,
        expect![[r#"
    error[promela-arguments]: inline `f` takes 1 argument, not 0
     --> model.pml:2:8
      |
    1 | inline f(a) { skip }
      |        - defined here
    2 | init { f(); f(1, 2) }
      |        ^
    error[promela-arguments]: inline `f` takes 1 argument, not 2
     --> model.pml:2:13
      |
    1 | inline f(a) { skip }
      |        - defined here
    2 | init { f(); f(1, 2) }
      |             ^"#]],
    );
    check(
        r#"inline f(a) { y = a }
init { f(1) }"#,
        expect![[r#"
    error[promela-unknown]: `y` is not declared
     --> model.pml:1:15
      |
    1 | inline f(a) { y = a }
      |               ^
    2 | init { f(1) }
      |        - in the expansion of `f`"#]],
    );
    check(
        r#"byte x;
inline f(a) { a = 1 }
init { x = f(x) + 1; if :: (f(x) > 1) fi }"#,
        expect![[r#"
    error[promela-syntax]: expected an expression, found `+`
     --> model.pml:3:17
      |
    3 | init { x = f(x) + 1; if :: (f(x) > 1) fi }
      |                 ^
    error[promela-inline]: inline `f` is not an expression
     --> model.pml:3:29
      |
    3 | init { x = f(x) + 1; if :: (f(x) > 1) fi }
      |                             ^
      |
      = help: call it as a statement or as `x = f(…)` with `return`, or use a `#define`"#]],
    );
    check(
        r#"inline f(a) { return a }
init { f(1); return 2 }"#,
        expect![[r#"
    error[promela-return]: `return` in an inline that is not called as `x = f(…)`
     --> model.pml:1:15
      |
    1 | inline f(a) { return a }
      |               ^^^^^^
    2 | init { f(1); return 2 }
      |        - in the expansion of `f`
    error[promela-return]: `return` is only allowed in inlines called as `x = f(…)`
     --> model.pml:2:14
      |
    2 | init { f(1); return 2 }
      |              ^^^^^^"#]],
    );
    check(
        r#"inline f(a) { L: skip }
init { f(1) }"#,
        expect![[r#"
    error[promela-label]: label `L` is at the first statement of a block
     --> model.pml:1:15
      |
    1 | inline f(a) { L: skip }
      |               ^
    2 | init { f(1) }
      |        - in the expansion of `f`
      |
      = help: put `skip` before the label, or move the label before the call of the inline"#]],
    );
    check(
        r#"inline f(a) { skip
init { f(1) }"#,
        expect![[r#"
    error[promela-syntax]: the body of inline `f` has no closing brace
     --> model.pml:1:13
      |
    1 | inline f(a) { skip
      |             ^"#]],
    );
    check(
        r#"inline f(a) skip
init { skip }"#,
        expect![[r#"
    error[promela-syntax]: expected `{`, found `skip`
     --> model.pml:1:13
      |
    1 | inline f(a) skip
      |             ^^^^"#]],
    );
    check(
        r#"inline f(a) { skip }
init { f(1 }"#,
        expect![[r#"
    error[promela-syntax]: the call of inline `f` has no closing parenthesis
     --> model.pml:2:8
      |
    2 | init { f(1 }
      |        ^
    error[promela-syntax]: expected `}` to end the body, found the end of the text
     --> model.pml:2:13
      |
    2 | init { f(1 }
      |      -      ^
      |      |
      |      the body begins here"#]],
    );
    check(
        r#"inline f() { }
init { f() }"#,
        expect![[r#"
    error[promela-empty]: the inline is empty
     --> model.pml:1:12
      |
    1 | inline f() { }
      |            ^
    2 | init { f() }
      |        - in the expansion of `f`
      |
      = help: write `skip`"#]],
    );
    check(
        r#"#define BAD y
inline f() { x = BAD }
byte x;
init { f() }"#,
        expect![[r#"
    error[promela-unknown]: `y` is not declared
     --> model.pml:1:13
      |
    1 | #define BAD y
      |             ^
    ...
    4 | init { f() }
      |        - in the expansion of `f`"#]],
    );
}
