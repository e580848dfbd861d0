"""Puzzles written as TOML, as they are read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..errors import InputError


def toml_of(fields: Mapping[str, Any]) -> str:
    """A puzzle as TOML; goals become tables at its end, and what is None is left out."""
    lines = [
        f"{_key(key)} = {_value(value)}"
        for key, value in fields.items()
        if value is not None and key != "goal"
    ]
    for goal in fields.get("goal") or ():
        lines += ["", "[[goal]]", *(f"{_key(k)} = {_value(v)}" for k, v in goal.items())]
    return "\n".join(lines) + "\n"


def _key(key: str) -> str:
    plain = key.isascii() and key.replace("-", "").replace("_", "").isalnum()
    return key if plain else _value(key)


def _value(value: Any) -> str:
    """A value on one line. JSON's strings and numbers are TOML's."""
    if isinstance(value, Mapping):
        pairs = (f"{_key(k)} = {_value(v)}" for k, v in value.items() if v is not None)
        return f"{{ {', '.join(pairs)} }}"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(_value(item) for item in value if item is not None)}]"
    if isinstance(value, (bool, int, float, str)):
        return json.dumps(value, ensure_ascii=not str(value).isprintable()).replace(
            "\x7f", "\\u007f"
        )
    return json.dumps(str(value))  # a date


def write_puzzle(path: Path, fields: Mapping[str, Any], force: bool) -> None:
    """Write a puzzle to a file; InputError if there is one and it is not to be replaced."""
    try:
        with path.open("w" if force else "x", encoding="utf-8", newline="\n") as file:
            file.write(toml_of(fields))
    except FileExistsError:
        raise InputError.one(str(path), "there is such a file", "--force replaces it") from None
    except OSError as error:
        raise InputError.one(str(path), f"cannot be written: {error.strerror}") from None


def keep_puzzle(path: Path, fields: Mapping[str, Any]) -> None:
    """Write a puzzle to a file, unless it stands there already; InputError if another does."""
    with suppress(OSError, ValueError):  # nothing stands there, or nothing that is a puzzle
        if path.read_text(encoding="utf-8") == toml_of(fields):
            return
    write_puzzle(path, fields, False)
