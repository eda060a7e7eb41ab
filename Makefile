# A thin layer over scripts/setup and the CMake presets. `make help` lists the targets.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help accept test test-python test-python-debian test-networks test-large bench bench-python asan tsan fuzz \
        format format-check tidy docs build python wheel install clean \
        setup setup-format setup-tidy setup-docs setup-fuzz setup-python setup-python-debian

PREFIX ?= /usr/local
# SETUP=no: install no packages.
SETUP ?= yes
# Additional arguments for mluop (accept, bench), for ctest (test, test-large, asan, tsan), for pytest
# (test-python, test-python-debian) and for python/bench (bench-python).
ARGS ?=
jobs := $(shell nproc 2>/dev/null || echo 2)
mluop := build/release/cli/mluop
# The environment of scripts/python-env; with SETUP=no it may not exist.
python = $(shell if [ -x build/python/venv/bin/python ]; then echo build/python/venv/bin/python; else echo python3; fi)

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-18s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo "  PREFIX=$(PREFIX) is where install puts things; ARGS=... goes to mluop, ctest or pytest;"
	@echo "  PYTHON=... is the Python of the tests' environment; SETUP=no never installs a package."

accept: build/release/build.ninja ## Set up, build, and run every operator's acceptance
	cmake --build --preset release --target mluops mluop
	$(mluop) accept $(ARGS)

# ARGS selects tests of ctest, so the Python tests run only without it.
test: build python ## Set up, build, and run every test that needs no unusual amount of memory
	ctest --preset release -j $(jobs) $(ARGS)
	$(if $(ARGS),,$(python) -m pytest)

test-python: python ## The Python tests alone
	$(python) -m pytest $(ARGS)

test-python-debian: python setup-python-debian ## The Python tests with Debian's python3-torch (1.13)
	build/python/debian/bin/python -m pytest $(ARGS)

test-networks: python ## The published networks, short and long (several minutes)
	$(python) -m pytest --long-networks python/tests/networks $(ARGS)

test-large: build ## The tests with tensors beyond 2^31 elements
	ctest --test-dir build/release --output-on-failure -L large $(ARGS)

bench: build/release/build.ninja ## Measure every operator against the limits of this machine
	cmake --build --preset release --target mluop
	$(mluop) bench $(ARGS)
	$(mluop) encoder

bench-python: python ## Measure what the Python front adds to the operators
	PYTHONPATH=python $(python) python/bench/run.py $(ARGS)

asan: build/asan-ubsan/build.ninja ## The tests under AddressSanitizer and UBSan
	cmake --build --preset asan-ubsan
	ctest --preset asan-ubsan -j $(jobs) $(ARGS)

# ThreadSanitizer cannot map its shadow memory with some settings of vm.mmap_rnd_bits; without address
# randomisation it always can. Containers may forbid setarch -R, and may not need it.
tsan: build/tsan/build.ninja ## The tests under ThreadSanitizer
	cmake --build --preset tsan
	$$(setarch -R true 2>/dev/null && echo setarch -R) ctest --preset tsan -j $(jobs) $(ARGS)

fuzz: setup-fuzz build/fuzz/build.ninja ## Fuzz every operator and the case-file reader, a minute each
	cmake --build --preset fuzz
	scripts/fuzz $(ARGS)

format: setup-format ## Format the sources in place
	scripts/sources | xargs clang-format -i
	if [ -x build/python/venv/bin/ruff ]; then build/python/venv/bin/ruff format python examples docs/images; fi

# Python sources are checked by the Python tests.
format-check: setup-format ## Fail if a C or C++ source is not formatted
	scripts/sources | xargs clang-format --dry-run --Werror

tidy: build/release/build.ninja setup-tidy ## Run clang-tidy over library, test kit and program
	scripts/sources tidy | xargs -P $(jobs) -n 1 clang-tidy --quiet -p build/release

docs: setup-docs ## The reference of the C headers, as HTML in build/docs/html
	mkdir -p build/docs
	doxygen docs/Doxyfile

build: build/release/build.ninja ## Set up and build, without running anything
	cmake --build --preset release

# A link, so that the package in python/ always uses the last build of the library.
python: build/release/build.ninja setup-python ## Build the Python package in place, and the environment of its tests
	cmake --build --preset release --target mluops
	mkdir -p python/mluops_cpu/_lib
	ln -sf ../../../build/release/src/libmluops.so.0 python/mluops_cpu/_lib/libmluops.so.0

wheel: setup setup-python ## Build the Python wheel into dist/
	$(python) -m pip wheel . --no-deps --wheel-dir dist

install: build/release/build.ninja ## Install under PREFIX (DESTDIR is honoured); builds no tests
	cmake --build --preset release --target mluops_installed
	cmake --install build/release --prefix $(PREFIX)

clean: ## Remove everything that was built
	rm -rf build dist python/mluops_cpu/_lib

build/%/build.ninja: CMakePresets.json | setup
	cmake --preset $*
	@touch $@

ifeq ($(SETUP),no)
setup setup-format setup-tidy setup-docs setup-fuzz setup-python setup-python-debian: ;
else
setup:
	@scripts/setup build
setup-format:
	@scripts/setup format
setup-tidy:
	@scripts/setup tidy
setup-docs:
	@scripts/setup docs
setup-fuzz:
	@scripts/setup fuzz
setup-python:
	@scripts/python-env venv
setup-python-debian:
	@scripts/python-env debian
endif
