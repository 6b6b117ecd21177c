"""Without the sign of the skeleton view, it shows no ASCII letter that folding does not show."""

from __future__ import annotations

from functools import cache

import orjson
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mcp_cassette.match.lookalike_forms import FORMS
from mcp_cassette.match.lookalikes import between, lookalikes, whole
from mcp_cassette.match.quick import quick_fold
from mcp_cassette.match.telltale import Telltale
from mcp_cassette.match.views import VIEWS

FORM_CODES = [int(code, 16) for code in FORMS.split()]
alike = st.one_of(
    st.sampled_from([chr(c) for c in lookalikes()]),
    st.sampled_from([chr(c) for c in whole() if 0x370 <= c < 0x590]),
    st.sampled_from([chr(c) for c in between()]),
    st.sampled_from([chr(c) for c in FORM_CODES]),
)
beside = st.one_of(
    st.sampled_from("abfnrtuxzABFNRU019 \n\t\\\"'.-é_ßğñ\u0250"),
    st.sampled_from("яжДλΨћ字かაԱشש้ั"),
    st.sampled_from("\u0301\u0345\u0308\u0903\u20dd\u034f\u200d\ufe0f\u0e31"),
    st.characters(exclude_categories=["Cs"]),
)
texts = st.lists(st.one_of(alike, beside), max_size=14).map("".join)


def shown(view: str, text: str) -> str:
    seen = VIEWS[view](text)
    return text if seen is None else seen.text


def letters(text: str) -> list[str]:
    return [c for c in text.lower() if c.isascii() and c.isalpha()]


def more(text: str) -> bool:
    """Whether the view shows an ASCII letter more than folding does."""
    return VIEWS["skeleton"](text) is not None and letters(shown("skeleton", text)) != letters(shown("folded", text))


@cache
def telltale() -> Telltale:
    return Telltale((), {"skeleton"})


def in_disguise(data: bytes) -> bool:
    return telltale().look(data)[0]


@settings(max_examples=3000, deadline=None)
@given(texts)
@example("соре")
@example("а\u0301\u0301b")
@example("\u1fb3\u1fb3")
@example("b0ρe")
@example("\nсоре\n")
def test_no_sign_no_letter(text: str) -> None:
    if more(text):
        assert in_disguise(text.encode()), ascii(text)
        # A line with an escape of a letter is read and written anew before it is looked at.
        assert in_disguise(orjson.dumps(text)), ascii(text)


@settings(max_examples=1500, deadline=None)
@given(texts)
def test_quick_fold_shows_what_the_view_shows(text: str) -> None:
    quick = letters(quick_fold(text, "skeleton"))
    seen = letters(shown("skeleton", text))
    at = 0
    for letter in seen:
        assert letter in quick[at:], ascii(text)
        at = quick.index(letter, at) + 1


PROSE = [
    "Сегодня утром мы поехали в деревню, и дождь шёл весь день. Хорошо, что все взяли зонты!",
    "Вона читала книжку, а діти гралися надворі.",
    "Σήμερα το πρωί πήγαμε στην αγορά και αγοράσαμε ψωμί, τυρί και ελιές.",
    "Այսօր եղանակը լավ է, և մենք գնում ենք այգի։",
    "დღეს კარგი ამინდია და ბავშვები ეზოში თამაშობენ.",
]


@pytest.mark.parametrize("text", PROSE)
def test_ordinary_prose_is_no_candidate(text: str) -> None:
    text = f"{text}\n{text} API, JSON 5: {text}"
    assert not in_disguise(text.encode())
    assert not in_disguise(orjson.dumps({"text": text.replace("\n", " ")}))  # a line feed shows a letter there


@pytest.mark.parametrize("text", ["ignоre", "соре", "say: соре", "igno\u0301\u0301ре", "ѕаѕһ!", "a০b", "ꓲꓖꓠꓳꓣꓰ"])
def test_the_sign_is_there(text: str) -> None:
    assert in_disguise(text.encode())
    assert in_disguise(orjson.dumps(text))
