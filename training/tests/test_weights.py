"""The weight file."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from kosumi_training import fixture
from kosumi_training.answers import AnswerError, answers, differences, from_line, to_line
from kosumi_training.net import Convolution
from kosumi_training.quantize import BIAS_LIMIT
from kosumi_training.rows import RowFile
from kosumi_training.weights import Description, IntegerNet, WeightsError

from .test_integers import exported


@pytest.fixture
def net() -> IntegerNet:
    return exported(fixture.random_net(1))


def test_what_is_written_is_read(net: IntegerNet, tmp_path: Path) -> None:
    path = tmp_path / "a.kosunet"
    net.write(path)
    again = IntegerNet.read(path)
    assert again.description == net.description
    assert list(again.tensors) == [name for name, _, _ in net.description.layout()]
    for name, tensor in again.tensors.items():
        assert tensor.dtype == net.tensors[name].dtype
        assert (tensor == net.tensors[name]).all(), name
    assert [one.name for one in tmp_path.iterdir()] == ["a.kosunet"]


def test_the_file_is_as_long_as_the_document_says(net: IntegerNet) -> None:
    c = v = q = 32
    h = 8
    convolution = 9 * c * c + 4 * c + 4 * c
    expected = (9 * 16 * c + 8 * c + 4 * 16 * c) + 2 * (2 * convolution + 4) + 4 * 3 * c * c
    expected += (v * c + 8 * v) + (q * c + 8 * q) + 4 * 3 * v * q + 2 * q + 4 + 2 * v + 8
    expected += 4 * (3 * v * h + h + 6 * h + 6)
    assert len(net.to_bytes()) == 8 + 4 + 4 + len(net.description.to_json()) + expected + 4


@pytest.mark.parametrize("at", [0, 9, 40, 5000, -1])
def test_damage_is_found(net: IntegerNet, at: int) -> None:
    data = bytearray(net.to_bytes())
    data[at] ^= 1
    with pytest.raises(WeightsError):
        IntegerNet.from_bytes(bytes(data))


def test_a_cut_file_is_refused(net: IntegerNet, tmp_path: Path) -> None:
    path = tmp_path / "a.kosunet"
    path.write_bytes(net.to_bytes()[:-100])
    with pytest.raises(WeightsError, match="cut off"):
        IntegerNet.read(path)
    # Also with a checksum that fits.
    body = net.to_bytes()[:-100]
    with pytest.raises(WeightsError, match="too short"):
        IntegerNet.from_bytes(body + struct.pack("<I", zlib.crc32(body)))
    body = net.to_bytes()[:-4] + b"more"
    with pytest.raises(WeightsError, match="too long"):
        IntegerNet.from_bytes(body + struct.pack("<I", zlib.crc32(body)))


def test_numbers_that_the_engine_refuses_are_not_written(net: IntegerNet) -> None:
    for name, value in (("input.w", -128), ("0.first.m", -1.0), ("hidden", np.nan), ("0.second.r", 1000.0)):
        tensors = {key: tensor.copy() for key, tensor in net.tensors.items()}
        tensors[name].flat[0] = value
        with pytest.raises(WeightsError, match=name):
            IntegerNet(net.description, tensors).to_bytes()


def test_dead_and_wild_channels_stay_within_bounds() -> None:
    net = fixture.random_net(1)
    first = net.blocks[0].first
    assert isinstance(first, Convolution)
    first.weight.data[0] = 0.0
    first.weight.data[1] *= 1e-12
    first.beta.data[:2] = 1e6
    first.gamma.data[2] = 0.0
    first.gamma.data[3] *= -1.0
    integer = exported(net)
    assert np.abs(integer.tensors["0.first.b"].astype(np.int64)).max() <= BIAS_LIMIT
    assert not integer.tensors["0.first.w"][0].any()
    assert not integer.tensors["0.first.w"][2].any()


def test_the_description_holds_all_fields_and_no_others(net: IntegerNet) -> None:
    table = json.loads(net.description.to_json())
    assert set(table) == {
        "name", "planes", "channels", "blocks", "pooling", "value_channels", "policy_channels", "hidden", "sizes",
        "rules", "origin",
    }  # fmt: skip
    assert set(table["origin"]) == {"data", "steps", "commit"}
    other = dict(table, origin={})
    with pytest.raises(WeightsError, match="origin"):
        Description.from_json(json.dumps(other).encode())
    table["extra"] = 1
    with pytest.raises(WeightsError, match="fields"):
        Description.from_json(json.dumps(table).encode())


def test_answers_survive_the_way_through_text(net: IntegerNet, tmp_path: Path) -> None:
    path = tmp_path / "a.rows"
    path.write_bytes(fixture.random_rows(5, 70, 1))
    ours = list(answers(net, RowFile(path)))
    assert len(ours) == 70
    assert len(ours[0]["logits"]) == 26
    theirs = [from_line(to_line(answer)) for answer in ours]
    assert differences(iter(ours), iter(theirs)) == []
    theirs[3]["logits"][7] = np.nextafter(theirs[3]["logits"][7], np.float32(np.inf))
    (found,) = differences(iter(ours), iter(theirs))
    assert found.startswith("row 3: logits: 1 differ, the first at 7")
    assert differences(iter(ours), iter(theirs[:-1]))[0] == "70 rows here, 69 there"
    with pytest.raises(AnswerError):
        from_line('{"logits": [1]}')


def test_the_fixture_is_the_same_each_time(tmp_path: Path) -> None:
    first, second = fixture.write(tmp_path / "a", 1), fixture.write(tmp_path / "b", 1)
    for a, b in zip(first, second, strict=True):
        assert a.read_bytes() == b.read_bytes(), a.name
    assert sum(path.stat().st_size for path in first) < 120_000
