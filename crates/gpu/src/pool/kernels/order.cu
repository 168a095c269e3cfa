// Which entries stay, and which are the next parents. All functions are called by all threads of an island.

// The place of a key in the table; a new key gets one.
__device__ __forceinline__ u32 place_of(const Pool& pool, const Options& options, u64 key) {
    u32 place = (u32)(key >> 32) & (options.places - 1);
    for (;; place = (place + 1) & (options.places - 1)) {
        u64 there = atomicCAS(pool.table + place, 0ull, key);
        if (there == 0 || there == key) return place;
    }
}

// Makes the table of keys anew, of the first entries.
__device__ __noinline__ void fill_table(const Pool& pool, const Options& options, u32 size) {
    __syncthreads();
    for (u32 place = threadIdx.x; place < options.places; place += ISLAND_THREADS) {
        pool.table[place] = 0, pool.entries[place] = NO_ENTRY, pool.latest[place] = 0;
    }
    __syncthreads();
    for (u32 entry = threadIdx.x; entry < size; entry += ISLAND_THREADS) pool.entries[place_of(pool, options, pool.keys[entry])] = entry;
    __syncthreads();
}

// Entries whose score is below a bound.
__device__ u32 count_below(const Pool& pool, Common& common, u32 bound) {
    u32 own = 0;
    for (u32 entry = threadIdx.x; entry < common.island.size; entry += ISLAND_THREADS) own += score_of(pool.values[entry]) < bound;
    return count_in_block(common.counts, own);
}

// Drops the worst entries, so that the pool is full to seven eighths: the lowest scores, within a score the oldest. The others keep their
// order, and so do the parents among them.
__device__ __noinline__ void drop_worst(const Pool& pool, const Options& options, Common& common) {
    u32 *renumbered = (u32*)pool.sorting, *freed = renumbered + options.room();
    u32 size = common.island.size, surplus = size - (options.size - options.size / 8), bound = 0;
    for (u32 bit = 1u << 15; bit > 0; bit /= 2) {
        if (count_below(pool, common, bound | bit) <= surplus) bound |= bit;
    }
    // Everything below the bound goes, and so many of those that have this score.
    u32 oldest = surplus - count_below(pool, common, bound), equal = 0, kept = 0;
    for (u32 base = 0; base < size; base += ISLAND_THREADS) {
        u32 entry = base + threadIdx.x, total;
        bool is_entry = entry < size;
        u32 at = min(entry, size - 1);
        u32 value = pool.values[at], visits = pool.visits[at], row = pool.rows[at];
        u64 key = pool.keys[at];
        u8 searched = pool.searched[at];
        bool is_equal = is_entry && score_of(value) == bound;
        u32 rank = equal + rank_in_block(common.counts, is_equal, total);
        equal += total;
        bool stays = is_entry && (score_of(value) > bound || is_equal && rank >= oldest);
        u32 to = kept + rank_in_block(common.counts, stays, total);
        kept += total;
        if (is_entry) renumbered[entry] = stays ? to : NO_ENTRY;
        // Threads before this one that stay have the numbers up to `to`, those that go have the rest.
        if (is_entry && !stays) freed[entry - to] = row;
        if (stays) pool.values[to] = value, pool.visits[to] = visits, pool.rows[to] = row, pool.keys[to] = key, pool.searched[to] = searched;
    }
    __syncthreads();
    for (u32 place = kept + threadIdx.x; place < size; place += ISLAND_THREADS) pool.rows[place] = freed[place - kept];
    u32 active = 0;
    for (u32 base = 0; base < common.island.active; base += ISLAND_THREADS) {
        u32 place = base + threadIdx.x, total;
        u32 entry = place < common.island.active ? renumbered[pool.order[place]] : NO_ENTRY;
        u32 to = active + rank_in_block(common.counts, entry != NO_ENTRY, total);
        active += total;
        if (entry != NO_ENTRY) pool.order[to] = entry;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        u32 targets = 0;
        for (u32 target = 0; target < common.island.target_count; target++) {
            u32 entry = renumbered[common.island.targets[target]];
            if (entry != NO_ENTRY) common.island.targets[targets++] = entry;
        }
        common.island.target_count = targets, common.island.active = active, common.island.size = kept;
    }
    fill_table(pool, options, kept);
}

// Sorts numbers, as many as a power of two: Batcher's bitonic sort.
__device__ void sort(u64* numbers, u32 count) {
    for (u32 run = 2; run <= count; run *= 2) {
        for (u32 distance = run / 2; distance > 0; distance /= 2) {
            for (u32 pair = threadIdx.x; pair < count / 2; pair += ISLAND_THREADS) {
                u32 one = 2 * pair - (pair & (distance - 1)), other = one + distance;
                u64 a = numbers[one], b = numbers[other];
                if ((a > b) == ((one & run) == 0)) numbers[one] = b, numbers[other] = a;
            }
            __syncthreads();
        }
    }
}

// The next window and order of parents: the entries in the window, those with the fewest visits first, of these the best, and of equals the
// newest. Then the targets of end searches: the best entries that have not been any, of equals the oldest.
__device__ __noinline__ void renew_order(const Pool& pool, const Options& options, Common& common) {
    u32 step = (u32)((common.island.games - options.starts) / options.period % STEPS);
    // Scores are whole numbers.
    u32 window = (u32)(options.window * (STEPS - step) / STEPS);
    u32 active = 0, size = common.island.size, best = common.island.best;
    for (u32 base = 0; base < size; base += ISLAND_THREADS) {
        u32 entry = base + threadIdx.x, total;
        bool is_parent = entry < size && score_of(pool.values[entry]) + window >= best;
        u32 to = active + rank_in_block(common.counts, is_parent, total);
        active += total;
        if (is_parent) pool.sorting[to] = (u64)min(pool.visits[entry], INDEX) << 40 | (u64)(0xffff - score_of(pool.values[entry])) << 24 | (INDEX - entry);
    }
    u32 power = 1;
    while (power < active) power *= 2;
    for (u32 place = active + threadIdx.x; place < power; place += ISLAND_THREADS) pool.sorting[place] = ~0ull;
    __syncthreads();
    sort(pool.sorting, power);
    for (u32 place = threadIdx.x; place < active; place += ISLAND_THREADS) pool.order[place] = INDEX - ((u32)pool.sorting[place] & INDEX);
    u32 count = 0;
    for (u32 target = 0; target < TARGETS; target++) {
        u64 own = 0;
        for (u32 entry = threadIdx.x; entry < size; entry += ISLAND_THREADS) {
            if (!pool.searched[entry]) own = max(own, (u64)score_of(pool.values[entry]) << 32 | ~entry);
        }
        u64 first = largest_in_block(&common.largest, own);
        if (first == 0) break;
        if (threadIdx.x == 0) common.island.targets[count] = ~(u32)first, pool.searched[~(u32)first] = 1;
        count++;
        __syncthreads();
    }
    if (threadIdx.x == 0) common.island.window = window, common.island.active = active, common.island.target_count = count;
    __syncthreads();
}
