"""Rows that are packed and unpacked: the same rows, with rounded shares."""

from __future__ import annotations

import lzma
from pathlib import Path

import numpy as np
import pytest

from kosumi_training import carry
from kosumi_training.cli import main
from kosumi_training.rows import RowError, RowFile, problems

from .conftest import RowWriter


def test_what_is_unpacked_is_what_was_packed(write_rows: RowWriter, tmp_path: Path) -> None:
    paths = [write_rows(size=size, count=40, seed=seed) for size, seed in ((5, 1), (9, 2), (5, 3))]
    out, back = tmp_path / "packed", tmp_path / "back"
    assert main(["pack", *map(str, paths), "--out", str(out), "--threads", "2"]) == 0
    assert len(list(out.iterdir())) == 2, "one file for each form"
    assert main(["unpack", str(out), "--out", str(back), "--threads", "2"]) == 0
    before = {size: np.concatenate([RowFile(p).rows for p in paths if RowFile(p).size == size]) for size in (5, 9)}
    for file in map(RowFile, back.iterdir()):
        assert problems(file) == []
        for name in before[file.size].dtype.names or ():
            if name not in ("policy", "reply"):
                assert np.array_equal(file.rows[name], before[file.size][name]), name
        old, new = before[file.size]["policy"].astype(float), file.rows["policy"].astype(float)
        assert np.array_equal(new[:, 0, 0], old[:, 0, 0]), "the only move of these rows"
        assert (new[:, 0, 1] == carry.POLICY_PARTS).all()


def test_shares_are_rounded_and_no_row_loses_its_moves() -> None:
    pairs = np.array([[[7, 600], [8, 399], [9, 1]], [[1, 0], [2, 0], [3, 0]]], np.uint16)
    assert carry.rounded(pairs, 100).tolist() == [[[7, 60], [8, 40], [0, 0]], [[0, 0], [0, 0], [0, 0]]]
    even = np.stack([np.arange(1, 301), np.full(300, 5)], axis=1)[None].astype(np.uint16)
    assert carry.rounded(even, 100)[0, :, 1].sum() == 1, "all shares are below half a part, and one is kept"


def test_two_packings_of_the_same_names_do_not_go_into_one_folder(write_rows: RowWriter, tmp_path: Path) -> None:
    rows = [RowFile(write_rows(size=5))]
    packings = [tmp_path / "a", tmp_path / "b"]
    for packing in packings:
        carry.pack(rows, packing, 1)
    with pytest.raises(RowError, match="same name"):
        carry.unpack(packings, tmp_path / "back", 1)


def test_a_damaged_file_is_refused(write_rows: RowWriter, tmp_path: Path) -> None:
    (whole,) = carry.pack([RowFile(write_rows(size=5))], tmp_path / "packed", 1)
    cut = tmp_path / f"cut{carry.PACKED}"
    cut.write_bytes(whole.read_bytes()[:-20])
    foreign = tmp_path / f"foreign{carry.PACKED}"
    foreign.write_bytes(lzma.compress(b"x" * 100))
    for path in (cut, foreign):
        with pytest.raises(RowError, match=path.name.removesuffix(".xz")):
            carry.unpack([path], tmp_path / "back", 1)
    assert not list((tmp_path / "back").glob("*"))
