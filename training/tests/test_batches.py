"""Which rows a step takes, and rows as tensors."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from kosumi_training import symmetry
from kosumi_training.batches import Draw, Part, Rows, ahead, to_batch
from kosumi_training.rows import RowError, RowFile, unpack

from .conftest import RowWriter, rows_of

CPU = torch.device("cpu")


def part(size: int, count: int, turn: int | None = None) -> Part:
    turns = np.arange(count) % 8 if turn is None else np.full(count, turn)
    return Part(size, rows_of(size, count), turns)


def test_the_eight_symmetries_differ_and_have_inverses() -> None:
    sources, destinations = symmetry.sources(5), symmetry.destinations(5)
    assert len({tuple(row) for row in sources}) == 8
    for source, destination in zip(sources, destinations, strict=True):
        assert (source[destination] == np.arange(25)).all()
    # Neighbours stay neighbours.
    for source in sources:
        grid = source.reshape(5, 5)
        steps = np.abs(np.diff(grid, axis=1))
        assert set(steps.flat) <= {1, 5}


def test_unturned_rows_are_the_planes_of_the_file() -> None:
    one = part(9, 20, turn=0)
    batch = to_batch([one], CPU)
    assert (batch.planes.flatten(2).numpy() == unpack(one.rows["planes"], 9)).all()
    assert not batch.mixed
    own, enemy = unpack(one.rows["own"], 9), unpack(one.rows["enemy"], 9)
    assert (batch.owners.numpy() == own.astype(int) - enemy).all()
    assert (batch.policy.argmax(dim=1).numpy() == one.rows["policy"][:, 0, 0]).all()
    assert torch.equal(batch.policy.sum(dim=1), torch.ones(20))
    # The rows count loss, draw, win; the net says win, draw, loss.
    assert (batch.result.numpy() == 1 - np.sign(one.rows["score"])).all()


def test_an_outlook_counts_in_steps_from_one() -> None:
    one = part(5, 4)
    one.rows["outlook"] = [0, 1, 128, 255]
    batch = to_batch([one], CPU)
    assert batch.outlook_weight.tolist() == [0, 1, 1, 1]
    assert batch.outlook.tolist() == [0, 0, 0.5, 1]


@pytest.mark.parametrize("padding", [False, True])
def test_planes_and_targets_turn_together(padding: bool) -> None:
    parts = [part(7, 64)] + ([part(9, 3)] if padding else [])
    batch = to_batch(parts, CPU)
    assert batch.mixed == padding
    board = batch.planes.shape[2] ** 2
    moves = batch.policy.argmax(dim=1)
    here = batch.planes[:, 7].flatten(1)
    on_board = moves < board
    assert on_board.any()
    assert not on_board.all()
    assert (here.sum(dim=1) == on_board).all()
    assert (here.argmax(dim=1)[on_board] == moves[on_board]).all()
    assert (batch.planes[:, 8].flatten(1).argmax(dim=1) == batch.reply.argmax(dim=1)).all()
    owners = batch.planes[:, 1] - batch.planes[:, 2]
    assert torch.equal(owners.flatten(1), batch.owners)
    barred = batch.planes[:, [1, 2, 6]].sum(dim=1).flatten(1) + (1 - batch.planes[:, 0].flatten(1))
    assert torch.equal(batch.barred[:, :-1], barred > 0)
    assert not batch.barred[:, -1].any()


def test_a_smaller_board_lies_in_the_corner() -> None:
    batch = to_batch([part(5, 8), part(9, 1)], CPU)
    assert batch.planes.shape == (9, 16, 9, 9)
    assert batch.planes[:8, 0, :5, :5].all()
    assert not batch.planes[:8, :, 5:].any()
    assert not batch.planes[:8, :, :, 5:].any()
    assert torch.equal(batch.planes[:8, 0].sum(dim=(1, 2)), torch.full((8,), 25.0))


def test_a_policy_on_barred_points_has_no_weight() -> None:
    one = part(5, 8, turn=0)
    taken = np.argmax(unpack(one.rows["planes"], 5)[2, 1])
    one.rows["policy"][2, 0, 0] = taken
    batch = to_batch([one], CPU)
    assert batch.policy_weight[2] == 0
    assert batch.policy_weight.sum() == 7


def test_a_step_draws_the_same_rows_again(write_rows: RowWriter) -> None:
    rows = Rows([write_rows(size=5, count=500), write_rows(size=9, count=500)])
    draw = Draw(batch=32, seed=7, mixed=True, shares={})
    first, again, other = draw.parts(rows, 3), draw.parts(rows, 3), draw.parts(rows, 4)
    for a, b in zip(first, again, strict=True):
        assert a.size == b.size
        assert (a.rows == b.rows).all()
        assert (a.symmetries == b.symmetries).all()
    assert any(len(a.rows) != len(b.rows) or (a.rows != b.rows).any() for a, b in zip(first, other, strict=False))


def test_sizes_come_as_often_as_the_shares_say(write_rows: RowWriter) -> None:
    rows = Rows([write_rows(size=5, count=30), write_rows(size=9, count=10)])
    counts = {5: 0, 9: 0}
    for step in range(50):
        for one in Draw(batch=40, seed=1, mixed=True, shares={}).parts(rows, step):
            counts[one.size] += len(one.rows)
    assert abs(counts[5] / 2000 - 0.75) < 0.05
    for step in range(20):
        parts = Draw(batch=8, seed=1, mixed=False, shares={}).parts(rows, step)
        assert [len(one.rows) for one in parts] == [8]
        (only,) = Draw(batch=8, seed=1, mixed=True, shares={5: 0.0, 9: 1.0}).parts(rows, step)
        assert only.size == 9


def test_reading_ahead_gives_each_step_in_order(write_rows: RowWriter) -> None:
    rows = Rows([write_rows(count=100)])
    draw = Draw(batch=4, seed=1, mixed=False, shares={})
    for step, parts in enumerate(ahead(draw, rows, 5, 15), start=5):
        assert (parts[0].rows == draw.parts(rows, step)[0].rows).all()
    assert step == 14


def test_an_error_of_the_reading_thread_reaches_the_caller(write_rows: RowWriter) -> None:
    rows = Rows([write_rows(count=0)])
    with pytest.raises(RowError, match="no rows"):
        list(ahead(Draw(batch=4, seed=1, mixed=False, shares={}), rows, 0, 5))


def test_all_symmetries_are_drawn(write_rows: RowWriter) -> None:
    rows = Rows([write_rows(count=100)])
    (one,) = Draw(batch=200, seed=1, mixed=False, shares={}).parts(rows, 0)
    assert set(one.symmetries) == set(range(8))
    assert len(RowFile(rows.paths[0])) == 100
