//! Small problems for the targets of checkpoints and tasks. They panic when a move is played that is not legal, as an engine may.

use nestling::engine::{Formula, Improver, Literal};
use nestling::{Goal, Problem, Rng};

/// Left or right at each of a few steps; the score counts the lefts.
#[derive(Clone)]
pub struct LeftMove {
    pub depth: u8,
    pub lefts: u8,
}

impl Problem for LeftMove {
    type Move = bool;

    fn legal_moves(&self, moves: &mut Vec<bool>) {
        moves.clear();
        if self.depth > 0 {
            moves.extend([true, false]);
        }
    }

    fn play(&mut self, left: bool) {
        self.depth = self.depth.checked_sub(1).expect("a legal move");
        self.lefts += u8::from(left);
    }

    fn score(&self) -> f64 {
        self.lefts.into()
    }

    fn position(&self) -> Option<u128> {
        Some(u128::from(self.depth) << 8 | u128::from(self.lefts))
    }

    fn improver(&self) -> Option<Box<dyn Improver<bool> + '_>> {
        Some(Box::new(Turns(self)))
    }
}

/// Turns some moves round, then the first that goes right.
struct Turns<'a>(&'a LeftMove);

impl Improver<bool> for Turns<'_> {
    fn improve(&mut self, game: &mut Vec<bool>, strength: u32, rng: &mut Rng, _: &dyn Fn() -> bool) -> Option<f64> {
        for _ in 0..strength {
            let place = rng.below(game.len());
            game[place] = !game[place];
        }
        if let Some(right) = game.iter_mut().find(|left| !**left) {
            *right = true;
        }
        Some(self.0.certify(game).expect("the moves are legal").score)
    }
}

/// A queen in each row, so that none attacks another; the score counts the rows without one.
#[derive(Clone)]
pub struct Queens {
    pub side: u8,
    pub columns: Vec<u8>,
}

fn attack(one: (u8, u8), other: (u8, u8)) -> bool {
    one.0 == other.0 || one.1 == other.1 || one.0.abs_diff(other.0) == one.1.abs_diff(other.1)
}

impl Problem for Queens {
    type Move = (u8, u8);

    fn legal_moves(&self, moves: &mut Vec<(u8, u8)>) {
        let row = self.columns.len() as u8;
        let is_free =
            |&column: &u8| (0..).zip(&self.columns).all(|(other, &there)| !attack((row, column), (other, there)));
        moves.clear();
        if row < self.side {
            moves.extend((0..self.side).filter(is_free).map(|column| (row, column)));
        }
    }

    fn play(&mut self, played: (u8, u8)) {
        let mut legal = Vec::new();
        self.legal_moves(&mut legal);
        assert!(legal.contains(&played), "a move that is not legal is played");
        self.columns.push(played.1);
    }

    fn score(&self) -> f64 {
        f64::from(self.side) - self.columns.len() as f64
    }

    fn goal(&self) -> Goal {
        Goal::Min
    }

    fn formula(&self) -> Option<Formula<(u8, u8)>> {
        let free = |row: u8| {
            let fits = move |&column: &u8| {
                (0..).zip(&self.columns).all(|(other, &there)| !attack((row, column), (other, there)))
            };
            (0..self.side).filter(fits).map(move |column| (row, column))
        };
        let rows = self.columns.len() as u8..self.side;
        let places: Vec<(u8, u8)> = rows.clone().flat_map(free).collect();
        let mut formula = Formula::new(places.clone());
        let numbered = || (0_u32..).zip(&places);
        for row in rows {
            let of_row: Vec<u32> = numbered().filter(|(_, place)| place.0 == row).map(|(number, _)| number).collect();
            formula.exactly_one(&of_row);
        }
        for (one, &place) in numbered() {
            for (other, _) in numbered().filter(|&(other, &there)| other < one && attack(place, there)) {
                formula.add(&[Literal::not(one), Literal::not(other)]);
            }
        }
        Some(formula)
    }
}
