"""Labelled sentences of our own, linted by the real command: no language and no family falls below its floor.

The figures, and how to write the floors anew: scripts/accuracy --own."""

from __future__ import annotations

import collections
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from support import run_accuracy

HERE = Path(__file__).resolve().parent
FILES = {path.stem: path for path in sorted(HERE.glob("*.jsonl"))}
SENTENCES = [json.loads(line) for path in FILES.values() for line in path.read_text("utf-8").splitlines()]
FLOORS: dict[str, dict[str, dict[str, float]]] = tomllib.loads((HERE / "floors.toml").read_text("utf-8"))
CASES = [(by, name) for by, names in FLOORS.items() for name in names]

LANGUAGES = {"en", "zh", "es", "fr", "de", "pt", "ru", "ja", "ko", "ar"}
KEYS = ["id", "lang", "label", "family", "surface", "register", "text"]
REGISTERS = {"formal", "casual", "curt"}
FAMILIES = {
    "override", "concealment", "exfiltration", "credential-request", "shadowing", "preference", "invocation",
    "role-forgery", "fake-completion", "goal-injection", "decode-and-run", "hidden-text", "markup-exfiltration",
    "consent-bypass", "data-collection",
}  # fmt: skip


# --- the sentences


def test_there_are_enough_of_them() -> None:
    assert len(SENTENCES) >= 600
    assert set(FILES) == LANGUAGES


@pytest.mark.parametrize("lang", FILES)
def test_a_language_has_attacks_of_each_family_and_register_and_honest_ones_beside_them(lang: str) -> None:
    here = [s for s in SENTENCES if s["lang"] == lang]
    assert len(here) == len(FILES[lang].read_text("utf-8").splitlines())
    attacks, near = ([s for s in here if s["label"] == label] for label in ("attack", "near"))
    registers = collections.Counter(s["register"] for s in attacks)
    assert len(attacks) >= 15
    assert len(near) >= 30
    assert set(registers) == REGISTERS
    assert min(registers.values()) >= 5
    assert {s["family"] for s in attacks} == FAMILIES
    assert {s["family"] for s in near} >= FAMILIES
    assert {s["surface"] for s in attacks} == {s["surface"] for s in near} == {"declaration", "output"}


def test_every_sentence_is_whole_and_there_once() -> None:
    for sentence in SENTENCES:
        assert list(sentence) == KEYS, sentence
        assert sentence["label"] in ("attack", "near")
        assert sentence["register"] in REGISTERS
        assert sentence["text"].strip()
    for key in ("id", "text"):
        assert [x for x, times in collections.Counter(s[key] for s in SENTENCES).items() if times > 1] == []


# --- what is found in them


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> Any:
    file = tmp_path_factory.mktemp("own") / "figures.json"
    done = run_accuracy("--own", "--json", file)
    # 1: below a floor. The tests below say it one by one.
    assert done.returncode in (0, 1), done.stderr
    return json.loads(file.read_text("utf-8"))


def test_every_sentence_is_measured_and_every_language_and_family_has_a_floor(figures: Any) -> None:
    for by in ("language", "family"):
        rows = figures["own"][by]
        assert sum(row["attacks"]["total"] + row["near"]["total"] for row in rows) == len(SENTENCES)
        assert {row["name"] for row in rows} == set(FLOORS[by])
    assert set(FLOORS) == {"language", "family"}


@pytest.mark.parametrize(("by", "name"), CASES, ids=["-".join(case) for case in CASES])
def test_no_figure_is_worse_than_its_floor(by: str, name: str, figures: Any) -> None:
    floor = FLOORS[by][name]
    (row,) = (row for row in figures["own"][by] if row["name"] == name)
    key = {"language": "lang"}.get(by, by)
    mine = {s["id"] for s in SENTENCES if s[key] == name}
    missed, flagged = ([x["id"] for x in figures[what] if x["id"] in mine] for what in ("missed", "flagged"))
    # Floors have one digit, rounded to the safe side.
    assert 100 * row["attacks"]["share"] >= floor.get("recall", 0.0) - 1e-6, f"missed: {', '.join(missed)}"
    assert 100 * row["near"]["share"] <= floor["false_alarms"] + 1e-6, f"honest, yet flagged: {', '.join(flagged)}"
