//! Mistakes that were made once. Each is an input and what must come out.

use std::process::Command;
use std::time::{Duration, Instant};

/// Exit code and standard output of a check.
fn text(arguments: &str) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_trapline"))
        .env("LC_ALL", "C.UTF-8")
        .arg("check")
        .args(arguments.split_whitespace())
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/regressions"))
        .output()
        .expect("the program starts");
    let code = output.status.code().expect("no signal ended it");
    (code, String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Exit code and the last line.
fn check(arguments: &str) -> (i32, String) {
    let (code, text) = text(arguments);
    (code, text.lines().last().unwrap_or_default().to_owned())
}

fn says(code: i32, last: &str) -> (i32, String) {
    (code, last.to_owned())
}

#[test]
fn a_proof_that_pruning_found_survives_more_constraints() {
    let holds = says(0, "no-b-after-a: holds");
    assert_eq!(check("bridge.yaml"), holds);
    assert_eq!(check("bridge.yaml -c variable:x"), holds);
    assert_eq!(check("bridge.yaml -c seen.yaml"), holds);
    assert_eq!(check("bridge.yaml -c seen.yaml -c variable:x -c task:*"), holds);
    assert_eq!(check("bridge.yaml -c variable:x --adjacency never --confirm never").0, 1);
}

#[test]
fn assumptions_that_contradict_each_other_prove_nothing() {
    let vacuous = says(3, "no-b-after-a: holds vacuously");
    assert_eq!(check("bridge.yaml -c starts-with-a.yaml -c starts-with-b.yaml"), vacuous);
    assert_eq!(check("bridge.yaml -c nothing.yaml"), vacuous);
    assert_eq!(check("bridge.yaml -c starts-with-b.yaml -c task:t1"), says(0, "no-b-after-a: holds"));
}

#[test]
fn two_assumptions_of_one_name_are_two() {
    let text = text("bridge.yaml -c seen.yaml -c more/seen.yaml -v").1;
    assert!(text.contains("seen") && text.contains("seen#2"), "{text}");
}

/// `a` calls `x` then `y`, `b` accepts `y` then `x`: nothing ever happens.
#[test]
fn rendezvous_that_never_happen_are_told() {
    let (code, text) = text("crossed.yaml -v");
    assert_eq!(code, 0, "{text}");
    for remark in [
        "`a` can never complete this call of `b.x`",
        "`a` can never complete this call of `b.y`",
        "`b` can never accept `b.x` here",
        "`b` can never accept `b.y` here",
    ] {
        assert!(text.contains(remark), "{remark} is missing:\n{text}");
    }
    let alive = self::text("bridge.yaml -v").1;
    assert!(!alive.contains("can never"), "a rendezvous that happens is not dead:\n{alive}");
}

#[test]
fn a_violation_that_was_seen_is_told_when_a_limit_is_reached() {
    let violated = says(1, "no-e: violated");
    assert_eq!(check("counter.yaml --max-states 500 --strategy propagate"), violated);
    assert_eq!(check("counter.yaml --max-states 500"), violated);
}

#[test]
fn limits_bind_while_the_graph_is_built() {
    let start = Instant::now();
    let (code, last) = check("long.yaml --timeout 1s --max-memory 64MiB");
    assert_eq!((code, last.as_str()), (3, "few: undecided"));
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

#[test]
fn a_value_that_leaves_its_range_is_reported_where_it_does() {
    let (code, text) = text("range.yaml --confirm never");
    assert_eq!(code, 1, "{text}");
    let note = "the counterexample takes `x` out of its range; then its value is unknown";
    assert!(text.contains(note) && text.contains("range.rs:6:"), "{text}");
    let (code, text) = self::text("range.rs");
    assert!(code == 1 && text.contains("a value is outside the range of its variable"), "{text}");
}

/// Only an entry that no `accept!` names is missing.
#[test]
fn an_accept_that_is_never_reached_is_not_missing() {
    let (code, text) = text("deadcall.yaml");
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("`t` never reaches its `accept!` of `t.f`: this call waits forever"), "{text}");
}
