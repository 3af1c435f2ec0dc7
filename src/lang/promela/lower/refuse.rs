//! Reports features that the engine does not support.

use crate::diag::{Diagnostic, Span};
use crate::lang::promela::tree::{BlockKind, Model, Sequence, Statement, StatementKind};
use crate::net::{Expr, ExprKind, Formula, Initial, MAX_INSTANCES, Network, Type, Uses, Variable};
use std::collections::HashSet;

/// Maximum number of variables and message fields of a state.
const MAX_CELLS: usize = 65_536;

/// Returns one diagnostic for every use of an unsupported feature.
pub(super) fn refuse(model: &Model, network: &Network) -> Result<Uses, Vec<Diagnostic>> {
    let mut finder = Finder::default();
    finder.initial(&model.globals);
    for proctype in &model.proctypes {
        finder.initial(&proctype.body.locals);
        if proctype.priority != 1 {
            finder.note_priority(proctype.span);
        }
        finder.sequence(&proctype.body.sequence);
        proctype.provided.iter().for_each(|it| finder.expr(it));
    }
    finder.processes(model);
    if finder.size(network) {
        finder.channels(network);
    }
    for claim in &model.claims {
        finder.initial(&claim.body.locals);
        finder.claim(&claim.body.sequence.statements);
        finder.sequence(&claim.body.sequence);
    }
    for trace in &model.traces {
        finder.trace(&trace.body.sequence.statements);
        finder.sequence(&trace.body.sequence);
    }
    if let [_, second, ..] = &model.traces[..] {
        finder.refuse("a second `trace` or `notrace`", second.span);
    }
    finder.rendezvous(network);
    match finder.found.is_empty() {
        true => Ok(finder.uses),
        false => Err(finder.found),
    }
}

/// Returns one diagnostic for every use of an unsupported feature in a formula.
pub(super) fn refuse_formula(network: &Network, formula: &Formula) -> Result<Uses, Vec<Diagnostic>> {
    let mut finder = Finder::default();
    formula.atoms().into_iter().for_each(|it| finder.expr(it));
    finder.rendezvous(network);
    match finder.found.is_empty() {
        true => Ok(finder.uses),
        false => Err(finder.found),
    }
}

/// Numbers of cells of the records. A record contains only records declared
/// before it, so one pass is enough, however often they are nested.
struct RecordSizes(Vec<usize>);

impl RecordSizes {
    fn of(network: &Network) -> Self {
        let mut sizes = Self(Vec::new());
        for record in &network.records {
            let cells =
                record.fields.iter().fold(0_usize, |sum, it| sum.saturating_add(sizes.of_variable(it)));
            sizes.0.push(cells);
        }
        sizes
    }

    fn of_variable(&self, variable: &Variable) -> usize {
        let cells = match variable.ty {
            Type::Record(record) => self.0.get(record.index()).copied().unwrap_or(1),
            _ => 1,
        };
        cells.saturating_mul(variable.length.unwrap_or(1) as usize)
    }
}

#[derive(Default)]
struct Finder {
    found: Vec<Diagnostic>,
    uses: Uses,
    /// First use of a priority or of `enabled`, which test whether processes
    /// can move.
    enabledness_test: Option<(&'static str, Span)>,
}

impl Finder {
    fn refuse(&mut self, what: &str, span: Span) {
        let message = format!("{what} is not supported yet");
        self.found.push(Diagnostic::error("promela-unsupported", span, message));
    }

    fn note_priority(&mut self, span: Span) {
        self.uses.priorities = true;
        self.enabledness_test.get_or_insert(("priorities", span));
    }

    /// Rejects such tests in a model with a rendezvous, where whether a process
    /// can move depends on other processes.
    fn rendezvous(&mut self, network: &Network) {
        if let Some((what, span)) = self.enabledness_test.filter(|_| network.has_rendezvous()) {
            let message = format!("{what} cannot be used together with rendezvous channels");
            let help = "SPIN does not define this combination; give the channels a buffer";
            self.found.push(Diagnostic::error("promela-unsupported", span, message).with_help(help));
        }
    }

    /// Rejects statements that are not supported in traces.
    fn trace(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Block(BlockKind::Plain | BlockKind::Loop, sequence) => {
                    self.trace(&sequence.statements);
                }
                StatementKind::Block(..) => self.refuse("a sequence in a trace", statement.span),
                StatementKind::Unless { .. } => self.refuse("`unless` in a trace", statement.span),
                StatementKind::If(choices) | StatementKind::Do(choices) => {
                    choices.iter().for_each(|it| self.trace(&it.statements));
                }
                StatementKind::Else => self.refuse("`else` in a trace", statement.span),
                _ => {}
            }
        }
    }

    /// Limits the number of processes: `_pid` is a byte.
    fn processes(&mut self, model: &Model) {
        let n_processes: usize = model.proctypes.iter().map(|it| it.active as usize).sum();
        if n_processes > MAX_INSTANCES {
            let message = format!("the model starts with {n_processes} active processes");
            let help = format!("the maximum is {MAX_INSTANCES} at a time, as in SPIN");
            let largest = model.proctypes.iter().max_by_key(|it| it.active).expect("there are proctypes");
            self.found.push(Diagnostic::error("promela-processes", largest.span, message).with_help(help));
        }
    }

    /// Limits the number of channels: a channel variable is a byte.
    fn channels(&mut self, network: &Network) {
        let n_channels = network.n_channels_at_start();
        if n_channels > MAX_INSTANCES {
            let message = format!("the model starts with {n_channels} channels");
            let help = format!("the maximum is {MAX_INSTANCES} at a time, as in SPIN");
            let (largest, _) =
                network.channel_variables().max_by_key(|(it, _)| it.length).expect("there are channels");
            self.found.push(Diagnostic::error("promela-channels", largest.span, message).with_help(help));
        }
    }

    /// Returns whether a state is small enough to be stored many times.
    fn size(&mut self, network: &Network) -> bool {
        let sizes = RecordSizes::of(network);
        let mut parts: Vec<(usize, Span)> = Vec::new();
        let mut add = |variables: &[Variable], times: u32| {
            let cells = |it| sizes.of_variable(it).saturating_mul(times as usize);
            parts.extend(variables.iter().map(|it| (cells(it), it.span)));
        };
        add(&network.globals, 1);
        network.templates.iter().for_each(|it| add(&it.locals, it.active.max(1)));
        let mut kinds = HashSet::new();
        for (variable, channel) in network.channel_variables() {
            if kinds.insert((channel.capacity, &channel.fields)) {
                let cells = (channel.capacity as usize).saturating_mul(channel.fields.len());
                parts.push((cells, variable.span));
            }
        }
        let n_cells = parts.iter().fold(0_usize, |sum, (cells, _)| sum.saturating_add(*cells));
        if n_cells > MAX_CELLS {
            let message = format!("a state of the model has {n_cells} variables and message fields");
            let help = format!("the maximum is {MAX_CELLS}; make arrays or channels smaller");
            let (_, largest) =
                parts.into_iter().max_by_key(|(cells, _)| *cells).expect("a large state has parts");
            let fault = Diagnostic::error("promela-size", largest, message).with_help(help);
            self.found.push(fault.with_label("this declaration has the most"));
        }
        n_cells <= MAX_CELLS
    }

    /// Rejects statements that are not supported in claims.
    fn claim(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.kind {
                StatementKind::Guard(Expr { kind: ExprKind::Run { .. }, .. })
                | StatementKind::Assign { value: Expr { kind: ExprKind::Run { .. }, .. }, .. } => {
                    self.refuse("`run` in a claim", statement.span);
                }
                StatementKind::Block(_, sequence) => self.claim(&sequence.statements),
                StatementKind::Unless { main, escape } => {
                    self.claim(std::slice::from_ref(main));
                    self.claim(std::slice::from_ref(escape));
                }
                StatementKind::If(choices) | StatementKind::Do(choices) => {
                    choices.iter().for_each(|it| self.claim(&it.statements));
                }
                _ => {}
            }
        }
    }

    fn sequence(&mut self, sequence: &Sequence) {
        sequence.statements.iter().for_each(|it| self.statement(it));
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::If(choices) | StatementKind::Do(choices) => {
                let statements = choices.iter().flat_map(|it| &it.statements);
                statements.for_each(|it| self.statement(it));
            }
            StatementKind::Block(_, sequence) => self.sequence(sequence),
            StatementKind::Unless { main, escape } => {
                self.statement(main);
                self.statement(escape);
            }
            StatementKind::SetPriority { .. } => self.note_priority(statement.span),
            _ => {}
        }
        let alone = match &statement.kind {
            StatementKind::Guard(expr) | StatementKind::Assign { value: expr, .. } => Some(expr),
            _ => None,
        };
        statement.each_expr(&mut |it| {
            if !alone.is_some_and(|alone| std::ptr::eq(alone, it)) {
                self.run_inside(it);
            }
            self.part(it);
        });
    }

    /// Rejects a `run` inside an expression.
    fn run_inside(&mut self, expr: &Expr) {
        if let ExprKind::Run { .. } = expr.kind {
            let message = "`run` is only allowed as a statement or on the right of `=`";
            let help = "store its result first: `x = run P(…)`";
            self.found.push(Diagnostic::error("promela-unsupported", expr.span, message).with_help(help));
        }
    }

    fn initial(&mut self, variables: &[Variable]) {
        for variable in variables {
            match &variable.initial {
                Initial::Value(expr) => self.expr(expr),
                Initial::List(values) => values.iter().for_each(|it| self.expr(it)),
                Initial::Zero | Initial::Channel(_) => {}
            }
        }
    }

    fn expr(&mut self, expr: &Expr) {
        expr.each(&mut |it| {
            self.run_inside(it);
            self.part(it);
        });
    }

    /// Checks an expression without its subexpressions.
    fn part(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Last => self.uses.last = true,
            ExprKind::NonProgress => self.uses.progress = true,
            ExprKind::Priority | ExprKind::GetPriority(_) => self.note_priority(expr.span),
            ExprKind::Enabled(_) => {
                self.enabledness_test.get_or_insert(("`enabled`", expr.span));
            }
            ExprKind::PcValue(_) => {
                let message = "`pc_value` is not supported";
                let help = "its value is a state number of SPIN; use a label and a remote reference instead";
                let diagnostic = Diagnostic::error("promela-unsupported", expr.span, message);
                self.found.push(diagnostic.with_help(help));
            }
            ExprKind::Run { priority: Some(priority), .. } if *priority != 1 => self.note_priority(expr.span),
            ExprKind::RemoteVariable { .. } => self.uses.remote_variables = true,
            _ => {}
        }
    }
}
