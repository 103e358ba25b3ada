"""`python -m logicoder`."""

from logicoder.cli import main

if __name__ == "__main__":
    main()
