"""crewsolve: decides whether a deal of the card game The Crew can be won.

The public entries are `solve` and `verify`; see their docstrings in `crewsolve.api`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["InputError", "Limits", "Report", "Verdict", "solve", "verify"]

if TYPE_CHECKING:
    from .api import InputError, Limits, Report, Verdict, solve, verify


def __getattr__(name: str) -> Any:
    """Public names on first use, so that importing the package costs nothing."""
    if name in __all__:
        from . import api

        return getattr(api, name)
    raise AttributeError(f"module 'crewsolve' has no attribute {name!r}")
