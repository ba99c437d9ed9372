"""Files of training rows, as `docs/net.md` defines them: positions that the engine wrote, of one board size a file.

Reads headers and maps rows into memory. What a row means for learning stands in `batches`.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

MAGIC = b"KOSUROWS"
ROW_VERSION = 1
PLANES_VERSION = 1
PLANES = 16
SCALARS = 16
HEADER_BYTES = 64
SUFFIX = ".rows"

# Result of a row: what the side to move came to.
LOSS, DRAW, WIN, UNKNOWN = 0, 1, 2, 3
# An outlook of 0 to 1 stands in a row as 1 to 255; 0 is none.
OUTLOOK_STEPS = 254

_HEADER = struct.Struct("<8sIIHHHHHHI")
# Sizes that the engine plays on.
_SIZES = range(2, 26)


class RowError(Exception):
    """A file that holds no rows that this trainer can read; the text says why."""


@dataclass(frozen=True)
class Header:
    """What the first 64 bytes say: the board's size, entries of the policy target and of the reply target."""

    size: int
    policy: int
    reply: int

    @property
    def dtype(self) -> np.dtype[np.void]:
        """One row."""
        plane = (self.size * self.size + 7) // 8
        fields: list[Any] = [
            ("planes", "u1", (PLANES, plane)),
            ("own", "u1", (plane,)),
            ("enemy", "u1", (plane,)),
            ("scalars", "<f4", (SCALARS,)),
            ("score", "<f4"),
            ("policy_weight", "<f4"),
            ("reply_weight", "<f4"),
            ("result_weight", "<f4"),
            ("score_weight", "<f4"),
            ("owner_weight", "<f4"),
            ("policy", "<u2", (self.policy, 2)),
            ("reply", "<u2", (self.reply, 2)),
            ("game", "<u4"),
            ("move", "<u2"),
            ("result", "u1"),
            ("outlook", "u1"),
        ]
        return np.dtype(fields)

    def to_bytes(self) -> bytes:
        """The header as it stands in a file."""
        head = _HEADER.pack(
            MAGIC,
            ROW_VERSION,
            PLANES_VERSION,
            self.size,
            PLANES,
            SCALARS,
            self.policy,
            self.reply,
            0,
            self.dtype.itemsize,
        )
        return head.ljust(HEADER_BYTES, b"\0")


def read_header(path: Path) -> Header:
    """Reads and checks a header. Raises `RowError`."""
    with path.open("rb") as file:
        data = file.read(HEADER_BYTES)
    if len(data) < HEADER_BYTES:
        raise RowError(f"{path}: too short for a file of rows: {len(data)} bytes")
    magic, version, planes_version, size, planes, scalars, policy, reply, _, length = _HEADER.unpack_from(data)
    if magic != MAGIC:
        raise RowError(f"{path}: not a file of rows")
    if version != ROW_VERSION:
        raise RowError(f"{path}: rows of version {version}, this trainer reads version {ROW_VERSION}")
    if (planes_version, planes, scalars) != (PLANES_VERSION, PLANES, SCALARS):
        raise RowError(
            f"{path}: planes of version {planes_version} ({planes} planes, {scalars} scalars), "
            f"this trainer reads version {PLANES_VERSION} ({PLANES}, {SCALARS})"
        )
    if size not in _SIZES:
        raise RowError(f"{path}: a board of size {size}")
    header = Header(size, policy, reply)
    if length != header.dtype.itemsize:
        raise RowError(f"{path}: rows of {length} bytes, {header.dtype.itemsize} expected")
    return header


class RowFile:
    """The rows of one file, mapped into memory from the first look at them on.

    A system allows some ten thousands of mapped files at a time (65 530 on Linux), and a folder of many machines may
    have more. So files outside the window are not mapped.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.header = read_header(path)
        # A last row that is cut off is ignored.
        self.count = (path.stat().st_size - HEADER_BYTES) // self.header.dtype.itemsize
        self._mapped: npt.NDArray[np.void] | None = None

    def __len__(self) -> int:
        return self.count

    @property
    def rows(self) -> npt.NDArray[np.void]:
        """All rows."""
        mapped = self._mapped  # another thread may release it
        if mapped is None:
            dtype = self.header.dtype
            if self.count == 0:  # nothing cannot be mapped
                mapped = np.empty(0, dtype)
            else:
                mapped = np.memmap(self.path, dtype, mode="r", offset=HEADER_BYTES, shape=(self.count,))
            self._mapped = mapped
        return mapped

    def release(self) -> None:
        """Is mapped no more, until somebody looks at the rows again."""
        self._mapped = None

    @property
    def size(self) -> int:
        """Size of the board."""
        return self.header.size


def find(paths: list[Path]) -> list[Path]:
    """The files that are meant: a file is itself, a folder all files in it that end in `.rows`, at any depth.

    In the order of their names, so that the newest come last if names begin with a date or a number.
    """
    found: set[Path] = set()
    for path in paths:
        if path.is_dir():
            found.update(path.rglob(f"*{SUFFIX}"))
        elif path.is_file():
            found.add(path)
        else:
            raise RowError(f"{path}: no such file or folder")
    return sorted(found, key=lambda path: (path.name, str(path)))


def unpack(bits: npt.NDArray[np.uint8], size: int) -> npt.NDArray[np.uint8]:
    """`[…, bytes]` → `[…, points]`, each 0 or 1."""
    return np.unpackbits(bits, axis=-1, count=size * size, bitorder="little")


def problems(file: RowFile, at_once: int = 4096) -> list[str]:
    """What is wrong with the rows of a file, at most one sentence for each kind of fault."""
    size = file.size
    points = size * size
    found: dict[str, str] = {}

    def report(kind: str, bad: npt.NDArray[np.bool_] | np.bool_, start: int) -> None:
        if bad.any() and kind not in found:
            found[kind] = f"row {start + int(np.argmax(bad))}: {kind}"

    for start in range(0, len(file), at_once):
        rows = file.rows[start : start + at_once]
        planes = unpack(rows["planes"], size)
        own, enemy = unpack(rows["own"], size), unpack(rows["enemy"], size)
        report("plane 0 is not 1 everywhere", ~planes[:, 0].all(axis=1), start)
        taken = planes[:, 1] + planes[:, 2] + planes[:, 6]
        report("a point has two of own stone, enemy stone, barred", (taken > 1).any(axis=1), start)
        report("a point is owned by both", (own & enemy).any(axis=1), start)
        report("a scalar is not finite", ~np.isfinite(rows["scalars"]).all(axis=1), start)
        report("the score is not finite", ~np.isfinite(rows["score"]), start)
        report("an unknown result", rows["result"] > UNKNOWN, start)
        report(
            "a weight of the result without a result",
            (rows["result"] == UNKNOWN) & (rows["result_weight"] > 0),
            start,
        )
        for name in ("policy", "reply", "result", "score", "owner"):
            weight = rows[f"{name}_weight"]
            report(
                f"the {name}'s weight is negative or not finite",
                ~(np.isfinite(weight) & (weight >= 0)),
                start,
            )
        for name in ("policy", "reply"):
            moves, shares = rows[name][:, :, 0], rows[name][:, :, 1].astype(np.int64)
            report(f"a move of the {name} is off the board", ((moves > points) & (shares > 0)).any(axis=1), start)
            report(
                f"the {name} has a weight and no move",
                (shares.sum(axis=1) == 0) & (rows[f"{name}_weight"] > 0),
                start,
            )
        moves = np.minimum(rows["policy"][:, :, 0], points).astype(np.int64)
        barred = np.concatenate([taken > 0, np.zeros((len(rows), 1), np.bool_)], axis=1)
        on_barred = np.take_along_axis(barred, moves, axis=1) & (rows["policy"][:, :, 1] > 0)
        report("a move of the policy is on a stone or barred", on_barred.any(axis=1), start)
    return list(found.values())
