//! Requests to end: SIGINT, SIGTERM and SIGHUP end a run alike, no process is
//! left behind, and the line of progress is cleared.
#![cfg(target_os = "linux")]

use crate::folder;
use folder::Folder;
use std::fs::{self, File};
use std::io::Read;
use std::os::fd::FromRawFd;
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// Whatever does not happen in this time will not happen.
const PATIENCE: Duration = Duration::from_secs(120);

/// More states than any machine visits in the time of a test.
const MODEL: &str = "int a, b, c;\nactive [3] proctype P() { do :: a++ :: b++ :: c++ od }\n";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(&format!("signals-{name}"));
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("the folder is writable");
    write("model.pml", MODEL);
    // Many tasks that may come in any order: too many to search through.
    let tasks: String = (0..20)
        .map(|n| {
            format!(
                "#[task]\nfn t{n}() {{ while any!() {{ call!(s.a{n}); call!(s.b{n}); call!(s.c{n}); }} }}\n"
            )
        })
        .collect();
    let accepts: String = (0..20)
        .map(|n| format!("accept!(a{n}) => {{}} accept!(b{n}) => {{}} accept!(c{n}) => {{}}\n"))
        .collect();
    write("tasks.rs", &format!("{tasks}#[task]\nfn s() {{ while any!() {{ select! {{\n{accepts}}} }} }}\n"));
    let constraints: Vec<String> = (0..20).map(|n| format!("\"task:t{n}\"")).collect();
    write(
        "spec.yaml",
        &format!(
            "name: p\nmodel: tasks.rs\nevents: {{ a: s.a0, b: s.b0 }}\nconstraints: [{}]\nnone: '.* ; b ; b ; .*'\n",
            constraints.join(", ")
        ),
    );
    write(
        "study.yaml",
        "name: s\nlimits: { max-memory: 1GiB }\nstrategies: [bfs]\nsubjects: [{ spec: spec.yaml }]\n",
    );
    folder
}

fn trapline(arguments: &[&str], folder: &Folder) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trapline"));
    command.args(arguments).current_dir(&**folder).stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

#[allow(unsafe_code)]
fn send(process: u32, signal: i32) {
    // SAFETY: the process is a child of ours that has not been waited for, so
    // the number is its own.
    let sent = unsafe { libc::kill(process as i32, signal) };
    assert_eq!(sent, 0, "the process is there");
}

/// Waits until a condition holds.
#[track_caller]
fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < PATIENCE, "{what} did not happen");
        thread::sleep(Duration::from_millis(5));
    }
}

/// A set of signals that `/proc` shows of a process.
fn signals(process: u32, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    line.and_then(|it| u64::from_str_radix(it.trim(), 16).ok()).unwrap_or(0)
}

fn has(set: u64, signal: i32) -> bool {
    set & (1 << (signal - 1)) != 0
}

/// Waits until the process is ready to be asked to end.
#[track_caller]
fn wait_until_listening(process: u32) {
    wait_until("listening", || has(signals(process, "SigCgt"), libc::SIGTERM));
}

/// The processes that a process has started.
fn children(process: u32) -> Vec<u32> {
    let all = fs::read_dir("/proc").expect("there is /proc").flatten();
    let numbers = all.filter_map(|it| it.file_name().to_str()?.parse::<u32>().ok());
    let is_child = |it: &u32| {
        let stat = fs::read_to_string(format!("/proc/{it}/stat")).unwrap_or_default();
        // The name in parentheses may hold anything; state and parent follow.
        let fields = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
        fields.split_whitespace().nth(1).is_some_and(|it| it == process.to_string())
    };
    numbers.filter(is_child).collect()
}

fn is_running(process: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let state = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().next());
    state.is_some_and(|it| it != "Z" && it != "X")
}

fn end(child: Child) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = child.wait_with_output().expect("it can be waited for");
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (status.code(), text(stdout), text(stderr))
}

#[test]
fn each_signal_ends_a_check_with_what_is_known() {
    let folder = folder("check");
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        let arguments = ["check", "model.pml", "--max-memory", "1G", "-o", "report.json"];
        let child = trapline(&arguments, &folder).spawn().expect("the program starts");
        wait_until_listening(child.id());
        thread::sleep(Duration::from_millis(100));
        send(child.id(), signal);
        let (code, _, stderr) = end(child);
        assert_eq!(code, Some(3), "signal {signal}: {stderr}");
        let report = fs::read_to_string(folder.join("report.json")).expect("the report was written");
        assert!(report.contains("\"interrupt"), "signal {signal}: {report}");
        fs::remove_file(folder.join("report.json")).expect("it is ours");
    }
}

#[test]
fn a_report_and_a_simulation_end_with_what_is_known() {
    let folder = folder("telling");
    let trail = "int x; init { do :: x < 2000000 -> x++ :: else -> assert(false) od }";
    fs::write(folder.join("trail.pml"), trail).expect("the folder is writable");
    let check: &[&str] = &["check", "trail.pml", "--strategy", "dfs", "-o", "report.json"];
    let simulate: &[&str] = &["simulate", "model.pml", "--steps", "100M", "--format", "json"];
    // Soon and late: while it searches, describes the trail or writes the report.
    for (arguments, wait) in [(simulate, 300), (check, 500), (check, 2000), (check, 4000), (check, 6000)] {
        let child = trapline(arguments, &folder).spawn().expect("the program starts");
        wait_until_listening(child.id());
        let sent = Instant::now();
        thread::sleep(Duration::from_millis(wait));
        send(child.id(), libc::SIGINT);
        let (code, stdout, stderr) = end(child);
        assert!(code == Some(1) || code == Some(3), "{arguments:?} {wait}: {code:?} {stderr}");
        assert!(!stderr.contains("did not stop"), "{arguments:?} {wait}: {stderr}");
        let stdout = match arguments[0] {
            "check" => fs::read_to_string(folder.join("report.json")).expect("the report was written"),
            _ => stdout,
        };
        // On a busy machine the model may not even have been read.
        let is_early = arguments[0] == "simulate" && stderr.contains("has no result");
        let is_document = stdout.starts_with('{') && stdout.ends_with("}\n");
        assert!(is_document || is_early, "{arguments:?} {wait}: no document: {stderr}");
        assert!(sent.elapsed() < PATIENCE, "{arguments:?} {wait}");
    }
}

#[test]
fn an_ignored_signal_stays_ignored() {
    let folder = folder("ignored");
    let script = "trap '' HUP; exec \"$0\" check model.pml --max-memory 1G";
    let mut shell = Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_trapline")]).current_dir(&*folder);
    let child = shell.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("there is a shell");
    wait_until_listening(child.id());
    // Which signals are ignored is known a moment later.
    wait_until("ignoring", || has(signals(child.id(), "SigIgn"), libc::SIGHUP));
    assert!(!has(signals(child.id(), "SigCgt"), libc::SIGHUP));
    send(child.id(), libc::SIGTERM);
    assert_eq!(end(child).0, Some(3));
}

#[test]
fn a_study_takes_its_process_along() {
    let folder = folder("study");
    // Once asked, then asked twice, then not asked at all.
    for sent in [
        &[libc::SIGINT] as &[i32],
        &[libc::SIGTERM],
        &[libc::SIGHUP],
        &[libc::SIGTERM, libc::SIGTERM],
        &[libc::SIGKILL],
    ] {
        let arguments = ["experiment", "study.yaml", "-o", "results", "--fresh"];
        let child = trapline(&arguments, &folder).spawn().expect("the program starts");
        let mut started = Vec::new();
        wait_until("the run", || {
            started = children(child.id());
            !started.is_empty()
        });
        // The process is the program itself a moment later.
        wait_until_listening(started[0]);
        sent.iter().for_each(|signal| send(child.id(), *signal));
        let (code, _, stderr) = end(child);
        match sent {
            [libc::SIGKILL] => assert_eq!(code, None),
            [_] => assert_eq!(code, Some(3), "{sent:?}: {stderr}"),
            _ => assert!(code == Some(3) || code == Some(130), "{sent:?}: {code:?} {stderr}"),
        }
        wait_until("the end of the run", || !started.iter().any(|it| is_running(*it)));
    }
}

/// A terminal for the program: what it writes there is read by the first
/// file.
#[allow(unsafe_code)]
fn terminal() -> (File, File) {
    let (mut ours, mut theirs) = (0, 0);
    let size = libc::winsize { ws_row: 24, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
    let none = std::ptr::null_mut();
    // SAFETY: the numbers and the size live during the call, and the other
    // arguments may be null.
    let opened =
        unsafe { libc::openpty(&raw mut ours, &raw mut theirs, none, none as _, &raw const size as _) };
    assert_eq!(opened, 0, "there are terminals");
    // SAFETY: both numbers were opened just now and belong to nobody else.
    unsafe { (File::from_raw_fd(ours), File::from_raw_fd(theirs)) }
}

/// What is left on the screen after all was written.
fn screen(written: &str) -> String {
    let mut lines: Vec<Vec<char>> = vec![Vec::new()];
    let (mut row, mut column) = (0, 0);
    let mut rest = written;
    while let Some(c) = rest.chars().next() {
        rest = &rest[c.len_utf8()..];
        match c {
            '\r' => column = 0,
            '\n' => {
                row += 1;
                if row == lines.len() {
                    lines.push(Vec::new());
                }
            }
            '\u{1b}' => {
                let end = rest.find(|c: char| c.is_ascii_alphabetic()).expect("a sequence ends");
                let amount = rest[1..end].parse::<usize>().unwrap_or(1);
                match &rest[end..=end] {
                    "K" => lines[row].clear(),
                    "A" => row -= amount.min(row),
                    _ => (),
                }
                rest = &rest[end + 1..];
            }
            c => {
                let line = &mut lines[row];
                line.resize(line.len().max(column + 1), ' ');
                line[column] = c;
                column += 1;
            }
        }
    }
    let text: Vec<String> = lines.into_iter().map(|line| line.into_iter().collect::<String>()).collect();
    text.join("\n").trim_end().to_string()
}

#[test]
fn the_line_of_progress_is_cleared_at_every_end() {
    let folder = folder("progress");
    let check: &[&str] = &["check", "model.pml", "--max-memory", "1G"];
    let limited: &[&str] = &["check", "model.pml", "--max-memory", "1G", "--timeout", "2s"];
    let study: &[&str] = &["experiment", "study.yaml", "-o", "results"];
    let cases: [(&[&str], &[i32]); 5] = [
        (check, &[libc::SIGTERM]),
        (check, &[libc::SIGHUP, libc::SIGHUP]),
        (limited, &[]),
        (study, &[libc::SIGTERM]),
        (study, &[libc::SIGINT, libc::SIGINT]),
    ];
    for (arguments, sent) in cases {
        let (mut ours, theirs) = terminal();
        let mut command = trapline(arguments, &folder);
        let mut child = command
            .env("TERM", "xterm")
            .stdout(Stdio::null())
            .stderr(theirs)
            .spawn()
            .expect("the program starts");
        // The command holds its end of the terminal, too.
        drop(command);
        let mut written = Vec::new();
        let mut buffer = [0; 4096];
        let mut is_shown = false;
        // Reading fails when nobody holds the other end any more.
        while let Ok(length @ 1..) = ours.read(&mut buffer) {
            written.extend_from_slice(&buffer[..length]);
            let text = String::from_utf8_lossy(&written);
            if !is_shown && (text.contains("0:01") || text.contains("0/1 run")) {
                is_shown = true;
                sent.iter().for_each(|signal| send(child.id(), *signal));
            }
        }
        child.wait().expect("it can be waited for");
        let written = String::from_utf8_lossy(&written).into_owned();
        assert!(is_shown, "{arguments:?}: {written:?}");
        let left = screen(&written);
        let is_progress = left.contains("0:0") || left.contains("0/1 run") || left.contains("node-tuples,");
        assert!(!is_progress, "{arguments:?} {sent:?}: {left}\n{written:?}");
    }
}
