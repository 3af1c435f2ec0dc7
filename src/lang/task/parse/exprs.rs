//! Expressions.
//!
//! The span of a node is joined from its parts, if it has any: syn would visit
//! all tokens again on every level.

use super::Parser;
use crate::diag::Span;
use crate::lang::task::ast::{Arm, Expr, ExprKind, Name, Operator};
use syn::spanned::Spanned;

impl Parser {
    pub(super) fn expr(&mut self, expr: syn::Expr) -> Expr {
        match expr {
            syn::Expr::Paren(paren) => {
                let span = self.span(paren.paren_token.span.join());
                Expr { span, ..self.expr(*paren.expr) }
            }
            syn::Expr::Group(group) => self.expr(*group.expr),
            syn::Expr::Path(path) => self.path(&path.path),
            syn::Expr::Lit(lit) => self.literal(&lit),
            syn::Expr::Macro(item) => {
                let span = self.span(item.mac.span());
                Expr { kind: self.macro_kind(item.mac, span), span }
            }
            syn::Expr::Binary(binary) => self.binary(binary),
            syn::Expr::Unary(unary) => self.unary(unary),
            syn::Expr::Call(call) => self.call(call),
            syn::Expr::MethodCall(call) => self.method(call),
            syn::Expr::Index(index) => {
                let (base, place) = (self.expr(*index.expr), self.expr(*index.index));
                let span = base.span.to(self.span(index.bracket_token.span.close()));
                Expr { kind: ExprKind::Index(Box::new(base), Box::new(place)), span }
            }
            syn::Expr::Assign(assign) => {
                let (place, value) = (self.expr(*assign.left), self.expr(*assign.right));
                let span = place.span.to(value.span);
                Expr { kind: ExprKind::Assign(Box::new(place), Box::new(value)), span }
            }
            syn::Expr::Cast(cast) => {
                let (inner, ty) = (self.expr(*cast.expr), self.ty(&cast.ty));
                let span = inner.span.to(ty.span);
                Expr { kind: ExprKind::Cast(Box::new(inner), ty), span }
            }
            syn::Expr::Reference(reference) => {
                let place = self.expr(*reference.expr);
                let span = self.span(reference.and_token.span()).to(place.span);
                let mutable = reference.mutability.is_some();
                Expr { kind: ExprKind::Reference { mutable, place: Box::new(place) }, span }
            }
            syn::Expr::Array(array) => {
                let span = self.span(array.bracket_token.span.join());
                Expr { kind: ExprKind::List(self.all(array.elems)), span }
            }
            syn::Expr::Repeat(repeat) => {
                let span = self.span(repeat.bracket_token.span.join());
                let (value, len) = (self.expr(*repeat.expr), self.expr(*repeat.len));
                Expr { kind: ExprKind::Repeat(Box::new(value), Box::new(len)), span }
            }
            other => self.control(other),
        }
    }

    fn control(&mut self, expr: syn::Expr) -> Expr {
        match expr {
            syn::Expr::Block(block) => {
                let label = self.label(block.label);
                let block = self.block(block.block);
                Expr { span: block.span, kind: ExprKind::Block(label, block) }
            }
            syn::Expr::Unsafe(block) => {
                let block = self.block(block.block);
                Expr { span: block.span, kind: ExprKind::Block(None, block) }
            }
            syn::Expr::If(branch) => self.branch(branch),
            syn::Expr::Match(item) => {
                let span = self.span(item.match_token.span()).to(self.span(item.brace_token.span.close()));
                let subject = self.subject(*item.expr);
                let arms = item.arms.into_iter().map(|arm| self.arm(arm)).collect();
                Expr { kind: ExprKind::Match(Box::new(subject), arms), span }
            }
            syn::Expr::Loop(item) => {
                let (start, label) = (self.span(item.loop_token.span()), self.label(item.label));
                let body = self.block(item.body);
                Expr { span: start.to(body.span), kind: ExprKind::Loop(label, body) }
            }
            syn::Expr::While(item) => {
                let (start, label) = (self.span(item.while_token.span()), self.label(item.label));
                let condition = self.expr(*item.cond);
                let body = self.block(item.body);
                Expr { span: start.to(body.span), kind: ExprKind::While(label, Box::new(condition), body) }
            }
            syn::Expr::ForLoop(item) => self.for_loop(item),
            syn::Expr::Let(item) => {
                let start = self.span(item.let_token.span());
                let pattern = Box::new(self.pattern(*item.pat));
                let value = self.subject(*item.expr);
                Expr { span: start.to(value.span), kind: ExprKind::Matches(Box::new(value), pattern) }
            }
            other => self.jump(other),
        }
    }

    /// Converts the subject of a `match`: a value, or a tuple of several.
    pub(super) fn subject(&mut self, expr: syn::Expr) -> Expr {
        match expr {
            syn::Expr::Paren(paren) => self.subject(*paren.expr),
            syn::Expr::Group(group) => self.subject(*group.expr),
            syn::Expr::Tuple(tuple) if tuple.elems.len() > 1 => {
                let span = self.span(tuple.paren_token.span.join());
                Expr { kind: ExprKind::Tuple(self.all(tuple.elems)), span }
            }
            other => self.expr(other),
        }
    }

    fn jump(&mut self, expr: syn::Expr) -> Expr {
        match expr {
            syn::Expr::Break(item) => {
                let span = self.span(item.break_token.span());
                let label = self.jump_label(item.label);
                let value = item.expr.map(|value| Box::new(self.expr(*value)));
                Expr { kind: ExprKind::Break(label, value), span }
            }
            syn::Expr::Continue(item) => {
                let span = self.span(item.continue_token.span());
                let label = self.jump_label(item.label);
                Expr { kind: ExprKind::Continue(label), span }
            }
            syn::Expr::Return(item) => {
                let start = self.span(item.return_token.span());
                let value = item.expr.map(|value| Box::new(self.expr(*value)));
                let span = value.as_ref().map_or(start, |value| start.to(value.span));
                Expr { kind: ExprKind::Return(value), span }
            }
            other => self.opaque(other),
        }
    }

    /// Converts an unsupported expression to its parts with effects.
    fn opaque(&mut self, expr: syn::Expr) -> Expr {
        let span = self.span(expr.span());
        let (what, parts) = match expr {
            syn::Expr::Tuple(tuple) => ("a tuple", self.all(tuple.elems)),
            syn::Expr::Field(field) => ("a field", vec![self.expr(*field.base)]),
            syn::Expr::Try(item) => ("`?`", vec![self.expr(*item.expr)]),
            syn::Expr::Struct(item) => {
                ("a struct value", item.fields.into_iter().map(|field| self.expr(field.expr)).collect())
            }
            syn::Expr::Range(range) => {
                let bounds = range.start.into_iter().chain(range.end);
                ("a range", bounds.map(|bound| self.expr(*bound)).collect())
            }
            syn::Expr::RawAddr(item) => ("a raw pointer", vec![self.expr(*item.expr)]),
            syn::Expr::Const(_) | syn::Expr::Infer(_) => ("this expression", Vec::new()),
            syn::Expr::Closure(_) => return self.refuse(span, "a closure"),
            syn::Expr::Async(_) | syn::Expr::Await(_) => return self.refuse(span, "`async` code"),
            _ => return self.refuse(span, "this expression"),
        };
        Expr { kind: ExprKind::Opaque { what: what.into(), parts }, span }
    }

    fn refuse(&mut self, span: Span, what: &str) -> Expr {
        self.unsupported(span, what, None);
        Expr { kind: ExprKind::Error, span }
    }

    fn literal(&mut self, lit: &syn::ExprLit) -> Expr {
        let span = self.span(lit.lit.span());
        let kind = match &lit.lit {
            syn::Lit::Bool(value) => ExprKind::Bool(value.value),
            syn::Lit::Int(value) => match value.base10_parse::<i64>() {
                Ok(number) => ExprKind::Int(number),
                Err(_) => {
                    self.error("task-value", span, "this number does not fit in 64 bits");
                    ExprKind::Error
                }
            },
            _ => ExprKind::Opaque { what: "this literal".into(), parts: Vec::new() },
        };
        Expr { kind, span }
    }

    fn unary(&mut self, unary: syn::ExprUnary) -> Expr {
        let start = self.span(unary.op.span());
        let inner = self.expr(*unary.expr);
        let span = start.to(inner.span);
        match unary.op {
            syn::UnOp::Not(_) => Expr { kind: ExprKind::Not(Box::new(inner)), span },
            syn::UnOp::Neg(_) => Expr { kind: ExprKind::Negate(Box::new(inner)), span },
            _ => Expr { span, ..inner },
        }
    }

    fn binary(&mut self, binary: syn::ExprBinary) -> Expr {
        let (left, right) = (self.expr(*binary.left), self.expr(*binary.right));
        let span = left.span.to(right.span);
        let (left, right) = (Box::new(left), Box::new(right));
        let kind = match operator(&binary.op) {
            Some((operator, false)) => ExprKind::Binary(operator, left, right),
            Some((operator, true)) => ExprKind::Update(operator, left, right),
            None => return self.refuse(span, "this operator"),
        };
        Expr { kind, span }
    }

    fn call(&mut self, call: syn::ExprCall) -> Expr {
        let close = self.span(call.paren_token.span.close());
        let path = match *call.func {
            syn::Expr::Path(path) => self.path_name(&path.path),
            other => {
                let span = self.span(other.span());
                return self.refuse(span.to(close), "a call through an expression");
            }
        };
        let span = path.span.to(close);
        Expr { kind: ExprKind::Call { path, args: self.all(call.args) }, span }
    }

    fn method(&mut self, call: syn::ExprMethodCall) -> Expr {
        let receiver = self.expr(*call.receiver);
        let span = receiver.span.to(self.span(call.paren_token.span.close()));
        let name = self.name(&call.method);
        let mut args = vec![receiver];
        args.extend(self.all(call.args));
        Expr { kind: ExprKind::Method { args, name }, span }
    }

    fn branch(&mut self, branch: syn::ExprIf) -> Expr {
        let start = self.span(branch.if_token.span());
        let condition = Box::new(self.expr(*branch.cond));
        let then = self.block(branch.then_branch);
        let otherwise = branch.else_branch.map(|(_, other)| Box::new(self.expr(*other)));
        let end = otherwise.as_ref().map_or(then.span, |other| other.span);
        Expr { span: start.to(end), kind: ExprKind::If { condition, then, otherwise } }
    }

    fn arm(&mut self, arm: syn::Arm) -> Arm {
        let (pattern, guard) = self.guarded_pattern(arm.pat);
        Arm { pattern, guard, body: self.expr(*arm.body) }
    }

    fn for_loop(&mut self, item: syn::ExprForLoop) -> Expr {
        let start = self.span(item.for_token.span());
        let label = self.label(item.label);
        let name = match *item.pat {
            syn::Pat::Ident(ident) if ident.subpat.is_none() => Some(self.name(&ident.ident)),
            syn::Pat::Wild(_) => None,
            other => {
                let span = self.span(other.span());
                self.unsupported(span, "a pattern in `for`", Some("bind one name"));
                None
            }
        };
        let range = Box::new(self.range(*item.expr));
        let body = self.block(item.body);
        Expr { span: start.to(body.span), kind: ExprKind::For { label, name, range, body } }
    }

    fn label(&self, label: Option<syn::Label>) -> Option<Name> {
        label.map(|label| self.name(&label.name.ident))
    }

    fn jump_label(&self, label: Option<syn::Lifetime>) -> Option<Name> {
        label.map(|label| Name { span: self.span(label.span()), ..self.name(&label.ident) })
    }

    fn path_name(&self, path: &syn::Path) -> Name {
        let names: Vec<String> = path.segments.iter().map(|segment| self.name(&segment.ident).text).collect();
        Name { text: names.join("::"), span: self.span(path.span()) }
    }

    fn all(&mut self, exprs: impl IntoIterator<Item = syn::Expr>) -> Vec<Expr> {
        exprs.into_iter().map(|expr| self.expr(expr)).collect()
    }
}

/// Returns the operator, and whether it assigns.
fn operator(op: &syn::BinOp) -> Option<(Operator, bool)> {
    use syn::BinOp;
    Some(match op {
        BinOp::Add(_) => (Operator::Add, false),
        BinOp::Sub(_) => (Operator::Sub, false),
        BinOp::Mul(_) => (Operator::Mul, false),
        BinOp::Div(_) => (Operator::Div, false),
        BinOp::Rem(_) => (Operator::Rem, false),
        BinOp::And(_) => (Operator::And, false),
        BinOp::Or(_) => (Operator::Or, false),
        BinOp::BitXor(_) => (Operator::BitXor, false),
        BinOp::BitAnd(_) => (Operator::BitAnd, false),
        BinOp::BitOr(_) => (Operator::BitOr, false),
        BinOp::Shl(_) => (Operator::Shl, false),
        BinOp::Shr(_) => (Operator::Shr, false),
        BinOp::Eq(_) => (Operator::Eq, false),
        BinOp::Lt(_) => (Operator::Lt, false),
        BinOp::Le(_) => (Operator::Le, false),
        BinOp::Ne(_) => (Operator::Ne, false),
        BinOp::Ge(_) => (Operator::Ge, false),
        BinOp::Gt(_) => (Operator::Gt, false),
        BinOp::AddAssign(_) => (Operator::Add, true),
        BinOp::SubAssign(_) => (Operator::Sub, true),
        BinOp::MulAssign(_) => (Operator::Mul, true),
        BinOp::DivAssign(_) => (Operator::Div, true),
        BinOp::RemAssign(_) => (Operator::Rem, true),
        BinOp::BitXorAssign(_) => (Operator::BitXor, true),
        BinOp::BitAndAssign(_) => (Operator::BitAnd, true),
        BinOp::BitOrAssign(_) => (Operator::BitOr, true),
        BinOp::ShlAssign(_) => (Operator::Shl, true),
        BinOp::ShrAssign(_) => (Operator::Shr, true),
        _ => return None,
    })
}
