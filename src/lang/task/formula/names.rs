//! Resolves the names in a formula.

use super::tree::{Part, Path, Word};
use crate::diag::{Diagnostic, Span, did_you_mean};
use crate::lang::task::program::{ConstantValue, Domain, Program, TaskId, Value, VariableId};

/// What a name in a formula refers to.
pub(super) enum Meaning<'p> {
    Variable(VariableId),
    Constant(&'p ConstantValue),
}

/// The names of a program.
pub(super) struct Names<'p> {
    program: &'p Program,
}

/// A path whose indices have values.
pub(super) struct Known {
    /// Text in the form of names of variables: `customer[2].state`.
    text: String,
    /// End of each part in the text.
    ends: Vec<usize>,
    /// The value of each part that is an index.
    indices: Vec<Option<i64>>,
    span: Span,
}

impl Known {
    /// Creates a path from the values of its indices, in order.
    pub fn new(path: &Path, indices: &[i64]) -> Self {
        let mut known = Self { text: String::new(), ends: Vec::new(), indices: Vec::new(), span: path.span };
        let mut values = indices.iter().copied();
        for part in &path.parts {
            let index = match part {
                Part::Word(_) => None,
                Part::Index(_) => values.next(),
            };
            match (part, index) {
                (_, Some(value)) => known.text += &format!("[{value}]"),
                (Part::Word(word), None) if known.text.is_empty() => known.text += word,
                (Part::Word(word), None) => known.text += &format!(".{word}"),
                (Part::Index(_), None) => {}
            }
            known.ends.push(known.text.len());
            known.indices.push(index);
        }
        known
    }

    /// Returns the text up to and including a part.
    fn up_to(&self, part: usize) -> &str {
        &self.text[..self.ends[part]]
    }

    /// Iterates over the indices, each with the text before it.
    fn indices(&self) -> impl Iterator<Item = (&str, i64)> {
        let all = self.indices.iter().enumerate().skip(1);
        all.filter_map(|(part, index)| Some((self.up_to(part - 1), (*index)?)))
    }
}

impl<'p> Names<'p> {
    pub fn new(program: &'p Program) -> Self {
        Self { program }
    }

    /// Returns the variable or constant of this name.
    pub fn value(&self, name: &Known) -> Result<Meaning<'p>, Diagnostic> {
        let by_name = |it: &(VariableId, &'p str, &'p str)| it.1 == name.text;
        if let Some((id, ..)) = self.variables().find(by_name) {
            return Ok(Meaning::Variable(id));
        }
        if let Some(constant) = self.constant(name) {
            return constant.map(Meaning::Constant);
        }
        let short: Vec<_> = self.variables().filter(|it| it.2 == name.text).collect();
        match short[..] {
            [(id, ..)] => Ok(Meaning::Variable(id)),
            [] => Err(self.unknown(name)),
            _ => {
                let all: Vec<&str> = short.iter().map(|it| it.1).collect();
                let message = format!("several variables are named `{}`", name.text);
                Err(error(name.span, message).with_help(format!("write one of {}", listed(&all))))
            }
        }
    }

    /// Returns the enum and the value of a variant such as `Phase::Busy`.
    pub fn variant(&self, enumeration: &Word, variant: &Word) -> Result<(usize, Value), Diagnostic> {
        let enums = self.program.enums.iter().map(|it| match it {
            Domain::Enum { name, variants } => (name.as_str(), &variants[..]),
            Domain::Bool | Domain::Int { .. } => ("", &[][..]),
        });
        let Some((index, (_, variants))) = enums.clone().enumerate().find(|(_, it)| it.0 == enumeration.text)
        else {
            let message = format!("no enum of the model is named `{}`", enumeration.text);
            let help = did_you_mean(&enumeration.text, enums.map(|it| it.0));
            return Err(error(enumeration.span, message).with_optional_help(help));
        };
        let found = variants.iter().position(|it| *it == variant.text);
        found.map(|it| (index, it as Value)).ok_or_else(|| {
            let message = format!("`{}` has no variant `{}`", enumeration.text, variant.text);
            let all: Vec<&str> = variants.iter().map(String::as_str).collect();
            let help = did_you_mean(&variant.text, all.iter().copied());
            error(variant.span, message)
                .with_help(help.unwrap_or_else(|| format!("its variants are {}", listed(&all))))
        })
    }

    /// Resolves the name of a task.
    pub fn task(&self, name: &Known) -> Result<TaskId, Diagnostic> {
        let tasks = || self.program.tasks.iter().filter(|it| !it.is_object);
        let names = || tasks().map(|it| it.name.as_str());
        let all = self.program.tasks.iter();
        if let Some(index) = all.map(|it| (&it.name, it.is_object)).position(|it| it == (&name.text, false)) {
            return Ok(TaskId::new(index));
        }
        let family: Vec<&str> = names().filter(|it| is_element(it, &name.text)).collect();
        Err(match family.is_empty() {
            false => {
                let message = format!("`{}` is a family of tasks", name.text);
                error(name.span, message).with_help(format!("write one of {}", listed(&family)))
            }
            true => {
                let all: Vec<&str> = names().collect();
                let help = did_you_mean(&name.text, all.iter().copied());
                error(name.span, format!("no task is named `{}`", name.text))
                    .with_help(help.unwrap_or_else(|| format!("the tasks are {}", listed(&all))))
            }
        })
    }

    /// Iterates over number, full name and short name of each variable.
    fn variables(&self) -> impl Iterator<Item = (VariableId, &'p str, &'p str)> {
        let program = self.program;
        let all = program.variables.iter().enumerate();
        all.map(|(index, it)| (VariableId::new(index), it.name.as_str(), program.short_name(it)))
    }

    /// Resolves a constant, if the name begins with one.
    fn constant(&self, name: &Known) -> Option<Result<&'p ConstantValue, Diagnostic>> {
        let constant = self.program.constants.iter().find(|it| it.name == name.up_to(0))?;
        // A field of a task that is named like a constant.
        if name.indices.iter().skip(1).any(Option::is_none) {
            return None;
        }
        let mut value = &constant.value;
        for (before, index) in name.indices() {
            let ConstantValue::Array(elements) = value else {
                return Some(Err(index_error(name.span, format!("`{before}` is not an array"))));
            };
            match usize::try_from(index).ok().and_then(|it| elements.get(it)) {
                Some(element) => value = element,
                None => return Some(Err(outside(name.span, before, index, elements.len()))),
            }
        }
        Some(Ok(value))
    }

    /// Explains why a name is unknown.
    fn unknown(&self, name: &Known) -> Diagnostic {
        let names = || self.variables().flat_map(|it| [it.1, it.2]);
        let has = |text: &str| names().any(|it| it == text);
        let elements = |text: &str| -> Vec<&'p str> {
            let mut all: Vec<&'p str> = names().filter(|it| is_element(it, text)).collect();
            all.sort_unstable_by_key(|it| (it.len(), *it));
            all.dedup();
            all
        };
        if let [first, ..] = elements(&name.text)[..] {
            let fault = type_error(name.span, format!("`{}` is an array", name.text));
            return fault.with_help(format!("select an element, such as `{first}`"));
        }
        for (before, index) in name.indices() {
            if has(before) {
                return index_error(name.span, format!("`{before}` is not an array"));
            }
            let element = |it: &&'p str| {
                let length = it[before.len()..].find(']')?;
                it.get(..before.len() + length + 1)
            };
            let all: Vec<&str> = elements(before).iter().filter_map(element).collect();
            if !all.is_empty() && !all.contains(&format!("{before}[{index}]").as_str()) {
                let message = format!("`{before}` has no element {index}");
                return index_error(name.span, message)
                    .with_help(format!("the elements are {}", listed(&all)));
            }
        }
        let is_task = |it: &str| it == name.text || is_element(it, &name.text);
        if self.program.tasks.iter().any(|it| is_task(&it.name)) {
            if self.program.tasks.iter().any(|it| it.is_object && is_task(&it.name)) {
                let message = format!("`{}` is a lock, a semaphore or a channel, not a variable", name.text);
                let help = "store what matters in a variable of the model, and test that";
                return type_error(name.span, message).with_help(help);
            }
            let fault = type_error(name.span, format!("`{}` is a task, not a variable", name.text));
            return fault
                .with_help(format!("to test whether the task has ended, write `ended({})`", name.text));
        }
        let constants = self.program.constants.iter().map(|it| it.name.as_str());
        let known: Vec<&str> = names().chain(constants).collect();
        let help =
            did_you_mean(&name.text, known.iter().copied()).unwrap_or_else(|| match known.is_empty() {
                true => "the model has no variables".to_string(),
                false => format!("the variables and constants are {}", listed(&known)),
            });
        error(name.span, format!("no variable or constant is named `{}`", name.text)).with_help(help)
    }
}

/// Returns whether it is `text[…]`.
fn is_element(it: &str, text: &str) -> bool {
    it.strip_prefix(text).is_some_and(|rest| rest.starts_with('['))
}

fn error(span: Span, message: String) -> Diagnostic {
    Diagnostic::error("formula-name", span, message)
}

fn type_error(span: Span, message: String) -> Diagnostic {
    Diagnostic::error("formula-type", span, message)
}

fn index_error(span: Span, message: String) -> Diagnostic {
    Diagnostic::error("formula-index", span, message)
}

fn outside(span: Span, array: &str, index: i64, n_elements: usize) -> Diagnostic {
    let fault = index_error(span, format!("`{array}` has no element {index}"));
    match n_elements {
        0 => fault.with_help("it is empty"),
        n => fault.with_help(format!("its indices are 0 to {}", n - 1)),
    }
}

/// Lists the first few names in backticks, each once.
fn listed(names: &[&str]) -> String {
    const MAX_LISTED: usize = 8;
    let mut all: Vec<&str> = Vec::new();
    for name in names {
        if !all.contains(name) && all.len() <= MAX_LISTED {
            all.push(name);
        }
    }
    let mut shown: Vec<String> = all.iter().take(MAX_LISTED).map(|name| format!("`{name}`")).collect();
    if all.len() > MAX_LISTED {
        shown.push("…".to_string());
    }
    shown.join(", ")
}
