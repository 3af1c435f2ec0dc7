//! From texts to questions: resolves properties against models, lowers
//! models, adds observers and constraints. Who calls has read the texts.

mod flow;
pub mod pictures;
mod promela;
mod tasks;

pub use flow::{AssembledProperty, ConstraintRequest, FlowOptions, names};
pub use promela::{LoadedModel, ModelText, ModelWishes, model, model_for, read};
pub use tasks::{LoadedTasks, tasks, tasks_for};
