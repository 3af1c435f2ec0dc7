//! Commands that describe the tool: strategies, schemas, completions, manual
//! pages.

use super::Faults;
use super::arguments::{Arguments, CompletionsArguments, ManualArguments, SchemaArguments, SchemaName};
use super::exit::Exit;
use super::files::{reason, write_whole};
use super::output::Terminal;
use clap::CommandFactory;
use clap_mangen::Man;
use std::path::Path;
use trapline::diag::{Diagnostic, Sources};
use trapline::experiment;
use trapline::lang::spec::{self, FileKind};
use trapline::report::{json, program, strategies};

pub(super) fn schema(typed: &SchemaArguments, terminal: &Terminal) -> Result<Exit, Faults> {
    let schema = match typed.what {
        SchemaName::Property => spec::schema(FileKind::Property),
        SchemaName::Constraint => spec::schema(FileKind::Constraint),
        SchemaName::Experiment => experiment::schema::schema(),
        SchemaName::Subjects => experiment::schema::subjects_schema(),
        SchemaName::Config => spec::project_schema(),
        SchemaName::Report => json::schema(),
        SchemaName::Program => program::schema(),
        SchemaName::Simulation => json::simulation_schema(),
        SchemaName::Refinement => json::refinement_schema(),
    };
    print(&format!("{schema:#}\n"), terminal)
}

pub(super) fn strategies(terminal: &Terminal) -> Result<Exit, Faults> {
    let page = strategies::render(terminal.columns);
    terminal.print(&page, None).map_err(fault)?;
    Ok(Exit::Holds)
}

pub(super) fn completions(typed: &CompletionsArguments, terminal: &Terminal) -> Result<Exit, Faults> {
    let mut script = Vec::new();
    clap_complete::generate(typed.shell, &mut Arguments::command(), "trapline", &mut script);
    print(&String::from_utf8_lossy(&script), terminal)
}

pub(super) fn manual(typed: &ManualArguments, terminal: &Terminal) -> Result<Exit, Faults> {
    if let Some(folder) = &typed.output {
        return write_pages(folder).map_err(fault);
    }
    print(&rendered(&Man::new(Arguments::command())), terminal)
}

fn write_pages(folder: &Path) -> Result<Exit, Diagnostic> {
    std::fs::create_dir_all(folder).map_err(|error| {
        let message = format!("cannot write to `{}`: {}", folder.display(), reason(&error));
        Diagnostic::error_without_place("file-unwritable", message)
    })?;
    let mut program = Arguments::command().disable_help_subcommand(true);
    program.build();
    let mut left = vec![program];
    while let Some(command) = left.pop() {
        left.extend(command.get_subcommands().filter(|it| !it.is_hide_set()).cloned());
        let page = Man::new(command);
        write_whole(&folder.join(page.get_filename()), &rendered(&page))?;
    }
    Ok(Exit::Holds)
}

fn rendered(page: &Man) -> String {
    let mut text = Vec::new();
    page.render(&mut text).expect("writing to memory does not fail");
    String::from_utf8_lossy(&text).into_owned()
}

fn print(text: &str, terminal: &Terminal) -> Result<Exit, Faults> {
    terminal.deliver(text, None).map_err(fault)?;
    Ok(Exit::Holds)
}

fn fault(diagnostic: Diagnostic) -> Faults {
    (vec![diagnostic], Sources::default())
}
