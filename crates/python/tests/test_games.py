"""Games, files, matches and tours."""

from __future__ import annotations

import nestling
import pytest


@pytest.mark.parametrize("ending", ["psol", "json", "txt", "svg", "png", "msr"])
def test_games_come_back_from_every_format(tmp_path, ending):
    found = nestling.solve("morpion-5d", "nrpa(1)", seed=1)
    path = tmp_path / f"game.{ending}"
    found.save(path)
    (game,) = nestling.read(path)
    assert (game.score, game.problem, game.complete) == (found.score, "morpion-5d", True)
    assert nestling.open("morpion-5d").score(game.moves) == found.score
    with pytest.raises(FileExistsError, match="force=True"):
        found.save(path)
    nestling.write(game, path, force=True)
    assert nestling.verify(path).score == found.score


def test_all_formats_can_be_written(tmp_path):
    problem = nestling.open("morpion-5d")
    found = nestling.solve(problem, "nrpa(1)", seed=1)
    for name in problem.formats():
        path = tmp_path / f"game-{name}"
        nestling.write(found.moves, path, problem=problem, format=name)
        assert nestling.verify(path, problem).score == found.score
    with pytest.raises(nestling.Error, match="there are .psol"):
        found.save(tmp_path / "game.doc")


def test_illegal_games_are_refused(tmp_path):
    path = tmp_path / "game.txt"
    nestling.write(["left", "left"], path, problem="left-move:2")
    path.write_text(path.read_text().replace("left\n", "up\n"))
    with pytest.raises(nestling.Error, match="move 1: up"):
        nestling.verify(path)
    with pytest.raises(FileNotFoundError):
        nestling.verify(tmp_path / "nothing.txt")
    with pytest.raises(TypeError):
        nestling.write(["left"], tmp_path / "x.txt")


def test_records():
    problem = nestling.open("morpion-5d")
    assert problem.record["score"] == 82
    best = problem.published()[0]
    assert problem.score(best["moves"]) == 82 and problem.is_over(best["moves"])
    assert problem.draw(best["moves"]) and problem.svg(best["moves"], theme="dark").startswith("<svg")
    assert "morpion-5d" in nestling.problems()


def test_a_match():
    one = nestling.match("quarto", "uct(100)", "random", games=20, seed=3)
    again = nestling.match("quarto", "uct(100)", "random", games=20, seed=3, threads=1)
    assert (one.wins, one.draws, one.losses) == (again.wins, again.draws, again.losses)
    assert one.wins + one.draws + one.losses == 20 == len(one.games)
    assert one.games == again.games and one.confidence[0] <= one.score <= one.confidence[1]
    with pytest.raises(nestling.Error, match="two-player"):
        nestling.match("morpion-5d", "random", "random")
    with pytest.raises(nestling.Error, match="strong"):
        nestling.match("quarto", "strong", "random")


def test_tours_from_matrices():
    numpy = pytest.importorskip("numpy", reason="NumPy is not installed")
    places = numpy.random.default_rng(1).uniform(0, 100, (9, 2))
    travel = numpy.linalg.norm(places[:, None] - places[None], axis=2)
    found = nestling.solve(nestling.tour(travel), seed=1, playouts=20_000)
    order = [0, *(int(place) for place in found.moves)]
    order = order if order[-1] == 0 else [*order, 0]
    length = sum(travel[here, there] for here, there in zip(order, order[1:]))
    assert found.score == pytest.approx(length, abs=1e-3)
    windows = [(0, 1000)] * 9
    named = nestling.tour(travel, windows, names=[f"place {n}" for n in range(9)])
    assert nestling.solve(named, seed=1, playouts=20_000).score == pytest.approx(found.score, abs=1e-3)
    with pytest.raises(ValueError, match="square"):
        nestling.tour([[0, 1], [2]])
    with pytest.raises(ValueError, match="windows"):
        nestling.tour([[0, 1], [2, 0]], [(0, 1)])
