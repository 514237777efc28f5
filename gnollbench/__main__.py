"""``python -m gnollbench``."""

from gnollbench.cli import main

if __name__ == "__main__":
    main()
