//! A study as written in its file, before names are looked up.

use super::measure::Measure;
use crate::diag::Span;
use crate::lang::spec::Spanned;

/// The content of a study file, with variants of strategies expanded.
#[derive(Clone, Debug)]
pub struct Study {
    /// Name of the study and of its results folder; the default is the name of
    /// the file.
    pub name: String,
    /// Description by the author.
    pub description: Option<String>,
    /// Options and limits of `check`.
    pub options: Vec<CheckOption>,
    /// Number of repetitions of each run.
    pub repeat: u32,
    /// Minimum time of the baseline, not yet parsed; subjects on which it is
    /// quicker are left out.
    pub at_least: Option<Spanned<String>>,
    /// Index of the strategy with which the others are compared.
    pub baseline: usize,
    /// Strategies in the order of the file; labels are unique.
    pub strategies: Vec<Strategy>,
    /// Subjects in the order of the file.
    pub entries: Vec<Entry>,
    /// Figures in the order of the file; their files differ.
    pub figures: Vec<Figure>,
}

/// An option of `check` and its value, as written.
#[derive(Clone, Debug)]
pub struct CheckOption {
    /// Name without the dashes: `max-memory`.
    pub flag: &'static str,
    /// Value, not yet parsed.
    pub value: Spanned<String>,
}

/// A strategy and its label.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// Label in tables and figures.
    pub label: Spanned<String>,
    /// Strategy as for `check --strategy`.
    pub text: Spanned<String>,
}

/// An element of the list of subjects.
#[derive(Clone, Debug)]
pub enum Entry {
    /// One or several subjects.
    Subjects(Box<SubjectEntry>),
    /// The subjects of another file.
    Include(Include),
}

/// Subjects from one property file or model: one for each property, size and,
/// if requested, omitted constraint.
#[derive(Clone, Debug)]
pub struct SubjectEntry {
    /// The property file or model, relative to the file that names it.
    pub file: Spanned<String>,
    /// Whether the file is a model, checked as a whole.
    pub is_model: bool,
    /// Distinguishes these subjects from others of the same property.
    pub label: Option<String>,
    /// Name with `*` of the properties; the default is all.
    pub property: Option<Spanned<String>>,
    /// Constants or macros of the model; one subject for each combination of
    /// values. Constants are numbers.
    pub set: Vec<(Spanned<String>, Vec<String>)>,
    /// Whether `set` contains macros of a Promela model.
    pub has_macros: bool,
    /// Constraints that replace those of the property file.
    pub constraints: Option<Vec<Spanned<String>>>,
    /// Constraints to leave out; `None` if not given, so that an include can
    /// decide.
    pub leave_out: Option<LeaveOut>,
}

/// The subjects of another file.
#[derive(Clone, Debug)]
pub struct Include {
    /// Path relative to the file that names it.
    pub path: Spanned<String>,
    /// Constraints to leave out, for subjects that do not decide.
    pub leave_out: Option<LeaveOut>,
}

/// Which constraints are left out.
#[derive(Clone, Debug)]
pub enum LeaveOut {
    /// None.
    None,
    /// Each in turn: one subject per constraint.
    Each,
    /// Each that matches one of these names with `*`, in turn.
    Matching(Vec<Spanned<String>>),
}

/// A figure to draw.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Kind of figure.
    pub kind: FigureKind,
    /// Measures; more than one only for [`FigureKind::Scaling`].
    pub measures: Vec<Measure>,
    /// Indices of the strategies, in the order of the figure.
    pub strategies: Vec<usize>,
    /// Title above the figure.
    pub title: Option<String>,
    /// Constant on the horizontal axis; the default is the one with several
    /// values.
    pub parameter: Option<Spanned<String>>,
    /// Name of the file; with `{property}` or `{system}` for scaling curves.
    pub file: Spanned<String>,
    /// Span of the whole entry.
    pub span: Span,
}

/// The kind of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigureKind {
    /// Range, deviation and mean of the ratios of each strategy.
    Box,
    /// The ratio of each subject.
    Cases,
    /// Values against the size of the system.
    Scaling,
}

impl Study {
    /// Keeps the strategies whose label is wanted, and the baseline, since the
    /// others are compared with it.
    pub fn keep_strategies(&mut self, wanted: impl Fn(&str) -> bool) {
        let keep = |at: usize| at == self.baseline || wanted(&self.strategies[at].label.value);
        let kept: Vec<usize> = (0..self.strategies.len()).filter(|at| keep(*at)).collect();
        let place = |old: usize| kept.iter().position(|it| *it == old);
        for figure in &mut self.figures {
            figure.strategies = figure.strategies.iter().filter_map(|old| place(*old)).collect();
        }
        self.baseline = place(self.baseline).expect("the baseline is kept");
        self.strategies = kept.iter().map(|at| self.strategies[*at].clone()).collect();
    }
}

impl SubjectEntry {
    /// Returns every combination of the constants; the first one varies
    /// slowest.
    pub fn sizes(&self) -> Vec<Vec<(String, String)>> {
        let mut sizes = vec![Vec::new()];
        for (name, values) in &self.set {
            let with = |size: &Vec<(String, String)>, value: &String| {
                let mut size = size.clone();
                size.push((name.value.clone(), value.clone()));
                size
            };
            sizes = sizes.iter().flat_map(|size| values.iter().map(move |value| with(size, value))).collect();
        }
        sizes
    }

    /// Returns the constant with several values, if there is one.
    pub fn varied(&self) -> Option<&str> {
        let (name, _) = self.set.iter().find(|(_, values)| values.len() > 1)?;
        Some(&name.value)
    }
}

#[cfg(test)]
pub(crate) mod samples {
    use super::*;

    /// Returns a figure of one measure with the first strategies.
    pub fn figure(kind: FigureKind, measure: Measure, n_strategies: usize) -> Figure {
        Figure {
            kind,
            measures: vec![measure],
            strategies: (0..n_strategies).collect(),
            title: None,
            parameter: None,
            file: Spanned::new("figure.svg".to_string(), Span::default()),
            span: Span::default(),
        }
    }
}
