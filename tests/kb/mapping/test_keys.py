"""Keys of tables that declare none: found by their use, by what tells rows apart, or numbered rows."""

from contextlib import closing

from logicoder import KnowledgeBase
from logicoder.kb.mapping.proposal import propose_mapping
from logicoder.kb.mapping.table_reader import open_source

from .test_proposal import schema_of


def test_a_key_that_nobody_names_is_found_by_its_use(made):
    path = made("""
        CREATE TABLE district (A1, A2, A3);
        CREATE TABLE account (account_id, district_id);
        INSERT INTO district VALUES (1, 10, 'a'), (2, 20, 'a'), (3, 30, 'b');
        INSERT INTO account VALUES (1, 3), (2, 1), (3, 3);
    """)
    kb = KnowledgeBase.from_sql(path)
    assert "account_district('account:1','district:3')" in set(map(str, kb))
    assert "district_a3('district:3',b)" in set(map(str, kb))


def test_the_rows_of_a_table_without_key_are_numbered_with_a_warning(made, caplog):
    path = made("""
        CREATE TABLE log (what TEXT, who TEXT); INSERT INTO log VALUES ('a', 'b'), ('a', 'b');
        CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT); INSERT INTO t VALUES (1, 'x');
    """)
    assert schema_of(path) == ["log_what(log,what)", "log_who(log,who)", "t_a(t,a)"]
    assert "the table log has no key: its rows are numbered (log:1 and so on)" in caplog.text
    facts = KnowledgeBase.from_sql(path).facts("log_who")
    assert [fact.arguments for fact in facts] == [("log:1", "b"), ("log:2", "b")]


def test_the_first_columns_that_tell_rows_apart_are_the_key(made):
    path = made("""
        CREATE TABLE census (country TEXT, year INTEGER, people REAL);
        INSERT INTO census VALUES ('a', 1990, 1.5), ('a', 2000, 2.5), ('b', 1990, 1.5), ('b', 2000, 3.5);
        CREATE TABLE planes (tail TEXT, maker TEXT); INSERT INTO planes VALUES ('n1', 'x'), ('n2', 'x');
        CREATE TABLE gaps (a TEXT, b INTEGER); INSERT INTO gaps VALUES (NULL, 1), ('u', 2), ('u', 3);
    """)
    with closing(open_source(path)) as source:
        data, part = source.read(), source.read(sample=2)
    keys = {name: table.key for name, table in propose_mapping(data).tables.items()}
    assert keys == {"census": ("country", "year"), "planes": ("tail",), "gaps": ()}
    keys = {name: table.key for name, table in propose_mapping(part).tables.items()}
    assert keys == {"census": (), "planes": ("tail",), "gaps": ()}, (
        "what differs in a sample may not in all rows"
    )


def test_tables_with_the_same_key_describe_the_same_things(made):
    path = made("""
        CREATE TABLE surveys (record_id INTEGER, plot TEXT);
        INSERT INTO surveys VALUES (1, 'a'), (2, 'b'), (3, 'a');
        CREATE TABLE complete (record_id INTEGER, plot TEXT); INSERT INTO complete VALUES (1, 'a'), (3, 'a');
        CREATE TABLE other (id INTEGER, plot TEXT); INSERT INTO other VALUES (1, 'a'), (2, 'a');
    """)
    assert schema_of(path) == [
        "survey_plot(survey,plot)",
        "complete_plot(survey,plot)",
        "other_plot(other,plot)",
    ]


def test_a_key_that_is_not_declared(made):
    path = made(
        "CREATE TABLE cars (car_id TEXT, make TEXT); INSERT INTO cars VALUES ('a b', 'x'), ('c', 'x');"
    )
    assert sorted(map(str, KnowledgeBase.from_sql(path))) == ["car_make('car:a b',x)", "car_make('car:c',x)"]


def test_keys_of_bytes(made):
    path = made("CREATE TABLE t (id BLOB PRIMARY KEY, a TEXT); INSERT INTO t VALUES (x'0aff', 'x');")
    assert list(map(str, KnowledgeBase.from_sql(path))) == ["t_a('t:0aff',x)"]
