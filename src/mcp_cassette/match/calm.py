"""Contexts that calm a finding: text in quotation marks, text in a code span. A match inside is one level lower."""

from __future__ import annotations

from bisect import bisect_right
from functools import cache

import regex

from mcp_cassette.match.budget import Budget, OutOfBudget

LONGEST = 400
"""Characters a quotation may have: beyond that it is no quotation of an attack but a text with quotes around it."""

_QUOTED = "|".join(
    (
        rf'(?<![\w"])"[^"\n]{{1,{LONGEST}}}"(?![\w"])',
        rf"“[^“”\n]{{1,{LONGEST}}}”",
        rf"„[^„“”\n]{{1,{LONGEST}}}[“”]",
        rf"«[^«»\n]{{1,{LONGEST}}}»",
        rf"「[^「」\n]{{1,{LONGEST}}}」",
        rf"(?<![\w'’])['‘][^'‘’\n]{{1,{LONGEST}}}['’](?![\w'])",
    )
)
_CODE = (
    r"(?:^|\n)[ \t]{0,3}```[^\n]*\n[\s\S]*?(?:\n[ \t]{0,3}```|\Z)"
    rf"|(?<!`)`[^`\n]{{1,{LONGEST}}}`(?!`)|<code>[^<]{{1,{LONGEST}}}</code>"
)


@cache
def _context(kind: str) -> regex.Pattern[str]:
    return regex.compile({"quoted": _QUOTED, "code": _CODE}[kind], regex.IGNORECASE)


class Calm:
    """The calming contexts of one text, looked for at the cost of a budget. Raises OutOfBudget."""

    def __init__(self, text: str, kinds: tuple[str, ...], budget: Budget) -> None:
        self._spans = {kind: _spans(text, kind, budget) for kind in kinds}

    def kind(self, start: int, end: int) -> str | None:
        """The first kind of context that a stretch lies wholly inside."""
        for kind, (starts, ends) in self._spans.items():
            i = bisect_right(starts, start) - 1  # spans of one kind do not overlap
            if i >= 0 and end <= ends[i]:
                return kind
        return None


def _spans(text: str, kind: str, budget: Budget) -> tuple[list[int], list[int]]:
    """Where the contexts of one kind start and end. Linear: every alternative is bounded or runs once."""
    started = budget.start()
    try:
        spans = [match.span() for match in _context(kind).finditer(text, timeout=budget.left)]
    except TimeoutError:
        raise OutOfBudget from None
    finally:
        budget.spend(started)
    return [start for start, _ in spans], [end for _, end in spans]
