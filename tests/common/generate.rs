//! Small random models, determined by a seed.
//!
//! Tasks talk in sessions that are planned together: the calling side and the
//! accepting side of an interaction are written at the same time and in the
//! same order everywhere, so that rendezvous do happen and most models can
//! end. Local statements are strewn in between. Constructs whose meaning the
//! language reference leaves open are not written.

mod rich;

use super::model::*;

/// How big and how varied the models are.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// At most this many task instances, at least two.
    pub instances: usize,
    /// At most this many interactions, at least one.
    pub interactions: usize,
    /// At most this many local statements per task, besides those in bodies.
    pub statements: usize,
    /// How deep local statements nest.
    pub depth: usize,
    /// At most this many shared variables.
    pub variables: usize,
    /// Percentage of shared variables whose initial value is unknown.
    pub unknown: u64,
    /// Percentage of accepts with a body.
    pub bodies: u64,
    /// Percentage of models with a task family.
    pub families: u64,
    /// Percentage of models with functions.
    pub functions: u64,
    /// Percentage of local statements with constant arrays, lists or tuples.
    pub arrays: u64,
    /// Percentage of local statements with locks, semaphores and channels.
    pub objects: u64,
    /// Percentage of local statements and rendezvous in atomic blocks.
    pub atomic: u64,
    /// Percentage of interactions by `select!` with guards on both sides; with
    /// them come other constructs for which exact runs differ from those of
    /// the book.
    pub selects: u64,
    /// Percentage of local statements that are a `match` with guards.
    pub guards: u64,
    /// Percentage of models with a nested array, and a third of it of local
    /// statements with that array.
    pub grids: u64,
    /// Percentage of local statements that are compound assignments.
    pub compound: u64,
    /// Percentage of interactions by an entry family with parameters.
    pub entries: u64,
    /// Percentage of accept bodies with another rendezvous.
    pub nesting: u64,
    /// Percentage of local statements that are nested loops with labelled jumps.
    pub jumps: u64,
    /// Percentage of local statements that call a function with parameters, in
    /// models with functions.
    pub calls: u64,
}

impl Default for Shape {
    fn default() -> Self {
        Self {
            instances: 4,
            interactions: 4,
            statements: 3,
            depth: 2,
            variables: 2,
            unknown: 15,
            bodies: 40,
            families: 35,
            functions: 30,
            arrays: 0,
            objects: 0,
            atomic: 0,
            selects: 0,
            guards: 0,
            grids: 0,
            compound: 0,
            entries: 0,
            nesting: 0,
            jumps: 0,
            calls: 0,
        }
    }
}

impl Shape {
    /// More of everything; some are too big to explore.
    pub fn large() -> Self {
        Self { interactions: 6, statements: 5, depth: 3, variables: 3, ..Self::default() }
    }

    /// Models whose exact runs differ from those of the book.
    pub fn exact() -> Self {
        Self { interactions: 3, selects: 60, unknown: 20, ..Self::default() }
    }

    /// Models with match guards, nested arrays, compound assignments, entry
    /// families with parameters, rendezvous inside accept bodies, labelled
    /// jumps and functions with several callers.
    pub fn rich() -> Self {
        Self {
            interactions: 2,
            bodies: 75,
            families: 20,
            functions: 60,
            selects: 20,
            guards: 18,
            grids: 50,
            compound: 18,
            entries: 30,
            nesting: 90,
            jumps: 12,
            calls: 35,
            ..Self::default()
        }
    }

    /// Models for which even naive algorithms are quick.
    pub fn tiny() -> Self {
        Self { instances: 3, interactions: 2, statements: 2, depth: 1, variables: 1, ..Self::default() }
    }
}

/// The model with this seed.
pub fn generate(seed: u64, shape: &Shape) -> Model {
    Generator::new(seed, *shape).model()
}

impl Shape {
    /// Are there constructs that only rich models have?
    fn is_rich(&self) -> bool {
        self.guards + self.grids + self.compound + self.jumps + self.calls > 0
    }
}

/// Splitmix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn between(&mut self, lo: i64, hi: i64) -> i64 {
        lo + self.below((hi - lo + 1) as usize) as i64
    }

    pub fn percent(&mut self, percent: u64) -> bool {
        self.next() % 100 < percent
    }

    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

/// The number of instances of the one family a model may have.
const N: i64 = 2;

/// What a statement may refer to at its place.
#[derive(Clone, Default)]
struct Context {
    variables: Vec<(Place, Type)>,
    /// Bound names with a value in `0..N`.
    names: Vec<String>,
    /// Loops that may be left, innermost last; labels are unique.
    loops: Vec<Option<String>>,
    /// Functions with locals may be called: at most once, and not in a `for`.
    once: bool,
    /// Inside a function, where no other is called.
    function: bool,
    /// Inside an atomic block, where nothing waits.
    atomic: bool,
}

struct Plan {
    name: String,
    family: bool,
    context: Context,
    body: Block,
    entries: Vec<Entry>,
    budget: usize,
    /// The function with a local variable is already called here.
    called: bool,
}

#[derive(Clone)]
struct Entry {
    name: String,
    /// An index in `0..2`.
    family: bool,
    params: Vec<Type>,
}

/// One call and the accept that matches it.
struct Pair {
    call: Call,
    accept: Accept,
}

struct Generator {
    random: Random,
    shape: Shape,
    model: Model,
    plans: Vec<Plan>,
    n_names: usize,
    /// The tasks of the rendezvous around the accept body that is written.
    busy: Vec<usize>,
    /// Calls may be in atomic blocks, not accepts: never both sides.
    atomic_calls: bool,
}

impl Generator {
    fn new(seed: u64, shape: Shape) -> Self {
        let (random, atomic_calls) = (Random::new(seed), seed.is_multiple_of(2));
        let (model, plans, busy) = (Model::default(), Vec::new(), Vec::new());
        Self { random, shape, model, plans, n_names: 0, busy, atomic_calls }
    }

    fn model(mut self) -> Model {
        self.declare();
        let interactions = 1 + self.random.below(self.shape.interactions);
        for _ in 0..interactions {
            for task in 0..self.plans.len() {
                self.strew(task, 35);
            }
            self.interaction();
        }
        if self.random.percent(25) {
            self.server();
        }
        for task in 0..self.plans.len() {
            self.strew(task, 50);
        }
        self.model.tasks = std::mem::take(&mut self.plans)
            .into_iter()
            .map(|plan| Task {
                family: match plan.family {
                    true => vec![("id".to_owned(), Range::HalfOpen(int(0), name("N")))],
                    false => Vec::new(),
                },
                name: plan.name,
                body: plan.body,
            })
            .collect();
        let mut used: Vec<String> = Vec::new();
        for function in self.model.functions.iter().rev() {
            let called = |block: &Block| runs(block, &function.name);
            let by_function = |other: &Function| used.contains(&other.name) && called(&other.body);
            let by_task = self.model.tasks.iter().any(|task| called(&task.body));
            if by_task || self.model.functions.iter().any(by_function) {
                used.push(function.name.clone());
            }
        }
        self.model.functions.retain(|function| used.contains(&function.name));
        self.model
    }

    fn fresh(&mut self, stem: &str) -> String {
        self.n_names += 1;
        format!("{stem}{}", self.n_names)
    }

    // Declarations.

    fn declare(&mut self) {
        let mut globals = Context::default();
        self.model.enums = vec![Enum {
            name: "Phase".into(),
            variants: ["Idle", "Busy", "Done"].map(String::from).to_vec(),
        }];
        self.model.consts = vec![("N".to_owned(), N)];
        if self.shape.arrays > 0 {
            self.model.arrays = vec![
                ("COST".to_owned(), (0..4).map(|_| int(self.random.between(0, 1))).collect()),
                ("ON".to_owned(), (0..4).map(|_| Expr::Bool(self.random.percent(50))).collect()),
                ("ORDER".to_owned(), (0..4).map(|_| self.value(&Type::Enum("Phase".into()))).collect()),
            ];
        }
        if self.shape.objects > 0 {
            self.declare_objects();
        }
        let n_variables = match self.is_exact() {
            true => 1 + self.random.below(self.shape.variables),
            false => self.random.below(self.shape.variables + 1),
        };
        for number in 0..n_variables {
            let ty = match self.shape.grids > 0 && number == 0 && self.random.percent(60) {
                true => Type::Int(0, N - 1),
                false => self.scalar_type(),
            };
            let label = ["X", "Y", "Z", "U"][number % 4].to_owned() + &"_".repeat(number / 4);
            if self.random.percent(25) {
                let array = Type::Array(Box::new(ty.clone()), 2);
                let initial = Some(self.value(&ty));
                self.model.statics.push(Static::new(&label, array, initial));
                for index in 0..2 {
                    globals.variables.push((element(&label, int(index)), ty.clone()));
                }
            } else {
                let initial = (!self.random.percent(self.shape.unknown)).then(|| self.value(&ty));
                self.model.statics.push(Static::new(&label, ty.clone(), initial));
                globals.variables.push((place(&label), ty));
            }
        }
        if self.shape.grids > 0 && self.random.percent(self.shape.grids) {
            self.declare_grid(&mut globals);
        }
        if self.random.percent(self.shape.functions) {
            self.functions(&globals);
            if self.shape.calls > 0 {
                self.rich_functions(&globals);
            }
        }
        self.tasks(&globals);
    }

    fn tasks(&mut self, globals: &Context) {
        let mut left = 2 + self.random.below(self.shape.instances - 1);
        let family = left > 2 && self.random.percent(self.shape.families);
        if family {
            left -= N as usize;
        }
        let singles = ["p", "q", "r", "s"].iter().take(left).map(|name| (*name, false));
        let names: Vec<_> = family.then_some(("w", true)).into_iter().chain(singles).collect();
        for (label, family) in names {
            let mut context = Context { once: true, ..globals.clone() };
            let mut body = Vec::new();
            if family {
                context.names.push("id".into());
            }
            if self.random.percent(20) {
                body.push(Stmt::LetConst("k".into(), int(self.random.between(0, N - 1))));
                context.names.push("k".into());
            }
            if self.random.percent(30) {
                let ty = self.scalar_type();
                let value = if self.random.percent(15) { Expr::Any } else { self.value(&ty) };
                body.push(Stmt::Let { name: "l".into(), ty: ty.clone(), value: Some(value) });
                context.variables.push((place("l"), ty));
            }
            let budget = self.random.below(self.shape.statements + 1);
            let (name, entries) = (label.into(), Vec::new());
            self.plans.push(Plan { name, family, context, body, entries, budget, called: false });
        }
    }

    fn functions(&mut self, globals: &Context) {
        let context = Context { once: false, function: true, ..globals.clone() };
        let index = || ("i".to_owned(), ParamType::Index);
        let with_index = Context { names: vec!["i".into()], ..context.clone() };

        let mut body = vec![event_of("f", vec![name("i")])];
        body.extend(self.block(&with_index, 1, 1));
        if self.random.percent(30) {
            body.push(Stmt::If(Expr::Any, vec![Stmt::Return(None)], Vec::new()));
            body.push(event("f_end"));
        }
        self.model.functions.push(Function {
            name: "visit".into(),
            params: vec![index()],
            result: None,
            body,
        });

        let ty = self.scalar_type();
        // Nothing but the parameter: it may stand for any variable, and what
        // `v = x + 1` means when they are the same is not for us to say.
        let inner =
            Context { variables: vec![(pointee("v"), ty.clone())], function: true, ..Context::default() };
        let body = vec![
            Stmt::If(self.comparison(&pointee("v"), &ty), vec![event("f_yes")], vec![self.event(&inner)]),
            self.assignment_to(&pointee("v"), &ty, &inner),
        ];
        let params = vec![("v".to_owned(), ParamType::Ref(ty))];
        self.model.functions.push(Function { name: "touch".into(), params, result: None, body });

        let ty = self.scalar_type();
        let mut inner = context.clone();
        inner.variables.push((place("m"), ty.clone()));
        let mut body = vec![Stmt::Let { name: "m".into(), ty: ty.clone(), value: Some(self.value(&ty)) }];
        body.extend(self.block(&inner, 1, 2));
        body.push(Stmt::If(self.comparison(&place("m"), &ty), vec![event("f_yes")], Vec::new()));
        self.model.functions.push(Function { name: "local".into(), params: Vec::new(), result: None, body });

        let body = vec![
            Stmt::If(Expr::Any, vec![Stmt::Return(Some(int(1)))], Vec::new()),
            event_of("f", vec![name("i")]),
            Stmt::Return(Some(name("i"))),
        ];
        let result = Some(Type::Int(0, 2));
        self.model.functions.push(Function { name: "guess".into(), params: vec![index()], result, body });

        let mut body = vec![event("asked")];
        if self.random.percent(50) {
            body.extend(self.block(&context, 0, 1));
        }
        body.push(Stmt::If(Expr::Any, vec![Stmt::Return(Some(Expr::Bool(true)))], Vec::new()));
        body.push(event("denied"));
        body.push(Stmt::Return(Some(Expr::Bool(false))));
        let result = Some(Type::Bool);
        self.model.functions.push(Function { name: "ask".into(), params: Vec::new(), result, body });
    }

    /// A call of the function that answers yes or no, where one may be.
    fn ask(&mut self, context: &Context, percent: u64) -> Option<Expr> {
        let may = !self.model.functions.is_empty() && !context.function && self.random.percent(percent);
        let with_index = may && self.shape.calls > 0 && self.random.percent(60);
        match with_index {
            true => self.check(context),
            false => may.then(|| Expr::Call("ask".into(), Vec::new())),
        }
    }

    /// `left && right`, `left || right`, or the opposite of one.
    fn lazy(&mut self, left: Expr, right: Expr) -> Expr {
        let (left, right) = (Box::new(left), Box::new(right));
        let both = if self.random.percent(50) { Expr::And(left, right) } else { Expr::Or(left, right) };
        if self.random.percent(20) { not(both) } else { both }
    }

    fn scalar_type(&mut self) -> Type {
        match self.random.below(11) {
            0..=3 => Type::Bool,
            4 => Type::Enum("Phase".into()),
            5 | 9 => Type::Int(0, 1),
            6 | 7 => Type::Int(0, 2),
            8 => Type::Int(1, 3),
            _ => Type::Int(0, 3),
        }
    }

    fn value(&mut self, ty: &Type) -> Expr {
        match ty {
            Type::Bool => Expr::Bool(self.random.percent(50)),
            Type::Int(lo, hi) => int(self.random.between(*lo, *hi)),
            Type::Enum(ty) => {
                let variant = *self.random.pick(&["Idle", "Busy", "Done"]);
                Expr::Variant(ty.clone(), variant.into())
            }
            Type::Array(..) => panic!("values are scalar"),
        }
    }

    // Local statements.

    /// Spends some of a task's budget of local statements.
    fn strew(&mut self, task: usize, percent: u64) {
        while self.plans[task].budget > 0 && self.random.percent(percent) {
            self.plans[task].budget -= 1;
            let mut context = self.plans[task].context.clone();
            let stmts = match self.random.percent(8) {
                true => self.exit(&context),
                false => {
                    // A function with a local is inlined once per task.
                    context.once &= !self.plans[task].called;
                    let stmt = self.statement(&context, self.shape.depth);
                    self.plans[task].called |= calls_local(&stmt);
                    vec![stmt]
                }
            };
            self.plans[task].body.extend(stmts);
        }
    }

    /// A task that may end early.
    fn exit(&mut self, context: &Context) -> Block {
        let stop = vec![event("stop"), Stmt::Return(None)];
        let condition = if self.random.percent(50) { Expr::Any } else { self.condition(context) };
        vec![Stmt::If(condition, stop, Vec::new())]
    }

    fn block(&mut self, context: &Context, depth: usize, most: usize) -> Block {
        let n = 1 + self.random.below(most);
        let mut context = context.clone();
        let mut block = Vec::new();
        for _ in 0..n {
            let stmt = self.statement(&context, depth);
            context.once &= !calls_local(&stmt);
            block.push(stmt);
        }
        block
    }

    /// Blocks for branches: the function with a local stays out of them, so
    /// that it is called once.
    fn branch(&mut self, context: &Context, depth: usize) -> Block {
        let context = Context { once: false, ..context.clone() };
        self.block(&context, depth.saturating_sub(1), 2)
    }

    fn statement(&mut self, context: &Context, depth: usize) -> Stmt {
        if !self.model.functions.is_empty() && !context.function && self.random.percent(30) {
            return self.run(context);
        }
        if self.shape.atomic > 0 && !context.atomic && self.random.percent(self.shape.atomic) {
            return self.atomic(context, depth);
        }
        if self.shape.objects > 0 && !context.atomic && self.random.percent(self.shape.objects) {
            return self.with_object(context, depth);
        }
        if self.shape.arrays > 0 && self.random.percent(self.shape.arrays) {
            return self.with_array(context, depth);
        }
        if self.shape.is_rich()
            && let Some(stmt) = self.rich_statement(context, depth)
        {
            return stmt;
        }
        let kinds = if depth == 0 { 14 } else { 27 };
        match self.random.below(kinds) {
            0..=4 => self.event(context),
            5..=10 => self.assignment(context),
            11 => self.run(context),
            12 => self.wait(context),
            13 => self.event(context),
            14..=16 => {
                let no = if self.random.percent(50) { self.branch(context, depth) } else { Vec::new() };
                let constant = context.names.iter().any(|bound| bound == "id") && self.random.percent(40);
                let condition = match constant {
                    true => equal(name("id"), int(self.random.between(0, N - 1))),
                    false => self.condition(context),
                };
                Stmt::If(condition, self.branch(context, depth), no)
            }
            17 => {
                let no = if self.random.percent(50) { self.branch(context, depth) } else { Vec::new() };
                Stmt::If(Expr::Any, self.branch(context, depth), no)
            }
            18 => Stmt::While { label: None, condition: Expr::Any, body: self.inner(context, None, depth) },
            19 => {
                let condition = self.condition(context);
                Stmt::While { label: None, condition, body: self.inner(context, None, depth) }
            }
            20 | 21 => self.endless(context, depth),
            22 | 23 => self.choose(context, depth),
            24 => self.for_each(context, depth),
            _ => self.matches(context, depth),
        }
    }

    /// The body of a loop, perhaps with a jump.
    fn inner(&mut self, context: &Context, label: Option<String>, depth: usize) -> Block {
        let mut context = context.clone();
        context.loops.push(label);
        let mut body = self.branch(&context, depth);
        if self.random.percent(25) {
            let jump = self.jump(&context);
            body.push(Stmt::If(Expr::Any, vec![jump], Vec::new()));
            body.push(self.event(&context));
        }
        body
    }

    /// A jump out of or to the head of a loop around.
    fn jump(&mut self, context: &Context) -> Stmt {
        let innermost = context.loops.len() - 1;
        let target = self.random.below(context.loops.len());
        let target = match &context.loops[target] {
            Some(label) => Some(label.clone()),
            // Only the innermost loop can be meant without a label.
            None => context.loops[innermost].clone(),
        };
        if self.random.percent(60) { Stmt::Break(target) } else { Stmt::Continue(target) }
    }

    /// A `loop` with a way out.
    fn endless(&mut self, context: &Context, depth: usize) -> Stmt {
        let label = self.random.percent(50).then(|| self.fresh("l"));
        let mut body = self.inner(context, label.clone(), depth);
        let condition = if self.random.percent(75) { Expr::Any } else { self.condition(context) };
        let target = if self.random.percent(50) { label.clone() } else { None };
        let way_out = Stmt::If(condition, vec![Stmt::Break(target)], Vec::new());
        body.insert(self.random.below(body.len() + 1), way_out);
        Stmt::Loop { label, body }
    }

    fn choose(&mut self, context: &Context, depth: usize) -> Stmt {
        let mut choices = vec![Choice::Block(self.branch(context, depth))];
        if self.random.percent(30) {
            let bound = self.fresh("c");
            let block = vec![event_of("pick", vec![name(&bound)])];
            choices.push(Choice::Each(bound, below(N), block));
        } else if self.random.percent(30) {
            choices.push(Choice::Block(Vec::new()));
        } else {
            choices.push(Choice::Block(self.branch(context, depth)));
        }
        Stmt::Choose(choices)
    }

    fn for_each(&mut self, context: &Context, depth: usize) -> Stmt {
        let bound = self.fresh("i");
        let mut inner = Context { once: false, ..context.clone() };
        inner.names.push(bound.clone());
        inner.loops.push(None);
        let mut body = vec![event_of("step", vec![name(&bound)])];
        body.extend(self.branch(&inner, depth).into_iter().take(1));
        if self.random.percent(15) {
            body.insert(0, Stmt::If(Expr::Any, vec![Stmt::Break(None)], Vec::new()));
        }
        let range = if self.random.percent(50) { below(N) } else { Range::Closed(int(0), int(N - 1)) };
        Stmt::For { label: None, name: bound, range, reverse: self.random.percent(25), body }
    }

    /// A block in which only the first statement may wait.
    fn atomic(&mut self, context: &Context, depth: usize) -> Stmt {
        let inner = Context { once: false, function: true, atomic: true, ..context.clone() };
        let mut body = Vec::new();
        if self.random.percent(40)
            && let Some((place, ty)) = self.any_variable(context)
        {
            body.push(Stmt::Wait(self.comparison(&place, &ty)));
        }
        body.extend(self.block(&inner, depth, 3));
        if !context.loops.is_empty() && self.random.percent(25) {
            let jump = self.jump(&inner);
            let at = self.random.below(body.len()) + 1;
            body.insert(at, Stmt::If(Expr::Any, vec![jump], Vec::new()));
        }
        Stmt::Atomic(body)
    }

    /// A rendezvous, perhaps as the first action of an atomic block.
    fn perhaps_atomic(&mut self, task: usize, rendezvous: Stmt) -> Stmt {
        let fits = match &rendezvous {
            // An argument that is read would be the first action.
            Stmt::Call(call) => {
                let variables = &self.plans[task].context.variables;
                let is_variable = |expr: &Expr| match expr {
                    Expr::Place(place) => variables.iter().any(|(known, _)| known.name == place.name),
                    _ => false,
                };
                self.atomic_calls && !call.args.iter().chain(&call.index).any(is_variable)
            }
            Stmt::Accept(accept) => !self.atomic_calls && accept.body.is_none(),
            _ => false,
        };
        if self.shape.atomic == 0 || !fits || !self.random.percent(self.shape.atomic) {
            return rendezvous;
        }
        let context = self.plans[task].context.clone();
        let inner = Context { once: false, function: true, atomic: true, ..context };
        let mut body = vec![rendezvous];
        body.extend(self.block(&inner, 1, 2));
        Stmt::Atomic(body)
    }

    fn declare_objects(&mut self) {
        let object =
            |name: &str, kind: ObjectKind, len: Option<usize>| Object { name: name.into(), kind, len };
        let max = self.random.between(1, 2);
        let initial = if self.random.percent(50) { max } else { self.random.between(0, max) };
        let capacity = 1 + self.random.below(2);
        let lock = object("M", ObjectKind::Lock, None);
        // Few, since each is one more task.
        self.model.objects = match self.random.below(4) {
            0 => vec![lock],
            1 => vec![object("L", ObjectKind::Lock, Some(2))],
            2 => vec![object("S", ObjectKind::Semaphore(initial, max), None)],
            _ => vec![object("Q", ObjectKind::Channel(Type::Bool, capacity), None)],
        };
    }

    /// A critical section, a message, or an operation at a wrong time.
    fn with_object(&mut self, context: &Context, depth: usize) -> Stmt {
        let operate = |object: Place, operation: Operation| Stmt::Operate {
            result: None,
            object,
            operation,
            message: None,
        };
        let Object { name, kind, len } = self.model.objects[0].clone();
        let mut target = place(&name);
        if len.is_some() {
            let fits = |(_, ty): &&(Place, Type)| *ty == Type::Int(0, 1);
            let variable = context.variables.iter().find(fits).map(|(place, _)| Expr::Place(place.clone()));
            let index = variable.filter(|_| self.random.percent(50));
            target = element(&name, index.unwrap_or_else(|| int(self.random.between(0, 1))));
        }
        let block = |body: Block| Stmt::Choose(vec![Choice::Block(body)]);
        let inner = Context { once: false, ..context.clone() };
        let (before, after) = match kind {
            ObjectKind::Lock => (Operation::Lock, Operation::Unlock),
            ObjectKind::Semaphore(..) => (Operation::Acquire, Operation::Release),
            ObjectKind::Channel(ty, _) => return self.message(context, target, &ty),
        };
        if self.random.percent(75) {
            let mut body = vec![operate(target.clone(), before)];
            body.extend(self.block(&inner, depth.saturating_sub(1), 1));
            body.push(operate(target, after));
            return block(body);
        }
        let operation = if self.random.percent(50) { before } else { after };
        let other = Choice::Block(vec![self.event(context)]);
        Stmt::Choose(vec![Choice::Block(vec![operate(target, operation)]), other])
    }

    /// A message that is sent, or perhaps received.
    fn message(&mut self, context: &Context, object: Place, ty: &Type) -> Stmt {
        let same = context.variables.iter().filter(|(_, known)| known == ty);
        let same: Vec<Place> = same.map(|(place, _)| place.clone()).collect();
        let variable = (!same.is_empty()).then(|| self.random.pick(&same).clone());
        let variable = variable.filter(|_| self.random.percent(60));
        if self.random.percent(60) {
            let message = Some(variable.map_or_else(|| self.value(ty), Expr::Place));
            return Stmt::Operate { result: None, object, operation: Operation::Send, message };
        }
        let recv = Stmt::Operate { result: variable, object, operation: Operation::Recv, message: None };
        let other = Choice::Block(vec![self.event(context)]);
        Stmt::Choose(vec![Choice::Block(vec![recv]), other])
    }

    /// A statement with a constant array, a list or a tuple.
    fn with_array(&mut self, context: &Context, depth: usize) -> Stmt {
        match self.random.below(if depth == 0 { 3 } else { 7 }) {
            0 => {
                let label = *self.random.pick(&["a", "b", "c", "d"]);
                let array = *self.random.pick(&["COST", "ON", "ORDER"]);
                let index = self.array_index(context);
                event_of(label, vec![Expr::Place(element(array, index))])
            }
            1 | 2 => {
                let Some((place, ty)) = self.any_variable(context) else { return self.event(context) };
                let array = match ty {
                    Type::Bool => "ON",
                    Type::Enum(_) => "ORDER",
                    Type::Int(0, _) => "COST",
                    // Its elements may be outside.
                    _ => return self.event(context),
                };
                let index = self.array_index(context);
                Stmt::Assign(place, Expr::Place(element(array, index)))
            }
            3 | 4 => {
                let bound = self.fresh("x");
                let inner = Context { once: false, ..context.clone() };
                let mut body = vec![event_of("item", vec![name(&bound)])];
                body.extend(self.branch(&inner, depth).into_iter().take(1));
                let range = match self.random.below(4) {
                    0 => Range::Array((*self.random.pick(&["COST", "ON", "ORDER"])).to_owned()),
                    1 => Range::List(vec![self.value(&Type::Bool)]),
                    2 => Range::List(vec![int(1), int(9), int(1)]),
                    _ => {
                        let ty = Type::Enum("Phase".into());
                        Range::List(vec![self.value(&ty), self.value(&ty)])
                    }
                };
                let few = match &range {
                    Range::Array(_) => body.into_iter().take(1).collect(),
                    _ => body,
                };
                Stmt::For { label: None, name: bound, range, reverse: self.random.percent(25), body: few }
            }
            _ => self.tuple_match(context, depth),
        }
    }

    /// A name or variable in `0..4`.
    fn array_index(&mut self, context: &Context) -> Expr {
        let fits = |(_, ty): &&(Place, Type)| matches!(ty, Type::Int(..));
        let variables = context.variables.iter().filter(fits).map(|(place, _)| Expr::Place(place.clone()));
        let names = context.names.iter().map(|bound| name(bound));
        let all: Vec<Expr> = variables.chain(names).collect();
        match all.is_empty() || self.random.percent(20) {
            true => int(self.random.between(0, 3)),
            false => self.random.pick(&all).clone(),
        }
    }

    /// A `match` of two or three variables, perhaps of the same twice.
    fn tuple_match(&mut self, context: &Context, depth: usize) -> Stmt {
        if context.variables.is_empty() {
            return self.event(context);
        }
        let n_parts = 2 + usize::from(self.random.percent(20));
        let parts: Vec<(Place, Type)> =
            (0..n_parts).map(|_| self.random.pick(&context.variables).clone()).collect();
        let mut arms = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let mut patterns = Vec::new();
            for _ in 0..1 + self.random.below(2) {
                let pattern = parts.iter().map(|(_, ty)| match self.random.percent(30) {
                    true => Part::Any,
                    false => Part::Value(self.value(ty)),
                });
                patterns.push(pattern.collect());
            }
            arms.push(TupleArm { patterns, guard: None, body: self.branch(context, depth) });
        }
        let body = if self.random.percent(50) { self.branch(context, depth) } else { Vec::new() };
        arms.push(TupleArm { patterns: Vec::new(), guard: None, body });
        Stmt::MatchTuple(parts.into_iter().map(|(place, _)| place).collect(), arms)
    }

    fn matches(&mut self, context: &Context, depth: usize) -> Stmt {
        let Some((place, ty)) = self.any_variable(context) else { return self.event(context) };
        let values: Vec<Expr> = match &ty {
            Type::Bool => vec![Expr::Bool(false), Expr::Bool(true)],
            Type::Int(lo, hi) => (*lo..=*hi).map(int).collect(),
            _ => ["Idle", "Busy", "Done"].map(|v| Expr::Variant("Phase".into(), v.into())).to_vec(),
        };
        let mut arms: Vec<Arm> = Vec::new();
        for value in values {
            match arms.last_mut() {
                // At least two arms, so that no arm takes every value.
                Some(arm) if arms_room(&ty) > 2 && arm.patterns.len() == 1 && self.random.percent(35) => {
                    arm.patterns.push(value);
                }
                _ => {
                    let body = if self.random.percent(75) { self.branch(context, depth) } else { Vec::new() };
                    arms.push(arm(vec![value], body));
                }
            }
        }
        if let Some(last) = arms.last_mut().filter(|_| !matches!(ty, Type::Bool)) {
            last.patterns.clear();
        }
        Stmt::Match(place, arms)
    }

    fn event(&mut self, context: &Context) -> Stmt {
        let label = *self.random.pick(&["a", "b", "c", "d"]);
        if context.names.is_empty() || self.random.percent(60) {
            return match self.random.percent(15) {
                true => event_of(label, vec![int(self.random.between(0, 1))]),
                false => event(label),
            };
        }
        let bound = name(self.random.pick::<String>(&context.names));
        Stmt::Event { name: label.into(), args: vec![bound], brackets: self.random.percent(50) }
    }

    fn assignment(&mut self, context: &Context) -> Stmt {
        let Some((place, ty)) = self.any_variable(context) else { return self.event(context) };
        self.assignment_to(&place, &ty, context)
    }

    fn assignment_to(&mut self, place: &Place, ty: &Type, context: &Context) -> Stmt {
        if !place.indices.is_empty() && self.random.percent(15) {
            let place = self.redirect(place, Expr::Any);
            return match (ty, self.ask(context, 40)) {
                (Type::Int(..), _) if self.random.percent(40) => Stmt::Shift(place, 1),
                (Type::Bool, Some(asked)) => Stmt::Assign(place, asked),
                _ => Stmt::Assign(place, self.value(ty)),
            };
        }
        if *ty == Type::Bool
            && let Some(asked) = self.ask(context, 35)
        {
            let value = self.lazy_value(asked, place, context);
            return Stmt::Assign(place.clone(), value);
        }
        if let Some(index) = self.random.percent(10).then(|| self.index(place, context)).flatten() {
            let place = self.redirect(place, index);
            return match ty {
                Type::Int(..) if self.random.percent(40) => Stmt::Shift(place, 1),
                ty => Stmt::Assign(place, self.value(ty)),
            };
        }
        if matches!(ty, Type::Int(..)) && self.random.percent(35) {
            return self.shift(place);
        }
        if self.is_exact()
            && let Type::Int(lo, hi) = *ty
            && self.random.percent(35)
        {
            return match self.random.percent(50) {
                true => self.shift(place),
                false => self.careful_shift(place, lo, hi),
            };
        }
        if self.random.percent(10) {
            return Stmt::Assign(place.clone(), Expr::Any);
        }
        let same = |(other, known): &&(Place, Type)| known == ty && other.name != place.name;
        let others: Vec<Place> =
            context.variables.iter().filter(same).map(|(place, _)| place.clone()).collect();
        if !others.is_empty() && self.random.percent(45) {
            let other = Expr::Place(self.random.pick(&others).clone());
            let value = match ty {
                Type::Bool if self.random.percent(40) => not(other),
                Type::Int(..) if self.random.percent(40) => binary(other, Op::Add, int(1)),
                _ => other,
            };
            return Stmt::Assign(place.clone(), value);
        }
        if *ty == Type::Bool && self.random.percent(15) {
            return Stmt::Assign(place.clone(), not(Expr::Place(place.clone())));
        }
        Stmt::Assign(place.clone(), self.value(ty))
    }

    /// A value with a call that need not happen. `any!()` stands only on the
    /// left: on the right it would make the value unknown.
    fn lazy_value(&mut self, asked: Expr, target: &Place, context: &Context) -> Expr {
        let fits = |(other, ty): &&(Place, Type)| *ty == Type::Bool && other.name != target.name;
        let others: Vec<Place> =
            context.variables.iter().filter(fits).map(|(place, _)| place.clone()).collect();
        match (others.is_empty(), self.random.below(4)) {
            (_, 0) | (true, 1) => self.lazy(Expr::Any, asked),
            (true, _) => asked,
            (false, 1) => {
                let read = Expr::Place(self.random.pick(&others).clone());
                self.lazy(asked, read)
            }
            (false, 2) => {
                let read = Expr::Place(self.random.pick(&others).clone());
                self.lazy(Expr::Any, read)
            }
            (false, _) => {
                let read = Expr::Place(self.random.pick(&others).clone());
                self.lazy(read, asked)
            }
        }
    }

    fn shift(&mut self, place: &Place) -> Stmt {
        let by = *self.random.pick(&[1, 1, 1, -1, -1, 2]);
        if self.random.percent(80) || by < 0 {
            return Stmt::Shift(place.clone(), by);
        }
        Stmt::Assign(place.clone(), binary(Expr::Place(place.clone()), Op::Add, int(by)))
    }

    /// Stays in the domain unless another task interferes.
    fn careful_shift(&mut self, place: &Place, lo: i64, hi: i64) -> Stmt {
        let (guard, by) = self.room(place, lo, hi);
        Stmt::If(guard, vec![Stmt::Shift(place.clone(), by)], Vec::new())
    }

    /// A step up or down, and when it stays in the domain.
    fn room(&mut self, place: &Place, lo: i64, hi: i64) -> (Expr, i64) {
        let variable = Expr::Place(place.clone());
        match self.random.percent(50) {
            true => (binary(variable, Op::Lt, int(hi)), 1),
            false => (binary(variable, Op::Gt, int(lo)), -1),
        }
    }

    /// The element of the same array with this index, the only one or one of
    /// two.
    fn redirect(&mut self, place: &Place, index: Expr) -> Place {
        let mut place = place.clone();
        let at = if place.indices.len() > 1 { self.random.below(place.indices.len()) } else { 0 };
        place.indices[at] = index;
        place
    }

    /// A variable or name in `0..2` to index the array of `place` with.
    fn index(&mut self, place: &Place, context: &Context) -> Option<Expr> {
        if place.indices.is_empty() {
            return None;
        }
        let fits = |(other, ty): &&(Place, Type)| *ty == Type::Int(0, 1) && other.name != place.name;
        let variables = context.variables.iter().filter(fits).map(|(place, _)| Expr::Place(place.clone()));
        let names = context.names.iter().map(|bound| name(bound));
        let all: Vec<Expr> = variables.chain(names).collect();
        (!all.is_empty()).then(|| self.random.pick(&all).clone())
    }

    fn any_variable(&mut self, context: &Context) -> Option<(Place, Type)> {
        (!context.variables.is_empty()).then(|| self.random.pick(&context.variables).clone())
    }

    /// Blocks for good if nobody changes the variable, hence rare.
    fn wait(&mut self, context: &Context) -> Stmt {
        if context.atomic {
            return self.event(context);
        }
        match self.any_variable(context) {
            Some((place, ty)) if self.random.percent(60) => match self.ask(context, 20) {
                Some(asked) => Stmt::Wait(asked),
                None if self.is_exact() && self.random.percent(40) => {
                    let left = self.comparison(&place, &ty);
                    let (place, ty) = self.random.pick(&context.variables).clone();
                    let right = self.comparison(&place, &ty);
                    Stmt::Wait(self.lazy(left, right))
                }
                None => Stmt::Wait(self.comparison(&place, &ty)),
            },
            _ => self.event(context),
        }
    }

    fn run(&mut self, context: &Context) -> Stmt {
        if self.model.functions.is_empty() || context.function {
            return self.event(context);
        }
        let index = match context.names.is_empty() {
            true => int(self.random.between(0, 1)),
            false => name(self.random.pick::<String>(&context.names)),
        };
        let run =
            |function: &str, args: Vec<Arg>| Stmt::Run { result: None, function: function.into(), args };
        match self.random.below(5) {
            0 if context.once || self.shape.calls > 0 => run("local", Vec::new()),
            1 => {
                let ParamType::Ref(ty) = &self.model.functions[1].params[0].1 else {
                    return self.event(context);
                };
                let fits = context.variables.iter().filter(|(_, known)| known == ty);
                let fits: Vec<Place> = fits.map(|(place, _)| place.clone()).collect();
                if fits.is_empty() {
                    return self.event(context);
                }
                run("touch", vec![Arg::Ref(self.random.pick(&fits).clone())])
            }
            2 => {
                let fits = |(_, ty): &&(Place, Type)| *ty == Type::Int(0, 2);
                match context.variables.iter().find(fits).cloned() {
                    None => run("visit", vec![Arg::Value(index)]),
                    Some((place, _)) => Stmt::Run {
                        result: Some(place),
                        function: "guess".into(),
                        args: vec![Arg::Value(index)],
                    },
                }
            }
            3 => {
                let fits = |(_, ty): &&(Place, Type)| *ty == Type::Int(0, 1);
                let variable =
                    context.variables.iter().find(fits).map(|(place, _)| Expr::Place(place.clone()));
                run("visit", vec![Arg::Value(variable.unwrap_or(index))])
            }
            _ => run("visit", vec![Arg::Value(index)]),
        }
    }

    /// A condition of an `if` or a `while`, never a constant one: what follows
    /// a loop or an early end has to be reachable in every instance.
    fn condition(&mut self, context: &Context) -> Expr {
        let Some((place, ty)) = self.any_variable(context) else { return Expr::Any };
        if let Some(index) = self.random.percent(15).then(|| self.index(&place, context)).flatten() {
            let place = self.redirect(&place, index);
            return self.comparison(&place, &ty);
        }
        let left = self.comparison(&place, &ty);
        if let Some(asked) = self.ask(context, 20) {
            return if self.random.percent(60) { self.lazy(left, asked) } else { self.lazy(asked, left) };
        }
        let others = context.variables.iter().filter(|(other, _)| other.name != place.name);
        let others: Vec<(Place, Type)> = others.cloned().collect();
        if others.is_empty() || self.random.percent(60) {
            return left;
        }
        let (other, other_ty) = self.random.pick(&others).clone();
        if ty == other_ty && self.random.percent(40) {
            let ops =
                if matches!(ty, Type::Int(..)) { &[Op::Lt, Op::Ge, Op::Eq][..] } else { &[Op::Eq, Op::Ne] };
            let op = *self.random.pick(ops);
            return binary(Expr::Place(place), op, Expr::Place(other));
        }
        let right = self.comparison(&other, &other_ty);
        self.lazy(left, right)
    }

    /// A test of one variable that is neither always true nor always false.
    fn comparison(&mut self, place: &Place, ty: &Type) -> Expr {
        let variable = Expr::Place(place.clone());
        match ty {
            Type::Bool => match self.random.below(4) {
                0 => variable,
                1 => not(variable),
                _ => equal(variable, self.value(ty)),
            },
            Type::Int(lo, hi) => match self.random.below(7) {
                0 => binary(variable, Op::Lt, int(self.random.between(lo + 1, *hi))),
                1 => binary(variable, Op::Ge, int(self.random.between(lo + 1, *hi))),
                2 => binary(variable, Op::Le, int(self.random.between(*lo, hi - 1))),
                3 => binary(variable, Op::Gt, int(self.random.between(*lo, hi - 1))),
                4 => binary(variable, Op::Ne, self.value(ty)),
                5 if *hi > 1 => equal(binary(variable, Op::Rem, int(2)), int(0)),
                _ => equal(variable, self.value(ty)),
            },
            _ => {
                let op = if self.random.percent(60) { Op::Eq } else { Op::Ne };
                let test = binary(variable, op, self.value(ty));
                if self.random.percent(15) { not(test) } else { test }
            }
        }
    }

    // Interactions.

    fn two_tasks(&mut self) -> (usize, usize) {
        let caller = self.random.below(self.plans.len());
        let shift = 1 + self.random.below(self.plans.len() - 1);
        (caller, (caller + shift) % self.plans.len())
    }

    fn interaction(&mut self) {
        let (caller, callee) = self.two_tasks();
        if self.is_exact() && self.random.percent(self.shape.selects) {
            let (calls, accepts) = self.negotiated(caller, callee);
            return self.add(caller, callee, calls, accepts);
        }
        if self.shape.entries > 0 && self.random.percent(self.shape.entries) {
            let (calls, accepts) = self.indexed(caller, callee);
            return self.add(caller, callee, calls, accepts);
        }
        let way = self.random.below(20);
        // Only a rendezvous that takes place for certain has another inside.
        let pair = self.pair(caller, callee, way <= 8);
        let (calls, accepts) = match way {
            0..=8 => {
                let call = self.perhaps_atomic(caller, Stmt::Call(pair.call));
                let accept = self.perhaps_atomic(callee, Stmt::Accept(pair.accept));
                (vec![call], vec![accept])
            }
            9..=11 => self.optional(caller, callee, pair),
            12..=14 => self.repeated(caller, callee, pair),
            15 | 16 => self.guarded(callee, pair),
            _ => self.chosen(caller, callee, pair),
        };
        self.add(caller, callee, calls, accepts);
    }

    fn is_exact(&self) -> bool {
        self.shape.selects > 0
    }

    /// Both sides have a `select!`, or one of them and the other is sure.
    fn negotiated(&mut self, caller: usize, callee: usize) -> (Block, Block) {
        let way = self.random.below(5);
        let n_pairs = if way == 4 { 1 } else { 1 + self.random.below(2) };
        let pairs: Vec<Pair> = (0..n_pairs).map(|_| self.pair(caller, callee, false)).collect();
        let (calls, accepts): (Vec<Call>, Vec<Accept>) =
            pairs.into_iter().map(|pair| (pair.call, pair.accept)).unzip();
        let calls = match way {
            0 | 1 => calls.into_iter().take(1).map(Stmt::Call).collect(),
            _ => {
                let talks = calls.into_iter().map(|mut call| {
                    self.vary_index(caller, callee, &mut call);
                    Talk::Call(call)
                });
                let talks = talks.collect();
                vec![self.select(caller, talks)]
            }
        };
        let accepts = match way {
            4 => accepts.into_iter().map(Stmt::Accept).collect(),
            _ => vec![self.select(callee, accepts.into_iter().map(Talk::Accept).collect())],
        };
        (calls, accepts)
    }

    /// At times the instance of a family that is called is read from a variable.
    fn vary_index(&mut self, caller: usize, callee: usize, call: &mut Call) {
        let variables = &self.plans[caller].context.variables;
        let fits = variables.iter().find(|(_, ty)| *ty == Type::Int(0, N - 1)).cloned();
        if let Some((place, _)) = fits.filter(|_| self.plans[callee].family && self.random.percent(50)) {
            call.index = vec![Expr::Place(place)];
        }
    }

    /// A `select!` of these, most of them with a guard, and at times `else` or
    /// `terminate`.
    fn select(&mut self, task: usize, talks: Vec<Talk>) -> Stmt {
        let mut alternatives = Vec::new();
        for talk in talks {
            let variable = self.any_variable(&self.plans[task].context.clone());
            if let Some((place, Type::Int(lo, hi))) = variable.filter(|_| self.random.percent(30)) {
                let (guard, by) = self.room(&place, lo, hi);
                alternatives.push(alternative(Some(guard), talk, vec![Stmt::Shift(place, by)]));
                continue;
            }
            let guard = self.random.percent(75).then(|| self.guard(task)).flatten();
            alternatives.push(alternative(guard, talk, self.follow(task)));
        }
        match self.random.below(10) {
            0..=3 => alternatives.push(Alternative::Else(self.follow(task))),
            4..=6 => alternatives.push(Alternative::Terminate),
            _ => {}
        }
        Stmt::Select(alternatives)
    }

    /// A guard. Only `&&` joins a call with something else.
    fn guard(&mut self, task: usize) -> Option<Expr> {
        let context = self.plans[task].context.clone();
        let variable = self.any_variable(&context);
        if let Some(asked) = self.ask(&context, 25) {
            return Some(match (self.random.below(4), variable) {
                (0, Some((place, ty))) => Expr::And(Box::new(self.comparison(&place, &ty)), Box::new(asked)),
                (1, Some((place, ty))) => Expr::And(Box::new(asked), Box::new(self.comparison(&place, &ty))),
                (2, _) => not(asked),
                _ => asked,
            });
        }
        let (place, ty) = variable?;
        if let Some(index) = self.random.percent(25).then(|| self.index(&place, &context)).flatten() {
            let place = self.redirect(&place, index);
            return Some(self.comparison(&place, &ty));
        }
        let left = self.comparison(&place, &ty);
        if self.random.percent(50) {
            return Some(left);
        }
        let (other, other_ty) = self.any_variable(&context)?;
        if ty == other_ty && place != other && self.random.percent(50) {
            let ops =
                if matches!(ty, Type::Int(..)) { &[Op::Lt, Op::Ge, Op::Ne][..] } else { &[Op::Eq, Op::Ne] };
            return Some(binary(Expr::Place(place), *self.random.pick(ops), Expr::Place(other)));
        }
        let right = self.comparison(&other, &other_ty);
        Some(self.lazy(left, right))
    }

    /// Appends both sides of an interaction, once per instance of a family.
    fn add(&mut self, caller: usize, callee: usize, mut calls: Block, mut accepts: Block) {
        let each = |body: Block| {
            vec![Stmt::For { label: None, name: "j".into(), range: below(N), reverse: false, body }]
        };
        if self.plans[caller].family {
            accepts = each(accepts);
        }
        if self.plans[callee].family {
            calls = each(calls);
        }
        self.plans[caller].body.extend(calls);
        self.plans[callee].body.extend(accepts);
    }

    /// A call with arguments and an accept that is ready for all of them.
    fn pair(&mut self, caller: usize, callee: usize, nested: bool) -> Pair {
        let entry = self.entry(callee);
        let family: Vec<Expr> = entry.family.then(|| int(self.random.between(0, 1))).into_iter().collect();
        self.pair_of(&entry, family, caller, callee, nested)
    }

    fn pair_of(
        &mut self,
        entry: &Entry,
        family: Vec<Expr>,
        caller: usize,
        callee: usize,
        nested: bool,
    ) -> Pair {
        let mut context = self.plans[callee].context.clone();
        context.loops.clear();
        let (mut args, mut params) = (Vec::new(), Vec::new());
        for ty in &entry.params {
            let (arg, constant) = self.argument(caller, ty);
            let param = match constant && self.random.percent(30) {
                true => Param::Value(arg.clone()),
                false => {
                    let bound = self.fresh("v");
                    if *ty == Type::Int(0, 1) {
                        context.names.push(bound.clone());
                    }
                    let range = match ty {
                        Type::Int(lo, hi) if self.random.percent(30) => Range::Closed(int(*lo), int(*hi)),
                        Type::Int(lo, hi) => Range::HalfOpen(int(*lo), int(hi + 1)),
                        ty => Range::Type(ty.clone()),
                    };
                    Param::In(bound, range)
                }
            };
            args.push(arg);
            params.push(param);
        }
        let body =
            self.random.percent(self.shape.bodies).then(|| self.body(caller, callee, &context, nested));
        let index = self.plans[callee].family.then(|| name("j")).into_iter().collect();
        let task = self.plans[callee].name.clone();
        Pair {
            call: Call { task, index, entry: entry.name.clone(), family: family.clone(), args },
            accept: Accept { entry: entry.name.clone(), family, params, body },
        }
    }

    fn entry(&mut self, callee: usize) -> Entry {
        if !self.plans[callee].entries.is_empty() && self.random.percent(35) {
            return self.random.pick(&self.plans[callee].entries).clone();
        }
        let n_params = [0, 0, 0, 1, 1, 2][self.random.below(6)];
        let types =
            [Type::Int(0, 1), Type::Int(0, 1), Type::Int(0, 2), Type::Bool, Type::Enum("Phase".into())];
        let params = (0..n_params).map(|_| self.random.pick(&types).clone()).collect();
        let entry = Entry { name: self.fresh("e"), family: self.random.percent(12), params };
        self.plans[callee].entries.push(entry.clone());
        entry
    }

    /// An argument, and whether the acceptor may write the same constant.
    fn argument(&mut self, caller: usize, ty: &Type) -> (Expr, bool) {
        let context = &self.plans[caller].context;
        let variables = context.variables.iter().filter(|(_, known)| known == ty);
        let variables: Vec<Place> = variables.map(|(place, _)| place.clone()).collect();
        let names = context.names.clone();
        if !variables.is_empty() && self.random.percent(35) {
            return (Expr::Place(self.random.pick(&variables).clone()), false);
        }
        if matches!(ty, Type::Int(0, _)) && !names.is_empty() && self.random.percent(60) {
            return (name(self.random.pick::<String>(&names)), false);
        }
        (self.value(ty), true)
    }

    /// What happens during a rendezvous: never nothing, at times another one.
    fn body(&mut self, caller: usize, callee: usize, context: &Context, nested: bool) -> Block {
        if self.shape.nesting > 0 {
            return self.deep_body(caller, callee, context, nested);
        }
        let context = Context { once: false, ..context.clone() };
        let mut body = vec![self.event(&context)];
        if self.random.percent(50) {
            body.extend(self.block(&context, 1, 1));
        }
        let third = (0..self.plans.len()).find(|task| *task != caller && *task != callee);
        let Some(third) = third.filter(|_| nested && self.random.percent(35)) else { return body };
        if [caller, callee, third].iter().any(|task| self.plans[*task].family) {
            return body;
        }
        if self.random.percent(50) {
            let pair = self.pair(third, callee, false);
            self.plans[third].body.push(Stmt::Call(pair.call));
            body.push(Stmt::Accept(pair.accept));
        } else {
            let pair = self.pair(callee, third, false);
            self.plans[third].body.push(Stmt::Accept(pair.accept));
            body.push(Stmt::Call(pair.call));
        }
        body
    }

    /// Blocks that follow an alternative of a `select!`.
    fn follow(&mut self, task: usize) -> Block {
        let context = Context { once: false, ..self.plans[task].context.clone() };
        if self.random.percent(50) { self.block(&context, 0, 1) } else { Vec::new() }
    }

    fn optional(&mut self, caller: usize, callee: usize, mut pair: Pair) -> (Block, Block) {
        let context = self.plans[caller].context.clone();
        let fits = context.variables.iter().find(|(_, ty)| *ty == Type::Int(0, N - 1));
        if let Some((place, _)) = fits.filter(|_| self.plans[callee].family && self.random.percent(80)) {
            pair.call.index = vec![Expr::Place(place.clone())];
        }
        let calls = match self.random.below(3) {
            0 => {
                let then = self.follow(caller);
                let otherwise = Alternative::Else(self.follow(caller));
                Stmt::Select(vec![alternative(None, Talk::Call(pair.call), then), otherwise])
            }
            1 => Stmt::If(self.condition(&context), vec![Stmt::Call(pair.call)], Vec::new()),
            _ => Stmt::If(Expr::Any, vec![Stmt::Call(pair.call)], Vec::new()),
        };
        let accepts = match self.random.percent(50) {
            true => {
                let then = self.follow(callee);
                let otherwise = Alternative::Else(self.follow(callee));
                Stmt::Select(vec![alternative(None, Talk::Accept(pair.accept), then), otherwise])
            }
            false => Stmt::If(Expr::Any, vec![Stmt::Accept(pair.accept)], Vec::new()),
        };
        (vec![calls], vec![accepts])
    }

    fn repeated(&mut self, caller: usize, callee: usize, pair: Pair) -> (Block, Block) {
        let mut body = vec![Stmt::Call(pair.call)];
        body.extend(self.follow(caller));
        let calls = any_times(body);
        let then = self.follow(callee);
        let accepts = match self.random.percent(50) {
            true => {
                let otherwise = Alternative::Else(vec![Stmt::Break(None)]);
                endless(vec![Stmt::Select(vec![
                    alternative(None, Talk::Accept(pair.accept), then),
                    otherwise,
                ])])
            }
            false => any_times([vec![Stmt::Accept(pair.accept)], then].concat()),
        };
        (vec![calls], vec![accepts])
    }

    /// The same accept under a guard and under its opposite.
    fn guarded(&mut self, callee: usize, pair: Pair) -> (Block, Block) {
        let context = self.plans[callee].context.clone();
        let calls = vec![Stmt::Call(pair.call)];
        let Some((place, ty)) = self.any_variable(&context) else {
            return (calls, vec![Stmt::Accept(pair.accept)]);
        };
        let guard = self.comparison(&place, &ty);
        let without = Accept { body: None, ..pair.accept.clone() };
        let accepts = vec![
            alternative(Some(guard.clone()), Talk::Accept(pair.accept), self.follow(callee)),
            alternative(Some(not(guard)), Talk::Accept(without), self.follow(callee)),
        ];
        (calls, vec![Stmt::Select(accepts)])
    }

    /// The caller decides between two calls, the acceptor is ready for both.
    fn chosen(&mut self, caller: usize, callee: usize, pair: Pair) -> (Block, Block) {
        let other = self.pair(caller, callee, false);
        let choice = |call: Call| Choice::Block(vec![Stmt::Call(call)]);
        let calls = match self.random.percent(30) {
            true => Stmt::Select(vec![
                alternative(None, Talk::Call(pair.call), self.follow(caller)),
                alternative(None, Talk::Call(other.call), self.follow(caller)),
            ]),
            false => Stmt::Choose(vec![choice(pair.call), choice(other.call)]),
        };
        let accepts = Stmt::Select(vec![
            alternative(None, Talk::Accept(pair.accept), self.follow(callee)),
            alternative(None, Talk::Accept(other.accept), self.follow(callee)),
        ]);
        (vec![calls], vec![accepts])
    }

    /// A task that finally serves whoever calls, until nobody does.
    fn server(&mut self) {
        let callee = self.random.below(self.plans.len());
        if self.plans[callee].family {
            return;
        }
        let mut alternatives = Vec::new();
        for caller in (0..self.plans.len()).filter(|task| *task != callee) {
            let pair = self.pair(caller, callee, false);
            let call = Stmt::Call(pair.call);
            let call = if self.random.percent(40) { any_times(vec![call]) } else { call };
            self.plans[caller].body.push(call);
            let guard = (self.is_exact() && self.random.percent(50)).then(|| self.guard(callee)).flatten();
            alternatives.push(alternative(guard, Talk::Accept(pair.accept), self.follow(callee)));
        }
        if self.random.percent(30) {
            let names = vec![(self.fresh("x"), below(N))];
            let guard = self.is_exact().then(|| self.element_guard(callee, &names[0].0)).flatten();
            let offer = Talk::Accept(accept("ring", vec![Param::Value(name(&names[0].0))]));
            let caller = (callee + 1) % self.plans.len();
            let ring = call(&self.plans[callee].name, "ring", vec![int(self.random.between(0, N - 1))]);
            self.plans[caller].body.push(Stmt::Call(ring));
            alternatives.push(Alternative::Talk { names, guard, talk: offer, then: Vec::new() });
        }
        alternatives.push(Alternative::Terminate);
        self.plans[callee].body.push(endless(vec![Stmt::Select(alternatives)]));
        self.plans[callee].budget = 0;
    }
}

impl Generator {
    /// A test of the element of an array that a name says.
    fn element_guard(&mut self, task: usize, bound: &str) -> Option<Expr> {
        let variables = self.plans[task].context.variables.clone();
        let (place, ty) = variables.into_iter().find(|(place, _)| !place.indices.is_empty())?;
        let place = self.redirect(&place, name(bound));
        Some(self.comparison(&place, &ty))
    }
}

/// How many different values a match can tell apart.
fn arms_room(ty: &Type) -> usize {
    match ty {
        Type::Int(lo, hi) => (hi - lo + 1) as usize,
        Type::Bool => 2,
        _ => 3,
    }
}

/// Does the statement inline the function that has a local variable?
fn calls_local(stmt: &Stmt) -> bool {
    runs(std::slice::from_ref(stmt), "local")
}

/// Does a block call the function?
fn runs(block: &[Stmt], name: &str) -> bool {
    let inside = |stmt| super::machine::inner_blocks(stmt).into_iter().any(|block| runs(block, name));
    let here = |stmt: &Stmt| match stmt {
        Stmt::Run { function, .. } | Stmt::Combine { function, .. } => function == name,
        Stmt::Match(_, arms) => arms.iter().filter_map(|arm| arm.guard.as_ref()).any(|it| it.calls(name)),
        Stmt::MatchTuple(_, arms) => {
            arms.iter().filter_map(|arm| arm.guard.as_ref()).any(|it| it.calls(name))
        }
        Stmt::If(expr, ..)
        | Stmt::While { condition: expr, .. }
        | Stmt::Wait(expr)
        | Stmt::Assign(_, expr) => expr.calls(name),
        Stmt::Select(alternatives) => alternatives.iter().any(|alternative| match alternative {
            Alternative::Talk { guard: Some(guard), .. } => guard.calls(name),
            _ => false,
        }),
        _ => false,
    };
    block.iter().any(|stmt| here(stmt) || inside(stmt))
}
