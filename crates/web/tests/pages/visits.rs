//! The first visit, games that come back, a server that is gone, and no more motion than is wanted.

use serde_json::json;

use crate::common::Serving;
use crate::common::browser::{Browser, DESKTOP, PHONE, Page, SEEN, installed, use_first, use_it};
use crate::common::place::Place;

const BOARD: &str = "document.querySelector('#board.ready') !== null";
const READY: &str = "document.body.classList.contains('ready')";

#[test]
fn a_first_game_of_morpion_on_a_desktop() {
    use_first(&DESKTOP, "morpion", BOARD, |page, _, _| {
        page.wait("document.querySelector('#score').textContent === '1'");
        page.wait("document.querySelector('#lesson-text').textContent.includes('Now draw yours')");
        page.wait("document.querySelectorAll('.places circle').length > 20");
        page.shoot("first-line");
        // By keyboard alone: from the board, an arrow finds a place and Enter draws.
        page.eval("document.querySelector('#board').focus()");
        page.key("ArrowDown", 0);
        page.key("Enter", 0);
        page.wait("document.querySelector('#score').textContent === '2'");
        page.wait("document.querySelector('#lesson-text').textContent.startsWith('Well done')");
        page.key("ArrowDown", 0);
        page.key("Enter", 0);
        page.wait("document.querySelector('#lesson').hidden");
        page.wait("document.querySelectorAll('.places circle').length === 0");
        rules(page, 5);
        assert!(page.text("#variant-words").contains("may touch"));
        page.click("[data-variant='5D']");
        page.wait("document.querySelector('#variant-words').textContent.includes('share no dot')");
        // The lesson was for the first visit.
        page.reload();
        page.wait(BOARD);
        assert_eq!(page.eval("document.querySelector('#lesson').hidden"), json!(true));
    });
}

#[test]
fn a_first_game_of_morpion_on_a_phone() {
    use_first(&PHONE, "morpion", BOARD, |page, _, _| {
        page.wait("document.querySelectorAll('.places circle').length > 20 && document.querySelector('#score').textContent === '1'");
        std::thread::sleep(std::time::Duration::from_millis(500));
        let at = page.eval("(box => [box.x + box.width / 2, box.y + box.height / 2])(document.querySelector('.places circle:nth-child(5)').getBoundingClientRect())");
        page.tap_at(at[0].as_f64().unwrap(), at[1].as_f64().unwrap());
        page.wait("document.querySelector('#score').textContent === '2' || !document.querySelector('#chooser').hidden");
        page.shoot("tapped");
        // Where several lines pass through the dot, a button draws the one that is shown.
        if page.eval("document.querySelector('#score').textContent") == json!("1") {
            page.click("#line-draw");
        }
        page.wait("document.querySelector('#score').textContent === '2'");
        page.wait("document.querySelector('#lesson-text').textContent.startsWith('Well done')");
        rules(page, 5);
    });
}

#[test]
fn a_first_game_of_quarto() {
    use_first(&PHONE, "quarto", READY, |page, _, _| {
        page.wait("document.querySelector('#lesson-text').textContent.startsWith('This piece is yours to place')");
        page.shoot("place");
        page.click(".cell:not(.full)");
        page.wait("document.querySelector('#lesson-text').textContent.startsWith('Now choose the piece')");
        page.click(".gift:not(.gone)");
        page.wait("document.body.classList.contains('placing')");
        page.click(".cell:not(.full)");
        page.wait("document.body.classList.contains('giving')");
        page.click(".gift:not(.gone)");
        page.wait("document.querySelector('#lesson').hidden || !document.querySelector('#again').hidden");
        rules(page, 5);
    });
}

#[test]
fn a_first_game_of_samegame() {
    for device in [&DESKTOP, &PHONE] {
        use_first(device, "samegame", READY, |page, _, phone| {
            page.wait(
                "document.querySelector('#lesson-text').textContent.startsWith('Choose a group of two or more cells')",
            );
            page.shoot("lesson");
            // A group: a cell whose neighbour above has the same colour.
            for taken in 1..=2 {
                let (x, y) = group(page);
                page.click_at(x, y);
                if phone {
                    // A finger looks first, and takes at the second tap.
                    page.wait("document.querySelector('#preview').textContent.includes('cells')");
                    page.click_at(x, y);
                }
                page.wait(&format!("document.querySelector('#place').textContent === '{taken} / {taken}'"));
                if taken == 1 {
                    page.wait("document.querySelector('#lesson-text').textContent.startsWith('Larger groups')");
                }
            }
            page.wait("document.querySelector('#lesson').hidden");
            rules(page, 4);
        });
    }
}

/// Where a group of SameGame is on the screen.
fn group(page: &mut Page) -> (f64, f64) {
    page.eval("document.querySelector('#board').scrollIntoView({ block: 'center', behavior: 'instant' })");
    std::thread::sleep(std::time::Duration::from_millis(500));
    let at = page.eval(
        "(async () => {
            const { Position } = await import('./samegame/rules.js')
            const api = await import('./core/api.js')
            const kept = JSON.parse(sessionStorage[`nestling.game${location.pathname}`]).packed
            const [problem, moves] = kept.split('~').map(decodeURIComponent)
            const { view } = await api.position(problem, moves.split('\\n').filter(Boolean))
            const [cell] = new Position(view.columns, []).groups[0]
            const board = document.querySelector('#board')
            const height = board.viewBox.baseVal.height - 0.2
            const at = new DOMPoint(cell.column + 0.5, height - cell.row - 0.5).matrixTransform(board.getScreenCTM())
            return [at.x, at.y]
        })()",
    );
    (at[0].as_f64().unwrap(), at[1].as_f64().unwrap())
}

/// The first puzzle is one: it has exactly one solution, and the lesson ends with the first digit.
#[test]
fn a_first_sudoku() {
    for device in [&DESKTOP, &PHONE] {
        use_first(device, "sudoku", READY, |page, _, phone| {
            page.wait("document.querySelector('#lesson-text').textContent.startsWith('Every row, column and box')");
            page.shoot("lesson");
            page.click("#check");
            page.wait("document.querySelector('#checked').textContent.startsWith('It has exactly one solution')");
            let free = page.text("#score").parse::<u32>().unwrap();
            // Nobody can know a digit without thinking; the solution has one.
            page.click("#reason");
            page.wait("document.querySelectorAll('#steps li').length > 0");
            page.click(".square:not(.given)");
            page.click("#look");
            page.wait("document.querySelector('#checked .link') !== null");
            let digit = page.text("#checked").split(' ').nth(3).unwrap().to_owned();
            if phone {
                page.click(&format!("#keypad button:nth-child({digit})"));
            } else {
                page.click(".square:not(.given)");
                page.key(&digit, 0);
            }
            page.wait(&format!("document.querySelector('#score').textContent === '{}'", free - 1));
            page.wait("document.querySelector('#lesson').hidden");
            rules(page, 3);
        });
    }
}

#[test]
fn a_first_tour() {
    for device in [&DESKTOP, &PHONE] {
        use_first(device, "tours", READY, |page, _, _| {
            page.wait("document.querySelector('#lesson-text').textContent.startsWith('You start at the square')");
            page.shoot("lesson");
            page.click("#unvisited button");
            page.wait("document.querySelector('#place').textContent === '1 / 1'");
            page.wait("document.querySelector('#lesson-text').textContent.startsWith('And so on')");
            page.click("#unvisited button");
            page.wait("document.querySelector('#lesson').hidden");
            rules(page, 3);
        });
    }
}

/// Whoever has a phone sees all pages in the menu.
#[test]
fn the_menu_is_whole() {
    use_it(&PHONE, "", READY, |page, _, _| {
        for width in [390, 320] {
            page.resize(width, 844, true);
            let inside = page.eval(
                "[...document.querySelectorAll('header nav a')].map(link => link.getBoundingClientRect())
                    .filter(box => box.width > 20 && box.left >= 0 && box.right <= innerWidth && box.top >= 0 && box.bottom < 200).length",
            );
            assert_eq!(inside, json!(7), "{width}");
        }
        page.shoot("menu");
    });
}

/// The rules have a picture each.
fn rules(page: &mut Page, count: u32) {
    page.click("#rules");
    page.wait(&format!("document.querySelectorAll('#rules-list li svg').length >= {count}"));
    page.shoot("rules");
    page.key("Escape", 0);
}

/// Whatever replaces a game can be undone, and the games stay in a list.
#[test]
fn games_come_back() {
    use_it(&DESKTOP, "morpion", BOARD, |page, place, _| {
        let score = |score: u32| format!("document.querySelector('#score').textContent === '{score}'");
        page.eval("document.querySelector('#board').focus()");
        for played in 1..=3 {
            page.key("ArrowRight", 0);
            page.key("Enter", 0);
            page.wait(&score(played));
        }
        page.click("#fresh");
        page.wait(&score(0));
        page.shoot("offered");
        page.click("#note .link");
        page.wait(&score(3));
        page.click("[data-variant='4D']");
        page.wait(&score(0));
        page.key("z", 2);
        page.wait(&score(3));
        page.click("#records");
        page.wait("document.querySelector('#records-list .card') !== null");
        page.click("#records-list .card");
        page.wait("document.querySelector('#title').textContent.length > 0 && !document.querySelector('#back').hidden");
        page.click("#back");
        page.wait(&score(3));
        // Home and End, wherever the focus is.
        page.eval("document.querySelector('#fresh').focus()");
        page.key("Home", 0);
        page.wait(&score(0));
        page.key("End", 0);
        page.wait(&score(3));
        page.click("#yours");
        page.wait("document.querySelectorAll('#yours-list .card').length === 1");
        page.shoot("your-games");
        page.key("Escape", 0);
        // From the page of another game, too.
        page.open(&place.address("quarto"));
        page.wait("document.body.classList.contains('placing')");
        page.click(".cell:not(.full)");
        page.wait("document.body.classList.contains('giving')");
        page.click("#fresh");
        page.wait(
            "document.querySelector('#place').textContent.startsWith('0') || !document.querySelector('#back').hidden",
        );
        page.click("#back");
        page.wait("document.querySelectorAll('.cell.full').length === 1");
        page.click("#yours");
        page.wait("document.querySelectorAll('#yours-list section').length === 2");
        page.click("[data-problem='morpion-5t'] button");
        page.wait(&format!(
            "/[/]morpion([.]html)?$/.test(location.pathname) && document.querySelector('#score') !== null && {}",
            score(3)
        ));
    });
}

/// A server that has stopped is noticed, and its return too.
#[test]
fn a_stopped_server_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    let mut options = nestling_web::Options::new(&folder.path().join("runs.db"));
    let mut serving = Serving::with(&options);
    options.address = serving.address.parse().unwrap();
    let Some(program) = installed() else { return };
    let mut browser = Browser::start(&program);
    let mut page = browser.page("stopped-quarto", PHONE.width, PHONE.height, true);
    page.open(&format!("http://{}/quarto", serving.address));
    page.wait(READY);
    assert_eq!(page.eval("document.querySelector('#gone').checkVisibility()"), json!(false));
    serving.stop();
    page.wait("document.querySelector('#gone').checkVisibility()");
    let mut serving = Serving::with(&options);
    page.wait("!document.querySelector('#gone').checkVisibility()");
    page.close();
    let mut page = browser.page("stopped", DESKTOP.width, DESKTOP.height, false);
    serving.begin(json!({ "problem": "morpion-5d", "search": "repeat(nested(3))", "seconds": 600 }));
    page.open(&format!("http://{}/morpion", serving.address));
    page.wait(BOARD);
    page.wait("document.querySelector('#live-state').textContent.startsWith('Running')");
    serving.stop();
    page.wait("document.querySelector('#gone').checkVisibility()");
    page.wait("document.querySelector('#live-state').textContent.startsWith('No connection')");
    page.shoot("gone");
    let _again = Serving::with(&options);
    page.wait("!document.querySelector('#gone').checkVisibility()");
    page.wait("!document.querySelector('#live-state').textContent.startsWith('No connection')");
}

/// Where motion is to be reduced, a record does not play by itself.
#[test]
fn calm_pages_do_not_play() {
    use_it(&DESKTOP, "morpion", BOARD, |page, _, _| {
        page.prefer("prefers-reduced-motion", "reduce");
        page.click("#records");
        page.wait("document.querySelector('#records-list .card') !== null");
        page.click("#records-list .card");
        page.wait("Number(document.querySelector('#score').textContent) > 100");
    });
}

/// A page in a new tab.
fn tab<'b>(browser: &'b mut Browser, place: &Place, path: &str, ready: &str) -> Page<'b> {
    let mut page = browser.page(&format!("tab-of-{path}"), DESKTOP.width, DESKTOP.height, false);
    page.before(SEEN);
    page.open(&place.address(path));
    page.wait(ready);
    page
}

/// A game goes on in the next tab when its own is closed. Two tabs that are open are two games.
#[test]
fn games_outlive_their_tab() {
    let (Some(program), place) = (installed(), Place::start()) else { return };
    let mut browser = Browser::start(&program);
    let score = |page: &mut Page, score: u32| {
        page.wait(&format!("document.querySelector('#score').textContent === '{score}'"));
    };
    let play = |page: &mut Page, before: u32| {
        page.eval("document.querySelector('#board').focus()");
        page.key("ArrowRight", 0);
        page.key("Enter", 0);
        score(page, before + 1);
    };
    let mut first = tab(&mut browser, &place, "morpion", BOARD);
    play(&mut first, 0);
    play(&mut first, 1);
    first.close();
    let mut second = tab(&mut browser, &place, "morpion", BOARD);
    score(&mut second, 2);
    play(&mut second, 2);
    let entries = "JSON.parse(localStorage['nestling.games']).length";
    assert_eq!(second.eval(entries), json!(1), "the game has its entry still");
    // The second stays open.
    let mut third = tab(&mut browser, &place, "morpion", BOARD);
    score(&mut third, 0);
    play(&mut third, 0);
    assert_eq!(third.eval(entries), json!(2));
    third.close();
    // Whoever follows a link gets its game, and the other one later.
    let mut linked = tab(&mut browser, &place, "morpion#5t~AA", BOARD);
    score(&mut linked, 0);
    linked.close();
    for (path, move_one, is_played) in [
        ("quarto", ".cell:not(.full)", "document.body.classList.contains('giving')"),
        ("samegame", "#hint", "document.querySelector('#advice .link') !== null"),
    ] {
        let mut page = tab(&mut browser, &place, path, READY);
        if path == "quarto" {
            // The computer gives the first piece.
            page.wait("document.body.classList.contains('placing')");
        }
        page.click(move_one);
        page.wait(is_played);
        if path == "samegame" {
            page.click("#advice .link");
            page.wait("document.querySelector('#place').textContent.startsWith('1 /')");
        }
        let now = page.text("#place");
        page.close();
        let mut page = tab(&mut browser, &place, path, READY);
        page.wait(&format!("document.querySelector('#place').textContent === {now:?}"));
        page.is_content();
        page.close();
    }
    place.is_complete();
}
