//! Which random models a comparison takes, and work on them with all cores.
//!
//! `TRAPLINE_SEED=n` repeats one model, `TRAPLINE_MODELS=n` takes another number
//! of them; with both, n models from that seed on.

use std::ops::Range;
use std::panic::{RefUnwindSafe, catch_unwind};

/// The seeds of the random models of one run.
#[derive(Clone, Debug)]
pub struct Share {
    pub seeds: Range<u64>,
    /// At least as many models as usual? Then counts of what was met are checked.
    pub is_whole: bool,
}

impl Share {
    /// The share that the environment asks for, or the usual number of models.
    pub fn of(n_usual: u64) -> Self {
        let number = |name: &str| std::env::var(name).ok().map(|it| it.parse::<u64>().expect("a number"));
        let (first, n_models) = match (number("TRAPLINE_SEED"), number("TRAPLINE_MODELS")) {
            (None, n_models) => (0, n_models.unwrap_or(n_usual)),
            (Some(seed), n_models) => (seed, n_models.unwrap_or(1)),
        };
        Self { seeds: first..first + n_models, is_whole: n_models >= n_usual }
    }

    /// Calls a function for every seed, on all cores; the results come in no
    /// certain order. A panic says how to repeat it: `test` is a filter of
    /// `cargo test`.
    pub fn in_parallel<R: Send>(&self, test: &str, work: impl Fn(u64) -> R + Sync + RefUnwindSafe) -> Vec<R> {
        in_parallel(self.seeds.clone().collect(), |&seed| {
            catch_unwind(|| work(seed)).unwrap_or_else(|_| {
                panic!("TRAPLINE_SEED={seed} cargo test --test library {test} repeats it")
            })
        })
    }
}

/// Spreads work over all cores; the results come in no certain order.
pub fn in_parallel<T: Sync, R: Send>(items: Vec<T>, work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let n_workers = std::thread::available_parallelism().map_or(1, usize::from);
    let (items, work) = (&items, &work);
    std::thread::scope(|scope| {
        let share =
            |worker: usize| items.iter().skip(worker).step_by(n_workers).map(work).collect::<Vec<R>>();
        let handles: Vec<_> = (0..n_workers).map(|worker| scope.spawn(move || share(worker))).collect();
        handles.into_iter().flat_map(|handle| handle.join().expect("nothing disagrees")).collect()
    })
}
