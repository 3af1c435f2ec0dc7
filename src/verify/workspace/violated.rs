//! The property that a given trail violates.

use super::subjects::{Goal, Subject};
use crate::diag::{Diagnostic, did_you_mean};
use crate::lang::spec::Glob;
use crate::verify::explicit::{Aim, GivenTrail, ObserverKind, Program, claim_number};

/// Returns the subject that a trail violates: the one that is `asked` for or
/// that the trail names, or the only one that can have such a trail.
pub fn violated_by(
    given: &GivenTrail,
    asked: Option<&str>,
    subjects: Vec<Subject>,
) -> Result<Subject, Diagnostic> {
    let names: Vec<String> = subjects.iter().map(|it| it.property.clone()).collect();
    let fault = |message: String| Diagnostic::error_without_place("no-property", message);
    let is_wanted = |it: &Subject| match (asked, given.property()) {
        (Some(pattern), _) => Glob::new(pattern).matches(&it.property),
        (None, Some(name)) => it.property == name,
        (None, None) => it.can_have(given),
    };
    let mut wanted: Vec<Subject> = subjects.into_iter().filter(is_wanted).collect();
    let all = format!("choose one by `--property`: {}", names.join(", "));
    match (wanted.len(), asked.or(given.property())) {
        (1, _) => Ok(wanted.remove(0)),
        (0, Some(name)) => {
            let help = did_you_mean(name, names.iter().map(String::as_str));
            let help = help.unwrap_or_else(|| {
                format!(
                    "the properties are {}; give the options of the run that wrote the trail",
                    names.join(", ")
                )
            });
            Err(fault(format!("the file has no property `{name}`, which the trail violates")).with_help(help))
        }
        (0, None) => Err(fault("the file has no property that such a trail can violate".to_string())
            .with_help(
                "give the options of the run that wrote the trail, such as `--ltl` or `--acceptance`",
            )),
        (_, _) => Err(fault("the trail can belong to several properties".to_string()).with_help(all)),
    }
}

impl Subject {
    /// Returns whether a trail that names no property can violate this one.
    fn can_have(&self, given: &GivenTrail) -> bool {
        match &self.goal {
            Goal::Property(_) => true,
            Goal::Promela(loaded, aim) => can_violate(given, aim, &loaded.program),
            Goal::Tasks(_, question) => matches!(question.aim, Aim::Safety) || given.has_cycle(),
        }
    }
}

fn can_violate(given: &GivenTrail, aim: &Aim, program: &Program) -> bool {
    match (aim, given.claim()) {
        (Aim::Observer(observer), Some(claim)) if observer.kind == ObserverKind::Claim => {
            claim_number(program, observer) == claim
        }
        // A formula, whose automaton SPIN makes a claim.
        (Aim::Observer(_), Some(_)) => !program
            .network
            .observers
            .iter()
            .any(|it| it.kind == ObserverKind::Claim && Some(claim_number(program, it)) == given.claim()),
        (Aim::Observer(_) | Aim::Acceptance, None) => given.has_cycle(),
        (Aim::Acceptance | Aim::Safety | Aim::Sequence(..), Some(_)) => false,
        (Aim::Safety | Aim::Sequence(..), None) => !given.has_cycle(),
    }
}
