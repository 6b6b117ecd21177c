"""Which rules run where; what a run keeps; when it fails."""

from __future__ import annotations

import pytest
from rulebook import HEAD, load_texts

from mcp_cassette.errors import Exit, UsageError
from mcp_cassette.lint.gate import at_or_above, exit_code
from mcp_cassette.lint.keep import Keep
from mcp_cassette.lint.plan import checks_of, make_plan
from mcp_cassette.lint.selection import Selection, make_selection
from mcp_cassette.model import Evidence, Finding, Level, Summary
from mcp_cassette.packs.load import load
from mcp_cassette.packs.model import Rule
from mcp_cassette.surfaces import ASK, OUTPUT, PROSE, PUSH, SURFACES

TEXT = HEAD + "".join(
    f'[[rule]]\nid = "ACME{n}"\nmessage = "m"\nwords = ["x"]\n{keys}test = [{{ text = "x", match = true }}]\n'
    for n, keys in (
        (
            "001",
            'family = "override"\ngroups = ["R001", "R004"]\nsurfaces = ["declaration", "output", "ask", "push"]\n',
        ),
        ("002", 'family = "blob"\ngroups = ["R001"]\n'),
        ("101", "default = false\n"),
    )
)
RULES = load_texts(TEXT).rules


def chosen(
    *, select: tuple[str, ...] = (), ignore: tuple[str, ...] = (), surfaces: tuple[str, ...] = ()
) -> dict[str, set[str]]:
    """Rule id → the surfaces it is bound to."""
    selection, _ = make_selection(RULES, select, ignore, surfaces)
    out: dict[str, set[str]] = {}
    for surface, bounds in make_plan(RULES, selection).items():
        for bound in bounds:
            out.setdefault(bound.rule.id, set()).add(surface)
    return out


def test_without_words_every_rule_that_is_on_by_default() -> None:
    assert set(chosen()) == {"ACME001", "ACME002"}
    assert chosen()["ACME002"] == {*PROSE, *OUTPUT}


@pytest.mark.parametrize(
    ("word", "ids"),
    [
        ("ACME001", {"ACME001"}),
        ("ACME0", {"ACME001", "ACME002"}),
        ("ACME", {"ACME001", "ACME002", "ACME101"}),
        ("blob", {"ACME002"}),
        ("override", {"ACME001"}),
        ("ACME101", {"ACME101"}),
        ("all", {"ACME001", "ACME002", "ACME101"}),
    ],
)
def test_select_by_id_prefix_and_family(word: str, ids: set[str]) -> None:
    assert set(chosen(select=(word,))) == ids


def test_ignore_by_id_prefix_and_family() -> None:
    assert set(chosen(ignore=("ACME001",))) == {"ACME002"}
    assert set(chosen(ignore=("blob",))) == {"ACME001"}
    assert chosen(ignore=("ACME",)) == {}


def test_a_group_is_a_rule_on_one_side() -> None:
    far = {*OUTPUT, *ASK, *PUSH}
    both = {"ACME001", "ACME002"}
    assert set(chosen(select=("R001",))) == both
    assert not set.union(*chosen(select=("R001",)).values()) & far
    assert set(chosen(select=("R004",))) == {"ACME001"}
    assert chosen(select=("R004",))["ACME001"] == far
    assert chosen(ignore=("R004",))["ACME001"] == chosen()["ACME001"] - far
    assert chosen(ignore=("R004",))["ACME002"] == chosen()["ACME002"]
    assert set(chosen(ignore=("R001",))) == both  # ACME002 still reads output
    assert chosen(ignore=("R001",))["ACME002"] == set(OUTPUT)
    assert chosen(ignore=("R001",))["ACME001"] == far


def test_r003_is_the_duplicate_tool_name() -> None:
    rules = load().rules
    selection, _ = make_selection(rules, ("R003",), (), ())
    assert [r.id for r in rules if selection.surfaces_of(r)] == ["CAS-C001"]
    assert [r.id for r in checks_of(rules, selection).values()] == ["CAS-C001"]
    ignoring, _ = make_selection(rules, (), ("R003",), ())
    assert "CAS-C001" not in {r.id for r in checks_of(rules, ignoring).values()}


def test_the_bundled_groups_have_their_sides() -> None:
    rules = load().rules
    only, _ = make_selection(rules, ("R004",), (), ())
    plan = make_plan(rules, only)
    assert set(plan) <= {*OUTPUT, *ASK, *PUSH}
    ids = {b.rule.id for b in plan["output.tool"]}
    assert {"CAS-L001", "CAS-L003", "CAS-L009", "CAS-L013"} <= ids
    assert all(b.level <= Level.WARN for bounds in plan.values() for b in bounds)


def test_select_beats_ignore_and_says_so() -> None:
    selection, notes = make_selection(RULES, ("ACME0",), ("ACME001",), ())
    assert selection.surfaces_of(RULES[0])
    assert notes == ["--select beats --ignore for ACME001"]
    _, notes = make_selection(RULES, ("ACME001",), ("ACME002",), ())
    assert notes == []


def test_surfaces_narrow() -> None:
    assert chosen(surfaces=("output.tool",)) == {"ACME001": {"output.tool"}, "ACME002": {"output.tool"}}
    assert chosen(surfaces=("tool.name", "push"), select=("ACME001",)) == {"ACME001": {"tool.name", *PUSH}}
    assert chosen(surfaces=("input",)) == {}
    selection, _ = make_selection(RULES, (), (), ("description", "result"))
    assert selection.surfaces == {"tool.description", "output.tool"}


@pytest.mark.parametrize(
    ("option", "word", "suggestion"),
    [
        ("--select", "ACMEE001", "ACME001"),
        ("--ignore", "overide", "override"),
        ("--select", "R01", "R001"),
        ("--surfaces", "tool.descripton", "tool.description"),
        ("--select", "zzz", None),
        ("--select", "", None),
    ],
)
def test_an_unknown_word_is_refused_with_the_nearest(option: str, word: str, suggestion: str | None) -> None:
    words = {"--select": ((word,), (), ()), "--ignore": ((), (word,), ()), "--surfaces": ((), (), (word,))}[option]
    with pytest.raises(UsageError) as caught:
        make_selection(RULES, *words)
    message = str(caught.value)
    assert message.startswith(option) and repr(word) in message
    if suggestion:
        assert f'did you mean "{suggestion}"' in message
    assert caught.value.exit_code is Exit.UNREADABLE


def test_an_empty_selection_is_every_surface() -> None:
    assert Selection().surfaces_of(RULES[0]) == set(SURFACES)
    assert Selection().surfaces_of(RULES[2]) == set()


# --- what is kept


def finding(n: int, level: Level = Level.WARN, file: str = "a") -> Finding:
    return Finding(
        "CAS-L001",
        "",
        level,
        "",
        "",
        "",
        file,
        n,
        None,
        None,
        None,
        None,
        "",
        None,
        None,
        Evidence(),
        "raw",
        None,
        "",
        f"{n:05}",
        "",
    )


def test_a_thousand_are_kept_and_all_are_counted() -> None:
    keep = Keep()
    for n in range(1500):
        keep.add(finding(n))
    assert (keep.total, keep.capped, len(keep.findings())) == (1500, 500, 1000)
    assert [f.line for f in keep.findings()] == list(range(1000))
    assert keep.levels == {"error": 0, "warn": 1500, "info": 0}


def test_the_graver_ones_push_out_the_others() -> None:
    keep = Keep(3)
    for n, level in enumerate((Level.INFO, Level.WARN, Level.INFO, Level.ERROR, Level.WARN, Level.INFO), 1):
        keep.add(finding(n, level))
    assert [(f.line, f.level.label) for f in keep.findings()] == [(2, "warn"), (4, "error"), (5, "warn")]
    assert keep.levels == {"error": 1, "warn": 2, "info": 3}
    assert keep.capped == 3


def test_among_equals_the_earlier_stay() -> None:
    keep = Keep(2)
    for n in (5, 4, 3, 2):
        keep.add(finding(n))
    assert [f.line for f in keep.findings()] == [4, 5]


# --- the gate


def summary(error: int = 0, warn: int = 0, info: int = 0, **more: int) -> Summary:
    return Summary({"error": error, "warn": warn, "info": info}, files=1, lines=1, rules=1, **more)


@pytest.mark.parametrize(
    ("counts", "fails"),
    [
        ((0, 0, 0), ()),
        ((0, 0, 1), ("info",)),
        ((0, 1, 0), ("info", "warn")),
        ((1, 0, 0), ("info", "warn", "error")),
    ],
)
def test_the_gate_is_a_level(counts: tuple[int, int, int], fails: tuple[str, ...]) -> None:
    for fail_on in ("error", "warn", "info", "never"):
        expected = fail_on in fails
        assert at_or_above(summary(*counts), fail_on) is expected
        assert exit_code(summary(*counts), fail_on) is (Exit.FINDINGS if expected else Exit.CLEAN)


def test_two_before_one_before_four() -> None:
    assert exit_code(summary(1, contradictions=1, unreadable=1), "error") == 2
    assert exit_code(summary(1, contradictions=1, out_of_budget=1), "error") == 2
    assert exit_code(summary(1, contradictions=1), "error") == 1
    assert exit_code(summary(1), "error") == 4


def test_never_still_fails_on_what_is_no_finding() -> None:
    assert exit_code(summary(1, contradictions=1), "never") == 1
    assert exit_code(summary(1, unreadable=1), "never") == 2
    assert exit_code(summary(1, out_of_budget=1), "never") == 2
    assert exit_code(summary(1), "never") == 0


def test_rules_of_the_plan_keep_their_order() -> None:
    bounds = make_plan(RULES, Selection())["tool.description"]
    assert [b.rule.id for b in bounds] == ["ACME001", "ACME002"]
    assert isinstance(bounds[0].rule, Rule)
