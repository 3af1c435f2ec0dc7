//! Output of results and diagnostics, with or without colour.

use super::arguments::{Color, Look};
use super::files::{Outputs, Texts, reason, write_whole};
use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::path::Path;
use trapline::diag::{Diagnostic, Severity, Sources};
use trapline::report::svg::{self, TooLarge};
use trapline::report::text::measure::number;
use trapline::report::text::{Detail, ascii};
use trapline::verify::drawing::Drawing;

/// The terminal, or the streams that replace it.
#[derive(Clone, Debug)]
pub(super) struct Terminal {
    pub detail: Detail,
    /// Columns of text to use.
    pub columns: usize,
    /// Whether to draw a progress line on standard error.
    pub progress: bool,
    choice: Color,
    colour_errors: bool,
    colour_results: bool,
    /// Whether text output may contain characters beyond ASCII.
    is_utf8: bool,
}

impl Terminal {
    pub fn new(look: &Look) -> Self {
        let environment = Environment::read();
        let colour = |terminal: bool| wants_colour(look.color, &environment, terminal);
        Self {
            detail: match (look.quiet, look.verbose) {
                (true, _) => Detail::Quiet,
                (false, true) => Detail::Verbose,
                (false, false) => Detail::Normal,
            },
            columns: environment.columns.or_else(terminal_columns).unwrap_or(100).clamp(24, 120),
            progress: io::stderr().is_terminal() && !look.quiet,
            choice: look.color,
            colour_errors: colour(io::stderr().is_terminal()),
            colour_results: colour(io::stdout().is_terminal()),
            is_utf8: is_utf8(|name| std::env::var_os(name)),
        }
    }

    /// Returns whether a result written to `output` is coloured.
    pub fn colours(&self, output: Option<&Path>) -> bool {
        match output {
            Some(_) => self.choice == Color::Always,
            None => self.colour_results,
        }
    }

    /// Writes a text to a file or to standard output, restricted to the
    /// characters of the locale.
    pub fn print(&self, text: &str, output: Option<&Path>) -> Result<(), Diagnostic> {
        match output {
            None => self.deliver(&self.in_locale(text), None),
            Some(_) => self.deliver(text, output),
        }
    }

    /// Returns the text in the characters of the locale.
    pub fn in_locale<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.is_utf8 { Cow::Borrowed(text) } else { Cow::Owned(ascii(text)) }
    }

    /// Returns a drawing as SVG, if it is not too large; prints a note about
    /// omitted edges.
    pub fn picture(&self, drawing: &Drawing) -> Result<String, Diagnostic> {
        let picture = svg::render(drawing).map_err(|TooLarge { n_nodes, n_edges }| {
            let (nodes, edges) = (number(n_nodes as u64), number(n_edges as u64));
            let message =
                format!("the graph is too large for an SVG picture: it has {nodes} nodes and {edges} edges");
            let help = "use `--format dot` and Graphviz, or draw a part of the graph";
            Diagnostic::error_without_place("picture-size", message).with_help(help)
        })?;
        if picture.n_left_out > 0 {
            let n_edges = number(picture.n_left_out as u64);
            let message = format!("{n_edges} dashed edges are not shown in the picture");
            let help = "`--format dot` writes all edges";
            let note = Diagnostic::new(Severity::Note, "picture-size", None, message).with_help(help);
            self.print_diagnostics(&[note], &Sources::default());
        }
        Ok(picture.text)
    }

    /// Writes a result to a file or to standard output.
    pub fn deliver(&self, text: &str, output: Option<&Path>) -> Result<(), Diagnostic> {
        if let Some(path) = output {
            return write_whole(path, text);
        }
        let mut stdout = anstream::AutoStream::new(io::stdout().lock(), anstream::ColorChoice::Always);
        match stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush()) {
            // A reader that closes the pipe is not an error.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            Err(error) => {
                let message = format!("cannot write to standard output: {}", reason(&error));
                Err(Diagnostic::error_without_place("file-unwritable", message))
            }
            Ok(()) => Ok(()),
        }
    }

    /// Writes a result and makes sure that it overwrites none of the input
    /// texts.
    pub fn deliver_apart(&self, text: &str, output: Option<&Path>, texts: &Texts) -> Result<(), Diagnostic> {
        let named = output.map(|path| ("-o".to_string(), path.to_path_buf()));
        Outputs::new(named)?.expect_apart(texts)?;
        self.deliver(text, output)
    }

    /// Writes diagnostics to standard error.
    pub fn print_diagnostics(&self, diagnostics: &[Diagnostic], sources: &Sources) {
        let mut stderr = anstream::AutoStream::new(io::stderr().lock(), anstream::ColorChoice::Always);
        for diagnostic in diagnostics {
            // A closed standard error cannot be reported.
            let text = diagnostic.render(sources, self.colour_errors);
            let _ = writeln!(stderr, "{}", self.in_locale(&text));
        }
    }
}

/// Returns the width of the terminal, if standard output is one.
fn terminal_columns() -> Option<usize> {
    terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0))
}

/// Environment variables about terminals.
#[derive(Debug, Default)]
struct Environment {
    no_color: bool,
    force: bool,
    dumb: bool,
    columns: Option<usize>,
}

impl Environment {
    fn read() -> Self {
        let get = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        Self {
            no_color: get("NO_COLOR").is_some(),
            force: get("CLICOLOR_FORCE").is_some_and(|value| value != "0"),
            dumb: get("TERM").is_some_and(|value| value == "dumb"),
            columns: get("COLUMNS").and_then(|value| value.parse().ok()),
        }
    }
}

/// Returns whether the locale uses UTF-8. The first variable that is set
/// decides; the default is true.
pub(super) fn is_utf8(variable: impl Fn(&str) -> Option<OsString>) -> bool {
    let set = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(variable).find(|it| !it.is_empty());
    set.is_none_or(|value| {
        let value = value.to_string_lossy().to_lowercase();
        value.contains("utf-8") || value.contains("utf8")
    })
}

fn wants_colour(choice: Color, environment: &Environment, terminal: bool) -> bool {
    match choice {
        Color::Always => true,
        Color::Never => false,
        Color::Auto if environment.no_color => false,
        Color::Auto => environment.force || (terminal && !environment.dumb),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_of_the_locale_that_is_set_decides() {
        let check = |set: &[(&str, &str)]| {
            is_utf8(|name| set.iter().find(|(it, _)| *it == name).map(|(_, value)| value.into()))
        };
        assert!(check(&[]) && check(&[("LANG", "")]));
        assert!(check(&[("LANG", "en_GB.UTF-8")]) && check(&[("LC_ALL", ""), ("LC_CTYPE", "C.utf8")]));
        assert!(!check(&[("LANG", "C")]) && !check(&[("LC_CTYPE", "de_DE.ISO-8859-1")]));
        assert!(!check(&[("LC_ALL", "C"), ("LANG", "en_GB.UTF-8")]));
        assert!(check(&[("LC_CTYPE", "C.UTF-8"), ("LANG", "C")]));
    }

    #[test]
    fn colour_is_for_terminals_unless_someone_says_otherwise() {
        let plain = Environment::default();
        let none = Environment { no_color: true, force: true, ..Environment::default() };
        let force = Environment { force: true, ..Environment::default() };
        assert!(wants_colour(Color::Auto, &plain, true));
        assert!(!wants_colour(Color::Auto, &plain, false));
        assert!(!wants_colour(Color::Auto, &none, true));
        assert!(wants_colour(Color::Auto, &force, false));
        assert!(wants_colour(Color::Always, &none, false));
        assert!(!wants_colour(Color::Never, &force, true));
    }
}
