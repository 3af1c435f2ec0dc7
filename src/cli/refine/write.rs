//! Writes the constraints of a proof into the property file.

use crate::cli::files::{Texts, beside, reason, write_whole};
use crate::cli::read::{TEXT_BYTES, read_bytes};
use std::fs;
use std::path::{Path, PathBuf};
use trapline::diag::{Diagnostic, SourceId};
use trapline::lang::spec::{Spanned, with_constraints};
use trapline::refine::Refinement;
use trapline::verify::Verdict;
use trapline::verify::workspace::{CheckOptions, Subject, Workspace, is_generated};

/// The property file, of which each change is written at once.
pub(super) struct PropertyWriter<'a> {
    path: &'a Path,
    /// The current text.
    source: Option<SourceId>,
}

impl<'a> PropertyWriter<'a> {
    /// Refuses what is not a file, which could not be replaced.
    pub fn new(path: &'a Path) -> Result<Self, Diagnostic> {
        if fs::metadata(path).is_ok_and(|it| !it.is_file()) {
            let message = format!("--write needs a file, and `{}` is not one", path.display());
            return Err(Diagnostic::error_without_place("usage", message));
        }
        Ok(Self { path, source: None })
    }

    /// Writes the constraints of a proof by the flow engine. Returns them, or
    /// `None` if there is nothing to write.
    pub fn write(
        &mut self,
        subject: &Subject,
        options: &CheckOptions,
        refined: &Refinement,
        workspace: &mut Workspace<Texts>,
    ) -> Result<Option<Vec<String>>, Vec<Diagnostic>> {
        if refined.verdict != Verdict::Holds || refined.report.explicit().is_some() {
            return Ok(None);
        }
        for (path, rule) in refined.learned.iter().filter(|(path, _)| refined.needed.contains(path)) {
            self.write_rule(Path::new(path), &rule.text).map_err(|fault| vec![fault])?;
        }
        let mut constraints: Vec<String> = match (options.default_constraints, subject.spec()) {
            (true, Some(spec)) => spec.constraints.iter().map(|it| it.value.clone()).collect(),
            _ => Vec::new(),
        };
        for it in refined.given.iter().chain(&refined.needed).map(|it| self.relative(it)) {
            if !constraints.contains(&it) {
                constraints.push(it);
            }
        }
        if is_named(subject, options, &constraints, workspace) == Some(true) {
            return Ok(Some(constraints));
        }
        let old = match self.source {
            Some(source) => source,
            None => workspace.texts.read(self.path, "property file").map_err(|fault| vec![fault])?,
        };
        let new = with_constraints(old, &subject.property, &constraints, &mut workspace.texts)?;
        let text = |id: SourceId| workspace.texts.sources.get(id).text.as_str();
        if new != old {
            self.replace(text(old), text(new)).map_err(|fault| vec![fault])?;
            self.source = Some(new);
        }
        Ok(Some(constraints))
    }

    /// Writes a learned rule, unless another text is there.
    fn write_rule(&self, path: &Path, text: &str) -> Result<(), Diagnostic> {
        if let Ok(there) = fs::read_to_string(path) {
            if there == text {
                return Ok(());
            }
            let message = format!("`{}` exists and is another constraint", path.display());
            let fault = Diagnostic::error_without_place("file-exists", message);
            return Err(fault.with_help("nothing was written; move the file, or remove it"));
        }
        if let Some(folder) = path.parent().filter(|it| !it.as_os_str().is_empty() && !it.exists()) {
            fs::create_dir_all(folder).map_err(|error| {
                let message = format!("cannot create the folder `{}`: {}", folder.display(), reason(&error));
                Diagnostic::error_without_place("file-write", message)
            })?;
        }
        write_whole(path, text)
    }

    /// Replaces the text of the file, unless it was changed by others.
    fn replace(&self, old: &str, new: &str) -> Result<(), Diagnostic> {
        const MARK: &str = "\u{feff}";
        let bytes = read_bytes(self.path, "property file", TEXT_BYTES)?;
        // Texts are read without a byte order mark.
        let mark = if bytes.starts_with(MARK.as_bytes()) { MARK } else { "" };
        if &bytes[mark.len()..] != old.as_bytes() {
            let message = format!("`{}` was changed during the run", self.path.display());
            let fault = Diagnostic::error_without_place("file-changed", message);
            return Err(fault.with_help("nothing was written; run the command again"));
        }
        write_whole(self.path, &format!("{mark}{new}"))
    }

    /// Returns a constraint of the command line as the property file writes it:
    /// paths are relative to the file.
    fn relative(&self, constraint: &str) -> String {
        if is_generated(constraint) {
            return constraint.to_string();
        }
        let (path, set) = match constraint.rsplit_once('#') {
            Some((path, set)) => (path, format!("#{set}")),
            None => (constraint, String::new()),
        };
        let same = |named: &str| {
            let found = fs::canonicalize(beside(self.path, named)).ok();
            found.is_some() && found == fs::canonicalize(path).ok()
        };
        let from = folder(self.path);
        let named = relative_path(&from, Path::new(path)).filter(|it| same(it));
        let absolute = || fs::canonicalize(path).map_or(path.to_string(), |it| it.display().to_string());
        format!("{}{set}", named.unwrap_or_else(absolute))
    }
}

/// Returns whether a property already names these constraints, in any order or
/// by a set.
fn is_named(
    subject: &Subject,
    options: &CheckOptions,
    constraints: &[String],
    workspace: &mut Workspace<Texts>,
) -> Option<bool> {
    let (file, spec) = (&subject.file, subject.spec()?);
    let path = workspace.model_path(file, spec, options).ok()?;
    let settings = workspace.settings(spec, &options.settings);
    let model = workspace.tasks(&path, &settings).ok()?;
    let wanted: Vec<Spanned<String>> =
        constraints.iter().map(|it| Spanned::new(it.clone(), spec.name.span)).collect();
    let mut expanded = |named: &[Spanned<String>]| {
        let mut names = workspace.names_of_constraints(file, named, &model.program).ok()?;
        names.sort();
        Some(names)
    };
    Some(expanded(&spec.constraints)? == expanded(&wanted)?)
}

/// Returns the folder of constraint files for a property file, with a separator
/// at its end: `constraints` in the current directory, one level above the file or
/// beside it, whichever exists, else the last one.
pub(super) fn constraint_folder(file: &Path) -> String {
    let beside = |named: &str| beside(file, named);
    let folders = [PathBuf::from("constraints"), beside("../constraints"), beside("constraints")];
    let found = folders.iter().find(|it| it.is_dir()).unwrap_or(&folders[2]);
    format!("{}/", found.display())
}

/// Returns the folder of a file, without links.
fn folder(path: &Path) -> PathBuf {
    fs::canonicalize(path).ok().and_then(|it| it.parent().map(Path::to_path_buf)).unwrap_or_default()
}

/// Returns a path as seen from a folder.
fn relative_path(folder: &Path, path: &Path) -> Option<String> {
    let path = fs::canonicalize(path).ok()?;
    let n_common = folder.components().zip(path.components()).take_while(|(one, other)| one == other).count();
    if n_common == 0 {
        return None;
    }
    let up = folder.components().skip(n_common).map(|_| "..".to_string());
    let down = path.components().skip(n_common).map(|it| it.as_os_str().to_string_lossy().into_owned());
    Some(up.chain(down).collect::<Vec<_>>().join("/"))
}
