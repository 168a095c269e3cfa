//! Generated puzzles: one solution, the level, the shape; hints that are true; mistakes that are found.

use nestling::{Problem, state_after};
use nestling_presentation::{Mistakes, Presentation, Solutions};
use nestling_puzzles::kakuro::{Kakuro, Square, SumBounds};
use nestling_puzzles::logic::{Grading, KAKURO, Level, SUDOKU};
use nestling_puzzles::sudoku::Sudoku;
use nestling_puzzles::{Assignment, GeneratedPuzzle, NoPuzzle, PuzzleKind, generate, solutions};

fn sudoku(puzzle: &GeneratedPuzzle) -> Sudoku {
    Sudoku::read(&puzzle.text).unwrap().remove(0)
}

fn kakuro(puzzle: &GeneratedPuzzle) -> Kakuro {
    Kakuro::read(&puzzle.text, None, SumBounds::Both).unwrap().remove(0)
}

/// Generates a puzzle and checks it: depth-first search, which knows neither formulas nor techniques, finds exactly one solution too.
fn checked(kind: PuzzleKind, level: Level, size: usize, seed: u64) -> GeneratedPuzzle {
    let puzzle = generate(kind, level, size, seed, &|| false).unwrap();
    check(&puzzle, kind, level, size, seed);
    puzzle
}

fn check(puzzle: &GeneratedPuzzle, kind: PuzzleKind, level: Level, size: usize, seed: u64) {
    let place = format!("{kind} {size} {level} {seed}:\n{}", puzzle.text);
    let (grading, count, certified): (Grading, _, _) = match kind {
        PuzzleKind::Sudoku => {
            let sudoku = sudoku(puzzle);
            let givens = sudoku.givens();
            let mirrored = (0..givens.len()).all(|cell| (givens[cell] > 0) == (givens[givens.len() - 1 - cell] > 0));
            assert!(mirrored, "{place}");
            (sudoku.grading(), solutions(&sudoku, 10_000_000), sudoku.certify(&puzzle.solution))
        }
        PuzzleKind::Kakuro => {
            let kakuro = kakuro(puzzle);
            shape(&kakuro, &place);
            (kakuro.grading(), solutions(&kakuro, 10_000_000), kakuro.certify(&puzzle.solution))
        }
    };
    assert_eq!((grading.level, count), (level, Some(Solutions::One)), "{place}");
    assert_eq!(grading, puzzle.grading);
    assert_eq!(certified.unwrap().score, 0.0, "{place}");
}

/// Black cells inside, the same upside down.
fn shape(kakuro: &Kakuro, place: &str) {
    let (width, places) = (kakuro.width(), kakuro.places());
    let inside: Vec<bool> = (0..places.len())
        .filter(|cell| *cell > width && !cell.is_multiple_of(width))
        .map(|cell| places[cell] == Square::White)
        .collect();
    assert!(inside.iter().eq(inside.iter().rev()), "{place}");
    assert!(inside.iter().filter(|&&white| !white).count() * 10 > inside.len(), "{place}");
}

#[test]
fn puzzles_have_one_solution_and_their_level() {
    for seed in 0..3 {
        for level in Level::ALL {
            checked(PuzzleKind::Sudoku, level, 9, seed);
        }
        checked(PuzzleKind::Sudoku, Level::Easy, 4, seed);
        for level in &Level::ALL[..3] {
            checked(PuzzleKind::Kakuro, *level, 6, seed);
        }
    }
    checked(PuzzleKind::Sudoku, Level::Medium, 16, 1);
    checked(PuzzleKind::Kakuro, Level::Expert, 7, 1);
}

#[test]
fn a_seed_gives_one_puzzle() {
    for kind in PuzzleKind::ALL {
        let text = |seed| generate(kind, Level::Medium, kind.usual_size(), seed, &|| false).unwrap().text;
        assert_eq!(text(5), text(5));
        assert_ne!(text(5), text(6));
    }
}

#[test]
fn other_puzzles_are_refused() {
    let refused = |kind, level, size| generate(kind, level, size, 1, &|| false).unwrap_err().to_string();
    assert_eq!(
        refused(PuzzleKind::Sudoku, Level::Easy, 10),
        "size 10: generated sudokus have 4, 9 or 16 cells in a row"
    );
    assert_eq!(refused(PuzzleKind::Sudoku, Level::Hard, 4), "level hard: generated sudokus of size 4 are easy");
    assert_eq!(
        refused(PuzzleKind::Kakuro, Level::Extreme, 8),
        "level extreme: generated kakuros of size 8 are easy, medium, hard or expert"
    );
    assert_eq!(generate(PuzzleKind::Sudoku, Level::Hard, 9, 1, &|| true).unwrap_err(), NoPuzzle::GivenUp);
    assert_eq!(
        "sudko".parse::<PuzzleKind>().unwrap_err().to_string(),
        "no puzzles of \"sudko\"; there are sudoku and kakuro"
    );
    assert!("Hard".parse::<Level>().is_err());
}

/// Follows hints from an empty grid to the end: each names a technique, and says only what is true of the solution.
fn follow<P: Presentation<Move = Assignment>>(
    problem: &P,
    solution: &[Assignment],
    techniques: &[&str],
) -> Vec<String> {
    let (mut moves, mut used) = (Vec::new(), Vec::new());
    while problem.certify(&moves).unwrap().score > 0.0 {
        let reasons = problem.reasons(&moves).unwrap();
        let state = state_after(problem, &moves);
        for reason in &reasons {
            assert!(techniques.contains(&reason.technique.as_str()) && !reason.cells.is_empty());
            assert!(reason.words.ends_with('.') && !reason.words.contains("  "), "{}", reason.words);
            let is_right = |text: &String| solution.iter().any(|&played| state.move_text(played) == *text);
            assert!(reason.played.iter().all(is_right), "{reason:?}");
            assert!(!reason.excluded.iter().any(is_right), "{reason:?}");
            used.push(reason.technique.clone());
        }
        let (last, before) = reasons.split_last().unwrap();
        assert!(before.iter().all(|reason| reason.played.is_none()));
        let played = problem.parse(&[last.played.as_deref().unwrap()]);
        moves.extend(played.unwrap_or_else(|error| panic!("{error}: {last:?}")));
    }
    used
}

#[test]
fn hints_lead_to_the_solution() {
    let names =
        |table: &[nestling_puzzles::logic::LogicTechnique]| table.iter().map(|one| one.name).collect::<Vec<_>>();
    let mut used = Vec::new();
    for seed in 0..4 {
        for level in &Level::ALL[..4] {
            let puzzle = checked(PuzzleKind::Sudoku, *level, 9, seed);
            used.extend(follow(&sudoku(&puzzle), &puzzle.solution, &names(SUDOKU)));
        }
        for level in &Level::ALL[..3] {
            let puzzle = checked(PuzzleKind::Kakuro, *level, 6, seed);
            used.extend(follow(&kakuro(&puzzle), &puzzle.solution, &names(KAKURO)));
        }
    }
    for name in
        ["hidden single", "naked single", "pointing", "naked pair", "forced sum", "sets of a sum", "bounds of a sum"]
    {
        assert!(used.iter().any(|one| one == name), "{name}");
    }
}

/// The cells that a technique names are those that show it.
#[test]
fn a_hint_names_its_cells() {
    let sudoku = Sudoku::read("1... ..3. .4.. ...2").unwrap().remove(0);
    let reasons = sudoku.reasons(&[]).unwrap();
    assert_eq!(reasons.len(), 1);
    assert_eq!((reasons[0].technique.as_str(), reasons[0].level.as_str()), ("hidden single", "easy"));
    let played = reasons[0].played.clone().unwrap();
    assert!(played.starts_with(&reasons[0].cells[0]), "{played}");
    assert!(reasons[0].words.contains("only"), "{}", reasons[0].words);
}

#[test]
fn mistakes_are_named() {
    for kind in PuzzleKind::ALL {
        let puzzle = checked(kind, Level::Easy, kind.sizes()[1], 3);
        let found = |moves: &[Assignment]| match kind {
            PuzzleKind::Sudoku => sudoku(&puzzle).mistakes(moves),
            PuzzleKind::Kakuro => kakuro(&puzzle).mistakes(moves),
        };
        let legal = |moves: &[Assignment]| match kind {
            PuzzleKind::Sudoku => sudoku(&puzzle).certify(moves).is_ok(),
            PuzzleKind::Kakuro => kakuro(&puzzle).certify(moves).is_ok(),
        };
        assert_eq!(found(&puzzle.solution[..5]), Some(Mistakes::Moves(vec![])));
        let wrong = puzzle.solution.iter().flat_map(|&right| (1..=9).map(move |value| Assignment { value, ..right }));
        let moves = wrong.filter(|wrong| !puzzle.solution.contains(wrong)).map(|wrong| [wrong, puzzle.solution[0]]);
        let moves = moves.filter(|moves| moves[0].cell != moves[1].cell).find(|moves| legal(moves)).unwrap();
        assert_eq!(found(&moves), Some(Mistakes::Moves(vec![0])), "{moves:?}");
    }
    // With several solutions, the first move after which there is none.
    let open = Sudoku::read("1.3.\n....\n..4.\n..2.\n").unwrap().remove(0);
    assert_eq!(open.solutions(), Some(Solutions::Several));
    let moves = open.parse(&["r2c2=4", "r3c1=3", "r1c2=2"]).unwrap();
    assert_eq!(open.mistakes(&moves[..1]), Some(Mistakes::Moves(vec![])));
    assert_eq!(open.mistakes(&moves), Some(Mistakes::Moves(vec![1])));
    let none = Sudoku::read("....\n.2..\n3...\n..21\n").unwrap().remove(0);
    assert_eq!(none.mistakes(&[]), Some(Mistakes::Unsolvable));
}

/// A thousand of a kind and level: `scripts/soak`. Prints how long a puzzle takes, without the checks, and in how many of them each technique is needed.
fn a_thousand(kind: PuzzleKind, level: Level) {
    let size = kind.usual_size();
    let mut seconds = Vec::new();
    let mut used = std::collections::BTreeMap::<&str, usize>::new();
    for seed in 0..1000 {
        let began = std::time::Instant::now();
        let puzzle = generate(kind, level, size, seed, &|| false).unwrap();
        seconds.push(began.elapsed().as_secs_f64());
        check(&puzzle, kind, level, size, seed);
        puzzle.grading.used.iter().for_each(|&(name, _)| *used.entry(name).or_default() += 1);
    }
    seconds.sort_by(f64::total_cmp);
    let mean = seconds.iter().sum::<f64>() / 1e3;
    println!(
        "{kind} {level}: {:.1} ms a puzzle (median {:.1}, at most {:.0}); {used:?}",
        1e3 * mean,
        1e3 * seconds[500],
        1e3 * seconds[999]
    );
}

macro_rules! thousands {
    ($($name:ident: $kind:ident $level:ident,)*) => {
        $(
            #[test]
            #[ignore = "seconds to minutes: scripts/soak"]
            fn $name() {
                a_thousand(PuzzleKind::$kind, Level::$level);
            }
        )*
    };
}

thousands! {
    a_thousand_easy_sudokus: Sudoku Easy,
    a_thousand_medium_sudokus: Sudoku Medium,
    a_thousand_hard_sudokus: Sudoku Hard,
    a_thousand_expert_sudokus: Sudoku Expert,
    a_thousand_extreme_sudokus: Sudoku Extreme,
    a_thousand_easy_kakuros: Kakuro Easy,
    a_thousand_medium_kakuros: Kakuro Medium,
    a_thousand_hard_kakuros: Kakuro Hard,
    a_thousand_expert_kakuros: Kakuro Expert,
}
