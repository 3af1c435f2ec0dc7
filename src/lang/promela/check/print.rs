//! `printf` and `printm`.

use super::super::ast::{self, ExprKind as Syntax, Name};
use super::super::token::count;
use super::super::tree::{Expr, Format, MtypeId, StatementKind, Type};
use super::{Checker, Meaning};

impl Checker<'_> {
    pub(super) fn printf(&mut self, format: &Name, arguments: &[ast::Expr]) -> StatementKind {
        let mut values = Vec::new();
        for argument in arguments {
            let set = self.printed_set(argument);
            values.push((self.expr(argument), set));
        }
        let given = values.len();
        let mut values = values.into_iter();
        let inner = format.text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or("");
        let mut pieces = Pieces::default();
        let mut missing = false;
        let mut characters = inner.chars();
        while let Some(character) = characters.next() {
            match character {
                '\\' => pieces.text.extend(characters.next().map(unescaped)),
                '%' => match characters.next() {
                    Some('%') => pieces.text.push('%'),
                    Some(letter) if "dueoxc".contains(letter) => match values.next() {
                        Some((value, set)) => pieces.value(letter, value, set),
                        None => missing = true,
                    },
                    other => {
                        let message = format!(
                            "`%{}` is no format of Promela",
                            other.map_or(String::new(), String::from)
                        );
                        self.warning("promela-print", format.mark, message);
                    }
                },
                other => pieces.text.push(other),
            }
        }
        let left = values.len();
        if missing || 0 < left {
            let message = match missing {
                true => format!("the text prints more than the {} given", count(given, "value")),
                false => format!("{} of {given} without a place in the text", count(left, "value")),
            };
            self.warning("promela-print", format.mark, message);
        }
        StatementKind::Print(pieces.finish())
    }

    pub(super) fn printm(&mut self, value: &ast::Expr) -> StatementKind {
        let set = self.printed_set(value);
        StatementKind::Print(vec![Format::Mtype(self.plain_expr(value), set)])
    }

    /// The set of symbolic names a printed value is of.
    fn printed_set(&mut self, value: &ast::Expr) -> Option<MtypeId> {
        let Syntax::Reference(reference) = &value.kind else { return None };
        if let Some((set, _, _)) = self.visible_mtype(&reference.name) {
            return Some(set);
        }
        let known = self.body.visible(&reference.name.text).map(Meaning::Local);
        let known =
            known.or_else(|| self.global_names.get(&reference.name.text).map(|id| Meaning::Global(*id)));
        let mut ty = match known? {
            Meaning::Local(id) => self.body.local(id).ty,
            Meaning::Global(id) => self.globals[id.index()].ty,
            Meaning::Mtype(set, _) => Type::Mtype(set),
        };
        let mut current = reference;
        while let (Some(field), Type::Record(id)) = (&current.field, ty) {
            ty = self.records[id.index()].fields.iter().find(|known| known.name == *field.name.text)?.ty;
            current = field;
        }
        if let Type::Mtype(set) = ty { Some(set) } else { None }
    }
}

/// Text and values in the order they are printed.
#[derive(Default)]
struct Pieces {
    done: Vec<Format>,
    text: String,
}

impl Pieces {
    fn value(&mut self, letter: char, value: Expr, set: Option<MtypeId>) {
        self.end_text();
        self.done.push(match letter {
            'd' => Format::Decimal(value),
            'u' => Format::Unsigned(value),
            'x' => Format::Hexadecimal(value),
            'o' => Format::Octal(value),
            'c' => Format::Character(value),
            _ => Format::Mtype(value, set),
        });
    }

    fn end_text(&mut self) {
        if !self.text.is_empty() {
            self.done.push(Format::Text(std::mem::take(&mut self.text)));
        }
    }

    fn finish(mut self) -> Vec<Format> {
        self.end_text();
        self.done
    }
}

fn unescaped(character: char) -> char {
    match character {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        other => other,
    }
}
