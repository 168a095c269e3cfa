//! All notations: what is written can be read, with its provenance, and what cannot be read is refused with a reason.

use crate::common::{any_game, damaged, random_game};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use nestling::{Provenance, Stream};
use nestling_morpion::notation::{self, Compact, Msr, Notation, Pentasol, pentasol};
use nestling_morpion::{MorpionGame, Variant, published};
use proptest::prelude::*;

/// An error must be fit to be shown: short, one line, no control characters.
fn presentable(bytes: &[u8]) {
    for notation in notation::ALL {
        if let Err(error) = notation.read(bytes, None) {
            let message = error.to_string();
            assert!(message.chars().count() < 260 && !message.contains(char::is_control), "{message:?}");
        }
    }
}

fn any_provenance() -> impl Strategy<Value = Provenance> {
    let text = || prop::option::of("\\PC{0,30}|nrpa\\([0-9]\\)|[a-z]: [0-9]\n");
    let texts = (text(), text(), text(), text(), text());
    let numbers = (any::<Option<u64>>(), any::<Option<u64>>(), any::<Option<u64>>(), any::<Option<f64>>());
    let tags = prop::collection::vec("\\PC{0,9}", 0..3);
    (texts, numbers, tags).prop_map(|(texts, (seed, playouts, nodes, seconds), tags)| {
        let (search, program, date, author, source) = texts;
        let (description, transcriber) = (author.clone(), date.clone());
        let provenance = Provenance {
            search,
            seed,
            playouts,
            nodes,
            seconds,
            program,
            date,
            author,
            description,
            source,
            transcriber,
            tags,
        };
        provenance.tidied()
    })
}

/// The text with the opposite sign of k, and without reference point and blanks where `bare`.
fn flipped(text: &str, bare: bool) -> String {
    let flip = |line: &str| match line.rsplit_once(' ') {
        Some((rest, k)) if !line.starts_with('#') => {
            let k = k.replace('+', "~").replace('-', "+").replace('~', "-");
            if bare { format!("{}{k}", rest.replace(' ', "")) } else { format!("{rest} {k}") }
        }
        _ => line.to_owned(),
    };
    let lines = text.lines().filter(|line| !bare || *line != "(28,28)");
    lines.map(flip).collect::<Vec<_>>().join("\n")
}

proptest! {
    #[test]
    fn games_survive_writing_and_reading(game in any_game(), provenance in any_provenance()) {
        for notation in notation::ALL {
            let bytes = notation.write(&game, &provenance);
            prop_assert!(notation.recognises(&bytes), "{}", notation.name());
            let reading = notation.read(&bytes, None).unwrap();
            prop_assert_eq!((&reading.game, &reading.provenance, &reading.note), (&game, &provenance, &None));
            prop_assert_eq!(notation.write(&reading.game, &reading.provenance), bytes);
        }
    }

    #[test]
    fn the_opposite_sign_is_understood(game in any_game(), bare: bool) {
        let text = flipped(&pentasol::write(&game), bare);
        let reading = Pentasol.read(text.as_bytes(), Some(game.variant)).unwrap();
        prop_assert_eq!(&reading.game, &game);
        let note = reading.note.unwrap();
        prop_assert!(note.contains("opposite sign"), "{}", note);
        prop_assert_eq!(note.contains("(28,28)"), bare);
    }

    #[test]
    fn a_lost_reference_point_is_found(game in any_game(), right in -500..500i32, down in -500..500i32) {
        let text = pentasol::write(&game);
        let moved: Vec<String> = text.lines().filter(|line| !line.starts_with('#')).skip(1).map(|line| {
            let (pair, rest) = line[1..].split_once(')').unwrap();
            let (column, row) = pair.split_once(',').unwrap();
            let shifted = (column.parse::<i32>().unwrap() + right, row.parse::<i32>().unwrap() + down);
            format!("({},{}){rest}", shifted.0, shifted.1)
        }).collect();
        let reading = Pentasol.read(moved.join("\n").as_bytes(), Some(game.variant)).unwrap();
        prop_assert_eq!(reading.game, game);
        let note = reading.note.unwrap();
        let place = format!("({},{})", 28 + right, 28 + down);
        prop_assert!(note.contains(&place), "{} is not {}", note, place);
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        presentable(&bytes);
        presentable(&[b"MS1:".as_slice(), &bytes].concat());
        presentable(&[b"{\"variant\":".as_slice(), &bytes].concat());
    }

    #[test]
    fn damaged_games_are_read_or_refused(
        bytes in (any_game(), 0..3usize).prop_flat_map(|(game, index)| {
            damaged(notation::ALL[index].write(&game, &Provenance::default()))
        }),
    ) {
        presentable(&bytes);
    }
}

/// The published files come out of our writer byte for byte.
#[test]
fn published_records_are_written_as_they_were() {
    for (record, (_, _, json)) in published().iter().zip(morpion_solitaire_records::RECORDS) {
        let written = Msr.write(&record.reading.game, &record.reading.provenance);
        assert_eq!(String::from_utf8(written).unwrap().trim_end(), json.trim_end(), "{}", record.id);
    }
}

/// What another program reads from our files is what we wrote.
#[test]
fn the_reference_reader_agrees() {
    for variant in Variant::ALL {
        let game = MorpionGame { variant, moves: random_game(variant, Stream::new(5)) };
        for notation in [&Msr as &dyn Notation, &Compact] {
            let text = String::from_utf8(notation.write(&game, &Provenance::default())).unwrap();
            let record = msr::decode(&text).unwrap();
            msr::validate(&record).unwrap();
            assert_eq!(
                (record.variant.code(), record.score, record.terminal),
                (variant.name(), game.moves.len(), Some(true))
            );
        }
    }
}

#[test]
fn every_beginning_of_a_file_is_read_or_refused() {
    let game = MorpionGame { variant: Variant::FourD, moves: random_game(Variant::FourD, Stream::new(1)) };
    let provenance = Provenance { search: Some("nrpa(3)".into()), seed: Some(1), ..Provenance::default() };
    for notation in notation::ALL {
        let bytes = notation.write(&game, &provenance);
        for end in 0..bytes.len() {
            presentable(&bytes[..end]);
        }
    }
}

fn compact(json: &[u8]) -> Vec<u8> {
    let packed = miniz_oxide::deflate::compress_to_vec(json, 9);
    format!("MS1:{}", URL_SAFE_NO_PAD.encode(packed)).into_bytes()
}

#[test]
fn broken_records_and_what_is_said_about_them() {
    let record = |variant: &str, score: usize, moves: &str| {
        format!(r#"{{"variant":"{variant}","score":{score},"moves":[{moves}]}}"#).into_bytes()
    };
    let first = r#"{"x":3,"y":-1,"dir":"V","pos":0}"#;
    let huge = r#"{"x":99999999999999999999,"y":-1,"dir":"V","pos":0}"#;
    let outside = r#"{"x":32767,"y":-32768,"dir":"DN","pos":255}"#;
    let illegal = format!("{first},{first}");
    let control = "5T\u{1b}[31m".to_owned() + &"x".repeat(5000);
    let cases: Vec<(Vec<u8>, &str)> = vec![
        (record("5T", 2, &illegal), "move 2: (28,24) | +2 needs a free cell: there is already a dot at (28,24)"),
        (record("4T", 1, first), "move 1: (29,25) | +1 needs more dots"),
        (record("5T", 7, first), "the record claims 7 moves, but has 1"),
        (record("6T", 1, first), "unknown variant: 6T at line 1 column"),
        (record(&control, 1, first), "invalid JSON: control character"),
        (record("5T", 1, huge), "invalid JSON: invalid type: floating point `1e+20`, expected i16 at line 1 column 60"),
        (record("5T", 1, outside), "move 1: "),
        (b"{\"variant\":\"5T\"}".to_vec(), "missing field `score`"),
        (b"{\"variant\":\"5T\",".to_vec(), "EOF while parsing"),
        (b"MS1:".to_vec(), "damaged or cut off"),
        (b"MS1:abc$".to_vec(), "byte 8: not base 64"),
        (b"MS1:AAAA".to_vec(), "damaged or cut off"),
        (compact(&record("5T", 2, &illegal)), "move 2: (28,24) | +2 needs a free cell"),
        (compact(b"\xff"), "byte 1 unpacked: not UTF-8"),
        (compact(&compact(b"{}")), "expected JSON, found the compact form"),
        (compact(&b" ".repeat(32 << 20)), "unpacks to more than 4 MiB"),
    ];
    for (bytes, expected) in cases {
        let notation: &dyn Notation = if bytes.starts_with(b"MS1:") { &Compact } else { &Msr };
        let message = notation.read(&bytes, None).unwrap_err().to_string();
        assert!(message.contains(expected), "{message:?} lacks {expected:?}");
        presentable(&bytes);
    }
    let deep = [b"{\"variant\":".as_slice(), &b"[".repeat(1 << 20)].concat();
    presentable(&deep);
    assert!(!Msr.recognises(&deep));
}

#[test]
fn ten_megabytes_on_one_line() {
    for filler in [b"(".as_slice(), b"9", b" ", b"\0", b"\xff", b"[", b"{\"moves\":", b"# tag: x\n", b"(28,24)|+2\n"] {
        let filler = filler.repeat(10_000_000 / filler.len());
        presentable(&filler);
        presentable(&[b"MS1:".as_slice(), &filler].concat());
        presentable(&[b"{\"variant\":\"5T\",\"score\":0,\"moves\":[],\"tags\":[\"".as_slice(), &filler].concat());
    }
}

/// A variant that is asked for settles what a file leaves open, and does not change what it says.
#[test]
fn variants_are_not_changed() {
    let game = MorpionGame { variant: Variant::FiveD, moves: random_game(Variant::FiveD, Stream::new(1)) };
    let error = Msr.read(&Msr.write(&game, &Provenance::default()), Some(Variant::FiveT)).unwrap_err();
    assert_eq!(error.to_string(), "a game of 5D, not of 5T");
    let text = Pentasol.write(&game, &Provenance::default());
    let error = Pentasol.read(&text, Some(Variant::FiveT)).unwrap_err();
    assert_eq!(error.to_string(), "a game of 5D, not of 5T");
    let open = String::from_utf8(text).unwrap().replace("# variant: 5D\n", "");
    assert_eq!(Pentasol.read(open.as_bytes(), Some(Variant::FiveT)).unwrap().game.variant, Variant::FiveT);
}

/// The error of a file with the opposite sign names the move that is wrong in it, not the first.
#[test]
fn errors_name_the_move_in_either_reading() {
    let moves = random_game(Variant::FiveD, Stream::new(1));
    let text = pentasol::write(&MorpionGame { variant: Variant::FiveD, moves });
    let mut lines: Vec<String> = flipped(&text, true).lines().map(str::to_owned).collect();
    lines[20] = lines[10].clone();
    let error = Pentasol.read(lines.join("\n").as_bytes(), None).unwrap_err().to_string();
    assert!(error.starts_with("move 20: ") && error.ends_with("opposite sign"), "{error}");
}
