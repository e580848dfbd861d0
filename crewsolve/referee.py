"""The referee: plays a line by the rules and says what happened at which card.

Plain Python, no numpy, and no code in common with the engines: every "winnable" is replayed here
before it is printed. Rules: Quest for Planet Nine, `Deal` for the table, `goals` for the judges.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from .cards import ROCKET, SUIT_NAMES, Card, Seat, card_name, names, suit_of
from .goals import History, Task, Trick, order_fault
from .problem import Attempt

Outcome = Literal["won", "lost", "unfinished", "illegal"]


@dataclass(frozen=True)
class TrickReport:
    """A trick as it was played: cards from the leader on, winner (None while open), notes."""

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat | None
    notes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """The JSON object of a trick, notes aside; seats from 1."""
        return {
            "leader": self.leader + 1,
            "cards": [card_name(card) for card in self.cards],
            "winner": None if self.winner is None else self.winner + 1,
        }


@dataclass(frozen=True)
class Report:
    """What the referee saw.

    outcome: won, lost (a goal or task failed), unfinished (more cards needed), illegal (a rule of
    play broken). trick, card: where it was decided, both from 1; 0 before the first card.
    reason: in words. rule: the rule that was broken or the goal that failed, in short.
    unread: cards of the line after the point of decision.
    """

    outcome: Outcome
    trick: int
    card: int
    reason: str
    rule: str
    tricks: tuple[TrickReport, ...]
    unread: int = 0
    drawn: tuple[Card, ...] | None = None

    @property
    def line(self) -> tuple[tuple[Card, ...], ...]:
        """Cards of the tricks up to the decision."""
        return tuple(trick.cards for trick in self.tricks)


class _Broken(Exception):
    """A rule of play broken; text and short name of the rule."""

    def __init__(self, reason: str, rule: str) -> None:
        super().__init__(reason)
        self.reason, self.rule = reason, rule


@dataclass
class _Table:
    """Hands on the table; JARVIS's columns as lists, covered card first, open one last."""

    hands: list[set[Card]]
    jarvis: Seat | None
    deck: int
    columns: list[list[Card]] = field(default_factory=list)

    def visible(self, seat: Seat) -> set[Card]:
        """Cards that a seat may play from: all in hand, of JARVIS the open ones."""
        if seat == self.jarvis:
            return {column[-1] for column in self.columns if column}
        return self.hands[seat]

    def take(self, seat: Seat, card: Card) -> None:
        """Remove a card that is played. A covered card opens only after the trick: `turn_up`."""
        self.hands[seat].discard(card)

    def turn_up(self) -> None:
        """After a trick: played cards leave JARVIS's columns, and what lies beneath is open."""
        if self.jarvis is not None:
            for column in self.columns:
                column[:] = [card for card in column if card in self.hands[self.jarvis]]

    def exchange(self, gifts: Sequence[tuple[Seat, Seat, Card]]) -> None:
        """Everybody gives at once; what JARVIS receives takes the place of what he gives."""
        for giver, _, card in gifts:
            self.hands[giver].remove(card)
        for _, receiver, card in gifts:
            self.hands[receiver].add(card)
        given = next((card for giver, _, card in gifts if giver == self.jarvis), None)
        received = next((card for _, receiver, card in gifts if receiver == self.jarvis), None)
        if given is not None and received is not None:
            for column in self.columns:
                column[:] = [received if card == given else card for card in column]


def _set_up(attempt: Attempt) -> _Table:
    deal = attempt.deal
    columns = [
        [card for card in (beneath, top) if card is not None] for top, beneath in deal.columns
    ]
    table = _Table([set(hand) for hand in deal.hands], deal.jarvis, deal.mask, columns)
    if attempt.passed is not None:
        _distress(attempt, table)
    return table


def _distress(attempt: Attempt, table: _Table) -> None:
    """Distress signal: everybody passes one colour card the same way; rockets never."""
    assert attempt.passed is not None
    step = 1 if attempt.passed.direction == "left" else -1
    seats = attempt.deal.seats
    out = table.jarvis if attempt.jarvis_sits_out else None
    gifts: list[tuple[Seat, Seat, Card]] = []
    if len(attempt.passed.cards) != seats:
        raise _Broken(f"a pass names one card for each of {seats} seats", "distress pass")
    for giver, card in enumerate(attempt.passed.cards):
        if giver == out:
            if card is not None:
                raise _Broken("JARVIS sits out of the distress pass here", "distress pass")
            continue
        if card is None or card not in table.visible(giver):
            shown = "no card" if card is None else card_name(card)
            raise _Broken(f"seat {giver + 1} cannot pass {shown}", "distress pass")
        if suit_of(card) == ROCKET:
            raise _Broken(
                f"seat {giver + 1} passes {card_name(card)}: rockets are never passed",
                "distress pass",
            )
        receiver = (giver + step) % seats
        if receiver == out:
            receiver = (receiver + step) % seats
        gifts.append((giver, receiver, card))
    table.exchange(gifts)


def _mission_12_draw(attempt: Attempt, table: _Table) -> tuple[Card, ...]:
    """After trick 1 every seat draws a card from the hand to its right; returns cards by giver."""
    seats = attempt.deal.seats
    drawn = attempt.drawn
    if drawn is None:
        assert attempt.draw_order is not None
        drawn = tuple(
            next(card for card in attempt.draw_order if card in table.hands[giver])
            for giver in range(seats)
        )
    if len(drawn) != seats:
        raise _Broken(f"the draw names one card for each of {seats} seats", "draw")
    for giver, card in enumerate(drawn):
        if card not in table.hands[giver]:
            raise _Broken(f"{card_name(card)} cannot be drawn from seat {giver + 1}", "draw")
    table.exchange([(giver, (giver + 1) % seats, card) for giver, card in enumerate(drawn)])
    return drawn


def trick_winner(cards: Sequence[Card]) -> int:
    """Place of the winning card: the highest rocket, else the highest card of the suit led."""
    rockets = [card for card in cards if suit_of(card) == ROCKET]
    able = rockets or [card for card in cards if suit_of(card) == suit_of(cards[0])]
    return cards.index(max(able))


class _Judge:
    """Follows tasks, tokens and goals trick by trick."""

    def __init__(self, attempt: Attempt, total: int) -> None:
        self.attempt = attempt
        self.total = total
        self.done = [False] * len(attempt.tasks)
        self.tricks: list[Trick] = []
        self.home: int | None = None if attempt.tasks else 0
        self.goal_done = [False] * len(attempt.goals)

    def after(self, trick: Trick) -> tuple[list[str], str | None, str]:
        """Notes of a finished trick, why the attempt failed in it (or None), and the rule."""
        self.tricks.append(trick)
        notes: list[str] = []
        for index, task in enumerate(self.attempt.tasks):
            if task.card in trick.cards and not self.done[index]:
                assert task.owner is not None
                if trick.winner != task.owner:
                    card, owner, winner = card_name(task.card), task.owner + 1, trick.winner + 1
                    reason = f"{card} is for seat {owner}, but seat {winner} wins it"
                    return notes, reason, "task"
                self.done[index] = True
                notes.append(f"task {_task_text(task)} is home")
        late = order_fault(self.attempt.tasks, self.done)
        if late is not None:
            return notes, late, "token"
        too_early = self._last_too_early()
        if too_early is not None:
            return notes, too_early, "last trick"
        if self.home is None and all(self.done):
            self.home = len(self.tricks)
        return self._goals(notes)

    def _last_too_early(self) -> str | None:
        if not self.attempt.last_in_last or len(self.tricks) == self.total:
            return None
        for task, done in zip(self.attempt.tasks, self.done, strict=True):
            if task.token == "last" and done:
                return (
                    f"{card_name(task.card)} must come home in the last trick, number {self.total}"
                )
        return None

    def _goals(self, notes: list[str]) -> tuple[list[str], str | None, str]:
        history = History(tuple(self.tricks), self.total, self.attempt.deal.seats, self.home)
        for index, goal in enumerate(self.attempt.goals):
            status = goal.status(history)
            if status == "failed":
                return notes, f"{goal_text(goal.who, goal.describe())}: not met", goal.kind
            if status == "done" and not self.goal_done[index]:
                notes.append(f"{goal_text(goal.who, goal.describe())}: met")
            self.goal_done[index] = status == "done"
        left = self.total - len(self.tricks)
        open_tasks = [
            task for task, done in zip(self.attempt.tasks, self.done, strict=True) if not done
        ]
        if not left and open_tasks:
            return notes, f"no trick is left for {names(task.card for task in open_tasks)}", "task"
        return notes, None, ""

    @property
    def won(self) -> bool:
        """Whether everything that must happen has happened."""
        return all(self.done) and all(self.goal_done)


def goal_text(who: object, what: str) -> str:
    """A demand with the member it binds."""
    return f"seat {who + 1}: {what}" if isinstance(who, int) else what


def _task_text(task: Task) -> str:
    return card_name(task.card) + (f" ({task.token})" if task.token else "")


def _check_card(table: _Table, seat: Seat, card: Card, led: int | None) -> None:
    """Legality of one card (rules: follow suit; JARVIS plays and follows with open cards only)."""
    visible = table.visible(seat)
    if card not in visible:
        if card in table.hands[seat]:
            raise _Broken(f"{card_name(card)} still lies covered before JARVIS", "covered card")
        holder = next((s for s, hand in enumerate(table.hands, 1) if card in hand), None)
        where = f"seat {holder} holds it" if holder else "it has been played"
        if not table.deck >> card & 1:
            where = "it is in no hand"
        raise _Broken(f"seat {seat + 1} cannot play {card_name(card)}: {where}", "card not held")
    if led is not None and suit_of(card) != led and any(suit_of(c) == led for c in visible):
        own = names(sorted(c for c in visible if suit_of(c) == led))
        reason = (
            f"seat {seat + 1} plays {card_name(card)} but must follow {SUIT_NAMES[led]} with {own}"
        )
        raise _Broken(reason, "follow suit")


def replay(attempt: Attempt, line: Sequence[Sequence[Card]]) -> Report:
    """Play a line card by card until it is decided, breaks a rule, or ends.

    line: tricks in playing order; the last one may be unfinished.
    """
    deal = attempt.deal
    reports: list[TrickReport] = []
    total_cards = sum(map(len, line))
    try:
        table = _set_up(attempt)
    except _Broken as broken:
        return Report("illegal", 0, 0, broken.reason, broken.rule, (), total_cards)
    total = min(map(len, table.hands))
    judge = _Judge(attempt, total)
    leader, read = deal.leader, 0
    drawn: tuple[Card, ...] | None = None
    for number, cards in enumerate(line, 1):
        on_table: list[Card] = []
        try:
            for card in cards:
                if len(on_table) == deal.seats:
                    raise _Broken(
                        f"{card_name(card)} is card {deal.seats + 1} of the trick",
                        "number of cards",
                    )
                seat = (leader + len(on_table)) % deal.seats
                _check_card(table, seat, card, suit_of(on_table[0]) if on_table else None)
                table.take(seat, card)
                on_table.append(card)
            if len(on_table) < deal.seats:
                if number < len(line):
                    raise _Broken(
                        f"trick {number} has {len(on_table)} cards, not {deal.seats}",
                        "number of cards",
                    )
                reports.append(TrickReport(leader, tuple(on_table), None, ()))
                break
            place = trick_winner(on_table)
            table.turn_up()
            seats = tuple((leader + k) % deal.seats for k in range(deal.seats))
            trick = Trick(tuple(on_table), seats, seats[place], on_table[place])
            notes, failure, rule = judge.after(trick)
            if number == 1 and failure is None and not judge.won and attempt.draw_order is not None:
                drawn = _mission_12_draw(attempt, table)
                notes.append(f"drawn from seats 1 to {deal.seats}: {names(drawn)}")
        except _Broken as broken:
            reports.append(TrickReport(leader, tuple(on_table), None, ()))
            at = len(on_table) + 1
            left = total_cards - read - len(on_table)
            return Report(
                "illegal", number, at, broken.reason, broken.rule, tuple(reports), left, drawn
            )
        read += deal.seats
        reports.append(TrickReport(leader, trick.cards, trick.winner, tuple(notes)))
        if failure is not None or judge.won:
            outcome: Outcome = "won" if failure is None else "lost"
            reason = failure or "everything that had to happen has happened"
            return Report(
                outcome, number, deal.seats, reason, rule, tuple(reports), total_cards - read, drawn
            )
        leader = trick.winner
    last = reports[-1] if reports else None
    whole = sum(trick.winner is not None for trick in reports)
    at = len(last.cards) if last is not None else 0
    reason = f"the line ends after {whole} of {total} whole tricks and is not decided"
    return Report("unfinished", len(reports), at, reason, "", tuple(reports), 0, drawn)
