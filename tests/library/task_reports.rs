//! Reports about task models on the explicit engine: trails without silent
//! steps, where tasks are blocked, which statements are never reached, formulas
//! of property files.

use expect_test::{Expect, expect};
use trapline::diag::{Diagnostic, Sources};
use trapline::lang::spec::parse_property_file;
use trapline::lang::task::load;
use trapline::verify::Report;
use trapline::verify::workspace::ModelGoals;
use trapline::verify::workspace::tasks::{LoadedTasks, task_questions, task_questions_for};
use trapline::verify::{ExplicitProblem, Question};

fn rendered(faults: &[Diagnostic], sources: &Sources) -> String {
    faults.iter().map(|it| it.render(sources, false) + "\n").collect()
}

/// The answers to all questions, in short.
fn shown(loaded: Result<LoadedTasks, Vec<Diagnostic>>, sources: &Sources) -> String {
    let loaded = match loaded {
        Ok(loaded) => loaded,
        Err(faults) => return rendered(&faults, sources),
    };
    let mut text = String::new();
    for question in loaded.questions {
        let asked = Question::from(ExplicitProblem::new(&question.network, question.aim).without_reduction());
        let report = asked.check(&mut |_| None).expect("the question can be asked");
        text += &account(&report, sources);
    }
    text
}

fn account(report: &Report, sources: &Sources) -> String {
    let fault = report.fault().map_or_else(String::new, |it| format!(" {it:?}"));
    let mut text = format!("{}: {}{fault}\n", report.property, report.verdict.name());
    let place = |span| format!("`{}`", sources.slice(span));
    if let Some(counterexample) = &report.counterexample {
        for (index, step) in &counterexample.trail.steps {
            if counterexample.trail.cycle == Some(*index) {
                text += "  again and again\n";
            }
            let actors = step.actors.iter().map(|it| {
                let span = it.place.as_ref().map(|it| it.span);
                format!("{} {}", it.name, span.map_or_else(String::new, place))
            });
            text += &format!("  {}\n", actors.collect::<Vec<_>>().join(", "));
        }
        if counterexample.trail.cycle == Some(counterexample.trail.n_steps) {
            text += "  for ever\n";
        }
        for process in &counterexample.blocked {
            let at: Vec<String> =
                process.statements.iter().map(|it| format!("{} {:?}", place(it.span), it.obstacle)).collect();
            let end = if process.may_end { " may end" } else { "" };
            text += &format!("  {}{end}: {}\n", process.process, at.join(", "));
        }
    }
    for it in report.explicit().and_then(|it| it.unreached.as_ref()).into_iter().flatten() {
        text += &format!("  unreached {} of {} in {}\n", it.statements.len(), it.n_statements, it.proctype);
        for statement in &it.statements {
            text += &format!("    {} {:?}\n", place(statement.span), statement.why);
        }
    }
    text
}

#[track_caller]
fn check(model: &str, goals: &ModelGoals, expected: Expect) {
    let mut sources = Sources::default();
    let source = sources.add("model.rs", model);
    let program = load(source, &sources, &[]).program.expect("the model is right");
    let loaded = task_questions(&program, goals, &mut sources);
    expected.assert_eq(&shown(loaded, &sources));
}

#[track_caller]
fn check_file(model: &str, file: &str, expected: Expect) {
    let mut sources = Sources::default();
    let source = sources.add("model.rs", model);
    let program = load(source, &sources, &[]).program.expect("the model is right");
    let file = sources.add("properties.yaml", file);
    let file = parse_property_file(file, &sources).expect("the file is right");
    let answers = file.properties.iter().map(|spec| {
        let loaded = task_questions_for(&program, spec, &[], None, &mut sources);
        shown(loaded, &sources)
    });
    let answers: String = answers.collect();
    expected.assert_eq(&answers);
}

fn formulas(ltl: &[&str], invariants: &[&str]) -> ModelGoals {
    let texts = |all: &[&str]| all.iter().map(|it| (*it).to_string()).collect();
    ModelGoals { ltl: texts(ltl), invariants: texts(invariants), ..ModelGoals::default() }
}

#[test]
fn silent_choices_are_not_shown() {
    let model = "
        static A: Lock = Lock::new();
        static B: Lock = Lock::new();
        static mut X: int!(0..=3) = 0;
        #[task] fn left() { event!(go); while any!() { A.lock(); choose! { { X = 1; } { X = 2; } } B.lock(); break; } }
        #[task] fn right() { event!(run); if any!() { B.lock(); A.lock(); } }
    ";
    check(
        model,
        &ModelGoals::default(),
        expect![[r#"
            safety: violated InvalidEnd
              right `event!(run)`
              right `B.lock()`, B `B`
              right `A.lock()`, A `A`
              left `event!(go)`
              left: `A.lock()` NoAcceptor(Object(Lock, "A"))
              right may end: 
        "#]],
    );
}

/// The `else` is possible as long as `c` has not reached its call, so the last
/// silent step before the call is shown.
#[test]
fn a_silent_step_that_an_else_notices_is_shown_as_its_statement() {
    let model = "
        static mut X: int!(0..=2) = 0;
        #[task] fn s() { select! { accept!(p) => { } else => { X = 1; } } accept!(p); X = 2; }
        #[task] fn c() { event!(e1); call!(s.p); }
    ";
    let file = "{ name: never-two, model: model.rs, invariant: X != 2 }";
    check_file(
        model,
        file,
        expect![[r#"
        never-two: violated Observed
          s `{ X = 1; }`
          c `event!(e1)`
          s `X = 1`
          c `call!(s.p)`, s `accept!(p)`
          s `X = 2`
    "#]],
    );
    let file = "{ name: order, model: model.rs, events: ['X=2'], none: '{X=2}' }";
    check_file(
        model,
        file,
        expect![[r#"
        order: violated Sequence
          s `{ X = 1; }`
          c `event!(e1)`
          s `X = 1`
          c `call!(s.p)`, s `accept!(p)`
          s `X = 2`
    "#]],
    );
}

/// A task that can end at once chooses to do so at the condition.
#[test]
fn a_silent_first_step_is_shown_as_its_statement() {
    let model = "#[task] fn t() { if any!() { event!(a); } } #[task] fn u() { event!(b); }";
    let file = "{ name: all, model: model.rs, events: [a, b], all: '.* ; a ; .*' }";
    check_file(
        model,
        file,
        expect![[r#"
        all: violated Sequence
          u `event!(b)`
          t `any!()`
    "#]],
    );
}

#[test]
fn a_caller_waits_for_the_end_of_a_body() {
    let model = "
        static mut X: bool = false;
        #[task] fn server() { accept!(go => { wait!(X); }); }
        #[task] fn client() { call!(server.go); }
    ";
    check(
        model,
        &ModelGoals::default(),
        expect![[r#"
        safety: violated InvalidEnd
          client `call!(server.go)`, server `accept!(go => { wait!(X); })`
          server: `X` False
          client: `call!(server.go)` NoAcceptor(BodyEnd("server.go"))
    "#]],
    );
}

/// The search for a short path to the cycle does not enter the atomic block,
/// which never ends.
#[test]
fn a_cycle_beside_an_endless_atomic_block_has_a_trail() {
    let model = "
        static mut X: bool = false;
        #[task] fn p() {
            let mut l: bool = false;
            call!(q.begin);
            loop { select! { accept!(e => { event!(c); }) => { l = true; } else => { break; } } }
        }
        #[task] fn q() {
            accept!(begin);
            while any!() { call!(p.e); }
            atomic! { loop { event!(b); X = false; } }
        }
    ";
    check(
        model,
        &formulas(&["<> X"], &[]),
        expect![[r#"
        safety: violated InvalidEnd
          p `let mut l: bool = false;`
          p `call!(q.begin)`, q `accept!(begin)`
          p `{ break; }`
          q `any!()`
          p may end: 
          q: `call!(p.e)` NoAcceptor(Entry("p.e"))
        <> X: violated
          p `let mut l: bool = false;`
          p `call!(q.begin)`, q `accept!(begin)`
          q `any!()`
          q `call!(p.e)`, p `accept!(e => { event!(c); })`
          p `event!(c)`
          q `call!(p.e)`, p `accept!(e => { event!(c); })`
          q `any!()`
          p `l = true`
          again and again
          q `call!(p.e)`, p `accept!(e => { event!(c); })`
          p `event!(c)`
          q `call!(p.e)`, p `accept!(e => { event!(c); })`
          q `any!()`
          p `l = true`
    "#]],
    );
}

#[test]
fn statements_are_unreached_if_no_copy_is_reached() {
    let model = "
        static mut X: int!(0..=3) = 0;
        static mut B: bool = false;
        #[task] fn t() {
            if any!() { X = 2; } else { X = 1; }
            if X == 3 { event!(never); if any!() { event!(a); } }
            while any!() { event!(b); }
            choose! { i in 0..2 => { event!(c(i)); } }
        }
        #[task] fn s() {
            loop {
                select! {
                    when B => accept!(e) => { event!(got); }
                    when X != 0 => accept!(f(i in 0..2))
                    terminate
                }
            }
        }
        #[task] fn u() { call!(s.f(1)); }
    ";
    check(
        model,
        &ModelGoals::default(),
        expect![[r#"
        safety: holds
          unreached 2 of 8 in t
            `event!(never)` NotReached
            `event!(a)` NotReached
          unreached 2 of 3 in s
            `accept!(e)` NeverPossible
            `event!(got)` NotReached
    "#]],
    );
}

#[test]
fn an_error_inside_an_atomic_block_ends_the_run() {
    let model = "
        static mut I: int!(0..=3) = 2;
        static mut W: [bool; 2] = [false; 2];
        #[task] fn t() { atomic! { event!(a); W[I] = true; } }
        #[task] fn u() { event!(x); }
    ";
    check(
        model,
        &ModelGoals::default(),
        expect![[r#"
            safety: violated IndexOutOfRange
              t `event!(a)`
              t `I`
              t `W[I]`
        "#]],
    );
}

#[test]
fn a_value_out_of_range_comes_after_actions_only() {
    let model = "
        static mut N: int!(0..=2) = 0;
        #[task] fn t() { event!(begin); loop { if any!() { N += 1; } else { event!(idle); } } }
    ";
    check(
        model,
        &ModelGoals::default(),
        expect![[r#"
        safety: violated OutOfRange
          t `event!(begin)`
          t `N += 1`
          t `N += 1`
          t `N += 1`
    "#]],
    );
}

#[test]
fn an_infinite_run_of_choices_remains() {
    let model = "
        static mut X: bool = false;
        #[task] fn t() {
            event!(begin);
            loop { choose! { { if any!() { continue; } } { break; } } }
            X = true;
        }
    ";
    check(
        model,
        &formulas(&["<> X", "<> ended(t)", "[] (X -> [] X)"], &["!X || X"]),
        expect![[r#"
        safety: holds
        <> X: violated
          t `event!(begin)`
          again and again
          t `{ if any!() { continue; } }`
        <> ended(t): violated
          t `event!(begin)`
          again and again
          t `{ if any!() { continue; } }`
        [] (X -> [] X): holds
        !X || X: holds
    "#]],
    );
}

#[test]
fn a_run_that_ends_stays_in_its_last_state() {
    let model = "
        static mut X: int!(0..=2) = 0;
        #[task] fn t() { X = 1; if any!() { X = 2; } }
        #[task] fn u() { wait!(X == 2); event!(done); }
    ";
    let goals =
        formulas(&["<> X == 2", "<>[] (X > 0)", "[] (X == 2 -> <> ended(u))", "[]<> (X == 1)"], &["X < 2"]);
    check(
        model,
        &goals,
        expect![[r#"
        safety: violated InvalidEnd
          t `X = 1`
          t may end: 
          u: `X == 2` False
        <> X == 2: violated
          t `X = 1`
          for ever
          t may end: 
          u: `X == 2` False
        <>[] (X > 0): holds
        [] (X == 2 -> <> ended(u)): holds
        []<> (X == 1): violated
          t `X = 1`
          t `X = 2`
          u `X == 2`
          u `event!(done)`
          for ever
          t may end: 
          u may end: 
        X < 2: violated Observed
          t `X = 1`
          t `X = 2`
    "#]],
    );
}

#[test]
fn formulas_begin_when_unknown_values_are_chosen() {
    let model = "
        static mut X: int!(0..=1) = any!();
        #[task] fn t() { event!(a); event!(b); }
    ";
    let goals =
        formulas(&["[] (X == 0) || [] (X == 1)", "[] (X == 0 -> [] (X == 0))", "X == 0"], &["X != 1"]);
    check(
        model,
        &goals,
        expect![[r#"
            safety: holds
            [] (X == 0) || [] (X == 1): holds
            [] (X == 0 -> [] (X == 0)): holds
            X == 0: violated Observed
              start `X`
            X != 1: violated Observed
              start `X`
        "#]],
    );
}

#[test]
fn property_files_have_formulas() {
    let model = "
        const N: usize = 2;
        enum Phase { Idle, Busy }
        static mut INSIDE: int!(0..=N) = 0;
        #[task(i in 0..N)] fn worker(i: usize) {
            let mut phase: Phase = Phase::Idle;
            while any!() {
                atomic! { wait!(INSIDE == 0); INSIDE += 1; }
                phase = Phase::Busy;
                phase = Phase::Idle;
                INSIDE -= 1;
            }
        }
    ";
    let file = "
properties:
  - { name: at-most-one, model: model.rs, invariant: INSIDE <= 1 }
  - { name: never-all, model: model.rs, invariant: INSIDE < N - 1 }
  - { name: exclusive, model: model.rs, ltl: '[] !(worker[0].phase == Phase::Busy && worker[1].phase == Phase::Busy)' }
  - { name: served, model: model.rs, ltl: '[]<> (worker[0].phase == Phase::Busy)' }
  - { name: misspelt, model: model.rs, ltl: '[] (INSID <= 1)' }
  - { name: mistyped, model: model.rs, invariant: INSIDE == Phase::Busy }
";
    check_file(
        model,
        file,
        expect![[r#"
        at-most-one: holds
        never-all: violated Observed
          worker[1] `let mut phase: Phase = Phase::Idle;`
          worker[1] `INSIDE == 0`
          worker[1] `INSIDE += 1`
        exclusive: holds
        served: violated
          worker[1] `let mut phase: Phase = Phase::Idle;`
          worker[0] `let mut phase: Phase = Phase::Idle;`
          for ever
          worker[0] may end: 
          worker[1] may end: 
        error[formula-name]: no variable or constant is named `INSID`
         --> properties.yaml:7:50
          |
        7 |   - { name: misspelt, model: model.rs, ltl: '[] (INSID <= 1)' }
          |                                                  ^^^^^
          |
          = help: did you mean `INSIDE`?
        error[formula-type]: a number cannot be compared with a value of `Phase`
         --> properties.yaml:8:51
          |
        8 |   - { name: mistyped, model: model.rs, invariant: INSIDE == Phase::Busy }
          |                                                   ^^^^^^^^^^^^^^^^^^^^^
    "#]],
    );
}

#[test]
fn labels_of_promela_are_refused() {
    let model = "#[task] fn t() { }";
    check(
        model,
        &ModelGoals { acceptance: true, ..ModelGoals::default() },
        expect![[r#"
        error[usage]: `--acceptance` is only for Promela models
    "#]],
    );
    check(
        model,
        &ModelGoals { progress: true, ..ModelGoals::default() },
        expect![[r#"
        error[usage]: `--progress` is only for Promela models
    "#]],
    );
}

/// The state before an atomic block that never ends is not the end of a run.
#[test]
fn formulas_are_undecided_where_an_atomic_block_never_ends() {
    let model = "
        static mut X: bool = false;
        #[task] fn t() { atomic! { loop { X = !X; } } }
    ";
    check(
        model,
        &formulas(&["<> X"], &["!X || X"]),
        expect![[r#"
            safety: holds
            <> X: undecided
            !X || X: holds
        "#]],
    );
}

/// A rendezvous is one step, so the path by the lock is the shorter one.
#[test]
fn a_rendezvous_is_as_long_as_an_assignment() {
    let model = "
        static L: Lock = Lock::new();
        static mut X: bool = false;
        static mut Y: int!(0..=9) = 0;
        #[task] fn t() { choose! { { L.lock(); L.unlock(); X = true; } { Y = 1; Y = 2; Y = 3; X = true; } } }
    ";
    check(
        model,
        &formulas(&[], &["!X"]),
        expect![[r#"
        safety: holds
        !X: violated Observed
          t `L.lock()`, L `L`
          t `L.unlock()`, L `L`
          t `X = true`
    "#]],
    );
}
