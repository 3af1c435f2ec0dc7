//! Small models, one per fact of the language, against what SPIN counted:
//! `tests/spin/micro.tsv`, written by `tests/spin/micro.sh`.

use crate::breadth;
use crate::explore;
use crate::read;
use explore::{explore, explore_in, kind_of};
use std::fs;
use std::path::Path;
use trapline::explicit::view::{Fault, Semantics};
use trapline::lang::promela::lower::Escapes;

/// More states than any of the models has.
const MOST_STATES: usize = 1_000_000;

/// How pan counts every state.
const PLAIN: &str = "-o1 -o2 -o3 | -DSAFETY -DNOREDUCE |";

/// What we do not do as SPIN does, and why.
const DIFFERENT: &[(&str, &str)] = &[
    ("claim_", "in `spin_claims`"),
    ("ltl_", "in `spin_claims`"),
    ("chan_match_variable_twice", "a variable may take two fields of a message"),
    ("dstep_choice", "SPIN forgets options that begin with an assignment"),
    ("dstep_else_block", "SPIN forgets options that begin with a block and `else`"),
    ("receive_undone", "SPIN puts a message back with what a smaller variable kept of it"),
    ("priority_set_gone", "SPIN loses priorities when it takes such a step back"),
    ("unless_else", "SPIN takes `else` of an escape whatever else can be taken"),
    ("for_empty_constant", "an empty range of constants is a mistake"),
];

/// What SPIN's breadth-first search does not do, and how.
const NOT_BREADTH_FIRST: &[(&str, &str)] = &[
    ("hidden_", "it does not keep what is hidden"),
    ("trace_alone", "it does not know where a trace is over"),
];

/// The rows of models that were run with such flags, column by column.
fn rows(flags: &str) -> Vec<Vec<String>> {
    let table = fs::read_to_string("tests/spin/micro.tsv").expect("the table is there");
    let all = table.lines().map(|line| line.split('\t').map(String::from).collect());
    all.filter(|columns: &Vec<String>| columns[1] == flags).collect()
}

#[test]
fn small_models_have_the_states_and_errors_of_spin() {
    assert!(compare(PLAIN, Escapes::OuterFirst) > 200);
}

#[test]
fn inner_escapes_go_first_where_that_is_asked() {
    assert!(compare("-o1 -o2 -o3 | -DSAFETY -DNOREDUCE | -J", Escapes::InnerFirst) > 6);
}

/// Compares all models that were run with such flags, and counts them.
fn compare(flags: &str, escapes: Escapes) -> usize {
    let mut wrong = Vec::new();
    let mut n_compared = 0;
    for columns in &rows(flags) {
        let [name, verdict, kind, all_stored] = [0, 2, 3, 13].map(|at| columns[at].as_str());
        if DIFFERENT.iter().any(|(start, _)| name.starts_with(start))
            // Past the error SPIN finds no end.
            || (verdict == "violation" && all_stored == "-")
        {
            continue;
        }
        let text = fs::read_to_string(format!("tests/spin/micro/{name}.pml")).expect("the model is there");
        n_compared += 1;
        let ours = match explore_in(explore::PLAIN, escapes, &text, name, MOST_STATES) {
            Err(message) => {
                println!("{name}: {message}");
                "rejected".to_string()
            }
            Ok(found) => {
                assert!(!found.is_cut, "{name} has too many states");
                // Which of several kinds SPIN finds first is a matter of order.
                let same = found.faults.iter().find(|it| kind_of(**it) == kind);
                match same.or(found.faults.first()) {
                    None => format!("ok {}", found.stored),
                    Some(Fault::Assertion) => format!("assertion {}", found.stored),
                    Some(fault) => kind_of(*fault).to_string(),
                }
            }
        };
        let theirs = match (verdict, kind) {
            ("rejected" | "uncompiled", _) => "rejected".to_string(),
            ("crashed", _) => "crash".to_string(),
            ("ok", _) => format!("ok {all_stored}"),
            ("incomplete", _) => "ok 1".to_string(),
            (_, "assertion") => format!("{kind} {all_stored}"),
            _ => kind.to_string(),
        };
        if ours != theirs {
            wrong.push(format!("{name}: SPIN {theirs}, we {ours}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {n_compared} differ:\n{}", wrong.len(), wrong.join("\n"));
    n_compared
}

#[test]
fn a_message_that_was_received_into_a_smaller_variable_is_seen_whole_by_others() {
    let text = fs::read_to_string("tests/spin/micro/receive_undone.pml").expect("the model is there");
    let found = explore(&text, "receive_undone.pml", MOST_STATES).expect("the model is good");
    assert!(!found.faults.contains(&Fault::Assertion), "the assertion fails in pan only");
}

/// Where promises count, they are broken for SPIN too, and the other way
/// round.
#[test]
fn promises_of_channels_are_broken_where_spin_says_so() {
    let mut n_broken = 0;
    for columns in &rows("-o1 -o2 -o3 | -DSAFETY |") {
        let [name, verdict, kind] = [0, 2, 3].map(|at| columns[at].as_str());
        if name == "promise_gone" {
            continue;
        }
        let text = fs::read_to_string(format!("tests/spin/micro/{name}.pml")).expect("the model is there");
        let found = explore_in(Semantics::default(), Escapes::OuterFirst, &text, name, MOST_STATES)
            .expect("the model is good");
        let kinds: Vec<&str> = found.faults.iter().map(|it| kind_of(*it)).collect();
        match verdict {
            "ok" => assert!(kinds.is_empty(), "{name}: SPIN finds nothing, we {kinds:?}"),
            _ => assert!(kinds.contains(&kind), "{name}: SPIN finds {kind}, we {kinds:?}"),
        }
        n_broken += usize::from(verdict != "ok");
    }
    assert!(n_broken > 10, "only {n_broken} promises are broken");
}

/// What no trail has fewer of are statements, as SPIN counts them: all of an
/// atomic sequence, and two of a rendezvous.
#[test]
fn breadth_first_trails_are_as_short_as_those_of_spin() {
    let mut wrong = Vec::new();
    let mut n_compared = 0;
    for columns in &rows(PLAIN) {
        let [name, kind] = [0, 3].map(|at| columns[at].as_str());
        let Ok(theirs) = columns[15].parse::<usize>() else { continue };
        if DIFFERENT.iter().chain(NOT_BREADTH_FIRST).any(|(start, _)| name.starts_with(start)) {
            continue;
        }
        let path = format!("tests/spin/micro/{name}.pml");
        let (program, _) = read::program(Path::new(&path), &[]).unwrap_or_else(|fault| panic!("{fault}"));
        n_compared += 1;
        for n_threads in [1, 2] {
            let ours = breadth::n_statements(&program, n_threads);
            if ours != theirs {
                wrong.push(format!("{name}: {kind} after {theirs} for SPIN, {ours} for {n_threads} threads"));
            }
        }
    }
    assert!(n_compared > 50, "only {n_compared} models were compared");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn at_most_255_processes_are_active_from_the_start() {
    let flags = "-o1 -o2 -o3 | -DSAFETY -DNOREDUCE -DVECTORSZ=65536 |";
    let kinds: Vec<_> = rows(flags).into_iter().map(|it| [it[0].clone(), it[3].clone()]).collect();
    assert_eq!(kinds, [["active_most", "end-state"], ["active_too_many", "processes"]]);
    let [most, too_many] = ["active_most", "active_too_many"].map(|name| {
        let text = fs::read_to_string(format!("tests/spin/micro/{name}.pml")).expect("the model is there");
        explore(&text, name, MOST_STATES)
    });
    assert_eq!(most.expect("255 processes can be run").faults, [Fault::InvalidEnd; 2]);
    let message = too_many.err().expect("256 processes cannot be run");
    assert!(message.contains("the model starts with 256 active processes"), "{message}");
    assert!(message.contains("the maximum is 255 at a time, as in SPIN"), "{message}");
}
