# make demo   a first look: build, install, instrument a program, run it, read its report
# make test   everything that proves it
# make bench  what it costs, as ratios

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

sources := pyproject.toml $(shell find pomp_clang runtime -type f -not -name '*.pyc')

.PHONY: demo test bench install clean

demo: $(VENV)/installed
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

test: $(VENV)/installed-test
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh tests/run.sh

bench: $(VENV)/installed-test
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python tests/benchmark/run.py

install: $(VENV)/installed

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: $(sources) | $(BIN)/python
	@echo "installing pomp-clang into $(VENV) (once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check .
	@touch $@

$(VENV)/installed-test: $(VENV)/installed
	@echo "installing the tests' own tools into $(VENV)"
	@sh tests/debian.sh
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check '.[test]'
	@touch $@

clean:
	rm -rf $(VENV) build
