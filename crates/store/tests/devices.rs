//! Runs on a device are kept, interrupted and resumed like any others; the device here plays on the processor.

use std::time::Duration;

use crate::common::{eager, folder, steady};
use nestling::engine::{Accelerator, Round};
use nestling::search::Files;
use nestling::{Event, Outcome, Problem, Search, Stop, Stream, Suggestion};
use nestling_registry::{Controls, Device, GpuSearches, Presentation, Refusal, Registry, RunSpec};
use nestling_store::{Recorder, State, Store};

const SEARCH: &str = "repeat(2000, playout)";

/// Forty throws of a die; the score is their sum.
#[derive(Clone)]
struct Dice(Vec<u8>);

impl Problem for Dice {
    type Move = u8;

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.clear();
        if self.0.len() < 40 {
            moves.extend(1..=6);
        }
    }

    fn play(&mut self, thrown: u8) {
        self.0.push(thrown);
    }

    fn score(&self) -> f64 {
        self.0.iter().copied().map(f64::from).sum()
    }
}

impl Presentation for Dice {}

/// The searches of the device.
struct DiceMachine;

impl GpuSearches<Dice> for DiceMachine {
    fn default_search(&self) -> Suggestion {
        Suggestion::new(Search::playout().forever(), "games until the budget ends")
    }

    fn check(&self, _: &Search) -> Result<(), String> {
        Ok(())
    }

    fn open(&self, _: &Dice, _: &Search, _: &Files<u8>, seed: u64) -> Result<Box<dyn Accelerator<u8>>, String> {
        Ok(Box::new(Machine { seed, next: 0 }))
    }
}

struct Machine {
    seed: u64,
    next: u64,
}

impl Accelerator<u8> for Machine {
    fn round(&mut self, left: u64) -> Result<Round<u8>, String> {
        if self.next == 1_500 && self.seed == 13 {
            return Err("out of luck".to_owned());
        }
        let mut round = Round { playouts: left.min(10), moves: 0, best: None, finished: false };
        for _ in 0..round.playouts {
            let mut rng = Stream::new(self.seed).child(self.next).rng();
            let game: Vec<u8> = (0..40).map(|_| 1 + rng.below(6) as u8).collect();
            let score = game.iter().copied().map(f64::from).sum();
            round.moves += 40;
            self.next += 1;
            if round.best.as_ref().is_none_or(|(best, _)| score > *best) {
                round.best = Some((score, game));
            }
        }
        round.finished = self.next >= 2_000;
        Ok(round)
    }

    fn save(&mut self) -> Result<Vec<u8>, String> {
        Ok(self.next.to_le_bytes().to_vec())
    }

    fn restore(&mut self, state: &[u8]) -> Result<(), String> {
        self.next = u64::from_le_bytes(state.try_into().map_err(|_| "that is no number")?);
        Ok(())
    }
}

fn registry() -> Registry {
    let open = |_: &str| -> Result<Dice, Refusal> { Ok(Dice(Vec::new())) };
    Registry::standard().with_gpu("dice", "throws of a die", DiceMachine, open)
}

/// Works on a run, or on the one that is kept, with this budget.
fn work(mut store: Store, run: Option<i64>, seed: u64, playouts: Option<u64>) -> (i64, Outcome, Vec<Event>) {
    let spec = RunSpec {
        seed: Some(seed),
        device: Device::Cuda,
        checkpoint: Duration::from_millis(1),
        ..RunSpec::new("dice").search(SEARCH)
    };
    let ready = registry().ready(RunSpec { playouts, ..spec.clone() }).unwrap();
    let (recorder, left) = match run {
        None => (Recorder::begin(store, spec, eager()), None),
        Some(run) => {
            let lease = store.take(run).unwrap();
            let left = store.checkpoint(run, 0).unwrap();
            (Recorder::go_on(store, lease, eager()).unwrap(), left)
        }
    };
    let mut told = Vec::new();
    let mut listener = |event: &Event| told.push(event.clone());
    let controls = Controls { listener: Some(&mut listener), ..Controls::default() };
    let outcome = recorder.solve(&ready, 0, left, controls).unwrap();
    let run = recorder.finish(!outcome.stop.is_interruption()).unwrap().unwrap();
    (run, outcome, told)
}

/// The device is part of a run's description; interrupted and resumed, the run has the same result.
#[test]
fn a_run_on_a_device_is_gone_on_with() {
    let (_kept, path) = folder();
    let open = || Store::open(&path).unwrap();
    let (_, whole, _) = work(open(), None, 7, None);
    assert_eq!((whole.stop, whole.counts.playouts), (Stop::Finished, 2_000));
    let (run, cut, _) = work(open(), None, 7, Some(730));
    assert_eq!((cut.stop, cut.counts.playouts), (Stop::Playouts, 730));
    let info = open().run(run).unwrap();
    assert_eq!(info.spec.device, Device::Cuda);
    let (_, resumed, _) = work(open(), Some(run), 7, None);
    assert_eq!(steady(&resumed), steady(&whole));
    let best = open().hall_of_fame("dice", 1).unwrap().pop().unwrap();
    assert_eq!(Some(best.score), whole.score());
}

/// A device that fails costs nothing that was found: the run is interrupted, not done, and its best game is kept.
#[test]
fn a_device_that_fails_interrupts_the_run() {
    let (_kept, path) = folder();
    let (run, outcome, told) = work(Store::open(&path).unwrap(), None, 13, None);
    assert_eq!((outcome.stop, outcome.counts.playouts), (Stop::Failed, 1_500));
    assert!(told.contains(&Event::Failed("out of luck".to_owned())));
    let store = Store::open(&path).unwrap();
    let info = store.run(run).unwrap();
    assert_eq!((info.state, info.best), (State::Interrupted, outcome.score()));
    assert!(store.outcomes(run).unwrap().is_empty());
}
