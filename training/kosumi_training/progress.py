"""The line that tells how a run goes, rewritten in place on a terminal and written now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO


def duration(seconds: float) -> str:
    """A time in words: `45 s`, `12 min`, `3 h 05 min`, `2 d 04 h`."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 90:
        return f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    if hours < 48:
        return f"{hours} h {minutes:02} min"
    days, hours = divmod(hours, 24)
    return f"{days} d {hours:02} h"


class Progress:
    """Collects losses between two lines and prints their means, the rate, and the time that is left."""

    def __init__(
        self,
        steps: int,
        every: float,
        out: TextIO | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self.steps = steps
        self.out = sys.stderr if out is None else out
        self.now = now
        self.terminal = self.out.isatty()
        self.every = every
        # The means of the last line.
        self.last: dict[str, float] = {}
        self.sums: dict[str, float] = {}
        self.counts: dict[str, int] = {}
        self.samples = 0
        self.since: float | None = None
        self.since_step = 0

    def step(self, step: int, samples: int, losses: dict[str, float]) -> bool:
        """Takes one step in, which counts from 0; prints a line and says so if it is time.

        The first step only starts the clock: it is slower than the others.
        """
        if self.since is None:
            self.since, self.since_step = self.now(), step + 1
            return False
        self.samples += samples
        for name, value in losses.items():
            self.sums[name] = self.sums.get(name, 0.0) + value
            self.counts[name] = self.counts.get(name, 0) + 1
        passed = self.now() - self.since
        if passed < self.every:
            return False
        self.print_line(step + 1, passed)
        return True

    def rest(self) -> bool:
        """The losses since the last line become those of the last line; says whether there were any."""
        if not self.counts:
            return False
        self.last = {name: total / self.counts[name] for name, total in self.sums.items()}
        self.sums.clear()
        self.counts.clear()
        return True

    def print_line(self, done: int, passed: float) -> None:
        """Prints the line and starts the next one."""
        rate = (done - self.since_step) / passed
        left = duration((self.steps - done) / rate)
        self.last = {name: total / self.counts[name] for name, total in self.sums.items()}
        means = " ".join(f"{name} {value:.3f}" for name, value in self.last.items())
        line = f"step {done}/{self.steps} · {self.samples / passed:.0f} samples/s · {means} · {left} left"
        self.write(line, stays=not self.terminal)
        self.sums.clear()
        self.counts.clear()
        self.samples = 0
        self.since, self.since_step = self.now(), done

    def note(self, text: str) -> None:
        """Prints a line that stays."""
        self.write(text, stays=True)

    def write(self, text: str, stays: bool) -> None:
        """Writes a line; one that does not stay is overwritten by the next."""
        start = "\r\x1b[K" if self.terminal else ""
        self.out.write(f"{start}{text}" + ("\n" if stays else ""))
        self.out.flush()
