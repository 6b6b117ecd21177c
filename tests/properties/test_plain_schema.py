"""What is taken for a valid schema at sight is one for the validators, too."""

from __future__ import annotations

from typing import Any

import jsonschema
from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_cassette.lint.plain_schema import is_plain

KEYS = [
    "type", "title", "description", "default", "const", "enum", "examples", "properties", "items", "required",
    "minimum", "maxLength", "minItems", "additionalProperties", "uniqueItems", "exclusiveMinimum", "$schema",
    "$comment", "x-other",
]  # fmt: skip
SCALARS = st.sampled_from(
    [None, True, False, 0, 1, -1, 2.5, "", "object", "string", "a", [], ["a"], ["a", "a"], ["a", 1], {}, "integer",
     "http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema", ["object", "null"]]
)  # fmt: skip
SCHEMAS = st.recursive(
    SCALARS,
    lambda inner: st.dictionaries(
        st.sampled_from(KEYS), inner | st.dictionaries(st.text(max_size=3), inner), max_size=4
    ),
    max_leaves=12,
)


@settings(max_examples=1500, deadline=None)
@given(SCHEMAS)
def test_plain_is_valid(schema: Any) -> None:
    if is_plain(schema):
        for validator in (jsonschema.Draft7Validator, jsonschema.Draft202012Validator):
            assert not list(validator(validator.META_SCHEMA).iter_errors(schema)), schema


def test_an_ordinary_tool_is_plain() -> None:
    assert is_plain(
        {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object",
            "properties": {
                "city": {"type": "string", "description": "Where", "minLength": 1},
                "days": {"type": "integer", "minimum": 1, "maximum": 14, "default": 3},
                "tags": {"type": "array", "items": {"type": "string", "enum": ["a", "b"]}, "uniqueItems": True},
            },
            "required": ["city"],
            "additionalProperties": False,
        }
    )
