"""An unfolded program derives the same as the program, by clingo, and speaks of inputs and what must stay."""

from __future__ import annotations

from hypothesis import event, given, settings
from hypothesis import strategies as st
from tests.engine.asp import derived
from tests.engine.random_programs import REPEATABLE, knowledge_bases, programs

from logicoder.logic import Program
from logicoder.logic.unfolding import unfold


@settings(REPEATABLE, max_examples=150)
@given(st.data())
def test_the_same_is_derived(data) -> None:
    kb = data.draw(knowledge_bases(negatives=False))
    program, heads = data.draw(programs(kb))
    keep = data.draw(st.sets(st.sampled_from(sorted(heads)), min_size=1))
    flat = unfold(program, keep, kb.schema)
    expected = {atom for atom in derived(program, kb) if atom[1] in keep}
    assert {atom for atom in derived(flat, kb) if atom[1] in keep} == expected
    event("something" if expected else "nothing")
    # What is left of the other predicates is negated or recursive somewhere.
    negated = {x.atom.predicate for clause in program for x in clause.literals() if not x.positive}
    for name in set(flat.defined()) - keep - negated:
        assert reaches_itself(program, name)


def reaches_itself(program: Program, name: str) -> bool:
    uses = program.mentions()
    seen: set[str] = set()
    work = [name]
    while work:
        for other in uses.get(work.pop(), ()):
            if other not in seen:
                seen.add(other)
                work.append(other)
    return name in seen
