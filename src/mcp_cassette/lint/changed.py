"""Which files changed against a git revision. git is asked; what it cannot know about a file counts as a change."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from mcp_cassette.errors import UsageError
from mcp_cassette.lint.files import Target
from mcp_cassette.model import Problem

OPTION = "--changed-since"
_SECONDS = 120
"""More than git takes in the largest of repositories; without an end a hook could hang for ever."""
# A repository can name a program that watches its files, and where names start: what is asked here needs neither.
_QUIET = ("-c", "core.fsmonitor=false", "-c", "diff.relative=false")


@dataclass(frozen=True, slots=True)
class Changes:
    """The work tree, and absolute paths in it that changed. One of a folder (a submodule, a repository in the
    repository) stands for every file below."""

    top: str
    paths: frozenset[str]

    def has(self, path: Path) -> bool:
        """Whether a file changed, or is none that git could have a revision of."""
        here = os.path.abspath(path)  # noqa: PTH100 (resolve would follow links)
        # A link is what git has a revision of; what it leads to is what is linted. Either may have changed.
        parent, name = os.path.split(here)
        real = os.path.realpath(here)
        names = {here, os.path.join(os.path.realpath(parent), name), real}  # noqa: PTH118
        return not real.startswith(self.top.rstrip(os.sep) + os.sep) or any(self._changed(n) for n in names)

    def _changed(self, path: str) -> bool:
        while len(path) > len(self.top):
            if path in self.paths:
                return True
            path = os.path.dirname(path)  # noqa: PTH120
        return False


def changed_since(ref: str, folder: Path) -> Changes:
    """What differs between a revision and the work tree around ``folder``, untracked files that are not ignored
    included, deleted ones not. Raises UsageError when that cannot be told."""
    if not ref or ref.startswith("-") or "\0" in ref:
        raise UsageError(f"{OPTION}: {ref!r} is no revision")
    top = os.fsdecode(_git(folder, "rev-parse", "--show-toplevel").removesuffix(b"\n"))
    try:
        tree = _git(folder, "rev-parse", "--verify", "--quiet", f"{ref}^{{tree}}").decode("ascii").strip()
    except UsageError:
        raise UsageError(f"{OPTION}: there is no revision {ref!r} in {top}") from None
    differ = _git(
        folder,
        *("diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--diff-filter=d"),
        *("--ignore-submodules=none", tree, "--"),
    )
    untracked = _git(folder, "ls-files", "--others", "--exclude-standard", "--full-name", "-z", "--", ":/")
    names = {os.fsdecode(name) for name in (differ + untracked).split(b"\0") if name}
    return Changes(top, frozenset(os.path.join(top, name.rstrip("/")) for name in names))  # noqa: PTH118


def only_changed(
    targets: Iterable[Target | Problem], changes: Changes, ref: str
) -> tuple[Sequence[Target | Problem], str]:
    """The targets that changed (problems stay, and so does standard input), and what to say about the others."""
    every = list(targets)
    kept = [t for t in every if isinstance(t, Problem) or t.path is None or changes.has(t.path)]
    files, left = (sum(isinstance(t, Target) for t in some) for some in (every, kept))
    of = f"{files} file{'' if files == 1 else 's'}"
    return kept, f"{OPTION} {ref}: {left or 'none'} of {of} changed"


def _git(folder: Path, *words: str) -> bytes:
    """What a git command prints. Raises UsageError with git's own first words when it fails."""
    settled = {"LC_ALL": "C", "GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_LITERAL_PATHSPECS": "0"}
    try:
        done = subprocess.run(
            ["git", *_QUIET, *words],
            cwd=folder,
            env=os.environ | settled,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_SECONDS,
            check=False,
        )
    except FileNotFoundError:
        raise UsageError(f"{OPTION} asks git, and there is no git here") from None
    except OSError as error:
        raise UsageError(f"{OPTION}: git cannot be run: {error.strerror or error}") from None
    except subprocess.TimeoutExpired:
        raise UsageError(f"{OPTION}: git did not answer within {_SECONDS} seconds") from None
    if done.returncode:
        reason = done.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise UsageError(f"{OPTION}: git: {reason or f'exit status {done.returncode}'}")
    return done.stdout
