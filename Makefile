# Everything a person does with this project. `make` alone lists it.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-input --constraint constraints.txt
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev
ARGS ?=

.DEFAULT_GOAL := help
.PHONY: help play test check rulings fuzz compiled test-compiled bench strength docs serve-docs format clean

help: ## this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sort | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

play: $(READY) ## a game of Exploding Kittens against bots (ARGS="--players 3 --seed 7")
	@$(BIN)/rulebook play $(ARGS)

test: check ## all checks and all tests
	@$(BIN)/python -m pytest $(ARGS)

check: $(READY_DEV) ## style, types and layers, without the tests
	@$(BIN)/ruff check --quiet .
	@$(BIN)/ruff format --check --quiet . || { echo "some files are not formatted: make format"; exit 1; }
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports > $(VENV)/layers.log || { cat $(VENV)/layers.log; exit 1; }

rulings: $(READY) ## the rulings of all cards
	@$(BIN)/rulebook test $(ARGS)

fuzz: $(READY) ## random games with every invariant checked, for 45 minutes or SECONDS=60
	@$(BIN)/python -m tests.fuzz $(if $(SECONDS),--seconds $(SECONDS)) $(ARGS)

compiled: $(READY_DEV) ## the kernel compiled by mypyc, as a wheel in dist/ (takes some minutes; needs a C compiler)
	@rm -rf build/lib* build/temp* build/bdist*
	@RULEBOOK_COMPILE=1 $(BIN)/python -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation \
	  --wheel-dir dist .
	@cat build/training.txt
	@ls dist/*.whl

# The wheel is unpacked beside a copy of the tests, so that nothing of the checkout is imported. It is built once only,
# without the trial run that makes it faster.
COMPILED := build/compiled
test-compiled: export RULEBOOK_TRAIN ?= 0
test-compiled: compiled ## the kernel's tests and a minute of fuzzing with the compiled kernel
	@rm -rf $(COMPILED) && mkdir -p $(COMPILED)
	@$(BIN)/python -m zipfile -e $$(ls -t dist/*.whl | grep -v none-any | head -1) $(COMPILED)
	@cp -r tests pyproject.toml $(COMPILED)/
	@cd $(COMPILED) && $(abspath $(BIN))/python -c 'import kernel.game as g; assert g.__file__.endswith(".so"), g.__file__'
	@cd $(COMPILED) && $(abspath $(BIN))/python -m pytest tests/kernel tests/cards/test_mixes.py tests/cards/test_kept_answers.py \
	    tests/rulebook/test_growing.py
	@cd $(COMPILED) && $(abspath $(BIN))/python -m tests.fuzz --seconds $(or $(SECONDS),60)

bench: $(READY) ## speed, against the base game written by hand
	@$(BIN)/rulebook bench $(ARGS)

strength: $(READY_DEV) ## how strong the bots are: the table of docs/bots.md (an hour or more)
	@$(BIN)/python -m tests.benchmarks.strength $(ARGS)

docs: $(READY_DEV) ## the site, into site/
	@$(BIN)/rulebook docs $(ARGS)

serve-docs: $(READY_DEV) ## the site, on this machine, while you write
	@$(BIN)/rulebook docs --serve $(ARGS)

format: $(READY_DEV) ## lay out the code, mend what can be mended
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format --quiet .

clean: ## remove what was built and installed
	@rm -rf $(VENV) build dist site *.egg-info .mypy_cache .pytest_cache .ruff_cache .hypothesis .import_linter_cache

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	  || { echo "rulebook needs Python 3.11 or newer; say which with make PYTHON=python3.12 …"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null \
	  || { echo "Python's venv module is missing (on Debian and Ubuntu: apt install python3-venv)"; exit 1; }
	@echo "creating $(VENV)"
	@$(PYTHON) -m venv $(VENV)

# The environment is touched only when what it is made from has changed.
$(READY): pyproject.toml setup.py constraints.txt | $(BIN)/python
	@echo "installing rulebook into $(VENV)"
	@$(PIP) --editable .
	@touch $@

$(READY_DEV): pyproject.toml setup.py constraints.txt | $(BIN)/python
	@echo "installing rulebook and its tools into $(VENV)"
	@$(PIP) --editable '.[dev,docs]'
	@touch $(READY) $@
