//! Pictures of models, graphs and automata.

use super::constraints::ConstraintRequest;
use super::flow::{constraints, contexts};
use crate::diag::{Diagnostic, Sources};
use crate::lang::spec::{Glob, Property, PropertySpec};
use crate::lang::task::program::{Program, TaskId};
use crate::verify::draw::{self, TooManyEdges};
use crate::verify::drawing::Drawing;
use crate::verify::flow::{Adjacency, Assembly, Constraint, FlowProblem};
use crate::verify::flow::{GraphCache, KnownSets};
use crate::verify::{Form, select};

/// Draws the control flow of the tasks whose name matches, one group per task.
pub fn control_flow(program: &Program, name: Option<&str>) -> Result<Drawing, Vec<Diagnostic>> {
    let tasks = match name {
        Some(name) => select::tasks(program, &Glob::new(name), None).map_err(|fault| vec![fault])?,
        None => (0..program.tasks.len()).map(TaskId::new).collect(),
    };
    Ok(draw::control_flow(program, &tasks))
}

/// Draws the trace flow graph of the events that a property and constraints
/// observe, or of all events.
pub fn flow_graph(
    program: &Program,
    spec: Option<&PropertySpec>,
    wanted: &[ConstraintRequest],
    form: Form,
    with_parallel: bool,
    sources: &Sources,
) -> Result<Drawing, Vec<Diagnostic>> {
    let labels = program.labels();
    let too_many = |TooManyEdges(n): TooManyEdges| {
        let message = format!("the graph has {n} edges between tasks, too many to draw");
        let help = match spec {
            Some(_) => "omit them with `graph tfg --no-parallel`",
            None => {
                "omit them with `graph tfg --no-parallel`, or give a property file: then only what its property observes is drawn"
            }
        };
        vec![Diagnostic::error_without_place("picture-size", message).with_help(help)]
    };
    let Some(spec) = spec else {
        return draw::whole_trace_flow(program, &labels, form, with_parallel).map_err(too_many);
    };
    expect_events(spec)?;
    let property = spec.resolve(&labels)?;
    let contexts = contexts(wanted, &labels, sources)?;
    let constraints = constraints(program, wanted, &contexts)?;
    let problem = drawn_problem(program, &property, constraints, form);
    draw::trace_flow(program, &Assembly::of(&problem).graph, with_parallel).map_err(too_many)
}

/// Draws the automaton of a property, or those of constraints on its model.
pub fn automaton(
    program: &Program,
    spec: &PropertySpec,
    wanted: Option<&[ConstraintRequest]>,
    sources: &Sources,
) -> Result<Drawing, Vec<Diagnostic>> {
    let labels = program.labels();
    expect_events(spec)?;
    let property = spec.resolve(&labels)?;
    let Some(wanted) = wanted else { return Ok(draw::event_automaton(&property.name, &property.automaton)) };
    let contexts = contexts(wanted, &labels, sources)?;
    if let ([ConstraintRequest::Context(_)], [context]) = (wanted, &contexts[..]) {
        return Ok(draw::event_automaton(&context.name, &context.automaton));
    }
    let constraints = constraints(program, wanted, &contexts)?;
    let problem = drawn_problem(program, &property, constraints, Form::REDUCED);
    let assembly = Assembly::of(&problem);
    Ok(draw::components(&assembly))
}

/// Rejects formulas and invariants, which are about states.
fn expect_events(spec: &PropertySpec) -> Result<(), Vec<Diagnostic>> {
    let Some(formula) = spec.state_formula() else { return Ok(()) };
    let key = if formula.is_invariant { "invariant" } else { "ltl" };
    let message = format!("`{key}` is about states, but this picture shows orders of events");
    let help = "draw the processes of the model with `graph program`";
    Err(vec![Diagnostic::error("spec-states", formula.span(), message).with_help(help)])
}

fn drawn_problem<'a>(
    program: &'a Program,
    property: &'a Property,
    constraints: Vec<Constraint<'a>>,
    form: Form,
) -> FlowProblem<'a> {
    FlowProblem {
        program,
        property: &property.automaton,
        constraints,
        executions: property.executions_or_default(),
        form,
        adjacency: Adjacency::Never,
        graphs: GraphCache::default(),
        known: KnownSets::default(),
    }
}
