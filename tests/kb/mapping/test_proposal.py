"""The mapping that is proposed is the right one: against SQL queries, and on tables made to mislead."""

import re
import sqlite3
from contextlib import closing

import pytest

from logicoder import KnowledgeBase
from logicoder.kb.mapping.table_reader import open_source, read_tables
from logicoder.kb.mapping.tables import GivenTables, SourceTable, TableData
from logicoder.logic.symbols import value_of

SHOP = """\
city_country(city,country)
customer_city(customer,city)
customer_country(customer,country)
customer_segment(customer,segment)
customer_newsletter(customer)
customer_since(customer,since)
product_category(product,category)
product_shelf(product,category)
product_price(product,price)
product_discontinued(product)
order_customer(order,customer)
order_placed(order,placed)
order_shipped(order,shipped)
order_ship_country(order,country)
order_priority(order,priority)
order_item_order(order_item,order)
order_item_product(order_item,product)
order_item_quantity(order_item,quantity)"""

# ruff: noqa: S608

ITEM = "'order_item:' || order_id || ':' || product_id"
EXACT = {
    "city_country": "SELECT 'city:' || id, country FROM cities",
    "customer_city": "SELECT 'customer:' || id, 'city:' || city_id FROM customers",
    "customer_country": "SELECT 'customer:' || id, country FROM customers",
    "customer_segment": "SELECT 'customer:' || id, segment FROM customers WHERE segment IS NOT NULL",
    "customer_newsletter": "SELECT 'customer:' || id FROM customers WHERE newsletter",
    "product_category": "SELECT 'product:' || id, category FROM products",
    "product_shelf": "SELECT 'product:' || id, shelf FROM products",
    "product_discontinued": "SELECT 'product:' || id FROM products WHERE discontinued",
    "order_customer": """SELECT 'order:' || id, 'customer:' || customer_id FROM "order" """,
    "order_ship_country": """SELECT 'order:' || id, "ship country" FROM "order" """,
    "order_priority": """SELECT 'order:' || id, priority FROM "order" WHERE priority IS NOT NULL""",
    "order_item_order": f"""SELECT {ITEM}, 'order:' || order_id FROM "order items" """,
    "order_item_product": f"""SELECT {ITEM}, 'product:' || product_id FROM "order items" """,
}
BINNED = {
    "customer_since": "SELECT 'customer:' || id, since FROM customers WHERE since <> ''",
    "product_price": "SELECT 'product:' || id, price FROM products",
    "order_placed": """SELECT 'order:' || id, placed FROM "order" """,
    "order_shipped": """SELECT 'order:' || id, shipped FROM "order" WHERE shipped IS NOT NULL""",
    "order_item_quantity": f"""SELECT {ITEM}, quantity FROM "order items" """,
}


def rows(path, query):
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def schema_of(path, **options):
    return str(KnowledgeBase.from_sql(path, **options).schema).splitlines()


def decisions(path):
    return {place: (what, why) for place, what, why in read_tables(open_source(path))[1].decisions()}


def test_the_shop_gives_the_predicates_it_should(shop):
    kb = KnowledgeBase.from_sql(shop.path)
    assert str(kb.schema.restricted(kb.learnable)) == SHOP


@pytest.mark.parametrize("predicate", EXACT)
def test_facts_are_what_sql_says(shop, predicate):
    facts = [fact.arguments for fact in KnowledgeBase.from_sql(shop.path).facts(predicate)]
    assert sorted(facts) == sorted(rows(shop.path, EXACT[predicate]))


@pytest.mark.parametrize("predicate", BINNED)
def test_bins_hold_the_values_that_sql_says(shop, predicate):
    facts = dict(fact.arguments for fact in KnowledgeBase.from_sql(shop.path).facts(predicate))
    expected = dict(rows(shop.path, BINNED[predicate]))
    assert facts.keys() == expected.keys()
    assert len(set(facts.values())) == 4
    for row, interval in facts.items():
        low, high = re.fullmatch(r"\[(.*)\.\.(.*)\)", interval).groups()
        value = expected[row]
        kind = type(value)
        assert not low or kind(low) <= value
        assert not high or value < kind(high)


def test_all_predicates_of_the_shop_were_compared(shop):
    assert set(KnowledgeBase.from_sql(shop.path).learnable) == {*EXACT, *BINNED}


def test_what_is_left_out_is_told(shop):
    told = decisions(shop.path)
    left = {place: why for place, (what, why) in told.items() if what == "left out"}
    assert set(left) == {
        "cities.name",
        "customers.name",
        "customers.email",
        "products.name",
        "products.photo",
    }
    assert left["customers.name"] == "text with 100 values in 100 rows"
    assert "BLOB" in left["products.photo"]


def test_a_foreign_key_is_found_by_name_and_values(made):
    path = made("""
        CREATE TABLE teams (id INTEGER PRIMARY KEY, league TEXT);
        CREATE TABLE players (
          id INTEGER PRIMARY KEY, team_id INTEGER, old_team_id INTEGER, TeamID INTEGER, no INTEGER);
        INSERT INTO teams VALUES (10, 'a'), (20, 'b');
        INSERT INTO players VALUES (1, 10, 20, 99, 10), (2, 20, NULL, 10, 20);
    """)
    assert schema_of(path) == [
        "team_league(team,league)",
        "player_team(player,team)",
        "player_old_team(player,team)",
        "player_team_id(player,team_id)",
        "player_no(player,no)",
    ]
    told = decisions(path)
    assert told["players.team_id"][1] == "not declared: the name fits, and 2 of 2 values are keys of teams"
    assert "only 1 of 2 values are keys of teams" in told["players.TeamID"][1]


def test_two_foreign_keys_and_nothing_else_are_one_predicate(made):
    path = made("""
        CREATE TABLE person (id INTEGER PRIMARY KEY, kind TEXT);
        CREATE TABLE club (id INTEGER PRIMARY KEY, kind TEXT);
        CREATE TABLE member (person_id REFERENCES person, club_id REFERENCES club);
        CREATE TABLE founder (id INTEGER PRIMARY KEY, club_id REFERENCES club, person_id REFERENCES person);
        CREATE TABLE visit (id INTEGER PRIMARY KEY, club_id REFERENCES club, person_id REFERENCES person);
        INSERT INTO person VALUES (1, 'x'), (2, 'y');
        INSERT INTO club VALUES (1, 'u'), (2, 'v');
        INSERT INTO member VALUES (1, 2), (2, 2);
        INSERT INTO founder VALUES (5, 1, 1), (6, 2, 1);
        INSERT INTO visit VALUES (5, 1, 1), (6, 1, 1);
    """)
    kb = KnowledgeBase.from_sql(path)
    assert str(kb.schema["member"]) == "member(person,club)"
    assert str(kb.schema["founder"]) == "founder(club,person)"
    assert ("founder", "club:2", "person:1") in kb
    # The same pair twice would be lost: such rows are things of their own.
    assert str(kb.schema["visit_club"]) == "visit_club(visit,club)"
    assert kb.count("visit_club") == 2


def test_a_key_that_is_the_key_of_another_table_describes_its_things(made):
    path = made("""
        CREATE TABLE person (id INTEGER PRIMARY KEY, sex TEXT);
        CREATE TABLE employee (id INTEGER PRIMARY KEY REFERENCES person, wage TEXT);
        INSERT INTO person VALUES (1, 'm'), (2, 'f');
        INSERT INTO employee VALUES (2, 'low');
    """)
    assert schema_of(path) == ["person_sex(person,sex)", "employee_wage(person,wage)"]
    assert ("employee_wage", "person:2", "low") in KnowledgeBase.from_sql(path)


@pytest.mark.parametrize(
    "script",
    [
        """CREATE TABLE a (id INTEGER PRIMARY KEY, b_id INTEGER REFERENCES b (id));
           CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id));""",
        """CREATE TABLE a (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a (id));
           CREATE TABLE b (id INTEGER PRIMARY KEY, b_id INTEGER REFERENCES b (id));""",
        """CREATE TABLE a (id INTEGER PRIMARY KEY REFERENCES b, t INTEGER);
           CREATE TABLE b (id INTEGER PRIMARY KEY REFERENCES a, t INTEGER);""",
    ],
)
def test_cyclic_foreign_keys(made, script):
    path = made(script + "INSERT INTO a VALUES (1, 1); INSERT INTO b VALUES (1, 1);")
    kb = KnowledgeBase.from_sql(path)
    assert len(kb) == 2
    assert {fact.predicate for fact in kb} == set(kb.schema)


def test_composite_keys_and_references_to_them(made):
    path = made("""
        CREATE TABLE flat (house INTEGER, number INTEGER, size TEXT, PRIMARY KEY (house, number));
        CREATE TABLE lease (id INTEGER PRIMARY KEY, house INTEGER, number INTEGER, sort TEXT,
          FOREIGN KEY (house, number) REFERENCES flat (house, number));
        INSERT INTO flat VALUES (1, 1, 'big'), (1, 2, 'small');
        INSERT INTO lease VALUES (7, 1, 2, 'long'), (8, 1, NULL, 'long');
    """)
    kb = KnowledgeBase.from_sql(path)
    assert [str(fact) for fact in kb.facts("lease_flat")] == ["lease_flat('lease:7','flat:1:2')"]
    assert ("flat_size", "flat:1:2", "small") in kb


def test_values_that_are_none_give_no_fact(made):
    path = made("""
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b REAL, c TEXT, d BLOB, e BOOLEAN);
        INSERT INTO t VALUES (1, '', NULL, NULL, NULL, NULL),
          (2, '  ', 1.5, NULL, x'00', 0), (3, 'x', 2.5, NULL, NULL, 1);
    """)
    kb = KnowledgeBase.from_sql(path)
    assert sorted(map(str, kb.restricted(kb.learnable))) == [
        "t_a('t:1','')",
        "t_a('t:2','  ')",
        "t_a('t:3',x)",
        "t_b('t:2','[..2)')",
        "t_b('t:3','[2..)')",
        "t_e('t:3')",
    ]


def test_empty_text_is_a_value_among_texts_alone(made):
    path = made("""
        CREATE TABLE t (id INTEGER PRIMARY KEY, "when" TEXT, price, code, u_id TEXT, city TEXT);
        CREATE TABLE u (id TEXT PRIMARY KEY, size TEXT);
        INSERT INTO u VALUES ('a', ''), ('b', 'big'), ('', 'none');
        INSERT INTO t VALUES (1, '', '', '', '', ''), (2, '2024-05-01', 1.5, 7, 'a', 'Ulm'),
          (3, '2024-06-01', 2.5, 8, 'b', NULL), (4, '2024-07-01', 2.75, 8, 'b', 'Ulm');
    """)
    kb = KnowledgeBase.from_sql(path)
    assert {kb.count(name) for name in ("t_when", "t_price", "t_code", "t_u")} == {3}
    assert sorted(map(str, (*kb.facts("t_city"), *kb.facts("u_size")))) == [
        "t_city('t:1','')",
        "t_city('t:2','Ulm')",
        "t_city('t:4','Ulm')",
        "u_size('u:a','')",
        "u_size('u:b',big)",
    ]


def test_a_table_named_select_and_other_odd_names(made):
    path = made("""
        CREATE TABLE "select" ("from" INTEGER PRIMARY KEY, "a ""b" TEXT, "Größe" TEXT, "1" TEXT);
        CREATE TABLE "Select Items" (id INTEGER PRIMARY KEY, "select_from" INTEGER REFERENCES "SELECT");
        INSERT INTO "select" VALUES (1, 'x', 'y', 'z');
        INSERT INTO "Select Items" VALUES (5, 1);
    """)
    assert schema_of(path) == [
        "select_a_b(select,a_b)",
        "select_grosse(select,grosse)",
        "select_t_1(select,t_1)",
        "select_item_select_from(select_item,select)",
    ]


def test_codes_and_quantities(made):
    values = ", ".join(
        f"({i}, {i % 12}, {i % 13}, {10000 + i % 50}, '{i % 3}', {i % 2})" for i in range(1, 101)
    )
    path = made(f"""
        CREATE TABLE t (
          id INTEGER PRIMARY KEY, twelve INTEGER, thirteen INTEGER, zip INTEGER, text TEXT, is_x INTEGER);
        INSERT INTO t VALUES {values};
    """)
    _, mapping = read_tables(open_source(path))
    kinds = {name: kind.kind for name, kind in mapping.types.items()}
    assert kinds == {"twelve": "code", "thirteen": "number", "zip": "code", "text": "text"}
    assert decisions(path)["t.is_x"][0] == "t_is_x(t)"


def test_numbers_of_text_share_no_type_by_their_values(made):
    path = made("""
        CREATE TABLE t (
          id INTEGER PRIMARY KEY, a TEXT, b TEXT, home_town TEXT, work_town TEXT, x TEXT, y TEXT);
        INSERT INTO t VALUES (1, '1', '1', 'ulm', 'bonn', 'p', 'p'), (2, '2', '2', 'bonn', 'ulm', 'q', 'q'),
          (3, '3', '3', 'ulm', 'ulm', 'r', 'r'), (4, '4', '4', 'ulm', 'ulm', 's', 's');
    """)
    types = {p.name: p.types[1] for p in KnowledgeBase.from_sql(path).schema.values()}
    assert types["t_a"] != types["t_b"]
    assert types["t_home_town"] == types["t_work_town"]
    assert types["t_x"] == types["t_y"]


def test_nearly_unique_text_is_read_where_another_table_repeats_it(made):
    rows = ", ".join(f"({n}, 'name {n}', 'note {n}')" for n in range(10))
    sold = ", ".join(f"({n}, 'name {n % 3}')" for n in range(30))
    path = made(f"""
        CREATE TABLE products (product_id INTEGER, title TEXT, note TEXT); INSERT INTO products VALUES {rows};
        CREATE TABLE sales (sale_id INTEGER, title TEXT); INSERT INTO sales VALUES {sold};
    """)
    assert schema_of(path) == ["product_title(product,title)", "sale_title(sale,title)"]


@pytest.mark.parametrize(
    ("column", "copied", "read"),
    [
        ("publisher_name", "'house ' || (n % 4)", True),
        ("publisher_name", "'other ' || (n % 4)", False),
        ("publisher", "'house ' || (n % 10)", True),
        ("publisher", "'house ' || (n % 4)", False),
    ],
    ids=["the last word", "the last word only", "the same values", "few of the values"],
)
def test_a_copy_may_have_another_name(made, column, copied, read):
    path = made(f"""
        CREATE TABLE publishers (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE books (id INTEGER PRIMARY KEY, {column} TEXT);
        WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < 9)
        INSERT INTO publishers SELECT n, 'house ' || n FROM c;
        WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < 39)
        INSERT INTO books SELECT n, {copied} FROM c;
    """)
    types = {predicate.name: predicate.types[1] for predicate in KnowledgeBase.from_sql(path).schema.values()}
    assert ("publisher_name" in types) is read
    if read:
        assert types["publisher_name"] == types[f"book_{column}"], "one can be learned from the other"


def test_mutagenesis(datasets):
    path = datasets / "mutagenesis" / "mutagenesis.sqlite"
    kb = KnowledgeBase.from_path(path)
    assert str(kb.schema["moleatm"]) == "moleatm(mole,atom)"
    assert str(kb.schema["bond_mole"]) == "bond_mole(bond,mole)"
    queries = {
        "atom_elem": "SELECT 'atom:' || a_id, elem FROM Atom",
        "mole_label": "SELECT 'mole:' || m_id, label FROM Mole",
        "bond_atom": "SELECT 'bond:' || m_id || ':' || a_id, 'atom:' || a_id FROM bond",
        "moleatm": "SELECT 'mole:' || m_id, 'atom:' || a_id FROM moleatm",
    }
    for predicate, query in queries.items():
        facts = {tuple(map(str, fact.arguments)) for fact in kb.facts(predicate)}
        assert facts == set(rows(path, query))
    assert {value_of(symbol) for symbol in kb.constants()["label"]} == {1, 2}


def test_a_foreign_key_to_something_other_than_the_key_is_an_attribute(made):
    path = made("""
        CREATE TABLE users (id INTEGER PRIMARY KEY, login TEXT UNIQUE);
        CREATE TABLE posts (id INTEGER PRIMARY KEY, author TEXT REFERENCES users (login));
        INSERT INTO users VALUES (1, 'ann'), (2, 'bob');
        INSERT INTO posts VALUES (5, 'bob'), (6, 'bob');
    """)
    assert ("post_author", "post:5", "bob") in KnowledgeBase.from_sql(path)
    assert (
        "declared foreign key to login of users, which is not its key" in decisions(path)["posts.author"][1]
    )


def test_a_reference_names_columns_in_another_order(made):
    path = made("""
        CREATE TABLE flat (house INTEGER, number INTEGER, size TEXT, PRIMARY KEY (house, number));
        CREATE TABLE lease (id INTEGER PRIMARY KEY, n INTEGER, h INTEGER,
          FOREIGN KEY (n, h) REFERENCES flat (number, house));
        INSERT INTO flat VALUES (1, 2, 'big');
        INSERT INTO lease VALUES (7, 2, 1);
    """)
    assert [str(fact) for fact in KnowledgeBase.from_sql(path).facts("lease_flat")] == [
        "lease_flat('lease:7','flat:1:2')"
    ]


def test_two_thousand_tables_of_a_database(tmp_path):
    """Not more of them: SQLite takes its time to make tables, each longer than the one before."""
    path = tmp_path / "many.db"
    with closing(sqlite3.connect(path)) as connection, connection:
        for n in range(2000):
            columns = f"id INTEGER PRIMARY KEY, thing{n // 2}_id INTEGER, kind TEXT"
            connection.execute(f"CREATE TABLE thing{n} ({columns})")
            connection.execute(f"INSERT INTO thing{n} VALUES (1, 1, 'a')")
    kb = KnowledgeBase.from_sql(path)
    assert len(kb) == 4000
    assert str(kb.schema["thing7_thing3"]) == "thing7_thing3(thing7,thing3)"


def test_ten_thousand_tables():
    tables = {}
    for number in range(10_000):
        table = SourceTable(f"things{number}", dict.fromkeys(("id", "other_id", "kind"), ""), ("id",))
        values = {"id": [1, 2], "other_id": [1, 2], "kind": [f"a{number}", "b"]}
        tables[table.name] = TableData(table, values)
    kb, mapping = read_tables(GivenTables(tables))
    assert len(mapping.tables) == 10_000
    assert len(kb) == 40_000
