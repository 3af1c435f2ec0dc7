//! Blocked processes at the end of a run.

use super::Writer;
use super::measure::{cut, pad, width};
use super::steps::{place, statement};
use crate::diag::{Sources, Span};
use crate::verify::explicit::{BlockedProcess, Obstacle, Operation, Purpose};

impl Writer<'_> {
    /// Writes the location of each process, the statements it is blocked at,
    /// and why.
    pub(super) fn blocked(&mut self, processes: &[BlockedProcess], sources: &Sources) {
        if processes.is_empty() {
            return;
        }
        self.line(self.paint.dim("Blocked processes:"));
        let name_width = processes.iter().map(|it| width(&it.process)).max().unwrap_or(0);
        for it in processes {
            let mut name = it.process.as_str();
            let end = if it.may_end { "; this is a valid end state" } else { "" };
            for blocked in &it.statements {
                let text = cut(&statement(blocked.span, sources), 60);
                let why = obstacle(&blocked.obstacle, sources);
                let place = self.paint.dim(place(blocked.span, sources));
                self.line(format!("  {}  {text}  {place}  {why}{end}", pad(name, name_width)));
                self.calls(&blocked.calls, &" ".repeat(4 + name_width), sources);
                name = "";
            }
        }
        self.line("");
    }
}

/// Returns why a statement cannot be executed.
pub(crate) fn obstacle(obstacle: &Obstacle, sources: &Sources) -> String {
    let channel = |span: &Span| sources.slice(*span).split_whitespace().collect::<Vec<_>>().join(" ");
    match obstacle {
        Obstacle::False => "the condition is false".to_string(),
        Obstacle::EmptyChannel(span) => format!("channel `{}` is empty", channel(span)),
        Obstacle::OtherMessage(span) => {
            format!("no receivable message in `{}` matches", channel(span))
        }
        Obstacle::FullChannel(span) => format!("channel `{}` is full", channel(span)),
        Obstacle::NoReceiver(span) => format!("no process is ready to receive from `{}`", channel(span)),
        Obstacle::NoSender(span) => {
            format!("no process is ready to send a matching message to `{}`", channel(span))
        }
        Obstacle::NoAcceptor(Purpose::Entry(name)) => format!("waits until `{name}` is accepted"),
        Obstacle::NoAcceptor(Purpose::BodyEnd(name)) => {
            format!("waits until the body of the accept of `{name}` ends")
        }
        Obstacle::NoAcceptor(Purpose::Object(operation, name)) => match operation {
            Operation::Lock => format!("waits for the lock `{name}`"),
            Operation::Unlock => format!("the task does not hold the lock `{name}`"),
            Operation::Acquire => format!("waits for a permit of `{name}`"),
            Operation::Release => format!("`{name}` has all its permits"),
            Operation::Send => format!("channel `{name}` is full"),
            Operation::Receive => format!("channel `{name}` is empty"),
        },
        Obstacle::NoCaller(Purpose::Entry(name) | Purpose::Object(_, name)) => {
            format!("waits for a call of `{name}`")
        }
        Obstacle::NoCaller(Purpose::BodyEnd(name)) => format!("waits for the caller of `{name}`"),
        Obstacle::FalseGuard => "the guard is false".to_string(),
        Obstacle::LostChannel(span) => {
            format!("the process that declared the channel in `{}` has ended", channel(span))
        }
        Obstacle::YoungerProcesses => "processes that were started later have not ended".to_string(),
        Obstacle::Provided => "the `provided` clause is false".to_string(),
        Obstacle::StoppedTask => "a task has stopped inside an atomic block".to_string(),
        Obstacle::Priority => "a process with a higher priority is enabled".to_string(),
        Obstacle::Other => "is blocked".to_string(),
    }
}
