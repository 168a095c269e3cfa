// NRPA, a warp for every run.

// Which random numbers a run draws, and what it has done with them. The playouts of a run are numbered; a warp plays every `tries`-th.
struct Luck {
    u64 seed, playout;
    u32 tries, run, runs, played, adapted;

    __device__ __forceinline__ Random next(const Lane& lane) {
        Random random(seed, playout * runs + run, lane.number);
        playout += tries;
        return random;
    }
};

// Games that left the board, for the host: for each the run, the playout (two words), the length, and the moves.
struct Strays {
    u32 *count, *games;

    __device__ __forceinline__ void add(const Lane& lane, const Luck& luck, const u32* sequence, u32 length) const {
        u32 place = 0;
        if (lane.number == 0) place = atomicAdd(count, 1);
        place = __shfl_sync(FULL, place, 0);
        if (place >= STRAYS) return;
        u32* to = games + (u64)place * (LONGEST + 4);
        u64 playout = luck.playout - luck.tries;
        if (lane.number == 0) to[0] = luck.run, to[1] = (u32)playout, to[2] = (u32)(playout >> 32), to[3] = length;
        copy(lane, to + 4, sequence, length);
    }
};

// A search of level 1: after each playout the policy is adapted to the best game so far. Its length; the game is in `best`.
__device__ __forceinline__ u32 adapt_and_play(Game& game, const Lane& lane, const Start& start, Luck& luck, u32 iterations, float alpha,
                                              float* policy, u32* best, u32* current, u32* memory, const Strays& strays) {
    u32 longest = 0, count = 0, kept = 0;
    for (u32 iteration = 0; iteration < iterations; iteration++) {
        Random random = luck.next(lane);
        u32* played = kept ? best : current;
        Spans spans = {memory + (kept ^ 1) * Spans::WORDS, 0};
        u32 length = play<true, true, true>(game, lane, start, random, policy, played, NEVER, LONGEST - 1, &spans);
        luck.played += length & ~BEYOND;
        __syncwarp();
        if (length & BEYOND) {
            strays.add(lane, luck, played, length & ~BEYOND);
        } else if (length >= longest) {
            longest = length, count = spans.count, kept ^= 1;
        }
        adapt_to_spans<false>(game.shared, lane, policy, Spans{memory + kept * Spans::WORDS, count}, longest, alpha);
        luck.adapted += longest;
    }
    if (kept) copy(lane, best, current, longest);
    return longest;
}

// The same by all warps of a block: each plays a game by the same policy, which they adapt to the best game so far.
__device__ __forceinline__ u32 adapt_and_try(Game& game, Shared* shared, const Lane& lane, const Start& start, Luck& luck, u32 iterations,
                                             float alpha, float* policy, u32* best, u32* current, u32* memory, const Strays& strays) {
    __shared__ u32 lengths[TRIES], counts[TRIES];
    u32 warp = threadIdx.x / 32, longest = 0;
    Spans kept = {memory + luck.tries * Spans::WORDS, 0}, spans = {memory + warp * Spans::WORDS, 0};
    for (u32 iteration = 0; iteration < iterations; iteration++) {
        u32* played = current + warp * LONGEST;
        Random random = luck.next(lane);
        u32 length = play<true, true, true>(game, lane, start, random, policy, played, NEVER, LONGEST - 1, &spans);
        luck.played += length & ~BEYOND;
        __syncwarp();
        if (length & BEYOND) strays.add(lane, luck, played, length & ~BEYOND);
        if (lane.number == 0) lengths[warp] = length & BEYOND ? 0 : length << 8 | warp, counts[warp] = spans.count;
        __syncthreads();
        // Of equally long games that of the last warp.
        u32 winner = __reduce_max_sync(FULL, lane.number < luck.tries ? lengths[lane.number] : 0);
        if (winner != 0 && winner >> 8 >= longest) {
            longest = winner >> 8, winner &= 255;
            kept.count = counts[winner];
            for (u32 index = threadIdx.x; index < Spans::WORDS; index += blockDim.x) kept.entered[index] = memory[winner * Spans::WORDS + index];
            for (u32 index = threadIdx.x; index < longest; index += blockDim.x) best[index] = current[winner * LONGEST + index];
        }
        adapt_to_spans<true>(shared, lane, policy, kept, longest, alpha);
        if (warp == 0) luck.adapted += longest;
    }
    return longest;
}

// What the levels do, the lowest first.
struct Schedule {
    u32 iterations[8];
    float alpha[8];
};

// Level-1 searches of every run, and what follows from them on the levels above. A run is a warp; level l has the place l - 1 in
// its arrays, and `at` tells how many of its iterations are done. A run whose highest level has finished begins another search, `done`
// counts them. `record` keeps the longest game of each run, `finished` counts the results of the highest level by length.
struct Runs {
    u32* at;
    float* policies;
    u32* best_length;
    u32* best;
    u32* current;
    u32* spans;
    u32* record_length;
    u32* record;
};

// A level that begins takes the policy of the level above, the highest takes none. With it all levels below begin.
__device__ __forceinline__ void begin_levels(const Lane& lane, const Runs& run, int levels) {
    for (int level = levels - 1; level >= 0; level--) {
        if (run.at[level] != 0) continue;
        u32* own = (u32*)(run.policies + (u64)level * CODES);
        if (level + 1 < levels) {
            copy(lane, own, own + CODES, CODES);
        } else {
            for (u32 code = lane.number; code < CODES; code += 32) own[code] = 0;
        }
        if (lane.number == 0) run.best_length[level] = 0;
        __syncwarp();
    }
}

// What follows on the levels above from a search of level 1 whose best game has this length. Returns whether the highest level has finished.
__device__ __forceinline__ bool climb(Game& game, const Lane& lane, const Start& start, const Schedule& schedule, const Runs& run, u32 levels,
                                      u32 longest, Luck& luck) {
    if (longest > *run.record_length) {
        copy(lane, run.record, run.best, longest);
        if (lane.number == 0) *run.record_length = longest;
    }
    __syncwarp();
    if (lane.number == 0) run.best_length[0] = longest;
    __syncwarp();
    for (u32 level = 1; level < levels; level++) {
        u32 below = run.best_length[level - 1], here = run.best_length[level];
        if (below >= here) copy(lane, run.best + level * LONGEST, run.best + (level - 1) * LONGEST, below);
        here = max(below, here);
        u32 end = schedule.iterations[level];
        adapt(game, lane, start, run.policies + (u64)level * CODES, run.best + level * LONGEST, here, schedule.alpha[level]);
        luck.adapted += here;
        u32 next = run.at[level] + 1;
        __syncwarp();
        if (lane.number == 0) {
            run.best_length[level] = here;
            run.at[level] = next == end ? 0 : next;
        }
        __syncwarp();
        if (next < end) return false;
    }
    return true;
}

// The runs first, first + 1, … of so many in all, which together make the searches 0 … wanted - 1: run r makes r, r + runs, … A run is a
// warp, or with TRYING a block.
template <bool TRYING>
__device__ __forceinline__ void advance(Shared* shared, Start start, u64 seed, u32 here, u32 first, u32 runs, u64 wanted, u32 levels,
                                        const Schedule& schedule, u32 searches, u32* at, u32* done, float* policies, u32* best_length,
                                        u32* best, u32* current, u32* spans, u32* record_length, u32* record, u64* playout, u32* finished,
                                        u64* steps, Strays strays) {
    __shared__ u32 made_by_all;
    Lane lane;
    Game game;
    u32 warp = threadIdx.x / 32, tries = TRYING ? blockDim.x / 32 : 1;
    game.shared = shared + warp;
    u32 number = TRYING ? blockIdx.x : blockIdx.x * WARPS + warp;
    if (number >= here) return;
    bool leads = !TRYING || warp == 0;
    Runs run = {at + number * levels,
                policies + (u64)number * levels * CODES,
                best_length + number * levels,
                best + (u64)number * levels * LONGEST,
                current + (u64)number * tries * LONGEST,
                spans + (u64)number * (tries + 1) * Spans::WORDS,
                record_length + number,
                record + (u64)number * LONGEST};
    Luck luck = {seed, playout[number] + (TRYING ? warp : 0), tries, first + number, runs, 0, 0};
    u32 made = done[number];
    for (u32 search = 0; search < searches && made * (u64)runs + luck.run < wanted; search++) {
        if (leads) begin_levels(lane, run, levels);
        u32 longest;
        if (TRYING) {
            __syncthreads();
            longest = adapt_and_try(game, shared, lane, start, luck, schedule.iterations[0], schedule.alpha[0], run.policies, run.best,
                                    run.current, run.spans, strays);
        } else {
            longest = adapt_and_play(game, lane, start, luck, schedule.iterations[0], schedule.alpha[0], run.policies, run.best, run.current,
                                     run.spans, strays);
        }
        if (leads && climb(game, lane, start, schedule, run, levels, longest, luck)) {
            made++;
            if (lane.number == 0) atomicAdd(finished + run.best_length[levels - 1], 1);
        }
        if (TRYING) {
            if (leads && lane.number == 0) made_by_all = made;
            __syncthreads();
            made = made_by_all;
        }
    }
    if (lane.number == 0) {
        if (leads) playout[number] = luck.playout, done[number] = made;
        atomicAdd(steps, (u64)luck.played);
        atomicAdd(steps + 1, (u64)luck.adapted);
    }
}

#define RUNS                                                                                                                           \
    const Track *start_tracks, const u32 *start_moves, u32 start_count, u64 seed, u32 here, u32 first, u32 runs, u64 wanted, u32 levels, \
        Schedule schedule, u32 searches, u32 *at, u32 *done, float *policies, u32 *best_length, u32 *best, u32 *current, u32 *spans,   \
        u32 *record_length, u32 *record, u64 *playout, u32 *finished, u64 *steps, u32 *beyond, u32 *strayed

// Runs of one warp.
extern "C" __global__ void __launch_bounds__(WARPS * 32, RESIDENT) nrpa(RUNS) {
    __shared__ Shared shared[WARPS];
    advance<false>(shared, Start{start_tracks, start_moves, start_count}, seed, here, first, runs, wanted, levels, schedule, searches, at, done,
                   policies, best_length, best, current, spans, record_length, record, playout, finished, steps, Strays{beyond, strayed});
}

// Runs of as many warps as a block has.
extern "C" __global__ void __launch_bounds__(TRIES * 32, 2) nrpa_trying(RUNS) {
    extern __shared__ Shared dynamic[];
    advance<true>(dynamic, Start{start_tracks, start_moves, start_count}, seed, here, first, runs, wanted, levels, schedule, searches, at, done,
                  policies, best_length, best, current, spans, record_length, record, playout, finished, steps, Strays{beyond, strayed});
}
