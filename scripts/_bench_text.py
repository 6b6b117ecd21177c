"""Text of every kind that tools return, drawn from word lists: what scripts/bench fills its cassettes with."""

from __future__ import annotations

import base64
import random
from collections.abc import Callable
from typing import Any

from _bench_words import CJK, EMOJI, ENGLISH, KEYS, RUSSIAN, TOPICS, VERBS

Json = dict[str, Any]


_PLAIN = ("`{}`", "**{}**", '"{}"', "({})", "it's {}", "{} 3.14", "{}/", "[{}](#top)")
_TYPOGRAPHIC = ("`{}`", "**{}**", "“{}”", "({})", "it’s {}", "café {}", "{} → 3", "• {}")


class Words:
    """Text of every kind, of about so many bytes. ``typographic``: with curly quotes, dashes and the like, as people
    who write with care use them; otherwise English and code are ASCII."""

    typographic = False

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
            drawn[len(drawn) // 2] += rng.choice(
                (",", ",", ";", ":", *((" —", "…") if self.typographic else (" -", "...")))
            )
        elif draw < 0.4:
            drawn[-1] = rng.choice(_TYPOGRAPHIC if self.typographic else _PLAIN).format(drawn[-1])
        text = " ".join(drawn)
        return f"{text[0].upper()}{text[1:]}{rng.choice('.........?!')} "

    def paragraph(self, words: tuple[str, ...] = ENGLISH) -> str:
        return "".join(self.sentence(words) for _ in range(self._rng.randint(2, 7))).rstrip()

    def prose(self, size: int) -> str:
        return self._fill(size, "\n\n", self.paragraph)[:size].rstrip()

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
            mark = f" {rng.choice(EMOJI)}" if rng.random() < 0.45 else ""
            head = f"[{rng.randrange(24):02d}:{rng.randrange(60):02d}] {rng.choice(TOPICS)}"
            return f"{head}: {self.sentence().rstrip()}{mark}"

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
            summary = f"<summary>{self.sentence().rstrip()}</summary>"
            return f'<details>\n{summary}\n<p align="left">{self.paragraph()}<br/>&nbsp;&amp; more</p>\n</details>'
        target = f"https://docs.example/{topic}/{number}?tab=all&v=2#top"
        image = f"[![{topic}](https://img.example/{topic}-{number}.svg)]({target})"
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
            f"export async function {verb}({other}: string[], opts = {{}}): Promise<{topic.title()}[]> {{\n"
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
