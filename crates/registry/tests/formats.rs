//! All formats: every pair takes every game there and back, byte for byte.

mod common;

use common::{Sample, full_provenance, samples, small};
use nestling::{Problem, Provenance};
use nestling_registry::{Exhibit, Likeness, ReadError, Registry};

/// A→B→A gives the first A again, for every pair of formats and every game, with all or nothing known of its origin.
#[test]
fn every_pair_of_formats_round_trips() {
    let registry = Registry::standard();
    let mut count = 0;
    for (index, Sample { name, problem, moves, provenance }) in samples(&registry).into_iter().enumerate() {
        let problem = problem.as_ref();
        let provenance = if index == 0 { full_provenance() } else { provenance };
        let formats: Vec<_> = registry.formats(problem).collect();
        let first: Vec<Vec<u8>> = formats
            .iter()
            .map(|format| registry.write(*format, problem, &moves, &provenance, &small()).unwrap())
            .collect();
        let verdicts: Vec<_> = first.iter().map(|bytes| registry.verify(bytes).unwrap()).collect();
        for (format, verdict) in formats.iter().zip(&verdicts) {
            assert_eq!(verdict.format, format.name(), "{name}");
            assert_eq!((&verdict.moves, &verdict.provenance), (&moves, &provenance), "{name} as {}", format.name());
            assert_eq!(verdict.problem, problem.name(), "{name} as {}", format.name());
            assert!(verdict.notes.is_empty(), "{:?}", verdict.notes);
        }
        for ((from, original), verdict) in formats.iter().zip(&first).zip(&verdicts) {
            for through in &formats {
                let between = registry.write(*through, problem, &verdict.moves, &verdict.provenance, &small()).unwrap();
                let back = registry.verify(&between).unwrap();
                let again = registry.write(*from, problem, &back.moves, &back.provenance, &small()).unwrap();
                assert!(again == *original, "{name}: {} → {} → {}", from.name(), through.name(), from.name());
                count += 1;
            }
        }
    }
    println!("{count} round trips");
    assert!(count >= 15 * 7 * 7);
}

/// Every file, cut off at every byte (pictures: at every hundredth), is refused or is the whole game still.
#[test]
fn cut_off_files() {
    let registry = Registry::standard();
    let problem = registry.open("morpion-4d").unwrap();
    let game = &problem.published()[1];
    for format in registry.formats(problem.as_ref()) {
        let bytes = registry.write(format, problem.as_ref(), &game.moves, &full_provenance(), &small()).unwrap();
        let step = if bytes.len() > 20_000 { 100 } else { 1 };
        for end in (0..bytes.len()).step_by(step) {
            match registry.verify(&bytes[..end]) {
                Ok(verdict) => assert!(game.moves.starts_with(&verdict.moves), "{} at {end}", format.name()),
                Err(error) => presentable(&error),
            }
        }
    }
}

fn presentable(error: &ReadError) {
    let message = error.to_string();
    assert!(message.chars().count() <= 260 && !message.contains(char::is_control), "{message:?}");
}

#[test]
fn broken_json_and_what_is_said_about_it() {
    let game = |problem: &str, score: &str, moves: &str| {
        format!(r#"{{"format":"nestling-game-1","problem":"{problem}","score":{score},"moves":[{moves}]}}"#)
    };
    let first = "\"(28,24) | +2\"";
    let long = "x".repeat(10 << 20);
    let deep = "[".repeat(1 << 20);
    let cases = [
        (game("morpion-5t", "1", "\"(28,24) | +1\""), "move 1: (28,24) | +1 needs more dots", true),
        (game("morpion-5t", "2", &[first, first].join(",")), "move 2: (28,24) | +2 needs a free cell", true),
        (game("morpion-5t", "2", &format!("{first},\"hello\\u001b\"")), "move 2: byte 1: expected a move", true),
        (game("morpion-5t", "1", "\"(99999999999,24) | +2\""), "move 1: byte 2: expected a column number", true),
        (game("morpion-5t", "1", "\"(999999999,24) | +2\""), "move 1: (999999999,24) | +2 is on no line", true),
        (game("morpion-5t", "3", first), "the file says score 3, but its moves are worth 1", false),
        (game("morpion-5t", "1e999", first), "number out of range", false),
        (game("morpion-6t", "1", first), "there is no problem \"morpion-6t\"; did you mean", false),
        (game(&long, "1", first), "there is no problem \"xxxxxxx", false),
        (game("morpion-5t:\\u0007", "1", first), "there is no problem \"morpion-5t:", false),
        (game("morpion-5t:7", "1", first), "it takes no parameters", false),
        ("{}".into(), "missing field `format` at line 1 column 2", false),
        (
            "{\"format\":\"nestling-game-2\",\"problem\":\"\",\"score\":1,\"moves\":[]}".into(),
            "only \"nestling-game-1\"",
            false,
        ),
        ("{".into(), "EOF while parsing an object at line 1 column 1", false),
        (format!("{{\"format\":{deep}"), "expected a string", false),
        ("<html>".into(), "no SVG picture", false),
        ("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".into(), "carries no game", false),
        ("\u{89}PNG".into(), "not the beginning of a game", false),
        ("# problem: \n".into(), "no problem is named", false),
        ("# problem: morpion-5t\n(28,24) | +2\n(28,24) | +2\n".into(), "move 2: (28,24) | +2 needs a free cell", true),
        ("hello".into(), "readable are pentasol, msr, ms1, text, json, svg, png", false),
        (long.clone(), "not the beginning of a game", false),
        (String::new(), "there is nothing in it", false),
    ];
    let registry = Registry::standard();
    for (text, expected, is_illegal) in cases {
        let error = registry.verify(text.as_bytes()).unwrap_err();
        presentable(&error);
        assert!(error.to_string().contains(expected), "{:?} lacks {expected:?}", error.to_string());
        assert_eq!(matches!(error, ReadError::Illegal(_)), is_illegal, "{error}");
    }
    let error = registry.verify(b"\x89PNG\r\n\x1a\n").unwrap_err();
    assert!(error.to_string().contains("PNG ends too early"), "{error}");
}

/// Count down from ten by ones and twos.
#[derive(Clone)]
struct Countdown(u32);

impl Problem for Countdown {
    type Move = u32;
    fn legal_moves(&self, moves: &mut Vec<u32>) {
        moves.clear();
        moves.extend((1..=2).filter(|step| *step <= self.0));
    }
    fn play(&mut self, step: u32) {
        self.0 -= step;
    }
    fn score(&self) -> f64 {
        f64::from(self.0) / 3.0
    }
}

impl Exhibit for Countdown {}

/// Any problem has text and JSON, a score need not be whole, and what there is no picture of is refused as one.
#[test]
fn problems_of_ones_own_have_the_common_formats() {
    let registry = Registry::standard().with("countdown", "count down", |_| Ok(Countdown(10)));
    let problem = registry.open("countdown").unwrap();
    let problem = problem.as_ref();
    let moves: Vec<String> = ["2", "1", "2", "1"].map(str::to_owned).to_vec();
    for format in registry.formats(problem) {
        let bytes = registry.write(format, problem, &moves, &full_provenance(), &small()).unwrap();
        let verdict = registry.verify_as(&bytes, problem).unwrap();
        assert_eq!((&verdict.moves, &verdict.provenance), (&moves, &full_provenance()), "{}", format.name());
        assert_eq!(verdict.certificate.score, 4.0 / 3.0);
        assert_eq!(registry.write(format, problem, &verdict.moves, &verdict.provenance, &small()).unwrap(), bytes);
    }
    assert_eq!(registry.format(problem, ".txt").unwrap().name(), "text");
    let error = registry.format(problem, ".svg").err().unwrap().to_string();
    assert_eq!(error, "there is no format .svg for countdown; there are .txt, .game, .json");
    assert!(registry.format(problem, "pentasol").is_err());
    let other: Vec<String> = ["1", "2", "2", "1"].map(str::to_owned).to_vec();
    assert_eq!(problem.compare(&moves, &moves).unwrap().likeness, Likeness::SameGame);
    assert_eq!(problem.compare(&moves, &other).unwrap().likeness, Likeness::SameMoves);
    assert_eq!(problem.compare(&moves, &other[..2]).unwrap().likeness, Likeness::Different);
    assert_ne!(problem.identity(&moves).unwrap(), problem.identity(&other).unwrap());
    let wrong = registry.open("morpion-5t").unwrap();
    let json =
        registry.write(registry.format(problem, "json").unwrap(), problem, &moves, &Provenance::default(), &small());
    let error = registry.verify_as(&json.unwrap(), wrong.as_ref()).unwrap_err();
    assert_eq!(error.to_string(), "a game of countdown, not of morpion-5t");
}

/// The variant that Pentasol leaves open is settled by the problem that is asked for; what is written down is not changed.
#[test]
fn what_a_file_leaves_open_is_settled() {
    let registry = Registry::standard();
    let [touching, disjoint] = ["morpion-5t", "morpion-5d"].map(|name| registry.open(name).unwrap());
    let text = b"(28,28)\n(28,24) | +2\n";
    assert_eq!(registry.verify(text).unwrap().problem, "morpion-5d");
    let as_touching = registry.verify_as(text, touching.as_ref()).unwrap();
    assert_eq!(as_touching.problem, "morpion-5t");
    let format = registry.format(disjoint.as_ref(), "msr").unwrap();
    let bytes =
        registry.write(format, disjoint.as_ref(), &as_touching.moves, &Provenance::default(), &small()).unwrap();
    let error = registry.verify_as(&bytes, touching.as_ref()).unwrap_err();
    assert_eq!(error.to_string(), "a game of morpion-5d, not of morpion-5t");
}

/// A picture of Quarto has every piece once, and in the end the line that won.
#[test]
fn quarto_is_drawn() {
    let problem = Registry::standard().open("quarto").unwrap();
    let moves: Vec<String> = "DTQF a1 DSRH b2 DTRH c3 DSQH d4".split(' ').map(str::to_owned).collect();
    let drawn = |shown: usize| problem.picture(&moves[..shown], &small()).unwrap().unwrap();
    assert!((0..=moves.len()).all(|shown| drawn(shown).matches("scale(").count() == 16));
    assert!(drawn(2).contains("the second player gives a piece") && drawn(3).contains("in hand: DSRH"));
    let won = drawn(moves.len());
    assert!(won.contains("the first player wins") && won.contains("a1 b2 c3 d4: all dark"), "{won}");
    assert_eq!(won.matches("stroke-width=\"4\"").count(), 4);
}
