"""What the tests of clusters share."""

from __future__ import annotations

import os

#: Searches as large as those of the figures in docs/CLUSTER.md.
LARGE = bool(os.environ.get("NESTLING_LARGE"))
REPEAT = "repeat(200, nrpa(2))" if LARGE else "repeat(24, nrpa(2))"
RUNS = 100 if LARGE else 40

#: Seconds between two kills.
KILL_EVERY = float(os.environ.get("NESTLING_KILL_EVERY", 3))


def essence(found):
    return found.score, found.moves, found.playouts, found.stop


def essences(batch):
    return [(*essence(run), run.seed) for run in batch]
