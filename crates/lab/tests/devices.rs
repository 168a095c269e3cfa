//! Rows on a device: those that it can make, one run at a time, their readings apart from the processor's. The device here plays on the
//! processor.

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::common::store;
use nestling::engine::{Accelerator, Round};
use nestling::search::Files;
use nestling::{Cancel, Problem, Search, Suggestion};
use nestling_lab::{Done, Experiment, ExperimentResults, LabEffort, Report, Runner, Verdict, judge, samples};
use nestling_registry::{Device, GpuSearches, Presentation, Refusal, Registry};
use nestling_store::Store;

/// Four throws of a die; the score is their sum.
#[derive(Clone)]
struct Dice(Vec<u8>);

impl Problem for Dice {
    type Move = u8;

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        moves.clear();
        if self.0.len() < 4 {
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

    fn check(&self, search: &Search) -> Result<(), String> {
        search.to_string().starts_with("repeat").then_some(()).ok_or_else(|| "it only repeats".to_owned())
    }

    fn open(&self, _: &Dice, search: &Search, _: &Files<u8>, _: u64) -> Result<Box<dyn Accelerator<u8>>, String> {
        assert_eq!(OPEN.fetch_add(1, Ordering::SeqCst), 0, "one run at a time");
        Ok(Box::new(Machine { breaks: search.to_string().contains("13") }))
    }
}

/// How many devices are open.
static OPEN: AtomicUsize = AtomicUsize::new(0);

/// Throws nothing but sixes, which the processor hardly ever does.
struct Machine {
    breaks: bool,
}

impl Drop for Machine {
    fn drop(&mut self) {
        OPEN.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Accelerator<u8> for Machine {
    fn round(&mut self, _: u64) -> Result<Round<u8>, String> {
        if self.breaks {
            return Err("the device is lost".to_owned());
        }
        Ok(Round { playouts: 1, moves: 4, best: Some((24.0, vec![6; 4])), finished: true })
    }

    fn save(&mut self) -> Result<Vec<u8>, String> {
        Ok(Vec::new())
    }

    fn restore(&mut self, _: &[u8]) -> Result<(), String> {
        Ok(())
    }
}

fn registry() -> Registry {
    let open = |_: &str| -> Result<Dice, Refusal> { Ok(Dice(Vec::new())) };
    Registry::standard().with_gpu("dice", "throws of a die", DiceMachine, open)
}

fn experiment(registry: &Registry) -> Experiment {
    let text = "
title = \"A test\"
paper = \"by hand\"
source = [\"a test\"]
[[series]]
name = \"many\"
problem = \"dice\"
search = \"repeat({games}, playout)\"
runs = 6
over = { games = [2, 3] }
[[series]]
name = \"one\"
problem = \"dice\"
search = \"playout\"
runs = 6
[[series]]
name = \"broken\"
problem = \"dice\"
search = \"repeat(13, playout)\"
runs = 6
[[claim]]
of = \"many\"
kind = \"record\"
published = [24, 24]
[[claim]]
of = \"many\"
what = \"seconds\"
kind = \"time\"
published = [1, 1]
";
    Experiment::read("test.toml", text, registry).unwrap()
}

fn run(store: &mut Store, registry: &Registry, device: Device) -> Vec<Done> {
    let (effort, cancel) = (LabEffort::Full, Cancel::new());
    let mut runner = Runner { registry, store, seed: 1, workers: 2, device, cluster: None, effort, cancel };
    runner.run(&[&experiment(registry)], &mut |_| {}).unwrap()
}

#[test]
fn readings_of_devices_are_kept_apart() {
    let registry = registry();
    let experiment = experiment(&registry);
    let (_folder, mut store) = store();
    let done = run(&mut store, &registry, Device::Cpu);
    assert!(done.iter().all(|row| row.device == Device::Cpu && row.runs == (6, 6)), "{done:?}");
    let definition = &experiment.row(0, 0).sizes[0].definition;
    let on_gpu = definition.on_gpu().unwrap();
    let scores = |store: &Store, key: &str| -> Vec<f64> {
        let samples = samples(store, key).unwrap().0;
        samples.iter().flat_map(|sample| sample.readings.values().map(|reading| reading.score)).collect()
    };
    let before = scores(&store, &definition.key());
    assert!(before.len() == 6 && before.iter().any(|score| *score < 24.0), "{before:?}");
    assert!(scores(&store, &on_gpu.key()).is_empty());

    // What the processor has is not what the device should have; it takes the rows that it can make.
    let done = run(&mut store, &registry, Device::Cuda);
    let devices: Vec<Device> = done.iter().map(|row| row.device).collect();
    assert_eq!(devices, [Device::Cuda, Device::Cuda, Device::Cpu, Device::Cuda]);
    assert!(done[..3].iter().all(|row| row.runs == (6, 6) && row.remark.is_none()), "{done:?}");
    assert_eq!((done[3].runs, done[3].remark.as_deref()), ((0, 6), Some("the device is lost")));
    assert_eq!(scores(&store, &on_gpu.key()), [24.0; 6]);
    assert_eq!(scores(&store, &definition.key()), before);

    let results = ExperimentResults::load(&store, &experiment).unwrap();
    let measured = results.measured(0, 0).unwrap();
    assert_eq!((measured.definition.device(), measured.sample.count()), (Device::Cuda, 6), "the newer of two");
    assert_eq!(results.measured(2, 0).unwrap().definition.device(), Device::Cpu, "the only one");
    assert_eq!(judge(&experiment, &experiment.claims[0], &results)[0].verdict, Some(Verdict::Reproduced));
    let time = &judge(&experiment, &experiment.claims[1], &results)[0];
    assert_eq!((time.verdict, &*time.why), (Some(Verdict::Undecided), "the times are of a GPU, not of one thread"));

    let report = Report::new(&store, &registry, std::slice::from_ref(&experiment)).unwrap();
    let pages: Vec<String> = report.files().into_iter().map(|file| file.contents).collect();
    for page in &pages[..2] {
        assert!(page.contains("repeat(2, playout) on dice, GPU") && page.contains("repeat(13, playout) on dice"));
        assert!(!page.contains("repeat(13, playout) on dice, GPU") && !page.contains(") on dice, GPU, GPU"));
    }
}
