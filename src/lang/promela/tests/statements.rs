//! Statements, labels and jumps.

use super::{check, check_tree};
use expect_test::expect;

#[test]
fn choices_and_loops() {
    check_tree(
        r#"byte x;
init {
  if
  :: x == 0 -> x = 1
  :: L: else -> skip
  fi;
  do
  :: x < 3 -> x++
  :: atomic { else -> x = 0; break }
  od;
  if :: x :: else fi
}"#,
        expect![[r#"
            byte x
            init active 1 parameters 0
              if
              ::
                (x == 0)
                x = 1
              :: L: else
                skip
              do
              ::
                (x < 3)
                x = (x + 1)
              ::
                atomic
                  else
                  x = 0
                  break
              if
              ::
                x
              :: else
            warning[promela-label]: label `L` is at the first statement of an option, which has no separate control state
             --> model.pml:5:6
              |
            5 |   :: L: else -> skip
              |      ^
              |
              = help: put it before `if` or `do`; here an end, progress or accept label marks the states after the statement, as in SPIN"#]],
    );
    check_tree(
        r#"byte x; byte a[3]; byte n = 2;
init {
  byte i;
  for (i : 1 .. n) { x = x + i }
  for (i in a) { a[i] = 1; break }
  L: select (i : 1 .. 3);
  select (i : 0 .. n);
  select (i : 0 .. 2 - 1)
}"#,
        expect![[r#"
            byte x
            byte a[3]
            byte n = 2
            init active 1 parameters 0
              byte i
              loop
                (loop) i#0 = 1
                (loop) do
                ::
                  (loop) (i#0 <= n)
                  x = (x + i#0)
                  (loop) i#0 = (i#0 + 1)
                :: else
                  (loop) break
              loop
                (loop) i#0 = 0
                (loop) do
                ::
                  (loop) (i#0 <= 2)
                  a[i#0] = 1
                  break
                  (loop) i#0 = (i#0 + 1)
                :: else
                  (loop) break
              loop
                L: (loop) if
                ::
                  (loop) i#0 = 1
                ::
                  (loop) i#0 = 2
                ::
                  (loop) i#0 = 3
              loop
                (loop) i#0 = 0
                (loop) do
                ::
                  (loop) (i#0 < n)
                  (loop) i#0 = (i#0 + 1)
                ::
                  (loop) break
              loop
                (loop) i#0 = 0
                (loop) do
                ::
                  (loop) (i#0 < (2 - 1))
                  (loop) i#0 = (i#0 + 1)
                ::
                  (loop) break
        "#]],
    );
    check_tree(
        r#"typedef R { byte x; bit y }
chan q = [2] of {R};
init { R r, s; for (r in q) { for (s in q) { skip } }; for (s in q) { skip } }"#,
        expect![[r#"
    typedef R
      byte x
      bit y
    chan q = [2] of {byte, bit}
    init active 1 parameters 0
      R r
      R s
      byte _loop_0
      byte _loop_1
      loop
        (loop) _loop_0#2 = 0
        (loop) do
        ::
          (loop) (_loop_0#2 < len(q))
          (loop) q?r#0.x,r#0.y
          (loop) q!r#0.x,r#0.y
          loop
            (loop) _loop_1#3 = 0
            (loop) do
            ::
              (loop) (_loop_1#3 < len(q))
              (loop) q?s#1.x,s#1.y
              (loop) q!s#1.x,s#1.y
              skip
              (loop) _loop_1#3 = (_loop_1#3 + 1)
            :: else
              (loop) break
          (loop) _loop_0#2 = (_loop_0#2 + 1)
        :: else
          (loop) break
      loop
        (loop) _loop_0#2 = 0
        (loop) do
        ::
          (loop) (_loop_0#2 < len(q))
          (loop) q?s#1.x,s#1.y
          (loop) q!s#1.x,s#1.y
          skip
          (loop) _loop_0#2 = (_loop_0#2 + 1)
        :: else
          (loop) break
"#]],
    );
}

#[test]
fn blocks_and_escapes() {
    check_tree(
        r#"byte x;
init {
  { x = 1 } unless { x == 2 -> L: x = 3 };
  atomic { x++; d_step { x--; M: x = 2; if :: x < 9 -> goto M :: else fi } }
  goto L; end: 
}"#,
        expect![[r#"
    byte x
    init active 1 parameters 0
      unless
        block
          x = 1
        block
          (x == 2)
          L: x = 3
      atomic
        x = (x + 1)
        d_step
          x = (x - 1)
          M: x = 2
          if
          ::
            (x < 9)
            goto M
          :: else
      goto L
      end: skip
"#]],
    );
}

#[test]
fn labels_can_be_several() {
    check_tree(
        "init { A: B: skip; goto A; if :: C: goto B :: goto C fi; accept_here: }",
        expect![[r#"
            init active 1 parameters 0
              A: B: skip
              goto A
              if
              ::
                C: goto B
              ::
                goto C
              accept_here: skip
            warning[promela-label]: label `C` is at the first statement of an option, which has no separate control state
             --> model.pml:1:34
              |
            1 | init { A: B: skip; goto A; if :: C: goto B :: goto C fi; accept_here: }
              |                                  ^
              |
              = help: put it before `if` or `do`; here an end, progress or accept label marks the states after the statement, as in SPIN"#]],
    );
}

#[test]
fn printing() {
    check_tree(
        r#"mtype = {ack}
mtype:c = {red}
init { mtype:c m = red; printf("a\t%d%%%e %u%x%o%c\n", 1, m, 2, 3, 4, 'c'); printm(ack); printf("plain") }"#,
        expect![[r#"
    mtype ack
    mtype:c red
    init active 1 parameters 0
      mtype:c m = 1
      print "a\t" %d(1) "%" %e1(m#0) " " %u(2) %x(3) %o(4) %c(99) "\n"
      print %e0(1)
      print "plain"
"#]],
    );
    check(
        r#"init { printf("%d %d\n", 1); printf("%d\n", 1, 2); printf("%s\n", 1); printf("100%") }"#,
        expect![[r#"
            warning[promela-print]: the format string needs more than the 1 value given
             --> model.pml:1:15
              |
            1 | init { printf("%d %d\n", 1); printf("%d\n", 1, 2); printf("%s\n", 1); printf("100%") }
              |               ^^^^^^^^^
            warning[promela-print]: the format string does not use 1 value of the 2 given
             --> model.pml:1:37
              |
            1 | init { printf("%d %d\n", 1); printf("%d\n", 1, 2); printf("%s\n", 1); printf("100%") }
              |                                     ^^^^^^
            warning[promela-print]: Promela has no conversion `%s`
             --> model.pml:1:59
              |
            1 | init { printf("%d %d\n", 1); printf("%d\n", 1, 2); printf("%s\n", 1); printf("100%") }
              |                                                           ^^^^^^
            warning[promela-print]: Promela has no conversion `%`
             --> model.pml:1:78
              |
            1 | init { printf("%d %d\n", 1); printf("%d\n", 1, 2); printf("%s\n", 1); printf("100%") }
              |                                                                              ^^^^^^"#]],
    );
    check(
        r#"init { printf(1); printf("a" 2) }"#,
        expect![[r#"
        error[promela-syntax]: expected a string, found `1`
         --> model.pml:1:15
          |
        1 | init { printf(1); printf("a" 2) }
          |               ^
        error[promela-syntax]: expected `)`, found `2`
         --> model.pml:1:30
          |
        1 | init { printf(1); printf("a" 2) }
          |                              ^"#]],
    );
}
