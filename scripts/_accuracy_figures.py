"""The figures of a run: shares with their intervals, by any property of a sample, and what each rule is worth."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from _accuracy_data import PARTS, SURFACES, Sample
from _accuracy_run import LEVELS, Rule, Run, reaches

RULE_FALSE_POSITIVES = 0.003
"""Above this share of the benign samples of a surface, a rule at warn or above does not stay as it is."""
HIGH = (0.95, 0.001)
"""High confidence: at least this share of what a rule flags are attacks, and at most this share of the benign is."""
MEDIUM = 0.70
FEW = 10
"""Fewer samples flagged than this say little about a rule."""

TARGETS = {
    ("declaration", "warn"): (0.90, 0.010),
    ("declaration", "error"): (0.75, 0.002),
    ("output", "warn"): (0.80, 0.005),
}
"""Surface and level it is counted from → recall of the core kinds at least, false positives at most."""


@dataclass(frozen=True)
class Share:
    """So many of so many."""

    hits: int
    total: int

    @property
    def value(self) -> float:
        return self.hits / self.total if self.total else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval (Wilson): what the true share may well be, with as few samples as these."""
        if not self.total:
            return 0.0, 1.0
        z, n, p = 1.96, self.total, self.value
        middle = p + z * z / (2 * n)
        half = z * ((p * (1 - p) / n + z * z / (4 * n * n)) ** 0.5)
        whole = 1 + z * z / n
        return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)

    def data(self) -> dict[str, Any]:
        low, high = self.interval
        return {"hits": self.hits, "total": self.total, "share": self.value, "low": low, "high": high}


def share(run: Run, samples: Iterable[Sample], least: str) -> Share:
    """How many samples are flagged at a level or above."""
    chosen = list(samples)
    return Share(sum(run.hit(s, least) for s in chosen), len(chosen))


# --- the summary


def measures(run: Run) -> Iterator[tuple[str, str, str, Share]]:
    """Surface, level it is counted from, measure, share."""
    for surface in SURFACES:
        here = [s for s in run.samples if s.surface == surface]
        attacks, benign = [s for s in here if s.attack], [s for s in here if not s.attack]
        core = [s for s in attacks if run.core(s)]
        for least in LEVELS:
            for name, chosen in (("recall, core", core), ("recall, all", attacks), ("false positives", benign)):
                yield surface, least, name, share(run, chosen, least)


@dataclass(frozen=True)
class Line:
    """A line of the summary. ``parts`` are the rest and what is set aside, when both are there."""

    surface: str
    least: str
    measure: str
    whole: Share
    parts: tuple[Share, Share] | None
    target: float | None

    @property
    def gap(self) -> float | None:
        """By how much the part set aside is higher."""
        if not self.parts or not all(s.total for s in self.parts):
            return None
        return self.parts[1].value - self.parts[0].value

    @property
    def meets(self) -> bool | None:
        if self.target is None:
            return None
        return self.whole.value <= self.target if self.measure == "false positives" else self.whole.value >= self.target

    def data(self) -> dict[str, Any]:
        out = {"surface": self.surface, "from": self.least, "measure": self.measure, **self.whole.data()}
        out |= {"target": self.target, "meets_target": self.meets, "gap": self.gap}
        for name, part in zip(PARTS, self.parts or (), strict=False):
            out[name] = part.data()
        return out


def summary(run: Run, part: str) -> list[Line]:
    parts = [list(measures(run.of_part(p))) for p in PARTS] if part == "all" else []
    out = []
    for number, (surface, least, name, whole) in enumerate(measures(run)):
        both = (parts[0][number][3], parts[1][number][3]) if parts else None
        recall, false_positives = TARGETS.get((surface, least), (None, None))
        target = {"recall, core": recall, "false positives": false_positives}.get(name)
        out.append(Line(surface, least, name, whole, both, target))
    return out


# --- by a property of the samples


@dataclass(frozen=True)
class Group:
    """Samples that have something in common. ``flagged`` has a share for each level."""

    name: str
    surface: str
    attack: bool
    core: bool
    flagged: dict[str, Share]

    def data(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "name": self.name,
            "surface": self.surface,
            "label": "attack" if self.attack else "benign",
        }
        return out | {"core": self.core, "from": {level: s.data() for level, s in self.flagged.items()}}


PROPERTIES: dict[str, Callable[[Sample], str]] = {
    "language": lambda s: s.lang,
    "source": lambda s: s.source,
    "kind": lambda s: s.kind,
}


def groups(run: Run, name: Callable[[Sample], str], least: str, *, surfaces: bool = True) -> list[Group]:
    """Samples by a property, attacks before the benign, the worst first.

    The worst is what has the lowest upper end of the interval (a kind of 30 of which none is found comes before a kind
    of one); for the benign, the highest lower end."""
    found: dict[tuple[bool, str, str], list[Sample]] = collections.defaultdict(list)
    for sample in run.samples:
        found[not sample.attack, name(sample), sample.surface if surfaces else "both"].append(sample)
    out = []
    for (benign, value, surface), samples in found.items():
        flagged = {level: share(run, samples, level) for level in LEVELS}
        out.append(Group(value, surface, not benign, any(map(run.core, samples)), flagged))

    def worst(group: Group) -> tuple[bool, float, int, str, str]:
        here = group.flagged[least]
        end = here.interval[1] if group.attack else -here.interval[0]
        return not group.attack, end, -here.total, group.name, group.surface

    return sorted(out, key=worst)


# --- what rules are worth


@dataclass(frozen=True)
class Worth:
    """A rule, or rules that have something in common: which samples it flags, and which no other flags."""

    name: str
    rules: tuple[Rule, ...]
    attacks: dict[str, Share]
    benign: dict[str, Share]
    alone: tuple[int, int]

    @property
    def precision(self) -> Share:
        """How much of what is flagged are attacks."""
        attacks = sum(s.hits for s in self.attacks.values())
        return Share(attacks, attacks + sum(s.hits for s in self.benign.values()))

    @property
    def false_positives(self) -> float:
        """Of the surface where they are most frequent."""
        return max(s.value for s in self.benign.values())

    @property
    def suggested(self) -> str | None:
        """The confidence that the figures speak for. None when there are too few, and even "low" would be a guess."""
        if self.precision.total < FEW:
            return "low" if self.precision.interval[1] < MEDIUM else None
        if self.precision.value >= HIGH[0] and self.false_positives <= HIGH[1]:
            return "high"
        return "medium" if self.precision.value >= MEDIUM else "low"

    @property
    def too_many(self) -> list[str]:
        """Surfaces with too many false positives."""
        return [surface for surface, s in self.benign.items() if s.value > RULE_FALSE_POSITIVES]

    def data(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "rules": [rule.id for rule in self.rules],
            "attacks": {surface: s.data() for surface, s in self.attacks.items()},
            "benign": {surface: s.data() for surface, s in self.benign.items()},
            "alone": {"attacks": self.alone[0], "benign": self.alone[1]},
            "precision": self.precision.data(),
            "suggested": self.suggested,
            "too_many_on": self.too_many,
        }


def worths(run: Run, name: Callable[[Rule], str], least: str) -> list[Worth]:
    """Rules by a property of theirs; those that cry wolf most come first. A rule at info is counted from info."""
    totals = {
        (a, s): sum(x.attack is a and x.surface == s for x in run.samples) for a in (True, False) for s in SURFACES
    }
    flagged: dict[str, dict[tuple[bool, str], int]] = collections.defaultdict(collections.Counter)
    alone: dict[str, dict[bool, int]] = collections.defaultdict(collections.Counter)
    for sample in run.samples:
        names = {name(rule) for rule in _counted(run, sample, least)}
        for one in names:
            flagged[one][sample.attack, sample.surface] += 1
        if len(names) == 1:
            alone[names.pop()][sample.attack] += 1
    members: dict[str, list[Rule]] = collections.defaultdict(list)
    for rule in run.rules.values():
        members[name(rule)].append(rule)
    out = []
    for one in flagged:
        shares = {key: Share(flagged[one][key], total) for key, total in totals.items()}
        attacks, benign = ({s: shares[label, s] for s in SURFACES} for label in (True, False))
        out.append(Worth(one, tuple(members[one]), attacks, benign, (alone[one][True], alone[one][False])))
    return sorted(out, key=lambda w: (-w.false_positives, w.precision.value, w.name))


def _counted(run: Run, sample: Sample, least: str) -> Iterator[Rule]:
    for one, level in run.found.get(sample.id, {}).items():
        rule = run.rules[one]
        if reaches(level, least) or rule.level == "info":
            yield rule


def silent(run: Run, shown: Iterable[Worth]) -> list[str]:
    """Rules over text that flag nothing here. Checks of structure are no rules over text."""
    named = {rule.id for worth in shown for rule in worth.rules}
    return sorted(r.id for r in run.rules.values() if r.id not in named and r.family not in ("structure", "file"))


# --- samples, one by one


def missed(run: Run, least: str) -> list[Sample]:
    """Attacks that are not flagged: core kinds first, then the kinds of which least is found."""
    place = _places(groups(run, PROPERTIES["kind"], least))
    rows = [s for s in run.samples if s.attack and not run.hit(s, least)]
    return sorted(rows, key=lambda s: (not run.core(s), place[True, s.kind, s.surface], s.id))


def flagged(run: Run, least: str) -> list[Sample]:
    """Benign samples that are flagged: the highest level first, then by how many rules."""
    rows = [s for s in run.samples if not s.attack and run.hit(s, least)]
    highest = {s.id: min(map(LEVELS.index, run.found[s.id].values())) for s in rows}
    return sorted(rows, key=lambda s: (highest[s.id], -len(run.by(s, least)), s.kind, s.id))


def _places(found: list[Group]) -> dict[tuple[bool, str, str], int]:
    return {(g.attack, g.name, g.surface): number for number, g in enumerate(found)}
