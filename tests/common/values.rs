//! Values, scalar variables, names in scope, and evaluation that asks for one
//! variable at a time.

use std::collections::HashMap;
use std::rc::Rc;

use super::model::{Expr, Model, ObjectKind, Op, Operation, Place, Range, Type};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Int,
    Bool,
    /// Position in [`Model::enums`].
    Enum(usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    pub raw: i64,
    pub kind: Kind,
}

/// A scalar variable with the domain `lo..=hi` of raw values.
#[derive(Clone, Debug)]
pub struct Scalar {
    pub name: String,
    pub kind: Kind,
    pub lo: i64,
    pub hi: i64,
    /// The values it may have at the start.
    pub initial: Vec<i64>,
}

/// What a name stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Binding<'m> {
    Constant(Value),
    /// The first scalar, and the type that says how many follow it.
    Variable(usize, &'m Type),
    /// The elements of a constant array.
    Array(&'m [Expr]),
}

/// Names in scope besides the global ones, innermost last.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Env<'m> {
    /// Which task, and which inlined call in it.
    pub scope: usize,
    pub names: Rc<Vec<(&'m str, Binding<'m>)>>,
}

impl<'m> Env<'m> {
    pub fn new(scope: usize) -> Self {
        Self { scope, names: Rc::default() }
    }

    pub fn with(&self, name: &'m str, binding: Binding<'m>) -> Self {
        let mut names = Vec::clone(&self.names);
        // Shadowed names would only tell equal situations apart.
        names.retain(|(known, _)| *known != name);
        names.push((name, binding));
        Self { scope: self.scope, names: Rc::new(names) }
    }
}

/// The values read so far while an expression is evaluated, in reading order.
pub struct Reads<'a> {
    pub known: &'a [i64],
    /// The variables whose values `known` holds, as far as they were asked for.
    read: Vec<usize>,
}

impl<'a> Reads<'a> {
    pub fn new(known: &'a [i64]) -> Self {
        Self { known, read: Vec::new() }
    }

    /// The value of a variable, read once.
    fn next(&mut self, variable: usize) -> Result<i64, Stop> {
        let at = self.read.iter().position(|read| *read == variable).unwrap_or(self.read.len());
        let value = self.known.get(at).copied().ok_or(Stop::Read(variable))?;
        if at == self.read.len() {
            self.read.push(variable);
        }
        Ok(value)
    }
}

/// Why an expression has no value yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The variable has to be read first.
    Read(usize),
    /// An index outside its array or a division by zero.
    Panic,
}

/// A lock, semaphore or channel, arrays being their elements.
pub struct Object<'m> {
    pub name: String,
    pub kind: &'m ObjectKind,
}

impl Object<'_> {
    /// A lock is -1 or the task that holds it, a semaphore its permits.
    pub fn initial(&self) -> i64 {
        match self.kind {
            ObjectKind::Lock => -1,
            ObjectKind::Semaphore(initial, _) => *initial,
            ObjectKind::Channel(..) => 0,
        }
    }

    /// The state after an operation of a task, `None` if it has to wait.
    ///
    /// A channel is a number whose digits are its messages plus one, the
    /// oldest one last.
    pub fn after(&self, state: i64, task: usize, operation: Operation, message: i64) -> Option<i64> {
        const BASE: i64 = 100;
        let task = task as i64;
        match (operation, self.kind) {
            (Operation::Lock, ObjectKind::Lock) => (state == -1).then_some(task),
            (Operation::Unlock, ObjectKind::Lock) => (state == task).then_some(-1),
            (Operation::Acquire, ObjectKind::Semaphore(..)) => (state > 0).then_some(state - 1),
            (Operation::Release, ObjectKind::Semaphore(_, max)) => (state < *max).then_some(state + 1),
            (Operation::Send, ObjectKind::Channel(_, capacity)) => {
                let n_messages = (0..).find(|n| state < BASE.pow(*n)).expect("a number ends");
                let added = (message + 1) * BASE.pow(n_messages);
                ((n_messages as usize) < *capacity).then_some(state + added)
            }
            (Operation::Recv, ObjectKind::Channel(..)) => {
                (state > 0 && state % BASE == message + 1).then_some(state / BASE)
            }
            _ => panic!("`{}` has no such operation", self.name),
        }
    }
}

/// Everything that has a name at the top level, and all scalar variables.
pub struct World<'m> {
    pub model: &'m Model,
    pub scalars: Vec<Scalar>,
    pub objects: Vec<Object<'m>>,
    globals: HashMap<&'m str, Binding<'m>>,
}

impl<'m> World<'m> {
    pub fn new(model: &'m Model) -> Self {
        let mut world = Self { model, scalars: Vec::new(), objects: Vec::new(), globals: HashMap::new() };
        for object in &model.objects {
            let names = match object.len {
                None => vec![object.name.clone()],
                Some(len) => (0..len).map(|index| format!("{}[{index}]", object.name)).collect(),
            };
            world.objects.extend(names.into_iter().map(|name| Object { name, kind: &object.kind }));
        }
        for (name, value) in &model.consts {
            let value = Value { raw: *value, kind: Kind::Int };
            world.globals.insert(name, Binding::Constant(value));
        }
        for (name, elements) in &model.arrays {
            world.globals.insert(name, Binding::Array(elements));
        }
        for item in &model.statics {
            let base = world.declare(item.name.clone(), &item.ty);
            for scalar in base..world.scalars.len() {
                let Scalar { lo, hi, .. } = world.scalars[scalar];
                world.scalars[scalar].initial = match &item.initial {
                    None => (lo..=hi).collect(),
                    Some(value) => vec![world.constant(value, &Env::new(0)).raw],
                };
            }
            world.globals.insert(&item.name, Binding::Variable(base, &item.ty));
        }
        world
    }

    /// Adds the scalars of a variable and returns the first.
    pub fn declare(&mut self, name: String, ty: &Type) -> usize {
        let base = self.scalars.len();
        if let Type::Array(inner, len) = ty {
            for index in 0..*len {
                self.declare(format!("{name}[{index}]"), inner);
            }
            return base;
        }
        let (kind, lo, hi) = self.domain(ty);
        self.scalars.push(Scalar { name, kind, lo, hi, initial: vec![lo] });
        base
    }

    /// The object a place means.
    pub fn object(&self, place: &Place, env: &Env<'m>, reads: &mut Reads) -> Result<usize, Stop> {
        let mut name = place.name.clone();
        for index in &place.indices {
            name += &format!("[{}]", self.eval(index, env, reads)?.raw);
        }
        let found = self.objects.iter().position(|object| object.name == name);
        Ok(found.unwrap_or_else(|| panic!("no object `{name}`")))
    }

    pub fn domain(&self, ty: &Type) -> (Kind, i64, i64) {
        match ty {
            Type::Bool => (Kind::Bool, 0, 1),
            Type::Int(lo, hi) => (Kind::Int, *lo, *hi),
            Type::Enum(name) => {
                let index = self.model.enums.iter().position(|item| item.name == *name);
                let index = index.expect("the enum is declared");
                (Kind::Enum(index), 0, self.model.enums[index].variants.len() as i64 - 1)
            }
            Type::Array(..) => panic!("an array is not a scalar"),
        }
    }

    pub fn lookup(&self, name: &str, env: &Env<'m>) -> Binding<'m> {
        let local = env.names.iter().rev().find(|(known, _)| *known == name);
        let binding = local.map(|(_, binding)| binding).or_else(|| self.globals.get(name));
        binding.unwrap_or_else(|| panic!("`{name}` is not in scope")).clone()
    }

    /// The variable a place denotes, after its indices have been read.
    pub fn resolve(&self, place: &Place, env: &Env<'m>, reads: &mut Reads) -> Result<Binding<'m>, Stop> {
        let mut binding = self.lookup(&place.name, env);
        for index in &place.indices {
            let index = self.eval(index, env, reads)?.raw;
            if let Binding::Array(elements) = binding {
                binding = Binding::Constant(self.constant(&elements[index as usize], env));
                continue;
            }
            let Binding::Variable(base, Type::Array(inner, len)) = binding else {
                panic!("`{}` is not an array", place.name)
            };
            let index = usize::try_from(index).ok().filter(|index| index < len).ok_or(Stop::Panic)?;
            binding = Binding::Variable(base + index * n_scalars(inner), inner);
        }
        Ok(binding)
    }

    /// The value of an expression, or the variable whose value is needed next.
    pub fn eval(&self, expr: &Expr, env: &Env<'m>, reads: &mut Reads) -> Result<Value, Stop> {
        let bool = |value: bool| Value { raw: i64::from(value), kind: Kind::Bool };
        let int = |raw: i64| Value { raw, kind: Kind::Int };
        Ok(match expr {
            Expr::Int(value) => int(*value),
            Expr::Bool(value) => bool(*value),
            Expr::Variant(ty, variant) => self.variant(ty, variant),
            Expr::Place(place) => match self.resolve(place, env, reads)? {
                Binding::Constant(value) => value,
                Binding::Array(_) => panic!("`{}` is an array", place.name),
                Binding::Variable(variable, _) => self.eval_variable(variable, reads)?,
            },
            Expr::Not(inner) => bool(self.eval(inner, env, reads)?.raw == 0),
            Expr::Binary(op, left, right) => {
                let left = self.eval(left, env, reads)?;
                apply(*op, left, self.eval(right, env, reads)?)?
            }
            Expr::And(..) | Expr::Or(..) | Expr::Call(..) => panic!("`&&`, `||` and calls are control flow"),
            Expr::Any => panic!("`any!()` has no value"),
        })
    }

    /// The value of a variable.
    pub fn eval_variable(&self, variable: usize, reads: &mut Reads) -> Result<Value, Stop> {
        Ok(Value { raw: reads.next(variable)?, kind: self.scalars[variable].kind })
    }

    fn variant(&self, ty: &str, variant: &str) -> Value {
        let index = self.model.enums.iter().position(|item| item.name == ty);
        let index = index.unwrap_or_else(|| panic!("no enum `{ty}`"));
        let raw = self.model.enums[index].variants.iter().position(|known| known == variant);
        let raw = raw.unwrap_or_else(|| panic!("no variant `{ty}::{variant}`")) as i64;
        Value { raw, kind: Kind::Enum(index) }
    }

    pub fn constant(&self, expr: &Expr, env: &Env<'m>) -> Value {
        self.eval(expr, env, &mut Reads::new(&[])).expect("the expression is constant")
    }

    pub fn range(&self, range: &Range, env: &Env<'m>) -> Vec<Value> {
        let (kind, lo, hi) = match range {
            Range::HalfOpen(lo, hi) => {
                (Kind::Int, self.constant(lo, env).raw, self.constant(hi, env).raw - 1)
            }
            Range::Closed(lo, hi) => (Kind::Int, self.constant(lo, env).raw, self.constant(hi, env).raw),
            Range::Type(ty) => self.domain(ty),
            Range::List(elements) => {
                return elements.iter().map(|element| self.constant(element, env)).collect();
            }
            Range::Array(name) => match self.lookup(name, env) {
                Binding::Array(elements) => {
                    return elements.iter().map(|element| self.constant(element, env)).collect();
                }
                _ => panic!("`{name}` is not a constant array"),
            },
        };
        (lo..=hi).map(|raw| Value { raw, kind }).collect()
    }

    pub fn show(&self, value: Value) -> String {
        match value.kind {
            Kind::Int => value.raw.to_string(),
            Kind::Bool => (value.raw == 1).to_string(),
            Kind::Enum(index) => self.model.enums[index].variants[value.raw as usize].clone(),
        }
    }

    /// `a,b,c`
    pub fn show_all(&self, values: &[Value]) -> String {
        let shown: Vec<String> = values.iter().map(|value| self.show(*value)).collect();
        shown.join(",")
    }

    /// The label of a test: the simplest operator that has its meaning.
    pub fn test_label(&self, variable: usize, values: &[i64]) -> String {
        let Scalar { name, kind, lo, hi, .. } = &self.scalars[variable];
        let show = |raw: i64| self.show(Value { raw, kind: *kind });
        let is = |from: i64, to: i64| values.iter().copied().eq(from..=to);
        let missing: Vec<i64> = (*lo..=*hi).filter(|value| !values.contains(value)).collect();
        let (first, last) = (values[0], values[values.len() - 1]);
        if values.len() == 1 {
            format!("{name}=={}", show(first))
        } else if missing.len() == 1 {
            format!("{name}!={}", show(missing[0]))
        } else if *kind == Kind::Int && is(*lo, last) {
            format!("{name}<{}", show(last + 1))
        } else if *kind == Kind::Int && is(first, *hi) {
            format!("{name}>={}", show(first))
        } else {
            let shown: Vec<String> = values.iter().map(|value| show(*value)).collect();
            format!("{name} in {{{}}}", shown.join(","))
        }
    }
}

/// A strict operator.
pub fn apply(op: Op, left: Value, right: Value) -> Result<Value, Stop> {
    let kind = left.kind;
    let (left, right) = (left.raw, right.raw);
    let bool = |value: bool| Value { raw: i64::from(value), kind: Kind::Bool };
    let same = |raw: i64| Value { raw, kind };
    Ok(match op {
        Op::Div | Op::Rem if right == 0 => return Err(Stop::Panic),
        Op::Add => same(left + right),
        Op::Sub => same(left - right),
        Op::Mul => same(left * right),
        Op::Div => same(left / right),
        Op::Rem => same(left % right),
        Op::BitAnd => same(left & right),
        Op::BitOr => same(left | right),
        Op::BitXor => same(left ^ right),
        Op::Shl => same(left << right),
        Op::Shr => same(left >> right),
        Op::Eq => bool(left == right),
        Op::Ne => bool(left != right),
        Op::Lt => bool(left < right),
        Op::Le => bool(left <= right),
        Op::Gt => bool(left > right),
        Op::Ge => bool(left >= right),
    })
}

pub fn n_scalars(ty: &Type) -> usize {
    match ty {
        Type::Array(inner, len) => len * n_scalars(inner),
        _ => 1,
    }
}
