//! Requests to end: Ctrl-C, SIGTERM and SIGHUP.

use super::progress_line;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use trapline::base::control::{Control, Stop};
use trapline::diag::Diagnostic;

/// The exit code of a process that did not wait for the end of its work.
const ENDED_AT_ONCE: i32 = 130;

/// Has the user asked for the end, or is it to come at the next request?
static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on the next signal ends the process: nothing is left that could be
/// rescued.
pub(super) fn end_at_next() {
    ASKED.store(true, Ordering::Relaxed);
}

/// The first signal asks for the end, the second one ends the process. A
/// signal that is ignored when the program starts, as `nohup` has it, stays
/// ignored.
pub(super) fn listen_for_interrupts(control: &Arc<Control>) -> Result<(), Diagnostic> {
    let control = Arc::clone(control);
    let handler = move || {
        if ASKED.swap(true, Ordering::Relaxed) {
            progress_line::clear();
            std::process::exit(ENDED_AT_ONCE);
        }
        control.stop(Stop::Interrupt);
    };
    let ignored = ignored::find();
    ctrlc::set_handler(handler).map_err(|error| {
        Diagnostic::error_without_place("signal", format!("cannot listen for Ctrl-C: {error}"))
    })?;
    ignored::restore(&ignored);
    Ok(())
}

#[cfg(unix)]
mod ignored {
    use std::{mem, ptr};

    /// The signals that the process ignores, of those that ask for its end.
    #[allow(unsafe_code)]
    pub fn find() -> Vec<libc::c_int> {
        let is_ignored = |signal: &libc::c_int| {
            // SAFETY: all fields may be zero, and with no new action the call
            // only writes the old one.
            unsafe {
                let mut action: libc::sigaction = mem::zeroed();
                libc::sigaction(*signal, ptr::null(), &raw mut action) == 0
                    && action.sa_sigaction == libc::SIG_IGN
            }
        };
        [libc::SIGINT, libc::SIGTERM, libc::SIGHUP].into_iter().filter(is_ignored).collect()
    }

    #[allow(unsafe_code)]
    pub fn restore(signals: &[libc::c_int]) {
        for signal in signals {
            // SAFETY: ignoring a signal runs no code of ours.
            unsafe { libc::signal(*signal, libc::SIG_IGN) };
        }
    }
}

#[cfg(not(unix))]
mod ignored {
    pub fn find() {}

    pub fn restore(_: &()) {}
}
