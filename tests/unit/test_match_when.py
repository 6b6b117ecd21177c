"""``when`` and its windows, ``on`` surface by surface, ``soften``."""

from __future__ import annotations

import time

import pytest
from rulebook import judge, rule_of

from mcp_cassette.errors import PackError
from mcp_cassette.lint.plan import bind
from mcp_cassette.match.budget import Budget
from mcp_cassette.match.evaluate import evaluate, matches
from mcp_cassette.match.scan import Scan
from mcp_cassette.model import Level
from mcp_cassette.packs.model import Rule
from mcp_cassette.surfaces import IDENTIFIER, OUTPUT, PROSE, SURFACES

WORDS = "".join(f'[rule.pattern.{w}]\nwords = ["{w}"]\n' for w in ("one", "two", "three", "bad"))


def when(table: str, more: str = "") -> Rule:
    return rule_of(f"when = {{ {table} }}\n{more}{WORDS}")


def hits(rule: Rule, text: str) -> list[str]:
    found = matches(Scan(text), rule.when, None, Budget(len(text)))
    return [text[f.start : f.end] for f in found]


@pytest.mark.parametrize(
    ("table", "text", "expected"),
    [
        ('any = ["one", "two"]', "two one two", ["two", "one", "two"]),
        ('any = ["one", "two"]', "three", []),
        ('all = ["one", "two"]', "two then one", ["one"]),
        ('all = ["one", "two"]', "one one", []),
        ('any = ["one"], none = ["bad"]', "one", ["one"]),
        ('any = ["one"], none = ["bad"]', "one ................ bad", []),
        ('all = ["one"], none = ["bad"]', "bad ................ one", []),
        ('any = ["three"], all = ["one", "two"]', "one two", []),
        ('any = ["three"], all = ["one", "two"]', "one three two", ["three"]),
        ('at_least = 2, of = ["one", "two", "three"]', "one one one", []),
        ('at_least = 2, of = ["one", "two", "three"]', "one three", ["one", "three"]),
        ('at_least = 3, of = ["one", "two", "three"]', "one three", []),
        ('any = ["one"], at_least = 1, of = ["two", "three"]', "one", []),
        ('any = ["one"], at_least = 1, of = ["two", "three"]', "three one", ["one"]),
        ('any = ["one"], at_least = 2, of = ["one", "one", "two"]', "one one", []),
        ('any = ["one"], all = ["two"], none = ["bad"], at_least = 1, of = ["three"]', "three two one", ["one"]),
        ('any = ["one"], all = ["two"], none = ["bad"], at_least = 1, of = ["three"]', "three two one bad", []),
    ],
)
def test_every_part_that_is_present_must_hold(table: str, text: str, expected: list[str]) -> None:
    assert hits(when(table), text) == expected


@pytest.mark.parametrize(("gap", "holds"), [(13, True), (14, True), (15, False)])
def test_the_parts_share_a_window(gap: int, holds: bool) -> None:
    """3 characters, the gap, 3 characters: 20 in all when the gap is 14."""
    rule = when('all = ["one", "two"], within = 20')
    for first, then in (("one", "two"), ("two", "one")):
        assert (hits(rule, first + "." * gap + then) == ["one"]) is holds


def test_a_window_is_shared_by_all_and_not_only_by_neighbours() -> None:
    rule = when('all = ["one", "two", "three"], within = 20')
    assert hits(rule, "one.....two.....three") == []
    assert hits(rule, "one....two.....three") == ["one"]
    assert hits(rule, "three one .................. two one three") == ["one"]


def test_an_anchor_that_does_not_fit_hides_no_other() -> None:
    rule = rule_of(
        'when = { any = ["long", "one"], all = ["two"], within = 20 }\n'
        + WORDS
        + "[rule.pattern.long]\nregex = 'x.*x'\n"
    )
    assert hits(rule, "two x one ......... x") == ["one"]
    assert hits(rule, "two xone ........... x") == []
    rule = rule_of(
        'when = { any = ["long", "one"], all = ["two"], within = 12 }\n'
        + WORDS
        + "[rule.pattern.long]\nregex = 'one .*x'\n"
    )
    assert hits(rule, "two one ........ x") == ["one"]


def test_a_match_longer_than_the_window_does_not_count() -> None:
    rule = rule_of('when = { all = ["long", "one"], within = 10 }\n' + WORDS + "[rule.pattern.long]\nregex = 'x.*x'\n")
    assert hits(rule, "xx one") == ["xx"]
    assert hits(rule, "x one......x") == []


def test_what_must_be_absent_is_absent_from_the_window() -> None:
    rule = when('all = ["one", "two"], none = ["bad"], within = 20')
    assert hits(rule, "one bad two") == []
    assert hits(rule, "one two" + "." * 60 + "bad") == ["one"]
    assert hits(rule, "bad" + "." * 60 + "one two") == ["one"]
    assert hits(rule, "one bad two" + "." * 60 + "two one") == ["one"]


def test_the_anchors_come_in_raw_order_once_each() -> None:
    rule = when('any = ["one", "three"], all = ["two"], within = 12')
    assert hits(rule, "one two three one ......... one .. three two") == ["one", "three", "three"]


def test_many_hits_are_quick() -> None:
    rule = when(
        'any = ["one"], all = ["two"], none = ["bad"], at_least = 2, of = ["one", "two", "three"], within = 300'
    )
    start = time.process_time()
    assert judge(rule, "one two bad " * 10_000) is None
    assert judge(rule, "one two " * 10_000) is not None
    near = rule_of(
        WORDS
        + '[rule.pattern.x]\nnear = { first = "one", then = "two", within = 1, order = "either" }\nexcept = ["bad"]\n'
    )
    assert judge(near, "one, . two bad " * 8_000) is None
    assert time.process_time() - start < 3


def test_out_of_budget_is_no_silent_pass() -> None:
    from mcp_cassette.match.budget import OutOfBudget

    rule = rule_of("regex = '^((a|a)*)*$'\n")
    start = time.process_time()
    with pytest.raises(OutOfBudget):
        judge(rule, "a" * 40 + "b")
    assert time.process_time() - start < 1.5
    spent = Budget(0)
    spent.left = 0
    with pytest.raises(OutOfBudget):
        spent.start()


def test_the_budget_is_one_for_all_patterns_of_a_rule() -> None:
    from mcp_cassette.match.budget import OutOfBudget

    many = rule_of("".join(f"[rule.pattern.p{i}]\nregex = 'b\\d{{{i}}}'\n" for i in range(1, 30)))
    scan, budget = Scan("b" * 50_000), Budget(1_000_000)
    before = budget.left
    assert evaluate(scan, many.when, (), None, budget) is None
    spent = before - budget.left
    assert spent > 0
    tight = Budget(0)
    tight.left = spent / 3
    with pytest.raises(OutOfBudget):
        evaluate(Scan("b" * 50_000), many.when, (), None, tight)


# --- the window of output


def far(count: int) -> str:
    return "one" + "." * (count - 6) + "two"


@pytest.mark.parametrize(
    "table", ['all = ["one", "two"]', 'any = ["one"], at_least = 1, of = ["two"]', 'at_least = 2, of = ["one", "two"]']
)
def test_on_output_a_combination_shares_300_characters_unless_said(table: str) -> None:
    rule = when(table)
    for surface in OUTPUT:
        assert judge(rule, far(300), surface) is not None
        assert judge(rule, far(301), surface) is None
    for surface in PROSE:
        assert judge(rule, far(5000), surface) is not None
    said = when(table + ", within = 1000")
    assert judge(said, far(1000), "output.tool") is not None
    assert judge(said, far(1001), "output.tool") is None
    assert judge(said, far(1001)) is None


def test_a_single_pattern_has_no_window() -> None:
    rule = rule_of("[rule.pattern.x]\nregex = 'one.*two'\n")
    assert judge(rule, far(5000), "output.tool") is not None


# --- on


ON = """surfaces = ["prose", "output", "resource.name"]
level = "error"
words = ["x"]
[rule.pattern.never]
words = ["never"]
[rule.on.output]
cap = "warn"
level = "info"
[rule.on."output.error"]
level = "error"
[rule.on.prose]
level = "info"
off = true
[rule.on.tool]
level = "warn"
off = false
[rule.on."tool.title"]
level = "error"
[rule.on."tool.schema"]
when = { any = ["never"] }
[rule.on."resource.name"]
off = true
"""


@pytest.mark.parametrize(
    ("surface", "level"),
    [
        ("output.tool", Level.INFO),
        ("output.error", Level.WARN),  # its own level under the ceiling of the group
        ("prompt.title", None),  # off with all prose
        ("resource.description", None),
        ("tool.description", Level.WARN),  # on again
        ("tool.title", Level.ERROR),  # the level of its own, on by the prefix
        ("tool.schema", Level.WARN),
        ("resource.name", None),
        ("tool.name", None),  # not read at all
        ("push.log", None),
    ],
)
def test_the_most_specific_word_wins_key_by_key(surface: str, level: Level | None) -> None:
    bound = bind(rule_of(ON), surface)
    assert (bound.level if bound else None) == level


def test_an_override_may_bring_another_combination() -> None:
    rule = rule_of(ON)
    assert judge(rule, "x", "tool.schema") is None
    assert judge(rule, "never", "tool.schema") is not None
    assert judge(rule, "x", "tool.description") is not None


def test_a_cap_never_raises_a_level() -> None:
    rule = rule_of('words = ["x"]\nlevel = "info"\n[rule.on.output]\ncap = "warn"\n')
    bound = bind(rule, "output.tool")
    assert bound is not None and bound.level is Level.INFO


def test_intent_is_never_above_warn_not_even_by_an_override() -> None:
    with pytest.raises(PackError, match=r"^pack1\.toml:11: rule ACME001, key on\.output\.level: .*intent"):
        rule_of('words = ["x"]\nevidence = "intent"\n[rule.on.output]\nlevel = "error"\n')


def test_identifiers_are_in_no_prefix() -> None:
    rule = rule_of('words = ["x"]\nsurfaces = ["tool", "prompt", "resource", "server"]\n')
    assert not set(IDENTIFIER) & set(rule.surfaces)
    both = rule_of('words = ["x"]\nsurfaces = ["declaration"]\n[rule.on.tool]\noff = true\n')
    assert bind(both, "tool.name") is not None
    assert bind(both, "tool.title") is None
    assert [s for s in SURFACES if bind(both, s)] == [
        s for s in (*PROSE, *IDENTIFIER) if not s.startswith("tool.") or s in IDENTIFIER
    ]


# --- soften


@pytest.mark.parametrize(
    ("text", "softened"),
    [
        ('He wrote "ignore it" here.', "quoted"),
        ("He wrote “ignore it” here.", "quoted"),
        ("Er schrieb „ignore it“ hier.", "quoted"),
        ("Il dit «ignore it» ici.", "quoted"),
        ("「ignore it」と言った", "quoted"),
        ("He wrote 'ignore it' here.", "quoted"),
        ("Run `ignore it` now.", "code"),
        ("Text\n```sh\nignore it\n```\nmore", "code"),
        ("Text\n```\nignore it", "code"),
        ("See <code>ignore it</code>.", "code"),
        ("ignore it", None),
        ("Don't ignore it, it's fine", None),
        ('"Hello". ignore it. "Bye"', None),
        ('"never\nignore it"', None),
        ('"ignore" it', None),
        ('5" ignore it 6"', None),
    ],
)
def test_a_match_inside_a_calming_context(text: str, softened: str | None) -> None:
    rule = rule_of('level = "error"\nwords = ["ignore it"]\nsoften = ["quoted", "code"]\n')
    match = judge(rule, text)
    if text == '"ignore" it':
        assert match is None
        return
    assert match is not None and match.softened == softened
    bound = bind(rule, "tool.description")
    assert bound is not None
    assert bound.softened_level(match.softened) is (Level.WARN if softened else Level.ERROR)


def test_softening_is_off_by_default_and_kind_by_kind() -> None:
    plain = judge(rule_of('words = ["ignore it"]\n'), 'x "ignore it"')
    assert plain is not None and plain.softened is None
    code = judge(rule_of('words = ["ignore it"]\nsoften = ["code"]\n'), 'x "ignore it"')
    assert code is not None and code.softened is None


@pytest.mark.parametrize(("level", "lowered"), [("error", Level.WARN), ("warn", Level.INFO), ("info", Level.INFO)])
def test_one_level_lower_and_never_below_info(level: str, lowered: Level) -> None:
    bound = bind(rule_of(f'level = "{level}"\nwords = ["x"]\n'), "tool.title")
    assert bound is not None and bound.softened_level("quoted") is lowered


def test_one_match_outside_is_reported_instead() -> None:
    rule = rule_of('words = ["ignore it"]\nsoften = ["quoted"]\n')
    text = 'He wrote "ignore it", then: ignore it!'
    match = judge(rule, text)
    assert match is not None
    assert (match.softened, match.found.start) == (None, text.rindex("ignore"))
    inside = judge(rule, '"ignore it" and "ignore it"')
    assert inside is not None and (inside.softened, inside.found.start) == ("quoted", 1)


def test_a_match_that_only_begins_inside_is_not_softened() -> None:
    rule = rule_of("regex = 'ignore.*now'\nsoften = [\"quoted\"]\n")
    match = judge(rule, '"ignore it" now')
    assert match is not None and match.softened is None
