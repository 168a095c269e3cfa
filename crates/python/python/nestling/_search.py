"""Search expressions as objects."""

from __future__ import annotations

from typing import Any

from . import _native


class Search:
    """A search expression, such as ``repeat(24, nrpa(2))``.

    >>> from nestling import Search, searches
    >>> searches.repeat(24, searches.nrpa(2, iterations=50))
    Search('repeat(24, nrpa(2, iterations=50))')
    >>> Search("nested(2)") == searches.nested(2)
    True
    """

    def __init__(self, text: str) -> None:
        self._text = _native.parse(text)

    def __str__(self) -> str:
        return self._text

    def __repr__(self) -> str:
        return f"Search({self._text!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Search) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)


class _Maker:
    """Makes expressions of one search."""

    def __init__(self, name: str, about: str) -> None:
        self._name = name
        self.__doc__ = about

    def __call__(self, *arguments: Any, **options: Any) -> Search:
        words = [_word(argument) for argument in arguments]
        words += [f"{name}={_word(value)}" for name, value in options.items()]
        return Search(f"{self._name}({', '.join(words)})" if words else self._name)

    def __repr__(self) -> str:
        return f"<search {self._name}: {self.__doc__}>"


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


class _Searches:
    """All searches by name: ``searches.nrpa(3)`` is the expression ``nrpa(3)``."""

    def __init__(self) -> None:
        self._makers = {name: _Maker(name, about) for name, about in _native.searches()}

    def __getattr__(self, name: str) -> _Maker:
        try:
            return self._makers[name]
        except KeyError:
            raise AttributeError(f"there is no search {name!r}; there are {', '.join(self._makers)}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._makers]


searches = _Searches()


def explain(search: str | Search, problem: Any) -> dict[str, float]:
    """What a search is expected to cost on a problem: ``playouts``, and ``seconds`` of one thread here.

    >>> import nestling
    >>> round(nestling.explain("repeat(5, nrpa(1))", "left-move:30")["playouts"])
    500
    """
    from ._opened import open

    playouts, seconds = open(problem)._opened.estimate(str(search))
    return {"playouts": playouts, "seconds": seconds}
