"""The forms that an encoding of data in a folder has, each told by a file that the others lack."""

from __future__ import annotations

from pathlib import Path

from logicoder.base.errors import UsageError
from logicoder.base.files import settle

EXCEPTIONS_FILE = "exceptions.pl"
MESSAGE_FILE = "message.bin"
TOLD_FILE = "encoding.json"

_FORMS = {
    EXCEPTIONS_FILE: "latent facts and exceptions",
    MESSAGE_FILE: "packed data",
    TOLD_FILE: "an encoding that an engine wrote",
}


def refuse_other_forms(folder: Path, own: str) -> None:
    """Refuse a folder that has an encoding of another form: whoever decodes it could take the wrong one.

    Args:
        folder: where an encoding is to be written.
        own: the file that tells its form.

    Raises:
        UsageError: if another file does.
    """
    settle(folder)
    for name, what in _FORMS.items():
        if name != own and (folder / name).exists():
            raise UsageError(f"{folder}: this folder has {what} ({name}); remove them or name another folder")
