"""Use programs written by hand: encode, question the latent facts, and see what is lost.

Run it with: python examples/hand_written.py
"""

from logicoder import AutoEncoder
from logicoder.datasets import star_wars

ENCODER = """
    parent(X,Y) :- father(X,Y) ; mother(X,Y).
    man(X) :- male(X).
    woman(X) :- female(X).
"""
DECODER = """
    father(X,Y) :- parent(X,Y), man(X).
    mother(X,Y) :- parent(X,Y), woman(X).
    son(X,Y) :- parent(Y,X), man(X).
    daughter(X,Y) :- parent(Y,X), woman(X).
    grandparent(X,Z) :- parent(X,Y), parent(Y,Z).
    brother(X,Y) :- parent(Z,X), parent(Z,Y), man(X).
    sister(X,Y) :- parent(Z,X), parent(Z,Y), woman(X).
    male(X) :- man(X).
    female(X) :- woman(X).
"""


def main() -> None:
    """Ask questions about data and latent facts, then compare data and reconstruction."""
    kb = star_wars().restricted(
        ["father", "mother", "son", "daughter", "brother", "sister", "grandparent", "male", "female"]
    )
    alp = AutoEncoder.from_programs(ENCODER, DECODER, schema=kb.schema)

    print("Sisters with a son or a daughter:")
    for answer in kb.query("sister(X,_), father(X,_) ; sister(X,_), mother(X,_)"):
        print(f"  {answer['X']}")

    latent = alp.transform(kb)
    print(f"\n{len(kb)} facts became {len(latent)} latent facts. Grandmothers, asked of these:")
    for (name,) in latent.query("parent(X,_Y), parent(_Y,_Z), woman(X)").rows:
        print(f"  {name}")

    outcome = alp.reconstruct(kb)
    print(f"\nmissing: {len(outcome.missing)}, false: {len(outcome.false)}")
    print("Everybody is a brother or sister of themselves, says this decoder:")
    for fact in outcome.false:
        print(f"  {fact}")


if __name__ == "__main__":
    main()
