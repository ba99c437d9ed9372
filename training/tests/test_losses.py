"""The losses: what counts and what does not."""

from __future__ import annotations

import dataclasses
import math

import pytest
import torch

from kosumi_training import losses
from kosumi_training.batches import Batch
from kosumi_training.losses import Weights
from kosumi_training.net import Outputs

from .test_net import batch_of

TARGETS = {
    "policy": "policy_weight",
    "reply": "reply_weight",
    "result": "result_weight",
    "lead": "score_weight",
    "spread": "score_weight",
    "owners": "owner_weight",
}


def outputs_of(batch: Batch, seed: int = 1) -> Outputs:
    generator = torch.Generator().manual_seed(seed)
    count, points = batch.owners.shape

    def noise(*shape: int) -> torch.Tensor:
        return torch.randn(shape, generator=generator).requires_grad_()

    return Outputs(
        policy=noise(count, points + 1),
        reply=noise(count, points + 1),
        results=noise(count, 3),
        lead=noise(count),
        spread=noise(count),
        owners=noise(count, points),
    )


@pytest.mark.parametrize(("loss", "weight"), TARGETS.items())
def test_a_missing_target_gives_no_gradient(loss: str, weight: str) -> None:
    batch = batch_of(5, 8)
    weights = getattr(batch, weight).clone()
    weights[:4] = 0.0
    score = batch.score.clone()
    score[:4] = math.inf  # even nonsense where the target is missing
    batch = dataclasses.replace(batch, **{weight: weights}, **({"score": score} if "score" in weight else {}))
    outputs = outputs_of(batch)
    only = Weights(**{name: float(name == loss) for name in TARGETS})
    result = losses.compute(outputs, batch, only)
    result.total.backward()
    field = {"result": "results"}.get(loss, loss)
    gradient = getattr(outputs, field).grad.reshape(8, -1)
    assert not gradient[:4].nan_to_num(nan=0.0).any()
    assert gradient[4:].any(dim=1).all()
    assert result.weights[loss] == 4
    assert math.isfinite(result.means()[loss])


def test_perfect_answers_cost_nothing() -> None:
    batch = batch_of(5, 8)
    sure = 40.0
    outputs = Outputs(
        policy=batch.policy * sure,
        reply=batch.reply * sure,
        results=torch.nn.functional.one_hot(batch.result, 3) * sure,
        lead=batch.score / 20,
        spread=torch.full((8,), -3.0),
        owners=batch.owners * sure,
    )
    means = losses.compute(outputs, batch, Weights()).means()
    for name in ("policy", "reply", "result", "lead"):
        assert means[name] < 1e-6, name
    assert means["spread"] == pytest.approx(-3.0)
    # A point of no owner costs log 2: it may become anyone's.
    neutral = (batch.owners == 0).float().mean().item()
    assert means["owners"] == pytest.approx(neutral * math.log(2), abs=1e-4)


def test_the_outlook_takes_its_share_of_the_result() -> None:
    batch = batch_of(5, 3)
    batch = dataclasses.replace(
        batch,
        result=torch.tensor([0, 2, 1]),
        outlook=torch.tensor([0.6, 0.6, 0.0]),
        outlook_weight=torch.tensor([1.0, 1.0, 0.0]),
    )
    target = losses.result_target(batch, 0.25)
    wanted = torch.tensor([[0.9, 0.0, 0.1], [0.15, 0.0, 0.85], [0.0, 1.0, 0.0]])
    assert torch.allclose(target, wanted)
    assert torch.equal(losses.result_target(batch, 0.0), torch.nn.functional.one_hot(batch.result, 3).float())


def test_without_a_result_the_outlook_is_the_target() -> None:
    batch = batch_of(5, 3)
    batch = dataclasses.replace(
        batch,
        outlook=torch.tensor([0.6, 0.6, 0.6]),
        outlook_weight=torch.tensor([1.0, 1.0, 0.0]),
        result_weight=torch.tensor([1.0, 0.0, 0.0]),
    )
    assert torch.allclose(losses.result_target(batch, 0.0)[1], torch.tensor([0.6, 0.0, 0.4]))
    assert losses.compute(outputs_of(batch), batch, Weights()).weights["result"] == 2


def test_barred_points_get_no_share() -> None:
    batch = batch_of(5, 8, largest=9)
    logits = losses.barred_out(outputs_of(batch).policy, batch)
    share = logits.softmax(dim=1)
    assert share[batch.barred].max() == 0
    assert torch.allclose(share.sum(dim=1), torch.ones(9))
    replies = losses.off_board_out(outputs_of(batch).reply, batch).softmax(dim=1)
    off_board = batch.planes[:, 0].flatten(1) == 0
    assert off_board.any()
    assert replies[:, :-1][off_board].max() == 0


def test_the_spread_settles_at_the_error() -> None:
    batch = batch_of(5, 200)
    spread = torch.zeros(200, requires_grad=True)
    outputs = dataclasses.replace(outputs_of(batch), lead=batch.score / 20 + 0.2, spread=spread)
    for _ in range(200):
        spread.grad = None
        losses.compute(
            outputs, batch, Weights(policy=0, reply=0, result=0, lead=0, spread=200.0, owners=0)
        ).total.backward()
        with torch.no_grad():
            spread -= 0.1 * spread.grad  # type: ignore[operator]
    # The lead is wrong by four points everywhere.
    assert spread.exp().mean().item() == pytest.approx(4.0, rel=0.01)


def test_win_rates_count_draws_half() -> None:
    logits = torch.tensor([[50.0, 0, 0], [0, 50, 0], [0, 0, 50], [0, 0, 0]])
    assert losses.win_rate(logits).tolist() == pytest.approx([1.0, 0.5, 0.0, 0.5])
