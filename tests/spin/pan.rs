//! SPIN's verifier, made and run.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// What the verifier told.
#[derive(Debug, Default)]
pub struct Counted {
    pub stored: usize,
    pub arrivals: usize,
    /// In the order in which they were found, none twice in a row.
    pub kinds: Vec<&'static str>,
    /// Why it is no whole count, if so.
    pub broken: Option<&'static str>,
}

/// Seconds for one run.
const LIMIT: &str = "10";

/// Can the comparison be made here?
pub fn is_installed() -> bool {
    let runs = |tool: &str| Command::new(tool).arg("--version").output().is_ok();
    runs("spin") && runs("gcc")
}

/// The counts of a model with all optimisations off, failed assertions passed
/// over; and the errors there are. `Err` if SPIN does not take the model.
pub fn count(text: &str, folder: &Path) -> Result<Counted, String> {
    fs::write(folder.join("model.pml"), text).expect("the folder can be written");
    let _ = fs::remove_file(folder.join("pan.c"));
    let spin = output(folder, "spin", &["-o1", "-o2", "-o3", "-a", "model.pml"]);
    if !folder.join("pan.c").exists() || !spin.status.success() {
        return Err(text_of(&spin));
    }
    let flags = ["-w", "-O0", "-DSAFETY", "-DNOCLAIM", "-DNOREDUCE", "-DNOFAIR", "-DVECTORSZ=4096"];
    let gcc = output(folder, "gcc", &[&flags[..], &["-o", "pan", "pan.c"]].concat());
    if !gcc.status.success() {
        return Err(text_of(&gcc));
    }
    let run = |extra: &[&str]| {
        let all = [&[LIMIT, "./pan", "-n", "-m20000", "-w12", "-c0"], extra].concat();
        output(folder, "timeout", &all)
    };
    let mut counted = read(&run(&["-A"]));
    counted.kinds = read(&run(&[])).kinds;
    Ok(counted)
}

/// The error that breadth-first search finds.
pub struct Shortest {
    pub kind: &'static str,
    pub n_statements: usize,
    /// Is none shorter? With rendezvous SPIN passes over some end states.
    pub is_sure: bool,
}

/// What breadth-first search finds in the model counted last. SPIN has no
/// such search where something asks for `_last`.
pub fn breadth_first(folder: &Path) -> Option<Shortest> {
    let flags = ["-w", "-O0", "-DBFS", "-DSAFETY", "-DNOCLAIM", "-DNOREDUCE", "-DNOFAIR", "-DVECTORSZ=4096"];
    let gcc = output(folder, "gcc", &[&flags[..], &["-o", "pan-bfs", "pan.c"]].concat());
    if !gcc.status.success() {
        assert!(text_of(&gcc).contains("-DBFS not compatible"), "{}", text_of(&gcc));
        return None;
    }
    let trail = folder.join("model.pml.trail");
    let _ = fs::remove_file(&trail);
    let told = output(folder, "timeout", &[LIMIT, "./pan-bfs", "-n", "-w12"]);
    let is_sure = !text_of(&told).contains("does not preserve all invalid endstates");
    let kind = *read(&told).kinds.first()?;
    let lines = fs::read_to_string(trail).ok()?;
    let n_steps = lines.lines().filter(|it| it.starts_with(|c: char| c.is_ascii_digit())).count();
    // The trail of a deadlock ends with a step that cannot be taken.
    let n_statements = n_steps.saturating_sub(usize::from(kind == "end-state"));
    Some(Shortest { kind, n_statements, is_sure })
}

fn output(folder: &Path, program: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).output().unwrap_or_else(|it| panic!("{program}: {it}"))
}

fn text_of(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn read(output: &Output) -> Counted {
    let text = text_of(output);
    let mut counted = Counted::default();
    for line in text.lines() {
        let number = || line.split_whitespace().next().and_then(|it| it.parse().ok()).unwrap_or(0);
        if line.ends_with("states, stored") {
            counted.stored = number();
        } else if line.ends_with("(= stored+matched)") {
            counted.arrivals = number();
        } else if line.contains("max search depth too small") {
            counted.broken = Some("depth");
        } else if line.contains("inherits 2 'else' stmnts") || line.contains("unconditional self-loop") {
            counted.broken = Some("refused");
        } else if line.contains("VECTORSZ") && line.contains("too small") {
            counted.broken = Some("vector");
        } else if let Some(message) = line.strip_prefix("pan:").filter(|it| !it.starts_with(' ')) {
            counted.kinds.push(kind_of(message));
        }
    }
    if output.status.code() == Some(124) {
        counted.broken = Some("time");
    }
    // More than 255 processes are active from the start.
    if counted.stored == 0 && text.contains("too many processes (at depth 0)") {
        counted.broken = Some("refused");
    }
    if counted.stored == 0 && counted.broken.is_none() {
        counted.broken = Some("crash");
        counted.kinds.push("crash");
    }
    counted
}

fn kind_of(message: &str) -> &'static str {
    let has = |part: &str| message.contains(part);
    match () {
        () if has("invalid array index") => "bounds",
        () if has("assertion violated") => "assertion",
        () if has("invalid end state") => "end-state",
        () if has("event_trace error") => "trace",
        () if has("chan") || has("parameters in send") || has("rv operation") || has("queue") => "channel",
        () => "other",
    }
}
