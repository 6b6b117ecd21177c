"""``mcp-cassette rules``."""

from __future__ import annotations

import sys
from typing import Any

import click

from mcp_cassette.cli.common import add_packs, load_rules, read_config
from mcp_cassette.neutral import one_line, visible
from mcp_cassette.packs.model import Rule
from mcp_cassette.report.json_ import dump


@click.command()
@click.option("--format", "format_", type=click.Choice(("text", "json")), default="text", help="How to print it.")
@click.option("--pack", "packs", multiple=True, metavar="FILE", help="A rule pack to add to the bundled ones.")
@click.option("--config", "config_file", metavar="FILE", help="The pyproject.toml to read. [default: the nearest]")
@click.option("--no-config", is_flag=True, help="Read no configuration.")
def rules(format_: str, packs: tuple[str, ...], config_file: str | None, no_config: bool) -> int:
    """List every rule: id, level, family, where it looks, tags."""
    config = read_config(config_file, no_config=no_config)
    found = sorted(load_rules(add_packs(config, packs)).rules, key=lambda r: r.id)
    if format_ == "json":
        click.echo(dump({"version": 1, "rules": [describe(rule) for rule in found]}), nl=False)
    elif sys.stdout.isatty():
        _table(found)
    else:
        for rule in found:
            on = "" if rule.default else " (off by default)"
            tags = " ".join((*rule.owasp, *rule.safe_mcp)) or "-"
            fields = (rule.id, rule.level.label, rule.family, _where(rule), tags, rule.title + on)
            click.echo("\t".join(map(one_line, fields)))
    return 0


def describe(rule: Rule) -> dict[str, Any]:
    """A rule as data, for machines."""
    return {
        "id": rule.id,
        "title": rule.title,
        "message": rule.message,
        "level": rule.level.label,
        "confidence": rule.confidence,
        "evidence": rule.evidence,
        "family": rule.family,
        "groups": list(rule.groups),
        "lang": rule.lang,
        "default": rule.default,
        "since": rule.since,
        "owasp": list(rule.owasp),
        "safe_mcp": list(rule.safe_mcp),
        "surfaces": [] if rule.check else list(rule.surfaces),
        "pack": rule.pack,
        "help": rule.help,
        "patterns": {name: pattern.source for name, pattern in rule.patterns.items()},
        "check": rule.check,
    }


def _where(rule: Rule) -> str:
    return "structure" if rule.check else ",".join(rule.surface_words)


def _table(found: list[Rule]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    colours = {"error": "red", "warn": "yellow", "info": "blue"}
    console = Console()
    # Where there is no room for six columns the first four can be read.
    wide = console.width >= 110
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, highlight=False)
    for name in ("rule", "level", "what it finds", "family", *(("where", "tags") if wide else ())):
        table.add_column(name, no_wrap=name in ("rule", "level"))
    for rule in found:
        tags = " ".join((*rule.owasp, *rule.safe_mcp))
        table.add_row(
            Text(rule.id, "bold"),
            Text(rule.level.label, colours[rule.level.label]),
            Text(visible(rule.title) + ("" if rule.default else " (off by default)")),
            Text(rule.family),
            *([Text(_where(rule), "dim"), Text(tags, "dim")] if wide else []),
        )
    console.print(table)
    console.print(Text(f"{len(found)} rules. mcp-cassette explain ID tells more about one.", "dim"))
