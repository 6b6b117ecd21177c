"""The evidence line: short, printable, and without secrets."""

from __future__ import annotations

import time
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_cassette.lint.excerpt import Masker, excerpt
from mcp_cassette.match.scan import Found
from mcp_cassette.model import Evidence
from mcp_cassette.packs.load import load
from mcp_cassette.packs.model import Secret

MASKER = Masker(load().secrets)


def quote(text: str, match: str, **extra: str) -> Evidence:
    start = text.index(match)
    return excerpt(text, Found(start, start + len(match), "raw", (), **extra), MASKER)


def test_a_short_text_is_quoted_whole() -> None:
    evidence = quote("Please ignore it now.", "ignore it")
    assert (evidence.before, evidence.match, evidence.after) == ("Please ", "ignore it", " now.")
    assert evidence.quote == "Please ignore it now."
    assert (evidence.reveals, evidence.note) == (None, None)


def test_about_sixty_characters_are_quoted() -> None:
    text = "word " * 100 + "HERE" + " word" * 100
    evidence = quote(text, "HERE")
    assert 50 <= len(evidence.quote) <= 70
    assert evidence.quote in text
    assert abs(len(evidence.before) - len(evidence.after)) <= 2


def test_white_space_is_collapsed() -> None:
    evidence = quote("a  \n\t b   ignore \n\n it   c\r\n d", "ignore \n\n it")
    assert evidence.quote == "a b ignore it c d"


def test_what_cannot_be_seen_is_spelled_out() -> None:
    evidence = quote("see\u200b x\u202eig\x1b[2Jnore\u00ad \U000e0041y", "ig\x1b[2Jnore")
    assert evidence.before == "see<U+200B> x<U+202E>"
    assert evidence.match == "ig<U+001B>[2Jnore"
    assert evidence.after == "<U+00AD> <U+E0041>y"


def test_a_long_match_is_cut_in_its_middle() -> None:
    for size in (200, 5_000):
        text = "before " + "head" + "x" * size + "tail" + " after"
        evidence = quote(text, "head" + "x" * size + "tail")
        assert evidence.match.startswith("headxx") and evidence.match.endswith("xxtail")
        assert " … " in evidence.match and len(evidence.match) <= 90
        assert (evidence.before, evidence.after) == ("before ", " after")


def test_what_a_view_made_visible() -> None:
    evidence = quote("so igno\u200bre it", "igno\u200bre", shown="ignore", note="one U+200B")
    assert (evidence.reveals, evidence.note) == ("ignore", "one U+200B")


GITHUB = "ghp_" + "A1b2C3d4E5" * 4
ANTHROPIC = "sk-ant-api03-" + "q9W8e7R6t5" * 5
BEARER = "Z9y8X7w6V5" * 3
JWT = "eyJhbGciOiJub25lIn0." + "eyJzdWIiOiIx" * 120 + "." + "c2lnbmF0dXJl" * 4


@pytest.mark.parametrize("secret", [GITHUB, ANTHROPIC, BEARER])
@pytest.mark.parametrize("gap", [1, 15, 26, 29, 30, 31, 60])
@pytest.mark.parametrize("side", ["before", "after", "around"])
def test_secrets_are_masked_half_cut_ones_too(secret: str, gap: int, side: str) -> None:
    written = f"Bearer {secret}" if secret is BEARER else secret
    filler = ("a b " * 30)[:gap]
    left = f"{written} {filler}" if side != "after" else "so "
    right = f"{filler} {written} end" if side != "before" else " so"
    evidence = quote(f"{left}MATCH{right}", "MATCH")
    for shown in (evidence.before, evidence.after):
        for start in range(4, len(secret) - 5):
            assert secret[start : start + 6] not in shown
    assert evidence.match == "MATCH"


@pytest.mark.parametrize("side", ["before", "after"])
def test_the_middle_of_a_long_secret_is_masked(side: str) -> None:
    """The quotation shows 30 characters beside the match; the secret begins a thousand characters away."""
    for secret in (JWT, "Bearer " + "Q7" * 1_000, f"https://user:{'p4ss' * 50}@host.example/"):
        text = f"x {secret}/MATCH" if side == "before" else f"MATCH={secret} x"
        evidence = quote(text, "MATCH")
        pieces = {secret[i : i + 12] for i in range(24, len(secret) - 24)}
        assert not any(piece in evidence.quote for piece in pieces)


def test_a_secret_inside_the_match_the_view_and_the_note() -> None:
    evidence = quote(f"send {GITHUB} now", f"send {GITHUB} now", shown=f"send {GITHUB} now", note=f"spells {GITHUB}")
    for part in (evidence.match, evidence.reveals, evidence.note):
        assert part is not None and GITHUB not in part and GITHUB[8:20] not in part and "ghp_" in part
    long = quote("begin " + "x " * 300 + GITHUB, "begin " + "x " * 300 + GITHUB)
    assert GITHUB[10:30] not in long.match


def test_masking_keeps_the_length() -> None:
    for text in (GITHUB, f"a {ANTHROPIC} b {GITHUB}", f"Authorization: Bearer {BEARER}", "nothing here"):
        assert len(MASKER.mask(text)) == len(text)
    assert MASKER.mask(f"x {GITHUB}.") == "x ghp_" + "*" * (len(GITHUB) - 4) + "."


def test_a_group_that_took_no_part_masks_the_whole() -> None:
    secret = Secret("a", "key-(?P<x>[0-9]+)|tok-[a-z]+", 0, "x")
    assert Masker([secret]).mask("key-12345678 tok-abcdefgh") == "key-1234**** tok-********"


def test_a_secret_without_an_end_masks_everything() -> None:
    slow = Secret("slow", "^((a|a)*)*$")
    assert Masker([slow]).mask("a" * 40 + "b") == "*" * 41


def test_a_secret_without_an_end_is_given_up_after_three_texts() -> None:
    """Closed: from then on every quotation is masked whole."""
    masker = Masker([Secret("quick", "tok-[a-z]+"), Secret("slow", "^((a|a)*)*$")])
    assert masker.mask("tok-abcdefgh here") == "tok-******** here"
    assert masker.slow == []
    start = time.process_time()
    masked = [masker.mask("a" * 40 + "b " + "c" * n) for n in range(500)]
    assert masked == ["*" * (42 + n) for n in range(500)]
    assert masker.mask("tok-abcdefgh here") == "*" * 17
    assert masker.slow == ["slow"]
    assert 0.4 < time.process_time() - start < 1.2


def test_time_adds_up_where_no_single_text_takes_too_long() -> None:
    masker = Masker([Secret("slow", "(?:a|b)*?(?:a|b)*?(?:a|b)*?[^ab]")])
    start = time.process_time()
    for _ in range(2_000):
        masker.mask("ab" * 70)
    assert masker.slow == ["slow"]
    assert masker.mask("hello") == "*****"
    assert time.process_time() - start < 2


def test_a_long_text_costs_no_more_than_its_neighbourhood() -> None:
    text = "x" * 3_000_000 + " MATCH " + "y" * 3_000_000
    start = time.process_time()
    for _ in range(5):
        quote(text, "MATCH")
    assert time.process_time() - start < 1.5


def printable(text: str) -> bool:
    return not any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp") for c in text)


ODD = st.text(
    alphabet="ab #[\n\t\r\x1b\x00\x9b\u200b\u200d\u202e\u2066\u2028\ufeff\U000e0041\ud800\ue000é忽", max_size=60
)


@given(left=ODD, match=ODD.filter(bool), right=ODD, secret=st.sampled_from([GITHUB, ANTHROPIC]), inside=st.booleans())
@settings(max_examples=120, deadline=None)
def test_no_quotation_is_dangerous_to_print(left: str, match: str, right: str, secret: str, inside: bool) -> None:
    body = f"{match} {secret} {match}" if inside else match
    text = f"{left} {secret} {body} {secret} {right}"
    start = len(left) + len(secret) + 2
    evidence = excerpt(text, Found(start, start + len(body), "folded", (), body), MASKER)
    for part in (evidence.before, evidence.match, evidence.after, evidence.reveals or ""):
        assert printable(part)
        assert secret not in part
        part.encode()
    assert secret not in evidence.quote
