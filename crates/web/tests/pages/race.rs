//! A race against the search: the same game from the same moment, on two boards.

use crate::common::browser::{DESKTOP, PHONE, use_it};

const BOARD: &str = "document.querySelector('#board.ready') !== null";
const READY: &str = "document.body?.classList.contains('ready')";

#[test]
fn of_morpion() {
    use_it(&DESKTOP, "morpion", BOARD, |page, _, _| {
        page.click("#race");
        page.wait("!document.querySelector('#race-picture').hidden");
        page.wait("/^\\d+ lines$/.test(document.querySelector('#race-it').textContent)");
        page.eval("document.querySelector('#board').focus()");
        page.key("ArrowDown", 0);
        page.key("Enter", 0);
        page.wait("document.querySelector('#race-you').textContent === '1 line'");
        page.shoot("race");
        let run = page.get("/api/runs")[0]["id"].as_i64().unwrap();
        page.click("#race-end");
        page.wait("document.querySelector('#race-words').textContent.startsWith('You: 1 line. The search: ')");
        page.until(run, "done");
        page.click("#race-end");
        page.wait("document.querySelector('#race-strip').hidden");
    });
}

/// The person's game ends the race.
#[test]
fn of_samegame() {
    use_it(&PHONE, "samegame", READY, |page, _, _| {
        page.paste("0011\n0011\n0011\n");
        page.wait("document.querySelector('#left').textContent.startsWith('2 groups')");
        page.click("#race");
        page.wait("!document.querySelector('#race-strip').hidden");
        page.eval("document.querySelector('#board').focus()");
        for _ in 0..2 {
            page.key("ArrowRight", 0);
            page.key("Enter", 0);
        }
        page.wait("document.querySelector('#race-words').textContent.startsWith('You: 1,032 points. The search: ')");
        page.shoot("over");
        // So small a board is solved before anybody can stop the search.
        page.forgive(&["409"]);
        let run = page.get("/api/runs")[0]["id"].as_i64().unwrap();
        page.until(run, "done");
    });
}
