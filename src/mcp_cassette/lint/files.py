"""Which files a run reads: paths, folders, globs and standard input → targets."""

from __future__ import annotations

import fnmatch
import glob
import os
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mcp_cassette.model import Problem

STDIN = "-"
CASSETTE_NAME = "*.cassette.jsonl"
_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__"})
_SNIFF_BYTES = 1024 * 1024
_LISTING_SIGN = re.compile(rb'"(?:tools|prompts|resources|resourceTemplates|inputSchema)"\s*:')
_ESCAPED_LETTER = re.compile(rb"\\u00([4-7][0-9A-Fa-f])")


@dataclass(frozen=True, slots=True)
class Target:
    """A file to lint. ``named``: the caller gave this very file, so one of an unknown format is an error."""

    path: Path | None
    shown: str
    named: bool


def find_targets(words: Sequence[str], exclude: Sequence[str], base: Path) -> Iterator[Target | Problem]:
    """Resolve the words of a command line (or of ``paths``), relative to ``base``; one that names nothing is a problem.

    Each file comes once, in the order of the words, sorted inside a folder. ``exclude`` holds globs against the path
    relative to ``base`` and against the name; it never leaves out a file that is named.
    """
    seen: set[str] = set()
    found: list[Target | Problem]
    for word in words:
        if word == STDIN:
            if STDIN not in seen:
                seen.add(STDIN)
                yield Target(None, "<stdin>", named=True)
            continue
        path = base / word
        # os.path, because a name too long or with a NUL in it is no folder and no file, and no error either.
        if os.path.isdir(path):  # noqa: PTH112
            found = list(_walk(path, exclude, base))
            if not found:
                yield Problem(
                    _shown(path), None, None, f"nothing to lint: no {CASSETTE_NAME} and no saved listing in this folder"
                )
        elif os.path.exists(path):  # noqa: PTH110
            found = [Target(path, _shown(path), named=True)]
        else:
            found = list(_expand(word, exclude, base))
            if not found:
                reason = "no file matches" if glob.has_magic(word) else "no such file or folder"
                yield Problem(_shown(path), None, None, reason)
        for target in found:
            if isinstance(target, Problem):
                yield target
                continue
            real = os.path.realpath(target.path or "")
            if real not in seen:
                seen.add(real)
                yield target


def _expand(word: str, exclude: Sequence[str], base: Path) -> Iterator[Target | Problem]:
    if not glob.has_magic(word):
        return
    failed: list[OSError] = []
    pattern = os.path.abspath(base / word)  # noqa: PTH100 (resolve would follow links)
    for path in sorted(set(_matches(pattern, failed.append))):
        if path.is_dir():
            yield from _walk(path, exclude, base)
        elif not _excluded(path, exclude, base) and not _endless(path):
            yield Target(path, _shown(path), named=True)
    yield from (_unreadable(error) for error in failed if not _excluded(Path(error.filename), exclude, base))


def _matches(pattern: str, onerror: Callable[[OSError], object]) -> Iterator[Path]:
    """The paths a glob stands for. ``**`` is walked here: the glob module follows links round and round."""
    head, deep, tail = pattern.partition(os.sep + "**")
    if "\0" in pattern:
        return
    if not deep or (tail and not tail.startswith(os.sep)):
        yield from map(Path, glob.glob(pattern))  # noqa: PTH207 (an absolute pattern, too)
        return
    for top in glob.glob(head or os.sep):  # noqa: PTH207
        for root, folders, files in os.walk(top, onerror=onerror):
            folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in _SKIPPED_FOLDERS)
            if os.sep + "**" in tail:
                yield from _matches(glob.escape(root) + tail, onerror)
            elif tail:
                yield from map(Path, glob.glob(glob.escape(root) + tail))  # noqa: PTH207
            else:
                yield from (Path(root, name) for name in files if not name.startswith("."))


def _walk(folder: Path, exclude: Sequence[str], base: Path) -> Iterator[Target | Problem]:
    failed: list[OSError] = []
    for root, folders, files in os.walk(folder, onerror=failed.append):
        folders[:] = sorted(
            f
            for f in folders
            if not f.startswith(".") and f not in _SKIPPED_FOLDERS and not _excluded(Path(root, f), exclude, base)
        )
        for name in sorted(files):
            path = Path(root, name)
            if _excluded(path, exclude, base) or _endless(path):
                continue
            try:
                if is_cassette(name) or (name.lower().endswith(".json") and _may_be_listing(path)):
                    yield Target(path, _shown(path), named=False)
            except OSError as error:
                error.filename = path
                failed.append(error)
    yield from map(_unreadable, failed)


def is_cassette(name: str) -> bool:
    """Whether a file has the name of a cassette, in any case."""
    return fnmatch.fnmatchcase(name.lower(), CASSETTE_NAME)


def _endless(path: Path) -> bool:
    """A pipe or a device: it would be read without an end."""
    return path.exists() and not path.is_file()


def _unreadable(error: OSError) -> Problem:
    return Problem(_shown(Path(error.filename)), None, None, f"cannot be read: {error.strerror or error}")


def _may_be_listing(path: Path) -> bool:
    """Whether a JSON file has the sign of a saved listing in its first MiB behind the blanks. Raises OSError."""
    with path.open("rb") as file:
        while (start := file.read(_SNIFF_BYTES)) and not start.lstrip():
            pass
        start = (start.lstrip() + file.read(_SNIFF_BYTES))[:_SNIFF_BYTES]
    if start.startswith((b"\xff\xfe", b"\xfe\xff")):
        start = start.replace(b"\0", b"")  # UTF-16: found here, refused with a word by whoever reads it
    return bool(_LISTING_SIGN.search(_ESCAPED_LETTER.sub(lambda m: bytes.fromhex(m[1].decode()), start)))


def _excluded(path: Path, exclude: Sequence[str], base: Path) -> bool:
    relative = os.path.relpath(path, base).replace(os.sep, "/")
    # A leading **/ may stand for nothing.
    patterns = {p.rstrip("/") for pattern in exclude for p in (pattern, pattern.removeprefix("**/"))}
    return any(
        fnmatch.fnmatch(relative, pattern)
        or fnmatch.fnmatch(path.name, pattern)
        or fnmatch.fnmatch(relative, pattern + "/*")
        for pattern in patterns
    )


def _shown(path: Path) -> str:
    """The path as it is printed: relative to the working directory where it is under it, with forward slashes."""
    relative = os.path.relpath(path)
    return (str(path) if relative.startswith("..") and path.is_absolute() else relative).replace(os.sep, "/")
