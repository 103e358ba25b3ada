"""All kinds of attack by name."""

from __future__ import annotations

from campaign.functions import Functions
from campaign.kind import Kind
from campaign.loaders import Loaders
from campaign.options import Options
from campaign.saved_files import SavedFiles

KINDS: dict[str, Kind] = {
    "functions": Functions(),
    "loaders": Loaders(),
    "options": Options(),
    "saved-files": SavedFiles(),
}
