//! Tests that run the program, as a user does.

#[path = "../common/folder.rs"]
mod folder;
#[path = "../common/schema.rs"]
mod schema;

mod bounded;
mod cli;
mod confirm;
mod documented;
mod end_to_end;
mod exact_tasks;
mod experiment;
mod files;
mod flags;
mod hostile_text;
mod improve;
mod labels;
mod messages;
mod promela_check;
mod promela_graph;
mod promela_memory;
mod refine;
mod regressions;
mod schemas;
mod signals;
mod simulate;
