"""A game in progress: whose turn it is, what may be played, what a card changes.

For those who walk through positions (margins, seats that play); the referee has rules of its own.
"""

from __future__ import annotations

from .cards import Card, Seat, winning_place
from .problem import Problem, after_pass


class Play:
    """A position of a problem in which only the cards to be played are open.

    Mission 12's draw is the seeded one. All seats from 0. hands: cards by seat, of JARVIS open and
    covered ones; table: cards of the open trick; tricks: the finished ones; drawn: by giver, once
    cards were drawn.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.hands, columns = after_pass(problem)
        self.columns = [[c for c in (below, top) if c is not None] for top, below in columns]
        self.leader = problem.deal.leader
        self.table: list[Card] = []
        self.tricks: list[tuple[Card, ...]] = []
        self.drawn: tuple[Card, ...] = ()
        for trick in problem.played:
            for card in trick:
                self.put(card)

    @property
    def seat(self) -> Seat:
        """Whose turn it is."""
        return (self.leader + len(self.table)) % self.problem.deal.seats

    @property
    def cards(self) -> list[Card]:
        """Cards in the order in which they fell."""
        return [card for trick in (*self.tricks, self.table) for card in trick]

    @property
    def over(self) -> bool:
        """Whether no full trick is left."""
        return len(self.tricks) == self.problem.deal.tricks

    def open_cards(self, seat: Seat) -> set[Card]:
        """Cards that a seat may play from: all in hand, of JARVIS the open ones."""
        if seat != self.problem.deal.jarvis:
            return self.hands[seat]
        return {column[-1] for column in self.columns if column} & self.hands[seat]

    def legal(self) -> list[Card]:
        """Cards that may be played now, ascending (rules: follow suit if you can)."""
        cards = self.open_cards(self.seat)
        if self.table:
            led = self.table[0] // 9
            cards = {card for card in cards if card // 9 == led} or cards
        return sorted(cards)

    def put(self, card: Card) -> None:
        """Play a legal card; a full trick is taken in."""
        self.hands[self.seat].discard(card)
        self.table.append(card)
        if len(self.table) == self.problem.deal.seats:
            self._take_in()

    def _take_in(self) -> None:
        seats = self.problem.deal.seats
        self.leader = (self.leader + winning_place(self.table)) % seats
        self.tricks.append(tuple(self.table))
        self.table = []
        for column in self.columns:
            if column and column[-1] in self.tricks[-1]:
                column.pop()
        if len(self.tricks) == 1 and self.problem.draw is not None and not self.over:
            self._draw()

    def _draw(self) -> None:
        """Mission 12: every hand loses its first card in the order to its left neighbour."""
        draw = self.problem.draw
        assert draw is not None
        given = draw.cards or tuple(
            next(card for card in draw.order if card in hand) for hand in self.hands
        )
        self.drawn = given
        for seat, card in enumerate(given):
            self.hands[seat].discard(card)
        for seat, card in enumerate(given):
            receiver = (seat + 1) % len(self.hands)
            self.hands[receiver].add(card)
            if receiver == self.problem.deal.jarvis:
                self.columns = [
                    [card if c == given[receiver] else c for c in column] for column in self.columns
                ]
