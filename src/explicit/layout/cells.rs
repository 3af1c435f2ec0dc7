//! Variables taken apart into scalars.

use crate::lang::promela::tree::{ChannelType, Expr, Initial, Model, Place, Type, Variable};

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
    /// Per proctype, of its locals.
    pub locals: Vec<Vec<Cell>>,
    /// Per global its first cell.
    pub global_starts: Vec<usize>,
    /// Per proctype and local its first cell.
    pub local_starts: Vec<Vec<usize>>,
}

/// A kind of channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelKind {
    /// Messages at most; 0 for a rendezvous.
    pub capacity: u32,
    /// Types of a message.
    pub fields: Vec<Type>,
}

/// The kinds of channels that a model can make.
pub fn channel_kinds(model: &Model) -> Vec<ChannelKind> {
    let mut kinds = Vec::new();
    for (_, channel) in channel_variables(model) {
        if !kinds.contains(&kind_of(channel)) {
            kinds.push(kind_of(channel));
        }
    }
    kinds
}

/// The variables, and fields of records, that begin with a channel.
pub(in crate::explicit) fn channel_variables(
    model: &Model,
) -> impl Iterator<Item = (&Variable, &ChannelType)> {
    let locals = model.proctypes.iter().flat_map(|it| &it.body.locals);
    let fields = model.records.iter().flat_map(|it| &it.fields);
    model.globals.iter().chain(locals).chain(fields).filter_map(|it| match &it.initial {
        Initial::Channel(channel) => Some((it, channel)),
        _ => None,
    })
}

fn kind_of(channel: &ChannelType) -> ChannelKind {
    ChannelKind { capacity: channel.capacity, fields: channel.fields.clone() }
}

impl Cells {
    /// The cells of a model whose channels are of `kinds`.
    pub fn new(model: &Model, kinds: &[ChannelKind]) -> Self {
        let taker = Taker { model, kinds };
        let (globals, global_starts) = taker.all(&model.globals);
        let (locals, local_starts) = model.proctypes.iter().map(|it| taker.all(&it.body.locals)).unzip();
        Self { globals, locals, global_starts, local_starts }
    }
}

/// Cells of a value of this type.
pub(in crate::explicit) fn size(model: &Model, ty: Type) -> usize {
    match ty {
        Type::Record(record) => {
            let fields = model.records[record.index()].fields.iter();
            fields.fold(0, |sum, field| sum.saturating_add(size_of_variable(model, field)))
        }
        _ => 1,
    }
}

/// Cells of a variable with all its elements.
pub(in crate::explicit) fn size_of_variable(model: &Model, variable: &Variable) -> usize {
    size(model, variable.ty).saturating_mul(variable.length.unwrap_or(1) as usize)
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
    pub(in crate::explicit) fn new(model: &Model, variable: &Variable, place: &'a Place) -> Self {
        let mut path = Self { offset: 0, indices: Vec::new() };
        let mut ty = variable.ty;
        path.index(place.index.as_deref(), variable.length, size(model, ty));
        for step in &place.fields {
            let Type::Record(record) = ty else { break };
            let fields = &model.records[record.index()].fields;
            let before = &fields[..step.field.index()];
            path.offset += before.iter().map(|field| size_of_variable(model, field)).sum::<usize>();
            let field = &fields[step.field.index()];
            ty = field.ty;
            path.index(step.index.as_deref(), field.length, size(model, ty));
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
    model: &'a Model,
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
                    for field in &self.model.records[record.index()].fields {
                        self.take(field, &format!("{name}.{}", field.name), number, cells);
                    }
                }
                ty => cells.push(Cell {
                    name,
                    ty,
                    initial: self.initial(&variable.initial, element as usize),
                    variable: number,
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
                let kind = kind_of(channel);
                let known = self.kinds.iter().position(|it| *it == kind);
                CellInitial::Channel(known.expect("every kind of the model is listed"))
            }
        }
    }
}
