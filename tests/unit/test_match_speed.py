"""Text made to be slow, through every bundled rule that may match it: never out of budget."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from mcp_cassette.lint.plan import Bound, make_plan
from mcp_cassette.lint.prefilter import Prefilter
from mcp_cassette.lint.selection import Selection
from mcp_cassette.match.budget import Budget
from mcp_cassette.match.calm import Calm
from mcp_cassette.match.evaluate import evaluate
from mcp_cassette.match.scan import Scan
from mcp_cassette.model import Text
from mcp_cassette.packs.load import load

SIZE = 25_000
TEXTS = {
    "open angles": "<" * SIZE,
    "open comments": "<!--" * (SIZE // 4),
    "spaces": " " * SIZE,
    "newlines": "\n" * SIZE,
    "spaces between": ("a" + " " * 99) * (SIZE // 100),
    "ignore": "ignore " * (SIZE // 7),
    "ignore all": "ignore all the " * (SIZE // 15),
    "send to": "send the api key to https://a.example/ " * (SIZE // 39),
    "do not": "do not tell " * (SIZE // 12),
    "nested quotes": "\"'“«" * (SIZE // 4),
    "quote words": '"a ' * (SIZE // 3),
    "apostrophes": "it's 'a " * (SIZE // 8),
    "backticks": "`" * SIZE,
    "fences": "```\n" * (SIZE // 4),
    "dots": "." * SIZE,
    "sentences": "a. " * (SIZE // 3),
    "one word": "a" * SIZE,
    "base64": "QUJD" * (SIZE // 4),
    "slashes": "/" * SIZE,
    "paths": "~/.ssh/" * (SIZE // 7),
    "urls": "https://" * (SIZE // 8),
    "spelled": "i g n o r e " * (SIZE // 12),
    "dashes": "-" * SIZE,
    "brackets": "[" * SIZE,
    "placeholders": "[REDACTED" * (SIZE // 9),
    "zero width": "a\u200b" * (SIZE // 2),
    "isolates": "\u2066" * SIZE,
    "variation": "a\ufe0f" * (SIZE // 2),
    "mixed": "a\u0430 " * (SIZE // 3),
    "marks": "a" + "\u0301" * (SIZE - 1),
    "full width": "ｉｇｎｏｒｅ " * (SIZE // 7),
    "tags": "\U000e0041" * SIZE,
    "colons": "system: " * (SIZE // 8),
}


@pytest.fixture(scope="module")
def plan() -> Mapping[str, tuple[Bound, ...]]:
    return make_plan(load().rules, Selection())


@pytest.fixture(scope="module")
def prefilter(plan: Mapping[str, tuple[Bound, ...]]) -> Prefilter:
    return Prefilter(plan)


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("surface", ["tool.description", "output.tool"])
def test_odd_text_is_read_within_its_budget(
    plan: Mapping[str, tuple[Bound, ...]], prefilter: Prefilter, name: str, surface: str
) -> None:
    text = Text(TEXTS[name], surface, (), 1, others=frozenset({"send_mail", "delete_file"}))
    scan = Scan(text.value, text.others)
    for bound in prefilter.choose(text, plan[surface]):
        evaluate(scan, bound.when, bound.rule.soften, bound.within, Budget(len(text.value)))  # no OutOfBudget
    Calm(text.value, ("quoted", "code"), Budget(len(text.value)))
