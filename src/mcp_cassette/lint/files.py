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
        if path.is_dir():
            found = [Target(p, _shown(p), named=False) for p in _walk(path, exclude, base)]
            if not found:
                yield Problem(
                    _shown(path), None, None, f"nothing to lint: no {CASSETTE_NAME} and no saved listing in this folder"
                )
        elif path.exists():
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
    for match in sorted(glob.glob(str(base / word), recursive=True)):  # noqa: PTH207 (an absolute pattern, too)
        path = Path(match)
        if path.is_dir():
            yield from (Target(p, _shown(p), named=False) for p in _walk(path, exclude, base))
        elif not _excluded(path, exclude, base):
            yield Target(path, _shown(path), named=True)


def _walk(folder: Path, exclude: Sequence[str], base: Path) -> Iterator[Path]:
    for root, folders, files in os.walk(folder):
        folders[:] = sorted(
            f
            for f in folders
            if not f.startswith(".") and f not in _SKIPPED_FOLDERS and not _excluded(Path(root, f), exclude, base)
        )
        for name in sorted(files):
            path = Path(root, name)
            if _excluded(path, exclude, base):
                continue
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
    return any(
        fnmatch.fnmatch(relative, pattern.rstrip("/"))
        or fnmatch.fnmatch(path.name, pattern)
        or fnmatch.fnmatch(relative, pattern.rstrip("/") + "/*")
        for pattern in exclude
    )


def _shown(path: Path) -> str:
    """The path as it is printed: relative to the working directory where it is under it, with forward slashes."""
    relative = os.path.relpath(path)
    return (str(path) if relative.startswith("..") and path.is_absolute() else relative).replace(os.sep, "/")
