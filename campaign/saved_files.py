"""Damaged models, stacks, exceptions, packed data, problems, checkpoints, curves, records, experiments."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path
from random import Random

from campaign.corpus import DATA, EXPERIMENT, SELECTED, command, corpus
from campaign.damage import damaged
from campaign.kind import Case, packed, unpacked

_PAGE = ("-o", "report.html")
_MODEL = (
    ("show", "{}"),
    ("reconstruct", "{}", DATA),
    ("encode", "{}", DATA),
    ("insights", "{}", DATA),
    ("report", "{}", DATA, *_PAGE),
    ("export", "{}", "--to", "prolog"),
    ("suggest", "{}", DATA),
    ("diff", "{}", "selection", "--data", DATA),
    ("encode", "{}", DATA, "--lossless", "-o", "again"),
)
_UPDATE = ("update", "tiny", "tiny-following", "--add", "tiny.pl", "-o", "following")
_USES: dict[str, tuple[tuple[object, ...], ...]] = {
    "message/model.alp": _MODEL,
    "selection/model.alp": _MODEL,
    "stack/model.alp": _MODEL,
    "selection/run.json": (("report", "selection", DATA, *_PAGE),),
    "curve/curve.json": (("report", "selection", DATA, "--curve", "curve", *_PAGE),),
    "lossless/exceptions.pl": (("decode", "message", "lossless"),),
    "lossless/latent/earth.pl": (("decode", "message", "lossless"),),
    "packed/known.json": (("decode", "message", "packed"),),
    "packed/message.bin": (("decode", "message", "packed"),),
    "message-state/plan.json": (("fit", DATA, "--checkpoint", "message-state", "--resume"),),
    "message-state/checkpoint.json": (("fit", DATA, "--checkpoint", "message-state", "--resume"),),
    **{
        f"selection-state/{name}": (("fit", DATA, *SELECTED, "--checkpoint", "selection-state", "--resume"),)
        for name in ("checkpoint.json", "best.json", "candidates.json", "problem.json.gz")
    },
    "tiny-following/state.json": (
        _UPDATE,
        ("report", "tiny", "tiny.pl", "--state", "tiny-following", *_PAGE),
    ),
    "tiny-following/exceptions.pl": (_UPDATE,),
    "tiny-following/latent": (_UPDATE,),
    "tiny-stored/encoding.json": (("decode", "tiny", "tiny-stored", "-o", "back"),),
    "tiny-stored/latent": (("decode", "tiny", "tiny-stored", "-o", "back"),),
    "net.mln": (("mln", "infer", "net.mln", DATA, "--query", "man"), ("mln", "weights", "net.mln", DATA)),
    "net-state.json": (("mln", "learn", DATA, "--checkpoint", "net-state.json"),),
    "shop.toml": (("inspect", "shop.db", "--mapping", "shop.toml"),),
    **{
        f"experiment/{name}": (("experiment", "folds", "-o", "experiment", *EXPERIMENT),)
        for name in ("configuration.json", "units")
    },
}


class SavedFiles:
    """Every command that reads a saved file says what is wrong with a damaged one, or works."""

    unit = "inputs"
    seconds = 120

    def case(self, random: Random) -> Case:
        """Return a damaged file and a command that reads it."""
        name = random.choice(list(_USES))
        path = corpus() / name
        if path.is_dir():
            files = [file for file in sorted(path.rglob("*")) if file.suffix in (".json", ".pl", ".parquet")]
            path = random.choice(files)
        data = path.read_bytes()
        content = gzip.decompress(data) if path.suffix == ".gz" else data
        use = random.randrange(len(_USES[name]))
        found = damaged(random, content, [])
        return {"use": [name, use], "file": str(path.relative_to(corpus())), "data": packed(found)}

    def check(self, case: Case, folder: Path) -> int:
        """Run the command with the damaged file in place of the sound one."""
        for item in corpus().iterdir():
            if item.name.partition(".")[0].partition("-")[0] in case["file"] or item.name in _BESIDE:
                (shutil.copytree if item.is_dir() else shutil.copy)(item, folder / item.name)
        path = folder / case["file"]
        data = unpacked(case["data"])
        path.write_bytes(gzip.compress(data) if path.suffix == ".gz" else data)
        name, use = case["use"]
        command(folder, *(str(a).format(Path(case["file"]).parent) for a in _USES[name][use]))
        return 1


_BESIDE = ("message", "selection", "shop.db", "folds")
