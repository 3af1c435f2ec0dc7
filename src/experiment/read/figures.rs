//! The figures of a study.

use super::label_help;
use crate::experiment::measure::Measure;
use crate::experiment::study::{Figure, FigureKind};
use crate::lang::spec::{Fields, Glob, Mistakes, Node, Spanned};

/// The keys of a figure.
pub(in crate::experiment) const FIGURE_KEYS: &[&str] =
    &["kind", "of", "strategies", "parameter", "title", "file"];

const KINDS: [(&str, FigureKind); 3] =
    [("box", FigureKind::Box), ("cases", FigureKind::Cases), ("scaling", FigureKind::Scaling)];

pub(super) fn parse(node: &Node, labels: &[&str], mistakes: &mut Mistakes) -> Option<Vec<Figure>> {
    let items = mistakes.list(node, "`figures`")?;
    let mut figures: Vec<Figure> = Vec::new();
    for item in items {
        let Some(figure) = parse_figure(item, labels, mistakes) else { continue };
        if let Some(first) = figures.iter().find(|other| other.file.value == figure.file.value) {
            let message = format!("two figures have the file `{}`", figure.file.value);
            mistakes.error("study-figure", figure.file.span, message).related =
                vec![(first.file.span, "the first figure".to_string())];
        }
        figures.push(figure);
    }
    Some(figures)
}

fn parse_figure(node: &Node, labels: &[&str], mistakes: &mut Mistakes) -> Option<Figure> {
    let fields = mistakes.fields(node, "a figure", FIGURE_KEYS)?;
    for key in ["kind", "file"] {
        if !fields.has(key) {
            mistakes.error("study-key", fields.span, format!("a figure needs the key `{key}`"));
        }
    }
    let kind = fields.get("kind").and_then(|it| mistakes.word(it, "`kind`", &KINDS)).map(|it| it.value);
    let file = fields.get("file").and_then(|it| parse_file(it, mistakes));
    let strategies = parse_strategies(fields, labels, mistakes);
    let measures = parse_measures(fields, kind, mistakes);
    let parameter = fields.get("parameter").and_then(|it| mistakes.string(it, "`parameter`"));
    if let (Some(parameter), Some(FigureKind::Box | FigureKind::Cases)) = (&parameter, kind) {
        mistakes.error("study-figure", parameter.span, "only figures of kind `scaling` have a parameter");
    }
    let title = fields.get("title").and_then(|it| mistakes.string(it, "`title`")).map(|it| it.value);
    Some(Figure {
        kind: kind?,
        measures: measures?,
        strategies: strategies?,
        title,
        parameter,
        file: file?,
        span: fields.span,
    })
}

fn parse_file(node: &Node, mistakes: &mut Mistakes) -> Option<Spanned<String>> {
    let file = mistakes.string(node, "`file`")?;
    if file.value.contains(['/', '\\']) || !file.value.ends_with(".svg") || file.value.starts_with('.') {
        mistakes
            .error("study-figure", file.span, format!("`{}` is not a valid file of a figure", file.value))
            .help = Some("use a name without folders that ends in .svg".to_string());
        return None;
    }
    Some(file)
}

/// Parses labels, which may contain `*`; the default is all strategies.
fn parse_strategies(fields: Fields, labels: &[&str], mistakes: &mut Mistakes) -> Option<Vec<usize>> {
    let Some(node) = fields.get("strategies") else { return Some((0..labels.len()).collect()) };
    let mut chosen: Vec<usize> = Vec::new();
    for wanted in mistakes.strings(node, "`strategies`")? {
        // A label may itself contain a `*`, as in `A*`.
        let exact: Vec<usize> = labels.iter().position(|label| *label == wanted.value).into_iter().collect();
        let glob = Glob::new(wanted.value.as_str());
        let found = match exact.is_empty() {
            true => (0..labels.len()).filter(|at| glob.matches(labels[*at])).collect(),
            false => exact,
        };
        if found.is_empty() {
            let message = format!("no strategy has the label `{}`", wanted.value);
            mistakes.error("study-label", wanted.span, message).help =
                Some(label_help(&wanted.value, labels));
        }
        chosen.extend(found.into_iter().filter(|at| !chosen.contains(at)).collect::<Vec<_>>());
    }
    Some(chosen)
}

fn parse_measures(fields: Fields, kind: Option<FigureKind>, mistakes: &mut Mistakes) -> Option<Vec<Measure>> {
    let Some(node) = fields.get("of") else {
        if matches!(kind, Some(FigureKind::Box | FigureKind::Cases)) {
            mistakes.error("study-key", fields.span, "a figure needs the key `of`").help =
                Some("name a measure, such as `of: time`".to_string());
            return None;
        }
        return Some(vec![Measure::Time, Measure::Memory]);
    };
    let words = Measure::ALL.map(|it| (it.name(), it));
    let nodes = match &node.value {
        crate::lang::spec::Value::List(items) => items.as_slice(),
        _ => std::slice::from_ref(node),
    };
    let measures: Option<Vec<Measure>> =
        nodes.iter().map(|node| mistakes.word(node, "`of`", &words).map(|it| it.value)).collect();
    let measures = measures?;
    let wants_one = matches!(kind, Some(FigureKind::Box | FigureKind::Cases));
    if measures.is_empty() || (wants_one && measures.len() > 1) {
        mistakes.error("study-figure", node.span, "a figure of this kind can show only one measure");
        return None;
    }
    Some(measures)
}
