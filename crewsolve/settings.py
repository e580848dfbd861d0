"""Rulings that can be chosen: read from text or an object, checked against what a problem knows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from .errors import Faults
from .mission import GAMES, Mission, missions_of
from .problem import COMMON_SETTINGS

_SEED = re.compile(r"-?\d{1,18}")


def merge_settings(first: Any, second: Any, faults: Faults) -> dict[str, Any]:
    """Settings of two sources; the second's stand where both name one."""
    return {**_pairs(first, faults), **_pairs(second, faults)}


def _pairs(value: Any, faults: Faults) -> dict[str, Any]:
    """Settings as an object, or from text ``name=value name=value``."""
    if value is None:
        return {}
    if isinstance(value, Mapping):
        return dict(value)
    if not isinstance(value, str):
        faults.add("settings", "neither an object nor name=value")
        return {}
    found: dict[str, Any] = {}
    for item in value.replace(",", " ").split():
        name, _, setting = item.partition("=")
        if name in found:
            faults.add(f"settings, {name}", "stands twice")
        found[name] = setting
    return found


def read_settings(value: Any, mission: Mission | None, faults: Faults) -> dict[str, str]:
    """The settings of this problem: those given, the defaults of the others.

    A setting of another mission is let through, so that a batch may be given one for all; one that
    no mission has is refused.
    """
    own = mission.settings if mission is not None else ()
    known = {setting.name: setting.values for setting in (*own, *COMMON_SETTINGS)}
    chosen = {name: values[0] for name, values in known.items()}
    for name, setting in _pairs(value, faults).items():
        where = f"settings, {name}"
        if name == "draw-seed":
            if not _SEED.fullmatch(str(setting)):
                faults.add(where, f"{setting!r} is not a whole number of at most 18 digits")
            elif "draw" in known:
                chosen[name] = str(setting)
        elif name in known and str(setting) in known[name]:
            chosen[name] = str(setting)
        elif name in known:
            faults.add(where, f"{setting!r} is not a value", f"one of {', '.join(known[name])}")
        elif name not in _all_settings():
            faults.add(where, "no such setting", f"known here: {', '.join(known)}")
    if "draw" in known:
        chosen.setdefault("draw-seed", "1")
    return chosen


def _all_settings() -> set[str]:
    return {s.name for game in GAMES for mission in missions_of(game) for s in mission.settings}
