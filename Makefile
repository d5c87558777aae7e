# Targets are documented behind ##, for `make help`.

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin

sources := pyproject.toml $(shell find pomp_clang runtime cmake man docs/reference/verbs -type f -not -name '*.pyc')

# What is on the user's path for modules is not for us.
unexport PYTHONPATH PYTHONHOME

.PHONY: help demo test quick bench docs pictures install wheels clean FORCE

# A checkout that was moved: what is installed names the old place.
ifneq ($(file <$(VENV)/place),$(CURDIR))
$(VENV)/installed: FORCE
endif

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 16

demo: $(VENV)/installed ## a first look: build, install, instrument a program, run it, read its report
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh examples/demo.sh

test: $(VENV)/installed-test ## all checks and tests
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh tests/run.sh

quick: $(VENV)/installed-test ## format, types, and the tests of what changed
	@PATH="$(CURDIR)/$(BIN):$$PATH" sh tests/quick.sh

bench: $(VENV)/installed-test ## what measuring costs, as ratios taken in one run
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tests.benchmark.run

docs: $(VENV)/installed ## the documentation as a site, in site/
	@PYTHON="$(PYTHON)" sh .ci/install.sh $(VENV) '.[docs]'
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict --quiet
	@echo "site/index.html; with search: python -m http.server -d site"

pictures: $(VENV)/installed-test ## the pictures of the documentation
	@PYTHON="$(PYTHON)" sh .ci/install.sh $(VENV) '.[test,pictures]'
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tests.report.html.pictures
	@PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python -m tests.lsp.picture

install: $(VENV)/installed ## pomp-clang in .venv

wheels: ## wheels for x86-64 and AArch64 and the source archive, in dist/
	@PYTHON="$(PYTHON)" sh .ci/wheels.sh x86_64 aarch64

$(VENV)/installed: $(sources)
	@PYTHON="$(PYTHON)" sh .ci/install.sh $(VENV) .
	@touch $@

$(VENV)/installed-test: $(VENV)/installed
	@PYTHON="$(PYTHON)" sh .ci/install.sh $(VENV) '.[test]'
	@touch $@

FORCE:

clean: ## remove .venv, build, dist and site
	rm -rf $(VENV) build dist site
