"""Makes the cassettes that scripts/bench measures with: invented, seeded, written as a stream.

Every word here is the project's own; sentences are drawn from word lists, so they mean nothing. What matters is the
mix: the bytes, strings and characters that tools return. The same seed and size give the same bytes (on one version
of Python: ``random`` promises no more). The command line is ``_bench_data.py NAME BYTES FILE``.
"""

from __future__ import annotations

import json
import math
import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from _bench_text import Json, Words
from _bench_words import ENGLISH, POISON, TOPICS, VERBS

SEED: Final = 20261130
LEAST, MOST = 200, 60_000
"""Bytes of what an answer says; log-uniform between the two."""
POISON_EVERY, LISTING_EVERY = 2000, 200
"""One answer in so many is poisoned; after so many comes a listing, always the same."""
ASCII_SHARE, SPACED_SHARE = 0.10, 0.05
"""Of the lines: escaped to ASCII, with spaces after separators."""
MODERN_SHARE, TYPOGRAPHIC_SHARE = 0.30, 0.35
"""Of the answers: of the modern era, with curly quotes and dashes."""
META = "io.modelcontextprotocol/"


class Answers:
    """Results of tools/call."""

    def __init__(self, rng: random.Random) -> None:
        self._rng, self.words = rng, Words(rng)
        words = self.words
        self._plain: dict[Callable[[int], str], int] = {
            words.prose: 22,
            words.markdown: 15,
            words.code: 14,
            words.cjk: 5,
            words.cyrillic: 5,
            words.chat: 6,
        }
        """Kinds of plain text, and how many of 100 answers are of each; after them come the others."""

    def result(self, poison: str = "", *, only_text: bool = False) -> Json:
        """One result. With ``poison`` it says that sentence somewhere; ``only_text`` leaves out base64."""
        rng = self._rng
        self.words.typographic = rng.random() < TYPOGRAPHIC_SHARE
        size = int(math.exp(rng.uniform(math.log(LEAST), math.log(MOST))))
        draw = rng.randrange(93 if only_text or poison else 100)
        if draw < 67:
            [make] = rng.choices(list(self._plain), list(self._plain.values()))
            result = self._say(_plant(rng, make(size), poison))
            if draw < 4:
                result["isError"] = True
        elif draw < 93:
            result = self._json(size, poison)
        elif draw < 97:
            block = {"type": "image", "data": self.words.blob(size), "mimeType": "image/png"}
            result = {"content": [{"type": "text", "text": self.words.sentence().rstrip()}, block]}
        else:
            lines = self.words.blob(size)
            wrapped = "\n".join(lines[at : at + 76] for at in range(0, len(lines), 76))
            result = self._say(wrapped if draw < 99 else f"data:application/octet-stream;base64,{lines}")
        if rng.random() < MODERN_SHARE:
            info = {"name": "bench-server", "title": "Bench server", "version": "1.4.0"}
            result = {"resultType": "complete", **result, "_meta": {META + "serverInfo": info}}
        return result

    def _json(self, size: int, poison: str) -> Json:
        """JSON as text, in most of the results also as structured content."""
        both = self._rng.random() < 0.65
        value = self.words.records(size // 2 if both else size, poison)
        indent = 2 if self._rng.random() < 0.3 else None
        result = self._say(json.dumps(value, ensure_ascii=False, indent=indent))
        return {**result, "structuredContent": value} if both else result

    def _say(self, text: str) -> Json:
        """Text as one block, or cut at a line into two, or as the text of a resource."""
        draw = self._rng.random()
        if draw < 0.10:
            uri = f"file:///srv/{self._rng.choice(TOPICS)}.txt"
            return {"content": [{"type": "resource", "resource": {"uri": uri, "mimeType": "text/plain", "text": text}}]}
        cut = text.find("\n", len(text) // 2) if draw < 0.25 else -1
        parts = [text] if cut < 0 else [text[:cut], text[cut + 1 :]]
        return {"content": [{"type": "text", "text": part} for part in parts]}


def _plant(rng: random.Random, text: str, poison: str) -> str:
    """The text with a sentence more, at one of its spaces."""
    if not poison:
        return text
    at = text.find(" ", rng.randrange(len(text)))
    return f"{text} {poison}" if at < 0 else f"{text[:at]} {poison}{text[at:]}"


def tools(count: int) -> list[Json]:
    """Tools that are in order: the same ones for the same number."""
    words = Words(random.Random(SEED))
    out = []
    for i in range(count):
        verb, topic = VERBS[i % len(VERBS)], TOPICS[i * 7 % len(TOPICS)]
        about = " ".join(words.some(TOPICS, 24))
        properties = {
            "query": {"type": "string", "description": f"What to {verb}, at most 200 characters."},
            "limit": {
                "type": "integer",
                "minimum": 1,
                "default": 20,
                "description": f"How many {topic} entries to return.",
            },
            "order": {"type": "string", "enum": ["newest", "oldest"], "description": "Which come first."},
        }
        schema = {"type": "object", "properties": properties, "required": ["query"], "additionalProperties": False}
        out.append(
            {
                "name": f"{verb}_{topic}_{i}",
                "title": f"{verb.title()} {topic}",
                "description": f"{verb.title()} the {topic} entries of a project. {about.capitalize()}.",
                "inputSchema": schema,
                "annotations": {"readOnlyHint": True},
            }
        )
    return out


class Writer:
    """Lines of a cassette as recorders write them: mostly compact UTF-8, some escaped to ASCII, some with spaces."""

    def __init__(self, rng: random.Random, *, plain: bool = False) -> None:
        self._rng, self._plain, self._t, self._id = rng, plain, 0, 0

    def header(self) -> bytes:
        head = {"type": "header", "cassetteVersion": 2, "recorder": "bench@1", "startedAt": "2026-08-15T14:02:44.380Z"}
        return self._line({**head, "transport": "stdio", "command": ["bench-server"], "redaction": {"applied": False}})

    def exchange(self, method: str, params: Json, result: Json) -> bytes:
        """A request and its answer."""
        self._id += 1
        wire_id: int | str = self._id if self._plain or self._id % 10 else f"req-{self._id}"
        request = {"jsonrpc": "2.0", "id": wire_id, "method": method, "params": params}
        return self._frame("c2s", request) + self._frame("s2c", {"jsonrpc": "2.0", "id": wire_id, "result": result})

    def _frame(self, direction: str, frame: Json) -> bytes:
        self._t += self._rng.randrange(1, 400)
        return self._line({"type": "frame", "t": self._t, "dir": direction, "frame": frame})

    def _line(self, value: Json) -> bytes:
        escaped = not self._plain and self._rng.random() < ASCII_SHARE
        spaced = not self._plain and self._rng.random() < SPACED_SHARE
        separators = (", ", ": ") if spaced else (",", ":")
        return json.dumps(value, ensure_ascii=escaped, separators=separators).encode() + b"\n"


def mixed(size: int) -> Iterator[bytes]:
    """Ordinary results with a poisoned one now and then."""
    rng = random.Random(SEED + 1)
    writer, answers, listed = Writer(rng), Answers(rng), tools(30)
    yield writer.header()
    written, count = 0, 0
    while written < size:
        if count % LISTING_EVERY == 0:
            yield (part := writer.exchange("tools/list", {}, {"tools": listed}))
            written += len(part)
        poison = rng.choice(POISON) if count % POISON_EVERY == 100 else ""
        yield (part := _call(rng, writer, answers, listed, poison))
        written, count = written + len(part), count + 1


def candidates(size: int) -> Iterator[bytes]:
    """Every line holds something that a rule may match: ordinary text with an override sentence in it."""
    rng = random.Random(SEED + 2)
    writer, answers, listed = Writer(rng), Answers(rng), tools(30)
    yield writer.header()
    written = 0
    while written < size:
        yield (part := _call(rng, writer, answers, listed, rng.choice(POISON), asked=rng.choice(POISON)))
        written += len(part)


def small(size: int) -> Iterator[bytes]:
    """A whole short session: handshake, five tools, a few calls."""
    rng = random.Random(SEED + 3)
    writer, words, listed = Writer(rng, plain=True), Words(rng), tools(5)
    client = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}}
    server = {
        "protocolVersion": "2025-11-25",
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "s", "version": "1"},
    }
    parts = [
        writer.header(),
        writer.exchange("initialize", client, server),
        writer.exchange("tools/list", {}, {"tools": listed}),
    ]
    for left in range(5, 0, -1):
        room = max(200, (size - sum(map(len, parts))) // left - 300)
        params = {"name": listed[left - 1]["name"], "arguments": {"query": words.sentence().rstrip()}}
        text = words.prose(room)[:room].rstrip()
        parts.append(writer.exchange("tools/call", params, {"content": [{"type": "text", "text": text}]}))
    yield from parts


def _call(
    rng: random.Random, writer: Writer, answers: Answers, listed: list[Json], poison: str, asked: str = ""
) -> bytes:
    result = answers.result(poison, only_text=bool(asked))
    query = asked or " ".join(answers.words.some(ENGLISH, rng.randint(2, 12)))
    params: Json = {"name": rng.choice(listed)["name"], "arguments": {"query": query, "limit": rng.randint(1, 100)}}
    if "resultType" in result:
        about = {
            "protocolVersion": "2026-07-28",
            "clientInfo": {"name": "bench", "version": "1"},
            "clientCapabilities": {},
        }
        params["_meta"] = {META + key: value for key, value in about.items()}
    return writer.exchange("tools/call", params, result)


FILES: Final[dict[str, Callable[[int], Iterator[bytes]]]] = {"mixed": mixed, "candidates": candidates, "small": small}


def write(name: str, size: int, path: Path) -> None:
    """Write a cassette of about ``size`` bytes. It is on the disk, and whole, when the path exists."""
    part = path.with_name(path.name + ".part")
    with part.open("wb") as out:
        for lines in FILES[name](size):
            out.write(lines)
        out.flush()
        os.fsync(out.fileno())  # otherwise the disk is still busy with it when the first program is timed
    part.replace(path)


if __name__ == "__main__":
    write(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]))
