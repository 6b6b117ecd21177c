"""Paths as JSON Pointers, and places in a file: every region here is counted by hand."""

import json
import time

import pytest

from mcp_cassette.model import DupKey, Path
from mcp_cassette.pointer import Region, locate, parts, render


def path(*steps: str | int) -> Path:
    found: Path = ()
    for step in steps:
        found = (found, step)
    return found


@pytest.mark.parametrize(
    ("steps", "pointer"),
    [
        ((), ""),
        (("",), "/"),
        (("frame", "result", "tools", 0, "name"), "/frame/result/tools/0/name"),
        (("a/b", "m~n", "~1"), "/a~1b/m~0n/~01"),
        ((DupKey("a", 1),), "/a"),
    ],
)
def test_pointers_are_escaped_as_rfc_6901_says(steps: tuple[str | int, ...], pointer: str) -> None:
    assert render(path(*steps)) == pointer
    assert parts(path(*steps)) == list(steps)


def test_a_path_of_any_depth_is_rendered() -> None:
    assert render(path(*[0] * 5000)) == "/0" * 5000


@pytest.mark.parametrize(
    ("raw", "steps", "start", "end", "region"),
    [
        ('{"a":"hello"}', ["a"], 1, 4, (1, 8, 11)),
        ('{"a":"hello"}', ["a"], 0, 5, (1, 7, 12)),
        ('{"a":"hello"}', ["a"], 2, 2, (1, 9, 9)),
        ('{"a":"hello"}', ["a"], 3, 99, (1, 10, 12)),
        (r'{"a":"x\u200by"}', ["a"], 1, 2, (1, 8, 14)),
        (r'{"a":"x\u200by"}', ["a"], 2, 3, (1, 14, 15)),
        (r'{"a":"\n\"\\z"}', ["a"], 1, 2, (1, 9, 11)),
        (r'{"a":"\n\"\\z"}', ["a"], 3, 4, (1, 13, 14)),
        (r'{"a":"\ud83d\ude00!"}', ["a"], 0, 1, (1, 7, 19)),
        (r'{"a":"\ud83d\ude00!"}', ["a"], 1, 2, (1, 19, 20)),
        (r'{"a":"\ud83dx\ude00"}', ["a"], 2, 3, (1, 14, 20)),
        ('{"a":"😀b"}', ["a"], 0, 1, (1, 7, 9)),
        ('{"a":"😀b"}', ["a"], 1, 2, (1, 9, 10)),
        ('{"é":"x","b":"y"}', ["b"], 0, 1, (1, 15, 16)),
        ('["a",["b","c"]]', [1, 1], 0, 1, (1, 12, 13)),
        ('[{"x":"]}\\""},[[]],"c"]', [2], 0, 1, (1, 21, 22)),
        ('"root"', [], 0, 4, (1, 2, 6)),
        ('{"a":{"b":12}}', ["a"], 0, 1, (1, 6, 14)),
        ('{"a":{"b":12}}', ["a", "b"], 0, 5, (1, 11, 13)),
        ('{"a":NaN,"b":-Infinity}', ["b"], 0, 5, (1, 14, 23)),
        ('{"a":"x\x00y"}', ["a"], 2, 3, (1, 9, 10)),
        ('{\n  "a": [\n    "hello"\n  ]\n}', ["a", 0], 1, 3, (3, 7, 9)),
        ('{\r\n  "a": {\r\n    "b": 1\r\n  }\r\n}', ["a"], 0, 1, (2, 8, 9)),
        ('{"a":"one\r\ntwo"}', ["a"], 1, 8, (1, 8, 10)),
        ('{"a":"one\ntwo"}', ["a"], 5, 7, (2, 2, 4)),
        ('\ufeff{"a":"x"}', ["a"], 0, 1, (1, 7, 8)),
        ('{"a":1,"a\\u0062":"x"}', ["ab"], 0, 1, (1, 19, 20)),
        ('{"\\/":"x"}', ["/"], 0, 1, (1, 8, 9)),
        ('{"":"x"}', [""], 0, 1, (1, 6, 7)),
        ("{}", ["a"], 0, 1, (1, 1, 3)),
        ('{"a":"x"}', [0], 0, 1, (1, 1, 10)),
        ('["x"]', [1], 0, 1, (1, 1, 6)),
        ('["x"]', ["a"], 0, 1, (1, 1, 6)),
        ('{"a":"x', ["a"], 0, 1, (1, 1, 8)),
        ('{"b":[[1,"a":', ["a"], 0, 1, (1, 1, 14)),
        ('first\nsecond {"a":"x"}', ["a"], 0, 1, (1, 1, 6)),
        ("", [], 0, 1, (1, 1, 1)),
    ],
)
def test_a_value_is_found_where_it_is_spelled(
    raw: str, steps: list[str | int], start: int, end: int, region: tuple[int, int, int]
) -> None:
    assert locate(raw.encode(), path(*steps), start, end) == Region(*region)


@pytest.mark.parametrize(
    ("raw", "steps", "start", "end", "region"),
    [
        ('{"name":1}', ["name"], 1, 3, (1, 4, 6)),
        (r'{"x":{"n\u200bm":1}}', ["x", "n\u200bm"], 1, 2, (1, 9, 15)),
        ('{"a":1}', [], 0, 1, (1, 1, 8)),
    ],
)
def test_a_key_is_found(raw: str, steps: list[str | int], start: int, end: int, region: tuple[int, int, int]) -> None:
    assert locate(raw.encode(), path(*steps), start, end, is_key=True) == Region(*region)


@pytest.mark.parametrize(("occurrence", "column"), [(0, 7), (1, 15), (2, 28)])
def test_the_occurrence_says_which_of_equal_keys(occurrence: int, column: int) -> None:
    raw = rb'{"a":"0","a":"1","\u0061":"2"}'
    assert locate(raw, path(DupKey("a", occurrence)), 0, 1) == Region(1, column, column + 1)


def test_the_first_line_has_the_number_that_is_given() -> None:
    assert locate(b'{"a":"x"}', path("a"), 0, 1, first_line=41) == Region(41, 7, 8)
    assert locate(b'\n["x"]', path(0), 0, 1, first_line=41) == Region(42, 3, 4)


def test_bytes_that_are_no_utf8_count_as_one_character_each() -> None:
    assert locate(b'{"a":"\xff\xffx"}', path("a"), 2, 3) == Region(1, 9, 10)


def test_a_wide_object_is_searched_in_every_spelling() -> None:
    filler = "".join(f'"k{i}":[{{"wanted":[]}}],' for i in range(200))
    for spelled in ('"wanted"', r'"w\u0061nted"', r'"\u0077anted"'):
        raw = "{" + filler + spelled + ':"x"}'
        column = len("{" + filler + spelled + ':"') + 1
        assert locate(raw.encode(), path("wanted"), 0, 1) == Region(1, column, column + 1)


@pytest.mark.parametrize("name", ["k" * 40 + "b", 'q"', "\\", "/", "é", "😀", "\ud83d", ""])
def test_a_wide_object_is_searched_for_odd_names(name: str) -> None:
    filler = "".join(f'"{"k" * 40}{i}":0,' for i in range(100))
    for ascii_only in (True, False):
        spelled = json.dumps(name, ensure_ascii=ascii_only or name == "\ud83d")
        raw = "{" + filler + spelled + ':"x"}'
        column = 1 + len(raw[: raw.index(':"x"') + 2].encode("utf-16-le")) // 2
        assert locate(raw.encode(), path(name), 0, 1) == Region(1, column, column + 1)


def test_a_long_array_is_counted_in_blocks() -> None:
    for count in (4095, 4096, 4097, 9000):
        raw = "[" + "[],1,".join("" for _ in range(count + 1)) + '"x"]'
        assert locate(raw.encode(), path(2 * count), 0, 1) == Region(1, 5 * count + 3, 5 * count + 4)
    deep = "[[[[[[]]]]]]"  # more levels than a block looks through
    raw = "[" + f"{deep}," * 6000 + '"x"]'
    assert locate(raw.encode(), path(6000), 0, 1) == Region(1, 13 * 6000 + 3, 13 * 6000 + 4)


def test_dense_escapes_are_counted_in_blocks() -> None:
    raw = '{"a":"' + r"\n" * 10_000 + 'x"}'
    assert locate(raw.encode(), path("a"), 10_000, 10_001) == Region(1, 20_007, 20_008)
    assert locate(raw.encode(), path("a"), 9_999, 2**31) == Region(1, 20_005, 20_008)


@pytest.mark.parametrize(
    ("raw", "steps"),
    [
        (b'{"a":' + b"[" * 100_000 + b"]" * 100_000 + b',"b":"x"}', ["b"]),
        (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, ["b"]),
        (b'{"a":"' + b"\\" * 2_000_000, ["b"]),
        (b'{"' * 500_000, ["b"]),
        (b"[" * 2_000_000, [0, 0, 1]),
        (b'{"a":"' + b"x" * 8_000_000 + b'","b":"y"}', ["b"]),
        (b'{"' + b"k" * 8_000_000 + b'":1}', ["k" * 8_000_000]),
        (b"[" + b"[1,[2,[3,[4,[5]]]]]," * 100_000 + b"1]", [100_000]),
    ],
    ids=["deep", "deep objects", "backslashes", "quotes", "open", "long string", "long key", "nested elements"],
)
def test_hostile_text_takes_little_time(raw: bytes, steps: list[str | int]) -> None:
    begin = time.perf_counter()
    locate(raw, path(*steps), 0, 1)
    assert time.perf_counter() - begin < 2
