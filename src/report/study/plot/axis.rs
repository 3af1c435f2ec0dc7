//! A logarithmic axis: its range and its ticks.

/// The range from `low` to `high`, both positive.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Axis {
    pub low: f64,
    pub high: f64,
}

/// A position on the axis.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tick {
    pub value: f64,
    /// Whether it has a label; otherwise it is a faint line between two others.
    pub has_label: bool,
}

impl Axis {
    /// Returns the smallest axis between ticks that contains all values, with
    /// some margin.
    pub fn covering(values: impl IntoIterator<Item = f64>) -> Self {
        let logarithms: Vec<f64> =
            values.into_iter().filter(|it| it.is_finite() && *it > 0.0).map(f64::log10).collect();
        let low = logarithms.iter().copied().fold(f64::INFINITY, f64::min);
        let high = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        if logarithms.is_empty() {
            return Self { low: 0.1, high: 10.0 };
        }
        // Axes over several decades end at decades; within one decade that
        // would waste space.
        let steps: &[f64] = if high - low > 2.0 { &[1.0] } else { &[1.0, 2.0, 5.0] };
        let room = 0.02;
        Self { low: step_below(low - room, steps), high: step_above(high + room, steps) }
    }

    /// Returns the position of a value: zero at the low end, one at the high
    /// end.
    pub fn position(&self, value: f64) -> f64 {
        let (low, high) = (self.low.log10(), self.high.log10());
        ((value.max(f64::MIN_POSITIVE).log10() - low) / (high - low)).clamp(0.0, 1.0)
    }

    pub fn ticks(&self) -> Vec<Tick> {
        let (first, last) = (decade_of(self.low), decade_of(self.high));
        let n_decades = (self.high / self.low).log10();
        // Labels need room: every decade up to ten of them, then every second or third.
        let stride = (n_decades / 10.0).ceil().max(1.0) as i32;
        let mut ticks = Vec::new();
        for decade in first..=last {
            for step in 1..=9 {
                let value = f64::from(step) * 10_f64.powi(decade);
                let labelled = match step {
                    1 => (decade - first) % stride == 0,
                    2 | 5 => n_decades <= 2.5,
                    _ => false,
                };
                let is_drawn = labelled || (n_decades <= 4.0);
                if is_drawn && value >= self.low * 0.999 && value <= self.high * 1.001 {
                    ticks.push(Tick { value, has_label: labelled });
                }
            }
        }
        ticks
    }
}

fn decade_of(value: f64) -> i32 {
    (value.log10() + 1e-9).floor() as i32
}

fn step_below(logarithm: f64, steps: &[f64]) -> f64 {
    let decade = 10_f64.powf(logarithm.floor());
    let fits = |step: &&f64| (**step * decade).log10() <= logarithm + 1e-9;
    steps.iter().rev().find(fits).unwrap_or(&1.0) * decade
}

fn step_above(logarithm: f64, steps: &[f64]) -> f64 {
    let decade = 10_f64.powf(logarithm.floor());
    let fits = |step: &&f64| (**step * decade).log10() >= logarithm - 1e-9;
    steps.iter().find(fits).unwrap_or(&10.0) * decade
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(axis: Axis) -> Vec<String> {
        axis.ticks().iter().filter(|it| it.has_label).map(|it| format!("{:.4}", it.value)).collect()
    }

    #[test]
    fn wide_ranges_have_decades_and_narrow_ones_steps() {
        let wide = Axis::covering([0.003, 40.0]);
        assert_eq!((wide.low, wide.high), (0.001, 100.0));
        assert_eq!(labels(wide), ["0.0010", "0.0100", "0.1000", "1.0000", "10.0000", "100.0000"]);
        let narrow = Axis::covering([0.6, 1.3]);
        assert_eq!(labels(narrow), ["0.5000", "1.0000", "2.0000"]);
    }

    #[test]
    fn every_range_has_two_ends_and_values_lie_between() {
        for values in [vec![], vec![1.0], vec![1e-9, 1e12], vec![0.0, f64::NAN, 5.0]] {
            let axis = Axis::covering(values.clone());
            assert!(axis.low < axis.high, "{values:?}");
            assert!(axis.ticks().iter().filter(|it| it.has_label).count() >= 2, "{values:?}");
            for value in values.into_iter().filter(|it| *it > 0.0) {
                let position = axis.position(value);
                assert!(position > 0.0 && position < 1.0, "{value} lies at {position}");
            }
        }
    }
}
