//! Checks output files: they must differ from inputs and from each other, and
//! their endings must fit the format.

use super::{Texts, write};
use std::fs;
use std::path::{Path, PathBuf};
use trapline::diag::Diagnostic;

/// The file that a path refers to, independent of spelling and links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Identity {
    /// Device and inode of an existing file.
    #[cfg(unix)]
    Existing(u64, u64),
    /// Path of a file, without links.
    Path(PathBuf),
}

impl Identity {
    /// Returns `None` for anything but a file, such as a terminal, which can be
    /// both read and written.
    pub fn of(path: &Path) -> Option<Self> {
        match fs::metadata(path) {
            Ok(known) if !known.is_file() => None,
            Ok(known) => Self::of_file(path, &known),
            Err(_) => {
                let path = write::target(path);
                let folder = fs::canonicalize(write::folder(&path)).ok()?;
                Some(Self::Path(folder.join(path.file_name()?)))
            }
        }
    }

    #[cfg(unix)]
    fn of_file(_: &Path, known: &fs::Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        Some(Self::Existing(known.dev(), known.ino()))
    }

    #[cfg(not(unix))]
    fn of_file(path: &Path, _: &fs::Metadata) -> Option<Self> {
        fs::canonicalize(path).ok().map(Self::Path)
    }
}

/// The files that a run will write.
#[derive(Debug, Default)]
pub(in crate::cli) struct Outputs {
    /// The flag that names a file, and the file.
    all: Vec<(String, PathBuf)>,
}

impl Outputs {
    /// Rejects two results in one file. `named` are flags and paths.
    pub fn new(named: impl IntoIterator<Item = (String, PathBuf)>) -> Result<Self, Diagnostic> {
        let all: Vec<(String, PathBuf)> = named.into_iter().collect();
        let identities: Vec<Option<Identity>> = all.iter().map(|(_, path)| Identity::of(path)).collect();
        for (later, identity) in identities.iter().enumerate() {
            let same = identities[..later].iter().position(|it| it.is_some() && it == identity);
            if let Some(earlier) = same {
                let ((one, _), (other, path)) = (&all[earlier], &all[later]);
                let message = format!("{one} and {other} both write to `{}`", path.display());
                let fault = Diagnostic::error_without_place("output-twice", message);
                return Err(fault.with_help("use a separate file for each result"));
            }
        }
        Ok(Self { all })
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Checks before a long run that its results can be written.
    pub fn expect_writable(&self) -> Result<(), Diagnostic> {
        self.all.iter().try_for_each(|(_, path)| write::expect_writable(path))
    }

    /// Rejects an output that is also an input.
    pub fn expect_apart(&self, texts: &Texts) -> Result<(), Diagnostic> {
        for (flag, path) in &self.all {
            let Some(identity) = Identity::of(path) else { continue };
            let Some((input, _)) = texts.inputs.0.iter().find(|(_, it)| *it == identity) else { continue };
            let message = match input == path {
                true => format!("{flag} would overwrite `{}`, which is an input", path.display()),
                false => {
                    let (path, input) = (path.display(), input.display());
                    format!("{flag} would overwrite the input `{input}`: `{path}` is the same file")
                }
            };
            let fault = Diagnostic::error_without_place("output-is-input", message);
            return Err(fault.with_help("choose another name; nothing was written"));
        }
        Ok(())
    }
}

/// A format and its file endings, the default first.
pub(in crate::cli) type Served<F> = (F, &'static [&'static str]);

/// Returns the format of a result: that of the option, else that of the file
/// ending, else the first one. Rejects an ending of another format.
pub(in crate::cli) fn format_by_ending<F: Copy + PartialEq>(
    output: Option<&Path>,
    typed: Option<F>,
    served: &[Served<F>],
) -> Result<F, Diagnostic> {
    let default = typed.unwrap_or(served[0].0);
    let ending = output.and_then(Path::extension).map(|it| it.to_string_lossy().to_lowercase());
    let (Some(path), Some(ending)) = (output, ending) else { return Ok(default) };
    let named = served.iter().find(|(_, endings)| endings.contains(&ending.as_str()));
    let message = match (typed, named) {
        (None, Some((format, _))) => return Ok(*format),
        (Some(typed), Some((format, _))) if typed == *format => return Ok(typed),
        (Some(typed), None) => return Ok(typed),
        (Some(_), Some(_)) => {
            format!("the ending `.{ending}` of `{}` does not fit --format", path.display())
        }
        (None, None) => {
            format!("cannot write `{}`: `.{ending}` is not a format of this command", path.display())
        }
    };
    let endings: Vec<String> =
        served.iter().flat_map(|(_, endings)| *endings).map(|it| format!(".{it}")).collect();
    let endings = match endings.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => endings.concat(),
    };
    let help = format!("use a name that ends in {endings}, or --format with another ending");
    Err(Diagnostic::error_without_place("output-format", message).with_help(help))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ending_says_the_format() {
        let served: [Served<char>; 2] = [('d', &["dot", "gv"]), ('s', &["svg"])];
        let format = |path: &str, typed| format_by_ending(Some(Path::new(path)), typed, &served);
        assert_eq!(format("a.SVG", None), Ok('s'));
        assert_eq!(format("a.gv", None), Ok('d'));
        assert_eq!(format("a", None), Ok('d'));
        assert_eq!(format("a.txt", Some('s')), Ok('s'));
        assert_eq!(format_by_ending(None, None, &served), Ok('d'));
        let fault = format("a.png", None).expect_err("there are no such pictures");
        assert_eq!(
            fault.help.as_deref(),
            Some("use a name that ends in .dot, .gv or .svg, or --format with another ending")
        );
        assert_eq!(format("a.svg", Some('d')).map_err(|it| it.code), Err("output-format"));
    }
}
