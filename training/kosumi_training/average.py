"""Averaged weights: an exponential mean over the last steps, which plays better than the last step alone."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Average:
    """An exponential moving average of everything in a module's state: weights and running statistics.

    `decay` is what stays of the old mean at a step. Early on less stays, so that the first random weights do not
    linger: at step t at most (1 + t) / (10 + t), as TensorFlow's ExponentialMovingAverage does it.
    """

    def __init__(self, module: nn.Module, decay: float) -> None:
        self.decay = decay
        self.steps = 0
        self.mean = {name: value.detach().clone() for name, value in module.state_dict().items()}

    @torch.no_grad()
    def update(self, module: nn.Module) -> None:
        """Takes the weights of one more step in."""
        keep = min(self.decay, (1 + self.steps) / (10 + self.steps))
        self.steps += 1
        values = module.state_dict()
        means: list[Tensor] = []
        news: list[Tensor] = []
        for name, mean in self.mean.items():
            if mean.is_floating_point():
                means.append(mean)
                news.append(values[name].detach())
            else:
                mean.copy_(values[name])
        torch._foreach_lerp_(means, news, 1.0 - keep)

    def copy_to(self, module: nn.Module) -> None:
        """Puts the mean into a module of the same shape."""
        module.load_state_dict(self.mean)

    def state_dict(self) -> dict[str, object]:
        """What `load_state_dict` needs to go on."""
        return {"steps": self.steps, "mean": self.mean}

    def load_state_dict(self, state: dict[str, object]) -> None:
        """Goes on from a saved mean."""
        mean, steps = state["mean"], state["steps"]
        assert isinstance(mean, dict)
        assert isinstance(steps, int)
        for name, value in self.mean.items():
            value.copy_(mean[name])
        self.steps = steps
