"""Structural checks: a listing that is broken, a header that its frames contradict."""

from __future__ import annotations

from typing import Any

import pytest
from walking import call, entry, session, walked

from mcp_cassette.formats.entries import Entry
from mcp_cassette.lint.broken import Broken
from mcp_cassette.lint.header import CONTRADICTIONS, HeaderCheck
from mcp_cassette.lint.listing_checks import ListingCheck
from mcp_cassette.packs.checks import CHECKS
from mcp_cassette.packs.load import load
from mcp_cassette.pointer import render

GOOD: dict[str, Any] = {"name": "add", "description": "Adds.", "inputSchema": {"type": "object"}}


def broken(*tools: Any, method: str = "tools/list", key: str = "tools") -> list[Broken]:
    check = ListingCheck()
    return [b for listing in call(method, {key: list(tools)}).listings for b in check.on_listing(listing)]


def names(*tools: Any, **extra: str) -> list[tuple[str, str]]:
    return [(b.check, render(b.path)) for b in broken(*tools, **extra)]


def test_a_good_listing() -> None:
    assert names(GOOD, {**GOOD, "name": "sub.2_x-Y", "outputSchema": {"type": "string"}}) == []


AT = "/frame/result/tools/0"


@pytest.mark.parametrize(
    ("tool", "check", "pointer"),
    [
        (3, "item-not-an-object", AT),
        (None, "item-not-an-object", AT),
        ([GOOD], "item-not-an-object", AT),
        ({**GOOD, "name": ""}, "name-shape", AT + "/name"),
        ({**GOOD, "name": "a b"}, "name-shape", AT + "/name"),
        ({**GOOD, "name": "añadir"}, "name-shape", AT + "/name"),
        ({**GOOD, "name": "a\n"}, "name-shape", AT + "/name"),
        ({**GOOD, "name": "x" * 129}, "name-shape", AT + "/name"),
        ({**GOOD, "name": 3}, "name-shape", AT + "/name"),
        ({k: v for k, v in GOOD.items() if k != "name"}, "name-shape", AT),
        ({**GOOD, "description": " \n"}, "description-missing", AT + "/description"),
        ({**GOOD, "description": 3}, "description-missing", AT + "/description"),
        ({k: v for k, v in GOOD.items() if k != "description"}, "description-missing", AT),
        ({k: v for k, v in GOOD.items() if k != "inputSchema"}, "input-schema-missing", AT),
        ({**GOOD, "inputSchema": None}, "input-schema-missing", AT + "/inputSchema"),
        ({**GOOD, "inputSchema": True}, "input-schema-missing", AT + "/inputSchema"),
        ({**GOOD, "inputSchema": {}}, "schema-invalid", AT + "/inputSchema"),
        ({**GOOD, "inputSchema": {"type": "string"}}, "schema-invalid", AT + "/inputSchema/type"),
        ({**GOOD, "outputSchema": 3}, "schema-invalid", AT + "/outputSchema"),
        ({**GOOD, "outputSchema": {"type": "x"}}, "schema-invalid", AT + "/outputSchema/type"),
        (
            {**GOOD, "inputSchema": {"type": "object", "properties": {"a/b": {"type": "number", "x-mcp-header": "A"}}}},
            "header-parameter",
            AT + "/inputSchema/properties/a~1b/x-mcp-header",
        ),
    ],
)
def test_one_broken_tool(tool: Any, check: str, pointer: str) -> None:
    assert names(tool) == [(check, pointer)]


def test_a_name_of_128_characters_is_the_longest() -> None:
    assert names({**GOOD, "name": "x" * 128}) == []


def test_a_name_twice_in_one_listing() -> None:
    assert names(GOOD, {**GOOD, "name": "b"}, GOOD) == [("duplicate-name", "/frame/result/tools/2/name")]
    (found,) = broken(GOOD, {**GOOD, "name": "b"}, GOOD)
    assert "item 1" in found.detail
    assert names(GOOD, {**GOOD, "name": "ADD"}) == []
    prompt = {"name": "p", "description": "d"}
    assert names(prompt, prompt, method="prompts/list", key="prompts") == [
        ("duplicate-name", "/frame/result/prompts/1/name")
    ]


def test_the_same_name_in_two_listings_is_no_duplicate() -> None:
    def ask(wire_id: int, *tools: Any) -> list[Any]:
        return [
            ("c2s", {"jsonrpc": "2.0", "id": wire_id, "method": "tools/list"}),
            {"jsonrpc": "2.0", "id": wire_id, "result": {"tools": list(tools)}},
        ]

    check = ListingCheck()
    changed = {**GOOD, "description": "Adds, and more."}
    walk = session(*ask(1, GOOD), *ask(2, GOOD), *ask(3, changed), *ask(4, changed))
    found = [(b.check, b.line) for listing in walk.listings for b in check.on_listing(listing)]
    assert found == [("listing-changed", 6)]


def test_a_hostile_name_is_spelled_out() -> None:
    (found,) = broken({**GOOD, "name": "a\x1b[2J\u202e"})
    assert found.detail.isprintable()


# --- header against frames

HEADER: dict[str, Any] = {"cassetteVersion": 2, "transport": "stdio", "command": ["x"]}


def head(**fields: Any) -> Entry:
    return entry("header", 1, **fields)


def on(*entries: Entry) -> tuple[list[str], bool]:
    check = HeaderCheck()
    found = [b.check for e in entries for b in check.on_entry(e)]
    for exchange in walked(*entries).exchanges:
        found += [b.check for b in check.on_exchange(exchange)]
    return found, check.agrees


def frames(*pairs: tuple[str, Any]) -> list[Entry]:
    return [entry("frame", i, dir=d, frame=f) for i, (d, f) in enumerate(pairs, 2)]


INIT = ("c2s", {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}})
ANSWER = ("s2c", {"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": "2025-11-25"}})
REFUSAL = ("s2c", {"jsonrpc": "2.0", "id": 1, "error": {"code": -32022, "message": "no"}})


def test_a_header_that_agrees() -> None:
    assert on(head(**HEADER), *frames(INIT, ANSWER)) == ([], True)
    assert on(head(transport="http", url="https://x.example/mcp", era="legacy", sessioned=True)) == ([], True)
    assert on(head(transport="stdio", command=["x"], url=None)) == ([], True)


@pytest.mark.parametrize(
    ("fields", "check"),
    [
        ({"transport": "stdio", "url": "https://x.example"}, "stdio-with-url"),
        ({"transport": "http", "command": ["x"]}, "http-with-command"),
        ({"transport": "http", "era": "modern", "sessioned": True}, "modern-with-session"),
    ],
)
def test_a_header_that_contradicts_itself(fields: dict[str, Any], check: str) -> None:
    assert on(head(**fields)) == ([check], False)


def test_a_modern_header_over_a_handshake() -> None:
    modern = head(transport="stdio", era="modern")
    assert on(modern, *frames(INIT, ANSWER)) == (["modern-with-initialize"], False)
    # a probe that was refused decides nothing
    assert on(modern, *frames(INIT, REFUSAL)) == ([], True)
    assert on(head(transport="stdio", era="legacy"), *frames(INIT, ANSWER)) == ([], True)


def test_streams_under_the_wrong_header() -> None:
    chunks = entry("chunks", 2, via="get", chunks=[])
    assert on(head(transport="stdio"), chunks, chunks) == (["stdio-with-chunks"], False)
    assert on(head(transport="http", era="modern"), chunks) == (["modern-with-get-stream"], False)
    assert on(head(transport="http", era="legacy"), chunks) == ([], True)
    assert on(head(transport="http", era="modern"), entry("chunks", 2, via="post", chunks=[])) == ([], True)


@pytest.mark.parametrize("pointer", ["/result/time", "tools/call:/result/content/0/text", "/a~1b/~0", "/"])
def test_volatile_pointers(pointer: str) -> None:
    assert on(head(**HEADER, volatile=[pointer])) == ([], True)


@pytest.mark.parametrize("volatile", [["result"], ["/a~2"], [3], "/a", {"a": 1}, [""], ["/ok", "bad~"]])
def test_broken_volatile_pointers_are_said_and_contradict_nothing(volatile: Any) -> None:
    assert on(head(**HEADER, volatile=volatile)) == (["volatile-pointer"], True)


@pytest.mark.parametrize(
    ("value", "fine"), [("0" * 64, True), ("sha256:" + "a" * 64, True), ("xyz", False), (3, False), (None, False)]
)
def test_the_hash_of_the_redaction(value: Any, fine: bool) -> None:
    assert on(head(**HEADER, redaction={"applied": True, "configHash": value})) == (
        [] if fine else ["redaction-hash"],
        True,
    )


@pytest.mark.parametrize("value", [None, 3, [], "x"])
def test_a_header_that_is_no_object_is_no_crash(value: Any) -> None:
    strange = Entry("header", 1, value, b"")
    assert on(strange)[0] == []


def test_every_check_is_declared_by_one_bundled_rule() -> None:
    declared = [r.check for r in load().rules if r.check is not None]
    assert sorted(declared) == sorted(CHECKS)
    assert set(CHECKS) >= CONTRADICTIONS
