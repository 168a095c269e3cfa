//! The boards of a day, and how one did on them.

use std::cell::Cell;

use serde_json::json;

use crate::common::browser::{DESKTOP, PHONE, Page, TABLET, use_it};
use crate::common::place::Place;

const READY: &str = "document.body?.classList.contains('ready')";

/// The pages have another date than the machine, always the same.
const DATE: &str = "{
    const Real = Date
    Date = class extends Real {
        constructor(...given) { given.length > 0 ? super(...given) : super(Date.now()) }
        static now() { return new Real('2026-05-31T12:00:00').getTime() + performance.now() }
    }
}";

/// Opens a board of the first page.
fn open(page: &mut Page, place: &Place, number: u32) {
    page.before(DATE);
    page.open(&place.address(""));
    page.wait(READY);
    page.click(&format!("#today li:nth-child({number}) a"));
    page.wait("document.querySelector('#today') === null");
    page.wait(&format!("document.querySelector('#board.ready') !== null || {READY}"));
}

/// What the first page says of a board.
fn remembered(page: &mut Page, place: &Place, number: u32, words: &str) {
    page.open(&place.address(""));
    page.wait(READY);
    page.wait(&format!("document.querySelector('#today li:nth-child({number})').textContent.includes({words:?})"));
    page.wait("!document.querySelector('#past').hidden");
    page.click("#past summary");
    page.wait(&format!("document.querySelector('#past-list').textContent.includes({words:?})"));
    assert!(page.text("#past-list small").contains("2026-05-31"));
}

#[test]
fn morpion_by_keyboard() {
    use_it(&DESKTOP, "", READY, |page, place, _| {
        open(page, place, 1);
        page.wait("!document.querySelector('#daily').hidden");
        page.wait("document.querySelector('#daily').textContent.startsWith('Today’s board: 8 lines are given')");
        page.wait("document.querySelector('#score').textContent === '8'");
        let first = page.text("#daily");
        page.shoot("board");
        page.eval("document.querySelector('#board').focus()");
        page.key("ArrowDown", 0);
        page.key("Enter", 0);
        page.wait("document.querySelector('#score').textContent === '9' || !document.querySelector('#chooser').hidden");
        if page.eval("!document.querySelector('#chooser').hidden") == json!(true) {
            page.key("Enter", 0);
        }
        page.wait("document.querySelector('#score').textContent === '9'");
        page.reload();
        page.wait("document.querySelector('#score')?.textContent === '9' && !document.querySelector('#daily').hidden");
        page.click("#undo");
        page.wait("document.querySelector('#score').textContent === '8'");
        page.click("#redo");
        page.wait("document.querySelector('#score').textContent === '9'");
        remembered(page, place, 1, "9 lines, by chance");
        // The same again, for everybody.
        page.eval("localStorage.clear(); sessionStorage.clear()");
        open(page, place, 1);
        page.wait("document.querySelector('#score').textContent === '8'");
        page.wait("document.querySelector('#daily').textContent.startsWith('Today’s board: 8')");
        assert_eq!(page.text("#daily"), first);
    });
}

/// Today's puzzle has one solution and is the same for everybody; a digit of it is remembered.
#[test]
fn puzzles() {
    for (device, number, title) in
        [(&DESKTOP, 4, "Sudoku"), (&PHONE, 5, "Kakuro"), (&TABLET, 4, "Sudoku"), (&TABLET, 5, "Kakuro")]
    {
        PUZZLE.set((number, title));
        use_it(device, "", READY, |page, place, _| {
            let (number, title) = PUZZLE.get();
            open(page, place, number);
            page.wait(&format!("document.querySelector('#title').textContent === {title:?}"));
            page.click("#check");
            page.wait("document.querySelector('#checked').textContent.startsWith('It has exactly one solution')");
            let cells = "[...document.querySelectorAll('#board > *')].map(cell => cell.ariaLabel).join()";
            let first = page.eval(cells);
            let free = page.text("#score").parse::<u32>().unwrap();
            page.click("#reason");
            page.click("#look");
            page.click("#checked .link");
            page.wait(&format!("document.querySelector('#score').textContent === '{}'", free - 1));
            page.shoot("daily");
            remembered(page, place, number, &format!("{} cells free", free - 1));
            page.eval("localStorage.clear(); sessionStorage.clear()");
            open(page, place, number);
            page.wait(&format!("document.querySelector('#score').textContent === '{free}'"));
            assert_eq!(page.eval(cells), first);
        });
    }
}

thread_local! {
    /// The number and the title of the board that is tried.
    static PUZZLE: Cell<(u32, &'static str)> = const { Cell::new((0, "")) };
}

/// A tour of today's places by hand, on a phone; what the search does meanwhile.
#[test]
fn tour_by_touch() {
    use_it(&PHONE, "", READY, |page, place, _| {
        open(page, place, 6);
        page.wait("document.querySelectorAll('.stop').length === 20");
        page.click("#race");
        page.wait("!document.querySelector('#race-strip').hidden");
        for stop in 1..=19 {
            page.wait(&format!("document.querySelector('#place').textContent.startsWith('{} / ')", stop - 1));
            page.click("#unvisited button");
        }
        page.wait("document.querySelector('#race-words').textContent.startsWith('You: ')");
        page.shoot("over");
        let run = page.get("/api/runs")[0]["id"].as_i64().unwrap();
        page.until(run, "done");
        page.forgive(&["409"]);
        remembered(page, place, 6, "19 of 19 places visited");
    });
}

/// The exact solver knows that one move is right; whoever follows its hints reaches the aim.
#[test]
fn quarto_by_touch() {
    use_it(&PHONE, "", READY, quarto);
}

#[test]
fn quarto_on_a_tablet() {
    use_it(&TABLET, "", READY, quarto);
}

fn quarto(page: &mut Page, place: &Place, _: bool) {
    open(page, place, 2);
    page.wait("document.querySelector('#daily').textContent.startsWith('Today’s board: one move')");
    page.wait("document.querySelector('#place').textContent === '19 / 19'");
    page.shoot("board");
    let aim = page.text("#daily");
    while page.eval("document.querySelector('#again').hidden") == json!(true) {
        page.wait("!document.querySelector('#hint').disabled || !document.querySelector('#again').hidden");
        if page.eval("document.querySelector('#again').hidden") == json!(false) {
            break;
        }
        let place = page.text("#place");
        page.click("#hint");
        page.click("#advice .link");
        page.wait(&format!("document.querySelector('#place').textContent !== {place:?}"));
    }
    page.shoot("over");
    let reached = if aim.contains("wins") { "You win" } else { "A draw" };
    remembered(page, place, 2, reached);
}
