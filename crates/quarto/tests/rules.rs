//! The fast positions play by the plain rules.

use nestling::{Ending, Player, Stream};
use nestling_quarto::{Cell, Cells, Fault, Move, Piece, Pieces, Position, Rules, Variant};

/// The moves that the plain rules allow.
fn allowed(rules: &Rules) -> Vec<Move> {
    let all = Piece::ALL.iter().map(Move::Give).chain(Cell::ALL.iter().map(Move::Place));
    all.filter(|&played| rules.clone().play(played).is_ok()).collect()
}

/// Whether a move wins by the plain rules.
fn wins(rules: &Rules, played: Move) -> bool {
    let mut next = rules.clone();
    next.play(played).is_ok() && matches!(next.ending(), Some(Ending::Win(_)))
}

#[test]
fn positions_follow_the_plain_rules() {
    for (variant, seed) in Variant::ALL.into_iter().flat_map(|variant| (0..300).map(move |seed| (variant, seed))) {
        let (mut position, mut rules) = (Position::new(variant), Rules::new(variant));
        let mut rng = Stream::new(seed).rng();
        loop {
            let moves: Vec<Move> = position.moves().collect();
            assert_eq!(moves, allowed(&rules), "{variant:?}, seed {seed}");
            assert_eq!(position.ending(), rules.ending());
            assert_eq!(Rules::from(&position), rules);
            assert_eq!(position.is_won(), !position.won_lines().is_empty());
            if moves.is_empty() {
                break;
            }
            match position.hand() {
                Some(_) => {
                    let cells: Cells = Cell::ALL.iter().filter(|&cell| wins(&rules, Move::Place(cell))).collect();
                    assert_eq!(position.winning_cells(), cells);
                }
                None => {
                    let harmless = |&piece: &Piece| {
                        let mut given = rules.clone();
                        given.play(Move::Give(piece)).is_ok()
                            && !Cell::ALL.iter().any(|cell| wins(&given, Move::Place(cell)))
                    };
                    assert_eq!(position.safe_pieces(), Piece::ALL.iter().filter(harmless).collect::<Pieces>());
                }
            }
            let played = moves[rng.below(moves.len())];
            position.play(played);
            rules.play(played).unwrap();
        }
    }
}

#[test]
fn faults_name_the_culprit_and_change_nothing() {
    let [one, two] = [1, 2].map(|number| Piece::new(number).unwrap());
    let cell = Cell::new(5).unwrap();
    let mut rules = Rules::new(Variant::Lines);
    assert_eq!(rules.play(Move::Place(cell)), Err(Fault::HandEmpty(cell)));
    rules.play(Move::Give(one)).unwrap();
    assert_eq!(rules.play(Move::Give(two)), Err(Fault::HandFull { given: two, hand: one }));
    rules.play(Move::Place(cell)).unwrap();
    assert_eq!(rules.play(Move::Give(one)), Err(Fault::Used { piece: one, cell }));
    rules.play(Move::Give(two)).unwrap();
    let before = rules.clone();
    let taken = rules.play(Move::Place(cell)).unwrap_err();
    assert_eq!(taken.to_string(), "b2 is taken by LSRF");
    assert_eq!(rules, before);
}

/// How often random games are drawn, won by the player who gives first, and won by the one who places first.
fn random_games(games: u64) -> [f64; 3] {
    let mut counts = [0; 3];
    for game in 0..games {
        let mut rng = Stream::new(3).child(game).rng();
        let mut position = Position::new(Variant::Lines);
        let ending = loop {
            let left = position.left();
            position.give(left.pick(rng.below(left.len())));
            let empty = position.empty();
            position.place(empty.pick(rng.below(empty.len())));
            if let Some(ending) = position.ending() {
                break ending;
            }
        };
        let index = match ending {
            Ending::Draw => 0,
            Ending::Win(Player::First) => 1,
            Ending::Win(Player::Second) => 2,
        };
        counts[index] += 1;
    }
    counts.map(|count| f64::from(count) / games as f64)
}

/// Each rate is within three standard errors of the exact one: 414298141056 of the 16! orders of all pieces on all cells
/// are draws.
fn assert_rates(games: u64) {
    let draws = 414_298_141_056.0 / 20_922_789_888_000.0;
    for (rate, exact) in random_games(games).into_iter().zip([draws, 0.4956, 0.4846]) {
        let error = (exact * (1.0 - exact) / games as f64).sqrt();
        assert!((rate - exact).abs() < 3.0 * error + 5e-5, "{rate} should be {exact}, give or take {error}");
    }
}

#[test]
fn random_games_end_as_often_as_they_should() {
    assert_rates(300_000);
}

#[test]
#[ignore = "ten million games take some seconds; scripts/soak runs them"]
fn ten_million_random_games_end_as_often_as_they_should() {
    assert_rates(10_000_000);
}
