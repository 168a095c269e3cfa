"""The work of a run on a Ray cluster: the result is that of one thread, whatever happens to the workers."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time

import nestling
import pytest
from clusters import KILL_EVERY, REPEAT, RUNS, essence, essences
from nestling import _native
from problems import Knapsack, LongWalk

ray = pytest.importorskip("ray", reason="Ray is not installed")


def workers_of_nestling():
    """The processes that make tasks now."""
    found = subprocess.run(["pgrep", "-f", "^ray::nestling"], capture_output=True, text=True).stdout
    return [int(number) for number in found.split()]


class Killer(threading.Thread):
    """Kills a worker every so often."""

    def __init__(self, every):
        super().__init__(daemon=True)
        self.every, self.kills, self.is_over = every, 0, threading.Event()

    def run(self):
        while not self.is_over.wait(self.every):
            for number in workers_of_nestling()[:1]:
                try:
                    os.kill(number, signal.SIGKILL)
                    self.kills += 1
                except ProcessLookupError:
                    pass

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.join()


def test_workers_that_are_killed_all_the_time(cluster, alone, batch_alone):
    # A worker takes a second or two to start on a small machine, so that one kill a second leaves little time to work.
    with Killer(KILL_EVERY) as killer:
        # On a fast machine both are made before the first kill: then once more.
        while killer.kills == 0:
            assert essence(nestling.solve("morpion-5d", REPEAT, seed=7, on="ray")) == alone
            assert essences(nestling.solve("morpion-5d", "nrpa(2)", seed=7, runs=RUNS, on="ray")) == batch_alone
    print(f"{killer.kills} workers were killed")


def test_long_tasks_go_on_from_their_interim_reports(cluster):
    search = "repeat(2, nrpa(3, iterations=120))"
    alone = essence(nestling.solve("morpion-5d", search, seed=7, threads=1))
    # Each task takes longer than the time between two kills, so that none would ever end if it began anew.
    with Killer(3.0) as killer:
        while killer.kills == 0:
            assert essence(nestling.solve("morpion-5d", search, seed=7, on="ray")) == alone
    print(f"{killer.kills} workers were killed")


def test_a_lost_frame_costs_only_time(cluster, alone):
    """The actor that keeps interim reports dies together with a worker."""
    from nestling import _ray

    class Forgetful(_ray.Workers):
        def wait(self, longest):
            if not getattr(self, "is_struck", False) and workers_of_nestling():
                self.is_struck = True
                ray.kill(self._keeper, no_restart=False)
                os.kill(workers_of_nestling()[0], signal.SIGKILL)
            return super().wait(longest)

    assert essence(made_on(Forgetful, "morpion-5d", REPEAT, seed=7)) == alone


def made_on(workers, problem, search, **options):
    """A run on workers of another kind."""
    made = nestling.run(problem, search, **options)
    made._open_cluster = lambda: workers("ray", "cpu", made._instance._object)
    return made._make(lambda event: None)


class Liar(Knapsack):
    """On a worker every score is a thousand better."""

    def score(self):
        return self.used + (1000 if ray.get_runtime_context().get_task_id() else 0)


def test_a_worker_that_lies_about_a_score_is_named(cluster):
    with pytest.warns(RuntimeWarning, match="made by"), pytest.raises(nestling.Error, match="process .* is refused.*score 1"):
        nestling.solve(Liar(), "repeat(4, nrpa(1))", seed=1, on="ray")


def test_an_old_worker_refuses(cluster, alone):
    from nestling import _ray

    class Old(_ray.Workers):
        """The version of the driver, as far as workers are told; the first bundles alone, or all."""

        first = 2

        def hand_out(self, bundle, tasks, report_every, stop_after):
            version = _native.__version__
            if bundle < self.first:
                _native.__version__ = "0.0.1"
            try:
                super().hand_out(bundle, tasks, report_every, stop_after)
            finally:
                _native.__version__ = version

    with pytest.warns(RuntimeWarning, match="install the same version"):
        assert essence(made_on(Old, "morpion-5d", REPEAT, seed=7)) == alone
    Old.first = 1_000_000
    with pytest.warns(RuntimeWarning), pytest.raises(nestling.Error, match="the driver has 0.0.1"):
        made_on(Old, "morpion-5d", REPEAT, seed=7)


@pytest.mark.parametrize("options", [{"target": 67, "playouts": 400_000}, {"playouts": 123_456}])
def test_targets_and_budgets_are_reached_in_order(cluster, options):
    search = "repeat(nrpa(2))"
    alone = nestling.solve("morpion-5d", search, seed=11, threads=1, **options)
    assert essence(nestling.solve("morpion-5d", search, seed=11, on="ray", **options)) == essence(alone)


def test_a_target_without_a_budget_stops_everybody(cluster):
    found = nestling.solve("morpion-5d", "repeat(nrpa(2))", seed=11, target=66, on="ray")
    assert found.stop == "target" and found.score >= 66
    deadline = time.monotonic() + 20
    while workers_of_nestling() and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not workers_of_nestling()


def test_a_time_limit(cluster):
    found = nestling.solve("morpion-5d", "repeat(nrpa(3))", time=4, seed=1, on="ray")
    assert found.stop == "time" and found.score > 60 and found.playouts > 10_000


def test_means_and_searches_that_are_one_task(cluster):
    for search in ("mean(40, nested(1))", "nested(1)", "uct(2000, trees=4)", "repeat(500, playout)"):
        alone = nestling.solve("left-move:40", search, seed=5, threads=1)
        assert essence(nestling.solve("left-move:40", search, seed=5, on="ray")) == essence(alone), search


def test_problems_in_python(cluster):
    search = "repeat(12, nrpa(2, iterations=20))"
    alone = nestling.solve(LongWalk(), search, seed=5)
    assert essence(nestling.solve(LongWalk(), search, seed=5, on="ray")) == essence(alone)
    batch = nestling.solve(LongWalk(), "nested(1)", seed=5, runs=6)
    assert essences(nestling.solve(LongWalk(), "nested(1)", seed=5, runs=6, on="ray")) == essences(batch)


def test_improvements_are_told_while_tasks_go_on(cluster):
    events = list(nestling.run("morpion-5d", "repeat(4, nrpa(3, iterations=30))", seed=1, on="ray"))
    scores = [event.score for event in events if isinstance(event, nestling.Improvement)]
    assert scores == sorted(set(scores)) and scores[-1] == events[-1].score


