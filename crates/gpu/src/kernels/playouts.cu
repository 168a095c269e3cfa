// Playouts by themselves.

// Uniform playouts. Warp w plays the games first + w, first + w + warps, …; the number of the longest is kept, and those of the games
// that left the board.
extern "C" __global__ void __launch_bounds__(WARPS * 32)
playouts(const Track* start_tracks, const u32* start_moves, u32 start_count, u64 seed, u64 first, u32 games, u32* histogram, u32* beyond,
         u64* strays, u32* best_length, u64* best) {
    __shared__ Shared shared[WARPS];
    Lane lane;
    Game game;
    game.shared = shared + threadIdx.x / 32;
    Start start = {start_tracks, start_moves, start_count};
    u32 warp = blockIdx.x * WARPS + threadIdx.x / 32, warps = gridDim.x * WARPS;
    u32 longest = 0;
    u64 number = 0;
    for (u32 index = warp; index < games; index += warps) {
        Random random(seed, first + index, lane.number);
        u32 length = play<false>(game, lane, start, random, 0, 0);
        if (length & BEYOND) {
            if (lane.number == 0) {
                u32 place = atomicAdd(beyond, 1);
                if (place < STRAYS) strays[place] = first + index;
            }
            continue;
        }
        if (lane.number == 0) atomicAdd(histogram + min(length, LONGEST - 1), 1);
        if (length > longest) longest = length, number = first + index;
    }
    if (lane.number == 0) best_length[warp] = longest, best[warp] = number;
}

// The moves of one uniform playout, with its length before them. Run by one block; its first warp plays.
extern "C" __global__ void __launch_bounds__(WARPS * 32)
replay(const Track* start_tracks, const u32* start_moves, u32 start_count, u64 seed, u64 number, u32* moves) {
    __shared__ Shared shared;
    if (threadIdx.x >= 32) return;
    Lane lane;
    Game game;
    game.shared = &shared;
    Start start = {start_tracks, start_moves, start_count};
    Random random(seed, number, lane.number);
    u32 length = play<false, true>(game, lane, start, random, 0, moves + 1);
    if (lane.number == 0) moves[0] = length;
}
