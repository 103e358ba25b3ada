"""Tables that list the values of things: one relation, not rows that are things."""

from __future__ import annotations

import sqlite3
from contextlib import closing

from logicoder import KnowledgeBase


def test_values_that_things_have_several_of_are_a_relation(tmp_path):
    """Not rows that are things: rules about genres of films would have to go through them."""
    with closing(sqlite3.connect(tmp_path / "films.db")) as connection:
        connection.executescript("""
            CREATE TABLE films (film_id INTEGER PRIMARY KEY, studio TEXT);
            CREATE TABLE film_genres (film_id INTEGER REFERENCES films, genre TEXT, UNIQUE (film_id, genre));
            CREATE TABLE remarks (film_id INTEGER REFERENCES films, remark TEXT);
            CREATE TABLE sizes (film_id INTEGER PRIMARY KEY REFERENCES films, size TEXT);
        """)
        for film in range(20):
            connection.execute("INSERT INTO films VALUES (?, ?)", (film, f"studio {film % 3}"))
            connection.execute("INSERT INTO sizes VALUES (?, ?)", (film, f"size {film % 4}"))
            for genre in range(1 + film % 3):
                connection.execute("INSERT INTO film_genres VALUES (?, ?)", (film, f"genre {genre}"))
            # The same may be remarked twice: rows are things.
            connection.executemany("INSERT INTO remarks VALUES (?, ?)", [(film, "good")] * 2)
        connection.commit()
    kb = KnowledgeBase.from_path(tmp_path / "films.db")
    assert kb.schema["film_genre"].types == ("film", "genre")
    assert kb.count("film_genre") == sum(1 + film % 3 for film in range(20))
    assert kb.count("remark_film") == kb.count("remark_remark") == 40
    assert kb.schema["size_size"].types == ("film", "size")
    assert kb.mapping.tables["film_genres"].why == "39 rows of a foreign key and a value, and nothing else"
