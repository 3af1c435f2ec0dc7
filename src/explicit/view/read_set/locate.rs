//! Fields of the variables of a process.

use crate::analysis::accesses::{AccessKind, Scope};
use crate::analysis::part::{Owner, Part};
use crate::explicit::engine::Engine;
use crate::explicit::layout::{Field, ProcessOption};
use crate::net::{Expr, ExprKind, Path, Place, Root, Template, Type};
use crate::system::Word;

/// Finds the fields of variables, as seen by one process.
#[derive(Clone, Copy, Debug)]
pub(super) struct Locator<'e> {
    engine: &'e Engine<'e>,
    option: &'e ProcessOption,
    pub scope: Scope<'e>,
}

impl<'e> Locator<'e> {
    /// Creates a locator for a process of the template with this tag.
    pub fn new(engine: &'e Engine<'e>, process: usize, tag: usize) -> Self {
        let option = &engine.layout.processes[process].options[tag];
        let scope = Scope { network: engine.network, template: option.template, process: Some(process) };
        Self { engine, option, scope }
    }

    /// Returns its template.
    pub fn template(self) -> &'e Template {
        self.scope.network.template(self.scope.template)
    }

    /// Returns the fields from the first one of a variable on.
    fn variable(self, root: Root) -> Option<&'e [Field]> {
        let cells = &self.engine.cells;
        match root {
            Root::Global(id) => Some(&self.engine.layout.globals[cells.global_starts[id.index()]..]),
            Root::Local(id) => {
                let starts = &cells.local_starts[self.scope.template.index()];
                Some(&self.option.locals[starts[id.index()]..])
            }
            Root::Scratch => None,
        }
    }

    /// Returns all fields to which a place can refer.
    pub fn fields(self, place: &Place) -> Vec<Field> {
        let Some(fields) = self.variable(place.root) else { return Vec::new() };
        if is_plain(place) {
            return vec![fields[0]];
        }
        let Some(part) = self.part(place) else { return Vec::new() };
        let cells = part.cells(self.scope.network, self.scope.template);
        cells.into_iter().map(|cell| fields[cell]).collect()
    }

    /// Returns whether a place refers to the same field in every state.
    pub fn is_certain(self, place: &Place) -> bool {
        is_plain(place) || self.part(place).is_none_or(|it| it.is_certain())
    }

    fn part(self, place: &Place) -> Option<Part> {
        self.scope.part(place, Owner::Own)
    }

    /// Returns the field to which a place refers in a state; `None` for `_` and
    /// for an index out of range.
    pub fn field(self, place: &Place, state: &[Word]) -> Option<Field> {
        let Scope { network, template, .. } = self.scope;
        let path = Path::new(network, network.variable(place.root, template)?, place);
        let mut cell = path.offset;
        for (index, n_elements, n_cells) in path.indices {
            let element = usize::try_from(self.value(index, state)?).ok()?;
            cell += n_cells * Some(element).filter(|it| *it < n_elements)?;
        }
        Some(self.variable(place.root)?[cell])
    }

    /// Evaluates an expression over variables.
    fn value(self, expr: &Expr, state: &[Word]) -> Option<i32> {
        expr.value(&mut |leaf| match &leaf.kind {
            ExprKind::Pid => self.scope.process.map(|it| it as i32),
            ExprKind::Read(place) => Some(self.field(place, state)?.get(state)),
            _ => None,
        })
    }

    /// Returns the fields that determine the element to which a place refers;
    /// `None` if an index depends on an element of an array that can change.
    pub fn choosers(self, place: &Place) -> Option<Vec<Field>> {
        let (mut fields, mut is_simple) = (Vec::new(), true);
        self.scope.read(place, &mut |access| match access.kind {
            AccessKind::Read(index) if access.in_index => match self.is_certain(index) {
                true => fields.extend(self.fields(index)),
                false => is_simple &= self.are_fixed(index),
            },
            AccessKind::Read(_) | AccessKind::Failure => {}
            _ => is_simple = false,
        });
        is_simple.then_some(fields)
    }

    /// Returns whether every field to which the place can refer always contains
    /// the same channel.
    pub fn are_fixed(self, place: &Place) -> bool {
        self.fields(place).iter().all(|it| self.engine.fixed.contains(it))
    }
}

/// Returns whether the place is a scalar without index or record field.
fn is_plain(place: &Place) -> bool {
    place.index.is_none() && place.fields.is_empty() && !matches!(place.ty, Type::Record(_))
}
