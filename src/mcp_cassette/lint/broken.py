"""What a structural check hands back: its name, the place, and the words that make it concrete."""

from __future__ import annotations

from dataclasses import dataclass

from mcp_cassette.model import JsonId, Path


@dataclass(frozen=True, slots=True)
class Broken:
    """A structural check failed at a place. ``detail`` completes the rule's message; ``value`` is what identifies this
    case among others of the rule and subject (it goes into the finding's id, as the text does for a rule)."""

    check: str
    detail: str
    path: Path
    line: int
    raw: bytes
    subject: str = ""
    method: str | None = None
    request_id: JsonId = None
    value: str = ""
    is_key: bool = False
    embedded: bool = False
