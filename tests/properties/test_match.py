"""Combinations in windows against a brute-force reading of their definition."""

from __future__ import annotations

from itertools import product
from types import MappingProxyType

from hypothesis import example, given, settings
from hypothesis import strategies as st

from mcp_cassette.match.budget import Budget
from mcp_cassette.match.evaluate import matches
from mcp_cassette.match.scan import Cover, Found, Scan
from mcp_cassette.packs.model import Pattern, When

LENGTH = 40
SPANS = st.tuples(st.integers(0, LENGTH - 1), st.integers(1, 12)).map(lambda t: (t[0], min(LENGTH, t[0] + t[1])))
EVENTS = st.lists(SPANS, max_size=4, unique=True).map(sorted)
PATTERNS = tuple(Pattern(name, "regex", name) for name in "pqrs")


class Given(Scan):
    """A text in which the hits are given."""

    def __init__(self, hits: dict[str, list[tuple[int, int]]]) -> None:
        super().__init__("." * LENGTH)
        self.hits = MappingProxyType(hits)

    def found(self, pattern: Pattern, budget: Budget) -> list[Found]:
        return [Found(a, b, "raw", ((a, b),)) for a, b in self.hits[pattern.name]]


def names(min_size: int = 0) -> st.SearchStrategy[tuple[Pattern, ...]]:
    return st.lists(st.sampled_from(PATTERNS[:3]), min_size=min_size, max_size=2, unique=True).map(tuple)


@st.composite
def combinations(draw: st.DrawFn) -> When:
    any_, all_, of = draw(names()), draw(names()), draw(names())
    at_least = draw(st.integers(1, 2)) if of else 0
    if not (any_ or all_ or of):
        any_ = PATTERNS[:1]
    none = draw(st.sampled_from([(), (), PATTERNS[3:]]))
    return When(any_, all_, none, of, at_least, draw(st.one_of(st.none(), st.integers(1, 30))))


def expected(when: When, hits: dict[str, list[tuple[int, int]]]) -> set[tuple[int, int]]:
    """Every anchor for which one hit of each part can be chosen so that all lie in one window that starts with one of
    them, and no hit of ``none`` within a window's length of its start."""
    size = when.within if when.within is not None else LENGTH + 1
    named = when.any or when.all[:1] or when.of
    anchors = {span for p in named for span in hits[p.name]}
    relevant = [(span, p) for p in {*when.any, *when.all, *when.of} for span in hits[p.name]]
    out = set()
    for (low, _), _ in relevant:
        inside = [(span, p) for span, p in relevant if span[0] >= low and span[1] <= low + size]
        present = {p.name for _, p in inside}
        if when.any and not any(p.name in present for p in when.any):
            continue
        if not all(p.name in present for p in when.all):
            continue
        if len({p.name for p in when.of} & present) < when.at_least:
            continue
        bad = [span for p in when.none for span in hits[p.name]]
        if any(a < low + size and b > low - size for a, b in bad):
            continue
        out |= {span for span, p in inside if span in anchors and p in named}
    return out


@given(when=combinations(), hits=st.fixed_dictionaries({p.name: EVENTS for p in PATTERNS}))
@example(
    when=When(any=PATTERNS[:1], all=PATTERNS[1:2], within=20),
    hits={"p": [(4, 30), (6, 9)], "q": [(0, 3)], "r": [], "s": []},
)
@example(
    when=When(any=PATTERNS[:2], all=PATTERNS[2:3], within=12),
    hits={"p": [(4, 18)], "q": [(4, 7)], "r": [(0, 3)], "s": []},
)
@settings(max_examples=150, deadline=None)
def test_a_combination_holds_where_its_definition_says(when: When, hits: dict[str, list[tuple[int, int]]]) -> None:
    if when.any and when.parts == 1:
        return  # no combination: every hit counts, whatever the window
    found = [(f.start, f.end) for f in matches(Given(hits), when, None, Budget(LENGTH))]
    assert found == sorted(set(found))
    assert set(found) == expected(when, hits)


@given(when=combinations(), hits=st.fixed_dictionaries({p.name: EVENTS for p in PATTERNS}), within=st.integers(1, 30))
@settings(max_examples=30, deadline=None)
def test_the_window_of_the_combination_beats_the_one_of_the_surface(
    when: When, hits: dict[str, list[tuple[int, int]]], within: int
) -> None:
    if when.any and when.parts == 1:
        return
    bare = When(when.any, when.all, when.none, when.of, when.at_least)
    found = [(f.start, f.end) for f in matches(Given(hits), when, within, Budget(LENGTH))]
    assert set(found) == expected(
        when if when.within is not None else When(bare.any, bare.all, bare.none, bare.of, bare.at_least, within), hits
    )


@given(spans=st.lists(SPANS, max_size=6))
@settings(max_examples=30, deadline=None)
def test_a_cover_is_its_characters(spans: list[tuple[int, int]]) -> None:
    cover, covered = Cover(spans), {i for a, b in spans for i in range(a, b)}
    for a, b in product(range(0, LENGTH, 3), range(1, LENGTH + 1, 3)):
        if a < b:
            assert cover.touches(a, b) == any(i in covered for i in range(a, b))


# --- near


LETTERS = st.text(alphabet="ab. \n", max_size=30)


@given(text=LETTERS, within=st.integers(0, 6), either=st.booleans(), sentence=st.booleans())
@settings(max_examples=150, deadline=None)
def test_near_is_what_it_says(text: str, within: int, either: bool, sentence: bool) -> None:
    first, then = Pattern("a", "regex", "a", "a"), Pattern("b", "regex", "b", "b")
    near = Pattern(
        "n",
        "near",
        "",
        first=first,
        then=then,
        within=within,
        order="either" if either else "before",
        stop_at_sentence=sentence,
    )

    def ends(i: int) -> bool:
        """Whether a sentence ends with the character ``i``."""
        if text[i] == "\n":
            return True
        single = i > 0 and text[i - 1] in "ab" and not (i > 1 and text[i - 2] in "ab")
        return text[i] == "." and i + 1 < len(text) and text[i + 1] in " \n" and not single

    def close(left: int, right: int) -> bool:
        gap = range(left + 1, right)
        return len(gap) <= within and not (sentence and any(ends(i) for i in gap))

    a_places = [i for i, c in enumerate(text) if c == "a"]
    wanted = set()
    for b in (i for i, c in enumerate(text) if c == "b"):
        before = [a for a in a_places if a < b and close(a, b)]
        after = [a for a in a_places if a > b and close(b, a)]
        if before:
            wanted.add((before[-1], b + 1))
        elif either and after:
            wanted.add((b, after[0] + 1))
    found = Scan(text).found(near, Budget(len(text)))
    assert {(f.start, f.end) for f in found} == wanted
