"""A small shop in a database: five tables, with redundancies that a program can find, and nine errors."""

from __future__ import annotations

import random
import sqlite3
import tempfile
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from logicoder.base.errors import OutputError, UsageError
from logicoder.base.files import write_bytes

WRONG = 9
"""Orders that are shipped to another country than the customer's."""

_TABLES = """
CREATE TABLE cities (id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL);
CREATE TABLE customers (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, email TEXT, city_id INTEGER NOT NULL REFERENCES cities (id),
  country TEXT NOT NULL, segment TEXT, newsletter BOOLEAN NOT NULL, since DATE);
CREATE TABLE products (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, category TEXT NOT NULL, shelf TEXT NOT NULL,
  price REAL NOT NULL, discontinued BOOLEAN NOT NULL, photo BLOB);
CREATE TABLE "order" (
  id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (id), placed DATE NOT NULL,
  shipped DATE, "ship country" TEXT, priority INTEGER);
CREATE TABLE "order items" (
  order_id INTEGER NOT NULL REFERENCES "order" (id), product_id INTEGER NOT NULL REFERENCES products (id),
  quantity INTEGER NOT NULL, PRIMARY KEY (order_id, product_id));
CREATE VIEW turnover AS
  SELECT category, sum(price * quantity) AS total
  FROM products JOIN "order items" ON products.id = product_id GROUP BY category;
"""
_COUNTRIES = {
    "austria": ("vienna", "graz", "linz"),
    "belgium": ("ghent", "liege"),
    "denmark": ("aarhus", "odense"),
    "france": ("lyon", "nantes", "lille"),
    "italy": ("turin", "pisa"),
    "poland": ("poznan", "gdansk", "lublin"),
}
_CATEGORIES = ("books", "garden", "kitchen", "music", "toys")
_SEGMENTS = ("private", "business", "school")
_FIRST = ("Ada", "Ben", "Cleo", "Dan", "Eve", "Finn", "Gia", "Hugo", "Ida", "Jon", "Kim", "Leo", "Mia")
_LAST = ("Abel", "Brand", "Costa", "Dupont", "Egger", "Fabre", "Gallo", "Holm", "Jansen", "Kowalski", "Lund")


@dataclass(frozen=True)
class Shop:
    """A shop that was written to a file.

    Attributes:
        path: the SQLite file.
        wrong_orders: ids of the orders whose ship country is not the customer's.
    """

    path: Path
    wrong_orders: tuple[int, ...]


def shop(path: str | Path, orders: int = 300, seed: int = 0) -> Shop:
    """Write the database of a small shop.

    Three columns follow from others: the country of a customer is that of the city, a product's shelf is its
    category, and an order is shipped to the country of its customer, except for nine orders.

    Args:
        path: where to write the SQLite file; an existing one is replaced.
        orders: how many orders, at least nine; there are a third as many customers, and a quarter as many
            products up to 60.
        seed: of the random numbers.

    Raises:
        OutputError: if the file cannot be written.
        UsageError: for fewer than nine orders.
    """
    if orders < WRONG:
        raise UsageError(f"a shop needs at least {WRONG} orders, not {orders}")
    path = Path(path)
    draw = random.Random(seed)  # noqa: S311  (made-up data)
    try:
        with tempfile.TemporaryDirectory() as room:
            made = Path(room) / "shop.db"
            with closing(sqlite3.connect(made)) as connection, connection:
                connection.executescript(_TABLES)
                wrong = _fill(connection, orders, draw)
            content = made.read_bytes()
    except (OSError, sqlite3.Error) as error:
        raise OutputError(f"{path}: cannot be written: {getattr(error, 'strerror', None) or error}") from None
    write_bytes(path, content)
    return Shop(path, wrong)


def _fill(connection: sqlite3.Connection, orders: int, draw: random.Random) -> tuple[int, ...]:
    cities = [(city, country) for country, several in _COUNTRIES.items() for city in several]
    _insert(connection, "cities", [(number, *city) for number, city in enumerate(cities, 1)])
    customers = []
    for number in range(1, max(orders // 3, 3) + 1):
        city = draw.randrange(len(cities))
        name = f"{draw.choice(_FIRST)} {draw.choice(_LAST)} {number}"
        email = f"{name.lower().replace(' ', '.')}@example.org" if draw.random() < 0.8 else None
        since = (date(2020, 1, 1) + timedelta(days=draw.randrange(1500))).isoformat()
        segment = draw.choice(_SEGMENTS) if draw.random() < 0.9 else None
        customers.append(
            (
                number,
                name,
                email,
                city + 1,
                cities[city][1],
                segment,
                int(draw.random() < 0.4),
                since if draw.random() < 0.95 else "",
            )
        )
    _insert(connection, "customers", customers)
    products = []
    for number in range(1, max(min(orders // 4, 60), 4) + 1):
        category = draw.choice(_CATEGORIES)
        price = round(draw.lognormvariate(3, 1), 2)
        photo = bytes(draw.randrange(256) for _ in range(8)) if draw.random() < 0.5 else None
        name = f"{category} article {number}"
        products.append((number, name, category, category, price, int(draw.random() < 0.2), photo))
    _insert(connection, "products", products)
    wrong = tuple(sorted(draw.sample(range(1, orders + 1), WRONG)))
    sales, items = [], []
    for number in range(1, orders + 1):
        customer = draw.choice(customers)
        placed = date(2024, 1, 1) + timedelta(days=draw.randrange(366))
        shipped = (
            (placed + timedelta(days=draw.randrange(1, 9))).isoformat() if draw.random() < 0.85 else None
        )
        country = str(customer[4])
        if number in wrong:
            country = draw.choice([other for other in _COUNTRIES if other != country])
        priority = draw.choice((1, 2, 3)) if draw.random() < 0.7 else None
        sales.append((number, customer[0], placed.isoformat(), shipped, country, priority))
        for product in draw.sample(products, draw.choice((1, 1, 2, 3))):
            items.append((number, product[0], draw.randrange(1, 30)))
    _insert(connection, '"order"', sales)
    _insert(connection, '"order items"', items)
    return wrong


def _insert(connection: sqlite3.Connection, table: str, rows: Sequence[tuple[object, ...]]) -> None:
    marks = ", ".join("?" * len(rows[0]))
    connection.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608  (names of this module)
