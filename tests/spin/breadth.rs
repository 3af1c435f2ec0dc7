//! Breadth-first trails, measured as SPIN measures them.

use trapline::explicit::view::Semantics;
use trapline::lang::promela::Program;
use trapline::verify::explicit::{Aim, SearchResources};
use trapline::verify::{ExplicitProblem, Question};

/// The statements of the trail to an error that breadth-first search finds;
/// a rendezvous is two of them. Promises of channels are not looked at.
pub fn n_statements(program: &Program, n_threads: usize) -> usize {
    let problem = ExplicitProblem {
        semantics: Semantics { allows_broken_promises: true, ..Semantics::default() },
        resources: SearchResources { n_threads, ..SearchResources::default() },
        ..ExplicitProblem::of_promela(program, Aim::Safety)
    };
    let report = Question::from(problem).check(&mut |_| None).expect("safety can be asked of any model");
    let n_meetings = report.steps().iter().filter(|(_, step)| step.partner().is_some()).count();
    report.n_steps() + n_meetings
}
