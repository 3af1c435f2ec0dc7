//! Small random Promela models, determined by a seed.
//!
//! Models are text from the start: what a model means is SPIN's affair, and
//! ours to find out. Values stay small so that most models have few states.
//! A line has one statement or one bracket, which helps who shrinks a model.

use crate::common::generate::Random;

/// The model with this seed.
pub fn model(seed: u64) -> String {
    let mut generator = Generator::new(seed);
    generator.model();
    generator.text
}

/// A channel that statements may name.
#[derive(Clone)]
struct Channel {
    name: String,
    fields: Vec<Type>,
    /// `None` where it may be either.
    is_rendezvous: Option<bool>,
}

#[derive(Clone, Copy, PartialEq)]
enum Type {
    Byte,
    Mtype,
    Bit,
}

/// A proctype that can be run or asked for.
#[derive(Clone)]
struct Proctype {
    name: String,
    parameters: Vec<&'static str>,
    n_active: usize,
}

/// What surrounds a statement.
#[derive(Clone, Copy, Default)]
struct Around {
    depth: usize,
    in_loop: bool,
    in_dstep: bool,
    /// Labels would belong to something else here.
    without_label: bool,
}

struct Generator {
    random: Random,
    text: String,
    indent: usize,
    globals: Vec<(String, Type)>,
    locals: Vec<(String, Type)>,
    channels: Vec<Channel>,
    local_channels: Vec<Channel>,
    proctypes: Vec<Proctype>,
    /// Which of them is being written.
    at: usize,
    /// Labels of the proctype that stand in the text already.
    labels: Vec<String>,
    /// Labels of the first proctype, which is process 0.
    first_labels: Vec<String>,
    /// Labels that must still be put somewhere.
    pending: Vec<String>,
    n_labels: usize,
    /// Statements that the proctype may still have.
    budget: usize,
    has_inline: bool,
    /// Which of the rarer things the model may have.
    rare: Option<Rare>,
}

/// What SPIN takes only without some other things.
#[derive(Clone, Copy, PartialEq)]
enum Rare {
    /// Priorities, without rendezvous.
    Priorities,
    /// `enabled`, without rendezvous.
    Enabled,
    /// `_last`.
    Last,
    /// A trace.
    Trace,
    /// A trace that shall not happen.
    NoTrace,
}

const MTYPES: [&str; 3] = ["red", "green", "blue"];

impl Generator {
    fn new(seed: u64) -> Self {
        Self {
            random: Random::new(seed),
            text: String::new(),
            indent: 0,
            globals: Vec::new(),
            locals: Vec::new(),
            channels: Vec::new(),
            local_channels: Vec::new(),
            proctypes: Vec::new(),
            at: 0,
            labels: Vec::new(),
            first_labels: Vec::new(),
            pending: Vec::new(),
            n_labels: 0,
            budget: 0,
            has_inline: false,
            rare: None,
        }
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.random.percent(percent)
    }

    fn line(&mut self, line: &str) {
        if matches!(line.as_bytes()[0], b'}' | b':') || line.starts_with("fi") || line.starts_with("od") {
            self.indent -= usize::from(!line.starts_with("::"));
        }
        self.text.push_str(&"  ".repeat(self.indent));
        self.text.push_str(line);
        self.text.push('\n');
        if line.ends_with('{') || line == "if" || line == "do" {
            self.indent += 1;
        }
    }

    fn model(&mut self) {
        self.rare = match self.random.below(20) {
            0 | 1 => Some(Rare::Priorities),
            2 => Some(Rare::Enabled),
            3 => Some(Rare::Last),
            4 => Some(Rare::Trace),
            5 => Some(Rare::NoTrace),
            _ => None,
        };
        self.declarations();
        self.plan();
        for at in 0..self.proctypes.len() {
            self.proctype(at);
        }
        self.trace();
    }

    fn declarations(&mut self) {
        self.line("mtype = { red, green, blue };");
        self.line("typedef Inner { bit h[2]; byte v };");
        self.line("typedef Outer { byte f = 1; Inner in[2] };");
        let menu: [(&str, &[(&str, Type)]); 9] = [
            ("byte x = 1;", &[("x", Type::Byte)]),
            ("byte y;", &[("y", Type::Byte)]),
            ("bool b;", &[("b", Type::Bit)]),
            ("short n = -1;", &[("n", Type::Byte)]),
            ("unsigned u : 2;", &[("u", Type::Byte)]),
            ("mtype m = green;", &[("m", Type::Mtype)]),
            ("byte a[2] = 1;", &[("a[I]", Type::Byte)]),
            ("Outer r;", &[("r.f", Type::Byte), ("r.in[I].h[I]", Type::Bit)]),
            ("Inner s[2];", &[("s[I].v", Type::Byte), ("s[1].h[I]", Type::Bit)]),
        ];
        for (index, (declaration, places)) in menu.iter().enumerate() {
            if index == 0 || self.chance(35) {
                self.line(declaration);
                self.globals.extend(places.iter().map(|(name, ty)| (name.to_string(), *ty)));
            }
        }
        let menu: [(&str, &[&str], &[Type], bool); 6] = [
            ("chan c = [1] of { byte };", &["c"], &[Type::Byte], false),
            ("chan d = [2] of { mtype, byte };", &["d"], &[Type::Mtype, Type::Byte], false),
            ("chan e[2] = [1] of { bit };", &["e[I]"], &[Type::Bit], false),
            ("chan q = [0] of { byte };", &["q"], &[Type::Byte], true),
            ("chan w = [0] of { mtype, bit };", &["w"], &[Type::Mtype, Type::Bit], true),
            ("chan t = [2] of { byte, bit };", &["t"], &[Type::Byte, Type::Bit], false),
        ];
        for (declaration, names, fields, is_rendezvous) in menu {
            let is_allowed = match self.rare {
                Some(Rare::Priorities | Rare::Enabled) => !is_rendezvous,
                // SPIN sees the sends of rendezvous that nobody takes.
                Some(Rare::Trace | Rare::NoTrace) => !is_rendezvous,
                _ => true,
            };
            if self.chance(40) && is_allowed {
                self.line(declaration);
                for name in names {
                    let fields = fields.to_vec();
                    let is_rendezvous = Some(is_rendezvous);
                    self.channels.push(Channel { name: name.to_string(), fields, is_rendezvous });
                }
            }
        }
        if self.chance(25) {
            self.has_inline = true;
            self.line("inline shift(v, by) {");
            match self.random.below(3) {
                0 => self.line("v = (v + by) % 3;"),
                1 => {
                    self.line("byte old = v;");
                    self.line("v = (old + by) % 2;");
                }
                _ => {
                    self.line("if");
                    self.line(":: v > 1 -> v = by % 2;");
                    self.line(":: else -> v = v + 1;");
                    self.line("fi;");
                }
            }
            self.line("}");
        }
    }

    fn plan(&mut self) {
        let n = 2 + self.random.below(2);
        for index in 0..n {
            let is_active = index == 0 || self.chance(60);
            let n_active = usize::from(is_active) + usize::from(is_active && self.chance(15));
            let menu: [&[&'static str]; 4] = [&[], &["byte p"], &["chan p"], &["mtype p", "byte k"]];
            let parameters = match is_active {
                true => &[],
                false => menu[self.random.below(4)],
            };
            let parameters = match self.buffered_byte().is_none() && parameters == ["chan p"] {
                true => Vec::new(),
                false => parameters.to_vec(),
            };
            self.proctypes.push(Proctype { name: format!("P{index}"), parameters, n_active });
        }
        if self.proctypes.iter().any(|it| it.n_active == 0) && self.chance(60) {
            self.proctypes.push(Proctype { name: "init".to_string(), parameters: Vec::new(), n_active: 1 });
        }
    }

    /// A description of sends and receives, if there is a channel for it.
    fn trace(&mut self) {
        let word = match self.rare {
            Some(Rare::Trace) => "trace {",
            Some(Rare::NoTrace) => "notrace {",
            _ => return,
        };
        let Some(channel) = self.channels.first().cloned() else { return };
        self.line(word);
        let is_loop = self.chance(70);
        if is_loop {
            self.line("do");
        }
        for _ in 0..1 + self.random.below(3) {
            if is_loop {
                self.line("::");
                self.indent += 1;
            }
            for _ in 0..1 + self.random.below(2) {
                let event = self.event(&channel);
                self.line(&format!("{event};"));
            }
            self.indent -= usize::from(is_loop);
        }
        if is_loop {
            self.line("od;");
        }
        self.line("}");
    }

    fn event(&mut self, channel: &Channel) -> String {
        let mut arguments = Vec::new();
        for ty in &channel.fields {
            let argument = match self.chance(60) {
                true => "_".to_string(),
                false => self.message_value(*ty),
            };
            arguments.push(argument);
        }
        let op = if self.chance(70) { "!" } else { "?" };
        format!("{}{op}{}", channel.name.replace("[I]", "[0]"), arguments.join(", "))
    }

    /// A channel for arguments.
    fn buffered_byte(&self) -> Option<String> {
        let fits = |it: &&Channel| it.fields == [Type::Byte];
        self.channels.iter().find(fits).map(|it| it.name.clone())
    }

    fn proctype(&mut self, at: usize) {
        self.at = at;
        self.locals.clear();
        self.local_channels.clear();
        self.labels.clear();
        self.pending.clear();
        self.n_labels = 0;
        self.budget = 7;
        let Proctype { name, parameters, n_active } = self.proctypes[at].clone();
        // Locals mean nothing there.
        let provided = match self.chance(8) {
            true => format!(" provided ({})", self.condition(1)),
            false => String::new(),
        };
        let active = ["", "active ", "active [2] "][n_active];
        for parameter in &parameters {
            match *parameter {
                "byte p" => self.locals.push(("p".to_string(), Type::Byte)),
                "mtype p" => self.locals.push(("p".to_string(), Type::Mtype)),
                "byte k" => self.locals.push(("k".to_string(), Type::Byte)),
                _ => self.local_channels.push(Channel {
                    name: "p".to_string(),
                    fields: vec![Type::Byte],
                    is_rendezvous: None,
                }),
            }
        }
        let priority = match self.rare == Some(Rare::Priorities) {
            true => format!(" priority {}", 1 + self.random.below(3)),
            false => String::new(),
        };
        match name.as_str() {
            "init" => self.line(&format!("init{priority} {{")),
            _ => {
                let parameters = parameters.join("; ");
                self.line(&format!("{active}proctype {name}({parameters}){priority}{provided} {{"));
            }
        }
        // SPIN writes no C for `enabled` in a declaration.
        let rare = self.rare.take();
        self.local_declarations(&name);
        self.rare = rare;
        if name == "init" {
            self.init_runs();
        }
        let n = 2 + self.random.below(4);
        self.statements(n, Around { depth: 0, ..Around::default() });
        for label in std::mem::take(&mut self.pending) {
            self.line(&format!("{label}:"));
            self.simple(Around::default());
        }
        self.line("}");
        if at == 0 {
            self.first_labels = self.labels.clone();
        }
    }

    fn local_declarations(&mut self, name: &str) {
        if self.chance(40) {
            let value = self.value(1);
            let initial = if self.chance(50) { format!(" = ({value}) % 3") } else { String::new() };
            self.line(&format!("byte i{initial};"));
            self.locals.push(("i".to_string(), Type::Byte));
        }
        if self.chance(15) {
            self.line("bit j[2];");
            self.locals.push(("j[I]".to_string(), Type::Bit));
        }
        if self.chance(15) && name != "init" {
            self.line("chan l = [1] of { byte, bit };");
            self.local_channels.push(Channel {
                name: "l".to_string(),
                fields: vec![Type::Byte, Type::Bit],
                is_rendezvous: Some(false),
            });
        }
    }

    fn init_runs(&mut self) {
        let in_atomic = self.chance(50);
        if in_atomic {
            self.line("atomic {");
        }
        for at in 0..self.proctypes.len() - 1 {
            if self.proctypes[at].n_active == 0 {
                let run = self.run(at);
                self.line(&format!("{run};"));
            }
        }
        if in_atomic {
            self.line("};");
        }
    }

    fn run(&mut self, at: usize) -> String {
        let Proctype { name, parameters, .. } = self.proctypes[at].clone();
        let mut arguments = Vec::new();
        for parameter in parameters {
            let argument = match parameter {
                "chan p" => {
                    let fits = |it: &&Channel| it.fields == [Type::Byte];
                    let names: Vec<String> =
                        self.channels.iter().filter(fits).map(|it| it.name.clone()).collect();
                    self.random.pick(&names).clone()
                }
                "mtype p" => self.random.pick(&MTYPES).to_string(),
                _ => self.random.below(3).to_string(),
            };
            arguments.push(argument);
        }
        let priority = match self.rare == Some(Rare::Priorities) && self.chance(50) {
            true => format!(" priority {}", 1 + self.random.below(3)),
            false => String::new(),
        };
        format!("run {name}({}){priority}", arguments.join(", "))
    }

    fn statements(&mut self, n: usize, around: Around) {
        for index in 0..n {
            if self.budget == 0 && index > 0 {
                return;
            }
            self.budget = self.budget.saturating_sub(1);
            self.statement(Around { without_label: around.without_label && index == 0, ..around });
        }
    }

    fn statement(&mut self, around: Around) {
        let may_nest = around.depth < 3 && self.budget > 0;
        let kind = self.random.below(100);
        if !around.in_dstep && !around.without_label && self.chance(15) {
            self.label();
            // A jump is a step where another process asks for its label.
            if around.depth > 0 && self.chance(20) {
                let jump = match around.in_loop && self.chance(50) {
                    true => "break".to_string(),
                    false => self.goto(),
                };
                return self.line(&format!("{jump};"));
            }
        }
        match kind {
            _ if !may_nest || kind < 40 => self.simple(around),
            40..=59 if around.in_dstep => self.if_with_else(around),
            40..=50 => self.selection("if", around),
            51..=59 => self.selection("do", around),
            60..=67 if !around.in_dstep => self.dstep(around),
            68..=77 if !around.in_dstep => {
                self.line("atomic {");
                self.inside(around, 3);
                self.line("};");
            }
            78..=82 if !around.in_dstep => {
                self.line("{");
                // A jump here would leave SPIN without an option.
                let first = self.assignment();
                self.line(&format!("{first};"));
                self.inside(around, 1);
                self.line("} unless {");
                // SPIN turns the options of an escape round, so that `else` comes first.
                self.simple(Around { depth: around.depth + 1, ..around });
                self.inside(around, 1);
                self.line("};");
            }
            83..=86 => {
                self.line("{");
                if self.chance(60) && !around.in_dstep {
                    let name = format!("k{}", self.n_labels);
                    self.n_labels += 1;
                    let value = self.random.below(2);
                    self.line(&format!("bit {name} = {value};"));
                }
                self.inside(around, 2);
                self.line("};");
            }
            87..=90 if !around.in_dstep => self.guarded_run(around),
            91..=93 if self.has_inline && !around.in_dstep => {
                let place = self.counter().unwrap_or("x".to_string());
                let by = self.random.below(3);
                self.line(&format!("shift({place}, {by});"));
            }
            94..=96 => {
                let Some(place) = self.counter() else { return self.simple(around) };
                self.line(&format!("for ({place} : 0 .. {}) {{", 1 + kind % 2));
                let around = Around { in_loop: true, without_label: true, depth: 3, ..around };
                self.simple(around);
                self.line("};");
            }
            97..=98 if !around.in_dstep => {
                let Some(place) = self.counter() else { return self.simple(around) };
                let to = self.random.pick(&["2", "(x & 1)"]).to_string();
                self.line(&format!("select ({place} : 0 .. {to});"));
            }
            _ => self.simple(around),
        }
    }

    /// A variable that a loop may count with.
    fn counter(&mut self) -> Option<String> {
        let places = self.locals.iter().chain(&self.globals);
        let fits = |name: &&String| ["i", "k", "y"].contains(&name.as_str());
        places.map(|(name, _)| name).find(fits).cloned()
    }

    fn inside(&mut self, around: Around, most: usize) {
        let n = 1 + self.random.below(most);
        self.statements(n, Around { depth: around.depth + 1, without_label: true, ..around });
    }

    fn label(&mut self) {
        if !self.pending.is_empty() && self.chance(50) {
            let label = self.pending.remove(0);
            self.line(&format!("{label}:"));
            self.labels.push(label);
            return;
        }
        let prefix = *self.random.pick(&["L", "L", "end", "accept", "progress"]);
        let label = format!("{prefix}{}", self.n_labels);
        self.n_labels += 1;
        self.line(&format!("{label}:"));
        self.labels.push(label);
    }

    fn goto(&mut self) -> String {
        if self.labels.is_empty() || self.chance(40) {
            if self.pending.is_empty() {
                self.pending.push(format!("F{}", self.n_labels));
                self.n_labels += 1;
            }
            return format!("goto {}", self.pending[0]);
        }
        let label = self.random.pick(&self.labels).clone();
        format!("goto {label}")
    }

    /// A process that may be started, if there are few.
    fn guarded_run(&mut self, around: Around) {
        let candidates: Vec<usize> =
            (0..self.proctypes.len()).filter(|&at| self.proctypes[at].n_active == 0).collect();
        if candidates.is_empty() {
            return self.simple(around);
        }
        let at = *self.random.pick(&candidates);
        let run = self.run(at);
        self.line("atomic {");
        let most = 3 + self.random.below(2);
        self.line(&format!("_nr_pr < {most};"));
        match self.chance(25) {
            true => self.line(&format!("x = {run};")),
            false => self.line(&format!("{run};")),
        }
        self.line("};");
    }

    fn selection(&mut self, word: &str, around: Around) {
        self.line(word);
        let n = 1 + self.random.below(3);
        let is_loop = word == "do";
        let inner = Around {
            depth: around.depth + 1,
            in_loop: around.in_loop || is_loop,
            without_label: true,
            ..around
        };
        for _ in 0..n {
            self.line("::");
            self.indent += 1;
            // Of an option of nothing but `skip`, SPIN leaves some out.
            self.guard(inner);
            if self.chance(80) {
                self.inside(inner, 2);
            }
            if is_loop && self.chance(30) {
                self.line("break;");
            }
            self.indent -= 1;
        }
        if self.chance(45) {
            self.line("::");
            self.indent += 1;
            self.line("else;");
            match is_loop && self.chance(60) {
                true => self.line("break;"),
                false => self.inside(inner, 2),
            }
            self.indent -= 1;
        }
        self.line(if is_loop { "od;" } else { "fi;" });
    }

    /// A selection that always has a way.
    fn if_with_else(&mut self, around: Around) {
        let inner = Around { depth: around.depth + 1, without_label: true, ..around };
        self.line("if");
        for _ in 0..1 + self.random.below(2) {
            self.line("::");
            self.indent += 1;
            let condition = self.condition(1);
            self.line(&format!("{condition};"));
            self.inside(inner, 2);
            self.indent -= 1;
        }
        self.line("::");
        self.line("else;");
        self.line("fi;");
    }

    fn dstep(&mut self, around: Around) {
        let around = Around { in_dstep: true, without_label: true, depth: around.depth + 1, ..around };
        // What leads to a `d_step` may be a jump, which SPIN refuses.
        self.line("skip;");
        self.line("d_step {");
        match self.random.below(4) {
            0 => {
                let condition = self.condition(1);
                self.line(&format!("{condition};"));
            }
            1 => {
                // SPIN writes no C for the others there, if there is a rendezvous, too.
                let statement = self.receive().replace("??", "?").replace(['<', '>'], "");
                self.line(&format!("{statement};"));
            }
            2 => {
                let statement = self.assignment();
                self.line(&format!("{statement};"));
            }
            _ => self.line("skip;"),
        }
        self.inside(Around { in_loop: false, ..around }, 3);
        self.line("};");
    }

    /// The first statement of an option.
    fn guard(&mut self, around: Around) {
        let statement = match self.random.below(10) {
            0..=4 => self.condition(2),
            5 | 6 if !around.in_dstep => self.receive(),
            7 if !around.in_dstep => self.send(),
            8 if self.chance(30) => "timeout".to_string(),
            _ => self.assignment(),
        };
        self.line(&format!("{statement};"));
    }

    fn simple(&mut self, around: Around) {
        let statement = match self.random.below(100) {
            0..=39 => self.assignment(),
            40..=47 => "skip".to_string(),
            48..=51 => format!("printf(\"%d\\n\", {})", self.value(1)),
            52..=56 if !around.in_dstep => format!("assert({})", self.assertion()),
            57..=68 if !around.in_dstep => self.send(),
            69..=81 if !around.in_dstep => self.receive(),
            82..=90 if !around.in_dstep => self.condition(2),
            91..=93 if !around.in_dstep && around.depth > 0 => self.goto(),
            94..=96 if around.in_loop && !around.in_dstep && around.depth > 0 => "break".to_string(),
            97 if !around.in_dstep => "timeout".to_string(),
            _ => self.assignment(),
        };
        self.line(&format!("{statement};"));
    }

    fn assertion(&mut self) -> String {
        match self.chance(60) {
            true => format!("x < {}", 3 + self.random.below(2)),
            false => self.condition(1),
        }
    }

    /// A variable of a type, with its indices.
    fn place(&mut self, ty: Type) -> String {
        let all = self.locals.iter().chain(&self.globals);
        let fitting: Vec<String> = all.filter(|it| it.1 == ty).map(|it| it.0.clone()).collect();
        if fitting.is_empty() {
            return "x".to_string();
        }
        let mut place = self.random.pick(&fitting).clone();
        while place.contains("[I]") {
            let index = match self.random.below(10) {
                0 | 1 => "x & 1",
                2 => "_pid % 2",
                3 | 4 => "1",
                _ => "0",
            };
            place = place.replacen("[I]", &format!("[{index}]"), 1);
        }
        place
    }

    fn assignment(&mut self) -> String {
        if self.rare == Some(Rare::Priorities) && self.chance(20) {
            let value = 1 + self.random.below(3);
            return format!("set_priority(_pid, {value})");
        }
        match self.random.below(10) {
            0 | 1 => {
                let place = self.place(Type::Bit);
                let value = self.value(2);
                format!("{place} = {value}").replace("x = ", "x = 1 & ")
            }
            2 => {
                let has = self.globals.iter().chain(&self.locals).any(|it| it.1 == Type::Mtype);
                match has {
                    true => format!("{} = {}", self.place(Type::Mtype), self.random.pick(&MTYPES)),
                    false => "x = 0".to_string(),
                }
            }
            3 => "x = 1 - (x & 1)".to_string(),
            4 if self.globals.iter().any(|it| it.0 == "n") => {
                format!("n = -({} % 3)", self.operand())
            }
            5 if self.globals.iter().any(|it| it.0 == "u") => "u++".to_string(),
            6 => {
                let place = self.place(Type::Byte);
                let value = self.random.below(3);
                format!("{place} = {value}")
            }
            _ => {
                let place = self.place(Type::Byte);
                let value = self.value(2);
                format!("{place} = (({value}) & 255) % 3")
            }
        }
    }

    fn operand(&mut self) -> String {
        let rare = self.rare;
        match rare {
            Some(Rare::Last) if self.chance(20) => return "_last".to_string(),
            Some(Rare::Priorities) if self.chance(10) => return "_priority".to_string(),
            Some(Rare::Priorities) if self.chance(10) => return "get_priority(0)".to_string(),
            // Process 0 must not ask for itself, and none in a circle.
            Some(Rare::Enabled) if self.at > 0 && self.proctypes[0].n_active == 1 && self.chance(15) => {
                return "enabled(0)".to_string();
            }
            _ => {}
        }
        match self.random.below(12) {
            0..=2 => self.random.below(4).to_string(),
            3 => "_pid".to_string(),
            4 => "_nr_pr".to_string(),
            5 if self.any_channel(false).is_some() => {
                let name = self.any_channel(false).unwrap_or_default();
                format!("len({name})")
            }
            6 => self.place(Type::Bit),
            7 => self.place(Type::Mtype),
            _ => self.place(Type::Byte),
        }
    }

    fn any_channel(&mut self, buffered_only: bool) -> Option<String> {
        let all = self.local_channels.iter().chain(&self.channels);
        let fits = |it: &&Channel| !buffered_only || it.is_rendezvous == Some(false);
        let all: Vec<String> = all.filter(fits).map(|it| it.name.clone()).collect();
        match all.is_empty() {
            true => None,
            false => Some(self.random.pick(&all).replace("[I]", "[1]")),
        }
    }

    fn value(&mut self, depth: usize) -> String {
        if depth == 0 || self.chance(35) {
            return self.operand();
        }
        let left = self.value(depth - 1);
        let right = self.value(depth - 1);
        match self.random.below(16) {
            0..=3 => format!("({left} + {right})"),
            4 | 5 => format!("({left} - {right})"),
            6 => format!("({left} * {right})"),
            7 => format!("({left} / {})", 1 + self.random.below(3)),
            8 => format!("({left} % {})", 2 + self.random.below(2)),
            9 => format!("({left} & {right})"),
            10 => format!("({left} | {right})"),
            11 => format!("({left} ^ {right})"),
            12 => format!("({left} << {})", self.random.below(3)),
            13 => format!("(-{left})"),
            14 => format!("(~{left})"),
            _ => {
                format!("({} > 0 -> {left} : {right})", self.operand())
            }
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        if depth > 0 && self.chance(20) {
            let left = self.condition(depth - 1);
            let right = self.condition(depth - 1);
            return format!("({left} {} {right})", self.random.pick(&["&&", "||"]));
        }
        match self.random.below(20) {
            0..=9 => {
                let op = *self.random.pick(&["==", "!=", "<", "<=", ">", ">="]);
                let left = self.value(depth.min(1));
                let right = self.operand();
                format!("({left} {op} {right})")
            }
            10 => format!("({} == {})", self.place(Type::Mtype), self.random.pick(&MTYPES)),
            11 | 12 if depth == 2 => {
                let query = *self.random.pick(&["empty", "nempty", "full", "nfull"]);
                match self.any_channel(true) {
                    Some(name) => format!("{query}({name})"),
                    None => "(x != 1)".to_string(),
                }
            }
            13 | 14 if depth == 2 => self.poll(),
            15 => format!("!({})", self.place(Type::Bit)),
            16 if depth == 2 => self.remote(),
            _ => self.place(Type::Bit),
        }
    }

    /// Where another process is, or what it holds.
    fn remote(&mut self) -> String {
        // SPIN knows only labels that stand before, in another proctype.
        match self.at > 0 && !self.first_labels.is_empty() {
            true => format!("P0[0]@{}", self.random.pick(&self.first_labels)),
            false => "(_nr_pr > 2)".to_string(),
        }
    }

    fn poll(&mut self) -> String {
        let all = self.local_channels.iter().chain(&self.channels);
        let all: Vec<Channel> = all.filter(|it| it.is_rendezvous == Some(false)).cloned().collect();
        if all.is_empty() {
            return "(x == 1)".to_string();
        }
        let channel = self.random.pick(&all).clone();
        let arguments: Vec<String> = channel.fields.iter().map(|ty| self.matching(*ty)).collect();
        let op = *self.random.pick(&["?", "?", "??"]);
        format!("{}{op}[{}]", channel.name.replace("[I]", "[0]"), arguments.join(", "))
    }

    /// A pattern that stores nothing.
    fn matching(&mut self, ty: Type) -> String {
        match self.random.below(4) {
            0 | 1 => "_".to_string(),
            2 => self.message_value(ty),
            _ => {
                let place = self.place(ty);
                format!("eval({place})")
            }
        }
    }

    fn message_value(&mut self, ty: Type) -> String {
        match ty {
            Type::Byte => self.random.below(3).to_string(),
            Type::Bit => self.random.below(2).to_string(),
            Type::Mtype => self.random.pick(&MTYPES).to_string(),
        }
    }

    fn some_channel(&mut self) -> Option<Channel> {
        let all: Vec<Channel> = self.local_channels.iter().chain(&self.channels).cloned().collect();
        if all.is_empty() {
            return None;
        }
        let mut channel = self.random.pick(&all).clone();
        let index = *self.random.pick(&["0", "1", "x & 1"]);
        channel.name = channel.name.replace("[I]", &format!("[{index}]"));
        Some(channel)
    }

    fn send(&mut self) -> String {
        let Some(channel) = self.some_channel() else { return "skip".to_string() };
        let mut values = Vec::new();
        for ty in &channel.fields {
            let value = match self.chance(50) {
                true => self.message_value(*ty),
                false if *ty == Type::Byte => format!("(({}) & 255) % 3", self.value(1)),
                false => self.place(*ty),
            };
            values.push(value);
        }
        let op = if channel.is_rendezvous == Some(false) && self.chance(20) { "!!" } else { "!" };
        match values.len() == 2 && channel.fields[0] == Type::Mtype && self.chance(30) {
            true => format!("{}{op}{}({})", channel.name, values[0], values[1]),
            false => format!("{}{op}{}", channel.name, values.join(", ")),
        }
    }

    fn receive(&mut self) -> String {
        let Some(mut channel) = self.some_channel() else { return "skip".to_string() };
        // What is received may change the index, and SPIN then takes the wrong step back.
        channel.name = channel.name.replace("x & 1", "1");
        let mut patterns: Vec<String> = Vec::new();
        for ty in &channel.fields {
            let pattern = match self.random.below(4) {
                0 | 1 => self.place(*ty),
                _ => self.matching(*ty),
            };
            // SPIN takes no variable twice.
            let is_again = pattern.len() > 1 || pattern.starts_with(|it: char| it.is_alphabetic());
            match is_again && patterns.contains(&pattern) {
                true => patterns.push("_".to_string()),
                false => patterns.push(pattern),
            }
        }
        let patterns = patterns.join(", ");
        let any = channel.is_rendezvous == Some(false) && self.chance(25);
        let op = if any { "??" } else { "?" };
        match channel.is_rendezvous == Some(false) && self.chance(15) {
            true => format!("{}{op}<{patterns}>", channel.name),
            false => format!("{}{op}{patterns}", channel.name),
        }
    }
}
