//! What a misspelt name was probably meant to be.

/// The candidate closest to `name`, if it is close enough to be a misspelling.
pub fn suggest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Every letter is one edit away from every other.
    let allowed = match name.chars().count() {
        0 | 1 => 0,
        length => (length / 3).max(1),
    };
    candidates
        .into_iter()
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// The suggestion as a help text.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    suggest(name, candidates).map(|candidate| format!("did you mean `{candidate}`?"))
}

/// Edits (insert, delete, replace, swap of neighbours) from `a` to `b`, case
/// changes being free.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.to_lowercase().chars().collect();
    let b: Vec<char> = b.to_lowercase().chars().collect();
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let mut best = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(rows[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_names_are_suggested_and_far_ones_are_not() {
        assert_eq!(suggest("unlok", ["lock", "unlock"]), Some("unlock"));
        assert_eq!(suggest("Lock", ["lock", "unlock"]), Some("lock"));
        assert_eq!(suggest("elpahant", ["elephant"]), Some("elephant"));
        assert_eq!(suggest("x", ["lock", "unlock"]), None);
        assert_eq!(suggest("q", ["n", "w"]), None);
        assert_eq!(suggest("n", ["N", "w"]), Some("N"));
    }
}
