"""Runs: they learn, they stop and go on, they wait for rows."""

from __future__ import annotations

import dataclasses
import io
import itertools
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import threading
import types
from pathlib import Path
from typing import Any

import pytest
import torch

from kosumi_training import held_out, settings
from kosumi_training.batches import Rows
from kosumi_training.net import Shape
from kosumi_training.progress import Progress, duration
from kosumi_training.schedule import Schedule
from kosumi_training.settings import Data, Learning, Settings
from kosumi_training.state import StateError, load
from kosumi_training.trainer import LOG, STATE, Options, Trainer, TrainingError

from .conftest import RowWriter

CPU = torch.device("cpu")
TINY = Shape(channels=32, blocks=1, pooling=(0,), value_channels=32, policy_channels=32, hidden=8)
FIRST = Learning(batch=16, steps=20, rate=0.01, warm_up=2, quantized_share=0.3, average=0.9)


def make(path: Path, folder: Path, learning: Learning = FIRST, data: Data | None = None, **options: Any) -> Trainer:
    chosen = Settings(TINY, settings.Weights(), learning, data or Data())
    return Trainer(chosen, Rows([path], chosen.data.window or None), None, Options(folder, CPU, **options))


def go(trainer: Trainer) -> str:
    out = io.StringIO()
    trainer.run(Progress(trainer.schedule.steps, 0.0, out))
    return out.getvalue()


def same(a: Any, b: Any) -> bool:
    """Whether two states are equal, tensors bit by bit."""
    if isinstance(a, torch.Tensor):
        return torch.equal(a, b)
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(same(a[key], b[key]) for key in a)
    if isinstance(a, list | tuple):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    return bool(a == b)


def test_the_mean_begins_anew_with_the_rounding(write_rows: RowWriter, tmp_path: Path) -> None:
    learning = dataclasses.replace(FIRST, quantized_share=0.3)
    before = make(write_rows(), tmp_path / "state", learning, stop_after=14)
    go(before)
    assert not before.net.quantized
    assert before.average.steps == 14
    mean = before.average.mean
    after = make(write_rows(), tmp_path / "state", learning, stop_after=15)
    go(after)
    assert after.net.quantized
    assert after.average.steps == 1
    names = [name for name in mean if "running_" in name]
    assert names
    assert all(torch.equal(after.net.state_dict()[name], mean[name]) for name in names), "frozen at their mean"
    last = make(write_rows(), tmp_path / "state", learning)
    go(last)
    assert last.average.steps == 6, "a run that goes on while it rounds keeps its mean"


@pytest.mark.parametrize("mixed", [False, True])
def test_a_stopped_run_ends_as_one_that_was_not(write_rows: RowWriter, tmp_path: Path, mixed: bool) -> None:
    write_rows(size=5)
    write_rows(size=7)
    rows, data = tmp_path / "rows", Data(mixed=mixed)
    go(make(rows, tmp_path / "whole", data=data))
    for stop in (7, 16, None):  # the second stop lies where steps are rounded
        go(make(rows, tmp_path / "parts", data=data, stop_after=stop))
    whole, parts = load(tmp_path / "whole" / STATE), load(tmp_path / "parts" / STATE)
    assert whole["step"] == parts["step"] == 20
    for name in ("net", "average", "optimizer", "samples", "random"):
        assert same(whole[name], parts[name]), name


def test_the_averaged_weights_are_not_the_last_ones(write_rows: RowWriter, tmp_path: Path) -> None:
    trainer = make(write_rows(), tmp_path / "state")
    go(trainer)
    assert not same(trainer.average.mean, trainer.net.state_dict())
    assert same(trainer.average.mean, trainer.averaged().state_dict())
    assert trainer.averaged().quantized


def test_a_small_net_learns_a_few_rows_by_heart(write_rows: RowWriter, tmp_path: Path) -> None:
    path = write_rows(size=5, count=24)
    learning = dataclasses.replace(FIRST, batch=48, steps=200)
    trainer = make(path, tmp_path / "state", learning)
    go(trainer)
    figures = held_out.measure(trainer.averaged(), held_out.sample(trainer.rows, 100), CPU)["5"]
    assert figures["policy_top1"] > 0.9
    assert figures["policy_loss"] < 0.5
    assert figures["value_error"] < 0.1
    assert figures["owner_right"] > 0.9
    assert figures["lead_error"] < 2.0


def test_nothing_is_learned_of_nothing(write_rows: RowWriter, tmp_path: Path) -> None:
    """The bounds of the test above tell learning from luck: a net without a step does not reach them."""
    trainer = make(write_rows(size=5, count=24), tmp_path / "state")
    figures = held_out.measure(trainer.averaged(), held_out.sample(trainer.rows, 100), CPU)["5"]
    assert figures["policy_top1"] < 0.5
    assert figures["policy_loss"] > 1.0


def test_a_log_without_the_steps_that_are_taken_again(write_rows: RowWriter, tmp_path: Path) -> None:
    path, folder = write_rows(), tmp_path / "state"
    go(make(path, folder, stop_after=10))
    with (folder / LOG).open("a") as file:
        file.write('{"step": 13, "losses": {}}\n{"step": 14, "los')
    go(make(path, folder))
    steps = [json.loads(line)["step"] for line in (folder / LOG).read_text().splitlines()]
    assert steps == sorted(set(steps))
    assert steps[-1] == 20


def test_held_out_figures_are_logged(write_rows: RowWriter, tmp_path: Path) -> None:
    path, other = write_rows(seed=1), write_rows(seed=2)
    chosen = Settings(TINY, settings.Weights(), FIRST, Data())
    trainer = Trainer(chosen, Rows([path]), Rows([other]), Options(tmp_path / "state", CPU, measure_steps=10))
    told = go(trainer)
    entries = [json.loads(line) for line in (tmp_path / "state" / LOG).read_text().splitlines()]
    measured = [entry for entry in entries if "held_out" in entry]
    assert [entry["step"] for entry in measured] == [10, 20]
    assert [entry["quantized"] for entry in measured] == [False, True]
    assert "policy_top5" in measured[0]["held_out"]["5"]
    assert "held out 5×5" in told


def test_a_part_of_a_run_ends_with_its_losses_and_figures(write_rows: RowWriter, tmp_path: Path) -> None:
    """`kosumi teach` learns in parts, and each may be shorter than the time between two lines."""
    path, other = write_rows(seed=1), write_rows(seed=2)
    chosen = Settings(TINY, settings.Weights(), FIRST, Data())
    options = Options(tmp_path / "state", CPU, measure_steps=0, stop_after=7)
    Trainer(chosen, Rows([path]), Rows([other]), options).run(Progress(20, 1e9, io.StringIO()))
    entries = [json.loads(line) for line in (tmp_path / "state" / LOG).read_text().splitlines()]
    assert {entry["step"] for entry in entries} == {7}
    assert any("5" in entry.get("held_out", {}) for entry in entries)
    assert any(entry.get("losses", {}).get("policy", 0.0) > 0.0 for entry in entries)


def test_few_rows_are_learned_by_heart(write_rows: RowWriter, tmp_path: Path) -> None:
    """A fixed small set drives the losses below fixed marks; random play knows 26 moves, a policy loss of 3.26."""
    path = write_rows(count=16, seed=3)
    learning = dataclasses.replace(FIRST, steps=300, warm_up=10, rate=0.01, quantized_share=0.0)
    trainer = Trainer(
        Settings(TINY, settings.Weights(), learning, Data()),
        Rows([path]),
        None,
        Options(tmp_path / "state", CPU, precision="fp32", measure_steps=0, line_seconds=1e9),
    )
    told = Progress(300, 1e9, io.StringIO())
    first = trainer.take_step(trainer.draw.parts(trainer.rows, 0)).means()
    trainer.run(told)
    last = trainer.take_step(trainer.draw.parts(trainer.rows, 300)).means()
    assert first["policy"] > 2.0
    assert last["policy"] < first["policy"] - 1.0, (first, last)
    assert last["result"] < 0.5 * first["result"], (first, last)


def test_a_run_waits_when_rows_are_used_up_and_goes_on_with_new_ones(write_rows: RowWriter, tmp_path: Path) -> None:
    write_rows(count=32, name="1.rows")
    trainer = make(tmp_path / "rows", tmp_path / "state", data=Data(reuse=4.0, window=40))
    looks = []

    class Waiting(threading.Event):
        """The first wait brings rows, the second one asks to stop."""

        def wait(self, timeout: float | None = None) -> bool:
            looks.append(trainer.step)
            if len(looks) == 1:
                write_rows(count=16, name="2.rows", seed=2)
            else:
                self.set()
            return self.is_set()

    trainer.options = dataclasses.replace(trainer.options, stop=Waiting())
    told = go(trainer)
    # 32 rows four times are 8 steps of 16; 16 rows more are 4 steps more.
    assert looks == [8, 12]
    assert "waits for new rows" in told
    assert trainer.rows.counts == {5: 40}
    assert load(tmp_path / "state" / STATE)["seen"] == {"rows/1.rows": 32, "rows/2.rows": 16}


def test_rows_of_two_folders_count_although_their_files_have_the_same_names(
    write_rows: RowWriter, tmp_path: Path
) -> None:
    path = write_rows(count=32, name="1.rows")
    (tmp_path / "more").mkdir()
    shutil.copy(path, tmp_path / "more" / "1.rows")
    rows = Rows([path.parent, tmp_path / "more"])
    chosen = Settings(TINY, settings.Weights(), FIRST, Data(reuse=4.0))
    trainer = Trainer(chosen, rows, None, Options(tmp_path / "state", CPU))
    assert trainer.seen == {"rows/1.rows": 32, "more/1.rows": 32}


def test_weight_decay_follows_the_settings_of_a_run_that_goes_on(write_rows: RowWriter, tmp_path: Path) -> None:
    path, folder = write_rows(), tmp_path / "state"
    go(make(path, folder, stop_after=2))
    trainer = make(path, folder, stop_after=3)
    trainer.settings = dataclasses.replace(
        trainer.settings, learning=dataclasses.replace(trainer.settings.learning, decay=0.5)
    )
    changed = Trainer(trainer.settings, trainer.rows, None, trainer.options)
    assert [group["weight_decay"] for group in changed.optimizer.param_groups] == [0.5, 0.0]


def test_a_weight_that_is_no_number_is_not_saved(write_rows: RowWriter, tmp_path: Path) -> None:
    path, folder = write_rows(), tmp_path / "state"
    go(make(path, folder, stop_after=2))
    trainer = make(path, folder, stop_after=3)
    with torch.no_grad():
        next(trainer.net.parameters()).fill_(math.nan)
    with pytest.raises(TrainingError, match="no number"):
        trainer.save()
    assert load(folder / STATE)["step"] == 2


def test_another_shape_or_another_file_is_refused(write_rows: RowWriter, tmp_path: Path) -> None:
    path, folder = write_rows(), tmp_path / "state"
    go(make(path, folder, stop_after=2))
    wider = dataclasses.replace(TINY, hidden=9)
    with pytest.raises(StateError, match="another shape"):
        Trainer(Settings(wider, settings.Weights(), FIRST, Data()), Rows([path]), None, Options(folder, CPU))
    (folder / STATE).write_bytes(b"nonsense")
    with pytest.raises(StateError, match="not a saved state"):
        make(path, folder)


def test_a_new_run_begins_with_the_averaged_weights_of_another(write_rows: RowWriter, tmp_path: Path) -> None:
    path = write_rows()
    first = make(path, tmp_path / "a")
    go(first)
    second = make(path, tmp_path / "b", begin_with=tmp_path / "a")
    assert same(second.net.state_dict(), first.average.mean)
    assert second.step == 0
    assert same(second.average.mean, first.average.mean)


def test_a_loss_that_is_no_number_ends_the_run_and_keeps_the_state(write_rows: RowWriter, tmp_path: Path) -> None:
    path, folder = write_rows(), tmp_path / "state"
    go(make(path, folder, stop_after=5))
    trainer = make(path, folder)
    with torch.no_grad():
        trainer.net.results_bias.fill_(float("nan"))
    with pytest.raises(TrainingError, match="no number"):
        go(trainer)
    assert load(folder / STATE)["step"] == 5


def test_no_rows_are_an_error(write_rows: RowWriter, tmp_path: Path) -> None:
    with pytest.raises(TrainingError, match="no rows"):
        go(make(write_rows(count=0), tmp_path / "state"))


def test_a_save_that_fails_leaves_the_old_state(
    write_rows: RowWriter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, folder = write_rows(), tmp_path / "state"
    go(make(path, folder, stop_after=5))
    before = (folder / STATE).read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    trainer = make(path, folder)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        trainer.save()
    out = io.StringIO()
    trainer.save_or_say(Progress(20, 0.0, out))
    assert "could not save" in out.getvalue()
    assert (folder / STATE).read_bytes() == before
    assert sorted(one.name for one in folder.iterdir()) == sorted([LOG, STATE])


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_a_killed_program_goes_on(write_rows: RowWriter, tmp_path: Path, how: signal.Signals) -> None:
    """SIGTERM saves; after SIGKILL the last save is there, and the run can go on from it."""
    path, folder, config = write_rows(count=200), tmp_path / "state", tmp_path / "tiny.toml"
    config.write_text(
        "[net]\nchannels = 32\nblocks = 1\npooling = []\nvalue_channels = 32\npolicy_channels = 32\nhidden = 8\n"
    )
    command = [sys.executable, "-m", "kosumi_training", "train", str(path), "--state", str(folder), "--threads", "1"]
    command += ["--config", str(config), "--line-seconds", "0", "--save-minutes", "0", "--device", "cpu"]
    command += ["--set", "learning.batch=8"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as running:
        assert running.stderr is not None
        for line in running.stderr:
            if line.startswith("step 12/"):
                running.send_signal(how)
                break
        rest = running.stderr.read()
    saved = load(folder / STATE)
    assert saved["step"] >= 11
    if how == signal.SIGTERM:
        assert running.returncode == 3
        assert f"step {saved['step']} of 100000" in rest
    last = str(saved["step"] + 3)
    done = subprocess.run([*command, "--stop-after", last], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert f"from step {saved['step']}" in done.stderr
    assert load(folder / STATE)["step"] == int(last)


def test_the_schedule() -> None:
    schedule = Schedule(steps=1000, peak=2.0, warm_up=10, final_share=0.1, quantized_share=0.1)
    assert schedule.rate(0) == pytest.approx(0.2)
    assert schedule.rate(9) == pytest.approx(2.0)
    assert schedule.rate(505) == pytest.approx(1.1, rel=0.01)
    assert schedule.rate(1000) == pytest.approx(0.2)
    rates = [schedule.rate(step) for step in range(10, 1001)]
    assert rates == sorted(rates, reverse=True)
    assert [schedule.is_quantized(step) for step in (0, 899, 900, 999)] == [False, False, True, True]


def test_a_run_by_the_clock_ends_when_its_time_is_over_and_goes_on_after_a_stop(
    write_rows: RowWriter, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = write_rows(size=5)
    seconds = itertools.count(step=0.5)
    monkeypatch.setattr("kosumi_training.trainer.time", types.SimpleNamespace(monotonic=lambda: next(seconds)))
    first = make(rows, tmp_path / "run", minutes=1.0, stop_after=7)
    go(first)
    # Two looks at the clock are in a step, so a step takes a second.
    assert first.step == 7
    assert first.place() == pytest.approx(20 * 7 / 60)
    assert not first.net.quantized
    last = make(rows, tmp_path / "run", minutes=1.0)
    out = go(last)
    assert last.step == 60
    assert last.place() == 20
    assert last.net.quantized
    assert last.optimizer.param_groups[0]["lr"] == pytest.approx(last.schedule.rate(20 * 59 / 60))
    assert "step 60 of 60" in out
    assert load(tmp_path / "run" / STATE)["place"] == 20
    go(make(rows, tmp_path / "run", minutes=1.0))
    assert load(tmp_path / "run" / STATE)["step"] == 60
    go(make(rows, tmp_path / "other", stop_after=7))
    with pytest.raises(StateError, match="--minutes"):
        make(rows, tmp_path / "other", minutes=0.05)


def test_the_line_tells_rate_losses_and_time_left() -> None:
    out, time = io.StringIO(), [0.0]
    progress = Progress(100, 10.0, out, lambda: time[0])
    for step in range(21):
        assert progress.step(step, 32, {"policy": float(step)}) == (step == 20)
        time[0] += 0.5
    assert out.getvalue() == "step 21/100 · 64 samples/s · policy 10.500 · 40 s left\n"
    assert [duration(seconds) for seconds in (45, 720, 11100, 187200)] == ["45 s", "12 min", "3 h 05 min", "2 d 04 h"]


def test_a_new_run_grows_from_a_smaller_net(write_rows: RowWriter, tmp_path: Path) -> None:
    path = write_rows()
    go(make(path, tmp_path / "a", stop_after=2))
    learning = dataclasses.replace(FIRST, steps=3)
    run = Options(tmp_path / "b", CPU, begin_with=tmp_path / "a")
    larger = dataclasses.replace(TINY, channels=64, blocks=2)
    go(Trainer(Settings(larger, settings.Weights(), learning, Data()), Rows([path]), None, run))
    assert load(tmp_path / "b" / STATE)["step"] == 3
    smaller = dataclasses.replace(TINY, hidden=7)
    run = Options(tmp_path / "c", CPU, begin_with=tmp_path / "a")
    with pytest.raises(StateError, match="hidden = 7 is less than the 8"):
        Trainer(Settings(smaller, settings.Weights(), learning, Data()), Rows([path]), None, run)
