# Two commands do everything: `make demo` and `make test`. Both build a virtual environment in .venv.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test check bench experiment-smoke clean

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
	$(BIN)/python -m pytest --numprocesses auto

check: $(VENV)/development
	$(BIN)/ruff check src tests benchmarks examples
	$(BIN)/ruff format --check src tests benchmarks examples
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(VENV)/development
	$(BIN)/python benchmarks/paper_setting.py
	$(BIN)/python benchmarks/richer_programs.py webkb imdb cora_er
	$(BIN)/python benchmarks/suggestions.py

SMOKE := $(VENV)/experiment-smoke

experiment-smoke: $(VENV)/development
	rm -rf $(SMOKE)
	$(BIN)/logicoder generate university --people 80 --noise 0.05 --interpretations 4 --output-format alchemy -o $(SMOKE)/folds
	$(BIN)/logicoder experiment $(SMOKE)/folds -o $(SMOKE)/out --grid 2x2 --compressions 0.5 --learner busl,exhaustive \
		--ceiling 2 --effort 5 --learning-time 10 --asking-time 3 --figures

clean:
	rm -rf $(VENV) dist build
