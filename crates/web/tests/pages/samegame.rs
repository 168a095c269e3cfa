//! SameGame: a small board cleared by clicks, taps and keys, hints, searches, boards of one's own.

use serde_json::json;

use crate::common::Serving;
use crate::common::browser::{DESKTOP, PHONE, Page, use_with};
use crate::common::place::Place;

const READY: &str = "document.body.classList.contains('ready')";

/// The page's own rules and the server's say the same of random games.
const RULES: &str = r#"(async () => {
    const { Position, write } = await import('./samegame/rules.js')
    const api = await import('./core/api.js')
    let [seed, compared] = [1, 0]
    const below = n => (seed = (seed * 16807) % 2147483647) % n
    for (const problem of ['samegame:seed=1,size=6x5,colours=3', 'samegame:seed=2,size=3x9,colours=2', 'samegame:seed=3,size=8x8,colours=5']) {
        const { view } = await api.position(problem, [])
        for (let game = 0; game < 4; game++) {
            const moves = []
            for (let position = new Position(view.columns, []); ; position = new Position(view.columns, moves)) {
                const there = await api.position(problem, moves)
                const legal = position.groups.map(group => write(group[0]))
                const columns = position.columns.map(column => column.map(({ colour }) => colour))
                const one = JSON.stringify([position.score, legal.sort(), columns])
                const other = JSON.stringify([there.score, there.legal_moves.sort(), there.view.columns])
                if (one !== other) return `${problem} ${moves}: ${one} ${other}`
                compared += 1
                if (legal.length === 0) break
                moves.push(legal[below(legal.length)])
            }
        }
    }
    return compared
})()"#;

#[test]
fn on_a_desktop() {
    use_with(Serving::start(), &DESKTOP, "samegame", READY, everything);
}

#[test]
fn on_a_phone() {
    use_with(Serving::start(), &PHONE, "samegame", READY, everything);
}

fn everything(page: &mut Page, _: &Place, phone: bool) {
    page.shoot("first-sight");
    assert!(page.eval(RULES).as_i64().is_some_and(|compared| compared > 50), "{}", page.eval(RULES));
    clear_a_board(page, phone);
    ask_for_help(page);
    watch(page);
    bring_a_board(page);
    page.prefer("prefers-color-scheme", "dark");
    page.shoot("dark");
    page.prefer("prefers-color-scheme", "light");
    page.fits(if phone { &[(320, 568)] } else { &[(3840, 2160), (900, 700)] }, phone);
}

/// The middle of a cell of the screen, column and row from the lower left.
fn place(page: &mut Page, column: u32, row: u32) -> (f64, f64) {
    page.eval("document.querySelector('#board').scrollIntoView({ block: 'center', behavior: 'instant' })");
    let at = page.eval(&format!(
        "(() => {{
            const board = document.querySelector('#board')
            const height = board.viewBox.baseVal.height - 0.2
            const at = new DOMPoint({column}.5, height - {row} - 0.5).matrixTransform(board.getScreenCTM())
            return [at.x, at.y]
        }})()"
    ));
    (at[0].as_f64().unwrap(), at[1].as_f64().unwrap())
}

/// Two groups: one by hand, one by keys.
fn clear_a_board(page: &mut Page, phone: bool) {
    page.paste("0011\n0011\n0011\n");
    page.wait("document.querySelector('#left').textContent === '2 groups can be taken, 12 cells left.'");
    let (x, y) = place(page, 0, 1);
    if phone {
        page.tap_at(x, y);
        page.wait("document.querySelector('.tag').textContent === '+16'");
        page.shoot("preview");
        page.tap_at(x, y);
    } else {
        page.point_at(x, y);
        page.wait("document.querySelectorAll('.cell.in').length === 6");
        assert_eq!(page.text("#preview"), "6 cells, 16 points");
        page.shoot("preview");
        page.click_at(x, y);
    }
    page.wait("document.querySelector('#score').textContent === '16'");
    page.key("Backspace", 0);
    page.wait("document.querySelector('#score').textContent === '0'");
    page.key("y", 0);
    page.wait("document.querySelector('#score').textContent === '16'");
    page.eval("document.querySelector('#board').focus()");
    page.key("ArrowRight", 0);
    page.wait("document.querySelectorAll('.cell.in').length === 6");
    page.key("Enter", 0);
    page.wait("document.querySelector('#score').textContent === '1,032'");
    assert!(page.text("#left").contains("cleared"));
    page.wait("document.querySelector('#best-here').textContent.includes('Your best here: 1,032')");
    page.shoot("cleared");
}

fn ask_for_help(page: &mut Page) {
    page.choose("#size", "5x5");
    page.click("#boards [type='submit']");
    page.wait("document.querySelector('#board-name').textContent.includes('5x5')");
    page.click("#hint");
    page.wait("document.querySelectorAll('.cell.advised').length > 1");
    page.shoot("hint");
    page.click("#advice .link");
    page.wait("document.querySelector('#place').textContent === '1 / 1'");
}

fn watch(page: &mut Page) {
    page.eval("document.querySelector('#another').open = true");
    page.click("#start");
    page.wait("document.querySelector('#live-search').textContent.includes('playout=lenient')");
    page.wait("document.querySelectorAll('.numbered .number').length === 25");
    page.wait("document.querySelectorAll('#bars .bar').length > 1");
    page.shoot("watching");
    page.click("#stop");
    page.wait("document.querySelector('#live-state').textContent.startsWith('Done')");
    let runs = page.get("/api/runs");
    assert_eq!(runs[0]["problem"], json!("samegame:seed=1,size=5x5,colours=4"));
    let best = page.text("#live-best");
    page.click("#take");
    page.wait(&format!("document.querySelector('#score').textContent === {best:?}"));
    // What a search has found is not one's own best.
    assert!(!page.text("#best-here").contains("Your best"));
    page.wait(&format!("document.querySelector('#best-here').textContent === '{best} by a search'"));
}

/// A board that makes no sense is told in a line, and nothing is lost.
fn bring_a_board(page: &mut Page) {
    let before = page.text("#place");
    page.click("#paste-board");
    page.eval("document.querySelector('#paste-text').value = '012\\n01'");
    page.click("#paste-form .main");
    page.wait(
        "document.querySelector('#paste-error').textContent.startsWith('line 2: 2 cells, but the rows above have 3')",
    );
    page.shoot("nonsense");
    assert_eq!(page.text("#place"), before);
    assert_eq!(page.eval("document.querySelector('#paste-text').value"), json!("012\n01"));
    page.forgive(&["422"]);
    page.eval("document.querySelector('#paste-text').value = '0122\\n0110\\n'");
    page.click("#paste-form .main");
    page.wait("document.querySelector('#left').textContent.startsWith('3 groups')");
    page.click("#save");
    page.wait("document.querySelectorAll('#save-list .card').length >= 4");
    page.click("[data-format='png']");
    page.key("Escape", 0);
    page.reload();
    page.wait("document.querySelector('#left').textContent.startsWith('3 groups')");
}
