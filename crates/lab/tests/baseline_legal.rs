//! Every technique knows, along random games, the same legal moves as the plain rules.

use nestling::{Problem, Rng, Stream};
use nestling_lab::baseline::{
    BaselineError, FourDirections, PlainList, RangeQuery, Rectangle, Rescan, SortedLists, TrackedPosition, VectorList,
    WholeBoard, code_of, move_of,
};
use nestling_morpion::{Move, Rules, Variant};

/// A game by the rules: before every move the legal ones, sorted, and the one played.
type Game = Vec<(Vec<Move>, Move)>;

fn random_game(variant: Variant, rng: &mut Rng) -> Game {
    let (mut rules, mut legal, mut game) = (Rules::new(variant), Vec::new(), Vec::new());
    loop {
        rules.legal_moves(&mut legal);
        if legal.is_empty() {
            return game;
        }
        let played = legal[rng.below(legal.len())];
        rules.play(played);
        legal.sort();
        game.push((legal.clone(), played));
    }
}

fn random_games(variant: Variant, count: usize) -> Vec<Game> {
    let mut rng = Stream::new(20220823).rng();
    (0..count).map(|_| random_game(variant, &mut rng)).collect()
}

fn sorted_moves<P: TrackedPosition>(position: &P) -> Vec<Move> {
    let mut moves: Vec<Move> = position.legal().iter().map(|&code| move_of(position, code)).collect();
    moves.sort();
    moves
}

fn follows<P: TrackedPosition>(games: &[Game]) {
    let start = P::new();
    let mut position = start.clone();
    for (number, game) in games.iter().enumerate() {
        position.clone_from(&start);
        for (step, (legal, played)) in game.iter().enumerate() {
            assert_eq!(&sorted_moves(&position), legal, "game {number}, before move {step}");
            position.play(code_of::<P>(played.line).expect("a line on the board")).expect("a game on the board");
        }
        assert!(position.legal().is_empty(), "game {number}, at its end");
    }
}

fn all_follow<const SIDE: usize, const TOUCHING: bool>(variant: Variant, games: usize) {
    let games = random_games(variant, games);
    follows::<RangeQuery<VectorList, SIDE, TOUCHING>>(&games);
    follows::<RangeQuery<PlainList, SIDE, TOUCHING>>(&games);
    follows::<SortedLists<SIDE, TOUCHING>>(&games);
    follows::<Rescan<Rectangle, SIDE, TOUCHING>>(&games);
    follows::<Rescan<FourDirections, SIDE, TOUCHING>>(&games);
    follows::<Rescan<WholeBoard, SIDE, TOUCHING>>(&games[..100]);
}

#[test]
fn disjoint_lines() {
    all_follow::<32, false>(Variant::FiveD, 500);
}

#[test]
fn touching_lines() {
    all_follow::<64, true>(Variant::FiveT, 500);
}

#[test]
#[ignore = "half a minute; scripts/soak runs it"]
fn many_games() {
    all_follow::<32, false>(Variant::FiveD, 2_000);
    all_follow::<64, true>(Variant::FiveT, 2_000);
}

/// On a board that is hardly larger than the cross every game leaves it: it must be refused there, not cut.
fn refuses<P: TrackedPosition>(variant: Variant) {
    let mut refused = 0;
    for game in random_games(variant, 100) {
        let mut position = P::new();
        for (legal, played) in game {
            let dot = played.dot();
            let inside = (0..10).contains(&dot.x) && (0..10).contains(&dot.y);
            assert_eq!(sorted_moves(&position), legal);
            let answer = position.play(code_of::<P>(played.line).expect("a line on the board"));
            assert_eq!(answer, if inside { Ok(()) } else { Err(BaselineError::OffBoard) });
            if !inside {
                assert_eq!(sorted_moves(&position), legal, "the position is as it was");
                refused += 1;
                break;
            }
        }
    }
    assert!(refused > 90, "only {refused} games left the board");
}

#[test]
fn games_that_leave_the_board_are_refused() {
    refuses::<RangeQuery<VectorList, 18, false>>(Variant::FiveD);
    refuses::<RangeQuery<PlainList, 18, true>>(Variant::FiveT);
    refuses::<SortedLists<18, false>>(Variant::FiveD);
    refuses::<SortedLists<18, true>>(Variant::FiveT);
    refuses::<Rescan<WholeBoard, 18, true>>(Variant::FiveT);
    refuses::<Rescan<FourDirections, 18, false>>(Variant::FiveD);
    refuses::<Rescan<Rectangle, 18, true>>(Variant::FiveT);
}
