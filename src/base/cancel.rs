//! Cancellation of work that has no partial result.
//!
//! A search that is stopped reports what it has found, so it polls its
//! [`Control`] and returns. A parser, a determinisation or the layout of a
//! state has nothing to report: it calls [`checkpoint`] in its loops, which
//! unwinds to the [`cancellable`] call around it when the run is to stop.
//! Unwinding with a payload of its own runs no panic hook and prints nothing.

use super::control::{Control, Phase, Stop};
use std::cell::RefCell;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

thread_local! {
    /// The control that can stop the work of this thread.
    static CURRENT: RefCell<Option<Arc<Control>>> = const { RefCell::new(None) };
}

/// Panic payload with which a cancelled computation unwinds.
struct Cancelled(Stop);

/// Restores the previous control when it is dropped.
struct Restore(Option<Arc<Control>>);

impl Drop for Restore {
    fn drop(&mut self) {
        CURRENT.set(self.0.take());
    }
}

/// Runs work that `control` can stop at each [`checkpoint`].
pub fn cancellable<T>(control: &Arc<Control>, work: impl FnOnce() -> T) -> Result<T, Stop> {
    let _restore = Restore(CURRENT.replace(Some(Arc::clone(control))));
    caught(work)
}

/// Runs a part of some work; if it is cancelled, the caller continues.
pub fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Stop> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| match panic.downcast::<Cancelled>() {
        Ok(cancelled) => cancelled.0,
        Err(panic) => resume_unwind(panic),
    })
}

/// Returns why the work of this thread must stop, for work that has a partial
/// result.
pub fn stop_reason() -> Option<Stop> {
    CURRENT.with_borrow(|it| it.as_ref().and_then(|control| control.stop_reason()))
}

/// Unwinds to the enclosing [`cancellable`] or [`caught`] call if the work must
/// stop. Cheap enough for every iteration of a loop that allocates.
pub fn checkpoint() {
    if let Some(stop) = stop_reason() {
        resume_unwind(Box::new(Cancelled(stop)));
    }
}

/// Records that a phase of the work of this thread begins.
pub fn enter(phase: Phase) {
    CURRENT.with_borrow(|it| it.iter().for_each(|control| control.enter(phase)));
}

/// Wraps work for another thread, where it is cancelled like the work of this
/// thread.
pub fn inherited<T>(work: impl FnOnce() -> T) -> impl FnOnce() -> T {
    let control = CURRENT.with_borrow(Clone::clone);
    move || {
        CURRENT.set(control);
        work()
    }
}

/// Runs work on a thread with `bytes` of stack, for deep recursion. It is
/// cancelled like the work of this thread.
///
/// # Errors
///
/// If the thread cannot be created.
pub fn with_stack<T: Send>(bytes: usize, work: impl FnOnce() -> T + Send) -> io::Result<T> {
    let work = inherited(work);
    let joined = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(bytes).spawn_scoped(scope, work);
        thread.map(std::thread::ScopedJoinHandle::join)
    })?;
    Ok(joined.unwrap_or_else(|panic| resume_unwind(panic)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_cancelled_at_its_next_checkpoint() {
        let control = Arc::new(Control::default());
        let mut n_turns = 0;
        let outcome = cancellable(&control, || {
            loop {
                n_turns += 1;
                if n_turns == 5 {
                    control.stop(Stop::Time);
                }
                checkpoint();
            }
        });
        assert_eq!((outcome, n_turns), (Err::<(), _>(Stop::Time), 5));
        // This run is not watched, whatever the last control says.
        checkpoint();
        control.begin();
        assert_eq!(cancellable(&control, || 7), Ok(7));
    }

    #[test]
    fn a_thread_with_more_stack_is_cancelled_alike() {
        let control = Arc::new(Control::default());
        control.stop(Stop::Memory);
        let deep = || with_stack(1 << 20, checkpoint).expect("there is a thread");
        assert_eq!(cancellable(&control, deep), Err(Stop::Memory));
    }

    #[test]
    fn a_part_is_given_up_and_the_rest_goes_on() {
        let control = Arc::new(Control::default());
        control.stop(Stop::Interrupt);
        let outcome = cancellable(&control, || caught(checkpoint).map_err(|stop| (stop, "partial")));
        assert_eq!(outcome, Ok(Err((Stop::Interrupt, "partial"))));
    }
}
