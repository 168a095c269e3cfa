//! The store of runs: `cargo bench -p nestling-store`. A run in the store is written before it is announced, so its writes must be short.

use divan::{Bencher, black_box};
use nestling_registry::RunSpec;
use nestling_store::Store;
use tempfile::TempDir;

fn main() {
    divan::main();
}

fn store(runs: usize) -> (TempDir, Store) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut store = Store::open(&folder.path().join("runs.db")).expect("a store");
    (0..runs).for_each(|_| _ = add(&mut store));
    (folder, store)
}

fn add(store: &mut Store) -> i64 {
    store.add(&RunSpec::new("morpion-5d").search("repeat(nrpa(3))")).expect("it is written")
}

/// A store that is there is opened, and its counts are checked.
#[divan::bench(args = [0, 1_000], sample_count = 20)]
fn open(bencher: Bencher<'_, '_>, runs: usize) {
    let (folder, store) = store(runs);
    drop(store);
    bencher.bench_local(|| Store::open(&folder.path().join("runs.db")).expect("it is there"));
}

/// A run is added, and is on the disk afterwards.
#[divan::bench(sample_count = 20)]
fn add_a_run(bencher: Bencher<'_, '_>) {
    let (_folder, mut store) = store(0);
    bencher.bench_local(|| add(&mut store));
}

/// All runs are listed.
#[divan::bench(sample_count = 20)]
fn list_1000_runs(bencher: Bencher<'_, '_>) {
    let (_folder, store) = store(1_000);
    bencher.bench_local(|| black_box(store.runs().expect("they can be read")).len());
}
