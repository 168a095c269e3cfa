//! All formats: every pair takes every game there and back, byte for byte.

use std::collections::BTreeMap;

use crate::common::{Sample, full_provenance, samples, small};
use nestling::{Certified, Problem, Provenance};
use nestling_registry::{Likeness, Presentation, ReadError, Registry};

/// A→B→A gives the first A again, for every pair of formats and every game, with all or nothing known of its origin.
#[test]
fn every_pair_of_formats_round_trips() {
    let registry = Registry::standard();
    let mut count = 0;
    for (index, Sample { name, problem, game, provenance }) in samples(&registry).into_iter().enumerate() {
        let problem = problem.as_ref();
        let provenance = if index == 0 { full_provenance() } else { provenance };
        let formats: Vec<_> = registry.formats(problem).collect();
        let first: Vec<Vec<u8>> = formats
            .iter()
            .map(|format| registry.write(*format, problem, &game, &provenance, &small()).unwrap())
            .collect();
        let verdicts: Vec<_> = first.iter().map(|bytes| registry.verify(bytes).unwrap()).collect();
        for (format, verdict) in formats.iter().zip(&verdicts) {
            assert_eq!(verdict.format, format.name(), "{name}");
            assert_eq!((&verdict.game, &verdict.provenance), (&game, &provenance), "{name} as {}", format.name());
            assert_eq!(verdict.problem, problem.name(), "{name} as {}", format.name());
            assert!(verdict.notes.is_empty(), "{:?}", verdict.notes);
        }
        // What was read is the same from every format, so the way back is from the one file of the format between.
        for (number, (through, back)) in formats.iter().zip(&verdicts).enumerate() {
            for (from, original) in formats.iter().zip(&first) {
                // Drawing takes long, above all the hundred pictures of a GIF: these are written again from one of the equal games.
                if ["gif", "png"].contains(&from.name()) && number > 0 {
                    continue;
                }
                let again = registry.write(*from, problem, &back.game, &back.provenance, &small()).unwrap();
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
    let game = problem.certify(&problem.published()[1].moves).unwrap();
    for format in registry.formats(problem.as_ref()) {
        let bytes = registry.write(format, problem.as_ref(), &game, &full_provenance(), &small()).unwrap();
        let step = if bytes.len() > 20_000 { 100 } else { 1 };
        for end in (0..bytes.len()).step_by(step) {
            match registry.verify(&bytes[..end]) {
                Ok(verdict) => assert!(game.texts().starts_with(verdict.game.texts()), "{} at {end}", format.name()),
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
        (game("morpion-5t", "3", first), "the file claims score 3, but its moves score 1", false),
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
        (
            "{\"score\":1,\"board\":[],\"history\":[]}".into(),
            "this is JSON of another program, with \"board\", \"history\", \"score\"; known formats: pentasol, msr, ms1, pymorpionsolitaire",
            false,
        ),
        ("[1, 2]".into(), "this is a list in JSON, but not of games; known formats:", false),
        ("{".into(), "EOF while parsing an object at line 1 column 1", false),
        (format!("{{\"format\":{deep}"), "expected a string", false),
        ("<html>".into(), "not an SVG picture", false),
        ("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".into(), "contains no game", false),
        ("\u{89}PNG".into(), "not the beginning of a game", false),
        ("# problem: \n".into(), "expected the name of a problem", false),
        ("# problem: morpion-5t\n(28,24) | +2\n(28,24) | +2\n".into(), "move 2: (28,24) | +2 needs a free cell", true),
        (
            "hello".into(),
            "known formats: pentasol, msr, ms1, pymorpionsolitaire, morpionsolitaire-net, text, json, svg, png",
            false,
        ),
        (long.clone(), "not the beginning of a game", false),
        (String::new(), "the text is empty", false),
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

/// Files with several games, one after another: each is found, in every format that is text, and none is read as if it were all.
#[test]
fn several_games_in_one_file() {
    let registry = Registry::standard();
    /// The problem, the game and its file.
    type Written = (String, Certified, Vec<u8>);
    let mut by_format: BTreeMap<&str, Vec<Written>> = BTreeMap::new();
    for Sample { problem, game, provenance, .. } in samples(&registry) {
        let problem = problem.as_ref();
        for format in registry.formats(problem).filter(|format| !format.is_picture()) {
            let bytes = registry.write(format, problem, &game, &provenance, &small()).unwrap();
            by_format.entry(format.name()).or_default().push((problem.name().to_owned(), game.clone(), bytes));
        }
    }
    assert_eq!(by_format.keys().copied().collect::<Vec<_>>(), ["json", "ms1", "msr", "pentasol", "text"]);
    for (format, games) in by_format {
        for (between, mark) in [("", ""), ("\n\n", "\u{feff}")] {
            let mut file = mark.as_bytes().to_vec();
            for (_, _, bytes) in &games {
                file.extend_from_slice(bytes);
                file.extend_from_slice(between.as_bytes());
            }
            let parts = registry.games(&file);
            assert_eq!(parts.len(), games.len(), "{format}");
            for (part, (problem, game, _)) in parts.iter().zip(&games) {
                let verdict = registry.verify(part).unwrap();
                assert_eq!((&verdict.problem, &verdict.game), (problem, game), "{format}");
            }
            let error = registry.verify(&file).unwrap_err().to_string();
            assert_eq!(error, format!("contains {} games; expected only one", games.len()), "{format}");
        }
    }
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

impl Presentation for Countdown {}

/// Any problem has text and JSON, a score need not be whole, and what there is no picture of is refused as one.
#[test]
fn problems_of_ones_own_have_the_common_formats() {
    let registry = Registry::standard().with("countdown", "count down", |_| Ok(Countdown(10)));
    let problem = registry.open("countdown").unwrap();
    let problem = problem.as_ref();
    let game =
        |moves: &[&str]| problem.certify(&moves.iter().map(|&step| step.to_owned()).collect::<Vec<_>>()).unwrap();
    let one = game(&["2", "1", "2", "1"]);
    for format in registry.formats(problem) {
        let bytes = registry.write(format, problem, &one, &full_provenance(), &small()).unwrap();
        let verdict = registry.verify_as(&bytes, problem).unwrap();
        assert_eq!((&verdict.game, &verdict.provenance), (&one, &full_provenance()), "{}", format.name());
        assert_eq!(verdict.game.score(), 4.0 / 3.0);
        assert_eq!(registry.write(format, problem, &verdict.game, &verdict.provenance, &small()).unwrap(), bytes);
    }
    assert_eq!(registry.format(problem, ".txt").unwrap().name(), "text");
    let error = registry.format(problem, ".svg").err().unwrap().to_string();
    assert_eq!(error, "there is no format .svg for countdown; there are .txt, .game, .json");
    assert!(registry.format(problem, "pentasol").is_err());
    let other = game(&["1", "2", "2", "1"]);
    assert_eq!(problem.compare(&one, &one).unwrap().likeness, Likeness::SameGame);
    assert_eq!(problem.compare(&one, &other).unwrap().likeness, Likeness::SameMoves);
    assert_eq!(problem.compare(&one, &game(&["1", "2"])).unwrap().likeness, Likeness::Different);
    assert_ne!(problem.identity(&one).unwrap(), problem.identity(&other).unwrap());
    let wrong = registry.open("morpion-5t").unwrap();
    let json =
        registry.write(registry.format(problem, "json").unwrap(), problem, &one, &Provenance::default(), &small());
    let error = registry.verify_as(&json.unwrap(), wrong.as_ref()).unwrap_err();
    assert_eq!(error.to_string(), "a game of countdown, not of morpion-5t");
}

/// The variant that Pentasol leaves open is settled by the problem that is asked for; what is written down is not changed.
#[test]
fn what_a_file_leaves_open_is_settled() {
    let registry = Registry::standard();
    let [touching, disjoint] = ["morpion-5t", "morpion-5d"].map(|name| registry.open(name).unwrap());
    let text = b"(28,28)\n(28,24) | +2\n";
    let open = registry.verify(text).unwrap();
    assert_eq!(open.problem, "morpion-5d");
    assert!(open.notes[0].contains("legal as 5D (moves are left) and as 5T (moves are left): read as 5D"), "{open:?}");
    let as_touching = registry.verify_as(text, touching.as_ref()).unwrap();
    assert_eq!((as_touching.problem.as_str(), as_touching.notes.len()), ("morpion-5t", 0));
    let format = registry.format(disjoint.as_ref(), "msr").unwrap();
    let bytes = registry.write(format, disjoint.as_ref(), &as_touching.game, &Provenance::default(), &small()).unwrap();
    let error = registry.verify_as(&bytes, touching.as_ref()).unwrap_err();
    assert_eq!(error.to_string(), "a game of morpion-5d, not of morpion-5t");
}

/// A picture of Quarto has every piece once, and in the end the line that won.
#[test]
fn quarto_is_drawn() {
    let problem = Registry::standard().open("quarto").unwrap();
    let moves: Vec<String> = "DTQF a1 DSRH b2 DTRH c3 DSQH d4".split(' ').map(str::to_owned).collect();
    let drawn = |shown: usize| {
        let game = problem.certify(&moves[..shown]).unwrap();
        problem.picture(&game, &small()).unwrap().unwrap()
    };
    assert!((0..=moves.len()).all(|shown| drawn(shown).matches("scale(").count() == 16));
    assert!(drawn(2).contains("the second player gives a piece") && drawn(3).contains("in hand: DSRH"));
    let won = drawn(moves.len());
    assert!(won.contains("the first player wins") && won.contains("a1 b2 c3 d4: all dark"), "{won}");
    assert_eq!(won.matches("stroke-width=\"4\"").count(), 4);
}
