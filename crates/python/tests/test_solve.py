"""Searches from Python are those of the command line."""

from __future__ import annotations

import json
import pickle
import signal
import subprocess
import sys
import threading
import time

import nestling
import pytest
from nestling import searches

NESTLING = [sys.executable, "-m", "nestling"]


def by_command(*words):
    printed = subprocess.run([*NESTLING, *words, "--json"], capture_output=True, text=True, check=True).stdout
    return json.loads(printed.splitlines()[-1])


def test_the_result_is_that_of_the_command():
    found = nestling.solve("morpion-5d", "nrpa(2)", seed=7)
    told = by_command("solve", "morpion-5d", "-s", "nrpa(2)", "--seed", "7", "--no-store")
    assert (found.score, found.moves, found.playouts, found.stop) == tuple(
        told[name] for name in ("score", "moves", "playouts", "stop")
    )
    assert found.improvements[-1].score == found.score
    assert [step.score for step in found.improvements] == sorted({step.score for step in found.improvements})


@pytest.mark.parametrize("threads", [2, 3])
def test_threads_do_not_change_a_result(threads):
    alone = nestling.solve("morpion-5d", "repeat(6, nrpa(2))", seed=7, threads=1)
    found = nestling.solve("morpion-5d", searches.repeat(6, searches.nrpa(2)), seed=7, threads=threads)
    assert (found.score, found.moves, found.playouts) == (alone.score, alone.moves, 60_000)


def test_options_are_those_of_the_command():
    assert nestling.solve("left-move:60", "repeat(nrpa(1))", playouts=500, seed=1).stop == "playouts"
    assert nestling.solve("left-move:60", "repeat(nrpa(2))", target=40, seed=1, playouts=100_000).stop == "target"
    assert nestling.solve("left-move:60", time=0.3, seed=1).stop in ("time", "bound")
    start = nestling.solve("left-move:6", "nrpa(1)", seed=1, from_=["right"])
    assert start.moves[0] == "right" and start.score <= 5


def test_what_the_command_refuses_is_an_error():
    for words, told in [
        (dict(problem="morpion-5x"), "did you mean"),
        (dict(problem="morpion-5d", search="nrpa(2"), "found the end"),
        (dict(problem="morpion-5d", search="repeat(nrpa(2))"), "never ends by itself"),
        (dict(problem="quarto"), "two-player"),
        (dict(problem="left-move:5", search="nrpa(1)", time=-1), "more than zero"),
        (dict(problem="left-move:5", search="nrpa(1)", runs=0), "runs=0: expected a number from 1"),
        (dict(problem="left-move:5", search="nrpa(1)", from_=["up"]), "up"),
        (dict(problem="left-move:5", search="nrpa(1)", playouts=1e6), "playouts=1000000.0: expected a whole number"),
        (dict(problem="left-move:5", search="nrpa(1)", seed=-1), "seed=-1: expected a number from 0"),
        (dict(problem="left-move:5", search="nrpa(1)", time="5"), "time='5': expected a finite number"),
        (dict(problem="left-move:5", search="nrpa(1)", time=float("inf")), "time=inf: expected a finite number"),
        (dict(problem="left-move:5", search="nrpa(1)", checkpoint=0), "checkpoint=0"),
        (dict(problem="left-move:5", search="nrpa(1)", device="gpu"), "device='gpu'"),
        (dict(problem="left-move:5", search="nrpa(1)", on="slurm"), "on='slurm'"),
        (dict(problem="left-move:5", search="nrpa(1)", on=True), "on=True"),
        (dict(problem="left-move:5", search="nrpa(1)", runs=2, file="x"), "a batch of runs"),
        (dict(problem="left-move:5", search="nrpa(1, warm=nowhere.txt)"), "nowhere.txt"),
    ]:
        with pytest.raises(nestling.Error, match=told):
            nestling.solve(**words)
    with pytest.raises(TypeError, match="no option 'colour'"):
        nestling.solve("left-move:5", "nrpa(1)", colour="red")
    with pytest.raises(TypeError):
        nestling.solve(5)


def test_a_game_is_a_warm_start(tmp_path):
    game = tmp_path / "game.psol"
    nestling.solve("morpion-5d", "nrpa(2)", seed=7).save(game)
    search = f'nrpa(1, iterations=20, warm="{game}")'
    found = nestling.solve("morpion-5d", search, seed=1)
    told = by_command("solve", "morpion-5d", "-s", search, "--seed", "1", "--no-store")
    assert (found.score, found.moves) == (told["score"], told["moves"])
    game.write_text(game.read_text().rsplit(" ", 1)[0])
    with pytest.raises(nestling.Error, match="game.psol: .*expected the number"):
        nestling.solve("morpion-5d", search)


def test_a_batch_has_the_runs_of_the_command():
    batch = nestling.solve("morpion-5d", "nrpa(1)", runs=8, seed=5)
    printed = subprocess.run(
        [*NESTLING, "solve", "morpion-5d", "-s", "nrpa(1)", "--runs", "8", "--seed", "5", "--no-store", "--json"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    told = [json.loads(line) for line in printed.splitlines()]
    told = {line["run"]: line for line in told if line["event"] == "result" and "run" in line}
    assert [(run.score, run.moves, run.seed) for run in batch] == [
        (told[run]["score"], told[run]["moves"], told[run]["seed"]) for run in range(8)
    ]
    assert list(batch.to_pandas()["score"]) == batch.scores
    assert batch.best.score == max(batch.scores)
    assert "<svg" in batch._repr_svg_()


def test_leaving_the_loop_stops_the_search():
    for event in nestling.run("morpion-5t", "repeat(nrpa(3))", time=60, seed=1):
        if isinstance(event, nestling.Improvement):
            break
    assert all("nestling" != thread.name for thread in threading.enumerate())


def test_a_loop_ends_with_the_result():
    *before, last = nestling.run("left-move:20", "nested(2)", seed=1)
    assert isinstance(last, nestling.Result)
    assert all(isinstance(event, (nestling.Improvement, nestling.Progress)) for event in before)


def test_a_search_in_the_background_can_be_cancelled():
    run = nestling.start("morpion-5t", "repeat(nrpa(3))", time=600, seed=1)
    with pytest.raises(TimeoutError):
        run.wait(0.2)
    while run.best is None:
        time.sleep(0.01)
    run.cancel()
    found = run.wait()
    assert found.stop == "cancelled" and found.score >= run.best.score and run.is_done


@pytest.mark.parametrize("options", ["time=600", "time=600, runs=4"])
def test_control_c_raises_and_tells_the_best(options):
    script = f"""
import nestling
try:
    nestling.solve("morpion-5t", "repeat(nrpa(3))", {options}, seed=1)
except nestling.Interrupted as stopped:
    print("best", stopped.best)
"""
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    time.sleep(2)
    child.send_signal(signal.SIGINT)
    printed, _ = child.communicate(timeout=30)
    assert printed.startswith("best ")


def test_other_threads_run_during_a_search():
    run = nestling.start("morpion-5t", "repeat(nrpa(3))", time=1.5, seed=1, threads=1)
    count = 0
    while not run.is_done:
        count += 1
        time.sleep(0)
    assert count > 1000


def test_a_progress_bar(capfd):
    pytest.importorskip("tqdm", reason="tqdm is not installed")
    nestling.solve("left-move:60", "repeat(nrpa(1))", playouts=20_000, seed=1, progress=True)
    assert "playouts" in capfd.readouterr().err


def test_pictures_for_notebooks():
    found = nestling.solve("morpion-5d", "nrpa(1)", seed=1)
    assert found._repr_svg_().startswith("<svg")
    shown = found._repr_html_()
    assert shown.count("<svg") == 2 and "<script" not in shown
    plain = nestling.solve("left-move:5", "nrpa(1)", seed=1)
    assert plain._repr_svg_() is None and "<pre>" in plain._repr_html_()


def interrupt(run):
    """Stops a run that has found a game, and has had the time for some checkpoints."""
    while run.best is None:
        time.sleep(0.01)
    time.sleep(0.5)
    run.cancel()
    run.wait()


@pytest.mark.parametrize("search, runs", [("repeat(60000, nrpa(1))", 1), ("nrpa(1)", 60_000)])
def test_a_continued_run_knows_its_best_game(tmp_path, monkeypatch, search, runs):
    from nestling import _solve

    path = tmp_path / "runs.db"
    interrupt(nestling.start("morpion-5d", search, seed=3, runs=runs, store=path, checkpoint=0.1))
    monkeypatch.setattr(_solve, "_made_now", lambda made, bar: made)
    best = nestling.resume(store=path).best
    assert best.score == nestling.Store(path).runs()[0]["best"]
    assert len(best.moves) == best.score
    assert (best.run is None) == (runs == 1)


def test_a_run_is_kept_and_continued(tmp_path):
    path = tmp_path / "runs.db"
    whole = nestling.solve("morpion-5d", "repeat(60, nrpa(2))", seed=3)
    interrupt(nestling.start("morpion-5d", "repeat(60, nrpa(2))", seed=3, threads=1, store=path, checkpoint=0.1))
    store = nestling.Store(path)
    assert [kept["state"] for kept in store.runs()] == ["interrupted"]
    found = nestling.resume(store=path)
    assert (found.score, found.moves, found.playouts) == (whole.score, whole.moves, whole.playouts)
    assert store.runs()[0]["state"] == "done"
    assert store.to_pandas().loc[1, "best"] == whole.score
    assert store.best("morpion-5d")[0]["score"] == whole.score
    assert store.run(1)["improvements"][-1]["score"] == whole.score
    with pytest.raises(nestling.Error, match="done"):
        nestling.resume(1, store=path)


def test_expressions_are_objects_or_text():
    assert str(searches.repeat(3, searches.pool(100, skew=2))) == str(nestling.Search("repeat(3,pool(100,skew=2))"))
    with pytest.raises(AttributeError, match="nrpa"):
        searches.nothing
    with pytest.raises(nestling.Error):
        searches.nrpa("deep")
    assert "nested" in dir(searches)


def test_illegal_moves_are_errors():
    with pytest.raises(nestling.Error):
        nestling.open("left-move:3").legal_moves(["left", "sideways"])


def test_the_command_has_the_words_of_its_errors():
    told = subprocess.run([*NESTLING, "solve", "morpion-5d", "-s", "nrpa(x)"], capture_output=True, text=True)
    assert told.returncode == 2 and told.stderr.startswith("nestling: the search: column 6")
    told = subprocess.run([*NESTLING, "solve", "morpion-5d", "--on", "slurm"], capture_output=True, text=True)
    assert told.returncode == 2 and "expected ray" in told.stderr


def test_games_worth_keeping_are_told():
    events = list(nestling.run("left-move:12", "pool(2000)", seed=1, keep=10))
    finds = [event for event in events if isinstance(event, nestling.Find)]
    assert finds and all(find.score >= 10 for find in finds)


def test_a_loop_that_is_over_stays_over():
    run = nestling.run("left-move:8", "nested(1)", seed=1)
    assert list(run) and list(run) == []


def test_results_can_be_pickled():
    batch = nestling.solve("left-move:12", "nested(1)", runs=4, seed=3)
    again = pickle.loads(pickle.dumps(batch))
    assert again.scores == batch.scores and again.best.draw() == batch.best.draw()
    assert batch.mean == sum(batch.scores) / 4 and batch.standard_error >= 0


def test_the_best_of_a_batch_is_the_best():
    run = nestling.run("left-move:30", "playout", runs=20, seed=3)
    *_, last = run
    assert run.best.score == max(run.wait().scores)


def test_a_short_run_is_kept_if_that_is_asked_for(tmp_path):
    found = nestling.solve("left-move:8", "nested(1)", seed=1, store=tmp_path / "runs.db")
    assert found.id == 1 and nestling.Store(tmp_path / "runs.db").runs()[0]["best"] == found.score
    with pytest.raises(nestling.Error, match="one place"):
        nestling.solve("left-move:8", "nested(1)", store=tmp_path / "runs.db", file=tmp_path / "x")
