"""Views: the same text as a reader would take it, each with its way back to the raw text.

A view's function returns None when the view holds nothing that raw (or ``folded``, for those on top of it) does not:
its trigger is absent. Every view is idempotent: seen again through itself it does not change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from mcp_cassette.match.views_decoded import decoded
from mcp_cassette.match.views_escapes import unescaped
from mcp_cassette.match.views_fold import folded
from mcp_cassette.match.views_leet import leet
from mcp_cassette.match.views_map import Seen
from mcp_cassette.match.views_skeleton import skeleton
from mcp_cassette.match.views_spaced import spaced
from mcp_cassette.match.views_tags import tags

__all__ = ["VIEWS", "Seen"]


def _raw(text: str) -> Seen | None:
    return None


VIEWS: Final[Mapping[str, Callable[[str], Seen | None]]] = MappingProxyType(
    {
        "raw": _raw,
        "folded": folded,
        "skeleton": skeleton,
        "spaced": spaced,
        "leet": leet,
        "unescaped": unescaped,
        "decoded": decoded,
        "tags": tags,
    }
)
