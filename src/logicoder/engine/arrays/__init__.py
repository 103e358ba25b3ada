"""Relations as numpy columns: the engine that is there without further packages."""
