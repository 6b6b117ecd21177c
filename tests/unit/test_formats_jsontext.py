"""parse(): what JSON says, what only looks like it, and what is refused."""

import json
import math
import sys
import time
from typing import Any

import pytest

from mcp_cassette.formats.entries import Members, members
from mcp_cassette.formats.jsontext import DEPTH_LIMIT, BadJson, parse, parse_document
from mcp_cassette.model import DupKey
from mcp_cassette.pointer import render


def only(raw: bytes) -> tuple[Any, str, str, bool, int | None]:
    """The value and the only defect of a text."""
    value, (defect,) = parse(raw)
    return value, defect.kind, defect.reason, defect.fatal, defect.column


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1,"b":[true,false,null],"c":{"a":1}}',
        '{ "a" : 1 , "b":\t"x" }',
        '{"a":"say \\"b\\":1","b":1}',
        '{"a":"b\\u0022:","c":"\\u003a"}',
        '{":":":","a":":"}',
        '{"a" :1,"b":":"}',
        '{"a":1.0,"b":1e5,"c":-0,"d":1E300}',
        "[123456789012345678901234567890, -9223372036854775809, 18446744073709551616]",
        '{"t":1795995403686269500,"b":"00000000000000000000000000"}',
        '"\\u00e9\\ud83d\\ude00\\u0000\\u2028"',
        "[" * 300 + "]" * 300,
        '"\\\\ud800"',
        "1" * 640,
        " \t\r\n1 ",
    ],
)
def test_json_is_read_as_it_stands(text: str) -> None:
    value, defects = parse(text.encode())
    expected = json.loads(text)
    assert value == expected
    assert defects == ()
    assert json.dumps(value) == json.dumps(expected), "numbers keep their types and their digits"


def test_a_byte_order_mark_is_no_column() -> None:
    assert parse(b'\xef\xbb\xbf{"a":1}') == ({"a": 1}, ())
    assert only(b"\xef\xbb\xbf[NaN]")[4] == 2


@pytest.mark.parametrize(
    ("raw", "column"),
    [(b'{"a":NaN}', 6), (b'["NaN",Infinity]', 8), ('["Né😀",-Infinity]'.encode(), 9), (b'[NaN,"\\"Infinity"]', 2)],
)
def test_constants_that_json_does_not_have(raw: bytes, column: int) -> None:
    value, kind, reason, fatal, at = only(raw)
    assert (kind, fatal, at) == ("not-json", True, column)
    assert "is not JSON" in reason
    number = value["a"] if isinstance(value, dict) else next(item for item in value if isinstance(item, float))
    assert not math.isfinite(number)


@pytest.mark.parametrize(
    ("raw", "spelled", "column"),
    [
        (b'{"a":"x\x00y"}', "U+0000", 8),
        (b'{"a\x1b[31m":1}', "U+001B", 4),
        (b'["\\"","\tb"]', "U+0009", 8),
        (b'[\n\n"\\\\",\n"\x01"]', "U+0001", 2),
    ],
)
def test_raw_control_characters_are_named(raw: bytes, spelled: str, column: int) -> None:
    value, kind, reason, fatal, at = only(raw)
    assert (kind, fatal, at) == ("not-json", True, column)
    assert spelled in reason
    assert value == json.loads(raw, strict=False)


@pytest.mark.parametrize(
    ("raw", "value", "column"),
    [
        (b'["ab\xff"]', ["ab\ufffd"], 5),
        ('["é😀'.encode() + b'\xc3"]', ["é😀\ufffd"], 6),
        (b'["\xed\xa0\x80"]', ["\ufffd" * 3], 3),
    ],
)
def test_bytes_that_are_no_utf8(raw: bytes, value: Any, column: int) -> None:
    got, kind, reason, fatal, at = only(raw)
    assert (got, kind, fatal, at) == (value, "utf8", True, column)
    assert f"0x{raw[_bad(raw)]:02X}" in reason


def _bad(raw: bytes) -> int:
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        return error.start
    raise AssertionError("the text is UTF-8")


@pytest.mark.parametrize(
    ("raw", "value", "column", "spelled"),
    [
        (rb'["a\ud800b"]', ["a\ud800b"], 4, r"\ud800"),
        (rb'["\uDFFF"]', ["\udfff"], 3, r"\uDFFF"),
        (rb'["\ud83d\ude00\\\ude00"]', ["😀\\\ude00"], 17, r"\ude00"),
        (rb'["\\ud83d\ude00"]', ["\\ud83d\ude00"], 10, r"\ude00"),
        (rb'["\ud83d\ud83d\ude00"]', ["\ud83d😀"], 3, r"\ud83d"),
    ],
)
def test_half_a_surrogate_pair_is_kept(raw: bytes, value: Any, column: int, spelled: str) -> None:
    got, kind, reason, fatal, at = only(raw)
    assert (got, kind, fatal, at) == (value, "surrogate", False, column)
    assert reason == f"{spelled} is half of a surrogate pair"


def test_further_surrogates_are_counted() -> None:
    assert only(rb'["\ud800\ud800\udc00\ud801",{"\udc00":1}]')[2] == r"\ud800 is half of a surrogate pair (and 2 more)"


@pytest.mark.parametrize("limit", [0, 640, 4300])
def test_an_integer_of_thousands_of_digits_is_harmless(limit: int) -> None:
    digits = "7" * 5000
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(limit)
    try:
        value, kind, _, fatal, column = only(f'{{"id":-{digits},"x":"{digits}"}}'.encode())
    finally:
        sys.set_int_max_str_digits(before)
    assert value == {"id": "-" + digits, "x": digits}
    assert (kind, fatal, column) == ("big-number", False, 8)


def test_a_number_beyond_a_float_is_kept_as_text() -> None:
    assert only(b'{"a":-1e999}')[:2] == ({"a": "-1e999"}, "big-number")


def test_repeated_keys_keep_every_value() -> None:
    raw = rb'{"a":1,"b":{"x":[{"k":1,"k":2}]},"\u0061":{"z":0,"z":0},"a":3}'
    value, defects = parse(raw)
    assert isinstance(value, Members)
    assert value["a"] == 3
    assert [(str(key), getattr(key, "occurrence", None)) for key, _ in members(value)] == [
        ("a", 0),
        ("b", None),
        ("a", 1),
        ("a", 2),
    ]
    assert [item for _, item in members(value)] == [1, {"x": [{"k": 2}]}, {"z": 0}, 3]
    assert [(render(d.path), d.reason) for d in defects] == [
        ("/a", 'the key "a" occurs 3 times in one object'),
        ("/b/x/0/k", 'the key "k" occurs 2 times in one object'),
        ("/a/z", 'the key "z" occurs 2 times in one object'),
    ]
    assert all(d.kind == "duplicate-key" and not d.fatal for d in defects)
    last = defects[0].path[-1]
    assert isinstance(last, DupKey)
    assert last.occurrence == 2


@pytest.mark.parametrize(
    "raw",
    [
        b'{"a":1,"a":1}',
        b'{"a" :1,"a":1}',
        b'{"a":":\\u0022:","a":"\\":"}',
        b'{"a":"\\":","a":"\\u0022:"}',
        b'{"a":"\\u003a","a" : ":"}',
        b'{"a":1,\n"a"\n:1}',
        b'{"":1,"":1}',
        b'{"\\u0061":1,"a":1}',
        b'[[[{"b":{},"b":{"c":":"}}]]]',
    ],
)
def test_no_spelling_hides_a_repeated_key(raw: bytes) -> None:
    assert [d.kind for d in parse(raw)[1]] == ["duplicate-key"]


def test_duplicate_key_defects_are_bounded_and_printable() -> None:
    raw = "{" + ",".join(f'"\u202e{i % 300}":{i}' for i in range(600)) + "}"
    value, defects = parse(raw.encode())
    assert len(defects) == 100
    assert len(value.pairs) == 600
    assert defects[0].reason == 'the key "<U+202E>0" occurs 2 times in one object'
    key = "k" * 1_000_000
    reason = only(f'{{"{key}":1,"{key}":2}}'.encode())[2]
    assert len(reason) < 130


def test_several_oddities_of_one_text() -> None:
    _, defects = parse(b'{"a":NaN,"a":"\xff\x01\\ud800"}')
    assert [d.kind for d in defects] == ["utf8", "not-json", "not-json", "surrogate", "duplicate-key"]


def test_depth_is_limited_for_every_reader() -> None:
    for opening, closing in (("[", "]"), ('{"a":', "}")):
        for depth in (1, 254, 255, DEPTH_LIMIT):
            inside = opening * depth + ("1" if opening != "[" else "") + closing * depth
            assert parse(inside.encode())[1] == ()
            assert parse(f"[{inside},NaN]".encode())[1] if depth < DEPTH_LIMIT else True
        for depth in (DEPTH_LIMIT + 1, 1000, 1100, 100_000):
            inside = opening * depth + ("1" if opening != "[" else "") + closing * depth
            for text in (inside, inside[:-1], opening * depth):
                with pytest.raises(BadJson, match="nested deeper than 500 levels"):
                    parse(text.encode())


def test_brackets_in_strings_are_no_depth() -> None:
    assert parse(('["' + "[" * 2000 + '\\"[", NaN]').encode())[0][0] == "[" * 2000 + '"['
    with pytest.raises(BadJson, match="middle of a string"):
        parse(b'["' + b"[" * 2000)


@pytest.mark.parametrize(
    ("text", "reason", "column"),
    [
        ('{"a":"hel', "the line ends in the middle of a string (truncated?)", 6),
        ('{"é😀":"hel', "the line ends in the middle of a string (truncated?)", 8),
        ('{"a":"b\\', "the line ends in the middle of a string (truncated?)", 6),
        ('{"a":"\\u12', "the line ends in the middle of a string (truncated?)", None),
        ('{"a":[1,', "the line ends inside an array (truncated?)", 9),
        ('{"a":[1],', "the line ends inside an object (truncated?)", 10),
        ('{"a"', "the line ends inside an object (truncated?)", 5),
        ('{"a":tru', "the line ends in the middle of a value (truncated?)", 6),
        ('{"a":-', "the line ends in the middle of a value (truncated?)", 6),
        ('{"a":1 "b":2}', 'expected , or } here, found: "b":2}', 8),
        ('[1,{"]":2} 3]', "expected , or ] here, found: 3]", 12),
        ("{'a':1}", "expected a property name in double quotes here, found: 'a':1}", 2),
        ('{"a" 1}', "expected : after a property name here, found: 1}", 6),
        ("[\u202e]", "expected a value here, found: <U+202E>]", 2),
        ("1 \u200b", "the JSON value is complete before this, found: <U+200B>", 3),
        ('["\\q"]', 'not an escape JSON knows: \\q"]', 3),
        ("", "the line holds no JSON value", 1),
        ("hello", "expected a value here, found: hello", 1),
        ("[01]", "expected , or ] here, found: 1]", 3),
    ],
)
def test_what_is_wrong_is_said_to_a_person(text: str, reason: str, column: int | None) -> None:
    with pytest.raises(BadJson) as caught:
        parse(text.encode())
    assert caught.value.reason == reason == str(caught.value)
    if column is not None:
        assert caught.value.column == column
    assert caught.value.truncated == ("truncated" in reason)


@pytest.mark.parametrize("text", ['{"a":1,}', "[1,]"])
def test_a_trailing_comma_is_refused(text: str) -> None:
    with pytest.raises(BadJson):
        parse(text.encode())


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"])
def test_wide_encodings_are_named(encoding: str) -> None:
    for text in ('{"a":1}', "[1]", '{\r\n"a":1}'):
        with pytest.raises(BadJson, match=f"is UTF-{encoding[4:6]}, not UTF-8"):
            parse(text.encode(encoding))


def test_a_reason_quotes_little() -> None:
    with pytest.raises(BadJson) as caught:
        parse(("[1 " + "\u202e" * 100_000 + "]").encode())
    assert len(caught.value.reason) < 130


def test_a_document_knows_the_lines_of_its_defects() -> None:
    value, defects, lines = parse_document(b'{"a":1,\n "b":NaN,\n "c":"\\ud800", "a":2}')
    assert value["c"] == "\ud800"
    assert [(d.kind, line, d.column) for d, line in zip(defects, lines, strict=True)] == [
        ("not-json", 2, 6),
        ("surrogate", 3, 7),
        ("duplicate-key", 1, None),
    ]
    with pytest.raises(BadJson, match="the document ends inside an object") as caught:
        parse_document(b'{\n"a":1')
    assert (caught.value.line, caught.value.column) == (2, 6)


@pytest.mark.parametrize(
    "raw",
    [
        b"[" * 2_000_000,
        b"[" + b"[]," * 300_000 + b"x]",
        b'"' + b"\\" * 3_000_000,
        b'"' * 3_000_000,
        b"[" + b"NaN," * 300_000 + b"1]",
        b"{" + b'"a":1,' * 100_000 + b'"b":1}',
        b'["' + b"\\ud800" * 300_000 + b'"]',
        b'["' + b"\\n" * 1_000_000 + b'\\ud800"]',
        b'["' + b"\x01" * 3_000_000 + b'"]',
        b"9" * 3_000_000,
        b"[" + b"9" * 640 + b",1" * 300_000 + b"9" * 641 + b"]",
        b'["' + b"\xff" * 3_000_000 + b'"]',
        b"[" + b" " * 3_000_000,
        b'{"' + b"k" * 3_000_000 + b'":1,"' + b"k" * 3_000_000 + b'":2}',
        b'["' + b"\\\\" * 1_000_000 + b'\\ud800"]',
    ],
    ids=range(15),
)
def test_hostile_text_takes_little_time(raw: bytes) -> None:
    begin = time.perf_counter()
    try:
        parse(raw)
    except BadJson as error:
        assert len(error.reason) < 200
    assert time.perf_counter() - begin < 2
