// How a problem plays the games of pools: what it provides, between this file and the others of this folder.
//
// Besides `Random(seed, path, lane)`, whose `next()` gives every lane numbers of its own:
//
//     struct Player {
//         static const u32 ROOM;     // the room for the moves of a game; a multiple of 32
//         static const u32 MEMORY;   // bytes of shared memory for a warp; a multiple of 16
//         // Begins to play, in shared memory of any contents; `start` is what the host's layout gave.
//         Player(u8* memory, const u32* start);
//         // Plays the greedy child of a parent: always the legal move that comes first in the parent; without one of these a random
//         // one. Moves of the parent with a bit in `marks` count as random ones. Changes the marks to those of the moves that the child does
//         // not begin with. Without a parent `length` is 0, and the game is a random one.
//         Child play(const u16* parent, u32 length, u32* marks, Random& random);
//         // Writes the moves of the child that was just played: those of the parent without a mark, then the others.
//         void write(const u16* parent, u32 length, const u32* marks, u16* row);
//         // The key of its final state: the same for games that count as the same.
//         u64 key();
//     };
//
// All lanes of the warp call these together.

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

// A game that outgrew the player's memory; its moves up to there are legal.
#define OUTGROWN 1

// What a player says of a game: its score (at least 1, higher is better, below 65536; 0 for none), its moves, and what it cost, in moves.
struct Child {
    u32 score, length, work, fault;
};

