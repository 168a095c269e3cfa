"""The lab on a Ray cluster: the readings are those that this machine takes, without times."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
import time

import pytest

pytest.importorskip("ray", reason="Ray is not installed")

EXPERIMENT = """
title = "A test"
paper = "by hand"
source = ["a test"]

[[series]]
name = "levels"
problem = "left-move:25"
search = "nested({level})"
runs = 60
over = { level = [0, 1, 2] }

[[series]]
name = "boards"
problem = "samegame:seed={run},size=5x5"
search = "nested(1)"
runs = 20

[[series]]
name = "timed"
problem = "left-move:30"
search = "nested(1)"
runs = 5

[[claim]]
of = "timed"
kind = "time"
published = [1]
"""


def readings(store):
    """Every reading in a store, by what was run and its number, and the machines that took them."""
    found, machines = {}, set()
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as database:
        rows = database.execute("SELECT definition, seed, first, data, machine FROM readings WHERE count > 0").fetchall()
    for definition, seed, first, data, machine in rows:
        columns = json.loads(data)
        machines.add(machine)
        assert ("seconds" in columns) == (machine != "ray")
        for number, taken in enumerate(zip(columns["score"], columns["playouts"], columns["moves"]), first):
            assert (definition, seed, number) not in found, "nothing is made twice"
            found[definition, seed, number] = taken
    return found, machines


def words(folder, store, *more):
    command = [sys.executable, "-m", "nestling", "lab", "run", "--experiments", folder / "test.toml", "--all", "--full"]
    return [*command, "--json", "--store", folder / store, *more]


def run(*command):
    told = subprocess.run(words(*command), capture_output=True, text=True, timeout=300)
    assert told.returncode == 0, told.stderr
    return [json.loads(line) for line in told.stdout.splitlines()]


def test_readings_on_ray_are_those_of_this_machine(tmp_path):
    (tmp_path / "test.toml").write_text(EXPERIMENT)
    run(tmp_path, "threads.db")
    expected, (machine,) = readings(tmp_path / "threads.db")
    assert len(expected) == 205
    rows = run(tmp_path, "ray.db", "--on", "ray")
    assert [(row["on"], row["made_here"]) for row in rows] == [("ray", None)] * 4 + [(None, "its times count")]
    assert all(row["runs"] == row["of"] for row in rows)
    assert readings(tmp_path / "ray.db") == (expected, {"ray", machine})


def test_what_was_interrupted_on_ray_goes_on_without(tmp_path):
    # Runs that take long enough to be interrupted on any machine.
    longer = EXPERIMENT.replace("runs = 60", "runs = 300").replace("left-move:25", "left-move:60")
    (tmp_path / "test.toml").write_text(longer.replace("level = [0, 1, 2]", "level = [0, 1, 3]"))
    run(tmp_path, "threads.db")
    expected, (machine,) = readings(tmp_path / "threads.db")
    with subprocess.Popen(words(tmp_path, "cut.db", "--on", "ray"), stdout=subprocess.DEVNULL) as child:
        deadline = time.monotonic() + 120
        while not (tmp_path / "cut.db").exists() or not readings(tmp_path / "cut.db")[0]:
            assert child.poll() is None and time.monotonic() < deadline
            time.sleep(0.1)
        child.send_signal(signal.SIGINT)
        assert child.wait(60) != 0
    before, machines = readings(tmp_path / "cut.db")
    assert 0 < len(before) < len(expected) and machines == {"ray"}
    run(tmp_path, "cut.db")
    assert readings(tmp_path / "cut.db") == (expected, {"ray", machine})
