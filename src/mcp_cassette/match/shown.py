"""Everything that the views show of a text, as one folded text in which words can be looked up."""

from __future__ import annotations

import re
from functools import cache

from mcp_cassette.match.quick import quick_fold
from mcp_cassette.match.scan import mask_placeholders
from mcp_cassette.match.views import VIEWS
from mcp_cassette.predicates.ranges import UNSEEN


def shown(text: str) -> str:
    """No view holds a word that is not in it. What is invisible may part words, or hide that it is one word."""
    text = mask_placeholders(text)
    pieces = [_folded(text), _folded(_unseen().sub(" ", text))]
    for name, view in VIEWS.items():
        seen = view(text) if name not in ("raw", "folded") else None
        if seen is not None:
            pieces.append(_folded(seen.text))
    return "\n".join(pieces)


def _folded(text: str) -> str:
    return text.lower() if text.isascii() else quick_fold(text, "folded")


@cache
def _unseen() -> re.Pattern[str]:
    return re.compile(rf"[{UNSEEN}\x00-\x08\x0e-\x1f\x7f-\x9f\ufdd0]+")
