//! The tree as text, close to Promela.

use super::super::tree::{
    BinaryOp, BlockKind, Body, ChannelQuery, Choice, Expr, ExprKind, Format, Formula, FormulaKind, Initial,
    Model, Origin, Pattern, Place, Root, Statement, StatementKind, TemplateId, Type, UnaryOp, Variable,
    Visibility,
};
use std::fmt::Write;

pub fn model(model: &Model) -> String {
    let mut out = String::new();
    for record in &model.records {
        let _ = writeln!(out, "typedef {}", record.name);
        variables(&record.fields, "  ", model, None, &mut out);
    }
    for set in model.mtypes.iter().filter(|set| !set.names.is_empty()) {
        let name = set.name.as_ref().map_or(String::new(), |name| format!(":{name}"));
        let _ = writeln!(out, "mtype{name} {}", set.names.join(" < "));
    }
    variables(&model.globals, "", model, None, &mut out);
    for proctype in &model.proctypes {
        let _ =
            write!(out, "{} active {} parameters {}", proctype.name, proctype.active, proctype.parameters);
        if proctype.priority != 1 {
            let _ = write!(out, " priority {}", proctype.priority);
        }
        if let Some(condition) = &proctype.provided {
            let _ = write!(out, " provided {}", expr(condition, model, Some(&proctype.body)));
        }
        if proctype.is_deterministic {
            out.push_str(" deterministic");
        }
        out.push('\n');
        for exclusive in &proctype.exclusive {
            let word = if exclusive.is_send { "xs" } else { "xr" };
            let _ = writeln!(out, "  {word} {}", place(&exclusive.channel, model, Some(&proctype.body)));
        }
        body(&proctype.body, model, &mut out);
    }
    for claim in &model.claims {
        let _ = writeln!(out, "never {}", claim.name);
        body(&claim.body, model, &mut out);
    }
    for trace in &model.traces {
        out.push_str(if trace.is_negated { "notrace\n" } else { "trace\n" });
        body(&trace.body, model, &mut out);
    }
    for block in &model.ltl {
        let _ = writeln!(out, "ltl {} {}", block.name, formula(&block.formula, model));
    }
    out
}

fn variables(variables: &[Variable], indent: &str, model: &Model, scope: Option<&Body>, out: &mut String) {
    for variable in variables {
        let visibility = match variable.visibility {
            Visibility::Plain => "",
            Visibility::Hidden => "hidden ",
            Visibility::Internal => "internal ",
            Visibility::Show => "show ",
            Visibility::Local => "local ",
        };
        let length = variable.length.map_or(String::new(), |length| format!("[{length}]"));
        let initial = match &variable.initial {
            Initial::Zero => String::new(),
            Initial::Value(value) => format!(" = {}", expr(value, model, scope)),
            Initial::List(values) => {
                let values: Vec<String> = values.iter().map(|value| expr(value, model, scope)).collect();
                format!(" = {{{}}}", values.join(", "))
            }
            Initial::Channel(channel) => {
                let fields: Vec<String> = channel.fields.iter().map(|field| ty(*field, model)).collect();
                format!(" = [{}] of {{{}}}", channel.capacity, fields.join(", "))
            }
        };
        let ty = ty(variable.ty, model);
        let _ = writeln!(out, "{indent}{visibility}{ty} {}{length}{initial}", variable.name);
    }
}

fn ty(ty: Type, model: &Model) -> String {
    match ty {
        Type::Bit => "bit".to_string(),
        Type::Bool => "bool".to_string(),
        Type::Byte => "byte".to_string(),
        Type::Short => "short".to_string(),
        Type::Int => "int".to_string(),
        Type::Unsigned(bits) => format!("unsigned:{bits}"),
        Type::Pid => "pid".to_string(),
        Type::Mtype(set) => match &model.mtypes[set.index()].name {
            Some(name) => format!("mtype:{name}"),
            None => "mtype".to_string(),
        },
        Type::Chan => "chan".to_string(),
        Type::Record(id) => model.records[id.index()].name.clone(),
    }
}

fn body(body: &Body, model: &Model, out: &mut String) {
    variables(&body.locals, "  ", model, Some(body), out);
    statements(&body.sequence.statements, 1, model, body, out);
}

fn statements(statements: &[Statement], depth: usize, model: &Model, scope: &Body, out: &mut String) {
    for one in statements {
        statement(one, depth, model, scope, out);
    }
}

fn statement(statement: &Statement, depth: usize, model: &Model, scope: &Body, out: &mut String) {
    let labels: String =
        statement.labels.iter().map(|label| format!("{}: ", scope.labels[label.index()].name)).collect();
    let origin = match statement.origin {
        Origin::Written => "",
        Origin::Declaration => "(declared) ",
        Origin::Loop => "(loop) ",
    };
    let _ = write!(out, "{}{labels}{origin}", "  ".repeat(depth));
    let value = |value: &Expr| expr(value, model, Some(scope));
    let line = match &statement.kind {
        StatementKind::Skip => "skip".to_string(),
        StatementKind::Else => "else".to_string(),
        StatementKind::Guard(condition) => value(condition),
        StatementKind::Assign { place: target, value: new } => {
            format!("{} = {}", place(target, model, Some(scope)), value(new))
        }
        StatementKind::SetPriority { pid, value: new } => {
            format!("set_priority({}, {})", value(pid), value(new))
        }
        StatementKind::Send(send) => {
            let values: Vec<String> = send.values.iter().map(value).collect();
            let op = if send.sorted { "!!" } else { "!" };
            format!("{}{op}{}", place(&send.channel, model, Some(scope)), values.join(","))
        }
        StatementKind::Receive(receive) => {
            let op = if receive.any { "??" } else { "?" };
            let inner = patterns(&receive.patterns, model, Some(scope));
            let inner = if receive.copy { format!("<{inner}>") } else { inner };
            format!("{}{op}{inner}", place(&receive.channel, model, Some(scope)))
        }
        StatementKind::Assert(condition) => format!("assert {}", value(condition)),
        StatementKind::Print(pieces) => {
            let pieces: Vec<String> = pieces.iter().map(|piece| format_piece(piece, model, scope)).collect();
            format!("print {}", pieces.join(" "))
        }
        StatementKind::Goto(label) => format!("goto {}", scope.labels[label.index()].name),
        StatementKind::Break => "break".to_string(),
        StatementKind::If(choices) => return choices_of("if", choices, depth, model, scope, out),
        StatementKind::Do(choices) => return choices_of("do", choices, depth, model, scope, out),
        StatementKind::Block(kind, sequence) => {
            let word = match kind {
                BlockKind::Plain => "block",
                BlockKind::Atomic => "atomic",
                BlockKind::Deterministic => "d_step",
                BlockKind::Loop => "loop",
            };
            let _ = writeln!(out, "{word}");
            return statements(&sequence.statements, depth + 1, model, scope, out);
        }
        StatementKind::Unless { main, escape } => {
            let _ = writeln!(out, "unless");
            self::statement(main, depth + 1, model, scope, out);
            return self::statement(escape, depth + 1, model, scope, out);
        }
    };
    let _ = writeln!(out, "{line}");
}

fn choices_of(word: &str, choices: &[Choice], depth: usize, model: &Model, scope: &Body, out: &mut String) {
    let _ = writeln!(out, "{word}");
    for choice in choices {
        let _ = write!(out, "{}::", "  ".repeat(depth));
        let mut rest = &choice.statements[..];
        if let [Statement { kind: StatementKind::Else, labels, .. }, others @ ..] = rest {
            for label in labels {
                let _ = write!(out, " {}:", scope.labels[label.index()].name);
            }
            out.push_str(" else");
            rest = others;
        }
        out.push('\n');
        statements(rest, depth + 1, model, scope, out);
    }
}

fn format_piece(piece: &Format, model: &Model, scope: &Body) -> String {
    let value = |value: &Expr| expr(value, model, Some(scope));
    match piece {
        Format::Text(text) => format!("{text:?}"),
        Format::Decimal(shown) => format!("%d({})", value(shown)),
        Format::Unsigned(shown) => format!("%u({})", value(shown)),
        Format::Hexadecimal(shown) => format!("%x({})", value(shown)),
        Format::Octal(shown) => format!("%o({})", value(shown)),
        Format::Character(shown) => format!("%c({})", value(shown)),
        Format::Mtype(shown, set) => format!("%e{}({})", set.0, value(shown)),
    }
}

fn patterns(patterns: &[Pattern], model: &Model, scope: Option<&Body>) -> String {
    let patterns = patterns.iter().map(|pattern| match pattern {
        Pattern::Store(target) => place(target, model, scope),
        Pattern::Any => "_".to_string(),
        Pattern::Match(value) => format!("={}", expr(value, model, scope)),
    });
    patterns.collect::<Vec<_>>().join(",")
}

fn place(place: &Place, model: &Model, scope: Option<&Body>) -> String {
    let index = |index: &Option<Box<Expr>>| {
        index.as_ref().map_or(String::new(), |index| format!("[{}]", expr(index, model, scope)))
    };
    let mut shown;
    let mut ty;
    match place.root {
        Root::Scratch => return "_".to_string(),
        Root::Global(id) => {
            let variable = &model.globals[id.index()];
            (shown, ty) = (variable.name.clone(), variable.ty);
        }
        Root::Local(id) => {
            let variable = &scope.expect("a local has a body").locals[id.index()];
            (shown, ty) = (format!("{}#{}", variable.name, id.0), variable.ty);
        }
    }
    shown.push_str(&index(&place.index));
    for step in &place.fields {
        let Type::Record(id) = ty else { return format!("{shown}.?") };
        let field = &model.records[id.index()].fields[step.field.index()];
        let _ = write!(shown, ".{}{}", field.name, index(&step.index));
        ty = field.ty;
    }
    shown
}

pub fn expr(value: &Expr, model: &Model, scope: Option<&Body>) -> String {
    let inner = |value: &Expr| expr(value, model, scope);
    let of = |id: TemplateId| &model.proctypes[id.index()];
    let pid = |pid: &Option<Box<Expr>>| pid.as_ref().map_or(String::new(), |pid| format!("[{}]", inner(pid)));
    match &value.kind {
        ExprKind::Constant(value) => value.to_string(),
        ExprKind::Read(read) => place(read, model, scope),
        ExprKind::Unary(op, operand) => {
            let op = match op {
                UnaryOp::Negate => "-",
                UnaryOp::Not => "!",
                UnaryOp::Complement => "~",
            };
            format!("{op}{}", inner(operand))
        }
        ExprKind::Binary(op, left, right) => format!("({} {} {})", inner(left), operator(*op), inner(right)),
        ExprKind::Conditional { condition, then, otherwise } => {
            format!("({} -> {} : {})", inner(condition), inner(then), inner(otherwise))
        }
        ExprKind::Channel(query, channel) => {
            let word = match query {
                ChannelQuery::Length => "len",
                ChannelQuery::Empty => "empty",
                ChannelQuery::Full => "full",
                ChannelQuery::NotEmpty => "nempty",
                ChannelQuery::NotFull => "nfull",
            };
            format!("{word}({})", place(channel, model, scope))
        }
        ExprKind::Poll { channel, any, patterns: wanted } => {
            let op = if *any { "??" } else { "?" };
            format!("{}{op}[{}]", place(channel, model, scope), patterns(wanted, model, scope))
        }
        ExprKind::Run { template: proctype, arguments, priority } => {
            let arguments: Vec<String> = arguments.iter().map(inner).collect();
            let priority = priority.map_or(String::new(), |priority| format!(" priority {priority}"));
            format!("run {}({}){priority}", of(*proctype).name, arguments.join(", "))
        }
        ExprKind::Timeout => "timeout".to_string(),
        ExprKind::NonProgress => "np_".to_string(),
        ExprKind::Pid => "_pid".to_string(),
        ExprKind::NumberOfProcesses => "_nr_pr".to_string(),
        ExprKind::Last => "_last".to_string(),
        ExprKind::Priority => "_priority".to_string(),
        ExprKind::Enabled(pid) => format!("enabled({})", inner(pid)),
        ExprKind::PcValue(pid) => format!("pc_value({})", inner(pid)),
        ExprKind::GetPriority(pid) => format!("get_priority({})", inner(pid)),
        ExprKind::RemoteLabel { template: proctype, pid: process, label } => {
            let proctype = of(*proctype);
            format!("{}{}@{}", proctype.name, pid(process), proctype.body.labels[label.index()].name)
        }
        ExprKind::RemoteVariable { template: proctype, pid: process, place: remote } => {
            let proctype = of(*proctype);
            format!("{}{}:{}", proctype.name, pid(process), place(remote, model, Some(&proctype.body)))
        }
    }
}

fn operator(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::Less => "<",
        BinaryOp::LessEqual => "<=",
        BinaryOp::Greater => ">",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
    }
}

pub fn formula(formula: &Formula, model: &Model) -> String {
    let inner = |formula: &Formula| self::formula(formula, model);
    let pair = |op: &str, left: &Formula, right: &Formula| format!("({} {op} {})", inner(left), inner(right));
    match &formula.kind {
        FormulaKind::Atom(atom) => expr(atom, model, None),
        FormulaKind::Not(operand) => format!("not {}", inner(operand)),
        FormulaKind::And(left, right) => pair("and", left, right),
        FormulaKind::Or(left, right) => pair("or", left, right),
        FormulaKind::Implies(left, right) => pair("implies", left, right),
        FormulaKind::Equivalent(left, right) => pair("equivalent", left, right),
        FormulaKind::Always(operand) => format!("always {}", inner(operand)),
        FormulaKind::Eventually(operand) => format!("eventually {}", inner(operand)),
        FormulaKind::Next(operand) => format!("next {}", inner(operand)),
        FormulaKind::Until(left, right) => pair("until", left, right),
        FormulaKind::WeakUntil(left, right) => pair("weakuntil", left, right),
        FormulaKind::Release(left, right) => pair("release", left, right),
    }
}
