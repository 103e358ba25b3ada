"""Declarations of settings: ranges, words, and what a dataclass of them can do."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import pytest

from logicoder.base.errors import UsageError
from logicoder.base.kinds import Choice, Exact, Number, Several, Switch, Whole
from logicoder.base.setting import Adjustable, Setting, SettingError, documented, setting, settings_of


@documented
@dataclass
class Sample(Adjustable):
    """A sample.

    Args:
        {settings}
    """

    size: int | None = setting(3, Whole(1, 9), "how many", unset="no limit", group="Limits")
    share: float = setting(0.5, Number(0, 1), "how much", more="see [there](x.md)", group="Search")
    ratio: float | str = setting(0.3, Exact(0, 2, above=True, places=3), "exactly", group="Search")
    quick: bool = setting(False, Switch(), "in haste", group="Search")
    way: str = setting("up", Choice(("up", "down")), "where to", group="Search", option="--go")
    sizes: tuple[int, ...] = setting((1, 2), Several(Whole(1, 9)), "which", group="Search")


@pytest.mark.parametrize(
    ("name", "good"),
    [
        ("size", [1, 9, np.int64(4), None]),
        ("share", [0, 1, 0.25, np.float64(0.5), Fraction(1, 3)]),
        ("ratio", ["1/3", 0.001, "2", Fraction(1, 1000)]),
        ("quick", [True, False, np.True_]),
        ("way", ["up", "down"]),
        ("sizes", [(1,), [9, 1]]),
    ],
)
def test_what_is_in_range(name, good):
    for value in good:
        assert Sample(**{name: value}).checked()


@pytest.mark.parametrize(
    ("name", "bad"),
    [
        ("size", [0, 10, True, 1.0, "3"]),
        ("share", [-0.1, 1.1, float("nan"), float("inf"), True, "0.5", None, 10**400]),
        ("ratio", [0, "0", 2.1, "1/3000", "0.0001", "x", "1/0", True, float("nan"), "1e-400", "1e999999999"]),
        ("quick", [0, 1, "no", None]),
        ("way", ["left", None, ["up"]]),
        ("sizes", [(), (0,), "12", 3, {1: 2}]),
    ],
)
def test_what_is_not(name, bad):
    for value in bad:
        with pytest.raises(SettingError, match=f"^{name} must be .*, not "):
            Sample(**{name: value}).checked()


def test_texts_of_the_command_line():
    declared = settings_of(Sample)
    assert declared["size"].parse("7") == 7
    assert declared["size"].parse("none") == "none"
    assert declared["ratio"].parse("1.50") == "1.50"  # the decimal text counts
    assert declared["sizes"].parse("3, 4") == (3, 4)
    with pytest.raises(SettingError) as caught:
        declared["size"].parse("ten")
    assert caught.value.about_text == (
        "'ten' is neither a whole number of at least 1 and at most 9 nor the word none"
    )
    assert caught.value.worded("--size", "none").startswith("--size must be a whole number")
    with pytest.raises(SettingError) as caught:
        declared["way"].parse("left")
    assert caught.value.about_text == "'left' is not one of up, down"


def test_thousands_are_separated_where_people_read_them_and_may_be_where_they_write_them():
    many = Setting(Whole(1, 10**6), 20_000, "how many", "Size", name="many")
    assert many.default_words == "20,000"
    assert many.parse(many.default_words) == many.parse("20000") == 20_000
    for text in ("20,00", "2,0000", ",200", "20,000,", "1_000,000"):
        with pytest.raises(SettingError, match="at most 1,000,000"):
            many.parse(text)


def test_long_values_are_cut_short():
    for value in (10**5000, "7" * 4000):
        with pytest.raises(SettingError) as caught:
            Sample(size=value).checked()
        assert len(str(caught.value)) < 300


def test_words_and_options():
    declared = settings_of(Sample)
    assert [item.default_words for item in declared.values()] == ["3", "0.5", "0.3", "no", "up", "1,2"]
    assert declared["quick"].options == ("--quick", "--no-quick")
    assert declared["way"].options == ("--go",)
    assert (declared["size"].metavar, declared["way"].metavar) == ("N|none", "up|down")


def test_the_docstring_tells_of_every_setting():
    lines = [line.strip() for line in Sample.__doc__.splitlines()]
    assert "size: how many; None: no limit." in lines
    assert "share: how much; see there." in lines  # links are for pages


def test_parameters_by_name():
    sample = Sample(3, quick=True)
    assert sample.set_params(share=1).get_params()["share"] == 1
    assert sample.changed_params("quick") == ["share=1"]
    with pytest.raises(UsageError, match="Sample has no parameter 'speed'"):
        sample.set_params(speed=1)
