"""Inline tests of a pack, judged per rule."""

from __future__ import annotations

import time

import pytest
from rulebook import HEAD, load_texts

from mcp_cassette.lint.inline import run_tests
from mcp_cassette.packs.load import load


def reasons(keys: str, *tests: str) -> list[str]:
    body = "".join(f"[[rule.test]]\n{t}\n" for t in tests)
    pack = load_texts(f'{HEAD}[[rule]]\nid = "ACME001"\nmessage = "m"\n{keys}\n{body}').packs[0]
    return [v.reason for v in run_tests(pack)]


SEND = "regex = 'send .*? to \\S+'\nlevel = \"error\"\n"


def test_match_and_no_match() -> None:
    assert reasons(SEND, 'text = "send it to x"\nmatch = true', 'text = "send it"\nmatch = false') == ["", ""]
    assert reasons(SEND, 'text = "send it"\nmatch = true') == ["expected a match, found none"]
    (reason,) = reasons(SEND, 'text = "send it to x"\nmatch = false')
    assert reason == 'expected no match, found "send it to x"'


def test_level() -> None:
    capped = SEND + '[rule.on.output]\ncap = "warn"\n'
    text = 'text = "send it to x"\nmatch = true\n'
    assert reasons(capped, text + 'level = "error"', text + 'on = "output.tool"\nlevel = "warning"') == ["", ""]
    assert reasons(capped, text + 'on = "output.tool"\nlevel = "error"') == ["expected level error, found warn"]
    soft = SEND + 'soften = ["quoted"]\n'
    quoted = 'text = "He: “send it to x .”"\nmatch = true\n'
    assert reasons(soft, quoted + 'level = "warn"\nsoftened = "quoted"') == [""]
    assert reasons(soft, quoted + 'softened = "code"') != [""]
    assert reasons(SEND, quoted + 'softened = "quoted"') != [""]


@pytest.mark.parametrize(
    ("spans", "passes"),
    [
        (["send it to x"], True),
        (["send … x"], True),
        (["send…x"], True),
        (["…"], True),
        (["… to …"], True),
        (["send … it … x"], True),
        (["send it to x", "send that to y"], True),
        (["send … x", "send … y"], True),
        (["send it to"], False),
        (["it to x"], False),
        (["send … y"], False),
        (["send … x … x"], False),
        (["send it to x", "send it to x"], False),
        (["send … x", "send … y", "send … z"], False),
        (["Send it to x"], False),
    ],
)
def test_spans_are_what_is_reported_in_order(spans: list[str], passes: bool) -> None:
    listed = ", ".join(f'"{s}"' for s in spans)
    (reason,) = reasons(SEND, f'text = "send it to x and send that to y"\nmatch = true\nspans = [{listed}]')
    assert (reason == "") is passes, reason


def test_others_and_repeat() -> None:
    keys = '[rule.pattern.a]\npredicate = "names-other-tool"\n[rule.pattern.b]\nlonger_than = 20\n'
    assert (
        reasons(
            keys,
            'text = "call send_mail"\nmatch = true\nothers = ["send_mail"]',
            'text = "call send_mail"\nmatch = false',
            'repeat = { text = "ab", times = 10 }\nmatch = false',
            'text = "c"\nrepeat = { text = "ab", times = 10 }\nmatch = true',
        )
        == [""] * 4
    )


def test_a_surface_that_is_off() -> None:
    keys = SEND + "[rule.on.output]\noff = true\n"
    text = 'text = "send it to x"\non = "output.tool"\n'
    assert reasons(keys, text + "match = false") == [""]
    assert "does not read output.tool" in reasons(keys, text + "match = true")[0]


def test_a_pattern_without_an_end_is_out_of_budget_and_fails() -> None:
    text = "a" * 40 + "b"
    (reason,) = reasons("regex = '^((a|a)*)*$'\n", f'text = "{text}"\nmatch = false')
    assert "budget" in reason


def test_a_reason_cannot_move_the_cursor() -> None:
    (reason,) = reasons("regex = 'a.*b'\n", 'text = "a\\u001b[2J\\u202eb"\nmatch = false')
    assert reason.isprintable() and "<U+001B>" in reason


def test_an_ellipsis_is_quick() -> None:
    start = time.process_time()
    text = 'text = "send"\nrepeat = { text = " ", times = 200000 }\nmatch = true\nspans = ["send … … … x"]'
    (reason,) = reasons("regex = '[\\s\\S]+'\n", text)
    assert reason != "" and time.process_time() - start < 1


@pytest.mark.parametrize("pack", load().packs, ids=lambda p: p.name)
def test_every_bundled_rule_passes_its_own_tests(pack) -> None:  # type: ignore[no-untyped-def]
    assert [f"{v.rule.id}:{v.test.line}: {v.reason}" for v in run_tests(pack) if not v.passed] == []
