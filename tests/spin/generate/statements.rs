//! Statements of a random model.

use super::{Around, Generator, MTYPES, Rare, Type};

impl Generator {
    pub(super) fn statements(&mut self, n: usize, around: Around) {
        for index in 0..n {
            if self.budget == 0 && index > 0 {
                return;
            }
            self.budget = self.budget.saturating_sub(1);
            self.statement(Around { without_label: around.without_label && index == 0, ..around });
        }
    }

    pub(super) fn statement(&mut self, around: Around) {
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
            78..=82 if !around.in_dstep => self.unless(around),
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
    pub(super) fn counter(&mut self) -> Option<String> {
        let places = self.locals.iter().chain(&self.globals);
        let fits = |name: &&String| ["i", "k", "y"].contains(&name.as_str());
        places.map(|(name, _)| name).find(fits).cloned()
    }

    pub(super) fn inside(&mut self, around: Around, most: usize) {
        let n = 1 + self.random.below(most);
        self.statements(n, Around { depth: around.depth + 1, without_label: true, ..around });
    }

    pub(super) fn label(&mut self) {
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

    pub(super) fn goto(&mut self) -> String {
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
    pub(super) fn guarded_run(&mut self, around: Around) {
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

    pub(super) fn selection(&mut self, word: &str, around: Around) {
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
            match !inner.in_dstep && inner.depth < 4 && self.chance(10) {
                true => self.unless(inner),
                false => self.guard(inner),
            }
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

    fn unless(&mut self, around: Around) {
        let inner = Around { depth: around.depth + 1, without_label: true, ..around };
        let may_nest = inner.depth < 4 && self.budget > 0;
        self.line("{");
        match self.random.below(6) {
            0 if may_nest => self.unless(inner),
            1 if may_nest => self.selection("if", inner),
            2 if may_nest => self.selection("do", inner),
            _ => {
                // A jump here would leave SPIN without an option.
                let first = self.assignment();
                self.line(&format!("{first};"));
            }
        }
        self.inside(around, 1);
        self.line("} unless {");
        // SPIN turns the options of an escape round, so that `else` comes first.
        self.simple(Around { depth: around.depth + 1, ..around });
        self.inside(around, 1);
        self.line("};");
    }

    /// A selection that always has a way.
    pub(super) fn if_with_else(&mut self, around: Around) {
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

    pub(super) fn dstep(&mut self, around: Around) {
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
    pub(super) fn guard(&mut self, around: Around) {
        let statement = match self.random.below(10) {
            0..=4 => self.condition(2),
            5 | 6 if !around.in_dstep => self.receive(),
            7 if !around.in_dstep => self.send(),
            8 if self.chance(30) => "timeout".to_string(),
            _ => self.assignment(),
        };
        self.line(&format!("{statement};"));
    }

    pub(super) fn simple(&mut self, around: Around) {
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

    pub(super) fn assertion(&mut self) -> String {
        match self.chance(60) {
            true => format!("x < {}", 3 + self.random.below(2)),
            false => self.condition(1),
        }
    }

    /// A variable of a type, with its indices.
    pub(super) fn place(&mut self, ty: Type) -> String {
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

    pub(super) fn assignment(&mut self) -> String {
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
}
