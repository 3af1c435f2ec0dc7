//! From texts to questions: resolves properties against models, lowers
//! models, adds observers and constraints. Who calls has read the texts.

mod flow;
pub mod pictures;
mod promela;
mod states;
mod tasks;

use super::explicit::{ModelQuestion, Telling, check_and_tell};
use super::report::Report;
use crate::diag::Diagnostic;
use crate::search::Watcher;

pub use flow::{ConstraintRequest, FlowOptions, FlowQuestion, names};
pub use promela::{LoadedModel, ModelText, ModelWishes, model, model_for, read};
pub use tasks::{LoadedTasks, TaskQuestion, tasks, tasks_for};

/// A question for one of the engines.
#[derive(Debug)]
pub enum AnyQuestion<'a> {
    /// For the flow engine.
    Flow(Box<FlowQuestion<'a>>),
    /// For the explicit engine, and how much of a counterexample is described.
    Explicit(Box<ModelQuestion<'a>>, Telling),
}

impl AnyQuestion<'_> {
    /// Answers the question. `watch` is shown the counters now and then and
    /// may end the work. File, model, settings and time are filled in by who
    /// knows them.
    pub fn check(&self, watch: Watcher) -> Result<Report, Vec<Diagnostic>> {
        match self {
            Self::Flow(question) => Ok(question.check(watch)),
            Self::Explicit(question, telling) => {
                check_and_tell(question, *telling, watch).map_err(|fault| vec![fault])
            }
        }
    }
}
