"""A larger net that begins with what a smaller one knows.

The larger net says the same as the smaller one, but for the rounding of sums. New channels get random weights, and what
is read from them begins with weights of zero. New blocks change nothing at first. The idea is that of Net2Net (Chen,
Goodfellow and Shlens 2016), with new channels in place of copied ones.
"""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor

from kosumi_training.net import Net, Shape

# Channels of the inputs and outputs of a tensor, as places of the old channels among the new ones.
Places = Tensor


def places_of_blocks(old: Shape, new: Shape) -> list[int] | None:
    """For each old block the new one that takes its weights, in order and of the same kind; None if there is no way."""
    places: list[int] = []
    for index in range(old.blocks):
        first = places[-1] + 1 if places else 0
        kind = index in old.pooling
        place = next((new_one for new_one in range(first, new.blocks) if (new_one in new.pooling) == kind), None)
        if place is None:
            return None
        places.append(place)
    return places


def problem(old: Shape, new: Shape) -> str | None:
    """Why a net of one shape cannot become one of the other, or nothing."""
    for name in ("channels", "value_channels", "policy_channels", "hidden"):
        if getattr(new, name) < getattr(old, name):
            return f"{name} = {getattr(new, name)} is less than the {getattr(old, name)} of the net to begin with"
    for name in ("inner_ceiling", "trunk_ceiling"):
        if getattr(new, name) != getattr(old, name):
            return f"{name} = {getattr(new, name)} is not the {getattr(old, name)} of the net to begin with"
    if places_of_blocks(old, new) is None:
        return (
            f"{new.blocks} blocks with pooling in {list(new.pooling)} do not hold, in order, "
            f"the {old.blocks} blocks with pooling in {list(old.pooling)} of the net to begin with"
        )
    return None


def pooled(count: int, larger: int) -> Places:
    """The places of channels after pooling, which gives three numbers for each."""
    return torch.cat([torch.arange(count) + part * larger for part in range(3)])


def lay(target: Tensor, source: Tensor, outputs: Places, inputs: Places) -> None:
    """Puts old weights `[outputs][inputs]…` among new ones. Old outputs read nothing from new inputs."""
    target[outputs] = 0.0
    # A saved state lies in the memory of the processor; the net may already lie on a GPU.
    target[outputs.unsqueeze(1), inputs.unsqueeze(0)] = source.to(target.device)


@torch.no_grad()
def grow(weights: Mapping[str, Tensor], old: Shape, new: Net) -> None:
    """Puts the weights of a smaller net into a new, random one. `problem` has to have found nothing."""
    shape = new.shape
    blocks = places_of_blocks(old, shape)
    assert blocks is not None
    # The tensors are those of the net itself.
    target = new.state_dict()
    trunk, hidden = torch.arange(old.channels), torch.arange(old.hidden)
    values, moves = torch.arange(old.value_channels), torch.arange(old.policy_channels)

    def convolution(name: str, source: str, outputs: Places, inputs: Places) -> None:
        lay(target[f"{name}.weight"], weights[f"{source}.weight"], outputs, inputs)
        for part in ("gamma", "beta", "running_mean", "running_var"):
            kept = target[f"{name}.{part}"]
            kept[outputs] = weights[f"{source}.{part}"].to(kept.device)

    def matrix(name: str, source: str, inputs: Places, outputs: Places) -> None:
        lay(target[name].T, weights[source].T, outputs, inputs)

    convolution("input", "input", trunk, torch.arange(weights["input.weight"].shape[1]))
    matrix("scalars", "scalars", torch.arange(weights["scalars"].shape[0]), trunk)
    for index in range(shape.blocks):
        name = f"blocks.{index}"
        if index not in blocks:
            # The block gives what it gets until it has learned something.
            target[f"{name}.second.gamma"].zero_()
            if f"{name}.pool" in target:
                target[f"{name}.pool"].zero_()
            continue
        source = f"blocks.{blocks.index(index)}"
        convolution(f"{name}.first", f"{source}.first", trunk, trunk)
        convolution(f"{name}.second", f"{source}.second", trunk, trunk)
        if f"{name}.pool" in target:
            matrix(f"{name}.pool", f"{source}.pool", pooled(old.channels, shape.channels), trunk)
    convolution("value", "value", values, trunk)
    convolution("policy", "policy", moves, trunk)
    pooled_values = pooled(old.value_channels, shape.value_channels)
    matrix("policy_pool", "policy_pool", pooled_values, moves)
    matrix("hidden", "hidden", pooled_values, hidden)
    target["hidden_bias"][hidden] = weights["hidden_bias"].to(target["hidden_bias"].device)
    matrix("results", "results", hidden, torch.arange(weights["results"].shape[1]))
    for name, inputs in (("policy_out", moves), ("reply_out", moves), ("owner_out", values), ("reply_pass", hidden)):
        matrix(name, name, inputs, torch.arange(1))
    for name in ("results_bias", "owner_bias"):
        target[name].copy_(weights[name])
