// How pools of games are played: see pool/kernels/island.cu.
//
// A move in a pool is hole << 12 | direction << 10 | row << 5 | column of the first cell of its line; the lower 12 bits are the line.
//
// A child begins with all moves of its parent that are still possible when some are given up: these are found at once. A dot of the parent is
// put by one of its moves only, so a move of it becomes impossible exactly when one of its line's other dots is lost, and nothing but a
// move of another game brings that dot back. All of that comes before the first random move. Only the rest is played move by move.

#define LINES 4096
// What a child costs beside the moves that are played one by one, in such moves, roughly.
#define CHILD_OVERHEAD 12
#define LINE ((1u << LENGTH) - 1)

// A line on the board.
struct Place {
    int direction, x, y, track, first;

    // The line of a move in a pool.
    __device__ __forceinline__ Place(u32 written) {
        direction = written >> 10 & 3, x = written & 31, y = written >> 5 & 31;
        track = track_of(direction, x, y), first = direction == 1 ? y : x;
    }

    // The line with this track and first place.
    __device__ __forceinline__ Place(int track, int first) : track(track), first(first) {
        direction = track < 32 ? 0 : track < 64 ? 1 : track < 127 ? 2 : 3;
        x = direction == 1 ? track - 32 : first;
        y = direction == 0 ? track : direction == 1 ? first : direction == 2 ? first + 95 - track : track - 127 - first;
    }

    static __device__ __forceinline__ int track_of(int direction, int x, int y) {
        return direction == 0 ? y : direction == 1 ? 32 + x : direction == 2 ? 95 + x - y : 127 + x + y;
    }

    __device__ __forceinline__ int column(int place) const { return direction == 1 ? x : x + place; }
    __device__ __forceinline__ int row(int place) const { return direction == 0 ? y : direction == 3 ? y - place : y + place; }
    __device__ __forceinline__ u32 line() const { return direction << 10 | y << 5 | x; }
};

// The board of a child, and what is known of its parent.
struct ChildMemory {
    Track tracks[TRACKS];
    uint2 queue[32];
    // The moves that are played one by one.
    u32 sequence[LONGEST];
    // For every line 1 + its place in the parent, or 0 where it comes after all of the parent's.
    u8 ranks[LINES];
};

struct Player {
    static const u32 ROOM = LONGEST;
    static const u32 MEMORY = sizeof(ChildMemory);

    Lane lane;
    Game game;
    ChildMemory* memory;
    const Track* start;
    u32 clocks[SLOTS], filled;
    // What leads from a dot to the line that this lane tests through it.
    int to_line;

    __device__ __forceinline__ Player(u8* own, const u32* words) : memory((ChildMemory*)own), start((const Track*)words) {
        // Of what is shared the game uses the tracks and the queue only.
        game.shared = (Shared*)own;
        int direction = min(lane.number / LENGTH, 3);
        to_line = (direction << 10) - lane.place * (lane.step_y * 32 + lane.step_x);
        hold(to_line);
        forget_ranks();
    }

    __device__ __forceinline__ void forget_ranks() {
        __syncwarp();
        uint4* words = (uint4*)memory->ranks;
        for (u32 word = lane.number; word < LINES / 16; word += 32) words[word] = {0, 0, 0, 0};
        __syncwarp();
    }

    // Puts dots with `put`, or takes them away.
    __device__ __forceinline__ void change_dot(int x, int y, bool put) {
        for (int direction = 0; direction < 4; direction++) {
            u32 *dots = &memory->tracks[Place::track_of(direction, x, y)].dots, bit = 1u << (direction == 1 ? y : x);
            if (put) {
                atomicOr(dots, bit);
            } else {
                atomicAnd(dots, ~bit);
            }
        }
    }

    // Plays the moves of the parent that do without the marked ones, and marks the others. How many it plays.
    __device__ __forceinline__ u32 keep(const u16* parent, u32 length, u32* marks) {
        u32 kept = 0;
        for (u32 base = 0; base < length; base += 32) {
            u32 index = base + lane.number, written = index < length ? parent[index] : 0;
            bool follows = index < length && !(marks[base / 32] >> lane.number & 1), stays = follows;
            Place place(written);
            int x = place.column(written >> 12), y = place.row(written >> 12);
            if (stays) change_dot(x, y, true);
            __syncwarp();
            for (;;) {
                bool is_lost = stays && (~memory->tracks[place.track].dots >> place.first & LINE) != 0;
                if (!__any_sync(FULL, is_lost)) break;
                if (is_lost) change_dot(x, y, false), stays = false;
                __syncwarp();
            }
            if (stays) atomicOr(&memory->tracks[place.track].lines, ((1u << TAKEN) - 1) << place.first);
            if (follows && !stays) memory->ranks[written & (LINES - 1)] = index + 1;
            u32 staying = __ballot_sync(FULL, stays);
            if (lane.number == 0) marks[base / 32] = ~staying;
            kept += __popc(staying);
        }
        __syncwarp();
        return kept;
    }

    // The first places of the lines of a track that lack one dot and overlap none.
    static __device__ __forceinline__ u32 open_lines(Track track) {
        u32 one = 0, two = 0, taken = 0;
        for (int place = 0; place < LENGTH; place++) {
            u32 lacks = ~(track.dots >> place);
            two |= one & lacks, one |= lacks;
        }
        for (int place = 0; place < TAKEN; place++) taken |= track.lines >> place;
        return one & ~two & ~taken;
    }

    // The clock of a move: first the lines of the parent in its order, then all others in any order.
    __device__ __forceinline__ u32 time(u32 line, Random& random) const {
        u32 rank = memory->ranks[line], other = random.next() >> 8 | 1u << 24;
        return rank != 0 ? rank : other;
    }

    // Finds the legal moves of the position. How many there are; FULL if there is no room for them.
    __device__ __forceinline__ u32 find_moves(Random& random) {
        u32 *queue = (u32*)memory->queue, count = 0;
        for (u32 base = 0; base < TRACKS; base += 32) {
            u32 track = base + lane.number, open = track < TRACKS ? open_lines(memory->tracks[track]) : 0, lanes;
            while ((lanes = __ballot_sync(FULL, open != 0)) != 0) {
                if (count + __popc(lanes) > SLOTS * 32) return FULL;
                if (open != 0) queue[count + __popc(lanes & lane.below)] = track << 5 | (__ffs(open) - 1);
                open &= open - 1;
                count += __popc(lanes);
            }
        }
        __syncwarp();
        for (int slot = 0; slot < SLOTS; slot++) {
            u32 index = slot * 32 + lane.number;
            game.moves[slot] = 0, clocks[slot] = NEVER;
            if (index >= count) continue;
            u32 code = queue[index];
            Place place(code >> 5, code & 31);
            int hole = __ffs(~(memory->tracks[place.track].dots >> place.first)) - 1, x = place.column(hole), y = place.row(hole);
            bool is_rim = (u32)(x - 1) >= 30 || (u32)(y - 1) >= 30;
            game.moves[slot] = code << 11 | (is_rim ? RIM : 0) | y << 5 | x;
            clocks[slot] = time(place.line(), random) << 6 | index;
        }
        __syncwarp();
        return count;
    }

    // Plays on, move by move; `longest` is the room for the moves. 0 at the end of the game, FULL where it cannot continue here, and SPILLED
    // where more moves are possible than the first slots hold: without SECOND the second ones are empty, which saves looking at them.
    template <bool SECOND>
    __device__ __forceinline__ u32 go_on(Random& random, u32 longest) {
        for (;;) {
            u32 first = __reduce_min_sync(FULL, SECOND ? min(clocks[0], clocks[1]) : clocks[0]);
            if (first == NEVER) return 0;
            u32 played = __shfl_sync(FULL, SECOND && first & 32 ? game.moves[1] : game.moves[0], first & 31);
            if (lane.number == 0) memory->sequence[filled] = played;
            filled++;
            if (played & RIM || filled == longest) return FULL;
            Sight seen = game.put(lane, played);
            for (int slot = 0; slot < (SECOND ? 2 : 1); slot++) {
                if (Game::is_struck(game.moves[slot], played)) clocks[slot] = NEVER;
            }
            u32 found = __ballot_sync(FULL, seen.possible);
            if (found == 0) continue;
            // Lanes that have found nothing look at some line or other.
            uint2 own = {Game::move(lane, seen), time((played & 1023) + to_line & (LINES - 1), random) << 6}, handed[SLOTS];
            u32 ranks[SLOTS], taken = game.hand(lane, found, own, clocks[0] == NEVER, clocks[1] == NEVER, handed, ranks);
            if (taken == FULL) return FULL;
            if (taken & 1) game.moves[0] = handed[0].x, clocks[0] = handed[0].y | lane.number;
            if (taken & 2) game.moves[1] = handed[1].x, clocks[1] = handed[1].y | 32 | lane.number;
            if (!SECOND && taken & SPILLED) return SPILLED;
        }
    }

    // Plays the rest of a game. Returns whether it reached the end.
    __device__ __forceinline__ bool fill(Random& random, u32 longest) {
        filled = 0;
        u32 count = find_moves(random), stopped = SPILLED;
        if (count == FULL) return false;
        if (count <= 32) stopped = go_on<false>(random, longest);
        if (stopped == SPILLED) stopped = go_on<true>(random, longest);
        return stopped == 0;
    }

    __device__ __forceinline__ Child play(const u16* parent, u32 length, u32* marks, Random& random) {
        __syncwarp();
        for (u32 track = lane.number; track < TRACKS; track += 32) memory->tracks[track] = start[track];
        __syncwarp();
        u32 kept = keep(parent, length, marks);
        bool is_whole = fill(random, LONGEST - 1 - kept);
        if (kept < length) forget_ranks();
        __syncwarp();
        u32 moves = kept + filled;
        return {moves, moves, filled + CHILD_OVERHEAD, is_whole ? 0u : OUTGROWN};
    }

    __device__ __forceinline__ void write(const u16* parent, u32 length, const u32* marks, u16* row) const {
        u32 kept = 0;
        for (u32 base = 0; base < length; base += 32) {
            u32 staying = ~marks[base / 32];
            if (staying >> lane.number & 1) row[kept + __popc(staying & lane.below)] = parent[base + lane.number];
            kept += __popc(staying);
        }
        for (u32 index = lane.number; index < filled; index += 32) {
            u32 move = memory->sequence[index];
            Place place(move >> 16, move >> 11 & 31);
            u32 hole = place.direction == 1 ? (move >> 5 & 31) - place.y : (move & 31) - place.x;
            row[kept + index] = hole << 12 | place.line();
        }
    }

    // The key of the dots: every lane has those of a row.
    __device__ __forceinline__ u64 key() const {
        u64 z = ((u64)lane.number << 32 | memory->tracks[lane.number].dots) + 0x9e3779b97f4a7c15ull;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        z ^= z >> 31;
        return (u64)__reduce_xor_sync(FULL, (u32)(z >> 32)) << 32 | __reduce_xor_sync(FULL, (u32)z);
    }
};
