//! Parses the top-level units of a model.

use super::super::ast::{Body, Name, Proctype, Unit};
use super::super::token::{Kind, Token};
use super::{Parser, Read};
use crate::diag::{Diagnostic, did_you_mean};

/// Words that begin a top-level unit.
const STARTERS: &[&str] = &[
    "active",
    "proctype",
    "D_proctype",
    "init",
    "never",
    "trace",
    "notrace",
    "ltl",
    "typedef",
    "inline",
    "mtype",
    "bit",
    "bool",
    "byte",
    "short",
    "int",
    "unsigned",
    "pid",
    "chan",
    "hidden",
    "show",
    "local",
    "c_code",
    "c_decl",
    "c_state",
    "c_track",
];

impl Parser<'_> {
    pub(super) fn units(&mut self) -> Vec<Unit> {
        let mut units = Vec::new();
        while self.peek().kind != Kind::End {
            if self.take(";") || self.take("->") {
                continue;
            }
            let before = self.rest.len();
            match self.unit() {
                Ok(unit) => units.extend(unit),
                Err(_) => self.recover_unit(before),
            }
        }
        units
    }

    /// Continues at the next word that begins a unit.
    fn recover_unit(&mut self, before: usize) {
        if self.rest.len() == before {
            self.next();
        }
        let mut depth = 0usize;
        while self.peek().kind != Kind::End {
            let token = self.peek();
            // In braces such a word may begin a statement, but rarely at the
            // start of a line.
            let starts = STARTERS.iter().any(|word| token.is(word));
            let sure = ["active", "proctype", "init", "never", "ltl", "inline", "typedef"];
            if starts && (depth == 0 || token.starts_line && sure.iter().any(|word| token.is(word))) {
                return;
            }
            if token.is("{") {
                depth += 1;
            } else if token.is("}") {
                depth = depth.saturating_sub(1);
            }
            self.next();
        }
    }

    fn unit(&mut self) -> Read<Option<Unit>> {
        let token = self.peek().clone();
        let unit = match &*token.text {
            "active" | "proctype" | "D_proctype" | "init" => self.proctype()?,
            "never" => {
                self.next();
                let name = self.optional_name()?;
                Unit::Claim { name, mark: token.mark, body: self.body()? }
            }
            "trace" | "notrace" => {
                self.next();
                let is_negated = token.is("notrace");
                Unit::Trace { is_negated, mark: token.mark, body: self.body()? }
            }
            "ltl" => self.ltl()?,
            "typedef" => self.typedef()?,
            "inline" => {
                self.inline_definition()?;
                return Ok(None);
            }
            "c_code" | "c_decl" | "c_state" | "c_track" => {
                self.embedded_c();
                return Ok(None);
            }
            "mtype" if self.is_mtype_definition() => Unit::Mtype(self.mtype()?),
            _ if self.at_declaration() && !self.is_misspelt_unit() => Unit::Declaration(self.declaration()?),
            _ => return self.unknown_unit(&token),
        };
        Ok(Some(unit))
    }

    /// Returns whether a keyword is misspelt: `proctipe P(` looks like a
    /// declaration.
    fn is_misspelt_unit(&self) -> bool {
        let token = self.peek();
        token.kind == Kind::Name && self.peek_at(1).kind == Kind::Name && self.peek_at(2).is("(")
    }

    fn unknown_unit<T>(&mut self, token: &Token) -> Read<T> {
        if self.is_misspelt_unit() && STARTERS.contains(&&*token.text) {
            let name = self.peek_at(1).clone();
            let message = format!("{} looks like a function, which Promela does not have", name.shown());
            let diagnostic = Diagnostic::error("promela-syntax", name.mark.span, message)
                .with_help("use an `inline`, which is expanded where it is called, or a `proctype`");
            self.report.push(name.mark, diagnostic);
            return Err(super::Failed);
        }
        let is_misspelt = token.kind == Kind::Name && !STARTERS.contains(&&*token.text);
        let help = did_you_mean(&token.text, STARTERS.iter().copied()).filter(|_| is_misspelt);
        if help.is_none() || self.peek_at(1).kind == Kind::End {
            return self.unexpected("a declaration, a proctype or `init`");
        }
        let message = format!("expected a declaration, a proctype or `init`, found {}", token.shown());
        let diagnostic =
            Diagnostic::error("promela-syntax", token.mark.span, message).with_optional_help(help);
        self.report.push(token.mark, diagnostic);
        Err(super::Failed)
    }

    fn optional_name(&mut self) -> Read<Option<Name>> {
        match self.at("{") {
            true => Ok(None),
            false => self.name("a name or `{`").map(Some),
        }
    }

    fn proctype(&mut self) -> Read<Unit> {
        let mut active = None;
        if self.take("active") {
            active = Some(None);
            if self.take("[") {
                active = Some(Some(self.inner_expr()?));
                self.expect("]")?;
            }
        }
        let word = self.peek().clone();
        let is_init = word.is("init");
        if !is_init && !word.is("proctype") && !word.is("D_proctype") {
            return self.unexpected("`proctype`");
        }
        self.next();
        let mut name = Name { text: word.text.clone(), mark: word.mark };
        let mut parameters = Vec::new();
        if !is_init {
            name = self.name("the name of a proctype")?;
            parameters = self.parameters()?;
        }
        let priority = match self.take("priority") {
            true => Some(self.operand()?),
            false => None,
        };
        let provided = match self.take("provided") {
            true => Some(self.inner_expr()?),
            false => None,
        };
        self.take(";");
        let body = self.body()?;
        let is_deterministic = word.is("D_proctype");
        let unit = Proctype { name, is_init, is_deterministic, active, parameters, priority, provided, body };
        Ok(Unit::Proctype(Box::new(unit)))
    }

    fn body(&mut self) -> Read<Body> {
        let mark = self.peek().mark;
        let statements = self.braces("the body")?;
        Ok(Body { statements, mark: self.since(mark) })
    }

    fn ltl(&mut self) -> Read<Unit> {
        let word = self.next();
        let name = self.optional_name()?;
        self.expect("{")?;
        self.is_formula = true;
        let formula = self.inner_expr();
        self.is_formula = false;
        let formula = formula?;
        while self.take(";") {}
        self.expect("}")?;
        Ok(Unit::Ltl { name, mark: word.mark, formula })
    }

    fn typedef(&mut self) -> Read<Unit> {
        self.next();
        let name = self.name("the name of a record type")?;
        self.expect("{")?;
        let mut fields = Vec::new();
        while !self.at("}") {
            fields.push(self.declaration()?);
            while self.take(";") {}
        }
        self.expect("}")?;
        Ok(Unit::Typedef { name, fields })
    }
}
