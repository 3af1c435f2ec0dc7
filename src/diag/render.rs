//! Rendering of diagnostics with their source lines, in the style of rustc.

use super::{Diagnostic, Severity, Sources, visible, visible_lines};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use std::borrow::Cow;

impl Diagnostic {
    /// Renders the diagnostic as text that is safe to print, with escape
    /// sequences for colours if `colour`.
    pub fn render(&self, sources: &Sources, colour: bool) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let title = level.primary_title(visible(&self.message)).id(self.code);
        let mut group = match self.span {
            Some(_) => self.snippets(sources).into_iter().fold(Group::with_title(title), Group::element),
            None => Group::with_title(title),
        };
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(visible(help)));
        }
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&[group]).to_string()
    }

    /// Returns one snippet per source; the snippet of the main span comes
    /// first.
    fn snippets<'a>(&'a self, sources: &'a Sources) -> Vec<Snippet<'a, annotate_snippets::Annotation<'a>>> {
        let Some(main) = self.span.map(|it| sources.origin(it)) else { return Vec::new() };
        let related: Vec<_> =
            self.related.iter().map(|(span, label)| (sources.origin(*span), label)).collect();
        let mut ids = vec![main.source];
        for (span, _) in &related {
            if !ids.contains(&span.source) {
                ids.push(span.source);
            }
        }
        let draw = |id| {
            let source = sources.get(id);
            let text = visible_lines(&source.text);
            // Maps a byte of the source to its position in the text that is
            // shown.
            let shown = |byte: usize| {
                let byte = byte.min(source.text.len());
                match &text {
                    Cow::Borrowed(_) => byte,
                    Cow::Owned(text) => {
                        let before = source.text.get(..byte).unwrap_or(&source.text);
                        visible_lines(before).len().min(text.len())
                    }
                }
            };
            let clamp = |range: std::ops::Range<usize>| {
                let end = shown(range.end);
                shown(range.start).min(end)..end
            };
            let mut snippet = Snippet::source(text.clone()).path(visible(&source.name));
            if main.source == id {
                let primary = AnnotationKind::Primary.span(clamp(main.range()));
                snippet = snippet.annotation(primary.label(self.label.as_deref().map(visible)));
            }
            for (span, label) in related.iter().filter(|(span, _)| span.source == id) {
                let context = AnnotationKind::Context.span(clamp(span.range()));
                snippet = snippet.annotation(context.label(visible(label)));
            }
            snippet
        };
        ids.into_iter().map(draw).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Diagnostic, Sources, Span};
    use expect_test::expect;

    #[test]
    fn an_error_shows_line_column_and_help() {
        let mut sources = Sources::default();
        let id = sources.add("model.rs", "fn a() {\n    call!(sever.get);\n}\n");
        let diagnostic = Diagnostic::error("task-unknown", Span::new(id, 19..24), "no task is named `sever`")
            .with_label("unknown task")
            .with_help("did you mean `server`?");
        expect![[r#"
            error[task-unknown]: no task is named `sever`
             --> model.rs:2:11
              |
            2 |     call!(sever.get);
              |           ^^^^^ unknown task
              |
              = help: did you mean `server`?"#]]
        .assert_eq(&diagnostic.render(&sources, false));
    }

    #[test]
    fn nothing_of_the_user_is_printed_as_it_is() {
        let mut sources = Sources::default();
        let text = "/* \u{1b}[2J\r\u{7} */ \u{202e}x\u{9b}1 = y;\nb\n";
        let id = sources.add("a\nerror: \u{1b}[1mb", text);
        let start = text.find('y').expect("it is there");
        let diagnostic = Diagnostic::error("code", Span::new(id, start..start + 1), "`a\nb` \u{8}")
            .with_label("l\u{1b}\nm")
            .with_related(Span::new(id, 0..2), "n\no")
            .with_help("h\n\u{2028}");
        for colour in [false, true] {
            let shown = anstream::adapter::strip_str(&diagnostic.render(&sources, colour)).to_string();
            assert_eq!(shown, diagnostic.render(&sources, false));
        }
        expect![[r#"
            error[code]: `a\nb` \u{8}
             --> a\nerror: \u{1b}[1mb:1:21
              |
            1 | /* ␛[2J␍␇ */ �x�1 = y;
              | -- n\no             ^ l\u{1b}\nm
              |
              = help: h\n\u{2028}"#]]
        .assert_eq(&diagnostic.render(&sources, false));
    }

    #[test]
    fn an_error_without_a_place_is_one_line() {
        let diagnostic = Diagnostic::error_without_place("file", "cannot read `a.yaml`");
        expect!["error[file]: cannot read `a.yaml`"]
            .assert_eq(&diagnostic.render(&Sources::default(), false));
    }
}
