"""Which rules run on which surfaces: --select, --ignore, --surfaces, and what is on by default."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mcp_cassette.errors import UsageError, nearest
from mcp_cassette.packs.model import Rule
from mcp_cassette.surfaces import ASK, NAMES, OUTPUT, PUSH, SURFACES, expand

_GROUP_SURFACES = {
    # A group names rules and the side they are run on: the same rule is R001 on a description, R004 on a result.
    "R001": frozenset(SURFACES) - set(OUTPUT) - set(ASK) - set(PUSH),
    "R004": frozenset((*OUTPUT, *ASK, *PUSH)),
}


@dataclass(frozen=True, slots=True)
class Selection:
    """The words of a selection, and what they mean for a rule. Empty ``select``: every rule that is on by default."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    surfaces: frozenset[str] = frozenset(SURFACES)

    def surfaces_of(self, rule: Rule) -> frozenset[str]:
        """The surfaces the rule runs on (its pack may name fewer). Empty: it is off."""
        chosen = _reach(rule, self.select)
        if self.select:
            return chosen & self.surfaces  # select beats ignore
        if not rule.default:
            return frozenset()
        return self.surfaces - _reach(rule, self.ignore)

    def both(self, rules: Iterable[Rule]) -> list[str]:
        """Ids of rules that are selected and ignored at once."""
        return [r.id for r in rules if _reach(r, self.select) & _reach(r, self.ignore)]


def _reach(rule: Rule, words: Sequence[str]) -> frozenset[str]:
    out: set[str] = set()
    for word in words:
        if word in rule.groups:
            out |= _GROUP_SURFACES.get(word, frozenset(SURFACES))
        elif word in ("all", rule.family) or rule.id.startswith(word):
            out |= set(SURFACES)
    return frozenset(out)


def make_selection(
    rules: Sequence[Rule], select: Sequence[str], ignore: Sequence[str], surfaces: Sequence[str]
) -> tuple[Selection, list[str]]:
    """Check the words and build the selection; the second value is notes to print. Raises UsageError."""
    known = {"all", "R001", "R002", "R003", "R004"} | {r.family for r in rules}
    ids = [r.id for r in rules]
    for option, words in (("--select", select), ("--ignore", ignore)):
        for word in words:
            if word not in known and not (word and any(i.startswith(word) for i in ids)):
                raise UsageError(f"{option}: no rule, prefix, family or group {word!r}{nearest(word, [*ids, *known])}")
    chosen: set[str] = set()
    for word in surfaces:
        if word not in NAMES:
            raise UsageError(f"--surfaces: no surface {word!r}{nearest(word, NAMES)}: one of {', '.join(NAMES)}")
        chosen.update(expand(word))
    selection = Selection(tuple(select), tuple(ignore), frozenset(chosen) if surfaces else frozenset(SURFACES))
    both = selection.both(rules) if ignore and select else []
    notes = [f"--select beats --ignore for {', '.join(both)}"] if both else []
    return selection, notes
