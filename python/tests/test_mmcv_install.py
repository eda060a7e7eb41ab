"""mluops_cpu.mmcv.install(): what it replaces, what it leaves alone, and how it is undone."""

from __future__ import annotations

import ast
import importlib
import importlib.machinery
import subprocess
import sys
import types
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

import mluops_cpu.mmcv

mmcv = pytest.importorskip("mmcv", reason="mmcv-lite is not installed (it needs torch 2)")


@pytest.fixture
def installed() -> Iterator[None]:
    mluops_cpu.mmcv.install()
    yield
    mluops_cpu.mmcv.uninstall()


def run_python(code: str) -> str:
    """What a fresh interpreter prints; mmcv.ops is imported once per process only."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_every_name_of_mmcv_ops_imports() -> None:
    code = """
import mluops_cpu.mmcv
mluops_cpu.mmcv.install()
from mmcv.ops import *
import mmcv.ops
print(len(mmcv.ops.__all__), all(hasattr(mmcv.ops, name) for name in mmcv.ops.__all__))
"""
    assert run_python(code) == "124 True"


def test_nothing_happens_on_import() -> None:
    code = """
import sys, mluops_cpu.mmcv
print(mluops_cpu.mmcv.is_installed(), [name for name in ("mmcv", "torch") if name in sys.modules])
"""
    assert run_python(code) == "False []"


def test_install_is_idempotent_and_undone(installed: None) -> None:
    conv = sys.modules["mmcv.ops.sparse_conv"].SparseConvolution
    structure = sys.modules["mmcv.ops.sparse_structure"]
    ours = conv.forward, structure.scatter_nd
    mluops_cpu.mmcv.install()
    assert (conv.forward, structure.scatter_nd) == ours
    assert mluops_cpu.mmcv.is_installed()
    mluops_cpu.mmcv.uninstall()
    assert not mluops_cpu.mmcv.is_installed()
    assert conv.forward is not ours[0]
    assert conv.forward.__code__.co_filename.endswith("mmcv/ops/sparse_conv.py")
    assert structure.scatter_nd.__code__.co_filename.endswith("mmcv/ops/sparse_structure.py")
    assert "mmcv._ext" not in sys.modules
    assert not hasattr(mmcv, "_ext")


def names_wanted() -> set[str]:
    """What the modules of mmcv.ops ask `load_ext` for, from their sources."""
    found: set[str] = set()
    for path in Path(mmcv.__file__).parent.glob("ops/*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "load_ext":
                found.update(ast.literal_eval(node.args[1]))
    return found


def test_every_name_of_ext_exists(installed: None) -> None:
    """112 of them, and each is either here or says what it would take."""
    from mluops_cpu.mmcv import _names

    wanted = names_wanted()
    assert len(wanted) == 112
    assert set(_names.OPERATORS) == wanted
    here = [name for _, name in _names.provided()]
    assert len(set(here)) == len(here)
    assert set(here) <= wanted
    ext = sys.modules["mmcv._ext"]
    assert wanted <= set(dir(ext))
    for name in sorted(wanted - set(here)):
        message = f"{name} of mmcv is not implemented by mluops_cpu: it needs {_names.needs(name)}"
        with pytest.raises(NotImplementedError, match=f"^{message}$"):
            getattr(ext, name)(torch.zeros(1))


def test_operators_behind_the_functions() -> None:
    """Those of functions that are here are bound; no other is, or its function could be here."""
    from mluops_cpu._native import prototypes
    from mluops_cpu.mmcv import _names

    here = {name for _, name in _names.provided()}
    for name, operators in _names.OPERATORS.items():
        bound = all(each in (*prototypes.OPERATORS, _names.IN_PYTHON) for each in operators)
        assert (bound and operators != ()) == (name in here), name


def test_operators_that_are_missing_say_their_name(installed: None) -> None:
    from mmcv.ops import nms_match

    with pytest.raises(NotImplementedError, match=r"^nms_match of mmcv is not implemented"):
        nms_match(torch.rand(3, 5), 0.5)
    unknown = sys.modules["mmcv._ext"].of_a_later_version
    with pytest.raises(NotImplementedError, match=r"^of_a_later_version of mmcv is not"):
        unknown()


def test_mmcv_knows_that_nothing_is_compiled(installed: None) -> None:
    from mmcv.utils import collect_env, ext_loader

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pkgutil.find_loader is deprecated
        assert not ext_loader.check_ops_exist()
    found = collect_env()
    assert "mluops_cpu" in found["MMCV Compiler"]
    assert found["MMCV CUDA Compiler"] == "not available"


def test_points_in_boxes_needs_no_cuda(installed: None) -> None:
    from mmcv.ops import points_in_boxes_all, points_in_boxes_cpu, points_in_boxes_part

    points = torch.tensor([[[1.0, 2.0, 3.3], [9.0, 0.0, 0.0]]])
    boxes = torch.tensor(
        [[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 0.3], [-10.0, 23.0, 16.0, 10, 20, 20, 0.5]]]
    )
    assert points_in_boxes_part(points, boxes).tolist() == [[0, -1]]
    assert points_in_boxes_all(points, boxes).tolist() == [[[1, 0], [0, 0]]]
    assert points_in_boxes_cpu(points, boxes).tolist() == [[[1, 0], [0, 0]]]


@pytest.mark.parametrize(
    ("version", "warned"), [("2.0.1", True), ("2.1.0", False), ("2.3.0", True)]
)
def test_versions(version: str, warned: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mmcv, "__version__", version)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        mluops_cpu.mmcv.install()
        mluops_cpu.mmcv.uninstall()
    found = [str(w.message) for w in caught if w.category is RuntimeWarning]
    assert found == ([f"mluops_cpu.mmcv is made for mmcv 2.1 and 2.2, found {version}"] * warned)


def test_spconv_is_warned_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "spconv.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.warns(RuntimeWarning, match="mmdet3d registers its layers over mmcv's"):
        mluops_cpu.mmcv.install()
    mluops_cpu.mmcv.uninstall()


def test_importers_of_old_functions_are_listed(
    installed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    mluops_cpu.mmcv.uninstall()
    early = types.ModuleType("early_bird")
    early.part = sys.modules["mmcv.ops.points_in_boxes"].points_in_boxes_part  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "early_bird", early)
    with pytest.warns(RuntimeWarning, match=r"keep mmcv's own functions: early_bird\.part$"):
        mluops_cpu.mmcv.install()


def test_without_mmcv(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mmcv", None)
    with pytest.raises(ImportError):
        mluops_cpu.mmcv.install()
    assert not mluops_cpu.mmcv.is_installed()


class _Compiled:
    """A stand-in for mmcv's compiled module that notes which functions are called."""

    def __init__(self) -> None:
        self.module = types.ModuleType("mmcv._ext")
        self.module.__spec__ = importlib.machinery.ModuleSpec("mmcv._ext", None)
        self.called: list[str] = []
        for name in ("carafe_forward", "indice_conv_forward", "nms_match"):
            setattr(self.module, name, self._function(name))

    def _function(self, name: str) -> Any:
        def function(*args: Any, **kwargs: Any) -> str:
            self.called.append(name)
            return name

        return function


def test_compiled_mmcv_keeps_other_devices(
    installed: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    mluops_cpu.mmcv.uninstall()
    compiled = _Compiled()
    monkeypatch.setitem(sys.modules, "mmcv._ext", compiled.module)
    mluops_cpu.mmcv.install()
    ext = importlib.import_module("mmcv._ext")
    assert ext is compiled.module
    maps, masks = torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2)
    out, scratch = torch.zeros(1, 1, 2, 2), torch.zeros(1)
    ext.carafe_forward(maps, masks, scratch, scratch, scratch, out, 1, 1, 1)
    assert compiled.called == []
    assert out.tolist() == maps.tolist()
    elsewhere = torch.empty(1, 1, 2, 2, device="meta")
    assert ext.carafe_forward(elsewhere, masks) == "carafe_forward"
    assert ext.nms_match(maps) == "nms_match"
    assert compiled.called == ["carafe_forward", "nms_match"]
    mluops_cpu.mmcv.uninstall()
    ext.carafe_forward(maps)
    assert compiled.called[-1] == "carafe_forward"


def test_compiled_mmcv_without_a_spec(installed: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """importlib.util.find_spec raises ValueError for it."""
    mluops_cpu.mmcv.uninstall()
    compiled = _Compiled()
    compiled.module.__spec__ = None
    monkeypatch.setitem(sys.modules, "mmcv._ext", compiled.module)
    mluops_cpu.mmcv.install()
    assert sys.modules["mmcv._ext"] is compiled.module
    assert compiled.module.carafe_forward(torch.empty(1, device="meta")) == "carafe_forward"


def test_broken_compiled_mmcv(tmp_path: Path) -> None:
    """An ImportError of an `_ext` that exists passes, and nothing stays replaced."""
    code = f"""
import importlib.machinery, importlib.util, sys
import mmcv, mluops_cpu.mmcv
mmcv.__path__.append({str(tmp_path)!r})
try:
    mluops_cpu.mmcv.install()
except ImportError as error:
    print(error, mluops_cpu.mmcv.is_installed())
"""
    (tmp_path / "_ext.py").write_text("raise ImportError('undefined symbol')")
    assert run_python(code) == "undefined symbol False"
