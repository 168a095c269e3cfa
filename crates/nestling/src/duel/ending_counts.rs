//! How simulations ended, counted independently of the side to move.

use crate::game::{Ending, Player};

/// Counts of endings. They are integers, so that adding up the counts of several trees gives the same in any order.
///
/// ```
/// use nestling::{Ending, Player, duel::EndingCounts};
/// let mut tally = EndingCounts::default();
/// tally.add(Ending::Win(Player::Second));
/// tally.add(Ending::Draw);
/// assert_eq!(tally.value(Player::Second, 0.5), 0.75);
/// assert_eq!(tally.value(Player::First, 0.5), 0.25);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EndingCounts {
    first: u32,
    second: u32,
    draws: u32,
}

impl EndingCounts {
    /// Counts one more ending.
    #[inline]
    pub fn add(&mut self, ending: Ending) {
        match ending {
            Ending::Win(Player::First) => self.first += 1,
            Ending::Win(Player::Second) => self.second += 1,
            Ending::Draw => self.draws += 1,
        }
    }

    /// Adds the counts of another.
    pub fn merge(&mut self, other: EndingCounts) {
        self.first += other.first;
        self.second += other.second;
        self.draws += other.draws;
    }

    /// Each count times a weight, rounded to whole endings.
    #[must_use]
    pub fn weighted(self, weight: f64) -> EndingCounts {
        let times = |count: u32| (f64::from(count) * weight).round() as u32;
        EndingCounts { first: times(self.first), second: times(self.second), draws: times(self.draws) }
    }

    /// How many endings were counted.
    #[inline]
    pub fn visits(self) -> u32 {
        self.first + self.second + self.draws
    }

    /// How many of them this player has won.
    #[inline]
    pub fn wins(self, player: Player) -> u32 {
        match player {
            Player::First => self.first,
            Player::Second => self.second,
        }
    }

    /// How many were draws.
    pub fn draws(self) -> u32 {
        self.draws
    }

    /// The mean value of the endings to a player, with 1 for a win and `draw` for a draw; 0 if nothing was counted.
    #[inline]
    pub fn value(self, player: Player, draw: f64) -> f64 {
        let worth = f64::from(self.wins(player)) + f64::from(self.draws) * draw;
        worth / f64::from(self.visits().max(1))
    }
}
