// Nested Monte-Carlo search, a warp for every run.
//
// Level l has the place l - 1 in a run's arrays. What a level keeps is where it stands and its best game, which begins with the moves that
// it has played; the positions follow from that, and every launch lays them anew.

// A position of a level, and its legal moves in the order that the library has them in: the oldest first.
struct Position {
    Track tracks[TRACKS];
    u32 moves[SLOTS * 32];
    u32 count, unused;

    __device__ __forceinline__ Start start() const { return {tracks, moves, count}; }
};

// Where a level stands: moves of its position that it has looked at, NEVER if it has not begun; how many of these share the lead, none if a
// game from before does; moves that it has played; the length of its best game, 0 without one.
struct Level {
    u32 at, tied, played, length;
};

// How levels choose.
struct Manner {
    u32 memory, ties;
};

#define TIES_FIRST 0
#define TIES_LAST 1

// What a step of the search costs beside the moves of a playout, in such moves, roughly.
#define OVERHEAD 8

// How many of the moves that were found the library lists before that of this lane: by direction, and along it by the line's start.
__device__ __forceinline__ u32 found_before(const Lane& lane, u32 found) {
    u32 directions = (1u << (lane.number - lane.place)) - 1, along = ((1u << (LENGTH - 1 - lane.place)) - 1) << (lane.number + 1);
    return __popc(found & (directions | along));
}

// Plays a move in a position. False, and nothing is left of the position, if the board cannot hold what follows. No copies of it:
// it is rare beside playouts, and they would take long to compile.
__device__ __noinline__ bool follow(Shared* shared, Position& position, u32 move) {
    if (move & RIM) return false;
    Lane lane;
    Game game;
    game.shared = shared;
    Start start = position.start();
    game.begin(lane, start);
    Sight seen = game.put(lane, move);
    u32 count = 0;
    for (int slot = 0; slot < SLOTS; slot++) {
        bool stays = Game::has(lane, start, slot) && !Game::is_struck(game.moves[slot], move);
        u32 staying = __ballot_sync(FULL, stays);
        if (stays) position.moves[count + __popc(staying & lane.below)] = game.moves[slot];
        count += __popc(staying);
    }
    u32 found = __ballot_sync(FULL, seen.possible);
    if (count + __popc(found) > SLOTS * 32) return false;
    if (seen.possible) position.moves[count + found_before(lane, found)] = Game::move(lane, seen);
    copy(lane, (u32*)position.tracks, (const u32*)game.shared->tracks, sizeof(position.tracks) / 4);
    if (lane.number == 0) position.count = count + __popc(found);
    __syncwarp();
    return true;
}

// The best of some games of a run: the longest seen, or the longest that a search ended with.
struct Record {
    u32 *length, *game;

    __device__ __forceinline__ void offer(const Lane& lane, const u32* other, u32 other_length) const {
        if (other_length <= *length) return;
        copy(lane, game, other, other_length);
        if (lane.number == 0) *length = other_length;
        __syncwarp();
    }
};

// A run between its arrays and the warp that makes it. The level that it works at is in `own`, the others are in `levels`.
struct Nest {
    const Lane& lane;
    Game& game;
    Luck& luck;
    const Strays& strays;
    Manner manner;
    u32 height;
    Position* positions;
    Level* levels;
    u32 *best, *current;
    Record seen;
    u32 level;
    Level own;

    __device__ __forceinline__ u32* best_of(u32 level) const { return best + level * LONGEST; }

    // Begins a level from where its position stands, after some moves.
    __device__ __forceinline__ void begin(u32 begun, u32 played) {
        level = begun;
        own = {0, 0, played, 0};
    }

    __device__ __forceinline__ void store(const Level& state) {
        if (lane.number == 0) levels[level] = state;
        __syncwarp();
    }

    __device__ __forceinline__ void lay(Position& position, const Start& start) {
        copy(lane, (u32*)position.tracks, (const u32*)start.tracks, sizeof(position.tracks) / 4);
        copy(lane, position.moves, start.moves, SLOTS * 32);
        if (lane.number == 0) position.count = start.count;
        __syncwarp();
    }

    // Lays all positions, and finds the level to continue at: `height` if a search is about to begin.
    __device__ __forceinline__ void resume(const Start& start) {
        level = height;
        while (level > 0 && levels[level - 1].at != NEVER) {
            own = levels[--level];
            lay(positions[level], start);
            for (u32 step = 0; step < own.played; step++) follow(game.shared, positions[level], best_of(level)[step]);
        }
        if (level == 0) copy(lane, current, best, own.played);
    }

    // Offers a game, which begins with the moves that this level has played, for the move that it looks at.
    __device__ __forceinline__ void offer(const u32* other, u32 length) {
        bool leads = length > own.length;
        if (leads) {
            own.tied = 1;
        } else if (length == own.length && own.tied > 0) {
            own.tied++;
            // Numbers that no playout and no other offer draws.
            Random random(~luck.seed + ((u64)own.at << 48), luck.playout * luck.runs + luck.run, level);
            leads = manner.ties == TIES_FIRST ? false : manner.ties == TIES_LAST ? true : __umulhi(random.next(), own.tied) == 0;
        }
        if (!leads) return;
        own.length = length;
        copy(lane, best_of(level) + own.played, other + own.played, length - own.played);
    }

    // Looks at the next move by a playout.
    __device__ __forceinline__ void look() {
        Random random = luck.next(lane);
        u32 length = play<false, true>(game, lane, positions[0].start(), random, 0, current + own.played, own.at, LONGEST - 1 - own.played);
        __syncwarp();
        u32 whole = own.played + (length & ~BEYOND);
        luck.played += (length & ~BEYOND) - 1;
        if (length & BEYOND) {
            strays.add(lane, luck, current, whole);
        } else {
            seen.offer(lane, current, whole);
            offer(current, whole);
        }
        own.at++;
    }

    // Looks at the next move by a search of the level below, which begins.
    __device__ __forceinline__ void descend() {
        Position& below = positions[level - 1];
        u32 move = positions[level].moves[own.at];
        u32* path = level == 1 ? current : best_of(level - 1);
        lay(below, positions[level].start());
        copy(lane, best_of(level - 1), best_of(level), own.played);
        if (lane.number == 0) best_of(level - 1)[own.played] = move;
        copy(lane, path, best_of(level - 1), own.played + 1);
        if (follow(game.shared, below, move)) {
            store(own);
            begin(level - 1, own.played + 1);
        } else {
            luck.playout++;
            strays.add(lane, luck, path, own.played + 1);
            own.at++;
        }
    }

    // Plays the next move of the best game.
    __device__ __forceinline__ void step() {
        u32 move = best_of(level)[own.played];
        follow(game.shared, positions[level], move);
        if (level == 0 && lane.number == 0) current[own.played] = move;
        __syncwarp();
        own.played++;
        own.at = own.tied = 0;
        if (!manner.memory) own.length = 0;
    }

    // Ends a level, with a game of this length.
    __device__ __forceinline__ void ascend(u32 length) {
        seen.offer(lane, best_of(level), length);
        store({NEVER, 0, 0, 0});
        level++;
        if (level == height) return;
        own = levels[level];
        offer(best_of(level - 1), length);
        own.at++;
    }
};

// The runs first, first + 1, … of so many in all, which together make the searches 0 … wanted - 1: run r makes r, r + runs, … They play
// so many playouts together, each its share, but none plays on when it has done enough.
extern "C" __global__ void __launch_bounds__(WARPS * 32, RESIDENT)
nested(const Track* start_tracks, const u32* start_moves, u32 start_count, u64 seed, u32 here, u32 first, u32 runs, u64 wanted, u32 height,
       Manner manner, u64 playouts, u32 enough, Position* positions, Level* levels, u32* best, u32* current, u32* done, u64* playout,
       u32* record_length, u32* record, u32* result_length, u32* result, u32* finished, u64* steps, u32* beyond, u32* strayed) {
    __shared__ Shared shared[WARPS];
    Lane lane;
    Game game;
    game.shared = shared + threadIdx.x / 32;
    Start start = {start_tracks, start_moves, start_count};
    u32 number = blockIdx.x * WARPS + threadIdx.x / 32;
    if (number >= here) return;
    Strays strays = {beyond, strayed};
    Luck luck = {seed, playout[number], 1, first + number, runs, 0, 0};
    Record results = {result_length + number, result + (u64)number * LONGEST};
    Nest nest = {lane, game, luck, strays, manner, height, positions + (u64)number * height, levels + number * height,
                 best + (u64)number * height * LONGEST, current + (u64)number * LONGEST,
                 {record_length + number, record + (u64)number * LONGEST}, 0, {0, 0, 0, 0}};
    nest.resume(start);
    u32 made = done[number];
    u64 end = luck.playout + playouts / runs + (luck.run < playouts % runs);
    for (u32 work = 0; luck.playout < end && luck.played + work < enough; work += OVERHEAD) {
        if (nest.level == height) {
            if (made * (u64)runs + luck.run >= wanted) break;
            nest.lay(nest.positions[height - 1], start);
            nest.begin(height - 1, 0);
        }
        u32 count = nest.positions[nest.level].count;
        if (nest.own.at < count) {
            if (nest.level == 0) {
                nest.look();
            } else {
                nest.descend();
            }
        } else if (count > 0 && nest.own.played < nest.own.length) {
            nest.step();
        } else {
            // Without a game although there were moves: all of them led to the rim.
            u32 length = count > 0 ? 0 : nest.own.played;
            nest.ascend(length);
            if (nest.level < height) continue;
            made++;
            results.offer(lane, nest.best_of(height - 1), length);
            if (lane.number == 0) atomicAdd(finished + length, 1);
        }
    }
    if (nest.level < height) nest.store(nest.own);
    if (lane.number == 0) {
        playout[number] = luck.playout;
        done[number] = made;
        atomicAdd(steps, (u64)luck.played);
    }
}
