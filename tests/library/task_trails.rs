//! Counterexamples of random task models, replayed from their JSON reports as
//! `simulate --trail` does.
//!
//! A search leaves out silent steps, and events that its property does not
//! name; the network of a simulation has all of them. The replay must reach the
//! error of the report, or the same values.

use crate::common::generate::{Random, Shape, generate};
use crate::common::print::print;
use crate::common::share::Share;
use crate::conservative::random_automaton;
use crate::walking::Walker;
use std::collections::{HashMap, HashSet};
use std::time::Duration;
use trapline::base::control::Stop;
use trapline::diag::{SourceId, Sources, Span};
use trapline::lang::spec::property::Executions;
use trapline::lang::task::load;
use trapline::lang::task::lower::{Lowered, Steps, lower};
use trapline::lang::task::program::{Domain, Program, Role};
use trapline::net::Action;
use trapline::report::configuration::Configuration;
use trapline::report::{Run, json};
use trapline::search::Strategy;
use trapline::search::strategy::{Rule, StrategyChoice};
use trapline::verify::explicit::{Fault, Semantics};
use trapline::verify::question::TrailDetail;
use trapline::verify::recorded::{RecordedTrail, replay_record};
use trapline::verify::simulate::{Ending, Stopped};
use trapline::verify::trail::Step;
use trapline::verify::workspace::ModelGoals;
use trapline::verify::workspace::tasks::{TaskQuestion, order, task_questions};
use trapline::verify::{ExplicitProblem, Question, Report};

/// Models per run.
const N_MODELS: u64 = 1_000;

pub fn shape_of(seed: u64) -> Shape {
    match seed % 4 {
        0 => Shape { objects: 30, ..Shape::exact() },
        1 => Shape { objects: 30, ..Shape::default() },
        2 => Shape { atomic: 30, ..Shape::default() },
        _ => Shape { atomic: 20, ..Shape::exact() },
    }
}

/// A comparison of a variable with one of its values.
fn comparison(random: &mut Random, program: &Program) -> Option<String> {
    let n_variables = program.variables.len();
    let variable = &program.variables[(n_variables > 0).then(|| random.below(n_variables))?];
    let value = random.below(variable.domain.size()) as u32;
    let shown = match &variable.domain {
        Domain::Enum { name, .. } => format!("{name}::{}", variable.domain.show(value)),
        domain => domain.show(value),
    };
    let operator = if random.percent(70) { "!=" } else { "==" };
    Some(format!("{} {operator} {shown}", variable.name))
}

/// Kinds of questions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Safety,
    Invariant,
    Formula,
    Order,
}

pub const KINDS: [Kind; 4] = [Kind::Safety, Kind::Invariant, Kind::Formula, Kind::Order];

/// The questions, each with the events that it asks about.
pub fn questions(
    random: &mut Random,
    program: &Program,
    sources: &mut Sources,
) -> Vec<(Kind, TaskQuestion, Vec<String>)> {
    let mut goals = ModelGoals::default();
    goals.invariants.extend(comparison(random, program));
    let operator = if random.percent(50) { "<>" } else { "[]<>" };
    goals.ltl.extend(comparison(random, program).map(|it| format!("{operator} ({it})")));
    let loaded = task_questions(program, &goals, sources).expect("the questions can be asked");
    let kinds = [Kind::Safety].into_iter();
    let kinds = kinds.chain(goals.ltl.iter().map(|_| Kind::Formula));
    let kinds = kinds.chain(goals.invariants.iter().map(|_| Kind::Invariant));
    let mut all: Vec<_> = kinds.zip(loaded.questions).map(|(kind, it)| (kind, it, Vec::new())).collect();
    if program.labels().is_empty() {
        return all;
    }
    let automaton = random_automaton(random, program.labels());
    let executions = match automaton.dfa.is_safety() && random.percent(50) {
        true => Executions::Prefixes,
        false => Executions::Complete,
    };
    let asked = order(program, ("order", &automaton), &[], executions).expect("the model is small");
    let labels = automaton.events.iter().flat_map(|it| it.labels.clone()).collect();
    all.push((Kind::Order, asked.expect("the automaton is small"), labels));
    all
}

/// The events of the property that steps without a partner are, in order: who
/// acts where. Places with several events are left out.
fn events(steps: &[(usize, Step)], simulated: &Lowered, labels: &[String]) -> Vec<(String, Span)> {
    let mut places: HashMap<(String, Span), bool> = HashMap::new();
    for it in &simulated.steps {
        let template = simulated.network.template(it.template);
        let transition = template.graph.transition(it.transition);
        if transition.action == Action::Skip {
            let is_event = it.labels.iter().any(|label| labels.contains(label));
            *places.entry((template.name.clone(), transition.span)).or_insert(true) &= is_event;
        }
    }
    let alone = steps.iter().filter(|(_, it)| it.actors.len() == 1);
    let acted = alone.filter_map(|(_, it)| Some((it.first().to_string(), it.span()?)));
    acted.filter(|it| places.get(it) == Some(&true)).collect()
}

/// The report as JSON, which becomes a source.
pub fn document(report: Report, sources: &mut Sources) -> (String, SourceId) {
    let configuration = Configuration::default();
    let run = Run {
        reports: &[report],
        unchecked: &[],
        diagnostics: &[],
        sources,
        configuration: &configuration,
        elapsed: Duration::ZERO,
    };
    let text = json::render(&run, 1);
    let file = sources.add("report.json", text.clone());
    (text, file)
}

/// Replays the counterexample of a report. `labels` are the events of its
/// property.
pub fn replay(
    report: Report,
    simulated: &Lowered,
    labels: &[String],
    sources: &mut Sources,
) -> Result<(), String> {
    let Some(counterexample) = report.counterexample.clone() else { return Ok(()) };
    let fault = report.fault();
    let (text, file) = document(report, sources);
    let record = RecordedTrail::parse(file, sources, None).map_err(|it| it.render(sources, false))?;
    let Lowered { network, steps, .. } = simulated;
    let (semantics, detail) = (Semantics::default(), TrailDetail::default());
    let replayed = replay_record(network, steps, semantics, &record, sources, detail);
    let replayed = replayed.map_err(|it| format!("{} {:?}\n{text}", it.message, it.help))?;
    let is_right = match replayed.end.stopped {
        Stopped::Ended(Ending::Fault(it)) => Some(it) == fault,
        Stopped::Broken => matches!(fault, Some(Fault::Observed | Fault::Sequence)),
        Stopped::Repeats => counterexample.trail.cycle.is_some(),
        _ => false,
    };
    if !is_right {
        return Err(format!("{:?} instead of {fault:?}\n{text}", replayed.end.stopped));
    }
    if replayed.end.last != counterexample.last {
        let (found, wanted) = (&replayed.end.last, &counterexample.last);
        return Err(format!("{found:?} instead of {wanted:?}\n{text}"));
    }
    let [found, wanted] =
        [&replayed.trail, &counterexample.trail].map(|it| events(&it.steps, simulated, labels));
    if found != wanted {
        let shown = |all: Vec<(String, Span)>| all.into_iter().map(|it| sources.slice(it.1).to_string());
        let (found, wanted): (Vec<_>, Vec<_>) = (shown(found).collect(), shown(wanted).collect());
        return Err(format!("the events {found:?} instead of {wanted:?}\n{text}"));
    }
    Ok(())
}

#[test]
fn recorded_counterexamples_are_replayed() {
    let share = Share::of(N_MODELS);
    let met = share.in_parallel("task_trails", |seed| {
        let text = print(&generate(seed, &shape_of(seed)));
        let mut sources = Sources::default();
        let source = sources.add("model.rs", text.clone());
        let program = load(source, &sources, &[]).program.expect("a generated model is right");
        // Larger models take too long.
        Walker::new(&program).walk()?;
        let edges = program.tasks.iter().flat_map(|it| &it.edges).filter(|it| it.role == Role::Otherwise);
        let elses: HashSet<Span> = edges.map(|it| program.sites[it.site.index()].span).collect();
        let simulated = lower(&program, &Steps::Edges).expect("the model is small");
        let mut random = Random::new(seed ^ 0x7a11);
        let mut found = Vec::new();
        for (kind, question, labels) in questions(&mut random, &program, &mut sources) {
            let mut asked = Question::from(ExplicitProblem::new(&question.network, question.aim));
            if seed % 3 == 0 && kind != Kind::Formula {
                asked.search.strategy = StrategyChoice::from(Strategy::of(Rule::Dfs { depth: None }));
            }
            let report = asked.check(&mut |_| None::<Stop>).expect("the question can be asked");
            let trail = report.counterexample.as_ref().map(|it| &it.trail);
            found.extend(trail.map(|it| {
                let spans = it.steps.iter().filter_map(|(_, step)| step.span());
                (kind, spans.filter(|span| elses.contains(span)).count() > 0, it.n_steps)
            }));
            let replayed = replay(report, &simulated, &labels, &mut sources);
            replayed.unwrap_or_else(|why| panic!("{kind:?}: {why}\n{text}"));
        }
        Some(found)
    });
    let n_models = met.iter().flatten().count();
    let found: Vec<_> = met.into_iter().flatten().flatten().collect();
    let count =
        |kind: Kind, with_else: bool| found.iter().filter(|it| it.0 == kind && (it.1 || !with_else)).count();
    let n_steps: usize = found.iter().map(|it| it.2).sum();
    println!("{n_models} models, {n_steps} steps of counterexamples");
    for kind in KINDS {
        println!("{kind:?}: {} counterexamples, {} with an `else`", count(kind, false), count(kind, true));
    }
    if share.is_whole {
        assert!(n_models >= 500, "too few models");
        assert!(KINDS.iter().all(|it| count(*it, false) > 200 && count(*it, true) > 15), "too one-sided");
    }
}
