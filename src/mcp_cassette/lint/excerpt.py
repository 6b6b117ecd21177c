"""The evidence line: what stands around a match, safe to print and to commit."""

from __future__ import annotations

from collections.abc import Sequence

import regex

from mcp_cassette.match.scan import Found
from mcp_cassette.model import Evidence
from mcp_cassette.neutral import visible
from mcp_cassette.packs.model import Secret

WIDTH = 60
"""Characters a quotation aims at; a longer match is cut in its middle."""
_MATCH = 80
_REACH = 200
"""How far around the quotation a secret is looked for, so that a half-cut one is masked too."""
_LONGEST = 17_000
"""Characters of the longest secret that is known by its shape."""
_SECRET_SECONDS = 0.2
_SPACE = regex.compile(r"\s")
_LAST_SPACE = regex.compile(r"(?r)\s")


def excerpt(text: str, found: Found, secrets: Sequence[Secret]) -> Evidence:
    """Quote a match: about 60 characters around it, white space collapsed, what cannot be seen spelled out, secrets
    masked."""
    room = max(8, (WIDTH - (found.end - found.start)) // 2)
    low, high = max(0, found.start - room), min(len(text), found.end + room)
    length, half = found.end - found.start, _MATCH // 2
    if length > 4 * _MATCH:
        # Only the two ends of a long match are shown, so only they are looked at.
        head = _masked(text, low, found.start + half, secrets)
        tail = _masked(text, found.end - half, high, secrets)
        match = f"{head[-half:]} … {tail[:half]}"
        before, after = head[:-half], tail[half:]
    else:
        quote = _masked(text, low, high, secrets)
        match = quote[found.start - low : found.end - low]
        if length > _MATCH:
            match = f"{match[:half]} … {match[-half:]}"
        before, after = quote[: found.start - low], quote[found.end - low :]
    reveals = None
    if found.shown is not None:
        shown = mask_secrets(found.shown[: 4 * _MATCH], secrets)
        reveals = _plain(shown if len(shown) <= 2 * _MATCH else shown[: 2 * _MATCH] + " …")
    note = mask_secrets(found.note, secrets) if found.note else found.note
    return Evidence(_plain(before).lstrip(" "), _plain(match), _plain(after).rstrip(" "), reveals, note)


def _masked(text: str, low: int, high: int, secrets: Sequence[Secret]) -> str:
    """``text[low:high]`` with secrets masked, those too that it would cut in two."""
    left, right = max(0, low - _REACH), min(len(text), high + _REACH)
    # No secret holds white space: the stretch that is looked at begins and ends there, with room for "Bearer " before.
    space = _LAST_SPACE.search(text, max(0, left - _LONGEST), left)
    left = max(0, (space.end() if space else left - _LONGEST) - len("Bearer     "))
    space = _SPACE.search(text, right, right + _LONGEST)
    right = space.start() if space else min(len(text), right + _LONGEST)
    return mask_secrets(text[left:right], secrets)[low - left : high - left]


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
            for m in secret.compiled.finditer(text, timeout=_SECRET_SECONDS):
                # A group that took no part says nothing: then the whole match is the secret.
                spans.append(m.span(secret.group) if m.start(secret.group) >= 0 else m.span())
        except TimeoutError:
            return "*" * len(text)  # closed when out of budget
    for start, end in spans:
        keep = min(start + 4, end - (end - start) // 2)
        text = text[:keep] + "*" * (end - keep) + text[end:]
    return text
