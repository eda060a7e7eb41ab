# The front door: a thin layer over scripts/setup and the CMake presets. `make help` lists the targets.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help accept test test-large bench asan tsan fuzz format format-check tidy build install clean \
        setup setup-format setup-tidy setup-fuzz

PREFIX ?= /usr/local
# SETUP=no leaves the machine as it is.
SETUP ?= yes
# More arguments for mluop (accept, bench) and for ctest (test, test-large, asan, tsan).
ARGS ?=
jobs := $(shell nproc 2>/dev/null || echo 2)
mluop := build/release/cli/mluop

help: ## This list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo "  PREFIX=$(PREFIX) is where install puts things; ARGS=... goes to mluop or ctest;"
	@echo "  SETUP=no never installs a package."

accept: build/release/build.ninja ## Set up, build, and run every operator's acceptance
	cmake --build --preset release --target mluops mluop
	$(mluop) accept $(ARGS)

test: build ## Set up, build, and run every test that needs no unusual amount of memory
	ctest --preset release -j $(jobs) $(ARGS)

test-large: build ## The tests with tensors beyond 2^31 elements
	ctest --test-dir build/release --output-on-failure -L large $(ARGS)

bench: build/release/build.ninja ## Measure every operator against the limits of this machine
	cmake --build --preset release --target mluop
	$(mluop) bench $(ARGS)
	$(mluop) encoder

asan: build/asan-ubsan/build.ninja ## The tests under AddressSanitizer and UBSan
	cmake --build --preset asan-ubsan
	ctest --preset asan-ubsan -j $(jobs) $(ARGS)

# ThreadSanitizer cannot map its shadow under some settings of vm.mmap_rnd_bits; without address
# randomisation it always can. Containers may forbid switching it off, and may not need it.
tsan: build/tsan/build.ninja ## The tests under ThreadSanitizer
	cmake --build --preset tsan
	$$(setarch -R true 2>/dev/null && echo setarch -R) ctest --preset tsan -j $(jobs) $(ARGS)

fuzz: setup-fuzz build/fuzz/build.ninja ## Fuzz every operator and the case-file reader, a minute each
	cmake --build --preset fuzz
	scripts/fuzz $(ARGS)

format: setup-format ## Format the sources in place
	scripts/sources | xargs clang-format -i

format-check: setup-format ## Fail if a source is not formatted
	scripts/sources | xargs clang-format --dry-run --Werror

tidy: build/release/build.ninja setup-tidy ## Run clang-tidy over library, test kit and program
	scripts/sources tidy | xargs -P $(jobs) -n 1 clang-tidy --quiet -p build/release

build: build/release/build.ninja ## Set up and build, without running anything
	cmake --build --preset release

install: build ## Install under PREFIX (DESTDIR is honoured)
	cmake --install build/release --prefix $(PREFIX)

clean: ## Remove everything that was built
	rm -rf build

build/%/build.ninja: CMakePresets.json | setup
	cmake --preset $*
	@touch $@

ifeq ($(SETUP),no)
setup setup-format setup-tidy setup-fuzz: ;
else
setup:
	@scripts/setup build
setup-format:
	@scripts/setup format
setup-tidy:
	@scripts/setup tidy
setup-fuzz:
	@scripts/setup fuzz
endif
