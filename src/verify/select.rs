//! Resolves the names of constraints.

use super::flow::Constraint;
use crate::diag::{Diagnostic, Span, did_you_mean};
use crate::lang::spec::{ConstraintRef, Glob};
use crate::lang::task::program::{Program, TaskId, VariableId};
use crate::net::{Network, TemplateId};

/// Returns the constraints that a `task:` or `variable:` name matches; none for
/// a file or a set, which must be read first.
pub fn select(
    program: &Program,
    reference: &ConstraintRef,
    span: Option<Span>,
) -> Result<Vec<Constraint<'static>>, Diagnostic> {
    match reference {
        ConstraintRef::Task(name) => {
            Ok(tasks(program, name, span)?.into_iter().map(Constraint::Task).collect())
        }
        ConstraintRef::Variable(name) => {
            Ok(variables(program, name, span)?.into_iter().map(Constraint::Variable).collect())
        }
        ConstraintRef::File(_) | ConstraintRef::Set { .. } => Ok(Vec::new()),
    }
}

/// Returns the tasks that match a name, at least one. The name of a family
/// matches all of its members.
pub fn tasks(program: &Program, name: &Glob, span: Option<Span>) -> Result<Vec<TaskId>, Diagnostic> {
    let names = || program.tasks.iter().map(|task| task.name.as_str());
    let found: Vec<TaskId> = names()
        .enumerate()
        .filter(|(_, task)| is_named(name, task))
        .map(|(index, _)| TaskId::new(index))
        .collect();
    match found.is_empty() {
        true => Err(unknown("task", name, names(), span)),
        false => Ok(found),
    }
}

/// Returns whether a task matches a name, or the name is that of its family.
fn is_named(name: &Glob, task: &str) -> bool {
    name.matches(task) || name.is_exact() && task.split('[').next() == Some(name.as_str())
}

/// Returns the templates that match a name, at least one. `kind` is the word
/// for users: `proctype` or `task`.
pub fn templates(network: &Network, name: &Glob, kind: &str) -> Result<Vec<TemplateId>, Diagnostic> {
    let names = || network.templates.iter().map(|it| it.name.as_str());
    let found: Vec<TemplateId> = names()
        .enumerate()
        .filter(|(_, template)| is_named(name, template))
        .map(|(index, _)| TemplateId::new(index))
        .collect();
    match found.is_empty() {
        true => Err(unknown(kind, name, names(), None)),
        false => Ok(found),
    }
}

/// Returns the variables that match a name, in full or without their task; at
/// least one, except for `*`. A name without `*` matches one variable.
fn variables(program: &Program, name: &Glob, span: Option<Span>) -> Result<Vec<VariableId>, Diagnostic> {
    let ids = || (0..program.variables.len()).map(VariableId::new);
    let variable = |id: &VariableId| &program.variables[id.index()];
    let mut found: Vec<VariableId> = ids().filter(|id| name.matches(&variable(id).name)).collect();
    if found.is_empty() || !name.is_exact() {
        let by_short_name = ids().filter(|id| name.matches(program.short_name(variable(id))));
        found.extend(by_short_name);
        found.sort_unstable();
        found.dedup();
    }
    if name.is_exact() && found.len() > 1 {
        let names: Vec<&str> = found.iter().map(|id| variable(id).name.as_str()).collect();
        let message = format!("several variables are named `{name}`");
        return Err(error(span, message).with_help(format!("write one of {}", listed(&names))));
    }
    // `variable:*` is valid for every model, even without variables.
    if found.is_empty() && name.as_str() != "*" {
        let known = program.variables.iter().flat_map(|v| [v.name.as_str(), program.short_name(v)]);
        return Err(unknown("variable", name, known, span));
    }
    Ok(found)
}

fn unknown<'a>(
    kind: &str,
    name: &Glob,
    known: impl Iterator<Item = &'a str>,
    span: Option<Span>,
) -> Diagnostic {
    let known: Vec<&str> = known.collect();
    let help = did_you_mean(name.as_str(), known.iter().copied()).unwrap_or_else(|| match known.is_empty() {
        true => format!("the model has no {kind}s"),
        false => format!("the {kind}s of the model are {}", listed(&known)),
    });
    error(span, format!("no {kind} is named `{name}`")).with_help(help)
}

fn error(span: Option<Span>, message: String) -> Diagnostic {
    match span {
        Some(span) => Diagnostic::error("constraint-unknown", span, message),
        None => Diagnostic::error_without_place("constraint-unknown", message),
    }
}

/// Lists the first few names in backticks.
fn listed(names: &[&str]) -> String {
    const MOST: usize = 8;
    let mut names: Vec<&str> = names.to_vec();
    names.dedup();
    let mut shown: Vec<String> = names.iter().take(MOST).map(|name| format!("`{name}`")).collect();
    if names.len() > MOST {
        shown.push("…".to_owned());
    }
    shown.join(", ")
}
