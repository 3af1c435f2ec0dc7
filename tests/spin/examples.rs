//! The models that Debian's package `spin` ships, against what SPIN counted:
//! `tests/spin/EXAMPLES.md`, written by `tests/spin/survey.sh`.

use crate::read;
use std::fs;
use std::path::Path;
use trapline::verify::Verdict;
use trapline::verify::explicit::Aim;
use trapline::verify::{ExplicitProblem, Question};

const FOLDER: &str = "/usr/share/doc/spin/examples";

/// Larger models are left to those who run the program on them.
const MOST_STATES: u64 = 400_000;

/// What cannot be compared, and why.
const DIFFERENT: &[(&str, &str)] = &[("Book_1991/p108.pml", "SPIN fails by the size of its state vector")];

struct Row {
    name: String,
    stored: u64,
    has_errors: bool,
    /// Steps of a shortest trail, where SPIN found one.
    shortest: Option<usize>,
}

/// Rows with numbers of states.
fn rows() -> Vec<Row> {
    let table = fs::read_to_string("tests/spin/EXAMPLES.md").expect("the table is there");
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let stored = cells.get(6)?.parse().ok()?;
        let (has_errors, shortest) = (cells[9] != "0", cells.get(10).and_then(|it| it.parse().ok()));
        Some(Row { name: cells[0].to_string(), stored, has_errors, shortest })
    };
    table.lines().filter_map(row).collect()
}

/// The verdict, how many states there are, and the steps of the trail as SPIN
/// counts them; it has more to say of models with claims and formulas.
fn check(path: &Path) -> (Verdict, u64, Option<usize>) {
    let (program, _) = read::program(path, &[]).unwrap_or_else(|fault| panic!("{fault}"));
    let question = Question::from(ExplicitProblem::of_promela(&program, Aim::Safety).without_reduction());
    let report = question.check(&mut |_| None).expect("safety can be asked of any model");
    let n_meetings = report.steps().iter().filter(|(_, step)| step.partner().is_some()).count();
    let is_plain = program.model.ltl.is_empty() && program.network.observers.is_empty();
    let n_steps = is_plain.then_some(report.n_steps() + n_meetings);
    (report.verdict, report.search.counters.stored, n_steps)
}

#[test]
fn the_examples_of_spin_have_its_verdicts_and_numbers_of_states() {
    if !Path::new(FOLDER).exists() {
        println!("SPIN's examples are not installed: nothing is compared");
        return;
    }
    let mut n_compared = 0;
    let mut wrong = Vec::new();
    let mut n_trails = 0;
    for Row { name, stored, has_errors, shortest } in rows() {
        let is_different = DIFFERENT.iter().any(|(end, _)| name.ends_with(end));
        let path = Path::new(FOLDER).join(&name);
        if is_different || stored > MOST_STATES || !path.exists() {
            continue;
        }
        n_compared += 1;
        let (verdict, ours, n_steps) = check(&path);
        if let (Some(theirs), Some(n_steps)) = (shortest, n_steps) {
            n_trails += 1;
            if n_steps != theirs {
                wrong.push(format!("{name}: SPIN's shortest trail has {theirs} steps, ours {n_steps}"));
            }
        }
        let agrees = match has_errors {
            true => verdict == Verdict::Violated,
            false => verdict == Verdict::Holds && ours == stored,
        };
        if !agrees {
            wrong.push(format!("{name}: SPIN {stored} states, errors {has_errors}; we {verdict:?} {ours}"));
        }
    }
    println!("{n_compared} models compared, {n_trails} with the lengths of their trails");
    assert!(wrong.is_empty(), "{} of {n_compared} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(n_trails >= 15, "only {n_trails} trails were compared");
    assert!(n_compared >= 60, "only {n_compared} models were compared");
}
