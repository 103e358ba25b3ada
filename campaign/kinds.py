"""All kinds of attack by name."""

from __future__ import annotations

from campaign.functions import Functions
from campaign.kills import Kills
from campaign.kind import Kind
from campaign.loaders import LOADERS
from campaign.options import Options
from campaign.permutations import Permutations
from campaign.processes import Disks, Memory, Together
from campaign.programs import STORED
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
    **STORED,
    "networks": NETWORKS,
    "round-trips": ROUND_TRIPS,
    "permutations": Permutations(),
    "kills": Kills(),
    "disks": Disks(),
    "together": Together(),
    "memory": Memory(),
}
SERVERS = ("programs-postgresql", "programs-spark")
"""Those that need a server, and are tried if they are asked for by name."""
