# Two commands do all: `make demo` and `make test`. Everything else is for those who change the code.

PYTHON ?= python3
VENV   ?= .venv
BIN     = $(VENV)/bin
RUN    ?= runs/demo
MODEL   = $(VBENCH_ENV_MODEL)

.PHONY: help demo test test-integrations mcp check lint types imports pth gymnasium corpus-page wheel-smoke lock docs clean

help:  ## show this help
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 20

$(VENV)/.installed: requirements/dev.txt pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV) || \
	  ( $(PYTHON) -m pip install --quiet --user virtualenv && $(PYTHON) -m virtualenv --quiet $(VENV) )
	@echo "Installing vbench-env and its locked requirements into $(VENV) ..."
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/dev.txt
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

demo: $(VENV)/.installed  ## install, run an offline agent (or $VBENCH_ENV_MODEL) on the corpus, write a report
	@rm -rf $(RUN)
	@$(BIN)/vbench-env run --corpus vbench-40 --out $(RUN) \
	  $(if $(MODEL),--model $(MODEL),--agent heuristic --agent noop) >/dev/null
	@$(BIN)/vbench-env report $(RUN)

test: $(VENV)/.installed  ## install and run the tests
	@$(BIN)/python -m pytest -n 2

lint: $(VENV)/.installed
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .

types: $(VENV)/.installed
	@$(BIN)/mypy

imports: $(VENV)/.installed
	@$(BIN)/lint-imports

pth: $(VENV)/.installed
	@$(BIN)/python scripts/check_litellm.py

check: lint types imports pth test  ## format, lint, types, import directions, tests

gymnasium: $(VENV)/.installed  ## run the environment's tests on the oldest gymnasium that is supported, too
	@$(BIN)/python scripts/check_gymnasium.py

test-integrations: $(VENV)/.installed  ## test every integration against its real package, each in an environment of its own
	@$(BIN)/python scripts/test_integrations.py

mcp: $(VENV)/.installed
	@$(BIN)/python scripts/test_integrations.py --light

corpus-page: $(VENV)/.installed  ## write docs/corpus.md and its pictures anew
	@$(BIN)/vbench-env tasks page

wheel-smoke: $(VENV)/.installed  ## build the wheel and try it in a clean environment, from /
	@$(BIN)/python scripts/wheel_smoke.py

lock: $(VENV)/.installed
	@$(BIN)/python -m pip install --quiet uv
	@$(BIN)/uv pip compile pyproject.toml --group dev --universal --python-version 3.11 --generate-hashes --upgrade \
	  --no-header --no-emit-index-url --no-emit-find-links --no-annotate --quiet --output-file requirements/dev.txt

clean:
	@rm -rf $(VENV) build dist runs/demo .mypy_cache .ruff_cache .pytest_cache .hypothesis
