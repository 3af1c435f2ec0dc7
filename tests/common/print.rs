//! A model as source text of the task language.

use std::fmt::Write;

use super::model::{
    Accept, Alternative, Arg, Block, Call, Choice, Expr, Function, Model, ObjectKind, Operation, Param,
    ParamType, Part, Place, Range, Stmt, Talk, Type,
};

/// The whole file.
pub fn print(model: &Model) -> String {
    let mut printer = Printer { text: String::new(), depth: 0 };
    for (name, value) in &model.consts {
        printer.line(&format!("const {name}: usize = {value};"));
    }
    for item in &model.enums {
        printer.line(&format!("enum {} {{ {} }}", item.name, item.variants.join(", ")));
    }
    for (name, elements) in &model.arrays {
        let ty = match &elements[0] {
            Expr::Bool(_) => "bool".to_owned(),
            Expr::Variant(ty, _) => ty.clone(),
            _ => "usize".to_owned(),
        };
        printer.line(&format!("const {name}: [{ty}; {}] = [{}];", elements.len(), list(elements)));
    }
    for item in &model.statics {
        let value = match (&item.initial, &item.ty) {
            (None, _) => "any!()".to_owned(),
            (Some(value), ty) => initial(value, ty),
        };
        printer.line(&format!("static mut {}: {} = {value};", item.name, show_type(&item.ty)));
    }
    for object in &model.objects {
        let (ty, value) = match &object.kind {
            ObjectKind::Lock => ("Lock".to_owned(), "Lock::new()".to_owned()),
            ObjectKind::Semaphore(initial, max) if initial == max => {
                ("Semaphore".to_owned(), format!("Semaphore::new({max})"))
            }
            ObjectKind::Semaphore(initial, max) => {
                ("Semaphore".to_owned(), format!("Semaphore::with_max({initial}, {max})"))
            }
            ObjectKind::Channel(ty, capacity) => {
                (format!("Channel<{}>", show_type(ty)), format!("Channel::new({capacity})"))
            }
        };
        match object.len {
            None => printer.line(&format!("static {}: {ty} = {value};", object.name)),
            Some(len) => printer.line(&format!("static {}: [{ty}; {len}] = [{value}; {len}];", object.name)),
        }
    }
    for task in &model.tasks {
        printer.gap();
        let ranges = task.family.iter().map(|(name, range)| format!("{name} in {}", show_range(range)));
        let ranges: Vec<String> = ranges.collect();
        let params: Vec<String> = task.family.iter().map(|(name, _)| format!("{name}: usize")).collect();
        match ranges.as_slice() {
            [] => printer.line("#[task]"),
            ranges => printer.line(&format!("#[task({})]", ranges.join(", "))),
        }
        printer.braces(&format!("fn {}({})", task.name, params.join(", ")), &task.body, "");
    }
    for function in &model.functions {
        printer.gap();
        printer.braces(&signature(function), &function.body, "");
    }
    printer.text
}

fn initial(value: &Expr, ty: &Type) -> String {
    match ty {
        Type::Array(inner, len) => format!("[{}; {len}]", initial(value, inner)),
        _ => show(value),
    }
}

fn signature(function: &Function) -> String {
    let param = |(name, ty): &(String, ParamType)| match ty {
        ParamType::Index => format!("{name}: usize"),
        ParamType::Value(ty) => format!("{name}: {}", show_type(ty)),
        ParamType::Ref(ty) => format!("{name}: &mut {}", show_type(ty)),
    };
    let params: Vec<String> = function.params.iter().map(param).collect();
    let result = function.result.as_ref().map(|ty| format!(" -> {}", show_type(ty)));
    format!("fn {}({}){}", function.name, params.join(", "), result.unwrap_or_default())
}

struct Printer {
    text: String,
    depth: usize,
}

impl Printer {
    fn line(&mut self, line: &str) {
        writeln!(self.text, "{:indent$}{line}", "", indent = 4 * self.depth)
            .expect("a string takes all text");
    }

    fn gap(&mut self) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
    }

    /// `head { block }tail`, on one line if the block is empty.
    fn braces(&mut self, head: &str, block: &Block, tail: &str) {
        let head = if head.is_empty() { String::new() } else { format!("{head} ") };
        if block.is_empty() {
            return self.line(&format!("{head}{{}}{tail}"));
        }
        self.line(&format!("{head}{{"));
        self.block(block);
        self.line(&format!("}}{tail}"));
    }

    fn block(&mut self, block: &Block) {
        self.depth += 1;
        for stmt in block {
            self.stmt(stmt);
        }
        self.depth -= 1;
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Event { name, args, brackets } => {
                let args = match (args.is_empty(), brackets) {
                    (true, _) => String::new(),
                    (false, false) => format!("({})", list(args)),
                    (false, true) => format!("[{}]", list(args)),
                };
                self.line(&format!("event!({name}{args});"));
            }
            Stmt::Assign(place, value) => self.line(&format!("{} = {};", show_place(place), show(value))),
            Stmt::Shift(place, by) if *by < 0 => self.line(&format!("{} -= {};", show_place(place), -by)),
            Stmt::Shift(place, by) => self.line(&format!("{} += {by};", show_place(place))),
            Stmt::Compound(place, op, value) => {
                self.line(&format!("{} {}= {};", show_place(place), op.symbol(), show(value)));
            }
            Stmt::LetConst(name, value) => self.line(&format!("let {name} = {};", show(value))),
            Stmt::Let { name, ty, value: None } => self.line(&format!("let mut {name}: {};", show_type(ty))),
            Stmt::Let { name, ty, value: Some(value) } => {
                self.line(&format!("let mut {name}: {} = {};", show_type(ty), show(value)));
            }
            Stmt::Call(call) => self.line(&format!("{};", show_call(call))),
            Stmt::Accept(accept) => self.accept("", accept, ";"),
            Stmt::Select(alternatives) => {
                self.line("select! {");
                self.depth += 1;
                for alternative in alternatives {
                    self.alternative(alternative);
                }
                self.depth -= 1;
                self.line("}");
            }
            Stmt::Choose(choices) => {
                self.line("choose! {");
                self.depth += 1;
                for choice in choices {
                    match choice {
                        Choice::Block(block) => self.braces("", block, ""),
                        Choice::Each(name, range, block) => {
                            self.braces(&format!("{name} in {} =>", show_range(range)), block, "");
                        }
                    }
                }
                self.depth -= 1;
                self.line("}");
            }
            Stmt::If(condition, yes, no) => {
                self.line(&format!("if {} {{", show(condition)));
                self.block(yes);
                if !no.is_empty() {
                    self.line("} else {");
                    self.block(no);
                }
                self.line("}");
            }
            Stmt::While { label, condition, body } => {
                self.braces(&format!("{}while {}", show_label(label), show(condition)), body, "");
            }
            Stmt::Loop { label, body } => self.braces(&format!("{}loop", show_label(label)), body, ""),
            Stmt::For { label, name, range, reverse, body } => {
                let range = match reverse {
                    true if matches!(range, Range::List(_) | Range::Array(_)) => {
                        format!("{}.iter().rev()", show_range(range))
                    }
                    true => format!("({}).rev()", show_range(range)),
                    false => show_range(range),
                };
                self.braces(&format!("{}for {name} in {range}", show_label(label)), body, "");
            }
            Stmt::Break(label) => self.line(&format!("break{};", show_target(label))),
            Stmt::Continue(label) => self.line(&format!("continue{};", show_target(label))),
            Stmt::Match(place, arms) => {
                self.line(&format!("match {} {{", show_place(place)));
                self.depth += 1;
                for arm in arms {
                    let patterns: Vec<String> = arm.patterns.iter().map(show).collect();
                    let patterns = match (&arm.name, patterns.as_slice()) {
                        (Some(name), _) => name.clone(),
                        (None, []) => "_".to_owned(),
                        (None, patterns) => patterns.join(" | "),
                    };
                    self.braces(&format!("{patterns}{} =>", show_guard(&arm.guard)), &arm.body, "");
                }
                self.depth -= 1;
                self.line("}");
            }
            Stmt::MatchTuple(places, arms) => {
                let places: Vec<String> = places.iter().map(show_place).collect();
                self.line(&format!("match ({}) {{", places.join(", ")));
                self.depth += 1;
                for arm in arms {
                    let part = |part: &Part| match part {
                        Part::Any => "_".to_owned(),
                        Part::Value(value) => show(value),
                        Part::Name(name) => name.clone(),
                    };
                    let tuple = |parts: &Vec<Part>| {
                        format!("({})", parts.iter().map(part).collect::<Vec<_>>().join(", "))
                    };
                    let patterns: Vec<String> = arm.patterns.iter().map(tuple).collect();
                    let patterns = if patterns.is_empty() { "_".to_owned() } else { patterns.join(" | ") };
                    self.braces(&format!("{patterns}{} =>", show_guard(&arm.guard)), &arm.body, "");
                }
                self.depth -= 1;
                self.line("}");
            }
            Stmt::Wait(condition) => self.line(&format!("wait!({});", show(condition))),
            Stmt::Atomic(body) => self.braces("atomic!", body, ""),
            Stmt::Operate { result, object, operation, message } => {
                let result = result.as_ref().map(|place| format!("{} = ", show_place(place)));
                let message = message.as_ref().map(show).unwrap_or_default();
                let (object, operation) = (show_place(object), operation.name());
                self.line(&format!("{}{object}.{operation}({message});", result.unwrap_or_default()));
            }
            Stmt::Run { result, function, args } => {
                let result = result.as_ref().map(|place| format!("{} = ", show_place(place)));
                self.line(&format!("{}{function}({});", result.unwrap_or_default(), show_args(args)));
            }
            Stmt::Combine { target, op, function, args } => {
                let (target, op) = (show_place(target), op.symbol());
                self.line(&format!("{target} {op}= {function}({});", show_args(args)));
            }
            Stmt::Return(None) => self.line("return;"),
            Stmt::Return(Some(value)) => self.line(&format!("return {};", show(value))),
        }
    }

    fn accept(&mut self, head: &str, accept: &Accept, tail: &str) {
        let mut offer = accept.entry.clone();
        for index in &accept.family {
            offer += &format!("[{}]", show(index));
        }
        let param = |param: &Param| match param {
            Param::Value(value) => show(value),
            Param::In(name, range) => format!("{name} in {}", show_range(range)),
        };
        let params: Vec<String> = accept.params.iter().map(param).collect();
        if !params.is_empty() {
            offer += &format!("({})", params.join(", "));
        }
        match &accept.body {
            None => self.line(&format!("{head}accept!({offer}){tail}")),
            Some(body) => self.braces(&format!("{head}accept!({offer} =>"), body, &format!("){tail}")),
        }
    }

    fn alternative(&mut self, alternative: &Alternative) {
        match alternative {
            Alternative::Terminate => self.line("terminate"),
            Alternative::Else(block) => self.braces("else =>", block, ""),
            Alternative::Talk { names, guard, talk, then } => {
                let names: Vec<String> =
                    names.iter().map(|(name, range)| format!("{name} in {}", show_range(range))).collect();
                let mut head = String::new();
                if !names.is_empty() {
                    head += &format!("{} => ", names.join(", "));
                }
                if let Some(guard) = guard {
                    head += &format!("when {} => ", show(guard));
                }
                let arrow = if then.is_empty() { " => {}" } else { " => {" };
                match talk {
                    Talk::Call(call) => self.line(&format!("{head}{}{arrow}", show_call(call))),
                    Talk::Accept(accept) => self.accept(&head, accept, arrow),
                }
                if !then.is_empty() {
                    self.block(then);
                    self.line("}");
                }
            }
        }
    }
}

fn show_call(call: &Call) -> String {
    let mut text = format!("call!({}", call.task);
    for index in &call.index {
        text += &format!("[{}]", show(index));
    }
    text += &format!(".{}", call.entry);
    for index in &call.family {
        text += &format!("[{}]", show(index));
    }
    if !call.args.is_empty() {
        text += &format!("({})", list(&call.args));
    }
    text + ")"
}

impl Operation {
    pub fn name(self) -> &'static str {
        match self {
            Self::Lock => "lock",
            Self::Unlock => "unlock",
            Self::Acquire => "acquire",
            Self::Release => "release",
            Self::Send => "send",
            Self::Recv => "recv",
        }
    }
}

fn show_label(label: &Option<String>) -> String {
    label.as_ref().map(|label| format!("'{label}: ")).unwrap_or_default()
}

fn show_target(label: &Option<String>) -> String {
    label.as_ref().map(|label| format!(" '{label}")).unwrap_or_default()
}

fn show_guard(guard: &Option<Expr>) -> String {
    guard.as_ref().map(|guard| format!(" if {}", show(guard))).unwrap_or_default()
}

fn show_args(args: &[Arg]) -> String {
    let arg = |arg: &Arg| match arg {
        Arg::Value(value) => show(value),
        Arg::Ref(place) => format!("&mut {}", show_place(place)),
    };
    args.iter().map(arg).collect::<Vec<_>>().join(", ")
}

fn list(exprs: &[Expr]) -> String {
    let shown: Vec<String> = exprs.iter().map(show).collect();
    shown.join(", ")
}

fn show_type(ty: &Type) -> String {
    match ty {
        Type::Bool => "bool".into(),
        Type::Enum(name) => name.clone(),
        Type::Int(lo, hi) => format!("int!({lo}..={hi})"),
        Type::Array(inner, len) => format!("[{}; {len}]", show_type(inner)),
    }
}

fn show_range(range: &Range) -> String {
    match range {
        Range::HalfOpen(lo, hi) => format!("{}..{}", show(lo), show(hi)),
        Range::Closed(lo, hi) => format!("{}..={}", show(lo), show(hi)),
        Range::Type(ty) => show_type(ty),
        Range::List(elements) => format!("[{}]", list(elements)),
        Range::Array(name) => name.clone(),
    }
}

fn show_place(place: &Place) -> String {
    let mut text = if place.deref { format!("*{}", place.name) } else { place.name.clone() };
    for index in &place.indices {
        text += &format!("[{}]", show(index));
    }
    text
}

/// An expression; operands that are themselves operations get parentheses.
pub fn show(expr: &Expr) -> String {
    let operand = |expr: &Expr| match expr {
        Expr::Binary(..) | Expr::And(..) | Expr::Or(..) => format!("({})", show(expr)),
        _ => show(expr),
    };
    // Comparisons bind more tightly than `&&` and `||`.
    let clause = |expr: &Expr| match expr {
        Expr::And(..) | Expr::Or(..) => format!("({})", show(expr)),
        _ => show(expr),
    };
    match expr {
        Expr::Int(value) => value.to_string(),
        Expr::Bool(value) => value.to_string(),
        Expr::Variant(ty, variant) => format!("{ty}::{variant}"),
        Expr::Place(place) => show_place(place),
        Expr::Not(inner) => format!("!{}", operand(inner)),
        Expr::And(left, right) => format!("{} && {}", clause(left), clause(right)),
        Expr::Or(left, right) => format!("{} || {}", clause(left), clause(right)),
        Expr::Any => "any!()".into(),
        Expr::Call(function, args) => format!("{function}({})", list(args)),
        Expr::Binary(op, left, right) => format!("{} {} {}", operand(left), op.symbol(), operand(right)),
    }
}
