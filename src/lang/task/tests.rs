//! Models and the programs they become.

mod arrays;
mod atomic;
mod effects;
mod hostile;
mod objects;
mod statements;
mod tuples;
mod variables;

use super::program::{Action, PointId, Program};
use super::{Setting, load};
use crate::diag::Sources;
use expect_test::{Expect, expect};

/// Shows the diagnostics, then the program if there is one.
fn show(source: &str, settings: &[Setting]) -> String {
    let mut sources = Sources::default();
    let id = sources.add("model.rs", source);
    let loaded = load(id, &sources, settings);
    let rendered = loaded.diagnostics.iter().map(|diagnostic| diagnostic.render(&sources, false) + "\n");
    let mut text: String = rendered.collect();
    if let Some(program) = loaded.program {
        promises(&program);
        text.push_str(&program.dump());
    }
    text
}

/// Checks invariants of a program that its types do not express.
fn promises(program: &Program) {
    for task in &program.tasks {
        let in_range = |point: PointId| assert!(point.index() < task.n_points, "{}", task.name);
        in_range(task.start);
        in_range(task.end);
        assert_eq!(task.atomic.len(), task.n_points);
        assert!(!task.atomic[task.start.index()] && !task.atomic[task.end.index()]);
        for edge in &task.edges {
            in_range(edge.from);
            in_range(edge.to);
            assert!(edge.from != task.end, "an edge leaves the end of {}", task.name);
            assert!(edge.site.index() < program.sites.len());
            let waits = matches!(edge.action, Action::Call { .. } | Action::Accept { .. });
            assert!(!waits || !task.atomic[edge.from.index()], "a rendezvous inside an atomic block");
            match &edge.action {
                Action::Test { variable, values } => {
                    let size = program.variables[variable.index()].domain.size();
                    assert!(values.is_sorted() && !values.is_empty() && values.len() < size);
                }
                Action::Shift { by, .. } => assert!(*by != 0),
                Action::Accept { entry, body } => {
                    assert_eq!(program.tasks[program.entries[entry.index()].task.index()].name, task.name);
                    for point in body.iter().flat_map(|(start, end)| [*start, *end]) {
                        in_range(point);
                    }
                    if let Some((_, end)) = body {
                        assert!(task.edges.iter().all(|edge| edge.from != *end), "an edge leaves a body");
                    }
                }
                Action::Call { entry } => {
                    assert_ne!(program.tasks[program.entries[entry.index()].task.index()].name, task.name);
                }
                Action::Assign { variable, value } => {
                    let size = program.variables[variable.index()].domain.size();
                    assert!(value.is_none_or(|value| (value as usize) < size));
                }
                Action::Silent | Action::Event(_) => (),
            }
        }
    }
}

#[track_caller]
fn check(source: &str, expected: Expect) {
    expected.assert_eq(&show(source, &[]));
}

/// Checks the body of a single task `t`, with some variables to use.
#[track_caller]
fn check_body(body: &str, expected: Expect) {
    let source = format!(
        "enum Phase {{ Idle, Busy, Done }}
        static mut B: bool = false;
        static mut C: bool = false;
        static mut N: int!(0..=3) = 0;
        static mut M: int!(0..=1) = 0;
        static mut P: Phase = any!();
        static mut W: [int!(0..=2); 2] = [0, 1];
        #[task] fn t() {{ {body} }}"
    );
    let shown = show(&source, &[]);
    // The variables are always the same.
    let shown: Vec<&str> =
        shown.lines().filter(|line| !line.starts_with("variable ") || line.contains("t.")).collect();
    expected.assert_eq(&(shown.join("\n") + "\n"));
}

fn setting(name: &str, value: i64) -> Setting {
    Setting { name: name.into(), value, span: None }
}

#[test]
fn lock() {
    check(
        include_str!("../../../examples/lock.rs"),
        expect![[r#"
        variable t2.locked: bool = ?
        entry t2.lock
        entry t2.unlock
        task t1: 4 points, 0 to 3
          0 -> 1  silent
          0 -> 3  silent
          1 -> 2  call t2.lock
          2 -> 0  call t2.unlock
        task t2: 8 points, 0 to 7
          0 -> 1  t2.locked=false
          1 -> 2  silent
          1 -> 7  silent
          2 -> 3  test t2.locked==false
          3 -> 4  accept t2.lock
          4 -> 1  t2.locked=true
          2 -> 5  test t2.locked==true
          5 -> 6  accept t2.unlock
          6 -> 1  t2.locked=false
    "#]],
    );
}

#[test]
fn everything_at_once() {
    let shown = show(include_str!("tests/all.rs"), &[]);
    assert!(!shown.contains("error["), "{shown}");
}

#[test]
fn settings_replace_constants() {
    let source = "const N: usize = 1; const TWICE: usize = 2 * N; const ON: bool = false;
        #[task(i in 0..TWICE)] fn t(i: usize) { if ON { event!(e[i]); } }";
    expect![[r#"
        task t[0]: 2 points, 0 to 1
          0 -> 1  event e[0]
        task t[1]: 2 points, 0 to 1
          0 -> 1  event e[1]
        task t[2]: 2 points, 0 to 1
          0 -> 1  event e[2]
        task t[3]: 2 points, 0 to 1
          0 -> 1  event e[3]
    "#]]
    .assert_eq(&show(source, &[setting("N", 2), setting("ON", 1)]));
    expect![[r#"
        error[task-setting]: the model has no constant `M`
         |
         = help: the constants are `N`, `TWICE`, `ON`
        error[task-setting]: `ON` is a `bool` and cannot be set to 2
         |
         = help: use 0 for `false` or 1 for `true`
    "#]]
    .assert_eq(&show(source, &[setting("M", 2), setting("ON", 2)]));
}

#[test]
fn labels_include_the_ends_of_rendezvous() {
    let mut sources = Sources::default();
    let text = "#[task] fn s() { accept!(get(i in 0..2) => { event!(work); }); }
        #[task] fn c() { call!(s.get(0)); call!(s.get(1)); event!(work); }";
    let id = sources.add("model.rs", text);
    let labels = load(id, &sources, &[]).program.map(|program| program.labels());
    expect![[r#"
        Some(
            [
                "s.get(0)",
                "s.get(0).end",
                "work",
                "s.get(1)",
                "s.get(1).end",
            ],
        )
    "#]]
    .assert_debug_eq(&labels);
}

#[test]
fn sites_know_the_inlined_calls() {
    let mut sources = Sources::default();
    let text = "fn f() { g(); } fn g() { event!(e); } #[task] fn t() { f(); g(); }";
    let id = sources.add("model.rs", text);
    let program = load(id, &sources, &[]).program.expect("the model has no mistakes");
    let mut shown = String::new();
    for edge in &program.tasks[0].edges {
        let site = &program.sites[edge.site.index()];
        let stack: Vec<String> =
            site.stack.iter().map(|frame| format!("{} at {}", frame.function, frame.span.start)).collect();
        shown.push_str(&format!("{}: {}\n", sources.slice(site.span), stack.join(", ")));
    }
    expect![[r#"
        event!(e): f at 55, g at 9
        event!(e): g at 60
    "#]]
    .assert_eq(&shown);
}

#[test]
fn spans_are_bytes_of_the_file() {
    for prelude in ["", "\u{feff}", "#!/bin/ü\n", "\u{feff}#!/bin/ü\n", "#![allow(unused)]\n", "// ü→\r\n"]
    {
        let mut sources = Sources::default();
        let text = format!("{prelude}#[task] fn tü() {{ /* ü */ event!(größe); }}");
        let id = sources.add("model.rs", text);
        let program = load(id, &sources, &[]).program.expect("the model has no mistakes");
        let site = program.tasks[0].edges[0].site;
        assert_eq!(sources.slice(program.sites[site.index()].span), "event!(größe)", "{prelude:?}");
    }
}
