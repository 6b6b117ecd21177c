"""A whole run: targets × packs → one Report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from mcp_cassette import __version__
from mcp_cassette.lint.aside import NEVER, Aside
from mcp_cassette.lint.file import FileResult, Job
from mcp_cassette.lint.files import Target
from mcp_cassette.lint.gate import at_or_above, exit_code
from mcp_cassette.lint.keep import sort_key
from mcp_cassette.lint.plan import checks_of, level_on, make_plan
from mcp_cassette.lint.selection import Selection
from mcp_cassette.lint.workers import lint_targets
from mcp_cassette.model import Finding, Problem, Report, RuleInfo, Severity, Summary
from mcp_cassette.packs.model import Rule, RuleSet


@dataclass(frozen=True, slots=True)
class Options:
    """What decides a run beside its files."""

    selection: Selection = field(default_factory=Selection)
    fail_on: str = "error"
    notes: tuple[str, ...] = ()
    aside: Aside = field(default_factory=Aside)
    may_be_empty: bool = False
    jobs: int = 1
    prefilter: bool = True
    on_file: Callable[[FileResult], object] | None = None
    """Is told the result of every file before the report is made."""


def make_job(rules: RuleSet, selection: Selection, aside: Aside | None = None, *, prefilter: bool = True) -> Job:
    """Settle packs, selection and what is set aside into what each file is linted with."""
    budget = next((r for r in rules.rules if r.check == NEVER), None)
    plan, checks = make_plan(rules.rules, selection), checks_of(rules.rules, selection)
    return Job(plan, checks, budget, rules.secrets, prefilter, aside=aside or Aside())


def lint(targets: Iterable[Target | Problem], rules: RuleSet, options: Options) -> Report:
    """Lint every target in order and gather one Report. A target that names nothing is one of its problems."""
    job = make_job(rules, options.selection, options.aside, prefilter=options.prefilter)
    problems: list[Problem] = []
    todo: list[Target] = []
    for target in targets:
        if isinstance(target, Problem):
            problems.append(target)
        else:
            todo.append(target)
    results: list[FileResult] = []
    for result in lint_targets(todo, job, options.jobs):
        if isinstance(result, Problem):
            problems.append(result)
        else:
            results.append(result)
    if not results and not _count(problems, Severity.ERROR) and not options.may_be_empty:
        problems.append(
            Problem("", None, None, "nothing to lint: name a cassette, a saved listing or a folder of them")
        )
    return _report(results, problems, rules, options)


def _report(results: list[FileResult], problems: list[Problem], rules: RuleSet, options: Options) -> Report:
    if options.on_file is not None:
        for result in results:
            options.on_file(result)
    findings: list[Finding] = sorted((f for r in results for f in r.findings), key=sort_key)
    problems = problems + [p for r in results for p in r.problems]
    levels = {level: sum(r.levels.get(level, 0) for r in results) for level in ("error", "warn", "info")}
    sources = tuple(r.source for r in results)
    active = sum(1 for r in rules.rules if options.selection.surfaces_of(r))
    summary = Summary(
        levels=levels,
        files=len(sources),
        lines=sum(s.lines for s in sources),
        rules=active,
        known=sum(r.known for r in results),
        suppressed=sum(r.suppressed for r in results),
        capped=sum(s.capped for s in sources),
        skipped=_count(problems, Severity.WARNING),
        contradictions=sum(r.contradictions for r in results),
        out_of_budget=sum(r.out_of_budget for r in results),
        unreadable=_count(problems, Severity.ERROR),
    )
    code = exit_code(summary, options.fail_on)
    return Report(
        "mcp-cassette",
        __version__,
        sources,
        tuple(findings),
        tuple(problems),
        summary,
        options.fail_on,
        summary.contradictions > 0 or at_or_above(summary, options.fail_on),
        int(code),
        options.notes,
        _rules_told(rules.rules, options.selection, findings),
    )


def _rules_told(rules: Iterable[Rule], selection: Selection, findings: Iterable[Finding]) -> tuple[RuleInfo, ...]:
    """The rules that ran or have a finding (the one for exhausted budgets has some without being chosen), by id."""
    found = {f.rule for f in findings}
    told = (
        RuleInfo(
            id=rule.id,
            title=rule.title,
            message=rule.message,
            help=rule.help,
            why=rule.why,
            level=rule.level,
            confidence=rule.confidence,
            family=rule.family,
            evidence=rule.evidence,
            owasp=rule.owasp,
            safe_mcp=rule.safe_mcp,
            default_level=level_on(rule, ()),
        )
        for rule in rules
        if rule.id in found or selection.surfaces_of(rule)
    )
    return tuple(sorted(told, key=lambda info: info.id))


def _count(problems: Sequence[Problem], severity: Severity) -> int:
    return sum(p.severity is severity for p in problems)
