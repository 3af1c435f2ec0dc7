//! The command line: flags, files, terminal, exit code. The only room that
//! reads or writes the world.
//!
//! - `arguments` is what the user typed, `options` what that means;
//!   `values` reads sizes, times and lists.
//! - `check` goes from property files to a run of reports; `graph` draws.
//! - `experiment` runs studies, each run as a process of its own.
//! - `language` says what a file is; `read` reads files up to a limit; `files` keeps their texts and writes results; `project` finds the
//!   properties of `trapline.yaml`.
//! - `memory` is what a search may take; `watch` shows progress on the
//!   `progress_line` and keeps the time; `signals` listens for Ctrl-C and its like.
//! - [`exit`] is the meaning of the exit code.

mod arguments;
mod check;
pub mod exit;
mod experiment;
mod files;
#[cfg(test)]
#[path = "../tests/common/folder.rs"]
mod folder;
mod graph;
mod help;
mod labels;
mod language;
mod memory;
mod options;
mod outline;
mod output;
mod progress_line;
mod project;
mod promela;
mod read;
mod reference;
mod signals;
mod simulate;
mod values;
mod watch;

use arguments::{Arguments, Command};
use clap::Parser;
use exit::Exit;
use output::Terminal;
use trapline::diag::{Diagnostic, Sources, visible};

/// What was wrong, with the texts it was wrong in.
type Faults = (Vec<Diagnostic>, Sources);

/// The error of arguments that are not safe to print: that of the same
/// arguments made visible.
fn printable(is_error: bool) -> Option<clap::Error> {
    let typed: Vec<String> =
        std::env::args_os().map(|it| visible(&it.to_string_lossy()).into_owned()).collect();
    let is_safe = std::env::args_os().zip(&typed).all(|(one, other)| one.to_string_lossy() == other.as_str());
    match is_error && !is_safe {
        true => Arguments::try_parse_from(typed).err(),
        false => None,
    }
}

/// Runs the command that the arguments of the process ask for.
pub fn main() -> std::process::ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and version are errors for clap, and a closed pipe is no fault of ours.
            let is_error = error.use_stderr();
            let _ = printable(is_error).unwrap_or(error).print();
            return if is_error { Exit::BadInput } else { Exit::Holds }.into();
        }
    };
    let terminal = Terminal::new(&arguments.look);
    let outcome = match arguments.command {
        Command::Check(typed) => check::run(&typed, &terminal),
        Command::Graph(typed) => graph::run(&typed, &terminal),
        Command::Simulate(typed) => simulate::run(&typed, &terminal),
        Command::Labels(typed) => labels::run(&typed, &terminal),
        Command::Experiment(typed) => experiment::run(&typed, &terminal),
        Command::Strategies => reference::strategies(&terminal),
        Command::Schema(typed) => reference::schema(&typed, &terminal),
        Command::Completions(typed) => reference::completions(&typed, &terminal),
        Command::Man(typed) => reference::manual(&typed, &terminal),
    };
    let exit = outcome.unwrap_or_else(|(diagnostics, sources)| {
        terminal.print_diagnostics(&diagnostics, &sources);
        Exit::BadInput
    });
    exit.into()
}
