"""Makes the cassettes that scripts/bench measures with: invented, seeded, written as a stream.

Every word here is the project's own; sentences are drawn from word lists, so they mean nothing. What matters is the
mix: the bytes, strings and characters that tools return. The same seed and size give the same bytes (on one version
of Python: ``random`` promises no more). The command line is ``_bench_data.py NAME BYTES FILE``.
"""

from __future__ import annotations

import base64
import json
import math
import os
import random
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from _bench_words import CJK, EMOJI, ENGLISH, KEYS, POISON, RUSSIAN, TOPICS, VERBS

SEED: Final = 20261130
LEAST, MOST = 200, 60_000
"""Bytes of what an answer says; log-uniform between the two."""
POISON_EVERY, LISTING_EVERY = 2000, 200
"""One answer in so many is poisoned; after so many comes a listing, always the same."""
ASCII_SHARE, SPACED_SHARE, MODERN_SHARE = 0.10, 0.05, 0.30
META = "io.modelcontextprotocol/"

Json = dict[str, Any]


class Words:
    """Text of every kind, of about so many characters."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        # The more frequent words come first, as in any language (Zipf).
        self._weights = {
            id(words): [sum(1 / (i + 4) for i in range(n + 1)) for n in range(len(words))]
            for words in (ENGLISH, RUSSIAN)
        }

    def some(self, words: tuple[str, ...], count: int) -> list[str]:
        return self._rng.choices(words, cum_weights=self._weights.get(id(words)), k=count)

    def sentence(self, words: tuple[str, ...] = ENGLISH) -> str:
        rng = self._rng
        drawn = self.some(words, rng.randint(5, 19))
        draw = rng.random()
        if draw < 0.3:
            drawn[len(drawn) // 2] += rng.choice((",", ",", ";", ":", " -", " —", "…"))
        elif draw < 0.4:
            drawn[-1] = rng.choice(("`{}`", "**{}**", '"{}"', "“{}”", "({})", "it’s {}", "{} 3.14", "café {}")).format(
                drawn[-1]
            )
        text = " ".join(drawn)
        return f"{text[0].upper()}{text[1:]}{rng.choice('.........?!')} "

    def paragraph(self, words: tuple[str, ...] = ENGLISH) -> str:
        return "".join(self.sentence(words) for _ in range(self._rng.randint(2, 7))).rstrip()

    def prose(self, size: int) -> str:
        return self._fill(size, "\n\n", self.paragraph)

    def cyrillic(self, size: int) -> str:
        return self._fill(size // 2, "\n\n", lambda: self.paragraph(RUSSIAN))

    def cjk(self, size: int) -> str:
        words, between, comma, stop = self._rng.choice(CJK)

        def line() -> str:
            parts = [between.join(self._rng.choices(words, k=self._rng.randint(4, 12))) for _ in range(3)]
            parts.append(f"{self._rng.choice(TOPICS)} {self._rng.randrange(100)}")
            return comma.join(parts) + stop

        return self._fill(size // 3, "\n", line)

    def chat(self, size: int) -> str:
        def line() -> str:
            rng = self._rng
            mark = rng.choice(EMOJI) if rng.random() < 0.45 else ""
            return f"[{rng.randrange(24):02d}:{rng.randrange(60):02d}] {rng.choice(TOPICS)}: {self.sentence().rstrip()} {mark}".rstrip()

        return self._fill(size, "\n", line)

    def markdown(self, size: int) -> str:
        return self._fill(size, "\n\n", self._block)

    def _block(self) -> str:
        rng = self._rng
        topic, number = rng.choice(TOPICS), rng.randrange(1, 9000)
        draw = rng.random()
        if draw < 0.4:
            return self.paragraph()
        if draw < 0.5:
            return f"{'#' * rng.randint(1, 4)} {' '.join(self.some(ENGLISH, 4)).title()}"
        if draw < 0.65:
            return "\n".join(f"- [{rng.choice(' x')}] {self.sentence().rstrip()}" for _ in range(rng.randint(2, 6)))
        if draw < 0.72:
            rows = [
                f"| {rng.choice(TOPICS)} | {rng.randrange(10_000)} | {' '.join(self.some(ENGLISH, 3))} |"
                for _ in range(5)
            ]
            return "\n".join(["| name | count | note |", "|---|---:|---|", *rows])
        if draw < 0.8:
            return f"```python\n{self.code(rng.randint(120, 500))}\n```"
        if draw < 0.85:
            return f"<!-- {' '.join(self.some(ENGLISH, 9))} -->"
        if draw < 0.93:
            text = self.sentence().rstrip()
            return f'<details>\n<summary>{text}</summary>\n<p align="left">{self.paragraph()}<br/>&nbsp;&amp; more</p>\n</details>'
        image = f"[![{topic}](https://img.example/{topic}-{number}.svg)](https://docs.example/{topic}/{number}?tab=all&v=2#top)"
        return f'{image}\n<img src="https://img.example/{number}.png" width="{number}" alt="{topic}">'

    def code(self, size: int) -> str:
        return self._fill(size, "\n", self._function)

    def _function(self) -> str:
        rng = self._rng
        verb, topic, other = rng.choice(VERBS), rng.choice(TOPICS), rng.choice(TOPICS)
        note = " ".join(self.some(ENGLISH, rng.randint(4, 11)))
        if rng.random() < 0.5:
            return (
                f"def {verb}_{topic}({other}: list[str], limit: int = {rng.randrange(500)}) -> dict[str, int]:\n"
                f'    """{note.capitalize()}."""\n'
                f"    # {' '.join(self.some(ENGLISH, 6))}\n"
                f"    if not {other} or len({other}) > limit:\n"
                f'        raise ValueError(f"{topic}: {{limit!r}} is too small\\n")\n'
                f"    return {{name: {other}.count(name) for name in sorted(set({other}))[:limit]}}\n"
            )
        return (
            f"/** {note.capitalize()}. */\n"
            f"export async function {verb}{topic.title()}({other}: string[], opts = {{}}): Promise<{topic.title()}[]> {{\n"
            f"\tconst url = `https://api.example/v{rng.randrange(9)}/{topic}?q=${{encodeURIComponent({other}[0])}}`;\n"
            f"\tconst res = await fetch(url, {{ headers: {{ 'x-{topic}-id': '{rng.getrandbits(64):016x}' }} }});\n"
            f"\tif (!res.ok && opts.strict !== false) throw new Error(`{verb} \\u2192 ${{res.status}}`);\n"
            f"\treturn (await res.json()).{topic}s.filter((x) => x != null && x.{other} >= {rng.randrange(99)});\n}}\n"
        )

    def records(self, size: int, note: str = "") -> Json:
        """What an API returns: many short strings, some numbers. ``note`` becomes one of the strings."""
        rng, items, left = self._rng, [], size
        while left > 0:
            item: Json = {
                "id": rng.getrandbits(40),
                "url": f"https://api.example/{rng.choice(TOPICS)}/{rng.getrandbits(32):x}",
            }
            for key in rng.sample(KEYS, rng.randint(4, 12)):
                draw = rng.random()
                if draw < 0.2:
                    item[key] = rng.choice((None, True, False, rng.randrange(100_000), rng.randrange(1000) / 8))
                elif draw < 0.6:
                    item[key] = "-".join(self.some(TOPICS, rng.randint(1, 3)))
                elif draw < 0.75:
                    item[key] = f"2026-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}T{rng.randrange(24):02d}:14:07Z"
                else:
                    item[key] = self.sentence().rstrip()
            item["labels"] = self.some(TOPICS, rng.randrange(4))
            item["owner"] = {
                "login": rng.choice(VERBS) + str(rng.randrange(999)),
                "type": "User",
                "admin": rng.random() < 0.1,
            }
            items.append(item)
            left -= 40 + sum(len(key) + len(str(value)) + 6 for key, value in item.items())
        if note:
            rng.choice(items)["comment"] = note
        return {"total_count": len(items), "incomplete": False, "items": items}

    def blob(self, size: int) -> str:
        return base64.b64encode(self._rng.randbytes(size * 3 // 4)).decode()

    def _fill(self, size: int, join: str, part: Callable[[], str]) -> str:
        parts, length = [], 0
        while length < size:
            parts.append(part())
            length += len(parts[-1]) + len(join)
        return join.join(parts)


class Answers:
    """Results of tools/call."""

    def __init__(self, rng: random.Random) -> None:
        self._rng, self.words = rng, Words(rng)
        words = self.words
        self._plain: tuple[tuple[int, Callable[[int], str]], ...] = (
            (26, words.prose),
            (17, words.markdown),
            (17, words.code),
            (6, words.cjk),
            (6, words.cyrillic),
            (6, words.chat),
        )

    def result(self, poison: str = "", *, only_text: bool = False) -> Json:
        """One result. With ``poison`` it says that sentence somewhere; ``only_text`` leaves out base64."""
        rng = self._rng
        size = int(math.exp(rng.uniform(math.log(LEAST), math.log(MOST))))
        draw = rng.randrange(78 + 15 if only_text or poison else 100)
        if draw < 78:
            result = self._say(_plant(rng, self._text(draw, size), poison))
            if draw % 13 == 0:
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

    def _text(self, draw: int, size: int) -> str:
        for share, make in self._plain:
            if draw < share:
                return make(size)
            draw -= share
        raise AssertionError(draw)

    def _json(self, size: int, poison: str) -> Json:
        """JSON as text, in half of the results also as structured content."""
        both = self._rng.random() < 0.5
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
                "description": f"{verb.title()} the {topic} entries of a project. {' '.join(words.some(TOPICS, 24)).capitalize()}.",
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
