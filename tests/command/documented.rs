//! Every command of the documentation runs: the examples of each `--help`, of
//! README.md and of `docs`. Where a document shows the output, the output has
//! those lines; numbers may differ.

use crate::folder;
use folder::Folder;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Commands that are not run, with the reason.
const SKIPPED: &[(&str, &str)] = &[
    ("bash tests/all.sh", "runs all tests, this one among them"),
    ("cargo install --path .", "installs"),
    ("trapline experiment FILE.yaml", "FILE.yaml stands for any study"),
    ("trapline check … --format json", "… stands for any arguments"),
    ("trapline check --strategy S", "S stands for any strategy"),
    ("trapline completions SHELL", "SHELL stands for any shell"),
    ("trapline graph", "names the command, not how it is called"),
    ("trapline improve", "names the command, not how it is called"),
    ("trapline improve FILE --trail TRAIL", "FILE and TRAIL stand for any files"),
    ("trapline simulate", "names the command, not how it is called"),
];

/// Commands that take long, and what makes them shorter.
const SHORTENED: &[(&str, &str)] = &[
    ("trapline experiment benches/two-stage-faithful.yaml --repeat 1", "--list"),
    ("trapline experiment benches/default-reduced.yaml", "--list"),
    ("trapline experiment benches/holding.yaml", "--list"),
    ("trapline experiment benches/scaling.yaml", "--list"),
    ("trapline experiment benches/scaling.yaml -o results --subjects 'token-ring/*'", "--list"),
    ("trapline experiment small.yaml", "--repeat 1 --subjects '*N=2*'"),
];

/// A copy of what the commands read, with the program in it.
struct Sandbox {
    folder: Folder,
}

impl Sandbox {
    fn new(name: &str) -> Self {
        let folder = Folder::new(&format!("documented-{name}"));
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for part in ["specs", "examples", "constraints", "docs", "benches"] {
            copy(&root.join(part), &folder.join(part));
        }
        for (from, to) in [
            ("trapline.yaml", "trapline.yaml"),
            ("tests/documented/model.pml", "model.pml"),
            ("tests/documented/model.rs", "model.rs"),
            ("tests/documented/subjects.yaml", "benches/more-subjects.yaml"),
        ] {
            fs::copy(root.join(from), folder.join(to)).expect("the file can be copied");
        }
        for part in ["bin", ".zfunc", ".config/fish/completions", ".local/share/bash-completion/completions"]
        {
            fs::create_dir_all(folder.join(part)).expect("the folder is writable");
        }
        fs::copy(env!("CARGO_BIN_EXE_trapline"), folder.join("bin/trapline")).expect("it can be copied");
        let sandbox = Self { folder };
        sandbox.run("trapline check model.pml --property safety --spin-trail model.pml.trail");
        sandbox.run("trapline check model.rs -o report.json");
        sandbox
    }

    /// Runs a command that must succeed, whatever the verdict is; what it
    /// writes to standard output.
    #[track_caller]
    fn run(&self, command: &str) -> String {
        let mut line = command.replace("cargo run --release -- ", "trapline ");
        if let Some((_, more)) = SHORTENED.iter().find(|(it, _)| *it == line) {
            line = format!("{line} {more}");
        }
        let path =
            format!("{}:{}", self.folder.join("bin").display(), std::env::var("PATH").unwrap_or_default());
        let mut shell = Command::new("sh");
        shell.args(["-c", &line]).current_dir(&*self.folder).stdin(Stdio::null());
        shell.env("PATH", path).env("HOME", &*self.folder).env("LC_ALL", "C.UTF-8");
        shell.env("COLUMNS", "100").env_remove("CLICOLOR_FORCE");
        let output = shell.output().expect("there is a shell");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        let is_known = matches!(output.status.code(), Some(0 | 1 | 3));
        assert!(is_known && !stderr.contains("error"), "`{line}` fails: {:?}\n{stderr}", output.status);
        String::from_utf8(output.stdout).unwrap_or_default()
    }

    /// Runs a command unless it is left out or needs a program that is not
    /// here.
    #[track_caller]
    fn try_run(&self, command: &str) -> Option<String> {
        if let Some((_, reason)) = SKIPPED.iter().find(|(it, _)| *it == command) {
            println!("left out: `{command}`: {reason}");
            return None;
        }
        let programs = command.split('|').filter_map(|it| it.split_whitespace().next());
        for program in programs.filter(|it| !["trapline", "cargo"].contains(it)) {
            let found = Command::new("sh").args(["-c", &format!("command -v {program}")]).output();
            if !found.is_ok_and(|it| it.status.success()) {
                println!("left out: `{command}`: there is no `{program}` here");
                return None;
            }
        }
        Some(self.run(command))
    }
}

/// Files of a folder, results of benchmarks apart.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("the folder is writable");
    for entry in fs::read_dir(from).expect("the folder is there").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        match path.is_dir() {
            true if entry.file_name() == "results" => {}
            true => copy(&path, &target),
            false => drop(fs::copy(&path, &target).expect("the file can be copied")),
        }
    }
}

fn help(arguments: &[String]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trapline"));
    let output = command.args(arguments).arg("--help").env("COLUMNS", "100").output().expect("it starts");
    String::from_utf8(output.stdout).expect("help is UTF-8")
}

/// The help of a command and of those below it.
fn helps(arguments: &[String], all: &mut Vec<String>) {
    let text = help(arguments);
    let commands = text.lines().skip_while(|it| *it != "Commands:").skip(1);
    let commands = commands.take_while(|it| it.starts_with(' '));
    let names =
        commands.filter_map(|it| it.strip_prefix("  ")?.split(' ').next().filter(|it| !it.is_empty()));
    for name in names.filter(|it| *it != "help") {
        helps(&[arguments, &[name.to_string()]].concat(), all);
    }
    all.push(text);
}

#[test]
fn examples_in_the_help_run() {
    let mut all = Vec::new();
    helps(&[], &mut all);
    assert!(all.len() >= 13, "every command has a help");
    let lines = all.iter().flat_map(|it| it.lines().skip_while(|it| *it != "Examples:").skip(1));
    let lines = lines.filter_map(|it| it.strip_prefix("  ").filter(|it| it.starts_with("trapline ")));
    let commands: BTreeSet<&str> = lines.filter_map(|it| it.split("  ").next()).collect();
    assert!(commands.len() >= 25, "{commands:?}");
    let sandbox = Sandbox::new("help");
    for command in commands {
        sandbox.try_run(command);
    }
}

/// A fenced block: its language and its lines.
struct Block<'t> {
    language: &'t str,
    lines: Vec<&'t str>,
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(language) = line.strip_prefix("```") {
            let lines = lines.by_ref().take_while(|it| *it != "```").collect();
            blocks.push(Block { language, lines });
        }
    }
    blocks
}

/// Commands within sentences.
fn spans(text: &str) -> Vec<&str> {
    let outside = text.lines().scan(false, |is_inside, line| {
        *is_inside ^= line.starts_with("```");
        Some(if *is_inside { "" } else { line })
    });
    let spans = outside.flat_map(|line| line.split('`').skip(1).step_by(2));
    spans.filter(|it| it.starts_with("trapline ")).collect()
}

/// A line without what may differ from run to run.
fn masked(line: &str) -> String {
    let mut masked = String::new();
    for c in line.trim().chars() {
        match c {
            '0'..='9' if masked.ends_with('#') => {}
            '0'..='9' => masked.push('#'),
            '.' | ',' if masked.ends_with('#') => {}
            ' ' | '─' if masked.ends_with(c) => {}
            _ => masked.push(c),
        }
    }
    masked.replace(" KiB", " B").replace(" MiB", " B")
}

/// Does the output have the lines in this order? A line of `…` is any number
/// of lines.
#[track_caller]
fn expect_lines(output: &str, shown: &[&str], command: &str) {
    let output: Vec<String> = output.lines().map(masked).collect();
    let mut rest = &output[..];
    for part in shown.split(|it| it.trim() == "…") {
        let part: Vec<String> = part.iter().map(|it| masked(it)).collect();
        if part.is_empty() {
            continue;
        }
        let at = rest.windows(part.len()).position(|it| it == part);
        let Some(at) = at else {
            panic!("`{command}` does not write\n{}\nbut\n{}", part.join("\n"), output.join("\n"));
        };
        rest = &rest[at + part.len()..];
    }
}

/// Runs the commands of a document and compares their outputs with those shown
/// after them. Returns the number of outputs compared.
#[track_caller]
fn expect_outputs(sandbox: &Sandbox, text: &str) -> usize {
    let mut last: Option<(&str, String)> = None;
    let mut n_compared = 0;
    for Block { language, lines } in blocks(text) {
        match language {
            "sh" => {
                last = None;
                for command in lines {
                    last = sandbox.try_run(command).map(|output| (command, output));
                }
            }
            "text" => {
                let typed = lines[0].strip_prefix("$ ");
                let (command, output) = match (typed, last.take()) {
                    (Some(command), _) => (command, sandbox.run(command)),
                    (None, Some(last)) => last,
                    (None, None) => panic!("no command writes {}", lines[0]),
                };
                expect_lines(&output, &lines[usize::from(typed.is_some())..], command);
                n_compared += 1;
            }
            _ => {}
        }
    }
    n_compared
}

#[test]
fn commands_of_the_readme_run_and_write_what_it_shows() {
    let text = fs::read_to_string("README.md").expect("there is a README");
    let sandbox = Sandbox::new("readme");
    for Block { lines, .. } in blocks(&text).iter().filter(|it| it.language == "yaml") {
        if lines.iter().any(|it| it.starts_with("strategies:")) {
            let name = lines.iter().find_map(|it| it.strip_prefix("name: ")).expect("the study has a name");
            let file = sandbox.folder.join(format!("{name}.yaml"));
            fs::write(file, lines.join("\n")).expect("the folder is writable");
        }
    }
    for Block { lines, .. } in blocks(&text).iter().filter(|it| it.lines.contains(&"#[task]")) {
        fs::write(sandbox.folder.join("model.rs"), lines.join("\n")).expect("the folder is writable");
    }
    let n_compared = expect_outputs(&sandbox, &text);
    assert!(n_compared >= 7, "{n_compared} outputs are shown");
    for command in spans(&text) {
        sandbox.try_run(command);
    }
}

/// YAML of the documents: where the file would be, and the command that
/// reads it.
const FILES: &[(&str, &str, &str)] = &[
    ("docs/experiments.md", "benches/shown.yaml", "trapline experiment benches/shown.yaml --list"),
    ("docs/experiments.md", "benches/shown.yaml", "trapline experiment benches/shown.yaml --list"),
    ("docs/spec-language.md", "specs/shown.yaml", "trapline check specs/shown.yaml"),
    ("docs/spec-language.md", "specs/promela/shown.yaml", "trapline check specs/promela/shown.yaml -D N=2"),
    ("docs/spec-language.md", "specs/shown.yaml", "trapline check specs/shown.yaml --model examples/lock.rs"),
    (
        "docs/spec-language.md",
        "constraints/shown.yaml",
        "trapline check specs/token-ring.yaml -c 'constraints/shown.yaml#in-order'",
    ),
    ("docs/task-language.md", "specs/shown.yaml", "trapline check specs/shown.yaml --engine explicit"),
];

#[test]
fn commands_and_files_of_the_docs_are_understood() {
    let sandbox = Sandbox::new("docs");
    let mut files = FILES.iter();
    let mut documents: Vec<_> = fs::read_dir("docs").expect("there are documents").flatten().collect();
    documents.sort_by_key(fs::DirEntry::path);
    for document in documents.iter().filter(|it| it.path().extension().is_some_and(|it| it == "md")) {
        let text = fs::read_to_string(document.path()).expect("a document is text");
        for command in spans(&text) {
            sandbox.try_run(command);
        }
        expect_outputs(&sandbox, &text);
        for Block { lines, .. } in blocks(&text).iter().filter(|it| it.language == "yaml") {
            let (name, file, command) = files.next().expect("every file of the documents has a command");
            assert_eq!(Path::new(name), document.path(), "{lines:?}");
            fs::write(sandbox.folder.join(file), lines.join("\n")).expect("the folder is writable");
            sandbox.run(command);
        }
    }
    assert!(files.next().is_none(), "every command has its file");
}
