//! The games without a mouse: the key Tab leads to everything, Enter presses it.

use crate::common::browser::{DESKTOP, use_it};
use crate::common::order;

const BOARD: &str = "document.querySelector('#board.ready') !== null";
const READY: &str = "document.body?.classList.contains('ready')";

#[test]
fn morpion() {
    use_it(&DESKTOP, "morpion", BOARD, |page, _, _| {
        page.reach("#board");
        page.key("ArrowDown", 0);
        page.key("Enter", 0);
        page.wait("document.querySelector('#score').textContent === '1'");
        page.press("#hint");
        page.press("#advice .link");
        page.wait("document.querySelector('#score').textContent === '2'");
        page.press("#undo");
        page.wait("document.querySelector('#score').textContent === '1'");
        page.press("#rules");
        page.wait("document.querySelector('#rules-dialog').open");
        page.key("Escape", 0);
        page.wait("document.activeElement.id === 'rules'");
        page.press("#records");
        page.press("#records-list .card");
        page.wait("!document.querySelector('#back').hidden");
        page.key("End", 0);
        page.wait("Number(document.querySelector('#score').textContent) > 100");
        page.press("#review-start");
        page.wait("document.querySelectorAll('#review-chart circle').length > 1");
        page.press("#review-stop");
        page.press("#back");
        page.wait("document.querySelector('#score').textContent === '1'");
        page.press("#race");
        page.wait("!document.querySelector('#race-strip').hidden");
        page.press("#race-end");
        page.wait("document.querySelector('#race-words').textContent.startsWith('You: ')");
        page.press("#yours");
        page.wait("document.querySelector('#yours-list .card') !== null");
        page.shoot("keyboard");
    });
}

#[test]
fn quarto() {
    use_it(&DESKTOP, "quarto", READY, |page, _, _| {
        page.wait("document.body.classList.contains('placing')");
        page.press(".cell:not(.full)");
        page.wait("document.querySelectorAll('.cell.full').length === 1 && document.body.classList.contains('giving')");
        page.press(".gift:not(.gone)");
        page.wait("document.querySelectorAll('.cell.full').length === 2");
        page.wait("document.body.classList.contains('placing')");
        page.press("#hint");
        page.press("#advice .link");
        page.wait("document.querySelectorAll('.cell.full').length === 3");
        let place = page.text("#place");
        page.key("Home", 0);
        page.wait("document.querySelector('#place').textContent.startsWith('0 / ')");
        page.key("End", 0);
        page.wait(&format!("document.querySelector('#place').textContent === {place:?}"));
        page.press("#fresh");
        page.wait("document.querySelectorAll('.cell.full').length === 0");
        page.press("#back");
        page.wait("document.querySelectorAll('.cell.full').length >= 3");
        // The review of a game that is over.
        page.eval("location.hash = 'lines-002142143556f7'");
        page.press("#review-start");
        page.press("#review-list .link");
        page.wait("document.querySelector('#place').textContent !== '14 / 14'");
    });
}

#[test]
fn samegame() {
    use_it(&DESKTOP, "samegame", READY, |page, _, _| {
        page.reach("#board");
        page.key("ArrowRight", 0);
        // Not every cell has another one of its colour beside it.
        while page.text("#spoken").ends_with("a single cell") {
            page.key("ArrowRight", 0);
        }
        page.key("Enter", 0);
        page.wait("document.querySelector('#place').textContent === '1 / 1'");
        page.press("#hint");
        page.press("#advice .link");
        page.wait("document.querySelector('#place').textContent === '2 / 2'");
        page.press("#race");
        page.wait("!document.querySelector('#race-strip').hidden");
        page.press("#race-end");
        page.wait("document.querySelector('#race-words').textContent.startsWith('You: ')");
        page.press("#save");
        page.wait("document.querySelector('#save-list .card') !== null");
    });
}

/// A hint with its reason, then the value of the solution, a pencil mark, and what is wrong.
#[test]
fn sudoku() {
    use_it(&DESKTOP, "sudoku", READY, |page, _, _| {
        let free = page.text("#score").parse::<u32>().unwrap();
        page.press("#reason");
        page.wait("document.querySelectorAll('#steps li').length > 0");
        page.reach("#board .square");
        // In the first row, which is not full.
        for _ in 0..8 {
            if page.eval("!document.activeElement.ariaLabel.includes(', empty')") == true {
                page.key("ArrowRight", 0);
            }
        }
        page.press("#look");
        page.wait("/^The solution has [1-9] at r[1-9]c[1-9][.]/.test(document.querySelector('#checked').textContent)");
        page.shoot("solution");
        page.press("#checked .link");
        page.wait(&format!("document.querySelector('#score').textContent === '{}'", free - 1));
        page.press("#mistakes");
        page.wait("document.querySelector('#checked').textContent === 'No value contradicts the solution.'");
        page.press("#write-marks");
        page.reach("#board .square");
        page.key("g", 0);
        page.key("ArrowRight", 0);
        page.press("#mark-all");
        page.wait("document.querySelectorAll('i.own').length > 20");
        page.press("#check");
        page.wait("document.querySelector('#checked').textContent.startsWith('It has exactly one solution')");
    });
}

#[test]
fn tours() {
    use_it(&DESKTOP, "tours", READY, |page, _, _| {
        page.reach(".stop");
        page.key("ArrowRight", 0);
        page.key("Enter", 0);
        page.wait("document.querySelector('#place').textContent === '1 / 1'");
        page.press("#unvisited button");
        page.wait("document.querySelector('#place').textContent === '2 / 2'");
        page.press("#finish");
        page.wait("document.querySelector('#place').textContent === '19 / 19'");
        page.press("#fresh");
        page.wait("document.querySelector('#place').textContent === '0 / 0'");
    });
}

#[test]
fn other_problems() {
    use_it(&DESKTOP, "problems", READY, |page, _, _| {
        page.press("#hint");
        page.press("#advice .link");
        page.wait("document.querySelector('#place').textContent === '1 / 1'");
        page.press("#undo");
        page.wait("document.querySelector('#place').textContent === '0 / 1'");
        page.press("#write-model");
        page.wait("document.querySelector('#model-dialog').open");
        page.key("Escape", 0);
        page.press("#save");
        page.wait("document.querySelector('#save-list .card') !== null");
    });
}

/// A run is chosen from the list, and opened on the board.
#[test]
fn runs() {
    use_it(&DESKTOP, "runs", "document.querySelector('#list') !== null", |page, _, _| {
        let run = page.begin(order("repeat(nested(1))", 200));
        page.until(run, "done");
        page.press("#list a");
        page.wait("!document.querySelector('#detail').hidden");
        page.press("#run-board");
        page.wait("document.querySelector('#live-state')?.textContent.startsWith('Done')");
    });
}

/// From the first page to today's board, and back to what was played.
#[test]
fn from_the_first_page() {
    use_it(&DESKTOP, "", READY, |page, place, _| {
        page.press("#today li:nth-child(3) a");
        page.wait("document.querySelector('#board-name')?.textContent.includes('size=15x15')");
        page.wait(READY);
        page.press("#hint");
        page.press("#advice .link");
        page.wait("document.querySelector('#place').textContent === '1 / 1'");
        page.open(&place.address(""));
        page.wait(READY);
        page.press("#yours a");
        page.wait("document.querySelector('#place')?.textContent === '1 / 1'");
        // All pages are in the menu.
        let pages = page.eval("document.querySelectorAll('nav a').length");
        assert!(pages.as_u64().is_some_and(|pages| pages >= 7), "{pages}");
        page.press("nav a[href*='problems']");
        page.wait("/problems([.]html)?$/.test(location.pathname)");
        page.wait("document.querySelector('[aria-current=page]').textContent.trim() !== ''");
    });
}
