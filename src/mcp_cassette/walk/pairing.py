"""Messages → exchanges: which answer belongs to which request."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from mcp_cassette.model import JsonId
from mcp_cassette.walk.messages import ABSENT, Direction, Message, id_key, scalar

PENDING_MAX = 100_000
PENDING_BYTES_MAX = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request and what answered it.

    ``direction`` is the request's: "c2s" where the client asked. ``method`` is the request's; of an answer without a
    request it is guessed from the members of the result. ``response`` is None for a request that was never answered,
    ``request`` for an answer to nothing on record. ``reused_id``: the id was in flight already when the request came.
    """

    method: str | None
    direction: Direction
    request: Message | None
    response: Message | None
    reused_id: bool = False

    @property
    def params(self) -> dict[str, Any]:
        """The request's params, empty where there are none or they are no object."""
        params = self.request.value.get("params") if self.request else None
        return params if isinstance(params, dict) else {}

    @property
    def request_id(self) -> JsonId:
        """The id both share (the answer's own where the request is not known)."""
        message = self.request or self.response
        return scalar(message.value.get("id")) if message else None


_Key: TypeAlias = "tuple[JsonId, str, Direction, tuple[str, Any]]"


class Pairing:
    """The requests in flight, by (connection, direction, id with its JSON type); an answer takes the newest."""

    def __init__(self, limit: int = PENDING_MAX, byte_limit: int = PENDING_BYTES_MAX) -> None:
        self._limit, self._byte_limit = limit, byte_limit
        self._pending: OrderedDict[_Key, deque[tuple[Message, bool]]] = OrderedDict()
        self._count = self._bytes = 0

    def request(self, message: Message) -> Iterator[Exchange]:
        """Remember a request. Gives the exchanges of the oldest ones, unanswered, when there are too many."""
        key = _key(message, message.direction, message.id)
        if key is None:
            yield Exchange(message.method, message.direction, message, None)
            return
        queue = self._pending.setdefault(key, deque())
        queue.append((message, bool(queue)))
        self._count += 1
        self._bytes += len(message.raw)
        while self._count > self._limit or (self._bytes > self._byte_limit and self._count > 1):
            yield self._drop_oldest()

    def peek(self, message: Message) -> Message | None:
        """The request that a result or an error would complete, if it is in flight."""
        key = _answered(message)
        queue = self._pending.get(key) if key is not None else None
        return queue[-1][0] if queue else None

    def answer(self, message: Message) -> Exchange:
        """The exchange that a result or an error completes."""
        asked = _asked(message)
        key = _answered(message)
        queue = self._pending.get(key) if key is not None else None
        if key is None or not queue:
            return Exchange(guess(message) if asked == "c2s" else None, asked, None, message)
        request, reused = queue.pop()
        if not queue:
            del self._pending[key]
        self._forget(request)
        method = request.method or (guess(message) if asked == "c2s" else None)
        return Exchange(method, asked, request, message, reused)

    def unanswered(self) -> Iterator[Exchange]:
        """What is left at the end of the file, oldest first."""
        while self._pending:
            yield self._drop_oldest()

    def _drop_oldest(self) -> Exchange:
        key = next(iter(self._pending))
        queue = self._pending[key]
        request, reused = queue.popleft()
        if not queue:
            del self._pending[key]
        self._forget(request)
        return Exchange(request.method, request.direction, request, None, reused)

    def _forget(self, request: Message) -> None:
        self._count -= 1
        self._bytes -= len(request.raw)


def _asked(answer: Message) -> Direction:
    """The direction of the request that an answer is for."""
    return "c2s" if answer.direction == "s2c" else "s2c"


def _answered(answer: Message) -> _Key | None:
    """The key of the request that an answer is for; a stream may carry the id in its place."""
    return _key(answer, _asked(answer), answer.id if answer.id is not ABSENT else answer.stream_id)


def _key(message: Message, direction: Direction, wire_id: Any) -> _Key | None:
    ident = id_key(wire_id)
    return None if ident is None else (message.conn, type(message.conn).__name__, direction, ident)


_TELLTALE = {
    "tools": "tools/list",
    "prompts": "prompts/list",
    "resources": "resources/list",
    "resourceTemplates": "resources/templates/list",
    "contents": "resources/read",
    "messages": "prompts/get",
    "content": "tools/call",
    "structuredContent": "tools/call",
    "completion": "completion/complete",
    "serverInfo": "initialize",
    "protocolVersion": "initialize",
    "supportedVersions": "server/discover",
    "tasks": "tasks/list",
    "taskId": "tasks/get",
    "instructions": "initialize",
}


def guess(message: Message) -> str:
    """The method an answer to nothing on record belongs to, by the members of its result; "tools/call" if unsure."""
    result = message.value.get("result")
    if isinstance(result, dict):
        for member, method in _TELLTALE.items():
            if member in result:
                return method
    return "tools/call"
