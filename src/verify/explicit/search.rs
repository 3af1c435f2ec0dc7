//! Choice of the search algorithm by store and number of threads.

use super::{Job, Watcher};
use crate::diag::Diagnostic;
use crate::explicit::heuristics::{Refusal, refusal};
use crate::search::strategy::{Rule, Shorten};
use crate::search::{
    Omissions, SearchRun, Store, breadth_first, depth_first, explore, iterative_deepening, mixed,
    mixed_by_threads,
};
use crate::system::{Heuristic, TransitionSystem};

/// Store and threads of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchResources {
    /// How states are stored.
    pub store: Store,
    /// Number of threads, at least one.
    pub n_threads: usize,
}

impl Default for SearchResources {
    fn default() -> Self {
        Self { store: Store::Exact, n_threads: 1 }
    }
}

/// The result of a search.
pub(super) struct Searched {
    pub run: SearchRun,
    /// States that it may have missed.
    pub omissions: Option<Omissions>,
}

/// Searches the system whose views `view` creates; also returns the views that
/// were used.
/// `build` creates the heuristics that the strategy names.
pub(super) fn search<'h, S: TransitionSystem + Send>(
    job: &Job,
    view: impl Fn() -> S,
    build: impl FnMut(&str) -> Box<dyn Heuristic + 'h>,
    watch: Watcher,
) -> (Searched, Vec<S>) {
    let SearchResources { store, n_threads } = job.problem.resources;
    let limits = job.limits;
    if job.strategy.only_rule() == Some(&Rule::Mixed) {
        let mut views: Vec<S> = (0..n_threads).map(|_| view()).collect();
        let mut scout = view();
        let run = match &mut views[..] {
            [view] => mixed(view, Some(&mut scout), limits, watch),
            _ => {
                let (run, used) = mixed_by_threads(views, &mut scout, limits, watch);
                views = used;
                run
            }
        };
        views.push(scout);
        return (Searched { run, omissions: None }, views);
    }
    if n_threads > 1 {
        let views = (0..n_threads).map(|_| view()).collect();
        let mut layered = breadth_first(views, limits, watch);
        let views = std::mem::take(&mut layered.systems);
        return (Searched { run: layered.into(), omissions: None }, views);
    }
    let (mut view, mut build) = (view(), build);
    if let Some(Rule::Deepening { heuristic, memory }) = job.strategy.only_rule() {
        let mut heuristic = build(heuristic);
        let deepened = iterative_deepening(&mut view, &mut *heuristic, *memory, limits, watch);
        // A trail is no less a trail if states were missed.
        let omissions = deepened.omissions;
        return (Searched { omissions, run: deepened.into() }, vec![view]);
    }
    let is_descent = matches!(job.strategy.only_rule(), Some(Rule::Dfs { depth: None }));
    let searched = match store {
        Store::Exact if !is_descent => {
            let run = explore(&mut view, &job.strategy, build, limits, watch);
            Searched { run, omissions: None }
        }
        _ => {
            let shorten = match job.strategy.only_rule() {
                Some(Rule::Shorten(shorten)) => Some(*shorten),
                _ => None,
            };
            let descent = depth_first(&mut view, store, shorten, limits, watch);
            Searched { omissions: descent.omissions, run: descent.into() }
        }
    };
    (searched, vec![view])
}

impl Job<'_> {
    /// Rejects a strategy that cannot be combined with the store, the threads
    /// or the property.
    pub(super) fn expect_compatible(&self) -> Result<(), Diagnostic> {
        let SearchResources { store, n_threads } = self.problem.resources;
        let rule = self.strategy.only_rule();
        let fault = |message: &str, help: &str| {
            Err(Diagnostic::error_without_place("search-resources", message).with_help(help))
        };
        for name in self.strategy.rules().filter_map(Rule::heuristic) {
            if self.problem.asks_for_cycles() {
                let message =
                    format!("`{}` needs a search for infinite runs, which uses no heuristic", self.property);
                return fault(&message, "use `--strategy auto`, or check `--property safety` alone");
            }
            if let Some(Refusal { why, help }) = refusal(name, self.problem.network, &self.problem.goal()) {
                let message =
                    format!("the heuristic `{name}` cannot be used for `{}`: it {why}", self.property);
                return Err(Diagnostic::error_without_place("heuristic", message).with_help(help));
            }
        }
        if self.problem.asks_for_cycles() && self.strategy.depth_bound().is_some() {
            let message = format!(
                "`{}` needs a search for infinite runs, which cannot have a depth bound",
                self.property
            );
            return fault(&message, "use `--strategy dfs`, or check `--property safety` alone");
        }
        if store != Store::Exact {
            if self.problem.asks_for_cycles() {
                let message = format!(
                    "`{}` needs a search for infinite runs, which requires exact storage of states",
                    self.property
                );
                return fault(&message, "remove `--store`, or check `--property safety` alone");
            }
            if n_threads > 1 {
                return fault(
                    "a search with several threads requires exact storage of states",
                    "remove `--store` or `--threads`",
                );
            }
            match rule {
                Some(Rule::Dfs { depth: None } | Rule::Shorten(Shorten::Quick)) => {}
                Some(Rule::Shorten(Shorten::Exact)) => {
                    let message = "`shorten=exact` needs the length of the path to each state, which this store does not keep";
                    return fault(message, "use `--store exact` or `dfs(shorten=quick)`");
                }
                _ => {
                    let message = "this strategy expands states later, for which this store does not keep \
                                   enough of them";
                    return fault(message, "use `--strategy dfs`, which expands each state at once");
                }
            }
        }
        if n_threads > 1 && !matches!(rule, Some(Rule::Bfs | Rule::Mixed)) {
            return fault(
                "several threads can only search breadth first",
                "use `--strategy bfs`, or remove `--strategy` or `--threads`",
            );
        }
        Ok(())
    }
}
