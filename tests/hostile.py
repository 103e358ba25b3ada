"""Values that somebody may give to a setting, by mistake or on purpose."""

from __future__ import annotations

import math

HOSTILE_TEXTS = (
    "9223372036854775808", "1e-400", "1" + "0" * 24, "no", "nan", "inf", "-inf", "-1", "0", "", "2147483648",
    "7" * 4000, "1e999999999", "1/0", "0x10", "None", "[]", "p=nan", "total=1e-400", "latents=" + "9" * 30,
    "total=" + "3" * 4000, "p:loss=1e999999999", "p:loss=" + "9" * 30, "p=" + "9" * 30, "masked=1e24",
    "1e24TB",
)  # fmt: skip
HOSTILE = (
    *HOSTILE_TEXTS, 2**63, 2**31, 10**24, -1, 10**5000, 1e-400, 1e-300, 1e300, math.nan, math.inf, -math.inf,
    True, b"1", [], {}, (), object(), ["x", 3], {"p": math.nan}, {"p": {"loss": 10**24}}, {1: 2}, "\0", 3j,
)  # fmt: skip
