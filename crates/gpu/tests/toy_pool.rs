//! Pools of another crate's problem: its player, its layout, and nothing else.

use nestling::engine::Accelerator;
use nestling::{Problem, state_after};
use nestling_gpu::pool::{ISLANDS, PLAYER, PoolLayout, PoolRuns, Pooling};
use nestling_gpu::{Gpu, GpuError, Machine, Program, compile};
use nestling_testing::{Need, skip};

/// Bits to choose.
const BITS: u32 = 24;

/// Guess a pattern: choose bits in any order; every right one is a point.
#[derive(Clone)]
struct Pattern {
    pattern: u32,
    /// Bits that were chosen, and those of them that are ones.
    chosen: u32,
    ones: u32,
}

impl Problem for Pattern {
    /// The bit's place, and whether it is a one.
    type Move = (u8, bool);

    fn legal_moves(&self, moves: &mut Vec<(u8, bool)>) {
        moves.clear();
        let open = (0..BITS as u8).filter(|place| self.chosen >> place & 1 == 0);
        moves.extend(open.flat_map(|place| [(place, false), (place, true)]));
    }

    fn play(&mut self, (place, one): (u8, bool)) {
        self.chosen |= 1 << place;
        self.ones |= u32::from(one) << place;
    }

    fn score(&self) -> f64 {
        (self.chosen & !(self.ones ^ self.pattern)).count_ones().into()
    }
}

/// A lane has a move of the parent, and a place.
const SOURCE: &str = r"
struct Random {
    u64 state;
    __device__ Random(u64 seed, u64 path, u32 lane) : state(seed + (path * 32 + lane + 1) * 0x9e3779b97f4a7c15ull) {}
    __device__ u32 next() {
        u64 z = state += 0xd1342543de82ef95ull;
        z = (z ^ (z >> 32)) * 0xdaba0b6eb09322e3ull;
        z = (z ^ (z >> 32)) * 0xdaba0b6eb09322e3ull;
        return (u32)(z >> 32);
    }
};

struct Player {
    static const u32 ROOM = 32;
    static const u32 MEMORY = 16;
    static const u32 ALL = (1u << BITS) - 1;
    u32 pattern, lane, kept, chosen, ones;

    __device__ Player(u8* memory, const u32* start) : pattern(*start), lane(threadIdx.x % 32) {}

    __device__ Child play(const u16* parent, u32 length, u32* marks, Random& random) {
        bool stays = lane < length && !(marks[0] >> lane & 1);
        u32 move = stays ? parent[lane] : 0, bit = stays ? 1u << (move >> 1) : 0;
        chosen = __reduce_or_sync(0xffffffffu, bit);
        ones = __reduce_or_sync(0xffffffffu, move & 1 ? bit : 0);
        ones |= __shfl_sync(0xffffffffu, random.next(), 0) & ALL & ~chosen;
        u32 staying = __ballot_sync(0xffffffffu, stays);
        kept = __popc(staying);
        __syncwarp();
        if (lane == 0) marks[0] = ~staying;
        __syncwarp();
        return {(u32)__popc(ALL & ~(ones ^ pattern)), BITS, BITS, 0};
    }

    __device__ void write(const u16* parent, u32 length, const u32* marks, u16* row) {
        u32 staying = ~marks[0], others = ALL & ~chosen, below = (1u << lane) - 1;
        if (staying >> lane & 1) row[__popc(staying & below)] = parent[lane];
        if (others >> lane & 1) row[kept + __popc(others & below)] = lane << 1 | (ones >> lane & 1);
    }

    __device__ u64 key() { return (ones + 1) * 0x9e3779b97f4a7c15ull; }
};
";

fn program() -> Program {
    Program::new(format!("{PLAYER}{SOURCE}{ISLANDS}")).define("BITS", BITS).kernel_with_shared("pool", 16)
}

struct Layout(Pattern);

impl PoolLayout for Layout {
    type Problem = Pattern;

    const ROOM: usize = 32;

    fn new(device: &Gpu, start: &Pattern) -> Result<Self, GpuError> {
        if *device.program() == program() { Ok(Layout(start.clone())) } else { Err(GpuError::OtherProgram) }
    }

    fn start(&self) -> Vec<u32> {
        vec![self.0.pattern]
    }

    fn is_move(&self, written: u16) -> bool {
        u32::from(written >> 1) < BITS
    }

    fn decode(&self, written: &[u16]) -> Vec<(u8, bool)> {
        written.iter().map(|&written| ((written >> 1) as u8, written & 1 == 1)).collect()
    }

    fn encode(&self, game: &[(u8, bool)]) -> Option<Vec<u16>> {
        Some(game.iter().map(|&(bit, one)| u16::from(bit) << 1 | u16::from(one)).collect())
    }

    fn score(start: &Pattern, game: &[(u8, bool)]) -> f64 {
        state_after(start, game).score()
    }

    fn finish(&self, written: &[u16], _: u64, _: u64) -> Vec<(u8, bool)> {
        self.decode(written)
    }
}

#[test]
fn the_program_compiles() {
    match compile(&program(), (9, 0)) {
        Err(GpuError::NoCompiler) => skip(Need::Nvrtc, &GpuError::NoCompiler.to_string()),
        compiled => assert!(compiled.is_ok(), "{:?}", compiled.err()),
    }
}

/// The pattern is found, the game is one by the rules, and a saved search continues as if nothing had happened.
#[test]
fn the_pattern_is_found() {
    let device = match Gpu::open(0, &program()) {
        Ok(device) => device,
        Err(missing @ (GpuError::NoDriver | GpuError::NoDevice | GpuError::NoCompiler)) => {
            return skip(Need::Gpu, &missing.to_string());
        }
        Err(error) => panic!("{error}"),
    };
    let start = Pattern { pattern: 0x5a_c3f1, chosen: 0, ones: 0 };
    let pooling = Pooling {
        window: 4.0,
        cycle: 128_000,
        size: 1_000,
        searches: 10,
        games: 20_000,
        seed: 3,
        ..Pooling::default()
    };
    let machine = || Machine::<PoolRuns<Layout>>::new(vec![device.clone()], &start, pooling).unwrap();
    let (mut whole, mut other) = (machine(), machine());
    whole.round(10 * 5_000).unwrap();
    other.restore(&whole.save().unwrap()).unwrap();
    let rounds = [&mut whole, &mut other].map(|machine| machine.round(u64::MAX).unwrap());
    assert_eq!(rounds[0], rounds[1]);
    assert!(whole.save().unwrap() == other.save().unwrap());
    let (score, game) = rounds[0].best.clone().unwrap();
    assert!(rounds[0].finished);
    assert_eq!(score, f64::from(BITS));
    assert_eq!(start.certify(&game).unwrap().score, score);
}
