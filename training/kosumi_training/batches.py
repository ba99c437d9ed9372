"""Which rows are learned from next, and rows as tensors, turned and mirrored at random.

The rows of a step follow from the seed and the step alone, so that a run that goes on takes the rows that it would
have taken.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from kosumi_training import rows as row_files
from kosumi_training import symmetry
from kosumi_training.rows import RowError, RowFile

_PLANE_STONES_AND_BARRED = (1, 2, 6)


@dataclass(frozen=True)
class Part:
    """Rows of one size, and the symmetry in which each is shown."""

    size: int
    rows: npt.NDArray[np.void]
    symmetries: npt.NDArray[np.int64]


class Rows:
    """The rows of several files, in the order of the files' names: of all, or of a window of the newest."""

    def __init__(self, paths: list[Path], window: int | None = None) -> None:
        self.paths = paths
        self.window = window
        self.files: dict[Path, RowFile] = {}
        self.total = 0
        self.look()

    def look(self) -> None:
        """Looks for new files, and for new rows in those that grow."""
        known = {}
        for path in row_files.find(self.paths):
            old = self.files.get(path)
            known[path] = old if old is not None and _is_current(old) else RowFile(path)
        self.files = known
        self.total = sum(len(file) for file in known.values())
        # Newest first: what the window takes, file by file.
        left = self.total if self.window is None else self.window
        taken: list[tuple[RowFile, int, int]] = []
        for file in reversed(known.values()):
            count = min(left, len(file))
            if count > 0:
                taken.append((file, len(file) - count, count))
            else:
                file.release()
            left -= count
        taken.reverse()
        self.by_size: dict[int, list[tuple[RowFile, int, int]]] = {}
        for entry in taken:
            self.by_size.setdefault(entry[0].size, []).append(entry)
        self.counts = {size: sum(count for _, _, count in files) for size, files in sorted(self.by_size.items())}

    def __len__(self) -> int:
        """Rows in the window."""
        return sum(self.counts.values())

    def take(self, size: int, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.void]:
        """Rows of a size by their numbers in the window. Targets are as wide as those of the widest file."""
        files = self.by_size[size]
        ends = np.cumsum([count for _, _, count in files])
        which = np.searchsorted(ends, numbers, side="right")
        policy = max(file.header.policy for file, _, _ in files)
        reply = max(file.header.reply for file, _, _ in files)
        result = np.zeros(len(numbers), row_files.Header(size, policy, reply).dtype)
        for index in np.unique(which):
            file, first, count = files[index]
            here = which == index
            found = file.rows[numbers[here] - (ends[index] - count) + first]
            if found.dtype == result.dtype:
                result[here] = found
                continue
            for name in result.dtype.names or ():
                if name in ("policy", "reply"):
                    narrow = np.zeros((len(found), *result[name].shape[1:]), "<u2")
                    narrow[:, : found[name].shape[1]] = found[name]
                    result[name][here] = narrow
                else:
                    result[name][here] = found[name]
        return result


def _is_current(file: RowFile) -> bool:
    whole = row_files.HEADER_BYTES + len(file) * file.header.dtype.itemsize
    return file.path.stat().st_size - whole < file.header.dtype.itemsize


@dataclass(frozen=True)
class Draw:
    """How the rows of a step are chosen.

    `mixed`: each batch holds all sizes, padded to the largest; otherwise each step has one size. `shares` says how
    often a size comes; sizes that it does not name come as often as they have rows.
    """

    batch: int
    seed: int
    mixed: bool
    shares: dict[int, float]

    def parts(self, rows: Rows, step: int) -> list[Part]:
        """The rows of a step."""
        if len(rows) == 0:
            raise RowError("there are no rows to learn from")
        generator = np.random.default_rng([self.seed, step])
        sizes = list(rows.counts)
        weights = np.array([self.shares.get(size, rows.counts[size] / len(rows)) for size in sizes])
        if weights.sum() <= 0:
            raise RowError(f"the shares of the sizes {sizes} add up to nothing")
        chosen = generator.choice(len(sizes), size=self.batch if self.mixed else 1, p=weights / weights.sum())
        if not self.mixed:
            chosen = np.repeat(chosen, self.batch)
        result = []
        for index, count in zip(*np.unique(chosen, return_counts=True), strict=True):
            size = sizes[index]
            numbers = generator.integers(rows.counts[size], size=count)
            result.append(Part(size, rows.take(size, numbers), generator.integers(symmetry.COUNT, size=count)))
        return result


@dataclass(frozen=True)
class Batch:
    """Rows as tensors. Boards smaller than the largest lie in the corner of row 0 and column 0.

    `planes` `[batch, 16, n, n]`, `scalars` `[batch, 16]`. `barred` `[batch, n² + 1]`: where no move may be.
    `policy` and `reply` `[batch, n² + 1]` are shares that sum to 1 where their weight is above 0. `result` is the
    index of win, draw, loss. `outlook` is what searches made of the game, 0 to 1. `score` is in points; `owners`
    `[batch, n²]` is 1, 0 or −1. `mixed`: some points are on no board.
    """

    planes: Tensor
    scalars: Tensor
    barred: Tensor
    policy: Tensor
    policy_weight: Tensor
    reply: Tensor
    reply_weight: Tensor
    result: Tensor
    result_weight: Tensor
    outlook: Tensor
    outlook_weight: Tensor
    score: Tensor
    score_weight: Tensor
    owners: Tensor
    owner_weight: Tensor
    move: Tensor
    mixed: bool

    def __len__(self) -> int:
        return len(self.planes)


def to_batch(parts: list[Part], device: torch.device) -> Batch:
    """Rows of one or several sizes as one batch."""
    largest = max(part.size for part in parts)
    made = [_of_one_size(part, largest, device) for part in parts]
    if len(made) == 1:
        return made[0]
    tensors = [name for name in Batch.__dataclass_fields__ if name != "mixed"]
    return Batch(**{name: torch.cat([getattr(one, name) for one in made]) for name in tensors}, mixed=True)


def _of_one_size(part: Part, largest: int, device: torch.device) -> Batch:
    size, rows = part.size, part.rows
    count, points = len(rows), size * size

    def field(name: str) -> Tensor:
        # The copy has no gaps; without it, a single row keeps the strides of whole rows, which PyTorch refuses.
        return torch.from_numpy(rows[name].copy()).to(device, non_blocking=True)

    symmetries = torch.from_numpy(part.symmetries).to(device)
    source = torch.from_numpy(symmetry.sources(size).copy()).to(device)[symmetries]
    target = torch.from_numpy(symmetry.destinations(size).copy()).to(device)[symmetries]

    def unpacked(bits: Tensor) -> Tensor:
        """`[count, n, bytes]` → `[count, n, points]`, turned."""
        shifts = torch.arange(8, dtype=torch.uint8, device=device)
        flat = ((bits.unsqueeze(-1) >> shifts) & 1).flatten(2)[:, :, :points]
        return flat.gather(2, source.unsqueeze(1).expand(-1, flat.shape[1], -1))

    def padded(flat: Tensor, fill: float = 0) -> Tensor:
        """`[count, n, points]` → `[count, n, largest²]`."""
        if size == largest:
            return flat
        grid = flat.reshape(count, flat.shape[1], size, size)
        return torch.nn.functional.pad(grid, (0, largest - size, 0, largest - size), value=fill).flatten(2)

    def shares(name: str) -> Tensor:
        """Pairs of move and share → `[count, largest² + 1]`, turned, summing to 1 or to 0."""
        pairs = field(name).to(torch.int64)
        moves, share = pairs[:, :, 0], pairs[:, :, 1].float()
        turned = target.gather(1, moves.clamp(max=points - 1))
        place = torch.div(turned, size, rounding_mode="floor") * largest + turned % size
        place = torch.where(moves == points, largest * largest, place)
        dense = torch.zeros(count, largest * largest + 1, device=device)
        dense.scatter_add_(1, place, share * (moves <= points))
        return dense

    bits = unpacked(field("planes"))
    stones = bits[:, _PLANE_STONES_AND_BARRED[0]]
    for plane in _PLANE_STONES_AND_BARRED[1:]:
        stones = stones | bits[:, plane]
    no_pass = torch.zeros(count, 1, dtype=torch.bool, device=device)
    barred = torch.cat([padded(stones.unsqueeze(1), fill=1)[:, 0].bool(), no_pass], dim=1)
    owners = unpacked(torch.stack([field("own"), field("enemy")], dim=1)).float()

    policy, policy_weight = _normal(shares("policy") * ~barred, field("policy_weight"))
    reply, reply_weight = _normal(shares("reply"), field("reply_weight"))
    result = field("result").to(torch.int64)
    outlook = field("outlook").float()
    return Batch(
        planes=padded(bits).reshape(count, -1, largest, largest).float(),
        scalars=field("scalars"),
        barred=barred,
        policy=policy,
        policy_weight=policy_weight,
        reply=reply,
        reply_weight=reply_weight,
        # The rows count 0 loss, 1 draw, 2 win; the net's outputs are win, draw, loss.
        result=(2 - result).clamp(min=0),
        result_weight=field("result_weight") * (result <= 2),
        # The rows count in steps from 1; 0 is none.
        outlook=(outlook - 1.0).clamp(min=0.0) / row_files.OUTLOOK_STEPS,
        outlook_weight=(outlook > 0).float(),
        score=field("score"),
        score_weight=field("score_weight"),
        owners=padded((owners[:, 0] - owners[:, 1]).unsqueeze(1))[:, 0],
        owner_weight=field("owner_weight"),
        move=field("move").to(torch.int64),
        mixed=size != largest,
    )


def _normal(shares: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    total = shares.sum(dim=1, keepdim=True)
    return shares / total.clamp(min=1e-9), weight * (total.squeeze(1) > 0)


def ahead(draw: Draw, rows: Rows, first: int, last: int, depth: int = 4) -> Generator[list[Part], None, None]:
    """The rows of the steps `first..last`, read by a thread of its own a few steps ahead.

    An error of the thread is raised here. Closing the iterator ends the thread.
    """
    ready: queue.Queue[list[Part] | BaseException] = queue.Queue(maxsize=depth)
    over = threading.Event()

    def put(item: list[Part] | BaseException) -> bool:
        while not over.is_set():
            try:
                ready.put(item, timeout=0.2)
                return True
            except queue.Full:
                continue
        return False

    def read() -> None:
        try:
            for step in range(first, last):
                if not put(draw.parts(rows, step)):
                    return
        except BaseException as error:
            put(error)

    thread = threading.Thread(target=read, name="rows", daemon=True)
    thread.start()
    try:
        for _ in range(first, last):
            item = ready.get()
            if isinstance(item, BaseException):
                raise item
            yield item
    finally:
        over.set()
        thread.join()
