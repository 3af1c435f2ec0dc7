//! One run in a separate process, so that runs do not influence each other.

use crate::cli::read::RECORD_BYTES;
use std::io::{self, Read};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use trapline::base::control::{Control, Stop};
use trapline::experiment::Outcome;

/// Shortest and longest interval between polls of the process.
const POLL_INTERVALS: (Duration, Duration) = (Duration::from_millis(1), Duration::from_millis(50));

/// Maximum number of lines of error output in a record.
const ERROR_LINES_KEPT: usize = 12;

/// How a process ended.
enum End {
    Itself(ExitStatus),
    Overdue,
}

/// Runs the program and reads its report; `None` if the user wants to stop. A
/// process that still runs after `timeout` is killed.
pub(super) fn run(
    program: &Path,
    arguments: &[String],
    timeout: Option<Duration>,
    control: &Control,
) -> Option<Outcome> {
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    end_with_us(&mut command);
    let mut child = match command.spawn() {
        Ok(child) => child,
        Err(error) => return Some(Outcome::failed(format!("cannot start the program: {error}"))),
    };
    let stdout = reader(child.stdout.take());
    let stderr = reader(child.stderr.take());
    let end = wait(&mut child, timeout, control);
    let (stdout, stderr) = (text(stdout), text(stderr));
    match end {
        Ok(None) => None,
        Ok(Some(End::Itself(status))) => {
            Some(outcome(status, &stdout, &stderr)).filter(|it| !it.is_interrupted())
        }
        Ok(Some(End::Overdue)) => Some(Outcome::failed("killed: it did not stop at its limit")),
        Err(error) => Some(Outcome::failed(format!("cannot wait for the program: {error}"))),
    }
}

/// Makes the process end together with ours, even if ours is killed.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn end_with_us(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    let parent = std::process::id();
    let ask = move || {
        // SAFETY: both calls change or read nothing but the process itself and
        // are allowed between `fork` and `exec`.
        let (asked, current) =
            unsafe { (libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL), libc::getppid()) };
        // Our process may have ended before the request was made.
        match asked == 0 && u32::try_from(current) == Ok(parent) {
            true => Ok(()),
            false => Err(io::Error::other("the study has ended")),
        }
    };
    // SAFETY: unless it fails, the closure allocates nothing, and it takes no
    // lock.
    unsafe { command.pre_exec(ask) };
}

#[cfg(not(target_os = "linux"))]
fn end_with_us(_: &mut Command) {}

/// Waits for the end; `None` if the user wants to stop. Afterwards the process
/// does not run any more.
fn wait(child: &mut Child, timeout: Option<Duration>, control: &Control) -> io::Result<Option<End>> {
    let start = Instant::now();
    let mut interval = POLL_INTERVALS.0;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(End::Itself(status)));
        }
        let is_interrupted = control.stop_reason() == Some(Stop::Interrupt);
        let is_overdue = timeout.is_some_and(|timeout| start.elapsed() > timeout);
        if is_interrupted || is_overdue {
            child.kill()?;
            child.wait()?;
            return Ok(is_overdue.then_some(End::Overdue).filter(|_| !is_interrupted));
        }
        thread::sleep(interval);
        interval = (interval * 2).min(POLL_INTERVALS.1);
    }
}

fn outcome(status: ExitStatus, stdout: &str, stderr: &str) -> Outcome {
    let ended = match status.code() {
        Some(code @ (0 | 1 | 3)) => match Outcome::of_report(stdout) {
            Ok(outcome) => return outcome,
            Err(reason) => format!("exit code {code}, {reason}"),
        },
        Some(code) => format!("exit code {code}"),
        None => killed_by(status),
    };
    let complaint: Vec<&str> = stderr.lines().take(ERROR_LINES_KEPT).collect();
    match complaint.is_empty() {
        true => Outcome::failed(ended),
        false => Outcome::failed(format!("{ended}\n{}", complaint.join("\n"))),
    }
}

#[cfg(unix)]
fn killed_by(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match status.signal() {
        Some(signal) => format!("killed by signal {signal}"),
        None => "it ended without an exit code".to_string(),
    }
}

#[cfg(not(unix))]
fn killed_by(_: ExitStatus) -> String {
    "it ended without an exit code".to_string()
}

/// Reads a stream while the process runs, since a full pipe would block it.
fn reader(stream: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(stream) = stream {
            // After an error, the bytes read so far are used.
            let _ = stream.take(RECORD_BYTES).read_to_end(&mut bytes);
        }
        bytes
    })
}

fn text(reader: JoinHandle<Vec<u8>>) -> String {
    String::from_utf8_lossy(&reader.join().unwrap_or_default()).into_owned()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    fn shell(script: &str, timeout: Option<Duration>, control: &Control) -> Option<Outcome> {
        run(Path::new("/bin/sh"), &["-c".to_string(), script.to_string()], timeout, control)
    }

    fn failure(script: &str, timeout: Option<Duration>) -> String {
        let outcome = shell(script, timeout, &Control::default()).expect("the run is not interrupted");
        outcome.failure.expect("it fails")
    }

    #[test]
    fn every_failure_is_reported() {
        assert_eq!(failure("echo bad strategy >&2; exit 2", None), "exit code 2\nbad strategy");
        assert_eq!(failure("kill -9 $$", None), "killed by signal 9");
        assert!(failure("echo nonsense", None).contains("cannot be read"));
        assert!(failure("exec sleep 60", Some(Duration::from_millis(20))).contains("killed"));
    }

    #[test]
    fn an_interrupt_ends_the_process() {
        let control = Control::default();
        control.stop(Stop::Interrupt);
        let start = Instant::now();
        assert!(shell("exec sleep 60", None, &control).is_none());
        assert!(start.elapsed() < Duration::from_secs(30));
    }
}
