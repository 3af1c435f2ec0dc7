//! Variables as scalars: the *cells* of a variable are its scalars in the order
//! of elements and fields.

use super::data::{Type, Variable};
use super::expr::{Expr, Place};
use super::network::Network;

impl Network {
    /// Returns the number of cells of a value of this type.
    pub fn n_cells(&self, ty: Type) -> usize {
        match ty {
            Type::Record(record) => {
                let fields = self.records[record.index()].fields.iter();
                fields.fold(0, |sum, field| sum.saturating_add(self.n_cells_of(field)))
            }
            _ => 1,
        }
    }

    /// Returns the number of cells of a variable with all its elements.
    pub fn n_cells_of(&self, variable: &Variable) -> usize {
        self.n_cells(variable.ty).saturating_mul(variable.length.unwrap_or(1) as usize)
    }
}

/// Path from the first cell of a variable to a place.
#[derive(Clone, Debug)]
pub struct Path<'a> {
    /// Number of cells that does not depend on an index.
    pub offset: usize,
    /// Indices, with the number of elements and the number of cells of each.
    pub indices: Vec<(&'a Expr, usize, usize)>,
}

impl<'a> Path<'a> {
    /// Returns the path to `place`, whose variable is given.
    pub fn new(network: &Network, variable: &Variable, place: &'a Place) -> Self {
        let mut path = Self { offset: 0, indices: Vec::new() };
        let mut ty = variable.ty;
        path.index(place.index.as_deref(), variable.length, network.n_cells(ty));
        for step in &place.fields {
            let Type::Record(record) = ty else { break };
            let fields = &network.records[record.index()].fields;
            let before = &fields[..step.field.index()];
            path.offset += before.iter().map(|field| network.n_cells_of(field)).sum::<usize>();
            let field = &fields[step.field.index()];
            ty = field.ty;
            path.index(step.index.as_deref(), field.length, network.n_cells(ty));
        }
        path
    }

    fn index(&mut self, index: Option<&'a Expr>, length: Option<u32>, n_cells: usize) {
        if let (Some(index), Some(length)) = (index, length) {
            self.indices.push((index, length as usize, n_cells));
        }
    }
}
