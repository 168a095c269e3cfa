"""Problems that are written in Python."""

from __future__ import annotations

import copy
from collections.abc import Hashable, Iterable
from typing import Any, ClassVar


class Problem:
    """A problem of your own, and at the same time one state of it.

    Write three methods, and every search works on it:

    >>> import nestling
    >>> class Knapsack(nestling.Problem):
    ...     def __init__(self, weights, room):
    ...         self.weights, self.room, self.used = weights, room, 0
    ...     def legal_moves(self):
    ...         return [w for w in self.weights if w <= self.room - self.used]
    ...     def play(self, weight):
    ...         self.used += weight
    ...     def score(self):
    ...         return self.used
    >>> nestling.solve(Knapsack([7, 11, 13], 50), "nrpa(2)", seed=1).score
    50

    A move may be anything that can be told apart from the other moves and written by ``repr``: numbers, texts, tuples of them. Integers are
    fastest. **The order of the legal moves matters**: the same game must always lead to the same list.

    Python runs one thread at a time, so a search on such a problem uses one core; ``on="ray"`` uses many.
    """

    #: Whether the score is to be large (``"max"``) or small (``"min"``).
    goal: ClassVar[str] = "max"

    #: Its name in messages and files; by default the name of the class.
    name: str = "Problem"

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "name" not in vars(cls):
            cls.name = cls.__name__

    def legal_moves(self) -> Iterable[Any]:
        """The legal moves of this state, always in the same order; none at the end."""
        raise NotImplementedError(f"{type(self).__name__} has no method legal_moves")

    def play(self, move: Any) -> None:
        """Plays a legal move: this state becomes the next one."""
        raise NotImplementedError(f"{type(self).__name__} has no method play")

    def score(self) -> float:
        """The score of this state; searches ask for it at the end of a game."""
        raise NotImplementedError(f"{type(self).__name__} has no method score")

    def copy(self) -> Problem:
        """A copy that can be played on without changing this state. A copy of your own that copies only what ``play`` changes is much faster."""
        return copy.deepcopy(self)

    def code(self, move: Any) -> Hashable:
        """What NRPA learns a weight for; moves with the same code share it. The default is the move."""
        return move  # type: ignore[no-any-return]

    def bias(self, move: Any) -> float:
        """Knowledge about a move, from -300 to 300: NRPA plays it with a probability proportional to exp(weight + bias)."""
        return 0.0

    def key(self) -> Hashable:
        """The key of this state. For ``pool``, games with the same key are the same game. The default is the moves, in any order."""
        raise NotImplementedError

    def bound(self) -> float | None:
        """A score that no game can better, if you know one. A run that reaches it stops, and calls its result proven."""
        return None

    def text(self, move: Any) -> str:
        """The move as people write it. The default is ``str(move)``."""
        return str(move)

    def svg(self) -> str:
        """A picture of this state."""
        raise NotImplementedError


def methods_of(problem: Problem) -> dict[str, bool]:
    """Which of the optional methods a problem defines."""
    names = ("code", "bias", "key", "svg", "text")
    return {name: getattr(type(problem), name) is not getattr(Problem, name) for name in names}


def check(problem: Problem, games: int = 20) -> None:
    """Checks the laws that searches rely on, along random games. Raises ``AssertionError`` with the first law that the problem breaks.

    >>> import nestling
    >>> class Broken(nestling.Problem):
    ...     def legal_moves(self): return [1, 1]
    >>> nestling.check(Broken())
    Traceback (most recent call last):
    ...
    AssertionError: the legal moves are distinct: after 0 moves
    """
    from ._opened import open

    if not isinstance(problem, Problem):
        raise TypeError(f"only a nestling.Problem needs to be checked, not a {type(problem).__name__}")
    broken = open(problem)._opened.check(games)
    if broken is not None:
        raise AssertionError(broken)
