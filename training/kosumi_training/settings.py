"""Settings of a run: the commented TOML files in `configs/`, and what the command line changes in them."""

from __future__ import annotations

import dataclasses
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_type_hints

from kosumi_training.losses import Weights
from kosumi_training.net import Shape


class SettingsError(Exception):
    """A setting that cannot be used; the text says which and why."""


@dataclass(frozen=True)
class Learning:
    """How the net learns."""

    # Rows in a step.
    batch: int = 256
    steps: int = 100_000
    # Learning rate of AdamW at its peak; steps until there; what is left of it at the end.
    rate: float = 0.002
    warm_up: int = 500
    final_share: float = 0.01
    # Weight decay of AdamW, of convolutions and matrices.
    decay: float = 0.02
    # Longest gradient, of all weights together.
    gradient_limit: float = 5.0
    # Share of the steps at the end that are rounded as the integers round.
    quantized_share: float = 0.1
    # What the averaged weights keep at a step.
    average: float = 0.999
    seed: int = 1


@dataclass(frozen=True)
class Data:
    """Which rows are learned from."""

    # One batch holds all sizes, padded to the largest. Otherwise each step has one size.
    mixed: bool = False
    # How often a size comes: {"9" = 0.5, "19" = 0.5}. A size that is not named comes as often as it has rows.
    shares: dict[str, float] = field(default_factory=dict)
    # Only the newest rows, that many; 0 is all.
    window: int = 0
    # Samples for each row that there ever was; the run waits for new rows when they are used up. 0 is no limit.
    reuse: float = 0.0


@dataclass(frozen=True)
class Settings:
    """All settings."""

    net: Shape
    loss: Weights
    learning: Learning
    data: Data

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return dataclasses.asdict(self)


def read(path: Path, changes: list[str]) -> Settings:
    """Reads a file, with changes as `learning.steps=1000`. Raises `SettingsError`."""
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        raise SettingsError(f"{path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: {error}") from error
    for change in changes:
        name, equals, value = change.partition("=")
        group, dot, key = name.strip().partition(".")
        if not (equals and dot):
            raise SettingsError(f"{change}: GROUP.NAME=VALUE is needed, as learning.steps=1000")
        try:
            parsed = tomllib.loads(f"value = {value}")["value"]
        except tomllib.TOMLDecodeError as error:
            raise SettingsError(f"{change}: {error}") from error
        table.setdefault(group, {})[key] = parsed
    try:
        return from_dict(table)
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from error


def from_dict(table: dict[str, Any]) -> Settings:
    """Makes settings of plain data. Raises `SettingsError`."""
    groups = get_type_hints(Settings)
    unknown = sorted(set(table) - set(groups))
    if unknown:
        raise SettingsError(f"unknown group [{unknown[0]}]")
    settings = Settings(**{name: _group(name, kind, table.get(name, {})) for name, kind in groups.items()})
    problem = settings.net.problem() or _problem(settings)
    if problem is not None:
        raise SettingsError(problem)
    return settings


def _group(group: str, kind: Any, table: Any) -> Any:
    if not isinstance(table, dict):
        raise SettingsError(f"[{group}] is no group")
    hints = get_type_hints(kind)
    values: dict[str, Any] = {}
    for key, value in table.items():
        if key not in hints:
            raise SettingsError(f"{group}.{key}: there is no such setting")
        values[key] = _value(f"{group}.{key}", hints[key], value)
    needed = {item.name for item in dataclasses.fields(kind) if _has_no_default(item)}
    missing = sorted(needed - set(values))
    if missing:
        raise SettingsError(f"{group}.{missing[0]} is missing")
    return kind(**values)


def _has_no_default(item: dataclasses.Field[Any]) -> bool:
    return item.default is dataclasses.MISSING and item.default_factory is dataclasses.MISSING


def _value(name: str, hint: Any, value: Any) -> Any:
    if hint is float and type(value) in (int, float):
        return float(value)
    if hint in (int, bool) and type(value) is hint:
        return value
    if hint == tuple[int, ...] and isinstance(value, list | tuple) and all(type(item) is int for item in value):
        return tuple(value)
    shares = isinstance(value, dict) and all(
        k.isdecimal() and type(v) in (int, float) and v >= 0 for k, v in value.items()
    )
    if hint == dict[str, float] and shares:
        return {key: float(item) for key, item in value.items()}
    raise SettingsError(f"{name} = {value!r}: not a value that it takes")


def _problem(settings: Settings) -> str | None:
    learning, data = settings.learning, settings.data
    if min(learning.batch, learning.steps) < 1:
        return "learning.batch and learning.steps have to be at least 1"
    if min(learning.warm_up, learning.seed, data.window) < 0 or data.reuse < 0:
        return "learning.warm_up, learning.seed, data.window and data.reuse cannot be below 0"
    if learning.rate <= 0 or learning.gradient_limit <= 0:
        return "learning.rate and learning.gradient_limit have to be above 0"
    for name in ("final_share", "quantized_share", "average"):
        if not 0.0 <= getattr(learning, name) <= 1.0:
            return f"learning.{name} has to be within 0 and 1"
    return None
