"""Which files a run reads: paths, folders, globs and standard input → targets."""

from __future__ import annotations

import fnmatch
import glob
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from mcp_cassette.model import Problem

STDIN = "-"
CASSETTE_NAME = "*.cassette.jsonl"
_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__"})
_SNIFF_BYTES = 65_536
_LISTING_SIGN = re.compile(rb'"(?:tools|prompts|resources|resourceTemplates|inputSchema)"')


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
    for word in words:
        if word == STDIN:
            if STDIN not in seen:
                seen.add(STDIN)
                yield Target(None, "<stdin>", named=True)
            continue
        path = base / word
        # os.path, because a name too long or with a NUL in it is no folder and no file, and no error either.
        if os.path.isdir(path):  # noqa: PTH112
            found = [Target(p, _shown(p), named=False) for p in _walk(path, exclude, base)]
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
            real = os.path.realpath(target.path or "")
            if real not in seen:
                seen.add(real)
                yield target


def _expand(word: str, exclude: Sequence[str], base: Path) -> Iterator[Target]:
    if not glob.has_magic(word):
        return
    for path in sorted(set(_matches(os.path.abspath(base / word)))):  # noqa: PTH100 (resolve would follow links)
        if path.is_dir():
            yield from (Target(p, _shown(p), named=False) for p in _walk(path, exclude, base))
        elif not _excluded(path, exclude, base):
            yield Target(path, _shown(path), named=True)


def _matches(pattern: str) -> Iterator[Path]:
    """The paths a glob stands for. ``**`` is walked here: the glob module follows links round and round."""
    head, deep, tail = pattern.partition(os.sep + "**")
    if "\0" in pattern:
        return
    if not deep or (tail and not tail.startswith(os.sep)):
        yield from map(Path, glob.glob(pattern))  # noqa: PTH207 (an absolute pattern, too)
        return
    for top in glob.glob(head or os.sep):  # noqa: PTH207
        for root, folders, files in os.walk(top):
            folders[:] = sorted(f for f in folders if not f.startswith(".") and f not in _SKIPPED_FOLDERS)
            if os.sep + "**" in tail:
                yield from _matches(glob.escape(root) + tail)
            elif tail:
                yield from map(Path, glob.glob(glob.escape(root) + tail))  # noqa: PTH207
            else:
                yield from (Path(root, name) for name in files if not name.startswith("."))


def _walk(folder: Path, exclude: Sequence[str], base: Path) -> Iterator[Path]:
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(
            f
            for f in folders
            if not f.startswith(".") and f not in _SKIPPED_FOLDERS and not _excluded(Path(root, f), exclude, base)
        )
        for name in sorted(files):
            path = Path(root, name)
            if _excluded(path, exclude, base) or (path.exists() and not path.is_file()):
                continue  # a pipe or a device would be read without an end
            if fnmatch.fnmatch(name, CASSETTE_NAME) or (name.endswith(".json") and _may_be_listing(path)):
                yield path


def _may_be_listing(path: Path) -> bool:
    """Whether the start of a JSON file has the sign of a saved listing. An unreadable one is kept, to be reported."""
    try:
        with path.open("rb") as file:
            return bool(_LISTING_SIGN.search(file.read(_SNIFF_BYTES)))
    except OSError:
        return False


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
