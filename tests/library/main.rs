//! Tests of the library: every engine and search against independent
//! references, and all examples.

#[path = "../common/mod.rs"]
mod common;
#[path = "../spin/generate/mod.rs"]
mod generate;
mod loading;
#[path = "../spin/read.rs"]
mod read;
mod searching;
mod shipped;
mod walking;

mod adjacency;
mod atomic;
mod bad_specs;
mod bad_tasks;
mod calibration;
mod confirming;
mod conservative;
mod dependence;
mod directed_models;
mod exact_assumptions;
mod exact_engine;
mod exact_sizes;
mod exact_tasks;
mod examples;
mod improved;
mod layers;
mod model_heuristics;
mod oracle_exact;
mod oracle_self;
mod panics;
mod promela_corpus;
mod promela_fuzz;
mod proposals;
mod reduction;
mod refinement;
mod restarts;
mod seeded_faults;
mod stores;
mod strategies;
mod task_formulas;
mod task_networks;
mod task_reports;
mod task_trails;
mod toy_network;
mod workspace;
