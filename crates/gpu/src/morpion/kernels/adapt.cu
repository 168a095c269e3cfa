// How a policy learns from a game: the weights of its moves grow by alpha, those of all moves that were possible shrink by alpha times their
// probabilities before.

__device__ __forceinline__ float sum(float value) {
    for (int distance = 16; distance > 0; distance /= 2) value += __shfl_xor_sync(FULL, value, distance);
    return value;
}

// Adapts a policy to a game by playing it again, for the levels whose games have no spans. A line that leaves the list of legal moves
// never comes back, so each of its codes is read when its move becomes legal and written when it is no longer: all probabilities are
// those before the adapt.
__device__ __forceinline__ void adapt(Game& game, const Lane& lane, const Start& start, float* policy, const u32* sequence, u32 length, float alpha) {
    game.begin(lane, start);
    float weight[SLOTS], share[SLOTS], change[SLOTS];
    for (int slot = 0; slot < SLOTS; slot++) {
        bool legal = Game::has(lane, start, slot);
        weight[slot] = legal ? policy[code_of(game.moves[slot])] : 0.0f;
        share[slot] = legal ? exp2f(weight[slot]) : 0.0f;
        change[slot] = 0.0f;
    }
    for (u32 step = 0; step < length; step++) {
        u32 played = sequence[step];
        float scale = __fdividef(alpha, sum(share[0] + share[1]));
        Sight seen = game.put(lane, played);
        for (int slot = 0; slot < SLOTS; slot++) {
            change[slot] -= scale * share[slot];
            // A share of nothing is a slot without a move.
            if (share[slot] != 0.0f && Game::is_struck(game.moves[slot], played)) {
                if (game.moves[slot] == played) change[slot] += alpha;
                policy[code_of(game.moves[slot])] = weight[slot] + change[slot];
                share[slot] = 0.0f;
            }
        }
        u32 found = __ballot_sync(FULL, seen.possible);
        if (found == 0) continue;
        uint2 own = {Game::move(lane, seen), 0};
        if (seen.possible) own.y = __float_as_uint(policy[code_of(own.x)]);
        uint2 handed[SLOTS];
        u32 ranks[SLOTS], taken = game.hand(lane, found, own, share[0] == 0.0f, share[1] == 0.0f, handed, ranks);
        for (int slot = 0; slot < SLOTS; slot++) {
            if (taken >> slot & 1) {
                game.moves[slot] = handed[slot].x;
                weight[slot] = __uint_as_float(handed[slot].y);
                share[slot] = exp2f(weight[slot]);
                change[slot] = 0.0f;
            }
        }
    }
}

// Waits for the others of a block or a warp.
template <bool BLOCK>
__device__ __forceinline__ void together() {
    if (BLOCK) __syncthreads();
    else __syncwarp();
}

// Shares of the legal moves are whole numbers in steps of 2^-26, at most 2^24, in two halves of 24 and 26 bits: so the order in which
// they are summed up does not matter, and the sum of 64 has room in two words.
#define HALF 24
__device__ __forceinline__ u64 share_of(float weight) { return max(__float2ull_rn(exp2f(fminf(weight, 24.0f) + 26.0f)), 1ull); }

__device__ __forceinline__ void add_share(Shared* shared, u32 step, u64 share, bool away) {
    u32 low = (u32)share & (1u << HALF) - 1, high = (u32)(share >> HALF);
    atomicAdd(&shared->sums[0][step], away ? 0 - low : low);
    atomicAdd(&shared->sums[1][step], away ? 0 - high : high);
}

// The sum of what the lanes before this one have.
template <typename T>
__device__ __forceinline__ T sum_before(const Lane& lane, T value) {
    T total = value;
    for (int distance = 1; distance < 32; distance *= 2) {
        T other = __shfl_up_sync(FULL, total, distance);
        if (lane.number >= distance) total += other;
    }
    return total - value;
}

// From what the sum of the shares changes by at every step, `sums`, to the sum of alpha / sum over the steps before it, `before`. By a warp.
__device__ __forceinline__ void sum_up(Shared* shared, const Lane& lane, u32 length, float alpha) {
    const u32 own = LONGEST / 32, first = lane.number * own;
    u32 low = 0, high = 0;
    for (u32 step = first; step < first + own; step++) low += shared->sums[0][step], high += shared->sums[1][step];
    low = sum_before(lane, low), high = sum_before(lane, high);
    float scales[own];
    double all = 0.0;
    for (u32 index = 0; index < own; index++) {
        low += shared->sums[0][first + index], high += shared->sums[1][first + index];
        scales[index] = first + index < length ? __fdividef(alpha, (float)high * (float)(1 << HALF) + (float)low) : 0.0f;
        all += scales[index];
    }
    all = sum_before(lane, all);
    __syncwarp();
    for (u32 index = 0; index < own; index++) {
        shared->before[first + index] = all;
        all += scales[index];
    }
}

// Adapts a policy to a game by when its moves were possible: the same as playing it again, up to rounding, in a tenth of the time. By a warp, or
// by all warps of a block with the same `shared`.
template <bool BLOCK>
__device__ __forceinline__ void adapt_to_spans(Shared* shared, const Lane& lane, float* policy, const Spans& spans, u32 length, float alpha) {
    u32 first = BLOCK ? threadIdx.x : lane.number, stride = BLOCK ? blockDim.x : 32;
    together<BLOCK>();
    for (u32 index = first; index < 2 * LONGEST; index += stride) shared->sums[0][index] = 0;
    together<BLOCK>();
    for (u32 span = first; span < spans.count; span += stride) {
        u32 entered = spans.entered[span];
        u64 share = share_of(policy[entered >> 8]);
        add_share(shared, entered & 255, share, false);
        add_share(shared, (spans.left()[span] >> 1) + 1, share, true);
    }
    together<BLOCK>();
    if (!BLOCK || threadIdx.x < 32) sum_up(shared, lane, length, alpha);
    together<BLOCK>();
    for (u32 span = first; span < spans.count; span += stride) {
        u32 entered = spans.entered[span], left = spans.left()[span];
        float weight = policy[entered >> 8];
        double change = (double)share_of(weight) * (shared->before[entered & 255] - shared->before[(left >> 1) + 1]);
        policy[entered >> 8] = weight + ((float)change + (left & 1 ? alpha : 0.0f));
    }
    together<BLOCK>();
}
