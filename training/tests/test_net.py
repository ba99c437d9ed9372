"""The net: gradients, masks, sizes, rounding."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch

from kosumi_training import losses
from kosumi_training.batches import Batch, Part, to_batch
from kosumi_training.fixture import random_net
from kosumi_training.losses import Weights
from kosumi_training.net import Net, Outputs, Shape

from .conftest import rows_of

CPU = torch.device("cpu")
SMALL = Shape(channels=32, blocks=2, pooling=(1,), value_channels=32, policy_channels=32, hidden=16)


def batch_of(size: int, count: int, largest: int | None = None, turn: int = 0) -> Batch:
    parts = [Part(size, rows_of(size, count), np.full(count, turn))]
    if largest is not None:
        parts.append(Part(largest, rows_of(largest, 1), np.zeros(1, np.int64)))
    return to_batch(parts, CPU)


def run(net: Net, batch: Batch) -> Outputs:
    outputs: Outputs = net(batch.planes, batch.scalars, batch.mixed)
    return outputs


@pytest.mark.parametrize("quantized", [False, True])
def test_every_weight_gets_a_gradient(quantized: bool) -> None:
    torch.manual_seed(1)
    net = Net(SMALL).train()
    net.quantized = quantized
    batch = batch_of(9, 16)
    losses.compute(run(net, batch), batch, Weights()).total.backward()
    for name, weight in net.named_parameters():
        assert weight.grad is not None, name
        assert torch.isfinite(weight.grad).all(), name
        assert weight.grad.abs().max() > 0, name


def trimmed(outputs: Outputs, count: int, size: int, largest: int) -> Outputs:
    """What is said of the first rows, of the points in the corner."""

    def corner(points: torch.Tensor) -> torch.Tensor:
        return points[:count].reshape(count, largest, largest)[:, :size, :size].flatten(1)

    def moves(points: torch.Tensor) -> torch.Tensor:
        return torch.cat([corner(points[:, :-1]), points[:count, -1:]], dim=1)

    return Outputs(
        policy=moves(outputs.policy),
        reply=moves(outputs.reply),
        results=outputs.results[:count],
        lead=outputs.lead[:count],
        spread=outputs.spread[:count],
        owners=corner(outputs.owners),
    )


@pytest.mark.parametrize("quantized", [False, True])
def test_a_padded_board_gives_the_same_as_alone(quantized: bool) -> None:
    net = random_net(3, SMALL)
    net.quantized = quantized
    with torch.no_grad():
        alone = run(net, batch_of(9, 6))
        padded = trimmed(run(net, batch_of(9, 6, largest=13)), 6, 9, 13)
    for field in dataclasses.fields(Outputs):
        a, b = getattr(alone, field.name), getattr(padded, field.name)
        assert a.abs().max() > 0.01
        assert torch.allclose(a, b, rtol=1e-4, atol=1e-4), field.name


def test_normalisation_sees_no_point_off_the_board() -> None:
    """While it learns, statistics of a batch of padded boards are those of the boards alone."""
    torch.manual_seed(1)
    alone, padded = Net(SMALL).train(), Net(SMALL).train()
    padded.load_state_dict(alone.state_dict())
    batch = batch_of(9, 6)
    wide = batch_of(9, 6, largest=13)
    planes, scalars = wide.planes[:6], wide.scalars[:6]
    a = alone(batch.planes, batch.scalars, False)
    b = trimmed(padded(planes, scalars, True), 6, 9, 13)
    for field in dataclasses.fields(Outputs):
        assert torch.allclose(getattr(a, field.name), getattr(b, field.name), rtol=1e-3, atol=1e-3), field.name
    for (name, one), other in zip(alone.named_buffers(), padded.buffers(), strict=True):
        assert torch.allclose(one, other, rtol=1e-4, atol=1e-4), name


def test_the_loss_of_a_padded_board_is_the_same() -> None:
    net = random_net(3, SMALL)
    with torch.no_grad():
        batch = batch_of(9, 6)
        alone = losses.compute(run(net, batch), batch, Weights())
        wide = batch_of(9, 6, largest=13)
        first = dataclasses.replace(
            wide, **{f.name: getattr(wide, f.name)[:6] for f in dataclasses.fields(Batch) if f.name != "mixed"}
        )
        padded = losses.compute(run(net, first), first, Weights())
    for name in alone.sums:
        assert torch.allclose(alone.sums[name], padded.sums[name], rtol=1e-3, atol=1e-3), name


def test_activations_use_their_range_and_rounding_makes_them_whole() -> None:
    net = random_net(1, SMALL)
    seen: list[torch.Tensor] = []
    for block in net.blocks:
        block.register_forward_hook(lambda module, inputs, output: seen.append(output))
    with torch.no_grad():
        run(net, batch_of(9, 4))
    assert len(seen) == 2
    for units in seen:
        assert torch.equal(units, units.round())
        assert units.min() == 0
        assert 60 < units.max() <= 127


def test_rounding_changes_little() -> None:
    """The float net and its rounded form agree within a quarter of what their outputs vary.

    The outputs of a random net hardly depend on the position; those of a taught one vary far more.
    """
    net = random_net(5, SMALL)
    batch = batch_of(9, 32)
    with torch.no_grad():
        rounded = run(net, batch)
        net.quantized = False
        floats = run(net, batch)
    for field in dataclasses.fields(Outputs):
        a, b = getattr(floats, field.name), getattr(rounded, field.name)
        assert (a - b).square().mean().sqrt() < 0.25 * a.std(), field.name
        assert not torch.equal(a, b), field.name


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"channels": 48}, "channels"),
        ({"value_channels": 0}, "value_channels"),
        ({"blocks": 65}, "blocks"),
        ({"hidden": 0}, "hidden"),
        ({"pooling": (1, 0)}, "pooling"),
        ({"pooling": (2,)}, "pooling"),
        ({"inner_ceiling": 0.0}, "ceiling"),
    ],
)
def test_shapes_that_the_engine_refuses(change: dict[str, object], says: str) -> None:
    assert SMALL.problem() is None
    problem = dataclasses.replace(SMALL, **change).problem()  # type: ignore[arg-type]
    assert problem is not None
    assert says in problem
