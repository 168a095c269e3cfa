"""Problems that are written in Python: every search runs on them, and they keep the same promises as ours."""

from __future__ import annotations

import random
import subprocess
import sys
import time

import nestling
import pytest
from problems import Knapsack, LongWalk, Walk

SEARCHES = [
    "playout",
    "repeat(50, playout)",
    "nested(1)",
    "step(repeat(5, playout))",
    "nrpa(2, iterations=20)",
    "repeat(3, nrpa(1))",
    "pool(500)",
    "beam(5)",
    "uct(200)",
    "mean(5, playout)",
    "lookahead(repeat(3, playout))",
    "reflexive(2, 2)",
]


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("problem", [Knapsack, Walk])
def test_every_search_runs_and_repeats(problem, search):
    one, other = (nestling.solve(problem(), search, seed=4) for _ in range(2))
    assert (one.score, one.moves, one.playouts) == (other.score, other.moves, other.playouts)
    assert one.score is not None


def test_the_laws_hold():
    nestling.check(Knapsack())
    nestling.check(Walk())


def test_broken_problems_are_named():
    class Forgetful(Knapsack):
        def copy(self):
            return self

    class Restless(Knapsack):
        def legal_moves(self):
            return random.sample(super().legal_moves(), len(super().legal_moves()))

    class Twin(Knapsack):
        def text(self, move):
            return "a weight"

    for problem, law in [(Forgetful, "clone"), (Restless, "same|clone"), (Twin, "texts")]:
        with pytest.raises(AssertionError, match=law):
            nestling.check(problem())
    with pytest.raises(TypeError):
        nestling.check("morpion-5d")


def test_exceptions_come_out_as_they_are():
    class Late(Knapsack):
        def score(self):
            return 1 / 0

    class Gone(Knapsack):
        def play(self, weight):
            raise KeyError("nothing there")

    class Odd(Knapsack):
        def legal_moves(self):
            return [object()] if self.used == 0 else []

    class Nan(Knapsack):
        def score(self):
            return float("nan")

    class Biased(Knapsack):
        def bias(self, move):
            return 1e9

    class Copied(Knapsack):
        def copy(self):
            return Knapsack()

    class Empty(nestling.Problem):
        pass

    for problem, error, told in [
        (Late(), ZeroDivisionError, "division"),
        (Gone(), KeyError, "nothing there"),
        (Odd(), TypeError, "repr"),
        (Nan(), ValueError, "score.. returned NaN"),
        (Biased(), ValueError, "-300 and 300"),
        (Copied(), TypeError, "copy"),
        (Empty(), NotImplementedError, "legal_moves"),
    ]:
        with pytest.raises(error, match=told):
            nestling.solve(problem, "repeat(nrpa(2))", playouts=1000, seed=1)


def test_one_thread_is_said_plainly():
    with pytest.raises(nestling.Error, match="one thread at a time"):
        nestling.solve(Knapsack(), "nrpa(1)", threads=2)
    with pytest.raises(nestling.Error, match="file=PATH"):
        nestling.solve(Knapsack(), "nrpa(1)", store=True)


def test_bound_and_picture():
    found = nestling.solve(Walk(), "repeat(nrpa(2))", playouts=50_000, seed=1)
    assert (found.score, found.stop, found.proven) == (0, "bound", True)
    assert found.svg() == '<svg xmlns="http://www.w3.org/2000/svg"><text>(8, 4)</text></svg>'
    assert all(" " in move for move in found.moves)


def test_the_default_search():
    assert nestling.solve(Knapsack(), playouts=2000, seed=1).score == 200


def test_a_budget_in_time():
    found = nestling.solve(Knapsack(room=10_000), "repeat(nrpa(3))", time=0.5, seed=1, target=1e9)
    assert found.stop == "time" and found.score > 9_000


def test_a_batch():
    batch = nestling.solve(Walk(), "nested(1)", runs=6, seed=2)
    assert len({run.seed for run in batch}) == 6
    assert batch.best.score == min(batch.scores)
    alone = nestling.solve(Walk(), "nested(1)", seed=batch[3].seed)
    assert (alone.score, alone.moves) == (batch[3].score, batch[3].moves)


def test_a_killed_run_goes_on_from_its_file(tmp_path):
    whole = nestling.solve(LongWalk(), "repeat(400, nrpa(2, iterations=20))", seed=9)
    path = tmp_path / "walk.run"
    script = f"""
import sys; sys.path.insert(0, {str(__file__.rsplit('/', 1)[0])!r})
import nestling
from problems import LongWalk
found = nestling.solve(LongWalk(), "repeat(400, nrpa(2, iterations=20))", seed=9, file={str(path)!r}, checkpoint=0.1)
print(found.score, found.playouts, ";".join(found.moves))
"""
    kills = 0
    while True:
        child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
        try:
            printed, _ = child.communicate(timeout=1.5)
            break
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            kills += 1
            assert kills < 60
    assert printed.strip() == f"{whole.score} {whole.playouts} {';'.join(whole.moves)}"
    assert kills > 0 and not path.exists()


def test_a_file_of_another_run_is_refused(tmp_path):
    path = tmp_path / "other.run"
    path.write_text("something else")
    with pytest.raises(nestling.Error, match="other.run"):
        nestling.solve(Knapsack(), "nrpa(1)", seed=1, file=path)
    assert path.read_text() == "something else"


def test_the_background_leaves_the_interpreter_free():
    run = nestling.start(Knapsack(room=100_000), "repeat(nrpa(3))", time=1, seed=1)
    count = 0
    while not run.is_done:
        count += 1
        time.sleep(0.001)
    assert count > 20
    assert run.wait().stop == "time"


def test_a_mistake_does_not_spoil_the_file(tmp_path):
    """After an exception the run continues from the last sound state."""
    path = tmp_path / "walk.run"
    search = "repeat(200, nrpa(2, iterations=20))"
    whole = nestling.solve(LongWalk(), search, seed=9)

    class Faulty(LongWalk):
        count = 0

        def score(self):
            Faulty.count += 1
            if Faulty.count == 30_000:
                raise RuntimeError("now")
            return super().score()

    with pytest.raises(RuntimeError, match="now"):
        nestling.solve(Faulty(), search, seed=9, file=path, checkpoint=0.05)
    assert path.exists()
    # Search and seed are in the file.
    found = nestling.solve(LongWalk(), file=path)
    assert (found.score, found.moves, found.playouts) == (whole.score, whole.moves, whole.playouts)


def test_one_search_at_a_time_on_one_object():
    problem = nestling.open(Knapsack(room=100_000))
    first = nestling.start(problem, "repeat(nrpa(3))", time=60, seed=1)
    with pytest.raises(nestling.Error, match="already"):
        nestling.solve(problem, "nrpa(1)", seed=1, playouts=10)
    first.cancel()
    first.wait()
    assert nestling.solve(problem, "nrpa(1)", seed=1, playouts=10).score > 0
