//! The project file `trapline.yaml` and the files it names.

use super::files::Texts;
use std::fs;
use std::path::{Path, PathBuf};
use trapline::diag::{Diagnostic, Severity};
use trapline::lang::spec::{Glob, PROJECT_FILE as NAME, parse_project};

/// Returns the folder of the project: the current folder, as an empty path, or
/// the nearest parent folder with the file.
pub(super) fn folder() -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    let is_project = |folder: &Path| folder.join(NAME).symlink_metadata().is_ok_and(|known| !known.is_dir());
    let n_up = here.ancestors().position(is_project).unwrap_or(0);
    std::iter::repeat_n("..", n_up).collect()
}

/// Returns a note about which project is used, unless it is in the current
/// folder.
pub(super) fn note(folder: &Path) -> Option<Diagnostic> {
    (!folder.as_os_str().is_empty()).then(|| {
        let message = format!("checking the properties of `{}`", folder.join(NAME).display());
        Diagnostic::new(Severity::Note, "project", None, message)
    })
}

/// Returns the property files of the project in `folder`, in order; those of
/// one pattern in alphabetical order.
pub(super) fn property_files(folder: &Path, texts: &mut Texts) -> Result<Vec<PathBuf>, Vec<Diagnostic>> {
    let path = folder.join(NAME);
    if path.symlink_metadata().is_err() {
        let message = format!("no files are given, and neither this folder nor a parent folder has a {NAME}");
        let help =
            format!("give a property file or a model, or create a {NAME} with `properties: [specs/*.yaml]`");
        return Err(vec![Diagnostic::error_without_place("project-missing", message).with_help(help)]);
    }
    let id = texts.read(&path, "project file").map_err(|fault| vec![fault])?;
    let mut files = Vec::new();
    for pattern in parse_project(id, &texts.sources)? {
        let Some(found) = expand(folder, &pattern.value) else {
            let message = format!("`{}` matches more than {MAX_FOUND} files or folders", pattern.value);
            return Err(vec![Diagnostic::error("project-limit", pattern.span, message)]);
        };
        if found.is_empty() {
            let message = format!("`{}` matches no file", pattern.value);
            return Err(vec![Diagnostic::error("project-no-match", pattern.span, message)]);
        }
        files.extend(found);
    }
    let mut seen = std::collections::HashSet::new();
    files.retain(|file| seen.insert(file.clone()));
    Ok(files)
}

/// Maximum number of files or folders that a prefix of a pattern may match.
const MAX_FOUND: usize = 10_000;

/// Expands a pattern. A plain path is kept even if it does not exist: reading
/// it reports the error. Returns `None` if there are too many files.
fn expand(folder: &Path, pattern: &str) -> Option<Vec<PathBuf>> {
    let start = if pattern.starts_with('/') { PathBuf::from("/") } else { folder.to_path_buf() };
    let mut found = vec![start];
    for part in pattern.split('/').filter(|part| !part.is_empty() && *part != ".") {
        found = match part.contains('*') {
            true => found.iter().flat_map(|folder| matching(folder, part)).take(MAX_FOUND + 1).collect(),
            false => found.into_iter().map(|folder| folder.join(part)).collect(),
        };
        if found.len() > MAX_FOUND {
            return None;
        }
    }
    if pattern.contains('*') {
        // The project file itself is not a property file.
        found.retain(|path| path.is_file() && *path != folder.join(NAME));
    }
    Some(found)
}

/// Returns the matching entries of a folder; hidden ones only for a hidden
/// pattern.
fn matching(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    let shown = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let Ok(entries) = fs::read_dir(shown) else { return Vec::new() };
    let names = entries.flatten().filter_map(|entry| entry.file_name().into_string().ok());
    let wanted = |name: &String| {
        Glob::new(pattern).matches(name) && (pattern.starts_with('.') || !name.starts_with('.'))
    };
    let mut names: Vec<String> = names.filter(wanted).collect();
    names.sort();
    names.into_iter().map(|name| folder.join(name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::folder::Folder;
    use expect_test::{Expect, expect};

    fn folder(name: &str, project: &str) -> Folder {
        let folder = Folder::new(&format!("project-{name}"));
        fs::create_dir_all(folder.join("specs/deep")).expect("the temporary folder is writable");
        for file in ["specs/b.yaml", "specs/a.yaml", "specs/.c.yaml", "specs/deep/d.yaml", "e.yaml"] {
            fs::write(folder.join(file), "").expect("the folder is writable");
        }
        fs::write(folder.join(NAME), project).expect("the folder is writable");
        folder
    }

    #[track_caller]
    fn check(name: &str, project: &str, expected: Expect) {
        let folder = folder(name, project);
        let mut texts = Texts::default();
        let shown = match property_files(&folder, &mut texts) {
            Ok(files) => files.iter().map(|file| file.display().to_string() + "\n").collect(),
            Err(faults) => {
                let shown: Vec<String> = faults.iter().map(|it| it.render(&texts.sources, false)).collect();
                shown.join("\n")
            }
        };
        expected.assert_eq(&shown.replace(&format!("{}/", folder.display()), ""));
    }

    #[test]
    fn patterns_are_expanded_in_order_and_without_duplicates() {
        check(
            "list",
            "properties: ['*.yaml', specs/*.yaml, specs/a.yaml, '*/deep/*']",
            expect![[r#"
            e.yaml
            specs/a.yaml
            specs/b.yaml
            specs/deep/d.yaml
        "#]],
        );
        check(
            "one",
            "properties: specs/a.yaml\n",
            expect![[r#"
            specs/a.yaml
        "#]],
        );
    }

    #[test]
    fn mistakes_are_shown_in_place() {
        check(
            "none",
            "properties:\n  - spec/*.yaml\n",
            expect![[r#"
            error[project-no-match]: `spec/*.yaml` matches no file
             --> trapline.yaml:2:5
              |
            2 |   - spec/*.yaml
              |     ^^^^^^^^^^^"#]],
        );
        check(
            "key",
            "property: a.yaml\n",
            expect![[r#"
                error[project-empty]: `trapline.yaml` needs the key `properties`
                 --> trapline.yaml:1:1
                  |
                1 | property: a.yaml
                  | ^
                  |
                  = help: the value of `properties` is a path or a list of paths; put a path that starts with * in quotes
                error[spec-key]: `trapline.yaml` has no key `property`
                 --> trapline.yaml:1:1
                  |
                1 | property: a.yaml
                  | ^^^^^^^^
                  |
                  = help: the possible keys are `schema_version` and `properties`"#]],
        );
        check(
            "empty",
            "properties: []\n",
            expect![[r#"
                error[project-empty]: the list of property files is empty
                 --> trapline.yaml:1:13
                  |
                1 | properties: []
                  |             ^^
                  |
                  = help: the value of `properties` is a path or a list of paths; put a path that starts with * in quotes"#]],
        );
    }

    #[test]
    fn what_has_the_wrong_type_is_said_in_the_words_of_the_file() {
        let projects = [
            ("map", "properties: { a: b }\n"),
            ("nested", "properties: [[a]]\n"),
            ("sequence", "- a.yaml\n"),
            ("nothing", ""),
            ("missing", "schema_version: 1\n"),
            ("blank", "properties: ['']\n"),
            ("version", "schema_version: 7\nproperties: e.yaml\n"),
            ("tag", "properties: !glob e.yaml\n"),
        ];
        let mut shown = String::new();
        for (name, project) in projects {
            let folder = folder(name, project);
            let mut texts = Texts::default();
            let faults = property_files(&folder, &mut texts).expect_err("the file is wrong");
            for line in faults.iter().map(|it| it.render(&texts.sources, false)) {
                shown += &line
                    .lines()
                    .filter(|it| it.contains("error") || it.contains('^') || it.contains("help"))
                    .map(|it| format!("{it}\n"))
                    .collect::<String>();
            }
        }
        expect![[r#"
            error[spec-value]: `properties` must be a string or a list of strings
              |             ^^^^^^^^ this is a map
              = help: the value of `properties` is a path or a list of paths; put a path that starts with * in quotes
            error[spec-value]: `properties` must be a string
              |              ^^^ this is a list
              = help: the value of `properties` is a path or a list of paths; put a path that starts with * in quotes
            error[spec-value]: `trapline.yaml` must be a map of keys and values
              | ^^^^^^^^ this is a list
              = help: the value of `properties` is a path or a list of paths; put a path that starts with * in quotes
            error[spec-value]: `trapline.yaml` must be a map of keys and values
              | ^ this is empty
              = help: the value of `properties` is a path or a list of paths; put a path that starts with * in quotes
            error[project-empty]: `trapline.yaml` needs the key `properties`
              | ^
              = help: the value of `properties` is a path or a list of paths; put a path that starts with * in quotes
            error[spec-name]: a path is empty
              |              ^^
              = help: write a name, or remove the key if it is optional
            error[spec-version]: this version of Trapline does not support `schema_version` 7
              |                 ^
              = help: write `schema_version: 1`, or remove the key
            error[spec-yaml]: the tag `!glob` is not supported
              |                   ^^^^^^
              = help: remove the tag, or put the text in quotes if it begins with `!`
        "#]].assert_eq(&shown);
    }
}
