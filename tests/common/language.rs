//! Label sequences of an explored graph, seen through a set of relevant labels.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::interpret::Graph;

/// A deterministic automaton of the relevant labels; every state is the end of
/// some prefix of an execution.
#[derive(Clone, Debug)]
pub struct Deterministic {
    /// Per state: the state after each label. State 0 is the start.
    pub next: Vec<BTreeMap<String, usize>>,
    /// Per state: may all tasks have ended here?
    pub complete: Vec<bool>,
}

/// Which sequences of labels are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Those of executions in which all tasks end.
    Complete,
    /// Those of all executions, finished or not.
    Prefixes,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequences {
    pub words: BTreeSet<Vec<String>>,
    /// There are more of this length or shorter.
    pub capped: bool,
}

/// Which relevant label may come right after which.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Adjacency {
    pub first: BTreeSet<String>,
    pub pairs: BTreeSet<(String, String)>,
    /// Labels after which all tasks may end without another relevant label.
    pub last: BTreeSet<String>,
    /// All tasks may end without a relevant label.
    pub empty: bool,
}

/// The subset construction; labels that are not relevant are silent.
pub fn determinise(graph: &Graph, relevant: impl Fn(&str) -> bool) -> Deterministic {
    let steps = relevant_steps(graph, &relevant);
    let mut result = Deterministic { next: Vec::new(), complete: Vec::new() };
    let mut numbers: HashMap<BTreeSet<usize>, usize> = HashMap::new();
    let mut sets = Vec::new();
    let mut arrive = |set: BTreeSet<usize>, sets: &mut Vec<BTreeSet<usize>>| {
        *numbers.entry(set).or_insert_with_key(|set| {
            sets.push(set.clone());
            sets.len() - 1
        })
    };
    arrive(close(&steps, graph.initial.iter().copied()), &mut sets);
    while result.next.len() < sets.len() {
        let set = sets[result.next.len()].clone();
        let mut targets: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        for (label, to) in set.iter().flat_map(|state| &steps[*state]) {
            if let Some(label) = label {
                targets.entry(label).or_default().insert(*to);
            }
        }
        result.complete.push(set.iter().any(|state| graph.ended[*state]));
        let next = targets.into_iter();
        let next =
            next.map(|(label, to)| (label.to_owned(), arrive(close(&steps, to.into_iter()), &mut sets)));
        result.next.push(next.collect());
    }
    result
}

type Steps<'g> = Vec<Vec<(Option<&'g str>, usize)>>;

fn relevant_steps<'g>(graph: &'g Graph, relevant: &impl Fn(&str) -> bool) -> Steps<'g> {
    let mut steps = vec![Vec::new(); graph.n_states];
    for step in &graph.transitions {
        steps[step.from].push((step.label().filter(|label| relevant(label)), step.to));
    }
    steps
}

/// The states reached without a relevant label.
fn close(steps: &Steps, from: impl Iterator<Item = usize>) -> BTreeSet<usize> {
    let mut todo: Vec<usize> = from.collect();
    let mut closed: BTreeSet<usize> = todo.iter().copied().collect();
    while let Some(state) = todo.pop() {
        for (label, to) in &steps[state] {
            if label.is_none() && closed.insert(*to) {
                todo.push(*to);
            }
        }
    }
    closed
}

/// Every different sequence of at most `length` relevant labels, shortest
/// first until `cap` of them are found.
pub fn sequences(
    graph: &Graph,
    relevant: impl Fn(&str) -> bool,
    which: Which,
    length: usize,
    cap: usize,
) -> Sequences {
    determinise(graph, relevant).sequences(which, length, cap)
}

impl Deterministic {
    pub fn sequences(&self, which: Which, length: usize, cap: usize) -> Sequences {
        let mut result = Sequences { words: BTreeSet::new(), capped: false };
        let useful = self.useful(which);
        let mut layer = vec![(Vec::new(), 0)];
        layer.retain(|_| useful[0]);
        for round in 0..=length {
            let mut following = Vec::new();
            for (word, state) in layer {
                if which == Which::Prefixes || self.complete[state] {
                    result.words.insert(word.clone());
                }
                if round < length {
                    for (label, to) in self.next[state].iter().filter(|(_, to)| useful[**to]) {
                        let mut longer = word.clone();
                        longer.push(label.clone());
                        following.push((longer, *to));
                    }
                }
            }
            if result.words.len() + following.len() > cap {
                result.capped = true;
                break;
            }
            layer = following;
        }
        result
    }

    /// States from which a sequence of the kind asked for can be finished.
    fn useful(&self, which: Which) -> Vec<bool> {
        if which == Which::Prefixes {
            return vec![true; self.next.len()];
        }
        let mut useful = self.complete.clone();
        loop {
            let before = useful.clone();
            for state in 0..useful.len() {
                useful[state] = useful[state] || self.next[state].values().any(|to| useful[*to]);
            }
            if useful == before {
                return useful;
            }
        }
    }

    /// The state after a sequence, if some execution begins with it.
    pub fn run<'w>(&self, word: impl IntoIterator<Item = &'w str>) -> Option<usize> {
        let mut state = 0;
        for label in word {
            state = *self.next[state].get(label)?;
        }
        Some(state)
    }
}

/// The exact adjacencies of the relevant labels.
pub fn adjacency(graph: &Graph, relevant: impl Fn(&str) -> bool) -> Adjacency {
    let steps = relevant_steps(graph, &relevant);
    let mut result = Adjacency::default();
    let mut targets: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (label, to) in steps.iter().flatten() {
        if let Some(label) = label {
            targets.entry(label).or_default().insert(*to);
        }
    }
    let following = |closed: &BTreeSet<usize>| -> BTreeSet<String> {
        let labels = closed.iter().flat_map(|state| &steps[*state]);
        labels.filter_map(|(label, _)| label.map(str::to_owned)).collect()
    };
    let start = close(&steps, graph.initial.iter().copied());
    result.first = following(&start);
    result.empty = start.iter().any(|state| graph.ended[*state]);
    for (label, to) in targets {
        let closed = close(&steps, to.into_iter());
        if closed.iter().any(|state| graph.ended[*state]) {
            result.last.insert(label.to_owned());
        }
        result.pairs.extend(following(&closed).into_iter().map(|next| (label.to_owned(), next)));
    }
    result
}

/// Pairs of labels, both ways round, that some state offers to disjoint tasks:
/// they may happen in either order, or at the same time.
pub fn co_enabled(graph: &Graph) -> BTreeSet<(String, String)> {
    let mut pairs = BTreeSet::new();
    for state in 0..graph.n_states {
        for one in graph.out(state) {
            for other in graph.out(state) {
                if let (Some(a), Some(b)) = (one.label(), other.label())
                    && one.tasks.iter().all(|task| !other.tasks.contains(task))
                {
                    pairs.insert((a.to_string(), b.to_string()));
                }
            }
        }
    }
    pairs
}
