//! Whether the puzzles of a text have exactly one solution.

use nestling_presentation::{Presentation, Solutions};
use nestling_puzzles::PuzzleKind;
use nestling_puzzles::kakuro::{Kakuro, SumBounds};
use nestling_puzzles::sudoku::Sudoku;

/// A puzzle's number in its text, from 1, and how many solutions it has; `None` if that takes too long to find out.
pub type CountedSolutions = (usize, Option<Solutions>);

/// How many solutions every Sudoku or Kakuro of a text has, or the one with this number.
///
/// ```
/// use nestling_registry::{PuzzleKind, Solutions, count_solutions};
/// let text = "1... ..3. .4.. ...2\n\n.... .... .... ....\n";
/// let counted = count_solutions(text, None).unwrap();
/// assert_eq!(counted, (PuzzleKind::Sudoku, vec![(1, Some(Solutions::One)), (2, Some(Solutions::Several))]));
/// assert_eq!(count_solutions(text, Some(2)).unwrap().1.len(), 1);
/// assert_eq!(count_solutions(text, Some(3)).unwrap_err(), "the text contains 2 puzzles; choose one of #1 to #2");
/// ```
///
/// # Errors
///
/// When the text is neither, or has no puzzle of that number; the reason is a line.
pub fn count_solutions(text: &str, chosen: Option<usize>) -> Result<(PuzzleKind, Vec<CountedSolutions>), String> {
    let not_sudokus = match Sudoku::read_each(text) {
        Ok(sudokus) => return Ok((PuzzleKind::Sudoku, counted(sudokus, chosen)?)),
        Err(error) => error,
    };
    match Kakuro::read_each(text, None, SumBounds::Both) {
        Ok(kakuros) => Ok((PuzzleKind::Kakuro, counted(kakuros, chosen)?)),
        // Only Kakuros have clues.
        Err(error) if text.contains(['\\', '/']) || text.contains("values") => Err(error.to_string()),
        Err(_) => Err(not_sudokus.to_string()),
    }
}

/// A puzzle that could not be read contradicts itself.
fn counted<P: Presentation, E>(
    puzzles: Vec<Result<P, E>>,
    chosen: Option<usize>,
) -> Result<Vec<CountedSolutions>, String> {
    let (count, puzzles) = (puzzles.len(), (1..).zip(puzzles));
    let wanted = puzzles.filter(|(number, _)| chosen.is_none_or(|chosen| chosen == *number));
    let solutions = |puzzle: Result<P, E>| puzzle.map_or(Some(Solutions::None), |puzzle| puzzle.solutions());
    let counted: Vec<_> = wanted.map(|(number, puzzle)| (number, solutions(puzzle))).collect();
    match (counted.is_empty(), count) {
        (false, _) => Ok(counted),
        (true, 1) => Err("the text contains one puzzle; there is no other to choose".to_owned()),
        (true, _) => Err(format!("the text contains {count} puzzles; choose one of #1 to #{count}")),
    }
}
