//! Jumps, most of which are not steps.

use super::{AtomicPosition, Builder, LocationId, Next, Origin};
use crate::lang::promela::tree::{LabelUse, Statement};
use crate::net::Action;

impl<'a> Builder<'a> {
    /// Lowers a jump. It is a step if it begins a block or leaves an atomic
    /// sequence, or if it has an end, progress or accept label.
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
        if statement.label_use != LabelUse::None && !is_marked {
            return self.jump_with_used_label(statement, target, is_last);
        }
        let leaves = self.context.atomic.is_some() && target.atomic_position != AtomicPosition::Inside;
        let mut place = target.at;
        if leaves || is_first && !is_marked {
            let keeps_control =
                self.context.atomic.is_some() && target.atomic_position != AtomicPosition::Outside;
            let is_labelled = !is_marked && !statement.labels.is_empty();
            place = self.add_statement_location(span);
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
            let keeps_control = self.context.atomic.is_some();
            place = self.add_statement_location(span);
            let origin = Origin::statement(span, number + 1, keeps_control);
            self.add(place, Action::Skip, to, Origin { is_labelled: true, ..origin });
        }
        place
    }

    /// Lowers a jump whose label is used: a step without effect, followed by the
    /// jump, which belongs to no atomic sequence and is a step if it leaves one.
    pub(super) fn jump_with_used_label(
        &mut self,
        statement: &Statement,
        target: Next,
        is_last: bool,
    ) -> LocationId {
        let Statement { span, .. } = *statement;
        let (number, jump_number) = match statement.label_use {
            LabelUse::InModel(jump_number) => (Some(statement.number), Some(jump_number)),
            LabelUse::None | LabelUse::InFormula => (None, None),
        };
        let keeps_control = self.context.atomic.is_some() && !is_last;
        let mut to = target.at;
        if keeps_control && target.atomic_position != AtomicPosition::Inside {
            let outer = std::mem::take(&mut self.context);
            to = self.add_statement_location(span);
            self.context = outer;
            let origin = Origin { is_jump: true, ..Origin::statement(span, jump_number, false) };
            self.add(to, Action::Skip, target.at, origin);
        }
        let place = self.add_statement_location(span);
        let origin = Origin { is_labelled: true, ..Origin::statement(span, number, keeps_control) };
        self.add(place, Action::Skip, to, Origin { has_used_label: true, ..origin });
        place
    }
}
