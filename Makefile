# make demo   a first look: build, install, instrument a program, run it, read its report
# make test   everything that proves it
# make bench  what it costs, as ratios
# make docs   the documentation as a site, in site/
# make pictures  those of the documentation

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

sources := pyproject.toml $(shell find pomp_clang runtime cmake man docs/reference/verbs -type f -not -name '*.pyc')

# What is on the user's path for modules is not for us.
unexport PYTHONPATH PYTHONHOME

.PHONY: demo test bench docs pictures install clean FORCE

# A checkout that was moved: what is installed names the old place.
ifneq ($(file <$(VENV)/place),$(CURDIR))
$(VENV)/installed: FORCE
endif

demo: $(VENV)/installed
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

test: $(VENV)/installed-test
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh tests/run.sh

bench: $(VENV)/installed-test
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python tests/benchmark/run.py

docs: $(VENV)/installed
	@PYTHON="$(PYTHON)" sh .ci/install.sh $(VENV) '.[docs]'
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "site/index.html; with search: python -m http.server -d site"

pictures: $(VENV)/installed-test
	@PYTHON="$(PYTHON)" sh .ci/install.sh $(VENV) '.[test,pictures]'
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tests.report.html.pictures
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tests.lsp.picture

install: $(VENV)/installed

$(VENV)/installed: $(sources)
	@PYTHON="$(PYTHON)" sh .ci/install.sh $(VENV) .
	@touch $@

$(VENV)/installed-test: $(VENV)/installed
	@PYTHON="$(PYTHON)" sh .ci/install.sh $(VENV) '.[test]'
	@touch $@

FORCE:

clean:
	rm -rf $(VENV) build site
