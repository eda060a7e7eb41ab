"""mmcv's own code over our `mmcv._ext`, network by network: every function is here, with one result.

And docs/networks.md shows what was called.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import openmmlab
import pytest
import torch

openmmlab.require()

import ext_calls  # noqa: E402
import models  # noqa: E402
import steps  # noqa: E402
from models import NETWORKS  # noqa: E402

import mluops_cpu.mmcv  # noqa: E402
from mluops_cpu.mmcv import _ext  # noqa: E402


@pytest.fixture(scope="module")
def calls() -> ext_calls.Calls:
    run = subprocess.run(
        [sys.executable, ext_calls.__file__],
        env=steps.environment(),
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert run.returncode == 0, run.stderr
    found: ext_calls.Calls = json.loads(run.stdout.splitlines()[-1])
    return found


@pytest.fixture
def _installed() -> Iterator[None]:
    mluops_cpu.mmcv.install()
    openmmlab.import_models()
    yield
    mluops_cpu.mmcv.uninstall()


def test_page_has_the_table(calls: ext_calls.Calls) -> None:
    page = ext_calls.PAGE.read_text(encoding="utf-8")
    wanted = ext_calls.table(calls)
    assert ext_calls.in_page(page) == wanted, "run python/tests/networks/ext_calls.py --write"


def test_every_function_is_here(calls: ext_calls.Calls) -> None:
    called = {f for c in calls.values() for f in (*c["training"], *c["inference"])}
    assert called <= set(_ext.FUNCTIONS)
    assert len(called) > 15


@pytest.mark.parametrize("name", NETWORKS)
@pytest.mark.usefixtures("_installed")
def test_loss_is_that_of_the_installed_operators(calls: ext_calls.Calls, name: str) -> None:
    """The same bits, whether mmcv calls `_ext` or install() put our functions in front."""
    torch.set_num_threads(steps.TORCH_THREADS)
    network = NETWORKS[name]
    loss = float(steps.backward(steps.seeded(network), network.batch(1)))
    assert loss.hex() == calls[name]["loss"]


NOT_COVERED = {
    "S2ANet": ("mmrotate", "s2anet/s2anet-le135_r50_fpn_1x_dota.py"),
    "CenterPoint, head-dcn": (
        "mmdet3d",
        "centerpoint/centerpoint_voxel01_second_secfpn_head-dcn_8xb4-cyclic-20e_nus-3d.py",
    ),
}


@pytest.mark.parametrize("name", NOT_COVERED)
@pytest.mark.usefixtures("_installed")
def test_not_covered_says_what_it_takes(name: str) -> None:
    """docs/networks.md names these; an operator that is added moves them to the table."""
    covered = NETWORKS["R3Det" if name == "S2ANet" else "CenterPoint"]
    reduction = models.S2ANET if name == "S2ANet" else covered.reduction
    network = models.Network(*NOT_COVERED[name], reduction, covered.batch)
    with pytest.raises(NotImplementedError, match="^deform_conv_forward of mmcv is not implemented"):
        steps.backward(steps.seeded(network), network.batch(1))
    assert name in ext_calls.PAGE.read_text(encoding="utf-8")
