"""The house keeps its promises: imports go down, modules stay small, rules are proven, generated files are current."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from mcp_cassette.lint.plan import bind
from mcp_cassette.packs.checks import CHECKS
from mcp_cassette.packs.load import load
from mcp_cassette.packs.model import Rule, RuleSet
from mcp_cassette.surfaces import expand
from support import ROOT, clean_environment

SOURCES = sorted((ROOT / "src").rglob("*.py"))


@pytest.fixture(scope="module")
def rules() -> RuleSet:
    return load([])


def script(*args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        args, cwd=ROOT, capture_output=True, text=True, encoding="utf-8", env=clean_environment(), check=False
    )


def test_imports_go_one_way() -> None:
    done = script(sys.executable, "-c", "from importlinter.cli import lint_imports_command as c; c()", "--no-cache")
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"\b0 broken\b", done.stdout)


def test_no_module_is_longer_than_350_lines() -> None:
    long = {str(p.relative_to(ROOT)): n for p in SOURCES if (n := len(p.read_text("utf-8").splitlines())) > 350}
    assert long == {}


def test_generated_files_are_current() -> None:
    done = script(sys.executable, "scripts/generate", "--check")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_lint_pays_for_no_heavy_import() -> None:
    """What a plain run of lint must not load: HTTP, the terminal's layout, JSON Schema."""
    code = (
        "import sys\nsys.argv = ['mcp-cassette', 'lint', '--no-config', 'tests/fixtures/plain.cassette.jsonl']\n"
        "from mcp_cassette.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit as stop:\n    assert stop.code == 0\n"
        "print([m for m in ('httpx', 'rich', 'jsonschema', 'tomli_w', 'asyncio', 'ssl') if m in sys.modules])"
    )
    done = script(sys.executable, "-c", code)
    assert done.stdout.splitlines()[-1:] == ["[]"], done.stdout + done.stderr


def test_every_check_is_declared_once_and_known() -> None:
    data = tomllib.loads((ROOT / "packs" / "structure.toml").read_text("utf-8"))
    declared = [rule["check"] for rule in data["rule"]]
    assert sorted(declared) == sorted(CHECKS)
    code = "".join(path.read_text("utf-8") for path in (ROOT / "src" / "mcp_cassette" / "lint").glob("*.py"))
    assert [check for check in CHECKS if f'"{check}"' not in code] == []


def test_every_rule_is_proven_by_three_texts_and_three_near_misses(rules: RuleSet) -> None:
    for rule in reading(rules):
        assert len({test.text for test in rule.tests if test.match}) >= 3, rule.id
        assert len({test.text for test in rule.tests if not test.match}) >= 3, rule.id


def test_every_override_is_proven(rules: RuleSet) -> None:
    for rule in reading(rules):
        for word, override in rule.on.items():
            if rule.id not in TAGS and word in ("ask", "push", "prompt"):
                continue  # the ceilings of all newer rules are the same there
            surfaces = set(expand(word)) & set(rule.surfaces)
            tests = [test for test in rule.tests if test.on in surfaces]
            assert tests, f"{rule.id} on {word}"
            if rule.id in TAGS and (override.cap or override.level):
                assert any(test.match and test.level for test in tests), f"{rule.id} on {word}: no test of the level"


def reading(rules: RuleSet) -> Iterator[Rule]:
    """The rules that read texts."""
    found = [rule for rule in rules.rules if rule.check is None]
    assert len(found) >= 16
    return iter(found)


# The level, the evidence and the tags each rule was given.
TAGS = {
    "CAS-L001": ("error", "shape", "MCP06", "T1102 T1001"),
    "CAS-L002": ("error", "shape", "MCP03", "T1001 T1402"),
    "CAS-L003": ("error", "shape", "MCP03", "T1404 T1001"),
    "CAS-L004": ("error", "shape", "MCP10", "T1913 T1001"),
    "CAS-L005": ("warn", "shape", "MCP01", "T1502 T1503 T1001"),
    "CAS-L006": ("error", "shape", "MCP03", "T1402"),
    "CAS-L007": ("warn", "shape", "MCP03", "T1402"),
    "CAS-L008": ("info", "shape", "MCP10", ""),
    "CAS-L009": ("error", "shape", "MCP03", "T1402 T1001"),
    "CAS-L010": ("error", "shape", "MCP03", "T1402"),
    "CAS-L011": ("warn", "intent", "MCP03", "T1008 T1301"),
    "CAS-L012": ("warn", "intent", "MCP05", "T1104 T1101"),
    "CAS-L013": ("error", "shape", "MCP06", "T1102 T1309"),
    "CAS-L014": ("warn", "intent", "MCP01 MCP07", "T1501 T1911"),
    "CAS-L015": ("warn", "shape", "MCP03", "T1402 T1001 T1004"),
    "CAS-L016": ("warn", "intent", "MCP04", "T1002 T1207"),
}


@pytest.mark.parametrize("rule_id", list(TAGS))
def test_levels_and_tags(rule_id: str, rules: RuleSet) -> None:
    level, evidence, owasp, safe_mcp = TAGS[rule_id]
    [rule] = [rule for rule in rules.rules if rule.id == rule_id]
    assert (rule.level.label, rule.evidence) == (level, evidence)
    assert sorted(rule.owasp) == sorted(f"{tag}:2025" for tag in owasp.split())
    assert sorted(rule.safe_mcp) == sorted(f"SAFE-{tag}" for tag in safe_mcp.split())
    assert rule.why and rule.help and rule.title and rule.since


OUTPUT = {"CAS-L001", "CAS-L003", "CAS-L006", "CAS-L009", "CAS-L010", "CAS-L013"}
NOT_ON_NAMES = {"CAS-L005", "CAS-L007", "CAS-L008", "CAS-L012"}
ON_PROMPT_NAMES = {"CAS-L006", "CAS-L009", "CAS-L010", "CAS-L015"}


def test_which_rules_read_which_surfaces(rules: RuleSet) -> None:
    def readers(surface: str) -> set[str]:
        return {rule.id for rule in rules.rules if rule.id in TAGS and bind(rule, surface) is not None}

    for surface in expand("prose"):
        assert readers(surface) == set(TAGS), surface
    for surface in ("tool.name", "resource.name", "tool.key", "server.name"):
        assert readers(surface) == set(TAGS) - NOT_ON_NAMES, surface
    assert readers("prompt.name") == ON_PROMPT_NAMES
    for surface in (*expand("output"), *expand("ask"), *expand("push")):
        assert readers(surface) == OUTPUT, surface
    assert readers("input.arguments") == set()


def test_levels_on_output_and_prompts(rules: RuleSet) -> None:
    for rule in rules.rules:
        for surface in expand("output"):
            bound = bind(rule, surface)
            assert bound is None or bound.level.label in ("warn", "info"), (rule.id, surface)
        if rule.id in TAGS:
            for surface in (*expand("prompt"), *expand("resource")):
                bound = bind(rule, surface)
                capped = rule.id == "CAS-L013" and surface.startswith("prompt.")
                assert bound is not None and bound.level.label == ("warn" if capped else TAGS[rule.id][0])


def test_nothing_names_a_machine() -> None:
    """No path of anybody's computer in what is shipped."""
    shipped = [
        p for top in ("src", "packs", "schemas", "docs", "scripts") for p in (ROOT / top).rglob("*") if p.is_file()
    ]
    shipped += [p for p in ROOT.glob("*") if p.suffix in (".md", ".toml", ".yaml", ".yml")]
    for path in shipped:
        if path.suffix != ".pyc":
            assert not re.search(rb"/home/\w+/|/Users/\w+/|C:\\\\Users", path.read_bytes()), path


def test_the_fixture_is_small() -> None:
    big = [p for p in (ROOT / "tests" / "fixtures").rglob("*") if p.is_file() and p.stat().st_size > 100_000]
    assert big == []


def test_readme_and_project_agree_on_the_python_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["requires-python"] == ">=3.11"
    assert "Python 3.11" in Path(ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize("rule", load().rules, ids=lambda rule: rule.id)
def test_every_rule_can_be_explained_by_examples(rule: Rule) -> None:
    if rule.check is None:
        assert {t.match for t in rule.tests} == {True, False}
    else:
        assert all(rule.examples)
