"""Programs in other languages: those of a model, ready to run where the data is."""

from __future__ import annotations

from logicoder.export.exports import EXPORTERS, PARTS, export_model, export_program
from logicoder.export.interface import Export, Exporter

__all__ = ["EXPORTERS", "PARTS", "Export", "Exporter", "export_model", "export_program"]
