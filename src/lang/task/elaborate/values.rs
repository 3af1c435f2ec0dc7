//! Values and types during elaboration, and what is known along one path of a
//! case split.

use super::objects::Objects;
use crate::diag::Span;
use crate::lang::task::ast::Expr;
use crate::lang::task::program::VariableId;
use crate::net::Failure;

/// Help for notes that say that the program would panic.
pub const PANIC_HELP: &str =
    "the run then ends with an error, as after a panic in Rust; on the flow engine only the task stops";

/// A value of an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Val {
    Bool(bool),
    Int(i64),
    /// An enum of the file and the position of the variant.
    Enum(usize, usize),
    /// A constant array, as its position in the table of arrays.
    Array(usize),
    /// The value of a statement.
    Unit,
    /// Any value: `any!()` and values that Trapline abstracts.
    Unknown,
}

/// A finite type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    Bool,
    Int(i64, i64),
    Enum(usize),
    Array(Box<Ty>, usize),
}

/// A variable, or an array whose elements are variables with consecutive ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    pub first: VariableId,
    pub ty: Ty,
}

/// The variables that a place expression can denote.
#[derive(Clone, Debug)]
pub enum Found<'a> {
    One(Place),
    /// One of these, since an index is unknown.
    OneOf {
        places: Vec<Place>,
        /// The first unknown index, and the length of its array.
        index: &'a Expr,
        len: usize,
    },
}

/// What a name refers to.
#[derive(Clone, Debug)]
pub enum Binding {
    /// `split` distinguishes a value that was read from a variable from a
    /// constant.
    Value {
        val: Val,
        split: bool,
    },
    Place(Place),
    /// A lock, semaphore or channel, or an array of these.
    Objects(Objects),
    /// Its declaration has a reported error.
    Broken,
}

/// Why an expression has no value yet.
pub enum Need<'a> {
    /// The variable must be read.
    Read(&'a Expr, VariableId),
    /// The expression has effects and must be performed.
    Effect(&'a Expr),
    /// The value of the expression is unknown, and what happens next depends
    /// on it: one path for each of these.
    Choice(&'a Expr, Vec<Val>),
    /// An error has been reported.
    Fault,
    /// The program would panic here.
    Panic(Failure, Span),
}

/// The reads and results along one path of a case split.
#[derive(Clone, Default)]
pub struct Known<'a> {
    results: Vec<(&'a Expr, Val)>,
    /// Values read since the last effect; a variable is read once per
    /// expression.
    reads: Vec<(VariableId, Val)>,
    /// Whether some value comes from a variable.
    pub split: bool,
}

impl Ty {
    /// Returns the number of its scalar variables.
    pub fn n_scalars(&self) -> usize {
        match self {
            Self::Array(element, len) => element.n_scalars().saturating_mul(*len),
            _ => 1,
        }
    }
}

impl Found<'_> {
    /// Returns all places that it can denote.
    pub fn places(self) -> Vec<Place> {
        match self {
            Self::One(place) => vec![place],
            Self::OneOf { places, .. } => places,
        }
    }
}

impl<'a> Known<'a> {
    /// Returns the value of exactly this expression.
    pub fn result(&self, expr: &Expr) -> Option<Val> {
        self.results.iter().find(|(known, _)| std::ptr::eq(*known, expr)).map(|(_, val)| *val)
    }

    /// Returns the value of a variable that was read before.
    pub fn read(&self, variable: VariableId) -> Option<Val> {
        self.reads.iter().find(|(known, _)| *known == variable).map(|(_, val)| *val)
    }

    /// Returns what is known after reading `variable` for `expr`.
    pub fn with_read(&self, expr: &'a Expr, variable: VariableId, val: Val) -> Self {
        let mut known = self.clone();
        known.results.push((expr, val));
        known.reads.push((variable, val));
        known.split = true;
        known
    }

    /// Returns what is known after choosing one of the values of an unknown
    /// `expr`. The choice is not certain, so later errors are notes.
    pub fn with_choice(&self, expr: &'a Expr, val: Val) -> Self {
        let mut known = self.clone();
        known.results.retain(|(other, _)| !std::ptr::eq(*other, expr));
        known.results.push((expr, val));
        known.split = true;
        known
    }

    /// Returns what is known after performing `expr`, which may have changed
    /// variables.
    pub fn with_effect(&self, expr: &'a Expr, val: Val) -> Self {
        let mut known = self.clone();
        known.results.push((expr, val));
        known.reads.clear();
        known
    }
}
