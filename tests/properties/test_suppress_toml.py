"""A suppression added to any TOML file changes no other byte and means one table more."""

from __future__ import annotations

import datetime
import tomllib
from typing import Any

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from mcp_cassette.errors import ConfigError
from mcp_cassette.lint.append import append

ID = "0123456789abcdef"
OTHER = "[[tool.mcp_cassette.lint.suppress]]\nfinding_id = 'ffffffffffffffff'\nreason = 'r'\n"

# Each is a whole number of lines that may stand anywhere a table may begin.
ODD = [
    "# a comment = [",
    "[tool.mcp_cassette.lint] # [[tool.mcp_cassette.lint.suppress]]\npaths = ['a']",
    "[tool.mcp_cassette]",
    "[tool . 'mcp_cassette' . \"lint\"]",
    "[tool]\nmcp_cassette.lint.paths = ['a']",
    "[tool.other]\nx = '''\n[[tool.mcp_cassette.lint.suppress]]\n'''",
    '[tool.other]\nx = """\\\n   [[tool.mcp_cassette.lint.suppress]]"""',
    "[[tool.other]]\nx = nan\n[[tool.other]]\nx = -inf",
    "[tool.mcp_cassette.lint]\nignore = [ # ]\n  'CAS-L008',\n]",
    "[tool.ruff.lint]\nselect = ['E']\n\n\n",
    "[project]\nname = 'ünï\u202e'\nkeywords = ['\\u0000', \"\\u0007\"]",
    "[tool.hatch]\nwhen = 1979-05-27T07:32:00Z\nday = 1979-05-27\nat = 07:32:00",
    OTHER,
    OTHER.replace("[[tool.", "  [[ tool . ").rstrip(),
]
INLINE = [
    "[tool.mcp_cassette.lint]\nsuppress = []",
    "[tool.mcp_cassette]\nlint = { paths = [] }",
    "[tool]\nmcp_cassette = { lint = {} }",
    "tool = { x = 1 }",
]


def is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return False
    return True


scalars = st.one_of(
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(st.characters(codec="utf-8"), max_size=12),
    st.dates(datetime.date(1, 1, 1)),
)
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
generated = st.dictionaries(st.sampled_from(["project", "tool", "x", "é"]), values, max_size=4).map(
    lambda data: tomli_w.dumps({k: v for k, v in data.items() if k != "tool"} | {"tool": {"t": data.get("tool", 1)}})
)
odd = st.lists(st.sampled_from(ODD), max_size=5, unique=True).map("\n".join).filter(is_toml)
ends = st.sampled_from(["", "\n", "\n\n", "\n# end", "\n  \n", "\n\t"])
reasons = st.text(st.characters(codec="utf-8"), min_size=1, max_size=40)


def meaning(text: str) -> Any:
    return tomllib.loads(text, parse_float=str)


@given(
    odd | generated,
    ends,
    st.sampled_from(["\n", "\r\n"]),
    st.booleans(),
    reasons,
    st.none() | st.dates(datetime.date(1000, 1, 1)),
)
def test_every_other_byte_stays(
    text: str, end: str, newline: str, bom: bool, reason: str, until: datetime.date | None
) -> None:
    text = (text + end).replace("\r\n", "\n").replace("\n", newline)
    before = b"\xef\xbb\xbf" * bom + text.encode()
    after, line = append(before, ID, reason, until, "p")
    assert after.startswith(before)
    added = after[len(before) :].decode()
    entry = {"finding_id": ID, "reason": reason} | ({} if until is None else {"until": until})
    expected = meaning(text)
    expected.setdefault("tool", {}).setdefault("mcp_cassette", {}).setdefault("lint", {}).setdefault(
        "suppress", []
    ).append(entry)
    assert meaning(after.decode("utf-8-sig")) == expected
    # A block is three or four lines behind an empty one, with the line ends of the file.
    lines = [part for part in added.replace("\r\n", "\n").split("\n") if part]
    assert (lines[0], len(lines)) == ("[[tool.mcp_cassette.lint.suppress]]", 3 + (until is not None))
    if "\n" in text:
        assert added.count("\n") == added.count("\r\n") + (newline == "\n") * added.count("\n")
        assert ("\r\n" in added) == (newline == "\r\n")
    assert (
        after.decode("utf-8-sig").replace("\r\n", "\n").split("\n")[line - 1] == "[[tool.mcp_cassette.lint.suppress]]"
    )
    # And once more: a second one goes behind it.
    again, _ = append(after, "f" * 16, "r", None, "p")
    assert (
        again.startswith(after)
        and len(meaning(again.decode("utf-8-sig"))["tool"]["mcp_cassette"]["lint"]["suppress"]) >= 2
    )


@given(st.sampled_from(INLINE), ends)
def test_a_table_written_inline_is_refused(text: str, end: str) -> None:
    with pytest.raises(ConfigError, match="is written inline"):
        append((text + end).encode(), ID, "r", None, "p")


def test_the_odd_files_are_toml() -> None:
    assert all(map(is_toml, ODD + INLINE))
