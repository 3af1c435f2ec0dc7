//! The syntax tree of a task model, close to what a person writes.

pub type Block = Vec<Stmt>;

#[derive(Clone, Debug, Default)]
pub struct Model {
    pub consts: Vec<(String, i64)>,
    /// Constant arrays.
    pub arrays: Vec<(String, Vec<Expr>)>,
    pub enums: Vec<Enum>,
    pub statics: Vec<Static>,
    pub objects: Vec<Object>,
    pub functions: Vec<Function>,
    pub tasks: Vec<Task>,
}

#[derive(Clone, Debug)]
pub struct Enum {
    pub name: String,
    pub variants: Vec<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    Bool,
    Enum(String),
    /// `int!(lo..=hi)`
    Int(i64, i64),
    Array(Box<Type>, usize),
}

/// A shared variable; the initial value is that of every element, `None` is
/// `any!()`.
#[derive(Clone, Debug)]
pub struct Static {
    pub name: String,
    pub ty: Type,
    pub initial: Option<Expr>,
}

/// A lock, semaphore or channel.
#[derive(Clone, Debug)]
pub struct Object {
    pub name: String,
    pub kind: ObjectKind,
    /// The length of an array of them.
    pub len: Option<usize>,
}

#[derive(Clone, Debug)]
pub enum ObjectKind {
    Lock,
    /// Permits at the start and at most.
    Semaphore(i64, i64),
    /// The type of a message and the capacity.
    Channel(Type, usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    Lock,
    Unlock,
    Acquire,
    Release,
    Send,
    Recv,
}

#[derive(Clone, Debug)]
pub struct Task {
    pub name: String,
    /// The indices of a family with their ranges; empty for a single task.
    pub family: Vec<(String, Range)>,
    pub body: Block,
}

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub params: Vec<(String, ParamType)>,
    /// The type of `return e`.
    pub result: Option<Type>,
    pub body: Block,
}

#[derive(Clone, Debug)]
pub enum ParamType {
    /// A constant for the body, `usize`.
    Index,
    /// A constant for the body, of a type of the model.
    Value(Type),
    /// `&mut T`
    Ref(Type),
}

/// An expression over constants and variables.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Expr {
    Int(i64),
    Bool(bool),
    /// `Phase::Idle`
    Variant(String, String),
    /// A variable, a constant or a bound name.
    Place(Place),
    Not(Box<Expr>),
    Binary(Op, Box<Expr>, Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    /// `any!()`; as the index of an element that is written, any of them.
    Any,
    /// `f(args)`: a function that returns a `bool`; where a condition may stand
    /// and, without arguments, in the value of an assignment.
    Call(String, Vec<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    BitAnd,
    BitOr,
    BitXor,
    Shl,
    Shr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    pub name: String,
    pub indices: Vec<Expr>,
    /// Written `*name`: a `&mut` parameter of a function.
    pub deref: bool,
}

#[derive(Clone, Debug)]
pub enum Range {
    /// `a..b`
    HalfOpen(Expr, Expr),
    /// `a..=b`
    Closed(Expr, Expr),
    /// `bool` or the name of an enum
    Type(Type),
    /// `[a, b]`
    List(Vec<Expr>),
    /// The name of a constant array
    Array(String),
}

#[derive(Clone, Debug)]
pub enum Stmt {
    /// `event!(name)`, `event!(name(args))` or `event!(name[args])`
    Event {
        name: String,
        args: Vec<Expr>,
        brackets: bool,
    },
    Assign(Place, Expr),
    /// `x += k`, and `x -= k` for a negative `k`
    Shift(Place, i64),
    /// `x op= e`
    Compound(Place, Op, Expr),
    /// `let name = constant;`
    LetConst(String, Expr),
    /// `let mut name: ty = value;` or without a value
    Let {
        name: String,
        ty: Type,
        value: Option<Expr>,
    },
    Call(Call),
    Accept(Accept),
    Select(Vec<Alternative>),
    Choose(Vec<Choice>),
    If(Expr, Block, Block),
    While {
        label: Option<String>,
        condition: Expr,
        body: Block,
    },
    Loop {
        label: Option<String>,
        body: Block,
    },
    For {
        label: Option<String>,
        name: String,
        range: Range,
        reverse: bool,
        body: Block,
    },
    Break(Option<String>),
    Continue(Option<String>),
    Match(Place, Vec<Arm>),
    /// `match (a, b) { … }`
    MatchTuple(Vec<Place>, Vec<TupleArm>),
    Wait(Expr),
    /// `atomic! { … }`
    Atomic(Block),
    /// `M[i].lock();`, `Q.send(e);`, `x = Q.recv();`
    Operate {
        result: Option<Place>,
        object: Place,
        operation: Operation,
        message: Option<Expr>,
    },
    /// `f(args);` or `place = f(args);`
    Run {
        result: Option<Place>,
        function: String,
        args: Vec<Arg>,
    },
    /// `place op= f(args);`
    Combine {
        target: Place,
        op: Op,
        function: String,
        args: Vec<Arg>,
    },
    Return(Option<Expr>),
}

/// `call!(task[index].entry[family](args))`
#[derive(Clone, Debug)]
pub struct Call {
    pub task: String,
    pub index: Vec<Expr>,
    pub entry: String,
    pub family: Vec<Expr>,
    pub args: Vec<Expr>,
}

/// `accept!(entry[family](params) => { body })`
#[derive(Clone, Debug)]
pub struct Accept {
    pub entry: String,
    pub family: Vec<Expr>,
    pub params: Vec<Param>,
    pub body: Option<Block>,
}

#[derive(Clone, Debug)]
pub enum Param {
    Value(Expr),
    In(String, Range),
}

#[derive(Clone, Debug)]
pub enum Alternative {
    Talk { names: Vec<(String, Range)>, guard: Option<Expr>, talk: Talk, then: Block },
    Else(Block),
    Terminate,
}

#[derive(Clone, Debug)]
pub enum Talk {
    Accept(Accept),
    Call(Call),
}

#[derive(Clone, Debug)]
pub enum Choice {
    Block(Block),
    Each(String, Range, Block),
}

#[derive(Clone, Debug)]
pub struct Arm {
    /// Alternatives of one arm; none is `_` or the name.
    pub patterns: Vec<Expr>,
    /// A name for the value, in place of `_`.
    pub name: Option<String>,
    /// `pattern if guard =>`
    pub guard: Option<Expr>,
    pub body: Block,
}

#[derive(Clone, Debug)]
pub struct TupleArm {
    /// Alternatives of one arm; none is a single `_`. With a name in it a
    /// pattern is the only one.
    pub patterns: Vec<Vec<Part>>,
    /// `(a, b) if guard =>`
    pub guard: Option<Expr>,
    pub body: Block,
}

/// A part of a tuple pattern.
#[derive(Clone, Debug)]
pub enum Part {
    /// `_`
    Any,
    Value(Expr),
    /// A name for the value.
    Name(String),
}

#[derive(Clone, Debug)]
pub enum Arg {
    Value(Expr),
    /// `&mut place`
    Ref(Place),
}

// Short hands for models written by hand.

pub fn int(value: i64) -> Expr {
    Expr::Int(value)
}

pub fn name(name: &str) -> Expr {
    Expr::Place(place(name))
}

pub fn place(name: &str) -> Place {
    Place { name: name.into(), indices: Vec::new(), deref: false }
}

pub fn element(name: &str, index: Expr) -> Place {
    Place { name: name.into(), indices: vec![index], deref: false }
}

pub fn pointee(name: &str) -> Place {
    Place { name: name.into(), indices: Vec::new(), deref: true }
}

pub fn binary(left: Expr, op: Op, right: Expr) -> Expr {
    Expr::Binary(op, Box::new(left), Box::new(right))
}

pub fn equal(left: Expr, right: Expr) -> Expr {
    binary(left, Op::Eq, right)
}

pub fn not(inner: Expr) -> Expr {
    Expr::Not(Box::new(inner))
}

pub fn below(n: i64) -> Range {
    Range::HalfOpen(int(0), int(n))
}

pub fn event(name: &str) -> Stmt {
    Stmt::Event { name: name.into(), args: Vec::new(), brackets: false }
}

pub fn event_of(name: &str, args: Vec<Expr>) -> Stmt {
    Stmt::Event { name: name.into(), args, brackets: false }
}

pub fn assign(variable: &str, value: Expr) -> Stmt {
    Stmt::Assign(place(variable), value)
}

pub fn call(task: &str, entry: &str, args: Vec<Expr>) -> Call {
    Call { task: task.into(), index: Vec::new(), entry: entry.into(), family: Vec::new(), args }
}

pub fn accept(entry: &str, params: Vec<Param>) -> Accept {
    Accept { entry: entry.into(), family: Vec::new(), params, body: None }
}

pub fn accept_do(entry: &str, params: Vec<Param>, body: Block) -> Accept {
    Accept { body: Some(body), ..accept(entry, params) }
}

pub fn any_times(body: Block) -> Stmt {
    Stmt::While { label: None, condition: Expr::Any, body }
}

pub fn endless(body: Block) -> Stmt {
    Stmt::Loop { label: None, body }
}

/// An arm without a name and a guard.
pub fn arm(patterns: Vec<Expr>, body: Block) -> Arm {
    Arm { patterns, name: None, guard: None, body }
}

/// An arm with a guard: `pattern if guard => { body }`.
pub fn arm_if(patterns: Vec<Expr>, guard: Expr, body: Block) -> Arm {
    Arm { guard: Some(guard), ..arm(patterns, body) }
}

/// A `select!` alternative without names and block.
pub fn alternative(guard: Option<Expr>, talk: Talk, then: Block) -> Alternative {
    Alternative::Talk { names: Vec::new(), guard, talk, then }
}

impl Expr {
    /// Is its value found by control flow?
    pub fn is_lazy(&self) -> bool {
        match self {
            Self::And(..) | Self::Or(..) | Self::Call(..) => true,
            Self::Not(inner) => inner.is_lazy(),
            _ => false,
        }
    }

    /// Does it call any function?
    pub fn has_call(&self) -> bool {
        match self {
            Self::Call(..) => true,
            Self::Not(inner) => inner.has_call(),
            Self::And(left, right) | Self::Or(left, right) => left.has_call() || right.has_call(),
            _ => false,
        }
    }

    /// Does it call the function?
    pub fn calls(&self, name: &str) -> bool {
        match self {
            Self::Call(function, _) => function == name,
            Self::Not(inner) => inner.calls(name),
            Self::And(left, right) | Self::Or(left, right) => left.calls(name) || right.calls(name),
            _ => false,
        }
    }
}

impl Op {
    pub fn symbol(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Sub => "-",
            Self::Mul => "*",
            Self::Div => "/",
            Self::Rem => "%",
            Self::BitAnd => "&",
            Self::BitOr => "|",
            Self::BitXor => "^",
            Self::Shl => "<<",
            Self::Shr => ">>",
            Self::Eq => "==",
            Self::Ne => "!=",
            Self::Lt => "<",
            Self::Le => "<=",
            Self::Gt => ">",
            Self::Ge => ">=",
        }
    }
}

impl Arm {
    /// Does it have one test per value?
    pub fn is_split(&self) -> bool {
        self.name.is_some() || self.guard.is_some()
    }
}

impl TupleArm {
    /// Does it have one test of the last variable per value?
    pub fn is_split(&self) -> bool {
        let is_name = |part: &Part| matches!(part, Part::Name(_));
        self.guard.is_some() || self.patterns.iter().flatten().any(is_name)
    }
}

impl Task {
    pub fn single(name: &str, body: Block) -> Self {
        Self { name: name.into(), family: Vec::new(), body }
    }

    pub fn family(name: &str, index: &str, n: i64, body: Block) -> Self {
        Self { name: name.into(), family: vec![(index.into(), below(n))], body }
    }
}

impl Static {
    pub fn new(name: &str, ty: Type, initial: Option<Expr>) -> Self {
        Self { name: name.into(), ty, initial }
    }
}
