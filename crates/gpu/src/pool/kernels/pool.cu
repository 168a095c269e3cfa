// The kernel: all islands of a device.

// Numbers of its own for every search of a seed.
__device__ __forceinline__ u64 seed_of_search(u64 seed, u64 search) {
    u64 z = seed + (search + 1) * 0xd1342543de82ef95ull;
    z = (z ^ (z >> 32)) * 0xdaba0b6eb09322e3ull;
    return z ^ (z >> 32);
}

// Games of the next generation: a generation ends with the random games, with a period and with the search.
__device__ __forceinline__ u32 games_of_generation(const Options& options, const Island& island) {
    u64 played = island.games - options.starts;
    u64 until = island.games < options.starts ? options.starts : options.starts + (played / options.period + 1) * options.period;
    return (u32)min(min(until, options.games) - island.games, (u64)options.generation);
}

// Whether a search ends after a generation.
__device__ __forceinline__ bool is_over(const Options& options, const Island& island) {
    bool is_stuck = island.games - max(island.improved, options.starts) >= options.patience;
    return island.games >= options.games || island.games >= options.starts && (island.size == 0 || is_stuck);
}

// Whether a new order is due after a generation: where a period ends, or no parent is left.
__device__ __forceinline__ bool is_due(const Options& options, const Island& island) {
    return island.games >= options.starts && (island.active == 0 || (island.games - options.starts) % options.period == 0);
}

// Keeps the game that has just become the run's best.
__device__ void keep_record(const Pool& pool, Common& common, u16* record) {
    u64 own = 0;
    for (u32 entry = threadIdx.x; entry < common.island.size; entry += ISLAND_THREADS) {
        if (score_of(pool.values[entry]) == common.island.best) own = max(own, (u64)~entry | 1ull << 32);
    }
    u32 entry = ~(u32)largest_in_block(&common.largest, own), length = length_of(pool.values[entry]);
    const u16* row = pool.row(entry);
    for (u32 move = threadIdx.x; move < length; move += ISLAND_THREADS) record[move] = row[move];
    __syncthreads();
    if (threadIdx.x == 0) common.island.record_length = length, common.island.record_score = common.island.best;
}

// The runs first, first + 1, … of so many in all, which together make the searches 0 … wanted - 1: run r makes r, r + runs, … Every run
// plays generations until it has played so many games, or done so much work.
extern "C" __global__ void __launch_bounds__(ISLAND_THREADS, 2)
pool(const u32* start, const u16* known, const u32* known_lengths, u64 seed, u32 first, u32 runs, u64 wanted, Options given, u64 games, u32 work, Island* islands, u16* records, u16* moves,
     u32* rows, u32* values, u32* visits, u32* order, u64* keys, u8* searched, u64* sorting, u32 sorting_room, u64* table, u32* entries,
     u64* latest, Find* finds, u16* outgrown, u32* finished) {
    extern __shared__ uint4 player_memory[];
    __shared__ Common common;
    __shared__ Options options;
    __shared__ Pool pool;
    u64 number = blockIdx.x, room = given.room(), rows_each = room + given.generation;
    if (threadIdx.x == 0) {
        options = given, common.island = islands[number], common.island.outgrown_length = 0, common.work = 0;
        pool = {moves + number * rows_each * Player::ROOM,
                rows + number * rows_each,
                values + number * room,
                visits + number * room,
                order + number * room,
                keys + number * room,
                searched + number * room,
                sorting + number * sorting_room,
                table + number * given.places,
                entries + number * given.places,
                latest + number * given.places,
                finds + number * given.generation,
                known,
                known_lengths};
    }
    __syncthreads();
    fill_table(pool, options, common.island.size);
    u16 *record = records + number * Player::ROOM, *kept = outgrown + number * Player::ROOM;
    u32 run = first + (u32)number;
    Player player((u8*)player_memory + threadIdx.x / 32 * Player::MEMORY, start);
    u64 end = common.island.playouts + games;
    while (common.work < work && common.island.playouts < end) {
        u64 search = (u64)common.island.done * runs + run;
        if (search >= wanted) break;
        u32 count = games_of_generation(options, common.island);
        u64 grown = common.island.outgrown;
        __syncthreads();
        if (threadIdx.x == 0) common.next = 0, common.seed = seed_of_search(seed, search);
        __syncthreads();
        play_generation(pool, options, common, player, count);
        __syncthreads();
        if (common.island.outgrown > grown) keep_outgrown(pool, options, common, count, kept);
        merge_finds(pool, options, common, count);
        if (threadIdx.x == 0) common.island.games += count, common.island.playouts += count;
        __syncthreads();
        if (common.island.best > common.island.record_score) keep_record(pool, common, record);
        __syncthreads();
        if (is_over(options, common.island)) {
            fill_table(pool, options, 0);
            if (threadIdx.x == 0) {
                atomicAdd(finished + min(common.island.best, SCORES - 1), 1);
                Island& island = common.island;
                island.done++;
                island.games = island.improved = 0;
                island.size = island.active = island.best = island.window = island.target_count = 0;
            }
        } else if (is_due(options, common.island)) {
            renew_order(pool, options, common);
        }
        __syncthreads();
    }
    if (threadIdx.x == 0) islands[number] = common.island;
}
