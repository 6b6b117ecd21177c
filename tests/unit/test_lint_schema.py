"""Is a tool's schema one, and are its ``x-mcp-header`` declarations what MCP 2026-07-28 allows?"""

from __future__ import annotations

import time
from typing import Any

import jsonschema
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mcp_cassette.lint.json_schema import SchemaCheck, header_complaints

DRAFT7 = "http://json-schema.org/draft-07/schema#"
LATEST = "https://json-schema.org/draft/2020-12/schema"


def complaint(schema: Any, root: bool = True) -> tuple[str, tuple[str | int, ...]] | None:
    return SchemaCheck().complaint(schema, root_object=root)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object"},
        {"type": "object", "properties": {"a": {"type": ["string", "null"]}}, "required": ["a"]},
        {"$schema": DRAFT7, "type": "object", "items": [{"type": "string"}]},
        {"$schema": LATEST, "type": "object", "prefixItems": [True]},
        {"$schema": "http://json-schema.org/draft-07/schema", "type": "object"},
        {"$schema": "http://json-schema.org/draft-04/schema#", "type": "object"},
        {"type": "object", "$ref": "https://stranger.example/schema.json"},
        {"type": "object", "x-anything": 3, "properties": {"a": {"x-mcp-header": "A", "type": "string"}}},
        {"type": "object", "$defs": {"a": {"$dynamicAnchor": "x"}}, "$comment": "c", "$id": "urn:x"},
        {"type": "object", "properties": {"$dynamicRef": {"type": "string"}}},
    ],
)
def test_what_is_a_schema(schema: dict[str, Any]) -> None:
    assert complaint(schema) is None


@pytest.mark.parametrize(
    ("schema", "path"),
    [
        ({"type": "objekt"}, ("type",)),
        ({"type": "object", "properties": []}, ("properties",)),
        ({"type": "object", "properties": {"a": {"type": "strin"}}}, ("properties", "a", "type")),
        ({"type": "object", "properties": {"a": 3}}, ("properties", "a")),
        ({"type": "object", "required": "a"}, ("required",)),
        ({"type": "object", "required": ["a", "a"]}, ("required",)),
        ({"type": "object", "properties": {"a": {"minLength": -1}}}, ("properties", "a", "minLength")),
        ({"type": "object", "anyOf": []}, ("anyOf",)),
        ({"type": "object", "allOf": [True, {"not": 3}]}, ("allOf", 1, "not")),
        ({"type": "object", "$defs": {"a": {"enum": 3}}}, ("$defs", "a", "enum")),
        ({"type": "object", "items": [{"type": "string"}]}, ("items",)),  # 2020-12 when no dialect is named
        ({"$schema": DRAFT7, "type": "object", "properties": {"a": {"type": "any"}}}, ("properties", "a", "type")),
        ({"$schema": 3, "type": "object"}, ("$schema",)),
        ({"$schema": "https://none.example/schema", "type": "object"}, ("$schema",)),
        ({"$schema": "http://[", "type": "object"}, ("$schema",)),
    ],
)
def test_what_is_not_and_where(schema: dict[str, Any], path: tuple[str | int, ...]) -> None:
    found = complaint(schema)
    assert found is not None
    assert found[1] == path


def test_the_root_of_an_input_schema_is_an_object() -> None:
    assert complaint({}) == ('the root must have "type": "object"', ())
    assert complaint({"type": "string"}) == ('the root must have "type": "object"', ("type",))
    assert complaint({"type": ["object"]}) is not None
    assert complaint(True) is not None
    for schema in ({}, {"type": "string"}, True, False):
        assert complaint(schema, root=False) is None


@pytest.mark.parametrize("value", [None, 3, "x", [], [{}]])
def test_a_schema_is_an_object_or_a_boolean(value: Any) -> None:
    assert complaint(value, root=False) is not None


def nested(depth: int, key: str) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": "string"}
    for _ in range(depth):
        schema = {"type": "object", key: {"a": schema} if key == "properties" else schema}
    return schema


def test_hostile_schemas_end_soon() -> None:
    start = time.process_time()
    assert complaint(nested(45, "properties")) is None
    assert complaint(nested(95, "not")) is None
    for depth in (101, 5_000):
        found = complaint(nested(depth, "not"))
        assert found is not None and "deep" in found[0]
    many = {"type": "object", "properties": {f"p{i}": {"type": "string"} for i in range(50_000)}}
    found = complaint(many)
    assert found is not None and "not checked" in found[0]
    old = "http://json-schema.org/draft-04/schema#"
    assert complaint({"$schema": old, "type": "object", "enum": [{"a": i} for i in range(5_000)]}) is None
    assert complaint({"$schema": old, "type": "object", "enum": [{"a": 1}, {"a": 1}]}) is not None
    odd = {"type": "object", "maxLength": 10**400, "multipleOf": float("nan"), "maximum": float("inf")}
    complaint(odd)
    assert time.process_time() - start < 5


OLD_DIALECTS = [f"http://json-schema.org/draft-0{n}/schema#" for n in (3, 4, 6, 7)]
DIALECTS = [*OLD_DIALECTS, "https://json-schema.org/draft/2019-09/schema", LATEST]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_no_dialect_is_slow(dialect: str) -> None:
    """A file of ten large schemas: the budget ends the checking, once and with a word."""
    check, start, said = SchemaCheck(), time.process_time(), []
    for n in range(10):
        properties = {f"p{n}-{i}": {"pattern": "x"} for i in range(4_500)}
        schema = {"$schema": dialect, "type": "object", "properties": properties}
        said.append(check.complaint(schema, root_object=True))
    (at,) = (n for n, reason in enumerate(said) if reason is not None)
    assert 3 <= at <= 5
    assert said[at] == ("not checked, nor is any schema after it: those of this file are too large together", ())
    assert time.process_time() - start < 6


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("key", ["items", "extends", "dependencies", "additionalProperties", "type"])
def test_a_long_text_far_down_is_not_quoted_at_every_level(dialect: str, key: str) -> None:
    schema: dict[str, Any] = {"type": 3, "description": "x" * 2_000_000}
    for _ in range(40):
        schema = {key: [schema] if key == "type" else {"a": schema} if key == "dependencies" else schema}
    start = time.process_time()
    found = complaint({"$schema": dialect, "not": schema})
    assert found is not None and "not checked" in found[0]
    assert time.process_time() - start < 2


@pytest.mark.parametrize("dialect", OLD_DIALECTS)
def test_unique_items_far_down_are_compared_in_linear_time(dialect: str) -> None:
    start = time.process_time()
    inner = {"enum": [{"a": i} for i in range(5_000)]}
    assert complaint({"$schema": dialect, "type": "object", "properties": {"a": inner}}) is None
    assert time.process_time() - start < 2
    twice = complaint({"$schema": dialect, "type": "object", "properties": {"a": {"enum": [{"a": 1}, {"a": 1}]}}})
    assert (twice is not None) is ("draft-06" not in dialect and "draft-07" not in dialect)


def test_a_schema_that_comes_again_costs_nothing() -> None:
    check = SchemaCheck()
    good = {"type": "object", "properties": {f"p{i}": {"type": "string"} for i in range(4_000)}}
    bad = {"type": "object", "properties": {f"p{i}": {"type": "strin"} for i in range(4_000)}}
    for _ in range(10):
        assert check.complaint(good, root_object=True) is None
        found = check.complaint(bad, root_object=True)
        assert found is not None and found[1] == ("properties", "p0", "type")
    assert check.complaint({"type": "string"}, root_object=False) is None
    assert check.complaint({"type": "string"}, root_object=True) is not None


def test_a_hundred_tools_are_checked_to_the_last() -> None:
    """100 tools of 100 nodes each: what the largest real servers list."""
    check = SchemaCheck()
    for n in range(100):
        properties = {f"p{n}-{i}": {"type": "string", "description": "x" * 80} for i in range(99)}
        last = n == 99
        schema = {"type": "object", "properties": {**properties, "end": {"type": "strin" if last else "string"}}}
        assert (check.complaint(schema, root_object=True) is not None) is last


def test_a_long_complaint_is_cut() -> None:
    found = complaint({"type": "x" * 5_000})
    assert found is not None and len(found[0]) <= 160


VALUES: st.SearchStrategy[Any] = st.one_of(
    st.booleans(),
    st.integers(-1, 2),
    st.sampled_from(["string", "object", "x", "#", "^a"]),
    st.just([]),
    st.just({}),
    st.lists(st.sampled_from(["a", "b", "string", "integer"]), max_size=3),
)
_WORDS = """
type properties items prefixItems required enum const not allOf anyOf if $defs $ref $id $anchor minLength maximum
pattern
uniqueItems dependentSchemas dependentRequired propertyNames definitions dependencies title default $vocabulary $comment
contains unevaluatedItems format readOnly examples $dynamicRef $dynamicAnchor
"""
KEYWORDS = st.sampled_from(_WORDS.split())
SCHEMAS = st.recursive(
    VALUES,
    lambda inner: st.one_of(st.dictionaries(KEYWORDS, inner, max_size=4), st.lists(inner, max_size=2)),
    max_leaves=12,
)


@given(schema=st.dictionaries(KEYWORDS, SCHEMAS, max_size=4))
@example(schema={"dependencies": {"type": 0}})
@example(schema={"dependencies": {"type": ["a"]}, "$recursiveAnchor": "a", "$recursiveRef": "#"})
@example(schema={"dependentRequired": {"a": ["b", "b"]}, "$dynamicRef": 3})
@settings(max_examples=70, deadline=None)
def test_the_meta_schema_in_one_piece_says_what_the_standard_says(schema: dict[str, Any]) -> None:
    latest = jsonschema.Draft202012Validator
    standard = latest(latest.META_SCHEMA).is_valid(schema)
    assert (complaint(schema, root=False) is None) is standard


@pytest.mark.parametrize("draft", ["draft-03", "draft-04", "draft-06", "draft-07", "2019-09", "2020-12"])
def test_every_known_dialect_is_checked_without_the_network(draft: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise AssertionError("a schema is never fetched")

    monkeypatch.setattr("urllib.request.urlopen", refuse)
    year = draft.startswith("20")
    dialect = f"https://json-schema.org/draft/{draft}/schema" if year else f"http://json-schema.org/{draft}/schema#"
    odd = {"$ref": "https://stranger.example/x", "$id": "https://stranger.example/y", "dependencies": {"a": ["b"]}}
    assert complaint({"$schema": dialect, "type": "object", "properties": {"a": odd}}) is None
    assert complaint({"$schema": dialect, "type": "object", "properties": {"a": {"type": 3}}}) is not None
    assert complaint({"$schema": dialect, "type": "object", "dependencies": {"a": 3}}) is not None


# --- x-mcp-header


def headers(properties: Any, **more: Any) -> list[tuple[str, tuple[str | int, ...]]]:
    return list(header_complaints({"type": "object", "properties": properties, **more}))


def test_what_is_allowed() -> None:
    assert (
        headers(
            {
                "region": {"type": "string", "x-mcp-header": "Region"},
                "count": {"type": "integer", "x-mcp-header": "count!#$%&'*+.^_`|~-9"},
                "flag": {"type": "boolean", "x-mcp-header": "Flag"},
                "deep": {"type": "object", "properties": {"er": {"type": "string", "x-mcp-header": "Deep"}}},
            }
        )
        == []
    )


@pytest.mark.parametrize("name", ["", "a b", "a:b", "é", "a\r\nb", "a\n", "(x)", "a/b", 3, None, ["A"], {"a": 1}, True])
def test_a_header_name_is_a_token(name: Any) -> None:
    (found,) = headers({"a": {"type": "string", "x-mcp-header": name}})
    assert found[1] == ("properties", "a", "x-mcp-header")


@pytest.mark.parametrize("kind", ["number", "object", "array", "null", ["string"], ["string", "null"], None])
def test_only_strings_integers_and_booleans(kind: Any) -> None:
    schema = {"x-mcp-header": "A"} if kind is None else {"type": kind, "x-mcp-header": "A"}
    assert len(headers({"a": schema})) == 1


def test_names_are_unique_in_any_case() -> None:
    found = headers({n: {"type": "string", "x-mcp-header": h} for n, h in (("a", "X-A"), ("b", "x-a"), ("c", "X-B"))})
    assert [(path, "twice" in reason) for reason, path in found] == [(("properties", "b", "x-mcp-header"), True)]


HEADED = {"type": "string", "x-mcp-header": "A"}


@pytest.mark.parametrize(
    "more",
    [
        {"$defs": {"a": HEADED}},
        {"definitions": {"a": HEADED}},
        {"allOf": [{"properties": {"a": HEADED}}]},
        {"anyOf": [{"properties": {"a": HEADED}}]},
        {"oneOf": [{"properties": {"a": HEADED}}]},
        {"not": {"properties": {"a": HEADED}}},
        {"if": {"properties": {"a": HEADED}}},
        {"then": {"properties": {"a": HEADED}}},
        {"else": {"properties": {"a": HEADED}}},
        {"items": {"properties": {"a": HEADED}}},
        {"additionalProperties": HEADED},
        {"patternProperties": {"a": HEADED}},
        {"prefixItems": [HEADED]},
    ],
)
def test_reachable_through_properties_alone(more: dict[str, Any]) -> None:
    (found,) = headers({}, **more)
    assert "reachable" in found[0]
    assert len(headers({"list": {"type": "array", **more}})) == 1


def test_values_and_names_are_no_declarations() -> None:
    data = {"x-mcp-header": ""}
    assert headers({"a": {"type": "string", "default": data, "const": data, "enum": [data], "examples": [data]}}) == []
    assert headers({"x-mcp-header": {"type": "string"}, "properties": {"type": "string"}}) == []
    assert headers({}, **{"$defs": {"x-mcp-header": {"type": "string"}}}) == []


def test_a_deep_or_wide_schema_is_no_trouble() -> None:
    start = time.process_time()
    assert list(header_complaints(nested(50_000, "not"))) == []
    wide = {f"p{i}": {"type": "string", "x-mcp-header": f"H{i}"} for i in range(20_000)}
    assert headers(wide) == []
    assert time.process_time() - start < 2
