# make certify   certify the built-in JSONL backend and show the report
# make test      everything that CI runs
#
# Both set themselves up in $(VENV).  Name another Python with PYTHON=python3.12.

PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
SUITE = $(BIN)/dsh-conformance

.DEFAULT_GOAL := help
.PHONY: help certify certify-real sabotage exhaust golden differential bench mutation test style types layers tests format

help: ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

certify: $(VENV)/.installed ## certify the built-in JSONL backend
	$(SUITE) certify jsonl --profile quick --report reports/jsonl --force

certify-real: $(VENV)/.real ## certify the real dsh runtime, plain and compressed
	$(SUITE) certify dsh --profile quick --report reports/dsh --force
	$(SUITE) certify dsh --config compression=zstd --profile quick --report reports/dsh-zstd --force

sabotage: $(VENV)/.installed ## prove that every sabotage is caught
	$(SUITE) sabotage --profile quick --report reports/sabotage --force

exhaust: $(VENV)/.installed ## try every small log of v4, for some minutes
	$(SUITE) exhaust --depth 6

golden: $(VENV)/.real ## check the golden cases with the reference and the real runtimes
	$(SUITE) golden check
	$(SUITE) golden check --against dsh
	$(SUITE) golden check --against dsh-v3
	$(SUITE) golden check --against dsh-v0

differential: $(VENV)/.real ## compare the reference with the real runtimes on generated logs
	$(SUITE) differential

bench: $(VENV)/.real ## measure how fast the suite is, and how fast large logs are read
	$(SUITE) bench suite
	$(SUITE) bench logs

mutation: $(VENV)/.tested ## change the reference in small ways, and count the changes no test notices
	$(BIN)/python -m pip install --quiet 'mutmut>=3.8,<4'
	mkdir -p build/mutation
	cd build/mutation && ln -sfn ../../reference src && ln -sfn ../../tests tests && ln -sf ../../pyproject.toml pyproject.toml
	cd build/mutation && export HYPOTHESIS_PROFILE=mutation && $(abspath $(BIN))/mutmut run --max-children 1
	cd build/mutation && $(abspath $(BIN))/mutmut export-cicd-stats && cat mutants/mutmut-cicd-stats.json

test: style types layers tests ## everything that CI runs

style: $(VENV)/.tested
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.tested
	$(BIN)/mypy

layers: $(VENV)/.tested
	$(BIN)/lint-imports

tests: $(VENV)/.tested
	$(BIN)/python -m pytest -n 2

format: $(VENV)/.tested ## put the code in its standard layout
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit(1)' \
	  || { echo 'Python 3.11 or newer is needed; name one, as in: make PYTHON=python3.12 ...' >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.real: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[real]'
	$(SUITE) runtimes install
	@touch $@

$(VENV)/.tested: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[real,test]'
	$(SUITE) runtimes install
	@touch $@
