//! Parts of variables: what a place can refer to, before the values of its
//! indices are known.

use super::accesses::Scope;
use crate::net::{Expr, FieldId, Network, Place, Root, TemplateId, Type, Variable};

/// A variable, or all its elements and fields to which a place can refer.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Part {
    /// Owner of the variable.
    pub owner: Owner,
    /// Index among the globals of the network or the locals of the template.
    pub variable: u32,
    /// Path to the part; it contains everything below the end of the path.
    pub steps: Vec<Selector>,
}

/// Owner of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Owner {
    /// A global variable.
    Global,
    /// The process that moves.
    Own,
    /// Another process of this template; or the process that moves, by
    /// `P[_pid]:x`.
    Process(TemplateId),
}

/// A step into an array or a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Selector {
    /// This element.
    Element(u32),
    /// An unknown element.
    AnyElement,
    /// A field.
    Field(FieldId),
}

impl Scope<'_> {
    /// Returns the part to which a place can refer; locals are those of `owner`.
    /// `None` for `_`.
    pub fn part(self, place: &Place, owner: Owner) -> Option<Part> {
        let (owner, variable) = match place.root {
            Root::Scratch => return None,
            Root::Global(global) => (Owner::Global, global.0),
            Root::Local(local) => (owner, local.0),
        };
        let mut part = Part { owner, variable, steps: Vec::new() };
        let declared = part.variable(self.network, self.template);
        let (mut ty, mut length) = (declared.ty, declared.length);
        part.steps.extend(self.selector(place.index.as_deref(), length));
        for step in &place.fields {
            let Type::Record(record) = ty else { break };
            let field = &self.network.records[record.index()].fields[step.field.index()];
            (ty, length) = (field.ty, field.length);
            part.steps.push(Selector::Field(step.field));
            part.steps.extend(self.selector(step.index.as_deref(), length));
        }
        Some(part)
    }

    /// Returns the element that an index selects, if there is an index.
    fn selector(self, index: Option<&Expr>, length: Option<u32>) -> Option<Selector> {
        let (index, length) = (index?, length?);
        let element = index.constant(self.process).and_then(|it| u32::try_from(it).ok());
        Some(match element.filter(|it| *it < length) {
            Some(element) => Selector::Element(element),
            None => Selector::AnyElement,
        })
    }
}

impl Part {
    /// Returns the declaration of the variable, if `own` is the template of the
    /// process that moves.
    pub fn variable<'n>(&self, network: &'n Network, own: TemplateId) -> &'n Variable {
        let template = match self.owner {
            Owner::Global => return &network.globals[self.variable as usize],
            Owner::Own => own,
            Owner::Process(template) => template,
        };
        &network.template(template).locals[self.variable as usize]
    }

    /// Returns whether it is known which elements are accessed.
    pub fn is_certain(&self) -> bool {
        !self.steps.contains(&Selector::AnyElement)
    }

    /// Returns whether they have anything in common. Owners are compared as they
    /// are.
    pub fn overlaps(&self, other: &Self) -> bool {
        (self.owner, self.variable) == (other.owner, other.variable) && overlap(&self.steps, &other.steps)
    }

    /// Returns its cells, counted from the first one of the variable.
    pub fn cells(&self, network: &Network, own: TemplateId) -> Vec<usize> {
        let variable = self.variable(network, own);
        let mut starts = vec![0];
        // Type at the current position: an array or, after an index, an element.
        let (mut ty, mut length) = (variable.ty, variable.length);
        for step in &self.steps {
            match *step {
                Selector::Element(index) => {
                    starts.iter_mut().for_each(|it| *it += index as usize * network.n_cells(ty));
                    length = None;
                }
                Selector::AnyElement => {
                    let (n_elements, each) = (length.unwrap_or(1) as usize, network.n_cells(ty));
                    let elements = |start: &usize| {
                        let start = *start;
                        (0..n_elements).map(move |index| start + index * each)
                    };
                    starts = starts.iter().flat_map(elements).collect();
                    length = None;
                }
                Selector::Field(field) => {
                    let Type::Record(record) = ty else { break };
                    let fields = &network.records[record.index()].fields;
                    let before = fields[..field.index()].iter();
                    let offset: usize = before.map(|it| network.n_cells_of(it)).sum();
                    starts.iter_mut().for_each(|it| *it += offset);
                    (ty, length) = (fields[field.index()].ty, fields[field.index()].length);
                }
            }
        }
        let n_cells = network.n_cells(ty) * length.unwrap_or(1) as usize;
        starts.into_iter().flat_map(|start| start..start + n_cells).collect()
    }
}

/// Returns whether two paths into one variable can meet.
pub(super) fn overlap(one: &[Selector], other: &[Selector]) -> bool {
    let agree = |(one, other): (&Selector, &Selector)| {
        one == other || *one == Selector::AnyElement || *other == Selector::AnyElement
    };
    one.iter().zip(other).all(agree)
}
