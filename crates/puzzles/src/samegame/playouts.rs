//! Playouts without lists of moves: first cells are counted, and the one that is drawn is found by its number.

use nestling::engine::{Batch, Rule, play_batch};
use nestling::{Problem, Rng};

use super::column::Group;
use super::game::{OwnPolicy, SameGame};
use super::{Cell, MAX_SIDE};

/// Plays the games of a batch.
pub(super) fn play(start: &SameGame, batch: &mut Batch<'_, Cell>) {
    let rule = batch.policy().rule;
    if batch.policy().weights.is_some() || rule == Rule::Mobility {
        return play_batch(start, batch);
    }
    let mut playout = PlayoutState {
        game: start.clone(),
        group: Group::new(),
        firsts: [0; MAX_SIDE],
        moves: Vec::new(),
        weights: Vec::new(),
    };
    let mut played = Vec::new();
    while !batch.is_over() {
        let index = batch.played();
        playout.game.clone_from(start);
        played.clear();
        if let Some(first) = batch.first_move(index) {
            playout.game.take(first, &mut playout.group);
            played.push(first);
        }
        let mut rng = batch.stream(index).rng();
        while let Some(next) = playout.draw(rule, &mut rng) {
            playout.game.take(next, &mut playout.group);
            played.push(next);
        }
        batch.record(playout.game.score(), played.len(), |moves| moves.extend_from_slice(&played));
    }
}

/// A game being played, and its buffers.
struct PlayoutState {
    game: SameGame,
    group: Group,
    /// By column: the first cells that are considered.
    firsts: [u64; MAX_SIDE],
    moves: Vec<Cell>,
    weights: Vec<f64>,
}

impl PlayoutState {
    /// The next move, drawn as from the list that the rule leaves of the legal moves.
    #[inline]
    fn draw(&mut self, rule: Rule, rng: &mut Rng) -> Option<Cell> {
        match rule {
            Rule::Own(policy) if self.needs_sizes(OwnPolicy::ALL[policy]) => {
                self.game.legal_moves(&mut self.moves);
                self.game.prefer(policy, &mut self.moves, &mut self.weights);
                (!self.moves.is_empty()).then(|| self.moves[rng.below(self.moves.len())])
            }
            Rule::Own(_) => {
                let all = self.consider(|_| u64::MAX);
                let tabu = self.game.tabu();
                let others = self.consider(|column| !column.of_colour(tabu));
                if others < all && (others == 0 || others + 1 == all && self.is_tabu_gathered()) {
                    self.consider(|_| u64::MAX);
                    return self.drawn(all, rng);
                }
                self.drawn(others, rng)
            }
            _ => {
                let all = self.consider(|_| u64::MAX);
                self.drawn(all, rng)
            }
        }
    }

    /// Whether the policy looks at the sizes of groups in this state.
    fn needs_sizes(&self, policy: OwnPolicy) -> bool {
        policy.avoids_pairs(self.game.played) || policy.takes_tabu_pairs(self.game.played)
    }

    /// Considers the first cells within a mask; how many there are.
    #[inline]
    fn consider(&mut self, mask: impl Fn(&super::column::Column) -> u64) -> usize {
        let mut count = 0;
        for (firsts, column) in self.firsts.iter_mut().zip(&self.game.columns) {
            *firsts = column.firsts & mask(column);
            count += firsts.count_ones();
        }
        count as usize
    }

    /// Whether the one first cell of the tabu colour, which is not considered, stands for all of it.
    fn is_tabu_gathered(&self) -> bool {
        let columns = self.game.columns.iter().zip(&self.firsts).enumerate();
        let mut tabu = columns.filter_map(|(column, (cells, &others))| match cells.firsts & !others {
            0 => None,
            first => Some(Cell { column: column as u8, row: first.trailing_zeros() as u8 }),
        });
        tabu.next().is_some_and(|first| self.game.is_gathered(first))
    }

    /// One of the `count` first cells that are considered.
    #[inline]
    fn drawn(&self, count: usize, rng: &mut Rng) -> Option<Cell> {
        if count == 0 {
            return None;
        }
        let mut number = rng.below(count) as u32;
        for (column, &firsts) in self.firsts.iter().enumerate() {
            let here = firsts.count_ones();
            if number < here {
                let mut firsts = firsts;
                for _ in 0..number {
                    firsts &= firsts - 1;
                }
                return Some(Cell { column: column as u8, row: firsts.trailing_zeros() as u8 });
            }
            number -= here;
        }
        None
    }
}
