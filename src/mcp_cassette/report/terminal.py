"""The report for a person at a terminal: grouped by file and subject, the match marked in its quote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.text import Text as Styled

from mcp_cassette.errors import place
from mcp_cassette.model import Evidence, Finding, Level, Problem, Report, Severity, Source
from mcp_cassette.neutral import visible
from mcp_cassette.report import phrases
from mcp_cassette.report.neutral import present, show_id

_BADGE: Final = {Level.ERROR: "bold white on red", Level.WARN: "bold black on yellow", Level.INFO: "bold white on blue"}
_MATCH: Final = {Level.ERROR: "bold red", Level.WARN: "bold yellow", Level.INFO: "bold cyan"}
_VERDICT: Final = {"PASS": "bold green", "FAIL": "bold red"}
_NARROW: Final = 40
_WIDE: Final = 120
"""Sentences are not set wider than this: the eye loses the line."""

_POINTER: Final = 24
"""A pointer cut to less says nothing."""

Part = tuple[str, str]
"""A piece of text and its style; never markup."""


@dataclass(frozen=True, slots=True)
class _Signs:
    """The few signs that are not ASCII, and what stands for them where the console's encoding has no such signs."""

    bar: str = "│"
    open: str = "▸"
    close: str = "◂"
    dot: str = " · "
    more: str = "…"
    point: str = "•"
    rule: str = "─"


_ASCII: Final = _Signs(bar="|", open=">>", close="<<", dot=" - ", more="...", point="*", rule="-")


def print_terminal(report: Report, console: Console, *, quiet: bool = False, verbose: bool = False) -> None:
    """Print the report on a rich console.

    In: any report (it is neutralised here). ``quiet`` keeps to the first line of each finding, the problems that are
    errors and the result; ``verbose`` adds each rule's tags and the ids that suppressions name.
    Text is never parsed as markup. Each line starts with this module's own characters or a neutralised file name, so
    that folding cannot bring a CI command to the start of a line.
    """
    page = _Page(console, quiet=quiet, verbose=verbose)
    lines: list[Styled] = []
    for line in page.lines(present(report)):
        if line or (lines and lines[-1]):  # one empty line between blocks, none at the top
            lines.append(line)
    console.print(Styled("\n").join(lines), soft_wrap=True, markup=False, highlight=False, emoji=False)


class _Page:
    """The lines of a report for one console."""

    def __init__(self, console: Console, *, quiet: bool, verbose: bool) -> None:
        self.console, self.quiet, self.verbose = console, quiet, verbose
        self.width = max(console.width, _NARROW)
        self.encoding = console.encoding
        self.unicode = self.encoding.startswith("utf")
        self.signs = _Signs() if self.unicode else _ASCII
        self.bar = f"  {self.signs.bar} "
        # Without colour the match would drown in its quote.
        self.mark = console.color_system is None or console.no_color

    def lines(self, report: Report) -> Iterator[Styled]:
        shown = [p for p in report.problems if not self.quiet or p.severity is Severity.ERROR]
        for problem in shown:
            yield from self.problem(problem)
        if shown:
            yield Styled()
        for file, source, findings in _by_file(report):
            if self.quiet:
                for finding in findings:
                    yield from self.short(finding)
            else:
                yield from self.file(file, source, findings)
        if not self.quiet:
            yield Styled()
            for note in report.notes:
                yield from self.fold([("note: ", "bold cyan"), (note, "")], self.bar)
        yield from self.result(report)

    def problem(self, problem: Problem) -> Iterator[Styled]:
        style = "bold red" if problem.severity is Severity.ERROR else "bold yellow"
        where = f"{place(problem.file, problem.line, problem.column)}: " if problem.file else ""
        yield from self.fold([(where, "bold"), (problem.severity.value, style), (f": {problem.reason}", "")], self.bar)

    def file(self, file: str, source: Source | None, findings: list[Finding]) -> Iterator[Styled]:
        """A heading, the findings grouped by subject, the rest that is not listed, and an empty line."""
        name: Part = (file, "bold underline" if findings else "bold")
        facts = self.facts(source) if source is not None else []
        heading = self.style([name, ("  ", ""), *facts])
        if heading.cell_len <= self.width:
            yield heading
        else:
            yield from self.fold([name], self.bar, cap=False)
            yield from self.fold([(self.bar, "dim"), *facts], self.bar)
        helped: set[str] = set()
        for subject, group in _by_subject(findings):
            yield Styled()
            yield from self.fold(
                [(f"  {self.signs.point} ", "dim"), (subject or "the file itself", "bold cyan")], self.bar
            )
            for finding in group:
                yield from self.finding(finding, helped)
        if source is not None and (more := phrases.unlisted(source)):
            yield Styled()
            yield self.style([("  ", ""), (f"{self.signs.more} {more}", "bold yellow")])
        if findings or self.verbose:
            yield Styled()

    def facts(self, source: Source) -> list[Part]:
        """What was read of a file, and whether it agrees with itself."""
        parts: list[Part] = [(self.signs.dot.join(filter(None, (source.format, *phrases.read_of(source)))), "dim")]
        if agreement := phrases.agreement(source):
            parts += [(self.signs.dot, "dim"), (agreement, "green" if source.agrees else "bold red")]
        return parts

    def finding(self, finding: Finding, helped: set[str]) -> Iterator[Styled]:
        yield from self.fold(self.headline(finding), f"{self.bar}     ")
        yield from self.meta(finding)
        evidence = finding.evidence
        if evidence.quote:
            yield from self.barred(self.quote(evidence, _MATCH[finding.level]))
        if evidence.reveals is not None:
            yield from self.barred([(f"{finding.view} view: ", "dim"), (f'"{evidence.reveals}"', "magenta")])
        if evidence.note:
            yield from self.barred([(evidence.note, "italic")])
        if self.verbose:
            ids = [f"finding {finding.finding_id}", f"confidence {finding.confidence}", *finding.owasp]
            yield from self.barred([(self.signs.dot.join((*ids, *finding.safe_mcp)), "dim")])
        if finding.help and finding.rule not in helped:
            helped.add(finding.rule)
            yield from self.barred([("help: ", "dim bold"), (finding.help, "dim")])

    def headline(self, finding: Finding) -> list[Part]:
        parts: list[Part] = [
            ("  ", ""),
            (f" {finding.level.name:<5} ", _BADGE[finding.level]),
            (f" {finding.rule}", "bold"),
            (f"  {finding.title or finding.message}", ""),
        ]
        if phrases.is_output(finding):
            parts.append((f" ({phrases.IN_OUTPUT})", "dim"))
        if finding.softened:
            parts.append((f" (softened: {finding.softened})", "dim"))
        if finding.status != "new":
            parts.append((f" ({finding.status})", "dim"))
        return parts

    def meta(self, finding: Finding) -> Iterator[Styled]:
        """``line:column  method #id  pointer  surface`` on one line if the pointer can have enough of it, its middle
        cut; on a narrow console the pointer has a line of its own."""
        place_ = "" if finding.line is None else place("line", finding.line, finding.column).replace(":", " ", 1)
        request = "" if finding.request_id is None else f"#{show_id(finding.request_id)}"
        before = (place_, " ".join(filter(None, (finding.method, request))))
        width = self.width - cell_len(self.bar)
        pointer = finding.pointer or ""
        fixed = _spaced(*before, finding.surface)
        room = width - cell_len(fixed) - 2
        if cell_len(pointer) <= room or room >= _POINTER:
            facts = [_spaced(*before, self.fold_middle(pointer, room), finding.surface)]
        else:
            facts = [fixed, self.fold_middle(pointer, width)]
        for fact in filter(None, facts):
            yield from self.fold([(self.bar, "dim"), (fact, "dim")], self.bar, cap=False)

    def quote(self, evidence: Evidence, style: str) -> list[Part]:
        if not evidence.match:
            return [('"', "dim"), (visible(evidence.quote), ""), ('"', "dim")]
        opening, closing = (self.signs.open, self.signs.close) if self.mark else ("", "")
        match = f"{opening}{evidence.match}{closing}"
        return [('"', "dim"), (evidence.before, ""), (match, f"{style} reverse"), (evidence.after, ""), ('"', "dim")]

    def short(self, finding: Finding) -> Iterator[Styled]:
        where = place(finding.file, finding.line, finding.column)
        yield from self.fold([(where, "bold"), *self.headline(finding)], self.bar)

    def result(self, report: Report) -> Iterator[Styled]:
        """The verdict, every count, the gate, and what a clean result means."""
        if (nothing := phrases.nothing_found(report)) and not self.quiet:
            yield from self.fold([(nothing, "italic")], "")
        summary, verdict, dot = report.summary, phrases.verdict(report), self.signs.dot
        if not self.quiet:
            yield self.style([(self.signs.rule * min(self.width, _WIDE), "dim")])
        levels: list[Part] = [(f"{verdict}  ", _VERDICT.get(verdict, "bold yellow"))]
        for level in sorted(Level, reverse=True):
            some = summary.levels.get(level.label, 0)
            levels += [(phrases.level_count(summary, level), _MATCH[level] if some else "dim"), (dot, "dim")]
        indent = " " * cell_len(levels[0][0])
        yield from self.fold([*levels, (f"gate: {report.fail_on}", "bold")], indent)
        for group in (phrases.extent(summary), phrases.set_aside(summary)):
            yield from self.fold([(indent, ""), (dot.join(group), "dim")], indent)
        if ungated := phrases.ungated(report):
            yield from self.fold([(indent, ""), (ungated, "dim")], indent)

    def barred(self, parts: list[Part]) -> Iterator[Styled]:
        """Parts folded behind a bar of their own."""
        yield from self.fold([(self.bar, "dim"), *parts], self.bar)

    def fold(self, parts: list[Part], indent: str, *, cap: bool = True) -> Iterator[Styled]:
        """Parts as lines no wider than the console; lines after the first start with ``indent``."""
        width = min(self.width, _WIDE) if cap else self.width
        whole = self.style(parts)
        if whole.cell_len <= width:
            yield whole
            return
        room = width - cell_len(indent)
        # The first line is as narrow as the rest, so that one wrap serves all; its own prefix makes up for it.
        for number, line in enumerate(whole.wrap(self.console, room, overflow="fold")):
            line.rstrip()
            yield line if number == 0 else Styled.assemble((indent, "dim"), line)

    def style(self, parts: Iterable[Part]) -> Styled:
        styled = Styled(end="")
        for text, style in parts:
            if not self.unicode:
                text = text.replace("…", "...").encode(self.encoding, "backslashreplace").decode(self.encoding)
            styled.append(text, style or None)
        return styled

    def fold_middle(self, text: str, room: int) -> str:
        """``text`` in at most ``room`` cells, its middle cut if it is longer."""
        if cell_len(text) <= room:
            return text
        left = room - len(self.signs.more)
        head = set_cell_size(text, left // 2).rstrip()
        tail = set_cell_size(text[::-1], left - left // 2).rstrip()[::-1]
        return f"{head}{self.signs.more}{tail}"


def _spaced(*words: str | None) -> str:
    return "  ".join(filter(None, words))


def _by_file(report: Report) -> Iterator[tuple[str, Source | None, list[Finding]]]:
    """Every source and its findings, in the report's order; then the files of findings that are no source."""
    sources = {source.file: source for source in report.sources}
    groups: dict[str, list[Finding]] = {source.file: [] for source in report.sources}
    for finding in report.findings:
        groups.setdefault(finding.file, []).append(finding)
    return ((file, sources.get(file), findings) for file, findings in groups.items())


def _by_subject(findings: list[Finding]) -> Iterable[tuple[str, list[Finding]]]:
    groups: dict[str, list[Finding]] = {}
    for finding in findings:
        groups.setdefault(finding.subject, []).append(finding)
    return groups.items()
