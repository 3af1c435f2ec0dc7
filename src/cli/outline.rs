//! `trapline graph program`: the network of processes that the explicit engine
//! makes of a model.

use super::arguments::{ProgramArguments, ProgramFormat};
use super::exit::Exit;
use super::files::{Served, Texts, format_by_ending};
use super::language::{expect_language, language_of};
use super::output::Terminal;
use super::{Faults, graph};
use trapline::diag::Diagnostic;
use trapline::lang::language::Language;
use trapline::lang::spec::Glob;
use trapline::lang::task::lower::Steps;
use trapline::net::Network;
use trapline::report::{dot, program};
use trapline::verify::workspace::{CheckOptions, Workspace};
use trapline::verify::{draw, outline, select};

/// Formats of programs and their file endings.
const FORMATS: &[Served<ProgramFormat>] =
    &[(ProgramFormat::Dot, &["dot", "gv"]), (ProgramFormat::Svg, &["svg"]), (ProgramFormat::Json, &["json"])];

pub(super) fn run(typed: &ProgramArguments, terminal: &Terminal) -> Result<Exit, Faults> {
    let limits = (&typed.limits, typed.output.as_deref());
    graph::drawn(&typed.file, limits, terminal, |workspace| render(typed, workspace, terminal))
}

fn render(
    typed: &ProgramArguments,
    workspace: &mut Workspace<Texts>,
    terminal: &Terminal,
) -> Result<String, Vec<Diagnostic>> {
    let models = [Language::Promela, Language::Task];
    expect_language(&typed.file, typed.language, &models, "a model").map_err(|fault| vec![fault])?;
    let format =
        format_by_ending(typed.output.as_deref(), typed.format, FORMATS).map_err(|fault| vec![fault])?;
    let network = network(typed, workspace, terminal)?;
    let is_task = language_of(&typed.file, typed.language) == Some(Language::Task);
    let kind = if is_task { "task" } else { "proctype" };
    let wanted = Glob::new(typed.proctype.as_deref().unwrap_or("*"));
    let chosen = select::templates(&network, &wanted, kind).map_err(|fault| vec![fault])?;
    Ok(match format {
        ProgramFormat::Dot => dot::render(&draw::processes(&network, &chosen, workspace.sources())),
        ProgramFormat::Svg => {
            let drawing = draw::processes(&network, &chosen, workspace.sources());
            terminal.picture(&drawing).map_err(|fault| vec![fault])?
        }
        ProgramFormat::Json => {
            let outline = outline::outline(&network, &chosen, workspace.sources());
            program::render(&typed.file.display().to_string(), &outline)
        }
    })
}

fn network(
    typed: &ProgramArguments,
    workspace: &mut Workspace<Texts>,
    terminal: &Terminal,
) -> Result<Network, Vec<Diagnostic>> {
    let usage =
        |message: &str, help: &str| vec![Diagnostic::error_without_place("usage", message).with_help(help)];
    if language_of(&typed.file, typed.language) != Some(Language::Task) {
        if !typed.set.is_empty() {
            return Err(usage("`--set` does not apply to a Promela model", "set its macros by `-D N=4`"));
        }
        let definitions = typed.define.clone();
        let program =
            workspace.promela(&typed.file, &CheckOptions { definitions, ..CheckOptions::default() })?;
        terminal.print_diagnostics(&workspace.take_warnings(), workspace.sources());
        return Ok(program.network);
    }
    if !typed.define.is_empty() {
        return Err(usage(
            "`--define` is only for Promela models",
            "set constants of a task model by `--set N=4`",
        ));
    }
    let settings = workspace.typed_settings(&typed.set);
    let model = workspace.tasks(&typed.file, &settings)?;
    terminal.print_diagnostics(&model.notes, workspace.sources());
    Ok(model.lowered(&Steps::Actions)?.network)
}
