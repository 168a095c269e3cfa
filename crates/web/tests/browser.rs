//! The app as people use it, in a real browser. Every step leaves a picture in target/screenshots.

use serde_json::{Value, json};

use crate::common::Serving;
use crate::common::browser::{DESKTOP, PHONE, Page, use_with};
use crate::common::place::Place;

/// The page's own rules and the server's allow the same moves, whatever is played; links carry every record.
const RULES: &str = r#"(async () => {
    const { VARIANTS, Position } = await import('./morpion/rules.js')
    const { pack, read, unpack, write } = await import('./morpion/notation.js')
    const api = await import('./core/api.js')
    let [seed, compared] = [1, 0]
    const below = n => (seed = (seed * 16807) % 2147483647) % n
    for (const variant of Object.values(VARIANTS)) {
        for (let game = 0; game < 3; game++) {
            const moves = []
            for (let legal = new Position(variant).legal(); legal.length > 0; legal = new Position(variant, moves).legal()) {
                if (moves.length % 9 === 0) {
                    const texts = moves.map(move => write(variant, move))
                    const { legal_moves } = await api.position(variant.problem, texts)
                    const here = legal.map(move => write(variant, move)).sort().join()
                    if (here !== legal_moves.sort().join()) return `${variant.name} ${texts}: ${here}`
                    compared += 1
                }
                moves.push(legal[below(legal.length)])
            }
            const end = await api.position(variant.problem, moves.map(move => write(variant, move)))
            if (!end.complete) return `${variant.name}: the server would go on`
        }
        for (const { moves } of await api.records(variant.problem)) {
            const link = pack(variant, moves.map(text => read(variant, text)))
            if (unpack(link)?.moves.map(move => write(variant, move)).join() !== moves.join()) return link
        }
    }
    const far = { x: 900, y: -900, direction: 3, hole: 4 }
    const links = ['', '5t', '5t-A', '5t-AAA', '9t-', '5t.????', pack(VARIANTS['5T'], [far])]
    return links.every(link => unpack(link) === null) && compared
})()"#;

/// A game in which several lines pass through one dot: its link, and where that dot is.
const CROSSING: &str = r#"(async () => {
    const { VARIANTS, Position, dot } = await import('./morpion/rules.js')
    const { pack } = await import('./morpion/notation.js')
    const variant = VARIANTS['5T']
    for (const moves = []; ; moves.push(new Position(variant, moves).legal()[0])) {
        const legal = new Position(variant, moves).legal()
        const through = cell => legal.filter(move => dot(move).x === cell.x && dot(move).y === cell.y)
        const found = legal.map(dot).find(cell => through(cell).length > 1)
        if (found) return { link: pack(variant, moves), lines: through(found).length, ...found }
    }
})()"#;

const READY: &str = "document.querySelector('#board.ready') !== null";

/// Where a cell of the board is on the screen.
fn place(page: &mut Page, x: f64, y: f64) -> (f64, f64) {
    let found = page.eval(&format!(
        "(() => {{
            const board = document.querySelector('#board')
            const at = new DOMPoint({x} * 40, {y} * 40).matrixTransform(board.getScreenCTM())
            return [at.x, at.y]
        }})()"
    ));
    (found[0].as_f64().unwrap(), found[1].as_f64().unwrap())
}

fn number(page: &mut Page, selector: &str) -> i64 {
    page.text(selector).parse().unwrap_or(-1)
}

fn score_is(page: &mut Page, score: i64) {
    page.wait(&format!("document.querySelector('#score').textContent === '{score}'"));
}

#[test]
fn on_a_desktop() {
    use_with(Serving::start(), &DESKTOP, "morpion", READY, everything);
}

#[test]
fn on_a_phone() {
    use_with(Serving::start(), &PHONE, "morpion", READY, everything);
}

/// Answers as on a machine with a GPU. What is begun is kept; once `lenient` is set, searches are explained as the processor's.
const WITH_GPU: &str = r#"
    const plain = fetch
    Object.assign(window, { begun: [], lenient: false })
    window.fetch = async (path, request) => {
        const order = request?.method === 'POST' ? JSON.parse(request.body) : {}
        if (path === '/api/runs' && order.problem) begun.push(order)
        if (path === '/api/explain' && lenient) request = { ...request, body: JSON.stringify({ ...order, device: 'cpu' }) }
        const answer = await plain(path, request)
        return path.startsWith('/api/problem?') ? Response.json({ ...await answer.json(), devices: ['cpu', 'cuda'] }) : answer
    }
"#;

#[test]
fn on_a_gpu() {
    use_with(Serving::start(), &DESKTOP, "morpion", READY, choose_a_gpu);
}

fn choose_a_gpu(page: &mut Page, _: &Place, _: bool) {
    let devices = page.get("/api/problem?problem=morpion-5t")["devices"].clone();
    assert_eq!(devices[0], "cpu");
    page.wait("document.querySelector('#distance').textContent !== ''");
    let offered = "document.querySelector('#device').checkVisibility()";
    assert_eq!(page.eval(offered), json!(devices == json!(["cpu", "cuda"])), "{devices}");

    page.before(WITH_GPU);
    page.reload();
    page.wait(offered);
    page.eval(
        "(box => (box.value = 'uct(9)', box.dispatchEvent(new Event('input'))))(document.querySelector('#expression'))",
    );
    page.wait("document.querySelector('#cost').textContent.includes('playouts')");
    page.choose("#device", "cuda");
    page.wait("document.querySelector('#cost.error')?.textContent.startsWith('GPUs do not support uct(9)')");
    page.wait("document.querySelector('#start').disabled");
    page.eval("document.querySelector('#start').scrollIntoView({ block: 'end' })");
    page.shoot("gpu-refused");

    page.eval("lenient = true");
    page.choose("#device", "cuda");
    page.wait("!document.querySelector('#start').disabled");
    page.click("#start");
    page.wait("document.querySelector('#note').textContent.includes('GPUs do not support uct(9)')");
    let begun = page.eval("begun");
    assert_eq!((&begun[0]["search"], &begun[0]["device"]), (&json!("uct(9)"), &json!("cuda")));
    page.forgive(&["422"]);

    page.reload();
    page.wait("document.querySelector('#device').checkVisibility()");
    assert_eq!(page.eval("document.querySelector('#device').value"), "cuda", "a choice is kept");
    page.wait("document.querySelector('#cost.error') !== null");
    page.forgive(&["422"]);
}

fn everything(page: &mut Page, _: &Place, phone: bool) {
    let ready = page.eval("Math.round(performance.getEntriesByType('navigation')[0].domComplete)");
    println!("the page was complete after {ready} ms");
    page.shoot("start");
    assert!(page.eval(RULES).as_i64().is_some_and(|compared| compared > 50), "{}", page.eval(RULES));
    play(page, phone);
    choose_between_lines(page, phone);
    zoom(page, phone);
    ask_for_help(page);
    watch(page);
    open_and_save(page);
    look_around(page, phone);
}

/// A game by clicks or taps, and by keys.
fn play(page: &mut Page, phone: bool) {
    page.click("#toggle-places");
    page.wait("document.querySelectorAll('.places circle').length === 28");
    page.shoot("possible-moves");
    let (x, y) = place(page, 3.0, -1.0);
    if phone {
        page.tap_at(x, y);
    } else {
        page.point_at(x, y);
        page.wait("document.querySelectorAll('.ghosts .chosen').length === 1");
        page.click_at(x, y);
    }
    score_is(page, 1);
    page.eval("document.querySelector('#board').focus()");
    for score in 2..=6 {
        page.key(["ArrowRight", "ArrowDown", "ArrowLeft"][score as usize % 3], 0);
        page.wait("document.querySelectorAll('.ghosts .chosen').length === 1");
        page.key("Enter", 0);
        score_is(page, score);
    }
    page.shoot("played");
    page.key("Backspace", 0);
    score_is(page, 5);
    page.key("z", 2);
    score_is(page, 4);
    page.key("y", 2);
    score_is(page, 5);
    page.click("#redo");
    score_is(page, 6);
    page.key("Home", 0);
    page.eval("document.querySelector('#board').focus()");
    page.key("Home", 0);
    score_is(page, 0);
    page.key("End", 0);
    score_is(page, 6);
    page.reload();
    score_is(page, 6);
}

fn choose_between_lines(page: &mut Page, phone: bool) {
    let crossing = page.eval(CROSSING);
    let (link, lines) = (crossing["link"].as_str().unwrap(), crossing["lines"].as_u64().unwrap());
    page.eval(&format!("location.hash = {link:?}"));
    page.wait("location.hash === ''");
    page.eval("document.querySelector('#board').scrollIntoView()");
    std::thread::sleep(std::time::Duration::from_millis(450));
    let before = number(page, "#score");
    let (x, y) = place(page, crossing["x"].as_f64().unwrap(), crossing["y"].as_f64().unwrap());
    let chosen = "(line => line && [line.x1, line.y1, line.x2, line.y2].map(end => end.baseVal.value).join())\
                  (document.querySelector('.ghosts .chosen'))";
    let count = format!("document.querySelectorAll('.ghosts line').length === {lines}");
    let mut seen = std::collections::BTreeSet::new();
    if phone {
        for _ in 0..lines {
            page.tap_at(x, y);
            page.wait(&count);
            seen.insert(page.eval(chosen).to_string());
        }
        page.shoot("two-lines");
        page.click("#line-draw");
    } else {
        // All around the dot there is a line to every side.
        for turn in 0..12 {
            let angle = f64::from(turn) * std::f64::consts::TAU / 12.0;
            page.point_at(x + 15.0 * angle.cos(), y + 15.0 * angle.sin());
            page.wait(&count);
            seen.insert(page.eval(chosen).to_string());
        }
        page.shoot("two-lines");
        let last = page.eval(chosen).to_string();
        page.eval("document.querySelector('#board').focus()");
        page.key(" ", 0);
        assert_ne!(page.eval(chosen).to_string(), last);
        page.key("Enter", 0);
    }
    assert_eq!(seen.len() as u64, lines, "{seen:?}");
    score_is(page, before + 1);
}

fn zoom(page: &mut Page, phone: bool) {
    let width = "document.querySelector('#board').viewBox.baseVal.width";
    let before = page.eval(width).as_f64().unwrap();
    let (x, y) = place(page, 2.0, 2.0);
    if phone {
        page.touch("touchStart", &[(x, y), (x + 40.0, y)]);
        for step in 1..=8 {
            page.touch("touchMove", &[(x, y), (x + 40.0 + 10.0 * f64::from(step), y)]);
        }
        page.touch("touchEnd", &[]);
    } else {
        page.wheel_at(x, y, -300.0);
    }
    page.wait(&format!("{width} < {}", before * 0.9));
    page.shoot("zoomed");
    page.click("#zoom-fit");
    page.wait(&format!("Math.abs({width} - {before}) < {}", before * 0.1));
}

fn ask_for_help(page: &mut Page) {
    let before = number(page, "#score");
    page.click("#hint");
    page.wait("document.querySelector('#advice strong') !== null");
    page.wait("document.querySelectorAll('.hint line').length === 1");
    page.shoot("hint");
    page.click("#advice .link");
    score_is(page, before + 1);
    page.click("#finish");
    page.wait("document.querySelector('#live-search')?.textContent");
    page.shoot("finishing");
    page.wait("document.querySelector('#left').textContent.startsWith('The game is over')");
    assert!(number(page, "#score") > 40);
    page.shoot("finished");
}

fn watch(page: &mut Page) {
    page.click("[data-variant='5D']");
    page.eval("document.querySelector('#another').open = true");
    page.choose("#algorithm", "nested");
    page.choose("#level", "3");
    assert_eq!(page.eval("document.querySelector('#expression').value"), "repeat(nested(3))");
    page.wait("document.querySelector('#cost').textContent.includes('playouts')");
    page.shoot("search-form");
    page.choose("#time", "600");
    page.click("#start");
    page.wait("document.querySelector('#live-search').textContent === 'repeat(nested(3))'");
    let first = page.wait("Number(document.querySelector('#live-best').textContent) || false").as_i64().unwrap();
    page.wait(&format!("Number(document.querySelector('#live-best').textContent) > {first}"));
    page.wait("document.querySelectorAll('#bars .bar').length > 3");
    page.shoot("watching");
    let runs = page.get("/api/runs");
    let run = runs[0]["id"].as_i64().unwrap();
    assert_eq!((&runs[0]["search"], &runs[0]["state"]), (&json!("repeat(nested(3))"), &json!("running")));

    page.reload();
    page.wait("document.querySelector('#live-state').textContent.startsWith('Running')");
    page.click("#show-search");
    page.wait("document.querySelectorAll('.lines line').length > 40");
    page.eval("document.querySelector('#another').open = true");
    page.click("#pause");
    page.wait("document.querySelector('#live-state').textContent.startsWith('Paused')");
    page.click("#resume");
    page.wait("document.querySelector('#live-state').textContent.startsWith('Running')");
    page.click("#stop");
    page.wait("document.querySelector('#live-state').textContent.startsWith('Done')");
    page.shoot("stopped");
    assert_eq!(page.until(run, "done")["results"], json!([]));
    assert_eq!(page.eval("document.querySelector('#another').open"), json!(true), "news of a search closed the form");
    let best = number(page, "#live-best");
    page.click("#take");
    score_is(page, best);
}

fn open_and_save(page: &mut Page) {
    page.click("#records");
    page.wait("document.querySelectorAll('#records-list .card').length > 2");
    page.shoot("records");
    page.click("#records-list .card");
    page.wait("document.querySelector('#title').textContent === 'Rosin 82 (5D)'");
    page.wait("Number(document.querySelector('#score').textContent) > 4");
    page.shoot("replaying");
    page.click("#see-ages");
    page.eval("document.querySelector('#board').focus()");
    page.key("p", 0);
    page.key("End", 0);
    score_is(page, 82);
    assert!(page.text("#distance").contains("Equals the record of 82"));
    page.shoot("record-by-age");
    page.click("#see-ages");

    page.click("#save");
    page.wait("document.querySelectorAll('#save-list .card').length >= 7");
    page.shoot("save");
    page.click("[data-format='png']");
    let picture = page.saved("morpion-5d-82.png");
    assert!(picture.starts_with(b"\x89PNG"));
    page.click("[data-format='pentasol']");
    let text = String::from_utf8(page.saved("morpion-5d-82.psol")).unwrap();
    assert_eq!(text.lines().filter(|line| line.starts_with('(')).count(), 83);
    page.key("Escape", 0);

    page.click("#fresh");
    score_is(page, 0);
    page.drop_file("mine.png", &picture);
    score_is(page, 82);
    assert!(page.text("#whence").contains("Christopher D. Rosin"));
    page.shoot("dropped");
    page.click("#link");
    page.wait("!document.querySelector('#note').hidden");
}

fn look_around(page: &mut Page, phone: bool) {
    page.prefer("prefers-color-scheme", "dark");
    page.eval("scrollTo(0, 0)");
    page.shoot("dark");
    let address = page.eval("location.origin").as_str().unwrap().to_owned();
    page.open(&format!("{address}/runs"));
    page.wait("document.querySelectorAll('#list li').length >= 2");
    page.click("#list a");
    page.wait("!document.querySelector('#detail').hidden");
    page.shoot("runs-dark");
    page.prefer("prefers-color-scheme", "light");
    page.wait("document.querySelectorAll('#fame li').length > 0");
    page.shoot("runs");
    let wide: Value = page.eval("document.documentElement.scrollWidth <= innerWidth");
    assert_eq!(wide, json!(true), "the page is wider than the screen");
    let sizes: &[(u32, u32)] = if phone { &[(320, 568)] } else { &[(3840, 2160), (900, 700)] };
    for &(width, height) in sizes {
        page.resize(width, height, phone);
        for name in ["", "morpion", "runs"] {
            page.open(&format!("{address}/{name}"));
            page.wait("document.querySelector('h1') !== null");
            assert_eq!(page.eval("document.documentElement.scrollWidth <= innerWidth"), json!(true), "{name} {width}");
            page.shoot(&format!("{width}-{name}"));
        }
    }
}
