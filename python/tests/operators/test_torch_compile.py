"""torch.compile: whole graphs, the bits of eager mode with aot_eager, nearness with inductor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Callable

import pytest
import torch
from torch import Tensor, nn
from torch_problems import GRID, TORCH, assert_same_bytes, cloud, pairs, rois_of, sites

from mluops_cpu._torch import ops
from mluops_cpu._torch.autograd import AvgPool, Conv, MaxPool
from mluops_cpu.ops import batched_nms, dynamic_scatter, nms_rotated, roi_align, voxelization
from mluops_cpu.ops.carafe import CARAFEFunction, CARAFEPack, carafe
from mluops_cpu.ops.points_in_boxes import points_in_boxes_all
from mluops_cpu.ops.roiaware_pool3d import RoIAwarePool3d
from mluops_cpu.ops.rotated_feature_align import rotated_feature_align
from references import align as align_reference
from references import carafe as carafe_reference
from references import roiaware as roiaware_reference

pytestmark = pytest.mark.skipif(
    TORCH < (2, 4), reason="whole graphs are promised from torch 2.4; 1.13 has no torch.compile"
)

Case = tuple[Callable[..., Tensor], tuple[Tensor, ...]]


@pytest.fixture(autouse=True)
def _forget_graphs() -> Iterator[None]:
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


def leaf(tensor: Tensor) -> Tensor:
    return tensor.detach().clone().requires_grad_()


def align_case(channels_last: bool) -> Case:
    features, boxes = (t.float() for t in align_reference.problem(2, 4, 4, 5))
    if channels_last:
        features = features.contiguous(memory_format=torch.channels_last)
    return lambda x, b: rotated_feature_align(x, b, 0.125, 5), (leaf(features), boxes)


def carafe_case(of_features: bool, of_masks: bool, function: Any = carafe) -> Case:
    features, masks = (t.float() for t in carafe_reference.problem(2, 4, 3, 5, 3, 2, 2))
    features.requires_grad_(of_features)
    masks.requires_grad_(of_masks)
    return lambda x, m: function(x, m, 3, 2, 2), (features, masks)


def autocast_case() -> Case:
    function, inputs = carafe_case(True, False)

    def cast(x: Tensor, m: Tensor) -> Tensor:
        with torch.autocast("cpu", torch.bfloat16):
            return function(x, m)

    return cast, inputs


def roiaware_case(mode: str) -> Case:
    rois, pts, feature = (t.float() for t in roiaware_reference.problem(3, 60, 2))
    return RoIAwarePool3d((2, 3, 2), 6, mode), (rois, pts, leaf(feature))


def conv_case(of_features: bool, of_filters: bool, kind: str = "strided") -> Case:
    p = pairs(kind)
    features = torch.randn(p.inputs, 4).requires_grad_(of_features)
    filters = torch.randn(*p.kernel, 4, 6).requires_grad_(of_filters)

    def function(x: Tensor, w: Tensor, found: Tensor, num: Tensor) -> Any:
        return Conv.apply(x, w, found, num, p.outputs, p.inverse, False)

    return function, (features, filters, p.pairs, p.num)


def pool_case(pool: Any) -> Case:
    p = pairs("strided")
    features = torch.randn(p.inputs, 4, requires_grad=True)
    return lambda x, found, num: pool.apply(x, found, num, p.outputs), (features, p.pairs, p.num)


def roi_align_case(mode: str, channels_last: bool = False, size: int = 2) -> Case:
    features, rois = torch.randn(2, 5, 6, 7), rois_of(8, 2, 6, 7).float()
    if channels_last:
        features = features.contiguous(memory_format=torch.channels_last)
    return lambda x, r: roi_align(x, r, size, 0.25, 2, mode), (leaf(features), rois)


CASES: dict[str, Callable[[], Case]] = {
    "roi_align": lambda: roi_align_case("avg"),
    "roi_align_max": lambda: roi_align_case("max"),
    "roi_align_channels_last": lambda: roi_align_case("avg", True),
    "roi_align_one_bin": lambda: roi_align_case("max", True, 1),
    "align": lambda: align_case(False),
    "align_channels_last": lambda: align_case(True),
    "carafe": lambda: carafe_case(True, True),
    "carafe_features": lambda: carafe_case(True, False),
    "carafe_masks": lambda: carafe_case(False, True),
    "carafe_no_gradient": lambda: carafe_case(False, False),
    "carafe_function": lambda: carafe_case(True, True, CARAFEFunction.apply),
    "carafe_autocast": autocast_case,
    "roiaware_max": lambda: roiaware_case("max"),
    "roiaware_avg": lambda: roiaware_case("avg"),
    "conv": lambda: conv_case(True, True),
    "conv_frozen": lambda: conv_case(True, False),
    "conv_first_layer": lambda: conv_case(False, True),
    "conv_inverse": lambda: conv_case(True, True, "inverse"),
    "maxpool": lambda: pool_case(MaxPool),
    "avgpool": lambda: pool_case(AvgPool),
}


def results(function: Callable[..., Tensor], inputs: tuple[Tensor, ...]) -> list[Tensor]:
    """The result and the gradients of what requires one."""
    inputs = tuple(x.detach().clone().requires_grad_(x.requires_grad) for x in inputs)
    out = function(*inputs)
    wanted = [x for x in inputs if x.requires_grad]
    weight = torch.linspace(-1, 1, out.numel(), dtype=out.dtype).reshape(out.shape)
    return [out, *(torch.autograd.grad(out, wanted, weight) if wanted else ())]


@pytest.mark.parametrize("dynamic", [None, True], ids=["static", "dynamic"])
@pytest.mark.parametrize("name", CASES)
def test_aot_eager_gives_the_bits_of_eager(name: str, dynamic: bool | None) -> None:
    function, inputs = CASES[name]()
    compiled = torch.compile(function, fullgraph=True, backend="aot_eager", dynamic=dynamic)
    for a, b in zip(results(function, inputs), results(compiled, inputs)):
        assert_same_bytes(a, b)
        assert a.stride() == b.stride()


@pytest.mark.parametrize(
    "name", ["align_channels_last", "carafe", "roiaware_max", "conv", "roi_align_channels_last"]
)
def test_inductor_does_not_touch_our_operators(name: str) -> None:
    function, inputs = CASES[name]()
    compiled = torch.compile(function, fullgraph=True)
    for a, b in zip(results(function, inputs), results(compiled, inputs)):
        assert_same_bytes(a, b)


@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
@pytest.mark.parametrize("channels_last", [False, True], ids=["contiguous", "channels_last"])
def test_carafe_pack(backend: str, channels_last: bool) -> None:
    """A whole net, of which inductor rewrites the softmax and the shuffle."""
    layout = torch.channels_last if channels_last else torch.contiguous_format
    net = CARAFEPack(4, 2, compressed_channels=8)
    x = torch.randn(2, 4, 6, 5).contiguous(memory_format=layout).requires_grad_()
    compiled = torch.compile(net, fullgraph=True, backend=backend)
    parameters = [x, *net.parameters()]
    out, compiled_out = net(x), compiled(x)
    torch.testing.assert_close(compiled_out, out, rtol=1e-4, atol=1e-5)
    expected = torch.autograd.grad((out**2).sum(), parameters)
    gradients = torch.autograd.grad((compiled_out**2).sum(), parameters)
    for a, b in zip(gradients, expected):
        torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-4)


def test_points_in_boxes() -> None:
    rois, pts, _ = roiaware_reference.problem(4, 50, 1)
    compiled = torch.compile(points_in_boxes_all, fullgraph=True, backend="aot_eager")
    assert torch.equal(compiled(pts[None], rois[None]), points_in_boxes_all(pts[None], rois[None]))


def subm_stack(x: Tensor, w: Tensor, indices: Tensor) -> Any:
    found, num = ops.subm_pairs(indices, 2, (4, 3, 4), (3, 3, 3), (1, 1, 1))
    hidden = Conv.apply(x, w, found, num, x.shape[0], False, False).relu()
    return Conv.apply(hidden, w, found, num, x.shape[0], False, False)


def strided_stack(x: Tensor, w: Tensor, indices: Tensor) -> Any:
    geometry = (3, 3, 3), (2, 2, 2), (1, 1, 1), (1, 1, 1), False
    out, found, num = ops.pairs(indices, 2, (4, 3, 4), (2, 2, 2), *geometry)
    return Conv.apply(x, w, found, num, out.shape[0], False, False).relu() * 2


def frames(function: Any, backend: str, fullgraph: bool, sizes: tuple[int, ...]) -> list[int]:
    """Compile, compare with eager at each number of sites; graphs compiled after each of them."""
    counter = torch._dynamo.testing.CompileCounterWithBackend(backend)
    compiled = torch.compile(function, fullgraph=fullgraph, backend=counter)
    filters = torch.randn(3, 3, 3, 4, 4, requires_grad=True)
    counts = []
    for rows in sizes:
        inputs = (torch.randn(rows, 4, requires_grad=True), filters)
        indices = sites((4, 3, 4), rows, seed=rows)
        expected, out = function(*inputs, indices), compiled(*inputs, indices)
        assert_same_bytes(out, expected)
        for a, b in zip(
            torch.autograd.grad(out.sum(), inputs), torch.autograd.grad(expected.sum(), inputs)
        ):
            assert_same_bytes(a, b)
        counts.append(counter.frame_count)
    return counts


def test_submanifold_stack_compiles_twice_at_most() -> None:
    """Once for the first size, once with a symbolic size, which serves all others above 1."""
    assert frames(subm_stack, "aot_eager", True, (14, 20, 9, 31, 5, 40)) == [1, 2, 2, 2, 2, 2]


def test_submanifold_stack_of_no_sites() -> None:
    frames(subm_stack, "aot_eager", True, (14, 0, 1))


@pytest.mark.parametrize("backend", ["aot_eager", "inductor"])
def test_strided_stack_as_one_graph(backend: str) -> None:
    """The number of output sites is data; torch 2.13 needs the setting only without fullgraph."""
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        assert frames(strided_stack, backend, True, (14, 20, 9, 31)) == [1, 2, 2, 2]


def test_strided_stack_with_graph_breaks() -> None:
    counts = frames(strided_stack, "aot_eager", False, (14, 20))
    assert counts[0] > 1, "a graph per side of the break"


def reduced_points(points: Tensor, feats: Tensor) -> Any:
    """The number of voxels is data."""
    coors = voxelization(points, *GRID, -1)
    return dynamic_scatter(feats, coors, "mean")[0] * 2


def kept_boxes(points: Tensor, feats: Tensor) -> Any:
    """The number of boxes is data."""
    turned = torch.cat([points[:, :4].abs() + 0.5, points[:, 4:]], 1)
    dets, _ = nms_rotated(turned, feats[:, 0], 0.3)
    upright = torch.cat([points[:, :2], points[:, :2] + 1], 1)
    classes = torch.zeros_like(feats[:, 0], dtype=torch.int64)
    config = dict(type="nms", iou_threshold=0.3)
    return dets.sum() + batched_nms(upright, feats[:, 0], classes, config)[0].sum()


@pytest.mark.parametrize("function", [reduced_points, kept_boxes])
def test_sizes_that_are_data_compile_as_one_graph(function: Any) -> None:
    with torch._dynamo.config.patch(capture_dynamic_output_shape_ops=True):
        compiled = torch.compile(function, fullgraph=True, backend="aot_eager")
        for rows in (40, 60):
            points, feats = cloud(rows).float(), torch.randn(rows, 3)
            torch.testing.assert_close(compiled(points, feats), function(points, feats))


def test_second_order_of_a_compiled_graph_is_refused() -> None:
    """Second derivatives through a compiled graph are refused by torch, not computed wrongly."""
    function, inputs = CASES["align"]()
    compiled = torch.compile(function, fullgraph=True, backend="aot_eager")
    x, boxes = inputs
    (grad,) = torch.autograd.grad(compiled(x, boxes).pow(3).sum(), x, create_graph=True)
    with pytest.raises(RuntimeError, match="double backward"):
        torch.autograd.grad(grad.sum(), x)


def test_fake_tensors_in_eager_mode() -> None:
    from torch._subclasses.fake_tensor import FakeTensorMode

    with FakeTensorMode():
        features = torch.empty(2, 4, 3, 5).contiguous(memory_format=torch.channels_last)
        net = nn.Sequential(CARAFEPack(4, 2))
        out = net(features)
    assert out.shape == (2, 4, 6, 10)
    assert out.is_contiguous(memory_format=torch.channels_last)


def test_meta_tensors() -> None:
    features, boxes = torch.empty(2, 4, 3, 5, device="meta"), torch.empty(30, 5, device="meta")
    assert rotated_feature_align(features, boxes).shape == (2, 4, 3, 5)
