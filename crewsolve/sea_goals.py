"""Goal kinds that Mission Deep Sea needed first; missions and puzzles of both games may use them.

Judges, as in `goals`: the plain meaning, a function of the tricks so far. Clauses stand under the
same class names in `sat/sea_goals.py`, transitions of the compiled search in `search/goals.py`.
Colour cards are said by masks, so a goal that means "a 3" never counts rocket 3.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from .cards import SUIT_MASKS, SUIT_NAMES, Card, Seat, card_name, cards_of, names, rank_of
from .goals import Comparison, Goal, History, Status, Trick, compare, op_text

Against = Literal["each-other", "others-together"] | Seat
"""Whose tricks are compared: each other member, all others together, or one seat."""
Relation = Literal["more", "fewer", "equally-many"]

_RANK = 1 | 1 << 9 | 1 << 18 | 1 << 27


def cards_text(mask: int) -> str:
    """Cards of a set in words where it is all of a colour or of a rank: ``2s and 3s``."""
    suits = [suit for suit in range(5) if SUIT_MASKS[suit] & ~mask == 0]
    if suits and sum(SUIT_MASKS[suit] for suit in suits) == mask:
        if suits == [4]:
            return "rockets"
        return "colour cards" if suits == [0, 1, 2, 3] else f"{_listed(suits, SUIT_NAMES)} cards"
    ranks = [rank for rank in range(9) if _RANK << rank & ~mask == 0]
    if ranks and sum(_RANK << rank for rank in ranks) == mask:
        return _listed(ranks, [f"{rank}s" for rank in range(1, 10)])
    return names(cards_of(mask))


def _listed(items: Sequence[int], words: Sequence[str]) -> str:
    *first, last = (words[item] for item in items)
    return f"{', '.join(first)} and {last}" if first else last


def _of(mask: int) -> str:
    """Some of these cards, in words."""
    text = cards_text(mask)
    return f"of the {text}" if text.endswith("s") else f"of {text}"


def _waiting(history: History, cards: int) -> int:
    """Cards of a mask that may still be won."""
    return sum(not history.played(c) for c in cards_of(cards)) if history.left else 0


def _won(history: History, seat: Seat | None, cards: int) -> int:
    """Cards of a mask that a seat has won."""
    return sum(cards >> card & 1 for trick in history.won_by(seat) for card in trick.cards)


@dataclass(frozen=True)
class CompareTricks(Goal):
    """Win more / fewer / equally many tricks than others, each settled at the end."""

    kind: ClassVar[str] = "compare-tricks"
    relation: Relation
    against: Against

    def status(self, history: History) -> Status:
        seat, left, total = self.seat(), history.left, history.total
        counts = [len(history.won_by(s)) for s in range(history.seats)]
        own = counts[seat or 0]
        if self.against == "others-together":
            if 2 * own > total:
                return "done"
            return "failed" if 2 * (own + left) <= total else "open"
        others = [n for s, n in enumerate(counts) if s != seat]
        if self.against != "each-other":
            others = [counts[self.against]]
        if self.relation == "more":
            if own + left <= max(others):
                return "failed"
            return "done" if own > max(others) + left else "open"
        if self.relation == "fewer":
            if sum(max(0, own + 1 - n) for n in others) > left:
                return "failed"
            return "done" if own + left < min(others) else "open"
        if max(abs(own - n) for n in others) > left:
            return "failed"
        return "open" if left else "done"

    def describe(self) -> str:
        if isinstance(self.against, int):
            whom = f"seat {self.against + 1}"
        else:
            others = {"each-other": "each other member", "others-together": "all others together"}
            whom = others[self.against]
        if self.relation == "equally-many":
            return f"win as many tricks as {whom}"
        return f"win {self.relation} tricks than {whom}"


@dataclass(frozen=True)
class CountCards(Goal):
    """Win exactly / at least / at most n of these cards."""

    kind: ClassVar[str] = "count-cards"
    cards: int
    op: Comparison
    n: int

    def status(self, history: History) -> Status:
        have = _won(history, self.seat(), self.cards)
        return compare(have, _waiting(history, self.cards), self.op, self.n)

    def describe(self) -> str:
        if self.n == 0 and self.op != "at-least":
            return f"win no {cards_text(self.cards)}"
        return f"win {op_text(self.op, self.n)} {_of(self.cards)}"

    def tells_apart(self) -> Iterable[int]:
        return (self.cards,)


@dataclass(frozen=True)
class CompareCards(Goal):
    """Win more cards of one set than of another, or equally many, settled at the end."""

    kind: ClassVar[str] = "compare-cards"
    cards: int
    than: int
    relation: Literal["more", "equally-many"]

    def status(self, history: History) -> Status:
        one, other = (_won(history, self.seat(), cards) for cards in (self.cards, self.than))
        more, less = (_waiting(history, cards) for cards in (self.cards, self.than))
        if self.relation == "more":
            if one + more <= other:
                return "failed"
            return "done" if one > other + less else "open"
        if one + more < other or other + less < one:
            return "failed"
        return "open" if more or less else "done"

    def describe(self) -> str:
        one, other = cards_text(self.cards), cards_text(self.than)
        if self.relation == "more":
            return f"win more {one} than {other}"
        return f"win as many {one} as {other}"

    def tells_apart(self) -> Iterable[int]:
        return (self.cards, self.than)


@dataclass(frozen=True)
class Run(Goal):
    """Win at least / never more than n tricks one directly after the other."""

    kind: ClassVar[str] = "run"
    op: Literal["at-least", "at-most"]
    n: int

    def status(self, history: History) -> Status:
        run = longest = 0
        for trick in history.tricks:
            run = run + 1 if trick.winner == self.seat() else 0
            longest = max(longest, run)
        if self.op == "at-least":
            if longest >= self.n:
                return "done"
            return "failed" if run + history.left < self.n else "open"
        if longest > self.n:
            return "failed"
        return "done" if run + history.left <= self.n else "open"

    def describe(self) -> str:
        if self.op == "at-least":
            return f"win {self.n} tricks one after the other"
        return f"never win {self.n + 1} tricks one after the other"


@dataclass(frozen=True)
class NoLead(Goal):
    """Never lead one of these cards; binds a member or the whole crew."""

    kind: ClassVar[str] = "no-lead"
    cards: int

    def status(self, history: History) -> Status:
        for trick in history.tricks:
            if self.cards >> trick.cards[0] & 1 and self.who in (None, trick.seats[0]):
                return "failed"
        return "open" if _waiting(history, self.cards) else "done"

    def describe(self) -> str:
        return f"never lead {cards_text(self.cards)}"

    def tells_apart(self) -> Iterable[int]:
        return (self.cards,)


@dataclass(frozen=True)
class PlayLast(Goal):
    """This card is played in the last trick, or as the very last card of it."""

    kind: ClassVar[str] = "play-last"
    card: Card
    place: Literal["trick", "card"] = "trick"

    def status(self, history: History) -> Status:
        for number, trick in enumerate(history.tricks, 1):
            if self.card in trick.cards and number < history.total:
                return "failed"
        if history.left:
            return "open"
        last = history.tricks[-1].cards
        wanted = last if self.place == "trick" else last[-1:]
        return "done" if self.card in wanted else "failed"

    def describe(self) -> str:
        how = "in the last trick" if self.place == "trick" else "as the last card of the last trick"
        return f"{card_name(self.card)} is played {how}"

    def tells_apart(self) -> Iterable[int]:
        return (1 << self.card,)


@dataclass(frozen=True)
class WinSuit(Goal):
    """Win all cards of at least one of these sets: for example of one colour, whichever."""

    kind: ClassVar[str] = "win-suit"
    sets: tuple[int, ...]

    def status(self, history: History) -> Status:
        lost = 0
        for trick in history.tricks:
            if trick.winner != self.seat():
                lost |= sum(1 << card for card in trick.cards)
        alive = [cards for cards in self.sets if not cards & lost]
        if any(all(map(history.played, cards_of(cards))) for cards in alive):
            return "done"
        return "open" if alive and history.left else "failed"

    def describe(self) -> str:
        return "win all of " + ", or all of ".join(map(cards_text, self.sets))

    def tells_apart(self) -> Iterable[int]:
        return self.sets


@dataclass(frozen=True)
class WinTrick(Goal):
    """Win a trick that passes every test given.

    top: its winning card is one of these. against: another card in it is one of these.
    within: all its cards are among these. least, most: bounds on the sum of its ranks.
    pair: as many cards of the first set as of the second, at least one of each.
    """

    kind: ClassVar[str] = "win-trick"
    top: int = -1
    against: int = 0
    within: int = -1
    least: int = 0
    most: int = 99
    pair: tuple[int, int] | None = None

    def fits(self, trick: Trick) -> bool:
        """Whether a trick passes the tests, whoever wins it."""
        others = [card for card in trick.cards if card != trick.top]
        one, other = (
            sum(cards >> card & 1 for card in trick.cards) for cards in self.pair or (0, 0)
        )
        return (
            bool(self.top >> trick.top & 1)
            and (not self.against or any(self.against >> card & 1 for card in others))
            and all(self.within >> card & 1 for card in trick.cards)
            and self.least <= sum(map(rank_of, trick.cards)) <= self.most
            and (self.pair is None or one == other > 0)
        )

    def status(self, history: History) -> Status:
        if any(map(self.fits, history.won_by(self.seat()))):
            return "done"
        needed = [self.top] * (self.top >= 0) + [self.against] * (self.against > 0)
        if not all(_waiting(history, cards) for cards in needed):
            return "failed"
        return "open" if history.left else "failed"

    def describe(self) -> str:
        parts = []
        if self.top >= 0:
            parts.append(f"with one {_of(self.top)} as the winning card")
        if self.against:
            another = "another" if self.top >= 0 and self.top & self.against else "one"
            parts.append(f"with {another} {_of(self.against)} in it")
        if self.within >= 0:
            parts.append(f"of nothing but {cards_text(self.within)}")
        if self.least > 0 or self.most < 99:
            parts.append(f"whose ranks add up to {_range(self.least, self.most)}")
        if self.pair is not None:
            one, other = map(cards_text, self.pair)
            parts.append(f"with as many {one} as {other}, at least one each")
        return f"win a trick {' and '.join(parts)}"

    def tells_apart(self) -> Iterable[int]:
        masks = [mask for mask in (self.top, self.against, self.within) if mask > 0]
        masks += self.pair or ()
        if self.least > 0 or self.most < 99:
            masks += [1 << card for card in range(40)]
        return masks


def _range(least: int, most: int) -> str:
    if least <= 0:
        return f"{most} or less"
    if most >= 99:
        return f"{least} or more"
    return f"{least} or {most}" if most == least + 1 else f"{least} to {most}"


@dataclass(frozen=True)
class BalanceCards(Goal):
    """After every trick no member has won two of these cards more than any other."""

    kind: ClassVar[str] = "balance-cards"
    cards: int

    def status(self, history: History) -> Status:
        counts = [0] * history.seats
        for trick in history.tricks:
            counts[trick.winner] += sum(self.cards >> card & 1 for card in trick.cards)
            if max(counts) - min(counts) > 1:
                return "failed"
        return "open" if _waiting(history, self.cards) else "done"

    def describe(self) -> str:
        return f"nobody is ever two {_of(self.cards)} ahead of another"

    def tells_apart(self) -> Iterable[int]:
        return (self.cards,)


@dataclass(frozen=True)
class StayAhead(Goal):
    """Who wins the first trick has, after every trick, more tricks than each other member."""

    kind: ClassVar[str] = "stay-ahead"

    def status(self, history: History) -> Status:
        counts = [0] * history.seats
        for trick in history.tricks:
            counts[trick.winner] += 1
            first = history.tricks[0].winner
            if any(n >= counts[first] for s, n in enumerate(counts) if s != first):
                return "failed"
        return "open" if history.left else "done"

    def describe(self) -> str:
        return "the winner of the first trick always has more tricks than each other member"


SEA_KINDS: tuple[type[Goal], ...] = (
    CompareTricks,
    CountCards,
    CompareCards,
    Run,
    NoLead,
    PlayLast,
    WinSuit,
    WinTrick,
    BalanceCards,
    StayAhead,
)
