"""Neutralising: what must not be printed becomes readable, everything else stays."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mcp_cassette.neutral import clip, visible
from mcp_cassette.report.neutral import show_id

SPELLED = {
    "a\tb\nc": "a<U+0009>b<U+000A>c",
    "\x1b[31mred": "<U+001B>[31mred",
    "\x9b2J": "<U+009B>2J",
    "pay\u202egpj": "pay<U+202E>gpj",
    "zero\u200bwidth": "zero<U+200B>width",
    "line\u2028sep": "line<U+2028>sep",
    "\ud83d alone": "<U+D83D> alone",
    "\ue000\U0010ffff": "<U+E000><U+10FFFF>",
    "tag\U000e0041": "tag<U+E0041>",
    "del\x7f": "del<U+007F>",
    "##[error]x": "#<U+0023>[error]x",
    "a ##vso[task.x]b": "a #<U+0023>vso[task.x]b",
    "####[group]": "###<U+0023>[group]",
}


@pytest.mark.parametrize(("text", "shown"), SPELLED.items(), ids=range(len(SPELLED)))
def test_spelled(text: str, shown: str) -> None:
    assert visible(text) == shown
    assert visible(shown) == shown


@pytest.mark.parametrize(
    "text",
    [
        "plain ASCII, [red]markup[/red] and ::colons::",
        "## heading",
        "Wie spät ist es? Größe: 5 µm",
        "מה שלומך היום",
        "كيف حالك؟ ١٢٣",
        "今日は天気がいい。",
        "날씨가 좋다",
        "मौसम अच्छा है",
        "Какая сегодня погода?",
        "👩 👧 🇳🇱 🎉",
        "e\u0301 combining",
        "no\u00a0break and ideographic\u3000space",
        "\ufffd replaced",
        "\u0600 Arabic number sign",
    ],
)
def test_kept(text: str) -> None:
    assert visible(text) == text


def test_covers_every_character_of_the_hidden_categories() -> None:
    # Signs of category Cf that are drawn: prepended concatenation marks and the Syriac abbreviation mark.
    drawn = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
    hidden = {"Cc", "Cf", "Cs", "Co", "Zl", "Zp"}
    ignorable = [0x34F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180F, 0x2065, 0x3164, 0xFE00, 0xFE0F, 0xFFA0, 0xE01EF]
    missed = [
        code
        for code in range(sys.maxunicode + 1)
        if (unicodedata.category(chr(code)) in hidden and code not in drawn) or (code & 0xFFFE) == 0xFFFE
        if visible(chr(code)) == chr(code)
    ]
    assert missed == []
    assert [code for code in ignorable if visible(chr(code)) == chr(code)] == []


def test_letters_marks_and_numbers_stay() -> None:
    fillers = {0x115F, 0x1160, 0x3164, 0xFFA0, 0x34F, 0x17B4, 0x17B5, 0x180B, 0x180C, 0x180D, 0x180F}
    lost = [
        code
        for code in range(sys.maxunicode + 1)
        if unicodedata.category(chr(code))[0] in "LMNPS"
        and visible(chr(code)) != chr(code)
        and code not in fillers
        and not (0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF or code == 0x2800)
    ]
    assert lost == []


@given(st.text(st.characters()))
def test_idempotent_and_encodable(text: str) -> None:
    shown = visible(text)
    assert visible(shown) == shown
    assert shown.encode("utf-8").decode("utf-8") == shown


@pytest.mark.parametrize(
    ("text", "limit", "short"),
    [("abcdefghij", 10, "abcdefghij"), ("abcdefghij", 5, "ab…ij"), ("abcdefghij", 6, "abc…ij"), ("abc", 2, "a…")],
)
def test_clip(text: str, limit: int, short: str) -> None:
    assert clip(text, limit) == short


@pytest.mark.parametrize(
    ("request_id", "shown"),
    [
        (1, "1"),
        ("1", '"1"'),
        ('a"b\\', '"a\\"b\\\\"'),
        (1.5, "1.5"),
        (True, "true"),
        (False, "false"),
        (None, "null"),
        (float("nan"), "nan"),
    ],
)
def test_request_ids(request_id: str | int | float | bool | None, shown: str) -> None:
    assert show_id(request_id) == shown


def test_request_id_that_python_refuses_to_print() -> None:
    assert show_id(1 << 20_000) == "<integer of 20001 bits>"
