"""The commands. Each prints what it does to standard error and what was asked for to standard output."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch

from kosumi_training import answers, carry, fixture, growth, held_out, settings, state
from kosumi_training import rows as row_files
from kosumi_training.answers import AnswerError
from kosumi_training.batches import Rows
from kosumi_training.export import to_integers
from kosumi_training.net import Net
from kosumi_training.progress import Progress
from kosumi_training.rows import RowError, RowFile
from kosumi_training.settings import Settings, SettingsError
from kosumi_training.state import StateError
from kosumi_training.trainer import STATE, Options, Trainer, TrainingError, parameters, stopping_on_signals
from kosumi_training.weights import Description, IntegerNet, Origin, WeightsError

ERRORS = (AnswerError, RowError, SettingsError, StateError, TrainingError, WeightsError, OSError)


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command. Exit code 0, 1 if a check failed, 2 if it could not be carried out, 3 if a signal stopped it."""
    options = parser().parse_args(arguments)
    command: Callable[[argparse.Namespace], int] = options.command
    try:
        return command(options)
    except ERRORS as error:
        print(f"kosumi_training: {error}", file=sys.stderr)
        return 2


def parser() -> argparse.ArgumentParser:
    """All commands and their options."""
    top = argparse.ArgumentParser(prog="kosumi_training", description="Teaches Kosumi's net.")
    commands = top.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, command: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        one = commands.add_parser(name, help=text, description=text)
        one.set_defaults(command=command)
        return one

    one = add("train", train, "Learns from rows. Started again with the same folder, it goes on where it was.")
    one.add_argument("rows", nargs="+", type=Path, help="files of rows, or folders of them")
    one.add_argument("--state", required=True, type=Path, help="folder of the state and the log")
    one.add_argument("--config", required=True, type=Path, help="a file of settings, as configs/6x64.toml")
    one.add_argument("--set", action="append", default=[], metavar="GROUP.NAME=VALUE", help="changes a setting")
    one.add_argument("--held-out", nargs="+", type=Path, default=[], help="rows to measure, not to learn from")
    one.add_argument("--measure-steps", type=int, default=2000, help="steps between measurements; 0: at the end only")
    one.add_argument("--measure-rows", type=int, default=4096, help="held-out rows of each size to measure")
    one.add_argument("--save-minutes", type=float, default=5.0, help="minutes between two saves")
    one.add_argument("--line-seconds", type=float, default=10.0, help="seconds between two lines of progress")
    one.add_argument("--begin-with", type=Path, help="folder of another run, whose averaged weights a new run takes")
    one.add_argument("--stop-after", type=int, help="saves and ends after this step")
    one.add_argument("--minutes", type=float, help="the run takes that long in all, and its schedule goes by the clock")
    _device(one)
    one.add_argument("--precision", choices=("auto", "bf16", "fp32"), default="auto")

    one = add("can-begin", can_begin, "Says whether a run with these settings can begin with the weights of another.")
    one.add_argument("state", type=Path, help="folder of the other run")
    one.add_argument("--config", required=True, type=Path, help="the settings of the new run")

    one = add("export", export, "Writes the averaged weights of a run as a weight file.")
    one.add_argument("state", type=Path, help="folder of the run")
    one.add_argument("--out", required=True, type=Path, help="the weight file")
    one.add_argument("--name", required=True, help="name of the net")
    one.add_argument("--rules", required=True, nargs="+", help="rule sets of the rows, as chinese")
    one.add_argument("--data", required=True, help="what the rows were made of, in words")
    one.add_argument("--commit", default="unknown", help="commit of the program that made the rows")

    one = add("trim", trim, "Keeps of a run only what export, measure and --begin-with need: a quarter of its state.")
    one.add_argument("state", type=Path, help="folder of the run")
    one.add_argument("--out", required=True, type=Path, help="folder of the trimmed state")

    one = add("check", check, "Checks files of rows, and says how many rows there are.")
    one.add_argument("rows", nargs="+", type=Path)

    one = add("pack", pack, "Packs rows into few bytes, to carry them to another machine. Shares are rounded.")
    one.add_argument("rows", nargs="+", type=Path, help="files of rows, or folders of them")
    one.add_argument("--out", required=True, type=Path, help="folder of the packed files")
    one.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="files to pack at the same time")

    one = add("unpack", unpack, "Makes files of rows of packed ones.")
    one.add_argument("packed", nargs="+", type=Path, help="packed files, or folders of them")
    one.add_argument("--out", required=True, type=Path, help="folder of the rows")
    one.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="files to unpack at the same time")

    one = add("measure", measure, "Measures the averaged weights of a run on rows.")
    one.add_argument("state", type=Path, help="folder of the run")
    one.add_argument("rows", nargs="+", type=Path)
    one.add_argument("--measure-rows", type=int, default=4096, help="rows of each size to measure")
    _device(one)

    one = add("evaluate", evaluate, "Prints what a weight file says of rows, in exact integers.")
    one.add_argument("weights", type=Path)
    one.add_argument("rows", type=Path)
    one.add_argument("--limit", type=int, help="only the first rows")

    one = add("compare", compare, "Compares our integers with the engine's, bit by bit.")
    one.add_argument("weights", type=Path)
    one.add_argument("rows", type=Path)
    one.add_argument("--engine", required=True, type=Path, help="the program kosumi")
    one.add_argument("--kernel", default="plain", help="the kernel that the engine takes")

    one = add("fixture", make_fixture, "Writes a small net, positions, and what the net says of them.")
    one.add_argument("folder", type=Path)
    one.add_argument("--seed", type=int, default=1)
    one.add_argument("--weights", type=Path, help="this net instead of a random one")
    return top


def _device(one: argparse.ArgumentParser) -> None:
    one.add_argument("--device", default="auto", help="cpu, cuda, cuda:1 …; auto is a GPU where there is one")
    one.add_argument("--threads", type=int, help="threads of the CPU; default is PyTorch's choice")


def _set_up(options: argparse.Namespace) -> torch.device:
    if options.threads is not None:
        torch.set_num_threads(options.threads)
    name = options.device
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
        torch.zeros(1, device=device)
    except (RuntimeError, AssertionError) as error:
        raise SettingsError(f"--device {name}: {error}") from error
    return device


def train(options: argparse.Namespace) -> int:
    """`train`."""
    if options.minutes is not None and not options.minutes > 0:
        raise SettingsError(f"--minutes {options.minutes}: more than 0 are needed")
    device = _set_up(options)
    chosen = settings.read(options.config, options.set)
    rows = Rows(options.rows, chosen.data.window or None)
    held = Rows(options.held_out) if options.held_out else None
    if held is not None:
        learned = {path.resolve() for path in rows.files}
        both = next((path for path in held.files if path.resolve() in learned), None)
        if both is not None:
            raise SettingsError(f"{both}: held-out rows lie among those to learn from")
    run = Options(
        folder=options.state,
        device=device,
        precision=options.precision,
        save_minutes=options.save_minutes,
        line_seconds=options.line_seconds,
        measure_steps=options.measure_steps,
        measure_rows=options.measure_rows,
        begin_with=options.begin_with,
        stop_after=options.stop_after,
        minutes=options.minutes,
    )
    trainer = Trainer(chosen, rows, held, run)
    progress = Progress(chosen.learning.steps, options.line_seconds)
    progress.note(
        f"{rows.counts} rows by size · {parameters(trainer.net)} weights · {device}, {torch.get_num_threads()} threads"
        f" · from step {trainer.step}"
    )
    with stopping_on_signals(run.stop):
        trainer.run(progress)
    if trainer.is_over():
        return 0
    progress.note("stopped; the same command goes on")
    return 3


def can_begin(options: argparse.Namespace) -> int:
    """`can-begin`."""
    shape = settings.from_dict(state.load(options.state / STATE)["settings"]).net
    wanted = settings.read(options.config, []).net
    problem = None if shape == wanted else growth.problem(shape, wanted)
    if problem is not None:
        raise StateError(f"{options.state}: {problem}")
    return 0


def _averaged(folder: Path) -> tuple[Net, dict[str, Any], Settings]:
    saved = state.load(folder / STATE)
    chosen = settings.from_dict(saved["settings"])
    net = Net(chosen.net)
    net.load_state_dict(saved["average"]["mean"])
    return net.eval(), saved, chosen


def export(options: argparse.Namespace) -> int:
    """`export`."""
    net, saved, chosen = _averaged(options.state)
    hours = saved["seconds"] / 3600
    origin = Origin(f"{options.data}; {saved['samples']} samples in {hours:.1f} hours", saved["step"], options.commit)
    description = Description.of(chosen.net, options.name, saved["sizes"], options.rules, origin)
    to_integers(net, description).write(options.out)
    # A state from before `--minutes` knows no place; it is the step.
    place = saved.get("place", saved["step"])
    if place < chosen.learning.steps:
        print(f"step {place:.0f} of {chosen.learning.steps}: the run is not over", file=sys.stderr)
    print(f"{options.out}: {options.out.stat().st_size} bytes", file=sys.stderr)
    return 0


def trim(options: argparse.Namespace) -> int:
    """`trim`."""
    path = options.out / STATE
    state.save(path, state.trimmed(state.load(options.state / STATE)))
    print(f"{path}: {path.stat().st_size} bytes", file=sys.stderr)
    return 0


def check(options: argparse.Namespace) -> int:
    """`check`."""
    wrong = 0
    for path in row_files.find(options.rows):
        file = RowFile(path)
        found = row_files.problems(file)
        wrong += len(found)
        print(f"{path}: {len(file)} rows of {file.size}×{file.size}, {len(found)} faults")
        for problem in found:
            print(f"  {problem}")
    return 1 if wrong else 0


def pack(options: argparse.Namespace) -> int:
    """`pack`."""
    for path in carry.pack([RowFile(path) for path in row_files.find(options.rows)], options.out, options.threads):
        print(f"{path}: {path.stat().st_size} bytes", file=sys.stderr)
    return 0


def unpack(options: argparse.Namespace) -> int:
    """`unpack`."""
    for path in carry.unpack(options.packed, options.out, options.threads):
        print(f"{path}: {len(RowFile(path))} rows", file=sys.stderr)
    return 0


def measure(options: argparse.Namespace) -> int:
    """`measure`."""
    device = _set_up(options)
    net, saved, chosen = _averaged(options.state)
    quantized_from = round(chosen.learning.steps * (1.0 - chosen.learning.quantized_share))
    net.quantized = saved.get("place", saved["step"]) > quantized_from
    parts = held_out.sample(Rows(options.rows), options.measure_rows)
    print(json.dumps(held_out.measure(net.to(device), parts, device), indent=2))
    return 0


def evaluate(options: argparse.Namespace) -> int:
    """`evaluate`."""
    net = IntegerNet.read(options.weights)
    for answer in answers.answers(net, RowFile(options.rows), options.limit):
        print(answers.to_line(answer))
    return 0


def compare(options: argparse.Namespace) -> int:
    """`compare`."""
    net, file = IntegerNet.read(options.weights), RowFile(options.rows)
    theirs = answers.of_engine(options.engine, options.weights, options.rows, options.kernel)
    found = answers.differences(answers.answers(net, file), theirs)
    for difference in found[:20]:
        print(difference)
    print(f"{len(file)} rows, {len(found)} differences")
    return 1 if found else 0


def make_fixture(options: argparse.Namespace) -> int:
    """`fixture`."""
    net = None if options.weights is None else IntegerNet.read(options.weights)
    for path in fixture.write(options.folder, options.seed, net):
        print(f"{path}: {path.stat().st_size} bytes")
    return 0
