//! Edges as curves that begin and end at the outlines of their nodes.

use super::place::Point;
use super::plan::{LOOP, NodeBox};
use crate::verify::drawing::Shape;

/// Length of an arrow head.
const HEAD: f64 = 8.0;

/// A curve and its arrow heads.
pub(super) struct Curve {
    pub start: Point,
    /// Cubic pieces: two control points and an end each.
    pub pieces: Vec<[Point; 3]>,
    /// Tip and direction of each arrow head.
    pub heads: Vec<(Point, Point)>,
}

impl Curve {
    /// Returns the point half way along the first piece.
    pub fn middle(&self) -> Point {
        let Some([first, second, end]) = self.pieces.first() else { return self.start };
        let mean = |get: fn(&Point) -> f64| {
            (get(&self.start) + 3.0 * get(first) + 3.0 * get(second) + get(end)) / 8.0
        };
        Point { x: mean(|it| it.x), y: mean(|it| it.y) }
    }
}

/// One end of an edge.
#[derive(Clone, Copy)]
pub(super) struct End {
    pub centre: Point,
    pub node: NodeBox,
    pub arrow: bool,
}

/// Returns a smooth curve through `points`, whose first and last are the
/// centres of the ends. Between them the curve runs along the layers.
pub(super) fn through(points: &[Point], from: End, to: End, sideways: bool) -> Curve {
    let n = points.len();
    let mut points = points.to_vec();
    let mut heads = Vec::new();
    let out = unit(points[0], points[1]);
    let back = unit(points[n - 1], points[n - 2]);
    points[0] = leave(from, out, &mut heads);
    points[n - 1] = leave(to, back, &mut heads);
    let along = |a: Point, b: Point| match sideways {
        true => Point { x: (b.x - a.x) * 0.45, y: 0.0 },
        false => Point { x: 0.0, y: (b.y - a.y) * 0.45 },
    };
    let mut pieces = Vec::new();
    for index in 1..n {
        let (a, b) = (points[index - 1], points[index]);
        let reach = distance(a, b) * 0.4;
        let first = if index == 1 { plus(a, out, reach) } else { plus(a, along(a, b), 1.0) };
        let second = if index == n - 1 { plus(b, back, reach) } else { plus(b, along(a, b), -1.0) };
        pieces.push([first, second, b]);
    }
    Curve { start: points[0], pieces, heads }
}

/// Returns a slightly bowed curve for an edge that is not part of the layout.
pub(super) fn bowed(from: End, to: End) -> Curve {
    let (a, b) = (from.centre, to.centre);
    let length = distance(a, b).max(1.0);
    let bow = (length * 0.12).min(50.0);
    let aside = Point { x: (b.y - a.y) / length, y: (a.x - b.x) / length };
    let middle = plus(Point { x: (a.x + b.x) / 2.0, y: (a.y + b.y) / 2.0 }, aside, bow);
    let mut heads = Vec::new();
    let start = leave(from, unit(a, middle), &mut heads);
    let end = leave(to, unit(b, middle), &mut heads);
    let toward = |p: Point| Point { x: p.x + (middle.x - p.x) * 0.6, y: p.y + (middle.y - p.y) * 0.6 };
    Curve { start, pieces: vec![[toward(start), toward(end), end]], heads }
}

/// Returns a loop on the right of a node, or above it with layers side by side.
pub(super) fn self_loop(end: End, sideways: bool) -> Curve {
    let (spread, far) = (0.42, LOOP * 1.25);
    let directions = match sideways {
        true => [Point { x: -spread, y: -1.0 }, Point { x: spread, y: -1.0 }],
        false => [Point { x: 1.0, y: -spread }, Point { x: 1.0, y: spread }],
    };
    let [out, back] = directions.map(|it| unit(Point { x: 0.0, y: 0.0 }, it));
    let mut heads = Vec::new();
    let start = leave(End { arrow: false, ..end }, out, &mut heads);
    let finish = leave(End { arrow: true, ..end }, back, &mut heads);
    Curve { start, pieces: vec![[plus(start, out, far), plus(finish, back, far), finish]], heads }
}

/// Returns the point where a line that leaves in `direction` begins; with an
/// arrow head, at its base.
fn leave(end: End, direction: Point, heads: &mut Vec<(Point, Point)>) -> Point {
    let tip = plus(end.centre, direction, outline(end.node, direction) + 1.5);
    if !end.arrow {
        return plus(end.centre, direction, outline(end.node, direction));
    }
    heads.push((tip, Point { x: -direction.x, y: -direction.y }));
    plus(tip, direction, HEAD - 1.0)
}

/// Returns the distance from the centre to the outline in a direction of length
/// one.
fn outline(node: NodeBox, direction: Point) -> f64 {
    let (half_width, half_height) = (node.width / 2.0, node.height / 2.0);
    let (dx, dy) = (direction.x.abs().max(1e-9), direction.y.abs().max(1e-9));
    match node.shape {
        Shape::Box | Shape::Plain => (half_width / dx).min(half_height / dy),
        Shape::Circle | Shape::DoubleCircle => half_width,
        Shape::Diamond => 1.0 / (dx / half_width + dy / half_height),
        Shape::Triangle => {
            // Base above, tip below: a side runs from (half_width, -half_height) to (0, half_height).
            let side =
                half_width * half_height / (2.0 * half_height * dx + half_width * direction.y).max(1e-9);
            if direction.y < 0.0 { side.min(half_height / dy).max(0.0) } else { side }
        }
    }
}

/// Returns the three corners of an arrow head.
pub(super) fn head_corners((tip, direction): (Point, Point)) -> [Point; 3] {
    let foot = plus(tip, direction, -HEAD);
    let aside = Point { x: -direction.y, y: direction.x };
    [tip, plus(foot, aside, 3.2), plus(foot, aside, -3.2)]
}

fn plus(point: Point, direction: Point, length: f64) -> Point {
    Point { x: point.x + direction.x * length, y: point.y + direction.y * length }
}

fn distance(a: Point, b: Point) -> f64 {
    (b.x - a.x).hypot(b.y - a.y)
}

/// Returns the direction from `a` to `b`; downwards if they are the same.
fn unit(a: Point, b: Point) -> Point {
    let length = distance(a, b);
    if length < 1e-9 {
        return Point { x: 0.0, y: 1.0 };
    }
    Point { x: (b.x - a.x) / length, y: (b.y - a.y) / length }
}
