"""A small net, some positions and what the net says of them: what another implementation is tested with."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from kosumi_training.answers import answers, to_line
from kosumi_training.export import to_integers
from kosumi_training.net import Convolution, Net, Shape
from kosumi_training.rows import PLANES, SCALARS, UNKNOWN, Header, RowFile
from kosumi_training.state import write_whole
from kosumi_training.weights import Description, IntegerNet, Origin

# The smallest net that has everything: a block with pooling and one without.
SHAPE = Shape(channels=32, blocks=2, pooling=(1,), value_channels=32, policy_channels=32, hidden=8)
# Sizes and how many positions of each: the smallest board, a byte that is not full, and one above the middle size.
POSITIONS = {2: 3, 5: 3, 9: 3, 15: 1}


def random_net(seed: int, shape: Shape = SHAPE) -> Net:
    """A net of random weights whose activations use the whole range, as those of a taught net do."""
    generator = torch.Generator().manual_seed(seed)
    torch.manual_seed(seed)
    net = Net(shape)
    with torch.no_grad():
        for name, value in net.state_dict().items():
            if name.endswith(("gamma", "running_var")):
                value.copy_(torch.rand(value.shape, generator=generator) + 0.5)
            elif name.endswith(("beta", "running_mean", "bias")):
                value.copy_(torch.randn(value.shape, generator=generator) * 0.5)
        # Sums of a convolution are as large as its inputs; the running statistics have to know it.
        for part in net.modules():
            if isinstance(part, Convolution) and part is not net.input:
                part.running_var.mul_(1000.0)
                part.running_mean.mul_(30.0)
    net.quantized = True
    return net.eval()


def random_rows(size: int, count: int, seed: int) -> bytes:
    """A file of rows with random planes and scalars and no targets. They are no positions of Go."""
    generator = np.random.default_rng([seed, size])
    header = Header(size, 1, 1)
    rows = np.zeros(count, header.dtype)
    planes = generator.integers(0, 2, (count, PLANES, size * size), np.uint8)
    planes[:, 0] = 1
    rows["planes"] = np.packbits(planes, axis=-1, bitorder="little")
    rows["scalars"] = generator.normal(0.0, 1.0, (count, SCALARS)).astype(np.float32)
    rows["scalars"][:, 11] = np.float32((size - 14) / 10)
    rows["result"] = UNKNOWN
    return header.to_bytes() + rows.tobytes()


def write(folder: Path, seed: int, net: IntegerNet | None = None) -> list[Path]:
    """Writes `net.kosunet`, and for each size `SIZE.rows` and `SIZE.jsonl`. Gives the files."""
    if net is None:
        description = Description.of(
            SHAPE, "fixture", sorted(POSITIONS), ["chinese"], Origin(f"random weights of seed {seed}", 0, "none")
        )
        net = to_integers(random_net(seed), description)
    written = [folder / "net.kosunet"]
    net.write(written[0])
    for size, count in POSITIONS.items():
        rows, expected = folder / f"{size}.rows", folder / f"{size}.jsonl"
        write_whole(rows, random_rows(size, count, seed))
        lines = "".join(to_line(answer) + "\n" for answer in answers(net, RowFile(rows)))
        write_whole(expected, lines.encode("utf-8"))
        written += [rows, expected]
    return written
