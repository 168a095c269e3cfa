"""Monte-Carlo search for puzzles, games and optimisation.

>>> import nestling
>>> result = nestling.solve("morpion-5d", "nrpa(2)", seed=7)
>>> result.score
70
>>> result.save("game.psol")  # doctest: +SKIP

A problem of your own is a class with three methods, see :class:`Problem`.
"""

from ._files import Game, read, verify, write
from ._match import Match, match
from ._native import Error, __version__
from ._opened import Instance, open, problems
from ._problem import Problem, check
from ._result import Batch, Find, Improvement, Interrupted, Progress, Result, Trouble
from ._search import Search, explain, searches
from ._solve import Run, resume, run, solve, start
from ._store import Store
from ._tours import tour

__all__ = [
    "Batch",
    "Error",
    "Find",
    "Game",
    "Improvement",
    "Instance",
    "Interrupted",
    "Match",
    "Problem",
    "Progress",
    "Result",
    "Run",
    "Search",
    "Store",
    "Trouble",
    "__version__",
    "check",
    "explain",
    "match",
    "open",
    "problems",
    "read",
    "resume",
    "run",
    "searches",
    "solve",
    "start",
    "tour",
    "verify",
    "write",
]
