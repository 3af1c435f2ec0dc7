//! Conversion of a program to its outline.

use super::{
    Channel, Domain, Location, Mtype, Operation, Outline, Partner, Place, Process, Record, Transition,
    Variable, statement,
};
use crate::analysis;
use crate::analysis::footprint::{Footprint, Footprints, Resources};
use crate::base::cancel::checkpoint;
use crate::diag::{Sources, Span};
use crate::net::{self, Action, Expr, Initial, Network, TemplateId, TransitionId, Type, Visibility};

/// Returns the outline of the given proctypes of a program and of all that they
/// use.
pub fn outline(program: &Network, proctypes: &[TemplateId], sources: &Sources) -> Outline {
    let footprints = Footprints::new(program);
    let writer = Writer { program, model: program, footprints: &footprints, sources };
    let model = program;
    let mtype = |it: &net::MtypeSet| Mtype { name: it.name.clone(), names: it.names.clone() };
    let record = |it: &net::Record| Record {
        name: it.name.clone(),
        fields: writer.variables(&it.fields, 0),
        place: Place::new(it.span, sources),
    };
    Outline {
        mtypes: model.mtypes.iter().map(mtype).collect(),
        records: model.records.iter().map(record).collect(),
        globals: writer.variables(&model.globals, 0),
        channels: writer.channels(proctypes),
        processes: proctypes.iter().map(|&it| writer.process(it)).collect(),
    }
}

struct Writer<'a> {
    program: &'a Network,
    model: &'a Network,
    footprints: &'a Footprints,
    sources: &'a Sources,
}

impl Writer<'_> {
    fn text(&self, span: Span) -> String {
        self.sources.slice(span).split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn variables(&self, all: &[net::Variable], n_parameters: u32) -> Vec<Variable> {
        let variable = |(index, it): (usize, &net::Variable)| Variable {
            name: it.name.clone(),
            ty: self.type_name(it.ty),
            length: it.length,
            domain: it.ty.range().map(|(min, max)| Domain { min, max }),
            initial: self.initial(it),
            parameter: index < n_parameters as usize,
            hidden: it.visibility == Visibility::Hidden,
            place: Place::new(it.span, self.sources),
        };
        all.iter().enumerate().map(variable).collect()
    }

    fn initial(&self, variable: &net::Variable) -> Option<String> {
        let written = |expr: &Expr| self.text(expr.span);
        match (&variable.initial, variable.ty) {
            (Initial::Zero, Type::Record(_)) => None,
            (Initial::Zero, _) => Some("0".to_string()),
            (Initial::Value(expr), _) => Some(written(expr)),
            (Initial::List(values), _) => {
                Some(format!("{{{}}}", values.iter().map(written).collect::<Vec<_>>().join(", ")))
            }
            (Initial::Channel(made), _) => {
                let fields = self.field_types(made).join(", ");
                Some(format!("[{}] of {{{fields}}}", made.capacity))
            }
        }
    }

    fn field_types(&self, made: &net::ChannelType) -> Vec<String> {
        made.fields.iter().map(|&ty| self.type_name(ty)).collect()
    }

    fn type_name(&self, ty: Type) -> String {
        match ty {
            Type::Bit => "bit".to_string(),
            Type::Bool => "bool".to_string(),
            Type::Byte => "byte".to_string(),
            Type::Short => "short".to_string(),
            Type::Int => "int".to_string(),
            Type::Unsigned(bits) => format!("unsigned : {bits}"),
            Type::Pid => "pid".to_string(),
            Type::Chan => "chan".to_string(),
            Type::Mtype(set) => match &self.model.mtypes[set.index()].name {
                Some(name) => format!("mtype:{name}"),
                None => "mtype".to_string(),
            },
            Type::Record(record) => self.model.records[record.index()].name.clone(),
        }
    }

    fn channels(&self, proctypes: &[TemplateId]) -> Vec<Channel> {
        let mut all = Vec::new();
        self.add_channels(&self.model.globals, "", 1, &mut all);
        for proctype in proctypes {
            let proctype = &self.model.templates[proctype.index()];
            self.add_channels(&proctype.locals, &format!("{}:", proctype.name), 1, &mut all);
        }
        all
    }

    fn add_channels(&self, variables: &[net::Variable], prefix: &str, times: u64, all: &mut Vec<Channel>) {
        for variable in variables {
            let name = format!("{prefix}{}", variable.name);
            let count = times.saturating_mul(u64::from(variable.length.unwrap_or(1)));
            match (&variable.initial, variable.ty) {
                (Initial::Channel(made), _) => all.push(Channel {
                    variable: name,
                    count,
                    capacity: made.capacity,
                    fields: self.field_types(made),
                    place: Place::new(made.span, self.sources),
                }),
                (_, Type::Record(record)) => {
                    let fields = &self.model.records[record.index()].fields;
                    self.add_channels(fields, &format!("{name}."), count, all);
                }
                _ => {}
            }
        }
    }

    fn process(&self, id: TemplateId) -> Process {
        let proctype = &self.model.templates[id.index()];
        let graph = &self.program.templates[id.index()].graph;
        let mut listed: Vec<TransitionId> = graph.locations.iter().flat_map(|it| it.out.clone()).collect();
        listed.sort_unstable();
        listed.dedup();
        let location = |(index, it): (usize, &net::Location)| Location {
            id: index as u32,
            labels: it.labels.iter().map(|label| proctype.labels[label.index()].name.clone()).collect(),
            end: it.is_end,
            progress: it.is_progress,
            accept: it.is_accept,
            atomic: it.atomic,
            d_step: it.deterministic,
            escapes: it.escapes.iter().map(|escape| escape.0).collect(),
            transitions: it.out.iter().map(|id| id.0).collect(),
            place: Place::new(it.span, self.sources),
        };
        Process {
            name: proctype.name.clone(),
            active: proctype.active,
            priority: proctype.priority,
            provided: proctype.provided.as_ref().map(|it| self.text(it.span)),
            locals: self.variables(&proctype.locals, proctype.parameters),
            locations: graph.locations.iter().enumerate().map(location).collect(),
            transitions: listed.into_iter().map(|it| self.transition(id, it)).collect(),
            place: Place::new(proctype.span, self.sources),
        }
    }

    fn transition(&self, proctype: TemplateId, id: TransitionId) -> Transition {
        checkpoint();
        let transition = self.program.templates[proctype.index()].graph.transition(id);
        let footprint = self.footprints.of(proctype, id);
        let names =
            |all: &Resources| -> Vec<String> { all.iter().map(|it| it.name(self.model, proctype)).collect() };
        let text = statement(transition.span, self.sources);
        let (guard, effect) = self.parts(proctype, &transition.action, &text);
        let operation =
            |(channel, operation): &(analysis::channels::Channel, analysis::accesses::Operation)| Operation {
                channel: channel.name(self.model, proctype),
                operation: operation.name().to_string(),
            };
        Transition {
            id: id.0,
            to: (transition.action != Action::End).then_some(transition.to.0),
            d_step: match transition.action {
                Action::Deterministic(first) => Some(first.0),
                _ => None,
            },
            guard,
            effect,
            guard_reads: names(&footprint.guard),
            reads: names(&footprint.reads),
            writes: names(&footprint.writes),
            operations: footprint.operations.iter().map(operation).collect(),
            partner: partner(footprint, &names),
            may_fail: footprint.may_fail,
            keeps_control: transition.keeps_control,
            place: Place::new(transition.span, self.sources),
            statement: text,
        }
    }

    /// Returns guard and effect as written.
    fn parts(&self, proctype: TemplateId, action: &Action, text: &str) -> (Option<String>, Option<String>) {
        let text = || Some(text.to_string());
        match action {
            Action::Skip => (None, None),
            Action::Guard(Expr { kind: net::ExprKind::Run { .. }, .. }) => (None, text()),
            Action::Fail(..) => (text(), Some("error".to_string())),
            Action::Guard(_) | Action::Else | Action::Otherwise => (text(), None),
            Action::Assign(..) | Action::SetPriority(..) | Action::Assert(_) | Action::Print(_) => {
                (None, text())
            }
            Action::Send(_) | Action::Receive(_) => (text(), text()),
            Action::End => (Some("the youngest process".to_string()), Some("-end-".to_string())),
            Action::Deterministic(first) => {
                let graph = &self.program.templates[proctype.index()].graph;
                let first = graph.location(*first).out.iter().map(|&id| graph.transition(id));
                let guards: Option<Vec<String>> = first
                    .map(|it| self.parts(proctype, &it.action, &statement(it.span, self.sources)).0)
                    .collect();
                (guards.map(|it| it.join(" or ")), text())
            }
        }
    }
}

fn partner(footprint: &Footprint, names: &impl Fn(&Resources) -> Vec<String>) -> Option<Partner> {
    let found = &footprint.partner;
    let is_any = !found.reads.is_empty() || !found.writes.is_empty();
    is_any.then(|| Partner { reads: names(&found.reads), writes: names(&found.writes) })
}
