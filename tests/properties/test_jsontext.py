"""parse() against the standard library on arbitrary JSON, in arbitrary spellings."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_cassette.formats.entries import Members
from mcp_cassette.formats.jsontext import BadJson, parse
from mcp_cassette.neutral import visible

_text = st.text(st.one_of(st.sampled_from('":\\{}[],u0022 '), st.characters(exclude_categories=["Cs"])), max_size=10)
_keys = st.sampled_from(['":', "a", ""]) | _text
_json = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.integers(-(10**40), 10**40),
        st.floats(allow_nan=False, allow_infinity=False), _text,
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_keys, inner, max_size=4),
    max_leaves=8,
)  # fmt: skip
_separators = st.sampled_from([(",", ":"), (", ", ": "), (" , ", " : "), (",\n", "\t:\r\n")])


@settings(max_examples=120, deadline=None)
@given(_json, _separators, st.booleans())
def test_json_is_read_as_the_standard_library_reads_it(value: Any, separators: Any, ascii_only: bool) -> None:
    text = json.dumps(value, separators=separators, ensure_ascii=ascii_only)
    got, defects = parse(text.encode())
    assert defects == ()
    assert json.dumps(got) == json.dumps(json.loads(text))


@settings(max_examples=120, deadline=None)
@given(st.lists(st.tuples(_keys, _json), min_size=1, max_size=4), _separators, st.booleans(), st.integers(0, 3))
def test_no_member_is_lost(pairs: list[tuple[str, Any]], separators: Any, ascii_only: bool, depth: int) -> None:
    comma, colon = separators
    written = [
        json.dumps(key, ensure_ascii=ascii_only) + colon + json.dumps(item, separators=separators)
        for key, item in pairs
    ]
    got, defects = parse(("[" * depth + "{" + comma.join(written) + "}" + "]" * depth).encode())
    for _ in range(depth):
        (got,) = got
    repeated = {key for key, _ in pairs if [k for k, _ in pairs].count(key) > 1}
    assert len(defects) == len(repeated)
    assert isinstance(got, Members) == bool(repeated)
    kept = got.pairs if isinstance(got, Members) else list(got.items())
    assert [(str(key), json.dumps(item)) for key, item in kept] == [(key, json.dumps(item)) for key, item in pairs]


@settings(max_examples=120, deadline=None)
@given(st.one_of(st.binary(max_size=40), st.text('[]{}",:\\u1dNaI\n \x00e-.', max_size=30).map(str.encode)))
def test_anything_is_read_or_refused_with_a_reason(raw: bytes) -> None:
    try:
        value, defects = parse(raw)
    except BadJson as error:
        assert visible(error.reason) == error.reason
        assert len(error.reason) < 200
        assert error.column is None or error.column >= 1
    else:
        fatal = any(defect.fatal for defect in defects)
        try:
            expected = json.loads(raw.removeprefix(b"\xef\xbb\xbf").decode())
        except ValueError:
            assert fatal
        else:
            assert fatal or value == expected
