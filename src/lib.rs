//! Trapline verifies models of concurrent programs: that events come in a
//! certain order, that conditions hold in every state, that no task is stuck,
//! that a formula of temporal logic holds. If one does not, it finds a short
//! sequence of steps that shows why.
//!
//! The command line (`trapline check`) is one user of this library. This page
//! is a map for others.
//!
//! # Texts in, report out
//!
//! A [`Workspace`] reads models, properties and constraints from a [`Library`]
//! of texts and answers with [`Report`]s: the verdict, what it rests on, and a
//! counterexample as steps with places in the texts.
//!
//! ```
//! use trapline::{CheckOptions, EngineChoice, Setting, Texts, Verdict, Workspace};
//!
//! let model = "
//! const N: usize = 1;
//! static PERMITS: Semaphore = Semaphore::new(N);
//! #[task(id in 0..2)]
//! fn worker(id: usize) {
//!     PERMITS.acquire();
//!     event!(enter(id));
//!     event!(leave(id));
//!     PERMITS.release();
//! }
//! ";
//! let property = "
//! name: alone
//! model: workers.rs
//! events:
//!   enter: [enter(0), enter(1)]
//!   leave: [leave(0), leave(1)]
//! none: .* ; enter ; enter ; .*
//! ";
//! let texts = Texts::new().with("workers.rs", model).with("alone.yaml", property);
//! let mut workspace = Workspace::new(texts);
//!
//! // Two permits let both workers in, and the counterexample says how.
//! let two = CheckOptions {
//!     settings: vec![Setting::new("N", 2)],
//!     engine: EngineChoice::Explicit,
//!     ..CheckOptions::default()
//! };
//! let reports = workspace.check_file("alone.yaml", &two).expect("the texts are right");
//! assert_eq!(reports[0].verdict, Verdict::Violated);
//! let last = &reports[0].steps().last().expect("it has steps").1;
//! assert_eq!((reports[0].n_steps(), last.places().count()), (4, 1));
//!
//! // One permit does not.
//! let one = CheckOptions { engine: EngineChoice::Explicit, ..CheckOptions::default() };
//! let reports = workspace.check_file("alone.yaml", &one).expect("the texts are right");
//! assert_eq!(reports[0].verdict, Verdict::Holds);
//! ```
//!
//! [`Workspace::subjects`] and [`Workspace::check`] do the same for one
//! property at a time, with a function that sees the counters of the search and
//! can stop it. Errors in texts are [`Diagnostic`](diag::Diagnostic)s with
//! places; [`report::text`] and [`report::json`] render reports.
//!
//! # Search your own system
//!
//! [`search`] explores anything that implements
//! [`TransitionSystem`](system::TransitionSystem), with every strategy of the
//! [strategy language](search::strategy) and your own heuristics. Two jugs hold
//! 3 and 5 litres; how are 4 litres measured?
//!
//! ```
//! use trapline::search::{End, Limits, Strategy, explore};
//! use trapline::system::{Abort, Arrived, Heuristic, Step, Successors, TransitionSystem, Word};
//!
//! struct Jugs;
//!
//! impl TransitionSystem for Jugs {
//!     fn width(&self) -> usize {
//!         2
//!     }
//!
//!     fn initial(&self, state: &mut [Word]) {
//!         state.fill(0);
//!     }
//!
//!     fn successors(&mut self, state: &[Word], out: &mut Successors) -> Result<(), Abort> {
//!         let (small, large) = (state[0], state[1]);
//!         let to_large = small.min(5 - large);
//!         let to_small = large.min(3 - small);
//!         for next in [
//!             [3, large],
//!             [small, 5],
//!             [0, large],
//!             [small, 0],
//!             [small - to_large, large + to_large],
//!             [small + to_small, large - to_small],
//!         ] {
//!             out.branch(Step::PLAIN, state).copy_from_slice(&next);
//!         }
//!         Ok(())
//!     }
//!
//!     fn is_goal(&self, state: &[Word]) -> bool {
//!         state[1] == 4
//!     }
//! }
//!
//! /// At least one step is missing where the large jug does not hold 4 litres.
//! struct Missing;
//!
//! impl Heuristic for Missing {
//!     fn estimate(&mut self, arrived: &Arrived) -> Option<u32> {
//!         Some(u32::from(arrived.state[1] != 4))
//!     }
//! }
//!
//! for (strategy, n_steps) in [("bfs", 6), ("astar(missing)", 6)] {
//!     let strategy: Strategy = strategy.parse().expect("it is a strategy");
//!     let heuristic = |_: &str| Box::new(Missing) as Box<dyn Heuristic>;
//!     let run = explore(&mut Jugs, &strategy, heuristic, Limits::default(), &mut |_| None);
//!     let End::Found(goal) = run.end else { panic!("there is a solution") };
//!     assert_eq!(run.space.path(goal).len() - 1, n_steps);
//! }
//! ```
//!
//! # The rooms
//!
//! Each module of the crate is a room with one purpose, lowest first;
//! `ARCHITECTURE.md` says which may name which, and a test checks it.
//!
//! | room | what is there |
//! |---|---|
//! | [`base`] | ids, bits, seeded randomness, the stop flag; not a word of verification |
//! | [`diag`] | source texts, spans, diagnostics |
//! | [`automata`] | finite automata, patterns, temporal formulas, Büchi automata |
//! | [`system`] | the contract between engines and searches |
//! | [`net`] | networks of processes, which input languages are lowered to |
//! | [`analysis`] | what transitions of networks read and write, and which depend on each other |
//! | [`lang`] | front ends for task models, Promela, properties and constraints |
//! | [`flow`] | trace flow graphs and their product with automata |
//! | [`explicit`] | states of networks and their successors |
//! | [`search`] | visited sets, open lists, strategies, cycles |
//! | [`verify`] | questions, the engines that answer them, reports as data |
//! | [`experiment`] | studies that compare strategies |
//! | [`report`] | reports as text, JSON and pictures |

pub mod analysis;
pub mod automata;
pub mod base;
pub mod diag;
pub mod experiment;
pub mod explicit;
pub mod flow;
pub mod lang;
pub mod net;
pub mod refine;
pub mod report;
pub mod search;
pub mod system;
pub mod verify;

pub use lang::library::{Library, Texts};
pub use verify::workspace::{CheckOptions, EngineChoice, Setting, Subject, Workspace};
pub use verify::{Question, Report, Verdict};
