//! A study as its file says it: nothing has been looked up yet.

use super::measure::Measure;
use crate::diag::Span;
use crate::lang::spec::Spanned;

/// What a study file says, variants of strategies already spelt out.
#[derive(Clone, Debug)]
pub struct Study {
    /// The file's name unless given; names the folder of the results.
    pub name: String,
    /// In the author's words.
    pub description: Option<String>,
    /// Options and limits, handed on to `check`.
    pub options: Vec<CheckOption>,
    /// How often each run is repeated.
    pub repeat: u32,
    /// Subjects on which the baseline is quicker are left out; not yet known
    /// to be a time.
    pub at_least: Option<Spanned<String>>,
    /// The strategy, by its place, to which the others are compared.
    pub baseline: usize,
    /// In the order of the file; labels are unique.
    pub strategies: Vec<Strategy>,
    /// In the order of the file.
    pub entries: Vec<Entry>,
    /// In the order of the file; their files differ.
    pub figures: Vec<Figure>,
}

/// An option of `check` and its value, as written.
#[derive(Clone, Debug)]
pub struct CheckOption {
    /// Without the dashes: `max-memory`.
    pub flag: &'static str,
    /// Not yet known to be readable.
    pub value: Spanned<String>,
}

/// A strategy under the name that tables and figures use.
#[derive(Clone, Debug)]
pub struct Strategy {
    /// In tables and figures.
    pub label: Spanned<String>,
    /// For `check --strategy`.
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

/// Subjects from one property file or model: one for each property, size
/// and, if wanted, constraint left out.
#[derive(Clone, Debug)]
pub struct SubjectEntry {
    /// The property file or model, relative to the file that names it.
    pub file: Spanned<String>,
    /// Is the file a model, checked as a whole?
    pub is_model: bool,
    /// Tells these subjects from others of the same property.
    pub label: Option<String>,
    /// A name with `*`; all properties if not given.
    pub property: Option<Spanned<String>>,
    /// Constants or macros of the model; one subject for each combination of
    /// values. Constants are numbers.
    pub set: Vec<(Spanned<String>, Vec<String>)>,
    /// Are they macros of a Promela model?
    pub has_macros: bool,
    /// Instead of those of the property file.
    pub constraints: Option<Vec<Spanned<String>>>,
    /// `None`: not said, so that an include may say it.
    pub leave_out: Option<LeaveOut>,
}

/// The subjects of another file.
#[derive(Clone, Debug)]
pub struct Include {
    /// Relative to the file that names it.
    pub path: Spanned<String>,
    /// For subjects that do not say it themselves.
    pub leave_out: Option<LeaveOut>,
}

/// Which constraints are taken away.
#[derive(Clone, Debug)]
pub enum LeaveOut {
    /// None.
    None,
    /// Each in turn, which makes as many subjects as there are constraints.
    Each,
    /// Each that matches one of these names with `*`, in turn.
    Matching(Vec<Spanned<String>>),
}

/// A picture to draw.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Its form.
    pub kind: FigureKind,
    /// What is measured; one unless [`FigureKind::Scaling`].
    pub measures: Vec<Measure>,
    /// The strategies, by their places, in the order of the picture.
    pub strategies: Vec<usize>,
    /// Over the picture.
    pub title: Option<String>,
    /// The constant on the horizontal axis; if not given, the one with
    /// several values.
    pub parameter: Option<Spanned<String>>,
    /// A file name; of scaling curves with `{property}` or `{system}`.
    pub file: Spanned<String>,
    /// The whole entry.
    pub span: Span,
}

/// The form of a picture.
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
    /// Keeps the strategies whose label is wanted; the baseline stays,
    /// because the others are compared to it.
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
    /// Every combination of the constants, the first one varying slowest.
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

    /// The constant with several values, if there is one.
    pub fn varied(&self) -> Option<&str> {
        let (name, _) = self.set.iter().find(|(_, values)| values.len() > 1)?;
        Some(&name.value)
    }
}

#[cfg(test)]
pub(crate) mod samples {
    use super::*;

    /// A figure of one measure under the first strategies.
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
