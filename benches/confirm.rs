//! Time to confirm or refute counterexamples, against the time of the check that
//! finds them.
//!
//! `cargo bench --bench confirm` prints a table. Subjects are the shipped
//! properties with each of their constraints left out, and without any, where the
//! flow engine then finds a counterexample; and the violated mutants of
//! `tests/systems`, without constraints. Times are the best of several runs.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use trapline::verify::ConfirmOptions;
use trapline::verify::report::Outcome;
use trapline::verify::workspace::Subject;
use trapline::{CheckOptions, Texts, Verdict, Workspace};

const REPETITIONS: usize = 5;

/// A group of subjects.
#[derive(Default)]
struct Group {
    /// Logarithms of the ratios of both times.
    ratios: Vec<f64>,
    worst: Option<(f64, String)>,
    inconclusive: Vec<String>,
}

#[derive(serde::Deserialize)]
struct Mutation {
    system: String,
    mutation: String,
    replace: String,
    with: String,
}

fn main() {
    let mut groups: BTreeMap<&str, Group> = BTreeMap::new();
    shipped(&mut groups);
    mutants(&mut groups);
    println!(
        "{:<34} {:>8} {:>6} {:>7} {:>12}  worst subject",
        "subjects", "number", "mean", "worst", "inconclusive"
    );
    for (name, group) in &groups {
        let mean = (group.ratios.iter().sum::<f64>() / group.ratios.len() as f64).exp();
        let (worst, subject) = group.worst.clone().unwrap_or_default();
        let (n, n_open) = (group.ratios.len(), group.inconclusive.len());
        println!("{name:<34} {n:>8} {mean:>6.2} {worst:>7.2} {n_open:>12}  {subject}");
        group.inconclusive.iter().for_each(|it| println!("    inconclusive: {it}"));
    }
}

fn shipped(groups: &mut BTreeMap<&str, Group>) {
    let texts = folder(folder(folder(Texts::new(), "examples"), "constraints"), "specs");
    let mut workspace = Workspace::new(texts.clone());
    let all = CheckOptions { confirm: ConfirmOptions::NEVER, ..CheckOptions::default() };
    for spec in files("specs", "yaml") {
        for subject in workspace.subjects(Path::new(&spec), &all).expect("the file is right") {
            let used = workspace.check(&subject, &all, &mut |_| None).expect("the file is right");
            let used: Vec<String> = used.constraints().iter().map(|it| it.name.clone()).collect();
            let generated: Vec<String> = used.into_iter().filter(|it| it.contains(':')).collect();
            let fewer = (0..generated.len()).map(|left_out| {
                let mut fewer = generated.clone();
                fewer.remove(left_out);
                fewer
            });
            for constraints in fewer.chain([Vec::new()]) {
                let options =
                    CheckOptions { default_constraints: false, constraints, ..CheckOptions::default() };
                measure(&texts, &subject, &options, (true, subject.property.clone()), groups);
            }
        }
    }
}

fn mutants(groups: &mut BTreeMap<&str, Group>) {
    let text = std::fs::read_to_string("tests/systems/mutations.yaml").expect("the file is text");
    let mutations: Vec<Mutation> = serde_saphyr::from_str(&text).expect("the file is a list of mutations");
    for mutation in mutations {
        let read = |ending: &str| {
            let path = format!("tests/systems/{}.{ending}", mutation.system);
            std::fs::read_to_string(path).expect("the file is text")
        };
        let model = read("rs").replace(&mutation.replace, &mutation.with);
        let file = format!("{}.yaml", mutation.system);
        let texts = Texts::new().with(format!("{}.rs", mutation.system), model).with(&file, read("yaml"));
        let mut workspace = Workspace::new(texts.clone());
        let options = CheckOptions { default_constraints: false, ..CheckOptions::default() };
        for subject in workspace.subjects(Path::new(&file), &options).expect("a mutant can be read") {
            let name = format!("{}, {}: {}", mutation.system, mutation.mutation, subject.property);
            measure(&texts, &subject, &options, (false, name), groups);
        }
    }
}

/// Checks a subject with and without confirming, if the flow engine finds a
/// counterexample.
fn measure(
    texts: &Texts,
    subject: &Subject,
    options: &CheckOptions,
    (is_shipped, name): (bool, String),
    groups: &mut BTreeMap<&str, Group>,
) {
    let never = CheckOptions { confirm: ConfirmOptions::NEVER, ..options.clone() };
    let (mut searching, mut confirming) = (Duration::MAX, Duration::MAX);
    let mut outcome = None;
    for _ in 0..REPETITIONS {
        // Nothing is known from an earlier run.
        let found =
            Workspace::new(texts.clone()).check(subject, &never, &mut |_| None).expect("it can be checked");
        if found.verdict != Verdict::Violated {
            return;
        }
        searching = searching.min(found.elapsed);
        let judged =
            Workspace::new(texts.clone()).check(subject, options, &mut |_| None).expect("it can be checked");
        let confirmation = judged.confirmation.expect("a counterexample is judged");
        confirming = confirming.min(confirmation.elapsed);
        outcome = Some(confirmation.outcome);
    }
    let group = match (&outcome, is_shipped) {
        (Some(Outcome::Confirmed), true) => "shipped, confirmed",
        (Some(Outcome::Refuted), true) => "shipped, refuted",
        (_, true) => "shipped, inconclusive",
        (Some(Outcome::Confirmed), false) => "mutants, confirmed",
        (Some(Outcome::Refuted), false) => "mutants, refuted",
        (_, false) => "mutants, inconclusive",
    };
    let ratio = confirming.as_secs_f64() / searching.as_secs_f64();
    let set = match options.constraints.is_empty() {
        true => name,
        false => format!("{name} with {}", options.constraints.join(" ")),
    };
    let group = groups.entry(group).or_default();
    group.ratios.push(ratio.ln());
    if group.worst.as_ref().is_none_or(|(worst, _)| ratio > *worst) {
        group.worst = Some((ratio, set.clone()));
    }
    if outcome.is_some_and(|it| matches!(it, Outcome::Stopped(_) | Outcome::Refused(_))) {
        group.inconclusive.push(set);
    }
}

fn folder(texts: Texts, folder: &str) -> Texts {
    let ending = if folder == "examples" { "rs" } else { "yaml" };
    files(folder, ending).into_iter().fold(texts, |texts, path| {
        let text = std::fs::read_to_string(&path).expect("the file is text");
        texts.with(path, text)
    })
}

fn files(folder: &str, ending: &str) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is shipped");
    let paths = entries.map(|it| it.expect("the folder is readable").path());
    let paths = paths.filter(|it| it.extension().is_some_and(|it| it == ending));
    let mut files: Vec<String> = paths.map(|it| it.display().to_string()).collect();
    files.sort();
    files
}
