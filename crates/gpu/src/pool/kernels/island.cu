// Pool search: a block of warps is an island, with a pool of games of its own.
//
// During a generation the pool, the order of parents, the best score and the window are frozen. The warps take the games of the generation
// one by one; each game draws from the stream of its number, and what it found goes to the place of its number. At the barrier at the
// end the finds are merged in the order of these numbers. So the result depends on the seed only, not on which warp plays which game when.

#define ISLAND_WARPS 16
#define ISLAND_THREADS (ISLAND_WARPS * 32)
#define ALL_LANES 0xffffffffu
// Entries whose ends are searched at the same time.
#define TARGETS 4
// How many times a cycle the order of parents and the window change.
#define STEPS 128
// Results of searches are counted by score up to here.
#define SCORES 1024
#define NO_ENTRY 0xffffffffu
// The largest number of an entry.
#define INDEX 0xffffffu
// In the table of keys: a key of this generation; the rest is the number of the first game that has it.
#define NEW 0x80000000u

// What is searched, the same for all islands.
struct Options {
    // Games of a search; after how many without a better one it gives up; games between two orders; random games at the beginning.
    u64 games, patience, period, starts;
    double window;
    // The share of end searches, of 2^32 games.
    u32 ends;
    float skew;
    // Moves that a game gives up at most; entries that the pool keeps, games of a generation, places of the table of keys; known games to
    // begin with.
    u32 changes, size, generation, places, known, unused;

    // Entries before the worst are dropped.
    __device__ __forceinline__ u32 room() const { return size + generation; }
};

// Where an island stands between two generations.
struct Island {
    // Games of this search; the number of the game that is its best; games and moves of all searches; games that outgrew the player's
    // memory, and the number of the longest of these in this launch.
    u64 games, improved, playouts, moves, outgrown, outgrown_game;
    // Searches finished; entries; parents in order; the best score of this search; the best game of all searches; the window; targets.
    u32 done, size, active, best, record_length, record_score, window, target_count;
    u32 targets[TARGETS];
    u32 outgrown_length, unused;
};

// A game: its key, its score and length if it may enter the pool (else 0), the entry that it followed, the place of its key in the table,
// its entry if it is new, and its length if it outgrew the player's memory.
struct Find {
    u64 key;
    u32 value, parent, place, entry, outgrown, unused;
};

__device__ __forceinline__ u32 score_of(u32 value) { return value >> 16; }
__device__ __forceinline__ u32 length_of(u32 value) { return value & 0xffff; }

// The memory of an island. Entries are in the order of their age. `rows` has the row of every entry, then that of every game of a generation:
// games enter the pool by an exchange of rows.
struct Pool {
    u16* moves;
    u32 *rows, *values, *visits, *order;
    u64* keys;
    u8* searched;
    // Room to sort the entries.
    u64* sorting;
    // The table of keys: open addressing; for each key its entry, and score << 32 | 1 + number of the game of this generation that the entry
    // takes its moves from.
    u64* table;
    u32* entries;
    u64* latest;
    Find* finds;
    // The games to begin with, and their lengths.
    const u16* known;
    const u32* known_lengths;

    __device__ __forceinline__ u16* row(u32 place) const { return moves + (u64)rows[place] * Player::ROOM; }
};

// What the warps of an island share.
struct Common {
    Island island;
    u64 seed;
    u32 next, work, counts[ISLAND_WARPS];
    u64 largest;
    u32 marks[ISLAND_WARPS][Player::ROOM / 32];
};

// The number of a thread among those of its block that raise a flag, and how many there are. All threads call it.
__device__ u32 rank_in_block(u32* counts, bool flag, u32& total) {
    u32 votes = __ballot_sync(ALL_LANES, flag), warp = threadIdx.x / 32, before = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) counts[warp] = __popc(votes);
    __syncthreads();
    total = 0;
    for (u32 other = 0; other < ISLAND_WARPS; other++) {
        if (other == warp) before = total;
        total += counts[other];
    }
    return before + __popc(votes & ((1u << threadIdx.x % 32) - 1));
}

__device__ u32 count_in_block(u32* counts, u32 own) {
    u32 sum = __reduce_add_sync(ALL_LANES, own), total = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) counts[threadIdx.x / 32] = sum;
    __syncthreads();
    for (u32 warp = 0; warp < ISLAND_WARPS; warp++) total += counts[warp];
    return total;
}

// The largest number of a block; 0 if there is none.
__device__ u64 largest_in_block(u64* largest, u64 own) {
    __syncthreads();
    if (threadIdx.x == 0) *largest = 0;
    __syncthreads();
    for (u32 distance = 16; distance > 0; distance /= 2) own = max(own, __shfl_xor_sync(ALL_LANES, own, distance));
    if (threadIdx.x % 32 == 0) atomicMax(largest, own);
    __syncthreads();
    return *largest;
}
