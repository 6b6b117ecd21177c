"""Which string stands on which surface."""

from __future__ import annotations

import pytest
from walking import call, session, twice

from mcp_cassette.pointer import render
from mcp_cassette.walk.sink import readable


def test_initialize() -> None:
    result = {
        "protocolVersion": "2025-11-25",
        "capabilities": {"experimental": {"note": "a capability"}},
        "serverInfo": {"name": "srv", "title": "Srv", "version": "1.0", "description": "words", "x": ["deep"]},
        "instructions": "Use the tools.",
    }
    got = call("initialize", result)
    assert got.on("server.name") == ["srv", "Srv", "1.0"]
    assert got.on("server.instructions") == ["a capability", "words", "deep", "Use the tools."]
    assert {t.subject for t in got.texts} == {"server"}
    assert got.at("/frame/result/instructions")[0].line == 2


def test_discover_of_the_modern_era() -> None:
    result = {
        "resultType": "complete",
        "supportedVersions": ["2026-07-28", "not a version"],
        "protocolVersion": "2026-07-28 or so",
        "cacheScope": "private",
        "instructions": ["in a list"],
        "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "srv", "about": "me"}, "other": "meta"},
    }
    got = call("server/discover", result)
    assert got.on("server.name") == ["srv"]
    assert got.on("server.instructions") == ["not a version", "2026-07-28 or so", "in a list", "me", "meta"]


def test_server_info_in_the_meta_of_any_result() -> None:
    got = call(
        "tools/call", {"content": [], "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "srv"}}}, name="t"
    )
    assert [(t.surface, t.subject) for t in got.texts] == [("server.name", "server")]


def test_tool() -> None:
    tool = {
        "name": "lookup",
        "title": "Look up",
        "description": "Finds things.",
        "annotations": {"title": "Finder", "readOnlyHint": True, "mood": "calm"},
        "inputSchema": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {
                "q": {"type": ["string", "null"], "description": "the query", "default": {"a b": "deep default"}},
                "mode": {"enum": ["fast", "slow"], "title": "Mode", "const": "fast", "examples": [["e1"], "e2"]},
            },
            "required": ["q", "ghost"],
            "$comment": "a comment",
            "x-hint": {"description": "hidden words", "odd": "odd words"},
        },
        "outputSchema": {
            "type": "weird",
            "$defs": {"D": {"description": "a definition"}},
            "allOf": [{"pattern": "^a"}],
        },
        "icons": [{"src": "data:image/png;base64,AAAA", "mimeType": "image/png"}],
        "execution": {"taskSupport": "optional"},
        "_meta": {"vendor": {"note": "meta words"}},
        "extra": "unknown words",
    }
    got = call("tools/list", {"tools": [tool]})
    assert got.on("tool.name") == ["lookup"]
    assert got.on("tool.title") == ["Look up"]
    assert got.on("tool.description") == ["Finds things."]
    assert got.on("tool.annotations") == ["Finder", "calm"]
    assert sorted(got.on("tool.schema")) == sorted(
        ["the query", "deep default", "fast", "slow", "Mode", "fast", "e1", "e2", "hidden words", "a definition"]
    )
    keys = "mood:,q:,mode:,a b:,x-hint:,odd:,D:,vendor:,note:,extra:"
    assert sorted(got.on("tool.key")) == sorted(keys.split(","))
    other = [
        "https://json-schema.org/draft/2020-12/schema",
        "ghost",
        "a comment",
        "odd words",
        "weird",
        "^a",
        "data:image/png;base64",
        "image/png",
        "optional",
        "meta words",
        "unknown words",
    ]
    assert sorted(got.on("tool.other")) == sorted(other)
    (key,) = got.at("/frame/result/tools/0/inputSchema/properties/q")
    assert (key.value, key.is_key, key.subject) == ("q", True, "tool:lookup")


def test_dependent_names_that_are_properties_are_not_read_twice() -> None:
    schema = {"properties": {"a": {}, "b": {}}, "dependentRequired": {"a": ["b", "c"]}, "dependencies": {"b": ["a"]}}
    got = call("tools/list", {"tools": [{"name": "t", "inputSchema": schema}]})
    assert got.on("tool.key") == ["a:", "b:", "a:", "b:"]
    assert got.on("tool.other") == ["c"]


def test_a_property_may_be_called_like_a_keyword() -> None:
    schema = {"properties": {"description": {"type": "string"}, "properties": {"title": "a title"}}}
    got = call("tools/list", {"tools": [{"name": "t", "inputSchema": schema}]})
    assert got.on("tool.key") == ["description:", "properties:"]
    assert got.on("tool.schema") == ["a title"]


@pytest.mark.parametrize(
    ("tool", "surface", "value"),
    [
        ("just words", "tool.other", "just words"),
        (["in a list"], "tool.other", "in a list"),
        ({"name": {"x": "not a name"}}, "tool.name", "not a name"),
        ({"description": [{"t": "in pieces"}]}, "tool.description", "in pieces"),
        ({"inputSchema": "no schema"}, "tool.other", "no schema"),
        ({"inputSchema": {"properties": ["loose"]}}, "tool.other", "loose"),
        ({"inputSchema": {"description": {"de": "Wort"}}}, "tool.schema", "Wort"),
        ({"annotations": "calm"}, "tool.annotations", "calm"),
    ],
)
def test_wrong_types_in_a_tool_are_read(tool: object, surface: str, value: str) -> None:
    got = call("tools/list", {"tools": [tool]})
    assert value in got.on(surface)
    assert len(got.listings[0].items) == 1
    assert {t.subject for t in got.texts} == {"tool:?0"}


def test_prompts() -> None:
    argument = {"name": "city", "title": "City", "description": "where", "required": True, "hint": "more"}
    prompt = {"name": "p", "title": "P", "description": "D", "arguments": [argument, "loose"], "x y": "other"}
    got = call("prompts/list", {"prompts": [prompt]})
    assert got.on("prompt.name") == ["p", "city"]
    assert (got.on("prompt.title"), got.on("prompt.description")) == (["P"], ["D"])
    assert got.on("prompt.argument") == ["City", "where", "loose"]
    assert got.on("prompt.other") == ["more", "x y:", "other"]
    assert {t.subject for t in got.texts} == {"prompt:p"}


@pytest.mark.parametrize(
    ("method", "member", "identity", "word"),
    [
        ("resources/list", "resources", "uri", "resource"),
        ("resources/templates/list", "resourceTemplates", "uriTemplate", "template"),
    ],
)
def test_resources_and_templates(method: str, member: str, identity: str, word: str) -> None:
    item = {identity: "file:///a", "name": "a", "title": "A", "description": "D", "mimeType": "text/plain"}
    got = call(method, {member: [item], "note": "beside"})
    assert (got.on("resource.name"), got.on("resource.title"), got.on("resource.description")) == (["a"], ["A"], ["D"])
    assert got.on("resource.other") == ["file:///a", "text/plain", "beside"]
    assert [t.subject for t in got.texts][-2:] == [f"{word}:file:///a", "server"]


def test_tool_output() -> None:
    result = {
        "content": [
            {"type": "text", "text": "plain", "annotations": {"audience": ["user"]}},
            {"type": "image", "data": "AAAA", "mimeType": "image/png"},
            {"type": "audio", "data": "BBBB", "mimeType": "say: this"},
            {"type": "resource", "resource": {"uri": "u:1", "text": "inside", "blob": "CCCC", "mimeType": "text/x"}},
            {"type": "resource_link", "uri": "u:2", "name": "n", "title": "t", "description": "d"},
            {"type": "brand new", "data": "read me", "nested": [{"data": "me too"}]},
            "loose",
        ],
        "structuredContent": {"type": "text", "a b": [{"blob": "structured", "taskId": "shown"}]},
        "isError": True,
        "surprise": {"deep": ["down"]},
        "_meta": {"progressToken": "tok", "n": "meta"},
    }
    got = call("tools/call", result, name="t")
    assert got.on("output.tool") == [
        "plain", "user", "say: this", "u:1", "inside", "u:2", "n", "t", "d", "brand new", "read me", "me too", "loose",
        "text", "a b:", "structured", "shown", "down", "meta",
    ]  # fmt: skip
    assert {(t.subject, t.method, t.request_id) for t in got.texts} == {("tool:t", "tools/call", 1)}


def test_a_call_that_waits_for_input() -> None:
    result = {
        "resultType": "input_required",
        "requestState": "v1.opaque",
        "inputRequests": {
            "a": {"method": "elicitation/create", "params": {"message": "Who?", "requestedSchema": {"type": "object"}}},
            "say it": {"method": "sampling/createMessage", "params": {"systemPrompt": "Be kind."}},
            "c": {"method": "do as I say"},
            "d": "loose",
        },
    }
    got = call("tools/call", result, name="t")
    assert got.on("ask.elicitation") == ["Who?", "say it:", "do as I say", "loose"]
    assert got.on("ask.sampling") == ["Be kind."]
    assert len(got.texts) == 5
    assert {t.subject for t in got.texts} == {"tool:t"}


def test_request_state_of_a_finished_call_is_read() -> None:
    assert call("tools/call", {"content": [], "requestState": "words"}, name="t").on("output.tool") == ["words"]


def test_task_handles_of_both_eras() -> None:
    flat = {"resultType": "task", "taskId": "7f", "status": "working", "statusMessage": "on it", "note": "n"}
    got = call("tools/call", flat, name="t")
    assert (got.on("output.task"), got.on("output.tool")) == (["working", "on it"], ["n"])
    legacy = {"task": {"taskId": "7f", "status": "working", "statusMessage": "on it"}}
    assert call("tools/call", legacy, name="t").on("output.task") == ["working", "on it"]


def test_task_sequence() -> None:
    related = {"io.modelcontextprotocol/related-task": {"taskId": "7f"}}
    content = [{"type": "text", "text": "done"}, {"type": "image", "data": "AAAA"}]
    done = {"taskId": "7f", "status": "completed", "result": {"content": content, "_meta": related}}
    ask = {"method": "elicitation/create", "params": {"message": "Sure?"}}
    waits = {"taskId": "7f", "status": "input_required", "inputRequests": {"k": ask}}
    assert call("tasks/get", waits, taskId="7f").on("ask.elicitation") == ["Sure?"]
    got = call("tasks/get", done, taskId="7f")
    assert got.on("output.task") == ["completed", "done"]
    assert {t.subject for t in got.texts} == {"task:7f"}
    assert call("tasks/result", {"content": content, "_meta": related}, taskId="7f").on("output.task") == ["done"]
    listed = call("tasks/list", {"tasks": [{"taskId": "a", "statusMessage": "m"}, {"statusMessage": "n"}]})
    assert [(t.value, t.subject) for t in listed.texts] == [("m", "task:a"), ("n", "task:?1")]
    pushed = session(
        {"method": "notifications/tasks", "params": done}, {"method": "notifications/tasks/status", "params": waits}
    )
    assert pushed.on("output.task") == ["completed", "done", "input_required"]
    assert pushed.on("ask.elicitation") == ["Sure?"]


def test_resources_prompts_and_completions() -> None:
    contents = [{"uri": "u:1", "mimeType": "text/plain", "text": "body"}, {"uri": "u:2", "blob": "AAAA"}]
    got = call("resources/read", {"contents": contents}, uri="u:1")
    assert got.on("output.resource") == ["u:1", "body", "u:2"]
    assert got.texts[0].subject == "resource:u:1"
    messages = [{"role": "user", "content": {"type": "text", "text": "hi"}}, {"role": "king", "content": "bare"}]
    got = call("prompts/get", {"description": "D", "messages": messages}, name="p")
    assert got.on("output.prompt") == ["D", "hi", "king", "bare"]
    assert got.texts[0].subject == "prompt:p"
    got = call("completion/complete", {"completion": {"values": ["a", "b"]}}, ref={"type": "ref/prompt", "name": "p"})
    assert [(t.value, t.subject) for t in got.texts] == [("a", "prompt:p"), ("b", "prompt:p")]


def test_a_result_of_an_unknown_method_is_read() -> None:
    got = call("acme/do", {"a": ["words"], "long" * 20: 1})
    assert got.on("output.tool") == ["words", "long" * 20 + ":"]
    assert got.texts[0].subject == "server"


def test_errors() -> None:
    request = {"id": 1, "method": "tools/call", "params": {"name": "t"}}
    error = {"code": -32602, "message": "bad", "data": {"why": ["because"]}}
    got = session(("c2s", request), {"id": 1, "error": error}, {"id": None, "error": "no object"})
    assert got.on("output.error") == ["bad", "because", "no object"]
    assert got.texts[0].subject == "tool:t"


def test_only_wanted_surfaces_come() -> None:
    frames = ({"id": 1, "result": {"tools": [{"name": "t", "description": "d"}]}}, {"method": "x", "params": "p"})
    assert [t.value for t in session(*frames, wanted=["tool.description"]).texts] == ["d"]


def test_each_of_two_equal_keys_is_read() -> None:
    tool = twice(("name", "a"), ("description", "first"), ("description", "second"))
    got = call("tools/list", {"tools": [tool]})
    assert got.on("tool.description") == ["first", "second"]
    first, second = (t.path for t in got.texts if t.surface == "tool.description")
    assert (first[1].occurrence, second[1].occurrence) == (0, 1)  # type: ignore[union-attr]
    frame = twice(("id", 1), ("result", {"content": ["one"]}), ("result", {"content": ["two"]}))
    assert session(frame).on("output.tool") == ["one", "two"]
    got = call("tools/call", twice(("content", ["one"]), ("content", ["two"])), name="t")
    assert got.on("output.tool") == ["one", "two"]


def test_members_that_json_rpc_does_not_know_are_read() -> None:
    got = session({"jsonrpc": "2.0", "id": "opaque", "result": {}, "aside": "psst"}, {"jsonrpc": "3", "id": ["odd"]})
    assert got.on("output.tool") == ["psst"]
    assert got.on("push.log") == ["3", "odd"]
    assert session({"id": 1, "result": {}, "params": {"x": "words"}}).on("output.tool") == ["words"]


def test_a_message_that_is_two_things_is_read_as_both() -> None:
    got = session({"id": 1, "result": {"content": ["r"]}, "method": "ping", "params": {"x": "p"}, "more": "m"})
    assert sorted((t.value, t.surface) for t in got.texts) == [
        ("m", "output.tool"), ("p", "ask.elicitation"), ("r", "output.tool"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("data:image/png;base64,iVBORw0KGgo=", "data:image/png;base64"),
        ("DATA:;BASE64,", "DATA:;BASE64"),
        ("data:text/plain,words", "data:text/plain,words"),
        ("data:text/plain;base64,AAAA and words", "data:text/plain;base64,AAAA and words"),
        ("data:text/plain;base64,AAAA\nwords", "data:text/plain;base64,AAAA\nwords"),
        ("date: today", "date: today"),
    ],
)
def test_data_uris(value: str, read: str) -> None:
    assert readable(value) == read
    assert call("tools/call", {"structuredContent": value}, name="t").on("output.tool") == [read]


def test_depth_500() -> None:
    deep: object = "bottom"
    for i in range(500):
        deep = [deep] if i % 2 else {"k": deep}
    for method, result in (
        ("tools/call", {"structuredContent": deep}),
        ("tools/call", {"content": deep}),
        ("tools/list", {"tools": [{"inputSchema": deep}]}),
        ("acme/do", deep),
    ):
        assert [t.value for t in call(method, result).texts if not t.is_key] == ["bottom"]


def test_a_text_knows_its_line_and_bytes() -> None:
    (text,) = call("tools/call", {"content": ["x"]}, name="t").texts
    assert (text.line, text.first_line) == (2, 2)
    assert b'"content"' in text.raw
    assert render(text.path) == "/frame/result/content/0"
