"""Representations that follow the data: encodings brought up to date fact by fact."""
