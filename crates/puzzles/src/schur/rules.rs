//! The rules of weak Schur numbers, number by number.

use nestling::{Certificate, Illegal};

/// Replays the sets of the numbers after those placed.
pub(super) fn certify(count: u8, placed: &[u8], moves: &[u8]) -> Result<Certificate, Illegal> {
    let mut sets: Vec<Vec<usize>> = vec![Vec::new(); count.into()];
    for (index, &set) in placed.iter().enumerate() {
        sets[usize::from(set)].push(index + 1);
    }
    for (index, &set) in moves.iter().enumerate() {
        let number = placed.len() + index + 1;
        if let Some(reason) = conflict(&sets, set.into(), number) {
            return Err(Illegal { index, reason });
        }
        sets[usize::from(set)].push(number);
    }
    let last = placed.len() + moves.len();
    let terminal = (0..sets.len()).all(|set| conflict(&sets, set, last + 1).is_some());
    Ok(Certificate { score: last as f64, terminal })
}

/// The reason why a number may not go into a set.
fn conflict(sets: &[Vec<usize>], set: usize, number: usize) -> Option<String> {
    let Some(members) = sets.get(set) else {
        return Some(format!("there is no set {}; there are {}", set + 1, sets.len()));
    };
    if let Some(empty) = sets[..set].iter().position(Vec::is_empty) {
        return Some(format!("{number} begins set {}, but set {} is still empty", set + 1, empty + 1));
    }
    // Members are in ascending order: the smaller summand is found from the left, its partner from the right.
    let (mut low, mut high) = (0, members.len());
    while low + 1 < high {
        match (members[low] + members[high - 1]).cmp(&number) {
            std::cmp::Ordering::Less => low += 1,
            std::cmp::Ordering::Greater => high -= 1,
            std::cmp::Ordering::Equal => {
                let (one, other) = (members[low], members[high - 1]);
                return Some(format!("{number} = {one} + {other}, which are in set {} too", set + 1));
            }
        }
    }
    None
}
