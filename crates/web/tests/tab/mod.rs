//! The pages without a server, in a real browser: the folder of static files, from a plain file server.

use std::process::Command;
use std::time::Instant;

use nestling_registry::{Controls, Registry, RunSpec};
use nestling_store::{HEADER, Imported, More, PortableLine, Recorder, RecorderSettings, Store};
use nestling_testing::Need;
use serde_json::{Value, json};

use crate::common::browser::{Browser, DESKTOP, PHONE, Page, SEEN, installed};
use crate::common::place::Place;

const READY: &str = "document.querySelector('#board.ready') !== null";

/// Goes through steps on a page of the folder, and sees to it that nothing complained and nothing was missing.
fn with_page(path: &str, ready: &str, phone: bool, steps: impl FnOnce(&mut Page, &Place)) {
    let (Some(program), Some(place)) = (installed(), Place::folder()) else { return };
    let mut browser = Browser::start(&program);
    let device = if phone { PHONE } else { DESKTOP };
    let mut page = browser.page(&format!("tab-{}-{path}", device.name), device.width, device.height, device.phone);
    page.before(SEEN);
    page.open(&place.address(path));
    page.wait(ready);
    steps(&mut page, &place);
    page.is_content();
    place.is_complete();
}

/// A run of the page's API to its end: its result.
fn run_in(page: &mut Page, order: &Value) -> Value {
    let begun = page.eval(&format!("import('./core/api.js').then(api => api.begin({order}))"));
    let id = begun["id"].as_i64().unwrap_or_else(|| panic!("{order}: {begun}"));
    let account = format!("import('./core/api.js').then(api => api.run({id}))");
    page.wait(&format!("{account}.then(run => run.state === 'done')"));
    page.eval(&account)
}

/// The same on this machine.
fn run_here(order: &Value) -> (Value, Vec<String>) {
    let asked: RunSpec = serde_json::from_value(order.clone()).unwrap();
    let outcome = Registry::standard().ready(asked).unwrap().start(Controls::default()).unwrap();
    (nestling_registry::json::score(outcome.score().unwrap()), outcome.texts().to_vec())
}

/// Same search, seed and playouts: same games, whoever searches.
#[test]
fn searches_give_the_same_games_as_here() {
    with_page("morpion", READY, false, |page, _| {
        for (problem, search, playouts) in [
            ("morpion-5d", "repeat(nrpa(2))", 3_000),
            ("morpion-5d", "repeat(5000, playout)", 5_000),
            ("samegame:seed=1,size=8x8,colours=4", "repeat(nested(1))", 2_000),
            ("left-move:40", "nrpa(2)", 5_000),
        ] {
            let order = json!({ "problem": problem, "search": search, "playouts": playouts, "seed": 7 });
            let (score, moves) = run_here(&order);
            let account = run_in(page, &order);
            let result = &account["results"][0];
            assert_eq!((&result["score"], &result["moves"]), (&score, &json!(moves)), "{order}");
        }
    });
}

#[test]
fn morpion_on_a_desktop() {
    with_page("morpion", READY, false, morpion);
}

#[test]
fn morpion_on_a_phone() {
    with_page("morpion", READY, true, morpion);
}

/// Play, hints, searches that outlive their page, links.
fn morpion(page: &mut Page, place: &Place) {
    let began = Instant::now();
    page.eval("document.querySelector('#board').focus()");
    page.key("ArrowRight", 0);
    page.key("Enter", 0);
    page.wait("document.querySelector('#score').textContent === '1'");
    page.click("#hint");
    page.wait("document.querySelector('#advice strong') !== null");
    println!("a move and a hint after {} ms", began.elapsed().as_millis());
    page.click("#advice .link");
    page.wait("document.querySelector('#score').textContent === '2'");

    page.click("[data-variant='5D']");
    page.eval("document.querySelector('#another').open = true");
    page.eval("(box => (box.value = 'repeat(nested(2))', box.dispatchEvent(new Event('input'))))(document.querySelector('#expression'))");
    page.wait("document.querySelector('#cost').textContent.includes('playouts')");
    page.choose("#time", "600");
    page.click("#start");
    page.wait("Number(document.querySelector('#live-best').textContent) > 50");
    page.wait("document.querySelectorAll('#bars .bar').length > 3");
    page.wait("import('./core/api.js').then(api => api.runs()).then(([run]) => run.playouts > 0)");
    page.shoot("watching");
    let see = |hidden: bool| {
        format!(
            "(Object.defineProperty(document, 'hidden', {{ get: () => {hidden}, configurable: true }}), document.dispatchEvent(new Event('visibilitychange', {{ bubbles: true }})))"
        )
    };
    page.eval(&see(true));
    assert!(page.eval("document.title").as_str().unwrap().starts_with("Slower while hidden"));
    page.eval(&see(false));
    page.wait("document.querySelector('#note').textContent.includes('slowly')");
    assert!(!page.eval("document.title").as_str().unwrap().contains("Slower"));
    // The page is left in the middle of it.
    page.reload();
    page.wait("document.querySelector('#live-state').textContent.startsWith('Running')");
    page.eval("document.querySelector('#another').open = true");
    page.click("#pause");
    page.wait("document.querySelector('#live-state').textContent.startsWith('Paused')");
    page.click("#resume");
    page.wait("document.querySelector('#live-state').textContent.startsWith('Running')");
    page.click("#stop");
    page.wait("document.querySelector('#live-state').textContent.startsWith('Done')");
    page.click("#take");
    page.wait("Number(document.querySelector('#score').textContent) > 50");

    page.open(&place.address("runs"));
    page.wait("document.querySelectorAll('#list li').length === 1");
    page.wait("document.querySelectorAll('#fame li').length > 0");
    page.shoot("runs");
    assert_eq!(page.eval("document.documentElement.scrollWidth <= innerWidth"), json!(true));
    page.click("#list a");
    page.click("#run-board");
    page.wait(READY);
}

/// A link to a record fits into a message, and leads to the game; links that were made before are still read.
#[test]
fn links_carry_games() {
    with_page("morpion", READY, false, |page, place| {
        let record = Registry::standard().open("morpion-5t").unwrap().published();
        let record = record.iter().find(|game| game.score == 178.0).unwrap();
        let packed = page.eval(&format!(
            "Promise.all(['rules', 'notation', 'ranks'].map(name => import(`./morpion/${{name}}.js`))).then(([rules, notation, ranks]) => {{
                const moves = {}.map(text => notation.read(rules.VARIANTS['5T'], text))
                const [one, other] = [ranks.packRanks(rules.VARIANTS['5T'], moves), notation.pack(rules.VARIANTS['5T'], moves)]
                const nonsense = ['5t~', '5t~A', '5t~ABzzzzzzzz', '5t~-_', '9t~AA', '5t~??']
                if (nonsense.some(text => ranks.unpackRanks(text) !== null)) return 'nonsense was read'
                return [one, other, JSON.stringify(ranks.unpackRanks(one)?.moves) === JSON.stringify(moves)]
            }})",
            json!(record.moves)
        ));
        assert_eq!(packed[2], json!(true), "{packed}");
        for link in [&packed[0], &packed[1]] {
            let link = link.as_str().unwrap();
            page.eval(&format!("location.hash = {link:?}"));
            page.wait("document.querySelector('#score').textContent === '178'");
            // A game without moves is one, too.
            page.eval("location.hash = '5t~AA'");
            page.wait("document.querySelector('#score').textContent === '0'");
        }
        let length = place.address("").len() + 1 + packed[0].as_str().unwrap().len();
        println!("a game of 178 moves is a link of {length} characters");
        assert!(length < 300, "{packed}");
    });
}

/// Once the pages were loaded, they need no network.
#[test]
fn pages_work_without_a_network() {
    with_page("morpion", READY, false, |page, place| {
        page.wait("navigator.serviceWorker.ready.then(({ active }) => active?.state === 'activated')");
        place.go_down();
        page.reload();
        page.wait(READY);
        page.open(&place.address("quarto"));
        page.wait("document.body.classList.contains('ready')");
        let reply = "import('./core/api.js').then(api => api.reply('quarto', [], null, AbortSignal.timeout(20000)))";
        assert!(page.eval(reply)["move"].is_string());
        page.open(&place.address("sudoku"));
        page.wait("document.body.classList.contains('ready')");
        page.shoot("offline");
    });
}

/// Workers that break down cost only time: what they were at is made again.
#[test]
fn workers_may_break_down() {
    let order = json!({ "problem": "morpion-5d", "search": "repeat(90, nrpa(2))", "playouts": 900_000, "seed": 3 });
    with_page("morpion", READY, false, |page, _| {
        page.before(
            "window.workers = []
            window.Worker = class extends Worker {
                constructor(...rest) { super(...rest), workers.push(this) }
            }",
        );
        page.reload();
        page.wait(READY);
        let before = page.eval("workers.length").as_i64().unwrap();
        page.eval(&format!(
            "import('./core/api.js').then(api => api.begin({order})).then(({{ id }}) => (window.id = id))"
        ));
        page.wait("import('./core/api.js').then(api => api.run(id)).then(run => run.improvements.length > 0)");
        // The driver is the first of the new ones; it breaks down last.
        page.wait(&format!("workers.length > {}", before + 1));
        for worker in [1, 0] {
            let state = page.eval("import('./core/api.js').then(api => api.run(id)).then(run => run.state)");
            assert_ne!(state, json!("done"), "the search ended before its workers were killed; make it longer");
            page.eval(&format!(
                "(worker => (worker.terminate(), worker.dispatchEvent(new ErrorEvent('error', {{ message: 'killed' }}))))(workers[{before} + {worker}])"
            ));
            std::thread::sleep(std::time::Duration::from_millis(300));
        }
        page.wait("import('./core/api.js').then(api => api.run(id)).then(run => run.state === 'done')");
        let account = page.eval("import('./core/api.js').then(api => api.run(id))");
        let (score, moves) = run_here(&order);
        assert_eq!((&account["results"][0]["score"], &account["results"][0]["moves"]), (&score, &json!(moves)));
    });
}

/// How fast the page is: prints figures, and says nothing of them.
#[test]
#[ignore = "prints figures"]
fn figures() {
    with_page("morpion", READY, false, |page, _| {
        let ready = page.eval("Math.round(performance.getEntriesByType('navigation')[0].loadEventEnd)");
        let measured = page.eval(
            "import('./core/api.js').then(async api => {
                const { listen } = await import('./core/backend.js')
                const first = (id, wanted) => new Promise(resolve => listen(news => news.event === wanted && news.id === id && resolve(news)))
                const before = performance.now()
                await api.position('morpion-5d', [])
                const answered = performance.now()
                const begun = await api.begin({ problem: 'morpion-5d', search: 'repeat(nrpa(3))', seconds: 4, seed: 1 })
                await first(begun.id, 'improvement')
                const found = performance.now()
                const result = await first(begun.id, 'result')
                const rates = { nrpa: result.playouts / result.seconds }
                const other = await api.begin({ problem: 'morpion-5d', search: 'repeat(playout)', seconds: 4, seed: 1 })
                const plain = await first(other.id, 'result')
                rates.playout = plain.playouts / plain.seconds
                return { answered: answered - before, found: found - answered, rates, threads: navigator.hardwareConcurrency }
            })",
        );
        println!("loaded after {ready} ms; {measured}");
    });
}

/// What a tab cannot do is refused in a line.
#[test]
fn too_much_is_refused() {
    with_page("morpion", READY, false, |page, _| {
        for (order, reason) in [
            (
                json!({ "problem": "morpion-5d", "search": "uct(100000000, memory=1000)", "seconds": 1 }),
                "MiB of memory",
            ),
            (json!({ "problem": "morpion-5d", "search": "repeat(nrpa(2))" }), "never ends by itself"),
            (json!({ "problem": "morpion-5d", "search": "nrpa(9)" }), "ten years"),
            (json!({ "problem": "morpion-7t" }), "morpion-7t"),
        ] {
            let said = page.eval(&format!(
                "import('./core/api.js').then(api => api.begin({order})).then(JSON.stringify, error => error.message)"
            ));
            assert!(said.as_str().unwrap().contains(reason), "{order}: {said}");
        }
        assert_eq!(page.eval("import('./core/api.js').then(api => api.runs())"), json!([]));
    });
}

/// A page in a new tab.
fn tab<'b>(browser: &'b mut Browser, place: &Place, path: &str, ready: &str) -> Page<'b> {
    let mut page = browser.page(&format!("tab-{path}-again"), DESKTOP.width, DESKTOP.height, false);
    page.before(SEEN);
    page.open(&place.address(path));
    page.wait(ready);
    page
}

/// The result of a run in the browser is that of one here.
fn is_as_here(account: &Value, order: &Value) {
    let (score, moves) = run_here(order);
    let result = &account["results"][0];
    assert_eq!((&result["score"], &result["moves"]), (&score, &json!(moves)), "{order}");
}

/// A tab that is closed in the middle of a search leaves its last checkpoint, and the next tab goes on from there by itself.
#[test]
fn a_closed_tab_loses_nothing() {
    let order = json!({ "problem": "morpion-5d", "search": "repeat(nrpa(2))", "playouts": 1_000_000, "seed": 4 });
    let (Some(program), Some(place)) = (installed(), Place::folder()) else { return };
    let mut browser = Browser::start(&program);
    let mut page = tab(&mut browser, &place, "morpion", READY);
    let run = page.begin(order.clone());
    let checkpoint = format!(
        "import('./tab/kept.js').then(kept => kept.checkpoint({run})).then(kept => kept?.playouts > 0 && kept.playouts)"
    );
    let kept = page.wait(&checkpoint).as_u64().unwrap();
    assert!(kept < 1_000_000, "the search ended too soon to be interrupted");
    page.close();
    let mut page = tab(&mut browser, &place, "runs", "document.querySelectorAll('#list li').length === 1");
    assert!(page.eval(&checkpoint).as_u64().is_none_or(|now| now >= kept), "what was kept is still there");
    is_as_here(&page.until(run, "done"), &order);
    page.is_content();
}

/// Two tabs make their runs beside each other, and neither touches those of the other.
#[test]
fn tabs_share_their_runs() {
    let order =
        |seed: u64| json!({ "problem": "morpion-5d", "search": "repeat(nrpa(2))", "playouts": 100_000, "seed": seed });
    let (Some(program), Some(place)) = (installed(), Place::folder()) else { return };
    let mut browser = Browser::start(&program);
    let mut page = tab(&mut browser, &place, "morpion", READY);
    let first = page.begin(order(1));
    // It stays open.
    drop(page);
    let mut page = tab(&mut browser, &place, "morpion", READY);
    let known = page.get(&format!("/api/runs/{first}"));
    assert_eq!(known["state"], json!("running"), "{known}");
    for (method, path) in [("POST", format!("/api/runs/{first}/resume")), ("DELETE", format!("/api/runs/{first}"))] {
        let refused = page.eval(&format!(
            "import('./core/backend.js').then(({{ answer }}) => answer({path:?}, {{ method: {method:?}, body: '{{}}' }})).then(async answer => [answer.status, (await answer.json()).error])"
        ));
        assert_eq!(refused[0], json!(409), "{refused}");
        assert!(refused[1].as_str().unwrap().contains("running"), "{refused}");
    }
    let second = page.begin(order(2));
    is_as_here(&page.until(second, "done"), &order(2));
    is_as_here(&page.until(first, "done"), &order(1));
    assert_eq!(page.get("/api/runs").as_array().map(Vec::len), Some(2));
    page.is_content();
}

/// The program resumes a run that a tab has begun, and the tab goes on with it where the program has ended: nothing is different from a run in
/// one piece.
#[test]
fn the_program_resumes_a_run_of_a_tab_and_back() {
    let Some(program) = std::env::var_os("NESTLING_PROGRAM") else {
        return nestling_testing::skip(
            Need::Engine,
            "NESTLING_PROGRAM does not name the program; scripts/wasm builds it",
        );
    };
    let home = tempfile::tempdir().unwrap();
    let path = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    let nestling = |words: &[&str]| {
        let output = Command::new(&program).args(words).args(["--store", &path("runs.db")]).output().unwrap();
        assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let order = |playouts: u64| json!({ "problem": "morpion-5d", "search": "repeat(nrpa(2))", "playouts": playouts, "seed": 9 });
    let unpack = |text: &str| format!("import('./core/api.js').then(api => api.unpack({}))", json!(text));
    with_page("runs", "!document.querySelector('#packs').hidden", false, |page, _| {
        let run = page.begin(order(60_000));
        page.wait(&format!(
            "import('./core/api.js').then(api => api.run({run})).then(run => run.improvements.length > 0)"
        ));
        page.post(&format!("/api/runs/{run}/pause"), &json!({}));
        page.click("#pack");
        std::fs::write(path("tab.runs"), page.saved("nestling.runs")).unwrap();
        nestling(&["runs", "unpack", &path("tab.runs")]);
        let resumed = nestling(&["runs", "resume", "1", "--json", "--quiet"]);
        let resumed: Value = serde_json::from_str(resumed.trim_end().lines().last().unwrap()).unwrap();
        let (score, moves) = run_here(&order(60_000));
        assert_eq!((&resumed["score"], &resumed["moves"]), (&score, &json!(moves)));
        nestling(&["runs", "pack", &path("back.runs")]);
        let added = page.eval(&unpack(&std::fs::read_to_string(path("back.runs")).unwrap()));
        assert_eq!((&added["runs"], &added["refused"]), (&json!(1), &json!([])), "{added}");
        let account = page.get(&format!("/api/runs/{run}"));
        assert_eq!(account["state"], json!("done"));
        is_as_here(&account, &order(60_000));

        // The tab goes on where the program has ended.
        page.post(&format!("/api/runs/{run}/resume"), &json!({ "playouts": 90_000 }));
        is_as_here(&page.until(run, "done"), &order(90_000));
    });
}

/// A run that is begun in the browser goes on here, and back there; nothing is different from a run in one piece.
#[test]
fn runs_move_between_browser_and_command_line() {
    let order = json!({ "problem": "morpion-5d", "search": "repeat(nrpa(2))", "playouts": 60_000, "seed": 9 });
    with_page("runs", "!document.querySelector('#packs').hidden", false, |page, _| {
        page.eval(&format!(
            "import('./core/api.js').then(api => api.begin({order})).then(({{ id }}) => (window.id = id))"
        ));
        page.wait("import('./core/api.js').then(api => api.run(id)).then(run => run.improvements.length > 0)");
        page.eval("import('./core/api.js').then(api => api.pause(id))");
        page.click("#pack");
        let packed = String::from_utf8(page.saved("nestling.runs")).unwrap();
        assert_eq!(packed.lines().next(), Some(HEADER));

        let registry = Registry::standard();
        let problem = registry.open("morpion-5d").unwrap();
        let home = tempfile::tempdir().unwrap();
        let mut store = Store::open(&home.path().join("runs.db")).unwrap();
        let mut run = 0;
        for line in packed.lines().skip(1) {
            match serde_json::from_str(line).unwrap() {
                PortableLine::Run(packed) => match store.import(&packed, problem.as_ref()).unwrap() {
                    Ok(Imported::Added(added)) => run = added,
                    other => panic!("{other:?}"),
                },
                PortableLine::Game(game) => store.import_game(&game, problem.as_ref()).unwrap().unwrap(),
            }
        }
        let before = store.run(run).unwrap();
        assert!(before.reached.work.playouts < 60_000);
        let spec = store.resumable(&before, More::default()).unwrap();
        let ready = registry.ready(spec).unwrap();
        let left = store.checkpoint(run, 0).unwrap();
        assert!(left.is_some(), "it begins where the browser stopped");
        let lease = store.take(run).unwrap();
        let settings = RecorderSettings::new(std::time::Duration::from_secs(10), nestling::Cancel::new());
        let recorder = Recorder::go_on(store, lease, settings).unwrap();
        let outcome = recorder.solve(&ready, 0, left, Controls::default()).unwrap();
        recorder.finish(true).unwrap();
        let (score, moves) = run_here(&order);
        assert_eq!(
            (nestling_registry::json::score(outcome.score().unwrap()), outcome.texts()),
            (score, moves.as_slice())
        );

        // Back to the browser, which takes the place of what it has.
        let store = Store::open(&home.path().join("runs.db")).unwrap();
        let back = serde_json::to_string(&PortableLine::Run(Box::new(store.portable(run).unwrap()))).unwrap();
        let file = format!("{HEADER}\n{back}\n");
        let unpacked = page.eval(&format!("import('./core/api.js').then(api => api.unpack({}))", json!(file)));
        assert_eq!(unpacked, json!({ "runs": 1, "games": 0, "refused": [] }));
        let account = page.eval("import('./core/api.js').then(api => api.run(id))");
        assert_eq!((&account["state"], &account["results"][0]["moves"]), (&json!("done"), &json!(moves)));

        // What is not true is refused.
        let lie = back.replacen("(", "(9", 1);
        let refused = page
            .eval(&format!("import('./core/api.js').then(api => api.unpack({}))", json!(format!("{HEADER}\n{lie}\n"))));
        assert_eq!(refused["refused"].as_array().map(Vec::len), Some(1), "{refused}");
    });
}
