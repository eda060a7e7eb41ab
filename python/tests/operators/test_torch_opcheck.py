"""torch's own checks of the registered operators: schema, fakes, autograd keys, AOT dispatch."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor
from torch_problems import DTYPES, OPERATORS, operator_calls

from mluops_cpu._torch import ops

pytestmark = [
    pytest.mark.skipif(
        not hasattr(torch.library, "opcheck"), reason="torch.library.opcheck came with torch 2.4"
    ),
    # The operators have no gradients of their own, the Functions have; opcheck runs a backward.
    pytest.mark.filterwarnings("ignore:mluops_cpu.*an autograd kernel was not registered"),
]

ALL = ("test_schema", "test_autograd_registration", "test_faketensor", "test_aot_dispatch_dynamic")
# Output sizes that depend on the data, which AOT dispatch does not trace. None has a gradient to
# register: the results are integers, or their Function calls the operator.
DATA_DEPENDENT = ("pairs", "voxelization", "dynamic_scatter", "nms", "nms_rotated", "nms3d")
WITHOUT_AOT = ("test_schema", "test_faketensor")

CASES = [
    *((dtype, layout, False) for dtype in DTYPES for layout in ("contiguous", "channels_last")),
    (torch.float32, "contiguous", True),
    (torch.float32, "channels_last", True),
]


def differentiable(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments with every floating tensor requiring a gradient, as opcheck wants them."""
    return tuple(
        a.detach().clone().requires_grad_()
        if isinstance(a, Tensor) and a.is_floating_point()
        else a
        for a in arguments
    )


@pytest.mark.parametrize("name", OPERATORS)
@pytest.mark.parametrize(
    ("dtype", "layout", "empty"),
    CASES,
    ids=[f"{str(d)[6:]}-{layout}{'-empty' * empty}" for d, layout, empty in CASES],
)
def test_opcheck(name: str, dtype: torch.dtype, layout: str, empty: bool) -> None:
    calls = operator_calls(dtype, layout == "channels_last", empty)
    arguments = differentiable(calls[name])
    tests = WITHOUT_AOT if name in DATA_DEPENDENT else ALL
    if not any(isinstance(a, Tensor) and a.requires_grad for a in arguments):
        tests = tuple(t for t in tests if t != "test_autograd_registration")
    results = torch.library.opcheck(getattr(ops, name), arguments, test_utils=tests)
    assert results == dict.fromkeys(tests, "SUCCESS")


def test_every_operator_has_the_tags() -> None:
    for name in OPERATORS:
        tags = getattr(ops, name).tags
        assert torch.Tag.pt2_compliant_tag in tags
        assert torch.Tag.needs_fixed_stride_order in tags


@pytest.mark.parametrize("name", OPERATORS)
def test_no_operator_returns_an_input(name: str) -> None:
    arguments = operator_calls(torch.float32, channels_last=True)[name]
    memory = {a.data_ptr() for a in arguments if isinstance(a, Tensor)}
    results = getattr(ops, name)(*arguments)
    for result in results if isinstance(results, tuple) else (results,):
        assert result.data_ptr() not in memory
        assert result._base is None
