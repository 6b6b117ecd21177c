"""Known findings and suppressions of one lint run: read before it, accounted for after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from mcp_cassette.config import LintConfig, shown_as
from mcp_cassette.errors import UsageError
from mcp_cassette.lint import suppress
from mcp_cassette.lint.aside import Aside, firm
from mcp_cassette.lint.file import FileResult
from mcp_cassette.lint.selection import Selection
from mcp_cassette.model import Report, Severity
from mcp_cassette.packs.model import RuleSet

if TYPE_CHECKING:
    from mcp_cassette.lint.known import Known


class SetAside:
    """What a run sets aside (``aside``); it is told every file (``on_file``) and has the last word (``finish``)."""

    def __init__(
        self,
        config: LintConfig,
        rules: RuleSet,
        selection: Selection,
        *,
        known_file: str | None = None,
        update: bool = False,
        show: bool = False,
        whole: bool = True,
        all_rules: bool = True,
    ) -> None:
        """``whole``: the run reads all that the configuration names; ``all_rules``: with all the rules it names.

        Raises ConfigError, UsageError.
        """
        self._path = Path(known_file) if known_file is not None else config.known_findings
        if update and self._path is None:
            raise UsageError(
                "--update-known-findings: which file? Give --known-findings FILE, or known_findings in the config"
            )
        self._config, self._rules, self._selection = config, rules.rules, selection
        self._update, self._whole, self._all_rules = update, whole, all_rules
        self._old: frozenset[Known] = frozenset()
        if self._path is not None and not (update and not self._path.exists()):
            from mcp_cassette.lint import known

            self._old = known.read(self._path, shown_as(self._path))
        not_known, never = firm(rules.rules)
        self._file = "" if config.file is None else shown_as(config.file)
        suppress.check_rules(config.suppress, frozenset(r.id for r in rules.rules), never, self._file)
        self._active, self._over = suppress.split(config.suppress, suppress.today())
        ids = frozenset(k.finding_id for k in self._old)
        self.aside = Aside(ids, self._active, config.folder, update, show, not_known, never)
        self._results: list[FileResult] = []

    def on_file(self, result: FileResult) -> None:
        """Take note of a file's result."""
        self._results.append(result)

    def finish(self, report: Report) -> Report:
        """Write the known findings if that was asked for; the report with what there is to say. Raises ConfigError."""
        # Where nothing could be read there is nothing to learn.
        if self._update and (self._results or not report.problems):
            report = replace(report, notes=(*report.notes, self._written()))
        return replace(report, notes=(*report.notes, *self._on_suppressions()))

    def _written(self) -> str:
        from mcp_cassette.lint import known

        assert self._path is not None
        seen = [known.Seen(r.source.file, r.accepted, _judged(r)) for r in self._results]
        ran = frozenset((r.id, s) for r in self._rules for s in (*self._selection.surfaces_of(r), ""))
        ran -= {(r.id, "") for r in self._rules if not self._selection.surfaces_of(r)}
        done = known.update(self._old, seen, ran, self._path)
        known.write(self._path, shown_as(self._path), done.entries)
        counts = f"{done.added} added, {done.kept} kept, {done.dropped} dropped"
        return f"known findings written to {shown_as(self._path)}: {counts}"

    def _on_suppressions(self) -> Iterator[str]:
        used = frozenset(i for r in self._results for i in r.suppressions)
        judged = [r for r in self._results if self._all_rules and _judged(r)]
        whole = self._whole and len(judged) == len(self._results)
        linted: set[str] = set()
        if any(s.path for s in self._active):
            linted.update(p for r in judged for p in suppress.relative_paths(r.source.file, self._config.folder))
        return suppress.notes(self._active, self._over, used, linted, self._file, whole=whole)


def _judged(result: FileResult) -> bool:
    """Whether a file was read and judged to its end."""
    return not result.out_of_budget and all(p.severity is not Severity.ERROR for p in result.problems)
