//! The constructs of rich models: nested arrays, match guards, compound
//! assignments, entry families with parameters, rendezvous inside accept
//! bodies, labelled jumps, and functions with several callers.

use super::super::model::*;
use super::{Context, Entry, Generator, N, Pair};

/// The nested array of a model.
const GRID: &str = "G";

impl Generator {
    // Declarations.

    /// A nested array, and some of its elements as variables.
    pub(super) fn declare_grid(&mut self, globals: &mut Context) {
        let ty = self.random.pick(&[Type::Bool, Type::Int(0, 1), Type::Int(0, 1), Type::Int(0, 2)]).clone();
        let row = Type::Array(Box::new(ty.clone()), N as usize);
        let initial = Some(self.value(&ty));
        self.model.statics.push(Static::new(GRID, Type::Array(Box::new(row), N as usize), initial));
        for _ in 0..2 {
            let indices = (0..2).map(|_| int(self.random.between(0, N - 1))).collect();
            let cell = (Place { indices, ..place(GRID) }, ty.clone());
            if !globals.variables.contains(&cell) {
                globals.variables.push(cell);
            }
        }
    }

    fn grid_type(&self) -> Option<Type> {
        let grid = self.model.statics.iter().find(|item| item.name == GRID)?;
        let Type::Array(row, _) = &grid.ty else { panic!("the grid is an array") };
        let Type::Array(ty, _) = &**row else { panic!("the grid has rows") };
        Some(Type::clone(ty))
    }

    /// Functions with parameters and results; the first one is called by
    /// another.
    pub(super) fn rich_functions(&mut self, globals: &Context) {
        let index = || ("i".to_owned(), ParamType::Index);
        let context = Context { once: false, function: true, names: vec!["i".into()], ..globals.clone() };

        let run =
            |function: &str, args: Vec<Arg>| Stmt::Run { result: None, function: function.into(), args };
        let body = vec![
            run("visit", vec![Arg::Value(name("i"))]),
            Stmt::If(equal(name("i"), int(0)), vec![event("chained")], self.block(&context, 0, 1)),
        ];
        let chain = Function { name: "chain".into(), params: vec![index()], result: None, body };
        self.model.functions.push(chain);

        let ty = self.random.pick(&[Type::Bool, Type::Int(0, 2), Type::Enum("Phase".into())]).clone();
        let mut arms = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let guard = self.arm_guard(&context, None);
            let patterns = vec![self.value(&ty)];
            arms.push(arm_if(patterns, guard, vec![event_of("blend", vec![name("b")])]));
        }
        let rest = if self.random.percent(50) { self.block(&context, 1, 1) } else { Vec::new() };
        arms.push(arm(Vec::new(), rest));
        let small = context.variables.iter().filter(|(_, ty)| matches!(ty, Type::Int(0, 1 | 2)));
        let small: Vec<Place> = small.map(|(place, _)| place.clone()).collect();
        let other = match small.is_empty() {
            true => int(self.random.between(0, 2)),
            false => Expr::Place(self.random.pick(&small).clone()),
        };
        let condition = self.condition(&context);
        let body = vec![
            Stmt::Match(place("b"), arms),
            Stmt::If(condition, vec![Stmt::Return(Some(other))], Vec::new()),
            Stmt::Return(Some(name("i"))),
        ];
        let params = vec![index(), ("b".to_owned(), ParamType::Value(ty))];
        let result = Some(Type::Int(0, 2));
        self.model.functions.push(Function { name: "blend".into(), params, result, body });

        let ty = Type::Int(0, self.random.between(1, 2));
        let inner = Context {
            variables: vec![(pointee("v"), ty.clone())],
            names: vec!["i".into()],
            function: true,
            ..Context::default()
        };
        let body = vec![self.compound_to(pointee("v"), &ty, &inner), self.event(&inner)];
        let params = vec![("v".to_owned(), ParamType::Ref(ty)), index()];
        self.model.functions.push(Function { name: "settle".into(), params, result: None, body });

        let condition = self.condition(&context);
        let body = vec![
            event_of("check", vec![name("i")]),
            Stmt::If(condition, vec![Stmt::Return(Some(equal(name("i"), int(0))))], Vec::new()),
            // Either answer is possible, so that no guard excludes an accept.
            Stmt::If(Expr::Any, vec![Stmt::Return(Some(Expr::Bool(true)))], Vec::new()),
            Stmt::Return(Some(Expr::Bool(false))),
        ];
        let result = Some(Type::Bool);
        self.model.functions.push(Function { name: "check".into(), params: vec![index()], result, body });

        if let Some(ty) = self.grid_type() {
            let row = Type::Array(Box::new(ty.clone()), N as usize);
            let cell = element("row", name("i"));
            let other = (element("row", int(self.random.between(0, N - 1))), ty.clone());
            let inner = Context { variables: vec![other.clone()], ..inner };
            let body = vec![
                Stmt::If(self.comparison(&other.0, &ty), vec![event("row")], Vec::new()),
                self.assignment_to(&cell, &ty, &inner),
            ];
            let params = vec![("row".to_owned(), ParamType::Ref(row)), index()];
            self.model.functions.push(Function { name: "fill".into(), params, result: None, body });
        }
    }

    // Local statements.

    /// Chooses one of the rich statements by the percentages of the shape.
    pub(super) fn rich_statement(&mut self, context: &Context, depth: usize) -> Option<Stmt> {
        let calls = !self.model.functions.is_empty() && !context.function;
        let Self { random, shape, .. } = self;
        if calls && random.percent(shape.calls) {
            Some(self.rich_run(context))
        } else if depth > 0 && random.percent(shape.jumps) {
            Some(self.nested_loops(context, depth))
        } else if depth > 0 && random.percent(shape.guards) {
            Some(self.guarded_match(context, depth))
        } else if random.percent(shape.compound) {
            Some(self.compound(context))
        } else if random.percent(shape.grids / 3) {
            self.grid_statement(context, depth)
        } else {
            None
        }
    }

    /// A name or a number.
    fn constant_index(&mut self, context: &Context) -> Expr {
        match context.names.is_empty() || self.random.percent(40) {
            true => int(self.random.between(0, N - 1)),
            false => name(self.random.pick::<String>(&context.names)),
        }
    }

    /// A variable with a value in `0..N`; rarely, and where a statement may
    /// panic, a larger one.
    fn index_variable(&mut self, context: &Context, may_panic: bool) -> Option<Expr> {
        let too_large = may_panic && self.random.percent(8);
        let hi = if too_large { 2 } else { N - 1 };
        let fits = context.variables.iter().filter(|(_, ty)| *ty == Type::Int(0, hi));
        let fits: Vec<Place> = fits.map(|(place, _)| place.clone()).collect();
        (!fits.is_empty()).then(|| Expr::Place(self.random.pick(&fits).clone()))
    }

    fn any_index(&mut self, context: &Context, may_panic: bool) -> Expr {
        let variable = self.random.percent(45).then(|| self.index_variable(context, may_panic)).flatten();
        variable.unwrap_or_else(|| self.constant_index(context))
    }

    /// The same array with other indices.
    fn vary(&mut self, place: Place, context: &Context, may_panic: bool) -> Place {
        let indices = place.indices.iter().map(|_| self.any_index(context, may_panic)).collect();
        Place { indices, ..place }
    }

    /// An element of the nested array.
    fn cell(&mut self, context: &Context, may_panic: bool) -> Place {
        let indices = (0..2).map(|_| self.any_index(context, may_panic)).collect();
        Place { indices, ..place(GRID) }
    }

    /// A statement with the nested array.
    fn grid_statement(&mut self, context: &Context, depth: usize) -> Option<Stmt> {
        let ty = self.grid_type()?;
        let same = context.variables.iter().filter(|(place, known)| *known == ty && place.name != GRID);
        let same: Vec<Place> = same.map(|(place, _)| place.clone()).collect();
        let same = (!same.is_empty()).then(|| self.random.pick(&same).clone());
        Some(match (self.random.below(if depth == 0 { 7 } else { 9 }), same) {
            (0, Some(variable)) => Stmt::Assign(variable, Expr::Place(self.cell(context, true))),
            (1, Some(variable)) => Stmt::Assign(self.cell(context, true), Expr::Place(variable)),
            (2, _) => {
                let (to, from) = (self.cell(context, true), self.cell(context, true));
                Stmt::Assign(to, Expr::Place(from))
            }
            (3, _) => event_of("cell", vec![Expr::Place(self.cell(context, true))]),
            (0..=6, _) => {
                let mut to = self.cell(context, true);
                if self.random.percent(15) {
                    to.indices[self.random.below(2)] = Expr::Any;
                }
                Stmt::Assign(to, self.value(&ty))
            }
            _ => {
                let cell = self.cell(context, false);
                let condition = self.comparison(&cell, &ty);
                Stmt::If(condition, self.branch(context, depth), vec![self.event(context)])
            }
        })
    }

    fn compound(&mut self, context: &Context) -> Stmt {
        let fits = context.variables.iter().filter(|(_, ty)| !matches!(ty, Type::Enum(_)));
        let fits: Vec<(Place, Type)> = fits.cloned().collect();
        if fits.is_empty() {
            return self.event(context);
        }
        let (mut place, ty) = self.random.pick(&fits).clone();
        if self.random.percent(60) {
            place = self.vary(place, context, true);
        }
        if self.random.percent(20) {
            return self.computed(place, &ty, context);
        }
        if !place.indices.is_empty() && self.random.percent(10) {
            let at = self.random.below(place.indices.len());
            place.indices[at] = Expr::Any;
        }
        self.compound_to(place, &ty, context)
    }

    /// `place op= value`
    fn compound_to(&mut self, place: Place, ty: &Type, context: &Context) -> Stmt {
        let is_scalar = |wanted: fn(&Type) -> bool| {
            let fits = context.variables.iter().filter(move |(_, ty)| wanted(ty));
            fits.map(|(place, _)| Expr::Place(place.clone())).collect::<Vec<_>>()
        };
        if *ty == Type::Bool {
            let op = *self.random.pick(&[Op::BitAnd, Op::BitOr, Op::BitXor]);
            let (flags, numbers) =
                (is_scalar(|ty| *ty == Type::Bool), is_scalar(|ty| matches!(ty, Type::Int(..))));
            let value = match self.random.below(6) {
                0..=2 if !flags.is_empty() => self.random.pick(&flags).clone(),
                3 if !flags.is_empty() => not(self.random.pick(&flags).clone()),
                4 if !numbers.is_empty() => {
                    binary(self.random.pick(&numbers).clone(), Op::Ge, int(self.random.between(1, 2)))
                }
                _ => self.value(ty),
            };
            return Stmt::Compound(place, op, value);
        }
        let op = *self.random.pick(&[
            Op::Add,
            Op::Add,
            Op::Sub,
            Op::Sub,
            Op::Mul,
            Op::Div,
            Op::Rem,
            Op::BitAnd,
            Op::BitOr,
            Op::BitXor,
            Op::Shl,
            Op::Shr,
        ]);
        let divides = matches!(op, Op::Div | Op::Rem);
        let mut numbers = is_scalar(|ty| matches!(ty, Type::Int(..)));
        // A constant divisor that is zero would be an error of the text.
        if !divides {
            numbers.extend(context.names.iter().map(|bound| name(bound)));
        }
        let value = match self.random.below(6) {
            0..=2 if !numbers.is_empty() => self.random.pick(&numbers).clone(),
            3 if !numbers.is_empty() => binary(self.random.pick(&numbers).clone(), Op::Add, int(1)),
            4 if !numbers.is_empty() && !divides => {
                binary(self.random.pick(&numbers).clone(), Op::Mul, self.random.pick(&numbers).clone())
            }
            _ => int(self.random.between(1, 2)),
        };
        Stmt::Compound(place, op, value)
    }

    /// An assignment of a value that is computed from variables.
    fn computed(&mut self, target: Place, ty: &Type, context: &Context) -> Stmt {
        let numbers = context.variables.iter().filter(|(_, ty)| matches!(ty, Type::Int(..)));
        let numbers: Vec<Expr> = numbers.map(|(place, _)| Expr::Place(place.clone())).collect();
        if numbers.is_empty() {
            return Stmt::Assign(target, self.value(ty));
        }
        let (left, right) = (self.random.pick(&numbers).clone(), self.random.pick(&numbers).clone());
        let value = match (ty, self.random.below(4)) {
            (Type::Bool, 0) => not(equal(left, right)),
            (Type::Bool, 1) => binary(left, Op::Lt, right),
            (Type::Bool, _) => binary(left, *self.random.pick(&[Op::Ge, Op::Ne]), int(1)),
            // `x + 1` would be `x += 1` where they are the same element.
            (_, 0) => binary(binary(left, Op::Mul, int(2)), Op::Rem, int(3)),
            (_, 1) => binary(left, Op::Rem, binary(right, Op::Add, int(1))),
            (_, 2) => binary(left, Op::Div, right),
            _ => binary(left, *self.random.pick(&[Op::Add, Op::Sub, Op::Mul, Op::BitXor]), right),
        };
        Stmt::Assign(target, value)
    }

    /// A call of a function with parameters.
    fn rich_run(&mut self, context: &Context) -> Stmt {
        let function =
            self.random.pick(&["blend", "blend", "blend", "settle", "settle", "chain", "fill", "local"]);
        let Some(function) = self.model.functions.iter().find(|known| known.name == *function) else {
            return self.run(context);
        };
        let (function, params) = (function.name.clone(), function.params.clone());
        let mut args = Vec::new();
        for (_, ty) in &params {
            args.push(match ty {
                ParamType::Index => Arg::Value(self.any_index(context, false)),
                ParamType::Ref(Type::Array(..)) => Arg::Ref(element(GRID, self.any_index(context, true))),
                ParamType::Value(ty) | ParamType::Ref(ty) => {
                    let fits = context.variables.iter().filter(|(_, known)| known == ty);
                    let fits: Vec<Place> = fits.map(|(place, _)| place.clone()).collect();
                    let chosen = (!fits.is_empty()).then(|| self.random.pick(&fits).clone());
                    match (ty, chosen) {
                        (ty, chosen) if matches!(params[0].1, ParamType::Index) => {
                            let chosen = chosen.filter(|_| self.random.percent(50));
                            Arg::Value(chosen.map_or_else(|| self.value(ty), Expr::Place))
                        }
                        (_, Some(place)) => {
                            let mut place = self.vary(place, context, true);
                            if !place.indices.is_empty() && self.random.percent(20) {
                                let at = self.random.below(place.indices.len());
                                place.indices[at] = Expr::Any;
                            }
                            Arg::Ref(place)
                        }
                        (_, None) => return self.run(context),
                    }
                }
            });
        }
        if function != "blend" {
            return Stmt::Run { result: None, function, args };
        }
        let fits = context.variables.iter().filter(|(_, ty)| matches!(ty, Type::Int(0, _)));
        let fits: Vec<(Place, Type)> = fits.cloned().collect();
        if fits.is_empty() || self.random.percent(10) {
            return Stmt::Run { result: None, function, args };
        }
        let (target, ty) = self.random.pick(&fits).clone();
        let is_constant = |arg: &Arg| {
            let known = |place: &Place| context.names.contains(&place.name);
            matches!(arg, Arg::Value(value) if !matches!(value, Expr::Place(place) if !known(place)))
        };
        let target = match args.iter().all(is_constant) {
            true => self.vary(target, context, false),
            false => target,
        };
        if ty == Type::Int(0, 1) || self.random.percent(40) {
            let op = *self.random.pick(&[Op::Add, Op::Sub, Op::Mul, Op::BitAnd, Op::BitOr, Op::BitXor]);
            return Stmt::Combine { target, op, function, args };
        }
        Stmt::Run { result: Some(target), function, args }
    }

    /// A loop in a loop, with a jump to or out of the outer one.
    fn nested_loops(&mut self, context: &Context, depth: usize) -> Stmt {
        let label = self.fresh("l");
        let mut outer = Context { once: false, ..context.clone() };
        outer.loops.push(Some(label.clone()));
        let outer_kind = self.random.below(3);
        let index = (outer_kind == 2).then(|| self.fresh("i"));
        outer.names.extend(index.clone());

        let mut inner = outer.clone();
        let inner_label = self.random.percent(40).then(|| self.fresh("l"));
        inner.loops.push(inner_label.clone());
        let inner_kind = self.random.below(3);
        let inner_index = (inner_kind == 2).then(|| self.fresh("i"));
        inner.names.extend(inner_index.clone());

        let target = Some(label.clone());
        let jump = if self.random.percent(50) { Stmt::Break(target) } else { Stmt::Continue(target) };
        let condition = if self.random.percent(30) { Expr::Any } else { self.condition(&inner) };
        let mut body = vec![Stmt::If(condition, vec![jump], Vec::new()), self.event(&inner)];
        if self.random.percent(40) {
            let at = self.random.below(body.len() + 1);
            body.insert(at, self.statement(&inner, depth - 1));
        }
        let nested = self.a_loop(inner_kind, inner_label, inner_index, body, &inner);

        let mut body = vec![nested];
        if self.random.percent(60) {
            let at = self.random.below(2);
            body.insert(at, self.event(&outer));
        }
        self.a_loop(outer_kind, Some(label), index, body, &outer)
    }

    /// A `loop` with an exit, a `while` or a `for`.
    fn a_loop(
        &mut self,
        kind: usize,
        label: Option<String>,
        index: Option<String>,
        mut body: Block,
        context: &Context,
    ) -> Stmt {
        match (kind, index) {
            (_, Some(name)) => {
                Stmt::For { label, name, range: below(N), reverse: self.random.percent(25), body }
            }
            (0, None) => {
                body.push(Stmt::If(Expr::Any, vec![Stmt::Break(None)], Vec::new()));
                Stmt::Loop { label, body }
            }
            (_, None) => {
                let condition = if self.random.percent(40) { Expr::Any } else { self.condition(context) };
                Stmt::While { label, condition, body }
            }
        }
    }

    /// The guard of an arm, with the name that the arm binds.
    fn arm_guard(&mut self, context: &Context, bound: Option<(&str, &Type)>) -> Expr {
        let other = self.any_variable(context);
        let test = other.map(|(place, ty)| {
            let place = if self.random.percent(30) { self.vary(place, context, false) } else { place };
            self.comparison(&place, &ty)
        });
        let of_name = bound.map(|(bound, ty)| {
            let variables = context.variables.iter().filter(|(_, known)| known == ty);
            let variables: Vec<Place> = variables.map(|(place, _)| place.clone()).collect();
            let op = match ty {
                Type::Int(..) => *self.random.pick(&[Op::Lt, Op::Ge, Op::Eq, Op::Ne]),
                _ => *self.random.pick(&[Op::Eq, Op::Ne]),
            };
            let right = match variables.is_empty() || self.random.percent(50) {
                true => self.value(ty),
                false => Expr::Place(self.random.pick(&variables).clone()),
            };
            binary(name(bound), op, right)
        });
        match (test, of_name) {
            (Some(test), Some(of_name)) => match self.random.below(4) {
                0 => test,
                1 => self.lazy(of_name, test),
                _ => of_name,
            },
            (Some(test), None) => match self.random.below(8) {
                0 => Expr::Any,
                1 => self.check(context).unwrap_or(test),
                2 => {
                    let (place, ty) = self.random.pick(&context.variables).clone();
                    let right = self.comparison(&place, &ty);
                    self.lazy(test, right)
                }
                _ => test,
            },
            (None, Some(of_name)) => of_name,
            (None, None) => Expr::Any,
        }
    }

    /// A call of the function with a parameter that answers yes or no.
    pub(super) fn check(&mut self, context: &Context) -> Option<Expr> {
        let known = self.model.functions.iter().any(|function| function.name == "check");
        let may = known && !context.function;
        may.then(|| Expr::Call("check".into(), vec![self.any_index(context, false)]))
    }

    /// A `match` with guards and names.
    fn guarded_match(&mut self, context: &Context, depth: usize) -> Stmt {
        let Some((mut subject, mut ty)) = self.any_variable(context) else { return self.event(context) };
        if self.random.percent(25) {
            return self.guarded_tuple(context, depth);
        }
        if self.random.percent(40) {
            subject = self.vary(subject, context, true);
        }
        let is_constant = !context.names.is_empty() && self.random.percent(12);
        if is_constant {
            (subject, ty) = (place(self.random.pick::<String>(&context.names)), Type::Int(0, N - 1));
        }
        let mut arms = Vec::new();
        for _ in 0..1 + self.random.below(3) {
            if self.random.percent(25) {
                arms.push(arm(vec![self.value(&ty)], self.branch(context, depth)));
                continue;
            }
            let with_name = !is_constant && self.random.percent(35);
            let bound = with_name.then(|| self.fresh("n"));
            let patterns = match with_name || self.random.percent(25) {
                true => Vec::new(),
                false => vec![self.value(&ty)],
            };
            let guard = Some(self.arm_guard(context, bound.as_deref().map(|bound| (bound, &ty))));
            let body = self.arm_branch(context, depth, bound.as_deref(), &ty);
            arms.push(Arm { patterns, name: bound, guard, body });
        }
        let bound = (!is_constant && self.random.percent(25)).then(|| self.fresh("n"));
        let body = self.arm_branch(context, depth, bound.as_deref(), &ty);
        arms.push(Arm { patterns: Vec::new(), name: bound, guard: None, body });
        Stmt::Match(subject, arms)
    }

    /// The body of an arm, perhaps with its name.
    fn arm_branch(&mut self, context: &Context, depth: usize, bound: Option<&str>, ty: &Type) -> Block {
        let Some(bound) = bound else { return self.branch(context, depth) };
        let mut inner = context.clone();
        if *ty == Type::Int(0, N - 1) {
            inner.names.push(bound.to_owned());
        }
        let mut body = vec![event_of("arm", vec![name(bound)])];
        if self.random.percent(40) {
            body.extend(self.branch(&inner, depth));
        }
        body
    }

    fn guarded_tuple(&mut self, context: &Context, depth: usize) -> Stmt {
        let n_parts = 2 + usize::from(self.random.percent(15));
        let mut parts: Vec<(Place, Type)> =
            (0..n_parts).map(|_| self.random.pick(&context.variables).clone()).collect();
        for (place, _) in &mut parts {
            if self.random.percent(30) {
                *place = self.vary(place.clone(), context, true);
            }
        }
        let mut arms = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            let mut names = Vec::new();
            let mut pattern = Vec::new();
            for (_, ty) in &parts {
                pattern.push(match self.random.below(4) {
                    0 => Part::Any,
                    1 => {
                        names.push((self.fresh("n"), ty.clone()));
                        Part::Name(names[names.len() - 1].0.clone())
                    }
                    _ => Part::Value(self.value(ty)),
                });
            }
            let bound = names.first().map(|(bound, ty)| (bound.as_str(), ty));
            let guard = self.random.percent(80).then(|| self.arm_guard(context, bound));
            let body = match bound {
                Some((bound, ty)) => self.arm_branch(context, depth, Some(bound), ty),
                None => self.branch(context, depth),
            };
            arms.push(TupleArm { patterns: vec![pattern], guard, body });
        }
        let body = if self.random.percent(50) { self.branch(context, depth) } else { Vec::new() };
        arms.push(TupleArm { patterns: Vec::new(), guard: None, body });
        Stmt::MatchTuple(parts.into_iter().map(|(place, _)| place).collect(), arms)
    }

    // Interactions.

    /// A call of an entry family with parameters and what accepts it.
    pub(super) fn indexed(&mut self, caller: usize, callee: usize) -> (Block, Block) {
        let n_params = 1 + self.random.below(2);
        let types = [Type::Int(0, 1), Type::Int(0, 2), Type::Bool, Type::Enum("Phase".into())];
        let params = (0..n_params).map(|_| self.random.pick(&types).clone()).collect();
        let entry = Entry { name: self.fresh("e"), family: true, params };
        self.plans[callee].entries.push(entry.clone());
        let mut pair = self.pair_of(&entry, Vec::new(), caller, callee, true);
        let in_family = (self.plans[caller].family, self.plans[callee].family);
        match (self.random.below(4), in_family) {
            // Each instance has an entry for itself.
            (0, (true, false)) => self.directly(pair, name("id"), name("j")),
            (0, (false, true)) => self.directly(pair, name("j"), name("id")),
            (0, _) | (1, (true, _) | (_, true)) => {
                let index = self.random.between(0, N - 1);
                self.directly(pair, int(index), int(index))
            }
            (1, _) => {
                let (call_index, accept_index) = (self.fresh("i"), self.fresh("i"));
                let reverse = self.random.percent(25);
                let each = |bound: String, stmt: Stmt| {
                    vec![Stmt::For { label: None, name: bound, range: below(N), reverse, body: vec![stmt] }]
                };
                pair.call.family = vec![name(&call_index)];
                pair.accept.family = vec![name(&accept_index)];
                (each(call_index, Stmt::Call(pair.call)), each(accept_index, Stmt::Accept(pair.accept)))
            }
            _ => {
                let context = self.plans[caller].context.clone();
                let variable = self.random.percent(75).then(|| self.index_variable(&context, false));
                let index = variable.flatten().unwrap_or_else(|| self.constant_index(&context));
                pair.call.family = vec![index];
                let call = match self.random.percent(25) {
                    true => self.select(caller, vec![Talk::Call(pair.call)]),
                    false => Stmt::Call(pair.call),
                };
                let bound = self.fresh("x");
                pair.accept.family = vec![name(&bound)];
                let mut inner = self.plans[callee].context.clone();
                inner.names.push(bound.clone());
                let guard = match self.any_variable(&inner) {
                    Some((place, ty)) if self.random.percent(30) => {
                        let place = self.vary(place, &inner, false);
                        Some(self.comparison(&place, &ty))
                    }
                    _ => None,
                };
                let then = if self.random.percent(60) { self.block(&inner, 0, 1) } else { Vec::new() };
                let names = vec![(bound, below(N))];
                let mut alternatives =
                    vec![Alternative::Talk { names, guard, talk: Talk::Accept(pair.accept), then }];
                match self.random.below(8) {
                    0 => alternatives.push(Alternative::Else(self.follow(callee))),
                    1 => alternatives.push(Alternative::Terminate),
                    _ => {}
                }
                (vec![call], vec![Stmt::Select(alternatives)])
            }
        }
    }

    fn directly(&mut self, mut pair: Pair, called: Expr, accepted: Expr) -> (Block, Block) {
        pair.call.family = vec![called];
        pair.accept.family = vec![accepted];
        (vec![Stmt::Call(pair.call)], vec![Stmt::Accept(pair.accept)])
    }

    /// What happens during a rendezvous: at times another one, with a task that
    /// is free, and another one in its body.
    pub(super) fn deep_body(
        &mut self,
        caller: usize,
        callee: usize,
        context: &Context,
        nested: bool,
    ) -> Block {
        let context = Context { once: false, ..context.clone() };
        let mut body = vec![self.event(&context)];
        if self.random.percent(35) {
            body.extend(self.block(&context, 1, 1));
        }
        let n_busy = self.busy.len();
        self.busy.extend([caller, callee]);
        let in_family = [caller, callee].iter().any(|task| self.plans[*task].family);
        let is_free = |task: &usize| !self.busy.contains(task) && !self.plans[*task].family;
        let free: Vec<usize> = (0..self.plans.len()).filter(is_free).collect();
        if nested && !in_family && !free.is_empty() && self.random.percent(self.shape.nesting) {
            let third = *self.random.pick(&free);
            let inner = match self.random.percent(50) {
                true => {
                    let pair = self.pair(third, callee, true);
                    self.plans[third].body.push(Stmt::Call(pair.call));
                    match self.random.percent(15) {
                        true => Stmt::Select(vec![
                            alternative(None, Talk::Accept(pair.accept), Vec::new()),
                            Alternative::Else(vec![self.event(&context)]),
                        ]),
                        false => Stmt::Accept(pair.accept),
                    }
                }
                false => {
                    let pair = self.pair(callee, third, true);
                    self.plans[third].body.push(Stmt::Accept(pair.accept));
                    Stmt::Call(pair.call)
                }
            };
            body.push(inner);
            if self.random.percent(40) {
                body.push(self.event(&context));
            }
        }
        self.busy.truncate(n_busy);
        body
    }
}
