"""Data that stay where they are: SQL systems count, join and derive, and only counts and samples come back.

`session` is what a system must do; `duckdb_session`, `postgresql_session` and `spark_session` do it.
"""
