//! Improved counterexamples of random task models: each replays, is a violation
//! of the same kind, never longer than before, and never shorter than what
//! breadth-first search finds.

use crate::common::generate::{Random, generate};
use crate::common::print::print;
use crate::common::share::Share;
use crate::task_trails::{KINDS, Kind, document, questions, replay, shape_of};
use crate::walking::Walker;
use trapline::base::control::Stop;
use trapline::diag::Sources;
use trapline::lang::task::load;
use trapline::lang::task::lower::{Lowered, Steps, lower};
use trapline::search::Strategy;
use trapline::search::strategy::{Rule, StrategyChoice};
use trapline::verify::explicit::{GivenTrail, ImproveOptions};
use trapline::verify::recorded::RecordedTrail;
use trapline::verify::report::Improvement;
use trapline::verify::{ExplicitProblem, Question, Report};

/// Models per run.
const N_MODELS: u64 = 600;

/// A counterexample before and after.
struct Improved {
    kind: Kind,
    before: usize,
    after: usize,
    /// The shortest one, if breadth-first search determines it.
    shortest: Option<usize>,
}

fn asked<'a>(question: &Question<'a>, strategy: &Strategy) -> (Question<'a>, Option<Report>) {
    let question = question.clone().with_strategy(StrategyChoice::from(strategy.clone()));
    let report = question.check(&mut |_| None::<Stop>).expect("the question can be asked");
    let is_violated = report.counterexample.is_some();
    (question, is_violated.then_some(report))
}

fn improvement(report: &Report) -> Option<Improvement> {
    report.explicit()?.improvement.clone()
}

/// Checks what is promised of a report about a shorter trail.
fn expect_as_promised(
    (old, new): (&Report, &Report),
    shortest: Option<usize>,
    replays: impl Fn(Report) -> Result<(), String>,
) -> Result<(), String> {
    let (before, after) = (old.n_steps(), new.n_steps());
    if old.fault() != new.fault() || old.cycle().is_some() != new.cycle().is_some() {
        let shown = |it: &Report| format!("{:?} {:?}", it.fault(), it.cycle());
        return Err(format!("{} became {}", shown(old), shown(new)));
    }
    if after > before || shortest.is_some_and(|it| after < it) {
        return Err(format!("{after} steps, before {before}, and {shortest:?} are the fewest"));
    }
    if let Some(it) = improvement(new)
        && (it.before.steps, it.after.steps) != (before, after)
    {
        let cycles = (old.cycle(), new.cycle());
        return Err(format!("{it:?} for {before} and {after} steps, cycles at {cycles:?}"));
    }
    replays(new.clone())
}

#[test]
fn improved_counterexamples_replay_and_are_shorter() {
    let share = Share::of(N_MODELS);
    let met = share.in_parallel("improved", |seed| {
        let text = print(&generate(seed, &shape_of(seed)));
        let mut sources = Sources::default();
        let source = sources.add("model.rs", text.clone());
        let program = load(source, &sources, &[]).program.expect("a generated model is right");
        // Larger models take too long.
        Walker::new(&program).walk()?;
        let simulated = lower(&program, &Steps::Edges).expect("the model is small");
        let mut random = Random::new(seed ^ 0x1a9);
        let mut found = Vec::new();
        for (kind, question, labels) in questions(&mut random, &program, &mut sources) {
            let problem = ExplicitProblem::new(&question.network, question.aim).without_reduction();
            let improved = improved(&mut random, kind, problem, (&simulated, &labels), &mut sources);
            found.extend(improved.unwrap_or_else(|why| panic!("{kind:?}: {why}\n{text}")));
        }
        Some(found)
    });
    let n_models = met.iter().flatten().count();
    let found: Vec<Improved> = met.into_iter().flatten().flatten().collect();
    println!("{n_models} models");
    for kind in KINDS {
        let all: Vec<&Improved> = found.iter().filter(|it| it.kind == kind).collect();
        let (before, after): (usize, usize) =
            (all.iter().map(|it| it.before).sum(), all.iter().map(|it| it.after).sum());
        let n_shorter = all.iter().filter(|it| it.after < it.before).count();
        let n_shortest = all.iter().filter(|it| Some(it.after) == it.shortest).count();
        println!(
            "{kind:?}: {} counterexamples, {before} steps, then {after}; {n_shorter} shorter, {n_shortest} shortest",
            all.len()
        );
        if share.is_whole {
            // The search for cycles shortens them already.
            let fewest = if kind == Kind::Formula { 2 } else { 10 };
            assert!(all.len() > 100 && n_shorter > fewest, "too few of {kind:?}");
        }
    }
}

/// Improves the counterexample that depth-first search finds.
fn improved(
    random: &mut Random,
    kind: Kind,
    problem: ExplicitProblem,
    (simulated, labels): (&Lowered, &[String]),
    sources: &mut Sources,
) -> Result<Option<Improved>, String> {
    let question = Question::from(problem.clone());
    let (depth_first, Some(old)) = asked(&question, &Strategy::of(Rule::Dfs { depth: None })) else {
        return Ok(None);
    };
    let is_finite = old.cycle().is_none();
    let (_, widest) = asked(&question, &Strategy::of(Rule::Bfs));
    let shortest = widest.filter(|_| is_finite).map(|it| it.n_steps());
    let quick = ExplicitProblem { shortens: true, ..problem };
    let (_, quick) = asked(&Question::from(quick), &Strategy::of(Rule::Dfs { depth: None }));
    let quick = quick.ok_or("a shortened trail is lost")?;
    let replays = |report: Report, sources: &mut Sources| replay(report, simulated, labels, sources);
    expect_as_promised((&old, &quick), shortest, |it| replays(it, &mut sources.clone()))?;
    let (_, file) = document(old.clone(), sources);
    let record = RecordedTrail::parse(file, sources, None).map_err(|it| it.render(sources, false))?;
    let given = GivenTrail::Record(record, file);
    let options = ImproveOptions {
        same_state: is_finite && random.percent(20),
        only_reorder: random.percent(40),
        few_switches: random.percent(40),
    };
    let new = depth_first.improve((&given, options), sources, &mut |_| None::<Stop>);
    let new = new.map_err(|it| it.iter().map(|it| it.render(sources, false)).collect::<String>())?;
    let done = improvement(&new).ok_or("nothing is said of the improvement")?;
    expect_as_promised((&old, &new), shortest, |it| replays(it, &mut sources.clone()))?;
    // Another kind of error may be nearer.
    let may_be_other = options.same_state || kind == Kind::Safety;
    if done.is_shortest && !may_be_other && shortest.is_some_and(|it| it != new.n_steps()) {
        return Err(format!("{} steps are no shortest trail, {shortest:?} are", new.n_steps()));
    }
    // Which cycle is shortest is found out with limited effort.
    if is_finite && !options.only_reorder && !done.is_shortest {
        return Err("the whole model was searched, but no trail is known to be shortest".to_string());
    }
    if options.same_state && new.last() != old.last() {
        return Err("the state at the end is another one".to_string());
    }
    Ok(Some(Improved { kind, before: old.n_steps(), after: new.n_steps(), shortest }))
}
