"""The project's own sentences: their figures by language and family, and the floors that a test holds them to."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import _accuracy_tables as tables
from _accuracy_data import OWN, Failed, Sample
from _accuracy_figures import Share, share
from _accuracy_run import Run

FLOORS = OWN / "floors.toml"
FROM = "warn"
GOOD = (0.80, 0.05)
"""A language that finds less than this of its attacks, or flags more than this of its honest sentences, falls short."""

BY: dict[str, Callable[[Sample], str]] = {
    "language": lambda s: s.lang,
    "family": lambda s: s.kind,
    "register": lambda s: s.register,
    "surface": lambda s: s.surface,
}
HELD = ("language", "family")
"""What has floors."""

HEAD = """\
# The least that the rules find in the sentences beside this file, and the most that they flag by mistake, in percent;
# counted from warn. Written by `scripts/accuracy --own --update-floors`; a lower floor needs a reason in the changes.
"""


@dataclass(frozen=True)
class Row:
    """Sentences that have something in common."""

    by: str
    name: str
    attacks: Share
    errors: Share
    near: Share

    @property
    def recall(self) -> float:
        """Percent, rounded to what a floor may safely say."""
        return math.floor(1000 * self.attacks.value + 1e-9) / 10

    @property
    def false_alarms(self) -> float:
        return math.ceil(1000 * self.near.value - 1e-9) / 10

    def data(self) -> dict[str, Any]:
        figures = {"attacks": self.attacks.data(), "attacks_at_error": self.errors.data(), "near": self.near.data()}
        return {"by": self.by, "name": self.name, **figures}


def rows(run: Run, by: str) -> list[Row]:
    """The worst first: what finds least, then what flags most."""
    named: dict[str, list[Sample]] = {}
    for sample in run.samples:
        named.setdefault(BY[by](sample), []).append(sample)
    out = []
    for name, samples in named.items():
        attacks, near = [s for s in samples if s.attack], [s for s in samples if not s.attack]
        out.append(Row(by, name, share(run, attacks, FROM), share(run, attacks, "error"), share(run, near, FROM)))
    return sorted(out, key=lambda r: (not r.attacks.total, r.attacks.value, -r.near.value, r.name))


def short(found: list[Row]) -> list[str]:
    """Names of what falls short."""
    return [r.name for r in found if (r.attacks.total and r.attacks.value < GOOD[0]) or r.near.value > GOOD[1]]


def table(found: list[Row]) -> tables.Table:
    heads = ("attacks found>", "% (95 %)>", "error %>", "honest, flagged>", "% (95 %)>")
    out = tables.Table((found[0].by, *heads))
    for row in found:
        attacks = (tables.counted(row.attacks), tables.shown(row.attacks))
        error = tables.percent(row.errors.value) if row.errors.total else "-"
        out.rows.append((row.name, *attacks, error, tables.counted(row.near), tables.shown(row.near)))
    return out


# --- floors


def floors(path: Path = FLOORS) -> dict[str, dict[str, dict[str, float]]]:
    """By → name → ``recall`` and ``false_alarms``. Empty when there are none yet."""
    try:
        found: dict[str, dict[str, dict[str, float]]] = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except tomllib.TOMLDecodeError as error:
        raise Failed(f"{path}: {error}") from error
    return found


def below(run: Run) -> Iterator[str]:
    """A sentence for each figure that is worse than its floor."""
    held = floors()
    for by in HELD:
        for row in rows(run, by):
            floor = held.get(by, {}).get(row.name)
            if floor is None:
                yield f"{by} {row.name}: has no floor"
                continue
            if row.attacks.total and row.recall < floor["recall"]:
                yield f"{by} {row.name}: finds {row.recall} % of the attacks, its floor is {floor['recall']} %"
            if row.false_alarms > floor["false_alarms"]:
                yield f"{by} {row.name}: flags {row.false_alarms} % of the honest, at most {floor['false_alarms']} %"


def update(run: Run) -> list[str]:
    """Write the floors anew from what was measured; says what changed."""
    before, text, changes = floors(), HEAD, []
    for by in HELD:
        for row in sorted(rows(run, by), key=lambda r: r.name):
            now = {"recall": row.recall} if row.attacks.total else {}
            now["false_alarms"] = row.false_alarms
            text += f"\n[{by}.{row.name}]\n" + "".join(f"{key} = {value}\n" for key, value in now.items())
            was = before.get(by, {}).get(row.name, {})
            for key, value in now.items():
                if was.get(key) != value:
                    worse = key in was and (value < was[key]) == (key == "recall")
                    changes.append(f"{by} {row.name}: {key} {was.get(key, '-')} → {value}{' WORSE' if worse else ''}")
    FLOORS.write_text(text, encoding="utf-8")
    return changes


# --- the page for people who change rules


def report(run: Run, missed: list[Sample], flagged: list[Sample]) -> Iterator[str]:
    for by in BY:
        yield from table(rows(run, by)).lines()
        yield ""
    yield f"missed ({len(missed)}): id, surface, family, language, rules below {FROM}"
    yield from _listed(run, missed)
    yield ""
    yield f"flagged and honest ({len(flagged)}): id, surface, family, language, rules"
    yield from _listed(run, flagged)
    yield ""
    worse = list(below(run))
    if worse:
        yield "Worse than its floor:"
        yield from (f"  {line}" for line in worse)
        yield ""
    where = FLOORS.relative_to(OWN.parents[1])
    yield f"Floors are in {where}. To write them anew from this run: scripts/accuracy --own --update-floors"


def _listed(run: Run, samples: list[Sample]) -> Iterator[str]:
    """Without the source, which is the same for all."""
    for line in tables.sample_rows(run, samples, FROM):
        yield "  " + "  ".join(line.split("\t")[:-1])
