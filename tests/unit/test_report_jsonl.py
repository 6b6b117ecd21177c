"""The report in JSON lines: each line is an object of the JSON report, and safe to print."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from test_report_formats import CLEAN, HOSTILE, REPORT, hostile
from test_report_schema import SCHEMA, refuse_constant, reports

from mcp_cassette.model import Report
from mcp_cassette.neutral import visible
from mcp_cassette.report import render
from support import POISON, MakeCassette, Run, call, tool, tools

DEFS = {"finding": "findings", "problem": "problems", "source": "sources"}


def lines(text: str) -> list[dict[str, Any]]:
    assert text.endswith("\n")
    return [json.loads(line, parse_constant=refuse_constant) for line in text[:-1].split("\n")]


def of(kind: str, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{k: v for k, v in line.items() if k != "type"} for line in found if line["type"] == kind]


def test_the_order_of_the_lines() -> None:
    found = lines(render(REPORT, "jsonl"))
    assert [line["type"] for line in found] == ["finding"] * 5 + ["problem"] * 2 + ["source"] * 3 + ["summary"]
    assert all(next(iter(line)) == "type" for line in found)
    assert [line["type"] for line in lines(render(CLEAN, "jsonl"))] == ["source", "summary"]


def test_the_summary() -> None:
    assert lines(render(REPORT, "jsonl"))[-1] == {
        "type": "summary",
        "version": 1,
        "tool": {"name": "mcp-cassette", "version": "0.1.0"},
        "levels": {"error": 14, "warn": 2, "info": 1},
        "files": 3,
        "lines": 162,
        "rules": 27,
        "known": 5,
        "suppressed": 0,
        "capped": 12,
        "skipped": 0,
        "contradictions": 0,
        "out_of_budget": 0,
        "unreadable": 1,
        "notes": ["--select beats --ignore for CAS-L001"],
        "fail_on": "error",
        "exit_code": 2,
    }


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(reports)
def test_any_report_says_what_its_json_says(report: Report) -> None:
    output = render(report, "jsonl")
    assert all(visible(line) == line for line in output.split("\n"))
    found, whole = lines(output), json.loads(render(report, "json"))
    for kind, key in DEFS.items():
        assert of(kind, found) == whole[key]
        validator = jsonschema.Draft202012Validator({**SCHEMA["properties"][key]["items"], "$defs": SCHEMA["$defs"]})
        for item in of(kind, found):
            validator.validate(item)
    [summary] = of("summary", found)
    assert {key: summary[key] for key in whole["summary"]} == whole["summary"]
    assert len(found) == sum(len(whole[key]) for key in DEFS.values()) + 1


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_strings_are_exact(text: str) -> None:
    finding = lines(render(hostile(text), "jsonl"))[0]
    assert (finding["file"], finding["subject"], finding["evidence"]) == (text, text, text * 3)


def test_through_the_command_line(cli: Run, cassette: MakeCassette) -> None:
    cassette([*tools(tool(description=POISON)), *call(f"天気\u2028 {POISON}", 2)])
    outcome = cli(
        "lint",
        ".",
        "--format",
        "jsonl",
        "--ignore",
        "CAS-L035,CAS-L038,CAS-L045",
        "--output",
        "json=whole.json",
        "--output",
        "jsonl=again.jsonl",
    )
    found = lines(outcome.stdout)
    whole = json.loads((cassette().parent / "whole.json").read_bytes())
    assert of("finding", found) == whole["findings"] and len(whole["findings"]) == 2
    assert (cassette().parent / "again.jsonl").read_bytes().decode() == outcome.stdout
    assert found[-1]["exit_code"] == outcome.exit == 4
