//! Evaluation of conjuncts in a state.

use super::relations::{NodeId, Relations};
use crate::analysis::accesses::Scope as Process;
use crate::analysis::dependence::{
    BufferTest, ChannelPart, Conjunct, Patterns, Side, VariableOwner, VariablePart,
};
use crate::analysis::part::{Owner, Part};
use crate::explicit::code::{Compiler, Machine, Piece, Scope};
use crate::explicit::engine::Engine;
use crate::explicit::layout::{ChannelOption, Field};
use crate::net::{Pattern, TemplateId, Type};
use crate::system::Word;

/// How a conjunct is evaluated.
#[derive(Clone, Debug)]
pub(super) enum Test {
    /// The process exists, is of this template, and is at one of these
    /// locations.
    At(Instance, Vec<i32>),
    /// The value is not 0, or its evaluation fails.
    Value(Value),
    /// Two values are equal, the first one as a value of this type.
    Equal(Value, Value, Type),
    /// A condition on the messages of the channel in a variable of an instance.
    Buffer(Option<Instance>, Field, Messages),
    /// The process is the youngest one.
    Youngest(usize),
    /// No process can move without a timeout.
    Timeout,
    /// It is not known, or follows from its parts.
    Unknown,
}

/// A process number with a template.
#[derive(Clone, Copy, Debug)]
pub(super) struct Instance {
    pub process: usize,
    pub template: TemplateId,
}

/// An expression of a process, or of the observer.
#[derive(Clone, Debug)]
pub(super) struct Value {
    instance: Option<Instance>,
    piece: Piece,
}

/// A condition on the messages of a channel.
#[derive(Clone, Debug)]
pub(super) enum Messages {
    Empty,
    NotEmpty,
    Full,
    NotFull,
    /// One of them has these values.
    Contains(Vec<Option<Value>>),
    /// The first message has these values, or the channel is empty.
    FirstMatches(Vec<Option<Value>>),
}

/// Compiles the conjuncts of relations, by number.
pub(super) fn compile(engine: &mut Engine, relations: &Relations) -> Vec<Test> {
    let network = engine.network;
    let labels: Vec<Vec<u32>> =
        network.graphs().map(|it| it.labels.iter().map(|label| label.0).collect()).collect();
    let mut tests = Tests { engine, labels };
    relations.nodes.iter().map(|it| tests.compile(&it.conjunct).unwrap_or(Test::Unknown)).collect()
}

struct Tests<'a, 'n> {
    engine: &'a mut Engine<'n>,
    labels: Vec<Vec<u32>>,
}

impl Tests<'_, '_> {
    /// Returns `None` if the conjunct is not evaluated.
    fn compile(&mut self, conjunct: &Conjunct) -> Option<Test> {
        Some(match conjunct {
            Conjunct::At { process, template, locations } => {
                let instance = Instance { process: *process, template: *template };
                Test::At(instance, locations.iter().map(|it| it.0 as i32).collect())
            }
            Conjunct::Test(side) => Test::Value(self.value(side)?),
            Conjunct::Equal { sent, wanted, ty } => {
                Test::Equal(self.value(sent)?, self.value(wanted)?, (*ty)?)
            }
            Conjunct::Buffer(channel, test) => {
                let (instance, field) = self.channel_field(channel)?;
                Test::Buffer(instance, field, self.messages(test)?)
            }
            Conjunct::Youngest(process) => Test::Youngest(*process),
            Conjunct::Timeout => Test::Timeout,
            Conjunct::AnyOf(_) | Conjunct::NoneOf(_) | Conjunct::DependsOn(_) => return None,
        })
    }

    fn value(&mut self, side: &Side) -> Option<Value> {
        self.piece(side.scope, side.expr)
    }

    fn piece(&mut self, of: Process, expr: &crate::net::Expr) -> Option<Value> {
        let instance = Instance { process: of.process?, template: of.template };
        if self.engine.network.is_observer(of.template) {
            let first = self.engine.code.fields.len() as u32;
            let scope = Scope { process: 0, template: of.template, fields: first };
            return Some(Value { instance: None, piece: self.compiled(scope, expr) });
        }
        let room = self.engine.layout.processes.get(instance.process)?;
        let option = room.options.iter().position(|it| it.template == instance.template)?;
        let scope = Scope {
            process: instance.process,
            template: instance.template,
            fields: self.engine.tables[instance.process][option].fields,
        };
        Some(Value { instance: Some(instance), piece: self.compiled(scope, expr) })
    }

    fn compiled(&mut self, scope: Scope, expr: &crate::net::Expr) -> Piece {
        let Engine { network, cells, layout, code, .. } = &mut *self.engine;
        Compiler { network, cells, layout, code, scope: Some(scope), labels: &self.labels }.piece(expr)
    }

    /// Returns the field that contains a channel, and the process to which it
    /// belongs.
    fn channel_field(&self, channel: &ChannelPart) -> Option<(Option<Instance>, Field)> {
        let ChannelPart::Of(VariablePart { holder, variable, steps }) = channel else { return None };
        let Engine { layout, cells, network, .. } = &*self.engine;
        let (owner, template) = match holder {
            VariableOwner::Global => (Owner::Global, TemplateId(0)),
            VariableOwner::Process(_, template) => (Owner::Own, *template),
        };
        let part = Part { owner, variable: *variable, steps: steps.clone() };
        let cell = *part.cells(network, template).first()?;
        let variable = *variable as usize;
        match *holder {
            VariableOwner::Global => Some((None, *layout.globals.get(cells.global_starts[variable] + cell)?)),
            VariableOwner::Process(process, template) => {
                let option =
                    layout.processes.get(process)?.options.iter().find(|it| it.template == template)?;
                let field = *option.locals.get(cells.local_starts[template.index()][variable] + cell)?;
                Some((Some(Instance { process, template }), field))
            }
        }
    }

    fn messages(&mut self, test: &BufferTest) -> Option<Messages> {
        Some(match test {
            BufferTest::Empty => Messages::Empty,
            BufferTest::NotEmpty => Messages::NotEmpty,
            BufferTest::Full => Messages::Full,
            BufferTest::NotFull => Messages::NotFull,
            BufferTest::Contains(patterns) => Messages::Contains(self.patterns(patterns)?),
            BufferTest::FirstMatches(patterns) => Messages::FirstMatches(self.patterns(patterns)?),
        })
    }

    /// Returns the values that patterns require; the outer `None` if one is not
    /// evaluated.
    fn patterns(&mut self, patterns: &Patterns) -> Option<Vec<Option<Value>>> {
        let all = patterns.patterns.iter();
        all.map(|it| match it {
            Pattern::Match(expr) => Some(Some(self.piece(patterns.scope, expr)?)),
            Pattern::Any | Pattern::Store(_) => Some(None),
        })
        .collect()
    }
}

/// A state in which conjuncts are evaluated.
pub(super) struct Evaluation<'a> {
    pub engine: &'a Engine<'a>,
    pub machine: &'a mut Machine,
    pub state: &'a [Word],
    /// Whether no process can move without a timeout.
    pub is_timeout: bool,
}

impl Evaluation<'_> {
    /// Returns whether a conjunct without parts is true; `None` if that is not
    /// known.
    pub fn holds(&mut self, tests: &[Test], node: NodeId) -> Option<bool> {
        match &tests[node.index()] {
            Test::At(instance, locations) => {
                Some(self.location(*instance).is_some_and(|it| locations.contains(&it)))
            }
            Test::Value(value) => Some(self.value(value)? != Some(0)),
            Test::Equal(sent, wanted, ty) => {
                let (sent, wanted) = (self.value(sent)??, self.value(wanted)??);
                Some(ty.stored(sent) == wanted)
            }
            Test::Buffer(instance, field, test) => {
                if instance.is_some_and(|it| self.location(it).is_none()) {
                    return None;
                }
                let channel = self.engine.channel(field.get(self.state), self.state)?;
                self.messages(channel, test)
            }
            Test::Youngest(process) => {
                Some(self.engine.layout.n_processes.get(self.state) as usize == process + 1)
            }
            Test::Timeout => Some(self.is_timeout),
            Test::Unknown => None,
        }
    }

    /// Returns the location of an instance, if it exists.
    pub fn location(&self, instance: Instance) -> Option<i32> {
        let Instance { process, template } = instance;
        let is_there = process < self.engine.layout.n_processes.get(self.state) as usize;
        let room = &self.engine.layout.processes[process];
        (is_there && room.options[room.tag.get(self.state) as usize].template == template)
            .then(|| room.location.get(self.state))
    }

    /// Returns the value of an expression, or `Some(None)` if its evaluation
    /// fails; `None` if the process does not exist.
    fn value(&mut self, value: &Value) -> Option<Option<i32>> {
        if let Some(instance) = value.instance {
            self.location(instance)?;
        }
        let result = self.machine.value(self.engine, &value.piece, self.state);
        Some(match self.machine.cause.take() {
            Some(_) => None,
            None => Some(result),
        })
    }

    fn messages(&mut self, channel: &ChannelOption, test: &Messages) -> Option<bool> {
        let length = channel.length.get(self.state) as usize;
        Some(match test {
            Messages::Empty => length == 0,
            Messages::NotEmpty => length > 0,
            Messages::Full => length == channel.capacity,
            Messages::NotFull => length < channel.capacity,
            Messages::Contains(wanted) => {
                let wanted = self.wanted(wanted)?;
                (0..length).any(|it| self.matches(channel, it, &wanted))
            }
            Messages::FirstMatches(wanted) => {
                let wanted = self.wanted(wanted)?;
                length == 0 || self.matches(channel, 0, &wanted)
            }
        })
    }

    fn wanted(&mut self, values: &[Option<Value>]) -> Option<Vec<Option<i32>>> {
        let value = |it: &Option<Value>| match it {
            Some(value) => self.value(value)?.map(Some),
            None => Some(None),
        };
        values.iter().map(value).collect()
    }

    fn matches(&self, channel: &ChannelOption, message: usize, wanted: &[Option<i32>]) -> bool {
        channel.has(message, |field| wanted.get(field).copied().flatten(), self.state)
    }
}
