//! Diagnostics drawn with the source line, in the manner of rustc.

use super::{Diagnostic, Severity, Sources};
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

impl Diagnostic {
    /// The diagnostic as text; with escape sequences if `colour`.
    pub fn render(&self, sources: &Sources, colour: bool) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let title = level.primary_title(self.message.as_str()).id(self.code);
        let mut group = match self.span {
            Some(_) => self.snippets(sources).into_iter().fold(Group::with_title(title), Group::element),
            None => Group::with_title(title),
        };
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        renderer.render(&[group]).to_string()
    }

    /// One snippet per source, the one of the main span first.
    fn snippets<'a>(&'a self, sources: &'a Sources) -> Vec<Snippet<'a, annotate_snippets::Annotation<'a>>> {
        let Some(main) = self.span.map(|it| sources.home(it)) else { return Vec::new() };
        let related: Vec<_> = self.related.iter().map(|(span, label)| (sources.home(*span), label)).collect();
        let mut ids = vec![main.source];
        for (span, _) in &related {
            if !ids.contains(&span.source) {
                ids.push(span.source);
            }
        }
        let draw = |id| {
            let source = sources.get(id);
            let clamp = |range: std::ops::Range<usize>| {
                let end = range.end.min(source.text.len());
                range.start.min(end)..end
            };
            let mut snippet = Snippet::source(source.text.as_str()).path(source.name.as_str());
            if main.source == id {
                let primary = AnnotationKind::Primary.span(clamp(main.range()));
                snippet = snippet.annotation(primary.label(self.label.as_deref()));
            }
            for (span, label) in related.iter().filter(|(span, _)| span.source == id) {
                let context = AnnotationKind::Context.span(clamp(span.range()));
                snippet = snippet.annotation(context.label(label.as_str()));
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
    fn an_error_without_a_place_is_one_line() {
        let diagnostic = Diagnostic::error_without_place("file", "cannot read `a.yaml`");
        expect!["error[file]: cannot read `a.yaml`"]
            .assert_eq(&diagnostic.render(&Sources::default(), false));
    }
}
