"""Reading a network together with data, under the same types."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from logicoder.cli.inputs import DataOptions
from logicoder.cli.options import file_argument

if TYPE_CHECKING:
    from logicoder import KnowledgeBase
    from logicoder.mln import MarkovLogicNetwork

Network = Annotated[Path, file_argument("NETWORK", "An .mln file: declarations, weighted and hard formulas.")]


def read_with_network(path: Path, options: DataOptions) -> tuple[MarkovLogicNetwork, KnowledgeBase]:
    """Read data and a network.

    The types are those of `--schema`, or of the schema that lies with the data, or of the network. The
    constants of the data are those of `+` and `EXIST` in the network; they do not become part of it.
    """
    from logicoder import Schema  # noqa: PLC0415  (numpy takes its time)
    from logicoder.kb.sources import find_schemas  # noqa: PLC0415
    from logicoder.mln import MarkovLogicNetwork  # noqa: PLC0415
    from logicoder.mln.alchemy.reading import declared_schema  # noqa: PLC0415

    declared = None
    if options.schema is None and not find_schemas(options.paths):
        declared = declared_schema(path)
    kb = options.read(declared, strangers=declared is not None)
    network = MarkovLogicNetwork.load(path, Schema(kb.schema.predicates), kb.constants())
    return network, kb.with_schema(Schema(network.schema.predicates, kb.schema.domains))
