"""Stepping through a game in the terminal: one command a line."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..cards import SUIT_NAMES, Card, card_name, names
from ..errors import Faults
from ..notation import parse_card
from .game import Game, View
from .words import HELP, line_text, picture

Say = Callable[[str], None]


def run(game: Game, commands: Iterable[str], say: Say, prompt: Callable[[], None]) -> View:
    """Obey commands until `q` or their end; returns the position in the end.

    commands: lines of text. say: shows a text. prompt: called before each command is read.
    """
    cards = game.line[: game.start]
    view = game.after(cards)
    say(picture(game, view))
    prompt()
    for command in commands:
        word = command.strip().lower()
        if word in ("q", "quit", "exit"):
            break
        before = list(cards)
        said = _obey(game, cards, word, view)
        if said is not None:
            say(said)
        if cards != before:
            view = game.after(cards)
            say(picture(game, view))
        prompt()
    return view


def _obey(game: Game, cards: list[Card], word: str, view: View) -> str | None:
    """Change the cards as a command says; a text if there is something to say."""
    seats, start = game.problem.deal.seats, game.start
    if word in ("h", "?", "help"):
        return HELP
    if word == "s":
        return "  it is over" if view.over else line_text(game, cards)
    if word in ("b", "back", "t", "start"):
        if len(cards) <= start:
            return "  this is where the game starts"
        back = len(cards) - 1
        if word == "t":
            back = (len(cards) - 1) // seats * seats
        del cards[max(start, back if word != "start" else start) :]
        return None
    if view.over:
        return "  it is over; b goes back"
    if word == "end":
        if game.line[: len(cards)] != cards or len(game.line) == len(cards):
            return "  there is no line from here to follow"
        cards[:] = game.line
        return None
    if word in ("", "n", "next"):
        card = game.next_card(cards)
        if card is None:
            return "  no card is known to win from here; play one, or b to go back"
        cards.append(card)
        return None
    return _play(cards, word, view)


def _play(cards: list[Card], word: str, view: View) -> str | None:
    faults = Faults()
    card = parse_card(word, "command", faults)
    if card is None:
        return f"  {faults[0]}; h for help"
    legal = view.play.legal()
    if card not in legal:
        return f"  {_why_not(card, view)}"
    cards.append(card)
    return None


def _why_not(card: Card, view: View) -> str:
    """The rule that forbids a card."""
    play = view.play
    seat = play.seat
    if card not in play.open_cards(seat):
        holder = next((s for s, hand in enumerate(play.hands) if card in hand), None)
        if holder == seat:
            return f"{card_name(card)} still lies covered"
        where = f"seat {holder + 1} holds it" if holder is not None else "it has been played"
        if not play.problem.deal.mask >> card & 1:
            where = "it is in no hand"
        return f"seat {seat + 1} cannot play {card_name(card)}: {where}"
    led = SUIT_NAMES[play.table[0] // 9]
    return f"seat {seat + 1} must follow {led} with {names(play.legal())}"
