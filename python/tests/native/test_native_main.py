"""`python -m mluops_cpu info`, its self-check, and the top level."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import time
from typing import Any

import pytest

import mluops_cpu
from mluops_cpu import _calls
from mluops_cpu.__main__ import info, main


def test_info_prints_what_is_in_use(capsys: Any) -> None:
    begin = time.thread_time()
    assert main(["info"]) == 0
    assert time.thread_time() - begin < 1
    lines = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    numbers = ".".join(map(str, mluops_cpu.library_version()))
    assert lines["library"] == f"{numbers} in {mluops_cpu.library_path()}"
    assert lines["interface"].startswith("MLU-OPS 1.11")
    assert lines["instruction"].split() == ["set", mluops_cpu.isa()]
    assert lines["threads"].startswith(f"{mluops_cpu.get_num_threads()} on ")
    assert {"numpy", "torch", "mmcv", "mluops_cpu.mmcv", "self-check"} <= set(lines)
    assert lines["self-check"].startswith("9 families agree with plain loops")


def test_info_prints_what_of_mmcv_is_here(capsys: Any) -> None:
    assert main(["info"]) == 0
    lines = capsys.readouterr().out.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("mmcv._ext "))
    rows = [line.split(maxsplit=1) for line in lines[first + 1 : first + 113]]
    assert all(text.startswith(("here: ", "needs ")) for _, text in rows)
    here = [name for name, text in rows if text.startswith("here: ")]
    assert lines[first].split(maxsplit=1)[1].startswith(f"{len(here)} of 112 functions are here")
    table = dict(rows)
    assert table["carafe_forward"] == "here: mluOpCarafeForward"
    assert table["deform_conv_forward"] == "needs mluOpDCNForward of MLU-OPS"
    assert table["knn_forward"] == "needs an operator that MLU-OPS does not have"


def test_verbose_lists_operators(capsys: Any) -> None:
    assert info(verbose=True) == 0
    text = capsys.readouterr().out
    for name in ("carafe_forward", "get_indice_pairs", "roiaware_pool3d_backward"):
        assert f"  {name} " in text
    assert f"({mluops_cpu.isa()})" in text


@pytest.mark.parametrize(
    ("call", "family"),
    [
        ("carafe_forward", "carafe"),
        ("rotated_feature_align_forward", "rotated_feature_align"),
        ("roiaware_pool3d_forward", "roiaware_pool3d"),
        ("points_in_boxes_part", "points_in_boxes"),
        ("points_in_boxes_all", "points_in_boxes"),
        ("indice_conv_forward", "sparse convolution and pooling"),
        ("indice_maxpool_forward", "sparse convolution and pooling"),
        ("carafe_backward", "carafe"),
        ("rotated_feature_align_backward", "rotated_feature_align"),
        ("roiaware_pool3d_backward", "roiaware_pool3d"),
        ("indice_conv_backward_data", "sparse convolution and pooling"),
        ("indice_conv_backward_filter", "sparse convolution and pooling"),
        ("voxelization", "voxelization"),
        ("dynamic_voxelize", "voxelization"),
        ("dynamic_scatter_forward", "dynamic scatter"),
        ("dynamic_scatter_backward", "dynamic scatter"),
        ("box_iou_rotated", "overlaps and suppression"),
        ("boxes_overlap_bev", "overlaps and suppression"),
        ("nms", "overlaps and suppression"),
        ("nms_rotated", "overlaps and suppression"),
        ("nms3d", "overlaps and suppression"),
        ("roi_align_forward", "roi_align"),
        ("roi_align_backward", "roi_align"),
    ],
)
def test_a_wrong_result_is_exit_code_1(
    monkeypatch: pytest.MonkeyPatch, capsys: Any, call: str, family: str
) -> None:
    plain = getattr(_calls, call)

    def spoilt(*arguments: Any) -> Any:
        result = plain(*arguments)
        outputs = [a for a in arguments if isinstance(a, tuple) and len(a) == 3]
        pointer, shape, _ = outputs[-1]
        count = 1
        for size in shape:
            count *= size
        for word in range(count):
            ctypes.c_int32.from_address(pointer + 4 * word).value ^= 1 << 22
        return result

    monkeypatch.setattr(_calls, call, spoilt)
    assert info() == 1
    assert f"FAILED: {family} (" in capsys.readouterr().out


def test_command_line() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "mluops_cpu", "info"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert "self-check" in done.stdout
    wrong = subprocess.run([sys.executable, "-m", "mluops_cpu"], capture_output=True, text=True)
    assert wrong.returncode == 2
    assert "usage: python -m mluops_cpu" in wrong.stderr


@pytest.mark.parametrize("threads", [0, -1, 1025])
def test_threads_out_of_range(threads: int) -> None:
    with pytest.raises(
        ValueError, match=rf"^threads must be from 1 to 1024 or None, got {threads}$"
    ):
        mluops_cpu.set_num_threads(threads)


def test_threads_are_integers() -> None:
    with pytest.raises(TypeError):
        mluops_cpu.set_num_threads(1.5)  # type: ignore[arg-type]
