SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# Variables for the command line: make run PORT=9000, make test FILTER=DuetGraphQLTests, make bench ARGS=--help, make fuzz SECONDS=600
ARGS ?=
PORT ?=
FILTER ?=
SECONDS ?= 60
REVISION ?=
JOBS ?= $(shell nproc 2>/dev/null || echo 2)

# Removes the variables that make adds to the environment. If the environment changes, the Swift package manager compiles the manifests of all
# dependencies again.
SWIFT := env $(patsubst %,-u %,MAKEFLAGS MAKEOVERRIDES MFLAGS MAKELEVEL MAKE_TERMOUT MAKE_TERMERR ARGS PORT FILTER SECONDS REVISION JOBS TEST_SCRATCH FUZZ_SCRATCH) swift
BUILD := $(SWIFT) build --jobs $(JOBS)
# The tests are built without debug information. Dependencies in Swift are optimized, but C code and almost all modules of Duet are not
# (docs/building.md). The build has a separate folder, because swift build without these options would replace its products.
# scripts/with-build-cache.sh sets another folder.
TEST_SCRATCH ?= .build/test
TEST_OPTIONS := --scratch-path $(TEST_SCRATCH) -c release -debug-info-format none -Xcc -O0
build test contracts check-api: export DUET_TEST_BUILD := 1

# A statically linked Swift runtime and the removal of the checks for exclusive access reduce the cost of requests (docs/small-requests.md). The
# tests have the checks. On macOS the runtime is a part of the system. Debug information would add 80 MB to the program. The names of
# functions remain for profiles and crash reports.
RELEASE_OPTIONS := -c release -Xswiftc -enforce-exclusivity=unchecked -debug-info-format none \
    $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib)

# The builds do not need the plugin (Package.swift).
export DUET_WITHOUT_PLUGIN := 1

PACKAGES := libsqlite3-dev libmariadb-dev zlib1g-dev pkg-config
# mariadb-server-core has the server program. The package mariadb-server would also start a system service.
TEST_PACKAGES := sqlite3 openssl mariadb-server-core mariadb-client-core varnish nginx curl jose chromium-headless-shell
# The tests of a Galera cluster are skipped without these packages.
CHECK_PACKAGES := galera-4 mariadb-server rsync
API_PACKAGES := jq
BENCH_PACKAGES := wrk nghttp2-client nginx openssl nodejs node-graphql valgrind
SWIFT_FILES = $(wildcard Package.swift Sources Tests Benchmarks Examples Fuzzing/Package.swift Fuzzing/Sources/GraphQLFuzzer Fuzzing/Sources/TokenFuzzer)
SHELL_FILES = $(wildcard scripts/*.sh .ci/run)

.PHONY: help
help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-18s %s\n", $$1, $$2 }' Makefile

.PHONY: run
run: dependencies ## Build and start the server on 127.0.0.1:8080 (PORT=, ARGS= for duet serve)
	@$(BUILD) $(RELEASE_OPTIONS) --product duet
# A developer can see the SQL of each response. DUET_DEBUG_STATEMENTS=false disables this.
	@DUET_DEBUG_STATEMENTS=$${DUET_DEBUG_STATEMENTS:-true} exec .build/release/duet serve $(if $(PORT),--port $(PORT)) $(ARGS)

# With FILTER, make builds and links only the test targets that can have the tests. IntegrationTests run programs on which no target depends, such
# as the snippets, so everything is built.
TEST_TARGETS = $(shell scripts/test-targets.sh '$(FILTER)')
TEST_PARTS = $(if $(TEST_TARGETS),$(if $(findstring IntegrationTests,$(TEST_TARGETS)),--build-tests,--product duetPackageTests),--build-tests)

.PHONY: test
test: test-dependencies ## Run all tests, with a temporary MariaDB server (FILTER=, ARGS= for swift test --skip-build)
	@$(if $(TEST_TARGETS),export DUET_TEST_TARGETS=$(TEST_TARGETS);) \
	$(BUILD) $(TEST_PARTS) $(TEST_OPTIONS) && \
	scripts/with-mariadb.sh --volatile --odd $(SWIFT) test --skip-build $(TEST_OPTIONS) $(if $(FILTER),--filter '$(FILTER)') $(ARGS)

# The package in Threads/ has only the client and its tests, so the build takes a few minutes. The tests use the server of make build.
.PHONY: test-client-threads
test-client-threads: test-dependencies build ## Run the client's tests under the thread sanitizer (FILTER=)
	@DUET_PROGRAM=$(abspath $(TEST_SCRATCH))/release/duet $(SWIFT) test --package-path Threads --scratch-path .build/threads \
	    --sanitize=thread --jobs $(JOBS) $(if $(FILTER),--filter '$(FILTER)') $(ARGS)

.PHONY: test-under-load
test-under-load: test-dependencies build ## Run all tests under load on the processors and the disk (FILTER=)
	@scripts/under-load.sh $(MAKE) test

.PHONY: fuzz
fuzz: ## Fuzz the GraphQL engine and the reader of tokens with libFuzzer, for a minute (SECONDS=)
	@JOBS=$(JOBS) scripts/fuzz.sh $(SECONDS)

.PHONY: check-libraries
check-libraries: dependencies ## Build packages that use single libraries, count their dependencies, and run the plugin
	@JOBS=$(JOBS) scripts/check-libraries.sh

# The script uses the options of make build, so that it can use the products of that build.
.PHONY: check-api
check-api: dependencies ## Compare the public interfaces of the libraries with those of the last version (REVISION=)
	@scripts/install-packages.sh $(API_PACKAGES)
	@JOBS=$(JOBS) API_SCRATCH=$(abspath $(TEST_SCRATCH)) API_OPTIONS='$(TEST_OPTIONS)' scripts/check-api.sh $(REVISION)

# The checks that take too long for each change. The nightly workflow runs each of them in a job of its own, with DUET_TEST_SCALE=4.
.PHONY: check
check: check-tests check-fuzz test-client-threads check-libraries check-api docs ## Run all long checks

.PHONY: check-tests
check-tests: ## Run all tests, also those of a Galera cluster, with four times as much random input, and with generated clients
	@scripts/install-packages.sh $(CHECK_PACKAGES)
	@DUET_TEST_SCALE=$${DUET_TEST_SCALE:-4} DUET_TEST_GENERATED_CLIENTS=1 $(MAKE) test

.PHONY: check-fuzz
check-fuzz: ## Fuzz the GraphQL engine and the reader of tokens for ten minutes
	@$(MAKE) fuzz SECONDS=600

.PHONY: lint
lint: ## Check the format of the Swift code, the syntax of the scripts, and white space
	@swift format lint --strict --recursive --parallel $(SWIFT_FILES)
	@for file in $(SHELL_FILES); do bash -n "$$file"; done
	@! grep -rnI '[[:blank:]]$$' --exclude-dir='.build*' --exclude-dir=.git --exclude-dir=.duet --exclude-dir=.swiftpm .

.PHONY: format
format: ## Format the Swift code in place
	@swift format --in-place --recursive --parallel $(SWIFT_FILES)

.PHONY: contracts
contracts: dependencies ## Generate openapi/openapi.yaml, openapi/schema.graphql and openapi/api.schema.json
	@$(BUILD) --product duet $(TEST_OPTIONS)
	@$(TEST_SCRATCH)/release/duet openapi > openapi/openapi.yaml
	@$(TEST_SCRATCH)/release/duet schema > openapi/schema.graphql
	@$(TEST_SCRATCH)/release/duet validate --print-schema > openapi/api.schema.json

.PHONY: settings
settings: ## Write docs/settings.md from the help of the program
	@DUET_WRITE_SETTINGS=1 $(MAKE) test FILTER=SettingTests/settingsPage

.PHONY: docs
docs: dependencies ## Build the documentation of all libraries into .build/documentation
	@JOBS=$(JOBS) scripts/build-docs.sh

.PHONY: bench
bench: test-dependencies ## Run the benchmarks, with a temporary MariaDB server (ARGS= for duet-bench)
	@scripts/install-packages.sh $(BENCH_PACKAGES)
	@$(BUILD) $(RELEASE_OPTIONS) --product duet
	@$(BUILD) $(RELEASE_OPTIONS) --product duet-bench
	@scripts/with-mariadb.sh scripts/bench.sh $(ARGS)

.PHONY: bench-instructions
bench-instructions: dependencies ## Count the instructions and the cache misses of small requests, operations and imported rows with valgrind
	@scripts/install-packages.sh $(BENCH_PACKAGES)
	@$(BUILD) $(RELEASE_OPTIONS) --product duet
	@$(BUILD) $(RELEASE_OPTIONS) --product request-cost
	@$(BUILD) $(RELEASE_OPTIONS) --product operation-cost
	@$(BUILD) $(RELEASE_OPTIONS) --product import-cost
	@scripts/request-cost.sh

.PHONY: bench-client
bench-client: dependencies ## Measure the client library (ARGS= for the number of rounds)
	@$(BUILD) $(RELEASE_OPTIONS) --product client-bench
	@.build/release/client-bench $(ARGS)

.PHONY: bench-build
bench-build: test-dependencies ## Measure clean builds, incremental builds and test runs in clones (ARGS= for the number of rounds)
	@scripts/bench-build.sh $(ARGS)

.PHONY: build
build: dependencies ## Build the program, the libraries and the tests, as make test does
	@$(BUILD) --build-tests $(TEST_OPTIONS)

.PHONY: release
release: dependencies ## Build .build/release/duet
	@$(BUILD) $(RELEASE_OPTIONS) --product duet

.PHONY: clean
clean: ## Remove the build products; the sample database in .duet remains
	@swift package clean
	@rm -rf .build/test .build/mariadb

.PHONY: dependencies
dependencies: ## Install the missing apt packages for the build
	@scripts/install-packages.sh $(PACKAGES)

.PHONY: test-dependencies
test-dependencies: ## Install the missing apt packages for the build, the tests and the benchmarks
	@scripts/install-packages.sh $(PACKAGES) $(TEST_PACKAGES)
