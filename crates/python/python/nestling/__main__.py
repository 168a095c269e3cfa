"""The command ``nestling``, also as ``python -m nestling``."""

from __future__ import annotations

import sys
from typing import NoReturn

from . import _native


def _cluster(name: str, device: str) -> object:
    from . import _ray

    return _ray.Workers(name, device)


def main() -> NoReturn:
    """Runs the command with the words that the process was started with."""
    sys.exit(_native.main(["nestling", *sys.argv[1:]], _cluster))


if __name__ == "__main__":
    main()
