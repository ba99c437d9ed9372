"""The net while it learns: the shape of `docs/net.md` in floating point, and rounded as the integers round.

Activations are in units of the integers from the start: 0…127 after a clipped ReLU, where 127 stands for the tensor's
ceiling. `Net.quantized` turns rounding on: batch normalisation is then frozen and folded into the weights, and
weights, biases and activations take whole steps, through which gradients pass (`quantize`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from kosumi_training import quantize
from kosumi_training.rows import PLANES, SCALARS

# Running statistics keep 1 − 0.05 of the old at a step: a guess; they follow twenty steps.
MOMENTUM = 0.05
EPSILON = 1e-5
# The result's outputs: win, draw, loss, lead, spread, pass.
RESULTS = 6
# The logarithm of the spread that a net begins with: twelve points, about what it is before anything is known.
FIRST_SPREAD = 2.5
# Pooling measures how far a size is from 14, in tens (docs/net.md, after KataGo).
MIDDLE_SIZE = 14.0
# A size of 20 points makes leads numbers about as large as the others.
POINTS_PER_LEAD = 20.0


@dataclass(frozen=True)
class Shape:
    """The sizes of the net, and the ceilings: what an activation of 127 stands for."""

    channels: int
    blocks: int
    pooling: tuple[int, ...]
    value_channels: int
    policy_channels: int
    hidden: int
    # Normalised sums are within ±4 with next to no exception; the trunk adds up several of them. Both are guesses.
    inner_ceiling: float = 4.0
    trunk_ceiling: float = 8.0

    def problem(self) -> str | None:
        """What the engine would refuse, or nothing."""
        for name in ("channels", "value_channels", "policy_channels"):
            count = getattr(self, name)
            if count % 32 or not 32 <= count <= 256:
                return f"{name} = {count}: a multiple of 32 from 32 to 256 is needed"
        if not 1 <= self.blocks <= 64:
            return f"blocks = {self.blocks}: 1 to 64 are possible"
        if not 1 <= self.hidden <= 256:
            return f"hidden = {self.hidden}: 1 to 256 are possible"
        if list(self.pooling) != sorted(set(self.pooling)) or any(not 0 <= b < self.blocks for b in self.pooling):
            return f"pooling = {list(self.pooling)}: blocks from 0 in ascending order are needed"
        if self.inner_ceiling <= 0 or self.trunk_ceiling <= 0:
            return "a ceiling has to be above 0"
        return None


@dataclass(frozen=True)
class Board:
    """Which points of a batch lie on the board, and how large each board is.

    `mask` is `[batch, 1, rows, columns]`, or None where every point of the batch is on the board.
    """

    mask: Tensor | None
    points: Tensor
    size: Tensor

    @staticmethod
    def of(planes: Tensor, mixed: bool) -> Board:
        """Reads plane 0, which is 1 on the board."""
        on_board = planes[:, :1]
        points = on_board.float().sum(dim=(1, 2, 3)).unsqueeze(1)
        return Board(on_board if mixed else None, points, points.sqrt())

    def pool(self, units: Tensor) -> Tensor:
        """`[batch, 3·channels]`: mean, mean × (size − 14)/10, and maximum of each channel."""
        # Off the board activations are 0: nothing to the sum, and no activation is below.
        mean = units.float().sum(dim=(2, 3)) / self.points
        scaled = mean * ((self.size - MIDDLE_SIZE) / 10.0)
        return torch.cat([mean, scaled, units.amax(dim=(2, 3)).float()], dim=1)


@dataclass(frozen=True)
class Folded:
    """A convolution as the integers have it, still in floats: weights in whole steps, bias in steps, the steps."""

    weights: Tensor
    bias: Tensor
    step: Tensor


class Convolution(nn.Module):
    """A convolution, batch normalisation, perhaps a shift and a residual, and the clipped ReLU.

    Inputs and outputs are in units; `scale` is what one unit of the output stands for.
    """

    running_mean: Tensor
    running_var: Tensor

    def __init__(self, inputs: int, outputs: int, kernel: int, ceiling: float, gain: float = 1.0) -> None:
        super().__init__()
        self.scale = ceiling / quantize.ACTIVATION_LIMIT
        self.padding = kernel // 2
        self.weight = nn.Parameter(torch.empty(outputs, inputs, kernel, kernel))
        nn.init.kaiming_normal_(self.weight, nonlinearity="relu")
        self.gamma = nn.Parameter(torch.full((outputs,), gain))
        self.beta = nn.Parameter(torch.zeros(outputs))
        self.register_buffer("running_mean", torch.zeros(outputs))
        self.register_buffer("running_var", torch.ones(outputs))

    def normalized(self, sums: Tensor, board: Board) -> Tensor:
        """Batch normalisation over the points of the boards, in units of the output."""
        gamma, beta = self.gamma / self.scale, self.beta / self.scale
        if board.mask is None or not self.training:
            mean, var = self.running_mean, self.running_var
            return F.batch_norm(sums, mean, var, gamma, beta, self.training, MOMENTUM, EPSILON)
        sums = sums.float()
        count = board.points.sum()
        mean = (sums * board.mask).sum(dim=(0, 2, 3)) / count
        centred = (sums - mean.view(1, -1, 1, 1)) * board.mask
        var = centred.square().sum(dim=(0, 2, 3)) / count
        with torch.no_grad():
            self.running_mean.lerp_(mean, MOMENTUM)
            self.running_var.lerp_(var * (count / (count - 1)), MOMENTUM)
        factor = gamma * torch.rsqrt(var + EPSILON)
        return centred * factor.view(1, -1, 1, 1) + beta.view(1, -1, 1, 1)

    def folded(self) -> Folded:
        """The normalisation folded into weights and bias, all in whole steps."""
        factor = self.gamma * torch.rsqrt(self.running_var + EPSILON) / self.scale
        weights = self.weight * factor.view(-1, 1, 1, 1)
        bias = self.beta / self.scale - factor * self.running_mean
        step = quantize.steps(weights)
        limit = float(quantize.BIAS_LIMIT)
        return Folded(quantize.integers(weights, step), quantize.rounded((bias / step).clamp(-limit, limit)), step)

    def forward(
        self,
        units: Tensor,
        board: Board,
        quantized: bool,
        shift: Tensor | None = None,
        residual: Tensor | None = None,
        ratio: float = 1.0,
    ) -> Tensor:
        """Units to units. `shift` is `[batch, outputs]`, in values; `residual` is in units of its own tensor."""
        if quantized:
            form = self.folded()
            start = form.bias.unsqueeze(0)
            if shift is not None:
                start = start + quantize.rounded(shift / (self.scale * form.step))
            sums = F.conv2d(units, form.weights, padding=self.padding).float() + start[:, :, None, None]
            result = sums * form.step.view(1, -1, 1, 1)
        else:
            result = self.normalized(F.conv2d(units, self.weight, padding=self.padding), board)
            if shift is not None:
                result = result + (shift / self.scale).to(result.dtype)[:, :, None, None]
        if residual is not None:
            result = result + (residual if ratio == 1.0 else residual * ratio)
        # Not `clamp`: its gradient takes three passes over memory, a sixth of the time of a step on a CPU.
        result = F.hardtanh(result, 0.0, float(quantize.ACTIVATION_LIMIT))
        if quantized:
            result = quantize.rounded(result)
        return result if board.mask is None else result * board.mask


def matrix(inputs: int, outputs: int, gain: float = 1.0) -> nn.Parameter:
    """`[inputs, outputs]`, random so that outputs are `gain` times as large as the inputs."""
    return nn.Parameter(torch.randn(inputs, outputs) * (gain / inputs**0.5))


class Block(nn.Module):
    """A residual block of two convolutions; with pooling, what the first gives moves the bias of the second."""

    def __init__(self, shape: Shape, pooling: bool) -> None:
        super().__init__()
        self.first = Convolution(shape.channels, shape.channels, 3, shape.inner_ceiling)
        # A block begins as a small change of what it gets, so that the trunk does not overflow its ceiling.
        # The gain is a guess: several blocks add up to about what the input gave.
        gain = shape.blocks**-0.5
        self.second = Convolution(shape.channels, shape.channels, 3, shape.trunk_ceiling, gain)
        self.pool = matrix(3 * shape.channels, shape.channels, gain * 0.5) if pooling else None

    def forward(self, units: Tensor, board: Board, quantized: bool) -> Tensor:
        """Units of the trunk to units of the trunk."""
        inner = self.first(units, board, quantized)
        shift = None
        if self.pool is not None:
            with torch.autocast(units.device.type, enabled=False):
                shift = (board.pool(inner) * self.first.scale) @ self.pool
        return cast(Tensor, self.second(inner, board, quantized, shift, residual=units))


@dataclass(frozen=True)
class Outputs:
    """What the net says of a batch; points are in rows of the batch's largest board.

    `policy` and `reply` are logits, `[batch, points + 1]` with the pass last, of all points, also barred ones.
    `results` are logits of win, draw and loss, `lead` is in twenties of points, `spread` the logarithm of points,
    `owners` `[batch, points]` before the tanh.
    """

    policy: Tensor
    reply: Tensor
    results: Tensor
    lead: Tensor
    spread: Tensor
    owners: Tensor


class Net(nn.Module):
    """The whole net."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.quantized = False
        inner = shape.inner_ceiling
        values, moves = shape.value_channels, shape.policy_channels
        self.input = Convolution(PLANES, shape.channels, 3, shape.trunk_ceiling)
        self.scalars = matrix(SCALARS, shape.channels, 0.5)
        self.blocks = nn.ModuleList(Block(shape, index in shape.pooling) for index in range(shape.blocks))
        self.value = Convolution(shape.channels, values, 1, inner)
        self.policy = Convolution(shape.channels, moves, 1, inner)
        self.policy_pool = matrix(3 * values, moves, 0.5)
        self.policy_out = matrix(moves, 1, 0.5)
        self.owner_out = matrix(values, 1, 0.5)
        self.owner_bias = nn.Parameter(torch.zeros(1))
        self.hidden = matrix(3 * values, shape.hidden)
        self.hidden_bias = nn.Parameter(torch.zeros(shape.hidden))
        self.results = matrix(shape.hidden, RESULTS, 0.5)
        self.results_bias = nn.Parameter(torch.tensor([0.0, 0.0, 0.0, 0.0, FIRST_SPREAD, 0.0]))
        # The opponent's reply is learned because it teaches the trunk; it is not exported.
        self.reply_out = matrix(moves, 1, 0.5)
        self.reply_pass = matrix(shape.hidden, 1, 0.5)
        # Channels next to each other: 6 × 64 took 0.93 of the time on a CPU with AVX-512 (processor time, bf16).
        self.to(memory_format=torch.channels_last)

    def output_vector(self, vector: Tensor) -> Tensor:
        """A vector at the end of the policy or of the ownership; in whole steps of its i16 form when rounding."""
        if not self.quantized:
            return vector
        step = output_step(vector)
        return quantize.rounded(vector / step) * step

    def forward(self, planes: Tensor, scalars: Tensor, mixed: bool) -> Outputs:
        """`planes` is `[batch, 16, rows, columns]`; `mixed` says that some of its points are on no board."""
        planes = planes.contiguous(memory_format=torch.channels_last)
        board = Board.of(planes, mixed)
        quantized = self.quantized
        units = self.input(planes, board, quantized, shift=scalars @ self.scalars)
        for block in self.blocks:
            units = block(units, board, quantized)
        value = self.value(units, board, quantized)
        with torch.autocast(planes.device.type, enabled=False):
            pooled = board.pool(value) * self.value.scale
            shift = pooled @ self.policy_pool
        moves = self.policy(units, board, quantized, shift)
        with torch.autocast(planes.device.type, enabled=False):
            flat_moves = by_point(moves) * self.policy.scale
            flat_value = by_point(value) * self.value.scale
            hidden = F.relu(pooled @ self.hidden + self.hidden_bias)
            results = hidden @ self.results + self.results_bias
            policy = (flat_moves @ self.output_vector(self.policy_out)).squeeze(2)
            reply = (flat_moves @ self.reply_out).squeeze(2)
            owners = (flat_value @ self.output_vector(self.owner_out)).squeeze(2) + self.owner_bias
            return Outputs(
                policy=torch.cat([policy, results[:, 5:6]], dim=1),
                reply=torch.cat([reply, hidden @ self.reply_pass], dim=1),
                results=results[:, 0:3],
                lead=results[:, 3],
                spread=results[:, 4],
                owners=owners,
            )


def by_point(units: Tensor) -> Tensor:
    """`[batch, points, channels]`, as they lie in memory. So the gradient, too, has its channels next to each other.

    A gradient of another order makes batch normalisation take a slow way back: a step of 4 × 32 on 19×19 took 1.4 times
    as long on a CPU with AMX.
    """
    return units.float().permute(0, 2, 3, 1).flatten(1, 2)


def output_step(vector: Tensor) -> Tensor:
    """The step of a vector's i16 form."""
    return (vector.detach().abs().amax() / quantize.OUTPUT_LIMIT).clamp(min=1e-9)
