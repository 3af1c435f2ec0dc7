//! Entries: accepts define them, calls are resolved when all are known.

use super::Elaborator;
use super::graph::Graph;
use super::objects;
use super::tasks::Family;
use super::values::Val;
use crate::diag::{Diagnostic, Span, did_you_mean};
use crate::lang::task::ast::{Function, Name};
use crate::lang::task::program::{Action, Edge, Entry, EntryId, TaskId};
use indexmap::IndexMap;

/// The key of an entry.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Key {
    pub task: TaskId,
    pub name: String,
    pub indices: Vec<Val>,
    pub args: Vec<Val>,
}

/// A call before all entries are known.
pub struct PendingCall {
    /// The tasks that it may refer to.
    pub tasks: Vec<TaskId>,
    pub name: Name,
    pub indices: Vec<Val>,
    pub args: Vec<Val>,
    /// Whether no value comes from a variable, so that a task must accept it.
    pub constant: bool,
    pub span: Span,
}

/// All entries and calls of the model.
#[derive(Default)]
pub struct Entries {
    accepted: IndexMap<Key, Accepted>,
    calls: Vec<PendingCall>,
}

struct Accepted {
    label: String,
    span: Span,
    called: bool,
}

impl Entries {
    /// Returns the entry of an accept.
    pub fn accept(&mut self, key: Key, label: String, span: Span) -> EntryId {
        let entry = self.accepted.entry(key);
        let id = EntryId::new(entry.index());
        entry.or_insert(Accepted { label, span, called: false });
        id
    }

    /// Returns a number for a call that is resolved later.
    pub fn pend(&mut self, call: PendingCall) -> EntryId {
        self.calls.push(call);
        EntryId::new(self.calls.len() - 1)
    }

    /// Returns the calls so far that can refer to one task only: task, name and
    /// arguments.
    pub fn pending(&self) -> impl Iterator<Item = (TaskId, &str, &[Val])> {
        self.calls.iter().filter_map(|call| match call.tasks[..] {
            [task] => Some((task, call.name.text.as_str(), call.args.as_slice())),
            _ => None,
        })
    }

    fn matching(&self, call: &PendingCall, caller: TaskId) -> Vec<EntryId> {
        let fits = |known: &[Val], wanted: &[Val]| {
            known.len() == wanted.len() && known.iter().zip(wanted).all(|(a, b)| *b == Val::Unknown || a == b)
        };
        let mut found = Vec::new();
        // If all arguments are known, one look-up per task suffices.
        if !call.indices.iter().chain(&call.args).any(|val| *val == Val::Unknown) {
            for task in call.tasks.iter().filter(|task| **task != caller) {
                let (indices, args) = (call.indices.clone(), call.args.clone());
                let key = Key { task: *task, name: call.name.text.clone(), indices, args };
                found.extend(self.accepted.get_index_of(&key).map(EntryId::new));
            }
            return found;
        }
        for (index, key) in self.accepted.keys().enumerate() {
            let is_callee =
                call.tasks.contains(&key.task) && key.task != caller && key.name == call.name.text;
            if is_callee && fits(&key.indices, &call.indices) && fits(&key.args, &call.args) {
                found.push(EntryId::new(index));
            }
        }
        found
    }
}

impl<'a> Elaborator<'a> {
    /// Replaces pending calls by calls of entries.
    pub(super) fn resolve_calls(&mut self, graphs: &mut [(TaskId, Graph)]) {
        for (caller, graph) in graphs {
            graph.expand(|edge| match edge.action {
                Action::Call { entry } => self.resolve(&edge, entry.index(), *caller),
                _ => vec![edge],
            });
        }
        let accepted = std::mem::take(&mut self.entries.accepted);
        let mut uncalled: IndexMap<Span, Vec<String>> = IndexMap::new();
        for (key, accepted) in accepted {
            if !accepted.called {
                uncalled.entry(accepted.span).or_default().push(format!("`{}`", accepted.label));
            }
            let operation = match self.program.tasks[key.task.index()].is_object {
                true => objects::operation(&key.name),
                false => None,
            };
            self.program.entries.push(Entry { task: key.task, label: accepted.label, operation });
        }
        for (span, labels) in uncalled {
            let more = labels.len().saturating_sub(3);
            let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
            let message = format!("no task calls {}{rest}", labels[..labels.len() - more].join(", "));
            self.report(Diagnostic::note("task-uncalled", span, message));
        }
    }

    fn resolve(&mut self, edge: &Edge, index: usize, caller: TaskId) -> Vec<Edge> {
        let call = &self.entries.calls[index];
        let found = self.entries.matching(call, caller);
        if found.is_empty() && call.constant && !call.tasks.is_empty() && !self.incomplete {
            self.unmatched(index, caller);
        }
        for entry in &found {
            self.entries.accepted[entry.index()].called = true;
        }
        found.into_iter().map(|entry| Edge { action: Action::Call { entry }, ..edge.clone() }).collect()
    }

    /// Returns whether one of the tasks, or a function, has an `accept!` of an
    /// entry with this name that is never reached. One that is reached has other
    /// arguments.
    fn is_accepted_somewhere(&self, tasks: &[TaskId], name: &str) -> bool {
        if self.entries.accepted.keys().any(|key| tasks.contains(&key.task) && key.name == name) {
            return false;
        }
        let accepts = |function: &Function| function.accepts.iter().any(|it| it == name);
        let has_task = |family: &&Family| family.instances.iter().any(|(_, task)| tasks.contains(task));
        let functions = self.model.functions.iter().filter(|it| it.task.is_none());
        self.families.iter().filter(has_task).map(|it| it.function).chain(functions).any(accepts)
    }

    fn unmatched(&mut self, index: usize, caller: TaskId) {
        let call = &self.entries.calls[index];
        let name = self.program.tasks[call.tasks[0].index()].name.clone();
        if call.tasks == [caller] {
            let message = format!("the task `{name}` calls its own entry `{}`", call.name.text);
            let diagnostic = Diagnostic::error("task-self-call", call.span, message)
                .with_help("a task that waits for itself is blocked forever");
            return self.report(diagnostic);
        }
        let wanted = self.label(&format!("{name}.{}", call.name.text), &call.indices, &call.args);
        if self.is_accepted_somewhere(&call.tasks, &call.name.text) {
            let message =
                format!("`{name}` never reaches its `accept!` of `{wanted}`: this call waits forever");
            let note = Diagnostic::note("task-unaccepted", call.span, message);
            return self.report(note);
        }
        let of_task = |key: &&Key| call.tasks.contains(&key.task);
        let names: Vec<&str> =
            self.entries.accepted.keys().filter(of_task).map(|key| key.name.as_str()).collect();
        let same_name = names.contains(&call.name.text.as_str());
        let mut labels: Vec<String> = Vec::new();
        for key in self.entries.accepted.keys().filter(of_task) {
            let label = self.label(&key.name, &key.indices, &key.args);
            if (!same_name || key.name == call.name.text) && !labels.contains(&label) {
                labels.push(label);
            }
        }
        let shown: Vec<String> = labels.iter().take(8).map(|label| format!("`{label}`")).collect();
        let more = if labels.len() > 8 { ", …" } else { "" };
        let accepts = match labels.is_empty() {
            true => format!("`{name}` accepts nothing"),
            false => format!("`{name}` accepts {}{more}", shown.join(", ")),
        };
        let suggestion = if same_name { None } else { did_you_mean(&call.name.text, names) };
        let help = suggestion.map_or(accepts.clone(), |suggestion| format!("{suggestion} {accepts}"));
        let diagnostic =
            Diagnostic::error("task-unaccepted", call.span, format!("no task accepts `{wanted}`"));
        self.report(diagnostic.with_help(help));
    }
}
