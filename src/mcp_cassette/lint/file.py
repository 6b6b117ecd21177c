"""One file through every layer: reader, walker, rules, structural checks → a ``FileResult``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import BinaryIO

from mcp_cassette.errors import InputError
from mcp_cassette.formats.detect import open_source
from mcp_cassette.formats.entries import Entry
from mcp_cassette.lint.aside import Accepted, Aside, FileAside
from mcp_cassette.lint.broken import Broken
from mcp_cassette.lint.engine import Engine
from mcp_cassette.lint.excerpt import Masker
from mcp_cassette.lint.findings import WHOLE, Draft, Maker, short_pointer, text_at
from mcp_cassette.lint.header import CONTRADICTIONS, HeaderCheck
from mcp_cassette.lint.keep import Keep
from mcp_cassette.lint.listing_checks import ListingCheck
from mcp_cassette.lint.plan import Bound
from mcp_cassette.lint.prefilter import Prefilter
from mcp_cassette.model import Evidence, Finding, Problem, Severity, Source, Text
from mcp_cassette.neutral import visible
from mcp_cassette.packs.model import Rule, Secret
from mcp_cassette.walk import Deferred, Exchange, Listing, walk, walk_part


@dataclass(frozen=True, slots=True)
class Job:
    """Everything a file is linted with; the same for each file of a run."""

    plan: Mapping[str, tuple[Bound, ...]]
    checks: Mapping[str, Rule]
    budget_rule: Rule | None
    secrets: Sequence[Secret] = ()
    prefilter: bool = True
    sieves: Prefilter | None = field(init=False, repr=False, compare=False)
    """The prefilter of the plan, shared by all files: its automata cost more than a small file does."""
    aside: Aside = field(default_factory=Aside)

    def __post_init__(self) -> None:
        object.__setattr__(self, "sieves", Prefilter(self.plan) if self.prefilter else None)


@dataclass(slots=True)
class FileResult:
    """What came of one file. ``levels`` counts every new finding, kept or capped; ``suppressions`` are the indices of
    those that matched, ``accepted`` is what an update of the known findings writes."""

    source: Source
    findings: list[Finding] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    levels: dict[str, int] = field(default_factory=dict)
    contradictions: int = 0
    out_of_budget: int = 0
    known: int = 0
    suppressed: int = 0
    suppressions: frozenset[int] = frozenset()
    accepted: frozenset[Accepted] = frozenset()


class FileLint:
    """Lints one file from its stream."""

    def __init__(self, name: str, job: Job) -> None:
        self._name, self._job = name, job
        self._maker = Maker(name)
        self._prefilter = job.sieves
        self._masker = Masker(job.secrets)
        self._engine = Engine(self._maker, job.plan, job.budget_rule, self._masker, self._prefilter)
        self._keep, self._aside = Keep(show=job.aside.show), FileAside(job.aside, name)
        self._problems: list[Problem] = []
        self._header, self._listings = HeaderCheck(), ListingCheck()
        self._lines = self._frames = self._contradictions = 0

    def run(self, stream: BinaryIO) -> FileResult:
        """Read the stream to its end. Raises InputError when there is nothing in it to lint."""
        source = open_source(self._name, stream)
        self._consume(walk(self._entries(source.entries()), self._job.plan.keys(), self._matters))
        return self._result(source.format)

    def run_part(self, stream: BinaryIO) -> tuple[FileResult, list[Deferred]]:
        """Read a stretch of a cassette that its header was put in front of; what the whole file must pair is handed
        back. Raises Tangled, InputError."""
        source = open_source(self._name, stream)
        entries = self._entries(source.entries(), check_header=False)
        deferred = self._consume(walk_part(entries, self._job.plan.keys(), self._matters))
        return self._result(source.format), deferred

    def run_deferred(self, header: Entry, deferred: Sequence[Deferred], format_: str) -> FileResult:
        """Lint what the parts of a cassette handed back, in the order of their lines."""
        self._add(self._header.on_entry(header))
        paired = {d.entry.line for d in deferred if not d.read}

        def matters(entry: Entry) -> bool:
            return entry.line not in paired and (self._matters is None or self._matters(entry))

        self._consume(walk((d.entry for d in deferred), self._job.plan.keys(), matters))
        return self._result(format_)

    @property
    def _matters(self) -> Callable[[Entry], bool] | None:
        return self._prefilter.matters if self._prefilter is not None else None

    def _consume(self, items: Iterable[Text | Listing | Exchange | Deferred]) -> list[Deferred]:
        deferred: list[Deferred] = []
        for item in items:
            if isinstance(item, Text):
                self._lint(item)
            elif isinstance(item, Listing):
                for text in item.texts:
                    self._lint(text)
                self._add(self._listings.on_listing(item))
            elif isinstance(item, Exchange):
                self._add(self._header.on_exchange(item))
            else:
                deferred.append(item)
        return deferred

    def _result(self, format_: str) -> FileResult:
        for rule in self._engine.benched:
            reason = f"{rule} ran out of its time budget too often and was not tried on the rest of the file"
            self._problems.append(Problem(self._name, None, None, reason))
        for secret in self._masker.slow:
            reason = f"secret {secret} ran out of its time budget: quotations it was not looked for in are masked whole"
            self._problems.append(Problem(self._name, None, None, reason))
        # Of a file that could not be read whole nobody can say that it agrees with itself.
        whole = not any(p.severity is Severity.ERROR for p in self._problems)
        checked = whole and format_.startswith("cassette") and self._job.checks.keys() >= CONTRADICTIONS
        return FileResult(
            Source(
                self._name,
                format_,
                self._lines,
                self._frames,
                self._keep.total,
                self._keep.capped,
                self._header.agrees if checked else None,
            ),
            self._keep.findings(),
            self._problems,
            self._keep.levels,
            self._contradictions,
            self._engine.out_of_budget + len(self._masker.slow),
            known=self._keep.aside["known"],
            suppressed=self._keep.aside["suppressed"],
            suppressions=self._aside.used,
            accepted=frozenset(self._aside.accepted),
        )

    def _entries(self, entries: Iterator[Entry | Problem], *, check_header: bool = True) -> Iterator[Entry]:
        """The entries on their way to the walker: counted, checked against the header, problems taken out."""
        for entry in entries:
            if isinstance(entry, Problem):
                self._problems.append(entry)
                continue
            self._lines += 1
            self._frames += entry.kind in ("frame", "chunks", "raw")
            broken = self._header.on_entry(entry)
            if check_header or entry.kind != "header":
                self._add(broken)
            else:
                list(broken)  # known, and said by whoever has the whole file
            for defect in entry.defects:
                if defect.kind == "duplicate-key":
                    self._add(iter((_duplicate(entry, defect.path, defect.reason),)))
            yield entry

    def _lint(self, text: Text) -> None:
        for draft in self._engine.lint(text):
            self._keep.add(self._aside.settle(draft.finding), draft.complete)

    def _add(self, broken: Iterator[Broken]) -> None:
        for case in broken:
            rule = self._job.checks.get(case.check)
            if rule is not None:
                draft = self._structural(case, rule)
                finding = self._aside.settle(draft.finding)
                self._contradictions += finding.status == "new" and case.check in CONTRADICTIONS
                self._keep.add(finding, draft.complete)

    def _structural(self, case: Broken, rule: Rule) -> Draft:
        text = text_at(case.path, case.line, case.raw, case.subject, case.value or case.detail)._replace(
            method=case.method,
            request_id=case.request_id,
            is_key=case.is_key,
            embedded=case.embedded,
        )
        key = "" if case.subject else short_pointer(case.path)
        return self._maker.draft(
            rule, rule.level, text, span=WHOLE, evidence=lambda: Evidence(note=visible(case.detail)), key=key
        )


def _duplicate(entry: Entry, path: object, reason: str) -> Broken:
    return Broken("duplicate-key", reason, path, entry.line, entry.raw, is_key=True)  # type: ignore[arg-type]


def lint_stream(name: str, stream: BinaryIO, job: Job, *, named: bool) -> FileResult | Problem:
    """Lint one open file. One of no known format is a problem of the result when it was named; when it was not, it is
    no file of the run, and a warning says that it was passed over."""
    lint = FileLint(name, job)
    try:
        return lint.run(stream)
    except InputError as error:
        if not (named or isinstance(error.__cause__, OSError)):
            return Problem(name, error.line, error.column, f"passed over: {error.reason}", Severity.WARNING)
        problem = Problem(error.file or name, error.line, error.column, error.reason, Severity.ERROR)
        return FileResult(Source(name, "unknown"), problems=[problem])
