"""RoI align on numpy arrays against samples taken one by one."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

from mluops_cpu.numpy import roi_align_backward, roi_align_forward
from references.arrays import roi_align as reference
from references.arrays.dtypes import Type, every_type
from references.arrays.roi_align import Sampling

every_layout = pytest.mark.parametrize("layout", ["NHWC", "NCHW"])
every_channels = pytest.mark.parametrize("channels", [1, 5, 17])

SAMPLINGS = {
    "adaptive": Sampling((3, 2), 0.5),
    "one sample": Sampling((2, 3), 0.25, 1, False),
    "two samples": Sampling((2, 2), 0.5, 2, True),
    "legacy adaptive": Sampling((1, 4), 0.5, 0, False),
    "negative ratio": Sampling((2, 2), 1.0, -3, True),
}
every_sampling = pytest.mark.parametrize("sampling", SAMPLINGS.values(), ids=SAMPLINGS.keys())


def arithmetic(kind: Type) -> Any:
    return numpy.float64 if kind.name == "float64" else numpy.float32


def problem(rng: Any, kind: Type, channels: int) -> tuple[Any, Any]:
    """A map [2,5,7,C] and RoIs in and out of it, inverted ones and empty ones."""
    corners = rng.uniform(-6, 18, (9, 4)).round(2)
    rois = numpy.concatenate([rng.integers(0, 2, (9, 1)), corners], 1)
    rois[0, 1:] = rois[1, 1:] = [2, 2, 8, 8]
    rois[1, 0] = 1.75  # the image is 1: numbers are truncated
    rois[2, 1:] = [3, 3, 3, 3]
    rois[3, 1:] = [-90, -90, -80, -80]
    return kind.cast(rng.normal(size=(2, 5, 7, channels))), kind.cast(rois)


def first(map: Any, layout: str) -> Any:
    return numpy.ascontiguousarray(map.transpose(0, 3, 1, 2)) if layout == "NCHW" else map


def last(map: Any, layout: str) -> Any:
    return map.transpose(0, 2, 3, 1) if layout == "NCHW" else map


@every_layout
@every_type
@every_sampling
@every_channels
def test_average(rng: Any, kind: Type, sampling: Sampling, channels: int, layout: str) -> None:
    x, rois = problem(rng, kind, channels)
    real = arithmetic(kind)
    want = reference.average(kind.wide(x), kind.wide(rois), sampling, real)
    size, scale, ratio, aligned = sampling
    words: Any = {"layout": layout, **kind.keywords}
    given = (size, scale, ratio, "avg", aligned)
    got, *nothing = roi_align_forward(first(x, layout), rois, *given, **words)
    assert nothing == [None, None]
    kind.check(last(got, layout), want)
    out = numpy.empty_like(got)
    again = roi_align_forward(first(x, layout), rois, *given, out=(out, None, None), **words)
    assert again[0] is out
    assert out.tobytes() == got.tobytes()

    grad = kind.cast(rng.normal(size=want.shape))
    wanted = reference.average_backward(kind.wide(grad), kind.wide(rois), x.shape, sampling, real)
    shape = first(x, layout).shape
    given_back = (rois, shape, scale, ratio, "avg", aligned)
    back = roi_align_backward(first(grad, layout), *given_back, **words)
    kind.check(last(back, layout), wanted)
    out = numpy.empty_like(back)
    assert roi_align_backward(first(grad, layout), *given_back, out=out, **words) is out
    assert out.tobytes() == back.tobytes()


@every_layout
@every_type
@every_sampling
def test_maximum(rng: Any, kind: Type, sampling: Sampling, layout: str) -> None:
    x, rois = problem(rng, kind, 5)
    wants = reference.maximum(kind.wide(x), kind.wide(rois), sampling, arithmetic(kind))
    size, scale, ratio, aligned = sampling
    words: Any = {"layout": layout, **kind.keywords}
    given = (size, scale, ratio, "max", aligned)
    gots = roi_align_forward(first(x, layout), rois, *given, **words)
    lowest = wants[0] < -1e30
    for got, want in zip(gots, wants):
        assert got is not None
        wide = kind.wide(last(got, layout))
        assert wide.shape == want.shape
        assert (wide[lowest] < -1e30).all() or got is not gots[0]
        assert numpy.allclose(wide[~lowest], want[~lowest], rtol=2 * kind.tolerance, atol=1e-6)
    assert gots[1] is not None
    assert gots[2] is not None
    assert (kind.wide(last(gots[1], layout))[lowest] == -1).all()

    grad = kind.cast(rng.normal(size=wants[0].shape))
    argmax = (gots[1], gots[2])
    places = [kind.wide(last(each, layout)).astype(arithmetic(kind)) for each in argmax]
    wanted = reference.maximum_backward(kind.wide(grad), kind.wide(rois), *places, x.shape)
    shape = first(x, layout).shape
    given_back = (rois, shape, scale, ratio, "max", aligned, argmax)
    back = roi_align_backward(first(grad, layout), *given_back, **words)
    kind.check(last(back, layout), wanted)


@pytest.mark.parametrize(
    ("box", "aligned", "ratio", "average", "maximum"),
    [
        ((-1.5, -1.5, -0.5, -0.5), False, 1, 1, (1, -1, -1)),
        ((1.5, 1.5, 2.5, 2.5), False, 1, 4, None),
        ((1.500001, 1.5, 2.500001, 2.5), False, 1, 0, None),
        ((1, 1, 1, 1), True, 1, 2.5, None),
        ((1, 1, 1, 1), True, 0, 0, (-3.4028234663852886e38, -1, -1)),
        ((2, 2, 0, 0), True, 2, 2.5, (4, 1, 1)),
        ((2, 2, 0, 0), False, 0, 0, None),
    ],
)
def test_edges(box: Any, aligned: bool, ratio: int, average: float, maximum: Any) -> None:
    x = numpy.array([[1, 2], [3, 4]], "f4").reshape(1, 2, 2, 1)
    rois = numpy.array([[0, *box]], "f4")
    got, _, _ = roi_align_forward(x, rois, 1, 1.0, ratio, "avg", aligned)
    assert got.item() == average
    if maximum is not None:
        found = roi_align_forward(x, rois, 1, 1.0, ratio, "max", aligned)
        assert tuple(each.item() for each in found if each is not None) == maximum


def test_average_is_adjoint(rng: Any) -> None:
    x, rois = problem(rng, Type("float64", 0), 4)
    y, _, _ = roi_align_forward(x, rois, (3, 2), 0.5)
    grad = rng.normal(size=y.shape)
    back = roi_align_backward(grad, rois, x.shape, 0.5)
    assert (y * grad).sum() == pytest.approx((x * back).sum(), rel=1e-12)


def test_arguments() -> None:
    x, rois = numpy.ones((1, 4, 4, 2)), numpy.array([[0.0, 0, 0, 4, 4]])
    with pytest.raises(ValueError, match=r"^mode must be 'max' or 'avg', got 'mean'$"):
        roi_align_forward(x, rois, 2, mode="mean")
    y, at_y, at_x = roi_align_forward(x, rois, 2, mode="max")
    for argmax, mode in ((None, "max"), ((at_y, at_x), "avg")):
        with pytest.raises(ValueError, match=r"^argmax must be a pair for mode 'max' and None"):
            roi_align_backward(y, rois, x.shape, mode=mode, argmax=argmax)
    with pytest.raises(ValueError, match=r"^output_size must have 2 entries, got 3$"):
        roi_align_forward(x, rois, (1, 2, 3))
    with pytest.raises(ValueError, match=r"^input_shape must have 4 entries, got 3$"):
        roi_align_backward(y, rois, (1, 4, 4), mode="max", argmax=(at_y, at_x))
