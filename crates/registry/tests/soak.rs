//! Mutated files in every format, over all readers: each is read or refused, none makes a reader panic, hang, or say
//! something that is not fit to be shown. `scripts/soak COUNT` tries more of them.

use std::time::{Duration, Instant};

use crate::common::{full_provenance, random_game, small};
use nestling::{Provenance, Rng, Stream};
use nestling_registry::{ReadError, Registry};

/// How many files the ordinary tests try.
const ORDINARY: u64 = 50_000;

/// Bytes that mean something to one of the readers.
const WORDS: [&[u8]; 24] = [
    b"MS1:",
    b"{",
    b"}",
    b"[",
    b"]",
    b"\"",
    b"\\u0000",
    b"\"moves\":",
    b"\"score\":1e308",
    b"-9223372036854775808",
    b"99999999999999999999",
    b"# problem: ",
    b"# variant: 4T\n",
    b"(28,28)\n",
    b"(28,24) | +2\n",
    b"\n",
    b"\0",
    b"\xff\xfe",
    b"<svg",
    b"</svg>",
    b"<!ENTITY a \"&a;\">",
    b"]]>",
    b"\x89PNG\r\n\x1a\n",
    b"\xff\xff\xff\xffzTXt",
];

/// One to eight changes: bits, bytes, words, pieces taken out, doubled or moved, and parts of another file.
fn mutated(original: &[u8], other: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = original.to_vec();
    for _ in 0..1 + rng.below(8) {
        if bytes.is_empty() {
            bytes.push(b'(');
        }
        let place = rng.below(bytes.len());
        let length = 1 + rng.below((bytes.len() - place).min(64));
        match rng.below(9) {
            0 => bytes[place] ^= 1 << rng.below(8),
            1 => bytes[place] = rng.below(256) as u8,
            2 => bytes.insert(place, rng.below(256) as u8),
            3 => drop(bytes.drain(place..place + length)),
            4 => {
                let piece = bytes[place..place + length].to_vec();
                let target = rng.below(bytes.len());
                bytes.splice(target..target, piece);
            }
            5 => {
                let word = WORDS[rng.below(WORDS.len())];
                bytes.splice(place..place, word.iter().copied());
            }
            6 => {
                let word = WORDS[rng.below(WORDS.len())];
                bytes.splice(place..place + length, word.iter().copied());
            }
            7 if rng.below(4) == 0 => bytes.truncate(place),
            _ => {
                let from = rng.below(other.len());
                let piece = &other[from..(from + length).min(other.len())];
                bytes.splice(place..place, piece.iter().copied());
            }
        }
    }
    bytes
}

#[test]
fn mutated_files_are_read_or_refused() {
    let count =
        std::env::var("NESTLING_SOAK").map_or(ORDINARY, |count| count.parse().expect("NESTLING_SOAK is a number"));
    let registry = Registry::standard();
    let mut originals = Vec::new();
    for (name, _) in registry.list() {
        let problem = registry.open(name).unwrap();
        let published = problem.published().into_iter().next();
        let recorded = published.map(|record| problem.certify(&record.moves).unwrap());
        let game = recorded.unwrap_or_else(|| random_game(&registry, name));
        for format in registry.formats(problem.as_ref()) {
            for provenance in [full_provenance(), Provenance::default()] {
                originals.push(registry.write(format, problem.as_ref(), &game, &provenance, &small()).unwrap());
            }
        }
    }
    // Several games in one file.
    let pairs: Vec<Vec<u8>> = originals.windows(2).step_by(9).map(<[Vec<u8>]>::concat).collect();
    originals.extend(pairs);
    let (mut legal, mut illegal, mut unreadable, mut slowest) = (0, 0, 0, Duration::ZERO);
    let stream = Stream::new(1);
    for index in 0..count {
        let rng = &mut stream.child(index).rng();
        let (one, other) = (rng.below(originals.len()), rng.below(originals.len()));
        let bytes = mutated(&originals[one], &originals[other], rng);
        let began = Instant::now();
        match registry.verify(&bytes) {
            Ok(verdict) => {
                legal += 1;
                assert!(!verdict.notes.iter().any(|note| note.contains(char::is_control)));
            }
            Err(error) => {
                let message = error.to_string();
                assert!(
                    message.chars().count() <= 260 && !message.contains(char::is_control),
                    "file {index}: {message:?}"
                );
                if matches!(error, ReadError::Illegal(_)) { illegal += 1 } else { unreadable += 1 }
            }
        }
        slowest = slowest.max(began.elapsed());
    }
    println!("{count} mutated files: {legal} legal, {illegal} illegal, {unreadable} unreadable; slowest {slowest:?}");
    assert!(legal > 0 && illegal > 0 && unreadable > 0);
}
