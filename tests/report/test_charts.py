"""Charts use the room that they have."""

from __future__ import annotations

import re

import pytest

from logicoder.report.charts import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, Line, line_chart


@pytest.mark.parametrize("scale", [1, 0.004, 3_000])
def test_lines_fill_the_chart(scale: float) -> None:
    points = [(0.0, 4.0 * scale), (10.0, 2.0 * scale), (20.0, 0.0)]
    text = str(line_chart([Line("loss", "found", points, steps=False)], "a search", "seconds", "loss"))
    drawn = re.search(r'(?:points|d)="([^"]+)"', text)[1]
    numbers = [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", drawn)]
    across, up = numbers[::2], numbers[1::2]
    assert (across[0], up[-1]) == pytest.approx((LEFT, HEIGHT - BOTTOM), abs=0.1)
    assert max(across) <= WIDTH - RIGHT + 0.1
    assert TOP - 0.1 <= min(up) < TOP + (HEIGHT - TOP - BOTTOM) / 2
