//! Means and deviations of ratios.
//!
//! Ratios are averaged geometrically: a strategy that is a hundred times
//! faster on one half of the subjects and a hundred times slower on the other
//! is as good as the baseline, and only the geometric mean says so.

/// The distribution of some ratios.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spread {
    /// Number of ratios, at least one.
    pub count: usize,
    /// The geometric mean.
    pub mean: f64,
    /// The geometric standard deviation: a factor of at least one. About two
    /// thirds of the ratios lie between mean ÷ deviation and mean × deviation.
    pub deviation: f64,
    /// The smallest ratio.
    pub least: f64,
    /// The largest ratio, which is the worst.
    pub worst: f64,
}

impl Spread {
    /// Computes the distribution of positive ratios; `None` if there are none.
    pub fn of(ratios: &[f64]) -> Option<Self> {
        if ratios.is_empty() {
            return None;
        }
        let count = ratios.len() as f64;
        let logarithms: Vec<f64> = ratios.iter().map(|ratio| ratio.ln()).collect();
        let mean = logarithms.iter().sum::<f64>() / count;
        // The deviation of these subjects, not an estimate for others: divided by n.
        let variance = logarithms.iter().map(|it| (it - mean).powi(2)).sum::<f64>() / count;
        Some(Self {
            count: ratios.len(),
            mean: mean.exp(),
            deviation: variance.sqrt().exp(),
            least: ratios.iter().copied().fold(f64::INFINITY, f64::min),
            worst: ratios.iter().copied().fold(0.0, f64::max),
        })
    }
}

/// Returns the median.
pub fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() {
        0 => None,
        odd if odd % 2 == 1 => Some(values[middle]),
        _ => Some((values[middle - 1] + values[middle]) / 2.0),
    }
}

/// Returns the ratio of `value` to `base`. Two zeros are equal; otherwise zero
/// has no ratio that could be averaged.
pub fn ratio(value: f64, base: f64) -> Option<f64> {
    if value == base {
        return Some(1.0);
    }
    (value > 0.0 && base > 0.0).then(|| value / base)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(one: f64, other: f64) -> bool {
        (one - other).abs() < 1e-12 * other.abs().max(1.0)
    }

    #[test]
    fn the_papers_example_of_two_halves() {
        let ratios: Vec<f64> = (0..100).map(|it| if it < 50 { 0.01 } else { 100.0 }).collect();
        let spread = Spread::of(&ratios).expect("there are ratios");
        assert!(close(spread.mean, 1.0) && close(spread.deviation, 100.0));
        assert_eq!((spread.least, spread.worst, spread.count), (0.01, 100.0, 100));
    }

    #[test]
    fn by_hand() {
        // ln: 0, ln 2, 2 ln 2; mean ln 2; variance 2/3 (ln 2)².
        let spread = Spread::of(&[1.0, 2.0, 4.0]).expect("there are ratios");
        assert!(close(spread.mean, 2.0));
        assert!(close(spread.deviation, 2.0_f64.powf((2.0_f64 / 3.0).sqrt())));
        let one = Spread::of(&[0.25]).expect("there is a ratio");
        assert!(close(one.mean, 0.25) && one.deviation == 1.0);
        assert_eq!(Spread::of(&[]), None);
    }

    #[test]
    fn medians_and_ratios() {
        assert_eq!(median([3.0, 1.0, 2.0]), Some(2.0));
        assert_eq!(median([4.0, 1.0, 2.0, 3.0]), Some(2.5));
        assert_eq!(median([]), None);
        assert_eq!([ratio(1.0, 4.0), ratio(0.0, 0.0), ratio(0.0, 2.0)], [Some(0.25), Some(1.0), None]);
    }
}
