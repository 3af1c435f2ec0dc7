//! Numbers of states on the explicit engine, against those of an independent
//! prototype, to the unit.
//!
//! The prototype counts the states of all tasks, all variables and the property.
//! Its tasks are at their start or after an action, as in a network for the order
//! of events ([`Steps::Events`]), so most numbers are equal. Others are not, since
//! the prototype takes more steps than our meaning has:
//!
//! - the end of a task is a step;
//! - the guard of an alternative is a step, before its rendezvous;
//! - `else` can always be taken;
//! - a variable that is unknown at the start has one more value for that.
//!
//! Models in which this is written down have the numbers of the prototype.

use crate::shipped::Case;
use std::collections::HashSet;
use trapline::explicit::sequence::Sequence;
use trapline::lang::spec::property::Executions;
use trapline::lang::task::lower::{Steps, lower};
use trapline::verify::explicit::Aim;
use trapline::verify::{ExplicitProblem, Question, Verdict};

struct Known {
    spec: &'static str,
    property: &'static str,
    settings: &'static [(&'static str, i64)],
    /// Of the prototype.
    n_states: u64,
    /// Ours, if it is another one.
    ours: Option<u64>,
    /// If only prefixes of executions count.
    prefixes: u64,
    /// Changes of the model that give it the steps of the prototype.
    changes: &'static [(&'static str, &'static str)],
}

const fn same(
    spec: &'static str,
    property: &'static str,
    settings: &'static [(&'static str, i64)],
    n_states: u64,
    prefixes: u64,
) -> Known {
    Known { spec, property, settings, n_states, ours: None, prefixes, changes: &[] }
}

const RELAY: &[(&str, &str)] = &[
    ("winner: int!(0..=TEAMS - 1) = any!()", "winner: int!(0..=TEAMS) = TEAMS"),
    (
        "{ event!(leave_track[team]); }\n        }\n    }\n",
        "{ event!(leave_track[team]); }\n        }\n    }\n    event!(end);\n",
    ),
    (
        "call!(runner[team][i + 1].baton);\n    }\n",
        "call!(runner[team][i + 1].baton);\n    }\n    event!(end);\n",
    ),
];

const KNOWN: &[Known] = &[
    same("peterson", "mutual-exclusion", &[("N", 3)], 1_308, 843),
    same("cyclic-scheduler", "in-turn", &[("N", 5)], 21_875, 272),
    same("gas-station", "activate-once-per-prepay", &[("N", 2)], 984, 241),
    same("gas-station", "activate-once-per-prepay", &[("N", 3)], 6_546, 1_635),
    same("gas-station", "activate-once-per-prepay", &[("N", 4)], 39_884, 9_185),
    same("smokers", "one-smokes", &[], 1_456, 44),
    Known {
        ours: Some(11),
        changes: &[
            ("select! {", "choose! {"),
            (
                "when !locked => accept!(lock) => { locked = true; }",
                "{ wait!(!locked); accept!(lock); locked = true; }",
            ),
            (
                "when locked => accept!(unlock) => { locked = false; }",
                "{ wait!(locked); accept!(unlock); locked = false; }",
            ),
        ],
        ..same("lock", "no-double-lock", &[], 14, 5)
    },
    Known {
        ours: Some(73_872),
        changes: &[
            ("select! {", "choose! {"),
            ("accept!(request) => { accept!(release); }", "{ accept!(request); accept!(release); }"),
            ("else => {}", "{}"),
        ],
        ..same("token-ring", "mutual-exclusion", &[("N", 5)], 11_008, 592)
    },
    Known { ours: Some(87), changes: RELAY, ..same("relay", "one-winner", &[], 833, 87) },
    Known { ours: Some(177), changes: RELAY, ..same("relay", "in-order", &[], 1_225, 177) },
    Known {
        ours: Some(19_029),
        changes: &[
            (
                "        call!(alice.give_up);\n    }\n",
                "        call!(alice.give_up);\n    }\n    event!(end);\n",
            ),
            ("{ break; }\n        }\n    }\n", "{ break; }\n        }\n    }\n    event!(end);\n"),
            (
                "accept!(rst) => { number = Number::None; }\n        }\n    }\n",
                "accept!(rst) => { number = Number::None; }\n        }\n    }\n    event!(end);\n",
            ),
        ],
        ..same("handshake", "alice-first", &[], 29_437, 5_073)
    },
];

#[test]
fn states_are_those_of_the_prototype() {
    let mut wrong = Vec::new();
    for known in KNOWN {
        let Known { spec, property, settings, changes, .. } = known;
        let case = Case::load(spec, property, settings, &[]);
        let changed = Case::load_changed(spec, property, settings, &[], changes);
        let found = [
            (
                n_states(&case, Executions::Complete),
                known.ours.unwrap_or(known.n_states),
                "complete executions",
            ),
            (n_states(&case, Executions::Prefixes), known.prefixes, "prefixes"),
            (n_states(&changed, Executions::Complete), known.n_states, "the steps of the prototype"),
        ];
        for (found, expected, what) in found {
            if found != expected {
                wrong.push(format!("{property} {spec}, {what}: {found} states instead of {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The number of states with the property.
fn n_states(case: &Case, executions: Executions) -> u64 {
    let events = case.automaton().events.iter();
    let mut labels: HashSet<String> = events.flat_map(|it| it.labels.iter().cloned()).collect();
    // The end of a task, where it is written down.
    labels.insert("end".to_string());
    let steps = Steps::Events { labels, with_ends: executions == Executions::Complete };
    let lowered = lower(&case.program, &steps).expect("the model is small");
    let sequence = Sequence::over(&lowered.steps, case.automaton(), &[], executions);
    let aim = Aim::Sequence("order".to_string(), Box::new(sequence.expect("the property is small")));
    let question = Question::from(ExplicitProblem::new(&lowered.network, aim).without_reduction());
    let report = question.check(&mut |_| None).expect("the question can be asked");
    assert_eq!(report.verdict, Verdict::Holds);
    report.search.counters.stored
}
