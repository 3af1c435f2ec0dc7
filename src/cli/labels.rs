//! `trapline labels`: the event labels of a model, from which properties are
//! written.

use super::arguments::LabelsArguments;
use super::check::typed_settings;
use super::exit::Exit;
use super::files::Texts;
use super::language::{Language, expect_language};
use super::output::Terminal;
use super::{Faults, graph, promela};
use crate::diag::{Diagnostic, visible};
use crate::lang::spec::Glob;
use crate::verify::explicit::{Escapes, occurrences};

pub(super) fn run(typed: &LabelsArguments, terminal: &Terminal) -> Result<Exit, Faults> {
    graph::drawn(&typed.file, (&typed.limits, None), terminal, |texts| list(typed, texts, terminal))
}

/// One label per line, in the order of the model.
fn list(typed: &LabelsArguments, texts: &mut Texts, terminal: &Terminal) -> Result<String, Vec<Diagnostic>> {
    let models = [Language::Task, Language::Promela];
    let expected = "a task model or a Promela model";
    expect_language(&typed.file, typed.language, &models, expected).map_err(|fault| vec![fault])?;
    let mut labels = match Language::of(&typed.file, typed.language) {
        Some(Language::Promela) => {
            let (program, warnings) = promela::read(&typed.file, &typed.define, Escapes::OuterFirst, texts)?;
            terminal.complain(&warnings, &texts.sources);
            occurrences(&program.network, &texts.sources).into_iter().map(|it| it.label).collect()
        }
        _ => {
            let settings = typed_settings(&typed.set, texts);
            graph::model(&typed.file, typed.language, &settings, texts, terminal)?.labels()
        }
    };
    let mut seen = std::collections::HashSet::new();
    let pattern = Glob::new(typed.pattern.as_deref().unwrap_or("*"));
    labels.retain(|it| pattern.matches(it) && seen.insert(it.clone()));
    if labels.is_empty() {
        let message = format!("no label of `{}` matches `{pattern}`", typed.file.display());
        let help = "leave out the pattern to list all labels; * stands for any text";
        return Err(vec![Diagnostic::error_without_place("no-label", message).with_help(help)]);
    }
    Ok(labels.iter().map(|it| format!("{}\n", visible(it))).collect())
}
