//! `trapline graph program`: what the explicit engine makes of a Promela
//! model.

use super::arguments::{ProgramArguments, ProgramFormat};
use super::exit::Exit;
use super::files::{Served, Texts, format_by_ending};
use super::output::Terminal;
use super::promela;
use super::{Faults, graph};
use trapline::diag::Diagnostic;
use trapline::lang::spec::Glob;
use trapline::report::{dot, program};
use trapline::verify::workspace::{CheckOptions, Workspace};
use trapline::verify::{draw, outline, select};

/// What a program can be drawn as, and the endings of its files.
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
    promela::expect_model(&typed.file, typed.language).map_err(|fault| vec![fault])?;
    let format =
        format_by_ending(typed.output.as_deref(), typed.format, FORMATS).map_err(|fault| vec![fault])?;
    let definitions = typed.define.clone();
    let program = workspace.promela(&typed.file, &CheckOptions { definitions, ..CheckOptions::default() })?;
    terminal.complain(&workspace.take_warnings(), workspace.sources());
    let wanted = Glob::new(typed.proctype.as_deref().unwrap_or("*"));
    let chosen = select::proctypes(&program.network, &wanted).map_err(|fault| vec![fault])?;
    Ok(match format {
        ProgramFormat::Dot => dot::render(&draw::processes(&program.network, &chosen, workspace.sources())),
        ProgramFormat::Svg => {
            let drawing = draw::processes(&program.network, &chosen, workspace.sources());
            terminal.picture(&drawing).map_err(|fault| vec![fault])?
        }
        ProgramFormat::Json => {
            let outline = outline::outline(&program.network, &chosen, workspace.sources());
            program::render(&typed.file.display().to_string(), &outline)
        }
    })
}
