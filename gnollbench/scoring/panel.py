"""The two-company panel: resolution of a split, member mean, agreement (R26, R27, R36)."""

from enum import StrEnum


class Resolution(StrEnum):
    """How a critical error in a panel run was resolved (R36)."""

    AGREED = "agreed"
    UPHELD = "upheld"
    OVERTURNED = "overturned"
    UNRESOLVED = "unresolved"
