"""The inline tests of a pack: each text judged for its own rule alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from mcp_cassette.lint.plan import bind
from mcp_cassette.match.budget import Budget, OutOfBudget
from mcp_cassette.match.evaluate import Match, evaluate, matches
from mcp_cassette.match.scan import Scan
from mcp_cassette.neutral import visible
from mcp_cassette.packs.model import Pack, Rule, RuleTest


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one test came out; ``reason`` is empty when it passed."""

    pack: Pack
    rule: Rule
    test: RuleTest
    reason: str = ""

    @property
    def passed(self) -> bool:
        return not self.reason


def run_tests(pack: Pack) -> Iterator[Verdict]:
    """Judge every inline test of a pack, in order."""
    for rule in pack.rules:
        for test in rule.tests:
            yield Verdict(pack, rule, test, _judge(rule, test))


def _judge(rule: Rule, test: RuleTest) -> str:
    bound = bind(rule, test.on)
    if bound is None:
        return f"expected a match, but the rule does not read {test.on}" if test.match else ""
    scan = Scan(test.text, test.others)
    budget = Budget(len(test.text))
    try:
        match = evaluate(scan, bound.when, rule.soften, bound.within, budget)
        if match is None:
            return "expected a match, found none" if test.match else ""
        if not test.match:
            return f"expected no match, found {_quote(scan, match)}"
        level = bound.softened_level(match.softened)
        if test.level is not None and level is not test.level:
            return f"expected level {test.level.label}, found {level.label}"
        if test.softened is not None and match.softened != test.softened:
            return f"expected softened by {test.softened}, found {match.softened or 'not softened'}"
        if test.spans:
            found = list(matches(scan, bound.when, bound.within, budget))
            texts = [scan.text[f.start : f.end] for f in found[: len(test.spans)]]
            if len(texts) < len(test.spans) or not all(_same(e, t) for e, t in zip(test.spans, texts, strict=True)):
                return f"expected the spans {list(test.spans)}, found {[visible(t) for t in texts]}"
    except OutOfBudget:
        return "out of its time budget"
    return ""


def _quote(scan: Scan, match: Match) -> str:
    found = match.found
    text = visible(scan.text[found.start : found.end])
    through = f" through the {found.view} view" if found.view != "raw" else ""
    return f'"{text if len(text) <= 80 else text[:77] + "..."}"{through}'


def _same(expected: str, text: str) -> bool:
    """Whether a span is the expected one; an ellipsis stands for any text."""
    if "…" not in expected:
        return expected == text
    head, *middle, tail = (part.strip() for part in expected.split("…"))
    if len(head) + len(tail) > len(text) or not (text.startswith(head) and text.endswith(tail)):
        return False
    at, end = len(head), len(text) - len(tail)
    for part in middle:
        at = text.find(part, at, end)
        if at < 0:
            return False
        at += len(part)
    return True
