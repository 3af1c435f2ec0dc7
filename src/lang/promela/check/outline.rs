//! The variables and labels of a body, collected before it is checked, in the
//! order of the text, which is the order of their ids.

use super::super::ast::{self, Argument, Declaration, Name, Statement, StatementKind, TypeName};
use super::super::token::{Mark, Report, UseId, UseKind};
use super::super::tree::{self, BlockKind, TemplateId, Type};
use super::{Checker, parameter_count};
use crate::diag::Span;
use std::sync::Arc;

/// A proctype as remote references and `run` see it.
pub struct Outline {
    pub span: Span,
    pub variables: Vec<OutlineVariable>,
    pub parameters: usize,
    pub labels: Vec<OutlineLabel>,
}

pub struct OutlineVariable {
    pub name: Arc<str>,
    pub ty: OutlineType,
    pub is_array: bool,
}

pub enum OutlineType {
    Written(TypeName),
    Known(Type),
}

pub struct OutlineLabel {
    pub name: Arc<str>,
    pub mark: Mark,
    /// The inline expansion that contains it, to which labels are local.
    pub inline: Option<UseId>,
    /// The number of the `d_step` that contains it.
    pub d_step: Option<usize>,
}

/// A `goto` and its position.
pub struct Jump {
    pub target: Name,
    pub d_step: Option<usize>,
}

/// Contents of one body.
#[derive(Default)]
pub struct Contents {
    pub variables: Vec<OutlineVariable>,
    pub labels: Vec<OutlineLabel>,
    pub jumps: Vec<Jump>,
    /// Whether a receive stores to `_pid`.
    pub receives_pid: bool,
    d_steps: usize,
}

impl Outline {
    pub fn of_proctype(proctype: &tree::Proctype) -> Self {
        let variables = proctype.body.locals.iter().map(|local| OutlineVariable {
            name: Arc::from(local.name.as_str()),
            ty: OutlineType::Known(local.ty),
            is_array: local.length.is_some(),
        });
        let labels = proctype.body.labels.iter().map(|label| OutlineLabel {
            name: Arc::from(label.name.as_str()),
            mark: Mark { span: label.span, from: None },
            inline: None,
            d_step: None,
        });
        Self {
            span: proctype.span,
            variables: variables.collect(),
            parameters: proctype.parameters as usize,
            labels: labels.collect(),
        }
    }
}

impl Checker<'_> {
    pub(super) fn outline_all(&mut self, units: &[ast::Unit]) {
        for unit in units {
            let ast::Unit::Proctype(proctype) = unit else { continue };
            let contents = Contents::of(&proctype.parameters, &proctype.body.statements, self.report);
            let id = TemplateId::new(self.outlines.len());
            self.proctype_names.entry(proctype.name.text.clone()).or_insert(id);
            self.outlines.push(Outline {
                span: proctype.name.mark.span,
                variables: contents.variables,
                parameters: parameter_count(proctype) as usize,
                labels: contents.labels,
            });
        }
    }
}

impl Contents {
    pub fn of(parameters: &[Declaration], statements: &[Statement], report: &Report) -> Self {
        let mut contents = Self::default();
        for declaration in parameters {
            contents.declaration(declaration);
        }
        contents.statements(statements, None, report);
        contents
    }

    fn declaration(&mut self, declaration: &Declaration) {
        for variable in &declaration.variables {
            self.variables.push(OutlineVariable {
                name: variable.name.text.clone(),
                ty: OutlineType::Written(declaration.ty.clone()),
                is_array: variable.length.is_some(),
            });
        }
    }

    fn statements(&mut self, statements: &[Statement], d_step: Option<usize>, report: &Report) {
        for statement in statements {
            self.statement(statement, d_step, report);
        }
    }

    fn statement(&mut self, statement: &Statement, d_step: Option<usize>, report: &Report) {
        for label in &statement.labels {
            let inline = inline_around(label.mark, report);
            let (name, mark) = (label.text.clone(), label.mark);
            self.labels.push(OutlineLabel { name, mark, inline, d_step });
        }
        match &statement.kind {
            StatementKind::Declaration(declaration) => self.declaration(declaration),
            StatementKind::Receive { arguments, .. } => {
                self.receives_pid |= arguments.iter().any(is_pid);
            }
            StatementKind::Goto(target) => self.jumps.push(Jump { target: target.clone(), d_step }),
            StatementKind::If(choices) | StatementKind::Do(choices) => {
                for choice in choices {
                    self.statements(&choice.statements, d_step, report);
                }
            }
            StatementKind::Block(BlockKind::Deterministic, inner) => {
                self.d_steps += 1;
                let number = d_step.unwrap_or(self.d_steps);
                self.statements(inner, Some(number), report);
            }
            StatementKind::Block(_, inner) | StatementKind::For { body: inner, .. } => {
                self.statements(inner, d_step, report);
            }
            StatementKind::Unless(main, escape) => {
                self.statement(main, d_step, report);
                self.statement(escape, d_step, report);
            }
            _ => {}
        }
    }
}

fn is_pid(argument: &Argument) -> bool {
    matches!(argument, Argument::Reference(reference) if &*reference.name.text == "_pid")
}

/// Returns the innermost inline that contains a position.
pub fn inline_around(mark: Mark, report: &Report) -> Option<UseId> {
    report.chain(mark.from).find(|(_, used)| used.kind == UseKind::Inline).map(|(id, _)| id)
}
