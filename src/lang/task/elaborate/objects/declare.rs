//! Declarations of locks, semaphores and channels.

use super::{Object, ObjectKind, Objects};
use crate::diag::{Diagnostic, Span};
use crate::lang::task::ast::{Expr, ExprKind, Static, Type, TypeKind};
use crate::lang::task::elaborate::Elaborator;
use crate::lang::task::elaborate::values::{Binding, Ty};
use crate::lang::task::limits;
use crate::lang::task::program::TaskId;

/// Functions that create an object, each with its type.
const CONSTRUCTORS: [(&str, &str); 4] = [
    ("Lock::new", "Lock"),
    ("Semaphore::new", "Semaphore"),
    ("Semaphore::with_max", "Semaphore"),
    ("Channel::new", "Channel"),
];

/// The declared type of an object, without arrays.
#[derive(Clone, Copy)]
enum Class<'a> {
    Lock,
    Semaphore,
    Channel(&'a Type),
}

impl Class<'_> {
    fn name(self) -> &'static str {
        match self {
            Self::Lock => "Lock",
            Self::Semaphore => "Semaphore",
            Self::Channel(_) => "Channel",
        }
    }

    fn example(self) -> &'static str {
        match self {
            Self::Lock => "Lock::new()",
            Self::Semaphore => "Semaphore::new(2)",
            Self::Channel(_) => "Channel::new(2)",
        }
    }
}

impl<'a> Elaborator<'a> {
    /// Declares the objects of a `static`, if it declares objects.
    pub(in crate::lang::task::elaborate) fn shared_objects(&mut self, item: &'a Static) -> Option<Binding> {
        let class = self.class(&item.ty)?;
        let binding = self.declared(item, class);
        Some(binding.map_or(Binding::Broken, Binding::Objects))
    }

    fn class(&self, ty: &'a Type) -> Option<Class<'a>> {
        match &ty.kind {
            TypeKind::Array(of, _) => self.class(of),
            TypeKind::Channel(message) => Some(Class::Channel(message)),
            TypeKind::Named(name) if self.enums.contains_key(name.as_str()) => None,
            TypeKind::Named(name) if name == "Lock" => Some(Class::Lock),
            TypeKind::Named(name) if name == "Semaphore" => Some(Class::Semaphore),
            _ => None,
        }
    }

    fn declared(&mut self, item: &'a Static, class: Class<'a>) -> Option<Objects> {
        let mut lengths = Vec::new();
        let mut ty = &item.ty;
        while let TypeKind::Array(of, len) = &ty.kind {
            let count = self.constant_int(len)?;
            let Ok(count) = usize::try_from(count) else {
                self.error("task-range", len.span, format!("an array cannot have {count} elements"));
                return None;
            };
            lengths.push(count);
            ty = of;
        }
        let n_objects = lengths.iter().fold(1usize, |all, len| all.saturating_mul(*len));
        if self.objects.len().saturating_add(n_objects) > limits::TASKS {
            self.exceed(item.name.span, "locks, semaphores and channels", limits::TASKS);
            return None;
        }
        let message = match class {
            Class::Channel(ty) => Some(self.message_type(ty)?),
            _ => None,
        };
        let kinds = self.initial_objects(&item.initial, class, message.as_ref(), &lengths)?;
        let first = self.objects.len();
        let names = element_names(&item.name.text, &lengths);
        for (name, kind) in names.into_iter().zip(kinds) {
            self.objects.push(Object { name, kind, task: TaskId::default(), span: item.name.span });
        }
        Some(Objects { first, lengths })
    }

    fn message_type(&mut self, ty: &'a Type) -> Option<Ty> {
        let message = self.variable_type(ty)?;
        if matches!(message, Ty::Array(..)) {
            let diagnostic =
                Diagnostic::error("task-type", ty.span, "an array cannot be the message type of a channel")
                    .with_help("send the elements one by one");
            self.report(diagnostic);
            return None;
        }
        Some(message)
    }

    fn initial_objects(
        &mut self,
        value: &'a Expr,
        class: Class<'a>,
        message: Option<&Ty>,
        lengths: &[usize],
    ) -> Option<Vec<ObjectKind>> {
        let Some((wanted, rest)) = lengths.split_first() else {
            return self.initial_object(value, class, message).map(|kind| vec![kind]);
        };
        let (elements, found) = match &value.kind {
            ExprKind::Repeat(element, len) => {
                let found = self.constant_int(len)?;
                (std::slice::from_ref(&**element), usize::try_from(found).ok())
            }
            ExprKind::List(elements) => (&elements[..], Some(elements.len())),
            ExprKind::Error => return None,
            _ => (&[][..], None),
        };
        if found != Some(*wanted) {
            let message = format!("expected an array of {wanted} elements");
            let help = format!("write `[{}; {wanted}]`", class.example());
            self.report(Diagnostic::error("task-type", value.span, message).with_help(help));
            return None;
        }
        let mut all = Vec::new();
        for element in elements {
            all.extend(self.initial_objects(element, class, message, rest)?);
        }
        // One element that is repeated.
        if matches!(value.kind, ExprKind::Repeat(..)) {
            all = std::iter::repeat_n(all, *wanted).flatten().collect();
        }
        Some(all)
    }

    fn initial_object(
        &mut self,
        value: &'a Expr,
        class: Class<'a>,
        message: Option<&Ty>,
    ) -> Option<ObjectKind> {
        let ExprKind::Call { path, args } = &value.kind else { return self.no_object(value.span, class) };
        match (class, path.text.as_str(), &args[..]) {
            (Class::Lock, "Lock::new", []) => Some(ObjectKind::Lock),
            (Class::Semaphore, "Semaphore::new", [permits]) => {
                let initial = self.count(
                    permits,
                    1,
                    "this is also the maximum: use `Semaphore::with_max(0, 1)` to start without a permit",
                )?;
                Some(ObjectKind::Semaphore { initial, max: initial })
            }
            (Class::Semaphore, "Semaphore::with_max", [permits, max]) => {
                let initial = self.count(permits, 0, "")?;
                let max = self.count(
                    max,
                    initial.max(1),
                    "the maximum must be at least 1 and at least the initial number of permits",
                )?;
                Some(ObjectKind::Semaphore { initial, max })
            }
            (Class::Channel(_), "Channel::new", [capacity]) => {
                let help = "use `call!` and `accept!` to communicate without a buffer";
                let capacity = self.count(capacity, 1, help)?;
                Some(ObjectKind::Channel { ty: message?.clone(), capacity })
            }
            _ => self.no_object(value.span, class),
        }
    }

    fn no_object(&mut self, span: Span, class: Class<'a>) -> Option<ObjectKind> {
        let message = format!("expected a `{}`", class.name());
        let help = match class {
            Class::Semaphore => {
                "write `Semaphore::new(2)`, or `Semaphore::with_max(0, 2)` to start with no permit".into()
            }
            _ => format!("write `{}`", class.example()),
        };
        self.report(Diagnostic::error("task-type", span, message).with_help(help));
        None
    }

    /// Evaluates a constant number of permits or messages.
    fn count(&mut self, expr: &'a Expr, least: usize, help: &str) -> Option<usize> {
        let number = self.constant_int(expr)?;
        match usize::try_from(number) {
            Ok(count) if count as i64 >= limits::DOMAIN => {
                let message = format!("this must be less than {}", limits::DOMAIN);
                self.error("task-limit", expr.span, message);
                None
            }
            Ok(count) if count >= least => Some(count),
            _ => {
                let message = format!("this must be at least {least}, but is {number}");
                let help = (!help.is_empty()).then(|| help.to_string());
                self.report(Diagnostic::error("task-value", expr.span, message).with_optional_help(help));
                None
            }
        }
    }

    /// Reports an object that is created where none can be.
    pub(in crate::lang::task::elaborate) fn is_misplaced_object(&mut self, path: &str, span: Span) -> bool {
        let made = CONSTRUCTORS.iter().find(|(constructor, _)| *constructor == path);
        let Some((constructor, ty)) = made else { return false };
        let message = format!("a `{ty}` can only be declared outside functions");
        let help = match *ty {
            "Channel" => "write `static Q: Channel<bool> = Channel::new(2);`".to_string(),
            ty => format!("write `static M: {ty} = {constructor}(…);`"),
        };
        self.report(Diagnostic::error("task-type", span, message).with_help(help));
        true
    }
}

/// Returns `GRID[0][0]`, `GRID[0][1]`, …
fn element_names(name: &str, lengths: &[usize]) -> Vec<String> {
    let mut names = vec![name.to_string()];
    for len in lengths {
        names =
            names.iter().flat_map(|name| (0..*len).map(move |index| format!("{name}[{index}]"))).collect();
    }
    names
}
