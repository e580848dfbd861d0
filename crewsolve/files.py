"""Files of problems: text blocks, JSON, JSON Lines, TOML; the form is recognised, not asked for.

Text: blocks of ``key: value`` lines parted by blank lines, ``#`` comments at the start of a line; a
line that is a bare deal stands for itself. Everything but TOML and a single JSON value is streamed.
"""

from __future__ import annotations

import io
import json
import re
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, BinaryIO

from .errors import Fault, InputError
from .notation import describe_char


@dataclass(frozen=True)
class Block:
    """One problem of a file.

    number: from 1. line: where it begins. faults: why it cannot be read.
    """

    number: int
    line: int
    fields: dict[str, Any]
    faults: tuple[Fault, ...] = ()


_KEY = re.compile(r"^\s*([A-Za-z][A-Za-z0-9 _-]*?)\s*:\s*(.*?)\s*$")
_TOML = re.compile(r"^\s*(\[\[?\s*[\w.-]+\s*\]?\]|[\w-]+\s*=)")
_BOMS = ((b"\xff\xfe", "UTF-16"), (b"\xfe\xff", "UTF-16"))


def open_text(raw: BinaryIO, name: str) -> Iterator[str]:
    """Lines of a byte stream as UTF-8, whatever ends them, without a byte order mark.

    A byte that is not UTF-8 becomes a lone surrogate, so that only its line is refused.
    """
    stream = io.BufferedReader(raw) if isinstance(raw, io.RawIOBase) else raw
    head = stream.peek(2)[:2] if isinstance(stream, io.BufferedReader) else b""
    for bom, encoding in _BOMS:
        if head.startswith(bom):
            raise InputError.one(name, f"the file is {encoding}", "save it as UTF-8")
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline=None)
    for line in text:
        yield line.rstrip("\n")


def _bad_byte(text: str) -> Fault | None:
    for column, char in enumerate(text, 1):
        if "\udc80" <= char <= "\udcff":
            byte = ord(char) - 0xDC00
            return Fault(
                f"column {column}", f"byte 0x{byte:02X} is not UTF-8", "save the file as UTF-8"
            )
    return None


def read_blocks(lines: Iterable[str], name: str) -> Iterator[Block]:
    """Problems of a text, in order; InputError if there is none."""
    numbered = enumerate(lines, 1)
    head: list[tuple[int, str]] = []
    for number, line in numbered:
        head.append((number, line))
        if line.strip() and not line.startswith("#"):
            break
    else:
        raise InputError.one(
            name, "there is no deal in it", "the file is empty" if not head else ""
        )
    first = head[-1][1].lstrip()
    rest = _chain(head, numbered)
    if first.startswith("{"):
        yield from _read_json(rest, name)
    elif _TOML.match(first):
        yield from _read_toml(rest, name)
    elif first.startswith("["):
        yield from _whole_json([line for _, line in rest], name)
    else:
        yield from _read_text(rest)


def _chain(
    head: list[tuple[int, str]], rest: Iterator[tuple[int, str]]
) -> Iterator[tuple[int, str]]:
    yield from head
    yield from rest


def _object(value: Any, number: int, line: int) -> Block:
    if isinstance(value, dict):
        return Block(
            number,
            line,
            {str(key).replace("_", "-") if key != "id" else key: v for key, v in value.items()},
        )
    return Block(
        number, line, {}, (Fault("", f"a problem is an object, not {type(value).__name__}"),)
    )


def _read_json(lines: Iterator[tuple[int, str]], name: str) -> Iterator[Block]:
    """JSON Lines; where the first line is no whole value and no object follows, one JSON value."""
    filled = ((number, line) for number, line in lines if line.strip() and not line.startswith("#"))
    head = list(islice(filled, 2))
    _, fault = _load(head[0][1])
    if fault is not None and not (len(head) == 2 and head[1][1].lstrip().startswith("{")):
        yield from _whole_json([line for _, line in _chain(head, filled)], name)
        return
    for count, (number, line) in enumerate(_chain(head, filled), 1):
        value, fault = _load(line)
        fault = _bad_byte(line) or fault
        yield _object(value, count, number) if fault is None else Block(count, number, {}, (fault,))


def _no_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"{next(k for k in keys if keys.count(k) > 1)!r} stands twice")
    return found


def _load(text: str) -> tuple[Any, Fault | None]:
    """A JSON value, or what is wrong with the text."""
    try:
        return json.loads(text, object_pairs_hook=_no_twice), None
    except json.JSONDecodeError as error:
        place = f"column {error.colno}"
        place = place if error.lineno == 1 else f"line {error.lineno}, {place}"
        return None, Fault(
            place if error.lineno == 1 else f"line {error.lineno}, {place}",
            f"not JSON: {error.msg}",
        )
    except (ValueError, RecursionError) as error:
        return None, Fault("", f"not JSON that can be used: {error}")


def _whole_json(lines: list[str], name: str) -> Iterator[Block]:
    value, fault = _load("\n".join(lines))
    if fault is not None:
        raise InputError.one(f"{name}, {fault.where}" if fault.where else name, fault.what)
    items = value if isinstance(value, list) else [value]
    if not items:
        raise InputError.one(name, "there is no deal in it", "the list is empty")
    for number, item in enumerate(items, 1):
        yield _object(item, number, number)


def _read_toml(lines: Iterator[tuple[int, str]], name: str) -> Iterator[Block]:
    """One puzzle, or several as [[puzzle]] tables."""
    text = "\n".join(line for _, line in lines)
    bad = _bad_byte(text)
    if bad is not None:
        raise InputError([bad])
    try:
        data = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError.one(name, f"not TOML: {error}") from None
    puzzles = data.get("puzzle", [data])
    items = puzzles if isinstance(puzzles, list) else [puzzles]
    if not items:
        raise InputError.one(name, "there is no deal in it", "the list of puzzles is empty")
    for number, item in enumerate(items, 1):
        yield _object(item, number, number)


def _read_text(lines: Iterator[tuple[int, str]]) -> Iterator[Block]:
    """Blocks of key: value lines; a line with | and no key is a deal."""
    count = 0
    fields: dict[str, Any] = {}
    faults: list[Fault] = []
    start = 0
    for number, line in _chain_end(lines):
        if line is None or not line.strip():
            if fields or faults:
                count += 1
                yield Block(count, start, fields, tuple(faults))
            fields, faults = {}, []
            continue
        if line.startswith("#"):
            continue
        start = start if fields or faults else number
        _read_text_line(number, line, fields, faults)


def _read_text_line(number: int, line: str, fields: dict[str, Any], faults: list[Fault]) -> None:
    bad = _bad_byte(line)
    match = _KEY.match(line)
    key = match[1].lower().replace(" ", "-").replace("_", "-") if match else ""
    if bad is not None:
        faults.append(bad._replace(where=f"line {number}, {bad.where}"))
    elif match and key not in ("j", "jarvis"):
        if key in fields:
            faults.append(
                Fault(
                    f"line {number}",
                    f"{key} stands twice in this block",
                    "part deals by a blank line",
                )
            )
        fields[key] = match[2]
    elif "|" in line:
        if "deal" in fields:
            faults.append(
                Fault(f"line {number}", "a second deal in this block", "part deals by a blank line")
            )
        fields["deal"] = line.strip()
    else:
        shown = line.strip()
        odd = next((c for c in shown if not c.isascii()), "")
        what = f"'{shown[:40]}' is neither key: value nor a deal"
        faults.append(
            Fault(f"line {number}", what, describe_char(odd) if odd else "hands are parted by |")
        )


def _chain_end(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str | None]]:
    yield from lines
    yield 0, None
