"""Tours with time windows from matrices."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _native


def tour(travel: Any, windows: Sequence[tuple[float, float]] | None = None, names: Sequence[str] | None = None) -> str:
    """The name of a problem: the shortest tour through all places that keeps their time windows.

    ``travel`` is a square matrix (NumPy, or lists) of travel times; ``travel[i][j]`` leads from place i to place j, and place 0 is the
    depot. ``windows`` has the earliest and the latest arrival at each place; without it every time is good.

    >>> import nestling
    >>> problem = nestling.tour([[0, 3, 9], [4, 0, 2], [5, 6, 0]])
    >>> nestling.solve(problem, "nrpa(1)", playouts=100, seed=1).score
    10
    """
    rows = [[float(time) for time in row] for row in travel]
    count = len(rows)
    if any(len(row) != count for row in rows):
        raise ValueError(f"the matrix must be square: {count} rows, and rows of {sorted({len(row) for row in rows})} columns")
    if windows is not None and len(windows) != count:
        raise ValueError(f"windows: expected one for each of the {count} places, found {len(windows)}")
    if names is not None and (len(names) != count or len(set(names)) != count):
        raise ValueError(f"names: expected a different name for each of the {count} places")
    called = [str(name) for name in names] if names is not None else [str(place) for place in range(count)]
    head = ["name", "earliest", "latest", *called]
    lines = [_line(head)]
    for place, row in enumerate(rows):
        window = ["", ""] if windows is None else [_time(time) for time in windows[place]]
        lines.append(_line([called[place], *window, *(_time(time) for time in row)]))
    return _native.pasted("tsptw", "\n".join(lines) + "\n")


def _time(time: float) -> str:
    """A number as a table has it; no window is open for ever."""
    time = float(time)
    if time in (float("inf"), float("-inf")):
        return ""
    return str(int(time)) if time == int(time) else repr(time)


def _line(fields: Sequence[str]) -> str:
    return ",".join('"' + field.replace('"', '""') + '"' if "," in field or '"' in field else field for field in fields)
