// The games of a generation, and what becomes of their finds.

// Chooses a parent of one of the two kinds, and marks the moves that it gives up. The parent and its moves; while the pool begins, NO_ENTRY,
// and the moves of a known game if there are any.
__device__ __forceinline__ u32 choose_parent(const Pool& pool, const Options& options, Common& common, Random& random, u32* marks, const u16*& row,
                                             u32& length, bool& is_end_search) {
    u32 lane = threadIdx.x % 32;
    __syncwarp();
    if (lane < Player::ROOM / 32) marks[lane] = 0;
    __syncwarp();
    const Island& island = common.island;
    row = pool.known, length = 0, is_end_search = false;
    if (island.games < options.starts && options.known == 0) return NO_ENTRY;
    u32 drawn = random.next(), kind = __shfl_sync(ALL_LANES, drawn, 0), which = __shfl_sync(ALL_LANES, drawn, 1);
    u32 amount = __shfl_sync(ALL_LANES, drawn, 2), parent;
    if (island.games < options.starts) {
        u32 known = __umulhi(which, options.known);
        row = pool.known + (u64)known * Player::ROOM, length = pool.known_lengths[known];
        return NO_ENTRY;
    }
    is_end_search = kind < options.ends && island.target_count > 0;
    if (is_end_search) {
        parent = island.targets[__umulhi(which, island.target_count)];
        length = length_of(pool.values[parent]);
        // It keeps the moves up to a random one of the last quarter.
        u32 cut = length - 1 - __umulhi(amount, max(length / 4, 1u));
        if (lane < Player::ROOM / 32) marks[lane] = cut >= 32 * lane + 32 ? 0 : cut <= 32 * lane ? ~0u : ~0u << (cut & 31);
    } else {
        float uniform = (float)(which >> 8) * 5.9604645e-8f;
        u32 place = min((u32)(__powf(uniform, options.skew) * (float)island.active), island.active - 1);
        parent = pool.order[place];
        length = length_of(pool.values[parent]);
        u32 changes = 2 + __umulhi(amount, options.changes - 1);
        for (u32 change = lane; change < changes; change += 32) {
            u32 given_up = __umulhi(random.next(), length);
            atomicOr(marks + given_up / 32, 1u << (given_up & 31));
        }
    }
    __syncwarp();
    row = pool.row(parent);
    return parent;
}

// Plays the games of a generation, warp by warp.
__device__ __forceinline__ void play_generation(const Pool& pool, const Options& options, Common& common, Player& player, u32 count) {
    u32 lane = threadIdx.x % 32, work = 0;
    u32* marks = common.marks[threadIdx.x / 32];
    u64 moves = 0;
    for (;;) {
        u32 game = 0;
        if (lane == 0) game = atomicAdd(&common.next, 1);
        game = __shfl_sync(ALL_LANES, game, 0);
        if (game >= count) break;
        Random random(common.seed, common.island.games + game, lane);
        const u16* row;
        u32 length;
        bool is_end_search;
        u32 parent = choose_parent(pool, options, common, random, marks, row, length, is_end_search);
        Child child = player.play(row, length, marks, random);
        moves += child.length, work += child.work;
        Find find = {0, 0, is_end_search ? NO_ENTRY : parent, 0, NO_ENTRY, 0, 0};
        if (child.fault == OUTGROWN) {
            find.outgrown = child.length;
        } else if (child.score > 0 && (parent == NO_ENTRY || child.score + common.island.window >= common.island.best)) {
            find.value = child.score << 16 | child.length;
            find.key = player.key();
            find.key += find.key == 0;
        }
        if (find.value | find.outgrown) player.write(row, length, marks, pool.row(options.room() + game));
        if (lane == 0) {
            pool.finds[game] = find;
            if (find.outgrown) atomicAdd(&common.island.outgrown, 1ull);
        }
    }
    if (lane == 0) {
        atomicAdd(&common.work, work);
        atomicAdd(&common.island.moves, moves);
    }
}

// Keeps the longest of the games of a launch that outgrew the player's memory, the first of equals, for the host.
__device__ void keep_outgrown(const Pool& pool, const Options& options, Common& common, u32 count, u16* kept) {
    u64 own = 0;
    for (u32 game = threadIdx.x; game < count; game += ISLAND_THREADS) {
        if (pool.finds[game].outgrown) own = max(own, (u64)pool.finds[game].outgrown << 32 | ~game);
    }
    u64 first = largest_in_block(&common.largest, own);
    u32 game = ~(u32)first, length = (u32)(first >> 32);
    if (length <= common.island.outgrown_length) return;
    const u16* row = pool.row(options.room() + game);
    for (u32 move = threadIdx.x; move < length; move += ISLAND_THREADS) kept[move] = row[move];
    __syncthreads();
    if (threadIdx.x == 0) common.island.outgrown_length = length, common.island.outgrown_game = common.island.playouts + game;
}

// Finds the places of all finds in the table of keys, and numbers those that are new in the order of their games. How many these are.
__device__ u32 number_finds(const Pool& pool, const Options& options, Common& common, u32 count) {
    for (u32 game = threadIdx.x; game < count; game += ISLAND_THREADS) {
        Find& find = pool.finds[game];
        if (find.value == 0) continue;
        find.place = place_of(pool, options, find.key);
        u32 entry = atomicMin(pool.entries + find.place, NEW | game);
        bool is_worse = entry < NEW && score_of(pool.values[entry]) > score_of(find.value);
        if (!is_worse) atomicMax(pool.latest + find.place, (u64)score_of(find.value) << 32 | (game + 1));
    }
    __syncthreads();
    u32 fresh = 0;
    for (u32 base = 0; base < count; base += ISLAND_THREADS) {
        u32 game = base + threadIdx.x, total;
        bool is_new = game < count && pool.finds[game].value != 0 && pool.entries[pool.finds[game].place] == (NEW | game);
        u32 number = fresh + rank_in_block(common.counts, is_new, total);
        fresh += total;
        if (is_new) pool.finds[game].entry = common.island.size + number;
    }
    __syncthreads();
    return fresh;
}

// Counts the visits of all parents. Those before the last new game of a parent no longer count.
__device__ void count_visits(const Pool& pool, u32 count) {
    u32* renewed = (u32*)pool.sorting;
    for (u32 game = threadIdx.x; game < count; game += ISLAND_THREADS) {
        if (pool.finds[game].parent != NO_ENTRY) renewed[pool.finds[game].parent] = 0;
    }
    __syncthreads();
    for (u32 game = threadIdx.x; game < count; game += ISLAND_THREADS) {
        const Find& find = pool.finds[game];
        if (find.parent == NO_ENTRY || find.entry == NO_ENTRY) continue;
        atomicMax(renewed + find.parent, game + 1);
        pool.visits[find.parent] = 0;
    }
    __syncthreads();
    for (u32 game = threadIdx.x; game < count; game += ISLAND_THREADS) {
        u32 parent = pool.finds[game].parent;
        if (parent != NO_ENTRY && game >= renewed[parent]) atomicAdd(pool.visits + parent, 1);
    }
}

// Merges a generation as if its games entered the pool one after the other: a game with a new key is a new entry; one with a known key takes
// the place of the entry's moves, unless it is worse.
__device__ __noinline__ void merge_finds(const Pool& pool, const Options& options, Common& common, u32 count) {
    u32 fresh = number_finds(pool, options, common, count);
    count_visits(pool, count);
    u64 own = 0;
    for (u32 game = threadIdx.x; game < count; game += ISLAND_THREADS) {
        const Find& find = pool.finds[game];
        if (find.value != 0) own = max(own, (u64)score_of(find.value) << 32 | ~game);
        if (find.entry == NO_ENTRY) continue;
        pool.entries[find.place] = find.entry;
        pool.keys[find.entry] = find.key, pool.visits[find.entry] = 0, pool.searched[find.entry] = 0;
    }
    u64 first = largest_in_block(&common.largest, own);
    if (threadIdx.x == 0) {
        common.island.size += fresh;
        u32 best = (u32)(first >> 32);
        if (best > common.island.best) common.island.best = best, common.island.improved = common.island.games + ~(u32)first;
    }
    for (u32 game = threadIdx.x; game < count; game += ISLAND_THREADS) {
        const Find& find = pool.finds[game];
        if (find.value == 0 || pool.latest[find.place] != ((u64)score_of(find.value) << 32 | (game + 1))) continue;
        u32 entry = pool.entries[find.place], row = pool.rows[entry];
        pool.values[entry] = find.value;
        pool.rows[entry] = pool.rows[options.room() + game], pool.rows[options.room() + game] = row;
        pool.latest[find.place] = 0;
    }
    __syncthreads();
    if (common.island.size > options.size) drop_worst(pool, options, common);
}
