"""The learning rate at each step, and when fake quantisation begins."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Schedule:
    """Linear warm-up to the peak, then half a cosine down to `final_share` of it.

    A cosine needs the number of steps beforehand. A run that is to go on is started again with more steps: the rate
    then rises to what the longer schedule says for that step. A run by the clock (`--minutes`) has the same schedule:
    its step is then the share of the time that is over, times `steps`, and no whole number.
    """

    steps: int
    peak: float
    warm_up: int
    final_share: float
    quantized_share: float

    def rate(self, step: float) -> float:
        """Learning rate of the step, which counts from 0."""
        if step < self.warm_up:
            return self.peak * (step + 1) / self.warm_up
        done = min(1.0, (step - self.warm_up) / max(1, self.steps - self.warm_up))
        cosine = 0.5 * (1.0 + math.cos(math.pi * done))
        return self.peak * (self.final_share + (1.0 - self.final_share) * cosine)

    @property
    def first_quantized(self) -> int:
        """The first step whose forward pass is rounded as the integers round."""
        return self.steps - round(self.steps * self.quantized_share)

    def is_quantized(self, step: float) -> bool:
        """Whether the forward pass of the step is rounded."""
        return step >= self.first_quantized
