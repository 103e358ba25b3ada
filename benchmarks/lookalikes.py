"""Data that look like what people bring: graphs of knowledge, families, databases, tables, programs, games.

Each maker takes how large the data are to be, 1 being the size of the original that it is like, and gives the
same facts every time. What is planted in each is what its original is known for.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product

Facts = set[tuple[str, ...]]
Maker = Callable[[random.Random, float], Facts]


def _zipf(rng: random.Random, number: int) -> int:
    """Return one of some numbers, the small ones more often."""
    return min(number - 1, int(number ** rng.random()) - 1 if rng.random() < 0.5 else rng.randrange(number))


def _inverses(rng: random.Random, size: float) -> Facts:
    """A lexicon like WN18: nine relations, each with its inverse, a few lack it."""
    found: Facts = set()
    number = round(40_000 * size)
    up = {i: rng.randrange(max(0, i - 3000), i) for i in range(1, number)}
    for child, parent in up.items():
        if rng.random() < 0.9:
            found.add(("hypernym", f"s{child}", f"s{parent}"))
        if rng.random() < 0.9:
            found.add(("hyponym", f"s{parent}", f"s{child}"))
    for name, inverse, count in (
        ("member_meronym", "member_holonym", 8000),
        ("part_of", "has_part", 5500),
        ("topic_of", "member_of_topic", 3300),
        ("instance_hypernym", "instance_hyponym", 3100),
    ):
        for _ in range(round(count * size)):
            x, y = f"s{rng.randrange(number)}", f"s{_zipf(rng, number)}"
            found |= {("_" + name, x, y)} if rng.random() < 0.95 else set()
            found |= {("_" + inverse, y, x)} if rng.random() < 0.95 else set()
    for name, count in (("derivation", 15_000), ("similar_to", 100), ("verb_group", 600)):
        for _ in range(round(count * size)):
            x, y = rng.randrange(number), rng.randrange(number)
            found |= {(name, f"s{x}", f"s{y}"), (name, f"s{y}", f"s{x}")}
    return found


def _duplicates(rng: random.Random, size: float) -> Facts:
    """A graph like FB15k: hundreds of typed relations, many of them nearly another one or its inverse."""
    entities = max(100, round(15_000 * size))
    kinds = [[f"k{k}_{i}" for i in range(max(3, round(entities / 40 * (1 + k % 7) / 4)))] for k in range(40)]
    found: Facts = set()
    pairs: list[tuple[str, str]] = []
    for relation in range(300):
        kind = relation % 4
        if kind in (1, 2) and pairs:
            keep = (0.7, 0.9, 0.97, 1.0)[relation % 3]
            pairs = [(y, x) if kind == 1 else (x, y) for x, y in pairs if rng.random() < keep]
        else:
            first, second = (rng.choice(kinds) for _ in range(2))
            count = round(2400 * size * rng.random() ** 2 * 2)
            pairs = [(first[_zipf(rng, len(first))], second[_zipf(rng, len(second))]) for _ in range(count)]
        found |= {(f"/r/{relation}", x, y) for x, y in pairs}
    return found


def _extracted(rng: random.Random, size: float) -> Facts:
    """Facts that were read from the web, like NELL: categories with their closure, noisy typed relations."""
    number = round(25_000 * size)
    category_up = {c: rng.randrange(c) for c in range(1, 120)}
    found: Facts = {("generalizations", f"cat{c}", f"cat{p}") for c, p in category_up.items()}
    kind = {i: rng.randrange(120) for i in range(number)}
    for i, c in kind.items():
        at: int | None = c
        while at is not None:
            if rng.random() < 0.93:
                found.add((f"cat{at}", f"n{i}"))
            at = category_up.get(at)
    members: dict[int, list[int]] = {}
    for i, c in kind.items():
        members.setdefault(c, []).append(i)
    for relation in range(100):
        first, second = (members[rng.choice(sorted(members))] for _ in range(2))
        for _ in range(round(900 * size)):
            x = rng.choice(first) if rng.random() < 0.9 else rng.randrange(number)
            y = rng.choice(second) if rng.random() < 0.9 else rng.randrange(number)
            found.add((f"rel{relation}", f"n{x}", f"n{y}"))
            if relation % 5 == 0 and rng.random() < 0.6:
                found.add((f"inverse{relation}", f"n{y}", f"n{x}"))
    return found


def _people(rng: random.Random, size: float) -> Facts:
    """People and places like YAGO: marriages, children, births, cities in regions in countries, citizens."""
    people, cities = round(120_000 * size), max(50, round(6_000 * size))
    regions, countries = max(12, cities // 12), max(4, cities // 120)
    region = {c: rng.randrange(regions) for c in range(cities)}
    country = {r: rng.randrange(countries) for r in range(regions)}
    found: Facts = set()
    for c, r in region.items():
        found |= {("isLocatedIn", f"city{c}", f"region{r}"), ("isLocatedIn", f"city{c}", f"land{country[r]}")}
    found |= {("isLocatedIn", f"region{r}", f"land{k}") for r, k in country.items()}
    found |= {("hasCapital", f"land{k}", f"city{rng.randrange(cities)}") for k in range(countries)}
    for i in range(people):
        born = _zipf(rng, cities)
        land = country[region[born]]
        found.add(("wasBornIn", f"p{i}", f"city{born}"))
        found.add(("hasGender", f"p{i}", ("male", "female")[i % 2]))
        if rng.random() < 0.95:
            found.add(
                ("isCitizenOf", f"p{i}", f"land{land if rng.random() < 0.9 else rng.randrange(countries)}")
            )
        if rng.random() < 0.3:
            found.add(("diedIn", f"p{i}", f"city{born if rng.random() < 0.3 else _zipf(rng, cities)}"))
        if i % 2 == 0 and rng.random() < 0.4:
            found |= {("isMarriedTo", f"p{i}", f"p{i + 1}"), ("isMarriedTo", f"p{i + 1}", f"p{i}")}
            for _ in range(rng.randrange(4)):
                child = rng.randrange(people)
                found |= {("hasChild", f"p{i}", f"p{child}"), ("hasChild", f"p{i + 1}", f"p{child}")}
        for _ in range(3):
            found.add(("influences", f"p{_zipf(rng, people)}", f"p{i}"))
    return found


def _biology(rng: random.Random, size: float) -> Facts:
    """Genes, drugs and diseases like OpenBioLink: activation is regulation, ontologies with their closure."""
    genes, diseases, terms = (max(30, round(n * size)) for n in (18_000, 5_000, 8_000))
    up = {t: rng.randrange(max(0, t - 400), t) for t in range(1, terms)}
    found: Facts = {("IS_A", f"GO{c}", f"GO{p}") for c, p in up.items()}
    for g in range(genes):
        for _ in range(3):
            at: int | None = rng.randrange(terms)
            found.add(("GENE_GO", f"g{g}", f"GO{at}"))
        for _ in range(6):
            other = _zipf(rng, genes)
            found.add(("GENE_REACTION_GENE", f"g{g}", f"g{other}"))
            found.add(("GENE_REACTION_GENE", f"g{other}", f"g{g}"))
            if rng.random() < 0.4:
                found.add(("GENE_CATALYSIS_GENE", f"g{g}", f"g{other}"))
            if rng.random() < 0.2:
                found.add(("GENE_ACTIVATION_GENE", f"g{g}", f"g{other}"))
                found.add(("GENE_REGULATION_GENE", f"g{g}", f"g{other}"))
    for drug in range(diseases):
        targets = {_zipf(rng, genes) for _ in range(4)}
        for g in targets:
            found.add(("DRUG_BINDING_GENE", f"d{drug}", f"g{g}"))
            effect = ("ACTIVATION", "INHIBITION")[g % 2]
            found.add((f"DRUG_{effect}_GENE", f"d{drug}", f"g{g}"))
    for disease in range(diseases):
        own = {_zipf(rng, genes) for _ in range(6)}
        found |= {("GENE_DIS", f"g{g}", f"D{disease}") for g in own}
    return found


def _kin(_: random.Random, size: float) -> Facts:
    """A family of a hundred facts like Elti and Dunur: wives of brothers, and parents of a couple."""
    found: Facts = set()
    couples = [(f"h{i}", f"w{i}") for i in range(round(16 * size))]
    children: dict[int, list[str]] = {}
    for i, (husband, wife) in enumerate(couples):
        found |= {("husband", husband, wife), ("wife", wife, husband)}
        above = (i - 1) // 2
        if i:
            children.setdefault(above, []).append(husband)
            found |= {("father", couples[above][0], husband), ("mother", couples[above][1], husband)}
            found |= {("son", husband, parent) for parent in couples[above]}
    for own in children.values():
        for x, y in product(own, own):
            if x != y:
                found |= {("brother", x, y), ("elti", "w" + x[1:], "w" + y[1:])}
    for i, couple in enumerate(couples):
        wife = couple[1]
        if i:
            parents = f"m{i}", f"f{i}"
            found |= {("mother", parents[0], wife), ("father", parents[1], wife)}
            found |= {("daughter", wife, parent) for parent in parents}
            above = couples[(i - 1) // 2]
            for x, y in product(parents, above):
                found |= {("dunur", x, y), ("dunur", y, x)}
    return found


def _loans(rng: random.Random, size: float) -> Facts:
    """Students like StudentLoan: who need not pay follows from five other tables."""
    found: Facts = set()
    for i in range(round(1000 * size)):
        student = f"student{i}"
        found.add(("male", student) if rng.random() < 0.5 else ("female", student))
        absence = rng.randrange(10)
        found.add(("longest_absence", student, f"m{absence}"))
        free = False
        for name, share in (("unemployed", 0.1), ("bankrupt", 0.08), ("disabled", 0.1)):
            if rng.random() < share:
                found.add((name, student))
                free = True
        if rng.random() < 0.1:
            found.add(("enlist", student, f"force{rng.randrange(7)}"))
            free = True
        if rng.random() < 0.4:
            units = rng.randrange(1, 15)
            found.add(("enrolled", student, f"school{rng.randrange(6)}", f"u{units}"))
            free = free or units > 11
        found.add(("payment_due", student, "no" if free else "yes"))
        if free:
            found.add(("no_payment_due", student))
    return found


def _bank(rng: random.Random, size: float) -> Facts:
    """A bank like Financial: districts with many attributes, accounts, clients, loans, transactions."""
    found: Facts = set()
    for d in range(77):
        found.add(
            (
                "district",
                f"d{d}",
                f"town{d}",
                f"region{d % 8}",
                f"n{rng.randrange(30)}",
                f"wage{rng.randrange(60)}",
            )
        )
    accounts = round(4500 * size)
    for a in range(accounts):
        d = rng.randrange(77)
        found.add(
            ("account", f"a{a}", f"d{d}", f"freq{min(2, rng.randrange(12))}", f"day{rng.randrange(1500)}")
        )
        found.add(
            (
                "client",
                f"c{a}",
                f"b{rng.randrange(800)}",
                f"d{d if rng.random() < 0.9 else rng.randrange(77)}",
            )
        )
        found.add(("disp", f"a{a}", f"c{a}", "owner"))
        if rng.random() < 0.15:
            status = rng.choice("ABCD")
            months = (12, 24, 36, 48, 60)[rng.randrange(5)]
            found.add(("loan", f"a{a}", f"amount{rng.randrange(600)}", f"m{months}", status))
            found.add(("bad" if status in "BD" else "good", f"a{a}"))
        for t in range(12):
            kind = rng.randrange(5)
            operation = ("in", "in", "out", "out", "card")[kind]
            found.add(
                (
                    "trans",
                    f"t{a}_{t}",
                    f"a{a}",
                    f"kind{kind}",
                    operation,
                    f"day{rng.randrange(2000)}",
                    f"sum{rng.randrange(900)}",
                )
            )
    return found


def _shop(rng: random.Random, size: float) -> Facts:
    """A shop like Northwind as attributes: orders repeat their customer's city, cities have one country."""
    found: Facts = set()
    country = {c: rng.randrange(21) for c in range(70)}
    city = {c: rng.randrange(70) for c in range(round(600 * size))}
    category = {p: rng.randrange(8) for p in range(round(300 * size))}
    supplier = {p: rng.randrange(29) for p in category}
    for c, place in city.items():
        found |= {
            ("customer_city", f"cu{c}", f"city{place}"),
            ("customer_country", f"cu{c}", f"land{country[place]}"),
        }
    for p, kind in category.items():
        found |= {("category", f"p{p}", f"cat{kind}"), ("supplier", f"p{p}", f"s{supplier[p]}")}
        found.add(("price", f"p{p}", f"eur{rng.randrange(90)}"))
    for o in range(round(4000 * size)):
        customer = _zipf(rng, len(city))
        place = city[customer] if rng.random() < 0.9 else rng.randrange(70)
        found |= {
            ("customer", f"o{o}", f"cu{customer}"),
            ("ship_city", f"o{o}", f"city{place}"),
            ("ship_country", f"o{o}", f"land{country[place]}"),
            ("employee", f"o{o}", f"e{rng.randrange(9)}"),
        }
        for _ in range(rng.randrange(1, 5)):
            p = _zipf(rng, len(category))
            found.add(("detail", f"o{o}", f"p{p}", f"q{rng.randrange(60)}"))
    return found


def _films(rng: random.Random, size: float) -> Facts:
    """Ratings like MovieLens: a hundred thousand triples, users and films with a few attributes."""
    found: Facts = set()
    users, films = round(940 * size**0.5), round(1680 * size**0.5)
    taste = {f: rng.randrange(6) for f in range(films)}
    for f in range(films):
        found |= {("genre", f"f{f}", f"g{taste[f]}"), ("year", f"f{f}", f"y{rng.randrange(70)}")}
    for u in range(users):
        own = rng.randrange(6)
        found |= {("age", f"u{u}", f"a{rng.randrange(7)}"), ("gender", f"u{u}", "MF"[u % 2])}
        found.add(("occupation", f"u{u}", f"o{rng.randrange(21)}"))
        for _ in range(round(106 * size**0.5) or 1):
            f = _zipf(rng, films)
            stars = rng.choice((4, 5)) if taste[f] == own else rng.randrange(1, 6)
            found.add(("rating", f"u{u}", f"f{f}", f"r{stars}"))
    return found


def _attributes(rng: random.Random, size: float) -> Facts:
    """A wide table as attributes: zip tells city, city state, state zone, a product brand and maker."""
    found: Facts = set()
    state = {c: rng.randrange(16) for c in range(120)}
    city = {z: rng.randrange(120) for z in range(500)}
    brand = {p: rng.randrange(40) for p in range(300)}
    maker = {b: rng.randrange(12) for b in range(40)}
    for i in range(round(5000 * size)):
        z, p = rng.randrange(500), _zipf(rng, 300)
        row = {
            "zip": z,
            "city": city[z],
            "state": state[city[z]],
            "zone": state[city[z]] % 4,
            "product": p,
            "brand": brand[p] if rng.random() < 0.98 else rng.randrange(40),
            "maker": maker[brand[p]],
            **{f"free{k}": rng.randrange(3 + 4 * k) for k in range(8)},
        }
        found |= {(name, f"row{i}", f"{name}{value}") for name, value in row.items()}
    return found


def _wide_table(rng: random.Random, size: float) -> Facts:
    """The same in one predicate of seven places, and a key."""
    state = {c: rng.randrange(16) for c in range(120)}
    city = {z: rng.randrange(120) for z in range(500)}
    brand = {p: rng.randrange(40) for p in range(300)}
    found: Facts = set()
    for i in range(round(5000 * size)):
        z, p = rng.randrange(500), _zipf(rng, 300)
        found.add(
            (
                "sale",
                f"row{i}",
                f"zip{z}",
                f"city{city[z]}",
                f"state{state[city[z]]}",
                f"p{p}",
                f"brand{brand[p]}",
            )
        )
    return found


def _pointers(rng: random.Random, size: float) -> Facts:
    """A program's variables and heap: who points to what follows from assignments and allocations."""
    variables = round(4000 * size)
    found: Facts = set()
    assigned: dict[int, list[int]] = {}
    points: dict[int, set[int]] = {v: set() for v in range(variables)}
    for v in range(variables):
        if rng.random() < 0.4:
            found.add(("new", f"v{v}", f"h{v}"))
            points[v].add(v)
        for _ in range(rng.randrange(3)):
            source = rng.randrange(max(0, v - 40), v + 1)
            if source != v:
                found.add(("assign", f"v{v}", f"v{source}"))
                assigned.setdefault(v, []).append(source)
        found.add(("method", f"v{v}", f"m{v // 12}"))
        found.add(("type", f"v{v}", f"t{rng.randrange(60)}"))
    for v in range(variables):
        for source in assigned.get(v, ()):
            points[v] |= points[source]
        if len(points[v]) > 30:
            points[v] = set(sorted(points[v])[:30])
        found |= {("vpt", f"v{v}", f"h{h}") for h in points[v]}
    return found


def _citations(rng: random.Random, size: float) -> Facts:
    """Papers like Cora and DBLP: authors, venues of a field, years, citations mostly within a field."""
    found: Facts = set()
    papers = round(20_000 * size)
    venue_field = {v: rng.randrange(7) for v in range(60)}
    fields: dict[int, list[int]] = {f: [0] for f in range(7)}
    for i in range(papers):
        venue = rng.randrange(60)
        field = venue_field[venue]
        found |= {
            ("venue", f"p{i}", f"v{venue}"),
            ("field", f"p{i}", f"f{field}"),
            ("year", f"p{i}", f"y{i * 30 // papers}"),
        }
        for _ in range(rng.randrange(1, 4)):
            found.add(("wrote", f"a{_zipf(rng, papers // 3)}", f"p{i}"))
        for _ in range(4):
            other = rng.choice(fields[field]) if rng.random() < 0.85 else rng.randrange(i + 1)
            if other != i:
                found.add(("cites", f"p{i}", f"p{other}"))
        fields[field].append(i)
    return found


def _ontology(rng: random.Random, size: float) -> Facts:
    """Classes with their closure, instances with all types they inherit, disjoint classes both ways."""
    classes = round(1500 * size)
    up = {c: rng.randrange(max(0, c - 60), c) for c in range(1, classes)}
    above: dict[int, set[int]] = {0: set()}
    for c, p in up.items():
        above[c] = above[p] | {p}
    found: Facts = {("direct", f"C{c}", f"C{p}") for c, p in up.items()}
    found |= {("subClassOf", f"C{c}", f"C{p}") for c, own in above.items() for p in own}
    for i in range(round(6000 * size)):
        c = rng.randrange(classes)
        found |= {("type", f"i{i}", f"C{k}") for k in above[c] | {c}}
    for _ in range(round(500 * size)):
        x, y = rng.randrange(classes), rng.randrange(classes)
        found |= {("disjoint", f"C{x}", f"C{y}"), ("disjoint", f"C{y}", f"C{x}")}
    return found


def _endgame(rng: random.Random, size: float) -> Facts:
    """King and rook against king: six places, and who may not stand there; near and less of lines."""
    found: Facts = set()
    for a, b in product(range(8), range(8)):
        found |= {("less", f"n{a}", f"n{b}")} if a < b else set()
        found |= {("near", f"n{a}", f"n{b}")} if abs(a - b) <= 1 else set()
    for _ in range(round(28_000 * size)):
        place = [rng.randrange(8) for _ in range(6)]
        wk, wr, bk = place[:2], place[2:4], place[4:]
        touching = max(abs(wk[0] - bk[0]), abs(wk[1] - bk[1])) <= 1
        attacked = wr[0] == bk[0] or wr[1] == bk[1]
        found.add(("position", *(f"n{x}" for x in place)))
        if touching or attacked:
            found.add(("illegal", *(f"n{x}" for x in place)))
    return found


LOOKALIKES: dict[str, Maker] = {
    "inverses": _inverses,
    "duplicates": _duplicates,
    "extracted": _extracted,
    "people": _people,
    "biology": _biology,
    "kin": _kin,
    "loans": _loans,
    "bank": _bank,
    "shop": _shop,
    "films": _films,
    "attributes": _attributes,
    "wide table": _wide_table,
    "pointers": _pointers,
    "citations": _citations,
    "ontology": _ontology,
    "endgame": _endgame,
}


def lookalike(name: str, size: float = 1.0) -> Facts:
    """Return the facts of one of them."""
    return LOOKALIKES[name](random.Random(0), size)  # noqa: S311
