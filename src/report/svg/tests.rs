//! Pictures of random graphs: well formed, finite, without overlaps.

use super::plan::Plan;
use super::{MAX_DASHED, MAX_NODES, TooLarge, layers, order, place};
use crate::verify::drawing::{Drawing, Edge, Node, Shape, Tint};
use std::time::{Duration, Instant};

/// A generator good enough to draw graphs, the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

fn node(label: &str, shape: Shape, group: Option<&str>) -> Node {
    Node {
        label: label.to_string(),
        shape,
        group: group.map(str::to_string),
        tooltip: None,
        tint: Tint::Plain,
    }
}

fn edge(from: usize, to: usize, label: &str) -> Edge {
    Edge { from, to, label: label.to_string(), dashed: false, both_ways: false }
}

fn random_drawing(seed: u64, n: usize, n_edges: usize) -> Drawing {
    let mut random = Random(seed);
    let shapes = match seed % 3 {
        0 => vec![Shape::Circle, Shape::DoubleCircle],
        _ => vec![Shape::Box, Shape::Diamond, Shape::Triangle, Shape::Plain, Shape::Circle],
    };
    let groups = ["a", "b<&>", "c"];
    let labels = ["", "x", "lock[0]==true", "two\nlines", "& < > \" \u{1}"];
    let nodes = (0..n).map(|_| {
        let group = (seed % 2 == 1 && random.below(3) > 0).then(|| groups[random.below(3)]);
        let mut node = node(labels[random.below(5)], shapes[random.below(shapes.len())], group);
        node.tooltip = Some("model.rs:1".to_string());
        node
    });
    let nodes: Vec<Node> = nodes.collect();
    let edges = (0..n_edges).map(|_| {
        let mut edge = edge(random.below(n), random.below(n), labels[random.below(5)]);
        edge.dashed = random.below(3) == 0;
        edge.both_ways = random.below(5) == 0;
        edge
    });
    Drawing { title: format!("seed {seed}"), edges: edges.collect(), nodes }
}

/// Checks that tags are balanced, attributes are quoted and numbers are valid.
#[track_caller]
fn check_xml(svg: &str) {
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    let mut open: Vec<&str> = Vec::new();
    for tag in svg.split('<').skip(1) {
        let (tag, text) = tag.split_once('>').expect("a tag ends");
        assert!(!text.contains('>') && tag.matches('"').count().is_multiple_of(2), "{tag}");
        let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or("");
        if tag.starts_with('/') {
            assert_eq!(open.pop(), Some(name));
        } else if !tag.ends_with('/') {
            open.push(name);
        }
    }
    assert!(open.is_empty(), "{open:?}");
}

/// Renders a picture that is not too large.
#[track_caller]
fn render(drawing: &Drawing) -> String {
    super::render(drawing).expect("it is small enough").text
}

#[track_caller]
fn check_boxes(drawing: &Drawing) {
    let plan = Plan::new(drawing, true);
    let layout = place::coordinates(&plan, &order::arrange(&plan, &layers::assign(&plan)));
    let area = layout.area;
    let boxes: Vec<[f64; 4]> = plan
        .boxes
        .iter()
        .zip(&layout.nodes)
        .map(|(size, at)| {
            let (w, h) = (size.width / 2.0, size.height / 2.0);
            [at.x - w, at.x + w, at.y - h, at.y + h]
        })
        .collect();
    for (i, a) in boxes.iter().enumerate() {
        assert!(area.left <= a[0] + 0.01 && a[1] <= area.right + 0.01, "{}: node {i}", drawing.title);
        assert!(area.top <= a[2] + 0.01 && a[3] <= area.bottom + 0.01, "{}: node {i}", drawing.title);
        for (j, b) in boxes[..i].iter().enumerate() {
            let apart = a[1] <= b[0] || b[1] <= a[0] || a[3] <= b[2] || b[3] <= a[2];
            assert!(apart, "{}: nodes {i} and {j} overlap", drawing.title);
        }
    }
    for (i, a) in layout.groups.iter().enumerate() {
        for b in &layout.groups[..i] {
            let beside = a.right <= b.left || b.right <= a.left;
            assert!(beside || a.bottom <= b.top || b.bottom <= a.top, "{}: groups", drawing.title);
        }
    }
}

#[test]
fn random_graphs_are_drawn_without_overlaps() {
    for seed in 0..120 {
        let n = 1 + seed as usize % 30;
        let drawing = random_drawing(seed, n, seed as usize % 70);
        let svg = render(&drawing);
        check_xml(&svg);
        check_boxes(&drawing);
        assert_eq!(svg, render(&drawing), "seed {seed} is drawn the same twice");
    }
}

#[test]
fn the_empty_drawing_is_a_picture() {
    check_xml(&render(&Drawing::default()));
}

#[test]
fn edges_to_nowhere_are_left_out() {
    let nodes = vec![node("a", Shape::Box, None)];
    check_xml(&render(&Drawing { title: String::new(), nodes, edges: vec![edge(0, 7, "x")] }));
}

#[test]
fn large_graphs_do_not_take_long() {
    // A chain makes as many layers as there are nodes, the worst for dummies.
    let mut chain = random_drawing(4, 300, 3000);
    chain.edges.extend((1..300).map(|to| edge(to - 1, to, "")));
    for drawing in [random_drawing(4, 300, 3000), random_drawing(5, 300, 3000), chain] {
        let start = Instant::now();
        let picture = super::render(&drawing);
        let elapsed = start.elapsed();
        if let Ok(picture) = picture {
            check_xml(&picture.text);
        }
        assert!(elapsed < Duration::from_secs(20), "{}: {elapsed:?}", drawing.title);
    }
}

#[test]
fn a_graph_that_is_too_large_is_refused() {
    let nodes = vec![node("a", Shape::Box, None); MAX_NODES + 1];
    let drawing = Drawing { title: String::new(), nodes, edges: vec![edge(0, 1, "x")] };
    let refused = super::render(&drawing).expect_err("it has too many nodes");
    assert_eq!(refused, TooLarge { n_nodes: MAX_NODES + 1, n_edges: 1 });
    // Few nodes and edges, but each edge crosses hundreds of layers.
    let nodes = vec![node("a", Shape::Box, None); 1000];
    let chain = (1..1000).map(|to| edge(to - 1, to, ""));
    let long = (0..500).map(|from| edge(from, from + 500, ""));
    let drawing = Drawing { title: String::new(), nodes, edges: chain.chain(long).collect() };
    assert!(super::render(&drawing).is_err());
}

#[test]
fn too_many_dashed_edges_are_left_out_and_counted() {
    let dashed = |to: usize| Edge { dashed: true, ..edge(0, to, "") };
    let drawing = |n: usize| Drawing {
        title: String::new(),
        nodes: vec![node("a", Shape::Box, None); 4],
        edges: (0..n).map(|at| dashed(1 + at % 3)).collect(),
    };
    let picture = super::render(&drawing(MAX_DASHED + 1)).expect("dashed edges are left out");
    assert_eq!((picture.n_left_out, picture.text.matches("class=\"mip\"").count()), (MAX_DASHED + 1, 0));
    assert_eq!(super::render(&drawing(9)).expect("it is small").n_left_out, 0);
}

fn automaton(n: usize) -> Drawing {
    let mut nodes = vec![node("", Shape::Plain, None)];
    let mut edges = vec![edge(0, 1, "")];
    for state in 1..=n {
        let shape = if state % 2 == 1 { Shape::DoubleCircle } else { Shape::Circle };
        nodes.push(node(&if state == n { "trap".to_string() } else { state.to_string() }, shape, None));
        edges.push(edge(state, state, "unlock"));
        if state < n {
            edges.push(edge(state, state + 1, "lock"));
            edges.push(edge(state, n, if state % 2 == 0 { "stop" } else { "t2.request(0)\nreset" }));
        }
        if state > 1 && state < n {
            edges.push(edge(state, 1, "release"));
        }
    }
    Drawing { title: format!("automaton of {n} states"), nodes, edges }
}

fn control_flow() -> Drawing {
    let nodes = (0..20).map(|point| node(&format!("p{point}"), Shape::Box, None)).collect();
    let mut edges: Vec<Edge> = (0..19).map(|it| edge(it, it + 1, "t2.lock")).collect();
    edges.extend([edge(3, 7, "LOCKED==true"), edge(9, 4, "w[0]+=1"), edge(12, 18, ""), edge(16, 2, "")]);
    edges.extend([edge(5, 8, "x!=3"), edge(17, 17, "wait"), edge(14, 19, "return")]);
    Drawing { title: "cfg of t1".to_string(), nodes, edges }
}

fn flow_graph() -> Drawing {
    let mut nodes = vec![node("initial", Shape::Triangle, None), node("final", Shape::Triangle, None)];
    let mut edges = Vec::new();
    let mut random = Random(5);
    for task in 0..3 {
        let first = nodes.len();
        for step in 0..8 {
            let label = format!("w[{task}]={step}");
            nodes.push(node(&label, Shape::Box, Some(&format!("worker[{task}]"))));
        }
        edges.push(edge(0, first, ""));
        edges.extend((first..first + 7).map(|it| edge(it, it + 1, "")));
        edges.extend([
            edge(first + 2, first + 5, ""),
            edge(first + 6, first + 1, ""),
            edge(first + 7, 1, ""),
        ]);
    }
    for call in 0..4 {
        let at = nodes.len();
        nodes.push(node(&format!("server.lock({call})"), Shape::Diamond, None));
        for task in [call % 3, (call + 1) % 3] {
            edges.push(edge(2 + 8 * task + call, at, ""));
            edges.push(edge(at, 2 + 8 * task + call + 2, ""));
        }
    }
    for _ in 0..60 {
        let (from, to) = (2 + random.below(24), 2 + random.below(24));
        let mut edge = edge(from, to, "");
        (edge.dashed, edge.both_ways) = (true, random.below(2) == 0);
        if from / 8 != to / 8 {
            edges.push(edge);
        }
    }
    Drawing { title: "tfg of lock.rs".to_string(), nodes, edges }
}

#[test]
#[ignore = "writes pictures to look at into target/gallery"]
fn gallery() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("target/gallery");
    std::fs::create_dir_all(&folder).expect("target is writable");
    let mut pictures: Vec<(String, Drawing)> =
        (2..=8).step_by(2).map(|n| (format!("automaton-{n}"), automaton(n))).collect();
    pictures.push(("cfg".to_string(), control_flow()));
    pictures.push(("tfg".to_string(), flow_graph()));
    for seed in [7, 9, 10] {
        pictures.push((format!("random-{seed}"), random_drawing(seed, 12, 20)));
    }
    for (name, drawing) in pictures {
        check_boxes(&drawing);
        std::fs::write(folder.join(name + ".svg"), render(&drawing)).expect("target is writable");
    }
}
