//! Textbook systems and their mutants (`tests/systems`): with no constraints, every violation is
//! confirmed as a shortest execution, and every other property is shown to hold.

use crate::common::share::in_parallel;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use trapline::verify::report::Outcome;
use trapline::verify::{Confirm, ConfirmOptions};
use trapline::{CheckOptions, EngineChoice, Texts, Verdict, Workspace};

/// A seeded fault: a part of the text of a system is replaced.
#[derive(Clone, Debug, Deserialize)]
struct Mutation {
    system: String,
    mutation: String,
    #[allow(dead_code)]
    kind: String,
    replace: String,
    with: String,
    /// Exact verdict per property.
    verdicts: BTreeMap<String, String>,
}

/// Model and properties of a system.
fn texts_of(system: &str) -> (String, String) {
    let read = |ending: &str| {
        std::fs::read_to_string(format!("tests/systems/{system}.{ending}")).expect("the file is text")
    };
    (read("rs"), read("yaml"))
}

fn mutations() -> Vec<Mutation> {
    let text = std::fs::read_to_string("tests/systems/mutations.yaml").expect("the file is text");
    serde_saphyr::from_str(&text).expect("the file is a list of mutations")
}

/// What was found about one property of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Finding {
    ProvedByFlow,
    Refuted,
    Confirmed,
}

#[test]
fn seeded_faults_are_confirmed_as_shortest_executions_or_shown_to_be_harmless() {
    let mutations = mutations();
    assert!(mutations.len() >= 60);
    let mut counts: BTreeMap<Finding, usize> = BTreeMap::new();
    for finding in in_parallel(mutations, check).into_iter().flatten() {
        *counts.entry(finding).or_default() += 1;
    }
    println!("{counts:?}");
    assert!(counts[&Finding::Confirmed] >= 100 && counts[&Finding::Refuted] >= 100, "{counts:?}");
}

fn check(mutation: &Mutation) -> Vec<Finding> {
    let (model, properties) = texts_of(&mutation.system);
    assert_eq!(model.matches(&mutation.replace).count(), 1, "{}: the text to replace", mutation.mutation);
    let model = model.replace(&mutation.replace, &mutation.with);
    let (model_name, file) = (format!("{}.rs", mutation.system), format!("{}.yaml", mutation.system));
    let mut workspace = Workspace::new(Texts::new().with(model_name, model).with(&file, properties));
    let confirm = ConfirmOptions { when: Confirm::Always, ..ConfirmOptions::default() };
    let options = CheckOptions { default_constraints: false, confirm, ..CheckOptions::default() };
    let exact = CheckOptions {
        engine: EngineChoice::Explicit,
        strategy: "bfs".to_string(),
        default_constraints: false,
        ..CheckOptions::default()
    };
    let subjects = workspace.subjects(Path::new(&file), &options).expect("a mutant can be read");
    assert_eq!(subjects.len(), mutation.verdicts.len(), "{}", mutation.mutation);
    let mut findings = Vec::new();
    for subject in subjects {
        let about = format!("{}, {}: {}", mutation.system, mutation.mutation, subject.property);
        let report = workspace.check(&subject, &options, &mut |_| None).expect("it can be checked");
        assert_eq!(report.verdict.name(), mutation.verdicts[&subject.property], "{about}");
        findings.push(match report.confirmation.as_ref().map(|it| &it.outcome) {
            None => Finding::ProvedByFlow,
            Some(Outcome::Refuted) => Finding::Refuted,
            Some(Outcome::Confirmed) => {
                let shortest = workspace.check(&subject, &exact, &mut |_| None).expect("it can be checked");
                assert!(report.claims.shortest, "{about} is not known to be shortest");
                assert_eq!(report.n_steps(), shortest.n_steps(), "{about} is not shortest");
                Finding::Confirmed
            }
            Some(other) => panic!("{about}: {other:?}"),
        });
        assert!(report.confirmation.is_some() || report.verdict == Verdict::Holds, "{about}");
    }
    findings
}
