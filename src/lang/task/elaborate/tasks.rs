//! Task families, their instances and their graphs.

use super::Elaborator;
use super::context::TaskContext;
use super::graph::Graph;
use super::values::{Binding, Val};
use crate::diag::{Diagnostic, Span};
use crate::lang::task::ast::Function;
use crate::lang::task::limits;
use crate::lang::task::program::{PointId, Task, TaskId};

/// A task function and its instances.
pub struct Family<'a> {
    pub name: &'a str,
    pub function: &'a Function,
    pub n_indices: usize,
    pub instances: Vec<(Vec<Val>, TaskId)>,
}

impl<'a> Elaborator<'a> {
    pub(super) fn all_tasks(&mut self) {
        let model = self.model;
        for function in &model.functions {
            if function.task.is_some() {
                self.family(function);
            }
        }
        if self.families.is_empty() && !self.stopped {
            let diagnostic = Diagnostic::error_without_place("task-none", "the model has no tasks")
                .with_help("mark a function: `#[task] fn main() { … }`");
            return self.report(diagnostic);
        }
        if self.program.tasks.is_empty() && self.n_errors == 0 {
            let diagnostic = Diagnostic::error_without_place("task-none", "every task family is empty");
            return self.report(diagnostic.with_help("set the constants of their ranges: `--set N=2`"));
        }
        self.number_objects();
        let mut graphs = Vec::new();
        for index in 0..self.families.len() {
            let function = self.families[index].function;
            for (values, id) in self.families[index].instances.clone() {
                if self.stopped {
                    return;
                }
                graphs.push((id, self.instance(function, &values, id)));
            }
        }
        if !self.stopped {
            graphs.extend(self.serve_all());
        }
        if self.stopped {
            return;
        }
        self.resolve_calls(&mut graphs);
        for (id, graph) in graphs {
            let finished = graph.finish();
            let task = &mut self.program.tasks[id.index()];
            (task.n_points, task.start, task.end) = (finished.n_points, finished.start, finished.end);
            (task.edges, task.panics) = (finished.edges, finished.panics);
            (task.blocked, task.selects) = (finished.blocked, finished.selects);
            (task.waiting, task.atomic) = (finished.waiting, finished.atomic);
        }
        self.check_both_inside();
    }

    fn family(&mut self, function: &'a Function) {
        let binders = function.task.as_deref().unwrap_or_default();
        self.check_params(function);
        // Ranges may use the names before them, so they need a scope.
        self.task.push_frame(None, function.name.span, Vec::new());
        let n_errors = self.n_errors;
        let combinations = self.combinations(binders);
        self.task.frames.pop();
        if combinations.is_empty() && self.n_errors == n_errors {
            let message = format!("the task family `{}` is empty", function.name.text);
            let span = binders.first().map_or(function.name.span, |binder| binder.range.span);
            self.report(Diagnostic::warning("task-empty", span, message).with_label("this range is empty"));
        }
        let mut instances = Vec::new();
        for values in combinations {
            let id = TaskId::new(self.program.tasks.len());
            if id.index() >= limits::TASKS {
                return self.exceed(function.name.span, "tasks", limits::TASKS);
            }
            let name = self.label(&function.name.text, &values, &[]);
            self.program.tasks.push(empty_task(name, function.name.span));
            instances.push((values, id));
        }
        let name = function.name.text.as_str();
        self.families.push(Family { name, function, n_indices: binders.len(), instances });
    }

    fn check_params(&mut self, function: &'a Function) {
        let binders = function.task.as_deref().unwrap_or_default();
        for param in &function.params {
            if !binders.iter().any(|binder| binder.name.text == param.name.text) {
                let message = format!("the parameter `{}` of a task needs a range", param.name.text);
                let help = format!("write `#[task({} in 0..N)]`", param.name.text);
                self.report(Diagnostic::error("task-arguments", param.name.span, message).with_help(help));
            }
        }
        for binder in binders {
            if !function.params.iter().any(|param| binder.name.text == param.name.text) {
                let message = format!("`{}` is not a parameter of the task", binder.name.text);
                let help = format!("write `fn {}({}: usize)`", function.name.text, binder.name.text);
                self.report(Diagnostic::error("task-arguments", binder.name.span, message).with_help(help));
            }
        }
    }

    fn instance(&mut self, function: &'a Function, values: &[Val], id: TaskId) -> Graph {
        let binders = function.task.as_deref().unwrap_or_default();
        let name = self.program.tasks[id.index()].name.clone();
        self.task = TaskContext { id, name, ..TaskContext::default() };
        let bind = |(binder, val): (&crate::lang::task::ast::Binder, &Val)| {
            (binder.name.text.clone(), Binding::Value { val: *val, split: false })
        };
        let scope: Vec<(String, Binding)> = binders.iter().zip(values).map(bind).collect();
        self.saw_split = false;
        for param in &function.params {
            if let Some((_, Binding::Value { val, .. })) =
                scope.iter().find(|(name, _)| *name == param.name.text)
            {
                self.check_written(&param.ty, *val, param.ty.span);
            }
        }
        self.task.push_frame(None, function.name.span, scope);
        for (point, _) in self.block(&function.body, Graph::START) {
            self.silent(point, Graph::END, function.body.span);
        }
        std::mem::take(&mut self.task).graph
    }

    /// Warns about functions that no task uses: they are probably left over or
    /// misspelt.
    pub(super) fn unused_functions(&mut self) {
        for function in &self.model.functions {
            let name = function.name.text.as_str();
            let is_other = self.functions.get(name).is_some_and(|known| std::ptr::eq(*known, function));
            if function.task.is_none() && is_other && !self.used_functions.contains(name) {
                let message = format!("no task uses the function `{name}`");
                self.report(Diagnostic::note("task-unused", function.name.span, message));
            }
        }
    }
}

/// Returns a task without a graph.
pub fn empty_task(name: String, span: Span) -> Task {
    let point = PointId::default();
    Task {
        name,
        n_points: 0,
        start: point,
        end: point,
        edges: Vec::new(),
        panics: Vec::new(),
        blocked: Vec::new(),
        selects: Vec::new(),
        waiting: Vec::new(),
        atomic: Vec::new(),
        is_object: false,
        span,
    }
}
