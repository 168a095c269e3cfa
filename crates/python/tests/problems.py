"""Problems that are written in Python."""

from __future__ import annotations

import nestling


class Knapsack(nestling.Problem):
    def __init__(self, weights=(7, 11, 13, 17), room=200):
        self.weights, self.room, self.used = weights, room, 0

    def legal_moves(self):
        return [weight for weight in self.weights if weight <= self.room - self.used]

    def play(self, weight):
        self.used += weight

    def score(self):
        return self.used

    def copy(self):
        copied = type(self)(self.weights, self.room)
        copied.used = self.used
        return copied


class Walk(nestling.Problem):
    """The shortest walk home, with moves that are tuples, and all methods that one may write."""

    goal = "min"

    def __init__(self, at=(0, 0), steps=0):
        self.at, self.steps = at, steps

    def legal_moves(self):
        if self.steps == 8:
            return []
        return [("east", 1), ("north", 1), ("east", 2), ("north", -1)]

    def play(self, move):
        way, far = move
        x, y = self.at
        self.at = (x + far, y) if way == "east" else (x, y + far)
        self.steps += 1

    def score(self):
        return abs(self.at[0] - 8) + abs(self.at[1] - 4)

    def copy(self):
        return type(self)(self.at, self.steps)

    def code(self, move):
        return (self.steps, move)

    def bias(self, move):
        return 0.5 if move[1] > 0 else 0.0

    def key(self):
        return self.at

    def bound(self):
        return 0

    def text(self, move):
        return f"{move[0]} {move[1]}"

    def svg(self):
        return f'<svg xmlns="http://www.w3.org/2000/svg"><text>{self.at}</text></svg>'


class LongWalk(Walk):
    """The same, to be searched on when one is home."""

    def bound(self):
        return None
