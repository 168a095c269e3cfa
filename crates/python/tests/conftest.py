"""What all tests share: no run of theirs touches the user's store, and Ray keeps to a short folder of its own."""

from __future__ import annotations

import os
import tempfile

import nestling
import pytest
from clusters import REPEAT, RUNS, essence, essences

os.environ["RAY_TMPDIR"] = tempfile.mkdtemp(prefix="r", dir="/tmp")
os.environ["NESTLING_STORE"] = os.path.join(tempfile.mkdtemp(), "runs.db")
os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_AUTH_MODE", "token")
os.environ.setdefault("RAY_worker_niceness", "0")


@pytest.fixture(scope="module")
def cluster():
    """A cluster of four workers on this machine."""
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    ray.init(address="local", num_cpus=4, include_dashboard=False, log_to_driver=False, logging_level="error")
    yield ray
    ray.shutdown()


@pytest.fixture(scope="session")
def alone():
    """The result of one thread."""
    return essence(nestling.solve("morpion-5d", REPEAT, seed=7, threads=1))


@pytest.fixture(scope="session")
def batch_alone():
    """The results of a batch's runs."""
    return essences(nestling.solve("morpion-5d", "nrpa(2)", seed=7, runs=RUNS, threads=1))
