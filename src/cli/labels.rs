//! `trapline labels`: the event labels of a model, from which properties are
//! written.

use super::arguments::LabelsArguments;
use super::exit::Exit;
use super::files::Texts;
use super::language::{expect_language, language_of};
use super::output::Terminal;
use super::{Faults, graph};
use trapline::diag::{Diagnostic, visible};
use trapline::lang::language::Language;
use trapline::lang::spec::Glob;
use trapline::verify::explicit::occurrences;
use trapline::verify::workspace::{CheckOptions, Workspace};

pub(super) fn run(typed: &LabelsArguments, terminal: &Terminal) -> Result<Exit, Faults> {
    graph::drawn(&typed.file, (&typed.limits, None), terminal, |workspace| list(typed, workspace, terminal))
}

/// One label per line, in the order of the model.
fn list(
    typed: &LabelsArguments,
    workspace: &mut Workspace<Texts>,
    terminal: &Terminal,
) -> Result<String, Vec<Diagnostic>> {
    let models = [Language::Task, Language::Promela];
    let expected = "a task model or a Promela model";
    expect_language(&typed.file, typed.language, &models, expected).map_err(|fault| vec![fault])?;
    let mut labels = match language_of(&typed.file, typed.language) {
        Some(Language::Promela) => {
            let definitions = typed.define.clone();
            let program =
                workspace.promela(&typed.file, &CheckOptions { definitions, ..CheckOptions::default() })?;
            terminal.complain(&workspace.take_warnings(), workspace.sources());
            occurrences(&program.network, workspace.sources()).into_iter().map(|it| it.label).collect()
        }
        _ => {
            let settings = workspace.typed_settings(&typed.set);
            graph::model(&typed.file, typed.language, &settings, workspace, terminal)?.labels()
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
