//! Items: constants, enums, shared variables, functions and tasks.

use super::Parser;
use crate::diag::Diagnostic;
use crate::lang::task::ast::{
    Binder, Constant, Enum, Function, Model, Name, Param, Range, RangeKind, Static, Type, TypeKind,
};
use syn::spanned::Spanned;

const BUILTIN: [&str; 12] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

impl Parser {
    pub(super) fn items(&mut self, items: Vec<syn::Item>) -> Model {
        let mut model = Model::default();
        for item in items {
            self.item(item, &mut model);
        }
        model
    }

    fn item(&mut self, item: syn::Item, model: &mut Model) {
        match item {
            syn::Item::Const(item) => {
                let name = self.name(&item.ident);
                let (ty, value) = (self.ty(&item.ty), self.expr(*item.expr));
                model.constants.push(Constant { name, ty, value });
            }
            syn::Item::Static(item) => {
                let name = self.name(&item.ident);
                let (ty, initial) = (self.ty(&item.ty), self.expr(*item.expr));
                model.statics.push(Static { name, ty, initial });
            }
            syn::Item::Enum(item) => model.enums.extend(self.enumeration(item)),
            syn::Item::Fn(item) => model.functions.extend(self.function(item)),
            syn::Item::Use(_) => (),
            other => self.other_item(&other),
        }
    }

    fn other_item(&mut self, item: &syn::Item) {
        let (what, place) = match item {
            syn::Item::Impl(item) => ("`impl`", item.impl_token.span()),
            syn::Item::Trait(item) => ("a trait", item.ident.span()),
            syn::Item::Struct(item) => ("a struct", item.ident.span()),
            syn::Item::Union(item) => ("a union", item.ident.span()),
            syn::Item::Mod(item) => ("a module", item.ident.span()),
            syn::Item::Type(item) => ("a type alias", item.ident.span()),
            syn::Item::Macro(item) => ("a macro outside a function", item.mac.path.span()),
            _ => ("this item", item.span()),
        };
        let help =
            "a model consists of `const`, `static` and `fn` items, and of `enum` items without payloads";
        let span = self.span(place);
        self.unsupported(span, what, Some(help));
    }

    fn enumeration(&mut self, item: syn::ItemEnum) -> Option<Enum> {
        let name = self.name(&item.ident);
        if item.variants.is_empty() {
            self.error("task-type", name.span, format!("the enum `{}` has no variants", name.text));
            return None;
        }
        for variant in &item.variants {
            let span = self.span(variant.ident.span());
            if !variant.fields.is_empty() {
                self.unsupported(
                    span,
                    "a variant with a payload",
                    Some("all types of a model are finite: use variants without payloads"),
                );
            } else if let Some((_, value)) = &variant.discriminant {
                let span = self.span(value.span());
                self.unsupported(span, "an explicit discriminant", Some("remove the discriminant"));
            }
        }
        let variants = item.variants.iter().map(|variant| self.name(&variant.ident)).collect();
        Some(Enum { name, variants })
    }

    fn function(&mut self, item: syn::ItemFn) -> Option<Function> {
        let name = self.name(&item.sig.ident);
        let refused = if item.sig.asyncness.is_some() {
            Some("an `async` function")
        } else if !item.sig.generics.params.is_empty() {
            Some("a generic function")
        } else {
            None
        };
        if let Some(what) = refused {
            self.unsupported(name.span, what, None);
            return None;
        }
        let task = self.task_attribute(&item.attrs);
        let params = item.sig.inputs.iter().filter_map(|input| self.param(input)).collect();
        let result = match &item.sig.output {
            syn::ReturnType::Default => None,
            syn::ReturnType::Type(_, ty) => Some(self.ty(ty)),
        };
        let body = self.block(*item.block);
        let accepts = std::mem::take(&mut self.accepts);
        Some(Function { name, task, params, result, body, accepts })
    }

    /// Returns the ranges of `#[task(…)]`, if the function is a task.
    fn task_attribute(&mut self, attributes: &[syn::Attribute]) -> Option<Vec<Binder>> {
        let attribute = attributes.iter().find(|attribute| attribute.path().is_ident("task"))?;
        match &attribute.meta {
            syn::Meta::Path(_) => Some(Vec::new()),
            syn::Meta::List(list) => Some(self.binders(list.tokens.clone(), list.delimiter.span().join())),
            syn::Meta::NameValue(_) => {
                let span = self.span(attribute.span());
                let diagnostic =
                    Diagnostic::error("task-syntax", span, "the attribute `task` takes no value")
                        .with_help("write `#[task]` or `#[task(id in 0..N)]`");
                self.diagnostics.push(diagnostic);
                Some(Vec::new())
            }
        }
    }

    fn param(&mut self, input: &syn::FnArg) -> Option<Param> {
        match input {
            syn::FnArg::Typed(typed) => match &*typed.pat {
                syn::Pat::Ident(ident) => {
                    if let Some(token) = &ident.mutability {
                        let span = self.span(token.span());
                        let help = "parameters are constant in the body: copy it to a local variable";
                        self.unsupported(span, "a `mut` parameter", Some(help));
                    }
                    Some(Param { name: self.name(&ident.ident), ty: self.ty(&typed.ty) })
                }
                other => {
                    let span = self.span(other.span());
                    self.unsupported(span, "a pattern as parameter", Some("give the parameter a name"));
                    None
                }
            },
            syn::FnArg::Receiver(receiver) => {
                let span = self.span(receiver.self_token.span());
                self.unsupported(span, "`self`", None);
                None
            }
        }
    }

    pub(super) fn ty(&mut self, ty: &syn::Type) -> Type {
        let span = match ty {
            // Computing the span of nested types with syn would be quadratic.
            syn::Type::Array(array) => self.span(array.bracket_token.span.join()),
            syn::Type::Reference(reference) => {
                let inner = self.ty(&reference.elem);
                let span = self.span(reference.and_token.span()).to(inner.span);
                return Type { kind: TypeKind::Reference(Box::new(inner)), span };
            }
            other => self.span(other.span()),
        };
        let kind = match ty {
            syn::Type::Path(path) => match path.path.get_ident() {
                Some(ident) if ident == "bool" => TypeKind::Bool,
                Some(ident) if BUILTIN.iter().any(|name| ident == name) => {
                    TypeKind::Builtin(ident.to_string())
                }
                Some(ident) => TypeKind::Named(ident.to_string()),
                None => match channel_message(path) {
                    Some(message) => TypeKind::Channel(Box::new(self.ty(message))),
                    None => TypeKind::Other("a path".into()),
                },
            },
            syn::Type::Macro(item) if item.mac.path.is_ident("int") => {
                TypeKind::Int(Box::new(self.range_tokens(item.mac.tokens.clone(), span)))
            }
            syn::Type::Array(array) => {
                let len = self.expr(array.len.clone());
                TypeKind::Array(Box::new(self.ty(&array.elem)), Box::new(len))
            }
            syn::Type::Tuple(tuple) if tuple.elems.is_empty() => TypeKind::Unit,
            syn::Type::Paren(paren) => return self.ty(&paren.elem),
            syn::Type::Group(group) => return self.ty(&group.elem),
            syn::Type::Infer(_) => TypeKind::Inferred,
            _ => TypeKind::Other("this type".into()),
        };
        Type { kind, span }
    }

    pub(super) fn name(&self, ident: &syn::Ident) -> Name {
        let text = ident.to_string();
        Name { text: text.strip_prefix("r#").unwrap_or(&text).to_string(), span: self.span(ident.span()) }
    }

    /// Converts a range: `0..N`, `(0..N).rev()`, `Phase`, `bool`.
    pub(super) fn range(&mut self, expr: syn::Expr) -> Range {
        let span = self.span(expr.span());
        Range { kind: self.range_kind(expr), span }
    }

    fn range_kind(&mut self, expr: syn::Expr) -> RangeKind {
        match expr {
            syn::Expr::Paren(paren) => self.range_kind(*paren.expr),
            syn::Expr::Group(group) => self.range_kind(*group.expr),
            syn::Expr::MethodCall(call) if call.method == "rev" && call.args.is_empty() => {
                match self.range_kind(*call.receiver) {
                    RangeKind::Between { lo, hi, inclusive, reversed } => {
                        RangeKind::Between { lo, hi, inclusive, reversed: !reversed }
                    }
                    RangeKind::Elements { array, reversed } => {
                        RangeKind::Elements { array, reversed: !reversed }
                    }
                    _ => RangeKind::Other,
                }
            }
            syn::Expr::MethodCall(call) if call.args.is_empty() && is_iteration(&call.method) => {
                match *call.receiver {
                    receiver @ syn::Expr::Path(_) => self.elements(receiver),
                    receiver => self.range_kind(receiver),
                }
            }
            syn::Expr::Reference(reference) => match *reference.expr {
                array @ (syn::Expr::Array(_)
                | syn::Expr::Repeat(_)
                | syn::Expr::Index(_)
                | syn::Expr::Path(_)) => self.elements(array),
                _ => RangeKind::Other,
            },
            array @ (syn::Expr::Array(_) | syn::Expr::Repeat(_) | syn::Expr::Index(_)) => {
                self.elements(array)
            }
            syn::Expr::Range(syn::ExprRange { start: Some(lo), end: Some(hi), limits, .. }) => {
                let inclusive = matches!(limits, syn::RangeLimits::Closed(_));
                let (lo, hi) = (Box::new(self.expr(*lo)), Box::new(self.expr(*hi)));
                RangeKind::Between { lo, hi, inclusive, reversed: false }
            }
            syn::Expr::Path(path) => match path.path.get_ident() {
                Some(ident) => RangeKind::Type(ident.to_string()),
                None => RangeKind::Other,
            },
            _ => RangeKind::Other,
        }
    }

    fn elements(&mut self, array: syn::Expr) -> RangeKind {
        RangeKind::Elements { array: Box::new(self.expr(array)), reversed: false }
    }
}

/// Returns the `T` of `Channel<T>`.
fn channel_message(path: &syn::TypePath) -> Option<&syn::Type> {
    let segment = path.path.segments.last()?;
    let syn::PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    match arguments.args.first() {
        Some(syn::GenericArgument::Type(message))
            if segment.ident == "Channel" && arguments.args.len() == 1 =>
        {
            Some(message)
        }
        _ => None,
    }
}

/// Returns whether a method returns the elements of an array.
fn is_iteration(method: &syn::Ident) -> bool {
    ["iter", "into_iter", "copied", "cloned"].iter().any(|name| method == name)
}
