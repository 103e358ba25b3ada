"""Features of entities: the same numbers as SQL counts, in pipelines and searches of scikit-learn."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import numpy as np
import pandas
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.frozen import FrozenEstimator
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline

from logicoder import AutoEncoder, KnowledgeBase, LatentFeatures, UsageError
from logicoder.datasets import shop

COPY = """
 item_order(X,Y) :- order_item_order(X,Y).  item_product(X,Y) :- order_item_product(X,Y).
 kind(X,Y) :- product_category(X,Y).  price(X,Y) :- product_price(X,Y).  buyer(X,Y) :- order_customer(X,Y).
"""
BACK = """
 order_item_order(X,Y) :- item_order(X,Y).  order_item_product(X,Y) :- item_product(X,Y).
 product_category(X,Y) :- kind(X,Y).  order_customer(X,Y) :- buyer(X,Y).
"""


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    return shop(tmp_path_factory.mktemp("shop") / "shop.db").path


@pytest.fixture(scope="module")
def kb(database):
    names = ("order_item_order", "order_item_product", "product_category", "product_price", "order_customer")
    return KnowledgeBase.from_sql(database).restricted(names)


@pytest.fixture(scope="module")
def model():
    return AutoEncoder.from_programs(COPY, BACK)


def asked(database, query):
    with closing(sqlite3.connect(database)) as connection:
        return dict(connection.execute(query).fetchall())


def test_columns_are_what_sql_counts(database, kb, model):
    orders = list(range(1, 301))
    features = LatentFeatures("order", kb, model=model, depth=3, alike=1.1).fit(orders)
    table = pandas.DataFrame(
        features.transform(orders), columns=features.get_feature_names_out(), index=orders
    )
    books = asked(
        database,
        """SELECT order_id, count(*) FROM "order items" JOIN products ON products.id = product_id
           WHERE category = 'books' GROUP BY order_id""",
    )
    found = table["item_order(B,A), item_product(B,C), kind(C,books)"]
    assert found.to_dict() == {order: books.get(order, 0) for order in orders}
    items = asked(database, 'SELECT order_id, count(*) FROM "order items" GROUP BY order_id')
    assert table["item_order(_,A)"].to_dict() == {order: items.get(order, 0) for order in orders}
    others = asked(
        database,
        """SELECT one.id, count(*) FROM "order" one JOIN "order" other USING (customer_id) GROUP BY one.id""",
    )
    assert table["buyer(A,B), buyer(_,B)"].to_dict() == others


def test_means_of_ordered_values(database, kb, model):
    features = LatentFeatures("product", kb, model=model, depth=1).fit(range(1, 61))
    (name,) = (name for name in features.get_feature_names_out() if name.startswith("mean of B: price"))
    found = dict(
        zip(
            range(1, 61),
            features.transform(range(1, 61))[:, list(features.get_feature_names_out()).index(name)],
            strict=True,
        )
    )
    cuts = [float(cut) for cut in kb.mapping.types["price"].cuts]
    for product, price in asked(database, "SELECT id, price FROM products").items():
        assert found[product] == np.searchsorted(cuts, price, side="right")


def test_no_column_is_constant_or_nearly_another(kb, model):
    rows = LatentFeatures("order", kb, model=model).fit_transform(range(1, 301))
    assert (rows.min(axis=0) < rows.max(axis=0)).all()
    assert np.abs(np.triu(np.corrcoef(rows.T), 1)).max() < 0.951


def test_exceptions_are_features(kb):
    nothing = AutoEncoder.from_programs(
        "kind(X,Y) :- product_category(X,Y).", "product_category(X,Y) :- kind(X,Y)."
    )
    names = LatentFeatures("order", kb, model=nothing).fit(range(1, 50)).get_feature_names_out()
    assert any("'order_item_order unexpected'" in name for name in names)
    kept = LatentFeatures("product", kb, model=nothing, exceptions=False).fit([1, 2]).get_feature_names_out()
    assert all(name.startswith("kind(") for name in kept)


def test_entities_that_the_data_do_not_know_are_told(kb, model, caplog):
    features = LatentFeatures("product", kb, model=model, depth=1).fit(range(1, 61))
    assert not caplog.records
    features.transform([1, 99999, "nonsense"])
    assert "2 of 3 entities, such as 'product:99999', are not of type product" in caplog.text


def test_all_entities_of_a_knowledge_base(kb, model):
    features = LatentFeatures("product", model=model, depth=1)
    rows = features.fit_transform(kb)
    entities = features.entities(kb)
    assert rows.shape[0] == len(entities) == 60
    assert "product:7" in entities
    again = LatentFeatures("product", kb, model=model, depth=1).fit_transform(entities)
    assert np.array_equal(rows, again)


def test_pipelines_searches_and_frames(kb, model):
    products = pandas.DataFrame({"product": np.arange(1, 61)})
    category = {f.arguments[0]: f.arguments[1] for f in kb.facts("product_category")}
    wanted = [category[f"product:{i}"] in ("books", "toys") for i in products["product"]]
    frozen = FrozenEstimator(model)
    pipeline = make_pipeline(LatentFeatures("product", kb, model=frozen), LogisticRegression(max_iter=1000))
    assert cross_val_score(pipeline, products, wanted, cv=3).mean() == 1.0
    search = GridSearchCV(pipeline, {"latentfeatures__depth": [1, 2]}, cv=2).fit(products, wanted)
    assert search.best_score_ > 0.9
    left_out = make_pipeline(
        LatentFeatures("product", kb, model=frozen, target="product_category"),
        LogisticRegression(max_iter=1000),
    )
    assert cross_val_score(left_out, products, wanted, cv=3).mean() < 0.9
    frame = LatentFeatures("product", kb, model=frozen).set_output(transform="pandas").fit_transform(products)
    assert "kind(A,books)" in frame.columns


def test_a_model_is_learned_where_there_is_none():
    facts = {"edge": [(f"n{i}", f"n{i + 1}") for i in range(12)], "red": [f"n{i}" for i in range(0, 12, 2)]}
    kb = KnowledgeBase.from_facts(facts)
    features = LatentFeatures("thing", kb, depth=1).fit(["n1", "n2"])
    assert features.model_.schema_ is not None
    assert features.transform(["n2", "stranger"])[1].tolist() == [0.0] * len(features.get_feature_names_out())


def test_mistakes(kb, model):
    with pytest.raises(NotFittedError):
        LatentFeatures("order", kb).transform([1])
    with pytest.raises(NotFittedError):
        LatentFeatures("order", kb).get_feature_names_out()
    with pytest.raises(UsageError, match="no type ordr; it has:"):
        LatentFeatures("ordr", kb, model=model).fit([1])
    with pytest.raises(UsageError, match="pass the facts as `data`"):
        LatentFeatures("order", model=model).fit([1])
    with pytest.raises(UsageError, match="no predicate price to leave out"):
        LatentFeatures("order", kb, model=model, target="price").fit([1])
