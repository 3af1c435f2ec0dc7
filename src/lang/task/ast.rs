//! The syntax tree of a task model.
//!
//! It is independent of the parser, so another front end may build one. Every
//! node that a message can refer to has a span.

use crate::diag::Span;

/// A whole file.
#[derive(Debug, Default)]
pub struct Model {
    /// `const` items.
    pub constants: Vec<Constant>,
    /// `enum` items.
    pub enums: Vec<Enum>,
    /// `static` items.
    pub statics: Vec<Static>,
    /// `fn` items, tasks among them.
    pub functions: Vec<Function>,
}

/// An identifier and its span.
#[derive(Clone, Debug)]
pub struct Name {
    /// The identifier.
    pub text: String,
    /// Its span.
    pub span: Span,
}

/// `const N: usize = 3;`
#[derive(Debug)]
pub struct Constant {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// Its value.
    pub value: Expr,
}

/// `enum Phase { Idle, Busy }`
#[derive(Debug)]
pub struct Enum {
    /// Its name.
    pub name: Name,
    /// Its variants, in order.
    pub variants: Vec<Name>,
}

/// `static mut X: T = e;`
#[derive(Debug)]
pub struct Static {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
    /// Its initial value.
    pub initial: Expr,
}

/// A function or a task.
#[derive(Debug)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// The ranges of `#[task(…)]`; `None` for a function to call.
    pub task: Option<Vec<Binder>>,
    /// Its parameters.
    pub params: Vec<Param>,
    /// The written result type.
    pub result: Option<Type>,
    /// Its body.
    pub body: Block,
    /// The names of the entries that it accepts anywhere, also in statements that
    /// are never reached.
    pub accepts: Vec<String>,
}

/// A parameter of a function.
#[derive(Debug)]
pub struct Param {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub ty: Type,
}

/// A written type.
#[derive(Debug)]
pub struct Type {
    /// Its kind.
    pub kind: TypeKind,
    /// Its span.
    pub span: Span,
}

/// The forms of a type.
#[derive(Debug)]
pub enum TypeKind {
    /// `bool`.
    Bool,
    /// `u8`, `usize`, …
    Builtin(String),
    /// `int!(lo..=hi)`.
    Int(Box<Range>),
    /// An enum of the file.
    Named(String),
    /// `[T; len]`.
    Array(Box<Type>, Box<Expr>),
    /// `Channel<T>`.
    Channel(Box<Type>),
    /// `&T`, `&mut T`.
    Reference(Box<Type>),
    /// `()`.
    Unit,
    /// `_` or nothing.
    Inferred,
    /// Anything else, as written.
    Other(String),
}

/// `name in RANGE`.
#[derive(Debug)]
pub struct Binder {
    /// The name bound.
    pub name: Name,
    /// Its values.
    pub range: Range,
}

/// A finite sequence of values.
#[derive(Debug)]
pub struct Range {
    /// Its kind.
    pub kind: RangeKind,
    /// Its span.
    pub span: Span,
}

/// The forms of a range.
#[derive(Debug)]
pub enum RangeKind {
    /// `lo..hi`, `lo..=hi`, `(lo..hi).rev()`.
    Between {
        /// The first value.
        lo: Box<Expr>,
        /// The last value, or the one after it.
        hi: Box<Expr>,
        /// `..=`.
        inclusive: bool,
        /// `.rev()`.
        reversed: bool,
    },
    /// An enum, `bool` or a constant array.
    Type(String),
    /// `[1, 4, 9]`, `COST[0]`, `COST.iter().rev()`.
    Elements {
        /// A list or a constant array.
        array: Box<Expr>,
        /// `.rev()`.
        reversed: bool,
    },
    /// Not a range.
    Other,
    /// A node after a reported error.
    Error,
}

/// `{ … }`
#[derive(Debug)]
pub struct Block {
    /// The statements, in order.
    pub statements: Vec<Statement>,
    /// Whether the last one is an expression without a semicolon.
    pub has_tail: bool,
    /// Its span, including the braces.
    pub span: Span,
}

/// A statement.
#[derive(Debug)]
pub enum Statement {
    /// `let …`
    Let(Let),
    /// Anything else.
    Expr(Expr),
}

/// `let mut x: T = e;`
#[derive(Debug)]
pub struct Let {
    /// The name bound; `None` for `_`.
    pub name: Option<Name>,
    /// `mut`.
    pub mutable: bool,
    /// The written type.
    pub ty: Type,
    /// The value.
    pub value: Option<Expr>,
    /// The whole statement.
    pub span: Span,
}

/// An expression; most statements are expressions too.
#[derive(Debug)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// Its span.
    pub span: Span,
}

/// The forms of an expression.
#[derive(Debug)]
pub enum ExprKind {
    /// `true`.
    Bool(bool),
    /// `3`.
    Int(i64),
    /// A variable, constant or parameter.
    Name(String),
    /// `Phase::Idle`.
    Variant(Name, Name),
    /// `any!()`.
    Any,
    /// `w[i]`.
    Index(Box<Expr>, Box<Expr>),
    /// `!e`.
    Not(Box<Expr>),
    /// `-e`.
    Negate(Box<Expr>),
    /// `a + b`, `a && b`, …
    Binary(Operator, Box<Expr>, Box<Expr>),
    /// `e as T`.
    Cast(Box<Expr>, Type),
    /// `matches!(e, p)`, `let p = e` in a condition.
    Matches(Box<Expr>, Box<Pattern>),
    /// `&x`, `&mut x`.
    Reference {
        /// `&mut`.
        mutable: bool,
        /// The referenced variable.
        place: Box<Expr>,
    },
    /// `[a, b]`.
    List(Vec<Expr>),
    /// `[a; n]`.
    Repeat(Box<Expr>, Box<Expr>),
    /// `f(a)`, `module::f(a)`.
    Call {
        /// `f`, `module::f`.
        path: Name,
        /// The arguments.
        args: Vec<Expr>,
    },
    /// `a.method(b)`: always outside the model.
    Method {
        /// The receiver and the arguments.
        args: Vec<Expr>,
        /// The name of the method.
        name: Name,
    },
    /// `(a, b)`, the subject of a `match`.
    Tuple(Vec<Expr>),
    /// An unsupported expression: any value, after its parts with effects.
    Opaque {
        /// Description for the note.
        what: String,
        /// The parts, in order.
        parts: Vec<Expr>,
    },
    /// `{ … }`.
    Block(Option<Name>, Block),
    /// `if c { … } else …`.
    If {
        /// The condition.
        condition: Box<Expr>,
        /// The block if it is true.
        then: Block,
        /// The expression if it is false.
        otherwise: Option<Box<Expr>>,
    },
    /// `match e { … }`.
    Match(Box<Expr>, Vec<Arm>),
    /// `loop { … }`.
    Loop(Option<Name>, Block),
    /// `while c { … }`.
    While(Option<Name>, Box<Expr>, Block),
    /// `for i in RANGE { … }`.
    For {
        /// `'a:`.
        label: Option<Name>,
        /// The name bound; `None` for `_`.
        name: Option<Name>,
        /// Its values.
        range: Box<Range>,
        /// Repeated statements.
        body: Block,
    },
    /// `break 'a value`.
    Break(Option<Name>, Option<Box<Expr>>),
    /// `continue 'a`.
    Continue(Option<Name>),
    /// `return e`.
    Return(Option<Box<Expr>>),
    /// `x = e`.
    Assign(Box<Expr>, Box<Expr>),
    /// `x += e`, `x *= e`.
    Update(Operator, Box<Expr>, Box<Expr>),
    /// `event!(…)`.
    Event(Box<Target>),
    /// `call!(…)`.
    CallEntry(Box<Target>),
    /// `accept!(…)`.
    Accept(Box<Accept>),
    /// `select! { … }`.
    Select(Vec<Alternative>),
    /// `choose! { … }`.
    Choose(Vec<Choice>),
    /// `wait!(c)`.
    Wait(Box<Expr>),
    /// `atomic! { … }`.
    Atomic(Block),
    /// A node after a reported error.
    Error,
}

/// A binary operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Operator {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    And,
    Or,
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

/// `pattern if guard => body`
#[derive(Debug)]
pub struct Arm {
    /// Pattern.
    pub pattern: Pattern,
    /// `if …`.
    pub guard: Option<Expr>,
    /// Its body.
    pub body: Expr,
}

/// A pattern.
#[derive(Debug)]
pub struct Pattern {
    /// Its kind.
    pub kind: PatternKind,
    /// Its span.
    pub span: Span,
}

/// The forms of a pattern.
#[derive(Debug)]
pub enum PatternKind {
    /// `_`.
    Wild,
    /// A constant, or a new name for the value.
    Name(String),
    /// A value.
    Value(Expr),
    /// `lo..=hi`, `lo..hi`, `lo..`, `..=hi`.
    Range(Option<Box<Expr>>, Option<Box<Expr>>, bool),
    /// `a | b`.
    Or(Vec<Pattern>),
    /// `(a, b)`.
    Tuple(Vec<Pattern>),
    /// A node after a reported error.
    Error,
}

/// The target of `event!`, `call!` and `accept!`: `task[i].entry[j](a, b)`.
#[derive(Debug)]
pub struct Target {
    /// `task[i]`, before the dot.
    pub task: Option<(Name, Vec<Expr>)>,
    /// The entry or event.
    pub name: Name,
    /// `[j]`.
    pub indices: Vec<Argument>,
    /// `(a, b)`.
    pub args: Vec<Argument>,
    /// Its span.
    pub span: Span,
}

/// An argument of a target.
#[derive(Debug)]
pub enum Argument {
    /// A value.
    Value(Expr),
    /// `c in RANGE`, only in `accept!`.
    Each(Binder),
}

/// `accept!(entry(c in 0..N) => { body })`
#[derive(Debug)]
pub struct Accept {
    /// The entry.
    pub target: Target,
    /// Statements that run while the caller waits.
    pub body: Option<Block>,
}

/// An alternative of `select!`.
#[derive(Debug)]
pub enum Alternative {
    /// `i in RANGE => when GUARD => accept!(…) => { … }`
    Rendezvous {
        /// The ranges.
        binders: Vec<Binder>,
        /// The guard.
        guard: Option<Expr>,
        /// An `accept!` or `call!`.
        rendezvous: Box<Expr>,
        /// Statements after it.
        then: Option<Block>,
    },
    /// `else => { … }`
    Otherwise(Block),
    /// `terminate`
    Terminate(Span),
}

/// A block of `choose!`.
#[derive(Debug)]
pub struct Choice {
    /// One block per combination of their values.
    pub binders: Vec<Binder>,
    /// The block.
    pub block: Block,
}

impl Statement {
    /// Returns its span.
    pub fn span(&self) -> Span {
        match self {
            Self::Let(item) => item.span,
            Self::Expr(expr) => expr.span,
        }
    }
}

impl Let {
    /// Returns the name bound.
    pub fn bound(&self) -> &str {
        self.name.as_ref().map_or("_", |name| &name.text)
    }
}
