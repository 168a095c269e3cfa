"""Clusters of their own: of several sizes, with a machine that is removed, with a driver that is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

import nestling
import pytest
from clusters import REPEAT, RUNS, essence, essences

ray = pytest.importorskip("ray", reason="Ray is not installed")


def connected(cpus):
    ray.init(address="local", num_cpus=cpus, include_dashboard=False, log_to_driver=False, logging_level="error")


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_any_number_of_workers(workers, alone, batch_alone):
    assert essence(nestling.solve("morpion-5d", REPEAT, seed=7, threads=2)) == alone
    connected(workers)
    try:
        assert essence(nestling.solve("morpion-5d", REPEAT, seed=7, on="ray")) == alone
        batch = nestling.solve("morpion-5d", "nrpa(2)", seed=7, runs=RUNS, on="ray")
        assert essences(batch) == batch_alone
    finally:
        ray.shutdown()


def test_a_node_that_is_removed(alone):
    from ray.cluster_utils import Cluster

    machines = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    lost = machines.add_node(num_cpus=2)
    ray.init(address=machines.address, log_to_driver=False, logging_level="error")
    try:
        timer = threading.Timer(2.0, lambda: machines.remove_node(lost, allow_graceful=False))
        timer.start()
        assert essence(nestling.solve("morpion-5d", REPEAT, seed=7, on="ray")) == alone
        timer.join()
    finally:
        ray.shutdown()
        machines.shutdown()


DRIVER = """
import sys, nestling
if __name__ == "__main__":
    store, search, runs, first = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4] == "first"
    if first:
        nestling.solve("morpion-5d", search, seed=7, runs=runs, store=store, checkpoint=0.3, on="ray")
    else:
        nestling.resume(store=store, on="ray")
"""


@pytest.mark.parametrize("batch", [False, True])
def test_a_driver_that_is_killed_three_times(tmp_path, batch):
    # Long enough to be at work when it is killed for the third time, on fast machines too.
    parts = 300
    search, runs = ("nrpa(2)", parts) if batch else (f"repeat({parts}, nrpa(2))", 1)
    undisturbed = nestling.solve("morpion-5d", search, seed=7, runs=runs, threads=2)
    store = tmp_path / "runs.db"
    words = [str(store), search, str(runs)]
    for kill in range(3):
        child = subprocess.Popen(
            [sys.executable, "-c", DRIVER, *words, "first" if kill == 0 else "again"], start_new_session=True
        )
        kept = wait_for_progress(store, child, kill)
        os.killpg(child.pid, signal.SIGKILL)
        child.wait()
        subprocess.run(["pkill", "-9", "-f", os.environ["RAY_TMPDIR"]])
        if not kept:
            break
    found = nestling.resume(store=store)
    if not batch:
        assert essence(found) == essence(undisturbed)
        return
    # The store keeps the moves of the best runs only; the seed of any other finds them again.
    assert [(run.score, run.playouts, run.stop, run.seed) for run in found] == [
        (run.score, run.playouts, run.stop, run.seed) for run in undisturbed
    ]
    assert essence(found.best) == essence(max(undisturbed, key=lambda run: run.score))


def wait_for_progress(store, child, kill):
    """Waits until the driver has kept more than it had; whether it is still at work."""
    kept, deadline, before = nestling.Store(store), time.monotonic() + 120, None
    while time.monotonic() < deadline and child.poll() is None:
        time.sleep(0.3)
        runs = kept.runs()
        now = (runs[0]["work"]["playouts"], runs[0]["finished"]) if runs else None
        if now is not None and before is not None and now > before:
            return True
        before = now if before is None else before
    return False


def test_the_command_divides_its_work(tmp_path, alone):
    words = ["solve", "morpion-5d", "-s", REPEAT, "--seed", "7", "--on", "ray", "--store", str(tmp_path / "runs.db"), "-q"]
    told = subprocess.run([sys.executable, "-m", "nestling", *words], capture_output=True, text=True, timeout=200)
    assert told.returncode == 0, told.stderr
    assert f"{alone[0]} moves" in told.stdout


def test_two_runs_share_the_cluster_of_a_process():
    search = "repeat(8, nrpa(1))"
    alone = essence(nestling.solve("morpion-5d", search, seed=3, threads=1))
    short = nestling.start("left-move:10", "repeat(4, nrpa(1))", seed=3, on="ray")
    long = nestling.start("morpion-5d", search, seed=3, on="ray")
    assert short.wait().score is not None
    assert essence(long.wait()) == alone
    assert not ray.is_initialized()


def test_a_run_that_is_cancelled_at_once_has_a_result():
    run = nestling.start("morpion-5d", "repeat(nrpa(2))", time=600, seed=3, on="ray")
    run.cancel()
    assert run.wait().stop == "cancelled"
