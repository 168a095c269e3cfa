"""The events and the results of searches."""

from __future__ import annotations

import html
import math
import os
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from . import _native

if TYPE_CHECKING:
    import pandas

    from ._opened import Instance


@dataclass(frozen=True)
class Improvement:
    """A game that is better than all before it, verified by the plain rules."""

    score: float
    moves: list[str] = field(repr=False)
    playouts: int
    seconds: float
    #: Which run of a batch found it.
    run: int | None = None


@dataclass(frozen=True)
class Progress:
    """How far a search is; sent again and again while it runs."""

    seconds: float
    playouts: int
    best: float | None


@dataclass(frozen=True)
class Find:
    """A game that reaches the score of ``keep``, whether or not it is better than all before it."""

    score: float
    moves: list[str] = field(repr=False)
    playouts: int
    seconds: float


@dataclass(frozen=True)
class Trouble:
    """A failure that does not change the result, such as a report of a worker that was refused."""

    reason: str


class Interrupted(KeyboardInterrupt):
    """Raised by Ctrl-C. ``best`` is the best game found until then."""

    def __init__(self, best: Improvement | None) -> None:
        super().__init__("interrupted")
        self.best = best


class Result:
    """The result of a search.

    >>> import nestling
    >>> result = nestling.solve("left-move:10", "nrpa(2)", seed=1)
    >>> result.score, result.stop, result.proven
    (10, 'finished', False)
    >>> result.moves[:3]
    ['left', 'left', 'left']
    """

    def __init__(self, instance: Instance, found: dict[str, Any], improvements: Sequence[Improvement]) -> None:
        self._instance = instance
        self._found = found
        #: All improvements, the best one last.
        self.improvements = list(improvements)
        #: The score; None where nothing was found.
        self.score: float | None = found["score"]
        #: The moves of the game. A batch that was kept and continued has them of its best runs only.
        self.moves: list[str] = found["moves"]
        #: How many playouts were played.
        self.playouts: int = found["playouts"]
        #: How long it took.
        self.seconds: float = found["seconds"]
        #: Why it ended: ``finished``, ``time``, ``playouts``, ``target``, ``bound`` or ``cancelled``.
        self.stop: str = found["stop"]
        #: Whether it is proven that no game is better.
        self.proven: bool = found["proven"]
        #: Whether the score is that of a game; otherwise it is an estimate.
        self.complete: bool = found["complete"]
        #: The search and the seed; if none was given, those that Nestling chose.
        self.search: str = found["search"]
        self.seed: int = found["seed"]
        self.problem: str = found["problem"]
        #: The run that finds the same game again.
        self.recipe: dict[str, Any] | None = found["recipe"]
        #: What NRPA has learned, a text for a file that ``warm=FILE`` reads.
        self.learned: str | None = found.get("learned")
        #: The number of the run in the store, if it is kept.
        self.id: int | None = found.get("id")
        #: The number of the run in its batch.
        self.run: int | None = found.get("run")

    def svg(self, *, width: int = 640, theme: str | None = None) -> str | None:
        """A picture of the game, if the problem has one."""
        return self._instance.svg(self.moves, width=width, theme=theme) if self.complete else None

    def draw(self, width: int = 80) -> str:
        """A picture of the game in text."""
        return self._instance.draw(self.moves, width)

    def curve(self) -> str:
        """The score over time, as SVG."""
        points = [(step.seconds, step.score) for step in self.improvements]
        title = f"{self.search} on {self.problem}, seed {self.seed}"
        return _native.curve(title, "seconds", self._instance._opened.unit or "score", points, self.seconds)

    def save(self, path: str | os.PathLike[str], *, format: str | None = None, force: bool = False) -> None:
        """Writes the game to a file; its ending decides the format. A file that exists is replaced only with ``force``."""
        from ._files import save

        origin = {"search": self.search, "seed": self.seed, "playouts": self.playouts, "seconds": self.seconds}
        save(self._instance, self.moves, path, format, origin, force)

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, as ``nestling solve --json`` prints it."""
        return dict(self._found)

    def to_pandas(self) -> pandas.DataFrame:
        """The improvements as a table: score, playouts, seconds."""
        import pandas

        steps = [(step.score, step.playouts, step.seconds) for step in self.improvements]
        return pandas.DataFrame(steps, columns=["score", "playouts", "seconds"])

    def _repr_svg_(self) -> str | None:
        return self.svg()

    def _repr_html_(self) -> str:
        picture = self.svg() or f"<pre>{html.escape(self.draw())}</pre>"
        curve = self.curve() if self.improvements else ""
        part = '<div style="flex: 1 1 20em; min-width: 18em; overflow: auto">{}</div>'
        pictures = "".join(part.format(_scaled(part_svg)) for part_svg in (picture, curve) if part_svg)
        return f'<p>{html.escape(repr(self))}</p><div style="display: flex; flex-wrap: wrap; gap: 1em">{pictures}</div>'

    def __repr__(self) -> str:
        if self.score is None:
            return f"<nothing found on {self.problem} by {self.search}: {self.playouts} playouts>"
        worth = self._instance._opened.worth(self.score, self.complete)
        return f"<{worth} on {self.problem} by {self.search}, seed {self.seed}: {self.playouts} playouts, {self.stop}>"


def _scaled(svg: str) -> str:
    """The picture, as wide as the element that contains it."""
    return svg.replace("<svg ", '<svg style="width: 100%; height: auto" ', 1)


class Batch(Sequence[Result]):
    """The results of many runs of one search, in their order.

    >>> import nestling
    >>> batch = nestling.solve("left-move:20", "nested(1)", runs=5, seed=3)
    >>> len(batch), batch.best.score
    (5, 17)
    """

    def __init__(self, instance: Instance, results: Sequence[Result]) -> None:
        self._instance = instance
        self._results = sorted(results, key=lambda result: result.run or 0)

    def __len__(self) -> int:
        return len(self._results)

    def __getitem__(self, index: Any) -> Any:
        return self._results[index]

    def __iter__(self) -> Iterator[Result]:
        return iter(self._results)

    @property
    def scores(self) -> list[float]:
        """The scores, in the order of the runs."""
        return [result.score for result in self._results if result.score is not None]

    @property
    def mean(self) -> float:
        """The mean of the scores."""
        return statistics.fmean(self.scores) if self.scores else math.nan

    @property
    def standard_error(self) -> float:
        """The standard error of the mean, from two runs on."""
        return statistics.stdev(self.scores) / math.sqrt(len(self.scores)) if len(self.scores) > 1 else math.nan

    @property
    def best(self) -> Result:
        """The best result; the first of several that are equally good."""
        if not self.scores:
            raise _native.Error("no run has a result")
        choose = min if self._instance._opened.is_minimised else max
        return choose((result for result in self._results if result.score is not None), key=lambda result: result.score or 0)

    def to_pandas(self) -> pandas.DataFrame:
        """A row for every run: score, playouts, seconds, seed, stop."""
        import pandas

        columns = ["run", "score", "playouts", "seconds", "seed", "stop"]
        return pandas.DataFrame([[getattr(result, name) for name in columns] for result in self._results], columns=columns)

    def histogram(self) -> str:
        """How often each score was reached, as SVG."""
        first = self._results[0]
        title = f"{len(self)} runs of {first.search} on {first.problem}"
        return _native.histogram(title, self._instance._opened.unit or "score", self.scores)

    def _repr_svg_(self) -> str | None:
        return self.histogram() if self.scores else None

    def __repr__(self) -> str:
        if not self.scores:
            return f"<{len(self)} runs, nothing found>"
        return f"<{len(self)} runs: mean {self.mean:.4g}, best {self.best.score}>"
