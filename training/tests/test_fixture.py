"""The files in `fixture/`, which the engine's tests hold the kernels to: our integers still say the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from kosumi_training.answers import answers, differences, from_line
from kosumi_training.fixture import POSITIONS
from kosumi_training.rows import RowFile
from kosumi_training.weights import IntegerNet

FOLDER = Path(__file__).parent.parent / "fixture"


@pytest.mark.parametrize("size", POSITIONS)
def test_the_integers_say_what_the_fixture_says(size: int) -> None:
    net = IntegerNet.read(FOLDER / "net.kosunet")
    expected = [from_line(line) for line in (FOLDER / f"{size}.jsonl").read_text("utf-8").splitlines()]
    assert len(expected) == POSITIONS[size]
    assert differences(answers(net, RowFile(FOLDER / f"{size}.rows")), iter(expected)) == []
    # A fixture of zeros would prove nothing.
    assert all(abs(one["logits"]).max() > 0.01 and one["logits"].std() > 0.01 for one in expected)
