//! Pencil marks in Sudoku and Kakuro: by keyboard, mouse and touch; kept with the game; known to the hints.

use serde_json::json;

use crate::common::browser::{DESKTOP, PHONE, Page, TABLET, use_it};

const READY: &str = "document.body.classList.contains('ready')";

/// A Sudoku with one solution, whose third cell is a 4.
const PUZZLE: &str =
    "53..7....\n6..195...\n.98....6.\n8...6...3\n4..8.3..1\n7...2...6\n.6....28.\n...419..5\n....8..79\n";

/// A position of a hard Sudoku from which a value needs more than one step. The hash opens it.
const HARD: &str = r#"(async () => {
    const api = await import('./core/api.js')
    const { problem } = await api.newPuzzle('sudoku', 'hard', '1')
    const moves = []
    for (;;) {
        const { steps } = await api.reasons(problem, moves)
        if (steps.length > 1) break
        moves.push(steps[0].played)
    }
    location.hash = `${encodeURIComponent(problem)}~${encodeURIComponent(moves.join('\n'))}`
    return moves.length
})()"#;

fn paste(page: &mut Page) {
    page.paste(PUZZLE);
    // The page begins with a puzzle of its own, which may have as many free cells: the last row tells this one.
    page.wait("[...document.querySelectorAll('#board > :nth-child(n+73)')].map(cell => cell.ariaLabel.match(/, ([0-9])/)?.[1] ?? '.').join('') === '....8..79'");
}

/// The marks of the cell at this place are these digits.
fn marked(page: &mut Page, place: u32, digits: &str) {
    page.wait(&format!(
        "[...document.querySelectorAll('#board > :nth-child({place}) i.own')].map(mark => mark.textContent).join('') === {digits:?}"
    ));
}

#[test]
fn by_keyboard() {
    use_it(&DESKTOP, "sudoku", READY, |page, _, _| {
        paste(page);
        page.key("g", 0);
        page.wait("document.activeElement.ariaLabel === 'r1c3, empty'");
        page.key("n", 0);
        page.wait("document.querySelector('#write-marks').ariaPressed === 'true'");
        for digit in ["1", "2", "4"] {
            page.key(digit, 0);
        }
        marked(page, 3, "124");
        assert_eq!(page.eval("document.activeElement.ariaLabel"), json!("r1c3, empty, marks 1 2 4"));
        page.shoot("marks");
        page.key("5", 0);
        page.wait(
            "document.querySelector('#note').textContent === '5 is already at r1c1, so r1c3 needs no mark for it'",
        );
        page.key("u", 0);
        marked(page, 3, "12");
        page.key("y", 0);
        marked(page, 3, "124");
        // A value hides the marks that it excludes; taken back, they are there again.
        page.key("n", 0);
        page.key("ArrowRight", 0);
        page.key("2", 0);
        page.wait("document.querySelector('#score').textContent === '50'");
        marked(page, 3, "14");
        page.key("u", 0);
        page.wait("document.querySelector('#score').textContent === '51'");
        marked(page, 3, "124");
        page.click("#mistakes");
        page.wait("document.querySelector('#checked').textContent === 'No value contradicts the solution.'");
        // With Shift a digit is a mark at any time.
        page.key("g", 0);
        page.key("ArrowLeft", 0);
        page.eval("document.querySelector('#board > :nth-child(3)').focus()");
        page.key("4", 8);
        marked(page, 3, "12");
        page.click("#mistakes");
        page.wait("document.querySelector('#checked').textContent.endsWith('The pencil marks of r1c3 leave out the right value.')");
        page.wait("document.querySelectorAll('.square.wrong').length === 1");
        page.shoot("misleading");
        page.reload();
        page.wait(READY);
        marked(page, 3, "12");
        page.click("#mark-none");
        marked(page, 3, "");
        page.click("#undo");
        marked(page, 3, "12");
        // Kept in the list of games, though no value has been written.
        page.click("#fresh");
        marked(page, 3, "");
        page.click("#back");
        marked(page, 3, "12");
    });
}

#[test]
fn by_mouse_and_known_to_hints() {
    use_it(&TABLET, "sudoku", READY, |page, _, _| {
        page.prefer("prefers-color-scheme", "dark");
        paste(page);
        page.click("#mark-all");
        page.wait("document.querySelectorAll('.possible').length === 51");
        page.shoot("all");
        assert!(page.eval(HARD).as_u64().is_some());
        page.wait("document.querySelectorAll('.square.given').length < 40 && document.querySelector('#board .possible') === null");
        page.click("#mark-all");
        page.wait("document.querySelectorAll('i.own').length > 20");
        page.click("#reason");
        page.wait("document.querySelector('#rub-out') !== null");
        let steps = page.eval("document.querySelectorAll('#steps b').length").as_u64().unwrap();
        page.shoot("reasons");
        page.click("#rub-out");
        page.wait("document.querySelector('#steps').children.length === 0");
        page.click("#reason");
        page.wait("document.querySelector('#checked').textContent.endsWith('in your pencil marks already.')");
        let left = page.eval("document.querySelectorAll('#steps b').length").as_u64().unwrap();
        assert!(left < steps, "{left} of {steps} steps are still told");
    });
}

#[test]
fn by_touch() {
    use_it(&PHONE, "sudoku", READY, |page, _, _| {
        page.paste("#   3\\  4\\\n\\4  .   .\n\\3  .   .\n");
        page.wait("document.querySelector('#score').textContent === '4'");
        page.tap("#board > :nth-child(5)");
        page.wait("document.querySelector('#board > :nth-child(5)').classList.contains('here')");
        page.tap("#write-marks");
        for digit in [1, 3] {
            page.tap(&format!("#keypad [aria-label='Mark {digit}']"));
        }
        marked(page, 5, "13");
        page.shoot("kakuro");
        page.tap("#undo");
        marked(page, 5, "1");
        page.tap("#redo");
        marked(page, 5, "13");
        page.tap("#keypad [aria-label='Rub out the marks of the cell']");
        marked(page, 5, "");
        page.tap("#write-values");
        page.tap("#keypad button:nth-child(1)");
        page.wait("document.querySelector('#score').textContent === '3'");
        page.fits(&[(320, 568)], true);
    });
}
