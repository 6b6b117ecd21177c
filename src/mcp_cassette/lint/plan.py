"""The rules of a run laid out by surface: for each surface, the rules that read it and what they do there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeVar

from mcp_cassette.lint.selection import Selection
from mcp_cassette.model import Level
from mcp_cassette.packs.model import Override, Rule, When
from mcp_cassette.surfaces import ASK, OUTPUT, PUSH, expand, specificity

OUTPUT_WINDOW = 300
"""Characters that the parts of a combination share on output when the rule names no window."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Bound:
    """A rule on a surface, with every override settled. ``within``: the window when ``when`` names none."""

    rule: Rule
    level: Level
    when: When
    within: int | None

    def softened_level(self, softened: str | None) -> Level:
        """The level of a match: one lower (never below info) in a context that calms."""
        return Level(max(Level.INFO, self.level - 1)) if softened else self.level


def bind(rule: Rule, surface: str) -> Bound | None:
    """The rule as it runs on the surface, or None where it does not."""
    if surface not in rule.surfaces or rule.check is not None:
        return None
    words = sorted((w for w in rule.on if surface in expand(w)), key=specificity, reverse=True)
    overrides = [rule.on[w] for w in words]
    if _first(o.off for o in overrides):
        return None
    when = _first(o.when for o in overrides) or rule.when
    far = surface in OUTPUT or surface in ASK or surface in PUSH
    return Bound(rule, level_on(rule, overrides), when, OUTPUT_WINDOW if far and when.parts > 1 else None)


def level_on(rule: Rule, overrides: Iterable[Override]) -> Level:
    """The level after overrides, the ceiling of intent rules and the caps."""
    overrides = list(overrides)
    level = _first(o.level for o in overrides) or rule.level
    if rule.evidence == "intent":
        level = min(level, Level.WARN)
    cap = _first(o.cap for o in overrides)
    return min(level, cap) if cap is not None else level


def _first(values: Iterable[T | None]) -> T | None:
    return next((v for v in values if v is not None), None)


def make_plan(rules: Iterable[Rule], selection: Selection) -> Mapping[str, tuple[Bound, ...]]:
    """Surface → the rules bound to it. A surface no rule reads is not in it, and the walker need not visit it."""
    plan: dict[str, list[Bound]] = {}
    for rule in rules:
        for surface in sorted(selection.surfaces_of(rule) & set(rule.surfaces)):
            bound = bind(rule, surface)
            if bound is not None:
                plan.setdefault(surface, []).append(bound)
    return {surface: tuple(bounds) for surface, bounds in plan.items()}


def checks_of(rules: Iterable[Rule], selection: Selection) -> Mapping[str, Rule]:
    """Name of a structural check → the selected rule that declares it."""
    return {r.check: r for r in rules if r.check is not None and selection.surfaces_of(r)}
