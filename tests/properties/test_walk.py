"""The walker against a plain recursive collector, on frames damaged at random."""

from __future__ import annotations

import copy
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mcp_cassette.formats.entries import Entry
from mcp_cassette.model import Text
from mcp_cassette.pointer import parts
from mcp_cassette.surfaces import SURFACES
from mcp_cassette.walk import Listing, walk

SCHEMA = {
    "type": "object",
    "properties": {"q": {"type": "string", "description": "d", "enum": ["a"]}, "r": {"$ref": "#/$defs/D"}},
    "required": ["q"],
    "$defs": {"D": {"default": {"k": ["v"]}, "dependentRequired": {"q": ["r"]}}},
}
TOOL = {
    "name": "t",
    "title": "T",
    "description": "D",
    "annotations": {"title": "A"},
    "inputSchema": SCHEMA,
    "icons": [{"src": "s"}],
    "_meta": {"m": "n"},
}
BLOCKS = [
    {"type": "text", "text": "x"},
    {"type": "image", "data": "AAAA", "mimeType": "image/png"},
    {"type": "resource", "resource": {"uri": "u", "text": "x", "blob": "AAAA", "mimeType": "a/b"}},
    {"type": "tool_result", "content": [{"type": "text", "text": "y"}]},
]
META = {
    "io.modelcontextprotocol/serverInfo": {"name": "s", "about": "a"},
    "io.modelcontextprotocol/related-task": {"taskId": "i"},
}
ELICIT = {"method": "elicitation/create", "params": {"message": "m", "requestedSchema": SCHEMA}}
SAMPLE = {"messages": [{"role": "user", "content": BLOCKS}], "systemPrompt": "s", "_meta": {"progressToken": "p"}}
ASKS = {"a": ELICIT, "b": {"method": "sampling/createMessage", "params": SAMPLE}}
TASK = {
    "taskId": "i",
    "status": "completed",
    "statusMessage": "m",
    "result": {"content": BLOCKS},
    "inputRequests": ASKS,
}

RESULTS: list[tuple[str, Any]] = [
    ("initialize", {"protocolVersion": "2025-06-18", "serverInfo": {"name": "n", "x": "y"}, "instructions": "i"}),
    ("server/discover", {"supportedVersions": ["2026-07-28"], "capabilities": {"a": {}}, "_meta": META}),
    ("tools/list", {"tools": [TOOL, TOOL], "nextCursor": "c", "_meta": META}),
    ("prompts/list", {"prompts": [{"name": "p", "arguments": [{"name": "a", "description": "d"}], "x": "y"}]}),
    ("resources/list", {"resources": [{"uri": "u", "name": "n", "annotations": {"audience": ["user"]}}]}),
    ("resources/templates/list", {"resourceTemplates": [{"uriTemplate": "u", "title": "t"}]}),
    ("tools/call", {"content": BLOCKS, "structuredContent": {"type": "text", "data": "d"}, "_meta": META}),
    ("tools/call", {"resultType": "input_required", "inputRequests": ASKS, "requestState": "o"}),
    ("tools/call", {"resultType": "task", "taskId": "i", "status": "working", "task": {"taskId": "i"}}),
    ("tasks/get", TASK),
    ("tasks/list", {"tasks": [TASK, TASK]}),
    ("tasks/result", {"content": BLOCKS}),
    ("resources/read", {"contents": [{"uri": "u", "text": "t", "mimeType": "a/b"}, {"blob": "AAAA"}]}),
    ("prompts/get", {"description": "d", "messages": [{"role": "user", "content": BLOCKS[0]}]}),
    ("completion/complete", {"completion": {"values": ["a"]}}),
    ("acme/do", {"deep": [{"er": "x"}]}),
]
FRAMES: list[tuple[str | None, dict[str, Any]]] = [
    *((method, {"jsonrpc": "2.0", "id": 1, "result": result}) for method, result in RESULTS),
    ("tools/call", {"id": 1, "error": {"code": 1, "message": "m", "data": {"a": ["b"]}}}),
    (None, {"id": 2, "method": "sampling/createMessage", "params": SAMPLE}),
    (None, {"id": 2, **ELICIT}),
    (None, {"id": 2, "method": "acme/ask", "params": {"a": "b"}}),
    (None, {"method": "notifications/message", "params": {"level": "info", "data": {"a": "b"}}}),
    (None, {"method": "notifications/progress", "params": {"progressToken": "p", "message": "m"}}),
    (None, {"method": "notifications/tasks", "params": TASK}),
    (None, {"method": "notifications/resources/updated", "params": {"uri": "u", "a": "b"}}),
]

# A sentence: it is no word of the protocol, no version, no media type, no base64; and each is found where it stands.
sentences = st.text(st.sampled_from("abz é\u200b"), max_size=8).map(lambda s: f"say {s}!")
keys = st.one_of(
    st.sampled_from(["type", "content", "tools", "properties", "description", "required", "params", "method", "_meta"]),
    st.sampled_from(["data", "blob", "taskId", "result", "error", "messages", "inputRequests", "resource"]),
    sentences,
)
junk = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), sentences),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(keys, inner, max_size=3)),
    max_leaves=8,
)

# Members whose strings are opaque somewhere. The unit tests say exactly where.
OPAQUE = {
    "id", "nextCursor", "requestState", "taskId", "progressToken", "requestId", "cursor", "elicitationId", "uri",
    "io.modelcontextprotocol/subscriptionId",
}  # fmt: skip


def place(text: Text) -> tuple[Any, ...]:
    return tuple(parts(text.path))


def strings(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], str]]:
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, child in value.items():
            yield from strings(child, (*path, key))
    elif isinstance(value, list):
        for index, child in enumerate(value):
            yield from strings(child, (*path, index))


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    for key, child in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from places(child, (*path, key))


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str | None, Any]:
    method, frame = copy.deepcopy(draw(st.sampled_from(FRAMES)))
    holder: dict[str, Any] = {"frame": frame}
    for _ in range(draw(st.integers(1, 3))):
        *way, last = draw(st.sampled_from(list(places(holder))[1:]))
        inner: Any = holder
        for step in way:
            inner = inner[step]
        value = draw(junk)
        if isinstance(inner, dict) and draw(st.booleans()):
            last = draw(keys)
        inner[last] = value
    return method, holder["frame"]


def texts(method: str | None, frame: Any) -> list[Text]:
    values = [
        {"type": "frame", "dir": "c2s", "frame": {"id": 1, "method": method, "params": {"name": "t"}}},
        {"type": "frame", "dir": "s2c", "frame": frame},
    ]
    entries = [Entry("frame", i, v, json.dumps(v).encode()) for i, v in enumerate(values, 1) if method or i == 2]
    found: list[Text] = []
    for item in walk(entries, [s for s in SURFACES if s != "input.arguments"]):
        if isinstance(item, Text):
            found.append(item)
        elif isinstance(item, Listing):
            found.extend(item.texts)
    return found


@settings(max_examples=200, deadline=None)
@given(damaged())
def test_every_sentence_is_read_once(case: tuple[str | None, Any]) -> None:
    method, frame = case
    found = texts(method, frame)
    read = Counter(place(t) for t in found if not t.is_key)
    assert all(count == 1 for count in read.values())
    named = Counter(place(t) for t in found if t.is_key)
    assert all(count == 1 for count in named.values())
    assert set(SURFACES) >= {t.surface for t in found}
    there = {("frame", *path): value for path, value in strings(frame)}
    assert all(there[place(t)] == t.value for t in found if not t.is_key)
    missed = {p: v for p, v in there.items() if p not in read and v.startswith("say ") and p[-1] not in OPAQUE}
    assert missed == {}


@settings(max_examples=60, deadline=None)
@given(damaged())
def test_every_name_that_is_not_plain_is_read(case: tuple[str | None, Any]) -> None:
    method, frame = case
    names = {place(t) for t in texts(method, frame) if t.is_key}
    assert {("frame", *p) for p in places(frame) if p and str(p[-1]).startswith("say ")} <= names


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["c2s", "s2c"]), damaged()), max_size=6),
    st.sampled_from(["frame", "chunks", "raw"]),
)
def test_any_session_walks(cases: list[tuple[str, tuple[str | None, Any]]], kind: Any) -> None:
    entries = []
    for line, (direction, (_, frame)) in enumerate(cases, 1):
        held = {"frame": frame, "chunks": [{"frame": frame}], "data": json.dumps(frame)}
        entries.append(Entry(kind, line, {"type": kind, "dir": direction, "conn": line % 2, **held}, b""))
    list(walk(entries, SURFACES))


@settings(max_examples=60, deadline=None)
@given(damaged(), junk)
def test_any_document_walks(case: tuple[str | None, Any], extra: Any) -> None:
    for document in (case[1], case[1].get("result") if isinstance(case[1], dict) else None, extra):
        found = [
            t for x in walk([Entry("listing", 1, document, b"")], SURFACES) if isinstance(x, Listing) for t in x.texts
        ]
        read = Counter(place(t) for t in found if not t.is_key)
        assert all(count == 1 for count in read.values())
