//! Figures of a study as self-contained SVG pictures.
//!
//! - `boxes`: the figures 5 to 9 of Tan et al. (FSE 2004): range, geometric
//!   deviation and geometric mean of the ratios of each strategy;
//! - `cases`: their figures 10 and 11: the ratio on each subject;
//! - `scaling`: values against the size of the system.
//!
//! `axis` chooses ticks, `canvas` writes the XML. The colours are chosen for
//! a white and for a black page; the picture depends on the data alone.

mod axis;
mod boxes;
mod canvas;
mod cases;
mod scaling;
#[cfg(test)]
mod tests;

use super::Results;
use crate::experiment::study::{Figure, FigureKind};

/// Renders the files of a figure: one, or one per system for scaling curves.
pub fn render(figure: &Figure, results: &Results) -> Vec<(String, String)> {
    match figure.kind {
        FigureKind::Box => vec![(figure.file.value.clone(), boxes::picture(figure, results))],
        FigureKind::Cases => vec![(figure.file.value.clone(), cases::picture(figure, results))],
        FigureKind::Scaling => scaling::pictures(figure, results),
    }
}
