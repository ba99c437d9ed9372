"""What a run saves and how: written whole or not at all."""

from __future__ import annotations

import io
import os
from pathlib import Path
from typing import Any

import torch


class StateError(Exception):
    """A saved state that cannot be used; the text says why."""


def write_whole(path: Path, data: bytes) -> None:
    """Writes a file so that its name is always the old content or the new, also after a power cut.

    The data goes into a file beside it, which takes the name when all is on the disk.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with beside.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


# What the optimizer and the running weights need to go on, and nothing else does.
_TO_GO_ON = ("net", "optimizer", "random")


def trimmed(state: dict[str, Any]) -> dict[str, Any]:
    """The state without what only a run that goes on needs."""
    return {name: part for name, part in state.items() if name not in _TO_GO_ON}


def is_trimmed(state: dict[str, Any]) -> bool:
    """Whether something is missing that a run needs to go on."""
    return any(name not in state for name in _TO_GO_ON)


def save(path: Path, state: dict[str, Any]) -> None:
    """Saves a state."""
    buffer = io.BytesIO()
    torch.save(state, buffer)
    write_whole(path, buffer.getvalue())


def load(path: Path) -> dict[str, Any]:
    """Reads a state back, onto the CPU. Raises `StateError` for a file that is none."""
    try:
        state = torch.load(path, map_location="cpu", weights_only=True)
    except FileNotFoundError:
        raise
    except Exception as error:  # torch raises many types, from zip errors to pickling ones
        raise StateError(f"{path}: not a saved state: {error}") from error
    if not isinstance(state, dict):
        raise StateError(f"{path}: not a saved state: it holds a {type(state).__name__}")
    return state
