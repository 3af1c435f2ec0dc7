//! Files of named sets of constraints, and the replacement of sets by their
//! members in references.
//!
//! ```yaml
//! sets:
//!   in-order: [task:monitor, "task:server[*]"]
//!   everything: ["#in-order", "task:user[*]"]
//! ```

use super::constraint_ref::ConstraintRef;
use super::fields::{Mistakes, list_of};
use super::file::parse_name_of_set;
use super::yaml::{self, Spanned, Value};
use crate::diag::{Diagnostic, SourceId, Sources, Span, did_you_mean};
use crate::lang::library::Library;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// Maximum nesting depth of sets.
const MAX_NESTED: usize = 100;

/// The keys of a file of sets.
pub(super) const SETS_KEYS: &[&str] = &["description", "sets"];

/// Named sets of constraints.
#[derive(Clone, Debug)]
pub struct ConstraintSets {
    /// The sets in the order of the file; names are unique.
    pub sets: Vec<ConstraintSet>,
}

/// A set of constraints under a name.
#[derive(Clone, Debug)]
pub struct ConstraintSet {
    /// The name after `#` in a reference.
    pub name: Spanned<String>,
    /// The members as written; [`ConstraintRef::parse_member`] accepts them.
    pub members: Vec<Spanned<String>>,
}

/// A constraint after sets are replaced by their members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expanded {
    /// `task:t1`, `variable:w[*]`, and its span.
    Generated(ConstraintRef, Span),
    /// A constraint file that has been read.
    Context(SourceId),
}

/// Returns whether a file contains sets; false if it is not YAML.
fn holds_sets(source: SourceId, sources: &Sources) -> bool {
    let root = yaml::read(source, sources);
    let Ok(Value::Map(entries)) = root.map(|root| root.value) else { return false };
    entries.iter().any(|(key, _)| key.value == "sets")
}

/// Reads a file of sets.
pub fn parse_constraint_sets(source: SourceId, sources: &Sources) -> Result<ConstraintSets, Vec<Diagnostic>> {
    let root = yaml::read(source, sources).map_err(|mistake| vec![mistake])?;
    let mut mistakes = Mistakes::default();
    let sets = parse_sets(&root, &mut mistakes);
    mistakes.finish(sets)
}

fn parse_sets(root: &yaml::Node, mistakes: &mut Mistakes) -> Option<ConstraintSets> {
    let fields = mistakes.fields(root, "a file of sets", SETS_KEYS)?;
    if let Some(node) = fields.get("description") {
        mistakes.text(node, "`description`")?;
    }
    let entries = mistakes.map(fields.get("sets")?, "`sets`")?.entries();
    if entries.is_empty() {
        mistakes.error("spec-key", fields.span, "`sets` is empty");
    }
    let parse = |(name, node): &(Spanned<String>, yaml::Node)| {
        parse_name_of_set(name, mistakes);
        let members = mistakes.strings(node, &format!("the set `{}`", name.value))?;
        for member in &members {
            if let Err(mistake) = ConstraintRef::parse_member(&member.value, member.span) {
                mistakes.push(mistake);
            }
        }
        Some(ConstraintSet { name: name.clone(), members })
    };
    Some(ConstraintSets { sets: entries.iter().filter_map(parse).collect() })
}

/// Replaces sets by their members. `text` is at `span` in `file`, which need
/// not exist: it may be the command line.
pub fn expand(
    text: &str,
    span: Span,
    file: &Path,
    library: &mut impl Library,
) -> Result<Vec<Expanded>, Vec<Diagnostic>> {
    let reference = ConstraintRef::parse(text, span).map_err(|mistake| vec![mistake])?;
    let mut expansion = Expansion {
        library,
        open: Vec::new(),
        done: HashSet::new(),
        files: HashMap::new(),
        found: Vec::new(),
        known: HashSet::new(),
    };
    expansion.add(reference, span, file)?;
    Ok(expansion.found)
}

struct Expansion<'a, L> {
    library: &'a mut L,
    /// The sets being expanded, outermost first, to detect cycles.
    open: Vec<(PathBuf, String)>,
    /// The sets whose members have all been found. Expanding a set again could
    /// take exponential time.
    done: HashSet<(PathBuf, String)>,
    /// The files of sets that have been read.
    files: HashMap<SourceId, Rc<ConstraintSets>>,
    found: Vec<Expanded>,
    /// Keys of the constraints found, to skip duplicates.
    known: HashSet<String>,
}

impl<L: Library> Expansion<'_, L> {
    fn add(&mut self, reference: ConstraintRef, span: Span, file: &Path) -> Result<(), Vec<Diagnostic>> {
        match reference {
            ConstraintRef::File(path) => self.add_file(&path, span, file),
            ConstraintRef::Set { file: named, name } => {
                let path = match named.as_str() {
                    "" => file.to_path_buf(),
                    named => self.library.beside(file, named),
                };
                self.add_set(path, name, span)
            }
            generated => {
                self.push(Expanded::Generated(generated, span));
                Ok(())
            }
        }
    }

    fn add_file(&mut self, named: &str, span: Span, file: &Path) -> Result<(), Vec<Diagnostic>> {
        let path = self.library.beside(file, named);
        let source = self.read(&path, span)?;
        if holds_sets(source, self.library.sources()) {
            let sets = parse_constraint_sets(source, self.library.sources())?;
            let message = format!("`{named}` contains several sets of constraints");
            let names = sets.sets.iter().map(|set| format!("{named}#{}", set.name.value));
            return Err(vec![mistake(span, message).with_help(format!("choose one of {}", listed(names)))]);
        }
        self.push(Expanded::Context(source));
        Ok(())
    }

    fn add_set(&mut self, path: PathBuf, name: String, span: Span) -> Result<(), Vec<Diagnostic>> {
        let source = self.read(&path, span)?;
        if !holds_sets(source, self.library.sources()) {
            let shown = path.display();
            let message = format!("`{shown}` contains a single constraint and no set `#{name}`");
            let help = "remove `#` and the name to use the constraint; a file of sets has the key `sets`";
            return Err(vec![mistake(span, message).with_help(help)]);
        }
        let sets = match self.files.get(&source) {
            Some(known) => Rc::clone(known),
            None => {
                let sets = Rc::new(parse_constraint_sets(source, self.library.sources())?);
                self.files.insert(source, Rc::clone(&sets));
                sets
            }
        };
        let Some(set) = sets.sets.iter().find(|set| set.name.value == name) else {
            let names = || sets.sets.iter().map(|set| set.name.value.as_str());
            let help = did_you_mean(&name, names())
                .unwrap_or_else(|| format!("the sets of the file are {}", listed(names().map(String::from))));
            let message = format!("`{}` has no set `{name}`", path.display());
            return Err(vec![mistake(span, message).with_help(help)]);
        };
        let this = (path.clone(), name);
        if self.done.contains(&this) {
            return Ok(());
        }
        if self.open.contains(&this) {
            let message = format!("the set `{}` contains itself", this.1);
            let path = self.open.iter().chain([&this]).map(|(_, name)| format!("`{name}`"));
            let help = format!("the cycle is {}", path.collect::<Vec<_>>().join(" -> "));
            return Err(vec![mistake(span, message).with_help(help)]);
        }
        if self.open.len() == MAX_NESTED {
            let message = format!("sets are nested more than {MAX_NESTED} levels deep");
            return Err(vec![mistake(span, message)]);
        }
        self.open.push(this);
        for member in &set.members {
            let reference = ConstraintRef::parse_member(&member.value, member.span);
            self.add(reference.map_err(|mistake| vec![mistake])?, member.span, &path)?;
        }
        self.done.extend(self.open.pop());
        Ok(())
    }

    /// Adds a constraint, unless it was added before.
    fn push(&mut self, expanded: Expanded) {
        let key = match &expanded {
            Expanded::Generated(reference, _) => reference.to_string(),
            Expanded::Context(source) => format!("file {}", source.index()),
        };
        if self.known.insert(key) {
            self.found.push(expanded);
        }
    }

    fn read(&mut self, path: &Path, span: Span) -> Result<SourceId, Vec<Diagnostic>> {
        self.library.read(path, "constraint file").map_err(|mut fault| {
            fault.span = fault.span.or(Some(span));
            let help =
                "write a constraint as task:NAME, variable:NAME, the path of a constraint file or FILE#SET";
            vec![if fault.help.is_none() { fault.with_help(help) } else { fault }]
        })
    }
}

fn mistake(span: Span, message: String) -> Diagnostic {
    Diagnostic::error("spec-set", span, message)
}

/// Lists the first few names in backticks.
fn listed(names: impl Iterator<Item = String>) -> String {
    const MAX_LISTED: usize = 6;
    let names: Vec<String> = names.collect();
    let first: Vec<&str> = names.iter().take(MAX_LISTED).map(String::as_str).collect();
    match names.len() > MAX_LISTED {
        true => format!("{}, …", first.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
        false => list_of(&first),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::library::Texts;
    use expect_test::{Expect, expect};

    const FILES: &[(&str, &str)] = &[
        ("lib/loss.yaml", "{events: [loss], all: { pattern: absence, of: loss }}"),
        (
            "lib/ring.yaml",
            "sets:\n  order: [task:monitor, 'task:server[*]']\n  all: ['#order', 'task:user[*]', more.yaml#losses, task:monitor]\n  none: []\n",
        ),
        ("lib/more.yaml", "sets:\n  losses: [loss.yaml, 'variable:x']\n  back: ring.yaml#around\n"),
        ("lib/round.yaml", "sets:\n  a: '#b'\n  b: [task:t, round.yaml#c]\n  c: ['#b']\n"),
        ("lib/twice.yaml", include_str!("../../../tests/bounded/sets-twice.yaml")),
        ("lib/deep.yaml", include_str!("../../../tests/bounded/sets-deep.yaml")),
    ];

    #[track_caller]
    fn check(text: &str, expected: Expect) {
        let mut shelf = FILES.iter().fold(Texts::new(), |texts, (path, text)| texts.with(path, *text));
        let source = shelf.add("specs.yaml", text);
        let span = Span::new(source, 0..text.len());
        let shown: Vec<String> = match expand(text, span, Path::new("specs.yaml"), &mut shelf) {
            Ok(found) => found
                .iter()
                .map(|it| match it {
                    Expanded::Generated(reference, _) => reference.to_string(),
                    Expanded::Context(source) => shelf.sources().get(*source).name.clone(),
                })
                .collect(),
            Err(mistakes) => mistakes.iter().map(|it| it.render(shelf.sources(), false)).collect(),
        };
        expected.assert_eq(&shown.join("\n"));
    }

    #[test]
    fn sets_are_replaced_by_their_members() {
        check("task:t", expect!["task:t"]);
        check("lib/loss.yaml", expect!["lib/loss.yaml"]);
        check("lib/ring.yaml#none", expect![""]);
        check(
            "lib/ring.yaml#order",
            expect![[r#"
            task:monitor
            task:server[*]"#]],
        );
        check(
            "lib/ring.yaml#all",
            expect![[r#"
            task:monitor
            task:server[*]
            task:user[*]
            lib/loss.yaml
            variable:x"#]],
        );
    }

    /// Sixty sets, each of which names the previous one twice.
    #[test]
    fn a_set_that_is_named_again_is_not_replaced_again() {
        check("lib/twice.yaml#s59", expect!["task:t"]);
    }

    #[test]
    fn sets_are_not_nested_without_bound() {
        check(
            "lib/deep.yaml#s200",
            expect![[r##"
                error[spec-set]: sets are nested more than 100 levels deep
                   --> lib/deep.yaml:103:10
                    |
                103 |   s101: ["#s100"]
                    |          ^^^^^^^"##]],
        );
    }

    #[test]
    fn what_names_no_set_is_explained() {
        check(
            "lib/ring.yaml",
            expect![[r#"
            error[spec-set]: `lib/ring.yaml` contains several sets of constraints
             --> specs.yaml:1:1
              |
            1 | lib/ring.yaml
              | ^^^^^^^^^^^^^
              |
              = help: choose one of `lib/ring.yaml#order`, `lib/ring.yaml#all` and `lib/ring.yaml#none`"#]],
        );
        check(
            "lib/ring.yaml#ordre",
            expect![[r#"
            error[spec-set]: `lib/ring.yaml` has no set `ordre`
             --> specs.yaml:1:1
              |
            1 | lib/ring.yaml#ordre
              | ^^^^^^^^^^^^^^^^^^^
              |
              = help: did you mean `order`?"#]],
        );
        check(
            "lib/ring.yaml#quick",
            expect![[r#"
            error[spec-set]: `lib/ring.yaml` has no set `quick`
             --> specs.yaml:1:1
              |
            1 | lib/ring.yaml#quick
              | ^^^^^^^^^^^^^^^^^^^
              |
              = help: the sets of the file are `order`, `all` and `none`"#]],
        );
        check(
            "lib/loss.yaml#order",
            expect![[r#"
            error[spec-set]: `lib/loss.yaml` contains a single constraint and no set `#order`
             --> specs.yaml:1:1
              |
            1 | lib/loss.yaml#order
              | ^^^^^^^^^^^^^^^^^^^
              |
              = help: remove `#` and the name to use the constraint; a file of sets has the key `sets`"#]],
        );
        check(
            "lib/more.yaml#back",
            expect![[r#"
            error[spec-set]: `lib/ring.yaml` has no set `around`
             --> lib/more.yaml:3:9
              |
            3 |   back: ring.yaml#around
              |         ^^^^^^^^^^^^^^^^
              |
              = help: the sets of the file are `order`, `all` and `none`"#]],
        );
        check(
            "lib/round.yaml#a",
            expect![[r#"
            error[spec-set]: the set `b` contains itself
             --> lib/round.yaml:4:7
              |
            4 |   c: ['#b']
              |       ^^^^
              |
              = help: the cycle is `a` -> `b` -> `c` -> `b`"#]],
        );
        check(
            "lib/gone.yaml#a",
            expect![[r#"
                error[file-missing]: the constraint file `lib/gone.yaml` does not exist
                 --> specs.yaml:1:1
                  |
                1 | lib/gone.yaml#a
                  | ^^^^^^^^^^^^^^^
                  |
                  = help: did you mean `lib/more.yaml`?"#]],
        );
    }
}
