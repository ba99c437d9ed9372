"""What is learned: the losses of the net's outputs against the targets of the rows."""

from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor

from kosumi_training.batches import Batch
from kosumi_training.net import POINTS_PER_LEAD, Outputs

# Leads that are wrong by more than 12 points pull no stronger than that, so that lost games do not rule: a guess.
LEAD_BEND = 12.0 / POINTS_PER_LEAD
# The engine cuts the logarithm of the spread to this range.
SPREAD_RANGE = (-3.0, 5.0)
# A logit that no softmax sees; finite, because 0 × −∞ is no number.
NEVER = -1e9


@dataclass(frozen=True)
class Weights:
    """How much each loss counts."""

    policy: float = 1.0
    reply: float = 0.15
    result: float = 1.0
    # Share of the target of win, draw and loss that comes from the outlook, where the row has one.
    outlook: float = 0.5
    lead: float = 0.5
    spread: float = 0.02
    owners: float = 0.3


@dataclass(frozen=True)
class Losses:
    """The sum that is minimised, and for each loss its weighted sum over the batch and the sum of the weights."""

    total: Tensor
    sums: dict[str, Tensor]
    weights: dict[str, Tensor]

    def means(self) -> dict[str, float]:
        """The mean of each loss over the rows that have its target; losses without any are left out."""
        values = torch.stack([*self.sums.values(), *self.weights.values()]).tolist()
        count = len(self.sums)
        pairs = zip(self.sums, values[:count], values[count:], strict=True)
        return {name: total / weight for name, total, weight in pairs if weight > 0}


def barred_out(policy: Tensor, batch: Batch) -> Tensor:
    """Logits of moves, with stones, barred points and points off the board left out."""
    return policy.masked_fill(batch.barred, NEVER)


def off_board_out(reply: Tensor, batch: Batch) -> Tensor:
    """Logits of replies, with points off the board left out. A point that is taken now may be free by then."""
    if not batch.mixed:
        return reply
    off_board = batch.planes[:, 0].flatten(1) == 0
    return reply.masked_fill(F.pad(off_board, (0, 1)), NEVER)


def cross_entropy(logits: Tensor, shares: Tensor) -> Tensor:
    """`[batch]`: cross-entropy of each row."""
    return -(shares * F.log_softmax(logits, dim=1)).sum(dim=1)


def result_target(batch: Batch, share: float) -> Tensor:
    """`[batch, 3]`: win, draw and loss as they came, mixed with the outlook, which knows no draws.

    Of a position beside a game no result came; the outlook is then all of the target.
    """
    came = F.one_hot(batch.result, 3).float()
    outlook = torch.stack([batch.outlook, torch.zeros_like(batch.outlook), 1.0 - batch.outlook], dim=1)
    share_of_row = (batch.outlook_weight * torch.where(batch.result_weight > 0, share, 1.0)).unsqueeze(1)
    return came + share_of_row * (outlook - came)


def win_rate(results: Tensor) -> Tensor:
    """Win + draw/2, 0..=1 for the side to move."""
    share = results.softmax(dim=1)
    return share[:, 0] + 0.5 * share[:, 1]


def compute(outputs: Outputs, batch: Batch, weights: Weights) -> Losses:
    """All losses of a batch. A row whose weight for a target is 0 gives nothing to its loss."""
    lead = batch.score / POINTS_PER_LEAD
    # The spread learns how wrong the lead is; it must not pull at the lead.
    error = outputs.lead.detach() * POINTS_PER_LEAD - batch.score
    spread = outputs.spread.clamp(*SPREAD_RANGE)
    on_board = batch.planes[:, 0].flatten(1)
    # tanh(z) is 2·sigmoid(2z) − 1: the owner as the chance that a point becomes own.
    owners = F.binary_cross_entropy_with_logits(2.0 * outputs.owners, 0.5 * (batch.owners + 1.0), reduction="none")
    each = {
        "policy": cross_entropy(barred_out(outputs.policy, batch), batch.policy),
        "reply": cross_entropy(off_board_out(outputs.reply, batch), batch.reply),
        "result": cross_entropy(outputs.results, result_target(batch, weights.outlook)),
        "lead": F.huber_loss(outputs.lead, lead, reduction="none", delta=LEAD_BEND),
        # Logarithm of a normal distribution's density at the error, without its constant.
        "spread": spread + 0.5 * (error * torch.exp(-spread)).square(),
        "owners": (owners * on_board).sum(dim=1) / on_board.sum(dim=1),
    }
    row_weights = {
        "policy": batch.policy_weight,
        "reply": batch.reply_weight,
        "result": torch.where(batch.result_weight > 0, batch.result_weight, batch.outlook_weight),
        "lead": batch.score_weight,
        "spread": batch.score_weight,
        "owners": batch.owner_weight,
    }
    sums: dict[str, Tensor] = {}
    total = torch.zeros((), device=lead.device)
    for name, loss in each.items():
        # A row without a target has zeros there; where() keeps even an overflow out of the sum.
        known = row_weights[name] > 0
        sums[name] = torch.where(known, loss * row_weights[name], 0.0).sum()
        total = total + getattr(weights, name) * sums[name] / len(batch)
    return Losses(
        total,
        {name: value.detach() for name, value in sums.items()},
        {name: weight.sum() for name, weight in row_weights.items()},
    )
