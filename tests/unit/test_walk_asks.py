"""What a server sends unasked, and what the client sends."""

from __future__ import annotations

from walking import session


def test_sampling_and_elicitation() -> None:
    content = [
        {"type": "text", "text": "hello"},
        {"type": "image", "data": "AAAA", "mimeType": "image/png"},
        {
            "type": "tool_result",
            "toolUseId": "u1",
            "content": [{"type": "audio", "data": "BBBB"}, {"type": "text", "text": "in"}],
        },
    ]
    params = {
        "messages": [{"role": "user", "content": content}],
        "systemPrompt": "Be kind.",
        "stopSequences": ["stop"],
        "_meta": {"progressToken": "tok"},
    }
    got = session({"id": 0, "method": "sampling/createMessage", "params": params})
    assert sorted(got.on("ask.sampling")) == sorted(["hello", "u1", "in", "Be kind.", "stop"])
    assert (got.texts[0].method, got.texts[0].request_id) == ("sampling/createMessage", 0)
    schema = {"type": "object", "properties": {"who": {"type": "string", "title": "Who"}}, "required": ["who"]}
    params = {"message": "Tell me", "requestedSchema": schema, "url": "https://x.example", "elicitationId": "e1"}
    got = session({"id": "a", "method": "elicitation/create", "params": params})
    assert sorted(got.on("ask.elicitation")) == sorted(["Tell me", "who:", "Who", "https://x.example"])


def test_other_requests_of_a_server() -> None:
    got = session({"id": 1, "method": "ping"}, {"id": 2, "method": "roots/list", "params": {"x": "words"}})
    assert got.on("ask.elicitation") == ["words"]
    assert session({"id": 3, "method": "a new way"}).on("ask.elicitation") == ["a new way"]


def test_pushes() -> None:
    log = {"level": "info", "logger": "l", "data": {"msg": "m", "list": ["n"]}}
    progress = {"progressToken": "tok", "progress": 1, "message": "half"}
    got = session(
        {"method": "notifications/message", "params": log},
        {"method": "notifications/message", "params": {"level": "loud words", "data": "d"}},
        {"method": "notifications/progress", "params": progress},
        {"method": "notifications/cancelled", "params": {"requestId": "r", "reason": "because"}},
        {"method": "notifications/resources/updated", "params": {"uri": "u:1"}},
        {
            "method": "notifications/subscriptions/acknowledged",
            "params": {"notifications": {"resourceSubscriptions": ["u:1"], "taskIds": ["t"], "odd": "words"}},
        },
        {"method": "notifications/tools/list_changed"},
        {"method": "acme/event", "params": ["listed"]},
    )
    assert got.on("push.log") == ["l", "m", "n", "loud words", "d", "because", "words", "listed"]
    assert got.on("push.progress") == ["half"]
    assert {t.request_id for t in got.texts} == {None}
    assert got.texts[0].method == "notifications/message"


def test_what_the_client_sends_is_read_only_when_wanted() -> None:
    frames = (
        (
            "c2s",
            {"id": 1, "method": "tools/call", "params": {"name": "t", "arguments": {"a": "arg"}, "_meta": {"x": "no"}}},
        ),
        ("c2s", {"id": 2, "method": "completion/complete", "params": {"argument": {"value": "par"}}}),
        ("c2s", {"id": 3, "method": "tools/call", "params": {"inputResponses": {"k": {"content": {"n": "resp"}}}}}),
        {"id": 1, "method": "sampling/createMessage"},
        ("c2s", {"id": 1, "result": {"content": {"type": "text", "text": "sampled"}}}),
    )
    got = session(*frames)
    assert got.on("input.arguments") == ["arg", "par", "resp", "sampled"]
    assert [t.subject for t in got.texts] == ["tool:t", "server", "tool:?", "server"]
    assert got.texts[3].method == "sampling/createMessage"
    assert session(*frames, wanted=["output.tool"]).texts == []
