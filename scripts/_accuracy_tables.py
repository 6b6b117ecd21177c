"""Figures as tables, for a terminal and in Markdown."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from _accuracy_data import SURFACES, Sample
from _accuracy_figures import Group, Line, Share, Worth
from _accuracy_run import Rule, Run

LONGEST = 80
"""A longer cell loses its middle on a terminal."""


@dataclass
class Table:
    """Heads and rows of cells; a head that ends in ``>`` is of a column of figures."""

    heads: Sequence[str]
    rows: list[Sequence[str]] = field(default_factory=list)

    def lines(self, between: str = "  ") -> Iterator[str]:
        heads = [head.rstrip(">") for head in self.heads]
        rows = [
            [cell if len(cell) <= LONGEST else f"{cell[:20]}…{cell[21 - LONGEST :]}" for cell in row]
            for row in self.rows
        ]
        widths = [max(_width(row[i]) for row in (heads, *rows)) for i in range(len(heads))]
        for row in (heads, *rows):
            yield between.join(self._cells(row, widths)).rstrip()

    def markdown(self) -> Iterator[str]:
        heads = [head.rstrip(">") for head in self.heads]
        widths = [max(3, *(_width(row[i]) for row in (heads, *self.rows))) for i in range(len(heads))]
        rule = ["-" * (w - 1) + (":" if h.endswith(">") else "-") for h, w in zip(self.heads, widths, strict=True)]
        for row in (heads, rule, *self.rows):
            yield f"| {' | '.join(self._cells(row, widths))} |"

    def _cells(self, row: Sequence[str], widths: Sequence[int]) -> Iterator[str]:
        for cell, head, width in zip(row, self.heads, widths, strict=True):
            blanks = " " * (width - _width(cell))
            yield blanks + cell if head.endswith(">") else cell + blanks


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def percent(value: float, digits: int | None = None) -> str:
    """Small shares with two digits: 0.05 % and 0.12 % are not the same."""
    return f"{100 * value:.{(2 if 0 < value < 0.02 else 1) if digits is None else digits}f}"


def counted(here: Share) -> str:
    return f"{here.hits} / {here.total}" if here.total else "-"


def shown(here: Share) -> str:
    """A share with its interval."""
    if not here.total:
        return "-"
    low, high = here.interval
    value, low_, high_ = (percent(x, 2 if high < 0.05 else 1) for x in (here.value, low, high))
    return f"{value} ({low_}–{high_})"


def points(gap: float | None) -> str:
    return "-" if gap is None else f"{100 * gap:+.1f}"


def mark(meets: bool | None) -> str:
    return " *" if meets is False else ""


def goal(line: Line) -> str:
    if line.target is None:
        return "-"
    return f"{'≤' if line.measure == 'false positives' else '≥'} {percent(line.target)}"


def summary(lines: Iterable[Line]) -> Table:
    table = Table(("surface", "from", "measure", "hits>", "% (95 %)>", "target>", "rest>", "aside>", "gap>"))
    for line in lines:
        rest, aside = map(shown, line.parts) if line.parts else ("-", "-")
        whole = (counted(line.whole), shown(line.whole) + mark(line.meets), goal(line))
        table.rows.append((line.surface, line.least, line.measure, *whole, rest, aside, points(line.gap)))
    return table


def groups(found: Sequence[Group], name: str, least: str) -> Table:
    """Attacks or benign samples by a property."""
    noted = any(group.attack and not group.core for group in found)
    table = Table((name, "surface", "flagged>", "% (95 %)>", "error %>", *([""] if noted else [])))
    for group in found:
        here, error = group.flagged[least], percent(group.flagged["error"].value)
        notes = ["" if group.core else "not core"] if noted else []
        table.rows.append((group.name, group.surface, counted(here), shown(here), error, *notes))
    return table


def worths(found: Iterable[Worth], name: str, total: Callable[[Sequence[Rule]], str] | None = None) -> Table:
    """What rules flag: attacks and benign by surface, the precision, and what no other of the table flags."""
    heads = [f"{label}, {surface}>" for label in ("attacks", "benign") for surface in SURFACES]
    more = ["rules>"] if total else []
    table = Table((name, *more, *heads, "precision % (95 %)>", "alone>"))
    for worth in found:
        attacks = [str(worth.attacks[s].hits) for s in SURFACES]
        benign = [f"{worth.benign[s].hits} ({percent(worth.benign[s].value)} %)" for s in SURFACES]
        alone = f"{worth.alone[0]} / {worth.alone[1]}"
        members = [total(worth.rules)] if total else []
        table.rows.append((worth.name, *members, *attacks, *benign, shown(worth.precision), alone))
    return table


def confidences(found: Iterable[Worth], mark_change: bool = True) -> Table:
    """Each rule with its false positives, its precision, its confidence and the one the figures speak for."""
    heads = ("rule", "level", "attacks>", "benign, declaration>", "benign, output>", "precision % (95 %)>")
    table = Table((*heads, "confidence", "measured"))
    for worth in found:
        (rule,) = worth.rules
        benign = [f"{worth.benign[s].hits} ({percent(worth.benign[s].value)} %){_many(worth, s)}" for s in SURFACES]
        said = worth.suggested or f"too few ({worth.precision.total})"
        if mark_change and worth.suggested not in (None, rule.confidence):
            said += " <"
        attacks = str(worth.precision.hits)
        table.rows.append((rule.id, rule.level, attacks, *benign, shown(worth.precision), rule.confidence, said))
    return table


def _many(worth: Worth, surface: str) -> str:
    """A rule at info says nothing loudly: it may have as many as it likes."""
    return " *" if worth.rules[0].level != "info" and surface in worth.too_many else ""


def sample_rows(run: Run, samples: Iterable[Sample], least: str) -> Iterator[str]:
    """Samples one a line, cells apart by tabs: id, surface, kind, language, rules with levels, source."""
    for s in samples:
        rules = ",".join(f"{rule}:{level}" for rule, level in sorted(run.found.get(s.id, {}).items())) or "-"
        kind = s.kind if run.core(s) or not s.attack else f"{s.kind} (not core)"
        yield "\t".join((s.id, s.surface, kind, s.lang, rules, s.source))


def many(found: Iterable[Worth]) -> list[str]:
    """A sentence for each rule with too many false positives."""
    out = []
    for worth in found:
        if worth.rules[0].level != "info":
            for surface in worth.too_many:
                here = worth.benign[surface]
                out.append(f"{worth.name} on {surface}: {counted(here)}, {percent(here.value)} %")
    return out


def data(found: Iterable[Any]) -> list[Any]:
    return [one.data() for one in found]
