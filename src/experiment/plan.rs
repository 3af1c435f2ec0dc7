//! The runs of a study, their order and the keys of their records.

use crate::verify::engine::{EXPLICIT, Engine, FLOW, ModelKind};

/// The plan of a study.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Name of the study.
    pub name: String,
    /// Description by the author.
    pub description: Option<String>,
    /// Version of the program, which is part of the keys.
    pub version: String,
    /// Options of `check`: `("timeout", "10m")`.
    pub options: Vec<(String, String)>,
    /// Labels and texts of the strategies; labels are unique.
    pub strategies: Vec<(String, String)>,
    /// Index of the strategy with which the others are compared.
    pub baseline: usize,
    /// The subjects; their names are unique.
    pub subjects: Vec<Subject>,
    /// Number of repetitions, at least one.
    pub repeat: u32,
    /// Subjects on which the baseline takes fewer seconds are omitted.
    pub at_least: f64,
}

/// A property of a model, checked with every strategy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The name in tables, which patterns match.
    pub name: String,
    /// The entry of the study that it comes from.
    pub entry: usize,
    /// Distinguishes it from other subjects of the same property.
    pub label: Option<String>,
    /// The name of the property file or model.
    pub system: String,
    /// The path of the property file or model.
    pub file: String,
    /// Whether the file is a model, checked as a whole.
    pub is_model: bool,
    /// Whether the property is about an order of events.
    pub is_order: bool,
    /// The language of the model.
    pub kind: ModelKind,
    /// The engine that checks it.
    pub engine: &'static Engine,
    /// The name of the property.
    pub property: String,
    /// Constants or macros that the study sets.
    pub settings: Vec<(String, String)>,
    /// The constant of which the study has several values.
    pub varied: Option<String>,
    /// The constraints, each by its name; files by their paths.
    pub constraints: Vec<String>,
    /// The constraint that the study leaves out.
    pub left_out: Option<String>,
    /// Fingerprint of the texts, which is part of the keys.
    pub inputs: String,
}

/// One run: indices into the lists of the plan, and the repetition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Run {
    /// Index of the subject.
    pub subject: usize,
    /// Index of the strategy.
    pub strategy: usize,
    /// The repetition, counted from one.
    pub repetition: u32,
}

impl Plan {
    /// Returns all runs. The baseline comes first, because it shows which
    /// subjects are too quick. Repetitions are the outermost loop and the
    /// strategies of a subject are adjacent, so that a study that ends early
    /// has compared as many subjects as possible with all strategies.
    pub fn runs(&self) -> Vec<Run> {
        let mut runs = Vec::new();
        for repetition in 1..=self.repeat {
            for subject in 0..self.subjects.len() {
                let others = (0..self.strategies.len()).filter(|it| *it != self.baseline);
                for strategy in std::iter::once(self.baseline).chain(others) {
                    runs.push(Run { subject, strategy, repetition });
                }
            }
        }
        runs
    }

    /// Returns the key that identifies this run. Labels are not part of it,
    /// since they may change.
    pub fn key(&self, run: Run) -> String {
        let subject = &self.subjects[run.subject];
        let options = self.options.iter().map(|(flag, value)| format!("{flag}={value}"));
        // A path depends on the current folder, its last part does not.
        let constraints = subject.constraints.iter().map(|it| match it.contains(':') {
            true => it.as_str(),
            false => it.rsplit(['/', '\\']).next().unwrap_or(it),
        });
        let parts = [
            format!("{}/{}", subject.system, subject.property),
            settings_text(&subject.settings),
            constraints.collect::<Vec<_>>().join(","),
            options.collect::<Vec<_>>().join(" "),
            self.strategies[run.strategy].1.clone(),
            format!("trapline {}", self.version),
            subject.inputs.clone(),
            run.repetition.to_string(),
        ];
        parts.join(" | ")
    }

    /// Returns the arguments of the program for this run, without those that do
    /// not apply to models.
    pub fn arguments(&self, run: Run) -> Vec<String> {
        let subject = &self.subjects[run.subject];
        let mut arguments = vec!["check".to_string(), subject.file.clone()];
        arguments.push(format!("--property={}", subject.property));
        let is_promela = subject.kind == ModelKind::Promela;
        let flag = if subject.is_model && is_promela { "define" } else { "set" };
        arguments.extend(subject.settings.iter().map(|(name, value)| format!("--{flag}={name}={value}")));
        if !subject.is_model {
            arguments.push("--no-default-constraints".to_string());
            arguments.extend(subject.constraints.iter().map(|it| format!("--constraint={it}")));
        }
        let is_used = |flag: &str| match flag {
            "engine" => !is_promela,
            "graph" | "adjacency" => subject.engine.name == FLOW.name,
            "reduction" => subject.engine.name == EXPLICIT.name,
            "executions" => subject.is_order,
            _ => true,
        };
        let options = self.options.iter().filter(|(flag, _)| is_used(flag));
        arguments.extend(options.map(|(flag, value)| format!("--{flag}={value}")));
        // A study measures the search that finds a counterexample.
        let alone = if subject.engine.name == FLOW.name { "--confirm=never" } else { "--no-shorten" };
        arguments.push(alone.to_string());
        arguments.push(format!("--strategy={}", self.strategies[run.strategy].1));
        arguments.push("--format=json".to_string());
        arguments
    }

    /// Returns the label of a run's strategy.
    pub fn label(&self, run: Run) -> &str {
        &self.strategies[run.strategy].0
    }

    /// Returns the unit of the counters of all subjects.
    pub fn units(&self) -> &'static str {
        let mut units = self.subjects.iter().map(|it| it.engine.units);
        let first = units.next().unwrap_or(FLOW.units);
        if units.all(|it| it == first) { first } else { "states or node-tuples" }
    }

    /// Returns the value of an option.
    pub fn option(&self, wanted: &str) -> Option<&str> {
        self.options.iter().find(|(flag, _)| flag == wanted).map(|(_, value)| value.as_str())
    }
}

impl Subject {
    /// Returns the value of a constant that the study sets, if it is a number.
    pub fn setting(&self, wanted: &str) -> Option<i64> {
        self.settings.iter().find(|(name, _)| name == wanted)?.1.parse().ok()
    }

    /// Returns a name such as `token-ring/in-order N=5 without task:monitor`,
    /// with a label in parentheses.
    pub fn standard_name(&self) -> String {
        let mut name = format!("{}/{}", self.system, self.property);
        if let Some(label) = &self.label {
            name = format!("{name} ({label})");
        }
        if !self.settings.is_empty() {
            name = format!("{name} {}", settings_text(&self.settings));
        }
        if let Some(left_out) = &self.left_out {
            name = format!("{name} without {left_out}");
        }
        name
    }
}

/// Removes duplicate subjects and numbers different ones of the same name.
pub fn with_unique_names(subjects: Vec<Subject>) -> Vec<Subject> {
    let mut kept: Vec<Subject> = Vec::new();
    for mut subject in subjects {
        let name = subject.name.clone();
        let mut number = 1;
        let same_name = |kept: &[Subject], name: &str| kept.iter().position(|it| it.name == name);
        let mut is_new = true;
        while let Some(at) = same_name(&kept, &subject.name) {
            let known = Subject { entry: subject.entry, ..kept[at].clone() };
            if known == subject {
                is_new = false;
                break;
            }
            number += 1;
            subject.name = format!("{name} #{number}");
        }
        if is_new {
            kept.push(subject);
        }
    }
    kept
}

/// Returns a fingerprint of texts (FNV-1a, 64 bits).
pub fn fingerprint<'a>(texts: impl IntoIterator<Item = &'a [u8]>) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut mix = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    for text in texts {
        text.iter().for_each(|byte| mix(*byte));
        // The end of each text is part of the fingerprint.
        mix(0xff);
    }
    format!("{hash:016x}")
}

/// Returns the settings as text: `N=5 M=2`.
pub fn settings_text(settings: &[(String, String)]) -> String {
    let shown: Vec<String> = settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
    shown.join(" ")
}

#[cfg(test)]
pub(crate) mod samples {
    use super::*;

    /// Returns a plan with the subjects `ring/p N=1`, `ring/p N=2`, … and these
    /// strategies.
    pub fn plan(strategies: &[&str], n_subjects: i64, repeat: u32) -> Plan {
        let subject = |size: i64| {
            let mut subject = Subject {
                name: String::new(),
                entry: 0,
                label: None,
                system: "ring".to_string(),
                file: "specs/ring.yaml".to_string(),
                is_model: false,
                is_order: true,
                kind: ModelKind::Task,
                engine: &FLOW,
                property: "p".to_string(),
                settings: vec![("N".to_string(), size.to_string())],
                varied: Some("N".to_string()),
                constraints: vec!["task:a".to_string(), "lib/b.yaml".to_string()],
                left_out: None,
                inputs: "0".to_string(),
            };
            subject.name = subject.standard_name();
            subject
        };
        Plan {
            name: "small".to_string(),
            description: None,
            version: "1".to_string(),
            options: vec![("timeout".to_string(), "10s".to_string())],
            strategies: strategies.iter().map(|it| (it.to_string(), format!("{it}()"))).collect(),
            baseline: 0,
            subjects: (1..=n_subjects).map(subject).collect(),
            repeat,
            at_least: 0.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verify::engine::EXPLICIT;

    #[test]
    fn strategies_of_a_subject_stand_together_and_repetitions_are_outermost() {
        let runs = samples::plan(&["a", "b"], 2, 2).runs();
        let shown: Vec<String> =
            runs.iter().map(|it| format!("{}{}{}", it.repetition, it.subject, it.strategy)).collect();
        assert_eq!(shown.join(" "), "100 101 110 111 200 201 210 211");
    }

    #[test]
    fn a_run_has_a_key_and_arguments() {
        let plan = samples::plan(&["a"], 1, 1);
        let run = plan.runs()[0];
        assert_eq!(plan.key(run), "ring/p | N=1 | task:a,b.yaml | timeout=10s | a() | trapline 1 | 0 | 1");
        assert_eq!(
            plan.arguments(run).join(" "),
            "check specs/ring.yaml --property=p --set=N=1 --no-default-constraints --constraint=task:a \
             --constraint=lib/b.yaml --timeout=10s --confirm=never --strategy=a() --format=json"
        );
    }

    #[test]
    fn a_model_is_run_without_what_only_property_files_can_use() {
        let mut plan = samples::plan(&["a"], 1, 1);
        plan.options.push(("graph".to_string(), "faithful".to_string()));
        let subject = &mut plan.subjects[0];
        subject.is_model = true;
        subject.is_order = false;
        (subject.kind, subject.engine) = (ModelKind::Promela, &EXPLICIT);
        subject.file = "ring.pml".to_string();
        subject.constraints.clear();
        assert_eq!(
            plan.arguments(plan.runs()[0]).join(" "),
            "check ring.pml --property=p --define=N=1 --timeout=10s --no-shorten --strategy=a() --format=json"
        );
    }

    #[test]
    fn options_are_handed_to_the_engines_that_use_them() {
        let mut plan = samples::plan(&["a"], 2, 1);
        plan.options = [("engine", "explicit"), ("graph", "faithful"), ("executions", "complete")]
            .map(|(flag, value)| (flag.to_string(), value.to_string()))
            .to_vec();
        assert_eq!(plan.units(), "node-tuples");
        plan.subjects[0].engine = &EXPLICIT;
        assert_eq!(plan.units(), "states or node-tuples");
        plan.subjects[0].constraints.clear();
        assert_eq!(
            plan.arguments(plan.runs()[0]).join(" "),
            "check specs/ring.yaml --property=p --set=N=1 --no-default-constraints --engine=explicit \
             --executions=complete --no-shorten --strategy=a() --format=json"
        );
    }

    #[test]
    fn equal_subjects_are_one_and_different_ones_have_different_names() {
        let one = samples::plan(&["a"], 1, 1).subjects.remove(0);
        let other = Subject { constraints: Vec::new(), ..one.clone() };
        let subjects = with_unique_names(vec![one.clone(), other.clone(), one, other]);
        let names: Vec<&str> = subjects.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["ring/p N=1", "ring/p N=1 #2"]);
    }

    #[test]
    fn fingerprints_see_where_a_text_ends() {
        let print = |texts: &[&str]| fingerprint(texts.iter().map(|it| it.as_bytes()));
        assert_ne!(print(&["ab", "c"]), print(&["a", "bc"]));
        assert_eq!(print(&["ab"]), print(&["ab"]));
    }
}
