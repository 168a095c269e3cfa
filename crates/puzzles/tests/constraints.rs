//! Sudoku and Kakuro: the laws, the plain rules, the papers' puzzles.

use std::time::Duration;

use nestling::conformance::check;
use nestling::{Problem, Run, Stop};
use nestling_puzzles::kakuro::{Bounds, Kakuro};
use nestling_puzzles::sudoku::Sudoku;

const BOUNDS: [Bounds; 3] = [Bounds::Weak, Bounds::Strong, Bounds::Both];

/// Solves a puzzle or says how far it came.
fn solve<P: Problem>(problem: &P, search: &str) -> f64 {
    let run = Run::new(problem, search.parse().unwrap()).seed(1).time(Duration::from_secs(100));
    let outcome = run.start().unwrap();
    assert_eq!(outcome.proven, outcome.result.score == 0.0, "{search}: solved is proven");
    assert!(outcome.result.score > 0.0 || outcome.stop == Stop::Bound, "{search}: a solution ends the run");
    outcome.result.score
}

#[test]
fn sudokus_conform() {
    check(&Sudoku::seeded(2, 16, 1).unwrap(), 100).unwrap();
    check(&Sudoku::seeded(3, 60, 1).unwrap(), 100).unwrap();
    check(&Sudoku::seeded(4, 169, 1).unwrap(), 5).unwrap();
}

#[test]
fn kakuros_conform() {
    for bounds in BOUNDS {
        check(&Kakuro::seeded(1, 1, 1, bounds).unwrap(), 1).unwrap();
        for seed in 0..3 {
            check(&Kakuro::seeded(4, 6, seed, bounds).unwrap(), 30).unwrap();
            check(&Kakuro::seeded(6, 7, seed, bounds).unwrap(), 10).unwrap();
        }
        check(&puzzler(bounds), 100).unwrap();
    }
}

/// A puzzle with black cells.
const PUZZLER: &str = "\
#     11\\   29\\   #     20\\   16\\
\\9    .     .     13\\12 .     .
\\31   .     .     .     .     .
#     9\\16  .     .     .     16\\
\\30   .     .     .     .     .
\\8    .     .     \\8    .     .
";

fn puzzler(bounds: Bounds) -> Kakuro {
    Kakuro::read(PUZZLER, None, bounds).unwrap().remove(0)
}

#[test]
fn puzzlers_kakuros_are_solved() {
    for bounds in BOUNDS {
        assert_eq!(solve(&puzzler(bounds), "dfs"), 0.0);
        assert_eq!(solve(&puzzler(bounds), "repeat(nested(1))"), 0.0);
    }
}

#[test]
fn every_search_solves_sudokus() {
    for search in ["dfs", "repeat(playout)", "repeat(nested(1))", "repeat(nested(1, memory=off))", "repeat(nested(2))"]
    {
        for seed in 0..5 {
            assert_eq!(solve(&Sudoku::seeded(3, 50, seed).unwrap(), search), 0.0, "{search}, seed {seed}");
        }
    }
}

/// Twenty 16 × 16 Sudokus with 66 % of the cells empty, with and without memory.
#[test]
fn the_papers_sudokus_are_solved() {
    for search in ["repeat(nested(1))", "repeat(nested(1, memory=off))", "repeat(nested(2))"] {
        for seed in 0..20 {
            assert_eq!(solve(&Sudoku::seeded(4, 169, seed).unwrap(), search), 0.0, "{search}, seed {seed}");
        }
    }
}

/// A hundred empty 6 × 6 grids with values 1 to 7.
#[test]
fn the_papers_kakuros_are_solved() {
    for search in ["repeat(nested(1))", "repeat(nested(2))"] {
        for seed in 0..100 {
            let kakuro = Kakuro::seeded(6, 7, seed, Bounds::Strong).unwrap();
            assert_eq!(solve(&kakuro, search), 0.0, "{search}, seed {seed}");
        }
    }
}

/// Without a solution, depth first search proves that there is none.
#[test]
fn what_has_no_solution_is_told_apart() {
    let sudoku = Sudoku::read("....\n.2..\n3...\n..21\n").unwrap().remove(0);
    let outcome = Run::new(&sudoku, "dfs".parse().unwrap()).start().unwrap();
    assert!(outcome.proven && outcome.result.score > 0.0, "{}", outcome.result.score);
    let cut = Run::new(&sudoku, "repeat(nested(1))".parse().unwrap()).playouts(1000).start().unwrap();
    assert!(!cut.proven && cut.stop == Stop::Playouts);
}

#[test]
fn puzzles_are_read_back() {
    for order in 2..=4 {
        let sudoku = Sudoku::seeded(order, order.pow(4) / 2, 5).unwrap();
        let again = Sudoku::read(&sudoku.to_string()).unwrap().remove(0);
        assert_eq!(sudoku.givens(), again.givens());
        let line = sudoku.to_string().replace('\n', "") + "\n";
        let again = Sudoku::read(&line.repeat(2)).unwrap().remove(1);
        assert_eq!(sudoku.givens(), again.givens());
    }
    for kakuro in [puzzler(Bounds::Weak), Kakuro::seeded(8, 12, 3, Bounds::Weak).unwrap()] {
        let again = Kakuro::read(&kakuro.to_string(), None, Bounds::Weak).unwrap().remove(0);
        assert_eq!((kakuro.places(), kakuro.largest()), (again.places(), again.largest()));
    }
}

#[test]
fn numbers_and_hexadecimals_are_values_too() {
    // A row of zeros alone may be sixteen symbols as well as sixteen numbers.
    let numbers =
        "16 0 0 0  0 0 0 0  0 0 0 0  0 0 0 3\n".to_owned() + &"0 0 0 0  0 0 0 0  0 0 0 0  0 0 0 0\n".repeat(15);
    let sudoku = Sudoku::read(&numbers).unwrap().remove(0);
    assert_eq!((sudoku.givens()[0], sudoku.givens()[15]), (16, 3));
    let hexadecimal = "0..............F\n".to_owned() + &"................\n".repeat(15);
    let sudoku = Sudoku::read(&hexadecimal).unwrap().remove(0);
    assert_eq!((sudoku.givens()[0], sudoku.givens()[15]), (1, 16));
}

/// One clear line for everything that can be wrong.
#[test]
fn bad_puzzles_are_refused() {
    let sudokus = [
        ("12..\n..\n....\n....\n", "line 2: 2 cells, but the first row has 4; every row must have as many", false),
        (
            "12..\n..x.\n....\n....\n",
            "line 2: \"x\" is no value of a 4 × 4 Sudoku; they are 1 to 4, and . for an empty cell",
            false,
        ),
        (
            "1.5.\n....\n....\n....\n",
            "line 1: \"5\" is no value of a 4 × 4 Sudoku; they are 1 to 4, and . for an empty cell",
            false,
        ),
        ("1..1\n....\n....\n....\n", "line 1: no solution: 1 stands twice in row 1, at r1c1 and r1c4", true),
        ("1...\n....\n1...\n....\n", "line 1: no solution: 1 stands twice in column 1, at r1c1 and r3c1", true),
        ("1...\n.1..\n....\n....\n", "line 1: no solution: 1 stands twice in box 1, at r1c1 and r2c2", true),
        ("12..\n..3.\n...4\n....\n", "line 1: no solution: no value is left for r1c4", true),
        ("", "there is no Sudoku in it; write a line for each row, with . for an empty cell", false),
        (
            "123\n456\n789\n",
            "line 1: 3 rows of 3 cells; a Sudoku is 4 × 4, 9 × 9, 16 × 16 and so on up to 64 × 64, or all in one line",
            false,
        ),
    ];
    for (text, message, contradiction) in sudokus {
        let error = Sudoku::read(text).unwrap_err();
        assert_eq!((error.to_string().as_str(), error.is_contradiction()), (message, contradiction), "{text}");
    }
    let kakuros = [
        ("3 4\n40\n3\n", "line 1: no solution: row 1: no 2 different values of 1 to 9 have the sum 40", true),
        ("3 4\n5\n3\n", "line 1: no solution: the rows have the sum 8, the columns 7", true),
        (
            "# 3\\ 4\\\n\\4 . .\n\\3 .\n",
            "line 3: 2 places, but the first row has 3; every row must have as many",
            false,
        ),
        (
            "# 3\\ 4\\\n\\4 . ?\n\\3 . .\n",
            "line 2: \"?\" is no place; write . for a cell, # for a black one, and clues as 17\\, \\16 or 17\\16 (down\\across)",
            false,
        ),
        ("# 3\\ 4\\\n\\4 . .\n# . .\n", "line 1: row 2: the cells have no sum", false),
        ("# 3\\ 4\\\n\\4 . .\n\\3 . .\n5\\ # #\n", "line 1: column 0: the sum 5 has no cells", false),
        (
            "3 4 y\n4\n3\n",
            "line 1: \"y\" is no sum; write the sums of the columns in one line, then the sum of each row in a line of its own",
            false,
        ),
    ];
    for (text, message, contradiction) in kakuros {
        let error = Kakuro::read(text, None, Bounds::Strong).unwrap_err();
        assert_eq!((error.to_string().as_str(), error.is_contradiction()), (message, contradiction), "{text}");
    }
    assert!(Kakuro::seeded(8, 7, 1, Bounds::Weak).is_err() && Kakuro::seeded(99_999_999, 64, 1, Bounds::Weak).is_err());
    assert!(Sudoku::seeded(9, 7, 1).is_err() && Sudoku::seeded(3, 82, 1).is_err());
}
