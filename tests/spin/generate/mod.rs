//! Small random Promela models, determined by a seed.
//!
//! Models are text from the start: what a model means is SPIN's affair, and
//! ours to find out. Values stay small so that most models have few states.
//! A line has one statement or one bracket, which helps who shrinks a model.

mod expressions;
mod statements;

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
}
