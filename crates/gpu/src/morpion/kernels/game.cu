// Morpion Solitaire on a GPU: one warp plays one game.
//
// The board has 32 × 32 cells. For every direction and track there is a word of 64 bits in shared memory: the dots on the track below,
// the lines drawn along it above. A line is LENGTH neighbouring bits of one word, so the lines through a new dot are tested at
// once, each by a lane of its own. The lanes hold the legal moves, SLOTS each, with the clocks that choose among them: see
// `Exponential` in the library. Every lane of a warp takes the same way, so nothing diverges. What bounds the speed is the number of
// instructions that can be issued, so the code below counts them.
//
// A dot on the rim of the board ends a game with the mark BEYOND: what is outside cannot be seen from here.
//
// Defined by the host: LENGTH (5 or 4) and TOUCHING (1 or 0).

typedef unsigned int u32;
typedef unsigned long long u64;

#define FULL 0xffffffffu
#define SPILLED 4
#define TRACKS 190
#define CODES (TRACKS * 32)
#define SLOTS 2
#define LONGEST 256
// How many moves a game may make possible; three hundred do in a record game. One that makes more is finished by the host.
#define SPANS 512
#define WARPS 4
// Blocks that one multiprocessor should hold. With more, and so fewer registers, NRPA is slower.
#define RESIDENT 8
// The most warps that try the same policy at once.
#define TRIES 16
// A clock that never rings: larger than the bits of any number.
#define NEVER 0xffffffffu

// Bits of a track that a drawn line takes: its cells, or its steps where lines may touch.
#define TAKEN (LENGTH - TOUCHING)
#define REACH (TAKEN - 1)

// A game that ended before its end, and how many of them a launch can hand over.
#define BEYOND 0x80000000u
#define STRAYS 1024

// A track: bit p of `dots` is the dot in place p, of `lines` the cell or step there that a line has taken.
struct __align__(8) Track {
    u32 dots, lines;
};

// Where games start: the tracks, and the legal moves.
struct Start {
    const Track* tracks;
    const u32* moves;
    u32 count;
};

// What a warp has in shared memory: the game it plays, or what it sums up when it adapts a policy.
union Shared {
    struct {
        Track tracks[TRACKS];
        // Moves on their way from the lanes that found them to lanes with room, with a word of luggage.
        uint2 queue[32];
    };
    u32 sums[2][LONGEST];
    double before[LONGEST];
};

// A move is code << 11 | rim << 10 | row << 5 | column of the dot; the code of a line is track << 5 | its first place.
#define RIM 0x400u
__device__ __forceinline__ u32 code_of(u32 move) { return move >> 11; }

struct Random {
    u32 state;

    // A stream for a lane: the same numbers for the same path, whatever ran before.
    __device__ __forceinline__ Random(u64 seed, u64 path, u32 lane) {
        u64 z = seed + (path * 32 + lane + 1) * 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        state = (u32)(z ^ (z >> 31)) ^ (u32)(z >> 32);
    }

    __device__ __forceinline__ u32 next() {
        state = state * 747796405u + 2891336453u;
        u32 word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
        return (word >> 22) ^ word;
    }

    // A waiting time, exponentially distributed, in units that are the same for all.
    __device__ __forceinline__ float wait() { return -__log2f((float)(next() >> 8) * 5.9604645e-8f + 2.9802322e-8f); }
};

// Keeps a number in its register: computed again and again it would cost more.
__device__ __forceinline__ void hold(int& number) { asm volatile("" : "+r"(number)); }

// What a lane tests when a dot is put: the line in its direction that has the dot in its place.
struct Lane {
    int number, below;
    // The track of a cell is track_x · column + track_y · row + track_0; its place there is the column, or the row where `upright`.
    int track_x, track_y, track_0, upright;
    int step_x, step_y;
    // The dot's place on the line; so large that no line fits for lanes that test nothing.
    int place;

    __device__ __forceinline__ Lane() {
        number = threadIdx.x & 31;
        below = (1 << number) - 1;
        int direction = min(number / LENGTH, 3);
        place = number < 4 * LENGTH ? number - direction * LENGTH : 64;
        upright = direction == 1;
        track_x = direction != 0;
        track_y = direction == 0 ? 1 : direction == 1 ? 0 : direction == 2 ? -1 : 1;
        track_0 = direction == 0 ? 0 : direction == 1 ? 32 : direction == 2 ? 64 + 31 : 127;
        step_x = direction != 1;
        step_y = direction == 0 ? 0 : direction == 3 ? -1 : 1;
        hold(number), hold(below), hold(track_x), hold(track_y), hold(track_0), hold(upright), hold(step_x), hold(step_y), hold(place);
    }
};

// What a lane has seen of the line that it tests.
struct Sight {
    int x, y, track, first;
    u32 holes;
    bool possible;
};

// A game being played: the tracks in shared memory, and every lane's moves.
struct Game {
    Shared* shared;
    u32 moves[SLOTS];

    // Begins anew. Lanes without a move of their own have the first, which is legal to look at.
    __device__ __forceinline__ void begin(const Lane& lane, const Start& start) {
        __syncwarp();
        for (u32 track = lane.number; track < TRACKS; track += 32) shared->tracks[track] = start.tracks[track];
        __syncwarp();
        for (int slot = 0; slot < SLOTS; slot++) moves[slot] = start.moves[has(lane, start, slot) ? slot * 32 + lane.number : 0];
    }

    static __device__ __forceinline__ bool has(const Lane& lane, const Start& start, int slot) {
        return slot * 32 + lane.number < start.count;
    }

    // Puts the dot and draws the line of a move; then looks whether the line that this lane tests has become possible.
    __device__ __forceinline__ Sight put(const Lane& lane, u32 move) {
        Sight seen;
        seen.x = move & 31;
        seen.y = move >> 5 & 31;
        seen.track = lane.track_x * seen.x + (lane.track_y * seen.y + lane.track_0);
        int at = lane.upright ? seen.y : seen.x;
        u32 code = code_of(move);
        Track track = shared->tracks[seen.track];
        track.dots |= 1u << at;
        if (seen.track == code >> 5) track.lines |= ((1u << TAKEN) - 1) << (code & 31);
        __syncwarp();
        if (lane.place == 0) shared->tracks[seen.track] = track;
        __syncwarp();
        seen.first = at - lane.place;
        seen.holes = ~(track.dots >> (seen.first & 31)) & ((1u << LENGTH) - 1);
        u32 taken = track.lines & ((1u << TAKEN) - 1) << (seen.first & 31);
        seen.possible = (u32)seen.first <= 32 - LENGTH && taken == 0 && __popc(seen.holes) == 1;
        return seen;
    }

    // The move that has become possible, marked if its dot is on the rim.
    static __device__ __forceinline__ u32 move(const Lane& lane, const Sight& seen) {
        int steps = 31 - __clz(seen.holes) - lane.place;
        int x = seen.x + steps * lane.step_x, y = seen.y + steps * lane.step_y;
        u32 found = seen.track << 16 | seen.first << 11 | y << 5 | x;
        return (u32)(x - 1) < 30 && (u32)(y - 1) < 30 ? found : found | RIM;
    }

    // Whether a move cannot be played after another: it has the same dot, or its line overlaps.
    static __device__ __forceinline__ bool is_struck(u32 move, u32 played) {
        return ((move ^ played) & 0x3ff) == 0 || code_of(move) - code_of(played) + REACH <= 2 * REACH;
    }

    // Hands moves from the lanes that found them to lanes with room. Bit s of the answer: slot s of this lane got what is in handed[s], which
    // was the ranks[s]-th to be found. SPILLED for all lanes if slot 1 was needed; FULL if there is no room.
    __device__ __forceinline__ u32 hand(const Lane& lane, u32 found, uint2 own, bool free_0, bool free_1, uint2 handed[SLOTS],
                                        u32 ranks[SLOTS]) {
        if (found >> lane.number & 1) shared->queue[__popc(found & lane.below)] = own;
        __syncwarp();
        u32 count = __popc(found), lanes_0 = __ballot_sync(FULL, free_0), room = __popc(lanes_0);
        u32 taken = 0;
        ranks[0] = __popc(lanes_0 & lane.below);
        if (free_0 && ranks[0] < count) handed[0] = shared->queue[ranks[0]], taken = 1;
        if (room < count) {
            u32 lanes_1 = __ballot_sync(FULL, free_1);
            if (room + __popc(lanes_1) < count) return FULL;
            taken |= SPILLED;
            ranks[1] = room + __popc(lanes_1 & lane.below);
            if (free_1 && ranks[1] < count) handed[1] = shared->queue[ranks[1]], taken |= 2;
        }
        return taken;
    }
};

// Clocks are the bits of positive numbers, which have the order of the numbers, but for the lowest six: those tell whose it is. The
// error, one in 2^17, is far below what any sample can show.
__device__ __forceinline__ u32 clock_of(const Lane& lane, int slot, float time) {
    return __float_as_uint(time) & ~63u | slot << 5 | lane.number;
}

// When the moves of a game were possible: all that an adapt needs to know of it. They are numbered as they were found.
struct Spans {
    // For every move code << 8 | the first step at which it was possible.
    u32* entered;
    u32 count;

    // The words of memory that they take.
    static const u32 WORDS = SPANS + SPANS / 2;

    // For every move the last such step << 1 | whether it was played then.
    __device__ __forceinline__ unsigned short* left() const { return (unsigned short*)(entered + SPANS); }
};

// Plays a game by the policy's weights (base 2 logarithms), or uniformly without one. Its length, perhaps with BEYOND. The legal move
// number `forced` of the start is played first, if there is one; a game that is recorded has room for `longest` moves.
template <bool WEIGHTED, bool RECORDED = WEIGHTED, bool SPANNED = false>
__device__ __forceinline__ u32 play(Game& game, const Lane& lane, const Start& start, Random& random, const float* policy, u32* sequence,
                                    u32 forced = NEVER, u32 longest = LONGEST - 1, Spans* spans = 0) {
    game.begin(lane, start);
    u32 clocks[SLOTS], numbers[SLOTS];
    for (int slot = 0; slot < SLOTS; slot++) {
        clocks[slot] = NEVER;
        numbers[slot] = slot * 32 + lane.number;
        if (!Game::has(lane, start, slot)) continue;
        if (SPANNED) spans->entered[numbers[slot]] = code_of(game.moves[slot]) << 8;
        float wait = random.wait();
        if (WEIGHTED) wait *= exp2f(-policy[code_of(game.moves[slot])]);
        if (slot * 32 + lane.number == forced) wait = 0.0f;
        clocks[slot] = clock_of(lane, slot, wait);
    }
    if (SPANNED) spans->count = start.count;
    for (u32 length = 0;;) {
        u32 first = __reduce_min_sync(FULL, min(clocks[0], clocks[1]));
        if (first == NEVER) return length;
        u32 played = __shfl_sync(FULL, first & 32 ? game.moves[1] : game.moves[0], first & 31);
        if (RECORDED && lane.number == 0) sequence[length] = played;
        length++;
        if (played & RIM || RECORDED && length == longest) return length | BEYOND;
        Sight seen = game.put(lane, played);
        float now = __uint_as_float(first & ~63u);
        for (int slot = 0; slot < SLOTS; slot++) {
            // Uniform clocks are small numbers and show the time; weighted ones differ by many magnitudes and show what is left.
            if (WEIGHTED && clocks[slot] != NEVER) clocks[slot] = clock_of(lane, slot, __uint_as_float(clocks[slot] & ~63u) - now);
            bool struck = Game::is_struck(game.moves[slot], played);
            if (SPANNED && struck && clocks[slot] != NEVER) spans->left()[numbers[slot]] = (length - 1) << 1 | (game.moves[slot] == played);
            if (struck) clocks[slot] = NEVER;
        }
        u32 found = __ballot_sync(FULL, seen.possible);
        if (found == 0) continue;
        uint2 own = {Game::move(lane, seen), 0};
        float wait = random.wait();
        if (WEIGHTED && seen.possible) wait *= exp2f(-policy[code_of(own.x)]);
        own.y = __float_as_uint(WEIGHTED ? wait : now + wait);
        uint2 handed[SLOTS];
        u32 ranks[SLOTS], taken = game.hand(lane, found, own, clocks[0] == NEVER, clocks[1] == NEVER, handed, ranks);
        if (taken == FULL) return length | BEYOND;
        if (taken & 1) game.moves[0] = handed[0].x, clocks[0] = clock_of(lane, 0, __uint_as_float(handed[0].y));
        if (taken & 2) game.moves[1] = handed[1].x, clocks[1] = clock_of(lane, 1, __uint_as_float(handed[1].y));
        if (!SPANNED) continue;
        if (spans->count > SPANS - 32) return length | BEYOND;
        if (seen.possible) spans->entered[spans->count + __popc(found & lane.below)] = code_of(own.x) << 8 | length;
        if (taken & 1) numbers[0] = spans->count + ranks[0];
        if (taken & 2) numbers[1] = spans->count + ranks[1];
        spans->count += __popc(found);
    }
}

__device__ __forceinline__ void copy(const Lane& lane, u32* to, const u32* from, u32 count) {
    __syncwarp();
    for (u32 index = lane.number; index < count; index += 32) to[index] = from[index];
    __syncwarp();
}
