"""The tolerant JSON reader: keeps what strict readers drop or refuse, and names each oddity.

Built on the standard library's parser, whose scanner is C; everything around it works in passes at C speed, so that a
line of any make costs time in proportion to its length.
"""

from __future__ import annotations

import json
import math
import re
from array import array
from collections import Counter
from itertools import accumulate
from typing import Any

from mcp_cassette.formats.entries import DEPTH_LIMIT, Defect, Members, members
from mcp_cassette.formats.quote import codepoint, quote
from mcp_cassette.formats.wording import BadJson, Place, explain, wide_encoding
from mcp_cassette.model import DupKey, Path

DIGIT_LIMIT = 640
"""Digits beyond which an integer is kept as text: the lowest limit Python itself can be set to."""
DUPLICATE_LIMIT = 100
"""Duplicate-key defects reported for one text."""

_STRING = r'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_open_string = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)', re.DOTALL)
_NOT_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")
_STEPS = bytes({0x5B: 1, 0x7B: 1}.get(byte, 0xFF) for byte in range(256))
_constant = re.compile(rf'(?:[^"IN]++|{_STRING})*+(?:NaN|Infinity)', re.DOTALL)
_long_number = re.compile(rf'(?:[^"0-9]++|{_STRING}|[0-9]{{1,{DIGIT_LIMIT}}}+(?![0-9]))*+[0-9]', re.DOTALL)
_control = re.compile(
    r'(?:[^"]++|"[^"\\\x00-\x1f]*+(?:\\.[^"\\\x00-\x1f]*+)*+")*+"[^"\\\x00-\x1f]*+(?:\\.[^"\\\x00-\x1f]*+)*+[\x00-\x1f]',
    re.DOTALL,
)
_HEX = "[0-9a-fA-F]{2}"
_lone_surrogate = re.compile(
    rf"(?:[^\\]++|\\u[dD][89abAB]{_HEX}\\u[dD][c-fC-F]{_HEX}|\\(?!u[dD][89a-fA-F]).)*+(\\u[dD][89a-fA-F]{_HEX})",
    re.DOTALL,
)


def parse(raw: bytes, what: str = "line") -> tuple[Any, tuple[Defect, ...], tuple[int, ...]]:
    """The value of a JSON text (``what``: the word for it in reasons), its defects, and the line of each defect.

    Accepts, each with a defect: NaN and infinities, raw control characters in strings, bytes that are no UTF-8 (read as
    U+FFFD), lone surrogates, numbers too big to hold (kept as their text), repeated keys (``Members``).
    Raises BadJson for everything else, and for more than ``DEPTH_LIMIT`` levels.
    """
    if encoding := wide_encoding(raw):
        raise BadJson(f"the {what} is {encoding}, not UTF-8", 1)
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    if _depth(raw) > DEPTH_LIMIT:
        raise BadJson(f"nested deeper than {DEPTH_LIMIT} levels", None)
    found: list[tuple[Defect, int]] = []
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        text = raw.decode("utf-8", errors="replace")
        place = Place.of(raw[: error.start].decode("utf-8"))
        reason = f"byte 0x{raw[error.start]:02X} is not UTF-8"
        found.append((Defect("utf8", reason, True, place.column), place.line))
    reader = _Reader()
    try:
        value = reader.decoder.decode(text)
    except json.JSONDecodeError as error:
        raise explain(text, error, what) from None
    except RecursionError:
        raise BadJson("nested deeper than this process can read", None) from None
    found += reader.oddities(text)
    if reader.repeated:
        found += [(defect, 1) for defect in _duplicates(value)]
    return value, tuple(defect for defect, _ in found), tuple(line for _, line in found)


def _depth(raw: bytes) -> int:
    """The deepest nesting of a text, without recursion."""
    if raw.count(b"[") + raw.count(b"{") <= DEPTH_LIMIT:
        return 0  # not too deep, however it is nested
    brackets = _open_string.sub(b"", raw).translate(None, _NOT_BRACKETS)
    return max(accumulate(array("b", brackets.translate(_STEPS))), default=0)


class _Reader:
    """One run of the standard parser; its hooks note what they meet."""

    def __init__(self) -> None:
        self.repeated = False
        self.constants: Counter[str] = Counter()
        self.big = 0
        self.infinite = 0
        self.decoder = json.JSONDecoder(
            strict=False,
            object_pairs_hook=self._object,
            parse_int=self._integer,
            parse_float=self._float,
            parse_constant=self._constant,
        )

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        plain = dict(pairs)
        if len(plain) == len(pairs):
            return plain
        self.repeated = True
        times = Counter(key for key, _ in pairs)
        seen = {key: 0 for key, count in times.items() if count > 1}
        for index, (key, value) in enumerate(pairs):
            if key in seen:
                pairs[index] = (DupKey(key, seen[key]), value)
                seen[key] += 1
        return Members(pairs)

    def _integer(self, digits: str) -> int | str:
        if len(digits.lstrip("-")) <= DIGIT_LIMIT:
            return int(digits)
        self.big += 1
        return digits

    def _float(self, digits: str) -> float | str:
        number = float(digits)
        if math.isfinite(number):
            return number
        self.infinite += 1
        return digits

    def _constant(self, name: str) -> float:
        self.constants[name] += 1
        return float(name)

    def oddities(self, text: str) -> list[tuple[Defect, int]]:
        """A defect of each kind the text holds, at the first place where it stands."""
        found: list[tuple[Defect, int]] = []

        def add(kind: Any, reason: str, fatal: bool, pos: int | None) -> None:
            place = Place(None, 1) if pos is None else Place.of(text[:pos])
            found.append((Defect(kind, reason, fatal, place.column), place.line))

        if self.constants and (match := _constant.match(text)):
            names = ", ".join(sorted(self.constants))
            pos = match.end() - (3 if text.endswith("NaN", 0, match.end()) else 8)
            add("not-json", f"{names} is not JSON", True, pos - 1 if text[pos - 1 : pos] == "-" else pos)
        if match := _control.match(text):
            raw = codepoint(text[match.end() - 1])
            add("not-json", f"raw control character {raw} in a string is not JSON", True, match.end() - 1)
        if "\\ud" in text or "\\uD" in text:
            pos, count, first = 0, 0, None
            while match := _lone_surrogate.match(text, pos):
                first, count, pos = first or match, count + 1, match.end()
            if first:
                more = f" (and {count - 1} more)" if count > 1 else ""
                spelled = f"{first[1]} is half of a surrogate pair{more}"
                add("surrogate", spelled, False, first.start(1))
        if self.big:
            match = _long_number.match(text)
            reason = f"an integer of more than {DIGIT_LIMIT} digits is read as text"
            add("big-number", reason, False, match.end() - 1 if match else None)
        if self.infinite:
            add("big-number", "a number beyond the range of a float is read as text", False, None)
        return found


def _duplicates(root: Any) -> list[Defect]:
    """One defect for each repeated key of a value, in the order of the text, at most ``DUPLICATE_LIMIT``."""
    found: list[Defect] = []
    waiting: list[tuple[Any, Path]] = [(root, ())]
    while waiting:
        value, path = waiting.pop()
        inner: list[tuple[Any, Path]] = []
        if isinstance(value, list):
            inner = [(item, (path, index)) for index, item in enumerate(value) if isinstance(item, (dict, list))]
        else:
            if isinstance(value, Members):
                latest = {str(key): key for key, _ in value.pairs if isinstance(key, DupKey)}
                for key in latest.values():
                    if len(found) == DUPLICATE_LIMIT:
                        return found
                    times = key.occurrence + 1
                    reason = f'the key "{quote(key)}" occurs {times} times in one object'
                    found.append(Defect("duplicate-key", reason, False, None, (path, key)))
            inner = [(item, (path, key)) for key, item in members(value) if isinstance(item, (dict, list))]
        waiting.extend(reversed(inner))
    return found
