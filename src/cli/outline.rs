//! `trapline graph program`: what the explicit engine makes of a Promela
//! model.

use super::Faults;
use super::arguments::{ProgramArguments, ProgramFormat};
use super::exit::Exit;
use super::files::Texts;
use super::output::Terminal;
use super::promela;
use crate::diag::Diagnostic;
use crate::lang::spec::Glob;
use crate::report::{dot, program, svg};
use crate::verify::explicit::Escapes;
use crate::verify::{draw, outline, select};
use std::path::Path;

pub(super) fn run(typed: &ProgramArguments, terminal: &Terminal) -> Result<Exit, Faults> {
    let mut texts = Texts::default();
    let outcome = render(typed, &mut texts, terminal)
        .and_then(|text| terminal.deliver(&text, typed.output.as_deref()).map_err(|fault| vec![fault]));
    outcome.map(|()| Exit::Holds).map_err(|faults| (faults, texts.sources))
}

fn render(
    typed: &ProgramArguments,
    texts: &mut Texts,
    terminal: &Terminal,
) -> Result<String, Vec<Diagnostic>> {
    if !promela::is_model(&typed.file) {
        let message = format!("`{}` is no Promela model", typed.file.display());
        let help = "its name ends in .pml; `graph cfg` draws task models";
        return Err(vec![Diagnostic::error_without_place("file-kind", message).with_help(help)]);
    }
    let (program, warnings) = promela::read(&typed.file, &typed.define, Escapes::OuterFirst, texts)?;
    terminal.complain(&warnings, &texts.sources);
    let wanted = Glob::new(typed.proctype.as_deref().unwrap_or("*"));
    let chosen = select::proctypes(&program, &wanted).map_err(|fault| vec![fault])?;
    let format = typed.format.unwrap_or_else(|| format_of(typed.output.as_deref()));
    Ok(match format {
        ProgramFormat::Dot => dot::render(&draw::processes(&program, &chosen, &texts.sources)),
        ProgramFormat::Svg => svg::render(&draw::processes(&program, &chosen, &texts.sources)),
        ProgramFormat::Json => {
            let outline = outline::outline(&program, &chosen, &texts.sources);
            program::render(&typed.file.display().to_string(), &outline)
        }
    })
}

fn format_of(output: Option<&Path>) -> ProgramFormat {
    let ending = output.and_then(|path| path.extension()).map(|it| it.to_ascii_lowercase());
    match ending {
        Some(ending) if ending == "svg" => ProgramFormat::Svg,
        Some(ending) if ending == "json" => ProgramFormat::Json,
        _ => ProgramFormat::Dot,
    }
}
