"""What holds of every pack: JSON Schema and loader agree, lines are right, accepted expressions are portable."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

import jsonschema
import regex
import tomli_w
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from mcp_cassette.cli.pages import pack_schema
from mcp_cassette.packs.keys import PACK
from mcp_cassette.packs.portable import complaint
from mcp_cassette.places import Places
from mcp_cassette.shape import Key, Table, Where, check, schema

# --- the schema an editor reads against the loader

WORD = st.sampled_from(["x", "", "ACME", "ACME001", "acme", "i", "warn", "0.1", "en", "tool.title", "a" * 301, "R001"])
JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-1, 3),
    st.just(0.5),
    WORD,
    st.just([]),
    st.just({}),
    st.lists(st.one_of(WORD, st.integers(0, 1)), max_size=2),
    st.dictionaries(st.sampled_from(["x", "any"]), WORD, max_size=1),
)


def fitting(key: Key) -> st.SearchStrategy[Any]:
    """Mostly what a key asks for."""
    if key.choices and key.kind != "map":
        text: st.SearchStrategy[str] = st.sampled_from(key.choices)
    elif key.pattern and key.kind != "map":
        text = st.from_regex(re.compile(key.pattern, re.ASCII), fullmatch=True).map(lambda s: s[:60])
    else:
        text = st.sampled_from(["x", "some words", "忽略"])
    if key.kind == "string":
        return text
    if key.kind == "int":
        low = key.minimum or 0
        return st.integers(low - 1, min(key.maximum or low + 5, low + 5) + 1)
    if key.kind == "bool":
        return st.booleans()
    if key.kind == "strings":
        return st.lists(text, max_size=2)
    if key.kind == "tables":
        assert key.table is not None
        return st.lists(tables(key.table), max_size=2)
    if key.kind == "map":
        names = st.sampled_from([*key.choices[:3], "x", "send", "Bad Name"])
        assert key.table is not None
        return st.dictionaries(names, tables(key.table), max_size=2)
    return tables(key.table) if key.table else st.just({})


@st.composite
def tables(draw: st.DrawFn, table: Table) -> dict[str, Any]:
    out: dict[str, Any] = {}
    needed = {k for k, key in table.keys.items() if key.required} | {
        g[0] for g in (*table.exactly_one, *table.at_least_one)
    }
    extra = draw(st.lists(st.sampled_from([*table.keys]), max_size=3, unique=True))
    for name in sorted(needed | set(extra)):
        if name in needed and draw(st.integers(0, 11)) == 0:
            continue
        out[name] = draw(JUNK if draw(st.integers(0, 11)) == 0 else fitting(table.keys[name]))
    if draw(st.integers(0, 14)) == 0:
        out[draw(st.sampled_from(["regx", "", "Level"]))] = draw(JUNK)
    return out


class _Refused(Exception):
    pass


def _fail(where: Where, reason: str) -> NoReturn:
    raise _Refused(f"{where}: {reason}")


def loader_accepts(value: dict[str, Any]) -> bool:
    try:
        check(value, PACK, _fail)
    except _Refused:
        return False
    return True


SHAPE = jsonschema.Draft202012Validator(schema(PACK))
FINAL = jsonschema.Draft202012Validator(json.loads(pack_schema()))


def test_the_schemas_are_schemas() -> None:
    jsonschema.Draft202012Validator.check_schema(SHAPE.schema)
    jsonschema.Draft202012Validator.check_schema(FINAL.schema)


MINIMAL: dict[str, Any] = {"format": 1, "pack": {"name": "acme", "prefix": "ACME"}}


@given(value=tables(PACK))
@example(value=MINIMAL)
@example(value=MINIMAL | {"rule": [{"id": "A1", "message": "m", "words": ["x"], "flags": "i"}]})
@example(value=MINIMAL | {"rule": [{"id": "A1", "message": "m", "words": ["x"], "test": [{"match": True}]}]})
@example(value=MINIMAL | {"pattern": {"a": {"regex": "x", "words": ["x"]}}})
@example(value=MINIMAL | {"pattern": {"a": {"near": {"first": "x", "then": "y", "within": -1}}}})
@example(value={"format": 1, "pack": {"name": "acme", "prefix": "ACME", "version": "१"}})
@example(value={"format": True, "pack": {"name": "acme", "prefix": "ACME"}})
@settings(max_examples=70, deadline=None, suppress_health_check=list(HealthCheck))
def test_the_schema_accepts_what_the_loader_accepts(value: dict[str, Any]) -> None:
    accepted = loader_accepts(value)
    error = next(SHAPE.iter_errors(value), None)
    assert (error is None) == accepted, error
    if not accepted:
        assert not FINAL.is_valid(value)  # the published schema knows more, never less


def complete(**rule: Any) -> dict[str, Any]:
    table = {"id": "ACME1", "message": "m", "test": [{"text": "x", "match": True}], **rule}
    return MINIMAL | {"rule": [table]}


def test_the_published_schema_knows_predicates_and_tests() -> None:
    run = {"predicate": "unbroken-run", "params": {"min": 3}}
    assert FINAL.is_valid(complete(words=["x"]))
    assert FINAL.is_valid(complete(pattern={"a": run}))
    assert not FINAL.is_valid(complete(pattern={"a": run | {"predicate": "nope"}}))
    assert not FINAL.is_valid(complete(pattern={"a": run | {"params": {"min": 0}}}))
    assert not FINAL.is_valid(complete(pattern={"a": run | {"params": {"most": 3}}}))
    assert not FINAL.is_valid(complete(words=["x"], test=[]))
    assert not FINAL.is_valid(MINIMAL | {"rule": [{"id": "A1", "message": "m", "words": ["x"]}]})
    assert not FINAL.is_valid(complete(words=["x"], regex="x"))


# --- lines

KEYS = st.text(alphabet="ab-_. \"'#[]=é\\\t", min_size=1, max_size=4)
TEXTS = st.text(alphabet="a[]{}#=\"'\\\n\t, é", max_size=12)
LEAVES = st.one_of(st.integers(), st.booleans(), st.floats(allow_nan=False), TEXTS, st.lists(TEXTS, max_size=3))
DOCUMENTS = st.dictionaries(
    KEYS,
    st.recursive(
        LEAVES,
        lambda inner: st.one_of(
            st.dictionaries(KEYS, inner, max_size=3), st.lists(st.dictionaries(KEYS, inner, max_size=2), max_size=2)
        ),
        max_leaves=8,
    ),
    max_size=4,
)


def paths(value: Any, where: Where = ()) -> list[Where]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [p for key, member in inner for p in ((*where, key), *paths(member, (*where, key)))]


@given(document=DOCUMENTS, multiline=st.booleans())
@example(document={"a": {"b": {"c": 1}}}, multiline=False)
@example(document={"a": [{"b": [{"c": 1}]}, {"b": [{}, {"d": 'x"""'}]}]}, multiline=True)
@example(document={"a": 'x"""\n[b]\n', "b": 1}, multiline=True)
@settings(max_examples=80, deadline=None)
def test_the_line_of_a_key_holds_the_key(document: dict[str, Any], multiline: bool) -> None:
    text = tomli_w.dumps(document, multiline_strings=multiline)
    lines, places = text.split("\n"), Places(text)
    for where in paths(document):
        line = places.line(where)
        assert 1 <= line <= len(lines)
        name = next(key for key in reversed(where) if isinstance(key, str))
        spelled = tomli_w.dumps({name: 1}).rsplit(" = ", 1)[0]
        if isinstance(where[-1], str):
            assert spelled in lines[line - 1], (where, line, text)


@given(document=st.dictionaries(KEYS, LEAVES, min_size=1, max_size=6), multiline=st.booleans())
@settings(max_examples=50, deadline=None)
def test_keys_of_one_table_stand_below_each_other(document: dict[str, Any], multiline: bool) -> None:
    places = Places(tomli_w.dumps(document, multiline_strings=multiline))
    found = [places.line((key,)) for key in document]
    assert found == sorted(set(found))
    assert found[0] == 1


# --- expressions

SAFE = [
    "a",
    "é",
    "\\d",
    "\\.",
    "[a-c]",
    "[^\\]x]",
    "(?:",
    "(",
    "(?=",
    "(?<!",
    "(?P<n>",
    ")",
    "|",
    "*",
    "+?",
    "{2,3}",
    "\\b",
    "^",
]
RISKY = [
    "\\1",
    "(?P=n)",
    "(?R)",
    "(?1)",
    "(?&n)",
    "(?>",
    "(?(1)",
    "(?|",
    "(?i)",
    "{e<=1}",
    "++",
    "*+",
    "(*F)",
    "\\K",
    "[[a]]",
    "[a&&b]",
]


@given(pieces=st.lists(st.one_of(st.sampled_from(SAFE), st.sampled_from(RISKY)), max_size=8))
@settings(max_examples=200, deadline=None)
def test_an_accepted_expression_has_none_of_the_refused_constructs(pieces: list[str]) -> None:
    pattern = "".join(pieces)
    if complaint(pattern) is not None:
        return
    try:
        regex.compile(pattern)
    except regex.error:
        return
    # Escapes and classes taken out, what is left shows its structure; read from the left, as an engine does.
    skeleton = re.sub(r"\\[^1-9KGRXLNgmMAZ]", "_", pattern)
    skeleton = re.sub(r"\[\^?[^\[\]]*\]", "_", skeleton)
    assert not re.search(r"\\|\(\?(?!:|=|!|<=|<!|P<)|\(\*|[*+?}]\+|\{(?!\d+(?:,\d*)?\})|[\[]", skeleton), skeleton


@given(text=st.text(alphabet="ab\\[](){}?*+|^$.&-=<>!:PRiu01", max_size=12))
@settings(max_examples=200, deadline=None)
def test_a_verdict_for_any_text(text: str) -> None:
    found = complaint(text)
    if found is None:
        try:
            compiled = regex.compile(text)
        except (regex.error, ValueError):
            return
        assert compiled.flags & ~(regex.UNICODE | regex.V0) == 0  # no flag was set from inside
    else:
        assert 0 <= found[1] < max(1, len(text))
