"""Problems by name, and their games."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from . import _native
from ._problem import Problem, methods_of


class Instance:
    """A problem with its parameters: its rules, its pictures and its records.

    >>> import nestling
    >>> problem = nestling.open("left-move:3")
    >>> problem.legal_moves(["left"])
    ['left', 'right']
    >>> problem.score(["left", "right", "left"])
    2
    """

    def __init__(self, opened: _native.Opened, object: Problem | None = None) -> None:
        self._opened = opened
        self._object = object

    @property
    def name(self) -> str:
        """The name that it was opened by."""
        return self._opened.name

    @property
    def record(self) -> dict[str, Any] | None:
        """The best result known: its ``score``, its ``holder``, and whether it is ``proven`` that nothing is better."""
        found = self._opened.record()
        return None if found is None else json.loads(found)

    def published(self) -> list[dict[str, Any]]:
        """The games that were published as records."""
        games: list[dict[str, Any]] = json.loads(self._opened.published())
        return games

    def legal_moves(self, moves: Iterable[str] = ()) -> list[str]:
        """The legal moves after a game; none when it is over."""
        return self._opened.legal_moves(list(moves))

    def score(self, moves: Iterable[str]) -> float:
        """The score of a game, by the plain rules. It may have moves left."""
        return number(self._opened.certify(list(moves))[0])

    def is_over(self, moves: Iterable[str]) -> bool:
        """Whether a game has no moves left."""
        return self._opened.certify(list(moves))[1]

    def svg(self, moves: Iterable[str], *, width: int = 640, theme: str | None = None) -> str | None:
        """A picture of a game, if the problem has one."""
        return self._opened.svg(list(moves), width, theme)

    def draw(self, moves: Iterable[str], width: int = 80) -> str:
        """A picture of a game in text."""
        return self._opened.draw(list(moves), width)

    def formats(self) -> list[str]:
        """The names of the formats that its games can be written in."""
        return self._opened.formats()

    def _is_better(self, score: float, other: float) -> bool:
        return score < other if self._opened.is_minimised else score > other

    def __reduce__(self) -> tuple[Any, ...]:
        return open, (self.name if self._object is None else self._object,)

    def __repr__(self) -> str:
        return f"<nestling problem {self.name}>"


def number(score: float) -> float:
    """A whole number as an integer."""
    return int(score) if score == int(score) else score


def open(problem: str | Problem | Instance) -> Instance:
    """Opens a problem by its name, such as ``morpion-5d``, ``left-move:60`` or ``sudoku:FILE``."""
    if isinstance(problem, Instance):
        return problem
    if isinstance(problem, Problem):
        named = problem.name if isinstance(problem.name, str) else type(problem).__name__
        return Instance(_native.Opened.of(problem, named.replace(":", " "), methods_of(problem)), problem)
    if not isinstance(problem, str):
        raise TypeError(f"a problem is a name or an object of a subclass of nestling.Problem, not a {type(problem).__name__}")
    return Instance(_native.Opened(problem))


def problems() -> dict[str, str]:
    """The names of all problems, each with a line about it.

    >>> import nestling
    >>> "quarto" in nestling.problems()
    True
    """
    return dict(_native.problems())
