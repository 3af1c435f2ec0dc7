//! Suggestions for misspelt names.

/// Maximum length, in characters, of names that are compared: the time grows
/// with the product of the lengths.
const LONGEST: usize = 256;

/// Returns the candidate closest to `name`, if it is close enough to be a
/// misspelling.
pub fn suggest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Any letter is one edit away from any other.
    let allowed = match name.chars().take(LONGEST + 1).count() {
        0 | 1 => 0,
        length if length > LONGEST => return None,
        length => (length / 3).max(1),
    };
    candidates
        .into_iter()
        .filter_map(|candidate| Some((distance(name, candidate, allowed)?, candidate)))
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Returns the suggestion as a help text.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    suggest(name, candidates).map(|candidate| format!("did you mean `{candidate}`?"))
}

/// Returns the number of edits (insert, delete, replace, swap of neighbours)
/// from one text to the other, ignoring case, if it is at most `allowed`.
fn distance(name: &str, candidate: &str, allowed: usize) -> Option<usize> {
    let lengths = (name.chars().count(), candidate.chars().take(LONGEST + 1).count());
    if lengths.1 > LONGEST || lengths.0.abs_diff(lengths.1) > allowed {
        return None;
    }
    let distance = strsim::osa_distance(&name.to_lowercase(), &candidate.to_lowercase());
    (distance <= allowed).then_some(distance)
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

    #[test]
    fn long_names_are_not_compared() {
        let long = "x".repeat(LONGEST);
        assert_eq!(suggest(&long[1..], [long.as_str()]), Some(long.as_str()));
        let (longer, longest) = ("x".repeat(LONGEST + 1), "x".repeat(1 << 20));
        assert_eq!(suggest(&longer, [long.as_str(), &longer, &longest]), None);
        assert_eq!(suggest(&long, [longer.as_str(), &longest]), None);
    }
}
