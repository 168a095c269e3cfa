//! Problems of which mathematicians do not know the best solutions: their names, and the size behind the colon.

use nestling::duel::Players;
use nestling::search::Searches;
use nestling_puzzles::golomb::MOST_MARKS;
use nestling_puzzles::grown::{LARGEST_GRID, LARGEST_SIDON, MOST_CAP_DIMENSIONS};
use nestling_puzzles::schur::MOST_SETS;
use nestling_puzzles::snake::MOST_DIMENSIONS;
use nestling_puzzles::{CapSet, Golomb, NoThreeInLine, SidonSet, Snake, WeakSchur};

use crate::Registry;
use crate::parameters::only_number;

/// Adds all of them.
pub(crate) fn register<S: Searches, W: Players>(registry: Registry<S, W>) -> Registry<S, W> {
    registry
        .with_own_kernels(
            "snake",
            "the longest path without shortcuts in a hypercube; snake:8 has dimension 8",
            |text| Ok(Snake::in_dimension(only_number(text, "a dimension", 7, 1..=MOST_DIMENSIONS)?)),
        )
        .with_own_kernels(
            "coil",
            "the longest cycle without shortcuts in a hypercube; coil:8 has dimension 8",
            |text| Ok(Snake::coil_in_dimension(only_number(text, "a dimension", 7, 2..=MOST_DIMENSIONS)?)),
        )
        .with_own(
            "weak-schur",
            "put 1, 2, 3, … into sets, none of which contains x, y and x + y; weak-schur:4 has four sets",
            |text| Ok(WeakSchur::with_sets(only_number(text, "a number of sets", 4, 1..=MOST_SETS)?)),
        )
        .with_own(
            "cap-set",
            "many points of 0, 1, 2 in n coordinates, no three on a line; cap-set:4 has four coordinates",
            |text| Ok(CapSet::in_dimension(only_number(text, "a dimension", 4, 1..=MOST_CAP_DIMENSIONS)?)),
        )
        .with_own(
            "sidon-set",
            "many numbers whose sums of two are all different; sidon-set:100 has numbers up to 100",
            |text| Ok(SidonSet::up_to(only_number(text, "a largest number", 100, 1..=LARGEST_SIDON)?)),
        )
        .with_own(
            "golomb-ruler",
            "a short ruler on which all distances between marks differ; golomb-ruler:8 has 8 marks",
            |text| Ok(Golomb::with_marks(only_number(text, "a number of marks", 8, 2..=MOST_MARKS)?)),
        )
        .with_own(
            "no-three-in-line",
            "many points of a square grid, no three in line; no-three-in-line:10 has 10 × 10 points",
            |text| Ok(NoThreeInLine::on_grid(only_number(text, "a side", 10, 1..=LARGEST_GRID)?)),
        )
}
