//! The refinement loop on the shipped properties.

use crate::proposals::{shipped_specs, shipped_texts};
use std::path::Path;
use trapline::refine::{Round, refine};
use trapline::{CheckOptions, Verdict, Workspace};

/// From no constraints on, every property is proved, or its violation is an execution. The sets are
/// hardly ever larger than the known minimal ones, which the property files name.
#[test]
fn shipped_properties_are_decided_from_no_constraints() {
    let mut workspace = Workspace::new(shipped_texts());
    let (mut n_proved, mut n_small, mut violated) = (0, 0, Vec::new());
    for spec in shipped_specs() {
        let known = CheckOptions::default();
        let none = CheckOptions { default_constraints: false, ..CheckOptions::default() };
        for subject in workspace.subjects(Path::new(&spec), &none).expect("the file is right") {
            let mut rounds: Vec<Round> = Vec::new();
            let refined =
                refine(&mut workspace, &subject, &none, &mut |_| None, &mut |it| rounds.push(it.clone()))
                    .expect("the file is right");
            assert_eq!(refined.n_rounds, rounds.len());
            if refined.report.verdict != Verdict::Holds {
                assert!(rounds.last().is_some_and(|it| it.is_exact), "only an execution is a violation");
                violated.push(subject.property.clone());
                continue;
            }
            n_proved += 1;
            let added: usize =
                rounds.iter().filter_map(|it| it.added.as_ref()).map(|it| it.constraints.len()).sum();
            assert_eq!(added, refined.needed.len() + refined.dropped.len());
            let minimal = workspace.check(&subject, &known, &mut |_| None).expect("the file is right");
            n_small += usize::from(refined.needed.len() <= minimal.constraints().len());
        }
    }
    // It holds under the assumption of constraints/no-old-packets.yaml.
    assert_eq!(violated, ["no-reset"]);
    assert!(n_proved >= 49 && n_small * 10 >= n_proved * 9, "{n_small} of {n_proved} sets are small");
}

/// No constraint of the result can be left out, and those of the user are kept.
#[test]
fn results_are_minimal_and_contain_the_constraints_of_the_user() {
    let mut workspace = Workspace::new(shipped_texts());
    let options = CheckOptions {
        default_constraints: false,
        constraints: vec!["task:pump[1]".to_string()],
        ..CheckOptions::default()
    };
    let subjects = workspace.subjects(Path::new("specs/gas-station.yaml"), &options).expect("it is right");
    let subject =
        subjects.iter().find(|it| it.property == "activate-once-per-prepay").expect("it is shipped");
    let refined = refine(&mut workspace, subject, &options, &mut |_| None, &mut |_| ()).expect("it is right");
    assert_eq!(refined.report.verdict, Verdict::Holds);
    let used: Vec<&str> = refined.report.constraints().iter().map(|it| it.name.as_str()).collect();
    assert_eq!(used[0], "task:pump[1]");
    assert_eq!(used[1..], refined.needed);
    for index in 0..refined.needed.len() {
        let mut fewer = options.clone();
        fewer.constraints.extend(refined.needed.iter().cloned());
        fewer.constraints.remove(index + 1);
        let report = workspace.check(subject, &fewer, &mut |_| None).expect("it is right");
        assert_eq!(report.verdict, Verdict::Violated, "{} is not needed", refined.needed[index]);
    }
}
