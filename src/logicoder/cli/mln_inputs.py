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
    from logicoder.mln.alchemy.network_reader import NetworkFile  # noqa: PLC0415

    if options.schema is None and (options.of_tables() or not find_schemas(options.paths)):
        file = NetworkFile(path)
        declared = file.declared()
        kb = options.read(declared, strangers=declared is not None)
        network = file.network(Schema(kb.schema.predicates), kb.constants())
    else:
        kb = options.read()
        network = MarkovLogicNetwork.load(path, Schema(kb.schema.predicates), kb.constants())
    return network, kb.with_schema(Schema(network.schema.predicates, kb.schema.domains))
