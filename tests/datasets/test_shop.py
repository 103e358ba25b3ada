"""The shop: what is planted in it is there."""

import os
import sqlite3
import threading
from contextlib import closing

import pytest
from tests.waiting import joined

from logicoder import AutoEncoder, KnowledgeBase
from logicoder.base.errors import OutputError, UsageError
from logicoder.datasets import shop


def rows(path, query):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def test_redundancies_hold_but_for_nine_orders(tmp_path):
    made = shop(tmp_path / "shop.db", orders=200, seed=4)
    assert not rows(made.path, "SELECT * FROM products WHERE shelf <> category")
    cities = (
        "SELECT * FROM customers JOIN cities ON city_id = cities.id WHERE customers.country <> cities.country"
    )
    assert not rows(made.path, cities)
    wrong = """SELECT "order".id FROM "order" JOIN customers ON customer_id = customers.id
               WHERE country <> "ship country" ORDER BY 1"""
    assert tuple(number for (number,) in rows(made.path, wrong)) == made.wrong_orders
    assert len(made.wrong_orders) == 9
    assert [number for (number,) in rows(made.path, "SELECT id FROM customers ORDER BY 1")] == [*range(1, 67)]
    assert not rows(made.path, "PRAGMA foreign_key_check")


def test_the_seed_decides(tmp_path):
    content = [shop(tmp_path / f"{n}.db", 50, seed).path for n, seed in enumerate((1, 1, 2))]
    one, same, other = (rows(path, 'SELECT * FROM "order items"') for path in content)
    assert one == same != other


def test_a_file_is_replaced_or_left(tmp_path):
    path = shop(tmp_path / "shop.db", 20).path
    assert len(rows(shop(path, 30).path, 'SELECT * FROM "order"')) == 30
    with pytest.raises(UsageError, match="at least 9"):
        shop(path, 8)
    with pytest.raises(OutputError):
        shop(path / "below.db")
    assert [file.name for file in tmp_path.iterdir()] == ["shop.db"]


def test_a_link_is_followed_and_a_pipe_stays(tmp_path):
    (tmp_path / "real.db").touch(0o600)
    (tmp_path / "link.db").symlink_to("real.db")
    os.mkfifo(tmp_path / "pipe.db")
    content = shop(tmp_path / "link.db", 20).path.read_bytes()
    assert (tmp_path / "link.db").is_symlink()
    assert (tmp_path / "real.db").stat().st_mode & 0o777 == 0o600
    found = []
    reader = threading.Thread(target=lambda: found.append((tmp_path / "pipe.db").read_bytes()), daemon=True)
    reader.start()
    shop(tmp_path / "pipe.db", 20)
    joined(reader)
    assert found == [content]
    assert (tmp_path / "pipe.db").is_fifo()


def test_redundancies_and_errors_are_found(tmp_path):
    made = shop(tmp_path / "shop.db", seed=7)
    names = ["city_country", "customer_city", "customer_country", "order_customer", "order_ship_country"]
    kb = KnowledgeBase.from_sql(made.path).restricted([*names, "product_category", "product_shelf"])
    model = AutoEncoder(compression=0.61).fit(kb)
    missing = model.reconstruct(kb).missing
    assert {fact.predicate for fact in missing} == {"order_ship_country"}
    orders = sorted(int(fact.arguments[0].removeprefix("order:")) for fact in missing)
    assert tuple(orders) == made.wrong_orders
    # Seven predicates from four: shelf and category, and both countries, follow from others.
    assert len(model.encoder_.defined()) == 4
