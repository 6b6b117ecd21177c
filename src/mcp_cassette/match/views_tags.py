"""The ``tags`` view: text written in characters that show nothing, Tags and variation selectors, as what it spells."""

from __future__ import annotations

import re
from functools import cache

from mcp_cassette.match.views_fold import then_folded
from mcp_cassette.match.views_map import Builder, Seen
from mcp_cassette.predicates.variation import spelled_by_selectors

_LEAST_SELECTORS = 3
"""Selectors in a row that are read as bytes; after an honest character stands one."""


@cache
def _hidden() -> re.Pattern[str]:
    selectors = "[\ufe00-\ufe0f\U000e0100-\U000e01ef]"
    return re.compile(f"[\U000e0020-\U000e007e]+|{selectors}{{{_LEAST_SELECTORS},}}")


def tags(text: str) -> Seen | None:
    """The view, or None where nothing is written so. What is spelled stands apart from the words beside it."""
    if text.isascii():
        return None
    build = Builder()
    at = 0
    for match in _hidden().finditer(text):
        start, end = match.span()
        spelled = _spelled(match[0])
        if not spelled.strip():
            continue
        build.keep(text[at:start], at)
        build.put(" ", start, start + 1)
        if len(spelled) == end - start:
            build.keep(spelled, start)
        else:
            build.put(spelled, start, end)
        build.put(" ", end - 1, end)
        at = end
    if at == 0:
        return None
    build.keep(text[at:], at)
    return then_folded(build.seen())


def _spelled(run: str) -> str:
    if "\U000e0020" <= run[0] <= "\U000e007e":
        return "".join(chr(ord(c) - 0xE0000) for c in run)
    text = spelled_by_selectors(run)
    return text if text.isprintable() else ""
