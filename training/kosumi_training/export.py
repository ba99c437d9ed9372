"""From a net that has learned to the integers of the weight file."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from kosumi_training import quantize
from kosumi_training.net import Block, Convolution, Net, output_step
from kosumi_training.weights import Array, Description, IntegerNet


@torch.no_grad()
def to_integers(net: Net, description: Description) -> IntegerNet:
    """Folds normalisation into the convolutions and takes everything in whole steps. Raises `WeightsError`.

    Activations are in units on both sides, so a multiplier is the step of the folded weights.
    """
    tensors: dict[str, Array] = {}

    def floats(name: str, values: Tensor) -> None:
        tensors[name] = values.detach().cpu().to(torch.float32).numpy()

    def convolution(name: str, part: Convolution) -> Tensor:
        """Writes a convolution. Gives what shifts of its bias have to be divided by: value of a unit × step."""
        form = part.folded()
        weights = form.weights.cpu().numpy().astype(np.int8)
        tensors[f"{name}.w"] = weights.reshape(weights.shape[:2]) if part.padding == 0 else weights
        tensors[f"{name}.b"] = form.bias.cpu().numpy().astype(np.int32)
        floats(f"{name}.m", form.step)
        return part.scale * form.step

    def output(name: str, vector: Tensor, scale: float) -> None:
        step = output_step(vector)
        tensors[f"{name}_out"] = torch.round(vector / step).flatten().cpu().numpy().astype(np.int16)
        floats(f"{name}_scale", (step * scale).reshape(1))

    unit = convolution("input", net.input)
    floats("input.scalars", net.scalars / unit)
    before = net.input.scale
    for index, block in enumerate(net.blocks):
        assert isinstance(block, Block)
        convolution(f"{index}.first", block.first)
        unit = convolution(f"{index}.second", block.second)
        floats(f"{index}.second.r", torch.tensor([before / block.second.scale]))
        if block.pool is not None:
            floats(f"{index}.second.pool", block.pool * block.first.scale / unit)
        before = block.second.scale
    convolution("value", net.value)
    unit = convolution("policy", net.policy)
    floats("policy.pool", net.policy_pool * net.value.scale / unit)
    output("policy", net.policy_out, net.policy.scale)
    output("owner", net.owner_out, net.value.scale)
    floats("owner_bias", net.owner_bias)
    floats("hidden", net.hidden * net.value.scale)
    floats("hidden_bias", net.hidden_bias)
    floats("results", net.results)
    floats("results_bias", net.results_bias)
    result = IntegerNet(description, tensors)
    result.check()
    return result


# Weights of one byte each; what quantize allows has to fit.
assert np.iinfo(np.int8).max >= quantize.WEIGHT_LIMIT
