"""scripts/bench at a size that says nothing about speed: its data, the shape of its table, its exit status."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from support import ROOT, clean_environment, run_process

BENCH = ROOT / "scripts" / "bench"
HEADS = ["name", "median s", "floor s", "ratio", "target", "peak MiB", "MB/s"]

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not hasattr(os, "posix_spawn"), reason="needs a POSIX system")]


def script(*args: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *map(str, args)],
        cwd=ROOT,
        env={**clean_environment(), **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )


def cells(output: str) -> list[list[str]]:
    """The rows of the printed table."""
    return [[c.strip() for c in line[1:-1].split("|")] for line in output.splitlines() if line.startswith("|")]


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from strings(item)


def make(name: str, size: int, folder: Path) -> Path:
    """A file of the generator, which is a program of its own."""
    path = folder / f"{name}.cassette.jsonl"
    done = script("scripts/_bench_data.py", name, str(size), path)
    assert (done.returncode, done.stderr) == (0, "")
    return path


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    return make("mixed", 5_000_000, tmp_path_factory.mktemp("data")).read_bytes().splitlines(keepends=True)


# --- the program


def test_a_tiny_run_prints_a_row_for_everything(tmp_path: Path) -> None:
    (tmp_path / "tmp").mkdir()
    figures = tmp_path / "figures.json"
    done = script(BENCH, "--size", "0.2", "--runs", "1", "--json", figures, TMPDIR=str(tmp_path / "tmp"))
    assert done.returncode == 0, done.stderr
    assert list((tmp_path / "tmp").iterdir()) == []
    heads, rule, *rows = cells(done.stdout)
    assert heads == HEADS
    assert all(re.fullmatch("-+:?", cell) for cell in rule)

    known = run_process(["lint", "--help"], tmp_path).stdout
    names = ["small", "version", "help", "jobs-1", "candidates"]
    if "--jobs" in known:
        names.insert(4, "jobs-2")
    else:
        assert "lint has no option --jobs" in done.stdout
    report = json.loads(figures.read_text("utf-8"))
    assert [r["name"] for r in report["results"] if r["name"] != "no-prefilter"] == names

    assert len(rows) == len(report["results"])
    for row, result in zip(rows, report["results"], strict=True):
        assert row[0] == result["title"]
        assert row[1:3] == [f"{result['seconds']:.3f}", f"{result['floor_seconds']:.3f}"]
        assert result["ratio"] == pytest.approx(result["seconds"] / result["floor_seconds"])
        assert row[3] == f"{result['ratio']:.2f}" + (" *" if result["meets_target"] is False else "")
        assert result["every_run"] == {"program": [result["seconds"]], "floor": [result["floor_seconds"]]}
        # Python alone has some 8 MiB; that a program is charged with the memory of the driver would show in the floor.
        assert 5 < result["floor_peak_mib"] < 60
        assert 5 < result["peak_mib"] < 1000
        if result["name"] in ("small", "version", "help"):
            assert result["meets_target"] is (result["ratio"] <= result["target"])
            assert (row[4], row[6]) == (f"≤ {result['target']}", "-")
        else:
            # No targets for files this small.
            assert (row[4], result["peak_target_mib"]) == ("-", None)
            assert float(row[6]) == pytest.approx(result["bytes"] / 1e6 / result["seconds"], abs=0.06)
            assert 200_000 <= result["bytes"] < 300_000


def test_one_row_and_kept_data(tmp_path: Path) -> None:
    args = (BENCH, "--only", "help", "--runs", "3", "--keep", tmp_path / "kept")
    first = script(*args)
    assert first.returncode == 0, first.stderr
    assert [row[0] for row in cells(first.stdout)[2:]] == ["--help"]
    [file] = (tmp_path / "kept").glob("small-*.cassette.jsonl")
    assert 10_000 < file.stat().st_size < 14_000
    before = file.stat().st_mtime_ns
    second = script(*args)
    assert second.returncode == 0
    assert file.stat().st_mtime_ns == before
    assert "making" in first.stderr
    assert "making" not in second.stderr


@pytest.mark.parametrize(
    "args",
    [("--size", "0"), ("--size", "much"), ("--runs", "0"), ("--runs", "-1"), ("--only", "nothing"), ("--jbs",), ("x",)],
    ids=" ".join,
)
def test_usage_errors(args: tuple[str, ...]) -> None:
    done = script(BENCH, *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert "usage:" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_program_that_fails(tmp_path: Path) -> None:
    (tmp_path / "mcp_cassette").mkdir()
    (tmp_path / "mcp_cassette" / "__init__.py").write_text("raise SystemExit('out of order')\n")
    done = script(BENCH, "--only", "version", "--runs", "1", PYTHONPATH=str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert re.search(r"--version ended with 1: out of order$", done.stderr.strip())


def test_data_that_cannot_be_kept(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = script(BENCH, "--only", "version", "--keep", tmp_path / "file")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("bench: ")


def test_the_peak_is_that_of_the_largest_worker_and_not_of_who_asks() -> None:
    """A program inherits the peak of the one that starts it, and its own is not that of its workers."""
    worker = "b = bytearray(60 << 20)"
    program = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {worker!r}], check=True)"
    code = (
        "import sys; sys.path.insert(0, 'scripts'); from _bench_run import Program; b = bytearray(150 << 20)\n"
        f"for code in ('pass', {program!r}):\n"
        "    p = Program([sys.executable, '-c', code]); p.run(); print(*p.peaks, *p.seconds)"
    )
    done = script("-c", code)
    assert done.returncode == 0, done.stderr
    (small, _), (large, seconds) = (map(float, line.split()) for line in done.stdout.splitlines())
    assert 5 < small < 40
    assert 65 < large < 120
    assert 0 < seconds < 60


# --- its data


@pytest.mark.parametrize("name", ["mixed", "candidates", "small"])
def test_the_same_bytes_every_time(name: str, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
    first, second = (make(name, 300_000, tmp_path / folder) for folder in ("a", "b"))
    assert first.read_bytes() == second.read_bytes()
    assert [p.name for p in (tmp_path / "a").iterdir()] == [first.name]


def test_a_mixed_file_is_a_cassette_of_calls(mixed: list[bytes]) -> None:
    header, *entries = map(json.loads, mixed)
    assert (header["type"], header["cassetteVersion"]) == ("header", 2)
    assert [e["t"] for e in entries] == sorted(e["t"] for e in entries)
    asked = {e["frame"]["id"]: e["frame"]["method"] for e in entries if e["dir"] == "c2s"}
    answers = [e["frame"] for e in entries if e["dir"] == "s2c"]
    assert len(asked) == len(answers) == len(entries) / 2
    assert {type(wire_id) for wire_id in asked} == {int, str}
    assert set(asked.values()) == {"tools/list", "tools/call"}
    listings = [a["result"]["tools"] for a in answers if asked[a["id"]] == "tools/list"]
    assert len(listings) > 1
    assert all(tools == listings[0] for tools in listings)
    assert len(listings[0]) == 30


def test_a_mixed_file_is_mixed(mixed: list[bytes]) -> None:
    """Shares as documented, with room: the file is a sample, and another Python draws another one."""
    values = list(map(json.loads, mixed))
    texts = [list(strings(value)) for value in values]
    foreign = [line.isascii() for line, found in zip(mixed, texts, strict=True) if not all(map(str.isascii, found))]
    assert 0.02 < sum(foreign) / len(foreign) < 0.25  # escaped to ASCII: a tenth
    assert 0.02 < sum(line.startswith(b'{"type": ') for line in mixed) / len(mixed) < 0.09  # spaces: a twentieth
    results = [v["frame"]["result"] for v in values[1:] if "content" in v["frame"].get("result", {})]
    assert 0.2 < sum("io.modelcontextprotocol/serverInfo" in r.get("_meta", {}) for r in results) / len(results) < 0.4
    blocks = [block for result in results for block in result["content"]]
    assert {block["type"] for block in blocks} == {"text", "image", "resource"}
    assert any("structuredContent" in result for result in results)
    every = "\n".join(text for found in texts for text in found)
    for sign in ("<details>", "<!-- ", "```python", "export async function", "。", "ошибка", "시스템"):
        assert sign in every, sign
    for sign in ("👩\u200d💻", "❤\ufe0f", "🇯🇵", ";base64,", "…", "“"):
        assert sign in every, sign
    lengths = sorted(len(line) for line, value in zip(mixed, values, strict=True) if value.get("dir") == "s2c")
    assert lengths[0] < 1000
    assert 2000 < lengths[len(lengths) // 2] < 8000
    assert 50_000 < lengths[-1] < 250_000


def test_the_one_poisoned_answer_is_found(mixed: list[bytes], tmp_path: Path) -> None:
    (tmp_path / "mixed.cassette.jsonl").write_bytes(b"".join(mixed[:400]))
    run = run_process(["lint", "--no-config", "--format", "json", "mixed.cassette.jsonl"], tmp_path)
    assert run.exit == 0, run.stderr
    found = {(f["line"], f["surface"]) for f in run.json["findings"] if f["rule"] == "CAS-L001"}
    assert len(found) == 1
    # Words drawn by lot stand together as an order does, now and then.
    assert len({f["line"] for f in run.json["findings"]}) < 5
    assert run.json["problems"] == []


def test_every_answer_of_the_other_file_is_found(tmp_path: Path) -> None:
    file = make("candidates", 500_000, tmp_path)
    run = run_process(["lint", "--no-config", "--format", "json", file], tmp_path)
    assert run.exit == 0, run.stderr
    lines = [json.loads(line) for line in file.read_bytes().splitlines()]
    answers = {number for number, line in enumerate(lines, 1) if line.get("dir") == "s2c"}
    assert len(answers) > 30
    assert {f["line"] for f in run.json["findings"]} == answers
    # The requests are candidates, too: what their arguments say is for secrets and house rules alone.
    requests = [line["frame"]["params"]["arguments"]["query"] for line in lines if line.get("dir") == "c2s"]
    assert len(set(requests)) == 5


def test_the_small_file_is_a_whole_session(tmp_path: Path) -> None:
    file = make("small", 12_000, tmp_path)
    assert file.stat().st_size == pytest.approx(12_000, rel=0.05)
    frames = [json.loads(line)["frame"] for line in file.read_bytes().splitlines()[1:]]
    assert [f["method"] for f in frames if "method" in f] == ["initialize", "tools/list", *["tools/call"] * 5]
    run = run_process(["lint", "--no-config", "--format", "json", file], tmp_path)
    assert (run.exit, run.json["findings"], run.json["problems"]) == (0, [], [])
