"""Several processes give the bytes that one gives, for many files and for one large file."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import HEADER, POISON, Outcome, call, line_bytes, run_process

SIZE = 9 * 1024 * 1024


def session(path: Path, size: int, every: int) -> None:
    """A cassette of about so many bytes with a poisoned answer now and then."""
    filler = "The river runs past the mill and turns the wheel. " * 40
    with path.open("wb") as out:
        out.write(line_bytes(HEADER) + b"\n")
        number = 0
        while out.tell() < size:
            text = f"{filler} {POISON} {filler}" if number % every == 7 else filler
            for line in call(text, number):
                out.write(line_bytes(line) + b"\n")
            number += 1


def lint(jobs: int, *paths: Path, cwd: Path) -> Outcome:
    return run_process(["lint", "--no-config", "--format", "json", "--jobs", str(jobs), *paths], cwd)


@pytest.mark.slow
def test_one_large_file(tmp_path: Path) -> None:
    path = tmp_path / "large.cassette.jsonl"
    session(path, SIZE, 500)
    alone = lint(1, path, cwd=tmp_path)
    assert len(alone.json["findings"]) >= 3
    for jobs in (2, 3):
        assert lint(jobs, path, cwd=tmp_path).stdout == alone.stdout


@pytest.mark.slow
def test_many_files(tmp_path: Path) -> None:
    for number in range(6):
        session(tmp_path / f"{number}.cassette.jsonl", SIZE // 5, 100 + number)
    (tmp_path / "broken.cassette.jsonl").write_text("not a cassette", encoding="utf-8")
    alone = lint(1, tmp_path, cwd=tmp_path)
    assert alone.exit == 2
    assert len(alone.json["findings"]) >= 6
    assert lint(2, tmp_path, cwd=tmp_path).stdout == alone.stdout
