//! Blocks and `let`.

use super::Parser;
use crate::diag::Diagnostic;
use crate::lang::task::ast::{Block, Expr, ExprKind, Let, Statement, Type, TypeKind};
use syn::spanned::Spanned;

impl Parser {
    pub(super) fn block(&mut self, block: syn::Block) -> Block {
        let span = self.span(block.brace_token.span.join());
        let has_tail = match block.stmts.last() {
            Some(syn::Stmt::Expr(_, semi)) => semi.is_none(),
            Some(syn::Stmt::Macro(item)) => item.semi_token.is_none(),
            _ => false,
        };
        let statements = block.stmts.into_iter().filter_map(|stmt| self.statement(stmt)).collect();
        Block { statements, has_tail, span }
    }

    fn statement(&mut self, stmt: syn::Stmt) -> Option<Statement> {
        match stmt {
            syn::Stmt::Local(local) => self.local(local).map(Statement::Let),
            syn::Stmt::Expr(expr, _) => Some(Statement::Expr(self.expr(expr))),
            syn::Stmt::Macro(item) => {
                let span = self.span(item.mac.span());
                Some(Statement::Expr(Expr { kind: self.macro_kind(item.mac, span), span }))
            }
            syn::Stmt::Item(syn::Item::Use(_)) => None,
            syn::Stmt::Item(item) => {
                let span = self.span(item.span());
                self.unsupported(
                    span,
                    "an item inside a function",
                    Some("move it to the top level of the file"),
                );
                None
            }
        }
    }

    fn local(&mut self, local: syn::Local) -> Option<Let> {
        let span = self.span(local.span());
        let inferred = Type { kind: TypeKind::Inferred, span };
        let (pat, ty) = match local.pat {
            syn::Pat::Type(typed) => (*typed.pat, self.ty(&typed.ty)),
            other => (other, inferred),
        };
        let value = local.init.map(|init| {
            if let Some((token, _)) = &init.diverge {
                let span = self.span(token.span());
                self.unsupported(span, "`let … else`", Some("use `if` or `match`"));
            }
            self.expr(*init.expr)
        });
        match pat {
            syn::Pat::Ident(ident) if ident.subpat.is_none() => {
                let (name, mutable) = (Some(self.name(&ident.ident)), ident.mutability.is_some());
                Some(Let { name, mutable, ty, value, span })
            }
            syn::Pat::Wild(_) => Some(Let { name: None, mutable: false, ty, value, span }),
            other => {
                let span = self.span(other.span());
                let diagnostic =
                    Diagnostic::error("task-unsupported", span, "patterns are not supported in `let`")
                        .with_help("bind one name per `let`");
                self.diagnostics.push(diagnostic);
                None
            }
        }
    }

    /// Converts an expression where a block is expected: `=> event!(a)`.
    pub(super) fn block_of(&mut self, expr: syn::Expr) -> Block {
        let expr = self.expr(expr);
        match expr.kind {
            ExprKind::Block(None, block) => block,
            _ => {
                let span = expr.span;
                Block { statements: vec![Statement::Expr(expr)], has_tail: true, span }
            }
        }
    }
}
