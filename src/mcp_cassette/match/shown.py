"""Everything that the views show of a text, as one folded text in which words can be looked up."""

from __future__ import annotations

import regex

from mcp_cassette.match.quick import GONE, quick_fold
from mcp_cassette.match.scan import mask_placeholders
from mcp_cassette.match.views import VIEWS

_SIGNS = regex.compile(r"[^\p{L}\p{M}\p{N}\x00-\x7f]")


def shown(text: str) -> str:
    """No view holds a word that is not in it. What is invisible may part words, or hide that it is one word; and so
    may a sign that folds to letters."""
    text = mask_placeholders(text)
    pieces = [_folded(text), _folded(_SIGNS.sub(" ", GONE.sub(" ", text)))]
    for name, view in VIEWS.items():
        seen = view(text) if name not in ("raw", "folded") else None
        if seen is not None:
            pieces.append(_folded(seen.text))
    return "\n".join(pieces)


def _folded(text: str) -> str:
    return text.lower() if text.isascii() else quick_fold(text, "folded")
