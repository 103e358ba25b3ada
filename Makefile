# Two commands do everything: `make demo` and `make test`. Both build a virtual environment in .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test test-again check docs pictures gallery notebooks results dist release-check test-lowest bench bench-quick bench-scale bench-quality bench-compression bench-engines bench-mln \
	experiments experiment-smoke campaign campaign-smoke clean

$(BIN)/logicoder: pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "logicoder needs Python 3.11 or newer; name one with: make PYTHON=python3.12 demo")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/development: $(BIN)/logicoder
	$(BIN)/python -m pip install --quiet --group dev
	touch $@

demo: $(BIN)/logicoder
	$(BIN)/logicoder demo

test: $(VENV)/development check
	$(BIN)/python -m pytest -p tests.left_over -p tests.together --numprocesses auto --continue-on-collection-errors

# What has not passed, one after the other: tests that failed, and those that did not run because the run was cut off.
test-again: $(VENV)/development check
	$(BIN)/python -m pytest -p tests.left_over --left-over

# The lowest versions that pyproject.toml allows, in an environment of their own: a part of the tests, in about two minutes.
# Old packages warn of what new ones beside them will drop; that is not ours to mend.
LOWEST := .venv-lowest

test-lowest:
	$(PYTHON) -m venv $(LOWEST)
	$(PYTHON) scripts/lowest_versions.py > $(LOWEST)/constraints.txt
	$(LOWEST)/bin/python -m pip install --quiet --constraint $(LOWEST)/constraints.txt --editable '.[sklearn,pandas,polars,plot,rc2,clingo]' 'pytest>=9' hypothesis
	$(LOWEST)/bin/logicoder demo --quiet
	$(LOWEST)/bin/python -m pytest -W default tests/selection/test_backends.py tests/report/test_plots.py tests/kb/test_frames.py \
		tests/mln/inference/test_ground_solver.py tests/autoencoder/test_features.py tests/autoencoder/test_model_file.py \
		tests/problem/test_storage.py

check: $(VENV)/development
	$(BIN)/ruff check src tests benchmarks examples scripts campaign
	$(BIN)/ruff format --check src tests benchmarks examples scripts campaign
	$(BIN)/mypy
	$(BIN)/lint-imports

# The site, in build/site: open index.html, there is no server. Pictures come from a fit of today's learner.
docs: pictures
	NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --strict
	@echo "The site is in build/site/index.html"

pictures: $(VENV)/development
	$(BIN)/python scripts/pictures.py

# The gallery, from the public data in the folder that LOGICODER_DATA names: pictures and numbers, in a few minutes.
gallery: $(VENV)/development
	$(BIN)/python scripts/gallery.py

# Run the notebooks and keep their outputs, which a test compares.
notebooks: $(VENV)/development
	$(BIN)/python scripts/notebooks.py

# All tables of the results, in parts: what is there is not measured again. Some parts: make results PARTS="links planted"
results: $(VENV)/benchmarks
	$(BIN)/python scripts/results.py $(PARTS)

# What would be uploaded, checked as an index checks it.
dist: $(VENV)/development
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/python -m twine check --strict dist/*
	$(BIN)/check-wheel-contents dist/*.whl

# Whether everything says the same version, and nothing is a placeholder: see RELEASING.md.
release-check: dist
	$(BIN)/python scripts/release_check.py

$(VENV)/benchmarks: $(VENV)/development
	$(BIN)/python -m pip install --quiet --group bench
	touch $@

# Speed, beside other engines and solvers: a table and plots in bench-results, in about twenty minutes.
bench: $(VENV)/benchmarks
	$(BIN)/python benchmarks/bench.py
	$(MAKE) bench-mln

bench-quick: $(VENV)/benchmarks
	$(BIN)/python benchmarks/bench.py --quick --results bench-results/quick

# Time and memory up to ten million facts; takes up where it was ended. In parts: MOST=100000
MOST ?= 10000000
bench-scale: $(VENV)/benchmarks
	$(BIN)/python benchmarks/scale.py --most $(MOST)

# Quality: what is learned in the paper's setting, with richer programs, and by suggestions.
bench-quality: $(VENV)/development
	$(BIN)/python benchmarks/paper_setting.py
	$(BIN)/python benchmarks/suggestions.py

# Description lengths: plain, packed by xz, with domains, with rules; time and memory of each data set.
bench-compression: $(VENV)/development
	$(BIN)/python benchmarks/compression.py

# Engines side by side on data that stay where they are; takes up where it was ended. In parts: MOST=1000000
bench-engines: $(VENV)/benchmarks
	$(BIN)/python benchmarks/stored.py --most $(MOST)
	$(BIN)/python benchmarks/engines/encoder_counts.py

# Markov logic: counts, weights, structure and inference; on smokers of growing number with log-log slopes.
bench-mln: $(VENV)/development
	$(BIN)/python benchmarks/mln_counting.py
	$(BIN)/python benchmarks/mln_structure.py
	$(BIN)/python benchmarks/mln_inference.py

# The experiment of the paper on its four benchmarks, five seeds; takes hours, and goes on where it ended.
experiments: $(VENV)/development
	$(BIN)/python benchmarks/experiments.py generative
	$(BIN)/python benchmarks/experiments.py direct --seeds 1

SMOKE := $(VENV)/experiment-smoke

experiment-smoke: $(VENV)/development
	rm -rf $(SMOKE)
	$(BIN)/logicoder generate university --people 80 --noise 0.05 --interpretations 4 --output-format alchemy -o $(SMOKE)/folds
	$(BIN)/logicoder experiment $(SMOKE)/folds -o $(SMOKE)/out --grid 2x2 --compressions 0.5 --learner busl,exhaustive \
		--ceiling 2 --effort 5 --learning-time 10 --asking-time 3 --figures

# Attacks on readers, saved files, options, functions, engines and whole runs, for some minutes; counts are added up in
# campaign/totals.json and on the page about reliability. What is found is kept in campaign/failures, which the tests
# replay. In parts: KINDS=kills,disks; programs in servers, which are started: KINDS=programs-postgresql,programs-spark
MINUTES ?= 10
campaign: $(VENV)/development
	$(BIN)/python -m campaign --minutes $(MINUTES) $(if $(KINDS),--kinds $(KINDS))

# One case of each kind, always the same.
campaign-smoke: $(VENV)/development
	$(BIN)/python -m campaign --once --seed 1

clean:
	rm -rf $(VENV) $(LOWEST) .browser dist build
