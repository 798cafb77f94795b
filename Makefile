# What contributors run, with GNU make; `make help` lists the targets.

PYTHON ?= python3
# Set these on the command line only: variables with these names in the environment may mean something else.
VENV = .venv
GAMES = 100000
OUT = out
ROUNDS = 7
RECORDS = 10000
# A game, for the targets that are about one.
NAME =
# Set it to 1 to let `make accept-game` replace the records of a game that no release has yet.
UNRELEASED =

# One folder for everything that cargo builds, so that no step rebuilds what another has built.
export CARGO_TARGET_DIR ?= $(CURDIR)/target

VENV_DIR := $(abspath $(VENV))
BIN := $(if $(filter Windows_NT,$(OS)),Scripts,bin)
VENV_PYTHON := $(VENV_DIR)/$(BIN)/python

# Packages that other engines need stay out of the environment in which the tests run.
PEERS_DIR := $(CURDIR)/.venv-peers
PEERS_PYTHON := $(PEERS_DIR)/$(BIN)/python
PEERS_TARGET = $(CARGO_TARGET_DIR)/peers
INTEGRATIONS_DIR := $(CURDIR)/.venv-integrations
INTEGRATIONS_PYTHON := $(INTEGRATIONS_DIR)/$(BIN)/python
DOCS_PYTHON := $(CURDIR)/.venv-docs/$(BIN)/python
RELEASE_PYTHON := $(CURDIR)/.venv-release/$(BIN)/python
LOWEST_DIR := $(CURDIR)/.venv-lowest
LOWEST_PYTHON := $(LOWEST_DIR)/$(BIN)/python
# The tests that `make test-lowest` runs, as arguments of pytest; all of them if empty.
TESTS =

# maturin and pyo3's build script must always see the same interpreter: with another one, or another PATH, they would
# rebuild pyo3. If a conda environment is active as well, they refuse to choose.
export VIRTUAL_ENV := $(VENV_DIR)
export PYO3_PYTHON := $(VENV_PYTHON)
unexport CONDA_PREFIX PYTHONHOME
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# locks/ pins what is installed, with hashes, so that new releases of dependencies cannot change what a target does.
LOCKED := -m pip install --quiet --require-hashes --requirement
# A release younger than a week may still be withdrawn, or come from somebody who has taken over a known name.
LOCK = '$(VENV_PYTHON)' -m uv pip compile --quiet --universal --python-version 3.10 --generate-hashes --no-annotate \
	--upgrade --exclude-newer '7 days' --custom-compile-command 'make lock'

# The sources of the compiled module. The Python sources are installed in place.
ENGINE := Cargo.toml $(wildcard Cargo.lock) pyproject.toml $(shell find src ! -name '.*')

# A PYTHON that was asked for must not be ignored in favour of the one in an older .venv.
PYTHON_CHOSEN := $(if $(filter command environment,$(origin PYTHON)),1)
CHECK := PYTHON='$(PYTHON)' PYTHON_CHOSEN=$(PYTHON_CHOSEN) VENV_PYTHON='$(VENV_PYTHON)' sh scripts/check_tools.sh

STEP = @printf '\n==> %s\n'

# Old releases have no wheels for new Pythons: it is better to fail than to compile for an hour.
define lowest_env
	$(STEP) 'setting up .venv-lowest'
	rm -rf '$(LOWEST_DIR)'
	"$$('$(VENV_PYTHON)' scripts/pythons.py --oldest)" -m venv '$(LOWEST_DIR)'
	'$(LOWEST_PYTHON)' $(LOCKED) locks/$(1).lock --only-binary :all:
	'$(LOWEST_PYTHON)' -m pip install --quiet --no-deps dist/sarai-*.whl
endef

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help run test test-rust test-python test-web wasm test-lowest test-lowest-integrations test-integrations test-notebooks integrations-env integrations-venv notebooks wheel-smoke bench bench-peers attack check-records check-workflows wheel release-check docs-site new-game test-game accept-game docs fmt lock clean develop dev check-tools check-rust

help: ## print this list
	@echo 'usage: make TARGET [PYTHON=python3.12] [VENV=.venv]'
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  %-25s %s\n", $$1, $$2 }' Makefile

run: develop ## set up, build, and play every game: arrays and pictures in out/ (GAMES=100000, OUT=out)
	$(STEP) 'playing $(GAMES) games of each'
	@'$(VENV_PYTHON)' -m sarai rollout --all --games $(GAMES) --out-dir '$(OUT)'

test: check-rust check-tools test-rust test-python wheel-smoke ## run every test, Rust and Python
	$(STEP) 'make test: everything passed'

test-rust: check-rust ## test the engine alone: format, clippy, tests, docs (needs no Python)
	$(STEP) 'Rust: format and clippy'
	cargo fmt --check
	rustfmt --check --edition 2024 benches/peers/src/main.rs
	cargo clippy --all-targets -- -D warnings
	cargo clippy --no-default-features --features wasm -- -D warnings
	$(STEP) 'Rust: tests'
	cargo test
	$(STEP) 'Rust: documentation'
	RUSTDOCFLAGS='-D warnings' cargo doc --no-deps

test-python: check-rust develop $(VENV)/.stamp-dev ## test the package: clippy of the binding, pytest, mypy, stubtest, ruff
	$(STEP) 'binding: clippy and documentation'
	cargo clippy --all-targets --features python -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc --no-deps --features python
	$(STEP) 'Python: ruff'
	'$(VENV_PYTHON)' -m ruff check .
	'$(VENV_PYTHON)' -m ruff format --check .
	$(STEP) 'Python: types'
	'$(VENV_PYTHON)' -m mypy
	'$(VENV_PYTHON)' -m mypy.stubtest sarai._core --mypy-config-file pyproject.toml
	$(STEP) 'Python: tests'
	'$(VENV_PYTHON)' -m pytest -n auto

wasm: ## build the engine for browsers, and the page to play on: web/dist (needs a compiler for wasm32; it says how to get one)
	$(STEP) 'wasm: building'
	sh scripts/build_wasm.sh
	@printf '%-20s %8s %8s %8s\n' file bytes gzip brotli
	@node web/size.js

test-web: web/node_modules/.stamp wasm ## test the engine for browsers under Node: golden games, counts, records, bad input, types, size
	$(STEP) 'web: types'
	cd web && npm run --silent types
	$(STEP) 'web: tests'
	cd web && npm test --silent

test-lowest: develop wheel ## run the Python tests with the oldest version of each dependency, on the oldest Python found (TESTS='...')
	$(call lowest_env,lowest)
	$(STEP) 'Python: tests with the oldest dependencies'
	PYTHONPATH='$(CURDIR)/python' '$(LOWEST_PYTHON)' -m pytest -n auto $(TESTS)

test-lowest-integrations: develop wheel ## test the adapters and examples in the same way
	$(call lowest_env,lowest-integrations)
	$(STEP) 'Python: adapters and examples with the oldest libraries'
	'$(LOWEST_PYTHON)' -m pytest -c tests/integrations/pytest.ini tests/integrations

test-integrations: integrations-env ## test the adapters and examples with the real libraries (downloads some GB: torch, ray, ...)
	$(STEP) 'Python: adapters and examples'
	'$(INTEGRATIONS_PYTHON)' -m pytest -n 2 --dist loadfile -c tests/integrations/pytest.ini tests/integrations

test-notebooks: integrations-env ## run every notebook from top to bottom, in the same environment
	$(STEP) 'Python: notebooks'
	'$(INTEGRATIONS_PYTHON)' -m pytest -n 2 -c notebooks/pytest.ini notebooks

notebooks: integrations-env ## run the notebooks and save their outputs
	$(STEP) 'notebooks: running and writing'
	'$(INTEGRATIONS_PYTHON)' scripts/notebooks.py notebooks/*.ipynb

# Without our wheel, so that it can be set up while that is built.
integrations-venv:
	$(STEP) 'setting up .venv-integrations'
	@'$(INTEGRATIONS_PYTHON)' -m pip --version >/dev/null 2>&1 || '$(PYTHON)' -m venv '$(INTEGRATIONS_DIR)'
	'$(INTEGRATIONS_PYTHON)' $(LOCKED) locks/integrations.lock

integrations-env: wheel integrations-venv
	'$(INTEGRATIONS_PYTHON)' -m pip install --quiet --force-reinstall --no-deps dist/sarai-*.whl

wheel-smoke: wheel ## install the wheel into a fresh environment of every Python >= 3.10 found, and play
	$(STEP) 'wheel: smoke test'
	'$(VENV_PYTHON)' scripts/wheel_smoke.py dist

bench: develop ## benchmark the engine (criterion) and the Python package (benches/python)
	$(STEP) 'benchmarks: Rust'
	cargo bench
	$(STEP) 'benchmarks: Python'
	@set -e; for script in benches/python/[!_]*.py; do echo "--- $$script"; '$(VENV_PYTHON)' "$$script"; done

bench-peers: wheel ## compare our speed with that of other engines, in one table of ratios (ROUNDS=7)
	$(STEP) 'setting up .venv-peers'
	@'$(PEERS_PYTHON)' -m pip --version >/dev/null 2>&1 || '$(PYTHON)' -m venv '$(PEERS_DIR)'
	'$(PEERS_PYTHON)' -m pip install --quiet --upgrade 'pip>=25.1'
	'$(PEERS_PYTHON)' -m pip install --quiet --group bench-peers dist/sarai-*.whl
	'$(PEERS_PYTHON)' -m pip install --quiet --force-reinstall --no-deps dist/sarai-*.whl
	$(STEP) 'building other crates with ours'
	cargo build --release --manifest-path benches/peers/Cargo.toml --target-dir '$(PEERS_TARGET)'
	$(STEP) 'measuring'
	@'$(PEERS_PYTHON)' benches/peers/main.py '$(PEERS_TARGET)/release/sarai-peers' --rounds '$(ROUNDS)'

wheel: $(VENV)/.stamp-build ## build a release wheel in dist/
	$(STEP) 'wheel: building'
	rm -f dist/sarai-*.whl
	'$(VENV_PYTHON)' -m maturin build --release --interpreter '$(VENV_PYTHON)' --out dist

check-records: develop ## record, save, load and replay 10,000 random games of every preset (RECORDS=10000)
	'$(VENV_PYTHON)' scripts/check_records.py --games '$(RECORDS)'

attack: dev ## try bad input and faults of every kind, seed after seed, until Ctrl-C
	@'$(VENV_PYTHON)' tests/attack --forever

check-workflows: $(VENV)/.stamp-tools ## look for security problems in GitHub's workflows (zizmor; online if GH_TOKEN is set)
	$(STEP) 'workflows: zizmor'
	'$(VENV)/$(BIN)/zizmor' --no-progress --persona pedantic $(if $(GH_TOKEN),,--offline) .github

lock: $(VENV)/.stamp-tools ## rewrite locks/ with the newest releases that are at least a week old and fit pyproject.toml
	$(STEP) 'locks: resolving'
	$(LOCK) pyproject.toml --extra plot --group dev --output-file locks/dev.lock
	$(LOCK) pyproject.toml --extra plot --group build --constraints locks/dev.lock --output-file locks/run.lock
	$(LOCK) pyproject.toml --group integrations --output-file locks/integrations.lock
	$(LOCK) --group tools --output-file locks/tools.lock
	$(LOCK) --group docs --output-file locks/docs.lock
	$(LOCK) --group release --output-file locks/release.lock
	$(LOCK) pyproject.toml --extra plot --extra pandas --extra pettingzoo --extra render --extra arrow --group test \
		--resolution lowest-direct --output-file locks/lowest.lock
	$(LOCK) pyproject.toml --group integrations --resolution lowest-direct --output-file locks/lowest-integrations.lock

# Sources are unpacked as of now (-m): the times in the archive are old, and cargo would take what it has built before for
# up to date.
release-check: wheel ## build wheel and source distribution, and check all that must hold of a release
	$(STEP) 'release: building the source distribution, and a wheel from it'
	rm -rf dist/sarai-*.tar.gz dist/from-sdist '$(CARGO_TARGET_DIR)/sdist'
	'$(VENV_PYTHON)' -m maturin sdist --out dist
	mkdir -p '$(CARGO_TARGET_DIR)/sdist'
	tar -xzmf dist/sarai-*.tar.gz -C '$(CARGO_TARGET_DIR)/sdist'
	PATH="$(VENV_DIR)/$(BIN):$$PATH" '$(VENV_PYTHON)' -m pip wheel --quiet --no-deps --no-build-isolation \
		--wheel-dir dist/from-sdist '$(CARGO_TARGET_DIR)'/sdist/sarai-*
	$(STEP) 'setting up .venv-release'
	@'$(RELEASE_PYTHON)' -m pip --version >/dev/null 2>&1 || '$(PYTHON)' -m venv .venv-release
	'$(RELEASE_PYTHON)' $(LOCKED) locks/release.lock
	$(STEP) 'release: checking'
	'$(RELEASE_PYTHON)' scripts/release_check.py dist

new-game: check-rust check-tools ## write a game that passes every test, for you to turn into yours (NAME=...)
	'$(PYTHON)' scripts/new_game.py '$(NAME)'
	cargo fmt
	@$(MAKE) --no-print-directory accept-game
	$(STEP) "next: commit, then follow 'A new game' in CONTRIBUTING.md"

test-game: check-rust ## run the Rust tests of one game, built without optimising (NAME=...)
	@test -d 'src/games/$(NAME)' -a -n '$(NAME)' || { echo 'make test-game takes NAME=..., the name of a game in src/games' >&2; exit 1; }
	CARGO_PROFILE_TEST_OPT_LEVEL=0 CARGO_PROFILE_DEV_OPT_LEVEL=0 CARGO_TARGET_DIR='$(CURDIR)/target/quick' \
		cargo test --lib 'games::$(NAME)::'

accept-game: dev ## generate a game's golden games, pictures, records, counts and page (NAME=..., UNRELEASED=1)
	$(STEP) 'accepting $(NAME)'
	'$(VENV_PYTHON)' -m ruff format --quiet python/sarai/render/games tests/python/games
	'$(VENV_PYTHON)' scripts/accept_game.py '$(NAME)' $(if $(UNRELEASED),--unreleased)

docs: develop ## rewrite the generated parts of docs: tables, pictures, figures, metrics
	$(STEP) 'docs: the pages of the games'
	'$(VENV_PYTHON)' scripts/game_pages.py
	'$(VENV_PYTHON)' scripts/metrics_page.py

# What the package runs on is in run.lock; docs.lock comes last, because it has the narrower bounds.
docs-site: develop ## build the documentation site in site/, and check every link inside
	$(STEP) 'setting up .venv-docs'
	@'$(DOCS_PYTHON)' -m pip --version >/dev/null 2>&1 || '$(PYTHON)' -m venv .venv-docs
	'$(DOCS_PYTHON)' $(LOCKED) locks/run.lock
	'$(DOCS_PYTHON)' $(LOCKED) locks/docs.lock
	$(STEP) 'site: the documentation of the crate'
	RUSTDOCFLAGS='-D warnings' cargo doc --no-deps
	$(STEP) 'site: building and checking'
	PYTHONPATH='$(CURDIR)/python' '$(DOCS_PYTHON)' scripts/docs_site.py site

fmt: check-rust $(VENV)/.stamp-dev ## format Rust and Python, and apply ruff's safe fixes
	cargo fmt
	rustfmt --edition 2024 benches/peers/src/main.rs
	'$(VENV_PYTHON)' -m ruff check --fix-only .
	'$(VENV_PYTHON)' -m ruff format .

clean: ## remove everything that was built: target, every .venv, out, dist, caches
	rm -rf target .venv .venvs .venv-peers .venv-integrations .venv-lowest .venv-docs .venv-release out dist site web/dist web/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis
	rm -f python/sarai/_core*.so python/sarai/_core*.pyd python/sarai/_core*.pdb
	find . -name .git -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

develop: $(VENV)/.stamp-engine ## make .venv with the package in it, built in release mode and editable

dev: develop $(VENV)/.stamp-dev ## the same, with the tools for tests

check-tools:
	@$(CHECK) rust python

check-rust:
	@$(CHECK) rust lint

web/node_modules/.stamp: web/package.json web/package-lock.json
	$(STEP) 'installing the tools for web/'
	cd web && npm ci --silent --no-audit --no-fund
	@touch $@

$(VENV)/.stamp-build: locks/run.lock | check-tools
	$(STEP) 'setting up $(VENV)'
	@'$(VENV_PYTHON)' -m pip --version >/dev/null 2>&1 || '$(PYTHON)' -m venv '$(VENV)'
	'$(VENV_PYTHON)' $(LOCKED) locks/run.lock
	@touch $@

# The group is named because maturin would otherwise install "dev", which people who only play do not need. Everything is
# installed already, so without the index anything missing from the lock is an error instead of a download. Nor is there
# anything to tell about it: pip would name each package of each extra.
$(VENV)/.stamp-engine: $(ENGINE) $(VENV)/.stamp-build
	$(STEP) 'building the package in release mode (the first time takes a few minutes)'
	PIP_NO_INDEX=1 PIP_QUIET=1 '$(VENV_PYTHON)' -m maturin develop --release --extras plot --group build
	@touch $@

$(VENV)/.stamp-dev: locks/dev.lock $(VENV)/.stamp-build
	$(STEP) 'installing the tools for tests'
	'$(VENV_PYTHON)' $(LOCKED) locks/dev.lock
	@touch $@

$(VENV)/.stamp-tools: locks/tools.lock $(VENV)/.stamp-build
	$(STEP) 'installing uv and zizmor'
	'$(VENV_PYTHON)' $(LOCKED) locks/tools.lock
	@touch $@
