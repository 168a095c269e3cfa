// Runs the kernels of kernels.cu on a processor, one thread after the other, for tests: a line of the input is a step. It is compiled with kernels.cu in
// place of the line INSERT, and the same definitions.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#define __device__
#define __global__
#define __forceinline__ inline

using std::max;
using std::min;

struct Index {
    unsigned x;
};
static Index blockIdx, blockDim = {1}, threadIdx;

static int __popc(unsigned bits) { return __builtin_popcount(bits); }
static int __popcll(unsigned long long bits) { return __builtin_popcountll(bits); }

static unsigned atomicAdd(unsigned* place, unsigned more) { return std::exchange(*place, *place + more); }
static unsigned atomicMin(unsigned* place, unsigned other) { return std::exchange(*place, min(*place, other)); }

INSERT

template <class Kernel, class... Arguments> static void launch(u32 threads, Kernel kernel, Arguments... arguments) {
    // The last thread first: no result may depend on their order.
    for (blockIdx.x = threads; blockIdx.x-- > 0;) kernel(arguments...);
}

int main() {
    u32 width = 0, states = 0, current = 0;
    std::vector<u64> blocked[2];
    std::vector<u32> heads[2], counts(3), kept;
    std::vector<Candidate> candidates;
    char step[8];
    while (scanf("%7s", step) == 1) {
        if (!strcmp(step, "begin")) {
            scanf("%u", &width);
            for (u32 half = 0; half < 2; half++) blocked[half].resize((size_t)width * WORDS), heads[half].resize(width);
            candidates.resize((size_t)width * DIMENSIONS), kept.resize(width);
            states = 1, current = 0;
            scanf("%u", &heads[0][0]);
            for (u32 word = 0; word < WORDS; word++) scanf("%llu", &blocked[0][(size_t)word * width]);
        } else if (!strcmp(step, "expand")) {
            u32 vertices;
            u64 seed;
            scanf("%u %llu", &vertices, &seed);
            counts = {0, 0, ~0u};
            launch(states * DIMENSIONS, expand, blocked[current].data(), heads[current].data(), width, states, vertices, seed, candidates.data(), counts.data());
            printf("%u %u %u\n", counts[0], counts[1], counts[2]);
        } else if (!strcmp(step, "sort")) {
            u32 count, mask;
            scanf("%u %u", &count, &mask);
            launch(count, sort, candidates.data(), count, mask);
        } else if (!strcmp(step, "keep")) {
            scanf("%u", &states);
            launch(states, keep, blocked[current].data(), heads[current].data(), blocked[1 - current].data(), heads[1 - current].data(), width, candidates.data(), states, kept.data());
            current = 1 - current;
            for (u32 number = 0; number < states; number++) printf("%u ", kept[number]);
            printf("\n");
        }
        fflush(stdout);
    }
}
