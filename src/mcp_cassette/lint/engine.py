"""Texts × rules → findings."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet

from mcp_cassette.lint.excerpt import Masker, excerpt
from mcp_cassette.lint.findings import Draft, Maker
from mcp_cassette.lint.plan import Bound
from mcp_cassette.lint.prefilter import Prefilter
from mcp_cassette.match.budget import Budget, OutOfBudget
from mcp_cassette.match.evaluate import Match, evaluate
from mcp_cassette.match.scan import Scan
from mcp_cassette.model import Evidence, Text
from mcp_cassette.packs.model import Rule

STRIKES = 3
"""A rule that runs out of budget on so many texts of a file is not tried on the rest of it (and that is said)."""
_REMEMBERED = 4_096
_LONGEST_REMEMBERED = 20_000


class Engine:
    """The rules of a plan, run over one file's texts. Verdicts are remembered by text, surface and listing context."""

    def __init__(
        self,
        maker: Maker,
        plan: Mapping[str, tuple[Bound, ...]],
        budget_rule: Rule | None,
        masker: Masker,
        prefilter: Prefilter | None,
    ) -> None:
        self._maker, self._plan, self._masker, self._prefilter = maker, plan, masker, prefilter
        self._budget_rule = budget_rule
        self._strikes: dict[str, int] = {}
        self._verdicts: OrderedDict[tuple[str, str, AbstractSet[str]], tuple[_Verdict, ...]] = OrderedDict()
        self.out_of_budget = 0

    def lint(self, text: Text) -> Iterator[Draft]:
        """The findings of a text, in the order of the rules: one a rule at the most."""
        bounds = self._plan.get(text.surface)
        if not bounds or not text.value:
            return
        for bound, match in self._judge(text, bounds):
            if match is None:
                self.out_of_budget += 1
                if self._budget_rule is not None:
                    yield self._exhausted(text, bound)
            else:
                yield self._finding(text, bound, match)

    def _judge(self, text: Text, bounds: tuple[Bound, ...]) -> tuple[_Verdict, ...]:
        key = (text.value, text.surface, text.others)
        known = self._verdicts.get(key)
        if known is not None:
            self._verdicts.move_to_end(key)
            return known
        scan = Scan(text.value, text.others)
        if self._prefilter is not None:
            bounds = self._prefilter.choose(text, bounds)
        verdicts = tuple(v for v in (self._try(scan, bound) for bound in bounds) if v is not None)
        if len(text.value) <= _LONGEST_REMEMBERED:
            self._verdicts[key] = verdicts
            if len(self._verdicts) > _REMEMBERED:
                self._verdicts.popitem(last=False)
        return verdicts

    def _try(self, scan: Scan, bound: Bound) -> _Verdict | None:
        if self._strikes.get(bound.rule.id, 0) >= STRIKES:
            return None
        try:
            match = evaluate(scan, bound.when, bound.rule.soften, bound.within, Budget(len(scan.text)))
        except OutOfBudget:
            self._strikes[bound.rule.id] = self._strikes.get(bound.rule.id, 0) + 1
            return bound, None
        return None if match is None else (bound, match)

    @property
    def benched(self) -> list[str]:
        """Ids of the rules that were not tried on the rest of the file."""
        return sorted(rule for rule, n in self._strikes.items() if n >= STRIKES)

    def _finding(self, text: Text, bound: Bound, match: Match) -> Draft:
        found = match.found
        return self._maker.draft(
            bound.rule,
            bound.softened_level(match.softened),
            text,
            span=(found.start, found.end),
            evidence=lambda: excerpt(text.value, found, self._masker),
            view=found.view,
            softened=match.softened,
        )

    def _exhausted(self, text: Text, bound: Bound) -> Draft:
        rule = self._budget_rule
        assert rule is not None
        note = f"{bound.rule.id} used up its time on a text of {len(text.value):,} characters"
        return self._maker.draft(
            rule,
            rule.level,
            text,
            span=(0, len(text.value)),
            evidence=lambda: Evidence(note=note),
            message=f"{rule.message}: {bound.rule.id}",
            key=bound.rule.id,
        )


_Verdict = tuple[Bound, "Match | None"]
