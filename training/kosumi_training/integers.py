"""The net in integers, after the text of `docs/net.md` alone: the second opinion on what the engine computes.

Every sum of products of integers is exact, every operation on f32 is one rounding in the order that the document
gives. So results equal those of the engine's kernels bit by bit. It is slow and shares no code with `net`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from kosumi_training.weights import Array, IntegerNet

Floats = npt.NDArray[np.float32]
Integers = npt.NDArray[np.int64]

_BIAS_LIMIT = np.float32(2**28)


@dataclass(frozen=True)
class Answer:
    """What the net says of some positions of one size, before any exponential.

    `logits` `[positions, N + 1]` with the pass last; `results` `[positions, 5]`: win, draw, loss, lead, spread;
    `owners` `[positions, N]`, before the tanh.
    """

    logits: Floats
    results: Floats
    owners: Floats


def product(vector: Floats, matrix: Array, start: Array) -> Floats:
    """`[positions, n]` times `[n, outputs]`: row by row, each product rounded before it is added."""
    out = np.broadcast_to(start.astype(np.float32), (len(vector), matrix.shape[1])).copy()
    for row in range(matrix.shape[0]):
        out = out + vector[:, row : row + 1] * matrix[row]
    return out


def shifted(bias: Array, vector: Floats, matrix: Array) -> Integers:
    """`[positions, outputs]`: a bias, shifted by a matrix times a vector."""
    out = product(vector, matrix, np.zeros(matrix.shape[1], np.float32))
    whole: Integers = np.rint(np.clip(out, -_BIAS_LIMIT, _BIAS_LIMIT)).astype(np.int64)
    return bias.astype(np.int64) + whole


def convolution(x: Integers, weights: Array, start: Integers) -> Integers:
    """Sums of a convolution: `[positions, inputs, size, size]` → `[positions, outputs, size, size]`."""
    if weights.ndim == 2:
        weights = weights[:, :, None, None]
    kernel = weights.shape[2]
    border = kernel // 2
    size = x.shape[2]
    padded = np.pad(x, ((0, 0), (0, 0), (border, border), (border, border)))
    total = np.zeros((len(x), weights.shape[0], size, size), np.float64)
    for row in range(kernel):
        for column in range(kernel):
            seen = padded[:, :, row : row + size, column : column + size].astype(np.float64)
            # Products and sums of such small integers are exact in f64, which multiplies matrices fast.
            total += np.einsum("oi,nihw->nohw", weights[:, :, row, column].astype(np.float64), seen, optimize=True)
    sums = total.astype(np.int64) + start.reshape(-1, weights.shape[0], 1, 1)
    assert np.abs(sums).max() < 2**31, "a sum leaves 32 bits"
    return sums


def activation(sums: Integers, factor: Array, residual: Integers | None = None, ratio: Array | None = None) -> Integers:
    """Sums → 0…127."""
    value = sums.astype(np.float32) * factor.reshape(1, -1, 1, 1)
    if residual is not None and ratio is not None:
        value = value + residual.astype(np.float32) * ratio[0]
    return np.rint(np.clip(value, np.float32(0), np.float32(127))).astype(np.int64)


def pooled(x: Integers) -> Floats:
    """`[positions, channels, size, size]` → `[positions, 3·channels]`."""
    size = x.shape[2]
    mean = x.sum(axis=(2, 3)).astype(np.float32) / np.float32(size * size)
    scaled = mean * ((np.float32(size) - np.float32(14)) / np.float32(10))
    largest = x.max(axis=(2, 3)).astype(np.float32)
    return np.concatenate([mean, scaled, largest], axis=1)


def evaluate(net: IntegerNet, planes: Array, scalars: Floats) -> Answer:
    """Evaluates positions of one size: planes `[positions, 16, N]` of 0 and 1, scalars `[positions, 16]`."""
    t = net.tensors
    size = round(planes.shape[2] ** 0.5)
    grid = planes.reshape(len(planes), planes.shape[1], size, size).astype(np.int64)
    start = shifted(t["input.b"], scalars.astype(np.float32), t["input.scalars"])
    x = activation(convolution(grid, t["input.w"], start), t["input.m"])
    for block in range(net.description.blocks):
        first, second = f"{block}.first", f"{block}.second"
        y = activation(convolution(x, t[f"{first}.w"], t[f"{first}.b"].astype(np.int64)), t[f"{first}.m"])
        start = t[f"{second}.b"].astype(np.int64)
        if block in net.description.pooling:
            start = shifted(t[f"{second}.b"], pooled(y), t[f"{second}.pool"])
        x = activation(convolution(y, t[f"{second}.w"], start), t[f"{second}.m"], x, t[f"{second}.r"])
    v = activation(convolution(x, t["value.w"], t["value.b"].astype(np.int64)), t["value.m"])
    g = pooled(v)
    start = shifted(t["policy.b"], g, t["policy.pool"])
    q = activation(convolution(x, t["policy.w"], start), t["policy.m"])
    moves = np.einsum("nkhw,k->nhw", q, t["policy_out"].astype(np.int64)).reshape(len(planes), -1)
    owners = np.einsum("nkhw,k->nhw", v, t["owner_out"].astype(np.int64)).reshape(len(planes), -1)
    hidden = np.maximum(product(g, t["hidden"], t["hidden_bias"]), np.float32(0))
    results = product(hidden, t["results"], t["results_bias"])
    logits = moves.astype(np.float32) * t["policy_scale"][0]
    return Answer(
        logits=np.concatenate([logits, results[:, 5:6]], axis=1),
        results=results[:, :5],
        owners=owners.astype(np.float32) * t["owner_scale"][0] + t["owner_bias"][0],
    )
