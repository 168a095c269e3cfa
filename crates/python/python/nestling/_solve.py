"""Searches: run at once, watched, or in the background."""

from __future__ import annotations

import contextlib
import json
import math
import operator
import os
import queue
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Union

from . import _native
from ._opened import Instance, open
from ._problem import Problem
from ._result import Batch, Find, Improvement, Interrupted, Progress, Result, Trouble
from ._search import Search

if TYPE_CHECKING:
    from typing_extensions import Unpack

Event = Union[Improvement, Find, Progress, Trouble, Result]
Anything = Union[str, Problem, Instance]


#: How many events may wait for the reader; further progress events are dropped.
_WAITING = 1000


class Options(TypedDict, total=False):
    """The options of a search; :func:`solve` says what they mean."""

    time: float | None
    playouts: int | None
    target: float | None
    seed: int | None
    threads: int | None
    device: str
    runs: int
    from_: str | os.PathLike[str] | Iterable[str] | None
    keep: float | None
    checkpoint: float
    store: bool | str | os.PathLike[str]
    file: str | os.PathLike[str] | None
    on: str | None


class Run:
    """A search with its problem and its options; :func:`start` and :func:`run` return one.

    >>> import nestling
    >>> run = nestling.start("left-move:30", "nrpa(2)", seed=1)
    >>> run.wait().score
    30
    """

    def __init__(
        self,
        instance: Instance,
        job: _native.Job,
        keeping: Any,
        on: str | None,
    ) -> None:
        self._instance = instance
        self._job = job
        self._keeping = keeping
        self._on = on
        self._cancel = _native.Cancel()
        self._events: queue.SimpleQueue[Event | BaseException | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._improvements: list[Improvement] = []
        self._best: Improvement | None = None
        #: The improvements of the runs of a batch that are not over.
        self._steps: dict[int, list[Improvement]] = {}
        self._results: list[Result] = []
        self._failure: BaseException | None = None
        self._spec: dict[str, Any] = json.loads(job.spec())

    @property
    def search(self) -> str:
        """The search expression; if none was given, the one that Nestling chose."""
        return str(self._spec["search"])

    @property
    def seed(self) -> int:
        """The seed; if none was given, the one that was drawn."""
        return int(self._spec["seed"])

    @property
    def best(self) -> Improvement | None:
        """The best game so far."""
        return self._best

    @property
    def is_done(self) -> bool:
        """Whether the search has ended."""
        return self._thread is not None and not self._thread.is_alive()

    def cancel(self) -> None:
        """Stops the search; :meth:`wait` then returns its result so far."""
        self._cancel.cancel()

    def wait(self, timeout: float | None = None) -> Result | Batch:
        """Waits for the end and returns the result. After ``timeout`` seconds it raises ``TimeoutError``; the search continues."""
        thread = self._begin()
        thread.join(timeout)
        if thread.is_alive():
            raise TimeoutError(f"{self.search} is still running after {timeout} seconds")
        if self._failure is not None:
            raise self._failure
        return self._outcome()

    def __iter__(self) -> Iterator[Event]:
        """The events: improvements, progress, and at the end the result. Leaving the loop stops the search."""
        self._begin()
        try:
            while (event := self._events.get()) is not None:
                if isinstance(event, BaseException):
                    raise event
                yield event
        finally:
            self._cancel.cancel()
            if self._thread is not None:
                self._thread.join()
            # Whoever asks again is told at once that there is nothing more.
            self._events.put(None)

    def _begin(self) -> threading.Thread:
        if self._thread is None:
            self._thread = threading.Thread(target=self._make_in_background, name="nestling", daemon=True)
            self._thread.start()
        return self._thread

    def _make_in_background(self) -> None:
        def tell(event: Event) -> None:
            # Nobody may ever ask for them, and there are ten signs of life a second.
            if not isinstance(event, Progress) or self._events.qsize() < _WAITING:
                self._events.put(event)

        try:
            self._make(tell)
        except BaseException as error:  # noqa: BLE001 - it is raised again in the thread that waits
            self._failure = error
            self._events.put(error)
        finally:
            self._events.put(None)

    def _make(self, tell: Callable[[Event], None]) -> Result | Batch:
        """Runs the search on this thread."""

        def hear(text: str) -> None:
            event = self._event(json.loads(text))
            if event is not None:
                tell(event)

        cluster = self._open_cluster()
        try:
            found = self._job.run(hear, self._cancel, self._keeping, cluster)
        finally:
            if cluster is not None:
                cluster.close()
        if found is not None:
            result = Result(self._instance, json.loads(found), self._improvements)
            self._results.append(result)
            tell(result)
        return self._outcome()

    def _open_cluster(self) -> Any:
        if self._on is None:
            return None
        from . import _ray

        return _ray.Workers(self._on, self._spec.get("device", "cpu"), self._instance._object)

    def _event(self, found: dict[str, Any]) -> Event | None:
        kind = found["event"]
        if kind == "improvement":
            values = (found[name] for name in ("score", "moves", "playouts", "seconds"))
            improvement = Improvement(*values, run=found.get("run"))  # type: ignore[misc]
            if improvement.run is None:
                self._improvements.append(improvement)
            else:
                self._steps.setdefault(improvement.run, []).append(improvement)
            self._note(improvement)
            return improvement
        if kind == "find":
            return Find(found["score"], found["moves"], found["playouts"], found["seconds"])
        if kind == "progress":
            return Progress(found["seconds"], found["playouts"], found["best"])
        if kind == "trouble":
            # Where warnings are errors, this is still none: it costs no result.
            with contextlib.suppress(RuntimeWarning):
                warnings.warn(found["reason"], RuntimeWarning, stacklevel=2)
            return Trouble(found["reason"])
        if kind == "result":
            result = Result(self._instance, found, self._steps.pop(found["run"], []))
            self._results.append(result)
            return result
        return None

    def _note(self, improvement: Improvement) -> None:
        if self._best is None or self._instance._is_better(improvement.score, self._best.score):
            self._best = improvement

    def _recall(self, kept: dict[str, Any]) -> None:
        """Takes note of what earlier processes have found, as the store has it."""
        for step in kept["improvements"]:
            number = step["run"] if self._spec["runs"] > 1 else None
            self._note(Improvement(step["score"], step["moves"], step["playouts"], step["seconds"], run=number))

    def _outcome(self) -> Result | Batch:
        return self._results[0] if self._spec["runs"] == 1 else Batch(self._instance, self._results)

    def __repr__(self) -> str:
        state = "done" if self.is_done else "running" if self._thread else "not started"
        return f"<{self.search} on {self._instance.name}, seed {self.seed}: {state}>"


def _whole(name: str, value: Any, least: int) -> int | None:
    """An option that is a whole number."""
    try:
        number = None if value is None else operator.index(value)
    except TypeError:
        raise _native.Error(f"{name}={value!r}: expected a whole number") from None
    if number is not None and not least <= number < 2**64:
        raise _native.Error(f"{name}={value!r}: expected a number from {least} to {2**64 - 1}")
    return number


def _real(name: str, value: Any) -> float | None:
    """An option that is a finite number."""
    if value is None:
        return None
    if isinstance(value, (str, bytes, bool)) or not hasattr(value, "__float__") or not math.isfinite(value):
        raise _native.Error(f"{name}={value!r}: expected a finite number")
    return float(value)


def _known(options: Options) -> None:
    """Refuses options that there are not."""
    for name in options:
        if name not in Options.__annotations__:
            raise TypeError(f"there is no option {name!r}; there are {', '.join(Options.__annotations__)}")


def _decide(
    problem: Anything,
    search: str | Search | None = None,
    *,
    time: float | None = None,
    playouts: int | None = None,
    target: float | None = None,
    seed: int | None = None,
    threads: int | None = None,
    device: str = "cpu",
    runs: int = 1,
    from_: str | os.PathLike[str] | Iterable[str] | None = None,
    keep: float | None = None,
    checkpoint: float = 10.0,
    store: bool | str | os.PathLike[str] = False,
    file: str | os.PathLike[str] | None = None,
    on: str | None = None,
) -> Run:
    instance = open(problem)
    in_python = instance._object is not None
    seed, runs = _whole("seed", seed, 0), _whole("runs", runs, 1) or 1
    threads, playouts = _whole("threads", threads, 1), _whole("playouts", playouts, 1)
    interval = _real("checkpoint", checkpoint) or 0.0
    if interval <= 0:
        raise _native.Error(f"checkpoint={checkpoint!r}: expected more than zero seconds")
    if device not in ("cpu", "cuda"):
        raise _native.Error(f"device={device!r}: expected 'cpu' or 'cuda'")
    if on is not None:
        _named_cluster(on)
    if runs > 1 and file is not None:
        raise _native.Error("file: a batch of runs is kept in a store, not in a file; store=PATH keeps it")
    if in_python and threads not in (None, 1):
        raise _native.Error(f"threads={threads}: Python runs one thread at a time, so a problem in Python has one; on='ray' uses many cores")
    if store and file is not None:
        raise _native.Error("store and file: a run is kept in one place; leave one out")
    if in_python and store:
        raise _native.Error("store: a problem in Python cannot be kept in the store, which could not open it again; file=PATH keeps the run")
    if file is not None and Path(file).exists():
        search, seed = _continued(Path(file), search, seed)
    spec = {
        "problem": "",
        "search": None if search is None else str(search),
        "seed": seed,
        "device": device,
        "threads": 1 if in_python else threads,
        "runs": runs,
        "from": _start(from_, instance),
        "time": _real("time", time),
        "playouts": playouts,
        "target": _real("target", target),
        "keep": _real("keep", keep),
        "checkpoint": {"secs": int(interval), "nanos": int(interval % 1 * 1e9)},
    }
    keeping: Any = None
    if store:
        keeping = (_native.Store(None if store is True else Path(store)).path, None)
    elif file is not None:
        keeping = Path(file)
    return Run(instance, _native.Job(instance._opened, json.dumps(spec)), keeping, on)


def _named_cluster(on: Any) -> None:
    """Refuses a value that is not the name of a cluster."""
    if not (isinstance(on, str) and (on == "ray" or (on.startswith("ray:") and on != "ray:"))):
        raise _native.Error(f"on={on!r}: expected 'ray', 'ray:auto' or 'ray:ADDRESS'")


def _continued(file: Path, search: str | Search | None, seed: int | None) -> tuple[str | Search | None, int | None]:
    """The search and the seed of a run that is kept in a file, where none are given."""
    try:
        kept = json.loads(file.read_bytes().partition(b"\n")[0])
        return search if search is not None else kept["search"], seed if seed is not None else kept["seed"]
    except (ValueError, KeyError, TypeError):
        raise _native.Error(f"{file}: not a file that keeps a run; name another") from None


def _start(from_: str | os.PathLike[str] | Iterable[str] | None, instance: Instance) -> list[str]:
    """The moves to start after: those of ``FILE`` or ``FILE@K``, or a list."""
    if from_ is None:
        return []
    if not isinstance(from_, (str, os.PathLike)):
        return list(from_)
    from ._files import verify

    name, at, count = str(from_).rpartition("@")
    if not (at and count.isdigit()):
        return verify(from_, instance).moves
    moves = verify(name, instance).moves
    if int(count) > len(moves):
        raise _native.Error(f"{name}: has only {len(moves)} moves; cannot start after move {count}")
    return moves[: int(count)]


def solve(problem: Anything, search: str | Search | None = None, *, progress: bool = False, **options: Unpack[Options]) -> Any:
    """Searches for the best game of a problem.

    The options are those of ``nestling solve``:

    - ``time`` in seconds, ``playouts``, ``target``: when to stop; without a search and a limit, after ten seconds
    - ``seed``: the same seed with ``playouts``, or with a search that ends by itself, gives the same result
    - ``threads``, ``device`` (``"cpu"`` or ``"cuda"``)
    - ``runs``: the number of runs, each with its own seed; with more than one, the result is a :class:`Batch`
    - ``from_``: ``FILE``, ``FILE@K`` or moves to start after
    - ``store``: ``True`` or a path keeps the run, and :func:`resume` continues it; ``checkpoint`` is the time between
      checkpoints in seconds
    - ``file``: keeps a single run in a file of its own until it ends, and continues it if the file exists; for problems in Python too
    - ``keep``: with ``store``, also keeps games that reach this score but are not the best
    - ``on``: ``"ray"``, ``"ray:auto"`` or ``"ray:ADDRESS"`` divides the work among the workers of a Ray cluster; the result is the same
    - ``progress=True`` shows a bar (with the package tqdm)

    Ctrl-C raises :class:`Interrupted`, with the best game so far.

    >>> import nestling
    >>> nestling.solve("left-move:20", "nrpa(2)", seed=3).score
    20
    """
    _known(options)
    made = _decide(problem, search, **options)
    bar = _bar(made, options) if progress else None
    return _made_now(made, bar)


def _made_now(made: Run, bar: Any) -> Any:
    try:
        return made._make(bar or (lambda event: None))
    except KeyboardInterrupt:
        raise Interrupted(made.best) from None
    finally:
        if bar is not None:
            bar.close()


def run(problem: Anything, search: str | Search | None = None, **options: Unpack[Options]) -> Run:
    """Returns a search to be watched: its events are :class:`Improvement`, :class:`Progress`, and at the end the :class:`Result`. Leaving
    the loop stops the search. The options are those of :func:`solve`.

    >>> import nestling
    >>> for event in nestling.run("left-move:30", "nrpa(2)", seed=1):
    ...     if isinstance(event, nestling.Improvement) and event.score >= 28:
    ...         break
    >>> event.score >= 28
    True
    """
    _known(options)
    return _decide(problem, search, **options)


def start(problem: Anything, search: str | Search | None = None, **options: Unpack[Options]) -> Run:
    """Starts a search in the background; ``wait()`` returns its result, ``cancel()`` stops it. The options are those of :func:`solve`."""
    _known(options)
    made = _decide(problem, search, **options)
    made._begin()
    return made


def resume(
    id: int | None = None,
    *,
    store: str | os.PathLike[str] | None = None,
    time: float | None = None,
    playouts: int | None = None,
    on: str | None = None,
    progress: bool = False,
) -> Any:
    """Continues a run of the store, by default the one that was interrupted last. ``time`` and ``playouts`` are its new
    limits, counted from its first start."""
    if on is not None:
        _named_cluster(on)
    kept = _native.Store(None if store is None else Path(store))
    id, text = kept.resumable(id, time, playouts)
    instance = open(json.loads(text)["problem"])
    made = Run(instance, _native.Job(instance._opened, text), (kept.path, id), on)
    made._recall(json.loads(kept.run(id)))
    return _made_now(made, _bar(made, {"time": time, "playouts": playouts}) if progress else None)


class _bar:
    """A progress bar that counts seconds, playouts or runs."""

    def __init__(self, made: Run, options: Options) -> None:
        try:
            from tqdm.auto import tqdm
        except ImportError:
            raise _native.Error("progress: this needs the package tqdm; `pip install tqdm` installs it") from None

        self._runs = made._spec["runs"] > 1
        self._time = options.get("time")
        total = made._spec["runs"] if self._runs else self._time or options.get("playouts")
        unit = " runs" if self._runs else " s" if self._time else " playouts"
        self._bar = tqdm(total=total, unit=unit, desc=made._instance.name)

    def __call__(self, event: Event) -> None:
        if isinstance(event, Improvement):
            self._bar.set_postfix(best=event.score)
        elif isinstance(event, Result):
            count = self._bar.n + 1 if self._runs else self._bar.total or event.playouts
            self._bar.update(count - self._bar.n)
        elif isinstance(event, Progress) and not self._runs:
            now = event.seconds if self._time else event.playouts
            self._bar.update(min(now, self._bar.total or now) - self._bar.n)

    def close(self) -> None:
        self._bar.close()
