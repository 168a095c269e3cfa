//! The engine, searches with it, and the formats of games: `cargo bench -p nestling-morpion`. `nestling bench` compares the engine with the
//! technique of the papers, and one version with another.

use divan::Bencher;
use divan::counter::{BytesCount, ItemsCount};
use nestling::engine::{Batch, PlayoutPolicy};
use nestling::{Goal, Problem, Run, Stream};
use nestling_morpion::notation::{self, Msr, Notation, Pentasol};
use nestling_morpion::{Board, Instructions, Variant};

fn main() {
    divan::main();
}

const GAMES: usize = 256;

/// Playouts of each variant.
#[divan::bench(args = Variant::ALL)]
fn playouts(bencher: Bencher<'_, '_>, variant: Variant) {
    uniform(bencher, &Board::new(variant));
}

/// Playouts of 5D with each instruction set of this processor.
#[divan::bench(args = Instructions::available())]
fn instructions(bencher: Bencher<'_, '_>, set: &Instructions) {
    uniform(bencher, &Board::new(Variant::FiveD).with(*set));
}

fn uniform(bencher: Bencher<'_, '_>, board: &Board) {
    let policy = PlayoutPolicy::UNIFORM;
    bencher.counter(ItemsCount::new(GAMES)).bench_local(|| {
        let mut batch = Batch::repeated(&policy, Goal::Max, Stream::new(7), 0, GAMES);
        board.playouts(&mut batch);
        assert_eq!(batch.played(), GAMES);
        batch.moves_played()
    });
}

/// Searches of 5D, on one thread; the items are playouts.
#[divan::bench(args = ["nested(1)", "nrpa(2, iterations=30)", "uct(1000)", "beam(4)", "pool(5000)"], sample_count = 20)]
fn searches(bencher: Bencher<'_, '_>, search: &str) {
    let board = Board::new(Variant::FiveD);
    let run = || Run::new(&board, search.parse().expect("it is a search")).seed(7).threads(1);
    let playouts = run().start().expect("it runs").counts.playouts;
    bencher.counter(ItemsCount::new(playouts)).bench_local(|| {
        let outcome = run().start().expect("it runs");
        assert_eq!(outcome.counts.playouts, playouts);
        outcome.score()
    });
}

/// The longest published game, written and read.
#[divan::bench(args = ["pentasol", "msr"])]
fn formats(bencher: Bencher<'_, '_>, name: &str) {
    let record = nestling_morpion::published().swap_remove(0).reading;
    let format: &dyn Notation = if name == "msr" { &Msr } else { &Pentasol };
    let bytes = format.write(&record.game, &record.provenance);
    bencher.counter(BytesCount::new(bytes.len())).bench_local(|| {
        let game = notation::read(&bytes).expect("it was just written").game;
        assert_eq!(game.moves.len(), 178);
        format.write(&game, &record.provenance)
    });
}
