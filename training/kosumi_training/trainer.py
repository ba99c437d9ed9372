"""The loop: draw rows, take a step, measure, save, and go on where an earlier run was stopped."""

from __future__ import annotations

import json
import math
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from kosumi_training import growth, held_out, losses, state
from kosumi_training.average import Average
from kosumi_training.batches import Draw, Part, Rows, ahead, to_batch
from kosumi_training.net import Net
from kosumi_training.progress import Progress, duration
from kosumi_training.schedule import Schedule
from kosumi_training.settings import Settings, from_dict
from kosumi_training.state import StateError

STATE = "state.pt"
LOG = "log.jsonl"
STATE_VERSION = 1
# Steps between two looks for new rows, where the window or the reuse of rows asks for it.
LOOK_STEPS = 100
# Seconds between two looks while there is nothing to learn from.
LOOK_SECONDS = 5.0
# On a GPU the losses are fetched only now and then, because fetching waits for the GPU.
GPU_LOSS_STEPS = 20


class TrainingError(Exception):
    """A run that cannot go on; the text says why."""


@dataclass(frozen=True)
class Options:
    """How a run is carried out; none of it changes what is learned, but for the precision."""

    folder: Path
    device: torch.device
    # "auto", "bf16" or "fp32".
    precision: str = "auto"
    # Minutes between two saves, seconds between two lines, steps between two measurements (0: only at the end).
    save_minutes: float = 5.0
    line_seconds: float = 30.0
    measure_steps: int = 2000
    # Held-out rows of each size that are measured.
    measure_rows: int = 4096
    # Weights to begin with, from the folder of another run.
    begin_with: Path | None = None
    # Stops after this step, as a signal would; for tests and for steps on borrowed machines.
    stop_after: int | None = None
    # The run takes this long, earlier parts included, and as many steps as it can. `learning.steps` then says only when
    # the rate changes.
    minutes: float | None = None
    stop: threading.Event = field(default_factory=threading.Event)


def has_bf16(device: torch.device) -> bool:
    """Whether sixteen-bit floats make the device faster."""
    if device.type == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    if device.type == "cpu":
        able = torch.cpu.get_capabilities()
        return bool(able.get("avx512_bf16") or able.get("amx_bf16"))
    return False


def optimizer_of(net: nn.Module, decay: float) -> torch.optim.AdamW:
    """AdamW; weight decay holds for convolutions and matrices, not for biases and normalisation."""
    shrinking = [weight for weight in net.parameters() if weight.dim() >= 2]
    others = [weight for weight in net.parameters() if weight.dim() < 2]
    groups = [{"params": shrinking, "weight_decay": decay}, {"params": others, "weight_decay": 0.0}]
    return torch.optim.AdamW(groups, lr=0.0, betas=(0.9, 0.99))


class Trainer:
    """A run: its net, its optimizer, its averaged weights, and how far it is."""

    def __init__(self, settings: Settings, rows: Rows, held: Rows | None, options: Options) -> None:
        self.settings, self.rows, self.held, self.options = settings, rows, held, options
        learning = settings.learning
        self.schedule = Schedule(
            learning.steps, learning.rate, learning.warm_up, learning.final_share, learning.quantized_share
        )
        shares = {int(size): share for size, share in settings.data.shares.items()}
        self.draw = Draw(learning.batch, learning.seed, settings.data.mixed, shares)
        torch.manual_seed(learning.seed)
        self.net = Net(settings.net).to(options.device)
        self.optimizer = optimizer_of(self.net, learning.decay)
        self.average = Average(self.net, learning.average)
        self.step = 0
        self.samples = 0
        self.seconds = 0.0
        self.measured = -1
        # Rows that there ever were, file by file: the reuse of rows is counted against their sum.
        self.seen: dict[str, int] = {}
        if (options.folder / STATE).exists():
            self.resume(state.load(options.folder / STATE))
        elif options.begin_with is not None:
            self.begin_with(state.load(options.begin_with / STATE))
        self.count_rows()

    # What is saved

    def to_state(self) -> dict[str, Any]:
        """Everything that a run needs to go on."""
        return {
            "version": STATE_VERSION,
            "settings": self.settings.to_dict(),
            "step": self.step,
            "place": self.place(),
            "samples": self.samples,
            "seconds": self.seconds,
            "seen": self.seen,
            "sizes": sorted(self.rows.counts),
            "net": self.net.state_dict(),
            "average": self.average.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "random": torch.get_rng_state(),
            "rounds": self.net.quantized,
        }

    def resume(self, saved: dict[str, Any]) -> None:
        """Goes on from a state."""
        if saved.get("version") != STATE_VERSION:
            raise StateError(f"a state of version {saved.get('version')}, {STATE_VERSION} expected")
        if saved["settings"]["net"] != self.settings.to_dict()["net"]:
            raise StateError(f"{self.options.folder}: the state there is of a net of another shape")
        if state.is_trimmed(saved):
            raise StateError(f"{self.options.folder}: the state there is trimmed; a new run can --begin-with it")
        self.net.load_state_dict(saved["net"])
        self.average.load_state_dict(saved["average"])
        decays = [group["weight_decay"] for group in self.optimizer.param_groups]
        self.optimizer.load_state_dict(saved["optimizer"])
        # The saved groups bring their own weight decay, and the settings may have changed.
        for group, usual in zip(self.optimizer.param_groups, decays, strict=True):
            group["weight_decay"] = usual
        torch.set_rng_state(saved["random"])
        self.step, self.samples, self.seconds = saved["step"], saved["samples"], saved["seconds"]
        # States from before this version do not say it.
        self.net.quantized = saved.get("rounds", self.schedule.is_quantized(self.place()))
        minutes = self.options.minutes
        if minutes is not None and self.seconds >= 60 * minutes and saved.get("place", self.step) < self.schedule.steps:
            raise StateError(
                f"{self.options.folder}: the run has learned for {duration(self.seconds)}, which --minutes counts, too"
            )
        self.seen = dict(saved["seen"])
        self.cut_log()

    def begin_with(self, saved: dict[str, Any]) -> None:
        """Takes the averaged weights of another run, and nothing else of it. A net of a smaller shape grows."""
        shape, weights = from_dict(saved["settings"]).net, saved["average"]["mean"]
        if shape == self.settings.net:
            self.net.load_state_dict(weights)
        else:
            problem = growth.problem(shape, self.settings.net)
            if problem is not None:
                raise StateError(f"{self.options.begin_with}: {problem}")
            growth.grow(weights, shape, self.net)
        self.average = Average(self.net, self.settings.learning.average)

    def save(self) -> None:
        """Saves the state. Raises `TrainingError` if a weight is no number any more; the old state stays then."""
        if not all(bool(torch.isfinite(weight).all()) for weight in self.net.parameters()):
            raise TrainingError(f"step {self.step}: a weight is no number any more")
        state.save(self.options.folder / STATE, self.to_state())

    def cut_log(self) -> None:
        """Takes lines out of the log that were written after the state was saved: their steps are taken again."""
        path = self.options.folder / LOG
        if not path.exists():
            return
        kept = []
        for line in path.read_text("utf-8").splitlines():
            try:
                if json.loads(line)["step"] <= self.step:
                    kept.append(line + "\n")
            except (ValueError, KeyError):
                continue  # a line that was cut off when the machine went away
        state.write_whole(path, "".join(kept).encode("utf-8"))

    def log(self, entry: dict[str, Any]) -> None:
        """Adds a line to the log."""
        self.options.folder.mkdir(parents=True, exist_ok=True)
        with (self.options.folder / LOG).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"step": self.step, "seconds": round(self.seconds), **entry}) + "\n")

    # Rows

    def count_rows(self) -> None:
        """Takes note of the rows that there are now."""
        for path, file in self.rows.files.items():
            name = f"{path.parent.name}/{path.name}"
            # States from before this version know files by their names alone.
            known = max(self.seen.get(name, 0), self.seen.pop(path.name, 0))
            self.seen[name] = max(known, len(file))

    def look(self) -> None:
        """Looks for new rows."""
        self.rows.look()
        self.count_rows()

    def steps_allowed(self) -> int:
        """Steps until the rows have been used as often as they may be."""
        reuse = self.settings.data.reuse
        if reuse == 0:
            return self.steps_left()
        return int((reuse * sum(self.seen.values()) - self.samples) // self.settings.learning.batch)

    def follows(self) -> bool:
        """Whether new rows count while the run goes on."""
        return self.settings.data.reuse > 0 or self.settings.data.window > 0

    # Learning

    def place(self) -> float:
        """How far the schedule is, in its steps: the steps taken, or what the clock says."""
        if self.options.minutes is None:
            return self.step
        return self.schedule.steps * min(1.0, self.seconds / (60 * self.options.minutes))

    def is_over(self) -> bool:
        """Whether the last step has been taken, of the run or of this part of it."""
        stop_after = self.options.stop_after
        return self.place() >= self.schedule.steps or (stop_after is not None and self.step >= stop_after)

    def steps_left(self) -> int:
        """Steps to take before rows, or the clock, are looked at again."""
        if self.options.minutes is not None:
            return LOOK_STEPS
        last = self.schedule.steps if self.options.stop_after is None else self.options.stop_after
        return min(last, self.schedule.steps) - self.step

    def precision(self) -> AbstractContextManager[Any]:
        """Sixteen-bit floats where they are wanted."""
        device, wanted = self.options.device, self.options.precision
        if wanted == "bf16" or (wanted == "auto" and has_bf16(device)):
            return torch.autocast(device.type, dtype=torch.bfloat16)
        return nullcontext()

    def take_step(self, parts: list[Part]) -> losses.Losses:
        """Learns from one batch."""
        batch = to_batch(parts, self.options.device)
        self.net.train()
        place = self.place()
        rounds = self.schedule.is_quantized(place)
        if rounds and not self.net.quantized:
            self.begin_rounding()
        self.net.quantized = rounds
        with self.precision():
            outputs = self.net(batch.planes, batch.scalars, batch.mixed)
        result = losses.compute(outputs, batch, self.settings.loss)
        for group in self.optimizer.param_groups:
            group["lr"] = self.schedule.rate(place)
        self.optimizer.zero_grad(set_to_none=True)
        result.total.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.net.parameters(), self.settings.learning.gradient_limit)
        self.optimizer.step()
        self.average.update(self.net)
        self.step += 1
        self.samples += len(batch)
        return result

    def begin_rounding(self) -> None:
        """Before the first rounded step, normalisation takes its averaged statistics, and the mean begins anew.

        Normalisation is frozen from here on, and its own statistics are those of the last twenty steps or so. A mean
        that went on would keep weights from before the rounding; a part of `kosumi teach` has few rounded steps.
        """
        statistics = {name: mean for name, mean in self.average.mean.items() if "running_" in name}
        self.net.load_state_dict(statistics, strict=False)
        self.average = Average(self.net, self.settings.learning.average)

    def averaged(self) -> Net:
        """A net with the averaged weights."""
        net = Net(self.settings.net).to(self.options.device)
        self.average.copy_to(net)
        net.quantized = self.net.quantized
        return net.eval()

    def measure(self, progress: Progress) -> None:
        """Measures the averaged weights on held-out rows, and writes what comes of it into the log."""
        self.measured = self.step
        if self.held is None:
            return
        parts = held_out.sample(self.held, self.options.measure_rows)
        figures = held_out.measure(self.averaged(), parts, self.options.device)
        self.log({"held_out": figures, "quantized": self.net.quantized})
        for size, values in figures.items():
            told = " ".join(f"{name} {value:.3f}" for name, value in values.items() if "," not in name)
            progress.note(f"step {self.step} · held out {size}×{size}: {told}")

    def run(self, progress: Progress) -> None:
        """Learns until the last step, or until something asks to stop; saves in either case.

        Raises `TrainingError` if a loss is no number any more; the state is then that of the last save.
        """
        options = self.options
        saved = begun = time.monotonic()
        waiting = False
        while not self.is_over() and not options.stop.is_set():
            count = min(self.steps_left(), self.steps_allowed())
            if self.follows():
                count = min(count, LOOK_STEPS)
            if count < 1 or len(self.rows) == 0:
                if not self.follows():
                    raise TrainingError("there are no rows to learn from")
                if not waiting:
                    progress.note(f"step {self.step}: waits for new rows")
                    self.save()
                waiting = True
                options.stop.wait(LOOK_SECONDS)
                self.look()
                now = time.monotonic()
                # A run by the clock goes on while it waits.
                if options.minutes is not None:
                    self.seconds += now - begun
                begun = now
                continue
            waiting = False
            with closing(ahead(self.draw, self.rows, self.step, self.step + count)) as batches:
                for parts in batches:
                    self.tell(progress, self.take_step(parts))
                    if options.measure_steps > 0 and self.step % options.measure_steps == 0:
                        self.measure(progress)
                    if time.monotonic() - saved > 60 * options.save_minutes:
                        self.save_or_say(progress)
                        saved = time.monotonic()
                    now = time.monotonic()
                    self.seconds += now - begun
                    begun = now
                    if options.stop.is_set() or self.is_over():
                        break
            if self.follows():
                self.look()
        if self.is_over() and self.measured != self.step:
            self.measure(progress)
        if progress.rest():
            self.log({"losses": progress.last, "samples": self.samples, "rate": self.optimizer.param_groups[0]["lr"]})
        self.save()
        steps = self.step if self.options.minutes is not None and self.is_over() else progress.steps
        progress.note(f"step {self.step} of {steps}, {duration(self.seconds)} in all; saved")

    def tell(self, progress: Progress, result: losses.Losses) -> None:
        """Gives the losses of a step to the progress line and the log."""
        means: dict[str, float] = {}
        if self.options.device.type == "cpu" or self.step % GPU_LOSS_STEPS == 0:
            means = result.means()
            if not all(math.isfinite(value) for value in means.values()):
                raise TrainingError(f"step {self.step}: a loss is no number any more: {means}")
        if self.options.minutes is not None and self.place() > 0:
            progress.steps = round(self.step * self.schedule.steps / self.place())  # a guess, for the time that is left
        if progress.step(self.step - 1, self.settings.learning.batch, means):
            self.log({"losses": progress.last, "samples": self.samples, "rate": self.optimizer.param_groups[0]["lr"]})

    def save_or_say(self, progress: Progress) -> None:
        """Saves; a disk that is full does not end the run, the next save may find room."""
        try:
            self.save()
        except OSError as error:
            progress.note(f"step {self.step}: could not save: {error}")


@contextmanager
def stopping_on_signals(stop: threading.Event) -> Iterator[None]:
    """While inside, SIGINT and SIGTERM ask the run to stop after its step. A second one ends it as usual."""
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in numbers}

    def ask(number: int, frame: object) -> None:
        stop.set()
        for each in numbers:
            signal.signal(each, before[each])

    for number in numbers:
        signal.signal(number, ask)
    try:
        yield
    finally:
        for number in numbers:
            signal.signal(number, before[number])


def parameters(net: nn.Module) -> int:
    """Numbers that are learned."""
    sizes: list[int] = [weight.numel() for weight in net.parameters() if isinstance(weight, Tensor)]
    return sum(sizes)
