//! `trapline simulate`, as a user runs it.

use expect_test::{Expect, expect};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

const MODEL: &str = "\
mtype = { ping, pong };
chan c = [1] of { mtype, byte };
byte sum;
active proctype A() {
  byte i;
  do
  :: i < 2 -> c!ping,i; i++; printf(\"%e %d\\n\", ping, i)
  :: i == 2 -> break
  od
}
active proctype B() {
  byte n;
  end: do
  :: c?ping(n) -> d_step { sum = sum + n; printf(\"sum %d\\n\", sum); assert(sum < 1) }
  od
}
";

/// A folder with the model.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("trapline-simulate-{}-{name}", std::process::id()));
    fs::create_dir_all(&path).expect("the temporary folder is writable");
    fs::write(path.join("m.pml"), MODEL).expect("the folder is writable");
    path
}

/// Runs in a folder of its own; exit code, output, complaints.
fn run(name: &str, arguments: &[&str], input: &str, files: &[(&str, &str)]) -> (Option<i32>, String, String) {
    let folder = folder(name);
    for (file, text) in files {
        fs::write(folder.join(file), text).expect("the folder is writable");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_trapline"));
    command.env("LC_ALL", "C.UTF-8");
    command.arg("simulate").args(arguments).current_dir(&folder).env_remove("CLICOLOR_FORCE");
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = pipes.spawn().expect("the program starts");
    child.stdin.take().expect("it is a pipe").write_all(input.as_bytes()).expect("it is read");
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is UTF-8");
    // Nothing more can be done about a folder that stays.
    let _ = fs::remove_dir_all(&folder);
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[track_caller]
fn check(name: &str, arguments: &[&str], input: &str, code: i32, expected: Expect) {
    let (found, stdout, stderr) = run(name, arguments, input, &[("bad.trail", "1:0:0\n2:1:99\n")]);
    expected.assert_eq(&format!("{stdout}{stderr}"));
    assert_eq!(found, Some(code));
}

#[test]
fn a_seed_repeats_a_run() {
    check(
        "seed",
        &["m.pml", "--seed", "1"],
        "",
        1,
        expect![[r#"
        seed 1
            1  A[0]  i < 2  m.pml:7:6
            2  A[0]  c!ping,i  m.pml:7:15
                     c = channel 1: [ping,0]
            3  B[1]  c?ping(n)  m.pml:14:6
                     c = channel 1: empty
            4  A[0]  i++  m.pml:7:25
                     A[0].i = 1
            5  A[0]  printf("%e %d\n", ping, i)  m.pml:7:30
                     │ ping 1
            6  B[1]  d_step { sum = sum + n; printf("sum %d\n", sum); assert(sum…  m.pml:14:19
                     · sum = sum + n  m.pml:14:28
                     · printf("sum %d\n", sum)  m.pml:14:43
                     · assert(sum < 1)  m.pml:14:68
                     │ sum 0
            7  A[0]  i < 2  m.pml:7:6
            8  A[0]  c!ping,i  m.pml:7:15
                     c = channel 1: [ping,1]
            9  B[1]  c?ping(n)  m.pml:14:6
                     c = channel 1: empty, B[1].n = 1
           10  B[1]  d_step { sum = sum + n; printf("sum %d\n", sum); assert(sum…  m.pml:14:19
                     · sum = sum + n  m.pml:14:28
                       sum = 1
                     · printf("sum %d\n", sum)  m.pml:14:43
                     · assert(sum < 1)  m.pml:14:68
                     │ sum 1

        At the end:
          c = channel 1: empty sum = 1 A[0].i = 1 B[1].n = 1

        ERROR after 10 steps: assertion violated
    "#]],
    );
    let (_, first, _) = run("seed-again", &["m.pml", "--seed", "5"], "", &[]);
    let (_, second, _) = run("seed-again-2", &["m.pml", "--seed", "5"], "", &[]);
    assert_eq!(first, second);
}

#[test]
fn without_a_seed_the_one_that_was_used_is_told() {
    let (_, first, _) = run("told", &["m.pml"], "", &[]);
    let seed = first.lines().next().and_then(|it| it.strip_prefix("seed ")).expect("the seed is told");
    let (_, second, _) = run("told-again", &["m.pml", "--seed", seed], "", &[]);
    assert_eq!(first, second);
}

#[test]
fn a_run_stops_after_as_many_steps_as_wanted() {
    let (code, text, _) =
        run("steps", &["m.pml", "--seed", "3", "--steps", "2", "--format", "json"], "", &[]);
    let document: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    assert_eq!(code, Some(0));
    assert_eq!(document["end"], "stopped");
    assert_eq!(document["seed"], 3);
    assert_eq!(document["steps"].as_array().map(Vec::len), Some(2));
}

#[test]
fn a_user_chooses_goes_back_and_quits() {
    check(
        "hand",
        &["m.pml", "--interactive"],
        "b\n1\nx\n1\nb\n1\n7\nq\n",
        0,
        expect![[r#"

          (1) A[0]  i < 2  m.pml:7:6
        1, b to go back, q to quit: there is no earlier step
        1, b to go back, q to quit:     1  A[0]  i < 2  m.pml:7:6

          (1) A[0]  c!ping,i  m.pml:7:15
        1, b to go back, q to quit: `x` is not a choice
        1, b to go back, q to quit:     2  A[0]  c!ping,i  m.pml:7:15
                     c = channel 1: [ping,0]

          (1) B[1]  c?ping(n)  m.pml:14:6
          (2) A[0]  i++  m.pml:7:25
        1 to 2, b to go back, q to quit: 
          (1) A[0]  c!ping,i  m.pml:7:15
        1, b to go back, q to quit:     2  A[0]  c!ping,i  m.pml:7:15
                     c = channel 1: [ping,0]

          (1) B[1]  c?ping(n)  m.pml:14:6
          (2) A[0]  i++  m.pml:7:25
        1 to 2, b to go back, q to quit: `7` is not a choice
        1 to 2, b to go back, q to quit: 
        At the end:
          c = channel 1: [ping,0] sum = 0 A[0].i = 0 B[1].n = 0

        stopped after 2 steps
    "#]],
    );
}

#[test]
fn the_end_of_the_input_ends_the_run() {
    let (code, text, _) = run("end", &["m.pml", "-i"], "1\n", &[]);
    assert_eq!(code, Some(0));
    assert!(text.ends_with("stopped after 1 step\n"), "{text}");
}

#[test]
fn what_cannot_be_used_is_told() {
    check(
        "no-model",
        &["n.pml"],
        "",
        2,
        expect![[r#"
        error[file-missing]: the model `n.pml` does not exist
         |
         = help: did you mean `m.pml`?
    "#]],
    );
    check(
        "no-trail",
        &["m.pml", "--trail", "m.trail"],
        "",
        2,
        expect![[r#"
        error[file-missing]: the trail `m.trail` does not exist
    "#]],
    );
    check(
        "misfit",
        &["m.pml", "--trail", "bad.trail"],
        "",
        2,
        expect![[r#"
            error[trail]: B[1] cannot execute statement 99 here: the trail belongs to another model or to other options
             --> bad.trail:2:1
              |
            2 | 2:1:99
              | ^^^^^^
              |
              = help: the possible pairs of process and number are 0:1
        "#]],
    );
    check(
        "kind",
        &["bad.trail"],
        "",
        2,
        expect![[r#"
        error[file-kind]: `bad.trail` does not look like a model
         |
         = help: the name of a model ends in .pml or .rs; `--language` reads any file as one
    "#]],
    );
}

#[test]
fn a_trail_may_pass_assertions_that_do_not_hold() {
    let model = "byte x; active proctype A() { assert(x == 1); x = 2; assert(x == 3); x = 4; (x == 5) }";
    let follow = |name: &str, trail: &str| {
        let files = [("w.pml", model), ("w.trail", trail)];
        run(name, &["w.pml", "--trail", "w.trail"], "", &files)
    };
    let (code, text, note) = follow("passes", "1:0:0\n2:0:1\n3:0:2\n");
    assert_eq!(code, Some(1), "{note}");
    assert!(text.ends_with("ERROR after 3 steps: assertion violated\n"), "{text}");
    assert!(note.contains("the trail continues after a violated assertion"), "{note}");
    let (_, text, _) = follow("blocks", "1:0:0\n2:0:1\n3:0:2\n4:0:3\n");
    assert!(
        text.contains("ERROR after 4 steps: deadlock (invalid end state): no process can move"),
        "{text}"
    );
    let (_, _, note) = follow("first", "1:0:0\n");
    assert_eq!(note, "");
}

#[test]
fn a_model_can_be_run_in_another_manner() {
    let model = "chan c = [1] of { byte }; active proctype S() { c!1; c!2; c!3 }";
    let files = [("w.pml", model), ("w.trail", "1:0:0\n2:0:1\n3:0:2\n")];
    let (code, _, fault) = run("keeps", &["w.pml", "--trail", "w.trail"], "", &files);
    assert_eq!(code, Some(2));
    assert!(fault.contains("or to other options"), "{fault}");
    let (code, text, _) = run("loses", &["w.pml", "--trail", "w.trail", "--lose-messages"], "", &files);
    assert_eq!(code, Some(0), "{text}");
    let (code, text, _) = run("random", &["w.pml", "--seed", "1", "--lose-messages"], "", &files);
    assert_eq!(code, Some(0), "{text}");
    let (code, _, _) = run("waits", &["w.pml", "--seed", "1"], "", &files);
    assert_eq!(code, Some(1));
}
