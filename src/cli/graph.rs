//! `trapline graph`: pictures of models, graphs and automata.

use super::Faults;
use super::arguments::{GraphArguments, GraphCommand, PictureArguments, PictureFormat};
use super::exit::Exit;
use super::files::{Texts, beside};
use super::output::Terminal;
use super::seam::{self, Constraint, Model, PropertySpec, Written};
use super::values::{Setting, matches_pattern};
use crate::diag::{Diagnostic, did_you_mean};
use crate::report::{dot, svg};
use crate::verify::drawing::Drawing;
use std::path::Path;

pub(super) fn run(typed: &GraphArguments, terminal: &Terminal) -> Result<Exit, Faults> {
    let mut texts = Texts::default();
    let outcome = draw(&typed.what, &mut texts, terminal).and_then(|drawing| {
        let common = common(&typed.what);
        let text = match format(common) {
            PictureFormat::Dot => dot::render(&drawing),
            PictureFormat::Svg => svg::render(&drawing),
        };
        terminal.deliver(&text, common.output.as_deref()).map_err(|fault| vec![fault])
    });
    outcome.map(|()| Exit::Holds).map_err(|faults| (faults, texts.sources))
}

fn common(what: &GraphCommand) -> &PictureArguments {
    match what {
        GraphCommand::Cfg { common, .. }
        | GraphCommand::Tfg { common, .. }
        | GraphCommand::Automaton { common, .. } => common,
    }
}

fn format(common: &PictureArguments) -> PictureFormat {
    let is_svg = |path: &Path| path.extension().is_some_and(|it| it.eq_ignore_ascii_case("svg"));
    let by_name = match common.output.as_deref().is_some_and(is_svg) {
        true => PictureFormat::Svg,
        false => PictureFormat::Dot,
    };
    common.format.unwrap_or(by_name)
}

fn draw(what: &GraphCommand, texts: &mut Texts, terminal: &Terminal) -> Result<Drawing, Vec<Diagnostic>> {
    let set = &common(what).set;
    match what {
        GraphCommand::Cfg { file, task, .. } => {
            let model = model(file, set, texts, terminal)?;
            seam::draw_control_flow(&model, task.as_deref())
        }
        GraphCommand::Tfg { file, property, graph, no_parallel, .. } if is_model(file) => {
            if let Some(property) = property {
                let message = format!("`{}` is a model and has no property `{property}`", file.display());
                return Err(vec![Diagnostic::error_without_place("file-kind", message)]);
            }
            let model = model(file, set, texts, terminal)?;
            seam::draw_flow_graph(&model, None, graph, !no_parallel)
        }
        GraphCommand::Tfg { file, property, graph, no_parallel, .. } => {
            let spec = property_of(file, property.as_deref(), texts)?;
            let model = model_of(file, &spec, set, texts, terminal)?;
            seam::draw_flow_graph(&model, Some(&spec), graph, !no_parallel)
        }
        GraphCommand::Automaton { file, property, constraint, .. } => {
            let spec = property_of(file, property.as_deref(), texts)?;
            let model = model_of(file, &spec, set, texts, terminal)?;
            let constraint = constraint.as_deref().map(|it| read_constraint(it, texts)).transpose()?;
            seam::draw_automaton(&spec, &model, constraint.as_ref(), &texts.sources)
        }
    }
}

fn is_model(file: &Path) -> bool {
    file.extension().is_some_and(|it| it == "rs")
}

fn model(
    file: &Path,
    settings: &[Setting],
    texts: &mut Texts,
    terminal: &Terminal,
) -> Result<Model, Vec<Diagnostic>> {
    let source = texts.read(file, "model").map_err(|fault| vec![fault])?;
    let loaded = seam::model(source, &texts.sources, settings);
    let model = loaded.model.ok_or_else(|| loaded.diagnostics.clone())?;
    terminal.complain(&loaded.diagnostics, &texts.sources);
    Ok(model)
}

fn model_of(
    file: &Path,
    spec: &PropertySpec,
    set: &[Setting],
    texts: &mut Texts,
    terminal: &Terminal,
) -> Result<Model, Vec<Diagnostic>> {
    let Some(named) = &spec.model else {
        let message = format!("the property `{}` names no model", spec.name);
        return Err(vec![Diagnostic::error_without_place("no-model", message)]);
    };
    let own = spec.settings.iter().filter(|it| !set.iter().any(|other| other.name == it.name));
    let settings: Vec<Setting> = own.chain(set).cloned().collect();
    model(&beside(file, &named.value), &settings, texts, terminal)
}

/// The only property of a file, or the one of the name.
fn property_of(file: &Path, name: Option<&str>, texts: &mut Texts) -> Result<PropertySpec, Vec<Diagnostic>> {
    let source = texts.read(file, "property file").map_err(|fault| vec![fault])?;
    let all = seam::properties(source, &texts.sources)?.properties;
    let names: Vec<String> = all.iter().map(|spec| spec.name.clone()).collect();
    let mut wanted: Vec<PropertySpec> =
        all.into_iter().filter(|spec| name.is_none_or(|name| matches_pattern(name, &spec.name))).collect();
    match (wanted.pop(), wanted.is_empty()) {
        (Some(spec), true) => Ok(spec),
        (found, _) => {
            let message = match (found, name) {
                (Some(_), _) => format!("`{}` holds several properties", file.display()),
                (None, Some(name)) => format!("no property of `{}` matches `{name}`", file.display()),
                (None, None) => format!("`{}` holds no property", file.display()),
            };
            let help = name.and_then(|name| did_you_mean(name, names.iter().map(String::as_str)));
            let help = help.unwrap_or_else(|| format!("choose one with --property: {}", names.join(", ")));
            Err(vec![Diagnostic::error_without_place("no-property", message).with_help(help)])
        }
    }
}

fn read_constraint(typed: &str, texts: &mut Texts) -> Result<Constraint, Vec<Diagnostic>> {
    if typed.starts_with("task:") || typed.starts_with("variable:") {
        return Ok(Constraint::Generated(Written { value: typed.to_string(), span: None }));
    }
    let file = texts.read(Path::new(typed), "constraint file").map_err(|fault| vec![fault])?;
    Ok(Constraint::Context { name: typed.to_string(), file })
}
