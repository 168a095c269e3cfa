//! `dfs(merge=on)` searches each position once, and finds what `dfs` finds.

use crate::common::{Maze, assert_same, interrupt, resumed, run};
use nestling::{Goal, Problem, Stop, conformance, digest};

/// Items are taken in any order; every pair has a value of its own. Only neighbours exclude each other.
#[derive(Clone)]
struct Items {
    count: u8,
    taken: u32,
}

impl Items {
    fn new(count: u8) -> Self {
        Items { count, taken: 0 }
    }

    fn has(&self, item: u8) -> bool {
        self.taken >> item & 1 == 1
    }
}

impl Problem for Items {
    type Move = u8;

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.clear();
        let is_free = |&item: &u8| !(self.has(item) || self.has(item + 1) || item > 0 && self.has(item - 1));
        moves.extend((0..self.count).filter(is_free));
    }

    fn play(&mut self, item: u8) {
        self.taken |= 1 << item;
    }

    fn score(&self) -> f64 {
        let items = (0..self.count).filter(|&item| self.has(item));
        let worth = |item: u8| (digest([item.into(), (self.taken & 7).into()]) % 100) as f64;
        items.map(worth).sum()
    }

    fn position(&self) -> Option<u128> {
        Some(digest([self.taken.into()]))
    }
}

#[test]
fn merged_positions_change_nothing_but_the_cost() {
    let items = Items::new(11);
    conformance::check(&items, 50).unwrap();
    let (plain, merged) = ["dfs", "dfs(merge=on)"].map(|search| run(&items, search, 1).start().unwrap()).into();
    assert_eq!((plain.score(), plain.stop), (merged.score(), Stop::Finished));
    assert!(plain.proven && merged.proven);
    assert!(merged.counts.playouts * 10 < plain.counts.playouts, "{:?}", merged.counts);
}

/// Cut after every few games.
#[test]
fn merging_is_taken_up_again() {
    let (items, search) = (Items::new(20), "dfs(merge=on)");
    let whole = run(&items, search, 1).start().unwrap();
    assert!(whole.proven);
    let mut checkpoint = None;
    for cut in [1, 2, 3, 50, 51, 200] {
        let (outcome, next) = interrupt(&items, search, 1, checkpoint, |run| run.playouts(cut));
        assert_eq!(outcome.counts.playouts, cut);
        checkpoint = next;
    }
    assert_same(&whole, &resumed(&items, search, 1, checkpoint).start().unwrap(), search);
}

#[test]
fn problems_without_positions_are_refused() {
    let error = run(&Maze::new(1, 5, Goal::Max), "dfs(merge=on)", 1).start().unwrap_err().to_string();
    assert!(error.contains("merge=on"), "{error}");
}
