use super::*;
use crate::experiment::Measure;
use crate::experiment::plan::samples::plan;
use crate::experiment::record::Records;
use crate::experiment::study::samples::figure;
use crate::experiment::summary::{Summary, samples};

/// Renders a figure over the small study of three subjects, with the second
/// strategy at a limit on the last.
fn pictures(figure: &Figure) -> Vec<(String, String)> {
    let (plan, summary) = samples::small();
    let records = Records::default();
    let figures = std::slice::from_ref(figure);
    render(figure, &Results { plan: &plan, figures, records: &records, summary: &summary })
}

/// Checks that every element is closed and every number is valid.
#[track_caller]
fn assert_well_formed(picture: &str) {
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    let mut open: Vec<&str> = Vec::new();
    for piece in picture.split('<').skip(1) {
        let (tag, _) = piece.split_once('>').expect("a tag ends");
        let name = tag.split_whitespace().next().expect("a tag has a name");
        match name.strip_prefix('/') {
            Some(name) => assert_eq!(open.pop(), Some(name)),
            None if tag.ends_with('/') => (),
            None => open.push(name),
        }
    }
    assert!(open.is_empty(), "{open:?}");
    assert!(!picture.contains("NaN") && !picture.contains("inf"));
}

fn count(picture: &str, part: &str) -> usize {
    picture.matches(part).count()
}

#[test]
fn boxes_show_range_deviation_and_mean() {
    let figure = figure(FigureKind::Box, Measure::Time, 3);
    let [(name, picture)] = &pictures(&figure)[..] else { panic!("there is one picture") };
    assert_eq!(name, "figure.svg");
    assert_well_formed(picture);
    assert_eq!(count(picture, "class=\"box\""), 3);
    assert_eq!(count(picture, "class=\"range\""), 3 * 3);
    assert!(picture.contains(">0.250</text>") && picture.contains(">2.00</text>"));
    assert!(picture.contains(">1 out</text>"), "the number of omitted subjects is shown");
}

#[test]
fn cases_are_ordered_by_the_first_strategy() {
    let mut figure = figure(FigureKind::Cases, Measure::Time, 3);
    figure.strategies = vec![2, 1];
    let [(_, picture)] = &pictures(&figure)[..] else { panic!("there is one picture") };
    assert_well_formed(picture);
    let slow = ["N=2: slow 1.00", "N=3: slow 2.00", "N=1: slow 4.00"].map(|it| picture.find(it));
    assert!(slow.is_sorted() && slow.iter().all(Option::is_some), "{slow:?}");
    assert_eq!(count(picture, ": quick "), 2, "a limit has no ratio");
}

#[test]
fn scaling_curves_go_on_to_the_limit() {
    let mut figure = figure(FigureKind::Scaling, Measure::Time, 2);
    figure.measures.push(Measure::Memory);
    let [(_, picture)] = &pictures(&figure)[..] else { panic!("there is one family") };
    assert_well_formed(picture);
    assert_eq!(count(picture, "hollow marks"), 0, "nothing was measured up to the limit");
    assert!(picture.contains("bfs, N=3: 4 s") && picture.contains("bfs, N=3: 4 MB"));
    assert_eq!(count(picture, ">N</text>"), 2);
}

/// Returns the horizontal positions of the marks of the only panel.
fn places(sizes: &[i64]) -> Vec<f64> {
    let mut plan = plan(&["bfs"], sizes.len() as i64, 1);
    for (subject, size) in plan.subjects.iter_mut().zip(sizes) {
        subject.settings[0].1 = size.to_string();
    }
    let summary = Summary::new(&plan, &samples::records(&plan, &[&vec![1.0; sizes.len()]]));
    let records = Records::default();
    let results = Results { plan: &plan, figures: &[], records: &records, summary: &summary };
    let [(_, picture)] = &render(&figure(FigureKind::Scaling, Measure::Time, 1), &results)[..] else {
        panic!("there is one family")
    };
    // The first mark is that of the legend.
    let marks = picture.split("<circle ").skip(2).map(|it| it.split("cx=\"").nth(1)?.split('"').next());
    marks.map(|it| it.expect("a mark has a place").parse().expect("it is a number")).collect()
}

#[test]
fn sizes_that_were_doubled_stand_at_equal_distances() {
    let steps = |places: Vec<f64>| -> Vec<f64> { places.windows(2).map(|it| it[1] - it[0]).collect() };
    let equal = |steps: Vec<f64>| steps.windows(2).all(|it| (it[0] - it[1]).abs() < 0.25);
    assert!(equal(steps(places(&[2, 3, 4, 5]))));
    assert!(equal(steps(places(&[2, 4, 8, 16, 32]))));
    assert!(!equal(steps(places(&[2, 4, 8]))));
    assert_eq!(places(&[7]).len(), 1);
}

#[test]
fn families_of_one_name_go_to_different_files() {
    let mut plan = plan(&["bfs"], 2, 1);
    plan.subjects[1].entry = 1;
    let summary = Summary::new(&plan, &samples::records(&plan, &[&[1.0, 2.0]]));
    let records = Records::default();
    let figure = figure(FigureKind::Scaling, Measure::Time, 1);
    let results = Results { plan: &plan, figures: &[], records: &records, summary: &summary };
    let names: Vec<String> = render(&figure, &results).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["figure.svg", "figure-2.svg"]);
}

#[test]
fn a_study_without_runs_can_be_drawn() {
    let plan = plan(&["bfs", "dfs"], 2, 1);
    let records = Records::default();
    let summary = Summary::new(&plan, &records);
    let results = Results { plan: &plan, figures: &[], records: &records, summary: &summary };
    for kind in [FigureKind::Box, FigureKind::Cases, FigureKind::Scaling] {
        for (_, picture) in render(&figure(kind, Measure::Time, 2), &results) {
            assert_well_formed(&picture);
        }
    }
}
