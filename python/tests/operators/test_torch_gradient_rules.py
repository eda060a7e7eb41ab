"""Which gradients are computed, in which format, and what users may do to the results."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest
import torch
from torch import Tensor
from torch_problems import TORCH, assert_same_bytes, distinct, pairs, rois_of

from mluops_cpu import _calls
from mluops_cpu._torch.autograd import (
    Align,
    AvgPool,
    Carafe,
    CarafeGrad,
    Conv,
    ConvData,
    MaxPool,
    RoIAlign,
    RoIPool,
    Scatter,
)
from references import align, carafe, roiaware


class Recorder:
    """Calls of one function of `_calls`, in order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        self.calls: list[tuple[Any, ...]] = []
        original = getattr(_calls, name)

        def recorded(*args: Any) -> Any:
            self.calls.append(args)
            return original(*args)

        monkeypatch.setattr(_calls, name, recorded)

    def __len__(self) -> int:
        return len(self.calls)


def test_frozen_filters_get_no_gradient(monkeypatch: pytest.MonkeyPatch) -> None:
    data = Recorder(monkeypatch, "indice_conv_backward_data")
    filters = Recorder(monkeypatch, "indice_conv_backward_filter")
    p = pairs("subm")
    x, w = torch.randn(p.inputs, 2), torch.randn(*p.kernel, 2, 3)

    def run(*leaves: Tensor) -> None:
        out = Conv.apply(x, w, p.pairs, p.num, p.outputs, False, False)
        torch.autograd.grad(out.sum(), leaves)

    run(x.requires_grad_())
    assert (len(data), len(filters)) == (1, 0)
    run_second = w.requires_grad_()
    x.requires_grad_(False)
    run(run_second)
    assert (len(data), len(filters)) == (1, 1)


def test_a_frozen_layer_keeps_no_features() -> None:
    """Its gradient for the features needs the filters alone, so features may change in place."""
    p = pairs("subm")
    x, w = torch.randn(p.inputs, 2, requires_grad=True), torch.randn(*p.kernel, 2, 3)
    hidden = x * 1
    out = Conv.apply(hidden, w, p.pairs, p.num, p.outputs, False, False)
    hidden.relu_()
    out.sum().backward()
    expected = ConvData.apply(torch.ones_like(out), w, p.pairs, p.num, p.inputs, False, False)
    assert_same_bytes(x.grad, expected)


@pytest.mark.parametrize("which", [0, 1], ids=["features", "masks"])
def test_carafe_computes_one_gradient(monkeypatch: pytest.MonkeyPatch, which: int) -> None:
    inputs = carafe.problem(1, 2, 3, 3, 3, 1, 2)
    both = [x.clone().requires_grad_() for x in inputs]
    expected = torch.autograd.grad(Carafe.apply(*both, 3, 1, 2).sum(), both)
    backward = Recorder(monkeypatch, "carafe_backward")
    leaf = inputs[which].requires_grad_()
    (grad,) = torch.autograd.grad(Carafe.apply(*inputs, 3, 1, 2).sum(), leaf)
    assert_same_bytes(grad, expected[which])
    ((_, _, _, _, grad_input, grad_mask, *_),) = backward.calls
    assert (grad_input is None, grad_mask is None) == (which == 1, which == 0)


def test_carafe_second_derivative_is_one_backward(monkeypatch: pytest.MonkeyPatch) -> None:
    x, m = (t.requires_grad_() for t in carafe.problem(1, 2, 2, 2, 3, 1, 2))
    g = torch.randn(1, 2, 4, 4, dtype=torch.float64)
    gx, gm = CarafeGrad.apply(x, m, g, 3, 1, 2, True, True)
    backward = Recorder(monkeypatch, "carafe_backward")
    forward = Recorder(monkeypatch, "carafe_forward")
    torch.autograd.grad((gx * gx).sum() + (gm * gm).sum(), (x, m))
    assert (len(backward), len(forward)) == (1, 0)


def test_carafe_second_derivative_drops_a_missing_term(monkeypatch: pytest.MonkeyPatch) -> None:
    x, m = (t.requires_grad_() for t in carafe.problem(1, 2, 2, 2, 3, 1, 2))
    g = torch.randn(1, 2, 4, 4, dtype=torch.float64, requires_grad=True)
    gx, _ = CarafeGrad.apply(x, m, g, 3, 1, 2, True, True)
    backward = Recorder(monkeypatch, "carafe_backward")
    forward = Recorder(monkeypatch, "carafe_forward")
    of_x, of_m, of_g = torch.autograd.grad((gx * gx).sum(), (x, m, g), allow_unused=True)
    assert of_x is None, "Cx does not depend on x"
    assert of_m is not None
    assert of_g is not None
    assert (len(backward), len(forward)) == (1, 1)


def test_no_gradient_for_boxes_rois_points() -> None:
    features, boxes = (t.requires_grad_() for t in align.problem(1, 2, 3, 3))
    _, of_boxes = torch.autograd.grad(
        Align.apply(features, boxes, 0.125, 1).sum(), (features, boxes), allow_unused=True
    )
    assert of_boxes is None
    rois, pts, feature = (t.requires_grad_() for t in roiaware.problem(2, 20, 2))
    out = RoIPool.apply(rois, pts, feature, (2, 2, 2), 5, 1)
    _, of_rois, of_pts = torch.autograd.grad(out.sum(), (feature, rois, pts), allow_unused=True)
    assert of_rois is None
    assert of_pts is None
    features, rois = maps_and_rois()
    for mode in (0, 1):
        out = RoIAlign.apply(features, rois.requires_grad_(), (2, 2), 0.25, 2, mode, True)
        _, of_rois = torch.autograd.grad(out.sum(), (features, rois), allow_unused=True)
        assert of_rois is None


def maps_and_rois() -> tuple[Tensor, Tensor]:
    features = torch.randn(2, 4, 5, 6, dtype=torch.float64, requires_grad=True)
    return features, rois_of(6, 2, 5, 6)


def points_in_cells() -> tuple[Tensor, Tensor]:
    """Features of points, and coordinates that several share."""
    feats = distinct(20, 4).requires_grad_()
    return feats, (torch.arange(20, dtype=torch.int32) % 6)[:, None]


@pytest.mark.parametrize("upstream", ["contiguous", "channels_last"])
@pytest.mark.parametrize("layout", ["contiguous", "channels_last"])
def test_a_gradient_has_the_format_of_its_tensor(layout: str, upstream: str) -> None:
    formats = {"contiguous": torch.contiguous_format, "channels_last": torch.channels_last}
    features, boxes = align.problem(2, 3, 4, 5)
    features = features.contiguous(memory_format=formats[layout]).requires_grad_()
    out = Align.apply(features, boxes, 0.125, 5)
    assert out.is_contiguous(memory_format=formats[layout])
    grad = torch.randn_like(out).contiguous(memory_format=formats[upstream]).requires_grad_()
    (first,) = torch.autograd.grad(out, features, grad, create_graph=True)
    assert first.is_contiguous(memory_format=formats[layout])
    (second,) = torch.autograd.grad(first.square().sum(), grad)
    assert second.is_contiguous(memory_format=formats[upstream])

    x, m = carafe.problem(2, 4, 3, 5, 3, 2, 2)
    x = x.contiguous(memory_format=formats[layout]).requires_grad_()
    m = m.contiguous(memory_format=formats[upstream]).requires_grad_()
    of_x, of_m = torch.autograd.grad(
        Carafe.apply(x, m, 3, 2, 2).square().sum(), (x, m), create_graph=True
    )
    assert of_x.is_contiguous(memory_format=formats[layout])
    assert of_m.is_contiguous(memory_format=formats[upstream])
    of_x, of_m = torch.autograd.grad(of_x.square().sum() + of_m.square().sum(), (x, m))
    assert of_x.is_contiguous(memory_format=formats[layout])
    assert of_m.is_contiguous(memory_format=formats[upstream])


@pytest.mark.parametrize("shape", [(2, 1, 4, 5), (2, 6, 1, 1)], ids=["C=1", "H=W=1"])
def test_a_map_of_both_formats_counts_as_contiguous(shape: tuple[int, ...]) -> None:
    features = torch.randn(shape).contiguous(memory_format=torch.channels_last)
    boxes = torch.rand(shape[0], *shape[2:], 5)
    out = Align.apply(features, boxes, 0.125, 1)
    expected = Align.apply(features.contiguous(), boxes, 0.125, 1)
    assert_same_bytes(out, expected)
    assert out.is_contiguous()
    # Up-sampling makes a difference between the formats: contiguous is what it becomes.
    masks = torch.rand(shape[0], 9, shape[2] * 2, shape[3] * 2)
    assert Carafe.apply(features, masks, 3, 1, 2).is_contiguous()


def outputs() -> dict[str, Tensor]:
    """A differentiable result of every forward."""
    features, boxes = (t.float() for t in align.problem(2, 4, 4, 5))
    x, m = (t.float() for t in carafe.problem(2, 4, 3, 5, 3, 2, 2))
    rois, pts, feature = (t.float() for t in roiaware.problem(2, 20, 2))
    p = pairs("strided")
    rows = distinct(p.inputs, 4).float()
    for leaf in (features, x, feature, rows):
        leaf.requires_grad_()
    filters = torch.randn(*p.kernel, 4, 4)
    return {
        "align": Align.apply(features, boxes, 0.125, 1),
        "align_channels_last": Align.apply(
            features.contiguous(memory_format=torch.channels_last), boxes, 0.125, 1
        ),
        "carafe": Carafe.apply(x, m, 3, 2, 2),
        "roiaware": RoIPool.apply(rois, pts, feature, (2, 2, 2), 5, 1),
        "conv": Conv.apply(rows, filters, p.pairs, p.num, p.outputs, False, False),
        "avgpool": AvgPool.apply(rows, p.pairs, p.num, p.outputs),
        "scatter_mean": Scatter.apply(*points_in_cells(), 1)[0],
        "scatter_sum": Scatter.apply(*points_in_cells(), 0)[0],
        "roi_align": RoIAlign.apply(*maps_and_rois(), (2, 2), 0.25, 2, 1, True),
        "roi_align_max": RoIAlign.apply(*maps_and_rois(), (2, 2), 0.25, 2, 0, True),
    }


@pytest.mark.parametrize("name", outputs())
def test_in_place_operations_on_results(name: str) -> None:
    """As nn.ReLU(inplace=True) after a layer."""
    out = outputs()[name]
    assert not out._is_view()
    out.mul_(2).relu_().sum().backward()


@pytest.mark.parametrize("name", outputs())
def test_results_pickle_and_copy(name: str) -> None:
    out = outputs()[name].detach()
    assert_same_bytes(pickle.loads(pickle.dumps(out)), out)
    assert_same_bytes(copy.deepcopy(out), out)


def test_maxima_refuse_a_changed_result() -> None:
    """They look at their results again in backward; torch tells if one was changed in place."""
    p = pairs("strided")
    rows = distinct(p.inputs, 2).requires_grad_()
    for out in (
        MaxPool.apply(rows, p.pairs, p.num, p.outputs),
        Scatter.apply(*points_in_cells(), 2)[0],
    ):
        out.mul_(2)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            out.sum().backward()


def test_deterministic_algorithms() -> None:
    """No operator and no gradient of any order trips the switch, and runs repeat their bits."""
    torch.use_deterministic_algorithms(True)
    p = pairs("strided")
    rows = distinct(p.inputs, 2).requires_grad_()
    rois, pts, feature = (t.requires_grad_() for t in roiaware.problem(2, 30, 2))
    x, m = (t.requires_grad_() for t in carafe.problem(1, 2, 3, 3, 3, 1, 2))
    features, boxes = (t.requires_grad_() for t in align.problem(1, 2, 3, 3))
    filters = torch.randn(*p.kernel, 2, 3, dtype=torch.float64, requires_grad=True)
    runs = {
        "maxpool": (lambda: MaxPool.apply(rows, p.pairs, p.num, p.outputs), rows),
        "avgpool": (lambda: AvgPool.apply(rows, p.pairs, p.num, p.outputs), rows),
        "conv": (
            lambda: Conv.apply(rows, filters, p.pairs, p.num, p.outputs, False, False),
            filters,
        ),
        "roi_max": (lambda: RoIPool.apply(rois, pts, feature, (2, 2, 2), 5, 0), feature),
        "roi_avg": (lambda: RoIPool.apply(rois, pts, feature, (2, 2, 2), 5, 1), feature),
        "carafe": (lambda: Carafe.apply(x, m, 3, 1, 2), m),
        "align": (lambda: Align.apply(features, boxes, 0.125, 5), features),
    }
    image, places = maps_and_rois()
    feats, coors = points_in_cells()
    for mode in (0, 1):
        arguments = (image, places, (2, 2), 0.25, 2, mode, True)
        runs[f"roi_align {mode}"] = (lambda a=arguments: RoIAlign.apply(*a), image)
    for mode in (0, 1, 2):
        runs[f"scatter {mode}"] = (lambda m=mode: Scatter.apply(feats, coors, m)[0], feats)
    for function, leaf in runs.values():
        found = []
        for _ in range(2):
            out = function()
            (first,) = torch.autograd.grad(out.pow(3).sum(), leaf, create_graph=True)
            (second,) = torch.autograd.grad(first.square().sum(), leaf)
            found.append((out, first, second))
        for a, b in zip(*found):
            assert_same_bytes(a, b)


def test_forward_mode_is_refused() -> None:
    """The operators would drop the tangents."""
    import torch.autograd.forward_ad as forward_ad

    from mluops_cpu.ops.rotated_feature_align import rotated_feature_align

    features, boxes = align.problem(1, 2, 3, 3)
    with forward_ad.dual_level():
        dual = forward_ad.make_dual(features, torch.ones_like(features))
        with pytest.raises((RuntimeError, NotImplementedError)):
            rotated_feature_align(dual, boxes)


@pytest.mark.skipif(TORCH < (2, 1), reason="the operators are registered from torch 2.1")
def test_no_warning_from_the_autograd_fallback(recwarn: pytest.WarningsRecorder) -> None:
    for out in outputs().values():
        out.sum().backward()
    assert not list(recwarn)
