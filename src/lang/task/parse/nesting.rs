//! A limit on nesting, checked before any recursive code reads the tokens.
//!
//! syn and everything after it recurse on the tree, and a tree can be as deep
//! as the text is long: `((((…`, `!!!!…`, `a + a + …`, `else if … else if …`.
//! All of these are long runs of tokens without a separator. The depth of a
//! token is at most the sum of the runs around it, so that sum is bounded.

use crate::lang::task::limits;
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};

/// Returns the first token that may be nested too deeply.
pub fn too_deep(tokens: &TokenStream) -> Option<Span> {
    let mut open = vec![Level::new(tokens.clone(), 0)];
    while let Some(level) = open.last_mut() {
        let Some(token) = level.rest.next() else {
            open.pop();
            continue;
        };
        level.count(&token);
        let depth = level.outside + level.run;
        if depth > limits::NESTING {
            return Some(match token {
                TokenTree::Group(group) => group.span_open(),
                other => other.span(),
            });
        }
        if let TokenTree::Group(group) = token {
            open.push(Level::new(group.stream(), depth));
        }
    }
    None
}

/// The tokens between two brackets.
struct Level {
    rest: proc_macro2::token_stream::IntoIter,
    outside: usize,
    run: usize,
    /// Whether the previous token was `{ … }`.
    after_block: bool,
}

impl Level {
    fn new(tokens: TokenStream, outside: usize) -> Self {
        Self { rest: tokens.into_iter(), outside, run: 0, after_block: false }
    }

    fn count(&mut self, token: &TokenTree) {
        let separates = match token {
            TokenTree::Punct(punct) => matches!(punct.as_char(), ';' | ',' | '#'),
            TokenTree::Ident(ident) => self.after_block && ident != "else" && ident != "as",
            TokenTree::Group(group) => self.after_block && group.delimiter() == Delimiter::Brace,
            TokenTree::Literal(_) => self.after_block,
        };
        self.run = if separates { 0 } else { self.run + 1 };
        self.after_block = matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace);
    }
}
