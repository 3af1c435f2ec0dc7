//! Which constructs a model has, and how often.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::machine::inner_blocks;
use super::model::{
    Accept, Alternative, Arg, Block, Call, Expr, Model, Op, Param, ParamType, Part, Place, Range, Stmt, Talk,
    Type,
};

/// The constructs that rich models have.
pub const RICH: [&str; 26] = [
    "match guard",
    "match guard on a tuple",
    "match arm with a name",
    "nested array read, constant index",
    "nested array read, bound index",
    "nested array read, variable index",
    "nested array written, constant index",
    "nested array written, bound index",
    "nested array written, variable index",
    "compound assignment",
    "compound assignment, value not constant",
    "compound assignment, not += or -=",
    "compound assignment to an element",
    "compound assignment of a result",
    "entry family with parameters called",
    "entry family with parameters accepted",
    "entry family, bound index",
    "entry family, variable index",
    "accept in an accept body",
    "call in an accept body",
    "accept body in an accept body",
    "labelled break out of an inner loop",
    "labelled continue from an inner loop",
    "function with parameters and several callers",
    "function with a result and several callers",
    "function called by several tasks",
];

/// How often a model has each construct.
pub fn constructs(model: &Model) -> BTreeMap<&'static str, usize> {
    let mut variables: HashSet<&str> = model.statics.iter().map(|item| item.name.as_str()).collect();
    let is_grid = |ty: &Type| matches!(ty, Type::Array(row, _) if matches!(**row, Type::Array(..)));
    let grids = model.statics.iter().filter(|item| is_grid(&item.ty)).map(|item| item.name.as_str());
    let bodies = model.tasks.iter().map(|task| &task.body);
    let bodies = bodies.chain(model.functions.iter().map(|function| &function.body));
    bodies.for_each(|body| locals(body, &mut variables));
    for function in &model.functions {
        let by_ref = |(_, ty): &&(String, ParamType)| matches!(ty, ParamType::Ref(_));
        variables.extend(function.params.iter().filter(by_ref).map(|(name, _)| name.as_str()));
    }
    let mut counter = Counter {
        variables,
        grids: grids.collect(),
        counts: BTreeMap::new(),
        calls: HashMap::new(),
        caller: 0,
        loops: Vec::new(),
        n_accepts: 0,
    };
    for (caller, task) in model.tasks.iter().enumerate() {
        counter.caller = caller;
        counter.block(&task.body);
    }
    for (caller, function) in model.functions.iter().enumerate() {
        counter.caller = model.tasks.len() + caller;
        counter.block(&function.body);
    }
    for function in &model.functions {
        let callers = counter.calls.get(function.name.as_str()).cloned().unwrap_or_default();
        let tasks: HashSet<usize> = callers.iter().copied().filter(|it| *it < model.tasks.len()).collect();
        counter.count_if(
            "function with parameters and several callers",
            callers.len() > 1 && !function.params.is_empty(),
        );
        counter.count_if(
            "function with a result and several callers",
            callers.len() > 1 && function.result.is_some(),
        );
        counter.count_if("function called by several tasks", tasks.len() > 1);
    }
    counter.counts
}

fn locals<'m>(block: &'m Block, names: &mut HashSet<&'m str>) {
    for stmt in block {
        if let Stmt::Let { name, .. } = stmt {
            names.insert(name);
        }
        inner_blocks(stmt).into_iter().for_each(|inner| locals(inner, names));
    }
}

struct Counter<'m> {
    variables: HashSet<&'m str>,
    grids: HashSet<&'m str>,
    counts: BTreeMap<&'static str, usize>,
    /// The callers of each function: numbers of tasks, then of functions.
    calls: HashMap<&'m str, Vec<usize>>,
    caller: usize,
    loops: Vec<Option<&'m str>>,
    /// How many accept bodies are around.
    n_accepts: usize,
}

impl<'m> Counter<'m> {
    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    fn count_if(&mut self, what: &'static str, has: bool) {
        if has {
            self.count(what);
        }
    }

    fn block(&mut self, block: &'m Block) {
        block.iter().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &'m Stmt) {
        match stmt {
            Stmt::Event { args, .. } => self.exprs(args),
            Stmt::Assign(place, value) => {
                self.written(place);
                self.expr(value);
            }
            Stmt::Shift(place, _) => {
                self.written(place);
                self.compound(place, true, Op::Add);
            }
            Stmt::Compound(place, op, value) => {
                self.written(place);
                self.expr(value);
                self.compound(place, self.is_constant(value), *op);
            }
            Stmt::Let { value, .. } => value.iter().for_each(|value| self.expr(value)),
            Stmt::Call(call) => self.call(call),
            Stmt::Accept(accept) => self.accept(accept),
            Stmt::Select(alternatives) => {
                alternatives.iter().for_each(|alternative| self.alternative(alternative));
            }
            Stmt::If(condition, ..) | Stmt::Wait(condition) => self.expr(condition),
            Stmt::While { condition, .. } => self.expr(condition),
            Stmt::Break(label) => self.jump("labelled break out of an inner loop", label),
            Stmt::Continue(label) => self.jump("labelled continue from an inner loop", label),
            Stmt::Match(place, arms) => {
                self.read(place);
                for arm in arms {
                    self.count_if("match guard", arm.guard.is_some());
                    self.count_if("match arm with a name", arm.name.is_some());
                    arm.guard.iter().for_each(|guard| self.expr(guard));
                }
            }
            Stmt::MatchTuple(places, arms) => {
                places.iter().for_each(|place| self.read(place));
                for arm in arms {
                    let is_name = |part: &Part| matches!(part, Part::Name(_));
                    self.count_if("match guard on a tuple", arm.guard.is_some());
                    self.count_if("match arm with a name", arm.patterns.iter().flatten().any(is_name));
                    arm.guard.iter().for_each(|guard| self.expr(guard));
                }
            }
            Stmt::Operate { result, message, .. } => {
                result.iter().for_each(|place| self.written(place));
                message.iter().for_each(|message| self.expr(message));
            }
            Stmt::Run { result, function, args } => {
                result.iter().for_each(|place| self.written(place));
                self.run(function, args);
            }
            Stmt::Combine { target, op, function, args } => {
                self.written(target);
                self.compound(target, false, *op);
                self.count("compound assignment of a result");
                self.run(function, args);
            }
            Stmt::Return(value) => value.iter().for_each(|value| self.expr(value)),
            Stmt::LetConst(..) | Stmt::Choose(_) | Stmt::Loop { .. } | Stmt::For { .. } | Stmt::Atomic(_) => {
            }
        }
        match stmt {
            // Their blocks are visited with what is around them.
            Stmt::Accept(_) | Stmt::Select(_) => {}
            Stmt::Loop { label, body } | Stmt::While { label, body, .. } | Stmt::For { label, body, .. } => {
                self.loops.push(label.as_deref());
                self.block(body);
                self.loops.pop();
            }
            _ => inner_blocks(stmt).into_iter().for_each(|block| self.block(block)),
        }
    }

    fn jump(&mut self, what: &'static str, label: &Option<String>) {
        let innermost = self.loops.last().copied().flatten();
        self.count_if(what, label.is_some() && innermost != label.as_deref());
    }

    fn compound(&mut self, place: &Place, is_constant: bool, op: Op) {
        self.count("compound assignment");
        self.count_if("compound assignment, value not constant", !is_constant);
        self.count_if("compound assignment, not += or -=", !matches!(op, Op::Add | Op::Sub));
        self.count_if("compound assignment to an element", !place.indices.is_empty());
    }

    fn run(&mut self, function: &'m str, args: &'m [Arg]) {
        self.calls.entry(function).or_default().push(self.caller);
        for arg in args {
            match arg {
                Arg::Value(value) => self.expr(value),
                Arg::Ref(place) => self.exprs(&place.indices),
            }
        }
    }

    fn alternative(&mut self, alternative: &'m Alternative) {
        match alternative {
            Alternative::Talk { guard, talk, then, .. } => {
                guard.iter().for_each(|guard| self.expr(guard));
                match talk {
                    Talk::Accept(accept) => self.accept(accept),
                    Talk::Call(call) => self.call(call),
                }
                self.block(then);
            }
            Alternative::Else(then) => self.block(then),
            Alternative::Terminate => {}
        }
    }

    fn call(&mut self, call: &'m Call) {
        self.count_if("call in an accept body", self.n_accepts > 0);
        let has = !call.family.is_empty() && !call.args.is_empty();
        self.count_if("entry family with parameters called", has);
        if has {
            self.index("entry family, bound index", "entry family, variable index", &call.family);
        }
        self.exprs(&call.index);
        self.exprs(&call.family);
        self.exprs(&call.args);
    }

    fn accept(&mut self, accept: &'m Accept) {
        let has = !accept.family.is_empty() && !accept.params.is_empty();
        self.count_if("entry family with parameters accepted", has);
        self.count_if("accept in an accept body", self.n_accepts > 0);
        if has {
            self.index("entry family, bound index", "entry family, variable index", &accept.family);
        }
        for param in &accept.params {
            if let Param::Value(value) | Param::In(_, Range::Closed(_, value)) = param {
                self.expr(value);
            }
        }
        if let Some(body) = &accept.body {
            self.count_if("accept body in an accept body", self.n_accepts > 0);
            self.n_accepts += 1;
            let loops = std::mem::take(&mut self.loops);
            self.block(body);
            self.loops = loops;
            self.n_accepts -= 1;
        }
    }

    /// Counts indices by a bound name or by a variable.
    fn index(&mut self, bound: &'static str, variable: &'static str, indices: &[Expr]) {
        let is_place = |index: &Expr| matches!(index, Expr::Place(_));
        if indices.iter().any(|index| !self.is_constant(index)) {
            self.count(variable);
        } else if indices.iter().any(is_place) {
            self.count(bound);
        }
    }

    fn read(&mut self, place: &'m Place) {
        self.grid(
            place,
            [
                "nested array read, constant index",
                "nested array read, bound index",
                "nested array read, variable index",
            ],
        );
    }

    fn written(&mut self, place: &'m Place) {
        self.grid(
            place,
            [
                "nested array written, constant index",
                "nested array written, bound index",
                "nested array written, variable index",
            ],
        );
    }

    fn grid(&mut self, place: &'m Place, [constant, bound, variable]: [&'static str; 3]) {
        self.exprs(&place.indices);
        if self.grids.contains(place.name.as_str()) {
            let is_number = |index: &Expr| matches!(index, Expr::Int(_));
            self.count_if(constant, place.indices.iter().all(is_number));
            self.index(bound, variable, &place.indices);
        }
    }

    fn exprs(&mut self, exprs: &'m [Expr]) {
        exprs.iter().for_each(|expr| self.expr(expr));
    }

    fn expr(&mut self, expr: &'m Expr) {
        match expr {
            Expr::Place(place) => self.read(place),
            Expr::Not(inner) => self.expr(inner),
            Expr::Binary(_, left, right) | Expr::And(left, right) | Expr::Or(left, right) => {
                self.expr(left);
                self.expr(right);
            }
            Expr::Call(function, args) => {
                self.calls.entry(function).or_default().push(self.caller);
                self.exprs(args);
            }
            Expr::Int(_) | Expr::Bool(_) | Expr::Variant(..) | Expr::Any => {}
        }
    }

    fn is_constant(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Place(place) => !self.variables.contains(place.name.as_str()),
            Expr::Not(inner) => self.is_constant(inner),
            Expr::Binary(_, left, right) => self.is_constant(left) && self.is_constant(right),
            Expr::Int(_) | Expr::Bool(_) | Expr::Variant(..) => true,
            Expr::And(..) | Expr::Or(..) | Expr::Any | Expr::Call(..) => false,
        }
    }
}
