"""The files of settings, and the shapes that they name."""

from __future__ import annotations

from pathlib import Path

import pytest

from kosumi_training import settings
from kosumi_training.export import to_integers
from kosumi_training.net import Net
from kosumi_training.settings import SettingsError
from kosumi_training.weights import Description, Origin

CONFIGS = sorted((Path(__file__).parent.parent / "configs").glob("*.toml"))


def test_the_shapes_that_the_documents_name_are_there() -> None:
    assert [path.stem for path in CONFIGS] == ["10x128", "4x32", "4x64", "6x64", "6x96"]


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_a_file_names_every_setting_and_its_net_fits_the_binary(path: Path) -> None:
    import tomllib

    chosen = settings.read(path, [])
    blocks, channels = path.stem.split("x")
    assert (chosen.net.blocks, chosen.net.channels) == (int(blocks), int(channels))
    table = tomllib.loads(path.read_text("utf-8"))
    assert {group: set(values) for group, values in table.items()} == {
        group: set(values) for group, values in chosen.to_dict().items()
    }
    exported = to_integers(
        Net(chosen.net).eval(), Description.of(chosen.net, "test", [9], ["chinese"], Origin("none", 0, "none"))
    )
    assert len(exported.to_bytes()) <= 4 * 1024 * 1024


def test_settings_survive_being_saved() -> None:
    chosen = settings.read(CONFIGS[0], ["data.shares={9=0.5, 19=0.5}", "data.mixed=true", "learning.rate=1"])
    assert chosen.data.shares == {"9": 0.5, "19": 0.5}
    assert chosen.learning.rate == 1.0
    assert settings.from_dict(chosen.to_dict()) == chosen


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("learning.stps=1", "no such setting"),
        ("lerning.steps=1", "unknown group"),
        ("learning.steps=many", "many"),
        ("learning.steps=1.5", "1.5"),
        ("learning.steps=0", "at least 1"),
        ("learning.average=2.0", "within"),
        ("learning.rate=0", "above 0"),
        ("net.channels=48", "multiple of 32"),
        ("data.shares={nine=1}", "shares"),
        ("data.window=-1", "below 0"),
        ("steps=5", "GROUP.NAME"),
    ],
)
def test_wrong_settings_are_named(change: str, says: str) -> None:
    with pytest.raises(SettingsError, match=says):
        settings.read(CONFIGS[0], [change])


def test_a_missing_file_and_a_missing_setting(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="No such file"):
        settings.read(tmp_path / "none.toml", [])
    path = tmp_path / "a.toml"
    path.write_text("[net]\nchannels = 32\n")
    with pytest.raises(SettingsError, match="blocks is missing"):
        settings.read(path, [])
    path.write_text("net = 5")
    with pytest.raises(SettingsError, match="no group"):
        settings.read(path, [])
    path.write_text("[net")
    with pytest.raises(SettingsError):
        settings.read(path, [])
