//! `trapline graph program`: what the explicit engine makes of a Promela
//! model.

use super::arguments::{ProgramArguments, ProgramFormat};
use super::exit::Exit;
use super::files::{Served, Texts, format_by_ending};
use super::output::Terminal;
use super::promela;
use super::{Faults, graph};
use crate::diag::Diagnostic;
use crate::lang::spec::Glob;
use crate::report::{dot, program};
use crate::verify::explicit::Escapes;
use crate::verify::{draw, outline, select};

/// What a program can be drawn as, and the endings of its files.
const FORMATS: &[Served<ProgramFormat>] =
    &[(ProgramFormat::Dot, &["dot", "gv"]), (ProgramFormat::Svg, &["svg"]), (ProgramFormat::Json, &["json"])];

pub(super) fn run(typed: &ProgramArguments, terminal: &Terminal) -> Result<Exit, Faults> {
    let limits = (&typed.limits, typed.output.as_deref());
    graph::drawn(&typed.file, limits, terminal, |texts| render(typed, texts, terminal))
}

fn render(
    typed: &ProgramArguments,
    texts: &mut Texts,
    terminal: &Terminal,
) -> Result<String, Vec<Diagnostic>> {
    promela::expect_model(&typed.file, typed.language).map_err(|fault| vec![fault])?;
    let format =
        format_by_ending(typed.output.as_deref(), typed.format, FORMATS).map_err(|fault| vec![fault])?;
    let (program, warnings) = promela::read(&typed.file, &typed.define, Escapes::OuterFirst, texts)?;
    terminal.complain(&warnings, &texts.sources);
    let wanted = Glob::new(typed.proctype.as_deref().unwrap_or("*"));
    let chosen = select::proctypes(&program.network, &wanted).map_err(|fault| vec![fault])?;
    Ok(match format {
        ProgramFormat::Dot => dot::render(&draw::processes(&program.network, &chosen, &texts.sources)),
        ProgramFormat::Svg => {
            let drawing = draw::processes(&program.network, &chosen, &texts.sources);
            terminal.picture(&drawing).map_err(|fault| vec![fault])?
        }
        ProgramFormat::Json => {
            let outline = outline::outline(&program.network, &chosen, &texts.sources);
            program::render(&typed.file.display().to_string(), &outline)
        }
    })
}
