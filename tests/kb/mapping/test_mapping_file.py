"""Mappings are written, read back as they were, edited, and refused with the place of what is wrong."""

import tomllib
from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from logicoder import KnowledgeBase
from logicoder.base.errors import InputError, UsageError
from logicoder.kb.mapping.data_mapping import Argument, DataMapping, TableMapping, ValueType
from logicoder.kb.mapping.mapping_file import mapping_text, parse_mapping, read_mapping, write_mapping
from logicoder.kb.mapping.table_reader import open_source, read_tables

TEXT = """\
[types]
colour = { kind = "text" }
price = { kind = "number", cuts = [10, 50] }

[tables.car]
entity = "car"
key = ["id"]
columns = [
  { column = "colour", predicate = "car_colour", type = "colour" },
  { column = "price", predicate = "car_price", type = "price" },
]
"""
CARS = """
CREATE TABLE car (id INTEGER PRIMARY KEY, colour TEXT, price REAL, made TEXT);
INSERT INTO car VALUES (1, 'red', 9.99, '2024-05-17'), (2, 'blue', 10, '2023-01-01'), (3, NULL, 50, NULL);
"""


def test_a_proposal_is_read_back_as_it_was(shop, tmp_path):
    kb, mapping = read_tables(open_source(shop.path))
    path = tmp_path / "shop.toml"
    write_mapping(mapping, path, "shop.db")
    assert read_mapping(path) == mapping.essential()
    again = KnowledgeBase.from_sql(shop.path, mapping=path)
    assert again == kb
    assert again.schema == kb.schema
    assert KnowledgeBase.from_path(shop.path, mapping=str(path)) == kb


def test_evidence_stands_in_comments(shop):
    text = mapping_text(read_tables(open_source(shop.path))[1])
    assert (
        '{ column = "city_id", predicate = "customer_city", refers = "cities" },  # declared foreign key'
        in text
    )
    assert "shared by cities.country, customers.country, order.ship country" in text


def test_a_proposal_that_was_not_taken_can_be_taken(shop, tmp_path):
    path = tmp_path / "shop.toml"
    text = mapping_text(read_tables(open_source(shop.path))[1])
    path.write_text(text.replace('# { column = "email"', '{ column = "email"'))
    assert KnowledgeBase.from_sql(shop.path, mapping=path).count("customer_email") == 81


NAMES = st.text(min_size=1).filter(lambda text: not any(0xD800 <= ord(c) < 0xE000 for c in text))


@given(NAMES, NAMES, NAMES, NAMES)
def test_any_names_survive(table, column, entity, why):
    argument = Argument((column,), "p", type=entity, why=why)
    mapping = DataMapping(
        {table: TableMapping(table, entity, (column,), arguments=(argument,), why=why)},
        {entity: ValueType(entity, "date", (datetime(2024, 5, 17), datetime(2024, 5, 17, 1, 2, 3)), why=why)},
    )
    assert parse_mapping(mapping_text(mapping, why)) == mapping


def test_cuts_are_applied_and_printed_as_intervals(made):
    kb = KnowledgeBase.from_sql(made(CARS), mapping=parse_mapping(TEXT))
    assert list(map(str, kb.facts("car_price"))) == [
        "car_price('car:1','[..10)')",
        "car_price('car:2','[10..50)')",
        "car_price('car:3','[50..)')",
    ]
    assert kb.count("car_colour") == 2


def test_bins_are_chosen_from_the_data_where_there_are_no_cuts(made):
    mapping = parse_mapping(TEXT.replace("cuts = [10, 50]", 'bins = "widths:2"'))
    kb, used = read_tables(open_source(made(CARS)), mapping)
    assert used.types["price"].cuts == (29,)
    assert len({fact.arguments[1] for fact in kb.facts("car_price")}) == 2


def test_parts_of_dates(made):
    line = '{ column = "made", predicate = "car_%s", type = "%s", part = "%s" },\n'
    added = "".join(line % (part, part, part) for part in ("year", "month", "weekday"))
    mapping = parse_mapping(TEXT.replace("columns = [\n", f"columns = [\n{added}"))
    kb = KnowledgeBase.from_sql(made(CARS), mapping=mapping)
    assert ("car_year", "car:1", 2024) in kb
    assert ("car_month", "car:1", 5) in kb
    assert ("car_weekday", "car:2", "sunday") in kb
    assert kb.count("car_year") == 2


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[types]", "[types", "this is not TOML"),
        ("[types]", "[kinds]", "no entry 'kinds'"),
        ('"text" }', '"words" }', "types.colour: 'words' is none of text, code, number, date"),
        ('"text" }', '"text", cuts = [1] }', "text has neither bins"),
        ("[10, 50]", "[50, 10]", "ascending order"),
        ("[10, 50]", '["x"]', "'x' is not a number"),
        ("cuts = [10, 50]", 'bins = "halves"', "bins must be quantiles:4 or widths:4"),
        ('entity = "car"', 'entity = "car"\nrelation = "r"', "give one of the two"),
        ('entity = "car"', "entity = 5", "entity must be a text, not 5"),
        ('key = ["id"]', "", "an entity needs a key"),
        ('key = ["id"]', "key = [1]", "a list of texts"),
        ('predicate = "car_colour", ', "", "the column colour needs a predicate"),
        ('type = "colour"', 'type = "color"', "the type color is not among the types"),
        ('type = "colour"', 'refers = "owners"', "owners is not the table of an entity"),
        ('type = "colour"', 'refers = "car", type = "colour"', "give one of refers, type and holds"),
        ('type = "colour"', 'type = "colour", part = "hour"', "'hour' is none of year, month, weekday"),
        ('"car_colour"', '"car_price"', "car_price has different types"),
        ('column = "colour", ', "", "name the column"),
        (TEXT, "", "the mapping has no tables"),
    ],
)
def test_a_wrong_mapping_is_refused(old, new, said):
    assert old in TEXT
    with pytest.raises(InputError) as caught:
        parse_mapping(TEXT.replace(old, new, 1), "cars.toml")
    assert said in str(caught.value)
    assert str(caught.value).startswith("cars.toml:")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[tables.car]", "[tables.bus]", "there is no table 'bus'"),
        ('column = "colour"', 'column = "color"', "the column color of the table car, which does not exist"),
        ('key = ["id"]', 'key = ["no"]', "the column no of the table car, which does not exist"),
        ('column = "price"', 'column = "colour"', "car.colour: 'red' is not a number"),
    ],
)
def test_a_mapping_of_other_data_is_refused(made, old, new, said):
    with pytest.raises(InputError) as caught:
        KnowledgeBase.from_sql(made(CARS), mapping=parse_mapping(TEXT.replace(old, new)))
    assert said in str(caught.value)


def test_tables_are_chosen_by_the_mapping_or_by_name(made):
    with pytest.raises(UsageError, match="the mapping selects"):
        KnowledgeBase.from_sql(made(CARS), mapping=parse_mapping(TEXT), tables=["car"])


def test_what_is_written_is_toml(shop):
    content = tomllib.loads(mapping_text(read_tables(open_source(shop.path))[1]))
    assert list(content) == ["types", "tables"]
    assert content["tables"]["order items"]["key"] == ["order_id", "product_id"]


def test_a_view_is_read_by_a_mapping_that_names_its_key(shop):
    mapping = parse_mapping("""
        [types]
        total = { kind = "number", bins = "widths:3" }
        [tables.turnover]
        entity = "category"
        key = ["category"]
        columns = [{ column = "total", predicate = "turnover", type = "total" }]
    """)
    kb = KnowledgeBase.from_sql(shop.path, mapping=mapping)
    assert {fact.arguments[0] for fact in kb.facts("turnover")} == {
        f"category:{name}" for name in ("books", "garden", "kitchen", "music", "toys")
    }


def test_relations_with_values_and_shared_entities(made):
    path = made("""
        CREATE TABLE trip (who TEXT, place TEXT, year INTEGER);
        CREATE TABLE people (id TEXT PRIMARY KEY, sex TEXT);
        CREATE TABLE wages (person TEXT, wage INTEGER);
        INSERT INTO trip VALUES ('ann', 'rome', 2020), ('bob', NULL, 2021), ('ann', 'rome', 2020);
        INSERT INTO people VALUES ('ann', 'f'), ('bob', 'm');
        INSERT INTO wages VALUES ('ann', 5);
    """)
    mapping = parse_mapping("""
        [types]
        place = {}
        year = { kind = "code" }
        [tables.people]
        entity = "person"
        key = ["id"]
        columns = [{ column = "sex", predicate = "female", holds = ["f"] }]
        [tables.wages]
        entity = "person"
        key = ["person"]
        columns = [{ column = "wage", predicate = "wage", type = "text" }]
        [tables.trip]
        relation = "trip"
        columns = [
          { column = "who", refers = "people" },
          { column = "place", type = "place" },
          { column = "year", type = "year" },
        ]
    """)
    kb = KnowledgeBase.from_sql(path, mapping=mapping)
    assert sorted(map(str, kb)) == [
        "female('person:ann')",
        "trip('person:ann',rome,2020)",
        "wage('person:ann',5)",
    ]
    assert str(kb.schema["trip"]) == "trip(person,place,year)"
