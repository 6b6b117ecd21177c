"""A text while it is being matched: its views, and the hits of each pattern in each view, computed once."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

import regex

from mcp_cassette.match.budget import Budget, OutOfBudget
from mcp_cassette.match.views import VIEWS, Seen
from mcp_cassette.match.views_fold import glimpse
from mcp_cassette.packs.model import Pattern
from mcp_cassette.predicates.table import PREDICATES

MAX_HITS = 20_000
"""Hits of one pattern in one text that are looked at. Where more of them could change the verdict, the text is reported
as out of budget."""

_LABEL = r"[a-z]{2,20}(?:[_-][a-z]{2,20})?"  # one or two words: there is no room for a sentence
_PLACEHOLDER = regex.compile(rf"\[REDACTED(?::{_LABEL}(?::[0-9a-f]{{8}}|-[0-9]{{1,9}}))?\]")
FILLER = "\ufdd0"
"""A noncharacter: what stands in the place of a placeholder. No view removes it, and no text under scan holds it."""
# One mark at a time: a run of marks would be read again from each of them.
_SENTENCE_END = regex.compile(r"(?<!\b\p{L})[.?!](?=\s)|[。！？\n]")


@dataclass(frozen=True, slots=True)
class Found:
    """A pattern matched: the span in raw, the parts of it that are evidence (both ends of a near), and the view."""

    start: int
    end: int
    view: str
    parts: tuple[tuple[int, int], ...]
    shown: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class _Span:
    """A hit in the coordinates of a view."""

    start: int
    end: int
    parts: tuple[tuple[int, int], ...]
    note: str | None = None


def mask_placeholders(text: str) -> str:
    """The text with every redaction placeholder blanked out, character for character: what stands inside one is our own
    writing and is not read. ``FILLER`` fills the gap, so that no phrase can reach across it; where the text itself
    holds one, it becomes an invisible character, which is what it is."""
    if FILLER in text:
        text = text.replace(FILLER, "\u200b")
    if "[REDACTED" not in text:
        return text
    return _PLACEHOLDER.sub(lambda m: FILLER * len(m[0]), text)


class Scan:
    """One text on its way through the rules. ``others`` are the names of the other tools of its listing."""

    def __init__(self, text: str, others: AbstractSet[str] = frozenset()) -> None:
        self.text = mask_placeholders(text)
        self.others = others
        self._views: dict[str, Seen | None] = {}
        self._spans: dict[tuple[int, str], Sequence[_Span]] = {}
        self._ends: dict[str, list[int]] = {}
        self._cut: set[int] = set()

    def is_cut(self, patterns: Iterable[Pattern]) -> bool:
        """Whether one of the patterns, or one that serves it, has more hits than were looked at."""
        stack = list(patterns) if self._cut else []
        while stack:
            pattern = stack.pop()
            if id(pattern) in self._cut:
                return True
            stack += [p for p in (pattern.first, pattern.then, *pattern.excepts) if p is not None]
        return False

    def seen(self, view: str) -> Seen | None:
        """The view of the text, or None where it equals raw."""
        if view not in self._views:
            self._views[view] = VIEWS[view](self.text)
        return self._views[view]

    def views(self, names: tuple[str, ...]) -> list[str]:
        """The views to look through: one that equals a simpler one for this text is that one, and each comes once."""
        found: dict[str, None] = {}
        for name in names:
            while name != "raw" and self.seen(name) is None:
                name = "raw" if name == "folded" else "folded"  # the others fold on top of what they do
            found[name] = None
        return list(found)

    def found(self, pattern: Pattern, budget: Budget) -> list[Found]:
        """Every match of a pattern that none of its ``except`` patterns takes back, in raw order, once per place."""
        out: list[Found] = []
        places: set[tuple[int, int]] = set()
        for view in self.views(self._worth_while(pattern, budget)):
            for span in self.spans(pattern, view, budget):
                one = self._to_raw(span, view)
                if (one.start, one.end) not in places:
                    places.add((one.start, one.end))
                    out.append(one)
        out.sort(key=lambda f: (f.start, f.end))
        return out

    def _worth_while(self, pattern: Pattern, budget: Budget) -> tuple[str, ...]:
        """The views of a pattern, without the folded one where a glimpse of it shows nothing that raw does not show:
        with its way back to raw a view costs many times more."""
        if "folded" not in pattern.views or pattern.kind not in ("regex", "words") or self._glimpse is None:
            return pattern.views
        hits = sum(1 for _ in islice(_expression(pattern, self._glimpse, budget), MAX_HITS))
        seen_already = len(self.spans(pattern, "raw", budget)) if hits and "raw" in pattern.views else 0
        return pattern.views if hits != seen_already else tuple(v for v in pattern.views if v != "folded")

    @cached_property
    def _glimpse(self) -> str | None:
        return glimpse(self.text)

    def spans(self, pattern: Pattern, view: str, budget: Budget) -> Sequence[_Span]:
        """The hits of a pattern in one view, exceptions taken out; remembered for the other rules that share it."""
        key = (id(pattern), view)
        if key not in self._spans:
            hits = list(islice(self._hits(pattern, view, budget), MAX_HITS + 1))
            if len(hits) > MAX_HITS:
                self._cut.add(id(pattern))
                hits.pop()
            self._spans[key] = self._without_exceptions(hits, pattern, view, budget)
        return self._spans[key]

    def _without_exceptions(self, hits: list[_Span], pattern: Pattern, view: str, budget: Budget) -> Sequence[_Span]:
        seen = self.seen(view) if view != "raw" else None
        for exception in pattern.excepts:
            if not hits:
                break
            spared = Cover((s.start, s.end) for s in self.spans(exception, view, budget))
            hits = [h for h in hits if not any(spared.touches(*part) for part in h.parts)]
            if seen is not None and hits:
                # What is excepted as it stands is not found again through a view, where its capitals are gone.
                spared = Cover((s.start, s.end) for s in self.spans(exception, "raw", budget))
                hits = [h for h in hits if not any(spared.touches(*seen.raw_span(*part)) for part in h.parts)]
        return hits

    def _hits(self, pattern: Pattern, view: str, budget: Budget) -> Iterator[_Span]:
        text = self.text if view == "raw" else self._view_text(view)
        if pattern.kind in ("regex", "words"):
            yield from _expression(pattern, text, budget)
        elif pattern.kind == "near":
            yield from self._near(pattern, view, budget)
        elif pattern.kind == "predicate":
            started = budget.start()
            for hit in PREDICATES[pattern.predicate].find(text, pattern.params, self.others):
                yield _Span(hit.start, hit.end, ((hit.start, hit.end),), hit.note)
            budget.spend(started)
        elif len(text) > pattern.length:
            note = f"{len(text):,} characters, more than {pattern.length:,}"
            yield _Span(0, len(text), ((0, len(text)),), note)

    def _near(self, pattern: Pattern, view: str, budget: Budget) -> Iterator[_Span]:
        assert pattern.first is not None and pattern.then is not None
        first = self.spans(pattern.first, view, budget)
        if not first:
            return
        then = self.spans(pattern.then, view, budget)
        if not then:
            return
        stops = self.sentence_ends(view) if pattern.stop_at_sentence else []
        # Sorted anew: the hits of a `near` may overlap.
        by_end, by_start = sorted(first, key=lambda s: s.end), sorted(first, key=lambda s: s.start)
        ends, starts = [s.end for s in by_end], [s.start for s in by_start]
        for target in then:
            before = bisect_right(ends, target.start) - 1
            if before >= 0 and _close(ends[before], target.start, pattern.within, stops):
                yield _join(by_end[before], target)
                continue
            if pattern.order == "either":
                after = bisect_left(starts, target.end)
                if after < len(starts) and _close(target.end, starts[after], pattern.within, stops):
                    yield _join(target, by_start[after])

    def sentence_ends(self, view: str) -> list[int]:
        """Where sentences end, found in raw and mapped to the view (a view may have folded the newline away)."""
        if view not in self._ends:
            raw = self._raw_sentence_ends
            seen = self.seen(view) if view != "raw" else None
            self._ends[view] = raw if seen is None else [bisect_left(seen.ends, end) for end in raw]
        return self._ends[view]

    @cached_property
    def _raw_sentence_ends(self) -> list[int]:
        return [m.end() for m in _SENTENCE_END.finditer(self.text)]

    def _view_text(self, view: str) -> str:
        seen = self.seen(view)
        return self.text if seen is None else seen.text

    def _to_raw(self, span: _Span, view: str) -> Found:
        seen = self.seen(view) if view != "raw" else None
        if seen is None:
            return Found(span.start, span.end, "raw", span.parts, None, span.note)
        start, end = seen.raw_span(span.start, span.end)
        shown = seen.text[span.start : span.end]
        parts = tuple(seen.raw_span(a, b) for a, b in span.parts)
        # What only differs in case or white space needs no second look.
        plain = " ".join(self.text[start:end].lower().split()) == " ".join(shown.lower().split())
        return Found(start, end, view, parts, None if plain else shown, span.note)


def _expression(pattern: Pattern, text: str, budget: Budget) -> Iterator[_Span]:
    started = budget.start()
    compiled = pattern.compiled
    try:
        for match in compiled.finditer(text, timeout=budget.left):
            start, end = match.span(pattern.group)
            if start < 0:
                start, end = match.span()
            if start == end:
                continue  # an empty match shows nothing
            yield _Span(start, end, ((start, end),))
    except TimeoutError:
        raise OutOfBudget from None
    finally:
        budget.spend(started)


def _close(end: int, start: int, within: int, stops: list[int]) -> bool:
    """Whether a gap is short enough and no sentence ends in it."""
    if start - end > within:
        return False
    i = bisect_right(stops, end)
    return not (i < len(stops) and stops[i] <= start)


def _join(a: _Span, b: _Span) -> _Span:
    return _Span(a.start, max(a.end, b.end), (*a.parts, *b.parts), a.note or b.note)


class Cover:
    """Spans merged, to ask quickly whether a stretch shares a character with one."""

    def __init__(self, spans: Iterable[tuple[int, int]]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(spans):
            if self._ends and start <= self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    def touches(self, start: int, end: int) -> bool:
        i = bisect_right(self._ends, start)
        return i < len(self._starts) and self._starts[i] < end
