//! Variables divided into scalars.

use crate::net::{ChannelKind, Expr, Initial, Network, Type, Variable, Visibility};

/// One scalar of a variable.
#[derive(Clone, Debug)]
pub struct Cell {
    /// Name in the model's language, such as `a[2].x`.
    pub name: String,
    /// Type; never a record.
    pub ty: Type,
    /// Initial value.
    pub initial: CellInitial,
    /// Index of its variable among the globals or locals.
    pub variable: usize,
    /// Whether it is never shown.
    pub is_internal: bool,
}

/// Initial value of a cell.
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
    /// Cells of the globals, variable by variable.
    pub globals: Vec<Cell>,
    /// Cells of the locals, per template.
    pub locals: Vec<Vec<Cell>>,
    /// Index of the first cell of each global.
    pub global_starts: Vec<usize>,
    /// Index of the first cell of each local, per template.
    pub local_starts: Vec<Vec<usize>>,
}

impl Cells {
    /// Creates the cells of a network whose channels are of `kinds`.
    pub fn new(network: &Network, kinds: &[ChannelKind]) -> Self {
        let taker = Taker { network, kinds };
        let (globals, global_starts) = taker.all(&network.globals);
        let (locals, local_starts) = network.templates.iter().map(|it| taker.all(&it.locals)).unzip();
        Self { globals, locals, global_starts, local_starts }
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
