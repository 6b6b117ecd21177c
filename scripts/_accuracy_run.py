"""Lints samples through the command line, as a user would, and says which rule found what."""

from __future__ import annotations

import importlib.util
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from _accuracy_data import ROOT, Failed, Sample, is_core, lay_out

LEVELS = ("error", "warn", "info")
Found = dict[str, dict[str, str]]
"""Sample id → rule id → the highest level of its findings there."""


@dataclass(frozen=True)
class Rule:
    """What the tables say of a rule. ``lang`` is "any" where the rule has no language of its own."""

    id: str
    level: str
    confidence: str
    family: str
    lang: str


@dataclass(frozen=True)
class Run:
    """Samples and what was found in them."""

    samples: list[Sample]
    found: Found
    rules: dict[str, Rule]
    version: str
    not_kind: re.Pattern[str]

    def hit(self, sample: Sample, least: str) -> bool:
        """Whether there is a finding of that level or above."""
        return any(reaches(level, least) for level in self.found.get(sample.id, {}).values())

    def by(self, sample: Sample, least: str) -> list[str]:
        """The rules that found it, from that level."""
        return sorted(rule for rule, level in self.found.get(sample.id, {}).items() if reaches(level, least))

    def core(self, sample: Sample) -> bool:
        return is_core(sample, self.not_kind)

    def of_part(self, part: str) -> Run:
        chosen = [s for s in self.samples if s.part == part]
        return Run(chosen, self.found, self.rules, self.version, self.not_kind)


def reaches(level: str, least: str) -> bool:
    return LEVELS.index(level) <= LEVELS.index(least)


def measure(cassettes: dict[str, list[Sample]], options: Sequence[str], not_kind: re.Pattern[str]) -> Run:
    """Lint the samples in one run of the command."""
    with tempfile.TemporaryDirectory() as folder:
        lay_out(cassettes, Path(folder))
        report = _answer("lint", "--no-config", "--lint-fail-on", "never", "--format", "json", *options, folder)
    if report["summary"]["capped"]:
        raise Failed(f"{report['summary']['capped']} findings were capped: the figures would be too low")
    for problem in report["problems"]:
        print(f"accuracy: note: {json.dumps(problem)[:300]}", file=sys.stderr)
    samples = [sample for chosen in cassettes.values() for sample in chosen]
    known = {rule.id: rule for rule in _rules(options)}
    return Run(samples, _flagged(report), known, report["tool"]["version"], not_kind)


def _flagged(report: dict[str, Any]) -> Found:
    """Structure is left out: a sample is no whole server."""
    out: Found = {}
    for finding in report["findings"]:
        if finding["surface"] is not None and finding["request_id"] is not None:
            rules = out.setdefault(finding["request_id"], {})
            before = rules.get(finding["rule"], "info")
            rules[finding["rule"]] = min(before, finding["level"], key=LEVELS.index)
    return out


def _rules(options: Sequence[str]) -> Iterable[Rule]:
    listed = _answer("rules", "--no-config", "--format", "json", *_packs(options))
    for rule in listed["rules"]:
        yield Rule(rule["id"], rule["level"], rule["confidence"], rule["family"], rule["lang"] or "any")


def _packs(options: Sequence[str]) -> Iterator[str]:
    """The options that name packs, of those for lint."""
    for number, option in enumerate(options):
        if option == "--pack":
            yield from options[number : number + 2]
        elif option.startswith("--pack="):
            yield option


def _command() -> list[str]:
    """The linter of the Python that runs this, of the checkout, or on the path."""
    if importlib.util.find_spec("mcp_cassette"):
        return [sys.executable, "-P", "-m", "mcp_cassette"]
    ours = ROOT / ".venv" / "bin" / "mcp-cassette"
    return [str(ours) if ours.exists() else "mcp-cassette"]


def _answer(*args: str) -> dict[str, Any]:
    """What the command says, as data."""
    try:
        done = subprocess.run([*_command(), *args], capture_output=True, encoding="utf-8", check=False)
        answer: dict[str, Any] = json.loads(done.stdout)
    except FileNotFoundError as error:
        raise Failed("mcp-cassette is not installed (try scripts/test)") from error
    except ValueError as error:
        raise Failed(f"mcp-cassette {args[0]} ended with {done.returncode}: {done.stderr.strip()[-800:]}") from error
    if done.returncode:
        print(f"accuracy: note: {args[0]} ended with {done.returncode}: {done.stderr.strip()[-500:]}", file=sys.stderr)
    return answer
