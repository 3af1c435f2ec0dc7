//! Translation of the syntax tree to a [`Program`]: everything finite is
//! expanded.
//!
//! [`eval`] computes the value of an expression from the [known](values::Known)
//! values, or returns which variable must be read or which part with effects
//! must run first. [`cases`] then adds the test edges or performs the part,
//! once per value, and evaluates again. So one pure evaluator serves constants,
//! conditions, indices and arguments.
//!
//! Types are checked on the values of each expansion; an error in several
//! copies of a statement is reported once.

mod arrays;
mod assign;
mod atomic;
mod calls;
mod cases;
mod conditions;
mod context;
mod control;
mod declare;
mod entries;
mod eval;
mod globals;
mod graph;
mod matching;
mod objects;
mod operators;
mod rendezvous;
mod tasks;
mod types;
mod values;

use super::ast::{Enum, Function, Model};
use super::program::{Program, Site, SiteId};
use super::{Setting, limits};
use crate::base::cancel::checkpoint;
use crate::diag::{Diagnostic, Span};
use arrays::Arrays;
use context::TaskContext;
use entries::Entries;
use indexmap::IndexMap;
use objects::Object;
use std::collections::{HashMap, HashSet};
use tasks::Family;
use values::{Binding, Ty, Val};

/// Elaborates a model; the program is usable if no diagnostic is an error.
/// Parts of an `incomplete` model could not be parsed.
pub fn elaborate(model: &Model, settings: &[Setting], incomplete: bool) -> (Program, Vec<Diagnostic>) {
    let mut elaborator = Elaborator { incomplete, ..Elaborator::new(model) };
    elaborator.globals(settings);
    elaborator.all_tasks();
    elaborator.finish()
}

struct Elaborator<'a> {
    model: &'a Model,
    program: Program,
    diagnostics: Vec<Diagnostic>,
    n_errors: usize,
    /// Reported errors, so that copies of a statement do not repeat them.
    reported: HashSet<(&'static str, Option<Span>)>,
    /// Values of constants; `None` after an error.
    constants: HashMap<&'a str, Option<Val>>,
    arrays: Arrays,
    enums: HashMap<&'a str, (usize, &'a Enum)>,
    statics: HashMap<&'a str, Binding>,
    objects: Vec<Object>,
    functions: HashMap<&'a str, &'a Function>,
    used_functions: HashSet<&'a str>,
    families: Vec<Family<'a>>,
    /// Types, indexed by variable.
    types: Vec<Ty>,
    entries: Entries,
    /// Whether some `accept!` has an error, so that a missing entry may be that
    /// one.
    incomplete: bool,
    /// Statements, and whether some copy of each can be reached.
    statements: IndexMap<Span, bool>,
    sites: HashMap<(Span, usize), SiteId>,
    task: TaskContext<'a>,
    /// Whether a value that was read from a variable took part in an
    /// evaluation.
    saw_split: bool,
    n_points: usize,
    n_test_values: usize,
    n_frames: usize,
    steps: usize,
    depth: usize,
    /// Whether a limit was exceeded, so that the elaboration ends.
    stopped: bool,
}

impl<'a> Elaborator<'a> {
    fn new(model: &'a Model) -> Self {
        Self {
            model,
            program: Program::default(),
            diagnostics: Vec::new(),
            n_errors: 0,
            reported: HashSet::new(),
            constants: HashMap::new(),
            arrays: Arrays::default(),
            enums: HashMap::new(),
            statics: HashMap::new(),
            objects: Vec::new(),
            functions: HashMap::new(),
            used_functions: HashSet::new(),
            families: Vec::new(),
            types: Vec::new(),
            entries: Entries::default(),
            incomplete: false,
            statements: IndexMap::new(),
            sites: HashMap::new(),
            task: TaskContext::default(),
            saw_split: false,
            n_points: 0,
            n_test_values: 0,
            n_frames: 0,
            steps: 0,
            depth: 0,
            stopped: false,
        }
    }

    fn finish(mut self) -> (Program, Vec<Diagnostic>) {
        if self.n_errors == 0 {
            self.unreachable_statements();
            self.unused_functions();
        } else {
            // Calls after an error are not analysed, so this would mislead.
            self.diagnostics.retain(|diagnostic| diagnostic.code != "task-uncalled");
        }
        self.keep_names();
        (self.program, self.diagnostics)
    }

    fn unreachable_statements(&mut self) {
        for (span, _) in std::mem::take(&mut self.statements).into_iter().filter(|(_, reached)| !reached) {
            self.report(Diagnostic::note("task-unreachable", span, "this statement is unreachable"));
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.n_errors += usize::from(diagnostic.is_error());
        let is_new = diagnostic.span.is_none() || self.reported.insert((diagnostic.code, diagnostic.span));
        if is_new {
            self.diagnostics.push(diagnostic);
        }
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    /// Reports an exceeded limit once and stops the elaboration.
    fn exceed(&mut self, span: Span, what: &str, limit: usize) {
        if !self.stopped {
            let diagnostic =
                Diagnostic::error("task-limit", span, format!("too many {what}: the limit is {limit}"))
                    .with_help("use smaller ranges, task families or variable types");
            self.report(diagnostic);
        }
        self.stopped = true;
    }

    /// Counts one step of work; `false` means stop.
    fn step(&mut self, span: Span) -> bool {
        checkpoint();
        self.steps += 1;
        if self.steps > limits::STEPS {
            self.exceed(span, "statements and expressions after expansion", limits::STEPS);
        }
        !self.stopped
    }

    /// Runs `inside` one level deeper, unless that exceeds the limit.
    fn deeper<T>(&mut self, span: Span, inside: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.depth += 1;
        if self.depth > limits::DEPTH {
            self.exceed(span, "nested calls and blocks", limits::DEPTH);
        }
        let result = if self.stopped { None } else { Some(inside(self)) };
        self.depth -= 1;
        result
    }

    /// Returns the site of an action in the current inlining.
    fn site(&mut self, span: Span) -> SiteId {
        let key = (span, self.task.stack_id());
        if let Some(site) = self.sites.get(&key) {
            return *site;
        }
        let id = SiteId::new(self.program.sites.len());
        let stack = self.task.stack();
        self.n_frames += stack.len();
        if self.n_frames > limits::FRAMES {
            self.exceed(span, "stack frames of inlined calls", limits::FRAMES);
        }
        self.program.sites.push(Site { span, stack });
        self.sites.insert(key, id);
        id
    }
}
