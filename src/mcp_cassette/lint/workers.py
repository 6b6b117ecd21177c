"""Files over processes: results in the order of the files, whatever the number of jobs."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from mcp_cassette.lint.file import FileResult, Job, lint_stream
from mcp_cassette.lint.files import Target, is_cassette
from mcp_cassette.model import Problem, Source

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor

Results: TypeAlias = list[FileResult | Problem]

SMALLEST = 8 * 1024 * 1024
"""Bytes that are worth starting processes for, and a file that is worth splitting."""


def default_jobs() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def lint_targets(targets: Iterable[Target], job: Job, jobs: int) -> Iterator[FileResult | Problem]:
    """The results of the targets, in their order; a problem for one that was passed over. Processes are started only
    where there is enough to read."""
    todo = list(targets)
    if jobs < 2 or sum(map(_size, todo)) < SMALLEST:
        for target in todo:
            yield from _one(target, job)
        return
    # The rules travel once, with the process; a fork has them already, and its automata.
    import multiprocessing  # here, because few runs are large enough, and all start faster without it
    from concurrent.futures import ProcessPoolExecutor
    from concurrent.futures.process import BrokenProcessPool

    context = multiprocessing.get_context("fork" if sys.platform == "linux" else "spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_start, initargs=(job,)) as pool:
        waiting = [(target, _submit(pool, target, job, jobs)) for target in todo]
        for target, gather in waiting:
            try:
                result = gather()
            except BrokenProcessPool:
                result = None
            if result is None:
                yield from _one(target, job)
            else:
                yield from result


def _submit(pool: ProcessPoolExecutor, target: Target, job: Job, jobs: int) -> Callable[[], Results | None]:
    if target.path is None:
        return lambda: None
    if _size(target) >= SMALLEST:
        from mcp_cassette.lint.parts import lint_split

        def submit(function: Callable[..., object], *args: object) -> Future[object]:
            return pool.submit(_with_job, function, *args)

        split = lint_split(target.path, target.shown, job, jobs, submit)

        def gather() -> Results | None:
            result = split()
            return None if result is None else [result]

        return gather
    future: Future[Results] = pool.submit(_whole, target)
    return future.result


_JOB: list[Job] = []
"""The job of a worker process."""


def _start(job: Job) -> None:
    _JOB.append(job)


def _with_job(function: Callable[..., object], *args: object) -> object:
    return function(*args, _JOB[-1])


def _whole(target: Target) -> Results:
    return list(_one(target, _JOB[-1]))


def _one(target: Target, job: Job) -> Iterator[FileResult | Problem]:
    result: FileResult | Problem
    if target.path is None:
        result = lint_stream(target.shown, sys.stdin.buffer, job, named=True)
    else:
        try:
            with target.path.open("rb") as stream:
                result = lint_stream(target.shown, stream, job, named=target.named or is_cassette(target.path.name))
        except OSError as error:
            problem = Problem(target.shown, None, None, f"cannot be read: {error.strerror or error}")
            result = FileResult(Source(target.shown, "unknown"), problems=[problem])
    yield result


def _size(target: Target) -> int:
    """Bytes of a regular file, 0 for anything else."""
    try:
        return target.path.stat().st_size if target.path is not None and target.path.is_file() else 0
    except OSError:
        return 0
