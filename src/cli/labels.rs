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

/// Lists the labels, one per line, in the order of the model.
fn list(
    typed: &LabelsArguments,
    workspace: &mut Workspace<Texts>,
    terminal: &Terminal,
) -> Result<String, Vec<Diagnostic>> {
    let models = [Language::Task, Language::Promela];
    let expected = "a task model or a Promela model";
    expect_language(&typed.file, typed.language, &models, expected).map_err(|fault| vec![fault])?;
    let usage =
        |message: &str, help: &str| vec![Diagnostic::error_without_place("usage", message).with_help(help)];
    let mut labels = match language_of(&typed.file, typed.language) {
        Some(Language::Promela) if !typed.set.is_empty() => {
            return Err(usage("`--set` does not apply to a Promela model", "set its macros by `-D N=4`"));
        }
        Some(Language::Promela) => {
            let definitions = typed.define.clone();
            let program =
                workspace.promela(&typed.file, &CheckOptions { definitions, ..CheckOptions::default() })?;
            terminal.print_diagnostics(&workspace.take_warnings(), workspace.sources());
            occurrences(&program.network, workspace.sources()).into_iter().map(|it| it.label).collect()
        }
        _ if !typed.define.is_empty() => {
            let help = "set constants of a task model by `--set N=4`";
            return Err(usage("`--define` is only for Promela models", help));
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
        let help = "remove the pattern to list all labels; * matches any text";
        return Err(vec![Diagnostic::error_without_place("no-label", message).with_help(help)]);
    }
    Ok(labels.iter().map(|it| format!("{}\n", visible(it))).collect())
}
