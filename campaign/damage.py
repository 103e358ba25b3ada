"""Damage with an eye to structure: JSON stays JSON, lines stay lines, and numbers become worse numbers."""

from __future__ import annotations

import json
import re
from random import Random
from typing import Any

DIGITS = "@digits@"
"""Stands for a whole number of five thousand digits, which Python would not print."""
HOSTILE: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2**31, 2**63, 10**30, DIGITS, -0.5, 1e308, 1e-320, "", "x", "X", "p(", "0",
    "\x01", "é\u2028", "a" * 5000, [], {}, [[]], {"": None}, [None, 1, "x"], "../../x", "%% end", "1/0",
)  # fmt: skip
TOKENS = (
    "0", "-1", "9" * 25, "9" * 5000, "1e999", "nan", "'", '"', "(", ")", ".", ",", ":-", ";",
    "\\+", "%", "\n", "\t",
    "\r", "\ufeff", "\0", "X", "_", "[", "]", "{", "}", "=", "\\", "/*", "é", "\u202e", "%%", "version 99",
)  # fmt: skip
_TOKEN = re.compile(r"\w+|\s+|.", re.DOTALL)


def damaged(random: Random, data: bytes, others: list[bytes]) -> bytes:
    """Return damaged bytes of a file, by means that its content suggests."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        try:
            data = _once(random, data, others)
        except RecursionError:  # it is nested too deeply already for Python to write it
            data = damaged_bytes(random, data)
    return data


def _once(random: Random, data: bytes, others: list[bytes]) -> bytes:
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return damaged_bytes(random, data)
    if random.random() < 0.7:
        if text.lstrip()[:1] in ("{", "["):
            return damaged_json(random, text).encode()
        if text.startswith("% logicoder"):
            return _damaged_header(random, text).encode()
    if random.random() < 0.1:
        return damaged_bytes(random, data)
    return damaged_text(random, text, [o.decode(errors="ignore") for o in others]).encode(errors="ignore")


def damaged_bytes(random: Random, data: bytes) -> bytes:
    """Change, cut, repeat or insert bytes."""
    found = bytearray(data)
    place = random.randrange(len(found) + 1)
    way = random.randrange(4)
    if way == 0:
        return bytes(found[:place])
    if way == 1:
        found[place : place + random.randrange(20)] = random.randbytes(random.randrange(20))
    elif way == 2:
        found[place:place] = found[: random.randrange(200)]
    elif place < len(found):
        found[place] ^= 1 << random.randrange(8)
    return bytes(found)


def damaged_text(random: Random, text: str, others: list[str]) -> str:
    """Change lines or tokens, perhaps for those of other files."""
    if random.random() < 0.4:
        lines = text.split("\n")
        place, other = random.randrange(len(lines)), random.randrange(len(lines))
        way = random.randrange(4)
        if way == 0:
            del lines[place]
        elif way == 1:
            lines.insert(place, lines[other])
        elif way == 2:
            lines[place], lines[other] = lines[other], lines[place]
        else:
            lines[place] = random.choice(random.choice(others).split("\n")) if others else ""
        return "\n".join(lines)
    tokens = _TOKEN.findall(text) or [""]
    place = random.randrange(len(tokens))
    way = random.randrange(3)
    if way == 0:
        tokens[place] = random.choice(TOKENS)
    elif way == 1:
        tokens[place] = random.choice(tokens)
    else:
        tokens.insert(place, random.choice(TOKENS))
    return "".join(tokens)


def damaged_json(random: Random, text: str) -> str:
    """Change a value, a key or the shape of JSON; of lines of JSON, one."""
    try:
        content = json.loads(text)
    except ValueError:
        lines = text.split("\n")
        place = random.randrange(len(lines))
        try:
            lines[place] = _dumped(_changed(random, json.loads(lines[place])))
        except ValueError:
            return damaged_text(random, text, [])
        return "\n".join(lines)
    return _dumped(_changed(random, content))


def _damaged_header(random: Random, text: str) -> str:
    lines = text.split("\n")
    end = next((i for i, line in enumerate(lines) if line.rstrip() == "% }"), 0)
    try:
        header = json.loads("\n".join(line.removeprefix("%") for line in lines[1 : end + 1]))
    except ValueError:
        return damaged_text(random, text, [])
    changed = json.dumps(_changed(random, header), indent=2).replace(f'"{DIGITS}"', "7" * 5000)
    return "\n".join([lines[0], *(f"% {line}" for line in changed.split("\n")), *lines[end + 1 :]])


def _dumped(content: Any) -> str:
    return json.dumps(content).replace(f'"{DIGITS}"', "7" * 5000)


def _changed(random: Random, content: Any) -> Any:
    """Return JSON with one change at a random place."""
    places = [((), content), *_places(content)]
    path, value = random.choice(places)
    return _with(content, path, _worse(random, value, places))


def _worse(random: Random, value: Any, places: list[tuple[Any, Any]]) -> Any:  # noqa: PLR0911
    way = random.randrange(6)
    if way == 0:
        return random.choice(places)[1]
    if way == 1 and isinstance(value, dict | list) and value:
        return _without(random, value)
    if way == 2 and isinstance(value, list) and value:
        return [*value, random.choice(value)]
    if way == 3 and isinstance(value, dict) and value:
        return {**value, random.choice(list(value)) + random.choice(("x", "", "_")): random.choice(HOSTILE)}
    if way == 4:
        for _ in range(random.choice((1, 2, 20, 400))):
            value = [value] if random.random() < 0.5 else {"x": value}
        return value
    if isinstance(value, int | float) and random.random() < 0.5:
        return random.choice((value + 1, value - 1, -value, value * 10**12, float(value)))
    if isinstance(value, str) and random.random() < 0.5:
        return damaged_text(random, value, [])
    return random.choice(HOSTILE)


def _without(random: Random, value: Any) -> Any:
    if isinstance(value, dict):
        gone = random.choice(list(value))
        return {name: item for name, item in value.items() if name != gone}
    place = random.randrange(len(value))
    return value[:place] + value[place + 1 :]


def _places(content: Any, path: tuple[Any, ...] = ()) -> list[tuple[tuple[Any, ...], Any]]:
    items: Any = ()
    if isinstance(content, dict):
        items = content.items()
    elif isinstance(content, list):
        items = list(enumerate(content))[:30]
    found = []
    for step, item in items:
        found.append(((*path, step), item))
        found += _places(item, (*path, step))
    return found


def _with(content: Any, path: tuple[Any, ...], value: Any) -> Any:
    if not path:
        return value
    found = dict(content) if isinstance(content, dict) else list(content)
    found[path[0]] = _with(content[path[0]], path[1:], value)
    return found
