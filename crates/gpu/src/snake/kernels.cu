// Beams of snakes and coils: a thread for every move of every state kept.
//
// Defined by the host: DIMENSIONS, and COIL (0 or 1). Sets of vertices of the hypercube have a bit for each vertex. Threads share nothing but the
// counts of `expand`, so that this is also C++ for processors (emulator.cpp).

typedef unsigned int u32;
typedef unsigned long long u64;

#define WORDS (DIMENSIONS < 6 ? 1 : 1 << (DIMENSIONS < 6 ? 0 : DIMENSIONS - 6))
#define IN_A_WORD (DIMENSIONS < 6 ? DIMENSIONS : 6)

// The bits of a word whose vertices have a 0 in a dimension.
#define ZEROS(dimension) (~0ull / ((1ull << (1 << (dimension))) + 1))

// A path, as far as its continuations depend on it.
struct State {
    u64 blocked[WORDS];
    u32 head, used;
};

// A state that may be kept. Smaller is better: the complement of its outlook (16 bits), its lot (64 bits), its parent (20 bits) and the last move (4 bits).
struct Candidate {
    u64 high, low;
};

__device__ __forceinline__ u32 thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ __forceinline__ bool is_power_of_two(u32 vertex) { return vertex != 0 && (vertex & (vertex - 1)) == 0; }

__device__ __forceinline__ void add(u64* set, u32 vertex) {
#pragma unroll
    for (u32 word = 0; word < WORDS; word++) set[word] |= word == vertex / 64 ? 1ull << (vertex % 64) : 0;
}

__device__ __forceinline__ bool has(const u64* set, u32 vertex) {
    u64 found = 0;
#pragma unroll
    for (u32 word = 0; word < WORDS; word++) found |= word == vertex / 64 ? set[word] : 0;
    return found >> (vertex % 64) & 1;
}

// Adds the neighbours of a vertex.
__device__ __forceinline__ void add_neighbours(u64* set, u32 vertex) {
    u64 beside = 0, opposite = 1ull << (vertex % 64);
#pragma unroll
    for (u32 dimension = 0; dimension < IN_A_WORD; dimension++) beside |= 1ull << ((vertex ^ 1u << dimension) % 64);
#pragma unroll
    for (u32 word = 0; word < WORDS; word++) {
        u32 difference = word ^ vertex / 64;
        set[word] |= difference == 0 ? beside : is_power_of_two(difference) ? opposite : 0;
    }
}

__device__ __forceinline__ bool is_next_to(const u64* set, u32 vertex) {
    u64 near[WORDS] = {}, found = 0;
    add_neighbours(near, vertex);
#pragma unroll
    for (u32 word = 0; word < WORDS; word++) found |= near[word] & set[word];
    return found != 0;
}

// All vertices that are not blocked.
__device__ __forceinline__ void free_vertices(const State& state, u64* free) {
    const u64 all = DIMENSIONS < 6 ? (1ull << (1 << IN_A_WORD) % 64) - 1 : ~0ull;
#pragma unroll
    for (u32 word = 0; word < WORDS; word++) free[word] = all & ~state.blocked[word];
}

// Keeps the vertices of a set that are free, and adds those to which a path of free vertices leads from them.
__device__ void flood(u64* reached, const u64* free) {
#pragma unroll
    for (u32 word = 0; word < WORDS; word++) reached[word] &= free[word];
    for (bool grown = true; grown;) {
        grown = false;
#pragma unroll
        for (u32 word = 0; word < WORDS; word++) {
            u64 before = reached[word], near = before;
#pragma unroll
            for (u32 dimension = 0; dimension < IN_A_WORD; dimension++) {
                near |= (before & ZEROS(dimension)) << (1 << dimension) | before >> (1 << dimension) & ZEROS(dimension);
            }
#pragma unroll
            for (u32 other = 1; other < WORDS; other *= 2) near |= reached[word ^ other];
            near &= free[word];
            grown |= near != before;
            reached[word] = near;
        }
    }
}

// The dimensions in which a path that is not closed may go on, a bit each.
__device__ u32 legal_moves(const State& state, u32 vertices) {
    u32 legal = 0, first_unused = min(state.used + 1, (u32)DIMENSIONS);
    u64 reached[WORDS] = {};
    if (COIL) {
        // A coil can be closed if a path of vertices that stay free leads to a neighbour of its start.
        u64 free[WORDS], near[WORDS] = {};
        free_vertices(state, free);
        if (vertices > 1) add_neighbours(near, state.head);
#pragma unroll
        for (u32 word = 0; word < WORDS; word++) free[word] &= ~near[word];
        add_neighbours(reached, 0);
        flood(reached, free);
    }
    for (u32 dimension = 0; dimension < first_unused; dimension++) {
        u32 vertex = state.head ^ 1u << dimension;
        bool is_legal = !has(state.blocked, vertex);
        if (COIL && is_legal) is_legal = state.head != 0 && is_power_of_two(vertex) || is_next_to(reached, vertex);
        legal |= (u32)is_legal << dimension;
    }
    return legal;
}

__device__ void play(State& state, u32 dimension) {
    if (!(COIL && state.head == 0)) add_neighbours(state.blocked, state.head);
    state.head ^= 1u << dimension;
    add(state.blocked, state.head);
    state.used = max(state.used, dimension + 1);
}

// Whether no move follows. A coil only makes moves after which it can be closed, so it ends when it is.
__device__ bool is_over(const State& state, u32 vertices) {
    return COIL ? vertices > 2 && is_power_of_two(state.head) : legal_moves(state, vertices) == 0;
}

// How many free vertices can be reached from the last one of the path.
__device__ u32 outlook(const State& state) {
    u64 free[WORDS], reached[WORDS] = {};
    free_vertices(state, free);
    add_neighbours(reached, state.head);
    flood(reached, free);
    u32 count = 0;
#pragma unroll
    for (u32 word = 0; word < WORDS; word++) count += __popcll(reached[word]);
    return count;
}

// The seed of a part of a task, as `Stream::child` derives it.
__device__ __forceinline__ u64 child(u64 seed, u64 index) {
    u64 bits = seed + 0x9e3779b97f4a7c15ull * (index + 1);
    bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ull;
    bits = (bits ^ bits >> 27) * 0x94d049bb133111ebull;
    return bits ^ bits >> 31;
}

// The words of all states are in `blocked`, the first words of all states first.
__device__ __forceinline__ State read_state(const u64* blocked, const u32* heads, u32 width, u32 number) {
    State state;
#pragma unroll
    for (u32 word = 0; word < WORDS; word++) state.blocked[word] = blocked[(u64)word * width + number];
    state.head = heads[number] & 0xffff, state.used = heads[number] >> 16;
    return state;
}

// Finds all that comes one move after the states kept, whose paths have so many vertices: candidates in any order, and in `counts` how many they are, how
// many games end, and the first of these, by parent and move.
extern "C" __global__ void expand(const u64* blocked, const u32* heads, u32 width, u32 states, u32 vertices, u64 seed, Candidate* candidates, u32* counts) {
    u32 parent = thread_number() / DIMENSIONS, dimension = thread_number() % DIMENSIONS;
    if (parent >= states) return;
    State state = read_state(blocked, heads, width, parent);
    u32 legal = legal_moves(state, vertices);
    if ((legal >> dimension & 1) == 0) return;
    play(state, dimension);
    u32 path = parent << 4 | dimension;
    if (is_over(state, vertices + 1)) {
        atomicAdd(counts + 1, 1u);
        atomicMin(counts + 2, path);
        return;
    }
    u64 lot = child(child(seed, (u64)parent + 1), __popc(legal & ((1u << dimension) - 1)));
    candidates[atomicAdd(counts, 1u)] = {(u64)(0xffff - outlook(state)) << 48 | lot >> 16, lot << 48 | path};
}

// One step of Batcher's bitonic sort, for any number of candidates: all exchanges put the smaller one first, so that those beyond the last count as the
// largest and need not exist. The partner of a place differs from it in the bits of a mask.
extern "C" __global__ void sort(Candidate* candidates, u32 count, u32 mask) {
    u32 place = thread_number(), partner = place ^ mask;
    if (partner <= place || partner >= count) return;
    Candidate one = candidates[place], other = candidates[partner];
    if (other.high < one.high || other.high == one.high && other.low < one.low) candidates[place] = other, candidates[partner] = one;
}

// Makes the states of the first candidates, and says which they are.
extern "C" __global__ void keep(const u64* blocked, const u32* heads, u64* next_blocked, u32* next_heads, u32 width, const Candidate* candidates, u32 count, u32* kept) {
    u32 number = thread_number();
    if (number >= count) return;
    u32 path = (u32)candidates[number].low & 0xffffff;
    State state = read_state(blocked, heads, width, path >> 4);
    play(state, path & 15);
#pragma unroll
    for (u32 word = 0; word < WORDS; word++) next_blocked[(u64)word * width + number] = state.blocked[word];
    next_heads[number] = state.used << 16 | state.head;
    kept[number] = path;
}
