"""`python -m rulebook`: the command line without an installed script."""

import sys

from rulebook.cli import main

if __name__ == "__main__":
    sys.exit(main())
