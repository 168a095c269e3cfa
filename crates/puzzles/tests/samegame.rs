//! SameGame: the engine is the plain rules, the published boards are what they are said to be.

use nestling::conformance::{WithoutEngines, check};
use nestling::engine::{Batch, PlayoutPolicy, Rule, play_batch};
use nestling::{Goal, Problem, Run, Stream};
use nestling_puzzles::samegame::{Rules, SameGame, SameGameBoard};
use proptest::prelude::*;

fn standard_boards() -> Option<Vec<SameGameBoard>> {
    let path = nestling_testing::data()?.join("samegame/standard20_compact.txt");
    Some(SameGameBoard::read(&std::fs::read_to_string(path).unwrap()).unwrap())
}

#[test]
fn the_engine_conforms() {
    for (columns, rows, colours) in [(15, 15, 5), (20, 9, 3), (64, 3, 16), (3, 64, 2), (1, 1, 1), (64, 64, 1)] {
        let board = SameGameBoard::seeded(columns, rows, colours, 3).unwrap();
        check(&SameGame::new(board.clone(), false), 20).unwrap();
        check(&SameGame::new(board, true), 5).unwrap();
    }
}

#[test]
fn the_plain_rules_conform() {
    check(&Rules::new(&SameGameBoard::seeded(8, 8, 4, 3).unwrap(), true), 5).unwrap();
}

proptest! {
    /// The law of the engine: the same lists of moves, sizes and scores as the plain rules, in every state of every game.
    #[test]
    fn engine_and_rules_agree(columns in 1usize..20, rows in 1usize..20, colours in 1usize..7, seed: u64, penalty: bool) {
        let board = SameGameBoard::seeded(columns, rows, colours, seed).unwrap();
        let mut rules = Rules::new(&board, penalty);
        let mut game = SameGame::new(board, penalty);
        let (mut expected, mut found) = (Vec::new(), Vec::new());
        let mut rng = Stream::new(seed).child(1).rng();
        loop {
            rules.legal_moves(&mut expected);
            game.legal_moves(&mut found);
            prop_assert_eq!(&expected, &found);
            prop_assert_eq!(rules.score(), game.score());
            if found.is_empty() {
                break;
            }
            let played = found[rng.below(found.len())];
            rules.play(played);
            game.play(played);
        }
    }

    /// A board as text is the board, and any text is a board or one line that says why not.
    #[test]
    fn boards_are_read_back(columns in 1usize..20, rows in 1usize..20, colours in 1usize..=16, seed: u64, noise in "[0-9a-h \n#]{0,80}") {
        let board = SameGameBoard::seeded(columns, rows, colours, seed).unwrap();
        prop_assert_eq!(SameGameBoard::read(&board.to_string()).unwrap(), vec![board]);
        if let Err(error) = SameGameBoard::read(&noise) {
            prop_assert!(!error.to_string().contains('\n'));
        }
    }
}

/// The law of NRPA's engine: the games and the learned weights of the problem's own methods, by every policy, also from
/// the middle of a game.
#[test]
fn nrpa_is_the_same_without_its_engine() {
    let sizes = [(15, 15, 5), (15, 15, 2), (20, 9, 3), (3, 64, 2), (64, 3, 4), (5, 5, 1), (1, 1, 1)];
    for (seed, (columns, rows, colours)) in (1..).zip(sizes) {
        let game = SameGame::new(SameGameBoard::seeded(columns, rows, colours, seed).unwrap(), false);
        let mut later = game.clone();
        for _ in 0..5 {
            let mut moves = Vec::new();
            later.legal_moves(&mut moves);
            moves.get(moves.len() / 2).iter().for_each(|&&middle| later.play(middle));
        }
        for policy in ["uniform", "tabu", "selective", "lenient"] {
            let search = format!("nrpa(3, iterations=9, playout={policy})");
            for game in [&game, &later] {
                let fast = Run::new(game, search.parse().unwrap()).seed(seed).start().unwrap();
                let slow = Run::new(&WithoutEngines(game.clone()), search.parse().unwrap()).seed(seed).start().unwrap();
                assert_eq!(fast.moves(), slow.moves(), "{search} on {columns} × {rows}");
                assert_eq!(fast.counts.moves, slow.counts.moves);
                assert_eq!(fast.learned, slow.learned);
            }
        }
    }
}

#[test]
fn cells_fall_and_columns_close() {
    let board = SameGameBoard::read("102\n202\n202\n").unwrap().remove(0);
    let mut game = SameGame::new(board, false);
    let mut moves = Vec::new();
    for (expected, text) in [(3, "2,1"), (1, "1,1")] {
        game.legal_moves(&mut moves);
        assert_eq!(moves.len(), expected);
        let played = *moves.iter().find(|&&played| game.move_text(played) == text).unwrap();
        game.play(played);
    }
    // The zeros were worth 1; what was right of them closed up: five twos, then a single 1.
    assert_eq!(game.score(), 10.0);
    game.legal_moves(&mut moves);
    assert!(moves.is_empty());
}

#[test]
fn leftovers_cost_only_if_asked_for() {
    let board = || SameGameBoard::read("0101010\n").unwrap().remove(0);
    assert_eq!(SameGame::new(board(), false).score(), 0.0);
    assert_eq!(SameGame::new(board(), true).score(), -5.0);
}

/// The tabu colour is left alone while there is anything else, and no longer tabu when it is all together.
#[test]
fn policies_prefer_what_they_say() {
    let considered = |text: &str, policy: usize| {
        let game = SameGame::new(SameGameBoard::read(text).unwrap().remove(0), false);
        let (mut moves, mut weights) = (Vec::new(), Vec::new());
        game.legal_moves(&mut moves);
        game.prefer(policy, &mut moves, &mut weights);
        moves.into_iter().map(|played| game.move_text(played)).collect::<Vec<_>>()
    };
    assert_eq!(considered("00100\n11222\n", 0), ["1,1", "3,1"]);
    assert_eq!(considered("00122\n00133\n", 0), ["1,1", "3,1", "4,1", "4,2"]);
    assert_eq!(considered("00100\n", 0), ["1,1", "4,1"]);
    assert_eq!(considered("00100\n11222\n", 1), ["3,1"]);
    assert_eq!(considered("00100\n11220\n", 1), ["1,1", "3,1"]);
    assert_eq!(considered("00100\n11222\n", 2), ["1,1", "3,1"]);
}

/// `lenient` is `tabu` for ten moves; then it takes groups of two, which are worth nothing, of every colour.
#[test]
fn lenient_takes_pairs_after_ten_moves() {
    let mut game = SameGame::new(SameGameBoard::seeded(15, 15, 4, 5).unwrap(), false);
    let mut more = 0;
    for step in 0..25 {
        let mut legal = Vec::new();
        game.legal_moves(&mut legal);
        let considered = |policy| {
            let mut moves = legal.clone();
            game.prefer(policy, &mut moves, &mut Vec::new());
            moves
        };
        let (tabu, lenient) = (considered(0), considered(2));
        let worthless = |played| {
            let mut game = game.clone();
            let before = game.score();
            game.play(played);
            game.score() == before
        };
        let expected = legal.iter().copied().filter(|&cell| tabu.contains(&cell) || step >= 10 && worthless(cell));
        assert_eq!(lenient, expected.collect::<Vec<_>>(), "step {step}");
        more += lenient.len() - tabu.len();
        game.play(tabu[tabu.len() / 2]);
    }
    assert!(more > 0);
}

/// Twenty boards, each 15 by 15 with five colours.
#[test]
fn the_standard_boards_are_read() {
    let Some(boards) = standard_boards() else { return };
    assert_eq!(boards.len(), 20);
    for board in boards {
        assert_eq!((board.columns(), board.rows()), (15, 15));
        assert_eq!(board.counts().iter().filter(|&&count| count > 0).count(), 5);
    }
}

fn standard_boards_conform(count: usize) {
    let Some(boards) = standard_boards() else { return };
    boards.into_iter().take(count).for_each(|board| check(&SameGame::new(board, false), 3).unwrap());
}

#[test]
fn two_standard_boards_conform() {
    standard_boards_conform(2);
}

#[test]
#[ignore = "half a minute; scripts/soak runs it"]
fn all_standard_boards_conform() {
    standard_boards_conform(20);
}

/// A cleared 15 × 15 board always has an odd score.
#[test]
fn cleared_boards_have_odd_scores() {
    for seed in 0..10 {
        let game = SameGame::new(SameGameBoard::seeded(15, 15, 3, seed).unwrap(), false);
        let found = Run::new(&game, "nested(1, playout=tabu)".parse().unwrap()).seed(seed).start().unwrap();
        let left = found.moves().iter().fold(game, |mut game, &played| {
            game.play(played);
            game
        });
        if left.rules().columns().is_empty() {
            assert_eq!(found.score().unwrap() % 2.0, 1.0, "seed {seed}");
        }
    }
}

/// The engine's playouts are the games of the plain rules.
#[test]
fn playouts_are_those_of_the_plain_rules() {
    let policy = PlayoutPolicy { rule: Rule::Uniform, weights: None };
    for seed in 1..5 {
        let board = SameGameBoard::seeded(15, 15, 5, seed).unwrap();
        let (rules, game) = (Rules::new(&board, false), SameGame::new(board, false));
        let batch = || Batch::repeated(&policy, Goal::Max, Stream::new(seed), 0, 50);
        let (mut plain, mut fast) = (batch(), batch());
        play_batch(&rules, &mut plain);
        game.playouts(&mut fast);
        assert_eq!((plain.best(), plain.moves_played()), (fast.best(), fast.moves_played()), "seed {seed}");
    }
}
