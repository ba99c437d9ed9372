"""The integer net: exact by itself, and the same as the rounded float net."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import torch

from kosumi_training import integers
from kosumi_training.export import to_integers
from kosumi_training.fixture import random_net
from kosumi_training.net import Block, Net, Shape
from kosumi_training.weights import Description, IntegerNet, Origin

from .test_net import SMALL, batch_of, run

SHAPES = [
    SMALL,
    Shape(channels=64, blocks=3, pooling=(0, 2), value_channels=32, policy_channels=64, hidden=24),
]


def exported(net: Net) -> IntegerNet:
    return to_integers(net, Description.of(net.shape, "test", [9], ["chinese"], Origin("none", 0, "none")))


def planes_of(batch_planes: torch.Tensor) -> np.ndarray:
    return batch_planes.flatten(2).numpy().astype(np.uint8)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("size", [2, 9, 19])
def test_integers_equal_the_rounded_floats(shape: Shape, size: int) -> None:
    """Sums of f32 in another order may move one activation in ten thousand by one step, outputs by 0.02."""
    net = random_net(2, shape)
    batch = batch_of(size, 4)
    with torch.no_grad():
        floats = run(net, batch)
    answer = integers.evaluate(exported(net), planes_of(batch.planes), batch.scalars.numpy())
    assert answer.logits.std() > 0.05
    assert np.abs(answer.logits - floats.policy.numpy()).max() < 0.02
    assert np.abs(answer.results[:, :3] - floats.results.numpy()).max() < 0.02
    assert np.abs(answer.results[:, 3] - floats.lead.numpy()).max() < 0.02
    assert np.abs(answer.results[:, 4] - floats.spread.numpy()).max() < 0.02
    assert np.abs(answer.owners - floats.owners.numpy()).max() < 0.02


def test_activations_are_equal_layer_by_layer() -> None:
    net = random_net(2, SMALL)
    batch = batch_of(9, 4)
    exact = exported(net).tensors
    with torch.no_grad():
        start = integers.shifted(exact["input.b"], batch.scalars.numpy(), exact["input.scalars"])
        sums = integers.convolution(batch.planes.numpy().astype(np.int64), exact["input.w"], start)
        ours = integers.activation(sums, exact["input.m"])
        seen: list[torch.Tensor] = []
        net.input.register_forward_hook(lambda module, inputs, output: seen.append(output))
        block = net.blocks[0]
        assert isinstance(block, Block)
        block.register_forward_hook(lambda module, inputs, output: seen.append(output))
        run(net, batch)
        unequal = (seen[0].numpy() != ours).mean()
        assert unequal < 1e-4
        inner = integers.activation(
            integers.convolution(ours, exact["0.first.w"], exact["0.first.b"].astype(np.int64)), exact["0.first.m"]
        )
        sums = integers.convolution(inner, exact["0.second.w"], exact["0.second.b"].astype(np.int64))
        ours = integers.activation(sums, exact["0.second.m"], ours, exact["0.second.r"])
        assert (seen[1].numpy() != ours).mean() < 1e-3
        assert np.abs(seen[1].numpy() - ours).max() <= 1


def test_a_convolution_equals_plain_loops() -> None:
    generator = np.random.default_rng(1)
    x = generator.integers(0, 128, (2, 3, 4, 4))
    weights = generator.integers(-127, 128, (5, 3, 3, 3)).astype(np.int8)
    start = generator.integers(-1000, 1000, 5)
    ours = integers.convolution(x, weights, start)
    for n, o, row, column in itertools.product(range(2), range(5), range(4), range(4)):
        total = int(start[o])
        for i, ky, kx in itertools.product(range(3), range(3), range(3)):
            r, c = row + ky - 1, column + kx - 1
            if 0 <= r < 4 and 0 <= c < 4:
                total += int(weights[o, i, ky, kx]) * int(x[n, i, r, c])
        assert ours[n, o, row, column] == total


def test_the_largest_sums_are_exact() -> None:
    """256 channels of the largest weights and activations: far above what an f32 counts exactly."""
    x = np.full((1, 256, 3, 3), 127)
    weights = np.full((1, 256, 3, 3), 127, np.int8)
    assert integers.convolution(x, weights, np.array([1]))[0, 0, 1, 1] == 256 * 9 * 127 * 127 + 1


def test_products_are_rounded_one_by_one() -> None:
    """2²⁴ + 1 − 2²⁴ is 0 where each sum is rounded to f32, and 1 where it is not."""
    vector = np.array([[2.0**24, 1.0, -(2.0**24)]], np.float32)
    matrix = np.ones((3, 1), np.float32)
    assert integers.product(vector, matrix, np.zeros(1, np.float32))[0, 0] == 0.0
    # Halves go to the even neighbour.
    shifted = integers.shifted(np.array([10]), np.array([[2.5]], np.float32), np.ones((1, 1), np.float32))
    assert shifted[0, 0] == 12


def test_activations_clip_and_round_halves_to_even() -> None:
    sums = np.array([-5, 1, 3, 5, 1000]).reshape(1, 1, 1, 5)
    values = integers.activation(sums, np.array([0.5], np.float32))
    assert values.reshape(-1).tolist() == [0, 0, 2, 2, 127]
    residual = np.array([10, 10, 10, 10, 10]).reshape(1, 1, 1, 5)
    values = integers.activation(sums, np.array([0.5], np.float32), residual, np.array([0.25], np.float32))
    assert values.reshape(-1).tolist() == [0, 3, 4, 5, 127]


def test_pooling_is_mean_scaled_mean_and_maximum() -> None:
    x = np.arange(16).reshape(1, 1, 4, 4)
    assert integers.pooled(x).tolist() == [[7.5, -7.5, 15.0]]
    x = np.arange(4).reshape(1, 1, 2, 2)
    assert integers.pooled(x)[0].tolist() == [1.5, np.float32(1.5) * (np.float32(-12) / np.float32(10)), 3.0]
