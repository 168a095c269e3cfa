//! Hints with reasons, and games that are looked at again.

use serde_json::json;

use crate::common::browser::{DESKTOP, PHONE, use_it};

const BOARD: &str = "document.querySelector('#board.ready') !== null";
const READY: &str = "document.body?.classList.contains('ready')";

/// Reasons of Quarto are those of the rules: a line waits, a piece completes it, and the page says where and by what.
const REASONS: &str = r#"(async () => {
    const { Position } = await import('./quarto/rules.js')
    const { completed, reasons, threats, whyItLoses } = await import('./quarto/reasons.js')
    let [seed, compared] = [7, 0]
    const below = n => (seed = (seed * 16807) % 2147483647) % n
    for (const squares of [false, true]) {
        for (let game = 0; game < 40; game++) {
            const moves = []
            for (let position = new Position(squares, []); !position.isOver; position = new Position(squares, moves)) {
                if (position.hand === null) {
                    for (const piece of position.left) {
                        const wins = new Position(squares, [...moves, piece]).legal.some(cell => new Position(squares, [...moves, piece, cell]).won.length > 0)
                        if (wins !== (completed(position, piece).length > 0) || wins !== (whyItLoses(position, piece) !== '')) return `${moves}: ${piece}`
                        compared += 1
                    }
                }
                const move = position.legal[below(position.legal.length)]
                const said = reasons(position, move, new Position(squares, [...moves, move]))
                if (said.length === 0 && position.left.length > 0) return `${moves} ${move}: nothing is said`
                moves.push(move)
            }
        }
    }
    return compared
})()"#;

#[test]
fn of_quarto() {
    use_it(&DESKTOP, "quarto", READY, |page, _, _| {
        let compared = page.eval(REASONS);
        assert!(compared.as_i64().is_some_and(|compared| compared > 500), "{compared}");
        page.choose("#seat-first", "");
        page.choose("#seat-second", "");
        page.eval("location.hash = 'lines-002142143556'");
        page.wait("document.querySelector('#place').textContent === '12 / 12'");
        page.click("#hint");
        page.wait("document.querySelector('#advice').textContent.includes('lines wait for a piece that is')");
        assert!(page.text("#advice").contains("All 10 pieces left lose at once"), "{}", page.text("#advice"));
        assert_eq!(page.eval("document.querySelectorAll('.cell.threat').length"), json!(8));
        page.shoot("reasons");
        // The review of a short game: the second player gave a piece that completes a line.
        page.eval("location.hash = 'lines-002142143556f7'");
        page.wait("!document.querySelector('#again').hidden");
        page.click("#review-start");
        page.wait("document.querySelectorAll('#review-chart circle.exact').length > 2");
        page.wait("document.querySelectorAll('#review-list li').length > 0");
        page.shoot("review");
        page.click("#review-list .link");
        page.wait("document.querySelector('#place').textContent !== '14 / 14'");
        page.click("#fresh");
        page.wait("document.querySelector('#review').hidden");
    });
}

/// Opens a game of the smallest variant in which every move leaves as few as possible.
const SHORT: &str = r#"(async () => {
    const { VARIANTS, Position } = await import('./morpion/rules.js')
    const { pack } = await import('./morpion/notation.js')
    const variant = VARIANTS['4D']
    const moves = []
    for (let legal = new Position(variant, moves).legal(); legal.length > 0; legal = new Position(variant, moves).legal()) {
        const left = move => new Position(variant, [...moves, move]).legal().length
        moves.push(legal.reduce((least, move) => (left(move) < left(least) ? move : least)))
    }
    location.hash = pack(variant, moves)
    return moves.length
})()"#;

#[test]
fn of_morpion() {
    use_it(&PHONE, "morpion", BOARD, |page, _, _| {
        page.click("#hint");
        page.wait("/opens .* lines?, closes .* and leaves \\d+ to be drawn; it leads to/.test(document.querySelector('#advice').textContent)");
        page.click("#advice .link");
        page.wait("document.querySelector('#score').textContent === '1'");
        // A game of the smallest variant, to its end.
        let records = page.get("/api/records?problem=morpion-4d");
        let moves = records[0]["moves"].as_array().unwrap().iter().map(|text| text.as_str().unwrap());
        page.paste(&format!("# problem: morpion-4d\n{}\n", moves.collect::<Vec<_>>().join("\n")));
        page.wait("document.querySelector('#left').textContent.startsWith('The game is over')");
        page.click("#review-start");
        page.wait("document.querySelectorAll('#review-chart circle').length > 3");
        page.shoot("review");
        page.click("#review-stop");
        page.wait("document.querySelector('#review-stop').hidden");
        page.eval("document.querySelector('#review-chart').dispatchEvent(new MouseEvent('click', { clientX: 100, clientY: 100 }))");
        page.wait("document.querySelector('#place').textContent.split(' / ')[0] !== document.querySelector('#place').textContent.split(' / ')[1]");
        // A game that ends as soon as it can: a move of it cost most, and from before that move it can be played on.
        page.eval(SHORT);
        page.wait("document.querySelector('#left').textContent.startsWith('The game is over')");
        page.click("#review-start");
        page.wait("document.querySelector('#review-list .link') !== null");
        let whole = page.text("#place");
        page.shoot("turns");
        page.click("#review-stop");
        page.click("#review-list .link");
        page.wait(&format!("document.querySelector('#place').textContent !== {whole:?}"));
    });
}
