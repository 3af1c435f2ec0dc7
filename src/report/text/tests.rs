//! Text output of reports made by hand.

use super::{Detail, Style, render};
use crate::report::configuration::Configuration;
use crate::report::{Unchecked, samples};
use crate::verify::Report;
use expect_test::{Expect, expect};

const PLAIN: Style = Style { colour: false, full: false, detail: Detail::Normal, columns: 90 };

fn shown(reports: &[Report], unchecked: &[Unchecked], style: &Style) -> String {
    let sources = samples::sources();
    let configuration = Configuration::default();
    render(&samples::run(reports, unchecked, &sources, &configuration), style)
}

#[track_caller]
fn check(reports: &[Report], style: &Style, expected: Expect) {
    expected.assert_eq(&shown(reports, &[], style));
}

#[test]
fn a_proof_lists_what_it_rests_on() {
    check(
        &[samples::holds()],
        &PLAIN,
        expect![[r#"
            ── unlock-follows ────────────────────────────────────────────────────────────────────────
            model        examples/lock.rs with N=3
            engine       flow
            executions   complete: only executions in which every task ends
            constraints  task:t1 (6 states), constraints/env.yaml (3 states)
            assumes      constraints/env.yaml; not checked, but the verdict depends on it
            graph        42 nodes (8 rendezvous), 51 control and 1,204 parallel edges;
                         reduced,end-nodes
            strategy     bfs
            search       1,234 node-tuples stored, 5,678 generated, depth 12, 96.0 KiB, 0.03 s

            note[task-unused-entry]: no task calls `t2.unlock`
             --> examples/lock.rs:6:9
              |
            6 |         accept!(unlock);
              |         ^^^^^^^^^^^^^^^

            unlock-follows: holds
        "#]],
    );
}

#[test]
fn a_violation_shows_the_prefix_in_lanes_and_folds_the_rest() {
    check(
        &[samples::violated()],
        &PLAIN,
        expect![[r#"
            ── no-double-lock ────────────────────────────────────────────────────────────────────────
            a lock is not taken twice
            model        examples/lock.rs
            engine       flow
            executions   prefixes: every prefix of an execution, including executions that deadlock
            constraints  variable:LOCKED (2 states)
            graph        42 nodes (8 rendezvous), 51 control and 1,204 parallel edges;
                         reduced,end-nodes
            strategy     bfs; no counterexample is shorter
            search       1,234 node-tuples stored, 5,678 generated, depth 12, 96.0 KiB, 0.03 s

            VIOLATED after 4 steps, by an execution of 6 steps.
              ↓ same task   ⇢ another task   ◀ event of the property

                   ┌ t1
                   │ ┌ t2
                   │ │ ┌ t3
               1   ●─● │   t1 → t2  t2.lock      ◀ lock
                   │ │ │     t1 at examples/lock.rs:9  fn take() { call!(t2.lock); }
                   │ │ │       in take, called at examples/lock.rs:2
                   │ │ │     t2 at examples/lock.rs:5  accept!(lock => { LOCKED = true; });
                   │ │ │     property: free → held
               2 ↓ │ ● │   t2       LOCKED=true
                   │ │ │     examples/lock.rs:5  accept!(lock => { LOCKED = true; });
                   │ │ │     variable:LOCKED: false → true
               3 ⇢ │ │ ●   t3       work
                   │ │ │     examples/lock.rs:4  loop {
               4 ⇢ ●─● │   t1 → t2  t2.lock      ◀ lock
                   │ │ │     t1 at examples/lock.rs:9  fn take() { call!(t2.lock); }
                   │ │ │       in take, called at examples/lock.rs:2
                   │ │ │     t2 at examples/lock.rs:5  accept!(lock => { LOCKED = true; });
                   │ │ │     property: held → trap
              ▲ violated here by every continuation
              … 2 more steps to the end of the execution; --full shows them

            This path may not be an execution. Constraints that reject it:
              -c task:t1                            at step 4, at most 6 times the node-tuples
              -c 'task:worker[0]' -c variable:held  at the end, at most 12 times the node-tuples

            no-double-lock: violated
        "#]],
    );
}

#[test]
fn full_shows_the_execution_to_its_end() {
    let text = shown(&[samples::violated()], &[], &Style { full: true, ..PLAIN });
    let tail: Vec<&str> = text.lines().skip_while(|line| !line.contains('▲')).collect();
    expect![[r#"
          ▲ violated here by every continuation
           5 ↓ ●─● │   t1 → t2  t2.unlock
               │ │ │     examples/lock.rs:2  #[task] fn t1() { take(); call!(t2.unlock); }
           6 ↓ ● │ │   t1       ends
               │ │ │     examples/lock.rs:2  #[task] fn t1() { take(); call!(t2.unlock); }

        This path may not be an execution. Constraints that reject it:
          -c task:t1                            at step 4, at most 6 times the node-tuples
          -c 'task:worker[0]' -c variable:held  at the end, at most 12 times the node-tuples

        no-double-lock: violated"#]]
    .assert_eq(&tail.join("\n"));
}

#[test]
fn a_violation_without_a_trap_is_shown_whole() {
    let mut report = samples::violated();
    if let Some(found) = &mut report.counterexample {
        found.prefix = None;
        found.trail.steps.drain(1..);
        found.trail.n_steps = 1;
    }
    let text = shown(&[report], &[], &PLAIN);
    let tail: Vec<&str> = text.lines().skip_while(|line| !line.contains("VIOLATED")).collect();
    expect![[r#"
        VIOLATED by an execution of 1 step that ends before the property is satisfied.
          ↓ same task   ⇢ another task   ◀ event of the property

               ┌ t1
               │ ┌ t2
           1   ●─●   t1 → t2  t2.lock  ◀ lock
               │ │     t1 at examples/lock.rs:9  fn take() { call!(t2.lock); }
               │ │       in take, called at examples/lock.rs:2
               │ │     t2 at examples/lock.rs:5  accept!(lock => { LOCKED = true; });
               │ │     property: free → held
          ▲ the execution ends here and the property is not satisfied

        This path may not be an execution. Constraints that reject it:
          -c task:t1                            at the end, at most 6 times the node-tuples
          -c 'task:worker[0]' -c variable:held  at the end, at most 12 times the node-tuples

        no-double-lock: violated"#]]
    .assert_eq(&tail.join("\n"));
}

#[test]
fn a_vacuous_proof_is_loud() {
    check(
        &[samples::vacuous()],
        &PLAIN,
        expect![[r#"
            ── grants-end ────────────────────────────────────────────────────────────────────────────
            model        examples/lock.rs
            engine       flow
            executions   complete: only executions in which every task ends
            constraints  task:t1 (6 states), constraints/env.yaml (3 states)
            assumes      constraints/env.yaml; not checked, but the verdict depends on it
            graph        42 nodes (8 rendezvous), 51 control and 1,204 parallel edges;
                         reduced,end-nodes
            strategy     bfs
            search       1,234 node-tuples stored, 5,678 generated, depth 12, 96.0 KiB, 0.03 s

            VACUOUS: no execution satisfies the constraints, so nothing was proved.
              Some constraints contradict each other or the model, or no execution ever ends. Try:
              - without the assumption constraints/env.yaml
              - each constraint alone: --no-default-constraints -c CONSTRAINT, for:
                  task:t1 constraints/env.yaml
              - --executions prefixes, if the property is a safety property: this also
                includes executions that deadlock or never end
              - `while any!() { … }` instead of `loop { … }` where a task of the model may stop

            grants-end: holds vacuously
        "#]],
    );
}

#[test]
fn an_undecided_run_names_the_limit() {
    check(
        &[samples::undecided()],
        &PLAIN,
        expect![[r#"
            ── mutual-exclusion ──────────────────────────────────────────────────────────────────────
            model        examples/lock.rs
            engine       flow
            executions   prefixes: every prefix of an execution, including executions that deadlock
            constraints  none
            graph        42 nodes (8 rendezvous), 51 control and 1,204 parallel edges;
                         reduced,end-nodes
            strategy     bfs
            search       1,234 node-tuples stored, 5,678 generated, depth 12, 96.0 KiB, 0.03 s

            UNDECIDED: --max-states was reached.
              No violation found; 1,200 expanded of 1,234 node-tuples stored, frontier at most 77.
              Use fewer constraints, or raise --max-states.

            mutual-exclusion: undecided
        "#]],
    );
}

#[test]
fn several_properties_end_in_a_table() {
    let reports = [samples::holds(), samples::violated(), samples::undecided(), samples::vacuous()];
    let broken = Unchecked { file: "broken.yaml".to_string(), property: None, n_before: 4 };
    let missing = Unchecked {
        file: "specs/lock.yaml".to_string(),
        property: Some("no-model".to_string()),
        n_before: 2,
    };
    let text = shown(&reports, &[missing, broken], &PLAIN);
    let tail: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("file ")).collect();
    expect![[r#"
        file             property          verdict          engine  executions  constraints      node-tuples  steps    time
        specs/lock.yaml  unlock-follows    holds            flow    complete    task:t1 +1             1,234      -  0.05 s
        specs/lock.yaml  no-double-lock    violated         flow    prefixes    variable:LOCKED        1,234    4/6  0.05 s
        specs/lock.yaml  no-model          not checked
        specs/lock.yaml  mutual-exclusion  undecided        flow    prefixes    none                   1,234      -  0.05 s
        specs/lock.yaml  grants-end        holds vacuously  flow    complete    task:t1 +1             1,234      -  0.05 s
        broken.yaml                        not checked
        assumed, not checked: constraints/env.yaml (for unlock-follows, grants-end)

        1 holds, 1 vacuous, 1 violated, 1 undecided, 2 not checked"#]]
    .assert_eq(&tail.join("\n"));
}

#[test]
fn quiet_is_the_verdict_alone() {
    let style = Style { detail: Detail::Quiet, ..PLAIN };
    check(
        &[samples::violated()],
        &style,
        expect![[r#"
        no-double-lock: violated
    "#]],
    );
}

#[test]
fn colour_changes_no_letter() {
    let reports = [samples::holds(), samples::violated(), samples::undecided(), samples::vacuous()];
    let coloured = shown(&reports, &[], &Style { colour: true, ..PLAIN });
    assert!(coloured.contains('\u{1b}'));
    let stripped = anstream::adapter::strip_str(&coloured).to_string();
    let trimmed = |text: &str| text.lines().map(|line| line.trim_end().to_string()).collect::<Vec<_>>();
    assert_eq!(trimmed(&stripped), trimmed(&shown(&reports, &[], &PLAIN)));
}

#[test]
fn what_is_too_long_to_be_described_is_counted() {
    let mut report = samples::violated();
    if let Some(found) = &mut report.counterexample {
        found.trail.n_steps += 7;
        found.prefix = None;
    }
    let length = report.trail().map_or(0, |trail| trail.steps.len() + 7);
    let text = shown(&[report], &[], &Style { full: true, ..PLAIN });
    assert!(text.contains(&format!("VIOLATED by an execution of {length} steps")), "{text}");
    assert!(text.contains("… 7 more steps to the end of the execution, too many to show"), "{text}");
}

#[test]
fn many_tasks_give_up_the_lanes() {
    let mut report = samples::violated();
    if let Some(found) = &mut report.counterexample {
        let steps = std::mem::take(&mut found.trail.steps);
        found.trail.n_steps = 20;
        found.trail.steps = (0..20)
            .map(|task| {
                let (_, mut step) = steps[2].clone();
                step.actors[0].name = format!("worker[{task}]");
                (task, step)
            })
            .collect();
        found.prefix = None;
    }
    assert!(!shown(&[report], &[], &PLAIN).contains('●'));
}
