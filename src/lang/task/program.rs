//! The checked, elaborated form of a task model: the output of front ends for
//! tasks and the input of the engines.
//!
//! Everything finite has been expanded: a task family into its instances, an
//! array into its elements, an entry with parameters into one entry per value.
//! Functions are inlined. Each task has one control graph, whose edges have one
//! atomic action each.

use crate::define_id;
use crate::diag::Span;
use crate::net::{Failure, Operation, Purpose};
use std::sync::OnceLock;

define_id!(
    /// A task instance.
    TaskId
);
define_id!(
    /// A scalar variable: a shared one, a local one of one task instance, or
    /// one element of an array.
    VariableId
);
define_id!(
    /// An entry of one task instance for one combination of argument values.
    EntryId
);
define_id!(
    /// A control point, numbered within its task.
    PointId
);
define_id!(
    /// The origin of an action.
    SiteId
);

/// A value, as its position in the domain of its variable.
pub type Value = u32;

/// A whole task model.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// Indexed by [`VariableId`].
    pub variables: Vec<Variable>,
    /// Indexed by [`TaskId`].
    pub tasks: Vec<Task>,
    /// Indexed by [`EntryId`].
    pub entries: Vec<Entry>,
    /// Indexed by [`SiteId`].
    pub sites: Vec<Site>,
    /// The constants of the file, with the values of the settings.
    pub constants: Vec<Constant>,
    /// The enums of the file, as domains.
    pub enums: Vec<Domain>,
    /// The labels of the edges, by task.
    edge_labels: OnceLock<Vec<Vec<Option<Box<str>>>>>,
}

/// A constant of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: ConstantValue,
}

/// The value of a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConstantValue {
    /// `true`.
    Bool(bool),
    /// `3`.
    Int(i64),
    /// A variant, by its enum in [`Program::enums`].
    Variant(usize, Value),
    /// `[1, 4, 9]`.
    Array(Vec<ConstantValue>),
}

/// A scalar variable with a finite domain.
///
/// Its value is always in the domain: a value outside of it (`x += 1` at the
/// top of the range) becomes unknown, that is, any value of the domain.
#[derive(Clone, Debug)]
pub struct Variable {
    /// As written in labels and constraints: `locked`, `w[1]`, `t2.locked`.
    pub name: String,
    /// The task instance it is local to.
    pub owner: Option<TaskId>,
    /// The values it can take.
    pub domain: Domain,
    /// The value before the first action; `None` is any value.
    pub initial: Option<Value>,
    /// Its declaration.
    pub span: Span,
}

/// The values of a variable, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// `false`, `true`.
    Bool,
    /// The variants of a C-like enum, in the order of their declaration.
    Enum {
        /// The name of the type.
        name: String,
        /// The names of the variants.
        variants: Vec<String>,
    },
    /// `lo..=hi`.
    Int {
        /// The least value.
        lo: i64,
        /// The greatest value.
        hi: i64,
    },
}

/// A task instance and its control graph.
#[derive(Clone, Debug)]
pub struct Task {
    /// `server`, or `worker[2]` for an instance of a family.
    pub name: String,
    /// Points are `0..n_points`.
    pub n_points: usize,
    /// Initial point.
    pub start: PointId,
    /// Final point, which no edge leaves.
    pub end: PointId,
    /// In the order of the source text.
    pub edges: Vec<Edge>,
    /// Errors of the run. Engines that are not exact may ignore them: the task has
    /// no other edge for these values, so it stops.
    pub panics: Vec<Panic>,
    /// Statements that can never be executed, with the points before them.
    pub blocked: Vec<(PointId, SiteId)>,
    /// Points where a `select!` begins. Between such a point and the rendezvous
    /// of an alternative are the tests of its guard and of its arguments.
    pub selects: Vec<PointId>,
    /// The condition of the `wait!` between whose tests a point is, indexed by
    /// [`PointId`]. An exact engine takes all tests of a `wait!` together.
    pub waiting: Vec<Option<SiteId>>,
    /// Whether a point is strictly inside an atomic block, indexed by
    /// [`PointId`]; all false without blocks. While a task is at such a point
    /// no other task moves. At most one task is at such a point, and no call or
    /// accept leaves one.
    pub atomic: Vec<bool>,
    /// Whether it is a lock, a semaphore or a channel.
    pub is_object: bool,
    /// Its declaration.
    pub span: Span,
}

/// One atomic action between two control points.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The point before.
    pub from: PointId,
    /// The point after.
    pub to: PointId,
    /// Action.
    pub action: Action,
    /// Position.
    pub site: SiteId,
    /// The exact condition under which it can be taken.
    pub role: Role,
}

/// An error that ends the run, as a panic in Rust would.
#[derive(Clone, Debug)]
pub struct Panic {
    /// The point before.
    pub from: PointId,
    /// The variable that is read there, and the values for which it happens;
    /// always if `None`.
    pub test: Option<(VariableId, Vec<Value>)>,
    /// The kind of error.
    pub failure: Failure,
    /// Position.
    pub site: SiteId,
}

/// The exact condition under which an edge can be taken. An analysis that is
/// not exact may take it at any time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Role {
    /// Whenever its action is possible.
    #[default]
    Plain,
    /// The `else` of a `select!`: if no alternative can be taken.
    Otherwise,
    /// The `terminate` of a `select!`: when every other task has ended or waits
    /// likewise, so that nothing happens any more.
    Terminate,
    /// Assigns a value outside the domain of its variable, which is an error of
    /// the run.
    OutOfRange,
}

/// An action of a task.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// A step without effect.
    Silent,
    /// `event!(name)`, or a call of a function outside the model.
    Event(String),
    /// The variable has one of these values (sorted, not empty, not all).
    Test {
        /// The variable read.
        variable: VariableId,
        /// The values that pass.
        values: Vec<Value>,
    },
    /// The variable gets a value; `None` is any value of its domain.
    Assign {
        /// The variable written.
        variable: VariableId,
        /// The new value.
        value: Option<Value>,
    },
    /// The position in the domain moves by `by`; leaving the domain makes
    /// the value unknown.
    Shift {
        /// The variable read and written.
        variable: VariableId,
        /// Not zero.
        by: i64,
    },
    /// Calls an entry of another task and waits for the rendezvous to end.
    Call {
        /// The entry called.
        entry: EntryId,
    },
    /// Accepts a call of an entry of this task.
    Accept {
        /// The entry accepted.
        entry: EntryId,
        /// The points between which the body runs while the caller waits;
        /// without a body the rendezvous is one step.
        body: Option<(PointId, PointId)>,
    },
}

/// An entry of a task instance, with its argument values if it has any.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The task that accepts it.
    pub task: TaskId,
    /// The label of its rendezvous: `oper.prepay(0,1)`.
    pub label: String,
    /// The operation, if the task is a lock, a semaphore or a channel.
    pub operation: Option<Operation>,
}

impl Entry {
    /// Returns the purpose of a rendezvous at this entry.
    pub fn purpose(&self, program: &Program) -> Purpose {
        match self.operation {
            Some(operation) => Purpose::Object(operation, program.tasks[self.task.index()].name.clone()),
            None => {
                let name = self.label.split_once('(').map_or(self.label.as_str(), |(name, _)| name);
                Purpose::Entry(name.to_string())
            }
        }
    }
}

/// The source of an action.
#[derive(Clone, Debug)]
pub struct Site {
    /// The statement or condition.
    pub span: Span,
    /// The inlined calls that lead to it, outermost first.
    pub stack: Vec<Frame>,
}

/// One inlined function call.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The function called.
    pub function: String,
    /// Span of the call.
    pub span: Span,
}

impl Domain {
    /// Returns the number of values.
    pub fn size(&self) -> usize {
        match self {
            Self::Bool => 2,
            Self::Enum { variants, .. } => variants.len(),
            Self::Int { lo, hi } => usize::try_from(i128::from(*hi) - i128::from(*lo) + 1).unwrap_or(0),
        }
    }

    /// Returns the type in the syntax of models.
    pub fn name(&self) -> String {
        match self {
            Self::Bool => "bool".to_string(),
            Self::Enum { name, .. } => name.clone(),
            Self::Int { lo, hi } => format!("int!({lo}..={hi})"),
        }
    }

    /// Returns a value in the syntax of models.
    pub fn show(&self, value: Value) -> String {
        match self {
            Self::Bool => (value == 1).to_string(),
            Self::Enum { variants, .. } => variants[value as usize].clone(),
            Self::Int { lo, .. } => (lo + i64::from(value)).to_string(),
        }
    }
}

impl Program {
    /// Returns the name of a variable without the task it is local to.
    pub fn short_name<'a>(&self, variable: &'a Variable) -> &'a str {
        let owner = variable.owner.map(|task| self.tasks[task.index()].name.as_str());
        let stripped = owner.and_then(|owner| variable.name.strip_prefix(owner)?.strip_prefix('.'));
        stripped.unwrap_or(&variable.name)
    }

    /// Returns the event label of an edge of a finished model, `None` for a silent
    /// one.
    pub fn edge_label(&self, task: TaskId, edge: usize) -> Option<&str> {
        let labels = self.edge_labels.get_or_init(|| {
            let of_task = |task: &Task| {
                let labels = task.edges.iter().map(|edge| self.label(&edge.action));
                labels.map(|label| label.map(String::into_boxed_str)).collect()
            };
            self.tasks.iter().map(of_task).collect()
        });
        labels[task.index()][edge].as_deref()
    }

    /// Returns the event label of an action, `None` for a silent one.
    ///
    /// A rendezvous has the label of its entry. A test is written with the
    /// simplest operator that has its meaning: `==`, `!=`, then for integers
    /// `<` and `>=`, then `in {…}`.
    pub fn label(&self, action: &Action) -> Option<String> {
        let name = |variable: &VariableId| &self.variables[variable.index()].name;
        match action {
            Action::Silent => None,
            Action::Event(label) => Some(label.clone()),
            Action::Test { variable, values } => Some(self.test_label(*variable, values)),
            Action::Assign { variable, value: None } => Some(format!("{}=?", name(variable))),
            Action::Assign { variable, value: Some(value) } => {
                let domain = &self.variables[variable.index()].domain;
                Some(format!("{}={}", name(variable), domain.show(*value)))
            }
            Action::Shift { variable, by } if *by < 0 => {
                Some(format!("{}-={}", name(variable), by.unsigned_abs()))
            }
            Action::Shift { variable, by } => Some(format!("{}+={by}", name(variable))),
            Action::Call { entry } | Action::Accept { entry, .. } => {
                Some(self.entries[entry.index()].label.clone())
            }
        }
    }

    fn test_label(&self, variable: VariableId, values: &[Value]) -> String {
        let Variable { name, domain, .. } = &self.variables[variable.index()];
        let size = domain.size();
        let consecutive = values.windows(2).all(|pair| pair[0] + 1 == pair[1]);
        let is_int = matches!(domain, Domain::Int { .. });
        if let [value] = values {
            return format!("{name}=={}", domain.show(*value));
        }
        if values.len() + 1 == size {
            let missing = (0..size as Value).find(|value| !values.contains(value));
            return format!("{name}!={}", domain.show(missing.unwrap_or(0)));
        }
        if is_int && consecutive && values.first() == Some(&0) {
            return format!("{name}<{}", domain.show(values.len() as Value));
        }
        if is_int && consecutive && values.last().is_some_and(|last| *last as usize + 1 == size) {
            return format!("{name}>={}", domain.show(values[0]));
        }
        let shown: Vec<String> = values.iter().map(|value| domain.show(*value)).collect();
        format!("{name} in {{{}}}", shown.join(","))
    }
}
