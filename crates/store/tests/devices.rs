//! Runs on a device are kept, interrupted and gone on with like any others; the device here plays on the processor.

mod common;

use std::time::Duration;

use common::{eager, folder, steady};
use nestling::{Accelerator, Event, Problem, Round, Search, Stop, Stream, Weights};
use nestling_registry::{Device, Exhibit, Instance, Order, Refusal, Registry, Solved};
use nestling_store::{Recorder, Spec, State, Store};

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

impl Exhibit for Dice {
    fn gpu_check(&self, _: &Search) -> Result<(), String> {
        Ok(())
    }

    fn gpu_open(&self, _: &Search, _: &[(String, Weights)], seed: u64) -> Result<Box<dyn Accelerator<u8>>, String> {
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

fn problem() -> Box<dyn Instance> {
    let open = |_: &str| -> Result<Dice, Refusal> { Ok(Dice(Vec::new())) };
    Registry::standard().with("dice", "throws of a die", open).open("dice").unwrap()
}

/// Works on a run, or on the one that is kept, with this budget.
fn work(store: Store, run: Option<i64>, seed: u64, playouts: Option<u64>) -> (i64, Solved, Vec<Event>) {
    let (problem, mut store) = (problem(), store);
    let spec = Spec { seed, device: Device::Cuda, ..Spec::new("dice", SEARCH) };
    let (recorder, left) = match run {
        None => (Recorder::begin(store, spec, eager()), None),
        Some(run) => {
            let lease = store.take(run).unwrap();
            let left = store.checkpoint(run, 0).unwrap();
            (Recorder::go_on(store, lease, eager()).unwrap(), left)
        }
    };
    let order = Order { seed, playouts, device: Device::Cuda, ..Order::new(SEARCH.parse().unwrap()) };
    let mut told = Vec::new();
    let listener = &mut |event: &Event| told.push(event.clone());
    let solved = recorder.solve(problem.as_ref(), 0, &order, left, Duration::from_millis(1), listener).unwrap();
    let run = recorder.finish(!solved.stop.is_interruption()).unwrap().unwrap();
    (run, solved, told)
}

/// The device is part of what a run was asked to do; interrupted and resumed it comes to the same result.
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
    assert_eq!(best.score, whole.score);
}

/// A device that fails costs nothing that was found: the run is interrupted, not done, and its best game is kept.
#[test]
fn a_device_that_fails_interrupts_the_run() {
    let (_kept, path) = folder();
    let (run, solved, told) = work(Store::open(&path).unwrap(), None, 13, None);
    assert_eq!((solved.stop, solved.counts.playouts), (Stop::Failed, 1_500));
    assert!(told.contains(&Event::Failed("out of luck".to_owned())));
    let store = Store::open(&path).unwrap();
    let info = store.run(run).unwrap();
    assert_eq!((info.state, info.best), (State::Interrupted, Some(solved.score)));
    assert!(store.outcomes(run).unwrap().is_empty());
}
