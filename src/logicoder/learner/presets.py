"""Settings to start from, by name."""

from __future__ import annotations

from typing import Any

PRESETS: dict[str, dict[str, Any]] = {
    # "Learning Relational Representations with Auto-encoding Logic Programs" (IJCAI 2019): all three pruning
    # rules, all four families of constraints, the average bottleneck, the reconstruction loss.
    "paper": {
        "encoder_length": 2,
        "decoder_length": 2,
        "compression": 0.5,
        "disjunctive_decoders": True,
        "naming_variants": True,
        "dependency_variants": False,
        "signature_variants": True,
        "max_corruption": 0.5,
        "dominance": False,
        "generality": True,
        "reconstruct_all": True,
        "bottlenecks": ("average",),
        "objective": "loss",
    },
}
# The candidates of its appendix: heads of at most two variables, none of them twice in a literal.
PRESETS["appendix"] = {**PRESETS["paper"], "max_latent_arity": 2, "repeated_variables": False}
