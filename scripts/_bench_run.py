"""Runs a whole program and measures it: wall time and peak memory."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field

MEASURE = """
import os, sys, time

actions = [
    (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
    (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
]
start = time.perf_counter()
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=actions)
_, status, usage = os.wait4(pid, 0)
print(time.perf_counter() - start, usage.ru_maxrss, os.waitstatus_to_exitcode(status))
"""
"""Runs a program: its seconds, peak memory and exit status. It is a process of its own because a program inherits the
peak of the one that starts it; so it must be smaller than anything it measures. The kernel gives the peak of the
largest process: the program itself, or a worker it has waited for."""

RSS_UNIT = 1 if sys.platform == "darwin" else 1024
"""Bytes in what the kernel counts peaks in."""

# A variable that stops Python from keeping what it compiled, say, would be measured too.
ENVIRONMENT = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON") or k == "PYTHONPATH"}


class Failed(Exception):
    """A program did not end well."""


@dataclass
class Program:
    """A command line and what its runs took."""

    command: list[str]
    seconds: list[float] = field(default_factory=list)
    peaks: list[float] = field(default_factory=list)

    def run(self) -> None:
        """Time it once. Raises Failed when its status is not 0."""
        done = start(sys.executable, "-I", "-S", "-c", MEASURE, *self.command)
        seconds, peak, status = done.stdout.split() or ("0", "0", "no status")
        if status != "0":
            raise Failed(f"{' '.join(self.command)} ended with {status}: {done.stderr.strip()[-800:]}")
        self.seconds.append(float(seconds))
        self.peaks.append(int(peak) * RSS_UNIT / (1 << 20))


def start(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, capture_output=True, encoding="utf-8", errors="replace", env=ENVIRONMENT, check=False
    )
