"""The README, the examples in docstrings, the stubs and the annotations are true."""

from __future__ import annotations

import doctest
import importlib
import inspect
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import nestling
import pytest

README = Path(__file__).parents[1] / "README.md"
MODULES = ["nestling", *(f"nestling.{module.name}" for module in pkgutil.iter_modules(nestling.__path__) if module.name not in ("__main__", "_native"))]


def ran(*words, folder):
    return subprocess.run([sys.executable, *words], cwd=folder, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("page", [README, README.parents[2] / "README.md"], ids=["package", "project"])
def test_the_readme_runs_and_prints_what_it_says(tmp_path, page):
    for package in ("pandas", "ray"):
        pytest.importorskip(package, reason=f"{package} is not installed, and the README uses it")
    blocks = re.findall(r"^```python\n(.*?)^```$", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert blocks
    script = tmp_path / "readme.py"
    script.write_text("\n".join(blocks), encoding="utf-8")
    promised = re.findall(r"print\(.*\)  # (.*)$", script.read_text(encoding="utf-8"), re.MULTILINE)
    done = ran(script.name, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == promised


def test_the_links_of_the_readme_lead_somewhere():
    for link in re.findall(r"\]\(([^)#]+)\)", README.read_text(encoding="utf-8")):
        assert link.startswith("http") or (README.parent / link).exists(), link


@pytest.mark.parametrize("module", MODULES)
def test_examples_in_docstrings(module, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runner = doctest.DocTestRunner()
    for example in doctest.DocTestFinder().find(importlib.import_module(module), module):
        told = []
        runner.run(example, out=told.append)
        assert runner.failures == 0, "".join(told)


def test_all_that_is_public_is_documented():
    undocumented = []
    for name in nestling.__all__:
        public = getattr(nestling, name)
        if isinstance(public, str):
            continue
        # What a class inherits is documentation of something else.
        own = vars(public) if inspect.isclass(public) else {"__doc__": public.__doc__}
        undocumented += [] if own["__doc__"] else [name]
        members = own.items() if inspect.isclass(public) else ()
        undocumented += [
            f"{name}.{member}"
            for member, value in members
            if not member.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)) and not value.__doc__
        ]
    assert undocumented == []


def test_the_stubs_are_those_of_the_native_module(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    done = ran("-m", "mypy.stubtest", "nestling._native", folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_annotations_are_strict(tmp_path):
    pytest.importorskip("mypy", reason="mypy is not installed")
    # Optional packages may be missing, or have no annotations.
    settings = "[mypy]\nstrict = True\n[mypy-pandas.*,ray.*,tqdm.*]\nignore_missing_imports = True\n"
    (tmp_path / "mypy.ini").write_text(settings)
    done = ran("-m", "mypy", "--config-file", "mypy.ini", "--cache-dir", "cache", "-p", "nestling", folder=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
