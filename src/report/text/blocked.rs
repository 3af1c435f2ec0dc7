//! Processes that wait for each other at the end of a run.

use super::Writer;
use super::measure::{cut, pad, width};
use super::steps::{place, statement};
use crate::diag::{Sources, Span};
use crate::verify::explicit::{BlockedProcess, Obstacle};

impl Writer<'_> {
    /// Where each process is, the statements it is blocked at, and why.
    pub(super) fn blocked(&mut self, processes: &[BlockedProcess], sources: &Sources) {
        if processes.is_empty() {
            return;
        }
        self.line(self.paint.dim("Where the processes are blocked:"));
        let name_width = processes.iter().map(|it| width(&it.process)).max().unwrap_or(0);
        for it in processes {
            let mut name = it.process.as_str();
            let end = if it.may_end { "; it may end here" } else { "" };
            for blocked in &it.statements {
                let text = cut(&statement(blocked.span, sources), 60);
                let why = obstacle(blocked.obstacle, sources);
                let place = self.paint.dim(place(blocked.span, sources));
                self.line(format!("  {}  {text}  {place}  {why}{end}", pad(name, name_width)));
                name = "";
            }
        }
        self.line("");
    }
}

/// Why a statement cannot be executed, in the words of a user.
pub(crate) fn obstacle(obstacle: Obstacle, sources: &Sources) -> String {
    let channel = |span: Span| sources.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
    match obstacle {
        Obstacle::False => "is false".to_string(),
        Obstacle::EmptyChannel(span) => format!("waits for a message on `{}`, which is empty", channel(span)),
        Obstacle::OtherMessage(span) => {
            format!("no message that can be received from `{}` matches", channel(span))
        }
        Obstacle::FullChannel(span) => format!("waits for room in `{}`, which is full", channel(span)),
        Obstacle::NoReceiver(span) => format!("no process is ready to receive from `{}`", channel(span)),
        Obstacle::NoSender(span) => {
            format!("no process is ready to send a matching message to `{}`", channel(span))
        }
        Obstacle::NoAcceptor => "no task accepts this call".to_string(),
        Obstacle::NoCaller => "no task calls this entry".to_string(),
        Obstacle::LostChannel(span) => {
            format!("the process that declared the channel in `{}` has ended", channel(span))
        }
        Obstacle::YoungerProcesses => "waits for processes that were started later".to_string(),
        Obstacle::Provided => "the `provided` clause is false".to_string(),
        Obstacle::StoppedTask => "a task has stopped inside an atomic block".to_string(),
        Obstacle::Priority => "a process of higher priority comes first".to_string(),
        Obstacle::Other => "is blocked".to_string(),
    }
}
