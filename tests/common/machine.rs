//! What one task can do next: small steps on continuations.
//!
//! A continuation is a list of what is left to do, innermost first. Equal
//! continuations are one number, so the moves of each are computed once.
//! Jumps and constant conditions are looked through. By the book so are
//! choices without a label (`choose!`, `any!()`): they do not show in any
//! sequence of labels. In the exact meaning such a choice is a step, a `select!`
//! waits until an alternative can be taken, and a `wait!` until its condition is
//! true.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::model::{
    Accept, Alternative, Arg, Arm, Block, Call, Choice, Expr, Function, ObjectKind, Op, Operation, Param,
    ParamType, Part, Place, Range, Stmt, Talk, TupleArm, Type,
};
use super::values::{Binding, Env, Kind, Reads, Stop, Value, World, apply, n_scalars};

/// Which meaning of the language is executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// `docs/task-language.md`: guards are tested before their alternative
    /// waits, `else` and `terminate` may always be chosen, and an assignment
    /// that leaves the domain makes the value unknown.
    #[default]
    Book,
    /// Silent choices commit, guard and rendezvous are one step, and so are all
    /// tests of a `wait!` without calls, `else` needs
    /// that no alternative can be taken, `terminate` is not a step, and an
    /// assignment that leaves the domain is an error.
    Exact,
}

/// A number for a continuation.
pub type Cont = usize;

/// The task has ended.
pub const END: Cont = 0;

/// Stands for the caller when moves are followed without the other tasks.
pub const SOMEBODY: usize = usize::MAX;

/// A part of the syntax tree, the same only as itself.
#[derive(Debug)]
pub struct At<'m, T: ?Sized>(pub &'m T);

impl<T: ?Sized> Clone for At<'_, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: ?Sized> Copy for At<'_, T> {}

impl<T: ?Sized> PartialEq for At<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl<T: ?Sized> Eq for At<'_, T> {}

impl<T: ?Sized> std::hash::Hash for At<'_, T> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        std::ptr::hash(self.0, state);
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Node<'m> {
    End,
    Block {
        rest: At<'m, [Stmt]>,
        env: Env<'m>,
        next: Cont,
    },
    /// A statement that has read the values `known` so far.
    Resume {
        stmt: At<'m, Stmt>,
        env: Env<'m>,
        known: Vec<i64>,
        next: Cont,
    },
    /// The head of a `loop` or `while`.
    Loop {
        stmt: At<'m, Stmt>,
        env: Env<'m>,
        next: Cont,
    },
    /// A `for` whose next value is the one with this number.
    For {
        stmt: At<'m, Stmt>,
        env: Env<'m>,
        at: usize,
        next: Cont,
    },
    Condition {
        condition: At<'m, Expr>,
        env: Env<'m>,
        known: Vec<i64>,
        yes: Option<Cont>,
        no: Option<Cont>,
    },
    /// A chosen alternative of a `select!` whose guard has passed.
    Alternative {
        alternative: At<'m, Alternative>,
        env: Env<'m>,
        known: Vec<i64>,
        next: Cont,
    },
    /// The rest of a condition that only has the tests that let it pass.
    Passing {
        condition: At<'m, Expr>,
        env: Env<'m>,
        wanted: bool,
        yes: Cont,
        again: Cont,
    },
    /// Where `return` goes, and the variable that gets the result.
    Function {
        stmt: At<'m, Stmt>,
        target: Option<usize>,
        next: Cont,
    },
    /// The arms of a `match` from this number on, for these values.
    Arms {
        stmt: At<'m, Stmt>,
        env: Env<'m>,
        values: Vec<Value>,
        at: usize,
        next: Cont,
    },
    /// The end of `x op= e`: reads the variable and assigns.
    Combine {
        variable: usize,
        op: Op,
        right: Value,
        next: Cont,
    },
    /// Where `return` goes in a function that a condition calls.
    Answer {
        yes: Option<Cont>,
        no: Option<Cont>,
    },
    /// The end of an assignment: one of the variables gets the value.
    Store {
        variables: Vec<usize>,
        value: Value,
        next: Cont,
    },
    /// The end of an atomic block.
    Leave {
        next: Cont,
    },
    /// The end of an accept body.
    Finish {
        entry: usize,
        caller: usize,
        next: Cont,
    },
    /// The caller during an accept body.
    Waiting {
        next: Cont,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Action<'m> {
    Silent,
    Event(String),
    /// The variable has one of these values: not none and not all of them.
    Test(usize, Vec<i64>),
    /// `None` is any value.
    Assign(usize, Option<i64>),
    /// An assignment that leaves the domain; only in the exact meaning.
    Leave(usize, i64),
    /// A declaration without a value: any value, and nothing to see.
    Forget(usize),
    /// An index outside its array or a division by zero; only in the exact
    /// meaning.
    Panic,
    Shift(usize, i64),
    /// The number of the entry's label.
    Call(usize),
    Accept(usize, Option<(At<'m, Block>, Env<'m>)>),
    /// The end of a rendezvous: entry and caller.
    Finish(usize, usize),
    /// An object, what happens to it, and the message.
    Operate(usize, Operation, Option<Value>),
    /// `else`: possible if the task has no other step; only in the exact meaning.
    Else,
    /// `terminate`: never a step, but the run may end here; only in the exact
    /// meaning.
    Terminate,
}

/// The variable has one of these values.
pub type Test = (usize, Vec<i64>);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Move<'m> {
    /// What has to hold at the same time: guard and arguments of an
    /// alternative. Empty by the book.
    pub tests: Vec<Test>,
    pub action: Action<'m>,
    pub next: Cont,
}

/// A task, or a call inlined into it.
#[derive(Clone, Debug)]
struct Scope {
    task: usize,
    /// `worker[0]` or `worker[0].f`
    prefix: String,
}

pub struct Machine<'m> {
    pub world: World<'m>,
    pub meaning: Meaning,
    pub tasks: Vec<String>,
    pub starts: Vec<Cont>,
    /// Labels of entries.
    pub entries: Vec<String>,
    entry_numbers: HashMap<String, usize>,
    /// Take both branches of a constant condition.
    both_branches: bool,
    scopes: Vec<Scope>,
    /// The scope of each function that is called in a scope: all its copies
    /// have the same variables.
    inlined: HashMap<(usize, &'m str), usize>,
    locals: HashMap<(usize, *const Stmt), usize>,
    nodes: Vec<Node<'m>>,
    numbers: HashMap<Node<'m>, Cont>,
    moves: Vec<Option<Rc<Vec<Move<'m>>>>>,
    settled: HashMap<(Rc<Vec<Move<'m>>>, bool), Cont>,
}

/// Collects moves while silent choices are looked through.
#[derive(Default)]
struct Sink<'m> {
    moves: Vec<Move<'m>>,
    seen: HashSet<Cont>,
}

impl<'m> Sink<'m> {
    fn push(&mut self, action: Action<'m>, next: Cont) {
        self.push_if(Vec::new(), action, next);
    }

    fn push_if(&mut self, tests: Vec<Test>, action: Action<'m>, next: Cont) {
        let step = Move { tests, action, next };
        if !self.moves.contains(&step) {
            self.moves.push(step);
        }
    }
}

impl<'m> Machine<'m> {
    pub fn new(world: World<'m>, meaning: Meaning) -> Self {
        let mut machine = Self {
            world,
            meaning,
            tasks: Vec::new(),
            starts: Vec::new(),
            entries: Vec::new(),
            entry_numbers: HashMap::new(),
            both_branches: false,
            scopes: Vec::new(),
            inlined: HashMap::new(),
            locals: HashMap::new(),
            nodes: Vec::new(),
            numbers: HashMap::new(),
            moves: Vec::new(),
            settled: HashMap::new(),
        };
        machine.number(Node::End);
        for task in &machine.world.model.tasks {
            let mut instances = vec![(task.name.clone(), Env::new(0))];
            for (index, range) in &task.family {
                let values = machine.world.range(range, &Env::new(0));
                let with = |(name, env): (String, Env<'m>)| {
                    let one = |value: &Value| {
                        (format!("{name}[{}]", value.raw), env.with(index, Binding::Constant(*value)))
                    };
                    values.iter().map(one).collect::<Vec<_>>()
                };
                instances = instances.into_iter().flat_map(with).collect();
            }
            for (name, mut env) in instances {
                env.scope = machine.scopes.len();
                machine.scopes.push(Scope { task: machine.tasks.len(), prefix: name.clone() });
                machine.tasks.push(name);
                machine.declare_locals(&task.body, env.scope);
                let start = machine.block(&task.body, env, END);
                machine.starts.push(start);
            }
        }
        machine
    }

    /// Entries that are called but that no accept a task may reach matches.
    ///
    /// A call counts even in a branch that is constantly false.
    pub fn unmatched_calls(world: World<'m>) -> Vec<String> {
        let accepted = Self::new(World::new(world.model), Meaning::Book).talks().1;
        let mut generous = Self::new(world, Meaning::Book);
        generous.both_branches = true;
        generous.talks().0.difference(&accepted).cloned().collect()
    }

    /// The labels of the entries called and accepted by some task on its own.
    fn talks(&mut self) -> (BTreeSet<String>, BTreeSet<String>) {
        let (mut called, mut accepted) = (BTreeSet::new(), BTreeSet::new());
        let mut todo = self.starts.clone();
        let mut seen = HashSet::new();
        while let Some(cont) = todo.pop() {
            if !seen.insert(cont) {
                continue;
            }
            for step in self.moves(cont).iter() {
                match &step.action {
                    Action::Call(entry) => _ = called.insert(self.entries[*entry].clone()),
                    Action::Accept(entry, body) => {
                        accepted.insert(self.entries[*entry].clone());
                        if body.is_some() {
                            todo.push(self.accepted(step, SOMEBODY));
                        }
                    }
                    _ => {}
                }
                todo.push(step.next);
            }
        }
        (called, accepted)
    }

    /// Where the acceptor is after the beginning of a rendezvous.
    pub fn accepted(&mut self, step: &Move<'m>, caller: usize) -> Cont {
        let Action::Accept(entry, Some((body, env))) = &step.action else { return step.next };
        let finish = self.number(Node::Finish { entry: *entry, caller, next: step.next });
        self.block(body.0, env.clone(), finish)
    }

    /// The caller of a rendezvous that goes on to `next` when the body ends.
    pub fn waiting(&mut self, next: Cont) -> Cont {
        self.number(Node::Waiting { next })
    }

    pub fn woken(&self, cont: Cont) -> Cont {
        let Node::Waiting { next } = self.nodes[cont] else {
            panic!("a caller waits for the end of the body")
        };
        next
    }

    /// One continuation for all that can do the same; the end if nothing is
    /// left but to end.
    pub fn settle(&mut self, cont: Cont) -> Cont {
        if cont == END || matches!(self.nodes[cont], Node::Waiting { .. }) {
            return cont;
        }
        let moves = self.moves(cont);
        match moves.as_slice() {
            [Move { action: Action::Silent, next: END, .. }] => END,
            _ => {
                let inside = self.is_inside(cont);
                *self.settled.entry((moves, inside)).or_insert(cont)
            }
        }
    }

    /// Is a task that has this left to do strictly inside an atomic block? A
    /// block is on the list of what is left only after its first action.
    pub fn is_inside(&self, cont: Cont) -> bool {
        match &self.nodes[cont] {
            Node::Leave { .. } => true,
            // The caller of a rendezvous is inside when the rendezvous ends.
            Node::End | Node::Waiting { .. } => false,
            Node::Condition { yes, no, .. } | Node::Answer { yes, no } => {
                yes.iter().chain(no).any(|cont| self.is_inside(*cont))
            }
            Node::Passing { yes, again, .. } => self.is_inside(*yes) || self.is_inside(*again),
            Node::Block { next, .. }
            | Node::Resume { next, .. }
            | Node::Loop { next, .. }
            | Node::For { next, .. }
            | Node::Alternative { next, .. }
            | Node::Function { next, .. }
            | Node::Arms { next, .. }
            | Node::Combine { next, .. }
            | Node::Store { next, .. }
            | Node::Finish { next, .. } => self.is_inside(*next),
        }
    }

    /// Goes on at the target of a jump: a step of its own if it leaves an
    /// atomic block, since the other tasks may move after it.
    fn jump(&mut self, from: Cont, target: Cont, sink: &mut Sink<'m>) {
        match self.is_inside(from) && !self.is_inside(target) {
            true => sink.push(Action::Silent, target),
            false => self.expand(target, sink),
        }
    }

    pub fn moves(&mut self, cont: Cont) -> Rc<Vec<Move<'m>>> {
        if let Some(moves) = &self.moves[cont] {
            return moves.clone();
        }
        let mut sink = Sink::default();
        if cont != END {
            self.expand(cont, &mut sink);
        }
        let moves = Rc::new(sink.moves);
        self.moves[cont] = Some(moves.clone());
        moves
    }

    fn number(&mut self, node: Node<'m>) -> Cont {
        if let Some(cont) = self.numbers.get(&node) {
            return *cont;
        }
        self.nodes.push(node.clone());
        self.moves.push(None);
        self.numbers.insert(node, self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    fn block(&mut self, rest: &'m [Stmt], env: Env<'m>, next: Cont) -> Cont {
        if rest.is_empty() { next } else { self.number(Node::Block { rest: At(rest), env, next }) }
    }

    fn entry(&mut self, label: String) -> usize {
        let fresh = self.entries.len();
        let entry = *self.entry_numbers.entry(label.clone()).or_insert(fresh);
        if entry == fresh {
            self.entries.push(label);
        }
        entry
    }

    fn function(&self, name: &str) -> &'m Function {
        let function = self.world.model.functions.iter().find(|function| function.name == name);
        function.unwrap_or_else(|| panic!("no function `{name}`"))
    }

    /// Gives every local variable its place, in the order of the source text.
    fn declare_locals(&mut self, block: &'m [Stmt], scope: usize) {
        for stmt in block {
            match stmt {
                Stmt::Let { name, ty, .. } => {
                    let plain = format!("{}.{name}", self.scopes[scope].prefix);
                    let again = format!("{plain}#");
                    let known = self.world.scalars.iter();
                    let known = known.filter(|known| known.name == plain || known.name.starts_with(&again));
                    let shown = match known.count() {
                        0 => plain,
                        before => format!("{again}{}", before + 1),
                    };
                    let variable = self.world.declare(shown, ty);
                    self.locals.insert((scope, stmt), variable);
                }
                Stmt::Run { function, .. } | Stmt::Combine { function, .. } => {
                    if self.inlined.contains_key(&(scope, function.as_str())) {
                        continue;
                    }
                    let Scope { task, prefix } = self.scopes[scope].clone();
                    let inner = self.scopes.len();
                    self.scopes.push(Scope { task, prefix: format!("{prefix}.{function}") });
                    self.inlined.insert((scope, function), inner);
                    self.declare_locals(&self.function(function).body, inner);
                }
                _ => {
                    for inner in inner_blocks(stmt) {
                        self.declare_locals(inner, scope);
                    }
                }
            }
        }
    }

    fn expand(&mut self, cont: Cont, sink: &mut Sink<'m>) {
        if cont == END {
            return sink.push(Action::Silent, END);
        }
        if !sink.seen.insert(cont) {
            return;
        }
        match self.nodes[cont].clone() {
            Node::End | Node::Waiting { .. } => {}
            Node::Block { rest: At(rest), env, next } => match &rest[0] {
                Stmt::LetConst(name, value) => {
                    let value = Binding::Constant(self.world.constant(value, &env));
                    let next = self.block(&rest[1..], env.with(name, value), next);
                    self.expand(next, sink);
                }
                stmt @ Stmt::Let { name, ty, .. } => {
                    let variable = Binding::Variable(self.locals[&(env.scope, stmt as *const Stmt)], ty);
                    let next = self.block(&rest[1..], env.with(name, variable), next);
                    self.statement(stmt, &env, &[], next, sink);
                }
                stmt => {
                    let next = self.block(&rest[1..], env.clone(), next);
                    self.statement(stmt, &env, &[], next, sink);
                }
            },
            Node::Resume { stmt: At(stmt), env, known, next } => {
                self.statement(stmt, &env, &known, next, sink);
            }
            Node::Loop { stmt: At(stmt), env, next } => match stmt {
                Stmt::Loop { body, .. } => {
                    let body = self.block(body, env, cont);
                    self.expand(body, sink);
                }
                Stmt::While { condition, body, .. } => {
                    let body = self.block(body, env.clone(), cont);
                    self.test(condition, &env, &[], Some(body), Some(next), sink);
                }
                _ => panic!("a loop is a loop"),
            },
            Node::For { stmt: At(stmt), env, at, next } => {
                let Stmt::For { name, range, reverse, body, .. } = stmt else { panic!("a for is a for") };
                let mut values = self.world.range(range, &env);
                if *reverse {
                    values.reverse();
                }
                let Some(value) = values.get(at) else { return self.expand(next, sink) };
                let again = self.number(Node::For { stmt: At(stmt), env: env.clone(), at: at + 1, next });
                let body = self.block(body, env.with(name, Binding::Constant(*value)), again);
                self.expand(body, sink);
            }
            Node::Condition { condition: At(condition), env, known, yes, no } => {
                self.test(condition, &env, &known, yes, no, sink);
            }
            Node::Passing { condition: At(condition), env, wanted, yes, again } => {
                self.passing(condition, &env, wanted, yes, again, sink);
            }
            Node::Alternative { alternative: At(alternative), env, known, next } => {
                self.chosen(alternative, &env, &known, next, sink);
            }
            Node::Function { next, .. } => self.expand(next, sink),
            Node::Answer { .. } => panic!("a function in a condition returns a value"),
            Node::Store { variables, value, next } => {
                for variable in variables {
                    sink.push(self.assign(variable, value), next);
                }
            }
            Node::Arms { stmt: At(stmt), env, values, at, next } => {
                self.known_arms(stmt, &env, &values, at, next, sink);
            }
            Node::Combine { variable, op, right, next } => {
                let kind = self.world.scalars[variable].kind;
                for (raw, _) in self.readings(variable, &[]) {
                    let value = apply(op, Value { raw, kind }, right).expect("a result is not a divisor");
                    let store = self.number(Node::Store { variables: vec![variable], value, next });
                    sink.push(Action::Test(variable, vec![raw]), store);
                }
            }
            Node::Leave { next } => sink.push(Action::Silent, next),
            Node::Finish { entry, caller, next } => sink.push(Action::Finish(entry, caller), next),
        }
    }

    /// One statement, after it has read the values `known`.
    fn statement(&mut self, stmt: &'m Stmt, env: &Env<'m>, known: &[i64], next: Cont, sink: &mut Sink<'m>) {
        match self.try_statement(stmt, env, known, next, sink) {
            Ok(()) => {}
            Err(Stop::Read(variable)) => {
                for (value, known) in self.readings(variable, known) {
                    let resume = Node::Resume { stmt: At(stmt), env: env.clone(), known, next };
                    let resume = self.number(resume);
                    sink.push(Action::Test(variable, vec![value]), resume);
                }
            }
            // By the book the task stops.
            Err(Stop::Panic) if self.meaning == Meaning::Book => {}
            Err(Stop::Panic) => sink.push(Action::Panic, END),
        }
    }

    /// The ways to read a variable after `known`.
    fn readings(&self, variable: usize, known: &[i64]) -> Vec<(i64, Vec<i64>)> {
        let scalar = &self.world.scalars[variable];
        (scalar.lo..=scalar.hi).map(|value| (value, [known, &[value]].concat())).collect()
    }

    /// Fails with the variable to be read next, or if the statement panics.
    fn try_statement(
        &mut self,
        stmt: &'m Stmt,
        env: &Env<'m>,
        known: &[i64],
        next: Cont,
        sink: &mut Sink<'m>,
    ) -> Result<(), Stop> {
        let mut reads = Reads::new(known);
        match stmt {
            Stmt::Event { name, args, brackets } => {
                let args = self.values(args, env, &mut reads)?;
                let shown = self.world.show_all(&args);
                let label = match (args.is_empty(), brackets) {
                    (true, _) => name.clone(),
                    (false, false) => format!("{name}({shown})"),
                    (false, true) => format!("{name}[{shown}]"),
                };
                sink.push(Action::Event(label), next);
            }
            Stmt::Assign(place, Expr::Any) => {
                for variable in self.variables(place, env, &mut reads)? {
                    sink.push(Action::Assign(variable, None), next);
                }
            }
            Stmt::Assign(place, value) if value.is_lazy() => {
                let variables = self.variables(place, env, &mut reads)?;
                let mut store = |raw: i64| {
                    let value = Value { raw, kind: Kind::Bool };
                    self.number(Node::Store { variables: variables.clone(), value, next })
                };
                let (yes, no) = (store(1), store(0));
                self.test(value, env, &[], Some(yes), Some(no), sink);
            }
            Stmt::Assign(place, value) => {
                if let Some(by) = self.shift(place, value, env) {
                    let variable = self.variable(place, env, &mut reads)?;
                    self.shift_by(variable, by, next, sink);
                } else {
                    let variables = self.variables(place, env, &mut reads)?;
                    let value = self.world.eval(value, env, &mut reads)?;
                    for variable in variables {
                        sink.push(self.assign(variable, value), next);
                    }
                }
            }
            Stmt::Shift(place, by) => {
                for variable in self.variables(place, env, &mut reads)? {
                    sink.push(Action::Shift(variable, *by), next);
                }
            }
            Stmt::Compound(place, op @ (Op::Add | Op::Sub), value) => {
                let variables = self.variables(place, env, &mut reads)?;
                let by = self.world.eval(value, env, &mut reads)?.raw;
                let by = if *op == Op::Add { by } else { -by };
                for variable in variables {
                    self.shift_by(variable, by, next, sink);
                }
            }
            Stmt::Compound(place, op, value) => {
                let variables = self.variables(place, env, &mut reads)?;
                let right = self.world.eval(value, env, &mut reads)?;
                if place.indices.contains(&Expr::Any) {
                    for variable in variables {
                        sink.push(Action::Assign(variable, None), next);
                    }
                } else {
                    let left = self.world.eval_variable(variables[0], &mut reads)?;
                    sink.push(self.assign(variables[0], apply(*op, left, right)?), next);
                }
            }
            Stmt::LetConst(..) => panic!("a constant is bound by its block"),
            Stmt::Let { value, .. } => {
                let variable = self.locals[&(env.scope, stmt as *const Stmt)];
                match value {
                    None => sink.push(Action::Forget(variable), next),
                    Some(Expr::Any) => sink.push(Action::Assign(variable, None), next),
                    Some(value) => {
                        let value = self.world.eval(value, env, &mut reads)?;
                        sink.push(self.assign(variable, value), next);
                    }
                }
            }
            Stmt::Call(call) => {
                let entry = self.callee(call, env, &mut reads)?;
                sink.push(Action::Call(entry), next);
            }
            Stmt::Accept(accept) => {
                for (entry, env) in self.acceptances(accept, env) {
                    let body = accept.body.as_ref().map(|body| (At(body), env));
                    sink.push(Action::Accept(entry, body), next);
                }
            }
            Stmt::Select(alternatives) => {
                let again = Node::Resume { stmt: At(stmt), env: env.clone(), known: Vec::new(), next };
                let again = self.number(again);
                for alternative in alternatives {
                    match self.meaning {
                        Meaning::Book => self.alternative(alternative, env, again, next, sink),
                        Meaning::Exact => self.offer(alternative, env, again, next, sink),
                    }
                }
            }
            Stmt::Choose(choices) => {
                for choice in choices {
                    self.choice(choice, env, next, sink);
                }
            }
            Stmt::If(condition, yes, no) => {
                let yes = self.block(yes, env.clone(), next);
                let no = self.block(no, env.clone(), next);
                self.test(condition, env, known, Some(yes), Some(no), sink);
            }
            Stmt::While { .. } | Stmt::Loop { .. } => {
                let head = self.number(Node::Loop { stmt: At(stmt), env: env.clone(), next });
                self.expand(head, sink);
            }
            Stmt::For { .. } => {
                let head = self.number(Node::For { stmt: At(stmt), env: env.clone(), at: 0, next });
                self.expand(head, sink);
            }
            Stmt::Break(label) => {
                let (_, after) = self.target(label.as_deref(), next);
                self.jump(next, after, sink);
            }
            Stmt::Continue(label) => {
                let (head, _) = self.target(label.as_deref(), next);
                self.jump(next, head, sink);
            }
            Stmt::Match(place, arms) => self.arms(stmt, place, arms, env, known, next, sink)?,
            Stmt::MatchTuple(places, arms) => self.tuple_arms(stmt, places, arms, env, known, next, sink)?,
            Stmt::Wait(condition) if self.meaning == Meaning::Exact && !condition.has_call() => {
                for mut tests in self.guard_tests(condition, env, true) {
                    match tests.pop() {
                        Some((variable, values)) => {
                            sink.push_if(tests, Action::Test(variable, values), next);
                        }
                        None => self.commit(next, sink),
                    }
                }
            }
            Stmt::Wait(condition) => {
                // What a call did is done: a wrong answer is no way back.
                let again = Node::Resume { stmt: At(stmt), env: env.clone(), known: Vec::new(), next };
                let again = self.number(again);
                self.passing(condition, env, true, next, again, sink);
            }
            Stmt::Atomic(body) => {
                let leave = self.number(Node::Leave { next });
                let body = self.block(body, env.clone(), leave);
                self.expand(body, sink);
            }
            Stmt::Operate { result, object, operation, message } => {
                let target = match result {
                    Some(place) => Some(self.variable(place, env, &mut reads)?),
                    None => None,
                };
                let object = self.world.object(object, env, &mut reads)?;
                if *operation != Operation::Recv {
                    let message = match message {
                        Some(message) => Some(self.world.eval(message, env, &mut reads)?),
                        None => None,
                    };
                    sink.push(Action::Operate(object, *operation, message), next);
                    return Ok(());
                }
                let ObjectKind::Channel(ty, _) = self.world.objects[object].kind else {
                    panic!("channels receive")
                };
                let (kind, lo, hi) = self.world.domain(ty);
                for raw in lo..=hi {
                    let value = Value { raw, kind };
                    let next = match target {
                        Some(variable) => self.number(Node::Store { variables: vec![variable], value, next }),
                        None => next,
                    };
                    sink.push(Action::Operate(object, *operation, Some(value)), next);
                }
            }
            Stmt::Run { result, function, args } => {
                let target = match result {
                    Some(place) => Some(self.variable(place, env, &mut reads)?),
                    None => None,
                };
                self.inline(stmt, target, self.function(function), args, env, &mut reads, next, sink)?;
            }
            Stmt::Combine { target, function, args, .. } => {
                let target = Some(self.variable(target, env, &mut reads)?);
                self.inline(stmt, target, self.function(function), args, env, &mut reads, next, sink)?;
            }
            Stmt::Return(value) => {
                let value = match value {
                    Some(value) => Some(self.world.eval(value, env, &mut reads)?),
                    None => None,
                };
                self.give_back(value, next, sink);
            }
        }
        Ok(())
    }

    fn values(&self, exprs: &[Expr], env: &Env<'m>, reads: &mut Reads) -> Result<Vec<Value>, Stop> {
        exprs.iter().map(|expr| self.world.eval(expr, env, reads)).collect()
    }

    fn variable(&self, place: &Place, env: &Env<'m>, reads: &mut Reads) -> Result<usize, Stop> {
        match self.world.resolve(place, env, reads)? {
            Binding::Variable(variable, _) => Ok(variable),
            _ => panic!("`{}` is a constant", place.name),
        }
    }

    /// The variables one of which is written: all elements for `w[any!()]`.
    fn variables(&self, place: &Place, env: &Env<'m>, reads: &mut Reads) -> Result<Vec<usize>, Stop> {
        if !place.indices.contains(&Expr::Any) {
            return self.variable(place, env, reads).map(|variable| vec![variable]);
        }
        let Binding::Variable(base, mut ty) = self.world.lookup(&place.name, env) else {
            panic!("`{}` is not a variable", place.name)
        };
        let mut bases = vec![base];
        for index in &place.indices {
            let Type::Array(inner, len) = ty else { panic!("`{}` is not an array", place.name) };
            ty = inner;
            let chosen: Vec<usize> = match index {
                Expr::Any => (0..*len).collect(),
                index => match self.world.eval(index, env, reads)?.raw as usize {
                    index if index < *len => vec![index],
                    _ => return Err(Stop::Panic),
                },
            };
            let with = |base: usize| chosen.iter().map(move |index| base + index * n_scalars(ty));
            bases = bases.into_iter().flat_map(with).collect();
        }
        Ok(bases)
    }

    /// The last step of `x += k`; nothing for 0.
    fn shift_by(&mut self, variable: usize, by: i64, next: Cont, sink: &mut Sink<'m>) {
        match by {
            0 => self.expand(next, sink),
            by => sink.push(Action::Shift(variable, by), next),
        }
    }

    fn assign(&self, variable: usize, value: Value) -> Action<'m> {
        let scalar = &self.world.scalars[variable];
        let inside = (scalar.lo..=scalar.hi).contains(&value.raw);
        if !inside && self.meaning == Meaning::Exact {
            return Action::Leave(variable, value.raw);
        }
        Action::Assign(variable, inside.then_some(value.raw))
    }

    /// `x = x + k` and `x = x - k` are `x += k` and `x -= k`.
    fn shift(&self, place: &Place, value: &Expr, env: &Env<'m>) -> Option<i64> {
        let Expr::Binary(op @ (Op::Add | Op::Sub), left, right) = value else { return None };
        if **left != Expr::Place(place.clone()) {
            return None;
        }
        let by = self.world.eval(right, env, &mut Reads::new(&[])).ok()?.raw;
        Some(if *op == Op::Add { by } else { -by })
    }

    fn callee(&mut self, call: &Call, env: &Env<'m>, reads: &mut Reads) -> Result<usize, Stop> {
        let index = self.values(&call.index, env, reads)?;
        let family = self.values(&call.family, env, reads)?;
        let args = self.values(&call.args, env, reads)?;
        let brackets = |values: &[Value]| -> String {
            values.iter().map(|value| format!("[{}]", self.world.show(*value))).collect()
        };
        let task = format!("{}{}", call.task, brackets(&index));
        assert!(self.tasks.is_empty() || self.tasks.contains(&task), "no task `{task}`");
        let label = self.entry_label(&task, &call.entry, &family, &args);
        Ok(self.entry(label))
    }

    fn entry_label(&self, task: &str, entry: &str, family: &[Value], args: &[Value]) -> String {
        let mut label = format!("{task}.{entry}");
        for value in family {
            label += &format!("[{}]", self.world.show(*value));
        }
        if !args.is_empty() {
            label += &format!("({})", self.world.show_all(args));
        }
        label
    }

    /// One entry per combination of values, with the names it binds.
    fn acceptances(&mut self, accept: &'m Accept, env: &Env<'m>) -> Vec<(usize, Env<'m>)> {
        let mut ways = vec![(Vec::new(), env.clone())];
        for param in &accept.params {
            let mut longer = Vec::new();
            for (args, env) in ways {
                match param {
                    Param::Value(value) => {
                        let value = self.world.constant(value, &env);
                        longer.push(([&args[..], &[value]].concat(), env));
                    }
                    Param::In(name, range) => {
                        for value in self.world.range(range, &env) {
                            let inner = env.with(name, Binding::Constant(value));
                            longer.push(([&args[..], &[value]].concat(), inner));
                        }
                    }
                }
            }
            ways = longer;
        }
        let family = self.values(&accept.family, env, &mut Reads::new(&[])).expect("families are constant");
        let task = self.tasks[self.scopes[env.scope].task].clone();
        let entry = |(args, env): (Vec<Value>, Env<'m>)| {
            let label = self.entry_label(&task, &accept.entry, &family, &args);
            (self.entry(label), env)
        };
        ways.into_iter().map(entry).collect()
    }

    fn alternative(
        &mut self,
        alternative: &'m Alternative,
        env: &Env<'m>,
        again: Cont,
        next: Cont,
        sink: &mut Sink<'m>,
    ) {
        match alternative {
            Alternative::Terminate => self.expand(END, sink),
            Alternative::Else(block) => {
                let block = self.block(block, env.clone(), next);
                self.expand(block, sink);
            }
            Alternative::Talk { names, guard, .. } => {
                for env in self.bindings(names, env) {
                    let node = Node::Alternative {
                        alternative: At(alternative),
                        env: env.clone(),
                        known: Vec::new(),
                        next,
                    };
                    let chosen = self.number(node);
                    match guard {
                        Some(guard) => self.passing(guard, &env, true, chosen, again, sink),
                        None => self.expand(chosen, sink),
                    }
                }
            }
        }
    }

    /// An alternative at which a task waits, in the exact meaning: one move for
    /// each way to pass its guard and to read its arguments.
    fn offer(
        &mut self,
        alternative: &'m Alternative,
        env: &Env<'m>,
        again: Cont,
        next: Cont,
        sink: &mut Sink<'m>,
    ) {
        let (names, guard, talk, then) = match alternative {
            Alternative::Terminate => return sink.push(Action::Terminate, END),
            Alternative::Else(block) => {
                let block = self.block(block, env.clone(), next);
                return sink.push(Action::Else, block);
            }
            Alternative::Talk { names, guard, talk, then } => (names, guard, talk, then),
        };
        for env in self.bindings(names, env) {
            if let Some(guard) = guard.as_ref().filter(|guard| guard.has_call()) {
                let (known, env) = (Vec::new(), env.clone());
                let chosen =
                    Node::Alternative { alternative: At(alternative), env: env.clone(), known, next };
                let chosen = self.number(chosen);
                self.passing(guard, &env, true, chosen, again, sink);
                continue;
            }
            let guards = match guard {
                Some(guard) => self.guard_tests(guard, &env, true),
                None => vec![Vec::new()],
            };
            match talk {
                Talk::Accept(accept) => {
                    for (entry, env) in self.acceptances(accept, &env) {
                        let then = self.block(then, env.clone(), next);
                        let body = accept.body.as_ref().map(|body| (At(body), env));
                        for tests in &guards {
                            sink.push_if(tests.clone(), Action::Accept(entry, body.clone()), then);
                        }
                    }
                }
                Talk::Call(call) => {
                    let then = self.block(then, env.clone(), next);
                    for (reads, entry) in self.callee_tests(call, &env, &[]) {
                        for tests in &guards {
                            sink.push_if([&tests[..], &reads].concat(), Action::Call(entry), then);
                        }
                    }
                }
            }
        }
    }

    /// The ways to pass a guard (or to fail it), each with its tests in order.
    fn guard_tests(&self, guard: &'m Expr, env: &Env<'m>, wanted: bool) -> Vec<Vec<Test>> {
        match (guard, wanted) {
            (Expr::Any, _) => vec![Vec::new()],
            (Expr::Call(..), _) => panic!("a guard with a call is evaluated step by step"),
            (Expr::Not(inner), _) => self.guard_tests(inner, env, !wanted),
            (Expr::And(left, right), true) | (Expr::Or(left, right), false) => {
                let (left, right) =
                    (self.guard_tests(left, env, wanted), self.guard_tests(right, env, wanted));
                let both = |first: &Vec<Test>| {
                    right.iter().map(|second| [&first[..], second].concat()).collect::<Vec<_>>()
                };
                left.iter().flat_map(both).collect()
            }
            (Expr::Or(left, right), true) | (Expr::And(left, right), false) => {
                [self.guard_tests(left, env, wanted), self.guard_tests(right, env, wanted)].concat()
            }
            _ => self.comparison_tests(guard, env, &[], wanted),
        }
    }

    fn comparison_tests(
        &self,
        condition: &'m Expr,
        env: &Env<'m>,
        known: &[i64],
        wanted: bool,
    ) -> Vec<Vec<Test>> {
        let variable = match self.world.eval(condition, env, &mut Reads::new(known)) {
            Ok(value) if (value.raw != 0) == wanted => return vec![Vec::new()],
            Ok(_) => return Vec::new(),
            Err(stop) => read_first(stop),
        };
        let (mut passes, mut all) = (Vec::new(), Vec::new());
        let readings = self.readings(variable, known);
        let n_values = readings.len();
        for (value, known) in readings {
            match self.world.eval(condition, env, &mut Reads::new(&known)) {
                Ok(result) if (result.raw != 0) == wanted => passes.push(value),
                Ok(_) => {}
                Err(_) => {
                    for rest in self.comparison_tests(condition, env, &known, wanted) {
                        all.push([&[(variable, vec![value])][..], &rest].concat());
                    }
                }
            }
        }
        match passes.len() {
            0 => {}
            n if n == n_values => all.push(Vec::new()),
            _ => all.push(vec![(variable, passes)]),
        }
        all
    }

    /// The entries that a call may mean, each with the reads that say so.
    fn callee_tests(&mut self, call: &Call, env: &Env<'m>, known: &[i64]) -> Vec<(Vec<Test>, usize)> {
        let variable = match self.callee(call, env, &mut Reads::new(known)) {
            Ok(entry) => return vec![(Vec::new(), entry)],
            Err(stop) => read_first(stop),
        };
        let mut all = Vec::new();
        for (value, known) in self.readings(variable, known) {
            for (rest, entry) in self.callee_tests(call, env, &known) {
                all.push(([&[(variable, vec![value])][..], &rest].concat(), entry));
            }
        }
        all
    }

    /// A condition with only the tests that let it pass, step by step. A call
    /// that lets nothing pass goes to `again`.
    fn passing(
        &mut self,
        condition: &'m Expr,
        env: &Env<'m>,
        wanted: bool,
        yes: Cont,
        again: Cont,
        sink: &mut Sink<'m>,
    ) {
        match (condition, wanted) {
            (Expr::Any, _) => self.commit(yes, sink),
            (Expr::Call(..), true) => self.test(condition, env, &[], Some(yes), Some(again), sink),
            (Expr::Call(..), false) => self.test(condition, env, &[], Some(again), Some(yes), sink),
            (Expr::Not(inner), _) => self.passing(inner, env, !wanted, yes, again, sink),
            (Expr::And(left, right), true) | (Expr::Or(left, right), false) => {
                let condition = At(&**right);
                let right = Node::Passing { condition, env: env.clone(), wanted, yes, again };
                let right = self.number(right);
                self.passing(left, env, wanted, right, again, sink);
            }
            (Expr::Or(left, right), true) | (Expr::And(left, right), false) => {
                self.passing(left, env, wanted, yes, again, sink);
                self.passing(right, env, wanted, yes, again, sink);
            }
            (_, true) => self.comparison(condition, env, &[], Some(yes), None, sink),
            (_, false) => self.comparison(condition, env, &[], None, Some(yes), sink),
        }
    }

    fn bindings(&self, names: &'m [(String, Range)], env: &Env<'m>) -> Vec<Env<'m>> {
        let mut envs = vec![env.clone()];
        for (name, range) in names {
            let with = |env: Env<'m>| {
                let values = self.world.range(range, &env);
                values.into_iter().map(move |value| env.with(name, Binding::Constant(value)))
            };
            envs = envs.into_iter().flat_map(with).collect();
        }
        envs
    }

    /// An alternative that waits for its partner.
    fn chosen(
        &mut self,
        alternative: &'m Alternative,
        env: &Env<'m>,
        known: &[i64],
        next: Cont,
        sink: &mut Sink<'m>,
    ) {
        let Alternative::Talk { talk, then, .. } = alternative else { panic!("only talks wait") };
        match talk {
            Talk::Accept(accept) => {
                for (entry, env) in self.acceptances(accept, env) {
                    let then = self.block(then, env.clone(), next);
                    let body = accept.body.as_ref().map(|body| (At(body), env));
                    sink.push(Action::Accept(entry, body), then);
                }
            }
            Talk::Call(call) => match self.callee(call, env, &mut Reads::new(known)) {
                Ok(entry) => {
                    let then = self.block(then, env.clone(), next);
                    sink.push(Action::Call(entry), then);
                }
                Err(stop) => {
                    let variable = read_first(stop);
                    for (value, known) in self.readings(variable, known) {
                        let env = env.clone();
                        let node = Node::Alternative { alternative: At(alternative), env, known, next };
                        let waits = self.number(node);
                        sink.push(Action::Test(variable, vec![value]), waits);
                    }
                }
            },
        }
    }

    fn choice(&mut self, choice: &'m Choice, env: &Env<'m>, next: Cont, sink: &mut Sink<'m>) {
        match choice {
            Choice::Block(block) => {
                let block = self.block(block, env.clone(), next);
                self.commit(block, sink);
            }
            Choice::Each(name, range, block) => {
                for value in self.world.range(range, env) {
                    let env = env.with(name, Binding::Constant(value));
                    let block = self.block(block, env, next);
                    self.commit(block, sink);
                }
            }
        }
    }

    /// One way of a silent choice: a step only in the exact meaning.
    fn commit(&mut self, way: Cont, sink: &mut Sink<'m>) {
        match self.meaning {
            Meaning::Book => self.expand(way, sink),
            Meaning::Exact => sink.push(Action::Silent, way),
        }
    }

    /// A condition as control flow: to `yes`, to `no`, or stuck without them.
    fn test(
        &mut self,
        condition: &'m Expr,
        env: &Env<'m>,
        known: &[i64],
        yes: Option<Cont>,
        no: Option<Cont>,
        sink: &mut Sink<'m>,
    ) {
        match condition {
            Expr::Any => {
                for way in yes.into_iter().chain(no) {
                    self.commit(way, sink);
                }
            }
            Expr::Call(function, args) => {
                let function = self.function(function);
                let args = match self.values(args, env, &mut Reads::new(known)) {
                    Ok(args) => args,
                    Err(stop) => {
                        let variable = read_first(stop);
                        for (value, known) in self.readings(variable, known) {
                            let rest = self.condition(condition, env, known, yes, no);
                            sink.push(Action::Test(variable, vec![value]), rest);
                        }
                        return;
                    }
                };
                let mut inner = Env::new(env.scope);
                for ((name, _), arg) in function.params.iter().zip(args) {
                    inner = inner.with(name, Binding::Constant(arg));
                }
                let back = self.number(Node::Answer { yes, no });
                let body = self.block(&function.body, inner, back);
                self.expand(body, sink);
            }
            Expr::Not(inner) => self.test(inner, env, known, no, yes, sink),
            Expr::And(left, right) => {
                let right = self.condition(right, env, Vec::new(), yes, no);
                self.test(left, env, known, Some(right), no, sink);
            }
            Expr::Or(left, right) => {
                let right = self.condition(right, env, Vec::new(), yes, no);
                self.test(left, env, known, yes, Some(right), sink);
            }
            _ => self.comparison(condition, env, known, yes, no, sink),
        }
    }

    fn condition(
        &mut self,
        condition: &'m Expr,
        env: &Env<'m>,
        known: Vec<i64>,
        yes: Option<Cont>,
        no: Option<Cont>,
    ) -> Cont {
        self.number(Node::Condition { condition: At(condition), env: env.clone(), known, yes, no })
    }

    fn pass(&mut self, ways: impl Iterator<Item = Cont>, sink: &mut Sink<'m>) {
        for way in ways {
            self.expand(way, sink);
        }
    }

    fn comparison(
        &mut self,
        condition: &'m Expr,
        env: &Env<'m>,
        known: &[i64],
        yes: Option<Cont>,
        no: Option<Cont>,
        sink: &mut Sink<'m>,
    ) {
        let variable = match self.world.eval(condition, env, &mut Reads::new(known)) {
            Ok(_) if self.both_branches => return self.pass(yes.into_iter().chain(no), sink),
            Ok(value) => return self.pass(if value.raw != 0 { yes } else { no }.into_iter(), sink),
            Err(stop) => read_first(stop),
        };
        let (mut passes, mut fails) = (Vec::new(), Vec::new());
        for (value, known) in self.readings(variable, known) {
            match self.world.eval(condition, env, &mut Reads::new(&known)) {
                Ok(result) if result.raw != 0 => passes.push(value),
                Ok(_) => fails.push(value),
                Err(_) => {
                    let rest = self.condition(condition, env, known, yes, no);
                    sink.push(Action::Test(variable, vec![value]), rest);
                }
            }
        }
        self.branch(variable, passes, yes, sink);
        self.branch(variable, fails, no, sink);
    }

    /// A test for some values; one that always passes is silent.
    fn branch(&mut self, variable: usize, values: Vec<i64>, to: Option<Cont>, sink: &mut Sink<'m>) {
        let Some(to) = to else { return };
        let scalar = &self.world.scalars[variable];
        if values.len() as i64 == scalar.hi - scalar.lo + 1 {
            self.expand(to, sink);
        } else if !values.is_empty() {
            sink.push(Action::Test(variable, values), to);
        }
    }

    /// One test per arm, of the values no earlier arm has taken; one test per
    /// value if the arm has a name or a guard.
    #[allow(clippy::too_many_arguments)]
    fn arms(
        &mut self,
        stmt: &'m Stmt,
        place: &'m Place,
        arms: &'m [Arm],
        env: &Env<'m>,
        known: &[i64],
        next: Cont,
        sink: &mut Sink<'m>,
    ) -> Result<(), Stop> {
        let mut reads = Reads::new(known);
        let variable = match self.world.resolve(place, env, &mut reads)? {
            Binding::Variable(variable, _) => variable,
            Binding::Constant(value) if !self.both_branches => {
                self.known_arms(stmt, env, &[value], 0, next, sink);
                return Ok(());
            }
            Binding::Constant(_) => {
                for arm in arms {
                    assert!(arm.name.is_none(), "the value is unknown");
                    let body = self.block(&arm.body, env.clone(), next);
                    self.expand(body, sink);
                }
                return Ok(());
            }
            Binding::Array(_) => panic!("an array is not matched"),
        };
        if let Ok(value) = self.world.eval_variable(variable, &mut reads) {
            // It is an index of itself.
            self.known_arms(stmt, env, &[value], 0, next, sink);
            return Ok(());
        }
        let is_split: Vec<bool> = arms.iter().map(Arm::is_split).collect();
        self.last_read(stmt, variable, &[], &is_split, env, next, sink);
        Ok(())
    }

    /// All variables but the last are read, then the last is as in `arms`.
    #[allow(clippy::too_many_arguments)]
    fn tuple_arms(
        &mut self,
        stmt: &'m Stmt,
        places: &'m [Place],
        arms: &'m [TupleArm],
        env: &Env<'m>,
        known: &[i64],
        next: Cont,
        sink: &mut Sink<'m>,
    ) -> Result<(), Stop> {
        let (last, before) = places.split_last().expect("a tuple has parts");
        let mut reads = Reads::new(known);
        let mut values = Vec::new();
        for place in before {
            values.push(self.world.eval(&Expr::Place(place.clone()), env, &mut reads)?);
        }
        let Binding::Variable(variable, _) = self.world.resolve(last, env, &mut reads)? else {
            panic!("the last part is a variable")
        };
        if let Ok(value) = self.world.eval_variable(variable, &mut reads) {
            // It is one of those read before.
            values.push(value);
            self.known_arms(stmt, env, &values, 0, next, sink);
            return Ok(());
        }
        let is_split: Vec<bool> = arms.iter().map(TupleArm::is_split).collect();
        self.last_read(stmt, variable, &values, &is_split, env, next, sink);
        Ok(())
    }

    /// The tests of the last variable of a `match` after the values `before`.
    #[allow(clippy::too_many_arguments)]
    fn last_read(
        &mut self,
        stmt: &'m Stmt,
        variable: usize,
        before: &[Value],
        is_split: &[bool],
        env: &Env<'m>,
        next: Cont,
        sink: &mut Sink<'m>,
    ) {
        let kind = self.world.scalars[variable].kind;
        let mut of_arm: Vec<Vec<i64>> = vec![Vec::new(); is_split.len()];
        for (raw, _) in self.readings(variable, &[]) {
            let values = [before, &[Value { raw, kind }]].concat();
            if let Some(arm) = (0..is_split.len()).find(|arm| self.fits(stmt, *arm, &values, env)) {
                of_arm[arm].push(raw);
            }
        }
        for (at, raws) in of_arm.into_iter().enumerate() {
            // Any of its values leads to the same body.
            let groups = if is_split[at] { raws.iter().map(|raw| vec![*raw]).collect() } else { vec![raws] };
            for raws in groups.into_iter().filter(|raws| !raws.is_empty()) {
                let values = [before, &[Value { raw: raws[0], kind }]].concat();
                let to = match is_split[at] {
                    true => self.number(Node::Arms { stmt: At(stmt), env: env.clone(), values, at, next }),
                    false => self.arm_body(stmt, at, &values, env, next),
                };
                self.branch(variable, raws, Some(to), sink);
            }
        }
    }

    /// Does the pattern of an arm fit the values?
    fn fits(&self, stmt: &'m Stmt, at: usize, values: &[Value], env: &Env<'m>) -> bool {
        let is = |pattern: &Expr, value: &Value| self.world.constant(pattern, env).raw == value.raw;
        match stmt {
            Stmt::Match(_, arms) => {
                let patterns = &arms[at].patterns;
                patterns.is_empty() || patterns.iter().any(|pattern| is(pattern, &values[0]))
            }
            Stmt::MatchTuple(_, arms) => {
                let part = |(part, value): (&Part, &Value)| match part {
                    Part::Any | Part::Name(_) => true,
                    Part::Value(pattern) => is(pattern, value),
                };
                let patterns = &arms[at].patterns;
                patterns.is_empty() || patterns.iter().any(|parts| parts.iter().zip(values).all(part))
            }
            _ => panic!("only a match has arms"),
        }
    }

    /// The names that an arm gives to the values.
    fn named(&self, stmt: &'m Stmt, at: usize, values: &[Value], env: &Env<'m>) -> Env<'m> {
        let mut env = env.clone();
        match stmt {
            Stmt::Match(_, arms) => {
                if let Some(name) = &arms[at].name {
                    env = env.with(name, Binding::Constant(values[0]));
                }
            }
            Stmt::MatchTuple(_, arms) => {
                for (part, value) in arms[at].patterns.iter().flat_map(|parts| parts.iter().zip(values)) {
                    if let Part::Name(name) = part {
                        env = env.with(name, Binding::Constant(*value));
                    }
                }
            }
            _ => panic!("only a match has arms"),
        }
        env
    }

    fn arm_body(&mut self, stmt: &'m Stmt, at: usize, values: &[Value], env: &Env<'m>, next: Cont) -> Cont {
        let env = self.named(stmt, at, values, env);
        let body = match stmt {
            Stmt::Match(_, arms) => &arms[at].body,
            Stmt::MatchTuple(_, arms) => &arms[at].body,
            _ => panic!("only a match has arms"),
        };
        self.block(body, env, next)
    }

    /// The first arm from `at` on that fits the values, and whose guard is
    /// true.
    fn known_arms(
        &mut self,
        stmt: &'m Stmt,
        env: &Env<'m>,
        values: &[Value],
        at: usize,
        next: Cont,
        sink: &mut Sink<'m>,
    ) {
        let guards: Vec<Option<&'m Expr>> = match stmt {
            Stmt::Match(_, arms) => arms.iter().map(|arm| arm.guard.as_ref()).collect(),
            Stmt::MatchTuple(_, arms) => arms.iter().map(|arm| arm.guard.as_ref()).collect(),
            _ => panic!("only a match has arms"),
        };
        let Some(at) = (at..guards.len()).find(|at| self.fits(stmt, *at, values, env)) else {
            panic!("no arm fits");
        };
        let body = self.arm_body(stmt, at, values, env, next);
        let Some(guard) = guards[at] else { return self.expand(body, sink) };
        let inner = self.named(stmt, at, values, env);
        let others =
            Node::Arms { stmt: At(stmt), env: env.clone(), values: values.to_vec(), at: at + 1, next };
        let others = self.number(others);
        self.test(guard, &inner, &[], Some(body), Some(others), sink);
    }

    /// Continues with the body of a function with its parameters bound:
    /// `&mut w[any!()]` is a choice.
    #[allow(clippy::too_many_arguments)]
    fn inline(
        &mut self,
        stmt: &'m Stmt,
        target: Option<usize>,
        function: &'m Function,
        args: &'m [Arg],
        env: &Env<'m>,
        reads: &mut Reads,
        next: Cont,
        sink: &mut Sink<'m>,
    ) -> Result<(), Stop> {
        let mut ways = vec![Env::new(self.inlined[&(env.scope, function.name.as_str())])];
        for ((name, ty), arg) in function.params.iter().zip(args) {
            let bindings = match (arg, ty) {
                (Arg::Value(value), _) => vec![Binding::Constant(self.world.eval(value, env, reads)?)],
                (Arg::Ref(place), ParamType::Ref(ty)) if place.indices.contains(&Expr::Any) => {
                    let variables = self.variables(place, env, reads)?;
                    variables.into_iter().map(|variable| Binding::Variable(variable, ty)).collect()
                }
                (Arg::Ref(place), _) => vec![self.world.resolve(place, env, reads)?],
            };
            let with = |env: Env<'m>| {
                bindings.iter().map(|binding| env.with(name, binding.clone())).collect::<Vec<_>>()
            };
            ways = ways.into_iter().flat_map(with).collect();
        }
        let back = self.number(Node::Function { stmt: At(stmt), target, next });
        let is_choice = ways.len() > 1;
        for inner in ways {
            let body = self.block(&function.body, inner, back);
            match is_choice {
                true => self.commit(body, sink),
                false => self.expand(body, sink),
            }
        }
        Ok(())
    }

    /// Leaves the innermost function, or ends the task.
    fn give_back(&mut self, value: Option<Value>, from: Cont, sink: &mut Sink<'m>) {
        let mut cont = from;
        loop {
            match &self.nodes[cont] {
                Node::End => return self.jump(from, END, sink),
                Node::Answer { yes, no } => {
                    let value = value.expect("a function in a condition returns a value");
                    let way = if value.raw != 0 { *yes } else { *no };
                    return self.pass(way.into_iter(), sink);
                }
                Node::Function { stmt: At(stmt), target, next } => {
                    let (stmt, next) = (*stmt, *next);
                    match (stmt, *target, value) {
                        (Stmt::Combine { op: Op::Add, .. }, Some(variable), Some(by)) => {
                            self.shift_by(variable, by.raw, next, sink);
                        }
                        (Stmt::Combine { op: Op::Sub, .. }, Some(variable), Some(by)) => {
                            self.shift_by(variable, -by.raw, next, sink);
                        }
                        (Stmt::Combine { op, .. }, Some(variable), Some(right)) => {
                            let combine = self.number(Node::Combine { variable, op: *op, right, next });
                            self.expand(combine, sink);
                        }
                        (_, Some(variable), Some(value)) => sink.push(self.assign(variable, value), next),
                        _ => self.jump(from, next, sink),
                    }
                    return;
                }
                node => cont = outer(node),
            }
        }
    }

    /// The loop a jump means: its head and what follows it.
    fn target(&self, label: Option<&str>, from: Cont) -> (Cont, Cont) {
        let mut cont = from;
        loop {
            let node = &self.nodes[cont];
            if let Node::Loop { stmt, next, .. } | Node::For { stmt, next, .. } = node {
                let (Stmt::Loop { label: own, .. }
                | Stmt::While { label: own, .. }
                | Stmt::For { label: own, .. }) = stmt.0
                else {
                    panic!("loops have labels")
                };
                if label.is_none() || own.as_deref() == label {
                    return (cont, *next);
                }
            }
            cont = outer(node);
        }
    }
}

/// The variable to be read next, where nothing panics.
fn read_first(stop: Stop) -> usize {
    match stop {
        Stop::Read(variable) => variable,
        Stop::Panic => panic!("only statements panic"),
    }
}

/// What encloses a continuation, for jumps.
fn outer(node: &Node) -> Cont {
    match node {
        Node::Block { next, .. }
        | Node::Loop { next, .. }
        | Node::For { next, .. }
        | Node::Leave { next } => *next,
        Node::Finish { .. } => panic!("a jump leaves an accept body"),
        Node::Function { .. } | Node::Answer { .. } => panic!("a jump leaves a function"),
        _ => panic!("a jump has no target"),
    }
}

/// The blocks of a statement, in the order of the text.
pub fn inner_blocks(stmt: &Stmt) -> Vec<&Block> {
    match stmt {
        Stmt::Accept(accept) => accept.body.iter().collect(),
        Stmt::Select(alternatives) => alternatives.iter().flat_map(alternative_blocks).collect(),
        Stmt::Choose(choices) => {
            let block = |choice| match choice {
                &Choice::Block(ref block) | &Choice::Each(_, _, ref block) => block,
            };
            choices.iter().map(block).collect()
        }
        Stmt::If(_, yes, no) => vec![yes, no],
        Stmt::While { body, .. } | Stmt::Loop { body, .. } | Stmt::For { body, .. } | Stmt::Atomic(body) => {
            vec![body]
        }
        Stmt::Match(_, arms) => arms.iter().map(|arm| &arm.body).collect(),
        Stmt::MatchTuple(_, arms) => arms.iter().map(|arm| &arm.body).collect(),
        _ => Vec::new(),
    }
}

fn alternative_blocks(alternative: &Alternative) -> Vec<&Block> {
    match alternative {
        Alternative::Talk { talk: Talk::Accept(accept), then, .. } => {
            accept.body.iter().chain([then]).collect()
        }
        Alternative::Talk { then, .. } | Alternative::Else(then) => vec![then],
        Alternative::Terminate => Vec::new(),
    }
}

impl Action<'_> {
    /// The label, `None` for a silent action.
    pub fn label(&self, machine: &Machine) -> Option<String> {
        let scalars = &machine.world.scalars;
        let shown = |variable: usize, raw: i64| {
            let kind: Kind = scalars[variable].kind;
            machine.world.show(Value { raw, kind })
        };
        Some(match self {
            Self::Silent | Self::Forget(_) | Self::Panic | Self::Else | Self::Terminate => return None,
            Self::Event(label) => label.clone(),
            Self::Test(variable, values) => machine.world.test_label(*variable, values),
            Self::Assign(variable, None) => format!("{}=?", scalars[*variable].name),
            Self::Assign(variable, Some(raw)) => {
                format!("{}={}", scalars[*variable].name, shown(*variable, *raw))
            }
            Self::Leave(variable, raw) => format!("{}={raw}", scalars[*variable].name),
            Self::Shift(variable, by) if *by < 0 => format!("{}-={}", scalars[*variable].name, -by),
            Self::Shift(variable, by) => format!("{}+={by}", scalars[*variable].name),
            Self::Call(entry) | Self::Accept(entry, _) => machine.entries[*entry].clone(),
            Self::Finish(entry, _) => format!("{}.end", machine.entries[*entry]),
            Self::Operate(object, operation, message) => {
                let name = &machine.world.objects[*object].name;
                let message = message.map(|value| format!("({})", machine.world.show(value)));
                format!("{name}.{}{}", operation.name(), message.unwrap_or_default())
            }
        })
    }
}
