"""``mcp-cassette lint``."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import click

from mcp_cassette.cli.aside import SetAside
from mcp_cassette.cli.common import ColorWhen, add_packs, load_rules, read_config, say
from mcp_cassette.config import FAIL_ON, LintConfig
from mcp_cassette.errors import UsageError
from mcp_cassette.lint.files import Target, find_targets
from mcp_cassette.lint.run import Options
from mcp_cassette.lint.run import lint as run_lint
from mcp_cassette.lint.selection import make_selection
from mcp_cassette.lint.workers import default_jobs
from mcp_cassette.model import Problem, Report
from mcp_cassette.report import FORMATS, render
from mcp_cassette.report.neutral import present
from mcp_cassette.report.text import problem_line, render_lines


def _split(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[str, ...]:
    """Options that take a list may be repeated, and may hold commas."""
    return tuple(word.strip() for part in value for word in part.split(",") if word.strip())


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option("--pack", "packs", multiple=True, metavar="FILE", help="A rule pack to add to the bundled ones.")
@click.option(
    "--select",
    multiple=True,
    callback=_split,
    metavar="RULES",
    help="Only these: ids, prefixes, families, groups (R001, R003, R004).",
)
@click.option("--ignore", multiple=True, callback=_split, metavar="RULES", help="Not these. --select beats it.")
@click.option(
    "--surfaces",
    multiple=True,
    callback=_split,
    metavar="SURFACES",
    help="Only texts that stand there: prose, output, tool.description, … (structural checks run all the same).",
)
@click.option(
    "--lint-fail-on",
    "--fail-on",
    "fail_on",
    type=click.Choice(FAIL_ON),
    help="The lowest level that fails the run. [default: error]",
)
@click.option(
    "--format", "format_", type=click.Choice(tuple(FORMATS)), default="text", help="What goes to standard output."
)
@click.option("--output", "outputs", multiple=True, metavar="FORMAT=FILE", help="Write a report to a file, too.")
@click.option("--known-findings", metavar="FILE", help="Findings that were accepted: counted, not listed, not gated.")
@click.option(
    "--update-known-findings", is_flag=True, help="Accept what this run finds: write the file of known findings."
)
@click.option("--show-suppressed", is_flag=True, help="List known and suppressed findings, too.")
@click.option("--changed-since", metavar="REF", help="Only files that changed against a git revision.")
@click.option("--config", "config_file", metavar="FILE", help="The pyproject.toml to read. [default: the nearest]")
@click.option("--no-config", is_flag=True, help="Read no configuration.")
@click.option("--color", type=click.Choice(("auto", "always", "never")), default="auto", help="Colour on a terminal.")
@click.option("-j", "--jobs", type=click.IntRange(min=1), metavar="N", help="Processes to use. [default: the cores]")
@click.option("--no-prefilter", is_flag=True, hidden=True, help="Try every rule on every text (for checking).")
@click.option("-q", "--quiet", is_flag=True, help="Findings and the result line only.")
@click.option("-v", "--verbose", is_flag=True, help="Say which configuration and which packs were read.")
def lint(
    paths: tuple[str, ...],
    packs: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    surfaces: tuple[str, ...],
    fail_on: str | None,
    format_: str,
    outputs: tuple[str, ...],
    known_findings: str | None,
    update_known_findings: bool,
    show_suppressed: bool,
    changed_since: str | None,
    config_file: str | None,
    no_config: bool,
    color: ColorWhen,
    jobs: int | None,
    no_prefilter: bool,
    quiet: bool,
    verbose: bool,
) -> int:
    """Lint cassettes and saved listings: what did a server say that a model should not be told?

    PATH is a file, a folder, a glob, or - for standard input; without one the `paths` of the configuration are linted.
    A clean run means that no known smell was found. It is no proof that a server is honest.

    \b
    Exit status: 0 clean · 1 a file contradicts itself · 2 usage, bad pack or config,
    unreadable input, nothing to lint · 4 a finding at or above --lint-fail-on.
    """
    files = _outputs(outputs)
    config = read_config(config_file, no_config=no_config)
    rules = load_rules(add_packs(config, packs), thorough=False)
    selection, notes = make_selection(
        rules.rules, select or config.select, ignore or config.ignore, surfaces or config.surfaces
    )
    set_aside = SetAside(
        config,
        rules,
        selection,
        known_file=known_findings,
        update=update_known_findings,
        show=show_suppressed,
        whole=changed_since is None and _covers(paths, config),
        all_rules=not (select or ignore or surfaces),
    )
    if verbose:
        _say_what_is_read(config, rules.packs)
    if not paths and not config.paths:
        raise UsageError("nothing to lint: name a file, a folder or -, or set paths in [tool.mcp_cassette.lint]")
    targets: Iterable[Target | Problem] = (
        find_targets(paths, config.exclude, Path())
        if paths
        else find_targets(config.paths, config.exclude, config.folder)
    )
    if changed_since is not None:
        from mcp_cassette.lint import changed

        targets, note = changed.only_changed(targets, changed.changed_since(changed_since, Path()), changed_since)
        notes.append(note)
    options = Options(
        selection,
        fail_on or config.fail_on,
        tuple(notes),
        aside=set_aside.aside,
        may_be_empty=changed_since is not None,
        on_file=set_aside.on_file,
        jobs=jobs or default_jobs(),
        prefilter=not no_prefilter,
    )
    report = set_aside.finish(run_lint(targets, rules, options))
    for format_name, file in files:
        _write(file, render(report, format_name))
    with contextlib.suppress(BrokenPipeError):  # a reader that went away does not change the status
        _print(report, format_, color, quiet=quiet, verbose=verbose)
    return report.exit_code


def _covers(paths: Sequence[str], config: LintConfig) -> bool:
    """Whether the words of the command line are all that the configuration names, or more."""
    named = {os.path.abspath(path) for path in paths}  # noqa: PTH100
    return not paths or named >= {os.path.abspath(config.folder / path) for path in config.paths}  # noqa: PTH100


def _outputs(words: Sequence[str]) -> list[tuple[str, str]]:
    out = []
    for word in words:
        name, separator, file = word.partition("=")
        if not separator or not file or name not in FORMATS:
            raise UsageError(f"--output takes FORMAT=FILE with FORMAT one of {', '.join(FORMATS)}, not {word!r}")
        out.append((name, file))
    return out


def _write(file: str, text: str) -> None:
    try:
        Path(file).write_bytes(text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise UsageError(f"--output: cannot write {file}: {error.strerror or error}") from None


def _say_what_is_read(config: LintConfig, packs: Sequence[object]) -> None:
    say(f"config: {config.file.as_posix() if config.file else 'none'}", err=True)
    for pack in packs:
        say(f"pack: {pack.file} ({pack.name}, {len(pack.rules)} rules)", err=True)  # type: ignore[attr-defined]


def _print(report: Report, format_: str, color: ColorWhen, *, quiet: bool, verbose: bool) -> None:
    terminal = format_ == "text" and (color == "always" or (color == "auto" and sys.stdout.isatty()))
    if not terminal or not sys.stdout.isatty():
        # What could not be read is said on standard error whatever goes to standard output, and never left out.
        for problem in present(report).problems:
            click.echo(problem_line(problem), err=True)
    if terminal:
        from rich.console import Console

        from mcp_cassette.report.terminal import print_terminal

        if color == "always":  # whatever TERM and NO_COLOR say
            console = Console(force_terminal=True, color_system="standard", no_color=False, highlight=False)
        else:
            console = Console(highlight=False)
        print_terminal(report, console, quiet=quiet, verbose=verbose)
    elif format_ == "text":
        for line in render_lines(report, show_problems=False, quiet=quiet):
            click.echo(line)
    else:
        click.echo(render(report, format_), nl=False)
