//! The real SPIN, run in a folder of its own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A folder that is gone when the test is done.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Self {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("trapline-trails-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("the temporary folder is writable");
        Self(path)
    }

    /// Runs a program here: standard output and error together.
    pub fn run(&self, program: &str, arguments: &[&str]) -> String {
        let mut command = match program.starts_with("./") {
            true => Command::new(self.0.join(program)),
            false => Command::new(program),
        };
        let output = command.args(arguments).current_dir(&self.0).output().expect("the program starts");
        format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    }

    /// Runs our program here: its exit code, and standard output and error together.
    pub fn trapline(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_trapline"));
        command.env("LC_ALL", "C.UTF-8");
        let output = command.args(arguments).current_dir(&self.0).output().expect("the program starts");
        let text =
            format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        (output.status.code(), text)
    }

    /// Makes `pan` of `model.pml` here; `false` if SPIN refuses the model.
    pub fn make_pan(&self, spin: &[&str], gcc: &[&str]) -> Option<()> {
        self.run("spin", &[spin, &["-a", "model.pml"]].concat());
        if !self.0.join("pan.c").exists() {
            return None;
        }
        self.run("gcc", &[&["-O0", "-w", "-o", "pan"], gcc, &["pan.c"]].concat());
        self.0.join("pan").exists().then_some(())
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing more can be done about a folder that stays.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Steps of a trail file.
pub fn n_lines(text: &str) -> usize {
    text.lines().filter(|line| !line.starts_with('-')).count()
}

/// Is SPIN there?
pub fn is_installed() -> bool {
    let runs = |program: &str, flag: &str| Command::new(program).arg(flag).output().is_ok();
    runs("spin", "-V") && runs("gcc", "--version")
}

/// Compares all of them and tells together what differs, nothing for those
/// that cannot be compared. How many there were; `None` without SPIN.
pub fn compare_all<T: Sync>(all: &[T], compare: impl Fn(&T) -> Option<Vec<String>> + Sync) -> Option<usize> {
    if !is_installed() {
        println!("SPIN is not installed: nothing is compared");
        return None;
    }
    let found = in_parallel(all, compare);
    let n_compared = found.iter().flatten().count();
    let wrong: Vec<String> = found.into_iter().flatten().flatten().collect();
    println!("{n_compared} models compared");
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(n_compared > 0, "nothing was compared");
    Some(n_compared)
}

/// Does `work` on all of them on two threads.
fn in_parallel<T: Sync, R: Send>(all: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let run = || {
        let mut done = Vec::new();
        while let Some(it) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.push(work(it));
        }
        done
    };
    std::thread::scope(|scope| {
        let threads = [scope.spawn(run), scope.spawn(run)];
        threads.into_iter().flat_map(|it| it.join().expect("no thread fails")).collect()
    })
}

/// The files of a folder with an ending, in order.
pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("the folder is there").flatten().map(|it| it.path());
    let mut files: Vec<PathBuf> =
        entries.filter(|it| it.extension().is_some_and(|it| it == ending)).collect();
    files.sort();
    files
}
