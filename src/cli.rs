//! The command line: flags, files, terminal and exit code. The only module that
//! reads files, writes files or uses the terminal.
//!
//! - `arguments` contains the arguments as typed, `options` interprets them;
//!   `values` parses sizes, times and lists.
//! - `check` checks property files and models; `improve` shortens a
//!   counterexample in the same way; `graph` draws pictures.
//! - `experiment` runs studies, each run in a separate process.
//! - `language` recognises the language of a file; `read` reads files up to a
//!   limit; `files` stores their texts and writes results; `project` finds the
//!   properties of `trapline.yaml`.
//! - `memory` computes the memory limit of a search; `watch` shows progress on
//!   the `progress_line` and enforces limits; `signals` handles Ctrl-C and
//!   similar signals.
//! - [`exit`] defines the exit codes.

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
mod improve;
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
mod refine;
mod signals;
mod simulate;
mod values;
mod watch;

use arguments::{Arguments, Command};
use clap::Parser;
use exit::Exit;
use output::Terminal;
use trapline::diag::{Diagnostic, Sources, visible};

/// Errors, and the texts that they refer to.
type Faults = (Vec<Diagnostic>, Sources);

/// Returns the error of the arguments with control characters made visible, if
/// they are not safe to print.
fn printable(is_error: bool) -> Option<clap::Error> {
    let typed: Vec<String> =
        std::env::args_os().map(|it| visible(&it.to_string_lossy()).into_owned()).collect();
    let is_safe = std::env::args_os().zip(&typed).all(|(one, other)| one.to_string_lossy() == other.as_str());
    match is_error && !is_safe {
        true => Arguments::try_parse_from(typed).err(),
        false => None,
    }
}

/// Runs the command given by the arguments of the process.
pub fn main() -> std::process::ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => {
            // For clap, help and version are errors. A closed pipe is not an error.
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
        Command::Improve(typed) => improve::run(&typed, &terminal),
        Command::Labels(typed) => labels::run(&typed, &terminal),
        Command::Refine(typed) => refine::run(&typed, &terminal),
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
