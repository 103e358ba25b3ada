"""The same data give the same program: whatever the order and the names of files, facts and constants."""

from __future__ import annotations

import json
import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.cli.helpers import environment, spawn

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.datasets import star_wars_figure, university
from logicoder.kb.canonical_order import in_canonical_order

WAYS = {
    "default": {},
    "selection": {"objective": "lexicographic", "compression": "0.8", "effort": 0.1},
    "paper": {"preset": "paper", "effort": 0.1},
}


def worlds(number=2):
    """Return facts by interpretation, as text."""
    kb = university(people=21 * number, noise=0.05, interpretations=number, seed=4).kb
    return {name: [str(f) for f in kb if f.interpretation == name] for name in kb.interpretations}


def written(folder, data, seed=None, rename=None):
    """Write facts to a file for each interpretation, as they are, or in another order with other names."""
    rng = random.Random(seed)  # noqa: S311  (no secret)
    folder.mkdir()
    # Without it, types would rest on names: p1 and p2 look like things of one kind.
    schema = ["student(p)", "advisedby(p,p)", "paidby(p,p)", "taughtby(c,p)", "ta(c,p)", "publication(t,p)"]
    if seed is not None:
        rng.shuffle(schema)
    (folder / "schema.mln").write_text("\n".join(schema) + "\n")
    names = list(data)
    if seed is not None:
        rng.shuffle(names)
    for number, name in enumerate(names):
        facts = list(data[name])
        if seed is not None:
            rng.shuffle(facts)
        if rename is not None:
            facts = [re.sub(r"(?<=[(,])\w+", lambda found: rename[found[0]], fact) for fact in facts]
        file = f"w{number}.pl" if rename is not None else f"{name}.pl"
        (folder / file).write_text("".join(f"{fact}.\n" for fact in facts))
    return folder


def learned(path, how):
    given = dict(WAYS[how])
    preset = given.pop("preset", None)
    estimator = AutoEncoder(**given) if preset is None else AutoEncoder.from_preset(preset, **given)
    return str(estimator.fit(KnowledgeBase.from_path(path)).programs())


@pytest.mark.parametrize("how", WAYS)
def test_order_and_names_change_nothing(how, tmp_path):
    data = worlds()
    expected = learned(written(tmp_path / "given", data), how)
    assert "advisedby" in expected
    every = "".join(fact for facts in data.values() for fact in facts)
    symbols = sorted(set(re.findall(r"(?<=[(,])\w+", every)))
    for seed in range(1):
        assert learned(written(tmp_path / f"order{seed}", data, seed), how) == expected
        other = [f"c{number}" for number in range(len(symbols))]
        random.Random(seed).shuffle(other)  # noqa: S311
        rename = dict(zip(symbols, other, strict=True))
        assert learned(written(tmp_path / f"names{seed}", data, seed, rename), how) == expected


def test_hash_seeds_and_jobs_change_nothing(tmp_path):
    path = written(tmp_path / "data", worlds())
    found = set()
    for seed, jobs in (("1", 1), ("2", 2)):
        outcome = spawn("fit", path, "--jobs", jobs, "--json", env=environment(PYTHONHASHSEED=seed))
        told = json.loads(outcome.stdout)
        found.add(json.dumps([told["encoder"], told["decoder"], told["bits"]]))
    assert len(found) == 1


def tables(kb):
    return {name: (kb.table(name).worlds.tolist(), kb.table(name).arguments.tolist()) for name in kb.schema}


@settings(deadline=None, max_examples=60)
@given(
    st.lists(st.tuples(st.sampled_from("pq"), st.integers(0, 6), st.integers(0, 6)), min_size=1, max_size=12),
    st.permutations(range(7)),
    st.randoms(use_true_random=False),
)
def test_canonical_data_are_the_same_numbers(facts, names, rng):
    """Also where constants look alike: any two orders of such are mirror images of each other here."""
    one = KnowledgeBase.from_facts([(p, f"a{x}", f"a{y}") for p, x, y in facts], types="one")
    rng.shuffle(facts)
    other = KnowledgeBase.from_facts([(p, f"b{names[x]}", f"b{names[y]}") for p, x, y in facts], types="one")
    first, second = in_canonical_order(one), in_canonical_order(other)
    assert tables(first) == tables(second)
    assert first == one
    assert second == other


def test_canonical_data_keep_everything():
    kb = star_wars_figure()
    found = in_canonical_order(kb)
    assert found == kb
    assert list(found.schema) == sorted(kb.schema)
    assert tables(found) == tables(in_canonical_order(found))
