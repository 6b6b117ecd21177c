"""``mcp-cassette explain``."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import click

from mcp_cassette.cli.common import add_packs, load_rules, read_config, say
from mcp_cassette.errors import UsageError, nearest
from mcp_cassette.lint.aside import NEVER
from mcp_cassette.lint.plan import level_on
from mcp_cassette.neutral import clip, visible
from mcp_cassette.packs.model import Rule, RuleTest, When
from mcp_cassette.packs.taxonomy import owasp_names, safe_mcp_names
from mcp_cassette.surfaces import expand

EXAMPLES = 3


@click.command()
@click.argument("rule_id", metavar="ID")
@click.option("--pack", "packs", multiple=True, metavar="FILE", help="A rule pack to add to the bundled ones.")
@click.option("--config", "config_file", metavar="FILE", help="The pyproject.toml to read. [default: the nearest]")
@click.option("--no-config", is_flag=True, help="Read no configuration.")
def explain(rule_id: str, packs: tuple[str, ...], config_file: str | None, no_config: bool) -> int:
    """Explain a rule: what it finds and why, examples, where it looks, how to silence it well."""
    config = read_config(config_file, no_config=no_config)
    found = {rule.id: rule for rule in load_rules(add_packs(config, packs)).rules}
    rule = found.get(rule_id) or found.get(rule_id.upper())
    if rule is None:
        raise UsageError(f"no rule {rule_id!r}{nearest(rule_id.upper(), found)}: mcp-cassette rules lists them")
    for line in page(rule):
        say(line)
    return 0


def page(rule: Rule) -> Iterator[str]:
    """The lines of a rule's page (plain text, at most 100 columns save for patterns)."""
    yield f"{rule.id}  {rule.title}"
    yield ""
    on = "" if rule.default else ", off by default: name it with --select"
    yield f"{rule.level.label}, confidence {rule.confidence}, family {rule.family}, pack {rule.pack}{on}"
    yield ""
    yield from _wrap(rule.message[:1].upper() + rule.message[1:] + ".")
    if rule.why:
        yield from ("", *_wrap(rule.why))
    if rule.evidence == "intent":
        yield from (
            "",
            *_wrap("It states what was declared; only you know whether that is meant. It never rises above warn."),
        )
    if rule.help:
        yield from ("", "What to do", *_wrap(rule.help, 2))
    for heading, found in zip(("Matches", "Does not match"), rule.examples, strict=True):
        if found:
            yield from ("", heading, *(f"  {text}" for text in found))
    yield from _examples("Matches", [t for t in rule.tests if t.match])
    yield from _examples("Does not match", [t for t in rule.tests if not t.match])
    yield from ("", "Where it looks", *_where(rule))
    if rule.patterns:
        yield from ("", "How it looks")
        yield from (f"  {name}: {visible(clip(p.source, 400))}" for name, p in rule.patterns.items())
        yield f"  matches when {_when(rule.when)}"
    tags = [f"  {t}  {owasp_names()[t]}" for t in rule.owasp] + [f"  {t}  {safe_mcp_names()[t]}" for t in rule.safe_mcp]
    if tags:
        yield from ("", "Tags", *tags)
    yield from ("", "How to silence it well", *_silence(rule))


def _wrap(text: str, indent: int = 0) -> list[str]:
    return textwrap.wrap(visible(text), 100, initial_indent=" " * indent, subsequent_indent=" " * indent)


def _examples(heading: str, tests: list[RuleTest]) -> Iterator[str]:
    if tests:
        yield from ("", heading)
        yield from (f"  {t.on}: {visible(clip(t.text, 160))}" for t in tests[:EXAMPLES])


def _where(rule: Rule) -> Iterator[str]:
    if rule.check:
        yield f"  the structure of the file (check {rule.check})"
        return
    yield f"  {', '.join(rule.surface_words)}"
    for word, override in rule.on.items():
        said = ["off"] if override.off else []
        if override.level is not None or override.cap is not None:
            said.append(level_on(rule, [override]).label)
        if override.when is not None:
            said.append(f"matches when {_when(override.when)}")
        yield f"  on {word}: {', '.join(said)}" if set(expand(word)) & set(rule.surfaces) else f"  on {word}: nothing"
    if rule.soften:
        yield f"  one level lower inside {' and '.join(rule.soften)} text"


def _when(when: When) -> str:
    parts = []
    if when.any:
        parts.append(" or ".join(p.name for p in when.any))
    if when.all:
        parts.append("all of " + ", ".join(p.name for p in when.all))
    if when.of:
        parts.append(f"at least {when.at_least} of " + ", ".join(p.name for p in when.of))
    if when.none:
        parts.append("none of " + ", ".join(p.name for p in when.none))
    window = f", within {when.within} characters" if when.within else ""
    return " and ".join(parts) + window


def _silence(rule: Rule) -> list[str]:
    if rule.check == NEVER:
        return ["Nothing silences it: the text was not read. Simplify the rule that it names, or ignore that one."]
    lines = [
        "If a finding is right, talk to the server's owner before anything else. If it is wrong for you:",
        '  mcp-cassette suppress FINDING_ID --reason "…" --until DATE sets one finding aside, until then',
        "  or until its text changes,",
        "  in pyproject.toml, [[tool.mcp_cassette.lint.suppress]]: the rule at a subject or path, a reason,",
        f'  in pyproject.toml, [tool.mcp_cassette.lint]: ignore = ["{rule.id}"] turns the rule off,',
        '  exclude = ["tests/attacks/*"] leaves files out of a folder walk,',
        '  fail_on = "never" keeps every finding in the report and lets the run pass.',
    ]
    if not rule.check:
        lines.append(f"On one run: --ignore {rule.id}, or --surfaces to read only some surfaces.")
    return lines
