use super::*;
use expect_test::{Expect, expect};

const FULL: &str = r#"
name: small
options: { executions: complete, graph: faithful }
limits: { timeout: 10m }
repeat: 3
baseline: bfs
strategies:
  - bfs
  - label: WA w={w}
    strategy: "wa(ta, w={w})"
    for: { w: [1, 2] }
  - { label: "{a}/{b}", strategy: "{a} / {b}", for: { a: [bfs, dfs], b: [dfs] } }
subjects:
  - { spec: a.yaml, property: p, set: { N: [4, 5], M: 2 }, constraints: "task:*", leave-out: each }
  - { include: more.yaml, leave-out: none }
figures:
  - { kind: box, of: time, strategies: [bfs, "WA*"], file: a.svg }
  - { kind: scaling, file: "b-{property}.svg" }
"#;

fn show(text: &str) -> String {
    let mut sources = Sources::default();
    let source = sources.add("study.yaml", text);
    match study(source, &sources) {
        Ok(study) => summary(&study),
        Err(mistakes) => mistakes.iter().map(|it| it.render(&sources, false)).collect::<Vec<_>>().join("\n"),
    }
}

fn summary(study: &Study) -> String {
    let mut lines = vec![format!("{} ×{} against {}", study.name, study.repeat, study.baseline)];
    lines.extend(study.options.iter().map(|it| format!("--{} {}", it.flag, it.value.value)));
    lines.extend(study.strategies.iter().map(|it| format!("{}: {}", it.label.value, it.text.value)));
    for entry in &study.entries {
        lines.push(match entry {
            super::super::study::Entry::Subjects(it) => {
                format!("{} {:?} {:?}", it.file.value, it.sizes(), it.leave_out)
            }
            super::super::study::Entry::Include(it) => {
                format!("include {} {:?}", it.path.value, it.leave_out)
            }
        });
    }
    lines.extend(
        study.figures.iter().map(|it| format!("{:?} {:?} {:?}", it.kind, it.measures, it.strategies)),
    );
    lines.join("\n")
}

#[track_caller]
fn check(text: &str, expected: Expect) {
    expected.assert_eq(&show(text));
}

/// Checks the study above after one change.
#[track_caller]
fn check_changed(from: &str, to: &str, expected: Expect) {
    assert!(FULL.contains(from), "`{from}` is not in the study");
    check(&FULL.replacen(from, to, 1), expected);
}

#[test]
fn everything_in_one_file() {
    check(
        FULL,
        expect![[r#"
            small ×3 against 0
            --executions complete
            --graph faithful
            --timeout 10m
            bfs: bfs
            WA w=1: wa(ta, w=1)
            WA w=2: wa(ta, w=2)
            bfs/dfs: bfs / dfs
            dfs/dfs: dfs / dfs
            a.yaml [[("N", "4"), ("M", "2")], [("N", "5"), ("M", "2")]] Some(Each)
            include more.yaml Some(None)
            Box [Time] [0, 1, 2]
            Scaling [Time, Memory] [0, 1, 2, 3, 4]"#]],
    );
}

#[test]
fn mistakes_are_shown_in_place() {
    check_changed(
        "baseline: bfs",
        "baseline: bsf",
        expect![[r#"
        error[study-label]: no strategy has the label `bsf`
         --> study.yaml:6:11
          |
        6 | baseline: bsf
          |           ^^^
          |
          = help: did you mean `bfs`?"#]],
    );
    check_changed(
        "repeat: 3",
        "repaet: 3",
        expect![[r#"
        error[spec-key]: a study has no key `repaet`
         --> study.yaml:5:1
          |
        5 | repaet: 3
          | ^^^^^^
          |
          = help: did you mean `repeat`?"#]],
    );
    check_changed(
        "repeat: 3",
        "repeat: 0",
        expect![[r#"
        error[study-value]: `repeat` must be a number from 1 to 1000
         --> study.yaml:5:9
          |
        5 | repeat: 0
          |         ^"#]],
    );
    check_changed(
        "for: { w: [1, 2] }",
        "for: { v: [1, 2] }",
        expect![[r#"
            error[study-variable]: `{w}` has no values
              --> study.yaml:10:25
               |
            10 |     strategy: "wa(ta, w={w})"
               |                         ^^^
               |
               = help: list them: `for: { w: [1, 2] }`"#]],
    );
    check_changed(
        "\"WA*\"",
        "WB",
        expect![[r#"
        error[study-label]: no strategy has the label `WB`
          --> study.yaml:17:46
           |
        17 |   - { kind: box, of: time, strategies: [bfs, WB], file: a.svg }
           |                                              ^^
           |
           = help: the labels are `bfs`, `WA w=1`, `WA w=2`, `bfs/dfs` and `dfs/dfs`"#]],
    );
    check_changed(
        "of: time",
        "of: tmie",
        expect![[r#"
        error[spec-value]: `of` cannot be `tmie`
          --> study.yaml:17:22
           |
        17 |   - { kind: box, of: tmie, strategies: [bfs, "WA*"], file: a.svg }
           |                      ^^^^
           |
           = help: did you mean `time`?"#]],
    );
    check_changed(
        "  - bfs\n",
        "  - bfs\n  - bfs\n",
        expect![[r#"
        error[study-label]: two strategies have the label `bfs`
         --> study.yaml:9:5
          |
        8 |   - bfs
          |     --- the first strategy
        9 |   - bfs
          |     ^^^
          |
          = help: give one of them another `label`"#]],
    );
    check_changed(
        "file: a.svg",
        "file: ../a.svg",
        expect![[r#"
        error[study-figure]: `../a.svg` is not a valid file of a figure
          --> study.yaml:17:60
           |
        17 |   - { kind: box, of: time, strategies: [bfs, "WA*"], file: ../a.svg }
           |                                                            ^^^^^^^^
           |
           = help: use a name without folders that ends in .svg"#]],
    );
    check_changed(
        "spec: a.yaml, ",
        "",
        expect![[r#"
            error[study-key]: a subject needs the key `spec` or `model`
              --> study.yaml:14:5
               |
            14 |   - { property: p, set: { N: [4, 5], M: 2 }, constraints: "task:*", leave-out: each }
               |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
               |
               = help: write the path of a property file or a model, relative to this file"#]],
    );
    check_changed(
        "leave-out: each",
        "leave-out: all",
        expect![[r#"
        error[spec-value]: `leave-out` cannot be `all`
          --> study.yaml:14:94
           |
        14 |   - { spec: a.yaml, property: p, set: { N: [4, 5], M: 2 }, constraints: "task:*", leave-out: all }
           |                                                                                              ^^^
           |
           = help: the possible values are `each` and `none`"#]],
    );
    check_changed(
        "leave-out: each",
        "leave-out: []",
        expect![[r#"
        error[study-value]: `leave-out` needs at least one constraint
          --> study.yaml:14:94
           |
        14 |   - { spec: a.yaml, property: p, set: { N: [4, 5], M: 2 }, constraints: "task:*", leave-out: [] }
           |                                                                                              ^^
           |
           = help: write `none` to keep all constraints"#]],
    );
    check_changed(
        "leave-out: each",
        "leave-out: [{ a: b }]",
        expect![[r#"
        error[spec-value]: `leave-out` must be a string
          --> study.yaml:14:95
           |
        14 |   - { spec: a.yaml, property: p, set: { N: [4, 5], M: 2 }, constraints: "task:*", leave-out: [{ a: b }] }
           |                                                                                               ^^^^^^^^ this is a map"#]],
    );
    check_changed(
        "N: [4, 5]",
        "N: [4, x]",
        expect![[r#"
        error[study-value]: `x` is neither an integer nor true or false
          --> study.yaml:14:48
           |
        14 |   - { spec: a.yaml, property: p, set: { N: [4, x], M: 2 }, constraints: "task:*", leave-out: each }
           |                                                ^"#]],
    );
    check(
        "name: x\n",
        expect![[r#"
        error[study-key]: a study needs the key `strategies`
         --> study.yaml:1:1
          |
        1 | name: x
          | ^
        error[study-key]: a study needs the key `subjects`
         --> study.yaml:1:1
          |
        1 | name: x
          | ^"#]],
    );
}
