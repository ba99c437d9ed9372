"""`python -m kosumi_training COMMAND`."""

import sys

from kosumi_training.cli import main

if __name__ == "__main__":
    sys.exit(main())
