//! Strategies as written and as parsed.

use super::*;
use crate::diag::Sources;
use expect_test::{Expect, expect};

fn read(text: &str) -> Result<StrategyChoice, String> {
    let guide = |name, admissible| Guide { name, brief: "", admissible, monotone: admissible };
    let names = ["trap", "trap-fine", "reach"];
    let guides: Vec<Guide> = [guide("ta", true), guide("dend", true)]
        .into_iter()
        .chain(names.map(|it| guide(it, false)))
        .collect();
    let mut sources = Sources::default();
    let source = sources.add("--strategy", text);
    parse(source, &sources, &guides).map_err(|fault| fault.render(&sources, false).to_string())
}

/// Prints a strategy, and its fallback without a trap if that differs.
#[track_caller]
fn check(text: &str, expected: Expect) {
    let shown = match read(text) {
        Err(fault) => fault,
        Ok(choice) => {
            let (with, without) = (choice.resolve(true).to_string(), choice.resolve(false).to_string());
            assert_eq!(read(&with).map(|again| again.resolve(true).to_string()), Ok(with.clone()), "{text}");
            if with == without { with } else { format!("{with}, without a trap {without}") }
        }
    };
    expected.assert_eq(&shown);
}

#[test]
fn a_queue_may_be_given_up_after_some_turns() {
    check("bf(ta)|bf(trap,turns=5)+bfs", expect!["bf(ta) | bf(trap, turns=5) + bfs"]);
    check(
        "bf(trap, turns=5)",
        expect![[r#"
        error[strategy]: every queue of this stage ends after its `turns`
         --> --strategy:1:1
          |
        1 | bf(trap, turns=5)
          | ^^^^^^^^^^^^^^^^^
          |
          = help: add a queue without `turns`: `bf(a) | bf(b, turns=10000)`"#]],
    );
    check(
        "bf(ta) / bf(ta, turns=5) | bf(trap, turns=7)",
        expect![[r#"
        error[strategy]: every queue of this stage ends after its `turns`
         --> --strategy:1:10
          |
        1 | bf(ta) / bf(ta, turns=5) | bf(trap, turns=7)
          |          ^^^^^^^^^^^^^^^
          |
          = help: add a queue without `turns`: `bf(a) | bf(b, turns=10000)`"#]],
    );
    check(
        "bf(ta) | bfs + bf(trap, turns=5)",
        expect![[r#"
        error[strategy]: `turns` is only allowed in the first rule of a queue
         --> --strategy:1:16
          |
        1 | bf(ta) | bfs + bf(trap, turns=5)
          |                ^^^^^^^^^^^^^^^^^
          |
          = help: move it to the first rule: it applies to the whole queue"#]],
    );
    check(
        "bf(ta) | bf(trap, turns=0)",
        expect![[r#"
        error[strategy]: `0` is not a valid number of turns
         --> --strategy:1:25
          |
        1 | bf(ta) | bf(trap, turns=0)
          |                         ^
          |
          = help: write a number from 1 to 4294967295"#]],
    );
    check(
        "bf(ta) | bf(trap, turns=many)",
        expect![[r#"
        error[strategy]: `many` is not a valid number of turns
         --> --strategy:1:25
          |
        1 | bf(ta) | bf(trap, turns=many)
          |                         ^^^^
          |
          = help: write a number from 1 to 4294967295"#]],
    );
    check(
        "bf(ta) | wa(trap, turns=5)",
        expect![[r#"
        error[strategy]: unknown option `turns`
         --> --strategy:1:19
          |
        1 | bf(ta) | wa(trap, turns=5)
          |                   ^^^^^
          |
          = help: the options are w, g"#]],
    );
}

#[test]
fn a_queue_may_take_over_after_some_turns() {
    check("bf(ta)|bfs(after=5)", expect!["bf(ta) | bfs(after=5)"]);
    check(
        "bf(ta) | bf(trap, turns=7) | bfs( after = 5 ) / bf(ta) | bfs(after=9)",
        expect![
            "bf(ta) | bf(trap, turns=7) | bfs(after=5) / bf(ta) | bfs(after=9), without a trap wa(ta, w=2)"
        ],
    );
    check(
        "bfs(after=5)",
        expect![[r#"
        error[strategy]: `bfs(after=N)` has no other queue to replace
         --> --strategy:1:1
          |
        1 | bfs(after=5)
          | ^^^^^^^^^^^^
          |
          = help: add a queue without `turns`: `bf(a) | bfs(after=1000000)`"#]],
    );
    check(
        "bf(ta, turns=5) | bfs(after=5)",
        expect![[r#"
        error[strategy]: `bfs(after=N)` has no other queue to replace
         --> --strategy:1:19
          |
        1 | bf(ta, turns=5) | bfs(after=5)
          |                   ^^^^^^^^^^^^
          |
          = help: add a queue without `turns`: `bf(a) | bfs(after=1000000)`"#]],
    );
    check(
        "bfs(after=5) | bfs(after=6)",
        expect![[r#"
        error[strategy]: `bfs(after=N)` has no other queue to replace
         --> --strategy:1:1
          |
        1 | bfs(after=5) | bfs(after=6)
          | ^^^^^^^^^^^^
          |
          = help: add a queue without `turns`: `bf(a) | bfs(after=1000000)`"#]],
    );
    check(
        "bf(ta) | bfs(after=5) | bfs(after=6)",
        expect![[r#"
        error[strategy]: this stage has two queues `bfs(after=N)`
         --> --strategy:1:25
          |
        1 | bf(ta) | bfs(after=5) | bfs(after=6)
          |                         ^^^^^^^^^^^^
          |
          = help: remove one of them"#]],
    );
    check(
        "bf(ta) + bfs(after=5)",
        expect![[r#"
        error[strategy]: `bfs(after=N)` cannot be combined with other rules in its queue
         --> --strategy:1:10
          |
        1 | bf(ta) + bfs(after=5)
          |          ^^^^^^^^^^^^
          |
          = help: write `bfs` here, or use a separate queue: `bf(a) | bfs(after=N)`"#]],
    );
    check(
        "bf(ta) | bfs(after=5) + bf(ta)",
        expect![[r#"
        error[strategy]: `bfs(after=N)` cannot be combined with other rules in its queue
         --> --strategy:1:10
          |
        1 | bf(ta) | bfs(after=5) + bf(ta)
          |          ^^^^^^^^^^^^
          |
          = help: write `bfs` here, or use a separate queue: `bf(a) | bfs(after=N)`"#]],
    );
    check(
        "bf(ta) | bfs(after=0)",
        expect![[r#"
        error[strategy]: `0` is not a valid number of turns
         --> --strategy:1:20
          |
        1 | bf(ta) | bfs(after=0)
          |                    ^
          |
          = help: write a number from 1 to 4294967295"#]],
    );
    check(
        "bf(ta) | bfs(after)",
        expect![[r#"
        error[strategy]: `bfs` takes no heuristic
         --> --strategy:1:14
          |
        1 | bf(ta) | bfs(after)
          |              ^^^^^
          |
          = help: an option needs a value, such as `after=2`"#]],
    );
    check(
        "bf(ta) | bfs(aftr=5)",
        expect![[r#"
        error[strategy]: unknown option `aftr`
         --> --strategy:1:14
          |
        1 | bf(ta) | bfs(aftr=5)
          |              ^^^^
          |
          = help: did you mean `after`?"#]],
    );
    check(
        "bf(ta) | dfs(after=5)",
        expect![[r#"
            error[strategy]: unknown option `after`
             --> --strategy:1:14
              |
            1 | bf(ta) | dfs(after=5)
              |              ^^^^^
              |
              = help: the options are depth, shorten"#]],
    );
    check(
        "astar(ta) | bfs(after=5)",
        expect![[r#"
        error[strategy]: `astar` needs one stage and one queue
         --> --strategy:1:1
          |
        1 | astar(ta) | bfs(after=5)
          | ^^^^^^^^^
          |
          = help: it guarantees the shortest path only alone; use `wa(H, w=1)` instead"#]],
    );
}

#[test]
fn strategies_are_shown_in_one_form() {
    check("bfs", expect!["bfs"]);
    check(" bfs ", expect!["bfs"]);
    check("\tdfs\n", expect!["dfs"]);
    check("propagate", expect!["propagate"]);
    check("bf(ta)", expect!["bf(ta)"]);
    check("bf( ta )", expect!["bf(ta)"]);
    check("astar(dend)", expect!["astar(dend)"]);
    check("wa(ta)", expect!["wa(ta, w=1)"]);
    check("wa(ta,w=2)", expect!["wa(ta, w=2)"]);
    check("wa(ta, w=2, g=first)", expect!["wa(ta, w=2)"]);
    check("wa(ta, g=best, w=2)", expect!["wa(ta, w=2, g=best)"]);
    check("wa(w=3, ta)", expect!["wa(ta, w=3)"]);
    check("wa(ta, w=0)", expect!["wa(ta, w=0)"]);
    check("wa(ta, w=0.5)", expect!["wa(ta, w=0.5)"]);
    check("wa(ta, w=1.25)", expect!["wa(ta, w=1.25)"]);
    check("wa(ta, w=2.0)", expect!["wa(ta, w=2)"]);
    check("wa(ta, w=1000)", expect!["wa(ta, w=1000)"]);
    check("dfs(depth=12)", expect!["dfs(depth=12)"]);
    check(
        "bf(trap)+wa(ta,w=1)/bf(ta)",
        expect!["bf(trap) + wa(ta, w=1) / bf(ta), without a trap wa(ta, w=2)"],
    );
    check("bf(trap-fine)|bfs|dfs", expect!["bf(trap-fine) | bfs | dfs"]);
    check(
        "bf(trap) + bf(ta) + dfs | bfs / dfs | bf(ta)",
        expect!["bf(trap) + bf(ta) + dfs | bfs / dfs | bf(ta), without a trap wa(ta, w=2)"],
    );
    check("astar(ta) + bf(trap) + dfs", expect!["astar(ta) + bf(trap) + dfs"]);
}

#[test]
fn presets() {
    check(
        "auto",
        expect![
            "bf(reach) + wa(ta, w=1) | bf(trap, turns=10000) + wa(ta, w=1) | bfs(after=4000000) / bf(ta), without a trap wa(ta, w=2)"
        ],
    );
    check("two-stage", expect!["bf(trap) + wa(ta, w=1) / bf(ta), without a trap wa(ta, w=2)"]);
    check("quick", expect!["bf(reach) + wa(ta, w=1) + dfs / bf(ta) + dfs, without a trap bf(ta)"]);
    check("short", expect!["astar(ta)"]);
    check(
        " auto ",
        expect![
            "bf(reach) + wa(ta, w=1) | bf(trap, turns=10000) + wa(ta, w=1) | bfs(after=4000000) / bf(ta), without a trap wa(ta, w=2)"
        ],
    );
}

#[test]
fn nothing_is_no_strategy() {
    check(
        "",
        expect![[r#"
            error[strategy]: expected a rule, found the end
             --> --strategy:1:1
              |
            1 |
              | ^
              |
              = help: the rules are bfs, mixed, dfs, astar, wa, bf, ida, propagate"#]],
    );
    check(
        "   ",
        expect![[r#"
            error[strategy]: expected a rule, found the end
             --> --strategy:1:4
              |
            1 |    
              |    ^
              |
              = help: the rules are bfs, mixed, dfs, astar, wa, bf, ida, propagate"#]],
    );
    check(
        "\n",
        expect![[r#"
            error[strategy]: expected a rule, found the end
             --> --strategy:1:2
              |
            1 |
              | ^
              |
              = help: the rules are bfs, mixed, dfs, astar, wa, bf, ida, propagate"#]],
    );
}

#[test]
fn unknown_rules() {
    check(
        "bsf",
        expect![[r#"
        error[strategy]: unknown rule `bsf`
         --> --strategy:1:1
          |
        1 | bsf
          | ^^^
          |
          = help: did you mean `bfs`?"#]],
    );
    check(
        "BFS",
        expect![[r#"
        error[strategy]: unknown rule `BFS`
         --> --strategy:1:1
          |
        1 | BFS
          | ^^^
          |
          = help: did you mean `bfs`?"#]],
    );
    check(
        "best(ta)",
        expect![[r#"
        error[strategy]: unknown rule `best`
         --> --strategy:1:1
          |
        1 | best(ta)
          | ^^^^
          |
          = help: `trapline strategies` lists all rules and presets"#]],
    );
    check(
        "xyzzy",
        expect![[r#"
        error[strategy]: unknown rule `xyzzy`
         --> --strategy:1:1
          |
        1 | xyzzy
          | ^^^^^
          |
          = help: `trapline strategies` lists all rules and presets"#]],
    );
    check(
        "ta",
        expect![[r#"
        error[strategy]: unknown rule `ta`
         --> --strategy:1:1
          |
        1 | ta
          | ^^
          |
          = help: `ta` is a heuristic: write `bf(ta)` or `wa(ta, w=1)`"#]],
    );
    check(
        "trap-fine",
        expect![[r#"
        error[strategy]: unknown rule `trap-fine`
         --> --strategy:1:1
          |
        1 | trap-fine
          | ^^^^^^^^^
          |
          = help: `trap-fine` is a heuristic: write `bf(trap-fine)` or `wa(trap-fine, w=1)`"#]],
    );
    check(
        "depth(3)",
        expect![[r#"
        error[strategy]: unknown rule `depth`
         --> --strategy:1:1
          |
        1 | depth(3)
          | ^^^^^
          |
          = help: `trapline strategies` lists all rules and presets"#]],
    );
    check(
        "a*",
        expect![[r#"
            error[strategy]: unknown rule `a*`
             --> --strategy:1:1
              |
            1 | a*
              | ^^
              |
              = help: did you mean `astar`?"#]],
    );
    check(
        "wastar(ta)",
        expect![[r#"
        error[strategy]: unknown rule `wastar`
         --> --strategy:1:1
          |
        1 | wastar(ta)
          | ^^^^^^
          |
          = help: did you mean `astar`?"#]],
    );
}

#[test]
fn rules_are_joined_by_operators() {
    check(
        "bfs dfs",
        expect![[r#"
        error[strategy]: expected an operator or the end, found `dfs`
         --> --strategy:1:5
          |
        1 | bfs dfs
          |     ^^^
          |
          = help: join rules with `+`, queues with `|` and stages with `/`"#]],
    );
    check(
        "bf(ta) bf(trap)",
        expect![[r#"
        error[strategy]: expected an operator or the end, found `bf`
         --> --strategy:1:8
          |
        1 | bf(ta) bf(trap)
          |        ^^
          |
          = help: join rules with `+`, queues with `|` and stages with `/`"#]],
    );
    check(
        "bfs, dfs",
        expect![[r#"
        error[strategy]: expected an operator or the end, found `,`
         --> --strategy:1:4
          |
        1 | bfs, dfs
          |    ^
          |
          = help: join rules with `+`, queues with `|` and stages with `/`"#]],
    );
    check(
        "bfs)",
        expect![[r#"
        error[strategy]: expected an operator or the end, found `)`
         --> --strategy:1:4
          |
        1 | bfs)
          |    ^
          |
          = help: join rules with `+`, queues with `|` and stages with `/`"#]],
    );
    check(
        "bfs & dfs",
        expect![[r#"
        error[strategy]: expected an operator or the end, found `&`
         --> --strategy:1:5
          |
        1 | bfs & dfs
          |     ^
          |
          = help: join rules with `+`, queues with `|` and stages with `/`"#]],
    );
    check(
        "bfs ; dfs",
        expect![[r#"
        error[strategy]: expected an operator or the end, found `;`
         --> --strategy:1:5
          |
        1 | bfs ; dfs
          |     ^
          |
          = help: join rules with `+`, queues with `|` and stages with `/`"#]],
    );
    check(
        "bfs > dfs",
        expect![[r#"
        error[strategy]: expected an operator or the end, found `>`
         --> --strategy:1:5
          |
        1 | bfs > dfs
          |     ^
          |
          = help: join rules with `+`, queues with `|` and stages with `/`"#]],
    );
}

#[test]
fn something_is_missing_beside_an_operator() {
    check(
        "bfs +",
        expect![[r#"
            error[strategy]: expected a rule, found the end
             --> --strategy:1:6
              |
            1 | bfs +
              |      ^
              |
              = help: the rules are bfs, mixed, dfs, astar, wa, bf, ida, propagate"#]],
    );
    check(
        "bfs |",
        expect![[r#"
            error[strategy]: expected a rule, found the end
             --> --strategy:1:6
              |
            1 | bfs |
              |      ^
              |
              = help: the rules are bfs, mixed, dfs, astar, wa, bf, ida, propagate"#]],
    );
    check(
        "bfs /",
        expect![[r#"
            error[strategy]: expected a rule, found the end
             --> --strategy:1:6
              |
            1 | bfs /
              |      ^
              |
              = help: the rules are bfs, mixed, dfs, astar, wa, bf, ida, propagate"#]],
    );
    check(
        "+ bfs",
        expect![[r#"
            error[strategy]: expected a rule, found `+`
             --> --strategy:1:1
              |
            1 | + bfs
              | ^
              |
              = help: the rules are bfs, mixed, dfs, astar, wa, bf, ida, propagate"#]],
    );
    check(
        "/ dfs",
        expect![[r#"
            error[strategy]: expected a rule, found `/`
             --> --strategy:1:1
              |
            1 | / dfs
              | ^
              |
              = help: the rules are bfs, mixed, dfs, astar, wa, bf, ida, propagate"#]],
    );
    check(
        "bfs + + dfs",
        expect![[r#"
            error[strategy]: expected a rule, found `+`
             --> --strategy:1:7
              |
            1 | bfs + + dfs
              |       ^
              |
              = help: the rules are bfs, mixed, dfs, astar, wa, bf, ida, propagate"#]],
    );
    check(
        "bfs || dfs",
        expect![[r#"
            error[strategy]: expected a rule, found `|`
             --> --strategy:1:6
              |
            1 | bfs || dfs
              |      ^
              |
              = help: the rules are bfs, mixed, dfs, astar, wa, bf, ida, propagate"#]],
    );
    check(
        "bfs // dfs",
        expect![[r#"
            error[strategy]: expected a rule, found `/`
             --> --strategy:1:6
              |
            1 | bfs // dfs
              |      ^
              |
              = help: the rules are bfs, mixed, dfs, astar, wa, bf, ida, propagate"#]],
    );
}

#[test]
fn parentheses() {
    check(
        "bf(ta",
        expect![[r#"
            error[strategy]: expected `,` or `)`, found the end
             --> --strategy:1:6
              |
            1 | bf(ta
              |      ^
              |
              = help: close the parenthesis with `)`"#]],
    );
    check(
        "bf(",
        expect![[r#"
        error[strategy]: expected a heuristic or `key=value`, found the end
         --> --strategy:1:4
          |
        1 | bf(
          |    ^
          |
          = help: write, for example, `wa(ta, w=2)`"#]],
    );
    check(
        "bf()",
        expect![[r#"
            error[strategy]: `bf` needs a heuristic
             --> --strategy:1:1
              |
            1 | bf()
              | ^^
              |
              = help: write `bf(ta)`"#]],
    );
    check(
        "bf ta)",
        expect![[r#"
        error[strategy]: `bf` needs a heuristic
         --> --strategy:1:1
          |
        1 | bf ta)
          | ^^
          |
          = help: write `bf(ta)`"#]],
    );
    check("dfs()", expect!["dfs"]);
    check(
        "bf((ta))",
        expect![[r#"
        error[strategy]: expected a heuristic or `key=value`, found `(`
         --> --strategy:1:4
          |
        1 | bf((ta))
          |    ^
          |
          = help: write, for example, `wa(ta, w=2)`"#]],
    );
    check(
        "wa(ta w=2)",
        expect![[r#"
        error[strategy]: expected `,` or `)`, found `w`
         --> --strategy:1:7
          |
        1 | wa(ta w=2)
          |       ^
          |
          = help: separate arguments by commas"#]],
    );
    check(
        "wa(ta, w=2",
        expect![[r#"
            error[strategy]: expected `,` or `)`, found the end
             --> --strategy:1:11
              |
            1 | wa(ta, w=2
              |           ^
              |
              = help: close the parenthesis with `)`"#]],
    );
    check(
        "wa(ta,)",
        expect![[r#"
        error[strategy]: expected a heuristic or `key=value`, found `)`
         --> --strategy:1:7
          |
        1 | wa(ta,)
          |       ^
          |
          = help: write, for example, `wa(ta, w=2)`"#]],
    );
    check(
        "wa(,ta)",
        expect![[r#"
        error[strategy]: expected a heuristic or `key=value`, found `,`
         --> --strategy:1:4
          |
        1 | wa(,ta)
          |    ^
          |
          = help: write, for example, `wa(ta, w=2)`"#]],
    );
    check(
        "bf[ta]",
        expect![[r#"
        error[strategy]: `bf` needs a heuristic
         --> --strategy:1:1
          |
        1 | bf[ta]
          | ^^
          |
          = help: write `bf(ta)`"#]],
    );
}

#[test]
fn heuristics() {
    check(
        "bf",
        expect![[r#"
        error[strategy]: `bf` needs a heuristic
         --> --strategy:1:1
          |
        1 | bf
          | ^^
          |
          = help: write `bf(ta)`"#]],
    );
    check(
        "astar",
        expect![[r#"
        error[strategy]: `astar` needs a heuristic
         --> --strategy:1:1
          |
        1 | astar
          | ^^^^^
          |
          = help: write `astar(ta)`"#]],
    );
    check(
        "wa",
        expect![[r#"
        error[strategy]: `wa` needs a heuristic
         --> --strategy:1:1
          |
        1 | wa
          | ^^
          |
          = help: write `wa(ta)`"#]],
    );
    check(
        "bf(tap)",
        expect![[r#"
        error[strategy]: unknown heuristic `tap`
         --> --strategy:1:4
          |
        1 | bf(tap)
          |    ^^^
          |
          = help: did you mean `ta`?"#]],
    );
    check(
        "bf(tarp)",
        expect![[r#"
        error[strategy]: unknown heuristic `tarp`
         --> --strategy:1:4
          |
        1 | bf(tarp)
          |    ^^^^
          |
          = help: did you mean `trap`?"#]],
    );
    check(
        "bf(zzz)",
        expect![[r#"
            error[strategy]: unknown heuristic `zzz`
             --> --strategy:1:4
              |
            1 | bf(zzz)
              |    ^^^
              |
              = help: the heuristics are ta, dend, trap, trap-fine, reach"#]],
    );
    check(
        "bf(bfs)",
        expect![[r#"
            error[strategy]: unknown heuristic `bfs`
             --> --strategy:1:4
              |
            1 | bf(bfs)
              |    ^^^
              |
              = help: the heuristics are ta, dend, trap, trap-fine, reach"#]],
    );
    check(
        "wa(w=2)",
        expect![[r#"
        error[strategy]: `wa` needs a heuristic
         --> --strategy:1:1
          |
        1 | wa(w=2)
          | ^^
          |
          = help: write `wa(ta)`"#]],
    );
    check(
        "bf(ta, trap)",
        expect![[r#"
        error[strategy]: a rule takes only one heuristic
         --> --strategy:1:8
          |
        1 | bf(ta, trap)
          |        ^^^^
          |
          = help: join two rules with `+`: `bf(a) + bf(b)`"#]],
    );
    check(
        "bfs(ta)",
        expect![[r#"
        error[strategy]: `bfs` takes no heuristic
         --> --strategy:1:5
          |
        1 | bfs(ta)
          |     ^^
          |
          = help: to use a heuristic, write `bf(ta)` or `wa(ta, w=1)`"#]],
    );
    check(
        "propagate(ta)",
        expect![[r#"
        error[strategy]: `propagate` takes no heuristic
         --> --strategy:1:11
          |
        1 | propagate(ta)
          |           ^^
          |
          = help: to use a heuristic, write `bf(ta)` or `wa(ta, w=1)`"#]],
    );
    check(
        "dfs(ta)",
        expect![[r#"
        error[strategy]: `dfs` takes no heuristic
         --> --strategy:1:5
          |
        1 | dfs(ta)
          |     ^^
          |
          = help: to use a heuristic, write `bf(ta)` or `wa(ta, w=1)`"#]],
    );
    check(
        "bf(3)",
        expect![[r#"
        error[strategy]: expected a heuristic or `key=value`, found `3`
         --> --strategy:1:4
          |
        1 | bf(3)
          |    ^
          |
          = help: write, for example, `wa(ta, w=2)`"#]],
    );
}

#[test]
fn options() {
    check(
        "wa(ta, w=2, w=3)",
        expect![[r#"
        error[strategy]: `w` is given twice
         --> --strategy:1:13
          |
        1 | wa(ta, w=2, w=3)
          |             ^
          |
          = help: remove one of them"#]],
    );
    check(
        "wa(ta, g=best, w=1, g=first)",
        expect![[r#"
        error[strategy]: `g` is given twice
         --> --strategy:1:21
          |
        1 | wa(ta, g=best, w=1, g=first)
          |                     ^
          |
          = help: remove one of them"#]],
    );
    check(
        "bf(ta, w=2)",
        expect![[r#"
            error[strategy]: unknown option `w`
             --> --strategy:1:8
              |
            1 | bf(ta, w=2)
              |        ^
              |
              = help: the options are turns"#]],
    );
    check(
        "astar(ta, w=2)",
        expect![[r#"
        error[strategy]: unknown option `w`
         --> --strategy:1:11
          |
        1 | astar(ta, w=2)
          |           ^
          |
          = help: this rule has no options"#]],
    );
    check(
        "wa(ta, v=2)",
        expect![[r#"
        error[strategy]: unknown option `v`
         --> --strategy:1:8
          |
        1 | wa(ta, v=2)
          |        ^
          |
          = help: the options are w, g"#]],
    );
    check(
        "wa(ta, weight=2)",
        expect![[r#"
        error[strategy]: unknown option `weight`
         --> --strategy:1:8
          |
        1 | wa(ta, weight=2)
          |        ^^^^^^
          |
          = help: the options are w, g"#]],
    );
    check(
        "wa(ta, W=2)",
        expect![[r#"
        error[strategy]: unknown option `W`
         --> --strategy:1:8
          |
        1 | wa(ta, W=2)
          |        ^
          |
          = help: did you mean `w`?"#]],
    );
    check("dfs(shorten=exact)", expect!["dfs(shorten=exact)"]);
    check("dfs( shorten = quick )", expect!["dfs(shorten=quick)"]);
    check(
        "dfs(shorten=fast)",
        expect![[r#"
        error[strategy]: `fast` is not a value of `shorten`
         --> --strategy:1:13
          |
        1 | dfs(shorten=fast)
          |             ^^^^
          |
          = help: write `shorten=exact` or `shorten=quick`"#]],
    );
    check(
        "dfs(depth=3, shorten=quick)",
        expect![[r#"
        error[strategy]: `shorten` and `depth` cannot be used together
         --> --strategy:1:22
          |
        1 | dfs(depth=3, shorten=quick)
          |                      ^^^^^
          |
          = help: remove one of them: `shorten` sets the depth automatically"#]],
    );
    check(
        "bfs + dfs(shorten=quick)",
        expect![[r#"
        error[strategy]: `shorten` cannot be combined with other rules
         --> --strategy:1:7
          |
        1 | bfs + dfs(shorten=quick)
          |       ^^^^^^^^^^^^^^^^^^
          |
          = help: write `dfs` without `shorten`"#]],
    );
    check(
        "dfs(deep=3)",
        expect![[r#"
            error[strategy]: unknown option `deep`
             --> --strategy:1:5
              |
            1 | dfs(deep=3)
              |     ^^^^
              |
              = help: the options are depth, shorten"#]],
    );
    check(
        "dfs(dept=3)",
        expect![[r#"
        error[strategy]: unknown option `dept`
         --> --strategy:1:5
          |
        1 | dfs(dept=3)
          |     ^^^^
          |
          = help: did you mean `depth`?"#]],
    );
    check(
        "bfs(depth=3)",
        expect![[r#"
            error[strategy]: unknown option `depth`
             --> --strategy:1:5
              |
            1 | bfs(depth=3)
              |     ^^^^^
              |
              = help: the options are after"#]],
    );
    check(
        "wa(ta, w)",
        expect![[r#"
            error[strategy]: expected `=`, found `)`
             --> --strategy:1:9
              |
            1 | wa(ta, w)
              |         ^
              |
              = help: an option needs a value, such as `w=2`"#]],
    );
    check(
        "wa(ta, w=)",
        expect![[r#"
        error[strategy]: expected a value, found `)`
         --> --strategy:1:10
          |
        1 | wa(ta, w=)
          |          ^
          |
          = help: write a value, such as `w=2`"#]],
    );
    check(
        "wa(ta, w==2)",
        expect![[r#"
        error[strategy]: expected a value, found `=`
         --> --strategy:1:10
          |
        1 | wa(ta, w==2)
          |          ^
          |
          = help: write a value, such as `w=2`"#]],
    );
    check(
        "wa(ta, =2)",
        expect![[r#"
        error[strategy]: expected a heuristic or `key=value`, found `=`
         --> --strategy:1:8
          |
        1 | wa(ta, =2)
          |        ^
          |
          = help: write, for example, `wa(ta, w=2)`"#]],
    );
    check(
        "wa(ta, g=worst)",
        expect![[r#"
        error[strategy]: `worst` is not a value of `g`
         --> --strategy:1:10
          |
        1 | wa(ta, g=worst)
          |          ^^^^^
          |
          = help: write `g=first` or `g=best`"#]],
    );
    check(
        "wa(ta, g=2)",
        expect![[r#"
        error[strategy]: `2` is not a value of `g`
         --> --strategy:1:10
          |
        1 | wa(ta, g=2)
          |          ^
          |
          = help: write `g=first` or `g=best`"#]],
    );
}

#[test]
fn weights() {
    check(
        "wa(ta, w=-1)",
        expect![[r#"
        error[strategy]: `-1` is not a valid weight
         --> --strategy:1:10
          |
        1 | wa(ta, w=-1)
          |          ^^
          |
          = help: write a number from 0 to 1000 with at most two decimals"#]],
    );
    check(
        "wa(ta, w=two)",
        expect![[r#"
        error[strategy]: `two` is not a valid weight
         --> --strategy:1:10
          |
        1 | wa(ta, w=two)
          |          ^^^
          |
          = help: write a number from 0 to 1000 with at most two decimals"#]],
    );
    check(
        "wa(ta, w=1.234)",
        expect![[r#"
        error[strategy]: `1.234` is not a valid weight
         --> --strategy:1:10
          |
        1 | wa(ta, w=1.234)
          |          ^^^^^
          |
          = help: write a number from 0 to 1000 with at most two decimals"#]],
    );
    check(
        "wa(ta, w=1000.01)",
        expect![[r#"
        error[strategy]: `1000.01` is not a valid weight
         --> --strategy:1:10
          |
        1 | wa(ta, w=1000.01)
          |          ^^^^^^^
          |
          = help: write a number from 0 to 1000 with at most two decimals"#]],
    );
    check(
        "wa(ta, w=10000)",
        expect![[r#"
        error[strategy]: `10000` is not a valid weight
         --> --strategy:1:10
          |
        1 | wa(ta, w=10000)
          |          ^^^^^
          |
          = help: write a number from 0 to 1000 with at most two decimals"#]],
    );
    check(
        "wa(ta, w=99999999999999999999)",
        expect![[r#"
        error[strategy]: `99999999999999999999` is not a valid weight
         --> --strategy:1:10
          |
        1 | wa(ta, w=99999999999999999999)
          |          ^^^^^^^^^^^^^^^^^^^^
          |
          = help: write a number from 0 to 1000 with at most two decimals"#]],
    );
    check(
        "wa(ta, w=1e3)",
        expect![[r#"
        error[strategy]: `1e3` is not a valid weight
         --> --strategy:1:10
          |
        1 | wa(ta, w=1e3)
          |          ^^^
          |
          = help: write a number from 0 to 1000 with at most two decimals"#]],
    );
    check(
        "wa(ta, w=.5)",
        expect![[r#"
        error[strategy]: expected a value, found `.`
         --> --strategy:1:10
          |
        1 | wa(ta, w=.5)
          |          ^
          |
          = help: write a value, such as `w=2`"#]],
    );
    check("wa(ta, w=1.)", expect!["wa(ta, w=1)"]);
    check(
        "wa(ta, w=1.2.3)",
        expect![[r#"
        error[strategy]: `1.2.3` is not a valid weight
         --> --strategy:1:10
          |
        1 | wa(ta, w=1.2.3)
          |          ^^^^^
          |
          = help: write a number from 0 to 1000 with at most two decimals"#]],
    );
    check(
        "wa(ta, w=+1)",
        expect![[r#"
        error[strategy]: expected a value, found `+`
         --> --strategy:1:10
          |
        1 | wa(ta, w=+1)
          |          ^
          |
          = help: write a value, such as `w=2`"#]],
    );
    check(
        "wa(ta, w=1/2)",
        expect![[r#"
        error[strategy]: expected `,` or `)`, found `/`
         --> --strategy:1:11
          |
        1 | wa(ta, w=1/2)
          |           ^
          |
          = help: separate arguments by commas"#]],
    );
}

#[test]
fn depths() {
    check(
        "dfs(depth=0)",
        expect![[r#"
            error[strategy]: `0` is not a valid depth
             --> --strategy:1:11
              |
            1 | dfs(depth=0)
              |           ^
              |
              = help: write a number of steps from 1 to 4294967295"#]],
    );
    check(
        "dfs(depth=-3)",
        expect![[r#"
            error[strategy]: `-3` is not a valid depth
             --> --strategy:1:11
              |
            1 | dfs(depth=-3)
              |           ^^
              |
              = help: write a number of steps from 1 to 4294967295"#]],
    );
    check(
        "dfs(depth=1.5)",
        expect![[r#"
            error[strategy]: `1.5` is not a valid depth
             --> --strategy:1:11
              |
            1 | dfs(depth=1.5)
              |           ^^^
              |
              = help: write a number of steps from 1 to 4294967295"#]],
    );
    check(
        "dfs(depth=4294967296)",
        expect![[r#"
            error[strategy]: `4294967296` is not a valid depth
             --> --strategy:1:11
              |
            1 | dfs(depth=4294967296)
              |           ^^^^^^^^^^
              |
              = help: write a number of steps from 1 to 4294967295"#]],
    );
    check(
        "dfs(depth=many)",
        expect![[r#"
            error[strategy]: `many` is not a valid depth
             --> --strategy:1:11
              |
            1 | dfs(depth=many)
              |           ^^^^
              |
              = help: write a number of steps from 1 to 4294967295"#]],
    );
}

#[test]
fn stages_and_places() {
    check(
        "bfs / bfs / bfs",
        expect![[r#"
        error[strategy]: a strategy has at most two stages
         --> --strategy:1:11
          |
        1 | bfs / bfs / bfs
          |           ^
          |
          = help: write at most one `/`"#]],
    );
    check(
        "bf(trap) / bf(ta) / dfs",
        expect![[r#"
        error[strategy]: a strategy has at most two stages
         --> --strategy:1:19
          |
        1 | bf(trap) / bf(ta) / dfs
          |                   ^
          |
          = help: write at most one `/`"#]],
    );
    check(
        "dfs + bfs",
        expect![[r#"
        error[strategy]: a rule after `dfs` has no effect
         --> --strategy:1:1
          |
        1 | dfs + bfs
          | ^^^
          |
          = help: `dfs` leaves no ties: put it last"#]],
    );
    check(
        "bf(ta) + dfs + bf(trap)",
        expect![[r#"
        error[strategy]: a rule after `dfs` has no effect
         --> --strategy:1:10
          |
        1 | bf(ta) + dfs + bf(trap)
          |          ^^^
          |
          = help: `dfs` leaves no ties: put it last"#]],
    );
    check(
        "bfs | dfs + bf(ta)",
        expect![[r#"
        error[strategy]: a rule after `dfs` has no effect
         --> --strategy:1:7
          |
        1 | bfs | dfs + bf(ta)
          |       ^^^
          |
          = help: `dfs` leaves no ties: put it last"#]],
    );
    check(
        "bf(trap) + astar(ta)",
        expect![[r#"
        error[strategy]: `astar` can only come first
         --> --strategy:1:12
          |
        1 | bf(trap) + astar(ta)
          |            ^^^^^^^^^
          |
          = help: write `wa(H, w=1, g=best)` to break ties by path length and estimate"#]],
    );
    check(
        "astar(ta) | bfs",
        expect![[r#"
        error[strategy]: `astar` needs one stage and one queue
         --> --strategy:1:1
          |
        1 | astar(ta) | bfs
          | ^^^^^^^^^
          |
          = help: it guarantees the shortest path only alone; use `wa(H, w=1)` instead"#]],
    );
    check(
        "bfs | astar(ta)",
        expect![[r#"
        error[strategy]: `astar` needs one stage and one queue
         --> --strategy:1:7
          |
        1 | bfs | astar(ta)
          |       ^^^^^^^^^
          |
          = help: it guarantees the shortest path only alone; use `wa(H, w=1)` instead"#]],
    );
    check(
        "astar(ta) / dfs",
        expect![[r#"
        error[strategy]: `astar` needs one stage and one queue
         --> --strategy:1:1
          |
        1 | astar(ta) / dfs
          | ^^^^^^^^^
          |
          = help: it guarantees the shortest path only alone; use `wa(H, w=1)` instead"#]],
    );
    check(
        "bfs / astar(ta)",
        expect![[r#"
        error[strategy]: `astar` needs one stage and one queue
         --> --strategy:1:7
          |
        1 | bfs / astar(ta)
          |       ^^^^^^^^^
          |
          = help: it guarantees the shortest path only alone; use `wa(H, w=1)` instead"#]],
    );
    check(
        "propagate + bfs",
        expect![[r#"
        error[strategy]: `propagate` cannot be combined with other rules
         --> --strategy:1:1
          |
        1 | propagate + bfs
          | ^^^^^^^^^
          |
          = help: it visits all states node by node, so other rules have no effect"#]],
    );
    check(
        "bfs | propagate",
        expect![[r#"
        error[strategy]: `propagate` cannot be combined with other rules
         --> --strategy:1:7
          |
        1 | bfs | propagate
          |       ^^^^^^^^^
          |
          = help: it visits all states node by node, so other rules have no effect"#]],
    );
    check(
        "propagate / dfs",
        expect![[r#"
        error[strategy]: `propagate` cannot be combined with other rules
         --> --strategy:1:1
          |
        1 | propagate / dfs
          | ^^^^^^^^^
          |
          = help: it visits all states node by node, so other rules have no effect"#]],
    );
    check(
        "dfs(depth=5) | bfs",
        expect![[r#"
        error[strategy]: a depth bound cannot be combined with other rules
         --> --strategy:1:1
          |
        1 | dfs(depth=5) | bfs
          | ^^^^^^^^^^^^
          |
          = help: write `dfs` without `depth`"#]],
    );
    check(
        "bfs / dfs(depth=5)",
        expect![[r#"
        error[strategy]: a depth bound cannot be combined with other rules
         --> --strategy:1:7
          |
        1 | bfs / dfs(depth=5)
          |       ^^^^^^^^^^^^
          |
          = help: write `dfs` without `depth`"#]],
    );
    check(
        "bf(ta) + dfs(depth=5)",
        expect![[r#"
        error[strategy]: a depth bound cannot be combined with other rules
         --> --strategy:1:10
          |
        1 | bf(ta) + dfs(depth=5)
          |          ^^^^^^^^^^^^
          |
          = help: write `dfs` without `depth`"#]],
    );
}

#[test]
fn iterative_deepening() {
    check("ida(ta)", expect!["ida(ta)"]);
    check("ida(ta, memory=table)", expect!["ida(ta, memory=table)"]);
    check("ida( ta , memory=bits )", expect!["ida(ta, memory=bits)"]);
    check(
        "ida(ta, memory=all)",
        expect![[r#"
            error[strategy]: `all` is not a value of `memory`
             --> --strategy:1:16
              |
            1 | ida(ta, memory=all)
              |                ^^^
              |
              = help: write `memory=table` or `memory=bits`"#]],
    );
    check(
        "ida(ta) + dfs",
        expect![[r#"
            error[strategy]: `ida` cannot be combined with other rules
             --> --strategy:1:1
              |
            1 | ida(ta) + dfs
              | ^^^^^^^
              |
              = help: it follows one path at a time and has no queue; use `astar(H)` instead"#]],
    );
}

#[test]
fn presets_stand_alone() {
    check(
        "auto / dfs",
        expect![[r#"
        error[strategy]: the preset `auto` cannot be part of a strategy
         --> --strategy:1:1
          |
        1 | auto / dfs
          | ^^^^
          |
          = help: `trapline strategies` shows the strategy of the preset"#]],
    );
    check(
        "bfs + quick",
        expect![[r#"
        error[strategy]: the preset `quick` cannot be part of a strategy
         --> --strategy:1:7
          |
        1 | bfs + quick
          |       ^^^^^
          |
          = help: `trapline strategies` shows the strategy of the preset"#]],
    );
    check(
        "auto | short",
        expect![[r#"
        error[strategy]: the preset `auto` cannot be part of a strategy
         --> --strategy:1:1
          |
        1 | auto | short
          | ^^^^
          |
          = help: `trapline strategies` shows the strategy of the preset"#]],
    );
    check(
        "auto(ta)",
        expect![[r#"
        error[strategy]: the preset `auto` cannot be part of a strategy
         --> --strategy:1:1
          |
        1 | auto(ta)
          | ^^^^
          |
          = help: `trapline strategies` shows the strategy of the preset"#]],
    );
    check(
        "autp",
        expect![[r#"
        error[strategy]: unknown rule `autp`
         --> --strategy:1:1
          |
        1 | autp
          | ^^^^
          |
          = help: did you mean `auto`?"#]],
    );
    check(
        "two-stge",
        expect![[r#"
        error[strategy]: unknown rule `two-stge`
         --> --strategy:1:1
          |
        1 | two-stge
          | ^^^^^^^^
          |
          = help: did you mean `two-stage`?"#]],
    );
    check(
        "two stage",
        expect![[r#"
        error[strategy]: unknown rule `two`
         --> --strategy:1:1
          |
        1 | two stage
          | ^^^
          |
          = help: `trapline strategies` lists all rules and presets"#]],
    );
}

#[test]
fn letters_from_elsewhere() {
    check(
        "bfs → dfs",
        expect![[r#"
        error[strategy]: expected an operator or the end, found `→`
         --> --strategy:1:5
          |
        1 | bfs → dfs
          |     ^
          |
          = help: join rules with `+`, queues with `|` and stages with `/`"#]],
    );
    check(
        "bf(τα)",
        expect![[r#"
            error[strategy]: unknown heuristic `τα`
             --> --strategy:1:4
              |
            1 | bf(τα)
              |    ^^
              |
              = help: the heuristics are ta, dend, trap, trap-fine, reach"#]],
    );
    check(
        "brückenschlag",
        expect![[r#"
        error[strategy]: unknown rule `brückenschlag`
         --> --strategy:1:1
          |
        1 | brückenschlag
          | ^^^^^^^^^^^^^
          |
          = help: `trapline strategies` lists all rules and presets"#]],
    );
    check(
        "幅優先",
        expect![[r#"
        error[strategy]: unknown rule `幅優先`
         --> --strategy:1:1
          |
        1 | 幅優先
          | ^^^^^^
          |
          = help: `trapline strategies` lists all rules and presets"#]],
    );
    check("bfs\u{a0}/\u{a0}dfs", expect!["bfs / dfs, without a trap wa(ta, w=2)"]);
    check(
        "🎯",
        expect![[r#"
            error[strategy]: expected a rule, found `🎯`
             --> --strategy:1:1
              |
            1 | 🎯
              | ^^
              |
              = help: the rules are bfs, mixed, dfs, astar, wa, bf, ida, propagate"#]],
    );
    check(
        "wa(ta, w=٣)",
        expect![[r#"
        error[strategy]: expected a value, found `٣`
         --> --strategy:1:10
          |
        1 | wa(ta, w=٣)
          |          ^
          |
          = help: write a value, such as `w=2`"#]],
    );
    check(
        "bf(“ta”)",
        expect![[r#"
        error[strategy]: expected a heuristic or `key=value`, found `“`
         --> --strategy:1:4
          |
        1 | bf(“ta”)
          |    ^
          |
          = help: write, for example, `wa(ta, w=2)`"#]],
    );
}

/// Long strategies are parsed in one pass; too long ones are rejected.
#[test]
fn long_strategies() {
    let of_length = |n: usize| vec!["bf(ta)"; n].join(" + ");
    let long = of_length(100);
    let choice = read(&long).unwrap_or_else(|fault| panic!("{fault}"));
    assert_eq!(choice.resolve(true).to_string(), long);
    let fault = read(&format!("{} + bsf", of_length(99))).expect_err("there is no such rule");
    assert!(fault.contains("did you mean `bfs`?"), "{fault}");
    for too_long in [of_length(101), of_length(20_000), vec!["bfs"; 20_000].join(" | ")] {
        let fault = read(&too_long).expect_err("it has too many rules");
        assert!(fault.contains("a strategy has at most 100 rules"), "{fault}");
    }
    let name = "x".repeat(100_000);
    assert!(read(&name).is_err() && read(&format!("bf({name})")).is_err());
    assert!(read(&"(".repeat(100_000)).is_err());
    assert!(read(&format!("wa(ta, w={})", "9".repeat(100_000))).is_err());
}

/// Every truncated or shuffled text is a strategy or an error with a span.
#[test]
fn no_text_makes_it_panic() {
    let whole = "bf(trap) + wa(ta, w=1.5, g=best) | dfs / bf(ta) →";
    for (start, _) in whole.char_indices() {
        for (end, _) in whole.char_indices().filter(|&(end, _)| end >= start) {
            let _ = read(&whole[start..end]);
        }
    }
    let parts = ["bfs", "dfs", "(", ")", ",", "=", "ta", "w", "2", "+", "|", "/", " ", "auto", "→"];
    for number in 0..parts.len().pow(4) {
        let digit = |place: u32| parts[number / parts.len().pow(place) % parts.len()];
        let text: String = (0..4).map(digit).collect();
        if let Ok(choice) = read(&text) {
            let shown = choice.resolve(true).to_string();
            assert_eq!(read(&shown).as_ref().map(|it| it.resolve(true)), Ok(choice.resolve(true)), "{text}");
        }
    }
}

#[test]
fn weights_are_fractions() {
    let fraction = |text: &str| Weight::parse(text).map(Weight::fraction);
    assert_eq!(fraction("0"), Some((0, 1)));
    assert_eq!(fraction("1"), Some((1, 1)));
    assert_eq!(fraction("2.5"), Some((5, 2)));
    assert_eq!(fraction("0.05"), Some((1, 20)));
    assert_eq!(fraction("1.25"), Some((5, 4)));
    assert_eq!(fraction("0.33"), Some((33, 100)));
    assert_eq!(fraction("0.15"), Some((3, 20)));
    assert_eq!(fraction("1000"), Some((1000, 1)));
    for hundredths in 0..=Weight::MAX * 100 {
        let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
        let weight = Weight::parse(&text).expect("it is a weight");
        let (numerator, denominator) = weight.fraction();
        assert_eq!(numerator * 100, hundredths * denominator, "{text}");
        assert_eq!(Weight::parse(&weight.to_string()), Some(weight), "{text}");
    }
}
