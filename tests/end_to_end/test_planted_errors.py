"""A hospital in a database with nine wrong and nine missing values: all are suggested."""

from __future__ import annotations

import random
import sqlite3
from contextlib import closing

from logicoder import AutoEncoder, KnowledgeBase

TABLES = """
CREATE TABLE ward (id INTEGER PRIMARY KEY, building TEXT);
CREATE TABLE doctor (id INTEGER PRIMARY KEY, specialty TEXT, ward_id INTEGER REFERENCES ward (id));
CREATE TABLE patient (id INTEGER PRIMARY KEY, insurance TEXT);
CREATE TABLE stay (
  id INTEGER PRIMARY KEY, patient_id INTEGER REFERENCES patient (id),
  doctor_id INTEGER REFERENCES doctor (id),
  ward_id INTEGER REFERENCES ward (id), department TEXT, building TEXT, insurance TEXT);
"""
COLUMNS = ("stay_ward", "stay_department", "stay_building", "stay_insurance")


def test_all_wrong_and_missing_values_are_in_the_first_thirty_suggestions(tmp_path):
    rng = random.Random(5)  # noqa: S311
    wards = [(i, rng.choice(("north", "south", "east"))) for i in range(1, 9)]
    subjects = ("cardiology", "surgery", "neurology", "oncology")
    doctors = [(i, rng.choice(subjects), rng.randint(1, 8)) for i in range(1, 31)]
    patients = [(i, rng.choice(("public", "private", "none"))) for i in range(1, 201)]
    stays = []
    for number in range(1, 501):
        patient, doctor = rng.choice(patients), rng.choice(doctors)
        known = (doctor[2], doctor[1], wards[doctor[2] - 1][1], patient[1])
        stays.append([number, patient[0], doctor[0], *known])
    sought = {}
    for place, row in enumerate(rng.sample(range(500), 18)):
        column = place % 4
        right = stays[row][3 + column]
        others = sorted({stay[3 + column] for stay in stays} - {right, None})
        stays[row][3 + column] = rng.choice(others) if place < 9 else None
        name = COLUMNS[column]
        value = f"'ward:{right}'" if column == 0 else right
        sought[f"{name}('stay:{row + 1}',{value})"] = "change" if place < 9 else "add"
    path = tmp_path / "hospital.db"
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(TABLES)
        for table, rows in (("ward", wards), ("doctor", doctors), ("patient", patients), ("stay", stays)):
            marks = ",".join("?" * len(rows[0]))
            database.executemany(f"INSERT INTO {table} VALUES ({marks})", rows)  # noqa: S608
    kb = KnowledgeBase.from_path(path)
    first = AutoEncoder().fit(kb).suggest(kb).rows[:30]
    found = {row.expected: row for row in first}
    assert {atom: found[atom].kind for atom in sought if atom in found} == sought
    for atom in sought:
        row = found[atom]
        assert ":-" in row.evidence  # the rule, and its record
        assert 0.9 * row.derived < row.true < row.derived
