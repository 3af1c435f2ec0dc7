//! `printf` and `printm`.

use super::super::ast::{self, ExprKind as Syntax, Name};
use super::super::token::count;
use super::super::tree::{Expr, Format, MtypeId, StatementKind, Type};
use super::Checker;

impl Checker<'_> {
    /// Checks a `printf`. As in SPIN, after a name of a named set all printed
    /// names are names of that set.
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
        let mut current = MtypeId::new(0);
        let mut characters = inner.chars();
        while let Some(character) = characters.next() {
            match character {
                '\\' => pieces.text.extend(characters.next().map(unescaped)),
                '%' => match characters.next() {
                    Some('%') => pieces.text.push('%'),
                    Some(letter) if "dueoxc".contains(letter) => match values.next() {
                        Some((value, set)) => {
                            if letter == 'e' {
                                current = set.unwrap_or(current);
                            }
                            pieces.value(letter, value, current);
                        }
                        None => missing = true,
                    },
                    other => {
                        // SPIN skips a value as well.
                        values.next();
                        let message = format!(
                            "Promela has no conversion `%{}`",
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
                true => format!("the format string needs more than the {} given", count(given, "value")),
                false => {
                    format!("the format string does not use {} of the {given} given", count(left, "value"))
                }
            };
            self.warning("promela-print", format.mark, message);
        }
        StatementKind::Print(pieces.finish())
    }

    pub(super) fn printm(&mut self, value: &ast::Expr) -> StatementKind {
        if !matches!(value.kind, Syntax::Reference(_)) {
            let help = "to print a number, write `printf(\"%d\", …)`";
            self.error_with_help("promela-print", value.mark, "`printm` takes a name or a variable", help);
        }
        let set = self.printed_set(value).unwrap_or(MtypeId::new(0));
        StatementKind::Print(vec![Format::Mtype(self.plain_expr(value), set)])
    }

    /// Returns the named set of a printed variable; `None` for fields,
    /// constants and other expressions, as in SPIN.
    fn printed_set(&mut self, value: &ast::Expr) -> Option<MtypeId> {
        let Syntax::Reference(reference) = &value.kind else { return None };
        let name = &reference.name.text;
        let known = self.body.visible(name).map(|id| self.body.local(id).ty);
        let known = known.or_else(|| self.global_names.get(name).map(|id| self.globals[id.index()].ty));
        match known? {
            Type::Mtype(set) if set != MtypeId::new(0) => Some(set),
            _ => None,
        }
    }
}

/// Text and values in the order in which they are printed.
#[derive(Default)]
struct Pieces {
    done: Vec<Format>,
    text: String,
}

impl Pieces {
    fn value(&mut self, letter: char, value: Expr, set: MtypeId) {
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
