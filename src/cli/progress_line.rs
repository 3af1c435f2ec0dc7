//! The progress line on standard error.

use super::output::is_utf8;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::{Mutex, MutexGuard, PoisonError};
use trapline::diag::visible;

/// The current line, for exits that do not drop it.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// A line that shows progress. Dropping it clears it.
pub(super) struct ProgressLine {
    bar: ProgressBar,
}

impl ProgressLine {
    /// Creates a line that replaces the previous one.
    pub fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{spinner} {wide_msg}");
        let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
        let is_utf8 = is_utf8(|name| std::env::var_os(name));
        let bar = bar.with_style(if is_utf8 { style } else { style.tick_chars("-\\|/-") });
        *shown() = Some(bar.clone());
        Self { bar }
    }

    /// Shows a text, which need not be safe to print.
    pub fn show(&self, text: &str) {
        self.bar.set_message(visible(text).into_owned());
        self.bar.tick();
    }
}

impl Drop for ProgressLine {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
        *shown() = None;
    }
}

/// Clears the line before the process exits.
pub(super) fn clear() {
    if let Some(bar) = shown().as_ref() {
        bar.finish_and_clear();
    }
}

/// Hides the line while something else is written to the terminal.
pub(super) fn hidden<T>(write: impl FnOnce() -> T) -> T {
    let bar = shown().clone();
    match bar {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

fn shown() -> MutexGuard<'static, Option<ProgressBar>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}
