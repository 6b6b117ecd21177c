"""A rule table → a ``Rule``: its patterns, how they combine, what differs by surface, its inline tests."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mcp_cassette.errors import nearest
from mcp_cassette.model import LEVELS, Level
from mcp_cassette.packs.compile import Fail, Resolve, compile_pattern
from mcp_cassette.packs.model import Override, Pattern, Rule, RuleTest, When
from mcp_cassette.packs.taxonomy import owasp_names, safe_mcp_names
from mcp_cassette.shape import Where
from mcp_cassette.surfaces import expand

DIRECT = "match"
"""The name of the pattern that stands directly on a rule."""
MAX_CHAIN = 20
"""How deep patterns may refer to one another."""
_PATTERN_KEYS = ("regex", "words", "flags", "group", "views", "except")

Shared = Callable[[str, Where], Pattern]


def compile_rule(
    table: Mapping[str, Any],
    where: Where,
    fail: Fail,
    shared: Shared,
    *,
    pack: str,
    line: Callable[[Where], int],
    checked: bool,
    eager: bool,
    checks: frozenset[str],
    portable: bool = True,
) -> Rule:
    """Compile a rule table. ``shared`` resolves names the rule does not define itself; ``eager`` compiles its
    expressions now; ``checked`` off takes the table at its word and leaves its tests out.
    """
    patterns, resolve = _patterns(table, where, fail, shared, eager=eager, portable=portable)
    check, example = table.get("check"), table.get("example", {})
    if check is not None and check not in checks:
        known = "" if checks else " (structural checks belong to the bundled packs)"
        fail((*where, "check"), f"no structural check {check!r}{nearest(check, checks)}{known}")
    if check is not None and patterns:
        fail((*where, "check"), "a rule has either a structural check or patterns")
    if check is None and portable and checked and not table.get("test"):
        fail(where, "a rule must have at least one [[rule.test]]")
    words = tuple(table.get("surfaces", ("prose", "output")))
    surfaces = tuple(dict.fromkeys(s for word in words for s in expand(word)))
    if checked:
        _check_tags(table, where, fail)
    evidence = table.get("evidence", "shape")
    level = LEVELS[table.get("level", "warn")]
    if evidence == "intent" and level > Level.WARN:
        fail((*where, "level"), 'a rule with evidence = "intent" is never above warn')
    return Rule(
        id=table["id"],
        title=table.get("title", table["message"]),
        message=table["message"],
        level=level,
        pack=pack,
        line=line(where),
        help=table.get("help", ""),
        why=table.get("why", ""),
        confidence=table.get("confidence", "medium"),
        evidence=evidence,
        family=table.get("family", "house"),
        groups=tuple(table.get("groups", ())),
        lang=table.get("lang"),
        default=table.get("default", True),
        since=table.get("since"),
        owasp=tuple(table.get("owasp", ())),
        safe_mcp=tuple(table.get("safe_mcp", ())),
        surfaces=surfaces,
        surface_words=words,
        when=_when(table["when"], (*where, "when"), resolve) if "when" in table else _any(patterns),
        soften=tuple(table.get("soften", ())),
        patterns=patterns,
        on=_overrides(table, where, fail, resolve, surfaces),
        check=check,
        examples=(tuple(example.get("match", ())), tuple(example.get("miss", ()))),
        tests=_tests(table, where, fail, surfaces, line) if checked else (),
    )


def _patterns(
    table: Mapping[str, Any], where: Where, fail: Fail, shared: Shared, *, eager: bool, portable: bool
) -> tuple[dict[str, Pattern], Resolve]:
    tables = {name: (inner, (*where, "pattern", name)) for name, inner in table.get("pattern", {}).items()}
    direct = {key: table[key] for key in _PATTERN_KEYS if key in table}
    if "regex" in direct and "words" in direct:
        fail((*where, "words"), "a rule has either regex or words directly; name two patterns instead")
    if direct:
        if DIRECT in tables:
            fail(
                (*where, "pattern", DIRECT),
                f"the name {DIRECT!r} is taken by the pattern that stands on the rule itself",
            )
        tables[DIRECT] = (direct, where)
    done: dict[str, Pattern] = {}
    busy: list[str] = []

    def resolve(name: str, place: Where) -> Pattern:
        if name in done:
            return done[name]
        if name not in tables:
            return shared(name, place)
        if name in busy:
            fail(place, f"the pattern {name!r} refers to itself ({' → '.join([*busy, name])})")
        if len(busy) >= MAX_CHAIN:
            fail(place, f"patterns that refer to patterns more than {MAX_CHAIN} deep")
        busy.append(name)
        inner, inner_where = tables[name]
        done[name] = compile_pattern(name, inner, inner_where, fail, resolve, eager=eager, portable=portable)
        busy.pop()
        return done[name]

    for name, (_, place) in tables.items():
        resolve(name, place)
    return {name: done[name] for name in tables}, resolve


def _any(patterns: Mapping[str, Pattern]) -> When:
    """Without a ``when``: any of the rule's patterns, save those that only serve another one (near, except)."""
    helpers = {id(h) for p in patterns.values() for h in (p.first, p.then, *p.excepts) if h is not None}
    return When(any=tuple(p for p in patterns.values() if id(p) not in helpers))


def _when(table: Mapping[str, Any], where: Where, resolve: Resolve) -> When:
    def names(key: str) -> tuple[Pattern, ...]:
        return tuple(resolve(name, (*where, key, i)) for i, name in enumerate(table.get(key, ())))

    return When(names("any"), names("all"), names("none"), names("of"), table.get("at_least", 0), table.get("within"))


def _overrides(
    table: Mapping[str, Any], where: Where, fail: Fail, resolve: Resolve, surfaces: tuple[str, ...]
) -> dict[str, Override]:
    out = {}
    for word, inner in table.get("on", {}).items():
        # Turning off what was never read is harmless, and a pack may want to say so.
        if not set(expand(word)) & set(surfaces) and not inner.get("off"):
            fail((*where, "on", word), f"the rule does not read {word!r}: add it to surfaces")
        if table.get("evidence") == "intent" and LEVELS[inner.get("level", "warn")] > Level.WARN:
            fail((*where, "on", word, "level"), 'a rule with evidence = "intent" is never above warn')
        out[word] = Override(
            level=LEVELS[inner["level"]] if "level" in inner else None,
            cap=LEVELS[inner["cap"]] if "cap" in inner else None,
            when=_when(inner["when"], (*where, "on", word, "when"), resolve) if "when" in inner else None,
            off=inner.get("off"),
            since=inner.get("since"),
        )
    return out


def _check_tags(table: Mapping[str, Any], where: Where, fail: Fail) -> None:
    for key, known in (("owasp", owasp_names), ("safe_mcp", safe_mcp_names)):
        for i, tag in enumerate(table.get(key, ())):
            if tag not in known():
                fail((*where, key, i), f"{tag!r} is not in the taxonomy{nearest(tag, known())}")


def _tests(
    table: Mapping[str, Any], where: Where, fail: Fail, surfaces: tuple[str, ...], line: Callable[[Where], int]
) -> tuple[RuleTest, ...]:
    out = []
    for i, test in enumerate(table.get("test", ())):
        place = (*where, "test", i)
        repeat = test.get("repeat", {"text": "", "times": 0})
        if len(repeat["text"]) * repeat["times"] > 16_000_000:
            fail((*place, "repeat"), "a repeated text of more than 16 million characters")
        on = surfaces[0]
        if "on" in test:
            named = expand(test["on"])
            on = next((s for s in named if s in surfaces), named[0])
        if not test["match"] and ({"level", "spans", "softened"} & test.keys()):
            fail(place, "a test with match = false has no level, spans or softened")
        out.append(
            RuleTest(
                number=i + 1,
                line=line(place),
                text=test.get("text", "") + repeat["text"] * repeat["times"],
                match=test["match"],
                on=on,
                level=LEVELS[test["level"]] if "level" in test else None,
                spans=tuple(test.get("spans", ())),
                others=frozenset(test.get("others", ())),
                softened=test.get("softened"),
            )
        )
    return tuple(out)
