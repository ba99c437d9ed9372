"""A larger net that begins with a smaller one says the same, and learns everywhere."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch

from kosumi_training import growth, losses
from kosumi_training.batches import Part, to_batch
from kosumi_training.fixture import random_net
from kosumi_training.losses import Weights
from kosumi_training.net import Net, Outputs, Shape
from kosumi_training.trainer import optimizer_of

from .conftest import rows_of

OLD = Shape(channels=32, blocks=2, pooling=(1,), value_channels=32, policy_channels=32, hidden=16)
NEW = Shape(channels=64, blocks=4, pooling=(1, 2), value_channels=64, policy_channels=96, hidden=24)
BATCH = to_batch([Part(9, rows_of(9, 32), np.zeros(32, np.int64))], torch.device("cpu"))


def grown(new: Shape = NEW) -> tuple[Net, Net]:
    torch.manual_seed(1)
    small, large = random_net(1, OLD), Net(new)
    growth.grow(small.state_dict(), OLD, large)
    return small.eval(), large.eval()


def run(net: Net) -> Outputs:
    outputs: Outputs = net(BATCH.planes, BATCH.scalars, BATCH.mixed)
    return outputs


@pytest.mark.parametrize("quantized", [False, True])
def test_a_grown_net_says_what_the_small_one_says(quantized: bool) -> None:
    small, large = grown()
    small.quantized = large.quantized = quantized
    with torch.no_grad():
        before, after = run(small), run(large)
    for field in dataclasses.fields(Outputs):
        old, new = getattr(before, field.name), getattr(after, field.name)
        assert old.std() > 0, field.name
        torch.testing.assert_close(new, old, rtol=1e-3, atol=1e-3, msg=field.name)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a GPU")
def test_a_net_on_a_gpu_grows_from_a_state_that_lies_elsewhere() -> None:
    small, large = grown()
    there = Net(NEW).to("cuda")
    growth.grow(small.state_dict(), OLD, there)
    torch.testing.assert_close(there.policy_out.cpu()[: OLD.policy_channels], large.policy_out[: OLD.policy_channels])


def test_every_weight_of_a_grown_net_learns() -> None:
    _, net = grown()
    net.train()
    before = {name: weight.detach().clone() for name, weight in net.named_parameters()}
    optimizer = optimizer_of(net, 0.0)
    for group in optimizer.param_groups:
        group["lr"] = 1e-3
    for _ in range(3):
        optimizer.zero_grad()
        losses.compute(run(net), BATCH, Weights()).total.backward()
        optimizer.step()
    for name, weight in net.named_parameters():
        changed = (weight != before[name]).flatten(1).any(dim=1) if weight.dim() > 1 else weight != before[name]
        if name in ("hidden", "hidden_bias", "results", "reply_pass"):
            # In a random net, a hidden number may be below zero for every row; such a number learns nothing.
            assert changed.any(), name
        else:
            assert changed.all(), name


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        (NEW, OLD, "channels = 32 is less than the 64"),
        (OLD, dataclasses.replace(NEW, hidden=8), "hidden = 8 is less than the 16"),
        (OLD, dataclasses.replace(NEW, trunk_ceiling=4.0), r"trunk_ceiling = 4\.0 is not the 8\.0"),
        (OLD, dataclasses.replace(NEW, pooling=(0,)), r"4 blocks with pooling in \[0\] do not hold"),
        (OLD, dataclasses.replace(NEW, blocks=2, pooling=(1,)), None),
        (OLD, NEW, None),
    ],
)
def test_which_shapes_can_grow(old: Shape, new: Shape, says: str | None) -> None:
    problem = growth.problem(old, new)
    if says is None:
        assert problem is None
    else:
        assert problem is not None
        with pytest.raises(AssertionError, match=says):
            raise AssertionError(problem)
