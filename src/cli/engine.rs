//! From what the command line has read to the front ends and the engine.

use super::options::EngineOptions;
use crate::base::control::Control;
use crate::diag::{Diagnostic, SourceId, Sources, Span};
use crate::lang::spec::property::Executions;
use crate::lang::spec::{self, ConstraintRef, Glob, Property, PropertySpec, parse_constraint_file};
use crate::lang::task::program::{Program, TaskId};
use crate::report::text::measure::number;
use crate::verify::draw::TooManyEdges;
use crate::verify::drawing::Drawing;
use crate::verify::{self, Choice, Constraint, Form, Question, Report, Subject, draw};
use std::time::Duration;

/// A constraint as written, with its text where it has one.
#[derive(Clone, Debug)]
pub(super) enum ConstraintRequest {
    /// `task:t1`, `variable:w[*]`.
    Generated(ConstraintRef, Option<Span>),
    /// A constraint file that has been read.
    Context(SourceId),
}

/// One property to check on one model.
pub(super) struct Task<'a> {
    pub spec: &'a PropertySpec,
    pub program: &'a Program,
    /// As the user knows it, for the report.
    pub model_name: &'a str,
    pub settings: Vec<(String, String)>,
    pub constraints: &'a [ConstraintRequest],
    pub options: &'a EngineOptions,
}

/// Resolves the property against the labels of the model, builds constraints
/// and graph, searches. Polls `control` and publishes its counters there.
pub(super) fn check(task: Task, sources: &Sources, control: &Control) -> Result<Report, Vec<Diagnostic>> {
    let labels = task.program.labels();
    let property = task.spec.resolve(&labels)?;
    let contexts = contexts(task.constraints, &labels, sources)?;
    let question = Question {
        program: task.program,
        property: &property.automaton,
        constraints: constraints(task.program, task.constraints, &contexts)?,
        executions: executions(&property, task.options.executions)?,
        form: task.options.graph,
        adjacency: task.options.adjacency.into(),
        strategy: task.options.strategy.clone(),
        limits: task.options.limits(),
    };
    let answer = verify::check(&question, &mut |counters| {
        control.publish(counters);
        control.stop_reason()
    });
    let subject = Subject {
        property: property.name.clone(),
        description: property.description.clone(),
        model: task.model_name.to_owned(),
        settings: task.settings,
        elapsed: Duration::ZERO,
    };
    let mut report = verify::report_of(&question, answer, subject);
    let warnings = contexts.into_iter().flat_map(|context| context.warnings).chain(property.warnings);
    report.notes.extend(warnings);
    Ok(report)
}

/// The executions asked for, if they can decide the property.
pub(super) fn executions(
    property: &Property,
    asked: Option<Executions>,
) -> Result<Executions, Vec<Diagnostic>> {
    if asked == Some(Executions::Prefixes) && !property.automaton.dfa.is_safety() {
        let message = format!("`{}` is not a safety property, so prefixes cannot decide it", property.name);
        let help = "a violation must be final; leave out --executions prefixes";
        return Err(vec![Diagnostic::error_without_place("executions", message).with_help(help)]);
    }
    Ok(asked.unwrap_or_else(|| property.executions_or_default()))
}

/// The context constraints, in the order in which they are wanted.
fn contexts(
    wanted: &[ConstraintRequest],
    labels: &[String],
    sources: &Sources,
) -> Result<Vec<spec::Constraint>, Vec<Diagnostic>> {
    let mut contexts: Vec<spec::Constraint> = Vec::new();
    for file in files(wanted) {
        let mut context = parse_constraint_file(file, sources)?.resolve(labels)?;
        let n_same =
            contexts.iter().filter(|other| other.name.split('#').next() == Some(&context.name)).count();
        if n_same > 0 {
            context.name = format!("{}#{}", context.name, n_same + 1);
        }
        contexts.push(context);
    }
    Ok(contexts)
}

/// The constraint files, each once.
fn files(wanted: &[ConstraintRequest]) -> Vec<SourceId> {
    let mut files = Vec::new();
    for wanted in wanted {
        if let ConstraintRequest::Context(file) = wanted
            && !files.contains(file)
        {
            files.push(*file);
        }
    }
    files
}

/// All constraints, each once: those of the model, then contexts.
fn constraints<'a>(
    program: &Program,
    wanted: &[ConstraintRequest],
    contexts: &'a [spec::Constraint],
) -> Result<Vec<Constraint<'a>>, Vec<Diagnostic>> {
    let mut all: Vec<Constraint<'a>> = Vec::new();
    for wanted in wanted {
        let ConstraintRequest::Generated(reference, span) = wanted else { continue };
        for constraint in verify::select(program, reference, *span).map_err(|fault| vec![fault])? {
            let name = constraint.name(program);
            if all.iter().all(|known| known.name(program) != name) {
                all.push(constraint);
            }
        }
    }
    let context = |context: &'a spec::Constraint| Constraint::Context {
        name: context.name.clone(),
        automaton: &context.automaton,
    };
    all.extend(contexts.iter().map(context));
    Ok(all)
}

/// The names of all constraints, each once, as `--constraint` takes them:
/// what `*` stands for is spelt out, and a file, which must be usable with
/// the model, is its path.
pub(super) fn names(
    program: &Program,
    wanted: &[ConstraintRequest],
    sources: &Sources,
) -> Result<Vec<String>, Vec<Diagnostic>> {
    contexts(wanted, &program.labels(), sources)?;
    let mut names: Vec<String> =
        constraints(program, wanted, &[])?.iter().map(|it| it.name(program)).collect();
    names.extend(files(wanted).into_iter().map(|file| sources.get(file).name.clone()));
    Ok(names)
}

/// The control flow of the tasks whose name matches, one group per task.
pub(super) fn draw_control_flow(program: &Program, name: Option<&str>) -> Result<Drawing, Vec<Diagnostic>> {
    let tasks = match name {
        Some(name) => verify::select::tasks(program, &Glob::new(name), None).map_err(|fault| vec![fault])?,
        None => (0..program.tasks.len()).map(TaskId::new).collect(),
    };
    Ok(draw::control_flow(program, &tasks))
}

/// The trace flow graph: of what a property and constraints see, or of
/// everything.
pub(super) fn draw_flow_graph(
    program: &Program,
    spec: Option<&PropertySpec>,
    wanted: &[ConstraintRequest],
    form: Form,
    with_parallel: bool,
    sources: &Sources,
) -> Result<Drawing, Vec<Diagnostic>> {
    let labels = program.labels();
    let too_many = |TooManyEdges(n): TooManyEdges| {
        let message = format!("the graph has {} edges between tasks, too many to draw", number(n as u64));
        let help = "leave them out with `--no-parallel`, or draw what a property sees with `--property`";
        vec![Diagnostic::error_without_place("picture-size", message).with_help(help)]
    };
    let Some(spec) = spec else {
        return draw::whole_trace_flow(program, &labels, form, with_parallel).map_err(too_many);
    };
    let property = spec.resolve(&labels)?;
    let contexts = contexts(wanted, &labels, sources)?;
    let constraints = constraints(program, wanted, &contexts)?;
    let question = drawn_question(program, &property, constraints, form);
    draw::trace_flow(program, &verify::Assembly::of(&question).graph, with_parallel).map_err(too_many)
}

/// The automaton of a property, or those of constraints on its model.
pub(super) fn draw_automaton(
    program: &Program,
    spec: &PropertySpec,
    wanted: Option<&[ConstraintRequest]>,
    sources: &Sources,
) -> Result<Drawing, Vec<Diagnostic>> {
    let labels = program.labels();
    let property = spec.resolve(&labels)?;
    let Some(wanted) = wanted else { return Ok(draw::event_automaton(&property.name, &property.automaton)) };
    let contexts = contexts(wanted, &labels, sources)?;
    if let ([ConstraintRequest::Context(_)], [context]) = (wanted, &contexts[..]) {
        return Ok(draw::event_automaton(&context.name, &context.automaton));
    }
    let constraints = constraints(program, wanted, &contexts)?;
    let question = drawn_question(program, &property, constraints, Form::REDUCED);
    let assembly = verify::Assembly::of(&question);
    Ok(draw::components(&assembly))
}

fn drawn_question<'a>(
    program: &'a Program,
    property: &'a Property,
    constraints: Vec<Constraint<'a>>,
    form: Form,
) -> Question<'a> {
    Question {
        program,
        property: &property.automaton,
        constraints,
        executions: property.executions_or_default(),
        form,
        adjacency: verify::Adjacency::Never,
        strategy: Choice::default(),
        limits: Default::default(),
    }
}
