"""What several commands share: configuration, packs, consoles."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, TypeAlias

import click

from mcp_cassette.config import LintConfig, find
from mcp_cassette.config import load as load_config
from mcp_cassette.errors import ConfigError, UsageError
from mcp_cassette.neutral import one_line
from mcp_cassette.packs.load import load
from mcp_cassette.packs.model import RuleSet

ColorWhen: TypeAlias = Literal["auto", "always", "never"]


def read_config(config_file: str | None, *, no_config: bool) -> LintConfig:
    """The configuration a command runs under. Raises ConfigError, UsageError."""
    if no_config:
        if config_file:
            raise UsageError("--config and --no-config exclude each other")
        return LintConfig()
    if config_file is None:
        return find(Path.cwd())
    config = load_config(Path(config_file))
    if config is None:
        raise ConfigError("there is no [tool.mcp_cassette.lint] in this file", file=config_file)
    return config


def add_packs(config: LintConfig, packs: Sequence[str]) -> list[tuple[Path, str]]:
    """The house packs of the configuration (relative to its file), then those of the command line; each once."""
    found: dict[str, tuple[Path, str]] = {}
    for folder, names in ((config.folder, config.packs), (Path(), packs)):
        for name in names:
            path = folder / name
            found.setdefault(real(path), (path, name))
    return list(found.values())


def real(path: Path) -> str:
    """The path with its links followed as far as they lead somewhere."""
    try:
        return os.path.realpath(path)
    except ValueError:  # a NUL: whoever opens it will say so
        return str(path)


def load_rules(house: Sequence[tuple[Path, str]], *, thorough: bool = True, eager: bool = False) -> RuleSet:
    """The bundled packs and the house packs. Raises PackError."""
    return load(house, thorough=thorough, eager=eager)


def say(text: str = "", *, err: bool = False) -> None:
    """Print a line that may hold words of a pack, a file name or a server: nothing in it is obeyed by who shows it."""
    click.echo(one_line(text), err=err)
