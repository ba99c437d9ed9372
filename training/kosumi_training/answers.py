"""What a weight file says of rows, as lines of JSON that the engine writes as well; and comparing the two."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from kosumi_training import integers
from kosumi_training.rows import RowFile, unpack
from kosumi_training.weights import IntegerNet

# Positions evaluated together: bounds the memory.
_AT_ONCE = 64
# What both sides say bit by bit (docs/net.md, "Commands").
EXACT = ("logits", "results", "owner")

Numbers = dict[str, npt.NDArray[np.float32]]


class AnswerError(Exception):
    """The engine did not answer as it should; the text says what it did."""


def answers(net: IntegerNet, file: RowFile, limit: int | None = None) -> Iterator[Numbers]:
    """The answer for each row, or for the first `limit` rows."""
    count = len(file) if limit is None else min(limit, len(file))
    for start in range(0, count, _AT_ONCE):
        rows = file.rows[start : min(start + _AT_ONCE, count)]
        answer = integers.evaluate(net, unpack(rows["planes"], file.size), rows["scalars"])
        for logits, results, owner in zip(answer.logits, answer.results, answer.owners, strict=True):
            yield {"logits": logits, "results": results, "owner": owner}


def to_line(answer: Numbers) -> str:
    """One line of JSON. Decimals are the shortest that read back to the same f32."""
    parts = []
    for name, values in answer.items():
        # str of an np.float32 is the shortest decimal.
        parts.append(f'"{name}":[{",".join(str(value) for value in values)}]')
    return "{" + ",".join(parts) + "}"


def from_line(line: str) -> Numbers:
    """Reads the exact numbers of a line back. Raises `AnswerError`."""
    try:
        table = json.loads(line)
        # A decimal that was made from an f32 is nearest to that f32 also after a detour over f64.
        return {name: np.array(table[name], np.float64).astype(np.float32) for name in EXACT}
    except (ValueError, KeyError, TypeError) as error:
        raise AnswerError(f"not an answer: {line[:200]!r}: {error}") from error


def of_engine(engine: Path, weights: Path, rows: Path, kernel: str) -> Iterator[Numbers]:
    """What the engine says of each row. Raises `AnswerError`."""
    # A bare name would be looked for in PATH.
    command = [str(engine.absolute()), "net", str(weights), "--rows", str(rows), "--kernel", kernel]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise AnswerError(f"{engine}: {error.strerror}") from error
    if done.returncode != 0:
        raise AnswerError(f"{' '.join(command)}: exit code {done.returncode}: {done.stderr.strip()}")
    for line in done.stdout.splitlines():
        yield from_line(line)


def differences(ours: Iterator[Numbers], theirs: Iterator[Numbers]) -> list[str]:
    """What is not equal bit by bit, row by row; empty if all is."""
    found = []
    mine, other = list(ours), list(theirs)
    if len(mine) != len(other):
        found.append(f"{len(mine)} rows here, {len(other)} there")
    for row, (a, b) in enumerate(zip(mine, other, strict=False)):
        for name in EXACT:
            if a[name].shape != b[name].shape:
                found.append(f"row {row}: {name}: {len(a[name])} numbers here, {len(b[name])} there")
                continue
            unequal = a[name].view(np.uint32) != b[name].view(np.uint32)
            # +0 and −0 are told apart by their bits; both are the same answer.
            unequal &= a[name] != b[name]
            if unequal.any():
                at = int(np.argmax(unequal))
                found.append(
                    f"row {row}: {name}: {int(unequal.sum())} differ, the first at {at}: {a[name][at]} here, "
                    f"{b[name][at]} there"
                )
    return found
