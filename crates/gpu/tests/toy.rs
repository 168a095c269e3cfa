//! A problem of another crate brings its own kernels, by the public interface only.
#![allow(unsafe_code, reason = "kernels are launched with bare pointers")]

use std::ops::Range;

use nestling::engine::Accelerator;
use nestling::search::Files;
use nestling::search::{Playout, Repeat};
use nestling::{Goal, Problem, Search, Suggestion};
use nestling_gpu::cudarc::driver::{CudaSlice, PushKernelArg};
use nestling_gpu::{
    DeviceTask, Gpu, GpuError, Kernel, Kernels, Machine, Part, Program, SearchTotals, available, check_support,
    compile, open,
};
use nestling_testing::{Need, skip};

/// Moves of a game.
const DEPTH: u32 = 20;

/// Runs of a device.
const RUNS: u32 = 100;

/// A thread for every run; a search is one playout.
const SOURCE: &str = r#"
typedef unsigned u32;
typedef unsigned long long u64;

extern "C" __global__ void walk(u64 seed, u32 here, u32 first, u32 runs, u64 wanted, u32 rounds, u32 *done, u32 *ones, u32 *path) {
    u32 number = blockIdx.x * blockDim.x + threadIdx.x;
    if (number >= here) return;
    for (u32 round = 0; round < rounds; round++) {
        u64 search = first + number + (u64)done[number] * runs;
        if (search >= wanted) return;
        u32 drawn = (seed + search) * 0x9e3779b97f4a7c15 >> (64 - DEPTH);
        if (__popc(drawn) < ones[number]) {
            ones[number] = __popc(drawn);
            path[number] = drawn;
        }
        done[number]++;
    }
}
"#;

/// Choose bits; as few as possible should be ones.
#[derive(Clone)]
struct Bits {
    left: u32,
    ones: u32,
}

impl Problem for Bits {
    type Move = bool;

    fn legal_moves(&self, moves: &mut Vec<bool>) {
        moves.clear();
        if self.left > 0 {
            moves.extend([false, true]);
        }
    }

    fn play(&mut self, one: bool) {
        self.left -= 1;
        self.ones += u32::from(one);
    }

    fn score(&self) -> f64 {
        self.ones.into()
    }

    fn goal(&self) -> Goal {
        Goal::Min
    }
}

impl Kernels for Bits {
    fn program(&self) -> Program {
        Program::new(SOURCE).define("DEPTH", DEPTH).kernel("walk")
    }

    fn default_gpu_search() -> Suggestion {
        Suggestion::new(Search::playout().forever(), "as many games at once as the GPU holds")
    }

    fn supports(search: &Search) -> Result<(), String> {
        if search.is_of::<Repeat>() && search.core().inner()[0].is_of::<Playout>() {
            return Ok(());
        }
        Err(format!("GPUs do not support {search}; they support repeat(playout)"))
    }

    fn start(
        &self,
        devices: Vec<Gpu>,
        search: &Search,
        _: &Files<bool>,
        seed: u64,
    ) -> Result<Box<dyn Accelerator<bool>>, GpuError> {
        let searches = search.optional_integer("count").unwrap_or(u64::MAX);
        Ok(Box::new(Machine::<Walk>::new(devices, self, Walks { runs: RUNS, searches, seed })?))
    }
}

#[derive(Clone, Copy)]
struct Walks {
    runs: u32,
    searches: u64,
    seed: u64,
}

impl DeviceTask for Walks {
    fn searches(&self) -> u64 {
        self.searches
    }

    fn divided(self, runs: u32, searches: u64) -> Self {
        Walks { runs, searches, ..self }
    }
}

struct Walk {
    device: Gpu,
    kernel: Kernel,
    walks: Walks,
    here: Range<u32>,
    done: CudaSlice<u32>,
    ones: CudaSlice<u32>,
    path: CudaSlice<u32>,
    progress: SearchTotals<bool>,
}

impl Part for Walk {
    type Problem = Bits;
    type DeviceTask = Walks;
    type State = (u32, u32, u32);

    fn room(_: &Gpu, _: &Walks) -> Result<u32, GpuError> {
        Ok(RUNS)
    }

    fn new(device: &Gpu, start: &Bits, walks: Walks, here: Range<u32>) -> Result<Self, GpuError> {
        if *device.program() != start.program() {
            return Err(GpuError::OtherProgram);
        }
        Ok(Walk {
            kernel: device.kernel("walk", 1)?,
            done: device.zeros(here.len())?,
            ones: device.upload(&vec![u32::MAX; here.len()])?,
            path: device.zeros(here.len())?,
            progress: SearchTotals::default(),
            device: device.clone(),
            walks,
            here,
        })
    }

    fn runs(&self) -> usize {
        self.here.len()
    }

    fn search(&mut self, left: u64) -> Result<(), GpuError> {
        let Walks { runs, searches, seed } = self.walks;
        let (here, rounds) = (self.here.len() as u32, (left / u64::from(runs)).clamp(1, 16) as u32);
        let mut launch = self.device.stream().launch_builder(self.kernel.function());
        launch.arg(&seed).arg(&here).arg(&self.here.start).arg(&runs).arg(&searches).arg(&rounds);
        launch.arg(&mut self.done).arg(&mut self.ones).arg(&mut self.path);
        // SAFETY: the arguments are those of the kernel, and every array has a place for each run.
        unsafe { launch.launch(self.kernel.launch(here.div_ceil(32))) }?;
        Ok(())
    }

    fn progress(&mut self) -> Result<&SearchTotals<bool>, GpuError> {
        let states = self.save()?;
        self.progress.searches = states.iter().map(|state| u64::from(state.0)).sum();
        self.progress.playouts = self.progress.searches;
        self.progress.played = self.progress.searches * u64::from(DEPTH);
        let best = states.iter().filter(|state| state.0 > 0).min_by_key(|state| state.1);
        self.progress.best = best.map_or(Vec::new(), |state| (0..DEPTH).map(|bit| state.2 >> bit & 1 == 1).collect());
        Ok(&self.progress)
    }

    fn result(&self) -> Result<Option<Vec<bool>>, GpuError> {
        Ok(None)
    }

    fn save(&self) -> Result<Vec<(u32, u32, u32)>, GpuError> {
        let [done, ones, path] = [&self.done, &self.ones, &self.path].map(|values| self.device.download(values));
        Ok(done?.into_iter().zip(ones?).zip(path?).map(|((done, ones), path)| (done, ones, path)).collect())
    }

    fn restore(&mut self, runs: &[(u32, u32, u32)]) -> Result<(), GpuError> {
        let upload = |values: Vec<u32>| self.device.upload(&values);
        let done = upload(runs.iter().map(|run| run.0).collect())?;
        let ones = upload(runs.iter().map(|run| run.1).collect())?;
        let path = upload(runs.iter().map(|run| run.2).collect())?;
        (self.done, self.ones, self.path) = (done, ones, path);
        Ok(())
    }
}

const START: Bits = Bits { left: DEPTH, ones: 0 };

#[test]
fn other_searches_are_refused() {
    assert!(check_support::<Bits>(&"repeat(9, playout)".parse().unwrap()).is_ok());
    let search = "nrpa(2)".parse().unwrap();
    assert_eq!(
        check_support::<Bits>(&search),
        Err("GPUs do not support nrpa(2); they support repeat(playout)".to_owned())
    );
    let refused = open(&START, &search, &Files::default(), 1).err().unwrap();
    assert_eq!(refused.to_string(), "GPUs do not support nrpa(2)");
}

/// A kernel that the source lacks is reported when the program is compiled, not when the kernel is launched.
#[test]
fn kernels_are_compiled_and_looked_for() {
    match compile(&START.program(), (9, 0)) {
        Err(GpuError::NoCompiler) => return skip(Need::Nvrtc, &GpuError::NoCompiler.to_string()),
        compiled => assert!(compiled.is_ok()),
    }
    let missing = compile(&START.program().kernel("run"), (9, 0)).err().unwrap();
    assert!(matches!(missing, GpuError::NoKernel(name) if name == "run"));
    let wrong = compile(&Program::new("no C++"), (9, 0)).err().unwrap();
    assert!(matches!(wrong, GpuError::Compiler(_)));
}

/// All searches are made, also after the state was saved and restored, and the best of all devices is the least.
#[test]
fn searches_are_made() {
    if let Err(missing) = available() {
        return skip(Need::Gpu, &missing.to_string());
    }
    let (searches, seed) = (10_000_u64, 5_u64);
    let open =
        || open(&START, &format!("repeat({searches}, playout)").parse().unwrap(), &Files::default(), seed).unwrap();
    let drawn = |search: u64| (seed + search).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - DEPTH);
    let least = (0..searches).map(|search| drawn(search).count_ones()).min().unwrap();
    let (mut machine, mut playouts) = (open(), 0);
    loop {
        let round = machine.round(u64::MAX).unwrap();
        playouts += round.playouts;
        if round.finished {
            let (score, game) = round.best.unwrap();
            assert_eq!((playouts, score), (searches, f64::from(least)));
            assert_eq!(START.certify(&game).unwrap().score, score);
            return;
        }
        let state = machine.save().unwrap();
        machine = open();
        machine.restore(&state).unwrap();
    }
}
