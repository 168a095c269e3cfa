//! The kernels compile where NVRTC is. Where a compiler of C++ is, they are run on the processor, and beams are those of `beam(w, by=outlook)`; where a
//! GPU is, on it.

use nestling::engine::Accelerator;
use nestling::search::Files;
use nestling::{Certificate, Illegal, Problem, Run, Search, state_after};
use nestling_puzzles::Snake;
use nestling_testing::{Need, skip};

use super::beams::Beams;
use super::emulated::{EmulatedSteps, Emulator};
use super::{plan, program};
use crate::{Gpu, GpuError, Kernels, compile, open};

fn snakes_and_coils() -> [Snake; 7] {
    let snake = Snake::in_dimension;
    let coil = Snake::coil_in_dimension;
    [snake(4), snake(6), snake(7), snake(8), coil(5), coil(7), coil(8)]
}

/// Searches to the end, and returns the playouts, the moves, and the best game with its score.
fn searched(machine: &mut dyn Accelerator<u8>) -> (u64, u64, f64, Vec<u8>) {
    let (mut playouts, mut moves) = (0, 0);
    loop {
        let round = machine.round(u64::MAX).unwrap();
        (playouts, moves) = (playouts + round.playouts, moves + round.moves);
        if round.finished {
            let (score, game) = round.best.unwrap();
            return (playouts, moves, score, game);
        }
    }
}

/// What the processor's search finds.
fn expected(snake: &Snake, search: &Search, seed: u64) -> (u64, u64, f64, Vec<u8>) {
    let outcome = Run::new(&Unbounded(snake.clone()), search.clone()).seed(seed).start().unwrap();
    (outcome.counts.playouts, outcome.counts.moves, outcome.score().unwrap(), outcome.moves().to_vec())
}

/// Without the bound, which would end the processor's search.
#[derive(Clone)]
struct Unbounded(Snake);

impl Problem for Unbounded {
    type Move = u8;

    fn legal_moves(&self, moves: &mut Vec<u8>) {
        self.0.legal_moves(moves);
    }

    fn play(&mut self, dimension: u8) {
        self.0.play(dimension);
    }

    fn score(&self) -> f64 {
        self.0.score()
    }

    fn policies(&self) -> &'static [&'static str] {
        self.0.policies()
    }

    fn default_policy(&self) -> &'static str {
        self.0.default_policy()
    }

    fn prefer(&self, policy: usize, moves: &mut Vec<u8>, weights: &mut Vec<f64>) {
        self.0.prefer(policy, moves, weights);
    }

    fn outlook(&self) -> Option<f64> {
        self.0.outlook()
    }

    fn certify(&self, moves: &[u8]) -> Result<Certificate, Illegal> {
        self.0.certify(moves)
    }
}

fn beams(emulator: &Emulator, snake: &Snake, search: &Search, seed: u64) -> Beams<EmulatedSteps> {
    let task = plan(search).unwrap();
    Beams::new(emulator.steps(task.width), snake, task, seed)
}

#[test]
fn the_kernels_compile() {
    for dimension in [2, 5, 8, 10] {
        for snake in [Snake::in_dimension(dimension), Snake::coil_in_dimension(dimension)] {
            match compile(&program(&snake), (9, 0)) {
                Err(GpuError::NoCompiler) => return skip(Need::Nvrtc, &GpuError::NoCompiler.to_string()),
                compiled => assert!(compiled.is_ok(), "{:?}", compiled.err()),
            }
        }
    }
}

#[test]
fn expressions_are_understood() {
    let of = |text: &str| plan(&text.parse().unwrap()).map(|task| (task.width, task.searches));
    assert_eq!(of("beam(100, by=outlook)"), Some((100, None)));
    assert_eq!(of("repeat(beam(100, by=outlook))"), Some((100, Some(u64::MAX))));
    assert_eq!(of("repeat(7, beam(100, by=outlook, playout=tight))"), Some((100, Some(7))));
    for other in [
        "beam(100)",
        "beam(100, by=outlook, playout=roomy)",
        "beam(100, by=outlook, weights=a)",
        "repeat(2, repeat(3, beam(100, by=outlook)))",
        "nested(3)",
    ] {
        assert_eq!(of(other), None, "{other}");
        assert!(Snake::supports(&other.parse().unwrap()).unwrap_err().contains(other));
    }
    assert!(Snake::supports(&Snake::default_gpu_search().search).is_ok());
}

/// The same games as on the processor: as many, with as many moves, and the same best one.
#[test]
fn emulated_beams_are_the_processors() {
    for snake in snakes_and_coils() {
        let Some(emulator) = Emulator::compile(&snake) else { return };
        for search in ["beam(1, by=outlook)", "beam(7, by=outlook)", "repeat(2, beam(100, by=outlook))"] {
            let search: Search = search.parse().unwrap();
            for seed in [1, 2] {
                let found = searched(&mut beams(&emulator, &snake, &search, seed));
                assert_eq!(found, expected(&snake, &search, seed), "{snake:?}, {search}, seed {seed}");
                assert_eq!(snake.certify(&found.3).unwrap().score, found.2);
            }
        }
    }
}

/// Also from the middle of a game, and from its end.
#[test]
fn emulated_beams_begin_anywhere() {
    let search: Search = "repeat(2, beam(20, by=outlook))".parse().unwrap();
    for snake in [Snake::in_dimension(7), Snake::coil_in_dimension(7)] {
        let Some(emulator) = Emulator::compile(&snake) else { return };
        let whole = expected(&snake, &search, 3).3;
        for length in [1, 2, 17, whole.len() - 1, whole.len()] {
            let start = state_after(&snake, &whole[..length]);
            let found = searched(&mut beams(&emulator, &start, &search, 4));
            assert_eq!(found, expected(&start, &search, 4), "{length} moves of {snake:?}");
        }
    }
}

/// A beam that is saved and restored at every depth is the same.
#[test]
fn emulated_beams_are_resumed() {
    let (snake, search) = (Snake::in_dimension(6), "repeat(2, beam(30, by=outlook))".parse().unwrap());
    let Some(emulator) = Emulator::compile(&snake) else { return };
    let mut whole = beams(&emulator, &snake, &search, 5);
    loop {
        let state = whole.save().unwrap();
        let mut other = beams(&emulator, &snake, &search, 5);
        other.restore(&state).unwrap();
        let (one, two) = (whole.round(u64::MAX).unwrap(), other.round(u64::MAX).unwrap());
        assert_eq!((one.playouts, one.moves, one.finished), (two.playouts, two.moves, two.finished));
        assert_eq!(whole.save(), other.save());
        assert_eq!(whole.finds(0.0).unwrap(), other.finds(0.0).unwrap());
        if one.finished {
            break;
        }
    }
    for damaged in
        [vec![], vec![0; 15], [3_u64, 0].map(u64::to_le_bytes).concat(), [0_u64, 60].map(u64::to_le_bytes).concat()]
    {
        assert!(beams(&emulator, &snake, &search, 5).restore(&damaged).is_err(), "{damaged:?}");
    }
}

/// The same on a GPU.
#[test]
fn beams_are_the_processors() {
    for snake in snakes_and_coils() {
        match Gpu::open(0, &program(&snake)) {
            Ok(_) => {}
            Err(missing @ (GpuError::NoDriver | GpuError::NoDevice | GpuError::NoCompiler)) => {
                return skip(Need::Gpu, &missing.to_string());
            }
            Err(error) => panic!("{error}"),
        }
        for search in ["beam(7, by=outlook)", "repeat(2, beam(1000, by=outlook))"] {
            let search: Search = search.parse().unwrap();
            let found = searched(&mut *open(&snake, &search, &Files::default(), 1).unwrap());
            assert_eq!(found, expected(&snake, &search, 1), "{snake:?}, {search}");
        }
    }
}
