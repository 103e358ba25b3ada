"""Learn the weights of a Markov logic network from friends and smokers, and ask it who smokes and has cancer.

Run it with: python examples/smokers.py
"""

from logicoder.datasets import smokers
from logicoder.evaluation.scores import score
from logicoder.mln import MarkovLogicNetwork, infer, learn_weights, most_probable

FORMULAS = """
    smokes(person)
    cancer(person)
    friends(person, person)

    smokes(x)
    cancer(x)
    smokes(x) => cancer(x)
    friends(x,y) ^ smokes(x) => smokes(y)
"""


def main() -> None:
    """Learn in one town, ask in another."""
    town = smokers(people=2000, degree=6, seed=0)
    network = MarkovLogicNetwork.parse(FORMULAS)
    learned = learn_weights(network, town.kb, objective="cll", query=["smokes", "cancer"])
    print(f"{len(town.kb)} facts; {learned.atoms} atoms in {learned.rows} different rows")
    print("planted  learned")
    for planted, formula in zip(town.network, learned.network, strict=True):
        print(f"{planted.weight:7.2f}  {formula}")

    other = smokers(people=300, degree=6, seed=1).kb
    for query in (["cancer"], ["smokes", "cancer"]):
        found = infer(learned.network, other, query)
        print(f"\n{' and '.join(query)}, all of them hidden: {found}")
        for predicate in query:
            scores = score(found.truth(predicate), found.array(predicate))
            print(f"{predicate}: AUC-PR {scores.auc_pr:.3f} of {scores.positives} true atoms")

    best = most_probable(learned.network, other, ["smokes"])
    smoking = int(best.array("smokes").sum())
    print(f"\nIn the most probable world {smoking} people smoke: {best}")


if __name__ == "__main__":
    main()
