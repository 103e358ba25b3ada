"""Wide frames under a mapping: pandas, polars and Arrow give the same facts."""

from datetime import date, datetime
from decimal import Decimal
from uuid import UUID

import numpy as np
import pandas
import polars
import pytest

from logicoder import KnowledgeBase
from logicoder.base.errors import UsageError
from logicoder.kb.mapping.mapping_file import parse_mapping
from logicoder.kb.mapping.tables import plain

MAKERS = {"id": [1, 2], "country": ["italy", "japan"]}
CARS = {
    "id": [7, 8, 9],
    "maker_id": [1, None, 2],
    "price": [9.5, None, 70.25],
    "made": [date(2024, 5, 17), None, date(2020, 1, 1)],
    "sold": [True, False, True],
    "colour": ["red", "", "red"],
}
FACTS = [
    "car_colour('car:7',red)",
    "car_colour('car:8','')",
    "car_colour('car:9',red)",
    "car_made('car:7','[2024-01-01..)')",
    "car_made('car:9','[..2024-01-01)')",
    "car_maker('car:7','maker:1')",
    "car_maker('car:9','maker:2')",
    "car_price('car:7','[..70)')",
    "car_price('car:9','[70..)')",
    "car_sold('car:7')",
    "car_sold('car:9')",
    "maker_country('maker:1',italy)",
    "maker_country('maker:2',japan)",
]


def arrow(content):
    return pytest.importorskip("pyarrow").table(content)


def nullable(content):
    return pandas.DataFrame(content).convert_dtypes()


@pytest.mark.parametrize("make", [pandas.DataFrame, nullable, polars.DataFrame, arrow])
def test_every_library_gives_the_same_facts(make):
    kb = KnowledgeBase.from_frames({"makers": make(MAKERS), "cars": make(CARS)}, mapping="auto")
    assert sorted(map(str, kb.restricted(kb.learnable))) == FACTS


def test_a_key_of_floats_is_mended_with_a_warning(caplog):
    frames = {"makers": pandas.DataFrame(MAKERS), "cars": pandas.DataFrame(CARS)}
    assert frames["cars"]["maker_id"].dtype == float
    kb = KnowledgeBase.from_frames(frames, mapping="auto")
    assert ("car_maker", "car:9", "maker:2") in kb
    assert "cars.maker_id: keys were read as floating-point numbers" in caplog.text


def test_a_named_index_is_a_column():
    frame = pandas.DataFrame({"kind": ["a", "b"]}, index=pandas.Index([5, 6], name="id"))
    kb = KnowledgeBase.from_frames({"things": frame}, mapping="auto")
    assert sorted(map(str, kb)) == ["thing_kind('thing:5',a)", "thing_kind('thing:6',b)"]


def test_a_given_mapping():
    mapping = parse_mapping("""
        [types]
        price = { kind = "number", cuts = [50] }
        [tables.cars]
        entity = "car"
        key = ["id"]
        columns = [{ column = "price", predicate = "price", type = "price" }]
    """)
    kb = KnowledgeBase.from_frames({"cars": polars.DataFrame(CARS)}, mapping=mapping)
    assert sorted(map(str, kb.restricted(kb.learnable))) == [
        "price('car:7','[..50)')",
        "price('car:9','[50..)')",
    ]


def test_what_is_no_frame():
    with pytest.raises(UsageError, match="the frame cars is a dict, not a data frame"):
        KnowledgeBase.from_frames({"cars": CARS}, mapping="auto")


def test_values_as_libraries_have_them():
    identity = UUID(int=5)
    given = [np.int64(3), np.float32(0.5), np.bool_(True), np.datetime64("2024-05-17"), Decimal("1E+2")]
    given += [
        pandas.NaT,
        pandas.Timestamp("2024-05-17 10:00", tz="Europe/Paris"),
        identity,
        float("inf"),
        b"x",
    ]
    assert plain(given) == [
        3,
        0.5,
        True,
        datetime(2024, 5, 17),
        100,
        None,
        datetime(2024, 5, 17, 8),
        str(identity),
        None,
        b"x",
    ]
