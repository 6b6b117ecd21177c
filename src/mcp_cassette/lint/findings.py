"""A rule and a place → a Finding: where it is in the file, and the two ids it is known by.

A hostile file can hold a million findings of which a thousand are kept, and names of a megabyte that each of them would
repeat. So a finding is sketched first (what decides whether it is kept), completed only when it is, and never carries
more of a name than a person would read.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from mcp_cassette.model import Evidence, Finding, JsonId, Level, Path, Text
from mcp_cassette.neutral import clip
from mcp_cassette.packs.model import Rule

if TYPE_CHECKING:
    from mcp_cassette.pointer import Locator, Region

WHOLE = (0, 2**31)
"""The span of a whole value, whatever it is."""
LONGEST_NAME = 300
"""Characters of a subject, a method or a request id; a longer one loses its middle."""
LONGEST_POINTER = 4_096
"""Characters of a pointer; where a key is longer, the pointer names the object around it."""


class Draft(NamedTuple):
    """A finding without its columns, pointer and evidence, and what adds them."""

    finding: Finding
    complete: Callable[[], Finding]


class Maker:
    """Makes the findings of one file. It remembers the line it was in last: findings of a long line cost one pass."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._raw = b""
        self._locator: Locator | None = None
        self._digest = _Remembered(_digest)
        self._subject = _Remembered(_short)

    def draft(
        self,
        rule: Rule,
        level: Level,
        text: Text,
        *,
        span: tuple[int, int],
        evidence: Callable[[], Evidence],
        view: str = "raw",
        softened: str | None = None,
        message: str | None = None,
        key: str = "",
    ) -> Draft:
        """A finding of a rule at a text; ``span`` is what it matched.

        ``alert_id`` = rule, subject, surface: stable under rewording. ``finding_id``: those and the hash of the text.
        """
        subject = self._subject(text.subject)
        alert = "\0".join((rule.id + key, subject, text.surface))
        sketch = Finding(
            rule=rule.id,
            title=rule.title,
            level=level,
            confidence=rule.confidence,
            message=message or rule.message,
            help=rule.help,
            file=self._file,
            line=text.line,
            column=None,
            end_column=None,
            pointer=None,
            surface=text.surface or None,
            subject=subject,
            method=None if text.method is None else clip(text.method, LONGEST_NAME),
            request_id=_short_id(text.request_id),
            evidence=Evidence(),
            view=view,
            softened=softened,
            alert_id=_digest(alert),
            finding_id=_digest(f"{alert}\0{self._digest(text.value)}"),
            family=rule.family,
            owasp=rule.owasp,
            safe_mcp=rule.safe_mcp,
        )

        def complete() -> Finding:
            region = self._locate(text, WHOLE if text.embedded else span)
            return replace(
                sketch,
                line=region.line if region else text.line,
                column=region.column if region else None,
                end_column=region.end_column if region else None,
                pointer=short_pointer(text.path),
                evidence=evidence(),
            )

        return Draft(sketch, complete)

    def _locate(self, text: Text, span: tuple[int, int]) -> Region | None:
        if not text.raw:
            return None
        from mcp_cassette.pointer import Locator  # here, because most runs find nothing and start faster without it

        if self._locator is None or self._raw is not text.raw:
            self._raw, self._locator = text.raw, Locator(text.raw, text.first_line)
        return self._locator.locate(text.path, *span, is_key=text.is_key)


class _Remembered:
    """A function of a string that remembers its last answer: findings of one text, or one tool, come together."""

    def __init__(self, function: Callable[[str], str]) -> None:
        self._function = function
        self._last, self._answer = "", function("")

    def __call__(self, text: str) -> str:
        if text is not self._last:
            self._last, self._answer = text, self._function(text)
        return self._answer


def _short(subject: str) -> str:
    """A subject that fits; two long ones that differ anywhere still differ."""
    return subject if len(subject) <= LONGEST_NAME else f"{clip(subject, LONGEST_NAME - 20)} #{_digest(subject)}"


def _short_id(request_id: JsonId) -> JsonId:
    return clip(request_id, LONGEST_NAME) if isinstance(request_id, str) else request_id


def short_pointer(path: Path) -> str:
    """The JSON Pointer of a path, or of the innermost part of it that is not too long to print a thousand times."""
    from mcp_cassette.pointer import parts, render

    steps = parts(path)
    length = 0
    for i, step in enumerate(steps):
        length += 1 + len(str(step))
        if length > LONGEST_POINTER:
            cut: Path = ()
            for kept in steps[:i]:
                cut = (cut, kept)
            return render(cut)
    return render(path)


def text_at(path: Path, line: int, raw: bytes, subject: str = "", value: str = "") -> Text:
    """A place in a file that is no text of a surface (a header, a schema), in the form findings are made from."""
    return Text(value, "", path, line, subject, raw=raw, first_line=line)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
