"""Games in files, in every format that Nestling knows."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _native
from ._opened import Instance, open
from ._problem import Problem

if TYPE_CHECKING:
    from ._result import Result


@dataclass(frozen=True)
class Game:
    """A game that was read from a file and replayed by the plain rules."""

    problem: str
    moves: list[str] = field(repr=False)
    score: float
    #: Whether it has no moves left.
    complete: bool
    format: str
    #: The published record that it equals, up to symmetry and the order of its moves.
    record: str | None = None
    #: What the file says of its origin.
    origin: dict[str, Any] = field(default_factory=dict, repr=False)

    #: The problem, open.
    instance: Instance | None = field(default=None, repr=False, compare=False)

    def _repr_svg_(self) -> str | None:
        return (self.instance or open(self.problem)).svg(self.moves)


def _verified(game: bytes, instance: Instance | None) -> Game:
    found = json.loads(_native.verify(game, None if instance is None else instance._opened))
    names = ("problem", "moves", "score", "complete", "format", "record", "origin")
    return Game(**{name: found[name] for name in names}, instance=instance)


def _bytes(file: str | os.PathLike[str] | bytes) -> bytes:
    return file if isinstance(file, bytes) else Path(file).read_bytes()


def verify(file: str | os.PathLike[str] | bytes, problem: str | Problem | Instance | None = None) -> Game:
    """Reads the game of a file, whatever its format, and replays it by the plain rules. An illegal game is an :class:`nestling.Error`.

    >>> import nestling
    >>> record = nestling.open("morpion-5d").published()[0]
    >>> nestling.write(record["moves"], "record.psol", problem="morpion-5d", force=True)
    >>> nestling.verify("record.psol").score
    82
    """
    instance = None if problem is None else open(problem)
    return _verified(_bytes(file), instance)


def read(file: str | os.PathLike[str] | bytes, problem: str | Problem | Instance | None = None) -> list[Game]:
    """All games of a file, each replayed by the plain rules."""
    instance = None if problem is None else open(problem)
    return [_verified(game, instance) for game in _native.games(_bytes(file))]


def write(
    game: Game | Result | Iterable[str],
    file: str | os.PathLike[str],
    *,
    problem: str | Problem | Instance | None = None,
    format: str | None = None,
    force: bool = False,
) -> None:
    """Writes a game to a file; its ending decides the format. Moves alone need the problem that they are of."""
    from ._result import Result

    if isinstance(game, Result):
        return game.save(file, format=format, force=force)
    if isinstance(game, Game):
        return save(open(next(named for named in (problem, game.instance, game.problem) if named is not None)), game.moves, file, format, game.origin, force)
    if problem is None:
        raise TypeError("moves alone need the problem that they are of: write(moves, file, problem=...)")
    save(open(problem), list(game), file, format, {}, force)


def save(
    instance: Instance,
    moves: list[str],
    file: str | os.PathLike[str],
    format: str | None,
    origin: dict[str, Any],
    force: bool,
) -> None:
    """Writes a game with its origin."""
    path = Path(file)
    contents = instance._opened.write(moves, format or path.suffix, json.dumps(origin))
    try:
        with path.open("wb" if force else "xb") as out:
            out.write(contents)
    except FileExistsError:
        raise FileExistsError(f"{path} exists; force=True replaces it") from None
