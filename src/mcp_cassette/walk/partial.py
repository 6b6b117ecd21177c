"""The walk over a part of a file, for several processes at one file: what only the whole can pair is put off."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from mcp_cassette.formats.entries import Entry
from mcp_cassette.walk.declarations import LISTS
from mcp_cassette.walk.messages import Message, id_key, messages
from mcp_cassette.walk.outputs import GREETINGS
from mcp_cassette.walk.pairing import Exchange
from mcp_cassette.walk.session import Found, Session


@dataclass(frozen=True, slots=True)
class Deferred:
    """An entry left to whoever sees the whole file. ``read`` False: its texts were read, it is only to be paired."""

    entry: Entry
    read: bool


class Tangled(Exception):
    """The part cannot be told from the rest (a batch of requests, or of answers to one id): walk the whole file."""


PartFound: TypeAlias = "Found | Deferred"


def walk_part(
    entries: Iterable[Entry], wanted: Collection[str], matters: Callable[[Entry], bool] | None
) -> Iterator[PartFound]:
    """As ``walk``, for a stretch of a file: answers whose request is not in it, declarations with their requests, and
    requests without an answer come as ``Deferred``. Walking those of all parts in the order of their lines gives what
    is missing. Raises Tangled.
    """
    session = Session(wanted)
    waiting: dict[int, Entry] = {}
    for entry in entries:
        if entry.kind == "header":
            continue
        found = [m for m in messages(entry) if isinstance(m, Message)]
        answers = [m for m in found if "result" in m.value or "error" in m.value]
        requests = [m for m in found if "method" in m.value and "id" in m.value]
        if (requests and len(found) > 1) or len({id_key(m.id) for m in answers}) < len(answers):
            raise Tangled
        asked = [session.pairing.peek(m) for m in answers]
        if None in asked:
            yield Deferred(entry, read=True)
            continue
        if any(r is not None and (r.method in LISTS or r.method in GREETINGS) for r in asked):
            for answer in answers:
                request = session.pairing.answer(answer).request
                if request is not None and request.line in waiting:
                    yield Deferred(waiting.pop(request.line), read=False)
            yield Deferred(entry, read=True)
            continue
        if requests:
            waiting[entry.line] = entry
        read = session.read if matters is None or matters(entry) else session.pass_by
        for message in messages(entry):
            for item in read(message):
                if isinstance(item, Exchange) and item.request is not None:
                    waiting.pop(item.request.line, None)
                yield item
    for entry in waiting.values():
        yield Deferred(entry, read=False)
