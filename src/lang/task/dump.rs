//! A program as text, for tests.

use super::program::{Action, Program, Task, TaskId};
use indexmap::IndexSet;
use std::fmt::Write;

impl Program {
    /// Returns all different labels of the model in the order of their first
    /// occurrence, including the ends of rendezvous with a body.
    pub fn labels(&self) -> Vec<String> {
        let mut labels = IndexSet::new();
        for (task, edges) in self.tasks.iter().map(|task| &task.edges).enumerate() {
            for (index, edge) in edges.iter().enumerate() {
                let Some(label) = self.edge_label(TaskId::new(task), index) else { continue };
                if !labels.contains(label) {
                    labels.insert(label.to_string());
                }
                if matches!(edge.action, Action::Accept { body: Some(_), .. }) {
                    labels.insert(format!("{label}.end"));
                }
            }
        }
        labels.into_iter().collect()
    }

    /// Returns variables, entries, and the control graph of each task as text.
    pub fn dump(&self) -> String {
        let mut text = String::new();
        for variable in &self.variables {
            let initial = variable.initial.map_or("?".to_string(), |value| variable.domain.show(value));
            let _ = writeln!(text, "variable {}: {} = {initial}", variable.name, variable.domain.name());
        }
        for entry in &self.entries {
            let _ = writeln!(text, "entry {}", entry.label);
        }
        for task in &self.tasks {
            self.dump_task(task, &mut text);
        }
        text
    }

    fn dump_task(&self, task: &Task, text: &mut String) {
        let _ = writeln!(
            text,
            "task {}: {} points, {} to {}",
            task.name, task.n_points, task.start.0, task.end.0
        );
        let inside: Vec<String> =
            (0..task.n_points).filter(|point| task.atomic[*point]).map(|point| point.to_string()).collect();
        if !inside.is_empty() {
            let _ = writeln!(text, "  atomic {}", inside.join(" "));
        }
        for edge in &task.edges {
            let label = self.label(&edge.action).unwrap_or_default();
            let shown = match &edge.action {
                Action::Silent => "silent".to_string(),
                Action::Event(_) => format!("event {label}"),
                Action::Test { .. } => format!("test {label}"),
                Action::Assign { .. } | Action::Shift { .. } => label,
                Action::Call { .. } => format!("call {label}"),
                Action::Accept { body: None, .. } => format!("accept {label}"),
                Action::Accept { body: Some((start, end)), .. } => {
                    format!("accept {label} body {} to {}", start.0, end.0)
                }
            };
            let _ = writeln!(text, "  {} -> {}  {shown}", edge.from.0, edge.to.0);
        }
    }
}
