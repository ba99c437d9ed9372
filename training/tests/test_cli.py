"""The commands, from rows to a weight file."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kosumi_training.cli import main
from kosumi_training.weights import IntegerNet

from .conftest import RowWriter

CONFIG = str(Path(__file__).parent.parent / "configs" / "4x32.toml")


def test_from_rows_to_answers(write_rows: RowWriter, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows, held, folder, out = write_rows(), write_rows(seed=2), tmp_path / "state", tmp_path / "a.kosunet"
    short = ["--set", "learning.steps=3", "--set", "learning.batch=8", "--threads", "1", "--device", "cpu"]
    train = ["train", str(rows), "--state", str(folder), "--config", CONFIG, "--held-out", str(held), *short]
    assert main(train) == 0
    assert "held out 5×5" in capsys.readouterr().err

    assert main(["measure", str(folder), str(held), "--threads", "1", "--device", "cpu"]) == 0
    assert "policy_top1" in json.loads(capsys.readouterr().out)["5"]

    export = ["export", str(folder), "--out", str(out), "--name", "try-1", "--rules", "chinese", "--data", "a test"]
    assert main(export) == 0
    description = IntegerNet.read(out).description
    assert (description.name, description.sizes, description.rules) == ("try-1", (5,), ("chinese",))
    assert description.origin.steps == 3
    assert description.origin.data.startswith("a test; 24 samples in ")
    capsys.readouterr()

    assert main(["evaluate", str(out), str(held), "--limit", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [len(json.loads(line)["logits"]) for line in lines] == [26, 26]

    # An engine that says what we say is equal; one that says something else is not, and one that is missing neither.
    engine = tmp_path / "engine"
    main(["evaluate", str(out), str(held)])
    told = capsys.readouterr().out
    for answers, code in ((told, 0), (told.replace("0.", "1.", 1), 1)):
        (tmp_path / "answers").write_text(answers)
        engine.write_text(f'#!/bin/sh\n[ "$1 $2" = "net {out}" ] && cat {tmp_path}/answers\n')
        engine.chmod(0o755)
        assert main(["compare", str(out), str(held), "--engine", str(engine)]) == code
    assert "1 differences" in capsys.readouterr().out
    assert main(["compare", str(out), str(held), "--engine", str(tmp_path / "none")]) == 2


def test_a_trimmed_state_is_smaller_and_still_exported_and_begun_with(
    write_rows: RowWriter, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows, whole, trimmed = write_rows(), tmp_path / "whole", tmp_path / "trimmed"
    short = ["--config", CONFIG, "--set", "learning.steps=2", "--set", "learning.batch=8", "--device", "cpu"]
    assert main(["train", str(rows), "--state", str(whole), *short]) == 0
    assert main(["trim", str(whole), "--out", str(trimmed)]) == 0
    assert (trimmed / "state.pt").stat().st_size < 0.4 * (whole / "state.pt").stat().st_size

    files = []
    for folder in (whole, trimmed):
        out = tmp_path / f"{folder.name}.kosunet"
        export = ["export", str(folder), "--out", str(out), "--name", "try", "--rules", "chinese", "--data", "a test"]
        assert main(export) == 0
        files.append(out.read_bytes())
    assert files[0] == files[1]
    train = ["train", str(rows), "--state", str(tmp_path / "new"), "--begin-with", str(trimmed), *short]
    assert main(train) == 0
    capsys.readouterr()
    assert main(["train", str(rows), "--state", str(trimmed), *short]) == 2
    assert "trimmed" in capsys.readouterr().err

    # A run of the same shape or of a larger one can begin with it, and a run of a smaller one cannot.
    config = tmp_path / "config.toml"
    text = Path(CONFIG).read_text()
    assert "\nblocks = 4\n" in text
    for blocks, code in ((4, 0), (6, 0), (3, 2)):
        config.write_text(text.replace("\nblocks = 4\n", f"\nblocks = {blocks}\n"))
        assert main(["can-begin", str(trimmed), "--config", str(config)]) == code
    assert "blocks" in capsys.readouterr().err


def test_held_out_rows_are_not_learned_from(write_rows: RowWriter, tmp_path: Path) -> None:
    held = write_rows(name="held.rows")
    arguments = ["train", str(held.parent), "--held-out", str(held), "--state", str(tmp_path / "state")]
    config = Path(__file__).parent.parent / "configs" / "4x32.toml"
    assert main([*arguments, "--config", str(config), "--threads", "1", "--device", "cpu"]) == 2


def test_check_tells_good_rows_from_bad_ones(write_rows: RowWriter, capsys: pytest.CaptureFixture[str]) -> None:
    good = write_rows(count=7)
    assert main(["check", str(good)]) == 0
    assert "7 rows of 5×5, 0 faults" in capsys.readouterr().out

    def spoil(rows) -> None:  # noqa: ANN001
        rows["result"] = 9

    assert main(["check", str(write_rows(name="bad.rows", change=spoil))]) == 1


def test_what_cannot_be_done_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = str(tmp_path / "missing")
    for command in (
        ["train", missing, "--state", missing, "--config", CONFIG],
        ["train", missing, "--state", missing, "--config", missing],
        ["train", missing, "--state", missing, "--config", CONFIG, "--device", "abacus"],
        ["measure", missing, missing],
        ["check", missing],
        ["evaluate", missing, missing],
    ):
        assert main(command) == 2, command
        assert capsys.readouterr().err.startswith("kosumi_training: "), command


def test_a_fixture(tmp_path: Path) -> None:
    assert main(["fixture", str(tmp_path)]) == 0
    assert {path.name for path in tmp_path.glob("9.*")} == {"9.rows", "9.jsonl"}
