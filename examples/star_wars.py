"""Learn a program from the Star Wars family, show it, and rebuild the facts from it.

Run it with: python examples/star_wars.py
"""

from logicoder import AutoEncoder
from logicoder.datasets import star_wars


def main() -> None:
    """Fit, show, reconstruct."""
    kb = star_wars()
    # Two thousand candidates instead of twenty thousand: seconds instead of minutes.
    alp = AutoEncoder(max_decoders=2000).fit(kb)

    print(f"{kb.size} facts, {alp.latent_facts_} latent facts")
    print(f"loss {alp.loss_}, proven bound {alp.bound_}: {alp.status_}")
    print("\nEncoder")
    print(alp.encoder_)
    print("\nDecoder")
    print(alp.decoder_)

    outcome = alp.reconstruct(kb)
    print("\nReconstruction")
    for score in outcome.predicates:
        print(f"{score.predicate:12} {score.rebuilt:3} of {score.facts:3} facts, {score.false} false")


if __name__ == "__main__":
    main()
