//! References to constraints, on the command line and in property files.

use super::glob::Glob;
use crate::diag::{Diagnostic, Span, suggest};

/// The source of one or several constraint automata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConstraintRef {
    /// The control flow of the tasks whose name matches.
    Task(Glob),
    /// The values of the variables whose name matches.
    Variable(Glob),
    /// A constraint file, by its path as written.
    File(String),
    /// A set of a file of sets.
    Set {
        /// The path as written; empty for the file that contains the reference.
        file: String,
        /// The name after `#`.
        name: String,
    },
}

const KINDS: [&str; 2] = ["task", "variable"];

impl ConstraintRef {
    /// Reads `task:NAME`, `variable:NAME`, a path or `PATH#SET`; `span` is that
    /// of the whole text, for errors.
    pub fn parse(text: &str, span: Span) -> Result<Self, Diagnostic> {
        match Self::parse_member(text, span)? {
            Self::Set { file, name } if file.is_empty() => {
                let message = format!("the file of the set `#{name}` is missing");
                Err(Diagnostic::error("spec-constraint", span, message).with_help(format!(
                    "write `FILE#{name}`; only a set can refer to its own file by `#` alone"
                )))
            }
            reference => Ok(reference),
        }
    }

    /// Reads a member of a set like [`parse`](Self::parse), or a reference to a
    /// set of the same file: `#SET`.
    pub fn parse_member(text: &str, span: Span) -> Result<Self, Diagnostic> {
        let Some((kind, name)) = text.split_once(':').filter(|(kind, _)| is_kind(kind)) else {
            return parse_path(text.trim(), span);
        };
        let name = name.trim();
        if KINDS.contains(&kind) && name.is_empty() {
            let message = format!("the name of a {kind} is missing after `{kind}:`");
            return Err(Diagnostic::error("spec-constraint", span, message)
                .with_help(format!("write `{kind}:NAME`, or `{kind}:*` for every {kind}")));
        }
        match kind {
            "task" => Ok(Self::Task(Glob::new(name))),
            "variable" => Ok(Self::Variable(Glob::new(name))),
            _ => Err(unknown_kind(kind, name, span)),
        }
    }
}

/// Reads a path, or a path and the name of a set after the last `#`.
fn parse_path(text: &str, span: Span) -> Result<ConstraintRef, Diagnostic> {
    let error = |message: &str| Diagnostic::error("spec-constraint", span, message);
    match text.rsplit_once('#') {
        None if text.is_empty() => Err(error("a constraint is missing here")
            .with_help("write `task:NAME`, `variable:NAME` or the path of a constraint file")),
        None => Ok(ConstraintRef::File(text.to_string())),
        Some((file, "")) => {
            let file = if file.is_empty() { "FILE" } else { file };
            Err(error("the name of a set is missing after `#`").with_help(format!("write `{file}#NAME`")))
        }
        Some((file, name)) => Ok(ConstraintRef::Set { file: file.to_string(), name: name.to_string() }),
    }
}

/// Returns whether the text before a colon can be a kind of constraint. A
/// single letter is the drive of a path, and a path may contain a colon after
/// anything but a word.
fn is_kind(prefix: &str) -> bool {
    prefix.len() > 1 && prefix.chars().all(|c| c.is_ascii_alphabetic())
}

fn unknown_kind(kind: &str, name: &str, span: Span) -> Diagnostic {
    let help = match suggest(kind, KINDS).or_else(|| abbreviated(kind)) {
        Some(meant) => format!("did you mean `{meant}:{name}`?"),
        None => "the kinds are `task:NAME` and `variable:NAME`; anything else is a path".to_string(),
    };
    Diagnostic::error("spec-constraint", span, format!("unknown kind of constraint `{kind}`")).with_help(help)
}

/// Returns the kind that another common name refers to.
fn abbreviated(kind: &str) -> Option<&'static str> {
    match kind.to_ascii_lowercase().as_str() {
        "ta" | "process" | "thread" => Some("task"),
        "va" | "var" => Some("variable"),
        _ => None,
    }
}

impl std::fmt::Display for ConstraintRef {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Task(name) => write!(f, "task:{name}"),
            Self::Variable(name) => write!(f, "variable:{name}"),
            Self::File(path) => f.write_str(path),
            Self::Set { file, name } => write!(f, "{file}#{name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    #[track_caller]
    fn check(text: &str, expected: Expect) {
        let shown = match ConstraintRef::parse(text, Span::default()) {
            Ok(constraint) => format!("{constraint:?}"),
            Err(mistake) => format!("{}; {}", mistake.message, mistake.help.unwrap_or_default()),
        };
        expected.assert_eq(&shown);
    }

    #[test]
    fn kinds_and_paths() {
        check("task:t1", expect![[r#"Task(Glob("t1"))"#]]);
        check("task:worker[*]", expect![[r#"Task(Glob("worker[*]"))"#]]);
        check("variable:*", expect![[r#"Variable(Glob("*"))"#]]);
        check("lib/at-most-2.yaml", expect![[r#"File("lib/at-most-2.yaml")"#]]);
        check("lib/ring.yaml#order", expect![[r#"Set { file: "lib/ring.yaml", name: "order" }"#]]);
        check(r"c:\lib\a.yaml", expect![[r#"File("c:\\lib\\a.yaml")"#]]);
    }

    #[test]
    fn misspelt_kinds() {
        check("taks:t1", expect!["unknown kind of constraint `taks`; did you mean `task:t1`?"]);
        check("va:x", expect!["unknown kind of constraint `va`; did you mean `variable:x`?"]);
        check(
            "colour:red",
            expect![
                "unknown kind of constraint `colour`; the kinds are `task:NAME` and `variable:NAME`; anything else is a path"
            ],
        );
        check("ring.yaml#", expect!["the name of a set is missing after `#`; write `ring.yaml#NAME`"]);
        check(
            "#order",
            expect![
                "the file of the set `#order` is missing; write `FILE#order`; only a set can refer to its own file by `#` alone"
            ],
        );
        check(
            "task:",
            expect![
                "the name of a task is missing after `task:`; write `task:NAME`, or `task:*` for every task"
            ],
        );
    }
}
