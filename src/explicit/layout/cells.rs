//! Variables taken apart into scalars.

use crate::net::{ChannelKind, Expr, Initial, Network, Place, Type, Variable, Visibility};

/// One scalar of a variable.
#[derive(Clone, Debug)]
pub struct Cell {
    /// As a user writes it: `a[2].x`.
    pub name: String,
    /// Never a record.
    pub ty: Type,
    /// Its value at the start.
    pub initial: CellInitial,
    /// The variable it is part of, by its number among the globals or locals.
    pub variable: usize,
    /// Is it never shown?
    pub is_internal: bool,
}

/// What a cell holds at the start.
#[derive(Clone, Debug)]
pub enum CellInitial {
    /// 0.
    Zero,
    /// The value of an expression.
    Value(Expr),
    /// A new channel of a kind.
    Channel(usize),
}

/// The cells of all variables.
#[derive(Clone, Debug)]
pub struct Cells {
    /// Of the globals, one variable behind the other.
    pub globals: Vec<Cell>,
    /// Per template, of its locals.
    pub locals: Vec<Vec<Cell>>,
    /// Per global its first cell.
    pub global_starts: Vec<usize>,
    /// Per template and local its first cell.
    pub local_starts: Vec<Vec<usize>>,
}

impl Cells {
    /// The cells of a model whose channels are of `kinds`.
    pub fn new(network: &Network, kinds: &[ChannelKind]) -> Self {
        let taker = Taker { network, kinds };
        let (globals, global_starts) = taker.all(&network.globals);
        let (locals, local_starts) = network.templates.iter().map(|it| taker.all(&it.locals)).unzip();
        Self { globals, locals, global_starts, local_starts }
    }
}

/// Cells of a value of this type.
pub(in crate::explicit) fn size(network: &Network, ty: Type) -> usize {
    match ty {
        Type::Record(record) => {
            let fields = network.records[record.index()].fields.iter();
            fields.fold(0, |sum, field| sum.saturating_add(size_of_variable(network, field)))
        }
        _ => 1,
    }
}

/// Cells of a variable with all its elements.
pub(in crate::explicit) fn size_of_variable(network: &Network, variable: &Variable) -> usize {
    size(network, variable.ty).saturating_mul(variable.length.unwrap_or(1) as usize)
}

/// How a place is found from the first cell of its variable.
pub(in crate::explicit) struct Path<'a> {
    /// Cells that do not depend on an index.
    pub offset: usize,
    /// Indices, with how many elements there are and the cells of each.
    pub indices: Vec<(&'a Expr, usize, usize)>,
}

impl<'a> Path<'a> {
    /// The way to `place`, whose variable is given.
    pub(in crate::explicit) fn new(network: &Network, variable: &Variable, place: &'a Place) -> Self {
        let mut path = Self { offset: 0, indices: Vec::new() };
        let mut ty = variable.ty;
        path.index(place.index.as_deref(), variable.length, size(network, ty));
        for step in &place.fields {
            let Type::Record(record) = ty else { break };
            let fields = &network.records[record.index()].fields;
            let before = &fields[..step.field.index()];
            path.offset += before.iter().map(|field| size_of_variable(network, field)).sum::<usize>();
            let field = &fields[step.field.index()];
            ty = field.ty;
            path.index(step.index.as_deref(), field.length, size(network, ty));
        }
        path
    }

    fn index(&mut self, index: Option<&'a Expr>, length: Option<u32>, size: usize) {
        if let (Some(index), Some(length)) = (index, length) {
            self.indices.push((index, length as usize, size));
        }
    }
}

struct Taker<'a> {
    network: &'a Network,
    kinds: &'a [ChannelKind],
}

impl Taker<'_> {
    fn all(&self, variables: &[Variable]) -> (Vec<Cell>, Vec<usize>) {
        let (mut cells, mut starts) = (Vec::new(), Vec::new());
        for variable in variables {
            starts.push(cells.len());
            self.take(variable, &variable.name, starts.len() - 1, &mut cells);
        }
        (cells, starts)
    }

    fn take(&self, variable: &Variable, name: &str, number: usize, cells: &mut Vec<Cell>) {
        for element in 0..variable.length.unwrap_or(1) {
            let name = match variable.length {
                Some(_) => format!("{name}[{element}]"),
                None => name.to_string(),
            };
            match variable.ty {
                Type::Record(record) => {
                    for field in &self.network.records[record.index()].fields {
                        self.take(field, &format!("{name}.{}", field.name), number, cells);
                    }
                }
                ty => cells.push(Cell {
                    name,
                    ty,
                    initial: self.initial(&variable.initial, element as usize),
                    variable: number,
                    is_internal: variable.visibility == Visibility::Internal,
                }),
            }
        }
    }

    fn initial(&self, initial: &Initial, element: usize) -> CellInitial {
        match initial {
            Initial::Zero => CellInitial::Zero,
            Initial::Value(value) => CellInitial::Value(value.clone()),
            Initial::List(values) => match values.get(element).or(values.last()) {
                Some(value) => CellInitial::Value(value.clone()),
                None => CellInitial::Zero,
            },
            Initial::Channel(channel) => {
                let kind = ChannelKind::from(channel);
                let known = self.kinds.iter().position(|it| *it == kind);
                CellInitial::Channel(known.expect("every kind of the model is listed"))
            }
        }
    }
}
