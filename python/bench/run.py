"""Measures the bars of the Python package, each as a ratio within this run.

Usage: python run.py [--quick] [--only overhead,training,sharing,memory] [--mluop PATH]

Exit code 1 if a bar is missed. --quick: small sizes, to see that everything runs; no exit code.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import torch

import footprint
import overhead
import sharing
import training
from bars import Row, show
from mluops_cpu import isa, library_version

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("overhead", "sharing", "training", "memory")


def rows(part: str, options: argparse.Namespace) -> Iterator[Row]:
    if part == "overhead":
        return overhead.measure()
    if part == "sharing":
        return sharing.measure(options.quick)
    if part == "training":
        return training.measure(options.mluop, options.quick)
    return footprint.measure(options.quick)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="small sizes, no verdict")
    parser.add_argument("--only", default=",".join(PARTS), help="parts, separated by commas")
    parser.add_argument("--mluop", type=Path, default=ROOT / "build/release/cli/mluop")
    options = parser.parse_args()
    unknown = set(options.only.split(",")) - set(PARTS)
    if unknown:
        parser.error(f"unknown parts {sorted(unknown)}; known: {', '.join(PARTS)}")
    print(f"mluops-cpu {library_version()}, {isa()}, torch {torch.__version__}, 2 threads\n")
    missed = 0
    for part in options.only.split(","):
        for row in rows(part, options):
            show(row)
            missed += row.verdict == "missed"
    return 1 if missed and not options.quick else 0


if __name__ == "__main__":
    sys.exit(main())
