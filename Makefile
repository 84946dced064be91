# Bare `make` lists the targets.  Every target that runs something first brings $(VENV) up to date.

VENV = .venv
RUN = $(VENV)/bin/python
export PIP_DISABLE_PIP_VERSION_CHECK = 1
# The tests start some hundreds of Pythons, each of which would compile everything anew.
unexport PYTHONDONTWRITEBYTECODE

# PYTHON=... names the Python of a new environment.  Else it is the newest supported one that answers, which any Python
# that can run loopspec finds; an environment that is there keeps its Python.
NEWEST = for p in python3 python3.15 python3.14 python3.13 python3.12 python3.11 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || continue; \
	newest=$$($$p -m model_tests.dev.pythons | tail -n 1); echo $${newest:-any $$p}; break; done | cut -d ' ' -f 2-
# The Python that an environment was made with.
KEPT = $(VENV)/bin/python -c 'import sys; print(sys._base_executable)' 2>/dev/null

# The tests of documents whose programs and commands take seconds.
SHOWN = $(addprefix model_tests/tests/, test_readme.py documents/site/test_guides.py spec/test_tutorial.py ladder/test_walk.py)
# The tests of scripts that --confirm writes, which need no tool of this project, and of the types that users see.
CONFIRMED = $(addprefix model_tests/tests/, explore/test_confirm.py users/test_types.py)
# The tests whose outcome is that of one Python on all: of texts, of tools, of code that is only read.
ALIKE = $(addprefix model_tests/tests/, assurance documents implementations picture test_imports.py test_names.py test_prose.py \
	test_walls.py test_wheel.py windows)
# The longest of the long forms: they have a target of their own.
AGREE = $(addprefix model_tests/tests/, refinement/test_machines.py spec/prove/test_agreement.py explore/reduction/test_gate.py)
TESTS = $(RUN) -m pytest -n auto --dist loadfile --no-loadscope-reorder

# What an up-to-date environment was made from: its place (scripts hold it), its Python, what it was told to hold.
MADE_FROM = { pwd; $$python -VV; cat pyproject.toml constraints.txt; }

.DEFAULT_GOAL = help
.PHONY: help setup setup-all pythons demo check check-runtime check-each check-full agree compare mutants fuzz fuzz-spec cpython-suite peers findings hunt subjects loops strangers suites wrong docs rule matrix bench bench-crawl bench-explore bench-pages dask site site-check guides-check tlc wheel windows-check outside-check wheel-check extras-check projects-check clean

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | while IFS='	' read -r target what; do \
		printf 'make %-15s%s\n' "$$target" "$$what"; done

setup:  ## create .venv with all that `make check` needs, unless it is up to date
	@python=$${PYTHON:-$$($(KEPT))} || python=$$($(NEWEST)); \
	$${python:-false} -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || { \
		echo "make setup: no Python 3.11 or newer answers$${python:+ as $$python}; name one: make PYTHON=/path/to/python3" >&2; \
		exit 1; }; \
	if $(MADE_FROM) | cmp -s - $(VENV)/made-from; then exit 0; fi; \
	echo "make setup: $(VENV) with $$($$python -V)" && \
	$$python -m venv --clear $(VENV) && \
	$(RUN) -m pip install --quiet -c constraints.txt pip setuptools && \
	$(RUN) -m pip install --quiet -c constraints.txt --no-build-isolation --editable '.[check]' && \
	$(MADE_FROM) > $(VENV)/made-from

# Two at a time: pip waits for the network half of the time.
setup-all: setup  ## make one .venv-3.x for each Python >= 3.11 that answers
	@$(RUN) -m model_tests.dev.pythons | xargs -P 2 -n 2 \
		sh -c '$(MAKE) --no-print-directory setup VENV=.venv-$$1 PYTHON=$$2 || exit 255' -

pythons:  ## bring the supported Pythons that are not there onto a Debian machine, into a folder of their own
	@$$($(NEWEST)) -m model_tests.dev.native $(ARGS)

demo: setup  ## find a race, and crawl a small simulated web: redirects, a cycle, a broken link, a refused host
	@mkdir -p build
	$(VENV)/bin/loopspec explore model_tests/examples/shop.py:main --html build/race.html || [ $$? = 1 ]
	$(VENV)/bin/loopspec simulate --pages 8 --seed 1 --verbose
	@echo
	@echo 'Look at build/race.html, which shows that race step by step, and at the program, model_tests/examples/shop.py.'
	@echo 'Then try a program of yours: $(VENV)/bin/loopspec explore FILE:FUNCTION'

check: setup  ## format, lint, types, spec, compare, tests: everything, in minutes
	@$(RUN) -m model_tests.dev.steps
	@$(TESTS)

check-runtime: setup  ## the tests of make check that may differ between Pythons, where another has passed the whole
	@$(TESTS) $(addprefix --ignore=, $(ALIKE))

check-each: setup-all  ## make check on each Python that is there
	@$(RUN) -m model_tests.dev.pythons | while read -r version python; do \
		echo "make check-each: Python $$version"; \
		$(MAKE) --no-print-directory check VENV=.venv-$$version PYTHON=$$python </dev/null || exit 1; done

check-full: setup windows-check  ## the same, long forms
	@$(RUN) -m model_tests.dev.steps --full
	@$(TESTS) --full $(addprefix --ignore=,$(AGREE))

agree: setup  ## the longest forms: state machines and the model, Python and z3, classes and schedules
	@$(TESTS) --full $(AGREE)

windows-check: setup  ## the types of the code for Windows, too: mypy names the attributes of modules that are not there
	@$(RUN) -m mypy --platform win32 --cache-dir .mypy_cache/win32 \
		$(addprefix --package=, impl model_tests.commands model_tests.conformance model_tests.explored)

compare: setup  ## crawl 10,000 random sites, and 10,000 whose servers fail, on every runtime and the oracle: hours
	@$(VENV)/bin/loopspec compare --sites 10000
	@$(VENV)/bin/loopspec compare --sites 10000 --faulty

mutants: setup  ## judge 600 mutants of impl by the tests, and all of the specifications by the checks, and delete each rule: hours
	@$(RUN) -m model_tests.assurance.mutation impl --number 600 $(ARGS)
	@$(RUN) -m model_tests.assurance.mutation texts $(ARGS)
	@$(RUN) -m model_tests.assurance.mutation.deletion

fuzz: setup  ## give the crawl's parsers a million mutated responses, pages, URLs, robots.txt and journals: half an hour
	@$(RUN) -m model_tests.assurance.fuzz $(ARGS)

fuzz-spec: setup  ## give 10,000 random specifications to the search, the prover and a plain enumeration, and compare: 25 minutes
	@$(RUN) -m model_tests.assurance.fuzz.specifications $(ARGS)

cpython-suite: setup  ## run CPython's own tests of asyncio on ours, on every Python that is there
	@$(RUN) -m model_tests.assurance.suites.cpython $(ARGS)

peers: extra-peers  ## run tests of aiohttp, anyio and uvloop on the simulated loop; they are fetched once, into .peers
	@$(RUN) -m model_tests.assurance.suites $(ARGS)

findings: extra-hunt extra-subjects  ## find the bugs of released libraries again, without a hint, and confirm each on two Pythons
	@$(RUN) -m model_tests.dev.pythons | tail -n 1 | while read -r version python; do \
		$(MAKE) --no-print-directory extra-hunt extra-subjects VENV=.venv-$$version PYTHON=$$python </dev/null || exit 1; done
	@$(RUN) -m model_tests.libraries.findings $(ARGS)

hunt: extra-hunt  ## search the most used asyncio libraries for bugs, and write the table; ARGS="LIBRARY..." names some
	@$(RUN) -m model_tests.libraries.hunt $(ARGS)

subjects: extra-subjects  ## hold the primitives of released libraries to the rules, and write the table of the results
	@$(RUN) -m model_tests.implementations.of_libraries $(ARGS)

wrong: setup  ## ask each checker about all code under test, and write the table of what catches it; ARGS="--missing" goes on
	@$(RUN) -m model_tests.implementations $(ARGS)

outside-check: extra-outside  ## explore programs on a real PostgreSQL and a real Redis, which it starts on loopback: minutes
	@$(RUN) -m pytest -q model_tests/tests/outside/test_databases.py

strangers: extra-strangers  ## search programs written after public reports, without options, and compare with the tables
	@$(RUN) -m model_tests.assurance.strangers $(ARGS)

loops: setup  ## hold public event loops to the rules, each in an environment of its own; ARGS="NAME..." names some
	@$(RUN) -m model_tests.libraries.loops $(ARGS)

suites: setup  ## explore the tests of public libraries, and write the table; ARGS="NAME..." names some: hours
	@$(RUN) -m model_tests.libraries.suites $(ARGS)

docs: setup  ## write the table of assurance, the queue as a document, the pictures, and the output in README, tutorials, guides
	@$(RUN) -m model_tests.assurance.table
	@$(RUN) -m model_tests.documents.order.command
	@$(RUN) -m model_tests.dev.imports
	@$(VENV)/bin/loopspec explore model_tests/examples/shop.py:main --svg model_tests/examples/shop.svg >/dev/null || [ $$? = 1 ]
	@$(VENV)/bin/loopspec explain queue --brief --output spec/queue/README.md
	@$(RUN) -m model_tests.dev.tutorial
	@$(RUN) -m model_tests.documents.site.notebook

rule: setup  ## write all that is made from one rule, and list what is still to be written by hand; ID=QUEUE-41
	@$(RUN) -m model_tests.assurance.rule $(ID)

site: extra-site  ## make the site of all that is written, in site/: a page for each rule, indexes, the API
	@$(RUN) -m model_tests.documents.site

guides-check: setup-all  ## run all that documents show, and the scripts of --confirm, on each Python that is there
	@$(RUN) -m model_tests.dev.pythons | while read -r version python; do \
		echo "make guides-check: Python $$version"; \
		.venv-$$version/bin/python -m pytest -q -n auto --full $(SHOWN) $(CONFIRMED) </dev/null || exit 1; done

site-check: extra-site  ## make the site, and crawl it: every link must lead somewhere
	@$(RUN) -m model_tests.documents.site --check

matrix: setup  ## which rule holds in which CPython, and the real bugs that the vectors find again
	@$(RUN) -m model_tests.conformance.vectors.matrix

bench: extra-bench  ## measure the loop beside asyncio, uvloop, trio and simulated loops of others
	@$(RUN) -m model_tests.assurance.bench $(ARGS)

bench-explore: extra-bench  ## measure schedules a second beside detangle, on the same programs; PYTHON=python3.13 compares on that one
	@$(RUN) -m model_tests.assurance.bench.explore $(ARGS)

bench-crawl: extra-bench  ## measure the crawler beside aiohttp, Scrapy and wget: a real site behind nginx on loopback
	@$(RUN) -m model_tests.assurance.bench.crawl $(ARGS)

dask: extra-dask  ## explore and crawl on a Dask cluster, of which a worker is killed: the result must be that of one process
	@$(RUN) -m pytest -q --full model_tests/tests/explore/test_parallel.py model_tests/tests/crawl/test_shards*.py

bench-pages: setup  ## measure seconds and bytes a URL of simulated crawls of 1,000 to 1,000,000 pages: an hour
	@$(RUN) -m model_tests.assurance.bench.pages $(ARGS)

tlc: extra-tlc  ## let TLC search the bounded models and mutants, which are written in TLA+, and compare; needs Java
	@$(VENV)/bin/loopspec check --tlc --full $(ARGS)

wheel: setup  ## write the wheel to dist/: one package, loopspec, with spec, impl and model_tests within
	@rm -f dist/*.whl
	@$(RUN) -m pip wheel --quiet --no-deps --no-build-isolation --wheel-dir dist .
	@echo dist/*.whl

wheel-check: wheel  ## install the wheel into empty environments of each Python, compare it with the checkout, run its guides
	@$(RUN) -m model_tests.dev.installation dist/*.whl

extras-check: wheel  ## install the wheel with each extra into an empty environment of each Python
	@$(RUN) -m model_tests.dev.extras dist/*.whl $(ARGS)

projects-check: wheel  ## install the wheel, FastAPI, Django and others into an empty environment, and explore the tests of projects
	@$(RUN) -m model_tests.assurance.projects dist/*.whl $(ARGS)

# An extra of pyproject.toml, added to an environment once; a new environment has no such mark.
extra-%: setup
	@cmp -s $(VENV)/made-from $(VENV)/$*-from || { \
		echo "make: adding the extra $* to $(VENV)" && \
		$(RUN) -m pip install --quiet -c constraints.txt --no-build-isolation --editable '.[$*]' && \
		cp $(VENV)/made-from $(VENV)/$*-from; }

clean:  ## remove the environments, caches and builds
	rm -rf .venv .venv-3.* .peers .loops build dist site *.egg-info .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find spec impl model_tests -name __pycache__ -prune -exec rm -rf {} +
