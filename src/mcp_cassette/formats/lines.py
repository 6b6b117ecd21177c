"""A binary file as numbered lines, of which only LF is the end."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

LIMIT = 256 * 1024 * 1024
"""Bytes of one line (or one whole document) beyond which it is not read."""
BOM = b"\xef\xbb\xbf"


class Line(NamedTuple):
    """One line: its 1-based number, its bytes without the end, and the end itself (``LF``, ``CRLF``, or nothing at the
    end of the file). ``too_long``: it was longer than the limit; ``data`` is empty and the rest of it was skipped."""

    number: int
    data: bytes
    end: bytes
    too_long: bool = False


class Lines(Iterator[Line]):
    """The lines of a buffered binary stream that are not blank; blank ones are counted in ``number``, the number of the
    line read last. A UTF-8 byte-order mark at the front of the file is dropped. ``next`` raises OSError when the
    stream does."""

    def __init__(self, stream: BinaryIO, limit: int = LIMIT) -> None:
        self.number = 0
        self.limit = limit
        self._stream = stream

    def __next__(self) -> Line:
        # Room for the mark and for a CRLF, so that a line of exactly ``limit`` bytes is still read.
        while data := self._stream.readline(self.limit + len(BOM) + 2):
            self.number += 1
            if self.number == 1 and data.startswith(BOM):
                data = data[len(BOM) :]
            end = b""
            if data.endswith(b"\n"):
                end = b"\r\n" if data.endswith(b"\r\n") else b"\n"
                data = data[: -len(end)]
            if len(data) > self.limit:
                while not end and (more := self._stream.readline(1 << 20)):
                    end = b"\n" if more.endswith(b"\n") else b""
                return Line(self.number, b"", end, True)
            if data and not data.isspace():
                return Line(self.number, data, end)
        raise StopIteration

    def rest(self, size: int) -> bytes:
        """At most ``size`` bytes of what follows, as they are."""
        return self._stream.read(max(0, size))
