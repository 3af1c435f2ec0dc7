//! Declarations.

use super::super::ast::{Declaration, Declarator, Initial, Mtype, Name, TypeName};
use super::super::token::Kind;
use super::super::tree::Visibility;
use super::{Parser, Read, is_keyword};
use crate::diag::Diagnostic;

/// Words that are types.
const TYPES: &[&str] = &["bit", "bool", "byte", "short", "int", "unsigned", "pid", "mtype", "chan"];

impl Parser<'_> {
    /// Returns whether a declaration begins here.
    pub(super) fn at_declaration(&self) -> bool {
        let token = self.peek();
        if ["hidden", "show", "local"].iter().chain(TYPES).any(|word| token.is(word)) {
            return true;
        }
        let next = self.peek_at(1);
        token.kind == Kind::Name
            && !is_keyword(&token.text)
            && next.kind == Kind::Name
            && !is_keyword(&next.text)
            && (!next.starts_line || self.records.contains(&token.text))
    }

    /// Returns whether `mtype = {` or `mtype:set = {` follows.
    pub(super) fn is_mtype_definition(&self) -> bool {
        let at = if self.peek_at(1).is(":") { 3 } else { 1 };
        self.peek_at(at).is("=") && self.peek_at(at + 1).is("{") || self.peek_at(at).is("{")
    }

    pub(super) fn mtype(&mut self) -> Read<Mtype> {
        let mark = self.next().mark;
        let set = self.subset()?;
        self.take("=");
        self.expect("{")?;
        let mut names = Vec::new();
        while !self.at("}") {
            names.push(self.name("a symbolic name")?);
            while self.take(",") {}
        }
        self.expect("}")?;
        Ok(Mtype { set, names, mark })
    }

    fn subset(&mut self) -> Read<Option<Name>> {
        match self.take(":") {
            true => self.name("the name of an `mtype`").map(Some),
            false => Ok(None),
        }
    }

    pub(super) fn declaration(&mut self) -> Read<Declaration> {
        let visibility = match &*self.peek().text {
            "hidden" => Visibility::Hidden,
            "show" => Visibility::Show,
            "local" => Visibility::Local,
            _ => Visibility::Plain,
        };
        if visibility != Visibility::Plain {
            self.next();
        }
        let ty = self.type_name()?;
        let mut variables = vec![self.declarator()?];
        while self.take(",") {
            variables.push(self.declarator()?);
        }
        Ok(Declaration { visibility, ty, variables })
    }

    fn type_name(&mut self) -> Read<TypeName> {
        let token = self.peek().clone();
        let is_type = TYPES.iter().any(|word| token.is(word));
        if !is_type {
            return Ok(TypeName { name: self.name("a type")?, set: None });
        }
        self.next();
        let name = Name { text: token.text.clone(), mark: token.mark };
        let set = if token.is("mtype") { self.subset()? } else { None };
        Ok(TypeName { name, set })
    }

    fn declarator(&mut self) -> Read<Declarator> {
        let name = self.name("the name of a variable")?;
        let mut declarator = Declarator { name, width: None, length: None, initial: None };
        if self.take(":") {
            declarator.width = Some(self.operand()?);
        }
        if self.take("[") {
            declarator.length = Some(self.inner_expr()?);
            self.expect("]")?;
        }
        if self.take("=") {
            declarator.initial = Some(self.initial()?);
        }
        Ok(declarator)
    }

    fn initial(&mut self) -> Read<Initial> {
        if self.at("[") {
            return self.channel();
        }
        if self.take("{") {
            let mut values = vec![self.inner_expr()?];
            while self.take(",") {
                values.push(self.inner_expr()?);
            }
            self.expect("}")?;
            return Ok(Initial::List(values));
        }
        self.expr().map(Initial::Value)
    }

    /// Parses `[capacity] of { types }`.
    fn channel(&mut self) -> Read<Initial> {
        let start = self.next().mark;
        let capacity = self.inner_expr()?;
        self.expect("]")?;
        self.expect("of")?;
        self.expect("{")?;
        let mut fields = vec![self.type_name()?];
        while self.take(",") {
            fields.push(self.type_name()?);
        }
        while self.take(";") {}
        self.expect("}")?;
        Ok(Initial::Channel { capacity, fields, mark: self.since(start) })
    }

    /// Parses `( declarations )` of a proctype.
    pub(super) fn parameters(&mut self) -> Read<Vec<Declaration>> {
        self.expect("(")?;
        let mut parameters: Vec<Declaration> = Vec::new();
        while !self.at(")") {
            self.parameter(&mut parameters)?;
            while self.take(";") {}
        }
        self.expect(")")?;
        Ok(parameters)
    }

    fn parameter(&mut self, parameters: &mut Vec<Declaration>) -> Read<()> {
        let visibility = Visibility::Plain;
        let ty = self.type_name()?;
        let mut variables = vec![self.declarator()?];
        while self.take(",") {
            if self.at_declaration() {
                let token = self.peek().clone();
                let message = "parameters with separate types must be separated by `;`";
                let diagnostic = Diagnostic::error("promela-syntax", self.previous.mark.span, message)
                    .with_help("write `proctype P(byte a; byte b)` or `proctype P(byte a, b)`");
                self.report.push(token.mark, diagnostic);
                parameters.push(Declaration { visibility, ty, variables });
                return Ok(());
            }
            variables.push(self.declarator()?);
        }
        parameters.push(Declaration { visibility, ty, variables });
        match self.at(";") || self.at(")") {
            true => Ok(()),
            false => self.unexpected("`;` or `)`"),
        }
    }
}
