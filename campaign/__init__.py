"""A campaign against everything that is read, run or interrupted: `make campaign MINUTES=10`.

Each module of this folder that has a name in `kinds` attacks in one way. What fails is kept in a file of
`campaign/failures`, which the tests replay.
"""
