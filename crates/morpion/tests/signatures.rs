//! What every kind of search does with a fixed seed and budget, as one number each: a change of behaviour shows as a changed
//! number in the diff. The numbers are the same in debug and release builds, with every set of instructions, at any
//! number of threads.

use nestling::{Counts, Outcome, Run};
use nestling_morpion::{Board, Instructions, Move, Variant};

use Variant::{FiveD, FiveT, FourD, FourT};

const SEED: u64 = 2026;

/// The variant, the search, its budget in playouts, and the signature: score, playouts, the moves of all
/// playouts, and a hash of the moves found.
const SIGNATURES: [(Variant, &str, u64, &str); 24] = [
    (FiveD, "playout", 1, "55 1 55 8d0820590f942d60"),
    (FiveT, "repeat(1000, playout)", 1_000, "81 1000 53471 9df29e1a76509992"),
    (FourT, "repeat(playout)", 300, "47 300 11108 93ad59fa47e8877b"),
    (FiveD, "repeat(20, playout(mobility))", 20, "59 20 953 f5ac136ba23c9760"),
    (FiveD, "lookahead(playout)", 100, "60 28 1200 4896cadb26e41b16"),
    (FiveD, "step(lookahead(mean(3, playout)))", 3_000, "58 1917 51824 dce9365620679675"),
    (FiveT, "nested(1)", 10_000, "89 785 26184 a09728c0f783fc28"),
    (FourT, "nested(1, ties=random)", 10_000, "52 711 19176 7ab328726adc5cf0"),
    (FiveD, "nested(2)", 20_000, "64 20000 513610 f3ecf3d3377ea60f"),
    (FourD, "nested(2, memory=off)", 20_000, "33 20000 308682 c6dd8e5a70cd4c1b"),
    (FiveT, "reflexive(20)", 10_000, "83 1660 48188 e682be44aa811a8f"),
    (FiveD, "reflexive(5, 5)", 10_000, "65 10000 215132 ce214fe4525b6927"),
    (FiveD, "nrpa(1)", 100, "61 100 5727 e8de43070d91fb30"),
    (FourD, "nrpa(1, alpha=0.5)", 100, "30 100 2768 07207bdf3b711ec3"),
    (FiveT, "nrpa(2)", 2_500, "96 2500 181645 ba20cf3c0710ce6e"),
    (FourT, "nrpa(2, iterations=30)", 900, "55 900 41015 dce187467c26ff98"),
    (FiveD, "repeat(8, nrpa(1, iterations=40))", 300, "62 300 15613 55bc1e49e42e3e96"),
    (FiveD, "nrpa(1, iterations=20, playout=mobility)", 20, "59 20 1078 9d4ad5c9734b8b1d"),
    (FiveT, "uct(1000)", 1_000, "90 1000 59576 5f89634153f1bf17"),
    (FourD, "uct(300, trees=3)", 1_000, "30 900 21716 65b0109603c80a8d"),
    (FiveD, "beam(8)", 5_000, "62 5000 213458 cb9c101b9f8c4492"),
    (FiveT, "pool(20000, cycle=640000)", 20_000, "103 20000 1373202 e392bf33c0078070"),
    (
        FiveD,
        "repeat(pool(3000, cycle=64000, first=nrpa(1), starts=5, size=300))",
        9_000,
        "65 9000 502799 3cf4fe703cb8e24e",
    ),
    (FourD, "dfs", 3_000, "27 3000 75770 7e9243b7f51972b0"),
];

/// FNV-1a.
fn hash_of_bytes(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let hash = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, hash)
}

fn hash(moves: &[Move]) -> u64 {
    hash_of_bytes(moves.iter().flat_map(|Move { line, hole }| {
        let [x, y] = [line.start.x, line.start.y].map(i16::to_le_bytes);
        [x[0], x[1], y[0], y[1], line.direction as u8, *hole]
    }))
}

fn signature(outcome: &Outcome<Move>) -> String {
    let seen = outcome.best_seen.as_ref().map_or(&[][..], |seen| seen.moves());
    let hash = hash(outcome.moves()) ^ hash(seen).rotate_left(1);
    let Counts { playouts, moves } = outcome.counts;
    format!("{} {playouts} {moves} {hash:016x}", outcome.score().unwrap())
}

#[test]
fn searches_do_what_they_did() {
    let mut changed = Vec::new();
    for (variant, search, playouts, expected) in SIGNATURES {
        for instructions in Instructions::available() {
            for threads in [1, 2] {
                let board = Board::new(variant).with(instructions);
                let run = Run::new(&board, search.parse().unwrap()).seed(SEED).threads(threads).playouts(playouts);
                let signature = signature(&run.start().unwrap());
                if signature != expected {
                    changed.push(format!(
                        "{variant} {search}, {instructions:?}, {threads} threads: {signature:?} instead of {expected:?}"
                    ));
                }
            }
        }
    }
    assert!(changed.is_empty(), "what these searches do has changed:\n{}", changed.join("\n"));
}

/// What searches learn with this seed, to the last bit: how many codes have a weight, and a hash of the codes and weights. An adapt that
/// rounds otherwise shows here, even if it changes no game.
const LEARNED: [(Variant, &str, &str); 7] = [
    (FiveD, "nrpa(2)", "219 66350a3b46b94292"),
    (FiveT, "nrpa(2)", "355 afe8b9b3aa5ba818"),
    (FourT, "nrpa(1, alpha=0.5)", "119 8f03805f054ef51d"),
    (FourD, "nrpa(1)", "80 6126a20cfb2827b6"),
    (FiveD, "nrpa(1, playout=mobility)", "169 a37be6b007b76ad4"),
    (FiveT, "nrpa(1, temperature=2, clamp=3)", "256 ce045335b8562707"),
    (FiveT, "nrpa(3, iterations=20)", "317 ccd4f1c801be3321"),
];

#[test]
fn policies_keep_their_bits() {
    let mut changed = Vec::new();
    for (variant, search, expected) in LEARNED {
        for instructions in Instructions::available() {
            let board = Board::new(variant).with(instructions);
            let outcome = Run::new(&board, search.parse().unwrap()).seed(SEED).start().unwrap();
            let mut weights: Vec<(u64, u64)> =
                outcome.learned.unwrap().iter().map(|(code, weight)| (code, weight.to_bits())).collect();
            weights.sort_unstable();
            let bytes = weights.iter().flat_map(|(code, weight)| [code.to_le_bytes(), weight.to_le_bytes()].concat());
            let learned = format!("{} {:016x}", weights.len(), hash_of_bytes(bytes));
            if learned != expected {
                changed.push(format!("{variant} {search}, {instructions:?}: {learned:?} instead of {expected:?}"));
            }
        }
    }
    assert!(changed.is_empty(), "what these searches learn has changed:\n{}", changed.join("\n"));
}
