"""What is known of a game along its line and beside it, as data for a page or for JSON.

A position is named by the cards that led to it (``R4B3B1``). What each legal card does is asked
along the line, then, as far as the budget goes, along the lines that win after other cards. Once
lost, a game stays lost, so nothing is asked after a card that loses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..cards import Card, card_name
from ..picture import picture_of_deal
from .game import Game, View, card_words
from .words import demand_text

BESIDE = 120
"""Positions that are examined beside the line."""


def key_of(cards: Sequence[Card]) -> str:
    """Name of a position."""
    return "".join(map(card_name, cards))


@dataclass
class Tree:
    """does: what legal cards do, by position. states: of the demands, after whole tricks.

    ends: outcome and reason where a game is decided. lines: cards of lines that win.
    """

    game: Game
    does: dict[str, dict[str, str]] = field(default_factory=dict)
    states: dict[str, str] = field(default_factory=dict)
    ends: dict[str, tuple[str, str]] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)

    def walk(self, beside: int = BESIDE) -> None:
        """Examine the line, then positions beside it."""
        game = self.game
        self._follow(game.line, game.start, len(game.line))
        seats = game.problem.deal.seats
        seen = 0
        while seen < len(game.positions.lines) and beside > 0:
            line = game.positions.lines[seen]
            seen += 1
            at = next((n for n in range(len(line) + 1) if key_of(line[:n]) not in self.does), 0)
            asked = min(beside, seats)
            self._follow(line, at, at + asked)
            beside -= asked
        self.lines = sorted({key_of(line) for line in game.positions.lines})
        for line in (game.line, *game.positions.lines):
            self._note_states(line)

    def _follow(self, line: Sequence[Card], first: int, last: int) -> None:
        """Examine the positions of a line from `first` to `last`."""
        for ply in range(first, min(last, len(line)) + 1):
            key = key_of(line[:ply])
            if key not in self.does and key not in self.ends:
                view = self.game.after(line[:ply])
                self._note(key, view)
                if not view.over:
                    self.does[key] = card_words(view.does)

    def _note_states(self, line: Sequence[Card]) -> None:
        seats = self.game.problem.deal.seats
        for ply in range(0, len(line) + 1, seats):
            key = key_of(line[:ply])
            if key not in self.states:
                self._note(key, self.game.after(line[:ply], examine=False))
            if key in self.ends:
                return

    def _note(self, key: str, view: View) -> None:
        if not view.play.table:
            self.states[key] = "".join(demand.status[0] for demand in view.demands)
        if view.over:
            self.ends[key] = (view.report.outcome, view.report.reason)


def to_json(game: Game) -> dict[str, Any]:
    """The positions along the line, with what each legal card does; seats from 1."""
    positions = []
    for ply in range(game.start, len(game.line) + 1):
        view = game.after(game.line[:ply])
        positions.append(
            {
                "played": [card_name(card) for card in game.line[:ply]],
                "seat": None if view.over else view.play.seat + 1,
                "outcome": view.report.outcome,
                "demands": [
                    {"text": demand_text(demand), "status": demand.status}
                    for demand in view.demands
                ],
                "cards": card_words(view.does),
            }
        )
        if view.over:
            break
    return {
        "schema": 1,
        "id": game.problem.id,
        "verdict": game.verdict,
        "source": game.source,
        "positions": positions,
    }


def page_data(game: Game) -> dict[str, Any]:
    """All that the page needs, as JSON."""
    tree = Tree(game)
    tree.walk()
    problem, view = game.problem, game.after([], examine=False)
    deal, play = problem.deal, view.play
    draw = problem.draw
    columns = [[card_name(c) for c in column] for column in play.columns]
    return {
        "title": game.title or (f"Deal {problem.id}" if problem.id else "A deal"),
        "mission": problem.mission.name if problem.mission is not None else None,
        "text": problem.mission.text if problem.mission is not None else "",
        "verdict": game.verdict,
        "source": game.source,
        "hands": [[card_name(c) for c in sorted(hand)] for hand in play.hands],
        "jarvis": deal.jarvis,
        "columns": columns,
        "leader": deal.leader,
        "commander": deal.commander,
        "tricks": deal.tricks,
        "draw": None if draw is None else _draw(draw.cards, draw.order),
        "given": draw is not None and draw.cards is not None,
        "demands": [demand_text(demand) for demand in view.demands],
        "start": game.start * 2,
        "line": key_of(game.line),
        "does": tree.does,
        "states": tree.states,
        "ends": tree.ends,
        "lines": tree.lines,
        "deal": picture_of_deal(problem),
    }


def _draw(cards: Sequence[Card] | None, order: Sequence[Card]) -> list[str]:
    """Mission 12's draw: the cards by giver if they are named, else the order that decides."""
    return [card_name(card) for card in (order if cards is None else cards)]
