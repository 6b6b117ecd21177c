"""The evidence line: what stands around a match, safe to print and to commit."""

from __future__ import annotations

from collections.abc import Iterable
from time import process_time

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
_TEXT_SECONDS = 0.2
_FILE_SECONDS = 0.5
"""What one secret may spend on a stretch of text, and on all of a file. The bundled ones need a hundred-thousandth."""
_SPACE = regex.compile(r"\s")
_LAST_SPACE = regex.compile(r"(?r)\s")


class Masker:
    """Masks the credentials in the quotations of one file. Closed when out of budget: what a secret could not be looked
    for in is masked whole, and once a secret has used up its time for the file, everything is."""

    def __init__(self, secrets: Iterable[Secret]) -> None:
        self._secrets = tuple(secrets)
        self._spent = dict.fromkeys(self._secrets, 0.0)
        self._slow: set[str] = set()
        self._closed = False

    @property
    def slow(self) -> list[str]:
        """Names of the secrets that ran out of time."""
        return sorted(self._slow)

    def mask(self, text: str) -> str:
        """The text with every credential masked, character for character: four characters of it, then asterisks."""
        spans: list[tuple[int, int]] = []
        for secret in self._secrets:
            if self._closed or not self._search(secret, text, spans):
                return "*" * len(text)
        for start, end in spans:
            keep = min(start + 4, end - (end - start) // 2)
            text = text[:keep] + "*" * (end - keep) + text[end:]
        return text

    def _search(self, secret: Secret, text: str, spans: list[tuple[int, int]]) -> bool:
        """Add where the secret stands; whether there was time to tell."""
        started, done = process_time(), True
        try:
            for m in secret.compiled.finditer(text, timeout=_TEXT_SECONDS):
                # A group that took no part says nothing: then the whole match is the secret.
                spans.append(m.span(secret.group) if m.start(secret.group) >= 0 else m.span())
        except TimeoutError:
            done = False
        self._spent[secret] += process_time() - started
        self._closed = self._spent[secret] > _FILE_SECONDS
        if self._closed or not done:
            self._slow.add(secret.name)
        return done


def excerpt(text: str, found: Found, masker: Masker) -> Evidence:
    """Quote a match: about 60 characters around it, white space collapsed, what cannot be seen spelled out, secrets
    masked."""
    room = max(8, (WIDTH - (found.end - found.start)) // 2)
    low, high = max(0, found.start - room), min(len(text), found.end + room)
    length, half = found.end - found.start, _MATCH // 2
    if length > 4 * _MATCH:
        # Only the two ends of a long match are shown, so only they are looked at.
        head = _masked(text, low, found.start + half, masker)
        tail = _masked(text, found.end - half, high, masker)
        match = f"{head[-half:]} … {tail[:half]}"
        before, after = head[:-half], tail[half:]
    else:
        quote = _masked(text, low, high, masker)
        match = quote[found.start - low : found.end - low]
        if length > _MATCH:
            match = f"{match[:half]} … {match[-half:]}"
        before, after = quote[: found.start - low], quote[found.end - low :]
    reveals = None
    if found.shown is not None:
        shown = masker.mask(found.shown[: 4 * _MATCH])
        reveals = _plain(shown if len(shown) <= 2 * _MATCH else shown[: 2 * _MATCH] + " …")
    note = masker.mask(found.note) if found.note else found.note
    return Evidence(_plain(before).lstrip(" "), _plain(match), _plain(after).rstrip(" "), reveals, note)


def _masked(text: str, low: int, high: int, masker: Masker) -> str:
    """``text[low:high]`` with secrets masked, those too that it would cut in two."""
    left, right = max(0, low - _REACH), min(len(text), high + _REACH)
    # No secret holds white space: the stretch that is looked at begins and ends there, with room for "Bearer " before.
    space = _LAST_SPACE.search(text, max(0, left - _LONGEST), left)
    left = max(0, (space.end() if space else left - _LONGEST) - len("Bearer     "))
    space = _SPACE.search(text, right, right + _LONGEST)
    right = space.start() if space else min(len(text), right + _LONGEST)
    return masker.mask(text[left:right])[low - left : high - left]


def _plain(text: str) -> str:
    """White space collapsed (one blank stays at an edge), the rest made visible."""
    words = text.split()
    if not words:
        return " " if text else ""
    lead = " " if text[0].isspace() else ""
    trail = " " if text[-1].isspace() else ""
    return visible(lead + " ".join(words) + trail)
