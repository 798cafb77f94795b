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
CHECK_PYTHON := $(CURDIR)/.venv-check/$(BIN)/python
INTEGRATIONS_PYTHON := $(CURDIR)/.venv-integrations/$(BIN)/python
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
export PYO3_BUILD_EXTENSION_MODULE := 1
unexport CONDA_PREFIX PYTHONHOME
# Without its caches each of the tests' processes would compile the package and the tests again.
unexport PYTHONDONTWRITEBYTECODE
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# locks/ pins what is installed, with hashes, so that new releases of dependencies cannot change what a target does.
LOCKED := -m pip install --quiet --require-hashes --requirement
# A release younger than a week may still be withdrawn, or come from somebody who has taken over a known name.
LOCK = '$(VENV_PYTHON)' -m uv pip compile --quiet --universal --python-version 3.10 --generate-hashes --no-annotate \
	--upgrade --exclude-newer '7 days' --custom-compile-command 'make lock'

# The sources of the compiled module. The Python sources are installed in place.
ENGINE := Cargo.toml $(wildcard Cargo.lock) build.rs pyproject.toml $(shell find src bindings ! -name '.*')

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

# An environment with a lock and our wheel.
define libraries
	$(STEP) 'setting up .venv-$(1)'
	@'$(2)' -m pip --version >/dev/null 2>&1 || '$(PYTHON)' -m venv '.venv-$(1)'
	'$(2)' $(LOCKED) locks/$(1).lock
	'$(2)' -m pip install --quiet --force-reinstall --no-deps dist/sarai-*.whl
endef

.DEFAULT_GOAL := help
# Only `make test` sets PARALLEL, for two calls of cargo that take turns where they would meet.
ifndef PARALLEL
.NOTPARALLEL:
endif
.DELETE_ON_ERROR:
.PHONY: $(shell sed -n "s/^\([a-z-]*\):.* ## .*/\1/p" Makefile) rust-tests python-tests check-tools check-rust

help: ## print this list
	@echo 'usage: make TARGET [PYTHON=python3.12] [VENV=.venv]'
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  %-25s %s\n", $$1, $$2 }' Makefile

run: develop ## set up, build, and play every game: arrays and pictures in out/ (GAMES=100000, OUT=out)
	$(STEP) 'playing $(GAMES) games of each'
	@'$(VENV_PYTHON)' -m sarai rollout --all --seed 0 --games $(GAMES) --out-dir '$(OUT)'

test: check-rust check-tools ## every quick test, Rust and Python, before each commit
	@$(MAKE) --no-print-directory style
	$(STEP) 'Rust: building the tests, and clippy'
	@$(MAKE) --no-print-directory PARALLEL=1 -j2 rust-tests clippy
	@$(MAKE) --no-print-directory $(VENV)/.stamp-quick
	$(STEP) 'Rust and Python: tests'
	@$(MAKE) --no-print-directory PARALLEL=1 -j2 python-tests $(RUST_PASSED)
	$(STEP) 'make test: everything passed'

# Rust's tests run again only after a change of what they see. What they print comes when they have ended, since Python's
# run beside them.
RUST_PASSED = $(CARGO_TARGET_DIR)/.stamp-tests
RUST_LOG = $(CARGO_TARGET_DIR)/tests.log

$(RUST_PASSED): Cargo.toml Cargo.lock build.rs $(shell find src bindings scripts/new_game tests/engine tests/golden tests/perft tests/*.rs python/sarai/*/data -type f ! -name '.*')
	@cargo test --quiet >'$(RUST_LOG)' 2>&1 || { cat '$(RUST_LOG)'; exit 1; }
	@grep '^test result' '$(RUST_LOG)'
	@touch '$@'

python-tests:
	'$(VENV_PYTHON)' -m pytest --numprocesses auto --quiet

rust-tests:
	cargo test --no-run --quiet

style: check-rust $(VENV)/.stamp-dev ## formatting and ruff, in a second
	$(STEP) 'formatting, ruff'
	cargo fmt --all --check
	rustfmt --check --edition 2024 benches/peers/src/main.rs
	'$(VENV_PYTHON)' -m ruff format --quiet --check .
	'$(VENV_PYTHON)' -m ruff check --quiet .

clippy: check-rust $(VENV)/.stamp-build ## clippy, of everything
	cargo clippy --all-targets --quiet -- -D warnings

test-rust: check-rust ## the quick tests of the engine alone (needs no Python)
	$(STEP) 'Rust: tests'
	cargo test --package sarai

test-python: dev ## the quick tests of the package alone
	$(STEP) 'Python: tests'
	'$(VENV_PYTHON)' -m pytest --numprocesses auto

test-wheel: $(VENV)/.stamp-dev ## the same with the wheel in dist/, wherever it was built: nothing is compiled
	$(STEP) 'Python: tests with the wheel'
	'$(VENV_PYTHON)' -m pip install --quiet --force-reinstall --no-deps dist/sarai-*.whl
	'$(VENV_PYTHON)' -m zipfile --extract dist/sarai-*.whl '$(VENV_DIR)/wheel'
	cp '$(VENV_DIR)'/wheel/sarai/_core* python/sarai
	PYTHONPATH='$(CURDIR)/python' '$(VENV_PYTHON)' -m pytest --numprocesses auto

check: test types check-docs check-workflows wheel-smoke test-web docs-site test-integrations test-notebooks ## make test, and all that needs more: types, wheel, documentation, browsers, other libraries
	$(STEP) 'make check: everything passed'

types: dev ## mypy and stubtest
	$(STEP) 'Python: types'
	'$(VENV_PYTHON)' -m mypy
	'$(VENV_PYTHON)' -m mypy.stubtest sarai._core --mypy-config-file pyproject.toml

check-docs: check-rust $(VENV)/.stamp-build ## rustdoc, and clippy of the engine as browsers have it
	$(STEP) 'Rust: documentation, and without threads'
	RUSTDOCFLAGS='-D warnings' cargo doc --no-deps --quiet
	cargo clippy --package sarai-wasm --quiet -- -D warnings

nightly: dev test-lowest test-lowest-integrations nightly-integrations ## the long forms: exhaustive, at full size, with faults; every Python, the oldest libraries, every browser
	$(STEP) 'Rust: long forms'
	cargo test -- --ignored
	$(STEP) 'Python: long forms'
	'$(VENV_PYTHON)' -m pytest --numprocesses auto -m nightly
	$(STEP) 'wheel: every Python found'
	'$(VENV_PYTHON)' scripts/wheel_smoke.py dist
	$(STEP) 'make nightly: everything passed'

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
	'$(LOWEST_PYTHON)' -m pytest -m 'not nightly' -c tests/integrations/pytest.ini tests/integrations

test-integrations: wheel ## test adapters, examples and boards with the real libraries and browsers: those that are quickly there
	$(call libraries,check,$(CHECK_PYTHON))
	$(STEP) 'Python: adapters, examples, browsers'
	'$(CHECK_PYTHON)' -m pytest -n 2 --dist loadfile -m 'not nightly and not heavy' -c tests/integrations/pytest.ini tests/integrations

test-notebooks: wheel ## run the notebooks from top to bottom, those that train with torch at night
	$(call libraries,check,$(CHECK_PYTHON))
	$(STEP) 'Python: notebooks'
	'$(CHECK_PYTHON)' -m pytest -n 2 -m 'not heavy' -c notebooks/pytest.ini notebooks

nightly-integrations: wheel ## all adapters, examples, browsers and notebooks (downloads some GB: torch, ray, ...)
	$(call libraries,integrations,$(INTEGRATIONS_PYTHON))
	$(STEP) 'Python: adapters, examples, browsers, notebooks'
	'$(INTEGRATIONS_PYTHON)' -m pytest -n 2 --dist loadfile -m 'nightly or heavy' -c tests/integrations/pytest.ini tests/integrations
	'$(INTEGRATIONS_PYTHON)' -m pytest -n 2 -m heavy -c notebooks/pytest.ini notebooks

notebooks: wheel ## run the notebooks and save their outputs
	$(call libraries,integrations,$(INTEGRATIONS_PYTHON))
	$(STEP) 'notebooks: running and writing'
	'$(INTEGRATIONS_PYTHON)' scripts/notebooks.py notebooks/*.ipynb

wheel-smoke: wheel ## install the wheel into a fresh environment, and play
	$(STEP) 'wheel: smoke test'
	'$(VENV_PYTHON)' scripts/wheel_smoke.py dist --this

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

check-workflows: $(VENV)/.stamp-tools ## look for security problems in GitHub's workflows (zizmor; online if GH_TOKEN is set)
	$(STEP) 'workflows: zizmor'
	'$(VENV)/$(BIN)/zizmor' --no-progress --persona pedantic $(if $(GH_TOKEN),,--offline) .github

lock: $(VENV)/.stamp-tools ## rewrite locks/ with the newest releases that are at least a week old and fit pyproject.toml
	$(STEP) 'locks: resolving'
	$(LOCK) pyproject.toml --extra plot --group dev --output-file locks/dev.lock
	$(LOCK) pyproject.toml --extra plot --group build --constraints locks/dev.lock --output-file locks/run.lock
	$(LOCK) pyproject.toml --group integrations --output-file locks/integrations.lock
	$(LOCK) pyproject.toml --group check --constraints locks/integrations.lock --output-file locks/check.lock
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
	cargo fmt --all
	@$(MAKE) --no-print-directory accept-game
	$(STEP) "next: commit, then follow 'A new game' in CONTRIBUTING.md"

test-game: check-rust ## the Rust tests of one game (NAME=...)
	@test -d 'src/games/$(NAME)' -a -n '$(NAME)' || { echo 'make test-game takes NAME=..., the name of a game in src/games' >&2; exit 1; }
	cargo test --lib 'games::$(NAME)::'

accept-game: dev ## generate a game's golden games, pictures, records, counts and page (NAME=..., UNRELEASED=1)
	$(STEP) 'accepting $(NAME)'
	'$(VENV_PYTHON)' -m ruff format --quiet python/sarai/_render/games tests/python/games
	'$(VENV_PYTHON)' scripts/accept_game.py '$(NAME)' $(if $(UNRELEASED),--unreleased)
	@# Some sentences list the games.
	'$(VENV_PYTHON)' tests/python/test_errors.py

accept-errors: dev ## rewrite tests/python/errors.txt, the sentences of errors
	'$(VENV_PYTHON)' tests/python/test_errors.py

docs: develop ## rewrite the generated parts of docs: tables, pictures, figures, metrics, sources
	$(STEP) 'docs: the pages of the games'
	'$(VENV_PYTHON)' scripts/game_pages.py
	'$(VENV_PYTHON)' scripts/metrics_page.py
	'$(VENV_PYTHON)' scripts/bibliography.py
	'$(VENV_PYTHON)' scripts/front_page.py

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
	cargo fmt --all
	rustfmt --edition 2024 benches/peers/src/main.rs
	'$(VENV_PYTHON)' -m ruff check --fix-only .
	'$(VENV_PYTHON)' -m ruff format .

clean: ## remove everything that was built: target, every .venv, out, dist, caches
	rm -rf target .venv .venvs .venv-peers .venv-check .venv-integrations .venv-lowest .venv-docs .venv-release out dist site web/dist web/node_modules .pytest_cache .mypy_cache .ruff_cache .hypothesis
	rm -f python/sarai/_core*.so python/sarai/_core*.pyd python/sarai/_core*.pdb
	find . -name .git -prune -o -name __pycache__ -type d -prune -exec rm -rf {} +

develop: $(VENV)/.stamp-engine ## make .venv with the package in it, built in release mode and editable

dev: $(VENV)/.stamp-quick $(VENV)/.stamp-dev ## the same for tests: built quickly, a half to a fifth as fast, with the tools for tests

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
DEVELOP = PIP_NO_INDEX=1 PIP_QUIET=1 '$(VENV_PYTHON)' -m maturin develop --extras plot --group build

# One of the two is installed at a time.
$(VENV)/.stamp-engine: $(ENGINE) $(VENV)/.stamp-build
	$(STEP) 'building the package for speed (the first time takes a few minutes)'
	@rm -f $(VENV)/.stamp-quick
	$(DEVELOP) --release
	@touch $@

$(VENV)/.stamp-quick: $(ENGINE) $(VENV)/.stamp-build
	$(STEP) 'building the package for tests'
	@rm -f $(VENV)/.stamp-engine
	$(DEVELOP)
	@touch $@

$(VENV)/.stamp-dev: locks/dev.lock $(VENV)/.stamp-build
	$(STEP) 'installing the tools for tests'
	'$(VENV_PYTHON)' $(LOCKED) locks/dev.lock
	@touch $@

$(VENV)/.stamp-tools: locks/tools.lock $(VENV)/.stamp-build
	$(STEP) 'installing uv and zizmor'
	'$(VENV_PYTHON)' $(LOCKED) locks/tools.lock
	@touch $@
