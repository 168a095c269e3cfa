"""The notebooks run from top to bottom, and are stored without outputs."""

from __future__ import annotations

from pathlib import Path

import pytest

FOLDER = Path(__file__).parents[1] / "notebooks"
#: The packages that a notebook needs, besides those that execute it.
NEEDS = {"first_steps": ["pandas"], "your_own_problem": ["pandas"], "a_table_on_a_cluster": ["pandas", "ray"]}


def packages(*names):
    return [pytest.importorskip(name, reason=f"{name} is not installed") for name in names]


def test_every_notebook_is_tried():
    assert {path.stem for path in FOLDER.glob("*.ipynb")} == set(NEEDS)


@pytest.mark.parametrize("name", NEEDS)
def test_a_notebook_is_stored_without_outputs(name):
    (nbformat,) = packages("nbformat")
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=nbformat.NO_CONVERT)
    nbformat.validate(notebook)
    assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in notebook.cells)


@pytest.mark.parametrize("name", NEEDS)
def test_a_notebook_runs(name, tmp_path, monkeypatch):
    nbformat, nbclient, *_ = packages("nbformat", "nbclient", "ipykernel", *NEEDS[name])
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path / "runtime"))
    # Ray's workers yield to all other processes by default, and would hardly run beside other tests.
    monkeypatch.setenv("RAY_worker_niceness", "0")
    notebook = nbformat.read(FOLDER / f"{name}.ipynb", as_version=4)
    folder = tmp_path / "folder"
    folder.mkdir()
    client = nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}})
    client.execute()
    kinds = [kind for output in outputs(notebook) for kind in output.get("data", {})]
    assert not any(output.output_type == "error" for output in outputs(notebook))
    if name == "first_steps":
        assert "image/svg+xml" in kinds or "text/html" in kinds


def outputs(notebook):
    return [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
