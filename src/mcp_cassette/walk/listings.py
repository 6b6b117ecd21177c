"""Pages → listings: what one list request and its cursors brought, complete enough to compare items with each other."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterator
from typing import Any, TypeAlias

from mcp_cassette.formats.entries import Entry, members
from mcp_cassette.formats.listing import is_answer
from mcp_cassette.model import JsonId, Path
from mcp_cassette.walk.declarations import LISTS, ListKind
from mcp_cassette.walk.listing import ListedItem, Listing, Names, OtherNames
from mcp_cassette.walk.messages import Message, id_key, is_envelope, scalar
from mcp_cassette.walk.outputs import common_member
from mcp_cassette.walk.pairing import Exchange
from mcp_cassette.walk.sink import SERVER, Place, Sink, collect

ITEMS_MAX = 10_000
CHARS_MAX = 64 * 1024 * 1024
OPEN_MAX = 1_000


class _Open:
    """A listing that is being read."""

    def __init__(self, kind: ListKind, method: str, conn: JsonId, wanted: Collection[str]) -> None:
        self.kind, self.method, self.conn, self.sink = kind, method, conn, Sink(wanted)
        self.items: list[ListedItem] = []
        self.names = Names()
        self.next: tuple[str, Any] | None = None
        self.count = 0  # items of all pages
        self.whole = True  # nothing of it was given up before its end
        self.chars = self._counted = 0  # characters of the texts held, and how many texts that is
        self.bytes = 0  # length of the lines whose values the items held keep alive

    def add(self, value: Any, path: Path) -> None:
        """Read one item, with the sink's context of its page."""
        sink, kind, index = self.sink, self.kind, self.count
        name = value.get("name") if isinstance(value, dict) else None
        name = name if isinstance(name, str) else None
        subject = sink.subject = kind.subject(value, index)
        if kind.item == "tool":
            if name is not None:
                self.names.add(name)
            sink.others = OtherNames(self.names, name)
        line, raw, outer = sink.place
        at, embedded = (path, False) if outer is None else (outer, True)
        self.items.append(
            ListedItem(kind.kind, name, value, at, line, subject, self.method, sink.request_id, index, embedded, raw)
        )
        self.count += 1
        kind.read(sink, value, path)
        sink.subject, sink.others = SERVER, frozenset()
        texts = sink.texts
        self.chars += sum(len(texts[i].value) for i in range(self._counted, len(texts)))
        self._counted = len(texts)

    def take(self, complete: bool, known: dict[frozenset[str], frozenset[str]]) -> Listing:
        """What was read so far; the next item starts afresh. ``known``: see ``Names.freeze``."""
        self.names.freeze(known)
        texts = tuple(self.sink.take())
        listing = Listing(self.kind.kind, self.method, self.conn, tuple(self.items), texts, complete and self.whole)
        self.items, self.names = [], Names()
        self.chars = self._counted = self.bytes = 0
        return listing


_Key: TypeAlias = "tuple[JsonId, str, str]"


class Listings:
    """The listings that are open, by connection and method. What it gives is complete, or as much as may be held."""

    def __init__(
        self, wanted: Collection[str], items_max: int = ITEMS_MAX, chars_max: int = CHARS_MAX, open_max: int = OPEN_MAX
    ) -> None:
        self._wanted, self._items_max, self._chars_max, self._open_max = wanted, items_max, chars_max, open_max
        self._open: OrderedDict[_Key, _Open] = OrderedDict()
        self._items_held = self._bytes_held = 0
        self._known: dict[frozenset[str], frozenset[str]] = {}

    def page(self, exchange: Exchange, response: Message, result: Any, path: Path) -> Iterator[Listing]:
        """Read the result of a list request; gives the listings that end with it or because of it."""
        method = exchange.method or ""
        key: _Key = (response.conn, type(response.conn).__name__, method)
        asked = _cursor(exchange.params.get("cursor"))
        listing = self._withdraw(key)
        if listing is not None and (asked is None or asked != listing.next):
            yield from self._close(listing, False)
            listing = None
        if listing is None:
            listing = _Open(LISTS[method], method, response.conn, self._wanted)
        listing.sink.begin(response.place, SERVER, method, exchange.request_id)
        yield from self._read(listing, result, path)
        listing.next = _cursor(result.get("nextCursor")) if isinstance(result, dict) else None
        if listing.next is None:
            yield from self._close(listing, True)
            return
        listing.bytes += len(response.raw)
        self._open[key] = listing
        self._items_held += len(listing.items)
        self._bytes_held += listing.bytes
        yield from self._shed()

    def finish(self) -> Iterator[Listing]:
        """The listings that are still open, oldest first."""
        while self._open:
            yield from self._close(self._withdraw_oldest(), False)

    def document(self, entry: Entry) -> Iterator[Listing]:
        """The listings of a saved document: a bare result, a JSON-RPC answer, an array of tools, or one of answers."""
        document = entry.value
        if not (isinstance(document, list) and any(map(is_answer, document))):
            yield from self._answer(entry, document, ())
            return
        for index, item in enumerate(document):
            if is_answer(item):
                yield from self._answer(entry, item, ((), index))
        # What stands between answers is read as an array of tools is.
        listing = self._begin(entry, "tools/list", None)
        for index, item in enumerate(document):
            if not is_answer(item):
                listing.add(item, ((), index))
        if listing.items:
            yield from self._close(listing, True)

    def _answer(self, entry: Entry, value: Any, path: Path) -> Iterator[Listing]:
        if not (isinstance(value, dict) and "result" in value):
            yield from self._saved(entry, value, path, None)
            return
        request_id = scalar(value.get("id"))
        for key, child in members(value):
            if key == "result":
                yield from self._saved(entry, child, (path, key), request_id)
            elif not is_envelope(key, child):
                yield from self._saved(entry, {key: child}, path, request_id, _methods(value["result"])[:1])

    def _begin(self, entry: Entry, method: str, request_id: JsonId) -> _Open:
        listing = _Open(LISTS[method], method, None, self._wanted)
        listing.sink.begin(Place(entry.line, entry.raw), SERVER, method, request_id)
        return listing

    def _saved(
        self, entry: Entry, value: Any, path: Path, request_id: JsonId, beside: list[str] | None = None
    ) -> Iterator[Listing]:
        """The listings of one result. What holds no list belongs to the first of ``beside``, or to the tools."""
        held = value if isinstance(value, dict) else {}
        methods = _methods(value) or beside or ["tools/list"]
        taken: frozenset[str] = frozenset(LISTS[method].member for method in methods)
        for position, method in enumerate(methods):
            listing = self._begin(entry, method, request_id)
            # What belongs to no kind is read once, with the first.
            yield from self._read(listing, value, path, taken if position == 0 else None)
            yield from self._close(listing, _cursor(held.get("nextCursor")) is None)

    def _read(
        self, listing: _Open, result: Any, path: Path, foreign: frozenset[str] | None = frozenset()
    ) -> Iterator[Listing]:
        """Read one result. ``foreign`` members hold another kind's items; None: read nothing but this kind's."""
        kind, sink = listing.kind, listing.sink
        if isinstance(result, list):
            yield from self._items(listing, result, path)
            return
        if not isinstance(result, dict):
            collect(sink, result, path, kind.other)
            return
        for key, child in members(result):
            at = (path, key)
            if key == kind.member and isinstance(child, list):
                yield from self._items(listing, child, at)
            elif key == kind.member or (foreign is not None and key not in foreign):
                sink.put_key(key, kind.other, at)
                if not (common_member(sink, key, child, at, kind.other) or _is_cursor(key, child)):
                    collect(sink, child, at, kind.other)

    def _items(self, listing: _Open, values: list[Any], path: Path) -> Iterator[Listing]:
        for index, value in enumerate(values):
            listing.add(value, (path, index))
            if len(listing.items) >= self._items_max or listing.chars >= self._chars_max:
                listing.whole = False
                yield listing.take(False, self._known)

    def _shed(self) -> Iterator[Listing]:
        """Give up the oldest open listings while all of them together are more than may be held."""
        while self._open and (
            self._items_held > self._items_max or self._bytes_held > self._chars_max or len(self._open) > self._open_max
        ):
            yield from self._close(self._withdraw_oldest(), False)

    def _close(self, listing: _Open, complete: bool) -> Iterator[Listing]:
        last = listing.take(complete, self._known)
        if listing.whole or last.items or last.texts:  # not an empty rest of a listing given up in parts
            yield last

    def _withdraw_oldest(self) -> _Open:
        listing = self._withdraw(next(iter(self._open)))
        assert listing is not None
        return listing

    def _withdraw(self, key: _Key) -> _Open | None:
        listing = self._open.pop(key, None)
        if listing is not None:
            self._items_held -= len(listing.items)
            self._bytes_held -= listing.bytes
        return listing


def _methods(result: Any) -> list[str]:
    """The list methods whose items a result holds."""
    return [method for method, kind in LISTS.items() if isinstance(result, dict) and kind.member in result]


def _cursor(value: Any) -> tuple[str, Any] | None:
    """A cursor to compare by; None where there is none (an empty string is one)."""
    return None if value is None else id_key(value)


def _is_cursor(key: str, value: Any) -> bool:
    return key == "nextCursor" and isinstance(value, str)
