"""`python -m arpad` is the command `arpad`."""

from arpad.cli import main

if __name__ == "__main__":
    main()
