//! `trapline.yaml`: which properties belong to a project.

use super::files::Texts;
use crate::diag::{Diagnostic, SourceId, Sources, Span};
use crate::lang::spec::Glob;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

/// The name of the file, looked for in the current directory.
const NAME: &str = "trapline.yaml";

/// What the file says.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Project {
    properties: OneOrMany,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

/// The property files that the project in `folder` names, in its order;
/// those of one pattern in alphabetical order.
pub(super) fn property_files(folder: &Path, texts: &mut Texts) -> Result<Vec<PathBuf>, Diagnostic> {
    let path = folder.join(NAME);
    if !path.exists() {
        let message = format!("no property files were given and there is no {NAME} here");
        let help = format!(
            "name a property file, or write `properties: [specs/*.yaml]` to {NAME} in this directory"
        );
        return Err(Diagnostic::error_without_place("project-missing", message).with_help(help));
    }
    let id = texts.read(&path, "project file")?;
    let patterns = parse(id, &texts.sources)?;
    let mut files = Vec::new();
    for pattern in patterns {
        let found = expand(folder, &pattern);
        if found.is_empty() {
            let message = format!("`{pattern}` matches no file");
            return Err(Diagnostic::error("project-no-match", place(id, &pattern, &texts.sources), message));
        }
        files.extend(found);
    }
    let mut seen = std::collections::HashSet::new();
    files.retain(|file| seen.insert(file.clone()));
    Ok(files)
}

fn parse(id: SourceId, sources: &Sources) -> Result<Vec<String>, Diagnostic> {
    let text = &sources.get(id).text;
    let project: Project = serde_saphyr::from_str(text).map_err(|error| {
        let location = error.location().map(|it| it.span());
        let start = location.and_then(|it| it.byte_offset()).map_or(0, |it| it as usize);
        let length = location.and_then(|it| it.byte_len()).map_or(1, |it| it as usize);
        let message = error.without_snippet().to_string();
        // The place is shown by the diagnostic.
        let message = message.split(" at line ").next().unwrap_or("this is not valid YAML");
        Diagnostic::error("project-syntax", Span::new(id, start..start + length), message).with_help(
            "the file has one key, `properties`: a path or a list of paths, in quotes if it starts with *",
        )
    })?;
    match project.properties {
        OneOrMany::One(pattern) => Ok(vec![pattern]),
        OneOrMany::Many(patterns) if patterns.is_empty() => {
            let message = "the list of properties is empty";
            Err(Diagnostic::error("project-empty", place(id, "properties", sources), message))
        }
        OneOrMany::Many(patterns) => Ok(patterns),
    }
}

/// The first place where the text stands in the file.
fn place(id: SourceId, text: &str, sources: &Sources) -> Span {
    let start = sources.get(id).text.find(text).unwrap_or(0);
    Span::new(id, start..start + text.len())
}

/// A plain path is kept even if nothing is there: reading it says why.
fn expand(folder: &Path, pattern: &str) -> Vec<PathBuf> {
    let start = if pattern.starts_with('/') { PathBuf::from("/") } else { folder.to_path_buf() };
    let mut found = vec![start];
    for part in pattern.split('/').filter(|part| !part.is_empty() && *part != ".") {
        found = match part.contains('*') {
            true => found.iter().flat_map(|folder| matching(folder, part)).collect(),
            false => found.into_iter().map(|folder| folder.join(part)).collect(),
        };
    }
    if pattern.contains('*') {
        // The project file itself is no property file.
        found.retain(|path| path.is_file() && *path != folder.join(NAME));
    }
    found
}

/// Entries of a folder; hidden ones only for a pattern that is hidden too.
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
            Err(diagnostic) => diagnostic.render(&texts.sources, false),
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
                error[project-syntax]: unknown field `property`, expected one of properties
                 --> trapline.yaml:1:1
                  |
                1 | property: a.yaml
                  | ^^^^^^^^
                  |
                  = help: the file has one key, `properties`: a path or a list of paths, in quotes if it starts with *"#]],
        );
        check(
            "empty",
            "properties: []\n",
            expect![[r#"
            error[project-empty]: the list of properties is empty
             --> trapline.yaml:1:1
              |
            1 | properties: []
              | ^^^^^^^^^^"#]],
        );
    }
}
