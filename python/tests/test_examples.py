"""The programs of examples/python run, in their short forms, and learn."""

from __future__ import annotations

import importlib.util
import re
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
import torch

from example_runs import (
    DETECTOR,
    EXAMPLES,
    TORCHRUN,
    checksums,
    environment,
    losses,
    needs_mluop,
    needs_torchrun,
)


def run(*command: str, threads: int = 2) -> str:
    """What the program writes; its errors, if it fails."""
    done = subprocess.run(
        command, env=environment(threads), capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def example(name: str, *arguments: str) -> str:
    return run(sys.executable, str(EXAMPLES / name), *arguments)


def pixels(path: Path) -> bytes:
    """The pixels of a PNG file as they are stored, after a look at its checksums."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    place, kinds, packed = 8, [], b""
    while place < len(data):
        (size,) = struct.unpack_from(">I", data, place)
        kind, body = data[place + 4 : place + 8], data[place + 8 : place + 8 + size]
        assert struct.unpack_from(">I", data, place + 8 + size)[0] == zlib.crc32(kind + body)
        kinds.append(kind)
        packed += body if kind == b"IDAT" else b""
        place += 12 + size
    assert kinds[0] == b"IHDR"
    assert kinds[-1] == b"IEND"
    return zlib.decompress(packed)


def test_sparse_encoder() -> None:
    output = example("sparse_encoder.py", "--sweeps", "1")
    layers = re.findall(r"^  (\w+) +([\d.]+) ms  -> \[(\d+), (\d+)\]$", output, re.M)
    assert [name for name, _, _, _ in layers].count("Block") == 8
    assert layers[0][:1] + layers[0][3:] == ("SubMConv3d", "16")
    assert all(float(milliseconds) > 0 for _, milliseconds, _, _ in layers)
    assert "dense map [1, 128, 2, 180, 180]" in output


def test_carafe_fpn() -> None:
    output = example("carafe_fpn.py", "--steps", "3")
    for kind in ("bilinear", "carafe  "):
        assert 0 < float(re.findall(rf"^{kind}: loss ([\d.]+)", output, re.M)[0]) < 2
    if not hasattr(torch.library, "register_fake"):
        pytest.skip(f"torch {torch.__version__} cannot compile these operators; the rest passed")
    apart = re.findall(r"^torch.compile\(fullgraph=True\): .* ([\d.e+-]+)$", output, re.M)
    assert float(apart[0]) < 1e-4


def test_mmcv_drop_in() -> None:
    for module in ("mmcv", "mmengine"):
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    output = example("mmcv_drop_in.py")
    falling = [float(x) for x in re.findall(r"losses \[(.*)\]", output)[0].split(",")]
    assert falling == sorted(falling, reverse=True)
    assert falling[-1] < falling[0]
    for line in ("CARAFE: [1, 8, 20, 20]", "align: [1, 8, 10, 10]", "RoI-aware pooling: [1, 4,"):
        assert line in output
    assert 0 < int(re.findall(r"points in the box: (\d+)", output)[0]) < 100


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Output and folder of one short training of the detector."""
    folder = tmp_path_factory.mktemp("detector")
    return example("train_detector.py", "--short", "--out", str(folder)), folder


@needs_mluop
def test_train_detector(trained: tuple[str, Path]) -> None:
    fallen = losses(trained[0])
    assert len(fallen) == 3
    assert fallen[-1] < 0.8 * fallen[0]


@needs_mluop
@pytest.mark.skipif(
    importlib.util.find_spec("matplotlib") is None, reason="matplotlib is not installed"
)
def test_train_detector_pictures(trained: tuple[str, Path]) -> None:
    for name in ("loss.png", "birds_eye.png"):
        assert len(set(pixels(trained[1] / name))) > 50, f"{name} is nearly empty"


@needs_mluop
@needs_torchrun
def test_train_detector_by_torchrun(tmp_path: Path) -> None:
    """Two processes see half of the streets each and end with the same parameters."""
    workers = ["--standalone", "--local-addr=127.0.0.1", "--nproc-per-node=2"]
    output = run(*TORCHRUN, *workers, *DETECTOR, "--out", str(tmp_path), threads=1)
    fallen = losses(output)
    assert len(fallen) == 3
    assert fallen[-1] < 0.8 * fallen[0]
    found = checksums(output)
    assert sorted(found) == [0, 1]
    assert found[0] == found[1]


MMDET3D = [str(EXAMPLES / "train_mmdet3d.py"), "--short"]
needs_mmdet3d = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("mmcv", "mmdet3d", "numba")),
    reason="mmdet3d is not installed",
)


@needs_mluop
@needs_mmdet3d
@pytest.mark.parametrize("network", ["pointpillars", "second"])
def test_train_mmdet3d(network: str, tmp_path: Path) -> None:
    fallen = losses(run(sys.executable, *MMDET3D, "--network", network, "--out", str(tmp_path)))
    assert len(fallen) == 3
    assert fallen[-1] < 0.95 * fallen[0]
    for name in ("loss.png", "birds_eye.png"):
        assert len(set(pixels(tmp_path / name))) > 50, f"{name} is nearly empty"


@needs_mluop
@needs_mmdet3d
@needs_torchrun
def test_train_mmdet3d_by_torchrun(tmp_path: Path) -> None:
    workers = ["--standalone", "--local-addr=127.0.0.1", "--nproc-per-node=2"]
    output = run(*TORCHRUN, *workers, *MMDET3D, "--out", str(tmp_path), threads=1)
    fallen = losses(output)
    assert fallen[-1] < 0.95 * fallen[0]
    found = checksums(output)
    assert sorted(found) == [0, 1]
    assert found[0] == found[1]
