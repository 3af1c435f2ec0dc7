//! Patterns of `match` and `matches!`.

use super::Parser;
use crate::diag::Span;
use crate::lang::task::ast::{Expr, ExprKind, Name, Pattern, PatternKind};
use syn::spanned::Spanned;

impl Parser {
    pub(super) fn pattern(&mut self, pat: syn::Pat) -> Pattern {
        let span = match &pat {
            // Computing the span of nested brackets with syn would be quadratic.
            syn::Pat::Paren(paren) => self.span(paren.paren_token.span.join()),
            syn::Pat::Tuple(tuple) => self.span(tuple.paren_token.span.join()),
            syn::Pat::Reference(reference) => self.span(reference.and_token.span()),
            other => self.span(other.span()),
        };
        Pattern { kind: self.pattern_kind(pat, span), span }
    }

    /// Converts a pattern and its guard.
    pub(super) fn guarded_pattern(&mut self, pat: syn::Pat) -> (Pattern, Option<Expr>) {
        match pat {
            syn::Pat::Guard(guarded) => {
                let guard = self.expr(*guarded.guard);
                (self.pattern(*guarded.pat), Some(guard))
            }
            pat => (self.pattern(pat), None),
        }
    }

    fn pattern_kind(&mut self, pat: syn::Pat, span: Span) -> PatternKind {
        match pat {
            syn::Pat::Wild(_) => PatternKind::Wild,
            syn::Pat::Ident(ident) if ident.subpat.is_none() => {
                PatternKind::Name(self.name(&ident.ident).text)
            }
            syn::Pat::Lit(lit) => PatternKind::Value(self.expr(syn::Expr::Lit(lit))),
            syn::Pat::Path(path) => PatternKind::Value(self.path(&path.path)),
            syn::Pat::Paren(paren) => self.pattern(*paren.pat).kind,
            syn::Pat::Or(or) => {
                PatternKind::Or(or.cases.into_iter().map(|case| self.pattern(case)).collect())
            }
            syn::Pat::Tuple(tuple) => {
                PatternKind::Tuple(tuple.elems.into_iter().map(|part| self.pattern(part)).collect())
            }
            syn::Pat::Range(range) => {
                let inclusive = matches!(range.limits, syn::RangeLimits::Closed(_));
                let lo = range.start.map(|bound| Box::new(self.expr(*bound)));
                let hi = range.end.map(|bound| Box::new(self.expr(*bound)));
                PatternKind::Range(lo, hi, inclusive)
            }
            _ => {
                self.unsupported(
                    span,
                    "this pattern",
                    Some("use values, ranges, names, `_`, `|` and tuples of these"),
                );
                PatternKind::Error
            }
        }
    }

    /// Converts `name`, `Enum::Variant`, or an unknown path.
    pub(super) fn path(&mut self, path: &syn::Path) -> Expr {
        let span = self.span(path.span());
        let names: Vec<Name> = path.segments.iter().map(|segment| self.name(&segment.ident)).collect();
        let kind = match <[Name; 2]>::try_from(names) {
            Ok([ty, variant]) => ExprKind::Variant(ty, variant),
            Err(names) => match names.as_slice() {
                [name] => ExprKind::Name(name.text.clone()),
                _ => ExprKind::Opaque { what: "a path outside the model".into(), parts: Vec::new() },
            },
        };
        Expr { kind, span }
    }
}
