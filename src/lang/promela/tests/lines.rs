//! Ends of lines between statements.

use super::{check, check_tree};
use expect_test::expect;

#[test]
fn a_line_end_separates() {
    check_tree(
        r#"byte x
byte y
init {
  byte z
  x = 1
  if
  :: x == 1
    -> y = 2
  :: else
  fi
  x = 1 +
    2
  (x == 2
    && y == 3)
  -> skip
  x = 3
  - y
  for (z : 1 .. 2)
  {
    skip
  }
  do
  :: break
  od
  atomic
  {
    x++
  }
  y++
}"#,
        expect![[r#"
    byte x
    byte y
    init active 1 parameters 0
      byte z
      x = 1
      if
      ::
        (x == 1)
        y = 2
      :: else
      x = (1 + 2)
      ((x == 2) && (y == 3))
      skip
      x = 3
      -y
      loop
        (loop) z#0 = 1
        (loop) do
        ::
          (loop) (z#0 <= 2)
          skip
          (loop) z#0 = (z#0 + 1)
        :: else
          (loop) break
      do
      ::
        break
      atomic
        x = (x + 1)
      y = (y + 1)
"#]],
    );
}

#[test]
fn a_brace_separates() {
    check_tree(
        r#"byte x;
init { { x = 1 } x = 2; atomic { x++ } d_step { x-- } x = 3; ; x = 4;; }"#,
        expect![[r#"
    byte x
    init active 1 parameters 0
      block
        x = 1
      x = 2
      atomic
        x = (x + 1)
      d_step
        x = (x - 1)
      x = 3
      x = 4
"#]],
    );
}

#[test]
fn a_missing_separator_is_an_error() {
    check(
        r#"byte x, y;
init { x = 1 y = 2 }"#,
        expect![[r#"
    error[promela-syntax]: expected `;` between statements, found `y`
     --> model.pml:2:14
      |
    2 | init { x = 1 y = 2 }
      |              ^"#]],
    );
    check(
        r#"byte x;
init { if :: x = 1 fi x = 3 }"#,
        expect![[r#"
    error[promela-syntax]: expected `;` between statements, found `x`
     --> model.pml:2:23
      |
    2 | init { if :: x = 1 fi x = 3 }
      |                       ^"#]],
    );
}

#[test]
fn a_line_that_begins_with_an_operator_is_doubtful() {
    check(
        r#"byte x, y;
init {
  x = 1
    + 2;
  if
  :: x == 2
  && y == 3
  -> skip
  fi
}"#,
        expect![[r#"
    warning[promela-line]: this statement continues with `+` on a new line
     --> model.pml:4:5
      |
    4 |     + 2;
      |     ^
      |
      = help: SPIN ends the statement at the end of the previous line: put the operator there, or use parentheses
    warning[promela-line]: this statement continues with `&&` on a new line
     --> model.pml:7:3
      |
    7 |   && y == 3
      |   ^^
      |
      = help: SPIN ends the statement at the end of the previous line: put the operator there, or use parentheses"#]],
    );
}
