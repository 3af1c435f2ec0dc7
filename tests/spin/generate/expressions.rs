//! Expressions and messages of a random model.

use super::{Channel, Generator, MTYPES, Rare, Type};

impl Generator {
    pub(super) fn operand(&mut self) -> String {
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

    pub(super) fn any_channel(&mut self, buffered_only: bool) -> Option<String> {
        let all = self.local_channels.iter().chain(&self.channels);
        let fits = |it: &&Channel| !buffered_only || it.is_rendezvous == Some(false);
        let all: Vec<String> = all.filter(fits).map(|it| it.name.clone()).collect();
        match all.is_empty() {
            true => None,
            false => Some(self.random.pick(&all).replace("[I]", "[1]")),
        }
    }

    pub(super) fn value(&mut self, depth: usize) -> String {
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

    pub(super) fn condition(&mut self, depth: usize) -> String {
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
    pub(super) fn remote(&mut self) -> String {
        // SPIN knows only labels that stand before, in another proctype.
        match self.at > 0 && !self.first_labels.is_empty() {
            true => format!("P0[0]@{}", self.random.pick(&self.first_labels)),
            false => "(_nr_pr > 2)".to_string(),
        }
    }

    pub(super) fn poll(&mut self) -> String {
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
    pub(super) fn matching(&mut self, ty: Type) -> String {
        match self.random.below(4) {
            0 | 1 => "_".to_string(),
            2 => self.message_value(ty),
            _ => {
                let place = self.place(ty);
                format!("eval({place})")
            }
        }
    }

    pub(super) fn message_value(&mut self, ty: Type) -> String {
        match ty {
            Type::Byte => self.random.below(3).to_string(),
            Type::Bit => self.random.below(2).to_string(),
            Type::Mtype => self.random.pick(&MTYPES).to_string(),
        }
    }

    pub(super) fn some_channel(&mut self) -> Option<Channel> {
        let all: Vec<Channel> = self.local_channels.iter().chain(&self.channels).cloned().collect();
        if all.is_empty() {
            return None;
        }
        let mut channel = self.random.pick(&all).clone();
        let index = *self.random.pick(&["0", "1", "x & 1"]);
        channel.name = channel.name.replace("[I]", &format!("[{index}]"));
        Some(channel)
    }

    pub(super) fn send(&mut self) -> String {
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

    pub(super) fn receive(&mut self) -> String {
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
