"""mmcv's own tests of these operators, out of a checkout of mmcv that MMCV_CHECKOUT names.

    MMCV_CHECKOUT=~/mmcv make test-python ARGS="-k upstream"

The checkout (v2.1.0 or v2.2.0) needs no compiling; mmcv is imported from it. The tests are changed
by the plugin mmcv_on_cpu alone. Two of them, the gradient checks of CARAFE, return at once without
CUDA; test_torch_gradients.py has those checks.
"""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

CHECKOUT = os.environ.get("MMCV_CHECKOUT", "")
FILES = [
    f"tests/test_ops/test_{name}.py"
    for name in ("carafe", "roiaware_pool3d", "rotated_feature_align", "spconv")
]
TESTS = 11


@pytest.mark.skipif(not CHECKOUT, reason="MMCV_CHECKOUT does not name a checkout of mmcv")
def test_upstream(root: Path, tmp_path: Path) -> None:
    pytest.importorskip("mmengine", reason="mmcv needs mmengine, which is not installed")
    checkout = Path(CHECKOUT).expanduser().resolve()
    absent = [name for name in FILES if not (checkout / name).is_file()]
    assert not absent, f"{checkout} is no checkout of mmcv: no {', '.join(absent)}"
    # An empty configuration: mmcv's own asks for a plugin (xdoctest) that these tests do not need.
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    command = [sys.executable, "-m", "pytest", "-q", "-p", "mmcv_on_cpu", "-p", "no:cacheprovider"]
    command += ["-c", str(tmp_path / "pytest.ini"), f"--rootdir={checkout}"]
    command += [f"--junitxml={tmp_path / 'results.xml'}", *FILES]
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
    environment["PYTHONPATH"] = os.pathsep.join([str(root / "python"), str(Path(__file__).parent)])
    run = subprocess.run(
        command, cwd=checkout, env=environment, capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stdout + run.stderr
    results = ET.parse(tmp_path / "results.xml").getroot().find("testsuite")
    assert results is not None
    counts = {
        name: int(results.attrib[name]) for name in ("tests", "skipped", "failures", "errors")
    }
    assert counts == {"tests": TESTS, "skipped": 0, "failures": 0, "errors": 0}, run.stdout
