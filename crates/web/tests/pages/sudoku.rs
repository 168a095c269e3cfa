//! Sudoku and Kakuro: pasted, typed in, generated; checked, solved by hand and by searches; contradictions.

use serde_json::json;

use crate::common::browser::{DESKTOP, PHONE, Page, use_it};
use crate::common::place::Place;

const READY: &str = "document.body.classList.contains('ready')";

/// A Sudoku with one solution.
const PUZZLE: &str =
    "53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n...419..5\n....8..79\n";

#[test]
fn on_a_desktop() {
    use_it(&DESKTOP, "sudoku", READY, everything);
}

#[test]
fn on_a_phone() {
    use_it(&PHONE, "sudoku", READY, everything);
}

fn everything(page: &mut Page, _: &Place, phone: bool) {
    page.shoot("first-sight");
    made(page);
    book(page);
    paste(page);
    by_hand(page);
    solve(page);
    type_one_in(page);
    type_a_kakuro_in(page);
    kakuro(page);
    nonsense(page);
    page.prefer("prefers-color-scheme", "dark");
    page.shoot("dark");
    page.prefer("prefers-color-scheme", "light");
    page.fits(if phone { &[(320, 568)] } else { &[(3840, 2160), (900, 700)] }, phone);
}

fn free(page: &mut Page, cells: u32) {
    page.wait(&format!("document.querySelector('#score').textContent === '{cells}'"));
}

/// New puzzles with one solution; the next step in words, with its cells.
fn made(page: &mut Page) {
    page.choose("#puzzle-level", "medium");
    for (name, title) in [("#new-kakuro", "Kakuro"), ("#new-sudoku", "Sudoku")] {
        page.click(name);
        page.wait(&format!("document.querySelector('#title').textContent === '{title}'"));
        page.wait("document.querySelector('#techniques').textContent.startsWith('Needs: ')");
        page.click("#check");
        page.wait("document.querySelector('#checked').textContent.startsWith('It has exactly one solution')");
        page.click("#reason");
        page.wait("document.querySelectorAll('#steps li').length > 0");
        page.wait("document.querySelectorAll('.square.shown').length > 0");
        page.shoot("reason");
    }
}

/// Puzzles to print, with their solutions, as a file.
fn book(page: &mut Page) {
    page.choose("#puzzle-level", "easy");
    page.eval("document.querySelector('#book-count').value = '5'");
    page.click("#book [value='kakuro']");
    let file = page.saved("kakuro-easy.pdf");
    assert!(file.starts_with(b"%PDF"));
    let text = String::from_utf8_lossy(&file);
    assert!(text.contains("5 easy kakuros"), "the title of the book");
    // Two pages of puzzles and one of solutions.
    assert!(text.contains("/Count 3"), "three pages");
}

fn paste(page: &mut Page) {
    page.click("#paste-puzzle");
    page.eval(&format!("document.querySelector('#paste-text').value = {PUZZLE:?}"));
    page.click("#paste-form .main");
    free(page, 51);
    page.click("#check");
    page.wait("document.querySelector('#checked').textContent.startsWith('It has exactly one solution')");
    page.click("#see-possible");
    page.wait("document.querySelectorAll('.possible').length === 51");
    page.shoot("pasted");
    page.click("#see-possible");
}

/// Values by keys; what contradicts a given is explained and not put.
fn by_hand(page: &mut Page) {
    page.click("#board > :nth-child(3)");
    page.key("4", 0);
    free(page, 50);
    page.key("ArrowRight", 0);
    page.key("5", 0);
    page.wait("document.querySelector('#note').textContent === '5 is already at r1c1, so it cannot go to r1c4'");
    page.wait("document.querySelectorAll('.square.wrong').length >= 2");
    page.shoot("clash");
    free(page, 50);
    page.forgive(&["422"]);
    // 6 is right here, 2 is not; two wrong values leave another cell without any.
    page.key("2", 0);
    free(page, 49);
    page.click("#mistakes");
    page.wait("document.querySelector('#checked').textContent === 'r1c4=2 contradicts the solution.'");
    page.wait("document.querySelectorAll('.square.wrong').length === 1");
    page.shoot("mistake");
    page.click("#board > :nth-child(4)");
    page.key("Delete", 0);
    free(page, 50);
    page.click("#undo");
    free(page, 51);
}

/// Watched: the values fall cell by cell until it is solved.
fn solve(page: &mut Page) {
    page.click("#finish");
    page.wait("document.querySelector('#place').textContent === '51 / 51'");
    page.wait("document.querySelector('#left').textContent === 'Solved.'");
    free(page, 0);
    page.wait("!document.querySelector('#falling').hidden");
    page.shoot("solved");
    let runs = page.get("/api/runs");
    assert_eq!((&runs[0]["best"], &runs[0]["state"]), (&json!(0), &json!("done")));
    let row =
        page.eval("[...document.querySelectorAll('#board > :nth-child(-n+9)')].map(cell => cell.textContent).join('')");
    assert_eq!(row, json!("534678912"));
}

fn type_one_in(page: &mut Page) {
    page.click("#type-in");
    page.wait("document.body.classList.contains('typing')");
    page.click("#board > :nth-child(1)");
    page.key("7", 0);
    page.click("#board > :nth-child(5)");
    page.key("7", 0);
    page.wait("document.querySelectorAll('.square.wrong').length === 2");
    page.click("#typed");
    page.wait("document.querySelector('#contradiction').textContent.includes('7 is twice in row 1, at r1c1 and r1c5')");
    page.shoot("typed-wrong");
    page.forgive(&["422"]);
    page.key("Delete", 0);
    page.click("#board > :nth-child(5)");
    page.key("8", 0);
    page.click("#typed");
    page.wait("!document.body.classList.contains('typing')");
    free(page, 79);
    page.click("#check");
    page.wait("document.querySelector('#checked').textContent === 'It has several solutions.'");
    page.click("#reason");
    page.click("#look");
    page.wait("document.querySelector('#checked').textContent.startsWith('This puzzle has no single solution')");
    // Whatever is asked while a puzzle is typed in is asked about this puzzle.
    page.click("#type-in");
    page.wait("document.body.classList.contains('typing')");
    for cell in [1, 2] {
        page.click(&format!("#board > :nth-child({cell})"));
        page.key("5", 0);
    }
    page.click("#check");
    page.wait("document.querySelector('#contradiction').textContent.includes('5 is twice in row 1')");
    page.forgive(&["422"]);
    page.key("Escape", 0);
    page.click("#board > :nth-child(2)");
    page.key("6", 0);
    page.click("#hint");
    page.wait(
        "document.querySelector('.square.advised') !== null || document.querySelector('#advice strong') !== null",
    );
    free(page, 79);
}

/// A Kakuro is typed in as a Kakuro: black cells, and their sums.
fn type_a_kakuro_in(page: &mut Page) {
    page.choose("#kind", "kakuro");
    page.choose("#size", "4");
    page.click("#type-in");
    page.wait("document.querySelector('#title').textContent === 'Your Kakuro'");
    let cell = |row: u32, column: u32| format!("#board > :nth-child({})", row * 5 + column + 1);
    // Only the two by two cells in the corner stay white.
    for (row, column) in (1..=4).flat_map(|row| (1..=4).map(move |column| (row, column))) {
        if row > 2 || column > 2 {
            page.click(&cell(row, column));
            page.key(" ", 0);
        }
    }
    for (row, column, side, sum) in [(0, 1, "down", 4), (0, 2, "down", 3), (1, 0, "across", 3), (2, 0, "across", 4)] {
        page.click(&cell(row, column));
        page.click(&format!("#sum-{side}"));
        page.key(&sum.to_string(), 0);
    }
    page.wait("document.querySelector('#score').textContent === '4'");
    page.shoot("kakuro-typed");
    page.click("#check");
    page.wait("document.querySelector('#checked').textContent.startsWith('It has exactly one solution')");
    free(page, 4);
    page.choose("#kind", "sudoku");
}

fn kakuro(page: &mut Page) {
    page.choose("#kind", "kakuro");
    page.choose("#size", "4");
    page.click("#puzzles [type='submit']");
    page.wait("document.querySelector('#title').textContent === 'Kakuro'");
    free(page, 16);
    page.shoot("kakuro");
    page.click("#finish");
    page.wait("document.querySelector('#place').textContent === '16 / 16'");
    page.wait("document.querySelector('#left').textContent === 'Solved.'");
    page.shoot("kakuro-solved");
    page.paste("#   3\\  4\\\n\\4  .   .\n\\3  .   .\n");
    free(page, 4);
}

/// Told in a line, nothing lost.
fn nonsense(page: &mut Page) {
    for (text, reason) in [
        ("1.1.\n....\n....\n....\n", "1 is twice in row 1, at r1c1 and r1c3"),
        ("hello world", "a Sudoku is 4 × 4"),
        ("3 4\n9\n9\n", "no solution"),
        ("", "the text is empty"),
    ] {
        page.click("#paste-puzzle");
        page.eval(&format!("document.querySelector('#paste-text').value = {text:?}"));
        page.click("#paste-form .main");
        page.wait(&format!("document.querySelector('#paste-error').textContent.includes({reason:?})"));
        assert_eq!(page.eval("document.querySelector('#paste-text').value"), json!(text));
        page.shoot("nonsense");
        page.key("Escape", 0);
        free(page, 4);
    }
    page.forgive(&["422"]);
}
