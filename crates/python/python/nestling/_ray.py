"""The workers of a Ray cluster. The driver, in Rust, decides what is made and believes nothing; this carries bytes."""

from __future__ import annotations

import os
import queue
import sys
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from . import _native
from ._opened import Instance, open
from ._problem import Problem

#: How often the keeper is asked for interim reports, in seconds.
_ASK_EVERY = 1.0

#: How long the keeper may take to answer before it is asked again, in seconds.
_SILENCE = 30.0

#: How long a cluster may be without any worker at the beginning, in seconds.
_PATIENCE = 120.0

#: How often the cluster is asked how large it is, in seconds.
_COUNT_EVERY = 5.0


def _import_ray(is_local: bool) -> Any:
    # Ray reads these when it is imported. A cluster of our own has a token; newer versions of Ray see to that themselves.
    if "ray" not in sys.modules:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        if is_local:
            os.environ.setdefault("RAY_AUTH_MODE", "token")
            # Ray lets everything else go before its workers; ours should be as fast as threads.
            os.environ.setdefault("RAY_worker_niceness", "0")
    try:
        import ray
    except ImportError:
        raise _native.Error("Ray is not installed here; `pip install 'nestling[ray]'` installs it") from None
    return ray


#: Problems in Python that this worker has opened, by the object they came as.
_opened: dict[bytes, Instance] = {}


def _make(
    version: str,
    keeper: Any,
    bundle: int,
    tasks: list[bytes],
    report_every: float,
    stop_after: float | None,
    problem: Any,
) -> list[bytes]:
    """Makes tasks; this runs on a worker."""
    if version != _native.__version__:
        raise RuntimeError(
            f"this worker has version {_native.__version__} of nestling, and the driver has {version}; install the same version everywhere"
        )
    instance = None
    if problem is not None:
        import ray

        (ref,) = problem
        key = ref.binary()
        if key not in _opened:
            _opened[key] = open(ray.cloudpickle.loads(ray.get(ref)))
        instance = _opened[key]._opened
    return _native.make_tasks(tasks, lambda report: keeper.put.remote(bundle, report), report_every, stop_after, instance)


class _Keeper:
    """Keeps the last interim report of every bundle until the driver asks; an actor, so it outlives the workers."""

    def __init__(self) -> None:
        self._reports: dict[int, bytes] = {}

    def put(self, bundle: int, report: bytes) -> None:
        self._reports[bundle] = report

    def take(self) -> dict[int, bytes]:
        reports, self._reports = self._reports, {}
        return reports


#: The thread that starts clusters.
_host = ThreadPoolExecutor(max_workers=1, thread_name_prefix="ray of nestling")

#: How many runs of this process use the cluster that it has connected to.
_users = 0
_connecting = threading.Lock()


class Workers:
    """The workers of a cluster: ``ray`` is one on this machine, ``ray:auto`` the one that this machine is part of. Where this process is
    connected to a cluster already, that one is used."""

    def __init__(self, name: str, device: str, problem: Problem | None = None) -> None:
        global _users
        ray = self._ray = _import_ray(name == "ray")
        pickled = None if problem is None else _pickled(ray, problem)
        self._resource = "CPU" if device == "cpu" else "GPU"
        self._refs: dict[int, Any] = {}
        self._arrived: queue.SimpleQueue[tuple[int | None, Any]] = queue.SimpleQueue()
        self._asked: float | None = None
        self._counted, self._places = 0.0, 0
        self._keeper: Any = None
        with _connecting:
            self._is_ours = _users > 0 or not ray.is_initialized()
            if not ray.is_initialized():
                self._connect(name)
            if self._is_ours:
                _users += 1
        try:
            resources = {"num_cpus": 1} if device == "cpu" else {"num_cpus": 1, "num_gpus": 1}
            self._make = ray.remote(_make).options(max_retries=0, name="nestling", **resources)
            self._keeper = ray.remote(_Keeper).options(num_cpus=0, max_restarts=-1, max_task_retries=0).remote()
            # In a list, so that Ray hands out the reference and not what it stands for.
            self._problem = None if pickled is None else [ray.put(pickled)]
            self._wait_for_places(name)
        except BaseException:
            self.close()
            raise

    def _connect(self, name: str) -> None:
        kind, _, address = name.partition(":")
        if kind != "ray":
            raise _native.Error(f"{name}: expected ray, ray:auto or ray:ADDRESS")
        options: dict[str, Any] = {"log_to_driver": False, "logging_level": "error", "configure_logging": False}
        if address == "":
            address = "local"
            options["include_dashboard"] = False
        elif not _has_token():
            warnings.warn(
                f"{name}: no token is set, so anybody who reaches this cluster can run programs on it; "
                "`ray get-auth-token --generate` and RAY_AUTH_MODE=token on all machines close it",
                stacklevel=2,
            )
        try:
            # The system ends a cluster of our own with the thread that has started it, so that thread lives on.
            _host.submit(self._ray.init, address=address, **options).result()
        except (ConnectionError, RuntimeError, ValueError, self._ray.exceptions.RayError) as error:
            raise _native.Error(f"{name}: cannot connect: {error}") from None

    def _wait_for_places(self, name: str) -> None:
        """The machines of a cluster may come after its head."""
        end = time.monotonic() + _PATIENCE
        while self.places() == 0:
            if time.monotonic() > end:
                raise _native.Error(f"{name}: after {_PATIENCE:.0f} seconds the cluster has no {self._resource}")
            time.sleep(0.5)

    def places(self) -> int:
        """How many bundles can be made at once."""
        now = time.monotonic()
        if self._places == 0 or now - self._counted > _COUNT_EVERY:
            self._counted = now
            self._places = int(self._ray.cluster_resources().get(self._resource, 0))
        return self._places

    def hand_out(self, bundle: int, tasks: list[bytes], report_every: float, stop_after: float | None) -> None:
        """Hands out a bundle of tasks."""
        version = _native.__version__
        ref = self._make.remote(version, self._keeper, bundle, tasks, report_every, stop_after, self._problem)
        self._refs[bundle] = ref
        ref.future().add_done_callback(lambda done: self._arrived.put((bundle, done)))

    def wait(self, longest: float) -> list[tuple[int, str, Any]]:
        """What has come back: bundle, kind and contents."""
        self._ask()
        deliveries: list[tuple[int, str, Any]] = []
        try:
            arrived = self._arrived.get(timeout=longest)
            while True:
                deliveries += self._delivered(*arrived)
                arrived = self._arrived.get_nowait()
        except queue.Empty:
            return deliveries

    def _ask(self) -> None:
        """Asks the keeper for interim reports, again when it has answered, or is not heard of for long."""
        now = time.monotonic()
        if self._asked is None or now > self._asked:
            self._asked = now + _SILENCE
            self._keeper.take.remote().future().add_done_callback(lambda done: self._arrived.put((None, done)))

    def _delivered(self, bundle: int | None, done: Any) -> list[tuple[int, str, Any]]:
        try:
            if bundle is None:
                self._asked = time.monotonic() + _ASK_EVERY
            found = done.result()
        except BaseException as error:  # noqa: BLE001 - whatever it is, the driver decides
            if bundle is None or self._refs.pop(bundle, None) is None:
                return []
            return [(bundle, *_trouble(self._ray, error))]
        if bundle is None:
            return [(number, "report", report) for number, report in found.items()]
        self._refs.pop(bundle, None)
        return [*((bundle, "report", report) for report in found), (bundle, "done", None)]

    def withdraw(self, bundle: int) -> None:
        """Nobody needs this bundle any more."""
        ref = self._refs.pop(bundle, None)
        if ref is not None:
            self._ray.cancel(ref)

    def close(self) -> None:
        """Leaves the cluster; one that was started for runs of this process ends with the last of them."""
        global _users
        with _connecting:
            _users -= int(self._is_ours)
            if self._is_ours and _users == 0:
                self._ray.shutdown()
            elif self._keeper is not None:
                self._ray.kill(self._keeper)


def _pickled(ray: Any, problem: Problem) -> bytes:
    """A problem with its classes, the file of which the workers need not have. What that file imports they need."""
    pickle = ray.cloudpickle
    named = {kind.__module__ for kind in type(problem).__mro__} - {"__main__", Problem.__module__}
    named -= {*sys.stdlib_module_names, *pickle.list_registry_pickle_by_value()}
    # What is installed here is installed there.
    files = {name: getattr(sys.modules.get(name), "__file__", None) or "site-packages" for name in named}
    modules = [sys.modules[name] for name, file in files.items() if "site-packages" not in file]
    for module in modules:
        pickle.register_pickle_by_value(module)
    try:
        pickled: bytes = pickle.dumps(problem)
        return pickled
    except Exception as error:  # noqa: BLE001 - a problem may hold anything
        raise _native.Error(f"{type(problem).__name__} cannot be sent to the workers: {error}") from None
    finally:
        for module in modules:
            pickle.unregister_pickle_by_value(module)


def _has_token() -> bool:
    """Whether a token guards the cluster, as far as this process knows."""
    mode = os.environ.get("RAY_AUTH_MODE", "").lower()
    named = any(os.environ.get(name) for name in ("RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"))
    return mode == "token" or (mode == "" and (named or os.path.exists(os.path.expanduser("~/.ray/auth_token"))))


def _trouble(ray: Any, error: BaseException) -> tuple[str, str]:
    """Whether the worker is gone, or says that it cannot; and why."""
    if isinstance(error, ray.exceptions.RayTaskError):
        return "failed", _line(getattr(error, "cause", None) or error)
    return "lost", _line(error)


def _line(error: BaseException) -> str:
    """An error in one line; of a traceback, which Ray puts into some texts, the last."""
    lines = [line for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    text = lines[-1] if "traceback" in str(error).lower() else lines[0]
    return text if isinstance(error, (_native.Error, RuntimeError)) else f"{type(error).__name__}: {text}"
