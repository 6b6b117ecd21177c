"""locate() on JSON written with random spellings: the region holds exactly what decodes to the substring."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_cassette.model import DupKey, Path
from mcp_cassette.pointer import locate

_short = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f", "/": "\\/"}
_text = st.text(
    st.one_of(st.sampled_from('ab"\\/\n\t\u200b\u2028é😀\U000e0061'), st.characters(exclude_categories=["Cs"])),
    max_size=12,
)
_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), _text),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.lists(st.tuples(st.sampled_from(["a", "b", 'q"\\']) | _text, inner), max_size=4)
    ),
    max_leaves=12,
)
"""Objects are lists of pairs, so that keys may repeat."""


class _Writer:
    """Writes a value in a spelling that ``draw`` chooses, and notes every string and its path."""

    def __init__(self, draw: Any) -> None:
        self.draw = draw
        self.out: list[str] = []
        self.strings: list[tuple[Path, str, bool]] = []

    def space(self) -> None:
        self.out.append(self.draw(st.sampled_from(["", "", "", " ", "\n", "\r\n  ", "\t"])))

    def string(self, value: str) -> None:
        self.out.append('"')
        for character in value:
            written = "".join(
                f"\\u{unit:04{case}}" for case in self.draw(st.sampled_from("xX")) for unit in _units(character)
            )
            choices = [written, _short.get(character, written)]
            if character >= " " and character not in '"\\':
                choices += [character] * 4
            self.out.append(self.draw(st.sampled_from(choices)))
        self.out.append('"')

    def value(self, value: Any, path: Path) -> None:
        self.space()
        if isinstance(value, str):
            self.strings.append((path, value, False))
            self.string(value)
        elif isinstance(value, list) and value and all(isinstance(item, tuple) for item in value):
            self.members(value, path)
        elif isinstance(value, list):
            self.out.append("[")
            for index, item in enumerate(value):
                self.out.append("," if index else "")
                self.value(item, (path, index))
            self.out.append("]")
        else:
            self.out.append(json.dumps(value))
        self.space()

    def members(self, pairs: list[tuple[str, Any]], path: Path) -> None:
        keys = [key for key, _ in pairs]
        self.out.append("{")
        for index, (key, item) in enumerate(pairs):
            self.out.append("," if index else "")
            at = (path, DupKey(key, keys[:index].count(key)) if keys.count(key) > 1 else key)
            self.strings.append((at, key, True))
            self.space()
            self.string(key)
            self.space()
            self.out.append(":")
            self.value(item, at)
        self.out.append("}")


def _units(character: str) -> list[int]:
    raw = character.encode("utf-16-be")
    return [int.from_bytes(raw[i : i + 2], "big") for i in range(0, len(raw), 2)]


@settings(max_examples=150, deadline=None)
@given(st.data(), _values)
def test_the_region_holds_exactly_what_decodes_to_the_substring(data: st.DataObject, value: Any) -> None:
    writer = _Writer(data.draw)
    writer.value(value, ())
    text = "".join(writer.out)
    lines = text.split("\n")
    for path, string, is_key in writer.strings:
        start = data.draw(st.integers(0, len(string)))
        end = data.draw(st.integers(start, len(string)))
        region = locate(text.encode(), path, start, end, is_key=is_key, first_line=10)
        line = lines[region.line - 10].encode("utf-16-le")
        spelled = line[2 * (region.column - 1) : 2 * (region.end_column - 1)].decode("utf-16-le")
        assert json.loads(f'"{spelled}"') == string[start:end]
        before = line[: 2 * (region.column - 1)].decode("utf-16-le")
        opened = json.decoder.scanstring(  # the string that the region stands in begins with string[:start]
            before + '"', _opening_quote(before) + 1
        )
        assert opened[0] == string[:start]


def _opening_quote(before: str) -> int:
    """The quote that is still open at the end of ``before``."""
    pos, opened = 0, -1
    while (pos := before.find('"', pos)) >= 0:
        opened = pos
        try:
            pos = json.decoder.scanstring(before, pos + 1)[1]
        except json.JSONDecodeError:
            return opened
    return opened
