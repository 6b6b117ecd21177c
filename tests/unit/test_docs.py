"""The documents for users: every example works, every word of the language is in them, every link leads somewhere."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest

from mcp_cassette.formats.detect import open_source
from mcp_cassette.formats.jsontext import DEPTH_LIMIT
from mcp_cassette.formats.lines import LIMIT as LINE_LIMIT
from mcp_cassette.formats.problems import PROBLEM_LIMIT, UNKNOWN_LIMIT
from mcp_cassette.formats.tolerant import DIGIT_LIMIT
from mcp_cassette.lint.engine import STRIKES
from mcp_cassette.lint.inline import run_tests
from mcp_cassette.lint.keep import LIMIT as FINDING_LIMIT
from mcp_cassette.lint.plan import OUTPUT_WINDOW
from mcp_cassette.match.budget import BASE_SECONDS, SECONDS_PER_MILLION
from mcp_cassette.match.calm import LONGEST
from mcp_cassette.match.scan import MAX_HITS
from mcp_cassette.match.views import VIEWS
from mcp_cassette.model import Problem
from mcp_cassette.packs import keys
from mcp_cassette.packs.load import load
from mcp_cassette.packs.portable import MAX_LENGTH, MAX_NESTED, MAX_REPEAT, complaint
from mcp_cassette.packs.rules import MAX_CHAIN
from mcp_cassette.predicates.table import PREDICATES
from mcp_cassette.shape import Table
from mcp_cassette.surfaces import GROUPS, LEGACY, NAMES, PREFIXES, SURFACES
from mcp_cassette.walk.listings import ITEMS_MAX
from mcp_cassette.walk.pairing import PENDING_MAX

ROOT = Path(__file__).resolve().parents[2]
LANGUAGE = ROOT / "docs" / "rule-language.md"
FORMAT = ROOT / "docs" / "cassette-format.md"
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("*.md"))]

HEAD = 'format = 1\n[pack]\nname = "acme"\nprefix = "ACME"\n\n'
"""What the short examples of the language page leave out, as that page says."""

_FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[tuple[int, str]]:
    """The fenced blocks of a language: line on which each begins, text."""
    text = page.read_text(encoding="utf-8")
    return [(text.count("\n", 0, m.start()) + 1, m[2]) for m in _FENCE.finditer(text) if m[1] == language]


def prose(page: Path) -> str:
    """A page without its fenced blocks."""
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def code_words(text: str) -> set[str]:
    """What stands in inline code, whole."""
    return set(re.findall(r"`([^`\n]+)`", text))


def rows(page: Path) -> list[list[str]]:
    """The cells of every table row of a page; ``\\|`` is a bar inside a cell."""
    lines = (line for line in prose(page).splitlines() if line.startswith("|"))
    return [[c.strip().replace(r"\|", "|") for c in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def row_of(page: Path, word: str) -> list[str]:
    return next(row for row in rows(page) if row[0] == f"`{word}`")


# --- examples


def packs_of(page: Path) -> list[tuple[int, str]]:
    return [(line, text) for line, text in blocks(page, "toml") if "[tool." not in text]


EXAMPLES = [(page, line, text) for page in (LANGUAGE, README) for line, text in packs_of(page)]


@pytest.mark.parametrize(("page", "line", "text"), EXAMPLES, ids=[f"{p.name}:{n}" for p, n, _ in EXAMPLES])
def test_every_pack_in_the_documents_loads_and_passes_its_tests(
    page: Path, line: int, text: str, tmp_path: Path
) -> None:
    file = tmp_path / "acme.toml"
    whole = "[pack]" in text or "[[patterns]]" in text
    file.write_text(text if whole else HEAD + text, encoding="utf-8")
    pack = load([(file, "acme.toml")]).packs[-1]
    assert pack.rules or pack.secrets
    assert [f"{v.rule.id} test {v.test.number}: {v.reason}" for v in run_tests(pack) if not v.passed] == []


def test_the_examples_are_found() -> None:
    assert len(packs_of(LANGUAGE)) >= 14
    assert len([text for _, text in packs_of(README) if "[[rule]]" in text and "[pack]" in text]) == 1
    assert all("[[rule.test]]" in text for _, text in packs_of(LANGUAGE) if "[[rule]]" in text)


def test_the_ids_of_the_examples_differ() -> None:
    ids = [rule["id"] for _, text in packs_of(LANGUAGE) for rule in tomllib.loads(text).get("rule", ())]
    assert len(ids) == len(set(ids)) >= 12


def test_the_table_of_the_portable_subset_says_what_the_loader_does() -> None:
    table = rows(LANGUAGE)
    start = next(i for i, row in enumerate(table) if row[0] == "refused")
    listed = [row for row in table[start + 2 :] if len(row) == 3][:16]
    assert listed[-1][0].startswith("`a{10001}`")
    for refused, _, instead in listed:
        for expression in re.findall(r"`([^`]+)`", refused):
            assert complaint(expression) is not None, expression
        for expression in re.findall(r"`([^`]+)`", instead):
            assert complaint(expression) is None, expression


# --- words


def every_key() -> Iterator[tuple[str, str]]:
    for table in vars(keys).values():
        if isinstance(table, Table):
            yield from ((table.name, key) for key in table.keys)


def test_every_key_of_a_pack_is_explained() -> None:
    words = {w for code in code_words(prose(LANGUAGE)) for w in re.findall(r"[a-z_]+", code)}
    wanted = set(every_key())
    assert len(wanted) > 60
    assert {pair for pair in wanted if pair[1] not in words} == set()


def test_every_choice_of_a_key_is_named() -> None:
    words = {w for code in code_words(prose(LANGUAGE)) for w in re.findall(r"[\w.-]+", code)}
    tables = [t for t in vars(keys).values() if isinstance(t, Table)]
    choices = {c for t in tables for key in t.keys.values() for c in key.choices}
    assert {"sentence", "shape", "quoted", "R004", *VIEWS} <= choices
    assert choices - words == set()


@pytest.mark.parametrize("name", PREDICATES)
def test_every_predicate_has_a_row_with_its_parameters_and_their_defaults(name: str) -> None:
    _, _, cell = row_of(LANGUAGE, name)
    params = PREDICATES[name].params
    for key, param in params.items():
        default = str(param.default).lower() if isinstance(param.default, bool) else param.default
        assert re.search(rf"`{key}` = {default}\b", cell), (name, key)
    assert len(re.findall(r"`\w+` = ", cell)) == len(params)
    assert params or cell == "none"


@pytest.mark.parametrize("surface", SURFACES)
def test_every_surface_has_a_row(surface: str) -> None:
    assert len(row_of(LANGUAGE, surface)[1]) > 5


@pytest.mark.parametrize("word", [*GROUPS, *PREFIXES])
def test_every_group_and_prefix_has_a_row_with_exactly_its_surfaces(word: str) -> None:
    cell = row_of(LANGUAGE, word)[1]
    named = re.findall(r"`([^`]+)`", cell)
    surfaces = [s for w in named for s in (w,) if s in SURFACES] + [s for w in named if w in GROUPS for s in GROUPS[w]]
    assert tuple(surfaces) == (GROUPS.get(word) or PREFIXES[word])
    assert re.sub(r"`[^`]+`", "", cell).split() == []


def test_no_word_for_surfaces_is_forgotten() -> None:
    assert set(NAMES) - code_words(prose(LANGUAGE)) == set()
    for old, new in LEGACY.items():
        assert {old, new} <= code_words(prose(LANGUAGE))


def test_shared_patterns_are_those_of_the_bundled_pack() -> None:
    shared = tomllib.loads((ROOT / "packs" / "shared.toml").read_text(encoding="utf-8"))["pattern"]
    start = prose(LANGUAGE).index("pack `shared` offers")
    listed = re.findall(r"^\| `([a-z-]+)` \|", prose(LANGUAGE)[start:], re.MULTILINE)[: len(shared)]
    assert set(listed) == set(shared)


def test_the_numbers_of_the_language_are_those_of_the_code() -> None:
    text = " ".join(prose(LANGUAGE).split())
    assert f"within {OUTPUT_WINDOW} characters" in text
    assert f"at most {MAX_LENGTH:,} characters" in text
    assert f"a repeat of more than {MAX_REPEAT:,}, or repeats of repeats of more than {MAX_NESTED:,}" in text
    assert f"{BASE_SECONDS:g} seconds for a text, and {SECONDS_PER_MILLION:g} more for every million" in text
    assert f"more than {MAX_HITS:,} matches" in text
    assert f"A quotation has at most {LONGEST} characters" in text
    assert STRIKES == 3
    assert f"through more than {MAX_CHAIN} others" in text
    assert "After three such texts" in text


def test_the_numbers_of_the_format_are_those_of_the_code() -> None:
    text = prose(FORMAT)
    for phrase in (
        f"{LINE_LIMIT >> 20} MiB a line",
        f"{DEPTH_LIMIT} levels",
        f"{PROBLEM_LIMIT} problems",
        f"{UNKNOWN_LIMIT} warnings",
        f"{FINDING_LIMIT:,} findings",
        f"{DIGIT_LIMIT} digits",
        f"{PENDING_MAX:,} requests",
        f"{ITEMS_MAX:,} items",
    ):
        assert phrase in text


# --- cassettes and listings


def test_the_cassettes_in_the_documents_are_read_without_a_problem() -> None:
    cassettes = blocks(FORMAT, "jsonl")
    kinds = set()
    for _, text in cassettes:
        source = open_source("x", BytesIO(text.encode()))
        entries = list(source.entries())
        assert [e for e in entries if isinstance(e, Problem)] == []
        kinds |= {source.format} | {e.kind for e in entries if not isinstance(e, Problem)}
    assert kinds == {"cassette-v1", "cassette-v2", "header", "frame", "raw", "chunks"}


def test_the_listings_in_the_documents_are_read_without_a_problem() -> None:
    listings = blocks(FORMAT, "json")
    assert len(listings) == 3
    for _, text in listings:
        source = open_source("x", BytesIO(text.encode()))
        assert source.format == "listing"
        assert [e for e in source.entries() if isinstance(e, Problem)] == []


# --- links


def anchors(page: Path) -> set[str]:
    """The anchors GitHub gives to the headings of a page."""
    seen: dict[str, int] = {}
    out = set()
    for heading in re.findall(r"^#{1,6} +(.+?)[ #]*$", prose(page), re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        times = seen[slug] = seen.get(slug, -1) + 1
        out.add(f"{slug}-{times}" if times else slug)
    return out


def links(page: Path) -> list[str]:
    text = re.sub(r"(?<!\[)`[^`\n]*`(?!\])", "", prose(page))
    return [link for link in re.findall(r"\]\(([^)\s]+)\)", text) if not re.match(r"[a-z]+:", link)]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_relative_links_lead_to_files_and_headings_that_exist(page: Path) -> None:
    for link in links(page):
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        assert target.exists(), link
        assert target.is_relative_to(ROOT), link
        if anchor:
            assert anchor in anchors(target), link


def test_links_are_found() -> None:
    assert "docs/rule-language.md#surfaces" in links(README)
    assert "schemas/pack.schema.json" in links(README)
    assert "#surfaces" in links(LANGUAGE)
    assert "surfaces" in anchors(LANGUAGE)
