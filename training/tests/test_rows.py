"""Files of rows: headers, mapping, what is wrong with rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kosumi_training.batches import Rows
from kosumi_training.rows import HEADER_BYTES, RowError, RowFile, find, problems, unpack

from .conftest import RowWriter


def test_a_row_is_as_long_as_the_document_says(write_rows: RowWriter) -> None:
    file = RowFile(write_rows(size=9))
    plane = (81 + 7) // 8
    assert file.header.dtype.itemsize == 16 * plane + 2 * plane + 16 * 4 + 6 * 4 + 2 * 4 + 1 * 4 + 4 + 2 + 1 + 1


def test_rows_are_read_and_a_cut_one_is_ignored(write_rows: RowWriter) -> None:
    path = write_rows(size=5, count=7)
    whole = path.read_bytes()
    path.write_bytes(whole[:-1])
    file = RowFile(path)
    assert len(file) == 6
    assert unpack(file.rows["planes"], 5)[:, 0].all()
    path.write_bytes(whole[:HEADER_BYTES])
    assert len(RowFile(path)) == 0


@pytest.mark.parametrize(
    ("offset", "byte", "says"),
    [(0, 65, "not a file of rows"), (8, 9, "version"), (12, 9, "planes"), (16, 99, "size"), (28, 1, "bytes")],
)
def test_a_foreign_header_is_refused(write_rows: RowWriter, offset: int, byte: int, says: str) -> None:
    path = write_rows()
    data = bytearray(path.read_bytes())
    data[offset] = byte
    path.write_bytes(data)
    with pytest.raises(RowError, match=says):
        RowFile(path)


def test_a_short_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.rows"
    path.write_bytes(b"KOSUROWS")
    with pytest.raises(RowError, match="too short"):
        RowFile(path)


def test_good_rows_have_no_faults(write_rows: RowWriter) -> None:
    assert problems(RowFile(write_rows(size=9, count=100)), at_once=30) == []


def test_faults_are_found_and_name_the_row(write_rows: RowWriter) -> None:
    def spoil(rows: np.ndarray) -> None:
        rows["score"][3] = np.nan
        rows["policy"][40, 0, 0] = 26
        rows["own"][5] = rows["enemy"][5] = 255
        rows["result"][6] = 3

    found = problems(RowFile(write_rows(size=5, change=spoil)), at_once=30)
    assert sorted(int(text.split()[1].rstrip(":")) for text in found) == [3, 5, 6, 40]


def test_a_move_on_a_stone_is_a_fault(write_rows: RowWriter) -> None:
    def spoil(rows: np.ndarray) -> None:
        stones = unpack(rows["planes"], 5)[9, 1]
        rows["policy"][9, 0] = np.argmax(stones), 1

    assert problems(RowFile(write_rows(size=5, change=spoil))) == [
        "row 9: a move of the policy is on a stone or barred"
    ]


def test_folders_are_searched_in_the_order_of_names(write_rows: RowWriter, tmp_path: Path) -> None:
    late, early = write_rows(name="b.rows"), write_rows(name="a.rows")
    (tmp_path / "rows" / "notes.txt").write_text("no rows")
    assert find([tmp_path]) == [early, late]
    with pytest.raises(RowError, match="no such"):
        find([tmp_path / "missing"])


def test_the_window_takes_the_newest_rows(write_rows: RowWriter, tmp_path: Path) -> None:
    write_rows(name="1.rows", count=10, seed=1)
    second = write_rows(name="2.rows", count=10, seed=2)
    rows = Rows([tmp_path], window=13)
    assert rows.counts == {5: 13}
    assert rows.total == 20
    taken = rows.take(5, np.arange(13))
    assert (taken[3:]["scalars"] == RowFile(second).rows["scalars"]).all()
    # A file that grows and one that is new are found when it looks again.
    second.write_bytes(second.read_bytes() + second.read_bytes()[HEADER_BYTES:])
    write_rows(name="3.rows", count=4, size=9)
    rows.look()
    assert rows.total == 34
    assert rows.counts == {5: 9, 9: 4}


@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="only Linux says what is mapped")
def test_files_outside_the_window_are_not_mapped(write_rows: RowWriter, tmp_path: Path) -> None:
    first = write_rows(name="1.rows", count=10, seed=1)
    second = write_rows(name="2.rows", count=10, seed=2)
    rows = Rows([tmp_path], window=13)
    before = rows.take(5, np.arange(13))
    assert _mapped(first)
    assert _mapped(second)
    write_rows(name="3.rows", count=10, seed=3)
    rows.look()
    del before
    assert (_mapped(first), rows.total) == (False, 30)
    assert (rows.take(5, np.arange(13))["scalars"][:3] == RowFile(second).rows["scalars"][7:]).all()


def _mapped(path: Path) -> bool:
    return str(path) in Path("/proc/self/maps").read_text()


def test_files_of_different_width_are_read_together(write_rows: RowWriter, tmp_path: Path) -> None:
    write_rows(name="1.rows", count=3, reply=1)
    write_rows(name="2.rows", count=3, reply=2, seed=2)
    taken = Rows([tmp_path]).take(5, np.array([5, 0, 1]))
    assert taken["reply"].shape == (3, 2, 2)
    assert (taken["reply"][:, 1] == 0).all()
    assert (taken["policy_weight"] == 1).all()
