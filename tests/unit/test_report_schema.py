"""The JSON report and its schema: every render is valid, and the schema refuses what is not a report."""

from __future__ import annotations

import copy
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rich.console import Console

from mcp_cassette.model import Evidence, Finding, Level, Problem, Report, Severity, Source, Summary
from mcp_cassette.neutral import visible
from mcp_cassette.report import render
from mcp_cassette.report.terminal import print_terminal
from mcp_cassette.surfaces import SURFACES

SCHEMA = json.loads((Path(__file__).parents[2] / "schemas" / "report.schema.json").read_text(encoding="utf-8"))
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "report.json").read_text(encoding="utf-8"))

COMMAND = re.compile(r"^\s*(::|##\[)", re.MULTILINE)

# Any character, lone surrogates too, and often those that make up a CI command.
letters = st.sampled_from(":#[ \n\x1b") | st.characters()
anything = st.text(letters, max_size=12)
word = st.text(letters, min_size=1, max_size=12)
count = st.integers(0, 10**9)
place = st.none() | st.integers(1, 10**9)
ids = st.lists(word, max_size=2).map(tuple)
findings = st.builds(
    Finding,
    rule=word,
    title=anything,
    level=st.sampled_from(Level),
    confidence=st.sampled_from(["high", "medium", "low"]),
    message=anything,
    help=anything,
    file=anything,
    line=place,
    column=place,
    end_column=place,
    pointer=st.none() | anything,
    surface=st.none() | st.sampled_from(SURFACES),
    subject=anything,
    method=st.none() | anything,
    request_id=st.none() | anything | st.booleans() | st.floats() | st.integers(),
    evidence=st.builds(Evidence, anything, anything, anything, st.none() | anything, st.none() | anything),
    view=anything,
    softened=st.none() | anything,
    alert_id=word,
    finding_id=word,
    family=anything,
    owasp=ids,
    safe_mcp=ids,
    status=st.sampled_from(["new", "known", "suppressed"]),
)
sources = st.builds(
    Source,
    file=anything,
    format=anything,
    lines=count,
    frames=count,
    findings=count,
    capped=count,
    agrees=st.none() | st.booleans(),
)
problems = st.builds(
    Problem, file=anything, line=place, column=place, reason=anything, severity=st.sampled_from(Severity)
)
summaries = st.builds(
    Summary,
    levels=st.fixed_dictionaries({}, optional={"error": count, "warn": count, "info": count}),
    files=count,
    lines=count,
    rules=count,
    known=count,
    suppressed=count,
    capped=count,
    skipped=count,
    contradictions=count,
    out_of_budget=count,
    unreadable=count,
)
reports = st.builds(
    Report,
    tool=st.just("mcp-cassette"),
    version=st.just("0.1.0"),
    sources=st.lists(sources, max_size=2).map(tuple),
    findings=st.lists(findings, max_size=2).map(tuple),
    problems=st.lists(problems, max_size=2).map(tuple),
    summary=summaries,
    fail_on=st.sampled_from(["error", "warn", "info", "never"]),
    failed=st.booleans(),
    exit_code=st.sampled_from([0, 1, 2, 4, 130]),
    notes=st.lists(anything, max_size=2).map(tuple),
)


def refuse_constant(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(reports)
def test_any_report_renders(report: Report) -> None:
    output = render(report, "json")
    assert output == render(report, "json")
    output.encode("utf-8")
    assert visible(output.replace("\n", "")) == output.replace("\n", "")
    document = json.loads(output, parse_constant=refuse_constant)
    VALIDATOR.validate(document)
    for finding, written in zip(report.findings, document["findings"], strict=True):
        assert (written["rule"], written["file"], written["pointer"]) == joined(
            finding.rule, finding.file, finding.pointer
        )
    text = render(report, "text")
    assert all(visible(line) == line for line in text.split("\n"))
    assert not COMMAND.search(text)
    screen = io.StringIO()
    print_terminal(report, Console(file=screen, width=50, color_system=None, _environ={}), verbose=True)
    assert all(visible(line) == line for line in screen.getvalue().split("\n"))
    assert not COMMAND.search(screen.getvalue())


def joined(*texts: str | None) -> tuple[str | None, ...]:
    """Texts as every JSON parser hands them on: two surrogates that make a pair become one character."""
    return tuple(
        text and text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass") for text in texts
    )


def test_schema_is_valid_and_knows_every_surface() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    VALIDATOR.validate(GOLDEN)
    assert SCHEMA["$defs"]["finding"]["properties"]["surface"]["enum"] == [*SURFACES, None]


def objects(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The paths of the objects of a document; of a list, those of its first item."""
    if isinstance(value, dict):
        yield path
        for key, member in value.items():
            yield from objects(member, (*path, key))
    elif isinstance(value, list) and value:
        yield from objects(value[0], (*path, 0))


def at(document: Any, path: tuple[str | int, ...]) -> Any:
    for step in path:
        document = document[step]
    return document


MEMBERS = [(path, key) for path in objects(GOLDEN) for key in at(GOLDEN, path)]


@pytest.mark.parametrize(("path", "key"), MEMBERS, ids=lambda value: str(value))
def test_every_key_is_required_and_no_other_is_allowed(path: tuple[str | int, ...], key: str) -> None:
    dropped = copy.deepcopy(GOLDEN)
    value = at(dropped, path).pop(key)
    assert not VALIDATOR.is_valid(dropped)
    at(dropped, path)[f"{key}_"] = value
    assert not VALIDATOR.is_valid(dropped)
    at(dropped, path)[key] = value
    assert not VALIDATOR.is_valid(dropped)  # an additional one
    del at(dropped, path)[f"{key}_"]
    VALIDATOR.validate(dropped)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("version",), 2),
        (("fail_on",), "warning"),
        (("exit_code",), 3),
        (("summary", "lines"), -1),
        (("findings", 0, "level"), "warning"),
        (("findings", 0, "confidence"), "certain"),
        (("findings", 0, "status"), "gone"),
        (("findings", 0, "surface"), "tool"),
        (("findings", 0, "line"), 0),
        (("findings", 0, "request_id"), []),
        (("findings", 0, "rule"), ""),
        (("findings", 0, "owasp"), "MCP06:2025"),
        (("problems", 0, "severity"), "warn"),
        (("sources", 0, "agrees"), "yes"),
    ],
)
def test_wrong_values_are_refused(path: tuple[str | int, ...], value: Any) -> None:
    wrong = copy.deepcopy(GOLDEN)
    at(wrong, path[:-1])[path[-1]] = value
    assert not VALIDATOR.is_valid(wrong)
