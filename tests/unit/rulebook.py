"""Small packs for tests: a text becomes a file, a rule, a verdict."""

from __future__ import annotations

import tempfile
from pathlib import Path

from mcp_cassette.lint.plan import bind
from mcp_cassette.match.budget import Budget
from mcp_cassette.match.evaluate import Match, evaluate
from mcp_cassette.match.scan import Found, Scan
from mcp_cassette.packs.load import load
from mcp_cassette.packs.model import Pattern, Rule, RuleSet

HEAD = 'format = 1\n[pack]\nname = "acme"\nprefix = "ACME"\n'


def load_texts(*texts: str | bytes, bundled: bool = False) -> RuleSet:
    """Load packs from their texts; they are shown as pack1.toml, pack2.toml, …"""
    with tempfile.TemporaryDirectory() as folder:
        house = []
        for i, text in enumerate(texts, 1):
            path = Path(folder, f"pack{i}.toml")
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
            house.append((path, path.name))
        return load(house, bundled=bundled)


def rule_of(body: str, test: str = '[[rule.test]]\ntext = "-"\nmatch = false\n') -> Rule:
    """The one rule whose keys are ``body``."""
    return load_texts(f'{HEAD}[[rule]]\nid = "ACME001"\nmessage = "m"\n{body}\n{test}').rules[0]


def pattern_of(body: str) -> Pattern:
    """The pattern ``x`` of a rule with these pattern tables."""
    return rule_of(body).patterns["x"]


def find(pattern: Pattern, text: str, others: frozenset[str] = frozenset()) -> list[Found]:
    return Scan(text, others).found(pattern, Budget(len(text)))


def spans(pattern: Pattern, text: str) -> list[str]:
    """What a pattern reports of a text, in order."""
    return [text[f.start : f.end] for f in find(pattern, text)]


def judge(rule: Rule, text: str, surface: str = "tool.description") -> Match | None:
    """The verdict of a rule on a text, as a run would have it."""
    bound = bind(rule, surface)
    if bound is None:
        return None
    return evaluate(Scan(text), bound.when, rule.soften, bound.within, Budget(len(text)))
