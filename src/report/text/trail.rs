//! A counterexample with one lane per task, in the style of `git log --graph`.

use super::measure::{count, cut, number, pad, width};
use super::{Paint, Writer};
use crate::diag::{Sources, Span, visible};
use crate::report::constraint_arguments;
use crate::verify::report::{Counterexample, NamedProposal, Proposal, Proposals};
use crate::verify::trail::{Action, Change, EdgeKind, Place, Step};

/// Maximum number of lanes that leave room for the text.
const MAX_LANES: usize = 14;

/// Maximum number of proposals in the text.
const SHOWN_PROPOSALS: usize = 5;

const ASSUMPTIONS: &str = "Assumptions that would reject it, not checked:";

/// Maximum width of the column of names.
const WIDEST_NAME: usize = 28;

impl Writer<'_> {
    /// Writes a counterexample of the flow engine.
    pub(super) fn counterexample(&mut self, found: &Counterexample, sources: &Sources) {
        let n_shown = if self.style.full { None } else { found.prefix };
        let steps = found.trail.steps.iter().map(|(_, step)| step);
        let shown: Vec<&Step> = steps.take(n_shown.unwrap_or(usize::MAX)).collect();
        let shown = &shown[..];
        self.headline(found);
        self.lanes(found, shown.len(), sources, found.prefix);
        self.ending(found, shown.len());
        self.rejecting(found, "This path may not be an execution. Constraints that reject it:");
    }

    /// Writes the first steps with one lane per task, and marks the step after
    /// which every continuation violates the property.
    pub(super) fn lanes(
        &mut self,
        found: &Counterexample,
        n_shown: usize,
        sources: &Sources,
        violation: Option<usize>,
    ) {
        let shown: Vec<&Step> = found.trail.steps.iter().take(n_shown).map(|(_, step)| step).collect();
        if shown.is_empty() {
            return;
        }
        let legend = "↓ same task   ⇢ another task   ◀ event of the property";
        self.line(self.paint.dim(format!("  {legend}")));
        self.line("");
        let table = Table::new(&shown, self.paint, self.style.columns);
        self.lane_names(&table);
        for (position, step) in shown.iter().enumerate() {
            self.step(&table, position + 1, step, sources);
            if violation == Some(position + 1) {
                self.line(self.paint.bad("  ▲ violated here by every continuation"));
            }
        }
    }

    fn headline(&mut self, trail: &Counterexample) {
        let length = count(trail.length() as u64, "step");
        let what = match trail.prefix {
            Some(prefix) if prefix < trail.length() => {
                format!("VIOLATED after {}, by an execution of {length}.", count(prefix as u64, "step"))
            }
            Some(_) => format!("VIOLATED after {length}."),
            None => {
                format!("VIOLATED by an execution of {length} that ends before the property is satisfied.")
            }
        };
        self.line(self.paint.bad(what));
    }

    fn lane_names(&mut self, table: &Table) {
        for (position, task) in table.lanes.iter().enumerate() {
            let mut line = " ".repeat(table.lane_column());
            for earlier in 0..position {
                line += &self.paint.lane(earlier, "│ ");
            }
            line += &self.paint.lane(position, format!("┌ {task}"));
            self.line(line);
        }
    }

    fn step(&mut self, table: &Table, number: usize, step: &Step, sources: &Sources) {
        self.line(table.first_line(number, step));
        let beside = format!("{}{}    ", " ".repeat(table.lane_column()), table.idle_lanes());
        let room = self
            .style
            .columns
            .saturating_sub(table.text_column() + 2)
            .max(if self.style.is_narrow() { 20 } else { 30 });
        let is_shared = step.places().count() > 1;
        for actor in &step.actors {
            let Some(place) = &actor.place else { continue };
            let who = is_shared.then_some(actor.name.as_str());
            for line in place_lines(place, who, sources, room) {
                self.line(format!("{beside}{}", self.paint.dim(line)));
            }
        }
        for change in &step.changes {
            self.line(format!("{beside}{}", self.change(change)));
        }
    }

    fn change(&self, change: &Change) -> String {
        let from = change.from.as_deref().unwrap_or_default();
        let text = format!("{}: {from} → {}", change.name, change.to);
        match (change.name.as_str(), change.to.as_str()) {
            ("property", "trap") => self.paint.bad(text),
            ("property", _) => self.paint.event(text),
            _ => text,
        }
    }

    fn ending(&mut self, trail: &Counterexample, shown: usize) {
        let rest = trail.length() - shown;
        if rest > 0 {
            let advice =
                if shown < trail.trail.steps.len() { "; --full shows them" } else { ", too many to show" };
            let rest = count(rest as u64, "more step");
            self.line(self.paint.dim(format!("  … {rest} to the end of the execution{advice}")));
        } else if trail.prefix.is_none() {
            self.line(self.paint.bad("  ▲ the execution ends here and the property is not satisfied"));
        }
        self.line("");
    }

    /// Writes the constraints that reject the counterexample: a path of the
    /// graph need not be an execution.
    pub(super) fn rejecting(&mut self, found: &Counterexample, title: &str) {
        let (Some(proposals), n_steps) = (&found.proposals, found.length()) else { return };
        let Proposals { rejecting, sets, assumptions, is_complete, .. } = proposals;
        if rejecting.is_empty() {
            self.line(match is_complete {
                true => "No task and no variable of the model, added as a constraint, rejects this path.",
                false => "No constraint that was tested rejects this path; not all of them were tested.",
            });
        } else {
            self.line(title);
            let facts: Vec<_> = rejecting.iter().map(|it| (constraint_arguments(it.names()), it)).collect();
            self.group(&facts, n_steps);
        }
        self.named("Sets of constraints that reject it:", sets, n_steps);
        self.named(ASSUMPTIONS, assumptions, n_steps);
        self.line("");
    }

    /// Writes the assumptions that reject a counterexample.
    pub(super) fn assumptions_that_reject(&mut self, proposals: &Proposals, n_steps: usize) {
        if !proposals.assumptions.is_empty() {
            self.named(ASSUMPTIONS, &proposals.assumptions, n_steps);
            self.line("");
        }
    }

    /// Writes constraint files or sets that reject a counterexample, if there are any.
    fn named(&mut self, title: &str, named: &[NamedProposal], n_steps: usize) {
        if !named.is_empty() {
            self.line(title);
            let typed = |it: &NamedProposal| constraint_arguments([&it.name]);
            let named: Vec<_> = named.iter().map(|it| (typed(it), &it.proposal)).collect();
            self.group(&named, n_steps);
        }
    }

    /// Writes arguments of the command line and what they do.
    fn group(&mut self, proposals: &[(String, &Proposal)], n_steps: usize) {
        let shown = &proposals[..proposals.len().min(SHOWN_PROPOSALS)];
        let widest = shown.iter().map(|(typed, _)| width(typed)).max().unwrap_or(0).min(60);
        for (typed, proposal) in shown {
            let effect = proposal_effect(proposal, n_steps);
            let typed = pad(&visible(typed), widest);
            self.line(format!("  {typed}  {}", self.paint.dim(effect)));
        }
        if proposals.len() > shown.len() {
            let more = proposals.len() - shown.len();
            self.line(self.paint.dim(format!("  … {more} more in the JSON report")));
        }
    }
}

/// Returns the step of a counterexample that a proposal rejects, and its cost.
pub fn proposal_effect(proposal: &Proposal, n_steps: usize) -> String {
    let step = match proposal.step {
        step if step > n_steps => "at the end".to_string(),
        step => format!("at step {step}"),
    };
    format!("{step}, at most {} times the node-tuples", number(proposal.n_states() as u64))
}

/// The columns of the shown steps.
struct Table<'a> {
    lanes: Vec<&'a str>,
    number_width: usize,
    tasks_width: usize,
    label_width: usize,
    paint: Paint,
}

impl<'a> Table<'a> {
    fn new(steps: &[&'a Step], paint: Paint, columns: usize) -> Self {
        let mut lanes: Vec<&str> = Vec::new();
        for task in steps.iter().flat_map(|step| &step.actors) {
            if !lanes.contains(&task.name.as_str()) {
                lanes.push(&task.name);
            }
        }
        if lanes.len() > MAX_LANES {
            lanes.clear();
        }
        let widest = |texts: &mut dyn Iterator<Item = String>| {
            texts.map(|text| width(&text)).max().unwrap_or(0).min(WIDEST_NAME.min(columns / 3))
        };
        Self {
            number_width: steps.len().to_string().len().max(2),
            tasks_width: widest(&mut steps.iter().map(|it| tasks(it))),
            label_width: widest(&mut steps.iter().map(|it| label(it))),
            lanes,
            paint,
        }
    }

    fn lane_column(&self) -> usize {
        self.number_width + 5
    }

    fn text_column(&self) -> usize {
        self.lane_column() + 2 * self.lanes.len() + 2
    }

    fn first_line(&self, number: usize, step: &Step) -> String {
        let paint = self.paint;
        let edge = match step.edge {
            Some(EdgeKind::Start) | None => " ",
            Some(EdgeKind::Control) => "↓",
            Some(EdgeKind::Parallel) => "⇢",
        };
        let number = paint.dim(format!("{number:>0$}", self.number_width + 2));
        let tasks = pad(&tasks(step), self.tasks_width);
        let label = pad(&label(step), self.label_width);
        let (label, event) = match &step.event {
            Some(event) => (paint.bold(label), paint.event(format!("◀ {event}"))),
            None => (label, String::new()),
        };
        format!("{number} {edge} {}  {tasks}  {label}  {event}", self.busy_lanes(step))
    }

    fn idle_lanes(&self) -> String {
        (0..self.lanes.len()).map(|lane| self.paint.lane(lane, "│ ")).collect()
    }

    /// Returns the lanes with a dot for each task that moves and a line between
    /// them.
    fn busy_lanes(&self, step: &Step) -> String {
        let acts = |lane: &usize| step.actors.iter().any(|it| it.name == self.lanes[*lane]);
        let busy: Vec<usize> = (0..self.lanes.len()).filter(acts).collect();
        let (Some(&first), Some(&last)) = (busy.first(), busy.last()) else { return self.idle_lanes() };
        let mut shown = String::new();
        for lane in 0..self.lanes.len() {
            let between = first <= lane && lane < last;
            let glyph = match (busy.contains(&lane), between && lane > first) {
                (true, _) => "●",
                (false, true) => "┼",
                (false, false) => "│",
            };
            shown += &self.paint.lane(lane, glyph);
            shown += if between { "─" } else { " " };
        }
        shown
    }
}

fn tasks(step: &Step) -> String {
    step.actors.iter().map(|it| it.name.as_str()).collect::<Vec<_>>().join(" → ")
}

fn label(step: &Step) -> String {
    match &step.action {
        Action::Label(label) => label.clone(),
        Action::Statement | Action::End => "ends".to_string(),
    }
}

/// Returns lines such as `model.rs:12  x = 1;`, then the calls through which it
/// was reached.
fn place_lines(place: &Place, who: Option<&str>, sources: &Sources, room: usize) -> Vec<String> {
    let who = who.map_or(String::new(), |task| format!("{task} at "));
    let at = format!("{who}{}", at(place.span, sources));
    let source = visible(sources.line(place.span));
    let source = source.as_ref();
    let mut lines = vec![if width(&at) + 2 + width(source) <= room {
        format!("{at}  {source}")
    } else {
        format!("{at}  {}", cut(source, room.saturating_sub(width(&at) + 2).max(20)))
    }];
    for (function, call) in place.stack.iter().rev() {
        lines.push(format!("  in {function}, called at {}", self::at(*call, sources)));
    }
    lines
}

fn at(span: Span, sources: &Sources) -> String {
    format!("{}:{}", visible(&sources.get(span.source).name), sources.position(span).line)
}
