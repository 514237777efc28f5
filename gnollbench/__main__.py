"""``python -m gnollbench``, and the program ``gnollbench``."""

import sys
from typing import NoReturn

from gnollbench.signals import leave_signals, take_signals


def main() -> NoReturn:
    """Run the program; the process ends with its exit code, 130 where it was told to end."""
    take_signals()
    try:
        from gnollbench.cli import main as door

        door()
    except KeyboardInterrupt:
        sys.exit(130)
    finally:
        leave_signals()


if __name__ == "__main__":
    main()
