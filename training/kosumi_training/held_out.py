"""Figures on rows that are not learned from: whether training works. Whether play gets better, only matches say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor

from kosumi_training import losses
from kosumi_training.batches import Batch, Part, Rows, to_batch
from kosumi_training.net import POINTS_PER_LEAD, Net, Outputs

# Where the ranges of move numbers begin, in shares of the board's points: on 19×19 at the moves 0, 30, 60, 90, 120
# and 180, on 9×9 at 0, 7, 14, 20, 27 and 41.
RANGES = (0.0, 1 / 12, 1 / 6, 1 / 4, 1 / 3, 1 / 2)
TOP = 5


@dataclass
class Mean:
    """A weighted mean that grows."""

    total: float = 0.0
    weight: float = 0.0

    def add(self, values: Tensor, weights: Tensor) -> None:
        """Takes values in; those of weight 0 count for nothing, whatever they are."""
        self.total += float(torch.where(weights > 0, values * weights, 0.0).sum())
        self.weight += float(weights.sum())

    def value(self) -> float | None:
        """The mean, or nothing if there was nothing."""
        return self.total / self.weight if self.weight > 0 else None


def sample(rows: Rows, count: int) -> list[Part]:
    """At most `count` rows of each size, evenly over all of them, as they lie. The same at each call."""
    parts = []
    for size, there in rows.counts.items():
        numbers = np.unique(np.linspace(0, there - 1, min(count, there)).astype(np.int64))
        parts.append(Part(size, rows.take(size, numbers), np.zeros(len(numbers), np.int64)))
    return parts


@torch.no_grad()
def measure(net: Net, parts: list[Part], device: torch.device, at_once: int = 256) -> dict[str, Any]:
    """The figures of each size: `{"19": {"policy_top1": 0.45, …}}`. Targets that no row has are left out."""
    was_training = net.training
    net.eval()
    result: dict[str, Any] = {}
    for part in parts:
        means: dict[str, Mean] = {}
        for start in range(0, len(part.rows), at_once):
            here = slice(start, start + at_once)
            batch = to_batch([Part(part.size, part.rows[here], part.symmetries[here])], device)
            _add(means, net(batch.planes, batch.scalars, batch.mixed), batch, part.size)
        result[str(part.size)] = {name: mean.value() for name, mean in means.items() if mean.weight > 0}
    net.train(was_training)
    return result


def _add(means: dict[str, Mean], outputs: Outputs, batch: Batch, size: int) -> None:
    def add(name: str, values: Tensor, weights: Tensor) -> None:
        means.setdefault(name, Mean()).add(values.float(), weights)

    logits = losses.barred_out(outputs.policy, batch)
    target = batch.policy.argmax(dim=1, keepdim=True)
    best = logits.topk(min(TOP, logits.shape[1]), dim=1).indices
    add("policy_top1", (best[:, :1] == target).any(dim=1), batch.policy_weight)
    add("policy_top5", (best == target).any(dim=1), batch.policy_weight)
    add("policy_loss", losses.cross_entropy(logits, batch.policy), batch.policy_weight)

    win = losses.win_rate(outputs.results)
    actual = 1.0 - 0.5 * batch.result.float()
    error = (win - actual).square()
    add("value_error", error, batch.result_weight)
    # Positions beside a game have no result, but a search has told their win rate.
    beside = batch.outlook_weight * (batch.result_weight == 0)
    add("search_error", (win - batch.outlook).square(), beside)
    add("value_right", (win - 0.5) * (actual - 0.5) > 0, batch.result_weight * (actual != 0.5))
    edges = [round(share * size * size) for share in RANGES]
    for first, after in zip(edges, [*edges[1:], None], strict=True):
        inside = batch.move >= first if after is None else (batch.move >= first) & (batch.move < after)
        name = f"{first}…" if after is None else f"{first}…{after - 1}"
        add(f"value_error, moves {name}", error, batch.result_weight * inside)

    lead_error = (outputs.lead * POINTS_PER_LEAD - batch.score).abs()
    add("lead_error", lead_error, batch.score_weight)
    add("spread", outputs.spread.clamp(*losses.SPREAD_RANGE).exp(), batch.score_weight)
    owners = torch.tanh(outputs.owners)
    add("owner_error", (owners - batch.owners).abs().mean(dim=1), batch.owner_weight)
    certain = batch.owners != 0
    right = ((owners * batch.owners > 0) & certain).float().sum(dim=1) / certain.sum(dim=1).clamp(min=1)
    add("owner_right", right, batch.owner_weight * certain.any(dim=1))
