"""A Locator that remembers its way finds what a fresh one finds, in whatever order the places are asked for."""

from __future__ import annotations

import json
from typing import Any
from unittest.mock import patch

from hypothesis import given
from hypothesis import strategies as st

from mcp_cassette import pointer
from mcp_cassette.formats.entries import members
from mcp_cassette.formats.jsontext import parse
from mcp_cassette.model import Path
from mcp_cassette.pointer import Locator, locate

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=4), inner, max_size=5),
    max_leaves=25,
)


def places(value: Any, path: Path = ()) -> list[tuple[Path, Any, bool]]:
    found: list[tuple[Path, Any, bool]] = [(path, value, False)]
    if isinstance(value, dict):
        for key, child in members(value):
            found.append(((path, key), key, True))
            found += places(child, (path, key))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            found += places(child, (path, index))
    return found


@given(VALUES, st.sampled_from([None, 2]), st.booleans(), st.randoms(use_true_random=False))
def test_any_order_of_places(value: Any, indent: int | None, ascii_only: bool, random: Any) -> None:
    raw = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode()
    locator = Locator(raw, 7)
    wanted = places(value)
    random.shuffle(wanted)
    for path, text, is_key in wanted:
        end = len(text) if isinstance(text, str) else 1
        assert locator.locate(path, 0, end, is_key=is_key) == locate(raw, path, 0, end, is_key=is_key, first_line=7)


PAIRS = st.recursive(
    st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.lists(st.tuples(st.sampled_from("ab\u00e9"), inner), max_size=6),
    max_leaves=30,
)
"""Objects are lists of pairs, so that keys may repeat."""


def written(value: Any, indent: str) -> str:
    if isinstance(value, list) and value and all(isinstance(item, tuple) for item in value):
        inside = ",".join(f"{indent}{json.dumps(key)}:{written(child, indent)}" for key, child in value)
        return "{" + inside + "}"
    if isinstance(value, list):
        return "[" + ",".join(indent + written(child, indent) for child in value) + "]"
    return json.dumps(value)


@given(PAIRS, st.sampled_from(["", "\n "]), st.booleans(), st.randoms(use_true_random=False))
def test_any_order_of_places_among_equal_keys(value: Any, indent: str, in_order: bool, random: Any) -> None:
    raw = written(value, indent).encode()
    locator = Locator(raw, 7)
    wanted = places(parse(raw)[0])
    if not in_order:
        random.shuffle(wanted)
    with patch.object(pointer, "LONG", 8):
        for path, text, is_key in wanted:
            end = len(text) if isinstance(text, str) else 1
            assert locator.locate(path, 0, end, is_key=is_key) == locate(raw, path, 0, end, is_key=is_key, first_line=7)


def test_many_places_cost_one_pass() -> None:
    count = 20_000
    raw = json.dumps({"content": [{"type": "text", "text": f"t{i}"} for i in range(count)]}).encode()
    locator = Locator(raw)
    columns = []
    for index in range(count):
        path: Path = (((((), "content"), index)), "text")
        columns.append(locator.locate(path, 0, 1).column)
    text = raw.decode()
    assert [text[c - 1] for c in columns] == ["t"] * count
    assert columns == sorted(set(columns))
