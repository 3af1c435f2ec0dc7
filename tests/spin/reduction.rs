//! Small models on which wrong reductions miss errors: their verdicts with a
//! reduced and a full search, and those of SPIN without a reduction.

use crate::real::{Folder, compare_all};
use std::fs;
use trapline::diag::Sources;
use trapline::lang::promela::{Program, Reading, lower, parse};
use trapline::search::Strategy;
use trapline::search::strategy::Rule;
use trapline::verify::explicit::{Aim, ReductionChoice, ReductionUsed, Semantics};
use trapline::verify::{ExplicitProblem, Question, Report, Verdict};

/// Which errors count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Errors {
    /// Failed assertions and runtime errors.
    Asserts,
    /// Invalid end states, too.
    All,
}

use Errors::{All, Asserts};

/// What is special about it, which errors count, whether there is one, and the
/// model. `|` parts the bodies of processes; what is declared comes before `:::`.
const MODELS: &[(&str, Errors, bool, &str)] = &[
    (
        "a cycle beside the error",
        Asserts,
        true,
        "byte x; ::: bit i; do :: i = 1 - i od | x = 1; assert(x != 1)",
    ),
    (
        "locks in different orders",
        All,
        true,
        "byte a, b; ::: (a == 0) -> a = 1; (b == 0) -> b = 1; a = 0; b = 0 \
      | (b == 0) -> b = 1; (a == 0) -> a = 1; b = 0; a = 0",
    ),
    (
        "an option that is disabled at first",
        Asserts,
        true,
        "byte g; ::: byte l; if :: l = 1 :: (g) -> assert(0) fi | g = 1",
    ),
    ("else before a write", Asserts, true, "byte g; ::: if :: (g == 1) :: else -> assert(0) fi | g = 1"),
    (
        "else before a send",
        Asserts,
        true,
        "chan q = [1] of { byte }; ::: if :: q?1 :: else -> assert(0) fi | q!1",
    ),
    (
        "a length between sends",
        Asserts,
        true,
        "chan q = [2] of { byte }; ::: q!1; q!2 | byte v; q?v; q?v | (len(q) == 2) -> assert(0)",
    ),
    (
        "the order of messages",
        Asserts,
        true,
        "chan q = [2] of { byte }; ::: q!1 | q!2 | byte x, y; q?x; q?y; assert(!(x == 2 && y == 1))",
    ),
    ("sorted sends", Asserts, true, "chan q = [2] of { byte }; ::: q!!2; q!!1 | byte x; q?x; assert(x != 1)"),
    (
        "a random receive",
        Asserts,
        true,
        "chan q = [2] of { byte }; byte got; ::: q!1; q!2 | q??2; got = 1 \
      | byte v; q?v; (v == 1 && got == 1) -> assert(0)",
    ),
    (
        "two timeouts",
        Asserts,
        true,
        "byte x; ::: timeout -> x = 1 | timeout -> assert(x == 0); x = 2 | byte l; l = 1; l = 2",
    ),
    ("a timeout is last", Asserts, false, "byte x; ::: timeout -> assert(x == 2) | x = 1; x = 2"),
    (
        "provided holds in between",
        Asserts,
        false,
        "byte on = 1; ::: provided (on) byte l; l = 1; l = 2; assert(on) | on = 0; on = 1",
    ),
    (
        "provided fails in between",
        Asserts,
        true,
        "byte on = 1, x; ::: provided (on) byte l; l = 1; x = 1 | on = 0; assert(x == 1)",
    ),
    (
        "numbers of processes in the order of their starts",
        Asserts,
        true,
        "byte pa, pb; proctype C() { skip } ::: pa = run C() | pb = run C(); assert(pa == 0 || pa < pb)",
    ),
    (
        "a number is used again",
        Asserts,
        true,
        "proctype C() { skip } ::: byte f, s; f = run C(); s = run C(); assert(f != s)",
    ),
    (
        "the older process cannot end first",
        Asserts,
        false,
        "byte x; proctype O() { skip } proctype Y() { x == 1 } \
      ::: atomic { run O(); run Y() }; (_nr_pr == 2) -> assert(0)",
    ),
    (
        "the older process is alone for a while",
        Asserts,
        true,
        "byte x; proctype O() { skip } proctype Y() { x == 1 } \
      ::: run O(); run Y(); (_nr_pr == 2) -> assert(0)",
    ),
    (
        "an initial value is read by the start",
        Asserts,
        true,
        "byte g; proctype C() { byte l = g; assert(l == 0) } ::: run C() | g = 1",
    ),
    (
        "a rendezvous with one of two",
        Asserts,
        true,
        "chan c = [0] of { byte }; byte x; ::: c!1 | byte v; if :: c?v -> assert(0) :: x = 1 fi | byte v; c?v",
    ),
    (
        "an atomic sequence is interrupted",
        Asserts,
        true,
        "byte x; chan q = [1] of { byte }; ::: byte v; atomic { x = 1; q?v; assert(x == 1) } | (x == 1) -> x = 2; q!0",
    ),
    (
        "an atomic sequence blocks",
        Asserts,
        true,
        "byte g, h; ::: byte l; atomic { l == 0 -> h = 1; (g == 1) -> h = 2 } | (h == 1) -> assert(0)",
    ),
    (
        "a d_step reads",
        Asserts,
        true,
        "byte x, y; ::: d_step { if :: (x == 0) -> y = 1 :: else -> y = 2 fi }; assert(y == 1) | x = 1",
    ),
    (
        "an escape",
        Asserts,
        true,
        "byte stop; ::: byte l; { l = 1; l = 2; l = 3 } unless { (stop) -> assert(0) } | stop = 1",
    ),
    (
        "a broken promise",
        Asserts,
        true,
        "chan q = [1] of { byte }; ::: xs q; q!1 | byte v; xr q; q?v | (nempty(q)) -> assert(0)",
    ),
    (
        "a value decides about a receive",
        Asserts,
        true,
        "byte k = 1; chan q = [1] of { byte }; ::: q?eval(k) -> assert(0) | q!1 | k = 2",
    ),
    (
        "a local variable of another process",
        Asserts,
        true,
        "proctype A() { byte l; l = 1; l = 2; l = 3 } ::: run A(); (A:l == 2) -> assert(0)",
    ),
    (
        "an element by a variable index",
        Asserts,
        true,
        "byte a[2]; byte i; ::: a[i] = 1 | i = 1 | (a[0] == 1) -> assert(0)",
    ),
    (
        "a channel in a message",
        Asserts,
        true,
        "chan q = [2] of { byte }; chan r = [1] of { chan }; \
      ::: chan l; r?l; l!1 | r!q; q!2 | byte v; q?v; assert(v != 1)",
    ),
    ("a division by what is briefly zero", Asserts, true, "byte x = 1, y; ::: y = 4 / x | x = 0; x = 1"),
    (
        "a trace",
        Asserts,
        true,
        "chan a = [1] of { byte }; chan b = [1] of { byte }; trace { do :: a!_; b!_ od } ::: a!1 | b!1",
    ),
    (
        "processes that are alike",
        Asserts,
        false,
        "byte lock = 255, n; ::: do :: atomic { lock == 255 -> lock = _pid }; n++; \
      assert(n == 1 && lock == _pid); n--; lock = 255 od * 3",
    ),
    (
        "processes in a ring",
        Asserts,
        false,
        "byte tok[3], prev = 2; ::: d_step { _pid == 0 && prev == 2 && !tok[0] -> tok[0] = 1 }; \
      do :: atomic { tok[_pid] -> assert(prev == (_pid + 2) % 3); prev = _pid; tok[_pid] = 0; \
      tok[(_pid + 1) % 3] = 1 } od | do :: atomic { tok[_pid] -> assert(prev == (_pid + 2) % 3); \
      prev = _pid; tok[_pid] = 0; tok[(_pid + 1) % 3] = 1 } od * 2",
    ),
    (
        "the smallest number wins",
        Asserts,
        false,
        "byte leader = 255, done; ::: atomic { if :: leader == 255 || _pid < leader -> leader = _pid \
      :: else fi }; done++; (done == 3) -> assert(leader == 0) * 3",
    ),
];

/// The text of a model. `* N` behind a body makes N processes, and `provided`
/// before it a clause.
fn text(model: &str) -> String {
    let (declared, bodies) = model.split_once(":::").expect("bodies follow `:::`");
    let mut text = declared.replace("     ", " ");
    for (index, body) in bodies.split(" | ").enumerate() {
        let (body, n_processes) = match body.rsplit_once(" * ") {
            Some((body, number)) if number.trim().parse::<u8>().is_ok() => (body, number.trim()),
            _ => (body, "1"),
        };
        let (provided, body) = match body.trim().strip_prefix("provided (on)") {
            Some(rest) => ("provided (on) ", rest),
            None => ("", body),
        };
        text.push_str(&format!(
            "\nactive [{n_processes}] proctype M{index}() {provided}{{ {} }}",
            body.trim()
        ));
    }
    text
}

fn program(text: &str) -> Program {
    let mut sources = Sources::default();
    let source = sources.add("model.pml", text);
    let mut load = |_: &str, _| Err("nothing is included".to_string());
    let parsed = parse(source, &mut sources, &mut Reading { definitions: Vec::new(), load: &mut load });
    let faults: Vec<String> = parsed.diagnostics.iter().map(|it| it.render(&sources, false)).collect();
    lower(parsed.model.unwrap_or_else(|| panic!("{text}\n{}", faults.join("\n"))))
        .expect("the model can be run")
}

fn check(program: &Program, errors: Errors, reduction: ReductionChoice, rule: Rule) -> Report {
    let problem = ExplicitProblem {
        semantics: Semantics { allows_blocked_end: errors == Asserts, ..Semantics::default() },
        reduction,
        ..ExplicitProblem::of_promela(program, Aim::Safety)
    };
    let question = Question::from(problem).with_strategy(Strategy::of(rule));
    question.check(&mut |_| None).expect("safety can be asked of any model")
}

#[test]
fn small_models_have_their_verdicts() {
    let mut n_reduced = 0;
    for (name, errors, is_bad, model) in MODELS {
        let program = program(&text(model));
        let full = check(&program, *errors, ReductionChoice::None, Rule::Bfs);
        let expected = if *is_bad { Verdict::Violated } else { Verdict::Holds };
        assert_eq!(full.verdict, expected, "{name}");
        for rule in [Rule::Bfs, Rule::Dfs { depth: None }, Rule::Mixed] {
            let reduced = check(&program, *errors, ReductionChoice::Stubborn, rule.clone());
            assert_eq!(reduced.verdict, expected, "{name} by {rule:?}");
            if reduced.claims.shortest {
                assert_eq!(reduced.n_steps(), full.n_steps(), "{name} by {rule:?}");
            }
            let used = reduced.explicit().expect("the explicit engine was asked").reduction;
            assert_eq!(used == ReductionUsed::Stubborn, *name != "a trace", "{name}");
            n_reduced += usize::from(reduced.search.counters.generated < full.search.counters.generated);
        }
    }
    assert!(n_reduced > 10, "{n_reduced}");
}

#[test]
fn spin_has_the_same_verdicts() {
    compare_all(MODELS, |(name, errors, is_bad, model)| {
        // pan crashes when it divides by zero.
        if name.contains("division") {
            return None;
        }
        let folder = Folder::new();
        fs::write(folder.0.join("model.pml"), text(model)).expect("the folder is writable");
        folder.make_pan(&["-o1", "-o2", "-o3"], &["-DSAFETY", "-DNOREDUCE", "-DNOCLAIM"])?;
        let flags: &[&str] = if *errors == Asserts { &["-m100000", "-E"] } else { &["-m100000"] };
        let told = folder.run("./pan", flags);
        let is_wrong = match told.contains("errors: 0") {
            true => *is_bad,
            false => !*is_bad || !told.contains("errors: 1"),
        };
        Some(is_wrong.then(|| format!("{name}: {told}")).into_iter().collect())
    });
}
