//! Sudoku and Kakuro: the laws, the plain rules, the papers' puzzles.

use std::time::Duration;

use crate::common::data;

use nestling::conformance::check;
use nestling::{Problem, Run, Stop};
use nestling_puzzles::kakuro::{Kakuro, SumBounds};
use nestling_puzzles::sudoku::Sudoku;

const BOUNDS: [SumBounds; 3] = [SumBounds::Weak, SumBounds::Strong, SumBounds::Both];

/// Solves a puzzle or says how far it came.
fn solve<P: Problem>(problem: &P, search: &str) -> f64 {
    let run = Run::new(problem, search.parse().unwrap()).seed(1).time(Duration::from_secs(100));
    let outcome = run.start().unwrap();
    let score = outcome.score().unwrap();
    assert_eq!(outcome.proven, score == 0.0, "{search}: solved is proven");
    assert!(score > 0.0 || outcome.stop == Stop::Bound, "{search}: a solution ends the run");
    score
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

fn puzzler(bounds: SumBounds) -> Kakuro {
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
            let kakuro = Kakuro::seeded(6, 7, seed, SumBounds::Strong).unwrap();
            assert_eq!(solve(&kakuro, search), 0.0, "{search}, seed {seed}");
        }
    }
}

/// Without a solution, depth first search proves that there is none.
#[test]
fn what_has_no_solution_is_told_apart() {
    let sudoku = Sudoku::read("....\n.2..\n3...\n..21\n").unwrap().remove(0);
    let outcome = Run::new(&sudoku, "dfs".parse().unwrap()).start().unwrap();
    assert!(outcome.proven && outcome.score() > Some(0.0), "{:?}", outcome.answer);
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
    for kakuro in [puzzler(SumBounds::Weak), Kakuro::seeded(8, 12, 3, SumBounds::Weak).unwrap()] {
        let again = Kakuro::read(&kakuro.to_string(), None, SumBounds::Weak).unwrap().remove(0);
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

/// One Sudoku as people write, draw, paste and program it.
#[test]
fn sudokus_come_in_many_dresses() {
    let wanted = Sudoku::read("1...\n..3.\n.4..\n...2\n").unwrap().remove(0);
    let texts = [
        "1000\n0030\n0400\n0002\n",
        "1___ __3_ _4__ ___2\n",
        "1---\n--3-\n-4--\n---2\n",
        "+-----+-----+\n| 1 - | - - |\n| - - | 3 - |\n+-----+-----+\n| - 4 | - - |\n| - - | - 2 |\n+-----+-----+\n",
        "*-----*\n|1.|..|\n|..|3.|\n*-----*\n|.4|..|\n|..|.2|\n*-----*\n",
        ".-----.-----.\n| 1 . | . . |\n| . . | 3 . |\n:-----+-----:\n| . 4 | . . |\n| . . | . 2 |\n'-----'-----'\n",
        "┌──┬──┐\n│1.│..│\n│..│3.│\n├──┼──┤\n│.4│..│\n│..│.2│\n└──┴──┘\n",
        "\u{feff}2\r\n1\r\n1\t-1\t-1\t-1\t\r\n-1\t-1\t3\t-1\t\r\n-1\t4\t-1\t-1\t\r\n-1\t-1\t-1\t2\t\r\n",
        "4\n\n1 0 0 0\n0 0 3 0\n0 4 0 0\n0 0 0 2\n",
        "2 2\n1,,,\n,,3,\n,4,,\n,,,2\n",
        "\"1\";\"\";\"\";\"\"\n;;3;\n;4;;\n;;;2\n",
        "[\n  [1, 0, 0, 0],\n  [0, 0, 3, 0],\n  [0, 4, 0, 0],\n  [0, 0, 0, 2]\n]\n",
        "[[1,0,0,0],[0,0,3,0],[0,4,0,0],[0,0,0,2]]\n",
    ];
    for text in texts {
        let read = Sudoku::read(text).unwrap_or_else(|error| panic!("{error} in\n{text}"));
        assert_eq!((read.len(), read[0].givens()), (1, wanted.givens()), "{text}");
    }
    // A row of nothing but empty cells is a row, whatever parts the boxes.
    let empty = Sudoku::read("1---\n----\n----\n---2\n").unwrap().remove(0);
    assert_eq!(empty.givens().iter().filter(|&&value| value > 0).count(), 2);
    let commas = Sudoku::read("1,,,\n,,,\n,,,\n,,,2\n").unwrap().remove(0);
    assert_eq!(commas.givens(), empty.givens());
    // With -1 for an empty cell, 0 is a value.
    let zero = Sudoku::read("2\n0 -1 -1 -1\n-1 -1 2 -1\n-1 3 -1 -1\n-1 -1 -1 1\n").unwrap().remove(0);
    assert_eq!(zero.givens(), wanted.givens());
}

/// One Kakuro in the notations of several programs.
#[test]
fn kakuros_come_in_many_dresses() {
    let wanted = puzzler(SumBounds::Weak);
    let rows: Vec<Vec<&str>> = PUZZLER.lines().map(|line| line.split_whitespace().collect()).collect();
    // Every place rewritten, and the places of a line joined.
    let dressed = |rewrite: &dyn Fn(&str) -> String, separator: &str| -> String {
        let line = |row: &Vec<&str>| row.iter().map(|place| rewrite(place)).collect::<Vec<_>>().join(separator) + "\n";
        rows.iter().map(line).collect()
    };
    let either = |cell: &'static str, black: &'static str, bar: &'static str| {
        move |place: &str| match place {
            "." => cell.to_owned(),
            "#" => black.to_owned(),
            clue => clue.replace('\\', bar),
        }
    };
    let clue = |place: &str, none: &str, bar: &str, width: usize, filler: char| {
        let side = |sum: &str| match sum {
            "" => none.to_owned(),
            sum => format!("{}{sum}", filler.to_string().repeat(width - sum.len())),
        };
        place.split_once('\\').map(|(down, across)| format!("{}{bar}{}", side(down), side(across)))
    };
    let padded = |place: &str| {
        clue(place, &"X".repeat(3), "/", 3, '0').unwrap_or_else(|| (if place == "." { "." } else { "X" }).repeat(7))
    };
    let spaced = |place: &str| clue(place, "--", " \\ ", 2, ' ').unwrap_or_else(|| either(" . ", " ----- ", "")(place));
    let texts = [
        dressed(&either("___", "###", "\\"), " "),
        dressed(&either("_", ":", ":"), "  "),
        dressed(&either("0", "-1", ":"), "\t"),
        dressed(&either("x", "\\", "\\"), "\t"),
        format!("6 6 TAB\n{}", dressed(&either("x", "\\", "\\"), "\t")),
        dressed(&either("", "\\", "\\"), ","),
        dressed(&either("?", "*", "/"), ";"),
        format!("6,6\n{}", dressed(&either("?", "*", "/"), ",")),
        dressed(&either(" - ", " x ", "\\"), "|"),
        dressed(&padded, " "),
        dressed(&spaced, "|").lines().map(|line| format!("|{line}|\n|---|---|---|---|---|---|\n+--+--+\n")).collect(),
        format!("\u{feff}{}", PUZZLER.replace('\n', "\r\n")),
    ];
    for text in texts {
        let read = Kakuro::read(&text, None, SumBounds::Weak).unwrap_or_else(|error| panic!("{error} in\n{text}"));
        assert_eq!((read.len(), read[0].places()), (1, wanted.places()), "{text}");
    }
}

/// The published files: the order of a box, a 1, and numbers with -1 for empty cells.
#[test]
fn published_sudokus_are_read() {
    let Some(folder) = data() else { return };
    let mut sides = Vec::new();
    for entry in std::fs::read_dir(folder.join("sudoku")).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let read = Sudoku::read(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let numbers = text.split_whitespace().skip(2).map(|number| number.parse::<i32>().unwrap().max(0) as u8);
        assert_eq!((read.len(), read[0].givens()), (1, &numbers.collect::<Vec<u8>>()[..]), "{}", path.display());
        sides.push(read[0].side());
    }
    sides.sort_unstable();
    sides.dedup();
    assert_eq!(sides, [9, 16, 25]);
}

/// One clear line for everything that can be wrong.
#[test]
fn bad_puzzles_are_refused() {
    let sudokus = [
        (
            "12..\n..\n....\n....\n",
            "line 2: 2 cells, but the first row has 4; all rows must have the same number",
            false,
        ),
        (
            "12..\n..x.\n....\n....\n",
            "line 2: \"x\" is not a value of a 4 × 4 Sudoku; values are 1 to 4, and . for an empty cell",
            false,
        ),
        (
            "1.5.\n....\n....\n....\n",
            "line 1: \"5\" is not a value of a 4 × 4 Sudoku; values are 1 to 4, and . for an empty cell",
            false,
        ),
        ("1..1\n....\n....\n....\n", "line 1: no solution: 1 is twice in row 1, at r1c1 and r1c4", true),
        ("1...\n....\n1...\n....\n", "line 1: no solution: 1 is twice in column 1, at r1c1 and r3c1", true),
        ("1...\n.1..\n....\n....\n", "line 1: no solution: 1 is twice in box 1, at r1c1 and r2c2", true),
        ("12..\n..3.\n...4\n....\n", "line 1: no solution: no value is left for r1c4", true),
        (
            "3\n1\n1 -1 -1 -1\n-1 -1 3 -1\n-1 4 -1 -1\n-1 -1 -1 2\n",
            "line 1: 3 is neither the order of the boxes nor the number of cells in the rows below, which is 4",
            false,
        ),
        (
            "2\n1\n",
            "line 1: 2 rows of 1 cells; a Sudoku is 4 × 4, 9 × 9, 16 × 16 and so on up to 64 × 64, or all in one line",
            false,
        ),
        (
            "1,,,\n,,99999999999999999999999999999999999,\n,,,\n,,,\n",
            "line 2: \"999999999999999999999999999999…\" is not a value of a 4 × 4 Sudoku; values are 1 to 4, and . for an empty cell",
            false,
        ),
        ("", "no Sudoku found; write a line for each row, with . for an empty cell", false),
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
            "line 3: 2 places, but the first row has 3; all rows must have the same number",
            false,
        ),
        (
            "# 3\\ 4\\\n\\4 . !\n\\3 . .\n",
            "line 2: \"!\" is not a place; write . for a cell, # for a black one, and clues as 17\\, \\16 or 17\\16 (down\\across)",
            false,
        ),
        (
            "# 3\\ 4\\\n\\4 x -\n\\3 - x\n",
            "line 1: \"x\" and \"-\" may both be cells to fill; write . for those and # for black ones",
            false,
        ),
        ("5 5\n# 3\\ 4\\\n\\4 . .\n", "line 1: the size is given as 5 by 5 places, but 2 rows of 3 follow", false),
        ("# 3\\ 4\\\n\\4 . .\n# . .\n", "line 1: row 2: the cells have no sum", false),
        ("# 3\\ 4\\\n\\4 . .\n\\3 . .\n5\\ # #\n", "line 1: column 0: the sum 5 has no cells", false),
        (
            "3 4 y\n4\n3\n",
            "line 1: \"y\" is not a sum; write the sums of the columns in one line, then the sum of each row in a line of its own",
            false,
        ),
    ];
    for (text, message, contradiction) in kakuros {
        let error = Kakuro::read(text, None, SumBounds::Strong).unwrap_err();
        assert_eq!((error.to_string().as_str(), error.is_contradiction()), (message, contradiction), "{text}");
    }
    assert!(
        Kakuro::seeded(8, 7, 1, SumBounds::Weak).is_err()
            && Kakuro::seeded(99_999_999, 64, 1, SumBounds::Weak).is_err()
    );
    assert!(Sudoku::seeded(9, 7, 1).is_err() && Sudoku::seeded(3, 82, 1).is_err());
}
