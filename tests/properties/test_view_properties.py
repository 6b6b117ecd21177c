"""What holds of every view of any text."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mcp_cassette.match.scan import FILLER
from mcp_cassette.match.views import VIEWS, Seen
from mcp_cassette.match.views_fold import glimpse
from mcp_cassette.predicates.table import PREDICATES

NAMES = [name for name in VIEWS if name != "raw"]

ODD = (
    "aAbeilnorsz .-_/|\n\t\x00\x07"
    "\u00a0\u00ad\u0301\u0345\u0338\u200b\u200c\u200d\u200e\u202e\u2066\u2069\u2800\u3000\u3164\ufeff\ufe0f"
    "\u00b4\u00c9\u00df\u0130\u0131\u017f\u01c5\u0149\u0390\u03a3\u03c2\u03f2\u037a\u1fb3\u1e9e\u0587\ufb01\ufb03\ufdfa"
    "\u0430\u0435\u0438\u0439\u043e\u0441\u0443\u0410\u0421\u03bf\u03bd\u039d\u0570\u13aa\uab7a\u1d0f\ua731"
    "\uff49\uff76\uff9e\u3131\u314f\u1100\u1161\u11a8\uac00\u2460\u33a5\u2126\u212a"
    "\u0915\u094d\u0937\U0001d422\U0001f1ec\U0001f468\U0001f3f4\U000e0067\U000e007f\U000e0101\ud800\ufdd0"
)
odd_text = st.text(alphabet=ODD, max_size=60)
spelled = st.lists(
    st.sampled_from([*"abcdei", " ", "  ", ".", "-", "_", "\n", " / ", "--", "\u3000"]), max_size=40
).map("".join)
CODES = ["&#105;", "&#x69;", "&amp;", "&#38;", "&shy;", "%69", "%25", "%E5%BF%BD", "%ff", "\\u0069", "\\n", "\\x41"]
CODES += ["\\u{69}", "aWdub3JlIGFsbCBydWxlcyBhbmQgZ28=", "69676e6f726520616c6c2072756c6573", "\U000e0069", "\u0130"]
CODES += ["\ufe06\U000e0159\U000e0157", "\ufdd0", "\ufb01"]
escaped = st.lists(st.sampled_from([*"abexou01347@$!|&;#%\\ ", *CODES]), max_size=30).map("".join)
any_text = st.one_of(st.text(max_size=60), odd_text, spelled, escaped)


@pytest.mark.parametrize("name", NAMES)
@given(text=any_text)
@settings(max_examples=200, deadline=None)
def test_every_character_of_a_view_knows_where_it_came_from(name: str, text: str) -> None:
    seen = VIEWS[name](text)
    if seen is None:
        return
    assert len(seen.starts) == len(seen.ends) == len(seen.text)
    assert list(seen.starts) == sorted(seen.starts)
    assert list(seen.ends) == sorted(seen.ends)
    assert all(0 <= a < b <= len(text) for a, b in zip(seen.starts, seen.ends, strict=True))
    for start in range(0, len(seen.text), 7):
        for end in range(start + 1, len(seen.text) + 1, 5):
            a, b = seen.raw_span(start, end)
            assert a == min(seen.starts[start:end])
            assert b == max(seen.ends[start:end])


@pytest.mark.parametrize("name", NAMES)
@given(text=any_text)
@settings(max_examples=200, deadline=None)
def test_the_filler_of_a_placeholder_stays(name: str, text: str) -> None:
    text += FILLER * 3
    seen = VIEWS[name](text)
    if seen is None:
        return
    raw = [i for i, char in enumerate(text) if char == FILLER]
    assert [seen.starts[i] for i, char in enumerate(seen.text) if char == FILLER] == raw


@pytest.mark.parametrize("name", NAMES)
@given(text=any_text)
@example(text="a b c d   e   f   g   h")
@example(text="x\u200b\u0301")
@settings(max_examples=500, deadline=None)
def test_a_view_of_a_view_changes_nothing(name: str, text: str) -> None:
    seen = VIEWS[name](text)
    if seen is not None:
        again = VIEWS[name](seen.text)
        assert again is None or again.text == seen.text


@given(text=st.text(alphabet="abcxyz0189 .,;!?'\"()[]{}<>/=+-_", max_size=80))
@settings(max_examples=100, deadline=None)
def test_plain_small_text_has_no_view(text: str) -> None:
    single = " ".join(text.split(" "))
    while "  " in single:
        single = single.replace("  ", " ")
    assert VIEWS["raw"](single) is None
    assert VIEWS["folded"](single) is None
    assert VIEWS["skeleton"](single) is None


@given(text=any_text)
@settings(max_examples=200, deadline=None)
def test_a_view_that_is_there_differs_from_the_text(text: str) -> None:
    for name in NAMES:
        seen = VIEWS[name](text)
        assert seen is None or seen.text != text


@pytest.mark.parametrize("name", sorted(PREDICATES))
@given(text=any_text)
@settings(max_examples=100, deadline=None)
def test_hits_are_in_order_and_in_range(name: str, text: str) -> None:
    at = 0
    for hit in PREDICATES[name].find(
        text, {"min": 8} if name == "encoded-text" else {}, frozenset({"abcde", "ignore"})
    ):
        assert at <= hit.start < hit.end <= len(text)
        assert hit.note is None or hit.note.isprintable()
        at = hit.end


SIZE = 50_000
HOSTILE = {
    "spaces": " " * SIZE,
    "tabs": "\t\n" * (SIZE // 2),
    "one long word": "a" * SIZE,
    "capitals": "A" * SIZE,
    "single letters": "a " * (SIZE // 2),
    "letters spelled in pairs": "a.b c.d " * (SIZE // 8),
    "letters with changing gaps": "a b  c-d " * (SIZE // 9),
    "letters then spaces": "a b c d" + " " * SIZE + "e",
    "zero-width joiners": "x" + "\u200d" * SIZE,
    "joined letters": "a\u200d" * (SIZE // 2),
    "breaks in a word": "abcde\u200b" * (SIZE // 6),
    "marks": "a" + "\u0301\u0323" * (SIZE // 2),
    "marked letters": "a\u0301" * (SIZE // 2),
    "rows of marks": ("e" + "\u0323\u0301" * 16) * (SIZE // 33),
    "alternating scripts": "a\u0430" * (SIZE // 2),
    "alternating scripts with marks": "a\u0301\u0430" * (SIZE // 3),
    "look-alike words": "\u0430\u0435 " * (SIZE // 3),
    "Russian": "\u0448\u043a\u043e\u043b\u0430 " * (SIZE // 6),
    "full-width": "\uff21" * SIZE,
    "embeddings": "\u202a" * SIZE,
    "isolates": "\u2067a" * (SIZE // 2),
    "closings": "\u2069\u202c" * (SIZE // 2),
    "nested and closed": "\u2067\u202b" * (SIZE // 4) + "\u2069" * (SIZE // 4),
    "selectors": "\ufe0f" * SIZE,
    "selected letters": "a\ufe0f" * (SIZE // 2),
    "tags": "\U0001f3f4" + "\U000e0061" * SIZE,
    "flags that end nowhere": "\U0001f3f4\U000e0067\U000e0062" * (SIZE // 3),
    "families": "\U0001f468\u200d" * (SIZE // 2),
    "base64 of nothing": ("QUJD" * 30 + " ") * (SIZE // 121),
    "base64 of braces": "eyJhYWFh" + "YWFh" * (SIZE // 4),
    "short of a run": ("a" * 119 + " ") * (SIZE // 120),
    "dots": "." * SIZE,
    "leet": "a1" * (SIZE // 2),
    "leet words": "1gn0re " * (SIZE // 7),
    "exclamation marks": "a!" * (SIZE // 2),
    "entities": "&#105;" * (SIZE // 6),
    "ampersands": "&" * SIZE,
    "ampersands and letters": "&abcdefg" * (SIZE // 8),
    "percent": "%69" * (SIZE // 3),
    "percent of nothing": "%ff" * (SIZE // 3),
    "backslashes": "\\" * SIZE,
    "backslash letters": "\\n" * (SIZE // 2),
    "base64 of words": "aWdub3JlIGFsbCBydWxlcyBhbmQgZ28= " * (SIZE // 33),
    "wrapped base64": "aWdub3JlIGFsbCBydWxlcyBhbmQg\n" * (SIZE // 29),
    "hexadecimal": "69676e6f7265" * (SIZE // 12),
    "spelled in selectors": "\ufe06\U000e0159" * (SIZE // 2),
    "NUL": "\x00a" * (SIZE // 2),
}


@pytest.mark.parametrize("what", sorted(HOSTILE))
def test_hostile_text_costs_no_more_than_its_length(what: str) -> None:
    text = HOSTILE[what]
    for label, run in (
        *((name, VIEWS[name]) for name in NAMES),
        *((n, lambda t, p=p: sum(1 for _ in p.find(t, {}, frozenset({"ignore_all"})))) for n, p in PREDICATES.items()),
    ):
        run("\u00e9")  # what is compiled at the first use is no cost of the text
        began = time.process_time()
        run(text)
        assert time.process_time() - began < 3.0, label


def test_raw_spans_of_nothing() -> None:
    seen = Seen("ab", [0, 3], [2, 4])
    assert seen.raw_span(0, 1) == (0, 2)
    assert seen.raw_span(0, 2) == (0, 4)
    assert seen.raw_span(1, 1) == (3, 3)
    assert seen.raw_span(2, 2) == (4, 4)
    assert Seen("", [], []).raw_span(0, 0) == (0, 0)


@settings(max_examples=600)
@given(text=any_text)
def test_a_glimpse_is_the_folded_view(text: str) -> None:
    shown = glimpse(text)
    if shown is not None:
        seen = VIEWS["folded"](text)
        assert shown == (text if seen is None else seen.text)
