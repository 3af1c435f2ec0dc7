//! `trapline graph`: pictures of models, graphs and automata.

use super::arguments::{
    FittingArguments, GraphArguments, GraphCommand, LimitArguments, PictureArguments, PictureFormat,
    ProgramArguments, ProgramFormat,
};
use super::exit::Exit;
use super::files::{Served, Texts, format_by_ending};
use super::language::{LanguageName, expect_language, language_of};
use super::output::Terminal;
use super::values::comma_list;
use super::watch::{limited, stopped_before_result};
use super::{Faults, outline};
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use trapline::diag::{Diagnostic, Sources, did_you_mean};
use trapline::lang::language::Language;
use trapline::lang::library::Library;
use trapline::lang::spec::{Glob, PropertySpec};
use trapline::lang::task;
use trapline::lang::task::program::Program;
use trapline::report::dot;
use trapline::verify::Form;
use trapline::verify::drawing::Drawing;
use trapline::verify::workspace::{ConstraintRequest, Setting, Workspace, pictures};

/// Formats of pictures and their file endings.
const FORMATS: &[Served<PictureFormat>] =
    &[(PictureFormat::Dot, &["dot", "gv"]), (PictureFormat::Svg, &["svg"])];

pub(super) fn run(typed: &GraphArguments, terminal: &Terminal) -> Result<Exit, Faults> {
    match &typed.what {
        Some(what) => run_command(what, terminal),
        None => fitting(&typed.fitting, terminal),
    }
}

/// Draws what fits the file.
fn fitting(typed: &FittingArguments, terminal: &Terminal) -> Result<Exit, Faults> {
    let usage = |message: &str, help: &str| {
        let fault = Diagnostic::error_without_place("usage", message).with_help(help);
        Err((vec![fault], Sources::default()))
    };
    let file = typed.file.clone().unwrap_or_default();
    let language = language_of(&file, typed.language);
    let is_dumped = language == Some(Language::Task) && typed.format == Some(ProgramFormat::Json);
    if language == Some(Language::Promela) || is_dumped {
        let program = ProgramArguments {
            file,
            proctype: None,
            language: typed.language,
            define: typed.define.clone(),
            set: typed.set.clone(),
            format: typed.format,
            output: typed.output.clone(),
            limits: typed.limits.clone(),
        };
        return outline::run(&program, terminal);
    }
    if !typed.define.is_empty() {
        return usage(
            "`--define` is only for Promela models",
            "set constants of a task model by `--set N=4`",
        );
    }
    let format = match typed.format {
        Some(ProgramFormat::Json) => {
            return usage("only `graph program` can write JSON", "use `--format dot` or `--format svg`");
        }
        Some(ProgramFormat::Dot) => Some(PictureFormat::Dot),
        Some(ProgramFormat::Svg) => Some(PictureFormat::Svg),
        None => None,
    };
    let common = PictureArguments {
        language: typed.language,
        set: typed.set.clone(),
        format,
        output: typed.output.clone(),
        limits: typed.limits.clone(),
    };
    let what = match language {
        Some(Language::Property) => GraphCommand::Tfg {
            file,
            property: None,
            graph: Form::REDUCED,
            constraint: Vec::new(),
            no_parallel: false,
            common,
        },
        _ => GraphCommand::Cfg { file, task: None, common },
    };
    run_command(&what, terminal)
}

fn run_command(what: &GraphCommand, terminal: &Terminal) -> Result<Exit, Faults> {
    let (file, common) = match what {
        GraphCommand::Program(program) => return outline::run(program, terminal),
        GraphCommand::Cfg { file, common, .. }
        | GraphCommand::Tfg { file, common, .. }
        | GraphCommand::Automaton { file, common, .. } => (file, common),
    };
    drawn(file, (&common.limits, common.output.as_deref()), terminal, |workspace| {
        picture(what, common, workspace, terminal)
    })
}

/// Renders a file within the limits and writes the result. There is no partial
/// result, so Ctrl-C ends the process at once.
pub(super) fn drawn(
    file: &Path,
    (limits, output): (&LimitArguments, Option<&Path>),
    terminal: &Terminal,
    render: impl FnOnce(&mut Workspace<Texts>) -> Result<String, Vec<Diagnostic>>,
) -> Result<Exit, Faults> {
    let mut workspace = Workspace::new(Texts::default());
    let rendered = limited(&Arc::default(), file, limits, terminal, || render(&mut workspace));
    let texts = workspace.texts;
    match rendered {
        Ok(rendered) => {
            let deliver = |text: String| terminal.deliver_apart(&text, output, &texts);
            let delivered = rendered.and_then(|text| deliver(text).map_err(|fault| vec![fault]));
            delivered.map(|()| Exit::Holds).map_err(|faults| (faults, texts.sources))
        }
        Err(stop) => {
            terminal.print_diagnostics(&[stopped_before_result(file, stop)], &texts.sources);
            Ok(Exit::Undecided)
        }
    }
}

fn picture(
    what: &GraphCommand,
    common: &PictureArguments,
    workspace: &mut Workspace<Texts>,
    terminal: &Terminal,
) -> Result<String, Vec<Diagnostic>> {
    let format = format_by_ending(common.output.as_deref(), common.format, FORMATS);
    let format = format.map_err(|fault| vec![fault])?;
    let drawing = draw(what, &common.set, common.language, workspace, terminal)?;
    Ok(match format {
        PictureFormat::Dot => dot::render(&drawing),
        PictureFormat::Svg => terminal.picture(&drawing).map_err(|fault| vec![fault])?,
    })
}

fn draw(
    what: &GraphCommand,
    set: &[Setting],
    language: Option<LanguageName>,
    workspace: &mut Workspace<Texts>,
    terminal: &Terminal,
) -> Result<Drawing, Vec<Diagnostic>> {
    match what {
        GraphCommand::Program(_) => unreachable!("Promela programs have a command of their own"),
        GraphCommand::Cfg { file, task, .. } => {
            let settings = workspace.typed_settings(set);
            let program = model(file, language, &settings, workspace, terminal)?;
            pictures::control_flow(&program, task.as_deref())
        }
        GraphCommand::Tfg { file, property, constraint, graph, no_parallel, .. } => {
            match language_of(file, language) {
                Some(Language::Task) => {
                    if property.is_some() || !constraint.is_empty() {
                        let message = format!("`{}` is a model, not a property file", file.display());
                        let help = "give a property file to use --property and --constraint";
                        return Err(vec![
                            Diagnostic::error_without_place("file-kind", message).with_help(help),
                        ]);
                    }
                    let settings = workspace.typed_settings(set);
                    let program = model(file, language, &settings, workspace, terminal)?;
                    pictures::flow_graph(&program, None, &[], *graph, !no_parallel, workspace.sources())
                }
                _ => {
                    let expected = "a task model or a property file";
                    let name = property.as_deref();
                    let spec = property_of(file, language, (expected, "graph tfg"), name, workspace)?;
                    let settings = workspace.settings(&spec, set);
                    let program = model_of(file, &spec, &settings, workspace, terminal)?;
                    let wanted = wanted(constraint, workspace)?;
                    let sources = workspace.sources();
                    pictures::flow_graph(&program, Some(&spec), &wanted, *graph, !no_parallel, sources)
                }
            }
        }
        GraphCommand::Automaton { file, property, constraint, .. } => {
            let wanted = ("a property file", "graph automaton");
            let spec = property_of(file, language, wanted, property.as_deref(), workspace)?;
            let settings = workspace.settings(&spec, set);
            let program = model_of(file, &spec, &settings, workspace, terminal)?;
            let wanted = constraint.as_deref().map(|it| workspace.typed_constraint(it)).transpose()?;
            pictures::automaton(&program, &spec, wanted.as_deref(), workspace.sources())
        }
    }
}

fn wanted(
    typed: &[String],
    workspace: &mut Workspace<Texts>,
) -> Result<Vec<ConstraintRequest>, Vec<Diagnostic>> {
    let mut all = Vec::new();
    for typed in typed.iter().flat_map(|list| comma_list(list)) {
        all.extend(workspace.typed_constraint(&typed)?);
    }
    Ok(all)
}

/// Reads a task model.
pub(super) fn model(
    file: &Path,
    language: Option<LanguageName>,
    settings: &[task::Setting],
    workspace: &mut Workspace<Texts>,
    terminal: &Terminal,
) -> Result<Rc<Program>, Vec<Diagnostic>> {
    expect_language(file, language, &[Language::Task], "a task model").map_err(|fault| vec![fault])?;
    let model = workspace.tasks(file, settings)?;
    terminal.print_diagnostics(&model.notes, workspace.sources());
    Ok(model.program)
}

fn model_of(
    file: &Path,
    spec: &PropertySpec,
    settings: &[task::Setting],
    workspace: &mut Workspace<Texts>,
    terminal: &Terminal,
) -> Result<Rc<Program>, Vec<Diagnostic>> {
    let Some(named) = &spec.model else {
        let message = format!("the property `{}` names no model", spec.name.value);
        return Err(vec![Diagnostic::error_without_place("no-model", message)]);
    };
    let path = workspace.texts.beside(file, &named.value);
    model(&path, None, settings, workspace, terminal).map_err(|mut faults| {
        // Errors about the language of the model are reported where the model
        // is named.
        faults.iter_mut().filter(|it| it.code == "file-kind").for_each(|it| it.span = Some(named.span));
        faults
    })
}

/// Returns the property of this name, or the only property of the file.
/// `command` is the command that takes a name, for messages.
fn property_of(
    file: &Path,
    language: Option<LanguageName>,
    (expected, command): (&str, &str),
    name: Option<&str>,
    workspace: &mut Workspace<Texts>,
) -> Result<PropertySpec, Vec<Diagnostic>> {
    expect_language(file, language, &[Language::Property], expected).map_err(|fault| vec![fault])?;
    let all = workspace.properties(file, expected)?;
    let names: Vec<String> = all.iter().map(|spec| spec.name.value.clone()).collect();
    let mut wanted: Vec<PropertySpec> = all
        .into_iter()
        .filter(|spec| name.is_none_or(|name| Glob::new(name).matches(&spec.name.value)))
        .collect();
    match (wanted.pop(), wanted.is_empty()) {
        (Some(spec), true) => Ok(spec),
        (found, _) => {
            let message = match (found, name) {
                (Some(_), _) => format!("`{}` contains several properties", file.display()),
                (None, Some(name)) => format!("no property of `{}` matches `{name}`", file.display()),
                (None, None) => format!("`{}` contains no properties", file.display()),
            };
            let help = name.and_then(|name| did_you_mean(name, names.iter().map(String::as_str)));
            let help = help.unwrap_or_else(|| {
                format!("choose one with `{command} --property NAME`: {}", names.join(", "))
            });
            Err(vec![Diagnostic::error_without_place("no-property", message).with_help(help)])
        }
    }
}
