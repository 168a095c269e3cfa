"""Matches of two-player games."""

from __future__ import annotations

import json
from typing import Any

from . import _native
from ._opened import Instance, open


class Match:
    """The result of a match, from the point of view of the first player."""

    def __init__(self, found: dict[str, Any], games: list[tuple[int, int | None, list[str]]]) -> None:
        self._found = found
        #: Who began (0 or 1), who won (0, 1 or None), and the moves, of every game.
        self.games = games
        self.wins: int = found["wins"]
        self.draws: int = found["draws"]
        self.losses: int = found["losses"]
        #: The share of points, a draw being half a point, and its 95 % confidence interval.
        self.score: float = found["score"]
        self.confidence: tuple[float, float] = (found["confidence"][0], found["confidence"][1])
        self.seed: int = found["seed"]
        self.players: list[str] = found["players"]

    def to_dict(self) -> dict[str, Any]:
        """The result as plain data, as ``nestling match --json`` prints it."""
        return dict(self._found)

    def __repr__(self) -> str:
        low, high = self.confidence
        points = f"{self.wins} wins, {self.draws} draws, {self.losses} losses"
        return f"<{self.players[0]} against {self.players[1]}: {points}; score {self.score:.3f} ({low:.3f} to {high:.3f})>"


def match(
    game: str | Instance,
    one: str,
    other: str,
    *,
    games: int = 100,
    seed: int | None = None,
    threads: int | None = None,
    opening: int = 0,
) -> Match:
    """Lets two players of a two-player game play against each other.

    >>> import nestling
    >>> nestling.match("quarto", "uct(50)", "random", games=4, seed=1).wins >= 3
    True
    """
    heard: list[tuple[int, int | None, list[str]]] = []

    def hear(first: int, winner: int | None, moves: list[str]) -> None:
        heard.append((first, winner, moves))

    cancel = _native.Cancel()
    found = _native.play_match(open(game)._opened, [one, other], games, hear, cancel, seed, threads, opening)
    return Match(json.loads(found), heard)
