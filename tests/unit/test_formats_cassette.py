"""Native cassettes: every line becomes an entry, a problem, or both."""

import io
import json
from pathlib import Path as FilePath

import pytest

from mcp_cassette.errors import InputError
from mcp_cassette.formats.detect import open_source
from mcp_cassette.formats.entries import Entry, Members
from mcp_cassette.model import Problem, Severity

FIXTURES = FilePath(__file__).parent.parent / "fixtures"
HEADER = (
    b'{"type":"header","cassetteVersion":2,"recorder":"r@1","startedAt":"2026-01-01T00:00:00Z","transport":"stdio"}\n'
)
FRAME = b'{"type":"frame","t":1,"dir":"s2c","frame":{"jsonrpc":"2.0","id":1,"result":{}}}\n'
ERROR, WARNING = Severity.ERROR, Severity.WARNING


def read(data: bytes) -> tuple[str, list[Entry], list[Problem]]:
    source = open_source("f", io.BytesIO(data))
    items = list(source.entries())
    return (
        source.format,
        [item for item in items if isinstance(item, Entry)],
        [item for item in items if isinstance(item, Problem)],
    )


def problems(*lines: bytes) -> list[tuple[int | None, int | None, str, Severity]]:
    """The problems of a cassette with these lines after its header."""
    return [(p.line, p.column, p.reason, p.severity) for p in read(HEADER + b"".join(lines))[2]]


def refused(data: bytes) -> InputError:
    with pytest.raises(InputError) as caught:
        open_source("f", io.BytesIO(data))
    assert caught.value.file == "f"
    return caught.value


@pytest.mark.parametrize("name", sorted(path.name for path in FIXTURES.glob("*.cassette.jsonl")))
def test_recorded_cassettes_are_read_whole(name: str) -> None:
    data = (FIXTURES / name).read_bytes()
    version, entries, found = read(data)
    lines = data.splitlines()
    assert version == f"cassette-v{json.loads(lines[0])['cassetteVersion']}"
    assert found == []
    assert [entry.kind for entry in entries] == ["header"] + ["frame"] * (len(lines) - 1)
    assert [entry.raw for entry in entries] == lines
    assert [entry.value for entry in entries] == [json.loads(line) for line in lines]
    assert [entry.line for entry in entries] == list(range(1, len(lines) + 1))


def test_every_kind_of_entry() -> None:
    raw = b'{"type":"raw","t":2,"dir":"s2c","data":"listening on 8080"}\n'
    chunks = b'{"type":"chunks","t":3,"id":7,"via":"get","chunks":[{"t":3,"frame":{"method":"x"}}]}\n'
    batch = b'{"type":"frame","t":4,"dir":"c2s","frame":[{"id":1}],"origin":"live","conn":"a"}\n'
    later = b'{"type":"marker","t":5}\n'
    _, entries, found = read(HEADER + b"\n" + raw + chunks + batch + later)
    assert [(entry.kind, entry.line) for entry in entries] == [
        ("header", 1),
        ("raw", 3),
        ("chunks", 4),
        ("frame", 5),
        ("unknown", 6),
    ]
    assert found == [Problem("f", 6, None, 'entry type "marker" is not known: skipped', WARNING)]


def test_a_windows_file_with_a_byte_order_mark() -> None:
    version, entries, found = read(b"\xef\xbb\xbf" + (HEADER + FRAME).replace(b"\n", b"\r\n"))
    assert (version, found) == ("cassette-v2", [])
    assert [entry.raw for entry in entries] == [HEADER[:-1], FRAME[:-1]]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (b"[1]", "an entry must be an object, not an array"),
        (b"null", "an entry must be an object, not null"),
        (b"12", "an entry must be an object, not 12"),
        (b'"\\u202e"', 'an entry must be an object, not "<U+202E>"'),
        (b"{}", "the type of an entry must be a string, and is missing"),
        (b'{"type":["frame"]}', "the type of an entry must be a string, not an array"),
        (b'{"type":"frame","dir":"s2c"}', "the frame must be an object or an array, and is missing"),
        (b'{"type":"frame","dir":"s2c","frame":null}', "the frame must be an object or an array, not null"),
        (b'{"type":"frame","dir":"s2c","frame":true}', "the frame must be an object or an array, not true"),
        (b'{"type":"frame","frame":{}}', "the dir must be c2s or s2c, and is missing"),
        (b'{"type":"frame","dir":"up","frame":{}}', 'the dir must be c2s or s2c, not "up"'),
        (b'{"type":"frame","dir":[],"frame":{}}', "the dir must be c2s or s2c, not an array"),
        (b'{"type":"raw","data":"x"}', "the dir must be c2s or s2c, and is missing"),
        (b'{"type":"raw","dir":"s2c","data":1.5}', "the data of a raw entry must be a string, not 1.5"),
        (b'{"type":"chunks","chunks":{}}', "the chunks must be an array, not an object"),
        (b'{"type":"chunks"}', "the chunks must be an array, and is missing"),
        (b'{"type":"chunks","dir":"x","chunks":[]}', 'the dir must be c2s or s2c, not "x"'),
        (b'{"type":"chunks","chunks":[{"frame":{}},1]}', "chunk 1 must be an object, not 1"),
        (b'{"type":"chunks","chunks":[{}]}', "the frame of chunk 0 must be an object or an array, and is missing"),
    ],
)
def test_a_line_of_the_wrong_shape_is_a_problem_and_the_rest_is_read(line: bytes, reason: str) -> None:
    _, entries, found = read(HEADER + line + b"\n" + FRAME)
    assert found == [Problem("f", 2, None, reason, ERROR)]
    assert (entries[-1].kind, entries[-1].line) == ("frame", 3)


def test_what_stands_in_the_wrong_shape_is_still_handed_on() -> None:
    kept = b'{"type":"frame","dir":"up","frame":"x"}\n{"type":"chunks","chunks":["x",{"frame":{}}]}\n'
    lost = b'{"type":"frame","dir":"s2c","frame":null}\n'
    assert [entry.line for entry in read(HEADER + kept + lost)[1]] == [1, 2, 3]


def test_a_line_that_is_not_json_is_a_problem_with_its_column() -> None:
    assert problems(b'{"type":"frame" "dir":1}\n', FRAME) == [(2, 17, 'expected , or } here, found: "dir":1}', ERROR)]
    deep = b'{"type":"frame","dir":"s2c","frame":' + b"[" * 100_000 + b"]" * 100_000 + b"}\n"
    assert problems(deep, FRAME) == [(2, None, "nested deeper than 500 levels", ERROR)]


def test_a_truncated_last_line_says_so() -> None:
    cut = FRAME[:-12]
    reason = "the last line is not complete: the line ends in the middle of a string (truncated?)"
    assert problems(FRAME, cut) == [(3, 67, reason, ERROR)]
    inner = problems(cut + b"\n", FRAME)
    assert inner == [(2, 67, "the line ends in the middle of a string (truncated?)", ERROR)]
    assert len(read(HEADER + FRAME + cut)[1]) == 2


def test_a_header_cut_off_is_refused() -> None:
    error = refused(HEADER[:-20])
    assert (error.line, error.column) == (1, 90)
    assert "the line ends in the middle of a string (truncated?)" in error.reason


def test_headers_stand_first_and_once() -> None:
    assert problems(FRAME, HEADER, FRAME) == [(3, None, "a second header (the first is line 1)", ERROR)]
    version, entries, found = read(FRAME + HEADER + FRAME)
    assert version == "cassette-v1"
    # One mistake, one line: the late header says it all.
    assert [(p.line, p.reason) for p in found] == [(2, "the header must be the first line")]
    assert [entry.kind for entry in entries] == ["frame", "frame"]


@pytest.mark.parametrize("damaged", [HEADER[:50] + b"\n", b'{"type":"header",\n', b"null\n", b"garbage\n", b"[]\n"])
def test_a_cassette_with_a_damaged_first_line_is_read(damaged: bytes) -> None:
    version, entries, found = read(damaged + FRAME + FRAME)
    assert version == "cassette-v1"
    assert [entry.line for entry in entries] == [2, 3]
    assert {p.line for p in found} == {1}
    assert all(p.severity is ERROR for p in found)


def test_defects_are_problems_and_the_entry_is_read() -> None:
    def frame(inside: bytes) -> bytes:
        return b'{"type":"frame","dir":"s2c","frame":{"x":' + inside + b"}}\n"

    lines = [frame(b'"\xff"'), frame(b"NaN"), frame(b'"\x00"'), frame(b'"\\ud800"'), frame(b"1" * 5000)]
    assert problems(*lines) == [
        (2, 43, "byte 0xFF is not UTF-8", ERROR),
        (3, 42, "NaN is not JSON", ERROR),
        (4, 43, "raw control character U+0000 in a string is not JSON", ERROR),
        (5, 43, "\\ud800 is half of a surrogate pair", WARNING),
        (6, 42, "an integer of more than 640 digits is read as text", WARNING),
    ]
    entries = read(HEADER + b"".join(lines))[1]
    assert [[d.kind for d in entry.defects] for entry in entries[1:]] == [
        ["utf8"],
        ["not-json"],
        ["not-json"],
        ["surrogate"],
        ["big-number"],
    ]


def test_repeated_keys_are_defects_and_no_problems() -> None:
    _, entries, found = read(HEADER + b'{"type":"frame","dir":"s2c","frame":{},"frame":{"a":1}}\n')
    assert found == []
    assert isinstance(entries[1].value, Members)
    assert [d.kind for d in entries[1].defects] == ["duplicate-key"]


def test_a_line_separator_in_a_string_ends_nothing() -> None:
    line = '{"type":"frame","dir":"s2c","frame":{"x":"a\u2028b\u0085c"}}\n'.encode()
    assert problems(line) == []


def test_warnings_about_unknown_types_are_counted_after_twenty() -> None:
    found = problems(*[b'{"type":"x%d"}\n' % i for i in range(25)])
    assert len(found) == 21
    assert found[-1] == (None, None, "5 more entries of types that are not known: skipped", WARNING)


def test_problems_are_counted_after_a_hundred() -> None:
    found = problems(*[b"x\n"] * 105)
    assert len(found) == 101
    assert found[-1] == (None, None, "5 more problems in this file", ERROR)
    surrogate = b'{"type":"frame","dir":"s2c","frame":{"x":"\\ud800"}}\n'
    assert problems(*[surrogate] * 101)[-1] == (None, None, "1 more problem in this file", WARNING)
    assert problems(*[surrogate] * 101, b"x\n")[-1] == (None, None, "2 more problems in this file", ERROR)
