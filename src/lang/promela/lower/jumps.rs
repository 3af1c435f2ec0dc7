//! Jumps: most of them are no steps.

use super::{Builder, LocationId, Next, Origin, Standing};
use crate::lang::promela::tree::{Asked, Statement};
use crate::net::Action;

impl<'a> Builder<'a> {
    /// A jump is a step where it begins a block or leaves an atomic sequence,
    /// and where a label makes it a place that means something.
    pub(super) fn jump(
        &mut self,
        statement: &Statement,
        target: Next,
        lands_on: Option<u32>,
        is_first: bool,
        is_last: bool,
    ) -> LocationId {
        let Statement { span, number, .. } = *statement;
        let is_marked = statement.is_marked(&self.body.labels);
        if statement.asked != Asked::Never && !is_marked {
            return self.asked_jump(statement, target, is_last);
        }
        let leaves = self.around.atomic.is_some() && target.standing != Standing::Inside;
        let mut place = target.at;
        if leaves || is_first && !is_marked {
            let keeps_control = self.around.atomic.is_some() && target.standing != Standing::Outside;
            let is_labelled = !is_marked && !statement.labels.is_empty();
            place = self.add_place(span);
            let origin = Origin {
                is_jump: true,
                is_labelled,
                lands_on: lands_on.filter(|_| leaves && !keeps_control && !is_last),
                ..Origin::statement(span, number, keeps_control)
            };
            self.add_jump(place, target.at, origin);
        }
        if is_marked {
            let to = place;
            let keeps_control = self.around.atomic.is_some();
            place = self.add_place(span);
            let origin = Origin::statement(span, number + 1, keeps_control);
            self.add(place, Action::Skip, to, Origin { is_labelled: true, ..origin });
        }
        place
    }

    /// What stands in the place of a jump whose label is asked for: a step, and
    /// behind it the jump, which belongs to no atomic sequence. It is a step
    /// where it leaves one.
    pub(super) fn asked_jump(&mut self, statement: &Statement, target: Next, is_last: bool) -> LocationId {
        let Statement { span, .. } = *statement;
        let (number, beyond) = match statement.asked {
            Asked::InText(beyond) => (Some(statement.number), Some(beyond)),
            Asked::Never | Asked::Elsewhere => (None, None),
        };
        let keeps_control = self.around.atomic.is_some() && !is_last;
        let mut to = target.at;
        if keeps_control && target.standing != Standing::Inside {
            let around = std::mem::take(&mut self.around);
            to = self.add_place(span);
            self.around = around;
            let origin = Origin { is_jump: true, ..Origin::statement(span, beyond, false) };
            self.add(to, Action::Skip, target.at, origin);
        }
        let place = self.add_place(span);
        let origin = Origin { is_labelled: true, ..Origin::statement(span, number, keeps_control) };
        self.add(place, Action::Skip, to, Origin { is_asked: true, ..origin });
        place
    }
}
