"""``[tool.mcp_cassette]`` of a pyproject.toml: found, checked, with paths made relative to the file that names them."""

from __future__ import annotations

import datetime
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from mcp_cassette.errors import ConfigError
from mcp_cassette.places import Places
from mcp_cassette.shape import Fail, Key, Table, Where, check
from mcp_cassette.tomlfile import read_toml

FAIL_ON = ("error", "warn", "info", "never")
FINDING_ID = "[0-9a-f]{16}"
DATE = "[0-9]{4}-[0-9]{2}-[0-9]{2}"

SUPPRESS = Table(
    "[[tool.mcp_cassette.lint.suppress]]",
    "Findings that are set aside: one by its id, or those of a rule at a subject or in a file.",
    {
        "finding_id": Key("string", "the finding_id of one finding (--verbose prints it)", pattern=FINDING_ID),
        "rule": Key("string", "the id of a rule; with subject, path or both", min_length=1),
        "subject": Key("string", 'glob of subjects ("tool:get_*")', min_length=1),
        "path": Key("string", "glob of files, relative to this file; a folder stands for all in it", min_length=1),
        "reason": Key("string", "why: for whoever reads this next", required=True, min_length=1),
        "until": Key("string", "the last day on which it counts: a TOML date or YYYY-MM-DD", pattern=DATE),
    },
    exactly_one=(("finding_id", "rule"),),
    needs={"subject": ("rule",), "path": ("rule",), "rule": ("subject", "path")},
)

LINT = Table(
    "[tool.mcp_cassette.lint]",
    "What `mcp-cassette lint` does in this project.",
    {
        "packs": Key("strings", "house rule packs, relative to this file"),
        "paths": Key("strings", "files, folders and globs to lint when the command names none"),
        "exclude": Key("strings", "globs of files a folder walk leaves out"),
        "select": Key("strings", "only these rules: ids, prefixes, families, groups"),
        "ignore": Key("strings", "not these rules"),
        "surfaces": Key("strings", "only texts on these surfaces"),
        "fail_on": Key("string", "the lowest level that fails the run", choices=FAIL_ON),
        "fail-on": Key("string", "the same as fail_on", choices=FAIL_ON),
        "known_findings": Key("string", "the file of accepted findings, relative to this file", min_length=1),
        "suppress": Key("tables", "findings that are set aside, each with a reason", table=SUPPRESS),
    },
)

TOOL = Table(
    "[tool.mcp_cassette]",
    "The configuration of mcp-cassette.",
    {"lint": Key("table", "what lint does", table=LINT)},
)


@dataclass(frozen=True, slots=True)
class Suppression:
    """One ``[[suppress]]`` table: ``finding_id``, or ``rule`` with a glob of subjects, of files, or both. ``until`` is
    the last day on which it counts, ``line`` its line in the file."""

    finding_id: str
    rule: str
    subject: str | None
    path: str | None
    reason: str
    until: datetime.date | None
    line: int


@dataclass(frozen=True, slots=True)
class LintConfig:
    """The lint table. ``folder`` is where its paths start; ``file`` is None when there is no configuration."""

    file: Path | None = None
    folder: Path = Path()
    packs: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    surfaces: tuple[str, ...] = ()
    fail_on: str = "error"
    known_findings: Path | None = None
    suppress: tuple[Suppression, ...] = ()


def find(start: Path) -> LintConfig:
    """The configuration in the nearest pyproject.toml at or above ``start`` that has the table. Raises ConfigError."""
    folder = start.resolve()
    for parent in (folder, *folder.parents):
        file = parent / "pyproject.toml"
        if file.is_file():
            config = load(file, required=False)
            if config is not None:
                return config
    return LintConfig()


def nearest_file(start: Path) -> Path | None:
    """The nearest pyproject.toml at or above ``start``, whatever is in it."""
    folder = start.resolve()
    files = (parent / "pyproject.toml" for parent in (folder, *folder.parents))
    return next((file for file in files if file.is_file()), None)


def load(file: Path, *, required: bool = True) -> LintConfig | None:
    """Read one file; None when it has no such table and none is required. Raises ConfigError."""
    shown = shown_as(file)
    data, text = read_toml(file, "the configuration", shown, ConfigError)
    places = Places(text)

    def fail(where: Where, reason: str) -> NoReturn:
        raise ConfigError(reason, file=shown, line=places.line(where))

    tools = data.get("tool", {})
    table = tools.get("mcp_cassette") if isinstance(tools, dict) else None
    if table is None and isinstance(tools, dict) and "mcp-cassette" in tools:
        fail(("tool", "mcp-cassette"), "the table is written [tool.mcp_cassette.lint], with an underscore")
    if table is None or (isinstance(table, dict) and "lint" not in table and not required):
        if isinstance(table, dict):
            check(table, TOOL, fail, ("tool", "mcp_cassette"))
        if required:
            raise ConfigError("there is no [tool.mcp_cassette.lint] in this file", file=shown)
        return None
    if not isinstance(table, dict):
        fail(("tool", "mcp_cassette"), "[tool.mcp_cassette] must be a table")
    _prepare_suppress(table.get("lint"), fail)
    check(table, TOOL, fail, ("tool", "mcp_cassette"))
    lint: Mapping[str, Any] = table.get("lint", {})
    if "fail_on" in lint and "fail-on" in lint:
        fail(("tool", "mcp_cassette", "lint", "fail-on"), "fail_on and fail-on are the same key: give one")
    lists = {key: tuple(lint.get(key, ())) for key in ("packs", "paths", "exclude", "select", "ignore", "surfaces")}
    known = lint.get("known_findings")
    if known is not None and "\0" in known:
        fail(("tool", "mcp_cassette", "lint", "known_findings"), "'known_findings' is no name of a file")
    return LintConfig(
        file,
        file.parent,
        fail_on=lint.get("fail_on", lint.get("fail-on", "error")),
        known_findings=None if known is None else file.parent / known,
        suppress=tuple(_suppressions(lint.get("suppress", ()), places, fail)),
        **lists,
    )


_SUPPRESS_AT: Where = ("tool", "mcp_cassette", "lint", "suppress")


def _prepare_suppress(lint: Any, fail: Fail) -> None:
    """Write the dates of TOML as strings, which is what the shape is checked for, and say in better words what it would
    refuse: a rule alone."""
    entries = lint.get("suppress") if isinstance(lint, dict) else None
    for index, entry in enumerate(entries if isinstance(entries, list) else ()):
        if not isinstance(entry, dict):
            continue
        if type(entry.get("until")) is datetime.date:  # a date and time is one, too, for isinstance
            entry["until"] = entry["until"].isoformat()
        if (
            "rule" in entry
            and not entry.keys() & {"subject", "path", "finding_id"}
            and entry.keys() <= set(SUPPRESS.keys)
        ):
            reason = "a rule is suppressed at a subject or a path: give one (ignore turns the whole rule off)"
            fail((*_SUPPRESS_AT, index, "rule"), reason)


def _suppressions(entries: list[dict[str, str]], places: Places, fail: Fail) -> Iterator[Suppression]:
    for index, entry in enumerate(entries):
        where = (*_SUPPRESS_AT, index)
        if not entry["reason"].strip():
            fail((*where, "reason"), "'reason' must not be empty")
        until = None
        if "until" in entry:
            try:
                until = datetime.date.fromisoformat(entry["until"])
            except ValueError:
                fail((*where, "until"), f"there is no day {entry['until']!r}")
        yield Suppression(
            entry.get("finding_id", ""),
            entry.get("rule", ""),
            entry.get("subject"),
            entry.get("path"),
            entry["reason"],
            until,
            places.line(where),
        )


def shown_as(file: Path) -> str:
    """The path as a person would name it from here."""
    try:
        return Path(os.path.realpath(file)).relative_to(Path.cwd()).as_posix()
    except ValueError:
        return file.as_posix()
