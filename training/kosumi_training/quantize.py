"""Rounding that gradients pass through as if it were not there (straight-through estimator).

Yoshua Bengio, Nicholas Léonard, Aaron Courville, *Estimating or Propagating Gradients Through Stochastic Neurons for
Conditional Computation*, 2013.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

# Largest weight and largest activation of the integers (docs/net.md, "Arithmetic").
WEIGHT_LIMIT = 127
ACTIVATION_LIMIT = 127
# Largest bias.
BIAS_LIMIT = 2**28
# Largest entry of the i16 vectors at the ends of the policy and of the ownership.
OUTPUT_LIMIT = 32767
# The smallest multiplier. A channel whose weights would need a smaller one is next to dead: with this step its
# weights are rounded by at most 5·10⁻⁶, which 576 inputs of 127 turn into a fiftieth of one unit of its output. The
# bound keeps biases within ±2²⁸ up to 2684 units, twenty times the clip.
SMALLEST_STEP = 1e-5


class _Round(torch.autograd.Function):
    """`round`, whose gradient is that of the identity."""

    @staticmethod
    def forward(ctx: Any, value: Tensor) -> Tensor:
        """Rounds halves to the even neighbour, as `rint` does."""
        return torch.round(value)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        """Passes the gradient on."""
        return gradients[0]


def rounded(value: Tensor) -> Tensor:
    """The nearest integer; gradients pass through."""
    result: Tensor = _Round.apply(value)
    return result


def steps(weights: Tensor) -> Tensor:
    """`[outputs]`: for each output the step of its integer weights, the largest weight divided by 127."""
    largest = weights.detach().abs().flatten(1).amax(dim=1)
    return (largest / WEIGHT_LIMIT).clamp(min=SMALLEST_STEP)


def integers(weights: Tensor, step: Tensor) -> Tensor:
    """Weights in whole steps; gradients pass through."""
    shape = (-1,) + (1,) * (weights.dim() - 1)
    return rounded((weights / step.view(shape)).clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT))
