"""The layers of a stack, where there are several."""

from __future__ import annotations

from logicoder.report.content import Content
from logicoder.report.markup import Markup
from logicoder.report.page_tables import Column, Row, table
from logicoder.report.sections.frame import section


def layers(content: Content) -> Markup | None:
    """Return what each layer of a stack came to."""
    if len(content.layers) < 2:
        return None
    names = ("layer", "facts", "latent predicates", "latent facts", "loss", "bound", "status")
    rows = [
        Row(
            (
                place,
                sum(layer.inputs.values()),
                len(layer.latents),
                sum(layer.latents.values()),
                *(getattr(run, name, None) for name in ("loss_", "bound_", "status_")),
            )
        )
        for place, (layer, run) in enumerate(zip(content.layers, content.runs, strict=True), start=1)
    ]
    columns = [Column(name, numeric=name != "status") for name in names]
    return section("layers", "Layers", table("From the data upwards", columns, rows))
