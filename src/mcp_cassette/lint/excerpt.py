"""The evidence line: what stands around a match, safe to print and to commit."""

from __future__ import annotations

from collections.abc import Sequence

from mcp_cassette.match.scan import Found
from mcp_cassette.model import Evidence
from mcp_cassette.neutral import visible
from mcp_cassette.packs.model import Secret

WIDTH = 60
"""Characters a quotation aims at; a longer match is cut in its middle."""
_MATCH = 80
_REACH = 200
"""How far around the quotation a secret is looked for, so that a half-cut one is masked too."""
_SECRET_SECONDS = 0.2


def excerpt(text: str, found: Found, secrets: Sequence[Secret]) -> Evidence:
    """Quote a match: about 60 characters around it, white space collapsed, what cannot be seen spelled out, secrets
    masked."""
    room = max(8, (WIDTH - (found.end - found.start)) // 2)
    low, high = max(0, found.start - room), min(len(text), found.end + room)
    left, right = max(0, low - _REACH), min(len(text), high + _REACH)
    if found.end - found.start > 4 * _MATCH:
        # Only the two ends of a long match are shown, so only they are looked at.
        head = mask_secrets(text[left : found.start + _MATCH + _REACH], secrets)
        tail = mask_secrets(text[found.end - _MATCH - _REACH : right], secrets)
        at = found.start - left
        match = (
            f"{head[at : at + _MATCH // 2]} … {tail[len(tail) - (right - found.end) - _MATCH // 2 :][: _MATCH // 2]}"
        )
        before, after = head[low - left : at], tail[len(tail) - (right - found.end) :][: high - found.end]
    else:
        masked = mask_secrets(text[left:right], secrets)
        match = masked[found.start - left : found.end - left]
        if len(match) > _MATCH:
            match = f"{match[: _MATCH // 2]} … {match[-_MATCH // 2 :]}"
        before, after = masked[low - left : found.start - left], masked[found.end - left : high - left]
    reveals = None
    if found.shown is not None:
        shown = mask_secrets(found.shown[: 4 * _MATCH], secrets)
        reveals = _plain(shown if len(shown) <= 2 * _MATCH else shown[: 2 * _MATCH] + " …")
    return Evidence(_plain(before), _plain(match), _plain(after), reveals, found.note)


def _plain(text: str) -> str:
    """White space collapsed (one blank stays at an edge), the rest made visible."""
    words = text.split()
    if not words:
        return " " if text else ""
    lead = " " if text[0].isspace() else ""
    trail = " " if text[-1].isspace() else ""
    return visible(lead + " ".join(words) + trail)


def mask_secrets(text: str, secrets: Sequence[Secret]) -> str:
    """The text with every credential masked, character for character: its first four characters, then asterisks."""
    spans: list[tuple[int, int]] = []
    for secret in secrets:
        try:
            spans += [m.span(secret.group) for m in secret.compiled.finditer(text, timeout=_SECRET_SECONDS)]
        except TimeoutError:
            return "*" * len(text)  # closed when out of budget
    for start, end in spans:
        keep = min(start + 4, end - (end - start) // 2)
        text = text[:keep] + "*" * (end - keep) + text[end:]
    return text
