"""``unbroken-run`` and ``encoded-text``: long runs without a break, and runs that decode to words."""

from __future__ import annotations

import binascii
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import islice
from typing import Any, Final

from mcp_cassette.predicates.base import Hit, Param, quoted
from mcp_cassette.predicates.ranges import compiled

UNBROKEN_PARAMS: Final[Mapping[str, Param]] = {
    "min": Param("int", 120, "the shortest run that counts, in characters", minimum=1),
}
ENCODED_PARAMS: Final[Mapping[str, Param]] = {
    "min": Param("int", 24, "the shortest run that is decoded, in characters", minimum=8),
}

_BASE64: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-"
_RUN: Final = r"[A-Za-z0-9+/_=-]+"
_RUN_NO_PAD: Final = r"[A-Za-z0-9+/_-]+"
_HEX: Final = r"(?:[0-9A-Fa-f]{2})+"
_URLSAFE: Final = str.maketrans("-_", "+/")

_MOST_DECODED: Final = 4096
_MOST_RUNS: Final = 4096
"""Runs looked at in one text. Decoding costs no more than reading, but a text with more is data, not words."""

_WORD: Final = r"[^\W\d_]{2,}"
_WORDS_OF_PROSE: Final = r"(?<![^\W\d_])[^\W\d_]+ +[^\W\d_]{2,} +[^\W\d_]{2,}"
_LETTERS_WITHOUT_SPACES: Final = r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{4,}"


def find_unbroken(text: str, params: Mapping[str, Any], others: AbstractSet[str] = frozenset()) -> Iterator[Hit]:
    """Runs of at least ``min`` characters of ``[A-Za-z0-9+/_=-]``."""
    for start, end in _runs(text, params.get("min", UNBROKEN_PARAMS["min"].default), _BASE64 + "=", _RUN):
        yield Hit(start, end, f"{end - start:,} characters without a break")


def find_encoded(text: str, params: Mapping[str, Any], others: AbstractSet[str] = frozenset()) -> Iterator[Hit]:
    """Base64, base64url and hexadecimal runs that decode to words."""
    shortest = params.get("min", ENCODED_PARAMS["min"].default)
    for start, end in islice(_runs(text, shortest, _BASE64, _RUN_NO_PAD), _MOST_RUNS):
        decoded = decoded_words(text[start : min(end, start + _MOST_DECODED)])
        if decoded is not None:
            stop = end
            while stop < end + 2 and text[stop : stop + 1] == "=":
                stop += 1
            yield Hit(start, stop, f"spells {quoted(decoded)}")


def _runs(text: str, shortest: int, alphabet: str, forward: str) -> Iterator[tuple[int, int]]:
    """Runs of at least ``shortest`` characters of an alphabet. A run that long covers one position in ``shortest``:
    only those are tested, so that prose costs little; each character is read twice at most."""
    at, size, run = 0, len(text), compiled(forward)
    while (probe := at + shortest - 1) < size:
        match = run.match(text, probe)
        if match is None:
            at = probe + 1
            continue
        piece = text[at:probe]
        start = at + len(piece.rstrip(alphabet))
        end = match.end()
        if end - start >= shortest:
            yield start, end
        at = end + 1


def decoded_words(run: str) -> str | None:
    """The words that a run encodes, or None."""
    if compiled(_HEX).fullmatch(run):
        found = _words(bytes.fromhex(run))
        if found is not None:
            return found
    whole = run.translate(_URLSAFE)
    whole = whole[: len(whole) - (len(whole) % 4 == 1)]
    try:
        data = binascii.a2b_base64(whole + "=" * (-len(whole) % 4))
    except binascii.Error:  # cannot happen with this alphabet and length; the standard library may grow stricter
        return None
    return _words(data)


def _words(data: bytes) -> str | None:
    """``data`` as text if it is nine tenths printable and reads as words: UTF-8, or UTF-16 as PowerShell takes it."""
    if len(data) >= 8 and not any(data[1:64:2]):
        text = data.decode("utf-16-le", errors="replace")
    else:
        text = data.decode("utf-8", errors="replace")
        if len(data) * 4 // 3 >= _MOST_DECODED - 8:
            text = text.rstrip("\ufffd")  # a character that the limit cut in two
    good = sum(1 for c in text if c != "\ufffd" and (c.isprintable() or c in "\n\r\t"))
    if good < 0.9 * len(text):
        return None
    if compiled(_LETTERS_WITHOUT_SPACES).search(text):
        return text
    if 3 * sum(map(str.isalpha, text)) < len(text):
        return None
    if text.lstrip()[:1] in ('{"', "{", "["):
        # Cursors and tokens are JSON in base64: data, unless there is a sentence in it.
        return text if compiled(_WORDS_OF_PROSE).search(text) else None
    words = compiled(_WORD).findall(text)
    return text if len(words) >= 2 or (words and " " in text.strip()) else None
