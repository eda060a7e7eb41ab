"""Voxelization and dynamic scatter of the torch front: values, gradients, layers."""

from __future__ import annotations

from typing import Any

import numpy
import pytest
import torch
from torch import Tensor
from torch.autograd import gradcheck, gradgradcheck
from torch_problems import DTYPES, GRID, assert_near, assert_same_bytes, cloud, distinct

from mluops_cpu import BadParamError
from mluops_cpu._torch.autograd import Scatter
from mluops_cpu.ops import DynamicScatter, Voxelization, dynamic_scatter, voxelization
from mluops_cpu.ops.scatter_points import DynamicScatterFunction
from references.arrays import voxels as reference

MODES = ["sum", "mean", "max"]
every_dtype = pytest.mark.parametrize("dtype", DTYPES, ids=str)
every_mode = pytest.mark.parametrize("mode", MODES)


def array(tensor: Tensor) -> Any:
    return numpy.array(tensor.detach().double().tolist()).reshape(tensor.shape)


def integers(tensor: Tensor) -> Any:
    return numpy.array(tensor.tolist(), numpy.int32).reshape(tensor.shape)


def scene(columns: int = 3, rows: int = 50) -> tuple[Tensor, Tensor]:
    """Features far apart, and coordinates of which some are below 0."""
    generator = torch.Generator().manual_seed(columns)
    return distinct(rows, 4), torch.randint(-1, 3, (rows, columns), generator=generator)


@every_dtype
@pytest.mark.parametrize(("max_points", "max_voxels"), [(3, 100), (2, 5)])
def test_voxelization(dtype: torch.dtype, max_points: int, max_voxels: int) -> None:
    points = cloud(80).to(dtype).requires_grad_()
    real = numpy.float64 if dtype == torch.float64 else numpy.float32
    arguments = (*GRID, max_points, max_voxels)
    members, coors = reference.voxelize(array(points), *arguments, real)
    voxels, found, counts = voxelization(points, *arguments)
    assert voxels.dtype == dtype
    assert not voxels.requires_grad
    assert numpy.array_equal(integers(found), coors)
    assert counts.tolist() == [len(each) for each in members]
    for row, each in zip(voxels, members):
        assert_same_bytes(row[: len(each)], points.detach()[each])
        assert not row[len(each) :].any()
    for wanted in ((-1, max_voxels), (max_points, -1)):
        dynamic = voxelization(points, *GRID, *wanted)
        assert numpy.array_equal(integers(dynamic), reference.cells(array(points), *GRID, real))


def test_voxelization_layer() -> None:
    points = cloud(80).float()
    layer = Voxelization(*GRID, 3, (10, 20))
    assert layer.grid_size.tolist() == [4, 4, 4]
    assert [int(each) for each in layer.pcd_shape] == [1, 4, 4]
    for training, most in ((True, 10), (False, 20)):
        layer.train(training)
        for got, want in zip(layer(points), voxelization(points, *GRID, 3, most)):
            assert_same_bytes(got, want)
    assert Voxelization(*GRID, 3).max_voxels == (20000, 20000)
    assert Voxelization(*GRID, 3, [5, 6]).max_voxels == (5, 6)
    assert Voxelization(*GRID, 3, deterministic=False).deterministic is False
    assert "max_voxels=(10, 20)" in repr(layer)
    dynamic = Voxelization(*GRID, max_num_points=-1)(points)
    assert torch.equal(dynamic, voxelization(points, *GRID, -1))


def test_voxelization_of_no_points_and_errors() -> None:
    """C refuses an empty cloud; mmcv gives no voxels."""
    shapes = [tuple(each.shape) for each in voxelization(torch.zeros(0, 4), *GRID, 3, 10)]
    assert shapes == [(0, 3, 4), (0, 3), (0,)]
    assert voxelization(torch.zeros(0, 4), *GRID, -1).shape == (0, 3)
    with pytest.raises(BadParamError, match=r"^mluOpVoxelization: points dim 1"):
        voxelization(torch.zeros(5, 2), *GRID)
    with pytest.raises(BadParamError, match=r"^mluOpVoxelization: voxel_size dim 0"):
        voxelization(torch.zeros(5, 3), [1.0, 1.0], GRID[1])
    with pytest.raises(BadParamError, match=r"^mluOpVoxelization: .*max_voxels"):
        voxelization(torch.zeros(5, 3), *GRID, 3, -2)
    with pytest.raises(BadParamError, match=r"^mluOpCpuDynamicVoxelize: coors_range dim 0"):
        voxelization(torch.zeros(5, 3), GRID[0], [0.0] * 5, -1)
    with pytest.raises(TypeError, match="points must be float16"):
        voxelization(torch.zeros(5, 3).int(), *GRID)


@every_dtype
@every_mode
@pytest.mark.parametrize("columns", [1, 3, 4])
def test_dynamic_scatter(dtype: torch.dtype, mode: str, columns: int) -> None:
    feats, coors = scene(columns)
    feats = feats.to(dtype).requires_grad_()
    want, sites, _, _ = reference.scatter(array(feats), integers(coors), mode)
    reduced, found = dynamic_scatter(feats, coors, mode)
    assert_near(reduced, torch.tensor(want), dtype)
    assert found.dtype == coors.dtype
    assert numpy.array_equal(integers(found), sites)
    grad = torch.randn(reduced.shape, dtype=torch.float64).to(dtype)
    (back,) = torch.autograd.grad(reduced, feats, grad)
    wanted = reference.scatter_backward(array(grad), array(feats), integers(coors), mode)
    assert_near(back, torch.tensor(wanted), dtype)
    with torch.no_grad():
        assert_same_bytes(dynamic_scatter(feats, coors.int(), mode)[0], reduced)
    again, same = DynamicScatterFunction.apply(feats, coors, mode)
    assert_same_bytes(again, reduced)
    assert torch.equal(same, found)
    assert_same_bytes(torch.autograd.grad(again, feats, grad)[0], back)


@every_mode
def test_gradients_of_both_orders(mode: str) -> None:
    feats, coors = scene()
    number = MODES.index(mode)
    feats.requires_grad_()

    def function(feats: Tensor) -> Any:
        return Scatter.apply(feats, coors.int(), number)[0]

    assert gradcheck(function, (feats,), eps=1e-6, atol=1e-6)
    assert gradgradcheck(function, (feats,), eps=1e-6, atol=1e-6)


@every_mode
@pytest.mark.parametrize("rows", [0, 6])
def test_no_voxels(mode: str, rows: int) -> None:
    feats = torch.randn(rows, 3, requires_grad=True)
    reduced, sites = dynamic_scatter(feats, torch.full((rows, 3), -1), mode)
    assert (reduced.shape, sites.shape) == ((0, 3), (0, 3))
    assert reduced.grad_fn is not None
    (back,) = torch.autograd.grad(reduced.sum(), feats, create_graph=True)
    assert back.shape == feats.shape
    assert not back.any()


@pytest.mark.parametrize("average", [False, True])
def test_layer(average: bool) -> None:
    """One call for a batch, of which mmcv makes one for each item: the same bits."""
    feats, places = scene()
    batch = torch.arange(50)[:, None] // 20
    layer = DynamicScatter(*GRID, average_points=average)
    got, sites = layer(feats, torch.cat([batch, places], 1))
    parts, rows = [], []
    for item in range(3):
        mine = batch[:, 0] == item
        reduced, coors = layer(feats[mine], places[mine])
        parts.append(reduced)
        rows.append(torch.nn.functional.pad(coors, (1, 0), value=item))
    assert_same_bytes(got, torch.cat(parts))
    assert torch.equal(sites, torch.cat(rows))
    assert "average_points" in repr(layer)
    assert layer.voxel_size == GRID[0]


def test_errors() -> None:
    feats, coors = scene()
    for function in (dynamic_scatter, DynamicScatterFunction.apply):
        with pytest.raises(ValueError, match=r"^reduce_type must be 'max', 'mean' or 'sum', got"):
            function(feats, coors, "min")
        with pytest.raises(BadParamError, match=r"^mluOpDynamicPointToVoxelForward: "):
            function(feats, coors[:-1])
        with pytest.raises(TypeError, match="indices must be an integer tensor"):
            function(feats, coors.float())
