"""Sentences say what is so, once: closures, inclusions, parts, and what holds of several predicates alike."""

from __future__ import annotations

import random

import polars as pl

from logicoder import AutoEncoder, KnowledgeBase


def test_what_holds_of_a_relation_is_not_told_again_of_its_inverse_or_its_other_side() -> None:
    rng = random.Random(8)  # noqa: S311
    firms = [(f"p{i}", f"c{rng.randrange(6)}") for i in range(60)]
    pairs = [(f"p{i}", f"p{i + 1}") for i in range(0, 40, 2)]
    kb = KnowledgeBase.from_facts(
        {
            "works": firms,
            "staff": [(y, x) for x, y in firms],
            "wed": pairs + [(y, x) for x, y in pairs],
            "tall": [(f"p{i}",) for i in range(0, 70, 2)],
        }
    )
    found = AutoEncoder().fit(kb).insights(kb)
    functions = [row.text for row in found.of("function") if row.predicate in ("works", "staff")]
    assert len(functions) == 1
    assert "each of 60" in functions[0]
    within = " ".join(row.text for row in found.of("within"))
    assert "argument 1 of wed" in within
    assert "argument 2 of wed" not in within


def test_inclusions_that_a_clause_says_are_not_told_again() -> None:
    rng = random.Random(12)  # noqa: S311
    kinds = {f"w{i}": rng.choice(["welder", "fitter", "clerk", "cook"]) for i in range(150)}
    outdoor = {name for name, kind in kinds.items() if kind in ("welder", "fitter")}
    tall = sorted(rng.sample(sorted(outdoor), 30))
    facts = [(kind, name) for name, kind in kinds.items()]
    facts += [("boots", name) for name in sorted(outdoor)] + [("tall", name) for name in tall]
    facts += [("lead", f"w{i // 3}", name) for i, name in enumerate(kinds) if rng.random() < 0.5]
    facts += [("checks", *fact[1:]) for fact in facts if fact[0] == "lead" and fact[2] in outdoor]
    kb = KnowledgeBase.from_facts(facts)
    found = AutoEncoder().fit(kb).insights(kb)
    within = " ".join(row.text for row in found.of("within"))
    (checks,) = [row for row in found.findings if row.predicate == "checks"]
    assert checks.clauses == ("checks(X,Y) :- lead(X,Y), boots(Y).",)
    assert (checks.holds, checks.false) == (checks.total, ())
    assert "of checks" not in within
    assert not {"fitter", "welder"} & {row.predicate for row in found.of("within")}
    assert "of tall" not in within  # boots follow from it
    (part,) = [
        row for row in found.findings if row.kind == "partly" and row.predicate in ("fitter", "welder")
    ]
    candidates = f"among {len(outdoor)} candidates."
    assert part.text.startswith(
        f"{part.predicate}(X) holds only with boots(X): {part.holds} of {part.holds}, "
    )
    assert part.text.endswith(candidates)


def test_a_part_of_a_relation_is_not_called_the_same() -> None:
    rng = random.Random(4)  # noqa: S311
    pairs = [(f"w{i // 4}", f"w{i}") for i in range(1, 150)]
    lines = [pair for pair in pairs if rng.random() < 0.55]
    kb = KnowledgeBase.from_facts({"approves": pairs, "line": lines})
    (row,) = [row for row in AutoEncoder().fit(kb).insights(kb).findings if row.predicate == "line"]
    number = len(lines)
    assert row.text == (
        f"line(X,Y) holds only with approves(X,Y): {number} of {number}, among {len(pairs)} candidates."
    )


def test_what_a_closure_says_outside_of_its_domain_is_counted() -> None:
    rng = random.Random(3)  # noqa: S311
    teams = [range(start, start + 8) for start in range(0, 96, 8)]
    mates = [(f"p{a}", f"p{b}") for team in teams for a in team for b in team if a != b]
    couples = [(f"p{i}", f"p{i + 1}") for i in range(0, 120, 2)]
    born = [(f"p{i}", f"t{rng.randrange(40)}") for i in range(200)]
    wed = couples + [(y, x) for x, y in couples]
    kb = KnowledgeBase.from_facts({"mate": mates, "wed": wed, "born": born})
    model = AutoEncoder().fit(kb)
    (row,) = [row for row in model.insights(kb).findings if row.predicate == "mate"]
    decoded = model.inverse_transform(model.transform(kb))
    false = {str(fact) for fact in decoded.facts("mate")} - {str(fact) for fact in kb.facts("mate")}
    assert len(false) == 24
    assert row.text.startswith("mate is an equivalence between different things: mate(X,Y), if wed(X,Y); ")
    assert row.text.endswith(" determine the others; together they give 24 that are not facts.")
    assert set(row.false) <= false
    assert row.false
    assert r"mate(X,Z) :- mate(X,Y), mate(Z,Y), X \= Z." in row.clauses


def test_values_within_others_are_told_by_what_they_are() -> None:
    def told(unmade: int) -> list[str]:
        makers = [None] * unmade + [f"m{i * i % 7}" for i in range(unmade, 40)]
        items = {"item_id": range(40), "maker": makers, "box": [f"b{i % 11}" for i in range(40)]}
        sales = {"sale_id": range(60), "item_id": [20 + i * 5 % 18 for i in range(60)]}
        frames = {"items": pl.DataFrame(items), "sales": pl.DataFrame(sales)}
        kb = KnowledgeBase.from_frames(frames, mapping="auto")
        return [row.text for row in AutoEncoder().fit(kb).insights(kb).of("within")]

    assert "Every item that sale_item names has item_maker, too: 18 of 18." in told(20)
    # Of 18 items one would hardly expect the only one without a maker.
    assert not any("item_maker" in text for text in told(1))


def test_what_several_places_have_in_common_is_one_sentence() -> None:
    rng = random.Random(4)  # noqa: S311
    facts = [("thing", f"e{i}") for i in range(40)]
    sizes = {"red": 20, "green": 10, "blue": 6}
    for name, size in sizes.items():
        facts += [(name, f"e{i}") for i in rng.sample(range(40), size)]
    kb = KnowledgeBase.from_facts([*facts, ("other", "f1"), ("other", "e1")])
    (row,) = AutoEncoder().fit(kb).insights(kb).of("within")
    told = row.text.partition("every value of ")[2]
    assert row.text.startswith("Argument 1 of thing has 40 values, among them every value of argument 1 of ")
    assert all(f"argument 1 of {name} ({size})" in told for name, size in sizes.items())
    assert (row.predicate, row.holds) == ("thing", sum(sizes.values()))
