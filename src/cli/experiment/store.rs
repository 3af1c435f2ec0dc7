//! The folder of the results.

use crate::cli::files::{reason, write_whole};
use crate::cli::read::{RECORD_BYTES, read_bytes};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use trapline::diag::{Diagnostic, Severity};
use trapline::experiment::Record;
use trapline::experiment::record::{Recorded, Records};

/// Every run that has ended, one line each.
const RUNS: &str = "runs.jsonl";

/// File to which `--fresh` moves the old records.
const OLD_RUNS: &str = "runs.old.jsonl";

/// The files that persist between executions of a study.
pub(super) const FILES: [&str; 2] = [RUNS, OLD_RUNS];

/// The records, in memory and on disk.
pub(super) struct Store {
    folder: PathBuf,
    pub records: Records,
    unreadable: Vec<usize>,
    /// The locked file to append to; `None` if read-only.
    file: Option<File>,
}

impl Store {
    /// Reads the records and, unless `read_only`, opens the file for appending.
    /// Only one process at a time can append.
    pub fn open(folder: &Path, fresh: bool, read_only: bool) -> Result<Self, Diagnostic> {
        fs::create_dir_all(folder).map_err(|error| unusable(folder, &error))?;
        let path = folder.join(RUNS);
        if fresh && path.exists() {
            fs::rename(&path, folder.join(OLD_RUNS)).map_err(|error| unusable(&path, &error))?;
        }
        let file = match read_only {
            true => None,
            false => Some(open_locked(&path)?),
        };
        let text = match read_bytes(&path, "file of records", RECORD_BYTES) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(fault) if fault.code == "file-missing" => String::new(),
            Err(fault) => return Err(fault),
        };
        let Recorded { records, unreadable, is_torn } = Records::parse(&text);
        let mut store = Self { folder: folder.to_path_buf(), records, unreadable, file };
        if is_torn {
            // The next record begins on a new line.
            store.append("\n")?;
        }
        Ok(store)
    }

    /// Returns notes about unreadable records.
    pub fn remarks(&self) -> Vec<Diagnostic> {
        if self.unreadable.is_empty() {
            return Vec::new();
        }
        let lines: Vec<String> = self.unreadable.iter().map(usize::to_string).collect();
        let path = self.folder.join(RUNS);
        let message =
            format!("`{}`: line {} is not a record and is ignored", path.display(), lines.join(", "));
        vec![Diagnostic::new(Severity::Note, "study-records", None, message)]
    }

    /// Appends a record.
    pub fn add(&mut self, record: Record) -> Result<(), Diagnostic> {
        self.append(&record.line())?;
        self.records.insert(record);
        Ok(())
    }

    /// Writes a result file.
    pub fn write(&self, name: &str, text: &str) -> Result<(), Diagnostic> {
        write_whole(&self.folder.join(name), text)
    }

    fn append(&mut self, text: &str) -> Result<(), Diagnostic> {
        let Some(file) = &mut self.file else { return Ok(()) };
        let written = file.write_all(text.as_bytes()).and_then(|()| file.flush());
        written.map_err(|error| unusable(&self.folder.join(RUNS), &error))
    }
}

fn open_locked(path: &Path) -> Result<File, Diagnostic> {
    let file = OpenOptions::new().create(true).append(true).open(path);
    let file = file.map_err(|error| unusable(path, &error))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(fs::TryLockError::WouldBlock) => {
            let message = format!("another study is writing to `{}`", path.display());
            Err(Diagnostic::error_without_place("study-locked", message)
                .with_help("wait until it ends, or choose another folder with -o"))
        }
        // Some file systems have no locks.
        Err(fs::TryLockError::Error(_)) => Ok(file),
    }
}

fn unusable(path: &Path, error: &io::Error) -> Diagnostic {
    let message = format!("cannot write `{}`: {}", path.display(), reason(error));
    Diagnostic::error_without_place("file-unwritable", message)
}
