//! The tasks that locks, semaphores and channels become.

use super::{Object, ObjectKind};
use crate::diag::{Diagnostic, Span};
use crate::lang::task::elaborate::Elaborator;
use crate::lang::task::elaborate::context::TaskContext;
use crate::lang::task::elaborate::entries::Key;
use crate::lang::task::elaborate::graph::Graph;
use crate::lang::task::elaborate::tasks::empty_task;
use crate::lang::task::elaborate::values::{Ty, Val};
use crate::lang::task::limits;
use crate::lang::task::program::{Action, PointId, Role, Task, TaskId};
use indexmap::{IndexMap, IndexSet};
use std::collections::HashSet;

/// The arguments with which each operation of an object is called.
type Uses = IndexMap<String, IndexSet<Vec<Val>>>;

impl<'a> Elaborator<'a> {
    /// Numbers the tasks of all objects.
    pub(in crate::lang::task::elaborate) fn number_objects(&mut self) {
        for object in &mut self.objects {
            object.task = TaskId::new(self.program.tasks.len());
            let task = Task { is_object: true, ..empty_task(object.name.clone(), object.span) };
            self.program.tasks.push(task);
        }
        if let Some(object) = self.objects.last().filter(|object| object.task.index() >= limits::TASKS) {
            self.exceed(object.span, "tasks, locks, semaphores and channels", limits::TASKS);
        }
    }

    /// Returns the graphs of all objects, when their uses are known.
    pub(in crate::lang::task::elaborate) fn serve_all(&mut self) -> Vec<(TaskId, Graph)> {
        let mut uses: IndexMap<TaskId, Uses> = IndexMap::new();
        for (task, name, args) in self.entries.pending() {
            uses.entry(task).or_default().entry(name.to_string()).or_default().insert(args.to_vec());
        }
        let objects = std::mem::take(&mut self.objects);
        let mut graphs = Vec::new();
        let mut used: HashSet<Span> = HashSet::new();
        for object in &objects {
            let uses = uses.swap_remove(&object.task).unwrap_or_default();
            if !uses.is_empty() {
                used.insert(object.span);
            }
            self.task = TaskContext { id: object.task, name: object.name.clone(), ..TaskContext::default() };
            self.serve(object, &uses);
            graphs.push((object.task, std::mem::take(&mut self.task).graph));
            if self.stopped {
                break;
            }
        }
        // After an error uses may be missing.
        let is_complete = self.n_errors == 0;
        for object in objects.iter().filter(|object| is_complete && !used.contains(&object.span)) {
            let name = object.name.split('[').next().unwrap_or_default();
            let message = format!("no task uses the {} `{name}`", object.kind.noun());
            self.report(Diagnostic::note("task-unused", object.span, message));
        }
        graphs
    }

    fn serve(&mut self, object: &Object, uses: &Uses) {
        self.may_end(Graph::START, object.span);
        match &object.kind {
            ObjectKind::Lock => self.serve_lock(object, uses),
            ObjectKind::Semaphore { initial, max } => self.serve_semaphore(object, uses, *initial, *max),
            ObjectKind::Channel { ty, capacity } => self.serve_channel(object, uses, ty, *capacity),
        }
    }

    fn may_end(&mut self, point: PointId, span: Span) {
        self.task.graph.select(point);
        self.edge_of(Role::Terminate, point, Graph::END, Action::Silent, span);
    }

    /// Adds a state of the object besides the first.
    fn state(&mut self, span: Span) -> PointId {
        let point = self.point(span);
        self.task.graph.enliven(point);
        self.may_end(point, span);
        point
    }

    /// Adds an operation; `args` identify the entry, `shown` are in the label.
    fn operation(
        &mut self,
        object: &Object,
        name: &str,
        (args, shown): (Vec<Val>, &[Val]),
        (from, to): (PointId, PointId),
    ) {
        let label = self.label(&format!("{}.{name}", object.name), &[], shown);
        let key = Key { task: object.task, name: name.to_string(), indices: Vec::new(), args };
        let entry = self.entries.accept(key, label, object.span);
        self.edge(from, to, Action::Accept { entry, body: None }, object.span);
    }

    /// Adds one state per task that can hold the lock.
    fn serve_lock(&mut self, object: &Object, uses: &Uses) {
        let none = IndexSet::new();
        let (locks, unlocks) = (uses.get("lock").unwrap_or(&none), uses.get("unlock").unwrap_or(&none));
        for holder in locks {
            let held = self.state(object.span);
            self.operation(object, "lock", (holder.clone(), &[]), (Graph::START, held));
            if unlocks.contains(holder) {
                self.operation(object, "unlock", (holder.clone(), &[]), (held, Graph::START));
            }
        }
        let only = |these: &IndexSet<Vec<Val>>, others: &IndexSet<Vec<Val>>| {
            let missing = these.iter().filter(|holder| !others.contains(*holder));
            let names = missing.filter_map(|holder| match holder[..] {
                [Val::Int(task)] => {
                    self.program.tasks.get(task as usize).map(|task| format!("`{}`", task.name))
                }
                _ => None,
            });
            names.collect::<Vec<_>>()
        };
        let (never_unlock, never_lock) = (only(locks, unlocks), only(unlocks, locks));
        let name = &object.name;
        if self.n_errors > 0 {
            return;
        }
        if !never_lock.is_empty() {
            let message = format!("the lock `{name}` is unlocked but never locked by {}", some(&never_lock));
            let help =
                "only the task that holds a lock can unlock it: any other task is blocked there forever";
            self.report(Diagnostic::warning("task-misuse", object.span, message).with_help(help));
        } else if !never_unlock.is_empty() {
            let message =
                format!("the lock `{name}` is locked but never unlocked by {}", some(&never_unlock));
            self.report(Diagnostic::note("task-misuse", object.span, message));
        }
    }

    /// Adds one state per number of permits.
    fn serve_semaphore(&mut self, object: &Object, uses: &Uses, initial: usize, max: usize) {
        let mut states = Vec::with_capacity(max + 1);
        for permits in 0..=max {
            states.push(if permits == initial { Graph::START } else { self.state(object.span) });
        }
        for pair in states.windows(2) {
            if uses.contains_key("acquire") {
                self.operation(object, "acquire", (Vec::new(), &[]), (pair[1], pair[0]));
            }
            if uses.contains_key("release") {
                self.operation(object, "release", (Vec::new(), &[]), (pair[0], pair[1]));
            }
        }
        let is_waited_for = uses.contains_key("acquire") && !uses.contains_key("release");
        if initial == 0 && is_waited_for && self.n_errors == 0 {
            let message =
                format!("no task releases the semaphore `{}`, which starts with no permit", object.name);
            let help = "`acquire` blocks forever";
            self.report(Diagnostic::warning("task-misuse", object.span, message).with_help(help));
        }
    }

    /// Adds one state per content of the channel.
    fn serve_channel(&mut self, object: &Object, uses: &Uses, ty: &Ty, capacity: usize) {
        let mut sent: Vec<Val> = uses.get("send").into_iter().flatten().flatten().copied().collect();
        if sent.contains(&Val::Unknown) {
            sent = self.all_values(ty);
        }
        let is_received = uses.contains_key("recv");
        if sent.is_empty() == is_received && self.n_errors == 0 {
            let message = match is_received {
                true => {
                    format!("no task sends to the channel `{}`: `recv` blocks forever", object.name)
                }
                false => format!("no task receives from the channel `{}`", object.name),
            };
            self.report(Diagnostic::warning("task-misuse", object.span, message));
        }
        if n_contents(sent.len(), capacity) > limits::DOMAIN as usize {
            let message = format!(
                "the channel `{}` can have more than {} different contents",
                object.name,
                limits::DOMAIN
            );
            let help = "reduce its capacity, or send fewer different values";
            return self.report(Diagnostic::error("task-limit", object.span, message).with_help(help));
        }
        let mut states: IndexMap<Vec<Val>, PointId> = IndexMap::from([(Vec::new(), Graph::START)]);
        let mut next = 0;
        while let Some((content, &from)) = states.get_index(next) {
            let content = content.clone();
            next += 1;
            if let (Some((first, rest)), true) = (content.split_first(), is_received)
                && let Some(&to) = states.get(rest)
            {
                self.operation(object, "recv", (vec![*first], &[*first]), (from, to));
            }
            if content.len() == capacity {
                continue;
            }
            for &val in &sent {
                let longer: Vec<Val> = content.iter().copied().chain([val]).collect();
                let to = self.state(object.span);
                states.insert(longer, to);
                self.operation(object, "send", (vec![val], &[val]), (from, to));
            }
        }
    }
}

/// Returns the number of possible contents of a channel.
fn n_contents(n_values: usize, capacity: usize) -> usize {
    let mut all = 1usize;
    let mut of_length = 1usize;
    for _ in 0..capacity {
        of_length = of_length.saturating_mul(n_values);
        all = all.saturating_add(of_length);
    }
    all
}

/// Lists the first few names.
fn some(names: &[String]) -> String {
    let more = if names.len() > 3 { format!(" and {} more", names.len() - 3) } else { String::new() };
    format!("{}{more}", names[..names.len().min(3)].join(", "))
}
