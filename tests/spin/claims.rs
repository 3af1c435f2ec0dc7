//! Claims, formulas, acceptance and progress against SPIN: the micro models of
//! `tests/spin/micro.tsv` that have any, and SPIN's own examples as judged in
//! `tests/spin/EXAMPLES.md`.

use crate::explore::kind_of;
use crate::read;
use std::fs;
use std::path::Path;
use trapline::diag::{SourceId, Span};
use trapline::verify::explicit::{Aim, Fault, Program, progress};
use trapline::verify::{ExplicitProblem, Question};
use trapline::verify::{Limits, Report, Verdict};

const FOLDER: &str = "/usr/share/doc/spin/examples";

fn read(path: &Path) -> Program {
    read::program(path, &[]).unwrap_or_else(|fault| panic!("{fault}")).0
}

fn ask(program: &Program, aim: Aim, is_fair: bool) -> Report {
    let limits = Limits { max_states: Some(300_000), max_bytes: None };
    let problem = ExplicitProblem { is_fair, ..ExplicitProblem::of_promela(program, aim) };
    Question::from(problem).with_limits(limits).check(&mut |_| None).expect("the question can be asked")
}

/// What SPIN checks with these flags: the claim, a formula of the model by
/// name or the first one, progress, or acceptance.
fn aim_of(program: &mut Program, cc: &str, run: &str) -> Aim {
    if cc.contains("-DNP") {
        return Aim::Observer(
            program.add_formula("progress", &progress(Span::new(SourceId::new(0), 0..0))).expect("small"),
        );
    }
    if let Some(claim) = program.network.observers.first() {
        return Aim::Observer(claim.clone());
    }
    let wanted = run.split_once("-N ").map(|(_, name)| name.trim());
    let formula = program.model.ltl.iter().find(|it| wanted.is_none_or(|name| name == it.name)).cloned();
    match formula {
        Some(it) => Aim::Observer(program.add_formula(&it.name, &it.formula).expect("small")),
        None => Aim::Acceptance,
    }
}

/// What we do not do as SPIN does, and why.
const DIFFERENT: &[(&str, &str)] = &[
    ("claim_assert", "an assertion of the system is asked of the system alone"),
    ("claim_noclaim", "the claim is left out"),
];

#[test]
fn small_models_with_claims_have_the_verdicts_of_spin() {
    let table = fs::read_to_string("tests/spin/micro.tsv").expect("the table is there");
    let (mut wrong, mut n_compared, mut n_counted) = (Vec::new(), 0, 0);
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let (name, flags, kind, all_stored) = (columns[0], columns[1], columns[3], columns[13]);
        let parts: Vec<&str> = flags.split('|').map(str::trim).collect();
        let (cc, run) = (parts[1], parts[2]);
        let is_safety = cc.contains("-DSAFETY");
        let watches = name.starts_with("claim_") || run.starts_with("-a") || run.starts_with("-l");
        if !watches || DIFFERENT.iter().any(|(it, _)| *it == name) {
            continue;
        }
        n_compared += 1;
        let mut program = read(Path::new(&format!("tests/spin/micro/{name}.pml")));
        let aim = aim_of(&mut program, cc, run);
        let is_formula = aim.is_formula();
        let report = ask(&program, aim, run.contains("-f"));
        let ours = match (report.verdict, report.cycle(), report.fault()) {
            (Verdict::Holds, ..) => "none",
            (_, Some(_), _) if cc.contains("-DNP") => "non-progress",
            (_, Some(_), _) => "acceptance",
            // SPIN writes an assertion into the claim of a formula.
            (_, None, Some(Fault::Observed)) if is_formula => "assertion",
            (_, None, Some(Fault::Observed)) => "claim",
            (_, None, Some(fault)) => kind_of(fault),
            (_, None, None) => panic!("{name}: a violation without cycle and fault"),
        };
        // Without -a SPIN does not look for cycles, and counts every pair.
        let theirs = kind;
        if is_safety && ours == "acceptance" {
            continue;
        }
        if ours != theirs {
            wrong.push(format!("{name} ({flags}): SPIN {theirs}, we {ours}"));
        }
        if is_safety && kind == "none" {
            n_counted += 1;
            let stored = report.search.counters.stored.to_string();
            if stored != all_stored {
                wrong.push(format!("{name}: SPIN {all_stored} states, we {stored}"));
            }
        }
    }
    println!("{n_compared} compared, {n_counted} with numbers of states");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(n_compared >= 20 && n_counted >= 6, "only {n_compared} and {n_counted}");
}

#[test]
fn the_examples_of_spin_have_its_verdicts_on_cycles() {
    if !Path::new(FOLDER).exists() {
        println!("SPIN's examples are not installed: nothing is compared");
        return;
    }
    let table = fs::read_to_string("tests/spin/EXAMPLES.md").expect("the table is there");
    let (mut wrong, mut n_compared) = (Vec::new(), 0);
    for line in table.lines() {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let Some(theirs) = cells.get(4).filter(|it| **it == "ok" || it.starts_with("violation")) else {
            continue;
        };
        let path = Path::new(FOLDER).join(cells[0]);
        if !path.exists() {
            continue;
        }
        let mut program = read(&path);
        let aim = aim_of(&mut program, "", "");
        let report = ask(&program, aim, false);
        if matches!(report.verdict, Verdict::Undecided(_)) {
            continue;
        }
        n_compared += 1;
        let ours = match (report.verdict, report.cycle()) {
            (Verdict::Holds, _) => "ok".to_string(),
            (Verdict::Violated, Some(_)) => "violation: acceptance".to_string(),
            (Verdict::Violated, None) => format!("violation: {:?}", report.fault()),
            (other, _) => format!("{other:?}"),
        };
        println!("{}: SPIN {theirs}, we {ours}, {} states", cells[0], report.search.counters.stored);
        if (ours == "ok") != (*theirs == "ok") {
            wrong.push(format!("{}: SPIN {theirs}, we {ours}", cells[0]));
        }
    }
    assert!(wrong.is_empty(), "{} of {n_compared} differ:\n{}", wrong.len(), wrong.join("\n"));
}
