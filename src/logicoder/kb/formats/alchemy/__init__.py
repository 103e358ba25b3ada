"""The files of Alchemy: facts (`.db`), declarations (`.mln`) and results of inference (`.results`)."""
