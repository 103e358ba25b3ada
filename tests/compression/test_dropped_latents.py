"""A message that does without a latent predicate of its search still has a bound over all candidates."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing
from datetime import date, timedelta

from logicoder import AutoEncoder, KnowledgeBase

REGIONS = [
    ("eur", "lind"),
    ("eur", "kask"),
    ("gbp", "oneil"),
    ("chf", "gruber"),
    ("eur", "costa"),
    ("usd", "haddad"),
]
ZONES, TAXES = ("z1", "z1", "z4", "z4", "z2", "z3", "z3"), (19, 19, 24, 24, 19, 10, 10)
TABLES = """
create table regions(region_id integer primary key, region_name text, currency text, sales_manager text);
create table customers(customer_id integer primary key, company text, region_id integer references regions,
    currency text, vat_class text, credit_rating text);
create table orders(order_id integer primary key, customer_id integer references customers, placed_on date,
    invoice_currency text, account_manager text, status text, paid boolean);
create table order_lines(line_id integer primary key, order_id integer references orders, article_id integer,
    quantity integer, line_vat integer, ship_zone text);
"""


def test_rules_with_constants_of_latents_that_are_not_stored_have_a_length(tmp_path):
    rng = random.Random(41)  # noqa: S311
    customers, orders, lines = [], [], []
    at = []
    for number in range(1, 121):
        at.append(rng.randrange(1, 7) - 1)
        currency = REGIONS[at[-1]][0]
        kind = "domestic" if currency == "eur" else "export"
        customers.append((number, f"Company {number}", at[-1] + 1, currency, kind, rng.choice("abcd")))
    for _ in range(25):
        rng.randrange(1, 7), rng.choice("abc")
    kinds = []
    for _ in range(150):
        kinds.append(rng.choice(range(7)))
        rng.randrange(1, 26)
    for number in range(1, 901):
        customer = rng.randrange(1, 121)
        placed = date(2024, 1, 1) + timedelta(days=rng.randrange(700))
        status = rng.choice(["open", "shipped", "closed", "closed"])
        currency, manager = REGIONS[at[customer - 1]]
        orders.append((number, customer, placed.isoformat(), currency, manager, status, status == "closed"))
        for _ in range(rng.randrange(1, 4)):
            article = rng.randrange(1, 151)
            kind = kinds[article - 1]
            lines.append((len(lines) + 1, number, article, rng.randrange(1, 20), TAXES[kind], ZONES[kind]))
    for row in rng.sample(range(len(lines)), 9):
        wrong = rng.choice([tax for tax in (10, 19, 24) if tax != lines[row][4]])
        lines[row] = (*lines[row][:4], wrong, lines[row][5])
    with closing(sqlite3.connect(tmp_path / "sales.db")) as database:
        database.executescript(TABLES)
        regions = [(i, f"region {i}", *region) for i, region in enumerate(REGIONS, 1)]
        for table, rows in (
            ("regions", regions),
            ("customers", customers),
            ("orders", orders),
            ("order_lines", lines),
        ):
            database.executemany(f"insert into {table} values({','.join('?' * len(rows[0]))})", rows)
        database.commit()
    kb = KnowledgeBase.from_path(tmp_path / "sales.db")
    model = AutoEncoder().fit(kb)
    assert model.bound_ is not None
    bits = model.encode_losslessly(kb).bits
    assert model.bound_ <= bits.plain - bits.saved + 1e-6
