//! Conjuncts in a state.

use trapline::analysis::accesses::Scope;
use trapline::analysis::dependence::{
    BufferTest, ChannelPart, Conjunct, Patterns, VariableOwner, VariablePart,
};
use trapline::analysis::part::{Owner, Part};
use trapline::explicit::Engine;
use trapline::explicit::layout::{Cells, ChannelOption, Field};
use trapline::net::{ChannelQuery, Expr, ExprKind, Path, Pattern, Place, Root, TemplateId};
use trapline::system::Word;

/// Evaluates conjuncts in one state.
#[derive(Clone, Copy)]
pub struct Evaluator<'a> {
    pub engine: &'a Engine<'a>,
    pub cells: &'a Cells,
    pub state: &'a [Word],
}

impl Evaluator<'_> {
    /// Is a conjunct true? `None` if that is not known.
    pub fn holds(&self, conjunct: &Conjunct) -> Option<bool> {
        match conjunct {
            Conjunct::At { process, template, locations } => Some(
                self.is_there(*process, *template)
                    && locations.iter().any(|it| it.0 as i32 == self.location(*process)),
            ),
            Conjunct::Test(side) => Some(self.value(side.scope, side.expr)? != 0),
            Conjunct::Equal { sent, wanted, ty } => {
                let sent = (*ty)?.stored(self.value(sent.scope, sent.expr)?);
                Some(sent == self.value(wanted.scope, wanted.expr)?)
            }
            Conjunct::Buffer(channel, test) => self.buffer(self.held_by(channel)?, test),
            Conjunct::Youngest(process) => Some(self.n_processes() == process + 1),
            Conjunct::AnyOf(all) => self.any_of(all),
            Conjunct::NoneOf(all) => self.any_of(all).map(|it| !it),
            Conjunct::Timeout | Conjunct::DependsOn(_) => None,
        }
    }

    /// Are all of them true? The others mean nothing where a process is not
    /// there.
    pub fn all_hold(&self, all: &[Conjunct]) -> Option<bool> {
        let is_gone = |it: &Conjunct| matches!(it, Conjunct::At { .. }) && self.holds(it) == Some(false);
        if all.iter().any(is_gone) {
            return Some(false);
        }
        let values: Vec<Option<bool>> = all.iter().map(|it| self.holds(it)).collect();
        match values.contains(&Some(false)) {
            true => Some(false),
            false => values.into_iter().collect::<Option<Vec<bool>>>().map(|_| true),
        }
    }

    fn any_of(&self, all: &[Vec<Conjunct>]) -> Option<bool> {
        let values: Vec<Option<bool>> = all.iter().map(|it| self.all_hold(it)).collect();
        match values.contains(&Some(true)) {
            true => Some(true),
            false => values.into_iter().collect::<Option<Vec<bool>>>().map(|_| false),
        }
    }

    fn n_processes(&self) -> usize {
        self.engine.layout.n_processes.get(self.state) as usize
    }

    pub fn is_there(&self, process: usize, template: TemplateId) -> bool {
        process < self.n_processes() && self.engine.template(process, self.state) == template
    }

    fn location(&self, process: usize) -> i32 {
        self.engine.layout.processes[process].location.get(self.state)
    }

    /// The fields of a variable, from its first one on.
    fn variable(&self, holder: VariableOwner, variable: usize) -> Option<&[Field]> {
        match holder {
            VariableOwner::Global => Some(&self.engine.layout.globals[self.cells.global_starts[variable]..]),
            VariableOwner::Process(process, template) => {
                if !self.is_there(process, template) {
                    return None;
                }
                let room = &self.engine.layout.processes[process];
                let option = &room.options[room.tag.get(self.state) as usize];
                Some(&option.locals[self.cells.local_starts[template.index()][variable]..])
            }
        }
    }

    /// The channel that was made for a variable.
    fn held_by(&self, channel: &ChannelPart) -> Option<&ChannelOption> {
        let ChannelPart::Of(VariablePart { holder, variable, steps }) = channel else { return None };
        let (owner, template) = match holder {
            VariableOwner::Global => (Owner::Global, TemplateId(0)),
            VariableOwner::Process(_, template) => (Owner::Own, *template),
        };
        let part = Part { owner, variable: *variable, steps: steps.clone() };
        let cell = part.cells(self.engine.network, template)[0];
        self.channel(self.variable(*holder, *variable as usize)?[cell].get(self.state))
    }

    fn channel(&self, number: i32) -> Option<&ChannelOption> {
        let index = usize::try_from(number).ok()?.checked_sub(1)?;
        if index >= self.engine.layout.n_channels.get(self.state) as usize {
            return None;
        }
        let room = &self.engine.layout.channels[index];
        Some(&room.options[room.tag.get(self.state) as usize])
    }

    fn buffer(&self, channel: &ChannelOption, test: &BufferTest) -> Option<bool> {
        let length = channel.length.get(self.state) as usize;
        Some(match test {
            BufferTest::Empty => length == 0,
            BufferTest::NotEmpty => length > 0,
            BufferTest::Full => length == channel.capacity,
            BufferTest::NotFull => length < channel.capacity,
            BufferTest::Contains(patterns) => {
                let all: Option<Vec<bool>> =
                    (0..length).map(|it| self.matches(channel, it, patterns)).collect();
                all?.contains(&true)
            }
            BufferTest::FirstMatches(patterns) => length == 0 || self.matches(channel, 0, patterns)?,
        })
    }

    fn matches(&self, channel: &ChannelOption, message: usize, patterns: &Patterns) -> Option<bool> {
        let mut is_equal = true;
        for (index, pattern) in patterns.patterns.iter().enumerate().take(channel.n_fields) {
            if let Pattern::Match(expr) = pattern {
                let field = channel.messages[message * channel.n_fields + index];
                is_equal &= field.get(self.state) == self.value(patterns.scope, expr)?;
            }
        }
        Some(is_equal)
    }

    fn value(&self, scope: Scope, expr: &Expr) -> Option<i32> {
        expr.value(&mut |leaf| match &leaf.kind {
            ExprKind::Pid => scope.process.map(|it| it as i32),
            ExprKind::Read(place) => self.read(scope, place, scope),
            ExprKind::NumberOfProcesses => Some(self.n_processes() as i32),
            ExprKind::Channel(query, place) => {
                let channel = self.channel(self.read(scope, place, scope)?)?;
                let (length, capacity) = (channel.length.get(self.state) as usize, channel.capacity);
                Some(match query {
                    ChannelQuery::Length => length as i32,
                    ChannelQuery::Empty => i32::from(length == 0),
                    ChannelQuery::NotEmpty => i32::from(length > 0),
                    ChannelQuery::Full => i32::from(capacity > 0 && length == capacity),
                    ChannelQuery::NotFull => i32::from(capacity == 0 || length < capacity),
                })
            }
            ExprKind::RemoteLabel { template, pid: Some(pid), label } => {
                let process = usize::try_from(self.value(scope, pid)?).ok()?;
                let at = self.engine.network.template(*template).graph.labels[label.index()];
                Some(i32::from(self.is_there(process, *template) && self.location(process) == at.0 as i32))
            }
            ExprKind::RemoteVariable { template, pid: Some(pid), place } => {
                let process = usize::try_from(self.value(scope, pid)?).ok()?;
                let owner = Scope { template: *template, process: Some(process), ..scope };
                match self.is_there(process, *template) {
                    true => self.read(owner, place, scope),
                    false => Some(0),
                }
            }
            _ => None,
        })
    }

    /// A variable as `owner` sees it, with indices as `scope` does.
    fn read(&self, owner: Scope, place: &Place, scope: Scope) -> Option<i32> {
        let network = self.engine.network;
        let path = Path::new(network, network.variable(place.root, owner.template)?, place);
        let mut cell = path.offset;
        for (index, n_elements, n_cells) in path.indices {
            let element = usize::try_from(self.value(scope, index)?).ok()?;
            cell += n_cells * Some(element).filter(|it| *it < n_elements)?;
        }
        let fields = match place.root {
            Root::Global(id) => self.variable(VariableOwner::Global, id.index()),
            Root::Local(id) => {
                self.variable(VariableOwner::Process(owner.process?, owner.template), id.index())
            }
            Root::Scratch => None,
        };
        Some(fields?[cell].get(self.state))
    }
}
