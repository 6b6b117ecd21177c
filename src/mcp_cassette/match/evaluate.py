"""Does a rule match a text? Patterns combined by ``when``, in a window; the strongest match is kept."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass

from mcp_cassette.match.budget import Budget, OutOfBudget
from mcp_cassette.match.calm import Calm
from mcp_cassette.match.scan import Cover, Found, Scan
from mcp_cassette.packs.model import Pattern, When


@dataclass(frozen=True, slots=True)
class Match:
    """What is reported of a rule and a text: the first match (the first that no context calms, if there is one)."""

    found: Found
    softened: str | None = None


def evaluate(scan: Scan, when: When, soften: tuple[str, ...], within: int | None, budget: Budget) -> Match | None:
    """The match of a combination of patterns, or None. ``within`` is the window that holds when ``when`` names none.

    Raises OutOfBudget.
    """
    first: Match | None = None
    calm: Calm | None = None
    for found in matches(scan, when, within, budget):
        if not soften:
            return Match(found)
        if calm is None:
            calm = Calm(scan.text, soften, budget)
        inside = calm.kind(found.start, found.end)
        if inside is None:
            return Match(found)
        first = first or Match(found, inside)
    if scan.is_cut((*when.any, *when.all, *when.none, *when.of)):
        raise OutOfBudget  # one of the hits that were not looked at might be a match, or a graver one
    return first


def matches(scan: Scan, when: When, within: int | None, budget: Budget) -> Iterator[Found]:
    """Every anchor for which all parts hold, in raw order. The anchors are the matches of ``any``, else of ``all``'s
    first pattern, else of ``of``."""
    window = when.within if when.within is not None else within
    if when.parts == 1 and when.any:
        yield from _merged(scan, when.any, budget)
        return
    hits: dict[int, list[Found]] = {}
    for pattern in (*when.all, *when.any, *when.of, *when.none):
        if id(pattern) not in hits:
            hits[id(pattern)] = scan.found(pattern, budget)
        if not hits[id(pattern)] and pattern in when.all:
            return
    if when.any and not any(hits[id(p)] for p in when.any):
        return
    if len([p for p in _distinct(when.of) if hits[id(p)]]) < when.at_least:
        return
    size = window if window is not None else len(scan.text) + 1
    named = when.any or when.all[:1] or when.of
    anchors = {(f.start, f.end): f for p in reversed(named) for f in hits[id(p)]}
    events = [(f.start, f.end, id(p)) for p in _distinct((*when.any, *when.all, *when.of)) for f in hits[id(p)]]
    forbidden = Cover((f.start, f.end) for p in when.none for f in hits[id(p)])
    # `none` speaks of the neighbourhood: as far before the parts as after them.
    lows = [
        low
        for low in _windows([e for e in events if e[1] - e[0] <= size], when, size)
        if not forbidden.touches(low - size, low + size)
    ]
    for (start, end), found in sorted(anchors.items(), key=lambda item: item[0]):
        # The windows that hold the anchor begin from `end - size` to `start`; one of them must hold the rest too.
        i = bisect_left(lows, end - size)
        if i < len(lows) and lows[i] <= start:
            yield found


def _windows(events: list[tuple[int, int, int]], when: When, size: int) -> Iterator[int]:
    """The start of every window of ``size`` characters that begins at an event and holds all parts.

    Events enter in the order of their ends and leave in the order of their starts: n log n, however many there are.
    """
    by_start, by_end = sorted(events), sorted(events, key=lambda e: e[1])
    any_ids, all_ids, of_ids = ({id(p) for p in part} for part in (when.any, when.all, when.of))
    counts: dict[int, int] = {}
    entered = 0
    for i, (low, _, pattern) in enumerate(by_start):
        while entered < len(by_end) and by_end[entered][1] <= low + size:
            # An event that began before this window has left already, or never fitted.
            if by_end[entered][0] >= low:
                key = by_end[entered][2]
                counts[key] = counts.get(key, 0) + 1
            entered += 1
        first_here = i == 0 or by_start[i - 1][0] != low
        if first_here and (
            (not any_ids or any(counts.get(k, 0) > 0 for k in any_ids))
            and all(counts.get(k, 0) > 0 for k in all_ids)
            and sum(counts.get(k, 0) > 0 for k in of_ids) >= when.at_least
        ):
            yield low
        counts[pattern] = counts.get(pattern, 0) - 1


def _distinct(patterns: tuple[Pattern, ...]) -> tuple[Pattern, ...]:
    return tuple({id(p): p for p in patterns}.values())


def _merged(scan: Scan, patterns: tuple[Pattern, ...], budget: Budget) -> Iterator[Found]:
    found = [f for p in patterns for f in scan.found(p, budget)]
    found.sort(key=lambda f: (f.start, f.end))
    yield from found
