"""Which messages an entry holds, and which answer belongs to which request."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from walking import entry, session, walked

from mcp_cassette.formats.entries import Entry
from mcp_cassette.walk.messages import Message
from mcp_cassette.walk.pairing import Pairing

FIXTURES = Path(__file__).parents[1] / "fixtures"


def ask(wire_id: Any, name: str, method: str = "tools/call") -> tuple[str, dict[str, Any]]:
    return "c2s", {"id": wire_id, "method": method, "params": {"name": name}}


def answer(wire_id: Any, text: str) -> dict[str, Any]:
    return {"id": wire_id, "result": {"content": [{"type": "text", "text": text}]}}


def subjects(*frames: Any) -> dict[str, str]:
    return {t.value: t.subject for t in session(*frames).texts}


def test_ids_keep_their_json_type() -> None:
    ids: list[Any] = [1, "1", True, None, 2.5]
    got = subjects(*(ask(i, repr(i)) for i in ids), *(answer(i, repr(i)) for i in reversed(ids)))
    assert got == {repr(i): f"tool:{i!r}" for i in ids}
    assert subjects(ask(1, "one"), answer(1.0, "x")) == {"x": "tool:one"}
    assert subjects(ask(1, "one"), answer("1", "x")) == {"x": "tool:?"}


def test_directions_have_ids_of_their_own() -> None:
    got = session(
        ask(1, "t"),
        {"id": 1, "method": "sampling/createMessage", "params": {"systemPrompt": "s"}},
        ("c2s", answer(1, "sampled")),
        answer(1, "called"),
    )
    assert [(t.value, t.method) for t in got.texts] == [
        ("s", "sampling/createMessage"),
        ("sampled", "sampling/createMessage"),
        ("called", "tools/call"),
    ]
    assert [(e.direction, e.method) for e in got.exchanges] == [
        ("s2c", "sampling/createMessage"),
        ("c2s", "tools/call"),
    ]


def test_connections_have_ids_of_their_own() -> None:
    def frame(line: int, conn: Any, direction: str, value: Any) -> Entry:
        return entry("frame", line, conn=conn, dir=direction, frame=value)

    got = walked(
        frame(1, 0, "c2s", ask(1, "a")[1]),
        frame(2, "0", "c2s", ask(1, "b")[1]),
        frame(3, 0, "s2c", answer(1, "from a")),
        frame(4, "0", "s2c", answer(1, "from b")),
        frame(5, 1, "s2c", answer(1, "from nowhere")),
    )
    assert [t.subject for t in got.texts] == ["tool:a", "tool:b", "tool:?"]


def test_the_newest_of_two_requests_with_one_id_wins_and_the_older_is_kept() -> None:
    got = session(ask(1, "old"), ask(1, "new"), answer(1, "x"), answer(1, "y"), answer(1, "z"))
    assert [(t.value, t.subject) for t in got.texts] == [("x", "tool:new"), ("y", "tool:old"), ("z", "tool:?")]
    assert [e.reused_id for e in got.exchanges] == [True, False, False]
    assert [e.request is None for e in got.exchanges] == [False, False, True]


def test_an_id_used_again_after_its_answer_is_no_reuse() -> None:
    got = session(ask(1, "a"), answer(1, "x"), ask(1, "b"), answer(1, "y"))
    assert [(t.subject, e.reused_id) for t, e in zip(got.texts, got.exchanges, strict=True)] == [
        ("tool:a", False),
        ("tool:b", False),
    ]


def test_unanswered_requests_come_last() -> None:
    got = session(ask(1, "a"), ask(2, "b"), answer(2, "x"), ask({"no": "id"}, "c"))
    assert [(e.request_id, e.response is None) for e in got.exchanges] == [(2, False), (None, True), (1, True)]


def test_what_is_remembered_is_bounded() -> None:
    def request(i: int, raw: bytes = b"") -> Message:
        return Message("c2s", None, {"id": i % 5, "method": "m"}, (), i, raw=raw)

    pairing = Pairing(limit=3)
    dropped = [e.request.line for i in range(10) for e in pairing.request(request(i)) if e.request]
    assert len(dropped) == 7
    assert [e.request.line for e in pairing.unanswered() if e.request] == [7, 8, 9]
    pairing = Pairing(byte_limit=10)
    assert [len(list(pairing.request(request(i, b"12345")))) for i in range(4)] == [0, 0, 1, 1]
    assert len(list(pairing.request(request(9, b"x" * 100)))) == 2


@pytest.mark.parametrize(
    ("result", "method"),
    [
        ({"tools": []}, "tools/list"),
        ({"prompts": []}, "prompts/list"),
        ({"resources": []}, "resources/list"),
        ({"resourceTemplates": []}, "resources/templates/list"),
        ({"contents": []}, "resources/read"),
        ({"messages": []}, "prompts/get"),
        ({"content": []}, "tools/call"),
        ({"serverInfo": {}}, "initialize"),
        ({"supportedVersions": []}, "server/discover"),
        ({"taskId": "7f"}, "tasks/get"),
        ({}, "tools/call"),
        ("words", "tools/call"),
    ],
)
def test_an_answer_to_nothing_on_record(result: Any, method: str) -> None:
    (exchange,) = session({"id": 9, "result": result}).exchanges
    assert (exchange.method, exchange.request, exchange.request_id) == (method, None, 9)


def test_batches() -> None:
    got = session(
        ("c2s", [ask(1, "a")[1], ask(2, "b")[1]]), [answer(2, "x"), "loose", answer(1, "y"), [answer(3, "z")]]
    )
    assert [(t.value, t.subject) for t in got.texts] == [
        ("x", "tool:b"),
        ("loose", "server"),
        ("y", "tool:a"),
        ("text", "server"),
        ("z", "server"),
    ]
    assert got.at("/frame/0/result/content/0/text")[0].value == "x"
    assert got.at("/frame/1")[0].surface == "push.log"


def test_chunks() -> None:
    progress = {"method": "notifications/progress", "params": {"message": "half"}}
    got = walked(
        entry("frame", 1, dir="c2s", frame=ask(7, "t")[1]),
        entry("chunks", 2, id=7, chunks=[{"t": 1, "frame": progress}, {"t": 2, "frame": answer(7, "done")}, "loose"]),
    )
    assert [(t.value, t.surface, t.subject) for t in got.texts] == [
        ("half", "push.progress", "server"),
        ("done", "output.tool", "tool:t"),
        ("loose", "push.log", "server"),
    ]
    assert got.at("/chunks/1/frame/result/content/0/text")


def test_an_answer_without_an_id_has_the_id_of_its_stream() -> None:
    bare = {"result": {"content": ["done"]}}
    got = walked(entry("frame", 1, dir="c2s", frame=ask(7, "t")[1]), entry("chunks", 2, id=7, chunks=[{"frame": bare}]))
    assert [t.subject for t in got.texts] == ["tool:t"]


@pytest.mark.parametrize("chunks", ["words", {"frame": 1}, [{"frame": "words"}], [[["words"]]], ["words"]])
def test_odd_chunks(chunks: Any) -> None:
    got = walked(entry("chunks", 1, id=[], chunks=chunks))
    assert [t.value for t in got.texts if t.surface == "push.log"] == (["words"] if "words" in str(chunks) else [])


def test_raw_lines() -> None:
    got = walked(
        entry("raw", 1, dir="s2c", data="server is up"),
        entry("raw", 2, dir="c2s", data="typed by hand"),
        entry("raw", 3, dir="s2c", data='{"level": "info"}'),
        entry("raw", 4, dir="s2c", data="{" * 100_000),
        entry("raw", 5, dir="s2c", data=["not", "a line"]),
    )
    assert [t.value[:20] for t in got.texts] == ["server is up", '{"level": "info"}', "{" * 20, "not", "a line"]
    assert not any(t.embedded for t in got.texts)


def test_json_rpc_in_a_raw_line() -> None:
    data = '{"id":1,"result":{"content":["one"],"content":["two"]}}'
    got = walked(entry("frame", 1, dir="c2s", frame=ask(1, "t")[1]), entry("raw", 2, dir="s2c", data=data))
    assert [(t.value, t.subject, t.embedded) for t in got.at("/data")] == [
        ("one", "tool:t", True),
        ("two", "tool:t", True),
    ]
    batch = json.dumps([answer(2, "x"), "loose"])
    assert [t.value for t in walked(entry("raw", 1, dir="s2c", data=batch)).at("/data")] == ["x", "loose"]


@pytest.mark.parametrize("frame", [None, 1, True, "words", [], {}, {"id": 1}, {"method": 5}, {"result": None}])
def test_frames_that_are_none(frame: Any) -> None:
    assert [t.value for t in session(frame).texts] == (["words"] if frame == "words" else [])


def test_other_entries_hold_no_messages() -> None:
    got = walked(
        entry("header", 1, frame={"method": "x"}), entry("unknown", 2, frame="words"), Entry("frame", 3, 7, b"7")
    )
    assert got == ([], [], [])


@pytest.mark.parametrize(
    ("name", "exchanges", "tools", "output"),
    [("everything-stdio", 18, 13, 21), ("tiny-server.golden", 2, 3, 0)],
)
def test_recorded_sessions(name: str, exchanges: int, tools: int, output: int) -> None:
    lines = (FIXTURES / f"{name}.cassette.jsonl").read_bytes().splitlines()
    values = [json.loads(line) for line in lines]
    got = walked(*(Entry(v["type"], i, v, raw) for i, (v, raw) in enumerate(zip(values, lines, strict=True), 1)))
    assert len(got.exchanges) == exchanges
    assert all(e.request and e.response for e in got.exchanges)
    assert [len(x.items) for x in got.listings if x.kind == "tools"] == [tools]
    assert all(x.complete for x in got.listings)
    assert len(got.on("output.tool")) == output
