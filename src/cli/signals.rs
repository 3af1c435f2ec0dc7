//! Handles Ctrl-C, SIGTERM and SIGHUP.

use super::progress_line;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use trapline::base::control::{Control, Stop};
use trapline::diag::Diagnostic;

/// Exit code of a process that a second signal ends at once.
const ENDED_AT_ONCE: i32 = 130;

/// Whether the next signal ends the process.
static ENDS_AT_NEXT: AtomicBool = AtomicBool::new(false);

/// Makes the next signal end the process, since there are no results to save.
pub(super) fn end_at_next() {
    ENDS_AT_NEXT.store(true, Ordering::Relaxed);
}

/// Installs the handlers: the first signal stops the run, the second one ends
/// the process. A signal that is ignored at the start, as under `nohup`, stays
/// ignored.
pub(super) fn listen_for_interrupts(control: &Arc<Control>) -> Result<(), Diagnostic> {
    let control = Arc::clone(control);
    let handler = move || {
        if ENDS_AT_NEXT.swap(true, Ordering::Relaxed) {
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

    /// Returns the ignored ones among the handled signals.
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
