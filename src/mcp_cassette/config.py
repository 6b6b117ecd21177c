"""``[tool.mcp_cassette]`` of a pyproject.toml: found, checked, with paths made relative to the file that names them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from mcp_cassette.errors import ConfigError
from mcp_cassette.places import Places, line_of_toml_error
from mcp_cassette.shape import Key, Table, Where, check

FAIL_ON = ("error", "warn", "info", "never")

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
    },
)

TOOL = Table(
    "[tool.mcp_cassette]",
    "The configuration of mcp-cassette.",
    {"lint": Key("table", "what lint does", table=LINT)},
)


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


def load(file: Path, *, required: bool = True) -> LintConfig | None:
    """Read one file; None when it has no such table and none is required. Raises ConfigError."""
    shown = _shown(file)
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ConfigError(f"the configuration cannot be read: {error.strerror or error}", file=shown) from None
    except UnicodeDecodeError:
        raise ConfigError("not UTF-8", file=shown) from None
    try:
        data = tomllib.loads(text)
    except ValueError as error:  # TOMLDecodeError, or a number too long to be read
        reason = str(error).split(" (at ")[0]
        raise ConfigError(f"not TOML: {reason}", file=shown, **line_of_toml_error(str(error), text)) from None
    except RecursionError:
        raise ConfigError("nested too deep", file=shown) from None
    places = Places(text.replace("\r\n", "\n"))

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
    check(table, TOOL, fail, ("tool", "mcp_cassette"))
    lint: Mapping[str, Any] = table.get("lint", {})
    if "fail_on" in lint and "fail-on" in lint:
        fail(("tool", "mcp_cassette", "lint", "fail-on"), "fail_on and fail-on are the same key: give one")
    lists = {key: tuple(lint.get(key, ())) for key in ("packs", "paths", "exclude", "select", "ignore", "surfaces")}
    return LintConfig(file, file.parent, fail_on=lint.get("fail_on", lint.get("fail-on", "error")), **lists)


def _shown(file: Path) -> str:
    """The path as a person would name it from here."""
    try:
        return file.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return file.as_posix()
