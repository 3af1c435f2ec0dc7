//! Breadth-first trails, measured as SPIN measures them.

use trapline::explicit::Program;
use trapline::explicit::view::Manner;
use trapline::verify::explicit::{Aim, Means, ModelQuestion, check_model};

/// The statements of the trail to an error that breadth-first search finds;
/// a rendezvous is two of them. Promises of channels are not looked at.
pub fn n_statements(program: &Program, n_threads: usize) -> usize {
    let question = ModelQuestion {
        manner: Manner { allows_broken_promises: true, ..Manner::default() },
        means: Means { n_threads, ..Means::default() },
        ..ModelQuestion::new(program, Aim::Safety)
    };
    let report = check_model(&question, &mut |_| None).expect("safety can be asked of any model");
    let n_meetings = report.trail.steps.iter().filter(|(_, step)| step.partner.is_some()).count();
    report.trail.n_steps + n_meetings
}
