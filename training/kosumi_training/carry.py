"""Rows in few bytes, to carry them to a borrowed machine and back: a fourteenth of what they take on the disk.

Rows of one game are nearly alike, so LZMA finds most of them again. The shares of moves are what it cannot find. They
are rounded, which costs the policy less than a hundredth of a share; everything else stays as it is.
"""

from __future__ import annotations

import lzma
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kosumi_training.rows import HEADER_BYTES, SUFFIX, Header, RowError, RowFile
from kosumi_training.state import write_whole

PACKED = SUFFIX + ".xz"
# Into how many parts the shares of a target are rounded. A share of 64 visits is no multiple of less than 1/64.
POLICY_PARTS = 400
REPLY_PARTS = 100
# Bytes of rows in a packed file. Several files can be packed at the same time, and few are read fast (`batches`).
FILE_BYTES = 128 << 20
# Preset 9 made files 3 % smaller and took three times as long (rows of 9×9).
PRESET = 6


def rounded(pairs: npt.NDArray[np.uint16], parts: int) -> npt.NDArray[np.uint16]:
    """`[rows, entries, 2]`, moves and shares, with shares that are whole parts and sum to about `parts`.

    The largest share of a row is kept even if it is less than half a part; entries without a share become 0.
    """
    shares = pairs[:, :, 1].astype(np.float64)
    total = shares.sum(axis=1, keepdims=True)
    whole = np.rint(shares / np.where(total > 0, total, 1.0) * parts)
    if shares.shape[1] > 0:
        largest = shares.argmax(axis=1)
        rows = np.arange(len(shares))
        whole[rows, largest] = np.maximum(whole[rows, largest], total[:, 0] > 0)
    result = pairs.copy()
    result[:, :, 1] = whole
    result[:, :, 0][whole == 0] = 0
    return result


def pack(files: list[RowFile], out: Path, threads: int) -> list[Path]:
    """Packs files of rows into a folder, many of one form into one. Returns the packed files."""
    heads: dict[Header, list[list[RowFile]]] = {}
    for file in files:
        groups = heads.setdefault(file.header, [[]])
        if sum(len(one) for one in groups[-1]) * file.header.dtype.itemsize >= FILE_BYTES:
            groups.append([])
        groups[-1].append(file)
    jobs = []
    for head, groups in heads.items():
        for number, group in enumerate(groups):
            name = f"{head.size}x{head.size}-{head.policy}-{head.reply}-{number:04}{PACKED}"
            jobs.append((head, [file.path for file in group], out / name))
    # LZMA lets other threads of Python run.
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(_pack, jobs))
    return [path for _, _, path in jobs]


def _pack(job: tuple[Header, list[Path], Path]) -> None:
    head, paths, out = job
    packer = lzma.LZMACompressor(preset=PRESET)
    data = [packer.compress(head.to_bytes())]
    for path in paths:
        rows = np.array(RowFile(path).rows)
        rows["policy"] = rounded(rows["policy"], POLICY_PARTS)
        rows["reply"] = rounded(rows["reply"], REPLY_PARTS)
        data.append(packer.compress(rows.tobytes()))
    data.append(packer.flush())
    write_whole(out, b"".join(data))


def unpack(paths: list[Path], out: Path, threads: int) -> list[Path]:
    """Makes files of rows of packed ones. Returns them. Raises `RowError` for a file that is damaged or foreign."""
    found = sorted(path for one in paths for path in (one.rglob(f"*{PACKED}") if one.is_dir() else [one]))
    jobs = [(path, out / path.name.removesuffix(".xz")) for path in found]
    places: dict[Path, Path] = {}
    for path, place in jobs:
        if place in places:
            raise RowError(f"{path}: {places[place]} has the same name; unpack each packing into a folder of its own")
        places[place] = path
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(_unpack, jobs))
    return [path for _, path in jobs]


def _unpack(job: tuple[Path, Path]) -> None:
    path, out = job
    try:
        data = lzma.decompress(path.read_bytes())
    except (lzma.LZMAError, EOFError) as error:
        raise RowError(f"{path}: not a whole packed file: {error}") from error
    if len(data) < HEADER_BYTES:
        raise RowError(f"{path}: holds no rows")
    write_whole(out, data)
    try:
        RowFile(out)
    except RowError:
        out.unlink()
        raise
