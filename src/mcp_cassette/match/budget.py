"""Time limits. Lint input is text an attacker wrote: no expression runs on it without an end."""

from __future__ import annotations

from time import process_time

BASE_SECONDS = 0.4
SECONDS_PER_MILLION = 2.0
"""What a rule may spend on one text: a base, and more for a long one. Seconds of this process, as ``regex`` counts its
timeouts, so that how busy the machine is decides nothing. The dearest bundled rule takes half a second a million."""


class OutOfBudget(Exception):
    """A rule used up its time on a text. Always reported, never a silent pass."""


class Budget:
    """The time one rule has for one text, counted over all its patterns."""

    __slots__ = ("left",)

    def __init__(self, length: int) -> None:
        self.left = BASE_SECONDS + SECONDS_PER_MILLION * length / 1_000_000

    def start(self) -> float:
        """The time now, to hand back to ``spend``. Raises OutOfBudget when nothing is left."""
        if self.left <= 0.001:
            raise OutOfBudget
        return process_time()

    def spend(self, started: float) -> None:
        self.left -= process_time() - started
