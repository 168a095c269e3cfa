//! Quarto: whole games by clicks, drags and keys, against weak and perfect players.

use nestling::{Ending, Player};
use nestling_quarto::{Limit, QuartoSolver, Transcript};
use serde_json::json;

use crate::common::Serving;
use crate::common::browser::{DESKTOP, PHONE, Page, use_with};
use crate::common::place::Place;

const READY: &str = "document.body.classList.contains('ready')";

/// A person is to move, or the game is over.
const ASKED: &str = "document.body.matches('.placing, .giving') || !document.querySelector('#again').hidden";

/// The page's own rules and the server's say the same of random games.
const RULES: &str = r#"(async () => {
    const { Position } = await import('./quarto/rules.js')
    const { cellText, pack, pieceText, problemOf, unpack, write } = await import('./quarto/notation.js')
    const api = await import('./core/api.js')
    let [seed, compared] = [1, 0]
    const below = n => (seed = (seed * 16807) % 2147483647) % n
    for (const squares of [false, true]) {
        for (let game = 0; game < 6; game++) {
            const moves = []
            for (let position = new Position(squares, []); ; position = new Position(squares, moves)) {
                const { complete, legal_moves, view } = await api.position(problemOf(squares), write(moves))
                const name = position.hand === null ? pieceText : cellText
                const here = JSON.stringify([position.isOver, position.legal.map(name), ['first', 'second'][position.turn],
                    position.won.map(({ cells, shared }) => [cells.map(cellText), shared])])
                const there = JSON.stringify([complete, legal_moves, view.turn, view.won.map(({ cells, shared }) => [cells, shared])])
                if (here !== there) return `${write(moves)}: ${here} ${there}`
                compared += 1
                if (position.isOver) break
                moves.push(position.legal[below(position.legal.length)])
            }
            if (unpack(pack(squares, moves))?.moves.join() !== moves.join()) return pack(squares, moves)
        }
    }
    const links = ['', 'lines', 'lines-zz', 'lines-00-', 'round-00', 'lines-0011220', 'lines-0000']
    return links.slice(0, 5).concat('lines-00001').every(link => unpack(link) === null) && compared
})()"#;

#[test]
fn on_a_desktop() {
    use_with(Serving::start(), &DESKTOP, "quarto", READY, everything);
}

#[test]
fn on_a_phone() {
    use_with(Serving::start(), &PHONE, "quarto", READY, everything);
}

fn everything(page: &mut Page, _: &Place, phone: bool) {
    page.wait("document.body.classList.contains('placing')");
    page.shoot("first-sight");
    // Moves do not make the page jump.
    page.hurry();
    page.eval("document.querySelector('.cell').click()");
    page.wait("document.body.classList.contains('giving')");
    page.eval("document.querySelector('.gift:not(.gone)').click()");
    page.wait("document.body.classList.contains('placing')");
    assert_eq!(page.eval("scrollY"), json!(0));
    assert!(page.eval(RULES).as_i64().is_some_and(|compared| compared > 100), "{}", page.eval(RULES));
    win_by_clicks(page);
    take_back(page);
    by_keys(page);
    against_perfection(page);
    analyse(page);
    save_and_open(page);
    engines(page);
    if !phone {
        drag(page);
    }
    look_around(page, phone);
}

fn seats(page: &mut Page, first: &str, second: &str) {
    page.choose("#seat-first", first);
    page.choose("#seat-second", second);
    page.click("#fresh");
    page.wait(ASKED);
}

fn is_over(page: &mut Page) -> bool {
    page.eval("!document.querySelector('#again').hidden") == json!(true)
}

/// What wins at once, or else any move, as the selector of what is to be clicked.
fn choice(page: &mut Page) -> String {
    let chosen = page.eval(
        "(() => {
            if (document.body.matches('.giving')) {
                const gifts = [...document.querySelectorAll('.gift:not(.gone)')]
                return `[data-gift=\"${gifts[Math.floor(gifts.length / 2)].dataset.gift}\"]`
            }
            const cells = [...document.querySelectorAll('.cell:not(.full)')]
            return `[data-cell=\"${cells[Math.floor(cells.length / 3)].dataset.cell}\"]`
        })()",
    );
    chosen.as_str().unwrap().to_owned()
}

/// One move by a click, and the replies to it.
fn click_on(page: &mut Page) {
    let (at, target) = (page.text("#place"), choice(page));
    page.click(&target);
    page.wait(&format!("document.querySelector('#place').textContent !== {at:?}"));
    page.wait(ASKED);
}

/// Plays to the end by clicks; the title at the end.
fn play(page: &mut Page) -> String {
    while !is_over(page) {
        click_on(page);
    }
    page.text("#prompt")
}

/// A random player against a nearly random one: most games have a winner.
fn win_by_clicks(page: &mut Page) {
    seats(page, "beginner", "");
    assert!(page.text("#levels").contains("may hand you the piece you need"));
    for _ in 0..8 {
        let title = play(page);
        if title != "A draw" {
            assert!(title.ends_with("wins") || title == "You win!", "{title}");
            let reason = page.text("#prompt-more");
            assert!(
                reason.contains(": all ") && page.eval("document.querySelectorAll('.cell.won').length >= 4") == true
            );
            page.shoot("won");
            return;
        }
        page.click("#again");
        page.wait(ASKED);
    }
    panic!("eight draws against a beginner");
}

/// Undo takes back one's own move and the replies to it; redo plays them again.
fn take_back(page: &mut Page) {
    // Placed, given, and the computer has placed and given: twice. With its second piece it may win, so there are five games.
    let goes_on = (0..5).any(|_| {
        seats(page, "easy", "");
        (0..4).for_each(|_| click_on(page));
        !is_over(page)
    });
    assert!(goes_on && page.text("#place") == "9 / 9", "{}", page.text("#place"));
    page.click("#undo");
    page.wait("document.querySelector('#place').textContent === '6 / 9'");
    assert!(page.eval("document.body.matches('.giving')") == true);
    page.click("#undo");
    page.wait("document.querySelector('#place').textContent === '5 / 9'");
    page.click("#redo");
    page.click("#redo");
    page.wait("document.querySelector('#place').textContent === '9 / 9'");
    page.key("z", 2);
    page.wait("document.querySelector('#place').textContent === '6 / 9'");
    page.shoot("taken-back");
}

/// A whole game without a mouse, in the other seat.
fn by_keys(page: &mut Page) {
    seats(page, "", "medium");
    page.key("p", 0);
    while !is_over(page) {
        let at = page.text("#place");
        // Arrows go from cell to cell; what is full or gone does nothing.
        let full = "document.activeElement.matches('.full, .gone')";
        for key in
            ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"].iter().cycle().take(24)
        {
            page.key(key, 0);
            if page.eval(full) == false {
                break;
            }
        }
        page.key("Enter", 0);
        std::thread::sleep(std::time::Duration::from_millis(40));
        if page.text("#place") == at {
            // Stuck in a corner: the first free one.
            page.eval("document.querySelector(document.body.matches('.giving') ? '.gift:not(.gone)' : '.cell:not(.full)').focus()");
            page.key("Enter", 0);
        }
        page.wait(&format!("document.querySelector('#place').textContent !== {at:?}"));
        page.wait(ASKED);
        assert!(
            is_over(page) || page.eval("document.activeElement.matches('.cell, .gift')") == true,
            "the focus is lost"
        );
    }
    page.shoot("by-keys");
}

fn against_perfection(page: &mut Page) {
    seats(page, "", "perfect");
    assert_ne!(play(page), "You win!");
    page.shoot("perfect");
}

/// The marks are the solver's values, in both variants.
fn analyse(page: &mut Page) {
    seats(page, "", "");
    page.click("#analyse");
    for link in ["lines-002142143556", "lines-002142143556f", "squares-00f315e62c"] {
        page.eval(&format!("location.hash = {link:?}"));
        let marks = "document.querySelectorAll('#board .verdict, #tray .verdict').length > 0";
        let length = link.split_once('-').unwrap().1.len();
        page.wait(&format!("document.querySelector('#place').textContent.startsWith('{length} ') && {marks}"));
        let words: Vec<String> =
            link.split_once('-').unwrap().1.chars().map(|digit| digit.to_digit(16).unwrap().to_string()).collect();
        let variant = if link.starts_with('s') { "quarto squares" } else { "quarto" };
        let game: Transcript = format!("{variant} {}", words.join(" ")).parse().unwrap();
        let position = game.position();
        let solved = QuartoSolver::new(20).moves(&position, Limit::NONE).unwrap();
        let expected: Vec<String> = solved
            .iter()
            .map(|(_, solved)| match solved.ending {
                Ending::Draw => "=".to_owned(),
                Ending::Win(winner) if winner == position.turn() => format!("W{}", solved.moves),
                Ending::Win(_) => format!("L{}", solved.moves),
            })
            .collect();
        let shown = page
            .eval("[...document.querySelectorAll('#board .verdict, #tray .verdict')].map(mark => mark.textContent)");
        assert_eq!(
            shown,
            json!(expected),
            "{link}, {} to move",
            if position.turn() == Player::First { "first" } else { "second" }
        );
        page.shoot("analysis");
    }
    page.click("#hint");
    page.wait("document.querySelectorAll('.advised').length === 1");
    page.shoot("hint");
    page.click("#analyse");
}

fn save_and_open(page: &mut Page) {
    page.eval("location.hash = 'squares-0011223'");
    page.wait("document.querySelector('#place').textContent === '7 / 7'");
    page.click("#save");
    page.wait("document.querySelectorAll('#save-list .card').length >= 4");
    page.shoot("save");
    page.click("[data-format='png']");
    let file = page.saved("quarto-squares-7.png");
    page.key("Escape", 0);
    page.click("#fresh");
    page.wait("document.querySelector('#place').textContent.startsWith('0')");
    page.drop_file("mine.png", &file);
    page.wait("document.querySelector('#place').textContent === '7 / 7'");
    assert_eq!(page.text("[data-variant='squares'][aria-pressed='true']"), "Squares too");
    // What makes no sense is told in a line, and nothing is lost.
    for nonsense in ["LSQH a1 LSQH", "hello", "{\"problem\": \"morpion-5d\"}", "quarto:9"] {
        page.eval("document.querySelector('#note').hidden = true");
        page.paste(nonsense);
        page.wait("!document.querySelector('#note').hidden && document.querySelector('#note').className === 'error'");
        assert_eq!(page.text("#place"), "7 / 7");
    }
    page.shoot("nonsense");
    page.paste("quarto  2 lines are no game");
    page.paste("quarto squares  LSQH d4, dtqh d2 # a comment");
    page.wait("document.querySelector('#place').textContent === '4 / 4'");
    page.paste("quarto squares LSRH a1 LSRF b1 LSQH c1 LSQF");
    page.wait("document.querySelector('#place').textContent === '7 / 7'");
    page.forgive(&["422"]);
    page.eval("document.querySelector('#note').hidden = true");
    page.reload();
    page.wait("document.querySelector('#place').textContent === '7 / 7'");
    assert_eq!(page.get("/api/runs"), json!([]));
}

/// Two levels against each other, to the end.
fn engines(page: &mut Page) {
    page.hurry();
    page.choose("#seat-first", "beginner");
    page.choose("#seat-second", "easy");
    page.click("#fresh");
    page.wait("!document.querySelector('#again').hidden");
    page.shoot("engines");
}

fn drag(page: &mut Page) {
    seats(page, "easy", "");
    page.drag("#hand", "[data-cell='10']");
    page.wait("document.querySelector('[data-cell=\"10\"]').classList.contains('full')");
    page.wait(ASKED);
    page.drag(".gift:not(.gone)", "#hand");
    page.wait("Number(document.querySelector('#place').textContent.split(' ')[0]) > 2");
    page.wait(ASKED);
    page.shoot("dragged");
}

fn look_around(page: &mut Page, phone: bool) {
    page.prefer("prefers-color-scheme", "dark");
    page.shoot("dark");
    page.prefer("prefers-color-scheme", "light");
    page.fits(if phone { &[(320, 568)] } else { &[(3840, 2160), (900, 700)] }, phone);
}
