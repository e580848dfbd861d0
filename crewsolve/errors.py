"""Faults of an input: what is wrong, where, and what would be right."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Fault(NamedTuple):
    """One thing wrong with an input.

    where: the place as a person would point at it ("hand of seat 2, column 5").
    what: what stands there and why it cannot be used.
    hint: what would be right; empty if the fault says it already.
    """

    where: str
    what: str
    hint: str = ""

    def __str__(self) -> str:
        text = f"{self.where}: {self.what}" if self.where else self.what
        return f"{text} ({self.hint})" if self.hint else text


class InputError(ValueError):
    """An input that cannot be used; carries all its faults at once."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))

    @classmethod
    def one(cls, where: str, what: str, hint: str = "") -> InputError:
        """An error with a single fault."""
        return cls([Fault(where, what, hint)])


class Faults(list[Fault]):
    """Collects faults while an input is read, so that all are told at once."""

    def add(self, where: str, what: str, hint: str = "") -> None:
        """Note one fault and go on reading."""
        self.append(Fault(where, what, hint))

    def check(self) -> None:
        """Raise InputError if any fault was noted."""
        if self:
            raise InputError(self)
