"""Fixtures of the tests that go through the command line."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from support import HEADER, Line, MakeCassette, Outcome, Run, cassette_bytes, run_here, run_process


@pytest.fixture
def cassette(tmp_path: Path) -> MakeCassette:
    """Writes a cassette below ``tmp_path``: lines as ``support.Line``, the header apart."""

    def write(
        lines: Iterable[Line] = (),
        name: str = "session.cassette.jsonl",
        *,
        header: Line | None = HEADER,
        end: bytes = b"\n",
    ) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(cassette_bytes(lines, header, end))
        return path

    return write


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Runs the command line as a real process in ``tmp_path``."""

    def start(*args: str | Path, stdin: bytes = b"", cwd: Path = tmp_path, timeout: float = 120) -> Outcome:
        return run_process(args, cwd, stdin, timeout)

    return start


@pytest.fixture
def cli(tmp_path: Path) -> Run:
    """Runs the command line in this process, in ``tmp_path``."""

    def start(*args: str | Path, stdin: bytes = b"", cwd: Path = tmp_path) -> Outcome:
        return run_here(args, cwd, stdin)

    return start
