"""A TOML file from a stranger → its tables and its text; one that is no file, no TOML or too much for it is refused."""

from __future__ import annotations

import errno
import re
import stat
import tomllib
from pathlib import Path
from typing import Any

from mcp_cassette.errors import CassetteError

MAX_BYTES = 4 * 1024 * 1024
MAX_PARTS = 16
MAX_KEYS = 50_000
"""``tomllib`` needs time and memory quadratic in the parts of a key, and half a kilobyte for each part of a header."""
_MANY_DOTS = re.compile(rf"(?:\.[^.\n]*){{{MAX_PARTS}}}")
_NO_KEY = re.compile(
    # A string that is left open goes to the end: nothing after it counts.
    r'''"""(?:[^"\\]++|\\[\s\S]|"{1,2}(?!"))*+(?:"{3,5}|\\?\Z)|"(?:[^"\\\n]++|\\.)*+"|'''
    r"""'''(?:[^']++|'{1,2}(?!'))*+(?:'{3,5}|\Z)|'[^'\n]*+'|\#[^\n]*+"""
)
_LONG_KEY = re.compile(rf"(?<![\w-])[\w-]++(?:[ \t]*+\.[ \t]*+[\w-]++){{{MAX_PARTS}}}")


def read_toml(path: Path, what: str, shown: str, error: type[CassetteError]) -> tuple[dict[str, Any], str]:
    """Read a regular file of at most 4 MiB: what it holds, and its text with plain line ends.

    ``what`` it is ("the pack") and ``shown``, its name, are for complaints, which are raised as ``error``.
    """
    try:
        raw = _read(path)
    except OSError as problem:
        raise error(f"{what} cannot be read: {problem.strerror or problem}", file=shown) from None
    except ValueError:  # a NUL
        raise error(f"{what} cannot be read: that is no name of a file", file=shown) from None
    if len(raw) > MAX_BYTES:
        raise error(f"{what} is larger than {MAX_BYTES >> 20} MiB", file=shown)
    try:
        text = raw.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as problem:
        raise error("not UTF-8", file=shown, line=raw[: problem.start].count(b"\n") + 1) from None
    excess = _excess(text)
    if excess:
        raise error(excess[0], file=shown, line=excess[1])
    try:
        return tomllib.loads(text), text
    except ValueError as problem:  # TOMLDecodeError, or a number too long to be read
        from mcp_cassette.places import line_of_toml_error  # here, because few files need it

        reason = str(problem).split(" (at ")[0]
        raise error(f"not TOML: {reason}", file=shown, **line_of_toml_error(str(problem), text)) from None
    except RecursionError:
        raise error("nested too deep", file=shown) from None


def _excess(text: str) -> tuple[str, int | None] | None:
    """Why a text must not be given to ``tomllib``, and on which line."""
    if _keys(text) <= MAX_KEYS and not _MANY_DOTS.search(text):
        return None
    # Strings may hold what they like; a quoted part of a key is one, too. Lines keep their numbers.
    bare = _NO_KEY.sub(lambda m: "x" + "\n" * m[0].count("\n"), text)
    if found := _LONG_KEY.search(bare):
        return f"a key of more than {MAX_PARTS} parts", bare.count("\n", 0, found.start()) + 1
    return (f"more than {MAX_KEYS:,} keys", None) if _keys(bare) > MAX_KEYS else None


def _keys(text: str) -> int:
    return sum(map(text.count, "=[."))


def _read(path: Path) -> bytes:
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):  # a pipe or a device would be read without an end
        raise OSError(errno.EINVAL, "not a regular file")
    with path.open("rb") as file:
        return file.read(MAX_BYTES + 1)
