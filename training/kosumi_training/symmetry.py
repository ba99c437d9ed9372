"""The eight turns and reflections of the board.

Symmetry `s` in 0..8 first mirrors rows if bit 0 is set, then columns if bit 1 is set, then swaps rows and columns if
bit 2 is set.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

COUNT = 8


@cache
def sources(size: int) -> npt.NDArray[np.int64]:
    """`[8, size²]`: for each symmetry and each point of the result, the point of the original that lands there."""
    points = np.arange(size * size, dtype=np.int64).reshape(size, size)
    rows = []
    for symmetry in range(COUNT):
        turned = points
        if symmetry & 1:
            turned = turned[::-1, :]
        if symmetry & 2:
            turned = turned[:, ::-1]
        if symmetry & 4:
            turned = turned.T
        rows.append(turned.reshape(-1))
    table = np.stack(rows)
    table.setflags(write=False)
    return table


@cache
def destinations(size: int) -> npt.NDArray[np.int64]:
    """`[8, size²]`: where each point of the original lands; the inverse of `sources`."""
    table = np.argsort(sources(size), axis=1)
    table.setflags(write=False)
    return table
