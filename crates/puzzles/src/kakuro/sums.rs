//! Sums of different values.

use std::sync::LazyLock;

use crate::domains::{only, values};

/// The sum of the `count` least values of a set; more than any sum if there are not so many.
#[inline]
pub(crate) fn least(set: u64, count: u32) -> i32 {
    let (mut set, mut sum) = (set, 0);
    for _ in 0..count {
        // Of an empty set this is 65, and many of those.
        sum += if set == 0 { 1 << 16 } else { set.trailing_zeros() as i32 + 1 };
        set &= set.wrapping_sub(1);
    }
    sum
}

/// The sum of the `count` greatest values of a set.
#[inline]
pub(crate) fn greatest(set: u64, count: u32) -> i32 {
    let (mut set, mut sum) = (set, 0);
    for _ in 0..count {
        let value = u64::BITS - set.leading_zeros();
        sum += value as i32;
        set &= !(1u64.checked_shl(value.wrapping_sub(1)).unwrap_or(0));
    }
    sum
}

/// The sets of `count` of the values of a set that have a sum, in the order of their least values; `None` if there are more than `most`.
pub(crate) fn combinations(set: u64, count: u32, sum: i32, most: usize) -> Option<Vec<u64>> {
    let mut found = Vec::new();
    extend(set, count, sum, 0, most, &mut found)?;
    Some(found)
}

/// The values of a usual Kakuro.
const USUAL: usize = 9;

/// More than the sum of all usual values.
const SUMS: usize = 46;

/// By a set of usual values, a count and a sum: the set of so many of these values with this sum if there is only one, otherwise 0.
static ONLY_COMBINATIONS: LazyLock<Vec<u16>> = LazyLock::new(|| {
    let all = 1u16 << USUAL;
    let (mut found, mut several) = (vec![0; only_index(all.into(), 0, 0)], vec![false; only_index(all.into(), 0, 0)]);
    for set in 0..all {
        // All subsets of a set: the next smaller number with none but its bits.
        let mut chosen = set;
        while chosen != 0 {
            let sum: usize = values(chosen.into()).map(usize::from).sum();
            let index = only_index(set.into(), chosen.count_ones() as usize, sum);
            several[index] |= found[index] != 0;
            found[index] = if several[index] { 0 } else { chosen };
            chosen = (chosen - 1) & set;
        }
    }
    found
});

fn only_index(set: usize, count: usize, sum: usize) -> usize {
    (set * (USUAL + 1) + count) * SUMS + sum
}

/// The set of `count` of the values of a set that has a sum, if there is exactly one.
pub(crate) fn only_combination(set: u64, count: u32, sum: i32) -> Option<u64> {
    if set >> USUAL == 0 && count as usize <= USUAL && (1..SUMS as i32).contains(&sum) {
        let found = ONLY_COMBINATIONS[only_index(set as usize, count as usize, sum as usize)];
        return (found != 0).then_some(found.into());
    }
    match combinations(set, count, sum, 1)?[..] {
        [found] => Some(found),
        _ => None,
    }
}

/// Adds the sets that consist of `chosen` and `count` values of the set with a sum.
fn extend(set: u64, count: u32, sum: i32, chosen: u64, most: usize, found: &mut Vec<u64>) -> Option<()> {
    if count == 0 {
        if sum == 0 {
            found.push(chosen);
        }
        return (found.len() <= most).then_some(());
    }
    for value in values(set) {
        let greater = set & !(only(value) | (only(value) - 1));
        let left = sum - i32::from(value);
        if greater.count_ones() + 1 < count || left < least(greater, count - 1) {
            return Some(());
        }
        if left <= greatest(greater, count - 1) {
            extend(greater, count - 1, left, chosen | only(value), most, found)?;
        }
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::{combinations, only_combination};
    use crate::domains::{up_to, values};

    #[test]
    fn combinations_are_all_sets_with_the_sum() {
        for count in 1..=9 {
            for sum in 0..50 {
                let sets: Vec<u64> = (0..1u64 << 9)
                    .filter(|set| set.count_ones() == count)
                    .filter(|&set| values(set).map(i32::from).sum::<i32>() == sum)
                    .collect();
                let mut found = combinations(up_to(9), count, sum, 1000).unwrap();
                found.sort_unstable();
                assert_eq!(found, sets, "{count} values, sum {sum}");
            }
        }
        assert_eq!(combinations(up_to(9), 4, 20, 11), None, "there are twelve");
    }
    #[test]
    fn only_combinations_are_those_without_another() {
        for set in 0..1u64 << 10 {
            for count in 1..=10 {
                for sum in -1..60 {
                    let found = combinations(set, count, sum, 1000).unwrap();
                    let only = if let [set] = found[..] { Some(set) } else { None };
                    assert_eq!(only_combination(set, count, sum), only, "{count} of {set:b}, sum {sum}");
                }
            }
        }
    }
}
