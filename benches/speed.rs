//! Speed and memory of large searches, and the time to build large graphs.
//!
//! `cargo bench --bench speed` prints a table. One instance runs per process
//! (the program calls itself), so that the peak of the resident memory is
//! that of the instance.

#[path = "../tests/library/shipped/mod.rs"]
mod shipped;

use shipped::{Case, by};
use std::process::Command;
use std::time::Instant;
use trapline::verify::flow::solve;

struct Instance {
    name: &'static str,
    spec: &'static str,
    property: &'static str,
    settings: &'static [(&'static str, i64)],
    constraints: &'static [&'static str],
}

const SEARCHES: &[Instance] = &[
    Instance {
        name: "gas station, 5 customers",
        spec: "gas-station",
        property: "activate-once-per-prepay",
        settings: &[("N", 5)],
        constraints: &["task:operator", "task:customer[*]", "variable:waiting[0]"],
    },
    Instance {
        name: "Peterson, 5 processes",
        spec: "peterson",
        property: "mutual-exclusion",
        settings: &[("N", 5)],
        constraints: &["task:*", "variable:*"],
    },
];

const BUILDS: &[Instance] = &[
    Instance {
        name: "token ring, 200 tasks",
        spec: "token-ring",
        property: "mutual-exclusion",
        settings: &[("N", 99)],
        constraints: &[],
    },
    Instance {
        name: "readers and writers, 200 tasks",
        spec: "readers-writers",
        property: "exclusive-writing",
        settings: &[("READERS", 100), ("WRITERS", 99)],
        constraints: &[],
    },
    Instance {
        name: "gas station, 200 tasks",
        spec: "gas-station",
        property: "pump-exclusive",
        settings: &[("N", 197)],
        constraints: &[],
    },
];

fn main() {
    let chosen = std::env::args().find_map(|argument| argument.strip_prefix("--instance=")?.parse().ok());
    match chosen {
        Some(index) => run(index),
        None => run_all(),
    }
}

fn run_all() {
    let program = std::env::current_exe().expect("a running program has a path");
    for index in 0..SEARCHES.len() + BUILDS.len() {
        let status = Command::new(&program).arg(format!("--instance={index}")).status();
        assert!(status.expect("the program can call itself").success());
    }
}

fn run(index: usize) {
    match SEARCHES.get(index) {
        Some(instance) => search(instance),
        None => build(&BUILDS[index - SEARCHES.len()]),
    }
}

fn search(instance: &Instance) {
    let case = Case::load(instance.spec, instance.property, instance.settings, instance.constraints);
    for strategy in ["bfs", "dfs", "propagate", "auto"] {
        let answer = solve(&case.problem(), &by(strategy), &mut |_| None);
        let (cost, seconds) = (answer.cost.counters, answer.cost.elapsed.as_secs_f64());
        println!(
            "{:26} {:9} {:?}: {} stored, {} generated in {seconds:.2} s: {:.2} M generated/s, \
             {:.1} bytes per stored node-tuple (peak resident {:.1})",
            instance.name,
            strategy,
            answer.verdict,
            cost.stored,
            cost.generated,
            cost.generated as f64 / seconds / 1e6,
            cost.bytes as f64 / cost.stored as f64,
            peak_resident_bytes().unwrap_or(0) as f64 / cost.stored as f64,
        );
    }
}

fn build(instance: &Instance) {
    let start = Instant::now();
    let case = Case::load(instance.spec, instance.property, instance.settings, instance.constraints);
    let loaded = start.elapsed();
    let answer = solve(&case.problem(), &by("bfs"), &mut |_| None);
    println!(
        "{:26} {:?}: front end {:.2} s, trace flow graph and search {:.2} s, {:?}",
        instance.name,
        answer.verdict,
        loaded.as_secs_f64(),
        (start.elapsed() - loaded).as_secs_f64(),
        answer.assembly.graph_size(),
    );
}

/// The most memory this process ever had, where the system tells.
fn peak_resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * 1024)
}
