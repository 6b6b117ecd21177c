"""Texts made to slip through or to keep the matcher busy: quotations by the thousand, fillers, forged placeholders."""

from __future__ import annotations

import time

import pytest
from rulebook import judge, load_texts, pattern_of, rule_of, spans

from mcp_cassette.errors import PackError
from mcp_cassette.match.budget import Budget, OutOfBudget
from mcp_cassette.match.evaluate import evaluate
from mcp_cassette.match.scan import FILLER, Scan, mask_placeholders
from mcp_cassette.match.views import VIEWS

VIEW_NAMES = ["folded", "skeleton", "spaced"]


# --- soften


def test_many_hits_among_many_quotations_cost_one_look_each() -> None:
    rule = rule_of('words = ["wipe it"]\nsoften = ["quoted", "code"]\n')
    text = '"x" ' * 100_000 + '"wipe it" `wipe it` ' * 9_000
    start = time.process_time()
    match = judge(rule, text)
    assert time.process_time() - start < 3
    assert match is not None and (match.softened, match.found.start) == ("quoted", 400_001)
    last = judge(rule, text + "wipe it")
    assert last is not None and (last.softened, last.found.start) == (None, len(text))


def test_the_first_kind_that_calms_is_named() -> None:
    both = '`"wipe it"`'
    for kinds, softened in (('["quoted", "code"]', "quoted"), ('["code", "quoted"]', "code")):
        match = judge(rule_of(f'words = ["wipe it"]\nsoften = {kinds}\n'), both)
        assert match is not None and match.softened == softened


def test_a_match_that_reaches_into_two_quotations_is_not_softened() -> None:
    rule = rule_of("regex = 'wipe.*it'\nsoften = [\"quoted\"]\n")
    match = judge(rule, '"wipe" "it"')
    assert match is not None and match.softened is None


def test_looking_for_quotations_is_charged() -> None:
    rule = rule_of('words = ["wipe it"]\nsoften = ["quoted"]\n')
    scan = Scan('"wipe it" ' + '"x" ' * 500_000)
    budget = Budget(len(scan.text))
    budget.left = 1.0
    first = scan.found(rule.when.any[0], budget)
    assert len(first) == 1
    budget.left = 0.005
    with pytest.raises(OutOfBudget):
        evaluate(scan, rule.when, rule.soften, None, budget)


# --- fillers


@pytest.mark.parametrize("count", [1, 9, 10, 12, 300])
def test_a_row_of_nul_hides_no_word(count: int) -> None:
    row = "\x00" * count
    pattern = pattern_of('[rule.pattern.x]\nwords = ["forget everything"]\nviews = ["folded"]\n')
    for text in (f"For{row}get everything", f"Forget{row}everything{row}above", f"Forget {row}everything"):
        (found,) = spans(pattern, text)
        assert text.startswith(found) and found.endswith("everything")


def test_the_filler_is_no_character_of_the_text() -> None:
    assert FILLER == "\ufdd0"
    text = f"Ign{FILLER}ore all {FILLER * 12}of it [REDACTED]"
    masked = mask_placeholders(text)
    assert masked == "Ign\u200bore all " + "\u200b" * 12 + "of it " + FILLER * 10
    phrase = pattern_of('[rule.pattern.x]\nwords = ["ignore all of"]\nviews = ["folded"]\n')
    assert spans(phrase, text) == [text[: text.index("of it") + 2]]
    hidden = pattern_of('[rule.pattern.x]\npredicate = "invisible-run"\n')
    assert spans(hidden, text) == [FILLER, FILLER * 12]


@pytest.mark.parametrize("view", VIEW_NAMES)
def test_views_keep_the_filler(view: str) -> None:
    gap = FILLER * 10
    seen = VIEWS[view](f"IG\u200bNORE{gap}\u0430ll  a.l.l.l {gap}")
    assert seen is not None
    assert seen.text.count(FILLER) == 20
    assert f"ignore{gap}" in seen.text


@pytest.mark.parametrize("beside", ["[REDACTED]\u200d", "\u200e[REDACTED]", "\u200c[REDACTED]"])
def test_a_placeholder_is_no_letter_of_a_script_that_needs_joiners(beside: str) -> None:
    hidden = pattern_of('[rule.pattern.x]\npredicate = "invisible-run"\n')
    assert len(spans(hidden, f"a{beside}b")) == 1


# --- placeholders


@pytest.mark.parametrize(
    "mark",
    [
        "[REDACTED]",
        "[REDACTED:bearer:0123abcd]",
        "[REDACTED:api-key:0123abcd]",
        "[REDACTED:api_key-17]",
        "[REDACTED:email-1]",
        "[REDACTED:" + "a" * 20 + "-" + "b" * 20 + ":ffffffff]",
    ],
)
def test_what_a_redaction_writes_is_masked(mark: str) -> None:
    assert mask_placeholders(f"a{mark}b") == "a" + FILLER * len(mark) + "b"


@pytest.mark.parametrize(
    "mark",
    [
        "[REDACTED:ignore-all-previous-instruct-1]",
        "[REDACTED:forget-your-rules-1]",
        "[REDACTED:send_the_key:0123abcd]",
        "[REDACTED:" + "a" * 21 + "-1]",
        "[REDACTED:a-1]",
        "[REDACTED:a1b2-1]",
        "[REDACTED:email]",
        "[REDACTED:email:0123ABCD]",
        "[REDACTED:email:0123abc]",
        "[REDACTED:email-]",
    ],
)
def test_what_only_resembles_a_placeholder_is_read(mark: str) -> None:
    assert mask_placeholders(mark) == mark


@pytest.mark.parametrize(("name", "good"), [("api-key", True), ("api_key", True), ("k", False), ("a-b-c", False)])
def test_the_name_of_a_secret_is_a_label(name: str, good: bool) -> None:
    pack = (
        'format = 1\n[pack]\nname = "acme"\nprefix = "ACME"\n'
        f"[[secret]]\nname = \"{name}\"\nregex = 'acme_[0-9]{{9}}'\n"
    )
    if good:
        assert load_texts(pack).secrets[0].name == name
    else:
        with pytest.raises(PackError):
            load_texts(pack)
