# Needs python3 (3.11 or newer) and make, nothing else. Set-up runs once, and again when pyproject.toml changes.

PYTHON ?= python3
JOBS ?= 2

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
READY_DEV := $(VENV)/.ready-dev

PIP_INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help tasks test lint schemas bench deep docs clean

help: ## show this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | awk -F '\t' '{printf "make %-9s %s\n", $$1, $$2}'

tasks: $(READY) ## compile every seed into generated_tasks/ and print the table of results
	$(BIN)/askfirst compile

test: lint ## run lint, types, layers and tests
	$(BIN)/python -m pytest -n $(JOBS) --dist loadgroup

lint: $(READY_DEV) ## run lint, types and layers only
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

schemas: $(READY) ## write schemas/ and the pages of all fields anew from the models
	$(BIN)/askfirst dev schemas

docs: $(READY_DEV) ## write the drawing of the graph, the pages of gates and critics and the tables on audits anew
	$(BIN)/askfirst dev drawing
	$(BIN)/askfirst dev gates
	$(BIN)/askfirst dev audit

deep: $(READY) ## try every carrier with every lever, and check all bundles deeply; takes minutes
	for carrier in carriers/*.yaml; do $(BIN)/askfirst dev try $$(basename $$carrier .yaml) || exit 1; done
	$(BIN)/askfirst check --deep generated_tasks

bench: $(READY_DEV) ## print the speed ratios
	$(BIN)/python bench

clean: ## remove the environment, builds and caches; seeds, tasks and the review queue stay
	rm -rf $(VENV) build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find pipeline tests -type d -name __pycache__ -prune -exec rm -rf {} +

$(READY): pyproject.toml | $(BIN)/pip
	$(PIP_INSTALL) --editable .
	@touch $@

$(READY_DEV): pyproject.toml | $(BIN)/pip
	$(PIP_INSTALL) --editable '.[audit,llm,dev]'
	@touch $@ $(READY)

# pip and not python is the target: without ensurepip, venv leaves a python behind and then fails.
$(BIN)/pip:
	@command -v $(PYTHON) >/dev/null || { \
	  echo "make: there is no '$(PYTHON)'. Install Python 3.11 or newer, or name one: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "make: '$(PYTHON)' is $$($(PYTHON) -V 2>&1); askfirst needs Python 3.11 or newer. Name one: make PYTHON=python3.12" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { \
	  echo "make: '$(PYTHON)' cannot make an environment. On Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
