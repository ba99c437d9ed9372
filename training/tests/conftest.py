"""Files of rows that tests learn from. They are no Go, but what has to be learned can be seen in the planes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from kosumi_training.rows import PLANES, SCALARS, Header

RowWriter = Callable[..., Path]


def rows_of(size: int, count: int, seed: int = 1, reply: int = 1) -> np.ndarray:
    """Rows whose targets follow from the planes.

    Stones lie at random. The move is the free point of plane 7, or the pass where the plane is empty; the reply is the
    point of plane 8. Own stones are own points at the end, the same for the enemy; the score is their difference.
    """
    generator = np.random.default_rng([seed, size])
    points = size * size
    rows = np.zeros(count, Header(size, 2, reply).dtype)
    planes = np.zeros((count, PLANES, points), np.uint8)
    planes[:, 0] = 1
    cells = generator.integers(0, 4, (count, points))
    planes[:, 1], planes[:, 2], planes[:, 6] = (
        cells == 1,
        cells == 2,
        (cells == 3) & (generator.random(cells.shape) < 0.2),
    )
    free = (planes[:, 1] + planes[:, 2] + planes[:, 6]) == 0
    for row in range(count):
        places = np.flatnonzero(free[row])
        if len(places) and generator.random() < 0.9:
            move = generator.choice(places)
            planes[row, 7, move] = 1
        else:
            move = points
        rows["policy"][row, 0] = move, 3
        if reply:
            answer = generator.integers(points)
            planes[row, 8, answer] = 1
            rows["reply"][row, 0] = answer, 1
            rows["reply_weight"][row] = 1.0
    own, enemy = planes[:, 1], planes[:, 2]
    rows["planes"] = np.packbits(planes, axis=-1, bitorder="little")
    rows["own"] = np.packbits(own, axis=-1, bitorder="little")
    rows["enemy"] = np.packbits(enemy, axis=-1, bitorder="little")
    rows["scalars"] = generator.normal(0, 0.5, (count, SCALARS))
    rows["scalars"][:, 11] = (size - 14) / 10
    score = own.sum(axis=1).astype(np.int64) - enemy.sum(axis=1)
    rows["score"] = score
    rows["result"] = np.sign(score) + 1
    for name in ("policy", "result", "score", "owner"):
        rows[f"{name}_weight"] = 1.0
    rows["game"] = np.arange(count) // 10
    rows["move"] = np.arange(count) % points
    return rows


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture
def write_rows(tmp_path: Path) -> RowWriter:
    """Writes a file of rows; `change` may spoil them first."""

    def write(
        size: int = 5,
        count: int = 64,
        seed: int = 1,
        name: str | None = None,
        reply: int = 1,
        change: Callable[[np.ndarray], None] | None = None,
    ) -> Path:
        rows = rows_of(size, count, seed, reply)
        if change is not None:
            change(rows)
        path = tmp_path / "rows" / (name or f"{size}-{seed}.rows")
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(Header(size, 2, reply).to_bytes() + rows.tobytes())
        return path

    return write
