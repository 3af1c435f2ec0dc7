//! Every model that comes with SPIN is read without an error, unless it
//! embeds C or SPIN refuses it too.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use trapline::diag::{Diagnostic, Sources};
use trapline::lang::promela::{Reading, parse};

const EXAMPLES: &str = "/usr/share/doc/spin/examples";

/// Models that are no whole model, or that SPIN 6.5.2 refuses.
const REFUSED: &[&str] = &["Examples/LTL/patterns.pml"];

#[test]
fn models_that_come_with_spin_are_read() {
    if !Path::new(EXAMPLES).exists() {
        println!("skipped: {EXAMPLES} does not exist");
        return;
    }
    let mut wrong = Vec::new();
    let mut read = 0;
    for path in models(Path::new(EXAMPLES)) {
        let shown = path.strip_prefix(EXAMPLES).unwrap_or(&path).display().to_string();
        let errors = errors_of(&path);
        let embeds_c = errors.iter().any(|error| error.contains("[promela-embedded-c]"));
        let is_refused = REFUSED.contains(&shown.as_str());
        read += usize::from(errors.is_empty());
        if errors.is_empty() == is_refused && !embeds_c {
            wrong.push(format!("{shown}\n{}", errors.join("\n")));
        }
    }
    assert!(wrong.is_empty(), "{} models:\n{}", wrong.len(), wrong.join("\n\n"));
    assert!(0 < read, "there are models to read");
    println!("{read} models read");
}

fn models(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
            if path.is_dir() {
                folders.push(path);
            } else if [".pml", ".pml.gz", ".prom", ".prom.gz"].iter().any(|end| name.ends_with(end)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn text_of(path: &Path) -> Option<String> {
    let packed = path.extension() == Some("gz".as_ref());
    let bytes = match packed {
        true => Command::new("gzip").arg("-dc").arg(path).output().ok()?.stdout,
        false => fs::read(path).ok()?,
    };
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn errors_of(path: &Path) -> Vec<String> {
    let mut sources = Sources::default();
    let source = sources.add(path.display().to_string(), text_of(path).expect("a model is readable"));
    let folder = path.parent().expect("a model is in a folder").to_path_buf();
    let mut load = |name: &str, _| {
        let path = folder.join(name);
        let packed = folder.join(format!("{name}.gz"));
        let text = text_of(&path).or_else(|| text_of(&packed)).ok_or("no such file")?;
        Ok((path.display().to_string(), text))
    };
    let parsed = parse(source, &mut sources, &mut Reading { definitions: Vec::new(), load: &mut load });
    let errors = parsed.diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
    let errors: Vec<&Diagnostic> = errors.collect();
    assert_eq!(
        parsed.model.is_none(),
        !errors.is_empty(),
        "a model is refused if and only if it has an error"
    );
    errors.iter().map(|error| error.render(&sources, false)).collect()
}
