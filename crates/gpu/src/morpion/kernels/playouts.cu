// Playouts by themselves, uniform or by a policy's weights.

// Where playouts start, and what they are drawn from.
struct Draw {
    Start start;
    const float* policy;
    u64 seed;
};

// The results of playouts: how many games have which length, the numbers of those that left the board, and the longest of every warp.
struct Tally {
    u32 *histogram, *beyond;
    u64* strays;
    u32* best_length;
    u64* best;
};

// Warp w plays the games first + w, first + w + warps, …
template <bool WEIGHTED>
__device__ __forceinline__ void play_all(Shared* shared, const Draw& draw, u64 first, u32 games, const Tally& tally) {
    Lane lane;
    Game game;
    game.shared = shared + threadIdx.x / 32;
    u32 warp = blockIdx.x * WARPS + threadIdx.x / 32, warps = gridDim.x * WARPS;
    u32 longest = 0;
    u64 number = 0;
    for (u32 index = warp; index < games; index += warps) {
        Random random(draw.seed, first + index, lane.number);
        u32 length = play<WEIGHTED, false>(game, lane, draw.start, random, draw.policy, 0);
        if (length & BEYOND) {
            if (lane.number == 0) {
                u32 place = atomicAdd(tally.beyond, 1);
                if (place < STRAYS) tally.strays[place] = first + index;
            }
            continue;
        }
        if (lane.number == 0) atomicAdd(tally.histogram + min(length, LONGEST - 1), 1);
        if (length > longest) longest = length, number = first + index;
    }
    if (lane.number == 0) tally.best_length[warp] = longest, tally.best[warp] = number;
}

// The moves of one playout, with its length before them. Run by one block; its first warp plays.
template <bool WEIGHTED>
__device__ __forceinline__ void play_again(Shared* shared, const Draw& draw, u64 number, u32* moves) {
    if (threadIdx.x >= 32) return;
    Lane lane;
    Game game;
    game.shared = shared;
    Random random(draw.seed, number, lane.number);
    u32 length = play<WEIGHTED, true>(game, lane, draw.start, random, draw.policy, moves + 1);
    if (lane.number == 0) moves[0] = length;
}

extern "C" __global__ void __launch_bounds__(WARPS * 32)
playouts(const Track* start_tracks, const u32* start_moves, u32 start_count, const float* policy, u64 seed, u64 first, u32 games,
         u32* histogram, u32* beyond, u64* strays, u32* best_length, u64* best) {
    __shared__ Shared shared[WARPS];
    Draw draw = {{start_tracks, start_moves, start_count}, policy, seed};
    play_all<false>(shared, draw, first, games, {histogram, beyond, strays, best_length, best});
}

extern "C" __global__ void __launch_bounds__(WARPS * 32)
weighted_playouts(const Track* start_tracks, const u32* start_moves, u32 start_count, const float* policy, u64 seed, u64 first, u32 games,
                  u32* histogram, u32* beyond, u64* strays, u32* best_length, u64* best) {
    __shared__ Shared shared[WARPS];
    Draw draw = {{start_tracks, start_moves, start_count}, policy, seed};
    play_all<true>(shared, draw, first, games, {histogram, beyond, strays, best_length, best});
}

extern "C" __global__ void __launch_bounds__(WARPS * 32)
replay(const Track* start_tracks, const u32* start_moves, u32 start_count, const float* policy, u64 seed, u64 number, u32* moves) {
    __shared__ Shared shared;
    play_again<false>(&shared, {{start_tracks, start_moves, start_count}, policy, seed}, number, moves);
}

extern "C" __global__ void __launch_bounds__(WARPS * 32)
weighted_replay(const Track* start_tracks, const u32* start_moves, u32 start_count, const float* policy, u64 seed, u64 number, u32* moves) {
    __shared__ Shared shared;
    play_again<true>(&shared, {{start_tracks, start_moves, start_count}, policy, seed}, number, moves);
}
