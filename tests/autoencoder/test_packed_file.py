"""Data as bytes: they come back, and take as many as were counted."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings

from compression.worlds import knowledge_bases
from logicoder import AutoEncoder, KnowledgeBase
from logicoder.autoencoder.encoding_forms import MESSAGE_FILE
from logicoder.autoencoder.packed_file import read_packed, write_packed
from logicoder.base.errors import InputError
from logicoder.datasets import family, university
from tiny_data import REPEATABLE


def written(kb: KnowledgeBase, folder: Path, model: AutoEncoder | None = None) -> tuple[int, float]:
    """Write data, read them again, and return the bits of the file and those counted."""
    model = model or AutoEncoder(holdout=0).fit(kb)
    size = write_packed(model.plan_, kb, folder)
    assert read_packed(folder) == kb
    assert (folder / MESSAGE_FILE).stat().st_size == size
    bits = model.encode_losslessly(kb).bits
    return 8 * size, bits.plain - bits.saved


@settings(REPEATABLE, max_examples=25)
@given(knowledge_bases())
def test_data_come_back(tmp_path_factory: pytest.TempPathFactory, kb: KnowledgeBase) -> None:
    packed, counted = written(kb, tmp_path_factory.mktemp("packed"))
    assert packed <= 1.01 * counted + 24


@pytest.mark.parametrize(
    "kb", [family(3, 3), university(facts=1500, noise=0.02).kb], ids=["family", "university"]
)
def test_bytes_are_within_one_percent_of_the_bits(tmp_path: Path, kb: KnowledgeBase) -> None:
    packed, counted = written(kb, tmp_path / "packed")
    assert 0.99 * counted - 16 <= packed <= 1.01 * counted + 16


def test_tables_of_one_value_each_are_within_one_percent(tmp_path: Path) -> None:
    rng = random.Random(0)  # noqa: S311
    facts = {(f"column{c}", f"row{i}", f"v{c}_{rng.randrange(3 + c)}") for i in range(150) for c in range(4)}
    facts |= {("wide", f"row{i}", *(f"w{rng.randrange(20)}" for _ in range(5))) for i in range(150)}
    packed, counted = written(KnowledgeBase.from_facts(sorted(facts)), tmp_path / "packed")
    assert 0.99 * counted - 16 <= packed <= 1.01 * counted + 16


def test_closures_constants_and_doubtful_atoms_come_back(tmp_path: Path) -> None:
    rng = random.Random(0)  # noqa: S311
    facts = {("same", f"e{x}", f"e{y}") for x in range(30) for y in range(30) if x % 4 == y % 4}
    facts |= {("above", f"e{x}", f"e{y}") for x in range(30) for y in range(x + 1, 30)}
    facts |= {("likes", f"e{x}", "tea" if x % 3 else "milk") for x in range(30)}
    facts |= {("young", f"e{x}") for x in range(30) if x % 3}
    kb = KnowledgeBase.from_facts(
        sorted(facts),
        negatives=[("likes", "e1", "milk")],
        unknown=[("above", "e9", f"e{rng.randrange(9)}")],
    )
    written(kb, tmp_path / "packed")


def test_other_data_are_packed_by_the_same_plan(tmp_path: Path) -> None:
    model = AutoEncoder().fit(family(3, 3, seed=1))
    other = family(3, 3, seed=2)
    written(other, tmp_path / "packed", model)


def test_damaged_files_are_refused(tmp_path: Path) -> None:
    kb = family(2, 2)
    folder = tmp_path / "packed"
    written(kb, folder)
    known = (folder / "known.json").read_text()
    (symbol,) = re.findall(r'"symbols":\["(\w+)"', known)
    for old, new in (
        ('"version":3', '"version":9'),
        (f'"{symbol}"', '"another"'),
        ('"symbols":[', '"symbols":3,"was":['),
        ("{", ""),
    ):
        (folder / "known.json").write_text(known.replace(old, new, 1))
        with pytest.raises(InputError):
            read_packed(folder)
    (folder / "known.json").unlink()
    with pytest.raises(InputError):
        read_packed(folder)
