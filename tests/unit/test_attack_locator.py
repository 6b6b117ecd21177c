"""Lines made so that finding many places in them costs more than one pass: equal keys, big members at every level."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from mcp_cassette.model import DupKey, Path
from mcp_cassette.pointer import Locator, Region

LEVELS = 400


def path(*steps: str | int) -> Path:
    found: Path = ()
    for step in steps:
        found = (found, step)
    return found


def seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


def test_equal_keys_in_any_order() -> None:
    raw = rb'{"a":"0","b":"1","a":{"a":"2","c":"3","a":"4"},"\u0062":"5","d":"6","a":"7"}'
    places = [
        (path(DupKey("a", 0)), 7),
        (path(DupKey("b", 0)), 15),
        (path(DupKey("a", 1), DupKey("a", 0)), 28),
        (path(DupKey("a", 1), "c"), 36),
        (path(DupKey("a", 1), DupKey("a", 1)), 44),
        (path(DupKey("b", 1)), 58),
        (path("d"), 66),
        (path(DupKey("a", 2)), 74),
    ]
    locator = Locator(raw)
    for steps, column in (*places, *reversed(places)):
        assert locator.locate(steps, 0, 1) == Region(1, column, column + 1)
    whole = Region(1, 1, len(raw) + 1)
    assert locator.locate(path(DupKey("a", 3)), 0, 1) == whole
    assert locator.locate(path(DupKey("d", 1)), 0, 1) == whole


@pytest.mark.parametrize("names", [["a"], ["a", "b"], [f"k{i}" for i in range(4_000)]], ids=["one", "two", "many"])
@pytest.mark.parametrize("backwards", [False, True])
def test_equal_keys_cost_one_pass(names: list[str], backwards: bool) -> None:
    count = 8_000
    raw = "{" + ",".join(f'"{names[i % len(names)]}":"{i:05}"' for i in range(count)) + "}"
    wanted = list(range(count))[:: -1 if backwards else 1]
    columns: list[int | None] = []

    def run() -> None:
        locator = Locator(raw.encode())
        for i in wanted:
            columns.append(locator.locate(path(DupKey(names[i % len(names)], i // len(names))), 0, 5).column)

    assert seconds(run) < 2
    assert [raw[(c or 0) - 1 : (c or 0) + 4] for c in columns] == [f"{i:05}" for i in wanted]


def _nested(inner: str) -> str:
    """``{"a":{"a":…,"s":"0001"},"s":"0000"}``: a string after the big member of every level."""
    return '{"a":' * LEVELS + inner + "".join(f',"s":"{level:04}"}}' for level in reversed(range(LEVELS)))


@pytest.mark.parametrize("outermost_first", [False, True])
@pytest.mark.parametrize(
    "inner",
    [
        "[" + "[]," * 300_000 + "1]",
        "[" + "1," * 500_000 + "[[[[1]]]]]",
        '"' + "é" * 1_000_000 + '"',
        "{" + '"b":{"c":[1,{}]},' * 60_000 + '"d":1}',
    ],
    ids=["arrays", "deep at the end", "a string", "members"],
)
def test_a_big_member_at_every_level_is_passed_over_once(inner: str, outermost_first: bool) -> None:
    raw = _nested(inner)
    data = raw.encode()
    levels = list(range(LEVELS))[:: 1 if outermost_first else -1]
    columns: list[int | None] = []

    def run() -> None:
        locator = Locator(data)
        for level in levels:
            columns.append(locator.locate(path(*["a"] * level, "s"), 0, 4).column)

    assert seconds(run) < 2
    assert [raw[(c or 0) - 1 : (c or 0) + 3] for c in columns] == [f"{level:04}" for level in levels]


def test_columns_going_back_over_lines() -> None:
    raw = '{"a":"é",\n"b":["😀","x"],\r\n "c":"y"}'.encode()
    locator = Locator(raw, 5)
    wanted = [
        (path("c"), Region(7, 7, 8)),
        (path("b", 1), Region(6, 12, 13)),
        (path("b", 0), Region(6, 7, 9)),
        (path("c"), Region(7, 7, 8)),
        (path("a"), Region(5, 7, 8)),
    ]
    for steps, region in wanted:
        assert locator.locate(steps, 0, 1) == region
