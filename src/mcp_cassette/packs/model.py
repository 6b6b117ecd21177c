"""What a loaded pack is: rules with their patterns compiled, ready to be matched. Frozen."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Literal, TypeAlias

import regex

from mcp_cassette.model import Level

PatternKind: TypeAlias = Literal["regex", "words", "near", "predicate", "longer_than"]


@cache
def compile_expression(expression: str, flags: int) -> regex.Pattern[str]:
    """Compile once. Raises ``regex.error``; the loader calls it for house packs, so that a bad one is refused early."""
    return regex.compile(expression, flags | regex.V0)


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """One way to find something in a text. ``source`` is what the pack says, for people; ``expression`` is what runs
    (kinds regex and words), compiled when a text first needs it."""

    name: str
    kind: PatternKind
    source: str
    expression: str = ""
    flags: int = 0
    portable: bool = True
    group: str | int = 0
    first: Pattern | None = None
    then: Pattern | None = None
    within: int = 0
    order: Literal["before", "either"] = "either"
    stop_at_sentence: bool = False
    predicate: str = ""
    params: Mapping[str, Any] = field(default_factory=dict)
    length: int = 0
    excepts: tuple[Pattern, ...] = ()
    views: tuple[str, ...] = ("raw",)

    @property
    def compiled(self) -> regex.Pattern[str]:
        return compile_expression(self.expression, self.flags)


@dataclass(frozen=True, slots=True)
class When:
    """How patterns combine (names resolved). ``within`` None: no window of its own."""

    any: tuple[Pattern, ...] = ()
    all: tuple[Pattern, ...] = ()
    none: tuple[Pattern, ...] = ()
    of: tuple[Pattern, ...] = ()
    at_least: int = 0
    within: int | None = None

    @property
    def parts(self) -> int:
        """How many parts must hold together."""
        return bool(self.any) + len(self.all) + bool(self.none) + self.at_least


@dataclass(frozen=True, slots=True)
class Override:
    """What a rule does differently on a surface; None: as the rule says."""

    level: Level | None = None
    cap: Level | None = None
    when: When | None = None
    off: bool | None = None
    since: str | None = None


@dataclass(frozen=True, slots=True)
class RuleTest:
    """An inline test, with the long texts already built. ``number`` counts from 1 in the rule."""

    number: int
    line: int
    text: str
    match: bool
    on: str
    level: Level | None = None
    spans: tuple[str, ...] = ()
    others: frozenset[str] = frozenset()
    softened: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """A rule, compiled once. ``check`` names a structural check instead of patterns."""

    id: str
    title: str
    message: str
    level: Level
    pack: str
    line: int
    help: str = ""
    why: str = ""
    confidence: str = "medium"
    evidence: str = "shape"
    family: str = "house"
    groups: tuple[str, ...] = ()
    lang: str | None = None
    default: bool = True
    since: str | None = None
    owasp: tuple[str, ...] = ()
    safe_mcp: tuple[str, ...] = ()
    surfaces: tuple[str, ...] = ()
    surface_words: tuple[str, ...] = ()
    when: When = field(default_factory=When)
    soften: tuple[str, ...] = ()
    patterns: Mapping[str, Pattern] = field(default_factory=dict)
    on: Mapping[str, Override] = field(default_factory=dict)
    check: str | None = None
    examples: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    """What a structural check finds, and what it does not."""
    tests: tuple[RuleTest, ...] = ()


@dataclass(frozen=True, slots=True)
class Secret:
    """What a credential looks like; ``group`` is the part that is secret."""

    name: str
    expression: str
    flags: int = 0
    group: str | int = 0

    @property
    def compiled(self) -> regex.Pattern[str]:
        return compile_expression(self.expression, self.flags)


@dataclass(frozen=True, slots=True)
class Pack:
    """One loaded file."""

    name: str
    prefix: str
    file: str
    bundled: bool
    rules: tuple[Rule, ...]
    version: str | None = None
    summary: str = ""
    secrets: tuple[Secret, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleSet:
    """Every pack of a run."""

    packs: tuple[Pack, ...]

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(rule for pack in self.packs for rule in pack.rules)

    @property
    def secrets(self) -> tuple[Secret, ...]:
        return tuple(secret for pack in self.packs for secret in pack.secrets)
