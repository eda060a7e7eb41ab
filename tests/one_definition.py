"""Weak symbols of one name and different sizes across object files: the linker keeps one of them.

Two templates or inline functions of the same name and signature in one namespace are no error anywhere, but
every caller gets the body that the linker saw first.

usage: one_definition.py NM OBJECT…
"""

import collections
import subprocess
import sys


def symbols(nm, path, *options):
    """The lines of nm, in the order of the object."""
    listing = subprocess.run([nm, "-S", "-p", "--defined-only", *options, path],
                             capture_output=True, text=True, check=True)
    return [line.split(None, 3) for line in listing.stdout.splitlines()]


def weak_symbols(nm, path):
    """(mangled name, readable name, size) of each weak function and variable that the object defines.

    Readable names alone do not tell the constructors of a class apart.
    """
    for mangled, readable in zip(symbols(nm, path), symbols(nm, path, "-C"), strict=True):
        if len(mangled) == 4 and mangled[2] in "WVu":
            yield mangled[3], readable[3], mangled[1]


def clashes(nm, paths):
    """One line per name that has several sizes, with an object of each."""
    seen = collections.defaultdict(dict)
    for path in paths:
        for mangled, readable, size in weak_symbols(nm, path):
            if "mluop" in readable:
                seen[mangled, readable].setdefault(size, path)
    if not seen:
        yield "no weak symbols of the library found"
    for (_, name), sizes in sorted(seen.items()):
        if len(sizes) > 1:
            yield f"{name}: " + ", ".join(sorted(sizes.values()))


def main():
    problems = list(clashes(sys.argv[1], sys.argv[2:]))
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
