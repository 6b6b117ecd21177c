"""The ``decoded`` view: base64 and hexadecimal runs of readable text as what they encode, then folded. One level."""

from __future__ import annotations

import re
from functools import cache
from itertools import islice
from typing import Final

from mcp_cassette.match.views_fold import then_folded
from mcp_cassette.match.views_map import Builder, Seen
from mcp_cassette.predicates.blobs import decoded_words

_ANY: Final = r"[A-Za-z0-9+/_-]"
_ASCII: Final = (
    rf"(?:[CDIJKLMNOPQRSTUVWXYZa-f][ACDEFGHQSTUVWXg-nwyz0-3][ABEFIJMNQRUVYZcdghklopstwx014589](?:\\/|{_ANY})){{6}}"
)
"""Six times three bytes of printable ASCII: of four characters three have bits that are zero."""
_IDEOGRAPHS: Final = rf"(?:[4-7][IJKLYZabopqr4567][CGKOSWaeimquy26+-](?:\\/|{_ANY})){{6}}"
"""Six characters of three bytes of UTF-8, as Chinese, Japanese and Korean have."""
_HEX: Final = r"(?:[2-7][0-9A-Fa-f]){12}"
READABLE: Final = f"(?-i:{_ASCII}|{_IDEOGRAPHS}|{_HEX})"
"""What a run holds that this view decodes (with ``/`` as JSON may spell it); data seldom does."""

_MOST_RUNS: Final = 200
_MOST_DECODED: Final = 8192


@cache
def _sign() -> re.Pattern[str]:
    return re.compile(READABLE)


@cache
def _run() -> re.Pattern[str]:
    """A run, wrapped over lines or not, with its padding."""
    return re.compile(rf"{_ANY}{{24,}}(?:\r?\n{_ANY}{{4,}})*={{0,2}}")


def decoded(text: str) -> Seen | None:
    """The view, or None where no run decodes to words."""
    if not _sign().search(text):
        return None
    build = Builder()
    at = 0
    for match in islice(_run().finditer(text), _MOST_RUNS):
        start, end = match.span()
        if not _sign().search(text, start, end):
            continue
        words = decoded_words("".join(match[0][:_MOST_DECODED].split()).rstrip("="))
        if words is not None:
            build.keep(text[at:start], at)
            build.put(f" {words} ", start, end)
            at = end
    if at == 0:
        return None
    build.keep(text[at:], at)
    return then_folded(build.seen())
