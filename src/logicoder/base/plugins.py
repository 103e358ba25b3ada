"""Things looked up by name: those of the package, and those that other packages offer as entry points.

A package offers one in its `pyproject.toml`:

    [project.entry-points."logicoder.formats"]
    parquet = "my_package.parquet:ParquetFormat"

Nothing is imported before it is asked for, and the entry points of an installation are looked through only
where a name is not the package's own, or all names are wanted.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from logicoder.base.errors import LogicoderError, UsageError, shown

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")

_log = logging.getLogger("logicoder")


class Registry(Generic[T]):
    """Named things of one sort.

    >>> registry = Registry("logicoder.examples", "example", {"ordered": "collections:OrderedDict"})
    >>> registry["ordered"].__name__, registry.names
    ('OrderedDict', ('ordered',))

    Args:
        group: the group of entry points.
        what: the word for one of the things.
        built_in: where the package keeps its own, by name, as `module:attribute`.
    """

    def __init__(self, group: str, what: str, built_in: Mapping[str, str]) -> None:
        self.group = group
        self.built_in = dict(built_in)
        self._what = what
        self._loaded: dict[str, T] = {}

    @cached_property
    def _outside(self) -> dict[str, EntryPoint]:
        from importlib.metadata import entry_points  # noqa: PLC0415  (takes its time, and is seldom needed)

        found = {entry.name: entry for entry in entry_points(group=self.group)}
        for name in found.keys() & self.built_in.keys():
            _log.warning(
                "the %s %s of %s is ignored: the name is already in use", self._what, name, found[name].value
            )
        return {name: found[name] for name in sorted(found.keys() - self.built_in.keys())}

    @property
    def names(self) -> tuple[str, ...]:
        """All names, those of the package first."""
        return (*self.built_in, *self._outside)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, name: object) -> bool:
        return name in self.built_in or name in self._outside

    def __getitem__(self, name: str) -> T:
        """Return a thing by its name.

        Raises:
            UsageError: if there is none, or what another package offers cannot be loaded.
        """
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def _load(self, name: str) -> T:
        if name in self.built_in:
            module, _, attribute = self.built_in[name].partition(":")
            return cast(T, getattr(import_module(module), attribute))
        if name not in self._outside:
            raise UsageError(f"{self._what} must be one of {', '.join(self.names)}, not {shown(name)}")
        entry = self._outside[name]
        try:
            return cast(T, entry.load())
        except LogicoderError:
            raise
        except Exception as error:
            raise UsageError(
                f"the {self._what} {name!r} cannot be loaded from {entry.value}: {error}"
            ) from error

    def all(self) -> dict[str, T]:
        """Return everything by name; what another package offers in vain is left out, with a warning."""
        found: dict[str, T] = {}
        for name in self.names:
            try:
                found[name] = self[name]
            except UsageError as error:
                _log.warning("%s", error)
        return found
