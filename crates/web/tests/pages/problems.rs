//! Any other problem, as far as text goes: moves, the score, searches, pictures where there are some.

use nestling::Problem;
use nestling_registry::{Presentation, Registry};
use serde_json::json;

use crate::common::Serving;
use crate::common::browser::{DESKTOP, PHONE, Page, TABLET, use_it, use_with};
use crate::common::place::Place;

const READY: &str = "document.body.classList.contains('ready')";

#[test]
fn on_a_desktop() {
    use_it(&DESKTOP, "problems", READY, everything);
}

#[test]
fn on_a_phone() {
    use_it(&PHONE, "problems", READY, everything);
}

/// A problem of a user: steps of one, two or three that must not go beyond ten.
#[derive(Clone)]
struct Steps(u32);

impl Problem for Steps {
    type Move = u32;

    fn legal_moves(&self, moves: &mut Vec<u32>) {
        moves.clear();
        moves.extend((1..=3).filter(|step| self.0 + step <= 10));
    }

    fn play(&mut self, step: u32) {
        self.0 += step;
    }

    fn score(&self) -> f64 {
        f64::from(self.0)
    }
}

impl Presentation for Steps {}

#[test]
fn of_ones_own() {
    let registry = Registry::standard().with("steps", "up to ten", |_| Ok(Steps(0)));
    use_with(Serving::offering(registry), &DESKTOP, "problems", READY, |page, _, _| {
        open(page, "steps", "");
        page.wait("document.querySelector('#summary').textContent === 'up to ten'");
        page.click("#legal button:nth-child(2)");
        page.wait("document.querySelector('#score').textContent === '2'");
        page.click("#finish");
        page.wait("document.querySelector('#score').textContent === '10'");
        page.wait("document.querySelector('#live-best').textContent === '10'");
        let sum =
            "[...document.querySelectorAll('#sequence code')].reduce((sum, step) => sum + Number(step.textContent), 0)";
        assert_eq!(page.eval(sum), json!(10));
        page.shoot("own");
        let pages = "import('/core/address.js').then(({ pageOf }) => ['morpion-5d', 'quarto:squares', 'samegame:seed=7', 'sudoku',
            'kakuro', 'tsptw', 'bus', 'steps'].map(pageOf).join(' '))";
        assert_eq!(page.eval(pages), json!("/morpion /quarto /samegame /sudoku /sudoku /tours /problems /problems"));
    });
}

/// A problem that is written down in the page.
#[test]
fn from_a_text() {
    use_it(&TABLET, "problems", READY, |page, _, _| {
        page.click("#write-model");
        page.eval("document.querySelector('#model-text').value = 'choices = [1'");
        page.click("#model-form .main");
        page.wait("document.querySelector('#model-error').textContent.includes('line 1')");
        page.forgive(&["422"]);
        page.click("#model-example");
        page.shoot("model");
        page.click("#model-form .main");
        page.wait("document.querySelector('#title').textContent === 'model:pasted'");
        page.wait("document.querySelectorAll('#legal button').length === 6");
        page.click("#finish");
        page.wait("document.querySelector('#left').textContent === 'The game is over.'");
        // Tent, map and two more weigh 12 at most: 30 + 4 or 18 + 9 + 4 + 12.
        page.wait("document.querySelector('#score').textContent === '43'");
        page.shoot("packed");
        // From the clipboard, too.
        page.paste("choices = [\"a\", \"b\"]\nsteps = 3\nscore = \"0\"\n");
        page.wait("document.querySelectorAll('#legal button').length === 2 || document.querySelector('#note').className === 'error'");
        page.forgive(&["422"]);
    });
}

/// Every open problem is played, searched and drawn.
#[test]
fn open_problems() {
    use_it(&DESKTOP, "problems", READY, |page, _, _| {
        for (name, parameters) in [
            ("snake", "4"),
            ("coil", "4"),
            ("weak-schur", "3"),
            ("cap-set", "3"),
            ("sidon-set", "30"),
            ("golomb-ruler", "5"),
            ("no-three-in-line", "5"),
            ("conjecture", ""),
            ("colouring", ""),
        ] {
            open(page, name, parameters);
            let title = if parameters.is_empty() { name.to_owned() } else { format!("{name}:{parameters}") };
            page.wait(&format!("document.querySelector('#title').textContent === {title:?}"));
            page.wait("document.querySelectorAll('#legal button').length > 0");
            page.click("#legal button");
            page.wait("document.querySelectorAll('#sequence li').length === 1");
            page.click("#hint");
            page.wait("document.querySelector('#advice strong') !== null");
            page.wait(
                "document.querySelector('#picture').hidden || document.querySelector('#picture').naturalWidth > 0",
            );
            page.shoot(name);
        }
        open(page, "snake", "99");
        page.wait("document.querySelector('#note').textContent.includes('is not a dimension')");
        page.forgive(&["422"]);
    });
}

fn open(page: &mut Page, problem: &str, parameters: &str) {
    if page.eval("document.querySelector('#problem').value") != problem {
        page.choose("#problem", problem);
        page.wait(&format!("document.querySelector('#title').textContent === {problem:?}"));
    }
    page.eval(&format!("document.querySelector('#parameters').value = {parameters:?}"));
    page.click("#chosen [type='submit']");
}

fn everything(page: &mut Page, _: &Place, phone: bool) {
    open(page, "left-move", "6");
    page.wait("document.querySelector('#title').textContent === 'left-move:6'");
    page.wait("document.querySelectorAll('#legal button').length === 2");
    page.shoot("first-sight");
    page.click("#legal button");
    page.wait("document.querySelectorAll('#sequence li').length === 1");
    page.eval("document.querySelector('#move').value = 'sideways'");
    page.click("#typed [type='submit']");
    page.wait("!document.querySelector('#note').hidden && document.querySelector('#note').className === 'error'");
    assert_eq!(page.text("#place"), "1 / 1");
    page.forgive(&["422"]);
    page.click("#finish");
    page.wait("document.querySelector('#place').textContent === '6 / 6'");
    page.wait("document.querySelector('#left').textContent === 'The game is over.'");
    page.shoot("finished");

    open(page, "left-move", "deep");
    page.wait("document.querySelector('#note').textContent.includes('left-move')");
    assert_eq!(page.text("#place"), "6 / 6");
    page.forgive(&["422"]);

    open(page, "bus", "");
    page.wait("document.querySelector('#title').textContent === 'bus'");
    page.wait("!document.querySelector('#picture').hidden && document.querySelector('#picture').naturalWidth > 0");
    page.eval("document.querySelector('#another').open = true");
    page.click("#start");
    page.wait("document.querySelectorAll('#sequence li').length > 10");
    page.wait("document.querySelectorAll('#curve .curve').length === 1");
    page.shoot("watching");
    page.click("#stop");
    page.wait("document.querySelector('#live-state').textContent.startsWith('Done')");
    assert_eq!(page.get("/api/runs")[0]["problem"], json!("bus"));
    page.click("#show-mine");
    page.prefer("prefers-color-scheme", "dark");
    page.shoot("dark");
    page.prefer("prefers-color-scheme", "light");
    page.fits(if phone { &[(320, 568)] } else { &[(3840, 2160), (900, 700)] }, phone);
}
