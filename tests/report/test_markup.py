"""Whatever text goes into markup comes out of a parser as the same text."""

from __future__ import annotations

import json
from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from logicoder.report.markup import Markup, element, joined
from logicoder.report.page import in_script

# HTML knows no NUL and takes every line end for a newline; symbols have neither, they are escaped in Prolog.
TEXT = st.text(st.characters(exclude_characters="\0\r", exclude_categories=["Cs"]))


class Reader(HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.text = [], {}, ""

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes |= dict(attrs)

    def handle_data(self, data):
        self.text += data


def read(markup):
    reader = Reader()
    reader.feed(str(markup))
    reader.close()
    return reader


@given(TEXT, TEXT)
def test_texts_and_attributes_stay_what_they_are(text, value):
    reader = read(element("p", text, title=value))
    assert reader.tags == ["p"]
    assert reader.text == text
    assert reader.attributes == {"title": value}


@given(st.recursive(TEXT, st.lists))
def test_data_in_a_script_cannot_end_it(content):
    text = in_script(content)
    assert not set(text) & set("<>&\u2028\u2029")
    assert json.loads(text) == content


def test_attributes():
    made = element("input", class_="a", data_part="x", disabled=True, hidden=False, title=None, width=1.50)
    assert str(made) == '<input class="a" data-part="x" disabled width="1.5">'


def test_content_may_be_nested_and_markup_is_kept():
    made = joined(["<", [element("b", 1), None, (Markup("<i></i>"),)], 2])
    assert str(made) == "&lt;<b>1</b><i></i>2"
