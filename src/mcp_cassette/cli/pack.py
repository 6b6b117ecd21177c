"""``mcp-cassette pack``: work on rule packs."""

from __future__ import annotations

from pathlib import Path

import click

from mcp_cassette.cli.common import add_packs, load_rules, read_config, real, say
from mcp_cassette.errors import Exit
from mcp_cassette.lint.inline import Verdict, run_tests
from mcp_cassette.neutral import clip, visible
from mcp_cassette.packs.model import Pack


@click.group()
def pack() -> None:
    """Work on rule packs."""


@pack.command("test")
@click.argument("packs", nargs=-1, metavar="[PACK]...")
@click.option("--config", "config_file", metavar="FILE", help="The pyproject.toml to read. [default: the nearest]")
@click.option("--no-config", is_flag=True, help="Read no configuration.")
@click.option("-v", "--verbose", is_flag=True, help="One line for every rule.")
def test(packs: tuple[str, ...], config_file: str | None, no_config: bool, verbose: bool) -> int:
    """Run the inline tests of packs, rule by rule.

    PACK is a file. Without one, the bundled packs and those of the configuration are tested.
    Exit status: 0 every test passed · 1 a test failed · 2 a pack does not load.
    """
    config = read_config(config_file, no_config=no_config)
    house = add_packs(config, packs)
    found = load_rules(house, eager=not packs).packs
    if packs:
        wanted = {real(Path(p)) for p in packs}
        named = {name for path, name in house if real(path) in wanted}
        found = tuple(p for p in found if p.file in named)
    failed = total = silent = 0
    for one in found:
        verdicts = list(run_tests(one))
        failed += _print_pack(one, verdicts, verbose=verbose)
        total += len(verdicts)
        silent += sum(1 for rule in one.rules if not rule.tests and not rule.check)
    rules = sum(len(p.rules) for p in found)
    if silent:
        say(f"{silent} rule{'s have' if silent > 1 else ' has'} no tests (packs of the old format have none)")
    verdict = "FAIL" if failed else "PASS"
    size = f"{_count(len(found), 'pack')}, {_count(rules, 'rule')}"
    say(f"result: {verdict} ({total - failed} passed, {failed} failed; {size})")
    return Exit.CONTRADICTION if failed else Exit.CLEAN


def _print_pack(one: Pack, verdicts: list[Verdict], *, verbose: bool) -> int:
    """Print what failed (every rule, when verbose); the number of failures."""
    failed = 0
    for rule in one.rules:
        mine = [v for v in verdicts if v.rule is rule]
        bad = [v for v in mine if not v.passed]
        failed += len(bad)
        if verbose and not rule.check:
            say(f"{'FAIL' if bad else 'ok'}  {rule.id}  {len(mine) - len(bad)}/{len(mine)}  {rule.title}")
        for v in bad:
            say(f"{one.file}:{v.test.line}: {rule.id} test {v.test.number} on {v.test.on}: {visible(v.reason)}")
            say(f'    text: "{visible(clip(v.test.text, 200))}"')
    return failed


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
