"""Contexts that calm a finding: text in quotation marks, text in a code span. A match inside is one level lower."""

from __future__ import annotations

from collections.abc import Mapping

import regex

LONGEST = 400
"""Characters a quotation may have: beyond that it is no quotation of an attack but a text with quotes around it."""

_QUOTED = regex.compile(
    "|".join(
        (
            rf'(?<![\w"])"[^"\n]{{1,{LONGEST}}}"(?![\w"])',
            rf"“[^“”\n]{{1,{LONGEST}}}”",
            rf"„[^„“”\n]{{1,{LONGEST}}}[“”]",
            rf"«[^«»\n]{{1,{LONGEST}}}»",
            rf"「[^「」\n]{{1,{LONGEST}}}」",
            rf"(?<![\w'’])['‘][^'‘’\n]{{1,{LONGEST}}}['’](?![\w'])",
        )
    )
)
_CODE = regex.compile(
    r"(?:^|\n)[ \t]{0,3}```[^\n]*\n[\s\S]*?(?:\n[ \t]{0,3}```|\Z)"
    rf"|(?<!`)`[^`\n]{{1,{LONGEST}}}`(?!`)|<code>[^<]{{1,{LONGEST}}}</code>",
    regex.IGNORECASE,
)
_CONTEXTS: Mapping[str, regex.Pattern[str]] = {"quoted": _QUOTED, "code": _CODE}


def calming_spans(text: str, kinds: tuple[str, ...]) -> list[tuple[int, int, str]]:
    """The spans of the contexts in a text, as (start, end, kind). Linear: every alternative is bounded or runs once."""
    return [(m.start(), m.end(), kind) for kind in kinds for m in _CONTEXTS[kind].finditer(text)]
