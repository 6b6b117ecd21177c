"""Pages chained to listings, and the names beside each tool."""

from __future__ import annotations

import time
from typing import Any

import pytest
from walking import Walked, call, entry, session, twice, walked

from mcp_cassette.formats.entries import Entry
from mcp_cassette.walk.listing import Listing, Names, OtherNames
from mcp_cassette.walk.listings import Listings
from mcp_cassette.walk.messages import Message
from mcp_cassette.walk.pairing import Exchange


def page(wire_id: int, names: str, cursor: Any = None, following: Any = None, method: str = "tools/list") -> list[Any]:
    member = method.split("/")[0]
    params = {} if cursor is None else {"cursor": cursor}
    result: dict[str, Any] = {member: [{"name": n} for n in names]}
    if following is not None:
        result["nextCursor"] = following
    return [("c2s", {"id": wire_id, "method": method, "params": params}), {"id": wire_id, "result": result}]


def shape(got: Walked) -> list[tuple[str, bool]]:
    return [("".join(item.name or "?" for item in x.items), x.complete) for x in got.listings]


def test_pages_chain_by_cursor() -> None:
    got = session(*page(1, "ab", None, "c1"), *page(2, "c", "c1", "c2"), *page(3, "d", "c2"))
    assert shape(got) == [("abcd", True)]
    (listing,) = got.listings
    assert [(i.index, i.line, i.request_id) for i in listing.items] == [(0, 2, 1), (1, 2, 1), (2, 4, 2), (3, 6, 3)]
    assert {t.value: set(t.others) for t in listing.texts} == {n: set("abcd") - {n} for n in "abcd"}


def test_an_empty_cursor_is_one_and_null_is_the_end() -> None:
    assert shape(session(*page(1, "a", None, ""), *page(2, "b", "", None))) == [("ab", True)]
    request, response = page(1, "a")
    response["result"]["nextCursor"] = None
    assert shape(session(request, response)) == [("a", True)]


def test_a_cursor_is_compared_with_its_type_and_is_not_read() -> None:
    got = session(*page(1, "a", None, 1), *page(2, "b", "1"))
    assert shape(got) == [("a", False), ("b", True)]
    assert session(*page(1, "a", None, "opaque words")).on("tool.other") == []
    assert session(*page(1, "a", None, {"x": "words"})).on("tool.other") == ["words"]


def test_a_request_without_a_cursor_starts_a_new_listing() -> None:
    got = session(*page(1, "a", None, "c1"), *page(2, "ab", None), *page(3, "c", "c1"))
    assert shape(got) == [("a", False), ("ab", True), ("c", True)]


def test_kinds_and_connections_do_not_mix() -> None:
    frames = [*page(1, "a", None, "c"), *page(2, "p", None, "c", "prompts/list"), *page(3, "b", "c")]
    assert shape(session(*frames, *page(4, "q", "c", None, "prompts/list"))) == [("ab", True), ("pq", True)]
    entries: list[Entry] = []
    for conn, frame in [
        (0, page(1, "a", None, "c")),
        (1, page(1, "x", None, "c")),
        (0, page(2, "b", "c")),
        (1, page(2, "y", "c")),
    ]:
        for item in frame:
            direction, value = item if isinstance(item, tuple) else ("s2c", item)
            entries.append(entry("frame", len(entries) + 1, conn=conn, dir=direction, frame=value))
    got = walked(*entries)
    assert shape(got) == [("ab", True), ("xy", True)]
    assert [x.conn for x in got.listings] == [0, 1]


def test_an_open_listing_comes_at_the_end_of_the_file() -> None:
    got = session(*page(1, "ab", None, "c1"))
    assert shape(got) == [("ab", False)]
    assert len(got.on("tool.name")) == 2


def test_texts_beside_the_items_are_in_the_listing() -> None:
    got = call("tools/list", {"tools": [{"name": "a"}], "note": "beside", "_meta": {"n": "meta"}, "ttlMs": 0})
    assert [(t.value, t.subject) for t in got.listings[0].texts] == [
        ("a", "tool:a"),
        ("beside", "server"),
        ("meta", "server"),
    ]


def test_a_listing_that_is_no_list() -> None:
    for result in ("words", {"tools": "words"}, {"tools": {"a": "words"}}):
        got = call("tools/list", result)
        assert (shape(got), got.on("tool.other")) == ([("", True)], ["words"])


def test_equal_names_and_no_names() -> None:
    got = call(
        "tools/list", {"tools": [{"name": "a"}, {"name": "a"}, {"name": 5, "title": "t"}, "loose", {"name": "b"}]}
    )
    assert [i.subject for i in got.listings[0].items] == ["tool:a", "tool:a", "tool:?2", "tool:?3", "tool:b"]
    others = {t.value: set(t.others) for t in got.texts}
    assert others == {"a": {"b"}, "t": {"a", "b"}, "loose": {"a", "b"}, "b": {"a"}}


def test_only_tools_have_others() -> None:
    got = call("prompts/list", {"prompts": [{"name": "a"}, {"name": "b"}]})
    assert [t.others for t in got.texts] == [frozenset(), frozenset()]


def test_other_names_is_a_set() -> None:
    names, again, known = Names(), Names(), {}
    for name in "abc":
        names.add(name)
        again.add(name)
    names.freeze(known)
    again.freeze(known)
    others = OtherNames(names, "a")
    assert others == {"b", "c"} == set(others)
    assert len(others) == 2 and "b" in others and "a" not in others
    assert others & {"a", "b"} == {"b"} == {"a", "b"} & others
    assert others == OtherNames(again, "a") and hash(others) == hash(OtherNames(again, "a"))
    assert others != OtherNames(names, "b")
    assert len(OtherNames(names, None)) == 3


def _page(listings: Listings, wire_id: int, names: str, cursor: str | None, following: str | None) -> list[Listing]:
    (_, request), response = page(wire_id, names, cursor, following)
    asked = Message("c2s", None, request, (), wire_id)
    answered = Message("s2c", None, response, (), wire_id, raw=b"x" * 100)
    exchange = Exchange("tools/list", "c2s", asked, answered)
    return list(listings.page(exchange, answered, response["result"], ()))


def test_what_is_held_is_bounded() -> None:
    listings = Listings({"tool.name"}, items_max=2)
    first = _page(listings, 1, "abcde", None, "c")
    assert [("".join(i.name or "" for i in x.items), x.complete) for x in first] == [("ab", False), ("cd", False)]
    (last,) = _page(listings, 2, "f", "c", None)
    assert ([i.index for i in last.items], last.complete) == ([4, 5], False)  # the last of three parts
    listings = Listings({"tool.name"}, chars_max=150)
    assert _page(listings, 1, "a", None, "c") == []
    assert [len(x.items) for x in _page(listings, 2, "b", "c", "d")] == [2]
    assert list(listings.finish()) == []


def test_ten_thousand_tools_listed_twice_take_no_quadratic_time() -> None:
    tools = [{"name": f"tool_{i}", "description": "d"} for i in range(10_000)]
    request = {"id": 1, "method": "tools/list"}
    start = time.process_time()
    got = session(*[("c2s", request), {"id": 1, "result": {"tools": tools}}] * 2)
    verdicts = {(t.value, t.surface, t.others): t for t in got.texts}
    assert len(verdicts) == 20_000
    assert time.process_time() - start < 3


@pytest.mark.parametrize(
    ("document", "prefix", "request_id"),
    [
        ({"tools": [{"name": "a"}]}, "/tools/0/name", None),
        ({"jsonrpc": "2.0", "id": 7, "result": {"tools": [{"name": "a"}]}}, "/result/tools/0/name", 7),
        ([{"name": "a"}], "/0/name", None),
    ],
)
def test_saved_listings(document: Any, prefix: str, request_id: Any) -> None:
    got = walked(Entry("listing", 1, document, b"bytes"))
    (text,) = got.at(prefix)
    assert (text.value, text.subject, text.method, text.request_id) == ("a", "tool:a", "tools/list", request_id)
    assert shape(got) == [("a", True)]
    assert got.listings[0].items[0].raw == b"bytes"


def test_a_saved_document_of_several_kinds() -> None:
    document = {
        "note": "beside",
        "prompts": [{"name": "p"}],
        "tools": [{"name": "a"}],
        "resources": "words",
        "nextCursor": "c",
    }
    got = walked(Entry("listing", 1, document, b""))
    assert [(x.method, len(x.items), x.complete) for x in got.listings] == [
        ("tools/list", 1, False),
        ("prompts/list", 1, False),
        ("resources/list", 0, False),
    ]
    assert sorted((t.value, t.surface) for t in got.texts) == [
        ("a", "tool.name"),
        ("beside", "tool.other"),
        ("p", "prompt.name"),
        ("words", "resource.other"),
    ]


@pytest.mark.parametrize(
    "document", [None, 5, "words", {}, [], ["words"], {"x": "words"}, {"result": "words", "id": {}}]
)
def test_odd_documents(document: Any) -> None:
    got = walked(Entry("listing", 1, document, b""))
    assert [t.value for t in got.texts] == (["words"] if "words" in str(document) else [])


def test_equal_members_of_a_saved_document() -> None:
    document = twice(("tools", [{"name": "a"}]), ("tools", [{"name": "b"}]))
    assert shape(walked(Entry("listing", 1, document, b""))) == [("ab", True)]
