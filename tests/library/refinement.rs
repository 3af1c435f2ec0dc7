//! The refinement loop, on the shipped properties and on random models.

use crate::common::generate::{Random, Shape, generate};
use crate::common::print::print;
use crate::common::share::Share;
use crate::loading::compile;
use crate::proposals::{shipped_specs, shipped_texts};
use std::path::Path;
use trapline::lang::library::Library;
use trapline::lang::spec::{parse_property_file, with_constraints};
use trapline::refine::{Round, refine};
use trapline::{CheckOptions, EngineChoice, Texts, Verdict, Workspace};

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

/// Constraints are written into every shipped file: one line changes, or one is added.
#[test]
fn constraints_can_be_written_into_every_shipped_property() {
    let mut texts = shipped_texts();
    for spec in shipped_specs() {
        let source = texts.read(Path::new(&spec), "property file").expect("it is there");
        let properties = parse_property_file(source, texts.sources()).expect("it is right").properties;
        for property in properties {
            let name = property.name.value.clone();
            let new = vec!["task:t[0]".to_string(), "variable:x".to_string()];
            let edited = with_constraints(source, &name, &new, &mut texts).expect("it can be edited");
            let texts = texts.sources();
            let old: Vec<&str> = texts.get(source).text.split('\n').collect();
            let new: Vec<&str> = texts.get(edited).text.split('\n').collect();
            let n_same = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
            let n_old = usize::from(!property.constraints.is_empty());
            assert_eq!(old[n_same + n_old..], new[n_same + 1..], "{spec}: {name}");
            let written = new[n_same].trim();
            assert_eq!(written, "constraints: [\"task:t[0]\", variable:x]", "{spec}: {name}");
        }
    }
}

const N_MODELS: u64 = 2_000;

/// The loop agrees with the explicit engine on random models and properties.
#[test]
fn refined_verdicts_are_exact() {
    let share = Share::of(N_MODELS);
    let all = share.in_parallel("refined_verdicts", check_model);
    let count = |wanted: &str| all.iter().flatten().filter(|it| **it == wanted).count();
    let (proved, exact, violated) = (count("proved"), count("exact"), count("violated"));
    println!("{proved} proved, {exact} decided by the explicit engine, {violated} violated");
    if share.is_whole {
        assert!(proved > 1_000 && exact > 30 && violated > 500, "one-sided");
    }
}

fn check_model(seed: u64) -> Vec<&'static str> {
    let shape = match seed % 4 {
        0 => Shape { objects: 45, ..Shape::tiny() },
        1 => Shape { atomic: 45, ..Shape::tiny() },
        2 => Shape::exact(),
        _ => Shape::tiny(),
    };
    let source = print(&generate(seed, &shape));
    let labels = compile(&source).labels();
    let mut random = Random::new(seed ^ 0x4ef1);
    let mut found = Vec::new();
    for _ in 0..2 {
        let (one, other) = (random.below(labels.len()), random.below(labels.len()));
        if one == other {
            continue;
        }
        let (one, other) = (&labels[one], &labels[other]);
        let none = random.pick(&[".*; a; .*; b; .*", ".*; a; [-b]*; a; .*", "[-a]*; b; .*", ".*; a; b; .*"]);
        let events = format!("{{a: {}, b: {}}}", quoted(one), quoted(other));
        let property = format!("name: q\nmodel: m.rs\nevents: {events}\nnone: \"{none}\"\n");
        found.extend(check_property(&source, &property));
    }
    found
}

fn quoted(label: &str) -> String {
    format!("\"{label}\"")
}

fn check_property(source: &str, property: &str) -> Option<&'static str> {
    let mut workspace = Workspace::new(Texts::new().with("m.rs", source).with("p.yaml", property));
    let mut options = CheckOptions::default();
    options.limits.max_states = Some(100_000);
    let subjects = workspace.subjects(Path::new("p.yaml"), &options).ok()?;
    let refined = refine(&mut workspace, &subjects[0], &options, &mut |_| None, &mut |_| ()).ok()?;
    let exact = CheckOptions { engine: EngineChoice::Explicit, ..options };
    let exact = workspace.check(&subjects[0], &exact, &mut |_| None).ok()?;
    match (refined.report.verdict, exact.verdict) {
        (Verdict::Undecided(_), _) | (_, Verdict::Undecided(_)) => None,
        (Verdict::Violated, Verdict::Violated) => Some("violated"),
        (Verdict::Holds | Verdict::HoldsVacuously, Verdict::Holds | Verdict::HoldsVacuously) => {
            Some(if refined.report.explicit().is_some() { "exact" } else { "proved" })
        }
        (refined, exact) => panic!("{refined:?}, but {exact:?}:\n{property}\n{source}"),
    }
}
