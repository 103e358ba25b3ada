"""All kinds of attack by name."""

from __future__ import annotations

from campaign.functions import Functions
from campaign.kind import Kind
from campaign.loaders import LOADERS
from campaign.options import Options
from campaign.permutations import Permutations
from campaign.processes import Disks, Kills, Memory, Together
from campaign.properties import NETWORKS, PROGRAMS, ROUND_TRIPS
from campaign.readers import READERS
from campaign.saved_files import SavedFiles

KINDS: dict[str, Kind] = {
    "readers": READERS,
    "loaders": LOADERS,
    "saved-files": SavedFiles(),
    "options": Options(),
    "functions": Functions(),
    "programs": PROGRAMS,
    "networks": NETWORKS,
    "round-trips": ROUND_TRIPS,
    "permutations": Permutations(),
    "kills": Kills(),
    "disks": Disks(),
    "together": Together(),
    "memory": Memory(),
}
