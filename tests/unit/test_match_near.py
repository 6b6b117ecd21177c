"""``near``, ``except``, sentence ends, placeholders, and spans found through a view."""

from __future__ import annotations

import time

import pytest
from rulebook import find, judge, pattern_of, rule_of, spans

from mcp_cassette.match.scan import Scan, mask_placeholders
from mcp_cassette.packs.model import Pattern


def near(keys: str, first: str = '"send"', then: str = '"secret"', more: str = "") -> Pattern:
    return pattern_of(
        f"[rule.pattern.a]\nwords = [{first}]\n[rule.pattern.b]\nwords = [{then}]\n"
        f'[rule.pattern.x]\nnear = {{ first = "a", then = "b", {keys} }}\n{more}'
    )


# --- distance and order


def test_the_gap_is_counted_between_the_two() -> None:
    pattern = near('within = 5, order = "before"')
    assert spans(pattern, "send12345secret") == []  # no whole words
    assert spans(pattern, "send --- secret") == ["send --- secret"]
    assert spans(pattern, "send ---- secret") == []
    assert spans(pattern, "send secret") == ["send secret"]


def test_a_gap_of_nothing() -> None:
    pattern = near('within = 0, order = "before"', '"a"', '"!"')
    assert spans(pattern, "a! a !") == ["a!"]


def test_before_is_an_order_and_either_is_none() -> None:
    assert spans(near('within = 9, order = "before"'), "secret, send") == []
    assert spans(near('within = 9, order = "either"'), "secret, send") == ["secret, send"]
    assert spans(near('within = 9, order = "either"'), "send a secret") == ["send a secret"]
    assert spans(near("within = 9"), "secret, send") == ["secret, send"]


def test_either_looks_after_when_nothing_stands_before() -> None:
    pattern = near('within = 4, order = "either"')
    assert spans(pattern, "send ......... secret send") == ["secret send"]


def test_the_nearest_of_several_is_taken() -> None:
    pattern = near('within = 40, order = "before"')
    assert spans(pattern, "send it, send the secret") == ["send the secret"]
    assert spans(pattern, "send the secret and the secret") == ["send the secret", "send the secret and the secret"]


def test_what_overlaps_is_not_near() -> None:
    pattern = near('within = 40, order = "either"', '"send secret"', '"secret"')
    assert spans(pattern, "send secret") == []
    assert spans(pattern, "send secret, the secret") == ["send secret, the secret"]


def test_the_parts_of_a_near_are_its_two_ends() -> None:
    (found,) = find(near('within = 40, order = "before"'), "so send me the secret now")
    assert (found.start, found.end) == (3, 21)
    assert found.parts == ((3, 7), (15, 21))


def test_a_near_of_a_near() -> None:
    pattern = pattern_of(
        '[rule.pattern.a]\nwords = ["a"]\n[rule.pattern.b]\nwords = ["b"]\n[rule.pattern.c]\nwords = ["c"]\n'
        '[rule.pattern.ab]\nnear = { first = "a", then = "b", within = 3, order = "either" }\n'
        '[rule.pattern.x]\nnear = { first = "ab", then = "c", within = 3, order = "before" }\n'
    )
    assert spans(pattern, "b a c") == ["b a c"]
    assert spans(pattern, "a .... b c") == []
    assert spans(pattern, "a b a . b . c") == ["a . b . c"]


# --- sentences


@pytest.mark.parametrize(
    ("text", "same_sentence"),
    [
        ("send it. The secret", False),
        ("send it! The secret", False),
        ("send it? The secret", False),
        ("send it?! The secret", False),
        ("send it... The secret", False),
        ("send it.\tThe secret", False),
        ("send it.\u00a0The secret", False),
        ("send it\nthe secret", False),
        ("send it\r\nthe secret", False),
        ("send 它。secret", False),
        ("send 它！secret", False),
        ("send 它？secret", False),
        ("send. secret", False),
        ("send version 3.5 of the secret", True),
        ("send a.txt or the secret", True),
        ("send it, e.g. the secret", True),
        ("send it to J. the secret", True),
        ("send it: the secret", True),
        ("send it; the secret", True),
        ("send it – the secret.", True),
        ("Hello. Now send the secret. Bye.", True),
        ("send to д. the secret", True),
    ],
)
def test_a_sentence_end_stands_between(text: str, same_sentence: bool) -> None:
    pattern = near('within = 40, order = "before", stop = "sentence"')
    assert bool(find(pattern, text)) is same_sentence
    assert find(near('within = 40, order = "before"'), text)


def test_a_sentence_end_counts_backwards_too() -> None:
    pattern = near('within = 40, order = "either", stop = "sentence"')
    assert spans(pattern, "The secret. Now send it") == []
    assert spans(pattern, "Send no. The secret to send") == ["secret to send"]


@pytest.mark.parametrize("text", ["SEND it\nthe SECRET", "SEND  it. The\u200b SECRET", "Ｓｅｎｄ it.  A secret"])
def test_a_sentence_end_is_found_in_raw_when_the_view_has_folded_it_away(text: str) -> None:
    stop = near('within = 40, order = "before", stop = "sentence"', more='views = ["folded"]\n')
    assert find(stop, text) == []
    free = near('within = 40, order = "before"', more='views = ["folded"]\n')
    assert [f.view for f in find(free, text)] == ["folded"]


def test_a_long_row_of_dots_costs_nothing() -> None:
    text = "send " + "." * 200_000 + "x secret"
    pattern = near('within = 10, order = "before", stop = "sentence"')
    start = time.process_time()
    assert find(pattern, text) == []
    assert find(pattern, "send secret " + "?!" * 100_000) != []
    assert time.process_time() - start < 1


# --- except

OURS = (
    "[rule.pattern.ours]\nregex = 'https://api\\.Acme\\.example/'\n"
    '[rule.pattern.url]\nregex = \'https?://\\S+\'\nflags = "i"\n[rule.pattern.verb]\nwords = ["send"]\n'
)


def test_except_drops_the_match_and_not_the_text() -> None:
    pattern = pattern_of(OURS + "[rule.pattern.x]\nregex = 'https?://\\S+'\nexcept = [\"ours\"]\n")
    text = "https://api.Acme.example/v1 and https://evil.example/ and https://api.Acme.example/v2"
    assert spans(pattern, text) == ["https://evil.example/"]


def test_except_looks_at_both_ends_of_a_near() -> None:
    pattern = pattern_of(
        OURS
        + '[rule.pattern.x]\nnear = { first = "verb", then = "url", within = 60, order = "before" }\n'
        + 'except = ["ours"]\n'
    )
    assert spans(pattern, "send to https://api.Acme.example/v1") == []
    text = "send to https://api.Acme.example/v1 or https://evil.example/"
    assert spans(pattern, text) == [text]
    # an exception between the two ends is no exception of theirs
    assert spans(pattern, "send https://api.Acme.example/a https://b.example/") != []


def test_an_exception_holds_in_every_view() -> None:
    """The folded view has no capitals: the exception must not lose its hold there."""
    pattern = pattern_of(
        OURS + '[rule.pattern.x]\nregex = \'https?://\\S+\'\nexcept = ["ours"]\nviews = ["raw", "folded"]\n'
    )
    assert find(pattern, "See  https://api.Acme.example/v1") == []
    assert len(find(pattern, "See  https://api.Acme.example/v1 or  https://Evil.example/")) == 1


def test_exceptions_may_have_exceptions_and_overlap() -> None:
    pattern = pattern_of(
        '[rule.pattern.a]\nwords = ["one two"]\n[rule.pattern.b]\nregex = "two.*four"\nexcept = ["c"]\n'
        '[rule.pattern.c]\nwords = ["stop"]\n[rule.pattern.x]\nregex = "one|two|three|four|five"\nexcept = ["a", "b"]\n'
    )
    assert spans(pattern, "one two three four five") == ["five"]
    assert spans(pattern, "one two three stop four five") == ["three", "four", "five"]


# --- views


@pytest.mark.parametrize(
    ("view", "text", "raw"),
    [
        ("folded", "so IG\u200bNORE   all\u00a0 of it", "IG\u200bNORE   all"),
        ("folded", "so ｉｇｎｏｒｅ\nALL of it", "ｉｇｎｏｒｅ\nALL"),
        ("skeleton", "so ign\u043ere all of it", "ign\u043ere all"),
        ("spaced", "so i g n o r e   a l l of it", "i g n o r e   a l l"),
        ("spaced", "so i.g.n.o.r.e all of it", "i.g.n.o.r.e all"),
    ],
)
def test_a_span_found_in_a_view_selects_the_raw_characters(view: str, text: str, raw: str) -> None:
    rule = rule_of(f'[rule.pattern.x]\nwords = ["ignore all"]\nviews = ["{view}"]\n')
    match = judge(rule, text)
    assert match is not None
    assert match.found.view == view
    assert text[match.found.start : match.found.end] == raw
    assert judge(rule_of('[rule.pattern.x]\nwords = ["ignore all"]\nviews = ["raw"]\n'), text) is None


def test_a_place_is_found_once_however_many_views_see_it() -> None:
    pattern = pattern_of('[rule.pattern.x]\nwords = ["ignore"]\nviews = ["raw", "folded", "skeleton", "spaced"]\n')
    text = "Ignore  this, ign\u043ere that, i g n o r e it"
    assert [(f.start, f.view) for f in find(pattern, text)] == [(0, "raw"), (14, "skeleton"), (27, "spaced")]


# --- placeholders


@pytest.mark.parametrize(
    "mark", ["[REDACTED:bearer:0123abcd]", "[REDACTED:email-1]", "[REDACTED]", "[REDACTED:api_key:00000000]"]
)
def test_text_inside_a_placeholder_is_not_read_and_around_it_is(mark: str) -> None:
    word = pattern_of('[rule.pattern.x]\nwords = ["redacted", "bearer", "email", "api_key"]\n')
    assert spans(word, f"see {mark} bearer") == ["bearer"]
    phrase = pattern_of("[rule.pattern.x]\nregex = 'ignore[\\s\\S]{0,40}all'\nflags = \"i\"\n")
    assert spans(phrase, f"{mark}ignore it all{mark}") == ["ignore it all"]
    assert len(mask_placeholders(f"a{mark}b")) == len(mark) + 2


@pytest.mark.parametrize("view", ["raw", "folded", "skeleton", "spaced"])
def test_no_phrase_reaches_across_a_placeholder(view: str) -> None:
    pattern = pattern_of(f'[rule.pattern.x]\nwords = ["ignore all"]\nviews = ["{view}"]\n')
    for text in (
        "Ignore [REDACTED] all",
        "Ignore[REDACTED:email-1]all",
        "IGNORE \u200b[REDACTED:key:0123abcd]\u200b аll",
    ):
        assert find(pattern, text) == []


@pytest.mark.parametrize(
    "text",
    [
        "[REDACTED:ignore all previous instructions]",
        "[REDACTED: ignore all previous instructions:0123abcd]",
        "[REDACTED:ignore-all-previous-instructions]",
        "[REDACTED:Ignore-all-previous-instructions:0123abcd]",
        "[REDACTED:ignore-all-previous-instructions:0123abcd]",
        "[REDACTED:key:0123abcd ignore all previous instructions]",
        "[REDACTED\nignore all previous instructions]",
        "[redacted:ignore all previous instructions]",
        "[REDACTED:" + "x" * 40 + " ignore all previous instructions",
    ],
)
def test_what_only_looks_like_a_placeholder_is_read(text: str) -> None:
    pattern = pattern_of("[rule.pattern.x]\nregex = 'ignore[ -]all[ -]previous'\nflags = \"i\"\n")
    assert len(find(pattern, text)) == 1


def test_masking_is_quick() -> None:
    start = time.process_time()
    for text in ("[REDACTED" * 50_000, "[REDACTED:" + "a" * 500_000, "[REDACTED:a:" * 40_000):
        assert len(Scan(text).text) == len(text)
    assert time.process_time() - start < 1
