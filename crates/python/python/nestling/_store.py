"""The store: the runs that were kept, the same as the command line's."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _native

if TYPE_CHECKING:
    import pandas


class Store:
    """The runs that were kept. Without a path it is the store of the command line.

    >>> import nestling, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> store = nestling.Store(folder + "/runs.db")
    >>> store.runs()
    []
    """

    def __init__(self, path: str | os.PathLike[str] | None = None) -> None:
        self._store = _native.Store(None if path is None else Path(path))

    @property
    def path(self) -> Path:
        """The path of its file."""
        return Path(self._store.path)

    def runs(self) -> list[dict[str, Any]]:
        """A summary of every run."""
        runs: list[dict[str, Any]] = json.loads(self._store.runs())
        return runs

    def run(self, id: int) -> dict[str, Any]:
        """A run with all its improvements and results."""
        run: dict[str, Any] = json.loads(self._store.run(id))
        return run

    def best(self, problem: str, limit: int = 100) -> list[dict[str, Any]]:
        """The best games of a problem that were found here."""
        games: list[dict[str, Any]] = json.loads(self._store.best(problem, limit))
        return games

    def to_pandas(self) -> pandas.DataFrame:
        """The runs as a table."""
        import pandas

        columns = ["id", "problem", "search", "seed", "runs", "state", "best", "playouts", "seconds", "started"]
        return pandas.DataFrame(self.runs(), columns=columns).set_index("id")

    def __repr__(self) -> str:
        return f"<store of {len(self.runs())} runs in {self.path}>"
