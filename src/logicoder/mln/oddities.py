"""What is odd about a network and its data, though both can be read."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from logicoder.kb.knowledge_base import TRUTHS, KnowledgeBase
from logicoder.logic.terms import Constant
from logicoder.mln.derived_evidence import predicates_of
from logicoder.mln.network import MarkovLogicNetwork

_SHOWN = 3


def oddities(network: MarkovLogicNetwork, kb: KnowledgeBase) -> list[str]:
    r"""Return sentences on formulas that cannot say what they seem to say.

    >>> network = MarkovLogicNetwork.parse("smokes(person)\nsmokes(x)\n1.5 smokes(Anna)")
    >>> kb = KnowledgeBase.from_facts([("smokes", "Bob")], schema=network.schema)
    >>> for sentence in oddities(network, kb):
    ...     print(sentence)
    1 formula of weight 0 says nothing: smokes(x); learn its weight, or end a hard formula with a period
    1 constant of formulas is not in the data: 'Anna'; atoms with it are false
    """
    found = []
    if not network.formulas:
        found.append("there are no formulas: every atom that is asked for has probability 0.5")
    silent = [str(formula).removeprefix("0 ") for formula in network.soft if not formula.weight]
    if silent:
        number, says, its = (
            ("1 formula", "says", "its")
            if len(silent) == 1
            else (f"{len(silent):,} formulas", "say", "their")
        )
        found.append(
            f"{number} of weight 0 {says} nothing: {_some(silent, '; ')}; "
            f"learn {its} weight, or end a hard formula with a period"
        )
    known = {kind: set(symbols) for kind, symbols in kb.constants().items()}
    missing = list(
        dict.fromkeys(symbol for kind, symbol in _constants(network) if symbol not in known.get(kind, ()))
    )
    if missing:
        number, it = (
            ("1 constant of formulas is", "it")
            if len(missing) == 1
            else (f"{len(missing):,} constants of formulas are", "them")
        )
        found.append(f"{number} not in the data: {_some(missing, ', ')}; atoms with {it} are false")
    return found


def silent_predicates(network: MarkovLogicNetwork, kb: KnowledgeBase, known: Collection[str]) -> list[str]:
    r"""Return the predicates of formulas that the data says nothing about, but for some that are known.

    >>> network = MarkovLogicNetwork.parse("rich(person)\nboss(person)\n2 rich(x) v !boss(x)")
    >>> kb = KnowledgeBase.from_facts([("rich", "bob")], schema=network.schema)
    >>> silent_predicates(network, kb, ["rich"])
    ['boss']
    """
    return [
        name
        for name in sorted(predicates_of(network) - set(known))
        if name not in kb.schema or not any(len(kb.table(name, truth)) for truth in TRUTHS)
    ]


def _constants(network: MarkovLogicNetwork) -> Iterator[tuple[str, str]]:
    """Yield type and symbol of the constants in atoms that the network does not declare."""
    for formula in network:
        for literal in formula.literals:
            if not literal.inequality:
                kinds = network.schema[literal.atom.predicate].types
                for argument, kind in zip(literal.atom.arguments, kinds, strict=True):
                    if isinstance(argument, Constant) and argument.symbol not in network.schema.domains.get(
                        kind, ()
                    ):
                        yield kind, argument.symbol


def _some(texts: list[str], between: str) -> str:
    return between.join(texts[:_SHOWN]) + (f"{between}..." if len(texts) > _SHOWN else "")
