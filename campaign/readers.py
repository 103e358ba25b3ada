"""Facts in every format, damaged: they are read, or refused with their place; nothing is lost on the way."""

from __future__ import annotations

import logging
import shutil
from functools import cache
from pathlib import Path
from random import Random

from campaign.corpus import DATA, corpus
from campaign.damage import damaged
from campaign.kind import Case, FoundError, packed, unpacked
from logicoder import KnowledgeBase, LogicoderError

BATCH = 200
_FORMATS = ("prolog", "alchemy", "tables", "triples", "jsonl", "parquet", "rdf")


@cache
def _samples() -> dict[str, list[Path]]:
    """Return files of each format that can be written, made once."""
    kb = KnowledgeBase.from_path(DATA)
    pairs = KnowledgeBase.from_facts([("r", "a", "b"), ("s", "b", "c"), ("r", "c", 7)])
    root = corpus().parent / "samples"
    shutil.rmtree(root, ignore_errors=True)
    found = {}
    for name in _FORMATS:
        folder = root / name
        for data in (kb, pairs):
            try:
                shutil.rmtree(folder, ignore_errors=True)
                data.save(folder, name)
                break
            except LogicoderError:
                continue
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        if files:
            found[name] = files
    found["mapping"] = [corpus() / "shop.toml"]
    return found


class Readers:
    """A file of facts is read or refused, and what was read comes back from Prolog."""

    unit = "inputs"
    seconds = 120

    def case(self, random: Random) -> Case:
        """Return a file and where its damage starts from."""
        name = random.choice([n for n in _samples() if n != "mapping"])
        number = random.randrange(len(_samples()[name]))
        return {"format": name, "file": number, "seed": random.getrandbits(32)}

    def check(self, case: Case, folder: Path) -> int:
        """Read damaged versions of the file, the others of its folder beside it."""
        logging.getLogger("logicoder").setLevel(logging.ERROR)
        files = _samples()[case["format"]]
        source = files[case["file"]]
        for beside in files:
            (folder / beside.name).write_bytes(beside.read_bytes())
        path = folder / source.name
        if "data" in case:
            versions = iter([unpacked(case["data"])])
        else:
            random, others = Random(case["seed"]), [f.read_bytes() for f in files]
            versions = (damaged(random, source.read_bytes(), others) for _ in range(BATCH))
        tried = 0
        for data in versions:
            path.write_bytes(data)
            tried += 1
            try:
                found = KnowledgeBase.from_path(folder, format=case["format"])
                if tried % 20 == 0 or "data" in case:
                    found.save(folder.parent / f"{folder.name}-again", "prolog")
                    again = KnowledgeBase.from_path(folder.parent / f"{folder.name}-again")
                    shutil.rmtree(folder.parent / f"{folder.name}-again")
                    if len(again) != len(found):
                        raise FoundError(
                            f"{len(found)} facts became {len(again)}", {**case, "data": packed(data)}
                        )
            except LogicoderError as error:
                if not str(error).strip():
                    raise FoundError("an error without a word", {**case, "data": packed(data)}) from None
            except FoundError:
                raise
            except Exception as error:
                raise FoundError(f"{source.name}: {error!r}", {**case, "data": packed(data)}) from error
        return tried
