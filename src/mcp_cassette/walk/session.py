"""The walk over a whole file: one pass, one message at a time."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import TypeAlias

from mcp_cassette.formats.entries import Entry, members
from mcp_cassette.model import Text
from mcp_cassette.walk import inputs
from mcp_cassette.walk.asks import (
    ASK_METHODS,
    TASK_NOTIFICATIONS,
    ask_surface,
    push_surface,
    read_ask,
    read_push,
)
from mcp_cassette.walk.content import SERVER_INFO, read_server_info
from mcp_cassette.walk.declarations import LISTS
from mcp_cassette.walk.listing import Listing
from mcp_cassette.walk.listings import Listings
from mcp_cassette.walk.messages import Loose, Message, is_envelope, messages, scalar
from mcp_cassette.walk.outputs import GREETINGS, read_error, read_result, read_task, result_surface
from mcp_cassette.walk.pairing import Exchange, Pairing
from mcp_cassette.walk.sink import SERVER, Sink, collect, fields, is_plain
from mcp_cassette.walk.subjects import subject_of

Found: TypeAlias = "Text | Listing | Exchange"

_ANSWER = frozenset({"result", "error"})
_CONTENT = _ANSWER | {"method", "params"}


def walk(
    entries: Iterable[Entry], wanted: Collection[str], matters: Callable[[Entry], bool] | None = None
) -> Iterator[Found]:
    """Every text of the file whose surface is in ``wanted``, every listing and every exchange, in one pass.

    The texts of a listing come inside it, when it is complete; every other text comes by itself, in the order of the
    lines. An exchange comes when its answer has been read; the requests that nothing answered come last. Nothing is
    raised for what the entries hold, and what is remembered is bounded: requests in flight and open listings.

    ``matters`` tells of an entry whether anything but declarations is worth reading in it; where not, its messages are
    paired and the rest is passed by.
    """
    session = Session(wanted)
    for entry in entries:
        if entry.kind == "listing":
            yield from session.listings.document(entry)
        else:
            read = session.read if matters is None or matters(entry) else session.pass_by
            for message in messages(entry):
                yield from read(message)
    yield from session.listings.finish()
    yield from session.pairing.unanswered()


class Session:
    """What is remembered of a file while its messages are read."""

    def __init__(self, wanted: Collection[str]) -> None:
        self.sink = Sink(wanted)
        self.pairing = Pairing()
        self.listings = Listings(wanted)

    def read(self, message: Message | Loose) -> Iterator[Found]:
        """One message: an answer, a request, a notification; of a hostile sender it may be two of these."""
        server = message.direction == "s2c"
        if isinstance(message, Loose):
            if server:
                self._stray(message)
        else:
            answers = "result" in message.value or "error" in message.value
            asks = "method" in message.value
            if answers:
                exchange = self.pairing.answer(message)
                yield from (self._answer if server else self._client_answer)(exchange, message)
                yield exchange
            if asks:
                (self._ask if server else self._client_ask)(message)
                if "id" in message.value and not answers:
                    yield from self.pairing.request(message)
            elif server and not answers:
                self._stray(message)
        yield from self.sink.take()

    def pass_by(self, message: Message | Loose) -> Iterator[Found]:
        """A message in which a prefilter saw nothing to find: it is paired, and only declarations are read."""
        if isinstance(message, Loose):
            return
        if "result" in message.value or "error" in message.value:
            exchange = self.pairing.answer(message)
            if message.direction == "s2c":
                declares = exchange.method in LISTS or exchange.method in GREETINGS
                yield from (self._answer if declares else self._server_info)(exchange, message)
            yield exchange
        elif "method" in message.value and "id" in message.value:
            yield from self.pairing.request(message)

    def _server_info(self, exchange: Exchange, message: Message) -> Iterator[Found]:
        """What a server calls itself in the ``_meta`` of any result."""
        result = message.value.get("result")
        meta = result.get("_meta") if isinstance(result, dict) else None
        if isinstance(meta, dict) and SERVER_INFO in meta:
            sink, method = self.sink, exchange.method
            sink.begin(message.place, SERVER, method, exchange.request_id)
            at = ((((message.path, "result"), "_meta")), SERVER_INFO)
            read_server_info(sink, meta[SERVER_INFO], at)
            yield from sink.take()

    def _answer(self, exchange: Exchange, message: Message) -> Iterator[Found]:
        sink, method = self.sink, exchange.method
        sink.begin(message.place, subject_of(method, exchange.params), method, exchange.request_id)
        self._rest(message, result_surface(method))
        for key, child in members(message.value):
            at = (message.path, key)
            if key == "error":
                read_error(sink, child, at)
            elif key == "result" and method in LISTS:
                yield from self.listings.page(exchange, message, child, at)
            elif key == "result":
                read_result(sink, method, child, at)
        yield from sink.take()

    def _client_answer(self, exchange: Exchange, message: Message) -> Iterator[Found]:
        self.sink.begin(message.place, SERVER, exchange.method, exchange.request_id)
        for key, child in members(message.value):
            if key in ("result", "error"):
                inputs.read_answer(self.sink, child, (message.path, key))
        yield from self.sink.take()

    def _ask(self, message: Message) -> None:
        sink, method = self.sink, message.method
        has_id = "id" in message.value
        pushes = method is not None and (method.startswith("notifications/") or not (has_id or method in ASK_METHODS))
        params = message.value.get("params")
        is_task = method in TASK_NOTIFICATIONS
        subject = subject_of("tasks/get", params if isinstance(params, dict) else {}) if is_task else SERVER
        sink.begin(message.place, subject, method, scalar(message.id) if has_id else None)
        surface = push_surface(method) if pushes else ask_surface(method)
        if not ("result" in message.value or "error" in message.value):
            self._rest(message, surface)
        for key, child in members(message.value):
            at = (message.path, key)
            if key == "params":
                if is_task:
                    read_task(sink, child, at)
                else:
                    (read_push if pushes else read_ask)(sink, method, child, at)
            elif key == "method" and not (isinstance(child, str) and is_plain(child)):
                collect(sink, child, at, surface)

    def _client_ask(self, message: Message) -> None:
        sink, method, params = self.sink, message.method, message.value.get("params")
        subject = subject_of(method, params if isinstance(params, dict) else {})
        request_id = scalar(message.value.get("id"))
        sink.begin(message.place, subject, method, request_id)
        for key, child in members(message.value):
            if key == "params":
                inputs.read_request(sink, child, (message.path, key))

    def _stray(self, message: Message | Loose) -> None:
        """What a server wrote that is no JSON-RPC: a log line, most often."""
        self.sink.begin(message.place, SERVER, None, None)
        if isinstance(message, Message):
            self._rest(message, "push.log")
        else:
            collect(self.sink, message.value, message.path, "push.log")

    def _rest(self, message: Message, surface: str) -> None:
        """The members that JSON-RPC does not know, and an id or a version of a type that it does not know."""
        elsewhere = _CONTENT if "method" in message.value else _ANSWER
        for key, child, at in fields(self.sink, message.value, message.path, surface):
            if not (key in elsewhere or is_envelope(key, child)):
                collect(self.sink, child, at, surface)
