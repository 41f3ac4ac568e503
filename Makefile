# Everything a newcomer types. The environment is .venv; each target sets up what it needs.

BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# Three for two cores, since browsers and servers are waited for; each has a part of the tests that lie together, and
# whoever is done takes over some of another's.
PYTEST := $(BIN)/pytest -n $(shell echo $$(( ($$(nproc) * 3 + 1) / 2 ))) --dist worksteal
# Installing anew when one of these changes also compiles the kernel anew.
INSTALLED_FROM := pyproject.toml setup.py constraints.txt $(wildcard src/arpad/kernel*.py) $(wildcard src/arpad/*.pxd)

# What pytest makes of each file of tests takes it seven seconds, and is kept.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help venv demo test check format screens bench soak clean
.DEFAULT_GOAL := help

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

venv: .venv/installed ## make .venv with arpad in it
	@echo "ready: $(BIN)/arpad"

demo: .venv/installed ## rate real results, explain one of the changes, make an office to look at
	@PATH="$(CURDIR)/$(BIN):$$PATH" scripts/demo.sh

test: .venv/installed-dev ## run the tests, compiled and interpreted, on SQLite and on a PostgreSQL server
	@scripts/system.sh database
	@scripts/system.sh browser
	$(PYTEST)
	ARPAD_INTERPRETED=1 $(PYTEST) tests/engine

check: .venv/installed-dev ## formatting, lint, types, freshness of generated documents
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	if [ -e scripts/docs.py ]; then $(BIN)/python scripts/docs.py --check; fi

format: .venv/installed-dev ## format the sources
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

screens: .venv/installed-dev ## take the pictures of pages in docs/screens anew
	@scripts/system.sh browser
	ARPAD_SCREENS=1 $(BIN)/pytest -q tests/browser/test_pages.py

bench: .venv/installed-dev ## measure speed against a C loop and others
	$(BIN)/python bench/run.py

soak: .venv/installed-dev ## the heavy checks, for hours rather than minutes
	@scripts/system.sh database
	$(BIN)/pytest -m soak

clean: ## remove everything that was built
	rm -rf .venv build dist src/arpad.egg-info src/arpad/*.so

.venv/tools: constraints.txt
	python=$$(scripts/system.sh) && "$$python" -m venv .venv
	$(PIP) install -c constraints.txt setuptools cython
	touch $@

# Built in place with the pinned tools rather than in a throw-away environment: it is quicker the second time.
INSTALL := $(PIP) install --no-build-isolation -c constraints.txt

.venv/installed: $(INSTALLED_FROM) | .venv/tools
	$(INSTALL) -e '.[web]'
	$(BIN)/python -m compileall -q src/arpad
	touch $@

.venv/installed-dev: $(INSTALLED_FROM) | .venv/tools
	scripts/system.sh compiler >/dev/null
	$(INSTALL) -e '.[dev]'
	$(BIN)/python -m compileall -q src/arpad
	touch .venv/installed $@
