"""Learn from a generated university and compare the learned program with the planted one.

Run it with: python examples/planted.py
"""

from logicoder import AutoEncoder
from logicoder.datasets import university


def main() -> None:
    """Compare on the data that was learned from, on new data, and with noise."""
    world = university(people=40, seed=0)
    learned = AutoEncoder(compression=world.compression, max_decoders=2000).fit(world.kb)
    print(f"{len(world.kb)} facts; compression {world.compression}")
    print(f"planted: loss {world.planted_loss}, {world.latent_facts} latent facts, size {world.planted_size}")
    print(f"learned: loss {learned.loss_}, {learned.latent_facts_} latent facts, size {learned.size_}")
    for title, program in (
        ("Planted encoder", world.encoder),
        ("Learned encoder", learned.encoder_),
        ("Planted decoder", world.decoder),
        ("Learned decoder", learned.decoder_),
    ):
        print(f"\n{title}\n{program}")

    other = university(people=200, seed=1)
    print(f"\nOn a university of {len(other.kb)} facts that it has not seen:")
    print(learned.reconstruct(other.kb))

    noisy = university(people=40, seed=0, noise=0.1)
    model = AutoEncoder(compression=noisy.compression, max_decoders=2000, effort=3).fit(noisy.kb)
    print(f"\nWith {noisy.dropped} facts dropped and {noisy.added} added:")
    print(f"planted: loss {noisy.planted_loss}, {noisy.latent_facts} latent facts")
    print(f"learned: loss {model.loss_}, {model.latent_facts_} latent facts: it keeps the noise as well")


if __name__ == "__main__":
    main()
