"""A position in the terminal. Plain ASCII."""

from __future__ import annotations

from tabulate import tabulate

from ..cards import Card, Seat, card_name, names
from ..picture import goal_words, hand_text, seat_name, task_text
from .game import Demand, Game, View

HELP = """  P5     play a card          n, Enter  the next card of the line, or one that wins
  b      back a card          t         back to the start of the trick before
  start  to the beginning     end       to the end of the line
  s      the line from here   q         quit"""
_MARKS = {"open": "[ ]", "done": "[x]", "failed": "[!]"}
_WORDS = {"wins": "win", "loses": "lose", "unknown": "not examined (a limit was reached)"}


def picture(game: Game, view: View) -> str:
    """Hands, the trick on the table, tasks and goals, what each card does."""
    play, deal = view.play, game.problem.deal
    lines = [_headline(game, view)]
    rows = []
    won = [0] * deal.seats
    for trick in view.report.tricks:
        if trick.winner is not None:
            won[trick.winner] += 1
    for seat in range(deal.seats):
        turn = not view.over and seat == play.seat
        on_table = _on_table(view, seat)
        rows.append(
            [
                f"{'>' if turn else ' '} {seat_name(deal, seat)}",
                hand_text(view.play, seat),
                on_table,
                f"{won[seat]} trick{'' if won[seat] == 1 else 's'}",
            ]
        )
    table: str = tabulate(
        rows,
        headers=["", "hand", " table", "won"],
        tablefmt="simple",
        preserve_whitespace=True,
        disable_numparse=True,
    )
    lines.append(table)
    lines += [f"  {_MARKS[demand.status]} {demand_text(demand)}" for demand in view.demands]
    if view.over:
        lines.append(f"{view.report.outcome} in trick {view.report.trick}: {view.report.reason}.")
    for word, said in _WORDS.items():
        cards = [card for card, what in view.does.items() if what == word]
        if cards:
            lines.append(f"  {said}: {names(cards)}")
    return "\n".join(lines)


def _headline(game: Game, view: View) -> str:
    play, deal = view.play, game.problem.deal
    if view.over:
        return f"after trick {view.report.trick} of {deal.tricks}"
    place = len(play.table) + 1
    verb = "leads" if place == 1 else "plays"
    number = len(play.tricks) + 1
    return f"trick {number} of {deal.tricks}, card {place}: {seat_name(deal, play.seat)} {verb}"


def _on_table(view: View, seat: Seat) -> str:
    """The card of a seat in the trick in play, or in the last one if none is open."""
    trick = view.report.tricks[-1] if view.report.tricks else None
    if trick is None:
        return ""
    seats = len(view.play.hands)
    place = (seat - trick.leader) % seats
    if place >= len(trick.cards):
        return ""
    mark = "*" if seat == trick.winner else ""
    text = f"{'>' if place == 0 else ' '}{card_name(trick.cards[place])}{mark}"
    return text if trick.winner is None else f"({text.strip()})"


def demand_text(demand: Demand) -> str:
    """A task or goal in words."""
    if demand.task is not None:
        return task_text(demand.task)
    return "; ".join(goal_words(goal) for goal in demand.goals)


def line_text(game: Game, cards: list[Card]) -> str:
    """The rest of the line from a position, trick by trick."""
    rest: list[Card] = []
    while (card := game.next_card([*cards, *rest])) is not None:
        rest.append(card)
        if game.after([*cards, *rest], examine=False).over:
            break
    seats = game.problem.deal.seats
    first = -len(cards) % seats
    parts = [rest[:first]] if first else []
    parts += [rest[at : at + seats] for at in range(first, len(rest), seats)]
    return "  " + " / ".join(map(names, parts)) if rest else "  no card is known to win from here"
