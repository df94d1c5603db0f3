# Thin: every target is one or two commands of tools/setup, cmake and ctest.

JOBS ?= $(shell nproc 2>/dev/null || echo 2)
# one test more than cores: some wait, for a browser or for a run that they kill
CTEST = ctest --output-on-failure --no-label-summary -j$(shell expr $(JOBS) + 1)

.PHONY: help setup build run gallery install deb wasm test test-long golden bench bench-long reproduce fuzz lint clean

help:
	@echo "make run     install what is missing, build, simulate the slider crank"
	@echo "make build   the program, release build, at build/trammel"
	@echo "make install program, libraries, headers, models to PREFIX=/usr/local; DESTDIR=.. in front of it"
	@echo "make deb     a Debian package with the same, in build-deb"
	@echo "make wasm    the time loop as WebAssembly, compared with the program under node"
	@echo "make test    install what is missing, all tests: clang with sanitizers, gcc release"
	@echo "make test-long  tests with the label long: hours, release build; TESTS=NAME for some"
	@echo "make golden  compare results with the record in tests/golden; GOLDEN=--quick for a part"
	@echo "make gallery write a page of every model, and build/gallery/index.html, which leads to them"
	@echo "make bench   install what is missing, measure beside other codes; BENCH=--save keeps the result"
	@echo "make bench-long  whole runs of belt, track, vehicle and engine: time, memory, energy; MACHINES=\"belt\" for some"
	@echo "make reproduce  write docs/reproduction: the papers' numbers beside ours; REPRODUCE=\"hht alpha\" for some"
	@echo "make fuzz    look for inputs that crash: FUZZ_SECONDS=60 for each target, FUZZ=\"NAME..\" for some"
	@echo "             FUZZ=random: random mechanisms; FUZZ_SECONDS=1e9 for ever, until one fails"
	@echo "make lint    clang-tidy (must pass) and clang-format (report only)"
	@echo "make setup   install everything a developer needs"
	@echo "make clean   remove the build directories"

setup:
	@tools/setup lint

build:
	@tools/setup run
	@cmake --preset release >/dev/null
	@cmake --build build --target trammel_program -j$(JOBS)

run: build
	build/trammel run slider-crank
	@if build/trammel run slider-crank-modal --report build/slider-crank.html --quiet 2>build/page.log; \
	then echo "to see a slider crank with a flexible rod move, open $(CURDIR)/build/slider-crank.html"; \
	else tail -n 1 build/page.log; fi

# A page of every shipped model, and one that leads to them.
gallery: build
	@tools/gallery build/trammel build/gallery

# With pkg-config files and a CMake package; docs/guide/c-library.md.
PREFIX ?= /usr/local
install:
	@tools/setup run
	@cmake --preset release >/dev/null
	@cmake --build build --target trammel_installed -j$(JOBS)
	@cmake --install build --prefix $(abspath $(PREFIX)) >/dev/null
	@echo "installed to $(DESTDIR)$(abspath $(PREFIX))"

deb:
	@tools/setup deb
	@cmake --preset deb >/dev/null
	@cmake --build build-deb --target trammel_installed -j$(JOBS)
	@cd build-deb && cpack -G DEB >/dev/null
	@ls build-deb/*.deb

# Not part of `make test`: emscripten is large. What is built is said in CMakeLists.txt.
# Modules of Debian are named for a node that is not Debian's.
wasm: export NODE_PATH = /usr/share/nodejs
wasm: build
	@tools/setup wasm
	@emcmake cmake -G Ninja -S . -B build-wasm -DTRAMMEL_LOOP_ONLY=ON >/dev/null
	@cmake --build build-wasm -j$(JOBS)
	@tests/wasm/compare.py build/trammel node build-wasm/loop.js

# The full release run comes last: its closing lines are the result.
test:
	@tools/setup test
	@cmake --preset asan >/dev/null
	cmake --build build-asan -j$(JOBS)
	$(CTEST) --test-dir build-asan -LE slow
	@cmake --preset release >/dev/null
	cmake --build build -j$(JOBS)
	$(CTEST) --test-dir build

# Larger matrices of cases than `make test` has time for; TESTS is a pattern of names.
test-long:
	@tools/setup long
	@cmake --preset release >/dev/null
	cmake --build build -j$(JOBS)
	$(CTEST) --test-dir build -C Long -L long $(if $(TESTS),-R "$(TESTS)")

# Record anew, with the reason: tools/golden record --reason "..", see tests/golden/README.md.
golden:
	@tools/setup test
	@cmake --preset release >/dev/null
	@cmake --build build --target trammel_program -j$(JOBS)
	@tools/golden compare build --jobs $(JOBS) $(GOLDEN)

# Options in BENCH, for example BENCH="--rounds 5 --save"; tools/bench --help lists them.
bench:
	@tools/setup bench
	@cmake --preset bench >/dev/null
	@cmake --build build-bench --target bench_programs -j$(JOBS)
	@tools/bench build-bench $(BENCH)
	@tools/bench_machines build-bench

# Whole runs of the large models, half an hour; MACHINES="belt track" for some.
bench-long:
	@tools/setup bench
	@cmake --preset bench >/dev/null
	@cmake --build build-bench --target trammel_program -j$(JOBS)
	@tools/bench_machines build-bench --long $(MACHINES)

# Pages in REPRODUCE, all unless some are named: hht machines figures crank alpha tdg osc.
reproduce:
	@tools/setup test
	@tools/setup bench
	@cmake --preset bench >/dev/null
	@cmake --build build-bench --target trammel_program bench_crank bench_condition bench_machines -j$(JOBS)
	@tools/reproduce build-bench $(REPRODUCE)

# Also FUZZ_RUNS, a number of inputs; tools/fuzz tells how to keep what was found.
fuzz:
	@tools/setup test
	@cmake --preset fuzz >/dev/null
	@cmake --build build-fuzz --target fuzz_targets trammel_program -j$(JOBS)
	@tools/fuzz build-fuzz $(FUZZ)

lint:
	@tools/setup lint
	@cmake --preset debug >/dev/null
	@tools/lint build-debug

clean:
	rm -rf build build-asan build-bench build-deb build-debug build-fuzz build-wasm
