"""Logic programs beside a network: definitions of its predicates, or the auto-encoder it was learned on."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from logicoder.cli.inputs import read_background

if TYPE_CHECKING:
    from logicoder import KnowledgeBase, Program
    from logicoder.mln import MarkovLogicNetwork

_log = logging.getLogger("logicoder")


@dataclass(frozen=True)
class Programs:
    """The programs that options name.

    Attributes:
        definitions: derive evidence from the data.
        encoder: defines the latents of the network.
        decoder: rebuilds the data from them.
    """

    definitions: Program | None = None
    encoder: Program | None = None
    decoder: Program | None = None

    @classmethod
    def read(cls, definitions: Sequence[Path] | None, encoder: Path | None, decoder: Path | None) -> Programs:
        """Read the files of the options."""
        if (encoder is None) != (decoder is None):
            raise typer.BadParameter("--encoder and --decoder need each other: pass both")
        if definitions and encoder is not None:
            raise typer.BadParameter(
                "--definitions and --encoder exclude each other: definitions must not depend on the query, "
                "and latents of --encoder that do are open"
            )
        return cls(
            read_background(definitions or ()),
            read_background([encoder] if encoder else ()),
            read_background([decoder] if decoder else ()),
        )

    @property
    def defined(self) -> tuple[str, ...]:
        """The predicates that are no data."""
        return tuple(
            name for program in (self.definitions, self.encoder) if program for name in program.defined()
        )

    def prepared(
        self,
        network: MarkovLogicNetwork,
        kb: KnowledgeBase,
        query: Sequence[str],
        opened: Sequence[str],
        *,
        hide: bool,
    ) -> tuple[MarkovLogicNetwork, KnowledgeBase, tuple[str, ...]]:
        """Return network, evidence and open predicates of a query, as the programs make them."""
        from logicoder.mln.derived_evidence import undefined_part, with_definitions  # noqa: PLC0415
        from logicoder.mln.generative import latent_question  # noqa: PLC0415  (numpy takes its time)

        if self.definitions is not None:
            kb = with_definitions(network, kb, self.definitions, {*query, *opened})
        if self.encoder is None or self.decoder is None:
            return network, kb, tuple(opened)
        if len(query) > 1:
            raise typer.BadParameter("--encoder: only one predicate at a time can be queried: add --each")
        if not hide:
            raise typer.BadParameter("--no-hide: with --encoder the facts of the query are hidden")
        if given := sorted(set(opened) - set(self.encoder.defined())):
            raise typer.BadParameter(
                f"--open {', '.join(given)}: with --encoder, all data except the query is known, because "
                f"latents are computed from it"
            )
        data = undefined_part(kb, self.encoder)
        found = latent_question(network, self.encoder, self.decoder, data, query[0])
        if found.left_out:
            _log.warning(
                "%s: %d formulas are left out because they link too many open atoms", query[0], found.left_out
            )
        return found.network, found.kb, tuple(dict.fromkeys((*opened, *found.open)))
