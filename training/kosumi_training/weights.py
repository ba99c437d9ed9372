"""The weight file, as `docs/net.md` defines it: a description and the tensors of the integer net."""

from __future__ import annotations

import dataclasses
import json
import math
import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from kosumi_training.net import RESULTS, Shape
from kosumi_training.quantize import BIAS_LIMIT, WEIGHT_LIMIT
from kosumi_training.rows import PLANES, PLANES_VERSION, SCALARS
from kosumi_training.state import write_whole

MAGIC = b"KOSUNET\0"
VERSION = 1
# Bounds that the engine checks.
FLOAT_LIMIT = 1e6
FACTOR_LIMIT = 1000.0

Array = npt.NDArray[Any]


class WeightsError(Exception):
    """A weight file that cannot be read or written; the text says why."""


@dataclass(frozen=True)
class Origin:
    """What anybody needs to make a net again: rows, steps, commit of the programs."""

    data: str
    steps: int
    commit: str


@dataclass(frozen=True)
class Description:
    """What the head of the file says."""

    name: str
    channels: int
    blocks: int
    pooling: tuple[int, ...]
    value_channels: int
    policy_channels: int
    hidden: int
    sizes: tuple[int, ...]
    rules: tuple[str, ...]
    origin: Origin
    planes: int = PLANES_VERSION

    @staticmethod
    def of(shape: Shape, name: str, sizes: list[int], rules: list[str], origin: Origin) -> Description:
        """The description of a net of this shape."""
        return Description(
            name=name,
            channels=shape.channels,
            blocks=shape.blocks,
            pooling=shape.pooling,
            value_channels=shape.value_channels,
            policy_channels=shape.policy_channels,
            hidden=shape.hidden,
            sizes=tuple(sizes),
            rules=tuple(rules),
            origin=origin,
        )

    def to_json(self) -> bytes:
        """All fields as JSON."""
        return json.dumps(dataclasses.asdict(self), ensure_ascii=False).encode("utf-8")

    @staticmethod
    def from_json(data: bytes) -> Description:
        """Reads it back. Raises `WeightsError`."""
        try:
            table = json.loads(data)
        except (ValueError, UnicodeDecodeError) as error:
            raise WeightsError(f"the description is no JSON: {error}") from error
        if not isinstance(table, dict) or set(table) != set(Description.__dataclass_fields__):
            raise WeightsError("the description has not the fields that it should have")
        for key in ("pooling", "sizes", "rules"):
            if not isinstance(table[key], list):
                raise WeightsError(f"{key} in the description is no list")
            table[key] = tuple(table[key])
        if not isinstance(table["origin"], dict) or set(table["origin"]) != set(Origin.__dataclass_fields__):
            raise WeightsError("the origin in the description has not the fields that it should have")
        table["origin"] = Origin(**table["origin"])
        return Description(**table)

    def layout(self) -> list[tuple[str, str, tuple[int, ...]]]:
        """Name, type and shape of each tensor, in the order of the file."""
        c, v, q, h = self.channels, self.value_channels, self.policy_channels, self.hidden
        result: list[tuple[str, str, tuple[int, ...]]] = [
            ("input.w", "<i1", (c, PLANES, 3, 3)),
            ("input.b", "<i4", (c,)),
            ("input.m", "<f4", (c,)),
            ("input.scalars", "<f4", (SCALARS, c)),
        ]
        for block in range(self.blocks):
            for part in ("first", "second"):
                result += [
                    (f"{block}.{part}.w", "<i1", (c, c, 3, 3)),
                    (f"{block}.{part}.b", "<i4", (c,)),
                    (f"{block}.{part}.m", "<f4", (c,)),
                ]
            result.append((f"{block}.second.r", "<f4", (1,)))
            if block in self.pooling:
                result.append((f"{block}.second.pool", "<f4", (3 * c, c)))
        for part, outputs in (("value", v), ("policy", q)):
            result += [
                (f"{part}.w", "<i1", (outputs, c)),
                (f"{part}.b", "<i4", (outputs,)),
                (f"{part}.m", "<f4", (outputs,)),
            ]
        return [
            *result,
            ("policy.pool", "<f4", (3 * v, q)),
            ("policy_out", "<i2", (q,)),
            ("policy_scale", "<f4", (1,)),
            ("owner_out", "<i2", (v,)),
            ("owner_scale", "<f4", (1,)),
            ("owner_bias", "<f4", (1,)),
            ("hidden", "<f4", (3 * v, h)),
            ("hidden_bias", "<f4", (h,)),
            ("results", "<f4", (h, RESULTS)),
            ("results_bias", "<f4", (RESULTS,)),
        ]


@dataclass(frozen=True)
class IntegerNet:
    """A net in integers: what a weight file holds."""

    description: Description
    tensors: dict[str, Array]

    def check(self) -> None:
        """Raises `WeightsError` for what the engine would refuse."""
        for name, kind, shape in self.description.layout():
            tensor = self.tensors.get(name)
            if tensor is None or tensor.shape != shape or tensor.dtype != np.dtype(kind):
                raise WeightsError(f"{name}: {kind} {shape} needed")
            wide = tensor.astype(np.float64)
            limit = math.inf
            if name.endswith(".w"):
                limit = WEIGHT_LIMIT
            elif name.endswith(".b"):
                limit = BIAS_LIMIT
            elif kind == "<f4":
                limit = FLOAT_LIMIT
            if not np.isfinite(wide).all() or (np.abs(wide) > limit).any():
                raise WeightsError(f"{name}: a number is not finite or above {limit:g}")
            if name.endswith((".m", ".r")) and ((wide < 0) | (wide >= FACTOR_LIMIT)).any():
                raise WeightsError(f"{name}: a factor is not within 0 and {FACTOR_LIMIT:g}")

    def to_bytes(self) -> bytes:
        """The whole file. Raises `WeightsError`."""
        self.check()
        text = self.description.to_json()
        parts = [MAGIC, struct.pack("<II", VERSION, len(text)), text]
        parts += [np.ascontiguousarray(self.tensors[name]).tobytes() for name, _, _ in self.description.layout()]
        data = b"".join(parts)
        return data + struct.pack("<I", zlib.crc32(data))

    @staticmethod
    def from_bytes(data: bytes) -> IntegerNet:
        """Reads it back. Raises `WeightsError`."""
        if len(data) < 20 or data[:8] != MAGIC:
            raise WeightsError("not a weight file")
        version, length = struct.unpack_from("<II", data, 8)
        if version != VERSION:
            raise WeightsError(f"format {version}, {VERSION} expected")
        if zlib.crc32(data[:-4]) != struct.unpack("<I", data[-4:])[0]:
            raise WeightsError("the checksum is wrong: the file is cut off or damaged")
        description = Description.from_json(data[16 : 16 + length])
        tensors: dict[str, Array] = {}
        offset = 16 + length
        for name, kind, shape in description.layout():
            count = math.prod(shape)
            end = offset + count * np.dtype(kind).itemsize
            if end > len(data) - 4:
                raise WeightsError("too short for its description")
            tensors[name] = np.frombuffer(data, kind, count, offset).reshape(shape)
            offset = end
        if offset != len(data) - 4:
            raise WeightsError("too long for its description")
        net = IntegerNet(description, tensors)
        net.check()
        return net

    def write(self, path: Path) -> None:
        """Writes the file, whole or not at all. Raises `WeightsError`."""
        write_whole(path, self.to_bytes())

    @staticmethod
    def read(path: Path) -> IntegerNet:
        """Reads a file. Raises `WeightsError`."""
        try:
            return IntegerNet.from_bytes(path.read_bytes())
        except OSError as error:
            raise WeightsError(f"{path}: {error.strerror}") from error
        except WeightsError as error:
            raise WeightsError(f"{path}: {error}") from error
